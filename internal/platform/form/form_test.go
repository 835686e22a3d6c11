package form_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"

	"moothall/internal/platform/form"
)

const (
	encoded   = "application/x-www-form-urlencoded"
	multipart = "multipart/form-data; boundary=b"
)

func field(name, value string) string {
	return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n"
}

func file(filename, content string) string {
	return "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"" + filename + "\"\r\nContent-Type: image/png\r\n\r\n" + content +
		"\r\n"
}

const end = "--b--\r\n"

func TestRead(t *testing.T) {
	large := strings.Repeat("x", form.MaxFields)
	for _, row := range []struct {
		name, contentType, body string
		before, file, after     string // fields before and after the file
		err, errAfter           error
	}{
		{name: "encoded", contentType: encoded, body: "a=1&b=%C3%A4&a=2", before: "a=1&a=2&b=%C3%A4"},
		{name: "encoded, too large", contentType: encoded, body: "a=" + large, err: form.ErrTooLarge},
		{name: "encoded, malformed", contentType: encoded, body: "a=%zz", err: form.ErrMalformed},
		{name: "no form", contentType: "text/plain", body: "a=1"},
		{name: "malformed type", contentType: "a/b; c; d", body: "a=1", err: form.ErrMalformed},
		{name: "multipart", contentType: multipart, body: field("a", "1") + field("b", "ä") + end, before: "a=1&b=%C3%A4"},
		{name: "no file chosen", contentType: multipart, body: field("a", "1") + file("", "") + field("b", "2") + end, before: "a=1&b=2&f="},
		{name: "a file", contentType: multipart, body: field("a", "1") + file("x.png", large) + field("b", "2") + end, before: "a=1", file: large, after: "a=1&b=2"},
		{name: "two files", contentType: multipart, body: file("x.png", "1") + file("y.png", "2") + field("b", "2") + end, file: "1", after: "b=2"},
		{name: "fields together too large", contentType: multipart, body: field("a", large[:40<<10]) + field("b", large[:40<<10]) + end, err: form.ErrTooLarge},
		{name: "fields before and after a file too large", contentType: multipart, body: field("a", large[:40<<10]) + file("x.png", "1") + field("b", large[:40<<10]) + end, before: "a=" + large[:40<<10], file: "1", errAfter: form.ErrTooLarge},
		{name: "a large header", contentType: multipart, body: "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nX: " + large + "\r\n\r\n1\r\n" + end, err: form.ErrTooLarge},
		{name: "unfinished", contentType: multipart, body: field("a", "1") + "--b\r\nContent-Dis", err: form.ErrMalformed},
		{name: "unfinished field", contentType: multipart, body: "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1", err: form.ErrMalformed},
		{name: "empty", contentType: multipart, err: form.ErrMalformed},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/", iotest.HalfReader(strings.NewReader(row.body)))
			r.Header.Set("Content-Type", row.contentType)
			f, err := form.Read(r)
			if !errors.Is(err, row.err) {
				t.Fatalf("%v, want %v", err, row.err)
			}
			if err != nil {
				return
			}
			want(t, "before", f.Values, row.before)
			if (f.File != nil) != (row.file != "") {
				t.Fatalf("file: %v", f.File)
			}
			if f.File == nil {
				return
			}
			if content, err := io.ReadAll(f.File); err != nil || string(content) != row.file {
				t.Errorf("file of %d bytes: %v", len(content), err)
			}
			if err := f.ReadRest(); !errors.Is(err, row.errAfter) {
				t.Errorf("after the file: %v, want %v", err, row.errAfter)
			}
			if row.errAfter == nil {
				want(t, "after", f.Values, row.after)
			}
		})
	}
}

func want(t *testing.T, when string, values url.Values, encoded string) {
	t.Helper()
	if got := values.Encode(); got != encoded {
		t.Errorf("%s: %.200s, want %.200s", when, got, encoded)
	}
}

// TestLargeFile reads a file without end: at most MaxFile and the rest of the allowance are read.
func TestLargeFile(t *testing.T) {
	read := 0
	r := httptest.NewRequest(http.MethodPost, "/", io.MultiReader(strings.NewReader(strings.TrimSuffix(file("x.png", ""), "\r\n")),
		endless{&read}))
	r.Header.Set("Content-Type", multipart)
	f, err := form.Read(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, f.File); !errors.Is(err, form.ErrTooLarge) || read > form.MaxFile+2*form.MaxFields {
		t.Errorf("%d bytes were read: %v", read, err)
	}
}

// endless counts the zeros that were read.
type endless struct{ read *int }

func (e endless) Read(p []byte) (int, error) { clear(p); *e.read += len(p); return len(p), nil }

// TestErrorOfBody checks that callers can tell why the body could not be read.
func TestErrorOfBody(t *testing.T) {
	refused := errors.New("refused")
	for _, contentType := range []string{encoded, multipart} {
		r := httptest.NewRequest(http.MethodPost, "/", iotest.ErrReader(refused))
		r.Header.Set("Content-Type", contentType)
		if _, err := form.Read(r); !errors.Is(err, refused) || !errors.Is(err, form.ErrMalformed) {
			t.Errorf("%s: %v", contentType, err)
		}
	}
}
