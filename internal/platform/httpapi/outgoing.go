package httpapi

import (
	"container/list"
	"net/http"
	"sync"
	"time"
)

const (
	// maxOutgoing limits the memory of large responses that wait for clients, in bytes.
	maxOutgoing = 160 << 20

	// streamBytes is what a response in pieces counts: the data of its next pieces is in
	// memory.
	streamBytes = 4 << 20
)

// outgoing are the large responses that are being sent. If they need too much memory, the
// client that has read nothing for the longest time is disconnected.
type outgoing struct {
	mu    sync.Mutex
	bytes int
	sent  list.List // of *sending, in the order of their latest writes
}

// sending is a large response that is being sent.
type sending struct {
	*outgoing
	to      http.ResponseWriter
	bytes   int
	element *list.Element // nil once it is removed
	cut     bool
}

// begin adds a response, and disconnects clients for it.
func (o *outgoing) begin(to http.ResponseWriter, bytes int) *sending {
	s := &sending{outgoing: o, to: to, bytes: bytes}
	o.mu.Lock()
	defer o.mu.Unlock()
	s.element = o.sent.PushBack(s)
	for o.bytes += bytes; o.bytes > maxOutgoing && o.sent.Front() != s.element; {
		slowest := o.sent.Front().Value.(*sending)
		slowest.remove()
		slowest.cut = true
		_ = http.NewResponseController(slowest.to).SetWriteDeadline(time.Unix(1, 0)) // ends its write
	}
	return s
}

// ready sets the deadline of the next write.
func (s *sending) ready(deadline time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cut {
		return // the deadline has passed
	}
	s.sent.MoveToBack(s.element)
	_ = http.NewResponseController(s.to).SetWriteDeadline(deadline) // not supported by writers of tests
}

// end removes a response.
func (s *sending) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove()
}

func (s *sending) remove() {
	if s.element != nil {
		s.sent.Remove(s.element)
		s.outgoing.bytes -= s.bytes
		s.element = nil
	}
}
