package observe

import "time"

var start = time.Now()

// Uptime returns the time since the start of the process, by the monotonic clock. It measures waits and
// ages: a jump of the machine's clock does not change it.
func Uptime() time.Duration { return time.Since(start) }
