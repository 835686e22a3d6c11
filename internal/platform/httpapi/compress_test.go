package httpapi_test

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
	"moothall/internal/platform/httpapi"
)

// largeList is a response of GET /events of at least 1 KiB.
func largeList(ctx context.Context, _ gen.ListEventsParams) (*gen.EventListResponse, error) {
	cache.Until(ctx, time.Time{})
	return &gen.EventListResponse{Items: cards(1 << 10)}, nil
}

// caching caches the responses of GET /events.
func caching(t *testing.T) func(*httpapi.Options) {
	t.Helper()
	d, err := db.Open(t.Context(), "sqlite:"+t.TempDir()+"/moothall.db", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return func(o *httpapi.Options) {
		o.CachedOperations = map[string][]db.Kind{"listEvents": {}}
		o.Cache = cache.NewMemory(d, domain.SystemClock(), 8<<20, prometheus.NewRegistry())
	}
}

// decompressed is a response with its body decompressed.
type decompressed struct {
	status int
	header http.Header
	size   int64 // Content-Length, -1 if there is none
	body   string
}

func (a decompressed) compressed() bool { return a.header.Get("Content-Encoding") == "gzip" }

// get sends a request with header names and values.
func (s *server) get(method, path string, header ...string) decompressed {
	s.t.Helper()
	request, _ := http.NewRequestWithContext(s.t.Context(), method, s.URL+path, nil)
	for i := 0; i < len(header); i += 2 {
		if header[i+1] != "" {
			request.Header.Add(header[i], header[i+1])
		}
	}
	transport := http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	response, err := transport.RoundTrip(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	sent, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if size := response.Header.Get("Content-Length"); size != "" && method != http.MethodHead && size != strconv.Itoa(len(sent)) {
		s.t.Errorf("Content-Length %s, %d bytes", size, len(sent))
	}
	a := decompressed{status: response.StatusCode, header: response.Header, size: response.ContentLength, body: string(sent)}
	if !a.compressed() || len(sent) == 0 {
		return a
	}
	plain, err := gzip.NewReader(strings.NewReader(string(sent)))
	if err != nil {
		s.t.Fatal(err)
	}
	body, err := io.ReadAll(plain)
	if err != nil {
		s.t.Error(err)
	}
	a.body = string(body)
	return a
}

func TestAcceptEncoding(t *testing.T) {
	s := start(t, operations{events: largeList})
	for accept, compressed := range map[string]bool{
		"":                                   false,
		"gzip":                               true,
		"GZIP":                               true,
		"x-gzip":                             true,
		"gzip, deflate, br, zstd":            true,
		"br;q=1.0, gzip;q=0.8, *;q=0.1":      true,
		"*":                                  true,
		"*;q=0":                              false,
		"*, gzip;q=0":                        false,
		"gzip;q=0":                           false,
		"gzip;q=0.000":                       false,
		"gzip;q=0.001":                       true,
		"gzip;Q=1":                           true,
		"gzip ; q=0.5 , identity ; q=0.4":    true,
		"identity":                           false,
		"identity, gzip":                     true,
		"identity;q=1, gzip;q=0.5":           false,
		"identity;q=0":                       false, // the header allows nothing: sent plain
		"identity;q=0, gzip":                 true,
		"identity;q=0, *;q=0.5":              true,
		"br":                                 false,
		"deflate":                            false,
		"gzip;q=2":                           false,
		"gzip;q=-1":                          false,
		"gzip;q=NaN":                         false,
		"gzip;level=9":                       false,
		",,;;q=,gzip;q=":                     false,
		strings.Repeat("a;q=1,", 5) + "gzip": true,
	} {
		got := s.get("GET", "/events", "Accept-Encoding", accept)
		if got.compressed() != compressed {
			t.Errorf("%q: compressed %t", accept, got.compressed())
		}
		if !strings.Contains(strings.Join(got.header["Vary"], ","), "Accept-Encoding") || len(got.body) < 1<<10 || got.size < 0 {
			t.Errorf("%q: %v", accept, got.header)
		}
	}
}

// TestWhatIsCompressed sends requests that accept gzip.
func TestWhatIsCompressed(t *testing.T) {
	large := gen.PublicProfile{Interests: []string{strings.Repeat("x", 1<<10)}}
	ops := operations{
		events: largeList,
		getMe: func(context.Context) (*gen.CurrentUser, error) {
			user := &gen.CurrentUser{}
			user.User.CreatedAt, user.Profile.Interests = time.Now(), large.Interests
			return user, nil
		},
		event: func() (*gen.EventDetailsHeaders, error) {
			d := &gen.EventDetailsHeaders{ETag: `"1"`}
			d.Response.Event.Description = gen.NewNilString(large.Interests[0])
			return d, nil
		},
		posts: func() httpapi.Body { return &pieces{20, io.EOF} },
	}
	event, posts := "/events/"+visible.String(), "/events/"+visible.String()+"/posts"
	for _, row := range []struct {
		name, method, path, token string
		compressed                bool
	}{
		{"public", "GET", "/events", "", true},
		{"public, to a signed-in user", "GET", "/events", goodToken, true},
		{"HEAD", "HEAD", "/events", "", true},
		{"in pieces", "GET", posts, "", true},
		{"less than 1 KiB", "GET", "/healthz", "", false},
		{"own data", "GET", "/me", goodToken, false},
		{"with a secret for some users", "GET", event, "", true},
		{"with a secret for this user", "GET", event, goodToken, false},
		{"an error", "GET", "/events?limit=0", "", false},
		{"unknown path", "GET", "/nowhere", "", false},
		{"the contract", "GET", "/contract.yaml", "", true},
		{"a page outside the contract", "GET", "/page.html", "", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := start(t, ops, func(o *httpapi.Options) { o.ExtraRoutes = files() })
			token := ""
			if row.token != "" {
				token = "Bearer " + row.token
			}
			got := s.get(row.method, row.path, "Accept-Encoding", "gzip", "Authorization", token)
			plain := s.get(row.method, row.path, "Authorization", token)
			if got.compressed() != row.compressed || plain.compressed() {
				t.Errorf("%d, compressed %t: %v", got.status, got.compressed(), got.header)
			}
			if row.path != "/me" && got.body != plain.body {
				t.Errorf("%.100s, want %.100s", got.body, plain.body)
			}
			if etag := got.header.Get("ETag"); row.compressed && (got.header.Get("Accept-Ranges") != "" || etag != "" &&
				etag == plain.header.Get("ETag")) {
				t.Errorf("%v", got.header)
			}
		})
	}
}

// files are routes outside the contract.
func files() *http.ServeMux {
	mux := http.NewServeMux()
	serve := func(mediaType string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", mediaType)
			w.Header().Set("ETag", `"1"`)
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(strings.Repeat("x", 100<<10)))
		}
	}
	mux.HandleFunc("GET /contract.yaml", serve("application/yaml"))
	mux.HandleFunc("GET /page.html", serve("text/html"))
	return mux
}

