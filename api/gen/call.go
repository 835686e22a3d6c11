package gen

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/go-faster/jx"
	"github.com/ogen-go/ogen/ogenerrors"
	"github.com/ogen-go/ogen/openapi"
)

// Calls calls operations as Go values: no request is encoded and no response. Each operation is a method with the signature of
// the Handler. Its errors are those of Invoke.
type Calls struct {
	Operations interface {
		Handler
		RawHandler
	}

	// Invoke decides about a call and carries it out by Call.Do, whose value it returns.
	Invoke func(context.Context, *Call) (any, error)
}

// Call is a call of one operation.
type Call struct {
	ID         string
	Parameters Parameters // nil: the operation has none
	Body       Body       // nil: no JSON body
	Upload     Upload     // the zero Upload: none
	Do         func(context.Context) (any, error)

	// What a request says in headers.
	Cookies  []string // Cookie headers: nil for anonymous callers
	Language string   // Accept-Language

	// Wait is how long statements of an operation that may be left out wait at most for the database; 0: as long as those of a request.
	Wait time.Duration

	SetCookies []string // Set-Cookie headers of the response, for the caller
}

// Parameters are the parameters of an operation.
type Parameters interface {
	// Validate returns an error if a parameter is not as the contract says.
	Validate() error
	// Each calls add with each parameter: where it is in a request ("path", "query" or "header"), its name and its value.
	Each(add func(in, name string, value any))
}

// Body is a JSON body.
type Body interface{ Encode(e *jx.Encoder) }

// Upload is a body that is not JSON.
type Upload struct {
	MediaType string
	Data      io.Reader
}

// Refusal is the error of a call that was refused, with what a response says about it.
type Refusal struct { //nolint:errname // pages show it as a value
	Status     int
	Code       string
	Reason     string         // why it is forbidden; may be empty
	Detail     string         // a sentence
	Fields     []RefusedField // of a malformed request
	RetryAfter int            // seconds; 0 if unknown
}

// RefusedField is a wrong field of a request: a JSON pointer into the body, or "?" and the name of a query parameter.
type RefusedField struct {
	Pointer string `json:"pointer"`
	Detail  string `json:"detail"`
}

// Error implements error.
func (r *Refusal) Error() string { return "gen: the operation was refused: " + r.Code }

// typed returns the value of a call.
func typed[T any](value any, err error) (T, error) {
	result, _ := value.(T) // the zero T if there is an error
	return result, err
}

// optional returns a body that may be absent.
func optional(set bool, body Body) Body {
	if !set {
		return nil
	}
	return body
}

// Values takes the value of an operation that writes its response itself.
type Values struct {
	http.ResponseWriter // nil

	Value any
}

// Header returns headers that nobody sends.
func (*Values) Header() http.Header { return http.Header{} }

// written returns the value of an operation that writes its response itself.
func written(write func(w http.ResponseWriter) error) (any, error) {
	var w Values
	err := write(&w)
	return w.Value, err
}

// invalidParameter is the error of a decoder about a parameter.
func invalidParameter(in, name string, err error) error {
	return &ogenerrors.DecodeParamError{Name: name, In: openapi.ParameterLocation(in), Err: err}
}
