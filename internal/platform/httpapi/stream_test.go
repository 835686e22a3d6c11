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

	"moothall/api/gen"
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

// Value returns how many pieces are left.
func (p *pieces) Value(context.Context) (any, error) { return p.left, nil }

func TestWriteBody(t *testing.T) {
	for _, row := range []struct {
		name   string
		method string
		body   pieces
		status int
		sized  bool // has a Content-Length
		cut    bool // the connection is closed before the end
	}{
		{"small", "GET", pieces{4, io.EOF}, 200, true, false},
		{"large", "GET", pieces{200, io.EOF}, 200, false, false},
		{"small to HEAD", "HEAD", pieces{4, io.EOF}, 200, true, false},
		{"large to HEAD", "HEAD", pieces{200, io.EOF}, 200, false, false},
		{"refused at once", "GET", pieces{0, domain.NotFound}, 404, true, false},
		{"fails early", "GET", pieces{4, errors.New("lost the database")}, 500, true, false},
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

// responses are operations with a response that no socket buffers, by kind.
var responses = map[string]struct {
	path       string
	operations operations
}{
	"in pieces": {"/events/" + visible.String() + "/posts", operations{posts: func() httpapi.Body { return &pieces{2000, io.EOF} }}},
	"as a whole": {"/events?limit=1", operations{events: func(_ context.Context, p gen.ListEventsParams) (*gen.EventListResponse, error) {
		if !p.Limit.Set {
			return &gen.EventListResponse{}, nil
		}
		return &gen.EventListResponse{Items: cards(32 << 20)}, nil
	}}},
}

var uncompressed = http.Client{Transport: &http.Transport{DisableCompression: true}}

// TestSlowReaderHoldsNoPermit sends a request while another client does not read its large
// response.
func TestSlowReaderHoldsNoPermit(t *testing.T) {
	for name, large := range responses {
		t.Run(name, func(t *testing.T) {
			s := start(t, large.operations, func(o *httpapi.Options) { o.MaxInFlight = 1 })
			slow, err := uncompressed.Get(s.URL + large.path) // returns after the header
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = slow.Body.Close() }()
			response, err := http.Get(s.URL + "/events")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = response.Body.Close() }()
			if response.StatusCode != http.StatusOK {
				t.Errorf("got %d", response.StatusCode)
			}
		})
	}
}

// TestStalledReaderIsDisconnected does not read a large response: the request ends.
func TestStalledReaderIsDisconnected(t *testing.T) {
	for name, large := range responses {
		t.Run(name, func(t *testing.T) {
			s := start(t, large.operations, func(o *httpapi.Options) { o.Stall = 50 * time.Millisecond })
			slow, err := uncompressed.Get(s.URL + large.path)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = slow.Body.Close() }()
			for deadline := time.Now().Add(time.Minute); !strings.Contains(s.log.String(), `"msg":"request"`); time.Sleep(5 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatal("the request does not end")
				}
			}
			if n, err := io.Copy(io.Discard, slow.Body); err == nil {
				t.Errorf("the response has all %d bytes", n)
			}
		})
	}
}
