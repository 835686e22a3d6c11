package httpapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Body is a JSON body that is produced in pieces, so that it is never in memory as a
// whole.
type Body interface {
	// Next returns the next piece, which is valid until the next call. With the last one
	// it returns io.EOF. The context of each call is its own.
	Next(ctx context.Context) ([]byte, error)
}

const (
	// maxBuffered is the size of a body, in bytes, up to which the response is an
	// ordinary one: with a length and an ETag, cached, and replaced by an error response
	// if a piece fails.
	maxBuffered = 256 << 10

	// stalled is the time after which a client that reads nothing is disconnected.
	stalled = 10 * time.Second
)

// WriteBody writes the 200 response of an operation. It writes up to maxBuffered bytes.
// The server writes the rest after the operation, so that a slow client occupies no slot.
func WriteBody(ctx context.Context, w http.ResponseWriter, body Body) error {
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
		stateOf(ctx).rest = body
	case errors.Is(err, io.EOF):
		w.Header().Set("Content-Length", strconv.Itoa(len(start)))
	default:
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(http.StatusOK)
	_, err = w.Write(start)
	return err
}

// writeRest writes what WriteBody has left. If a piece fails, it closes the connection,
// because the status has been sent.
func (s *Server) writeRest(w *recorder, r *http.Request, st *requestState) {
	if st.rest == nil || r.Method == http.MethodHead {
		return
	}
	connection := http.NewResponseController(w)
	for {
		piece, err := s.next(r.Context(), st.rest)
		end := errors.Is(err, io.EOF)
		if err != nil && !end {
			st.cause = err
			s.record(w, r, st)
			panic(http.ErrAbortHandler)
		}
		_ = connection.SetWriteDeadline(time.Now().Add(stalled)) // not supported by writers of tests
		if _, err := w.Write(piece); err != nil || end {
			return // err: the client is gone
		}
	}
}

func (s *Server) next(ctx context.Context, body Body) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	return body.Next(ctx)
}
