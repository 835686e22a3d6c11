package httpapi

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/admission"
	"moothall/internal/platform/ratelimit"
)

// Bodies arrive as slowly as their senders like. Those that have not arrived completely are limited: when there are too many,
// the client with the most of them loses the oldest one.
const (
	maxOpenBodies   = 1000
	maxSignedBodies = 64 // of operations with a signature, whose bodies are larger

	// lingerTime is how long a sender may go on after the response to a request whose body was not read.
	lingerTime = time.Second
)

// openBodies are the bodies that are being received.
type openBodies struct{ all, signed *admission.OpenLimit }

func newOpenBodies() openBodies {
	return openBodies{
		all:    admission.NewOpenLimit(admission.OpenOptions{Max: maxOpenBodies}),
		signed: admission.NewOpenLimit(admission.OpenOptions{Max: maxSignedBodies}),
	}
}

// body is the body of a request. It counts as open from the first Read to its end.
type body struct {
	io.ReadCloser
	st    *requestState
	open  openBodies
	entry *admission.OpenEntry // nil before the first Read
	err   error                // io.EOF after the last byte
}

// errEvicted is the error of a body when others take its place.
var errEvicted = fmt.Errorf("%w: too many unfinished bodies", domain.ServiceUnavailable)

// Read returns errEvicted if another body takes the place of this one.
func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	if b.entry == nil {
		limit := b.open.all
		if b.st.op != nil && b.st.op.checkSignature != nil {
			limit = b.open.signed
		}
		b.entry = limit.Open(ratelimit.Address(b.st.client.Address), func() { b.setDeadline(time.Unix(1, 0)) })
	}
	n, err := b.ReadCloser.Read(p)
	if err != nil && !b.entry.Close() {
		err, b.st.shed = errEvicted, true
	}
	b.err = err
	return n, err
}

// setDeadline limits the time of the next reads.
func (b *body) setDeadline(at time.Time) {
	_ = http.NewResponseController(b.st.connection).SetReadDeadline(at) // not supported by writers of tests
}

// end is called when the request ends.
func (b *body) end() {
	if b.entry != nil {
		b.entry.Close()
	}
}

// linger is called before the header is sent: net/http then reads the rest of the body, and would wait for it.
func (b *body) linger() {
	if b.err == nil {
		b.setDeadline(time.Now().Add(lingerTime))
	}
}

// countBody makes the body of a request count as open while it is read.
func (s *Server) countBody(x *exchange) {
	if x.r.Body == nil || x.r.Body == http.NoBody {
		return
	}
	b := &body{ReadCloser: x.r.Body, st: x.st, open: s.bodies}
	x.ends = append(x.ends, b.end)
	x.w.body = b
}
