package httpapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"moothall/api/gen"
	"moothall/internal/domain"
)

const (
	maxDepth   = 32   // of nested objects and arrays
	maxMembers = 1000 // of one object
)

// receiveBody reads the whole body of a request into memory, unless it is an upload. Slow senders hold no permits. An error is
// reported by checkArrival, after authentication: anonymous callers get 401 first.
func (s *Server) receiveBody(x *exchange) error {
	if x.st.op.uploads != nil {
		return nil
	}
	if x.st.readBody(x.w, x.r); x.st.bodyErr != nil {
		x.setContext(context.WithoutCancel(x.r.Context())) // which the error has canceled
	}
	return nil
}

// checkArrival reports why the body did not arrive.
func (s *Server) checkArrival(x *exchange) error { return x.st.bodyErr }

// readBody reads the body. Without one the Content-Type header is ignored.
func (st *requestState) readBody(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Body == http.NoBody {
		r.Header.Del("Content-Type")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, st.op.maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		st.bodyErr = domain.PayloadTooLarge
		return
	case errors.Is(err, errEvicted):
		st.bodyErr = err
		return
	case err != nil: // the sender stopped, or broke the chunked coding
		st.bodyErr = domain.Invalid("", "must arrive completely and in time")
		return
	}
	st.body = body
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	if len(body) == 0 {
		r.Header.Del("Content-Type")
	}
}

// singleHeaders are read as one value each. Authorization, Content-Type and Origin have checks of their own.
var singleHeaders = []string{"Idempotency-Key", "Last-Event-Id", "Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"}

// checkHeaders rejects two headers of which other programs could read the other one.
func (s *Server) checkHeaders(x *exchange) error {
	for _, name := range singleHeaders {
		if len(x.r.Header[name]) > 1 {
			return domain.Invalid("", "must have one header "+name)
		}
	}
	return nil
}

// checkBody rejects a body that two parsers could read differently: not declared
// as JSON, not UTF-8, with duplicate keys, or with trailing data.
func (s *Server) checkBody(x *exchange) error {
	st := x.st
	if st.op.uploads != nil {
		return st.checkUpload(x.r.Header)
	}
	if !st.op.takesBody || len(st.body) == 0 {
		return nil
	}
	if !declaresJSON(x.r.Header) {
		return domain.UnsupportedMedia
	}
	c := jsonCheck{in: jsontext.NewDecoder(bytes.NewBuffer(st.body))}
	err := c.document()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return domain.Invalid("", "must be complete JSON")
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return domain.Invalid(string(syntax.JSONPointer), jsonProblem(syntax))
	}
	return err
}

// declaresJSON reports whether the only Content-Type is JSON in UTF-8, without a
// content coding.
func declaresJSON(h http.Header) bool {
	types := h["Content-Type"]
	if len(types) != 1 || h.Get("Content-Encoding") != "" {
		return false
	}
	mediaType, parameters, err := mime.ParseMediaType(types[0])
	charset, hasCharset := parameters["charset"]
	return err == nil && mediaType == "application/json" &&
		(!hasCharset || strings.EqualFold(charset, "utf-8"))
}

func jsonProblem(e *jsontext.SyntacticError) string {
	if errors.Is(e, jsontext.ErrDuplicateName) {
		return "must appear once in its object"
	}
	return "must be valid JSON in UTF-8 (see byte " + strconv.FormatInt(e.ByteOffset, 10) + ")"
}

// jsonCheck reads a document once, token by token.
type jsonCheck struct {
	in *jsontext.Decoder
}

func (c *jsonCheck) document() error {
	if err := c.value(); err != nil {
		return err
	}
	if _, err := c.in.ReadToken(); !errors.Is(err, io.EOF) {
		return domain.Invalid("", "must be one JSON value with nothing after it")
	}
	return nil
}

func (c *jsonCheck) value() error {
	if c.in.StackDepth() > maxDepth {
		return domain.Invalid("", "must not be nested deeper than "+strconv.Itoa(maxDepth)+" levels")
	}
	token, err := c.in.ReadToken()
	if err != nil {
		return err
	}
	switch token.Kind() {
	case '"':
		err = c.text(token.String())
	case '[':
		for c.in.PeekKind() != ']' {
			if err := c.value(); err != nil {
				return err
			}
		}
		_, err = c.in.ReadToken()
	case '{':
		err = c.object()
	}
	return err
}

