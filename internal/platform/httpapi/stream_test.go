package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// pieces is a body of pieces of 32 KiB.
type pieces struct {
	left int
	err  error // after the last piece
}

func (p *pieces) Next(ctx context.Context) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if p.left--; p.left < 0 {
		return nil, p.err
	}
	return bytes.Repeat([]byte("x"), 32<<10), nil
}

func TestWriteBody(t *testing.T) {
	for _, row := range []struct {
		name   string
		method string
		body   pieces
		status int
		sized  bool // has a Content-Length
		cut    bool // the connection is closed before the end
	}{
		{"small", "GET", pieces{8, io.EOF}, 200, true, false},
		{"large", "GET", pieces{200, io.EOF}, 200, false, false},
		{"small to HEAD", "HEAD", pieces{8, io.EOF}, 200, true, false},
		{"large to HEAD", "HEAD", pieces{200, io.EOF}, 200, false, false},
		{"refused at once", "GET", pieces{0, domain.NotFound}, 404, true, false},
		{"fails early", "GET", pieces{8, errors.New("lost the database")}, 500, true, false},
		{"fails late", "GET", pieces{200, errors.New("lost the database")}, 200, false, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			size := row.body.left * 32 << 10
			s := start(t, operations{posts: func() httpapi.Body { return &row.body }})
			request, _ := http.NewRequestWithContext(t.Context(), row.method, s.URL+"/events/"+visible.String()+"/posts", nil)
			response, err := (&http.Transport{DisableCompression: true}).RoundTrip(request)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = response.Body.Close() }()
			got, err := io.ReadAll(response.Body)
			if response.StatusCode != row.status || (err != nil) != row.cut {
				t.Fatalf("%d, %v", response.StatusCode, err)
			}
			if sized := response.Header.Get("Content-Length") != ""; sized != row.sized {
				t.Errorf("has a length: %t", sized)
			}
			if row.method == "HEAD" {
				size = 0
			}
			if row.status == 200 && !row.cut && len(got) != size {
				t.Errorf("%d bytes, want %d", len(got), size)
			}
			if failed := strings.Contains(s.log.String(), "lost the database"); failed != (row.status == 500 || row.cut) {
				t.Errorf("log: %s", s.log)
			}
		})
	}
}

// TestSlowReaderHoldsNoSlot sends a request while another client does not read its large
// response.
func TestSlowReaderHoldsNoSlot(t *testing.T) {
	s := start(t, operations{posts: func() httpapi.Body { return &pieces{2000, io.EOF} }}, func(o *httpapi.Options) { o.MaxInFlight = 1 })
	slow, err := http.Get(s.URL + "/events/" + visible.String() + "/posts")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = slow.Body.Close() }()
	time.Sleep(50 * time.Millisecond)
	response, err := http.Get(s.URL + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		t.Errorf("got %d", response.StatusCode)
	}
}
