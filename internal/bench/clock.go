package bench

import (
	"time"

	"moothall/internal/domain"
)

// Only this file reads the machine's clock.

// epoch is the present of every seeded world: the same data, whenever a bench runs.
var epoch = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)

type stopwatch struct{ began time.Time }

func start() stopwatch { return stopwatch{time.Now()} }

func (s stopwatch) elapsed() time.Duration { return time.Since(s.began) }

// clockFrom goes on from a moment.
func clockFrom(moment time.Time) domain.Clock {
	running := start()
	return func() time.Time { return moment.Add(running.elapsed()) }
}
