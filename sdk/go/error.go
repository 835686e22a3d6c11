package moothall

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Error is a response that is not a success. Branch on the status first, then on the code. A failure of the network is another
// error.
type Error struct {
	Status     int
	Code       ErrorCode       // empty for 304, or if another server answered, such as a proxy
	Reason     ForbiddenReason // of 403
	Detail     string          // for developers
	Fields     []ProblemField  // of 400: what is wrong with the request
	RequestID  string          // identifies the request in the log of the service
	RetryAfter time.Duration   // of 429 and 503
}

func (e *Error) Error() string {
	text := fmt.Sprintf("moothall: %d %s", e.Status, e.Code)
	if e.Reason != "" {
		text += " (" + string(e.Reason) + ")"
	}
	for _, f := range e.Fields {
		text += fmt.Sprintf("; %s %s", f.Pointer, f.Detail)
	}
	return text + ", request " + e.RequestID
}

const maxErrorBody = 1 << 20 // bytes

func readError(response *http.Response) *Error {
	e := &Error{Status: response.StatusCode, RequestID: response.Header.Get("X-Request-Id")}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	var p struct { // a Problem, or an ApiError
		Error  ErrorCode
		Reason ForbiddenReason
		Detail string
		Errors []ProblemField
	}
	if json.NewDecoder(io.LimitReader(response.Body, maxErrorBody)).Decode(&p) == nil {
		e.Code, e.Reason, e.Detail, e.Fields = p.Error, p.Reason, p.Detail, p.Errors
	}
	return e
}