func (c *jsonCheck) object() error {
	var names map[string]struct{}
	for c.in.PeekKind() != '}' {
		token, err := c.in.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		if names == nil {
			names = make(map[string]struct{}, 8)
		}
		if err := c.name(name, names); err != nil {
			return err
		}
		if err := c.value(); err != nil {
			return err
		}
	}
	_, err := c.in.ReadToken()
	return err
}

// name rejects names that differ only in letter case: encoding/json treats them as
// equal.
func (c *jsonCheck) name(name string, seen map[string]struct{}) error {
	folded := strings.ToLower(name)
	if _, twice := seen[folded]; twice {
		return domain.Invalid(string(c.in.StackPointer()), "must appear once in its object, in any letter case")
	}
	if len(seen) == maxMembers {
		return domain.Invalid("", "must have at most "+strconv.Itoa(maxMembers)+" members in one object")
	}
	seen[folded] = struct{}{}
	return c.text(name)
}

func (c *jsonCheck) text(s string) error {
	if strings.Contains(s, "\x00") {
		return domain.Invalid(string(c.in.StackPointer()), errText.Error())
	}
	return nil
}

// checkQuery checks the query strictly. url.ParseQuery drops a malformed filter,
// so the response would contain too much. Operations that redirect browsers check
// their query themselves.
func (s *Server) checkQuery(x *exchange) error {
	st, raw := x.st, x.st.rawQuery
	if raw == "" || st.op.redirects {
		return nil
	}
	if strings.Count(raw, "&") >= maxParameters {
		return domain.Invalid("?", "must have at most 100 parameters")
	}
	query, err := url.ParseQuery(raw)
	if err != nil {
		return domain.Invalid("?", "must be percent-encoded pairs joined by &")
	}
	var problems domain.Problems
	for name, values := range query {
		st.checkParameter(&problems, name, values)
	}
	return problems.Err()
}

func (st *requestState) checkParameter(problems *domain.Problems, name string, values []string) {
	if checkText(name) != nil {
		problems.Add("?", "must have parameter names in valid UTF-8")
		return
	}
	p, known := st.op.query[name]
	if !known && !st.op.anyQuery {
		problems.Add("?"+name, "must be a parameter of this operation")
	}
	if known && len(values) > 1 && p.Type != "array" {
		problems.Add("?"+name, "must be given once")
	}
	for _, value := range values {
		if err := checkValue(p.Type, value); err != nil {
			problems.Add("?"+name, err.Error())
		}
	}
}

// checkValue checks the form of one value of a type; "" is that of a parameter that the
// contract does not define.
func checkValue(kind, value string) error {
	if err := checkText(value); err != nil {
		return err
	}
	switch kind {
	case "integer":
		return checkInteger(value)
	case "boolean":
		return checkBoolean(value)
	}
	return nil
}

// The generated decoder accepts too many forms of integers, booleans and text. It
// checks ids, times and other numbers itself.

var (
	errInteger = errors.New("must be an integer like 20")
	errBoolean = errors.New("must be true or false")
	errText    = errors.New("must be valid UTF-8 without U+0000")
)

// checkInteger rejects the plus sign that strconv accepts.
func checkInteger(s string) error {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return errInteger
	}
	return nil
}

// checkBoolean rejects the short forms that strconv accepts ("1", "T").
func checkBoolean(s string) error {
	if s != "true" && s != "false" {
		return errBoolean
	}
	return nil
}

// checkText rejects text that PostgreSQL cannot store.
func checkText(s string) error {
	if !utf8.ValidString(s) || strings.Contains(s, "\x00") {
		return errText
	}
	return nil
}

// TimeParameter parses a query parameter that is a date-time with digits that matter. Its
// schema is a plain string, because most typed clients drop digits of a date-time. It
// returns nil if the parameter is absent.
func TimeParameter(name string, o gen.OptString) (*time.Time, error) {
	value, ok := o.Get()
	if !ok {
		return nil, nil
	}
	at, err := gen.ParseTime(value)
	if err != nil {
		return nil, domain.Invalid("?"+name, err.Error())
	}
	return &at, nil
}

// optNil is a generated request field that may be absent, null or a value.
type optNil[T any] interface {
	Get() (T, bool)
	IsSet() bool
}

// Opt converts a generated request field.
func Opt[T any](o optNil[T]) domain.Opt[T] {
	value, ok := o.Get()
	if !ok {
		return domain.Opt[T]{Sent: o.IsSet()}
	}
	return domain.Opt[T]{Sent: true, Value: &value}
}