// TestETagsOfCompressedResponses revalidates cached responses in both forms.
func TestETagsOfCompressedResponses(t *testing.T) {
	for name, change := range map[string]func(*httpapi.Options){"cached": caching(t), "computed": func(o *httpapi.Options) {
		o.CachedOperations = map[string][]db.Kind{"listEvents": {}}
	}} {
		t.Run(name, func(t *testing.T) {
			s := start(t, operations{events: largeList}, change)
			for range 2 {
				plain := s.get("GET", "/events")
				zipped := s.get("GET", "/events", "Accept-Encoding", "gzip")
				p, z := plain.header.Get("ETag"), zipped.header.Get("ETag")
				if p == "" || z != strings.TrimSuffix(p, `"`)+`-gzip"` || plain.body != zipped.body || zipped.size >= plain.size || zipped.size < 0 {
					t.Fatalf("%s %s, %d and %d bytes", p, z, plain.size, zipped.size)
				}
				head := s.get("HEAD", "/events", "Accept-Encoding", "gzip")
				if head.header.Get("ETag") != z || head.size != zipped.size || !head.compressed() {
					t.Errorf("HEAD: %v", head.header)
				}
				for _, row := range []struct{ known, accept, etag string }{
					{p, "", p}, {z, "", p}, {p, "gzip", z}, {z, "gzip", z}, {"W/" + z, "gzip", z}, {`"other", ` + z, "", p}, {"*", "gzip", z},
				} {
					got := s.get("GET", "/events", "If-None-Match", row.known, "Accept-Encoding", row.accept)
					if got.status != http.StatusNotModified || got.header.Get("ETag") != row.etag || got.compressed() ||
						!strings.Contains(strings.Join(got.header["Vary"], ","), "Accept-Encoding") {
						t.Errorf("%v: %d %v", row, got.status, got.header)
					}
				}
				if got := s.get("GET", "/events", "If-None-Match", `"other-gzip"`, "Accept-Encoding", "gzip"); got.status != http.StatusOK {
					t.Errorf("another ETag: %d", got.status)
				}
			}
		})
	}
}

// TestIfMatchOfCompressedResponse expects the operation to get the ETag that it wrote.
func TestIfMatchOfCompressedResponse(t *testing.T) {
	var got string
	s := start(t, operations{update: func(p gen.UpdateEventParams) { got = p.IfMatch.Or("") }})
	request, _ := http.NewRequestWithContext(t.Context(), http.MethodPatch, s.URL+"/events/"+visible.String(), strings.NewReader(`{}`))
	request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + goodToken}, "If-Match": {`"12-gzip"`}}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if got != `"12"` {
		t.Errorf("got %s", got)
	}
}

// TestCompressedBodyCanFail expects an error response before the first bytes, and a closed
// connection after them.
func TestCompressedBodyCanFail(t *testing.T) {
	for left, status := range map[int]int{4: 500, 200: 200} {
		s := start(t, operations{posts: func() httpapi.Body { return &pieces{left, errors.New("lost")} }})
		request, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/events/"+visible.String()+"/posts", nil)
		request.Header.Set("Accept-Encoding", "gzip")
		response, err := (&http.Transport{DisableCompression: true}).RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(response.Body)
		_ = response.Body.Close()
		if response.StatusCode != status || (err != nil) != (status == 200) ||
			(response.Header.Get("Content-Encoding") == "gzip") != (status == 200) {
			t.Errorf("after %d pieces: %d, %v", left, response.StatusCode, err)
		}
	}
}
