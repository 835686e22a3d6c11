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
	"sync"

	"github.com/cespare/xxhash/v2"

	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
)

const (
	maxCached      = 1 << 20 // bytes of a cached body
	responsesShare = 0.15    // of the memory of all caches
)

// response is the response of an operation, or the value of a call of one.
type response struct {
	op            *operation
	status        int
	header        http.Header // written by the operation
	body          []byte
	contentLength []string
	gzipped       func() []byte // the compressed body, compressed once

	value any // of a call, which nobody changes; nil for a response
	size  int // of the value, in bytes
}

// Bytes returns the approximate memory of the response.
func (resp *response) Bytes() int { return len(resp.body) + len(resp.body)/3 + resp.size + 1<<10 }

// errNotCacheable is returned together with a response that is for this request only.
var errNotCacheable = errors.New("httpapi: not cacheable")

// cacheKey returns the key of a cacheable request: the caller is anonymous, and the
// response depends on nothing but the URL.
func (st *requestState) cacheKey(r *http.Request) (key cache.ResponseKey, ok bool) {
	if st.op == nil || st.op.shows == nil || st.credential.present() || r.ContentLength != 0 || r.RequestURI == "" || r.Host == "" {
		return cache.ResponseKey{}, false
	}
	return cache.ResponseKey{Kind: st.op.id, ID: st.variant + r.RequestURI}, true
}

// writeCached writes the cached response, if there is one. It skips the stages: the checks
// that could refuse the request passed when the response was computed, and operations
// with limits are not cached.
func (s *Server) writeCached(x *exchange) bool {
	w, r, st := x.w, x.r, x.st
	if !isRead(r) {
		return false
	}
	st.op, st.args = s.findRead(r, st)
	key, ok := st.cacheKey(r)
	if !ok {
		return false
	}
	resp, ok := s.responses.Get(r.Context(), key)
	if ok {
		st.setCacheControl(http.MethodGet)
		st.negotiate(w, r)
		_ = resp.write(w, r)
	}
	return ok
}

// operate runs the operation, or takes its response from the cache.
func (s *Server) operate(x *exchange) error {
	w, r, st := x.w, x.r, x.st
	key, ok := st.cacheKey(r)
	switch {
	case !ok && st.op.handler != nil:
		return s.operateOnce(w, r, st)
	case !ok:
		cache.Exclude(r.Context())
		s.operations.Serve(st.op.id, st.args, w, r)
		return nil
	}
	resp, err := s.responses.GetOrCompute(r.Context(), key, st.op.shows, func(ctx context.Context) (*response, error) {
		if st.op.handler != nil {
			cache.UntilNext(ctx, pageFreshness)
		}
		return s.compute(r.WithContext(ctx), st, nil)
	})
	if resp == nil {
		return err
	}
	_ = resp.write(w, r)
	return nil
}

// maxReused limits the memory of a buffer of bodies, in bytes. Most pages have 40 to 60 KB.
const maxReused = 256 << 10

// bodies are buffers for bodies that no cache keeps.
var bodies = sync.Pool{New: func() any { return new([]byte) }}

// operateOnce runs an operation whose response no cache keeps. After a failed write, something may still read the body.
func (s *Server) operateOnce(w *recorder, r *http.Request, st *requestState) error {
	buffer := bodies.Get().(*[]byte)
	resp, err := s.compute(r, st, (*buffer)[:0])
	if resp == nil {
		bodies.Put(buffer)
		return err
	}
	if err := resp.write(w, r); err == nil && cap(resp.body) <= maxReused {
		*buffer = resp.body
		bodies.Put(buffer)
	}
	return nil
}

// errNoResponse is the error of a page that has written nothing.
var errNoResponse = errors.New("httpapi: the page has written no response")

// compute runs the operation and returns its response. It leaves out the headers
// that belong to this request: other requests get the same response. The response to an error of a page is nil. The body is appended to
// an empty buffer.
func (s *Server) compute(r *http.Request, st *requestState, buffer []byte) (*response, error) {
	own := st.responseHeader
	st.responseHeader = maps.Clone(own)
	written := &capture{header: st.responseHeader, body: buffer}
	if st.op.handler != nil {
		st.op.handler.ServeHTTP(written, r)
	} else {
		s.operations.Serve(st.op.id, st.args, written, r)
	}
	st.responseHeader = own
	switch {
	case st.routeErr != nil:
		return nil, st.routeErr
	case written.status == 0:
		return nil, errNoResponse
	}
	resp := &response{op: st.op, status: written.status, header: http.Header{}, body: written.body}
	resp.contentLength = []string{strconv.Itoa(len(resp.body))}
	compress := gzipped
	if st.op.isPage {
		compress = s.pages.compress
	}
	resp.gzipped = sync.OnceValue(func() []byte { return compress(resp.body) })
	for name, values := range written.header {
		if resp.status != http.StatusOK || !slices.Equal(values, own[name]) {
			resp.header[name] = values
		}
	}
	if resp.status == http.StatusServiceUnavailable {
		return resp, db.ErrUnavailable
	}
	if resp.status != http.StatusOK || resp.header["Set-Cookie"] != nil || strings.Contains(resp.header.Get("Cache-Control"), "no-store") {
		return resp, errNotCacheable
	}
	if st.rest != nil {
		resp.contentLength = nil
		return resp, errNotCacheable
	}
	if st.op.hasETag {
		resp.header["Etag"] = []string{fmt.Sprintf(`"%016x"`, xxhash.Sum64(resp.body))}
	}
	if len(resp.body) > maxCached {
		return resp, errNotCacheable
	}
	return resp, nil
}

// write sends the response, or 304 when the client already has it. It returns an error if the client is gone.
func (resp *response) write(w *recorder, r *http.Request) error {
	h := w.Header()
	maps.Copy(h, resp.header)
	h["Content-Length"] = resp.contentLength
	known, etag := r.Header["If-None-Match"], h.Get("Etag")
	compressed := resp.contentLength != nil && w.compresses(resp.status)
	if compressed {
		markGzip(h)
	}
	if resp.op.hasETag && resp.status == http.StatusOK && etag != "" && known != nil && MatchesETag(strings.Join(known, ","), etag) {
		for _, name := range []string{"Content-Type", "Content-Length", "Content-Encoding"} {
			h.Del(name)
		}
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	body := resp.body
	if compressed {
		body = resp.gzipped()
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(resp.status)
	_, err := w.Write(body)
	return err
}

// MatchesETag reports whether an If-None-Match header matches the ETag, by weak
// comparison or "*" (RFC 9110 §13.1.2).
func MatchesETag(ifNoneMatch, etag string) bool {
	for listed := range strings.SplitSeq(ifNoneMatch, ",") {
		if listed = strings.TrimSpace(listed); listed == "*" || strings.TrimPrefix(listed, "W/") == etag {
			return true
		}
	}
	return false
}

// capture is a response writer in memory.
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
