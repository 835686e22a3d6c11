package domain

import (
	"errors"
	"fmt"
	"strings"
)

// Error is a refusal that the caller may see. Its code is one of the contract's
// (specification §7, contract §10), and package httpapi maps it to an HTTP status.
// All other errors are internal: the caller sees "internal_error".
type Error struct {
	Code   string       // see the variables below
	Reason Reason       // why a request is forbidden; empty for all other codes
	Fields []FieldError // the wrong fields, for developers; may be empty
}

// FieldError is one wrong field of a request.
type FieldError struct {
	Pointer string // JSON pointer into the body ("/title") or "?name" for a query parameter
	Detail  string // what the field must be, for developers; starts with "must"
	// Needs are the pointers of other fields that the rule compares with. The field is
	// not reported if one of them is wrong itself.
	Needs []string
}

// The refusals without fields. Compare with errors.Is. Return Forbid instead of
// Forbidden, which stands for every reason.
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
	OutcomeUnknown     = &Error{Code: "outcome_unknown"}
	InvalidRequest     = &Error{Code: "invalid_request"}
	MethodNotAllowed   = &Error{Code: "method_not_allowed"}
	Internal           = &Error{Code: "internal_error"}
)

// Invalid returns the refusal of a request with one wrong field. Use Problems to
// collect several.
func Invalid(pointer, detail string) *Error {
	return &Error{Code: InvalidRequest.Code, Fields: []FieldError{{Pointer: pointer, Detail: detail}}}
}

// Error returns the code, the reason and the fields, without any value that the caller sent.
func (e *Error) Error() string {
	if e.Reason != "" {
		return fmt.Sprintf("%s (%s)", e.Code, e.Reason)
	}
	if len(e.Fields) == 0 {
		return e.Code
	}
	parts := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		parts[i] = fmt.Sprintf("%s %s", f.Pointer, f.Detail)
	}
	return e.Code + ": " + strings.Join(parts, "; ")
}

// Is reports whether target is a refusal with the same code and, if it has one, the
// same reason.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Code == e.Code && (other.Reason == "" || other.Reason == e.Reason)
}

// Problems collects the wrong fields of one request, so that a developer sees all of
// them at once.
type Problems []FieldError

// Add adds one wrong field; see FieldError.
func (p *Problems) Add(pointer, detail string, needs ...string) {
	*p = append(*p, FieldError{Pointer: pointer, Detail: detail, Needs: needs})
}

// AddAll adds the wrong fields of an error, if it has any.
func (p *Problems) AddAll(err error) {
	if refusal, ok := errors.AsType[*Error](err); ok {
		*p = append(*p, refusal.Fields...)
	}
}

// Err returns the refusal, or nil if there are no wrong fields.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return &Error{Code: InvalidRequest.Code, Fields: p}
}
