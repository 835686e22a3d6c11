package httpapi

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"moothall/internal/platform/respcache"
)

// keptOperations are those whose answers to anonymous callers are kept while
// they hold, as the rooms say by respcache.Keep. What somebody signed in is told is
// never kept, nor given from what is.
var keptOperations = []string{
	"listEvents", "mapEvents", "getEvent", "getFeed", "listEventPosts", "listPostComments", "getProfile", "listProfiles",
}

// mostKept is the size of an answer, in bytes, above which it is not kept.
const mostKept = 1 << 20

// answer is what an operation has answered.
type answer struct {
	op     *operation
	status int
	header http.Header // what the operation wrote
	body   []byte
	length []string // Content-Length
}

// Bytes is what the answer takes in memory, about.
func (a *answer) Bytes() int { return len(a.body) + 1<<10 }

// errNotKept comes with an answer that is good for this request only.
var errNotKept = errors.New("web: not an answer to keep")

// kept names the answer to a request that is kept, or may be: the caller is
// nobody, and nothing but the address says what is wanted.
func (ex *exchange) kept(r *http.Request) (key respcache.Key, ok bool) {
	if ex.op == nil || !ex.op.kept || ex.login.present() || r.ContentLength != 0 || r.RequestURI == "" || r.Host == "" {
		return respcache.Key{}, false
	}
	return respcache.Key{Kind: ex.op.id, Of: r.RequestURI}, true
}

// giveKept answers a request by what is kept, if it is. Whatever could refuse it
// was asked when the answer was made: an operation that has limits is not kept.
func (s *Server) giveKept(w *recorder, r *http.Request, ex *exchange) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	ex.op, ex.args = s.find(http.MethodGet, r.URL)
	key, ok := ex.kept(r)
	if !ok {
		return false
	}
	a, ok := respcache.Find[*answer](s.kept, key)
	if ok {
		ex.letCache(http.MethodGet)
		a.write(w, r)
	}
	return ok
}

// operate lets the operation answer: once for all who ask for the same at once,
// when the answer may be kept.
func (s *Server) operate(w *recorder, r *http.Request, ex *exchange) {
	key, ok := ex.kept(r)
	if !ok {
		s.operations.ServeHTTP(w, r)
		return
	}
	a, err := respcache.Of(r.Context(), s.kept, key, func(ctx context.Context) (*answer, error) {
		return s.compute(r.WithContext(ctx), ex)
	})
	if a == nil {
		s.refuse(w, r, ex, err)
		return
	}
	a.write(w, r)
}

// compute keeps what the operation writes. What another request may be told
// is only what the operation itself wrote, not what this request is told besides.
func (s *Server) compute(r *http.Request, ex *exchange) (*answer, error) {
	ours := ex.header
	ex.header = maps.Clone(ours)
	written := &capture{header: ex.header}
	s.operations.ServeHTTP(written, r)
	ex.header = ours
	a := &answer{op: ex.op, status: written.status, header: http.Header{}, body: written.body}
	a.length = []string{strconv.Itoa(len(a.body))}
	for name, values := range written.header {
		if a.status != http.StatusOK || !slices.Equal(values, ours[name]) {
			a.header[name] = values
		}
	}
	if a.status != http.StatusOK {
		return a, errNotKept
	}
	if ex.op.unchanged {
		a.header["Etag"] = []string{fmt.Sprintf(`"%016x"`, xxhash.Sum64(a.body))}
	}
	if len(a.body) > mostKept {
		return a, errNotKept
	}
	return a, nil
}

// write sends the answer, or that the caller has it already.
func (a *answer) write(w *recorder, r *http.Request) {
	h := w.Header()
	maps.Copy(h, a.header)
	if known := r.Header["If-None-Match"]; a.op.unchanged && a.status == http.StatusOK && known != nil &&
		Known(strings.Join(known, ","), a.header["Etag"][0]) {
		h.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h["Content-Length"] = a.length
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // the client is gone: nobody to tell
}

// capture is a response that goes into memory.
type capture struct {
	header http.Header
	status int
	body   []byte
}

func (c *capture) Header() http.Header { return c.header }

func (c *capture) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
}

func (c *capture) Write(p []byte) (int, error) {
	c.WriteHeader(http.StatusOK)
	c.body = append(c.body, p...)
	return len(p), nil
}
