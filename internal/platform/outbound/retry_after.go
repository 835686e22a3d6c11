package outbound

import (
	"net/http"
	"strconv"
	"time"
)

// RetryAfter returns how long a Retry-After, seconds or a date, asks to wait: at least 0 and at most longest. A
// malformed one asks for 0.
func RetryAfter(header http.Header, now time.Time, longest time.Duration) (wait time.Duration) {
	value := header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		wait = at.Sub(now)
	}
	return min(max(wait, 0), longest)
}
