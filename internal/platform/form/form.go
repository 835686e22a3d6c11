// Package form reads forms, URL-encoded or multipart, part by part. A file is never stored: its reader gets it while it arrives.
package form

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
)

// Limits of a form, in bytes.
const (
	MaxFields = 64 << 10 // all fields together, with their names and headers
	MaxFile   = 10 << 20
)

// Errors of Read and ReadRest.
var (
	ErrTooLarge  = errors.New("form: too large")
	ErrMalformed = errors.New("form: malformed, or it did not arrive completely")
)

// Form is a form that has been read up to its first file.
type Form struct {
	url.Values
	File *multipart.Part // the first file that was chosen, or nil; at most MaxFile can be read

	parts *multipart.Reader // nil if all fields have been read
	body  *allowance
}

// Read reads the fields of a form that come before the first file. Without a file, these are all fields. Errors besides ErrTooLarge and
// ErrMalformed are those of the body.
func Read(r *http.Request) (*Form, error) {
	f := &Form{Values: url.Values{}, body: &allowance{from: r.Body, left: MaxFields}}
	mediaType, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case r.Body == nil || r.Header.Get("Content-Type") == "":
		return f, nil
	case err != nil:
		return nil, ErrMalformed
	case mediaType == "application/x-www-form-urlencoded":
		return f, f.readEncoded()
	case mediaType == "multipart/form-data" && parameters["boundary"] != "":
		f.parts = multipart.NewReader(f.body, parameters["boundary"])
		return f, f.readParts()
	}
	return f, nil // the form has no field that an action knows
}

func (f *Form) readEncoded() error {
	text, err := io.ReadAll(f.body)
	if err != nil {
		return f.failed(err)
	}
	if f.Values, err = url.ParseQuery(string(text)); err != nil {
		return ErrMalformed
	}
	return nil
}

// ReadRest reads the fields that come after the first file. It ignores further files.
func (f *Form) ReadRest() error {
	if f.File == nil {
		return nil
	}
	f.body.endFile()
	return f.readParts()
}

// Err returns why the form could not be read so far, or nil.
func (f *Form) Err() error {
	if f.body.err == nil || errors.Is(f.body.err, io.EOF) {
		return nil
	}
	return f.failed(f.body.err)
}

// readParts reads fields up to the first file or the end.
func (f *Form) readParts() error {
	for {
		part, err := f.parts.NextPart()
		switch {
		case err == io.EOF: //nolint:errorlint // a wrapped one means that the last boundary is missing
			return nil
		case err != nil:
			return f.failed(err)
		case part.FileName() != "" && f.File == nil:
			f.File = part
			f.body.beginFile()
			return nil
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return f.failed(err)
		}
		if name := part.FormName(); name != "" && part.FileName() == "" {
			f.Add(name, string(value))
		}
	}
}

// failed returns the error of a form whose body could not be read.
func (f *Form) failed(err error) error {
	if errors.Is(f.body.err, ErrTooLarge) {
		return ErrTooLarge
	}
	if f.body.err != nil {
		err = f.body.err
	}
	return fmt.Errorf("%w: %w", ErrMalformed, err)
}

// allowance is a body of which only some bytes may be read.
type allowance struct {
	from   io.Reader
	left   int64
	fields int64 // left for fields, while a file is read
	err    error
}

// beginFile allows to read a file. What multipart.Reader has read ahead counts as fields.
func (a *allowance) beginFile() { a.fields, a.left = a.left, MaxFile+MaxFields }

// endFile allows to read what is left for fields.
func (a *allowance) endFile() { a.left = a.fields }

// Read returns ErrTooLarge when the allowance is used up and the body goes on.
func (a *allowance) Read(p []byte) (n int, err error) {
	if a.err != nil {
		return 0, a.err
	}
	if int64(len(p)) > a.left+1 {
		p = p[:a.left+1]
	}
	n, a.err = a.from.Read(p)
	if int64(n) > a.left {
		a.err = ErrTooLarge
		return int(a.left), a.err
	}
	a.left -= int64(n)
	return n, a.err
}
