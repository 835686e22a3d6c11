package moothall

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Error is an error response. Branch on the status first, then on the code. Failures of the network are other errors.
type Error struct {
	Status     int
	Code       ErrorCode       // empty for 304, or if another server answered, such as a proxy
	Reason     ForbiddenReason // of 403
	Detail     string          // for developers; may change
	Fields     []ProblemField  // of 400: what is wrong with the request
	RequestID  string          // identifies the request in the log of the service
	RetryAfter time.Duration   // of 429 and 503
}

func (e *Error) Error() string {
	text := fmt.Sprintf("moothall: %d %s", e.Status, cmp.Or(string(e.Code), http.StatusText(e.Status)))
	if e.Reason != "" {
		text += " (" + string(e.Reason) + ")"
	}
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	for _, f := range e.Fields {
		text += fmt.Sprintf("; %s %s", f.Pointer, f.Detail)
	}
	if e.RequestID != "" {
		text += ", request " + e.RequestID
	}
	return text
}

const maxErrorBody = 1 << 20 // bytes

func readError(response *http.Response) *Error {
	e := &Error{Status: response.StatusCode, RequestID: response.Header.Get("X-Request-Id"),
		RetryAfter: retryAfter(response.Header.Get("Retry-After"))}
	if location := response.Header.Get("Location"); location != "" {
		e.Detail = "redirected to " + location
	}
	var p struct { // a Problem, or an ApiError
		Error  ErrorCode
		Reason ForbiddenReason
		Detail string
		Errors []ProblemField
	}
	if json.NewDecoder(io.LimitReader(response.Body, maxErrorBody)).Decode(&p) == nil {
		e.Code, e.Reason, e.Detail, e.Fields = p.Error, p.Reason, cmp.Or(p.Detail, e.Detail), p.Errors
	}
	return e
}

// retryAfter returns the time of a Retry-After, which is a number of seconds or, from some proxies, a date.
func retryAfter(value string) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(date))
	}
	return 0
}
