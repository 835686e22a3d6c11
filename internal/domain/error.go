package domain

import (
	"fmt"
	"strings"
)

// Error is a refusal: something the caller may be told. Its code is the
// contract's (specification §7, contract §10); its HTTP status stands in one
// map in package web. Every other error is internal and never shown.
type Error struct {
	Code   string       // one of the constants below
	Fields []FieldError // what was wrong, for developers; may be empty
}

// FieldError names one wrong place of a request.
type FieldError struct {
	Pointer string // JSON pointer into the body ("/title") or "?name" for a query parameter
	Detail  string // what would be right, in words for a developer
}

// The refusals without further detail. Compare with errors.Is.
var (
	Unauthorized       = &Error{Code: "unauthorized"}
	Forbidden          = &Error{Code: "forbidden"}
	NotFound           = &Error{Code: "not_found"}
	UsernameTaken      = &Error{Code: "username_taken"}
	Conflict           = &Error{Code: "conflict"}
	KeyReused          = &Error{Code: "idempotency_key_reused"}
	PreconditionFailed = &Error{Code: "precondition_failed"}
	PayloadTooLarge    = &Error{Code: "payload_too_large"}
	UnsupportedMedia   = &Error{Code: "unsupported_media_type"}
	RateLimited        = &Error{Code: "rate_limited"}
	ImageUnavailable   = &Error{Code: "image_unavailable"}
	ServiceUnavailable = &Error{Code: "service_unavailable"}
	InvalidRequest     = &Error{Code: "invalid_request"}
	MethodNotAllowed   = &Error{Code: "method_not_allowed"}
	Internal           = &Error{Code: "internal_error"}
)

// Invalid refuses a request because of one field; collect several with Problems.
func Invalid(pointer, detail string) *Error {
	return &Error{Code: InvalidRequest.Code, Fields: []FieldError{{Pointer: pointer, Detail: detail}}}
}

// Error gives the code and the fields, without any value the caller sent.
func (e *Error) Error() string {
	if len(e.Fields) == 0 {
		return e.Code
	}
	parts := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		parts[i] = fmt.Sprintf("%s %s", f.Pointer, f.Detail)
	}
	return e.Code + ": " + strings.Join(parts, "; ")
}

// Is makes two refusals equal when their codes are.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Code == e.Code
}

// Problems collects the wrong fields of one request, so that a developer sees
// all of them at once.
type Problems []FieldError

// Add notes one wrong field.
func (p *Problems) Add(pointer, detail string) {
	*p = append(*p, FieldError{Pointer: pointer, Detail: detail})
}

// Err gives the refusal, or nil when nothing was wrong.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return &Error{Code: InvalidRequest.Code, Fields: p}
}
