//go:build !linux

package observe

import "time"

func threadClock() func() time.Duration {
	began := time.Now()
	return func() time.Duration { return time.Since(began) }
}
