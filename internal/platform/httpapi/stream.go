package httpapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"moothall/api/gen"
)

// Body is a body that is produced in pieces, so that it is never in memory as a
// whole.
type Body interface {
	// Next returns the next piece, which is valid until the next call. With the last one
	// it returns io.EOF. The context of each call is its own.
	Next(ctx context.Context) ([]byte, error)

	// Value returns the body as a value of the contract, instead of all pieces.
	Value(ctx context.Context) (any, error)
}

const (
	// maxBuffered is the size of a body, in bytes, up to which the response is an
	// ordinary one: with a length and an ETag, cached, and replaced by an error response
	// if a piece fails.
	maxBuffered = 128 << 10

	// stall is the default of Options.Stall.
	stall = 10 * time.Second
)

// WriteBody writes the 200 response of an operation, as JSON unless the header of the response has another type. The server writes a body
// of more than maxBuffered bytes after the operation, which has a time limit. A call gets the value of the body.
func WriteBody(ctx context.Context, w http.ResponseWriter, body Body) (err error) {
	if call, isCall := w.(*gen.Values); isCall {
		call.Value, err = body.Value(ctx)
		return err
	}
	start, err := body.Next(ctx)
	if err == nil {
		start = append(make([]byte, 0, 4*len(start)), start...)
	}
	for err == nil && len(start) <= maxBuffered {
		var piece []byte
		piece, err = body.Next(ctx)
		start = append(start, piece...)
	}
	switch {
	case err == nil:
		st := stateOf(ctx)
		st.head, st.rest = start, body
	case errors.Is(err, io.EOF):
		w.Header().Set("Content-Length", strconv.Itoa(len(start)))
	default:
		return err
	}
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
	}
	w.WriteHeader(http.StatusOK)
	if err == nil {
		return nil
	}
	_, err = w.Write(start)
	return err
}

// writeRest writes a body that WriteBody has left, a piece at a time. It has no time limit as a whole.
func (s *Server) writeRest(x *exchange) error {
	w, st := x.w, x.st
	if st.rest == nil || st.isHead {
		return nil
	}
	defer w.beginSending(streamBytes)()
	if _, err := w.Write(st.head); err != nil {
		return nil // the client is gone
	}
	st.head = nil
	for {
		piece, err := s.next(x.untimed, st.rest)
		end := errors.Is(err, io.EOF)
		if err != nil && !end {
			return err
		}
		if _, err := w.Write(piece); err != nil || end {
			return nil // the client is gone
		}
	}
}

func (s *Server) next(ctx context.Context, body Body) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	return body.Next(ctx)
}

// maxPiece is how many bytes a client has to read within the stall time.
const maxPiece = 64 << 10

// send writes to the connection in pieces, each with a deadline of its own.
func (r *recorder) send(p []byte) (sent int, err error) {
	if len(p) > maxPiece && r.sending == nil {
		defer r.beginSending(len(p))()
	}
	for piece := range slices.Chunk(p, maxPiece) {
		r.ready()
		n, err := r.ResponseWriter.Write(piece)
		r.bytes += int64(n)
		sent += n
		if err != nil {
			r.gone = true
			return sent, err
		}
	}
	return sent, nil
}

// beginSending counts the memory of a large response until end is called.
func (r *recorder) beginSending(bytes int) (end func()) {
	s := r.outgoing.begin(r.ResponseWriter, bytes)
	r.sending = s
	return func() { s.end(); r.sending = nil }
}

// ready is called before each write, which may wait for the client.
func (r *recorder) ready() {
	r.releasePermit()
	deadline := time.Now().Add(r.stall)
	if r.sending != nil {
		r.sending.ready(deadline)
		return
	}
	_ = http.NewResponseController(r.ResponseWriter).SetWriteDeadline(deadline) // not supported by writers of tests
}

// WriteCSV is WriteBody for a CSV file that browsers save under a name.
func WriteCSV(ctx context.Context, w http.ResponseWriter, name string, body Body) error {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	err := WriteBody(ctx, w, body)
	if err != nil {
		w.Header().Del("Content-Type")
		w.Header().Del("Content-Disposition")
	}
	return err
}
