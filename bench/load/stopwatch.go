package load

import "time"

// Stopwatch measures elapsed time. Only this file of the measurements reads the
// machine's clock.
type Stopwatch struct{ began time.Time }

// Start starts a stopwatch.
func Start() Stopwatch { return Stopwatch{time.Now()} }

// Elapsed returns the time since the start.
func (s Stopwatch) Elapsed() time.Duration { return time.Since(s.began) }
