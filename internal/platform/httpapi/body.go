package httpapi

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"moothall/internal/domain"
)

const (
	maxDepth   = 32   // of nested objects and arrays
	maxMembers = 1000 // of one object
)

// readBody takes the whole body into memory before anything else happens, so
// that a slow sender holds up nobody, and gives the handler a reader of it. What
// goes wrong is kept for admit: a stranger is not told. An absent body has no
// type: a client may send the header all the same.
func (ex *exchange) readBody(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Body == http.NoBody {
		r.Header.Del("Content-Type")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, ex.op.maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		ex.unread = domain.PayloadTooLarge
		return
	case err != nil: // the sender stopped, or broke the chunked coding
		ex.unread = domain.Invalid("", "must arrive whole and in time")
		return
	}
	ex.body = body
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	if len(body) == 0 {
		r.Header.Del("Content-Type")
	}
}

// checkBody refuses a body that two programs could read differently: not
// declared as JSON, not UTF-8, with duplicate keys, with something after it.
func (ex *exchange) checkBody(h http.Header) error {
	if !ex.op.takesBody || len(ex.body) == 0 {
		return nil
	}
	if !declaresJSON(h) {
		return domain.UnsupportedMedia
	}
	c := jsonCheck{in: jsontext.NewDecoder(bytes.NewBuffer(ex.body))}
	err := c.document()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return domain.Invalid("", "must be complete JSON")
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return domain.Invalid(string(syntax.JSONPointer), jsonProblem(syntax))
	}
	return err
}

// declaresJSON reports whether there is one Content-Type, JSON in UTF-8, and
// no content coding.
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
		return "must not stand twice in its object"
	}
	return "must be valid JSON in UTF-8 (see byte " + strconv.FormatInt(e.ByteOffset, 10) + ")"
}

// jsonCheck walks a document once, token by token.
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

// name refuses names that differ only by case: some parser down the line may
// take them for the same.
func (c *jsonCheck) name(name string, seen map[string]struct{}) error {
	folded := strings.ToLower(name)
	if _, twice := seen[folded]; twice {
		return domain.Invalid(string(c.in.StackPointer()), "must not stand twice in its object, in any case of letters")
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
