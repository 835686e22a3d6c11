package httpapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"moothall/internal/domain"
)

// The bodies of uploads are large. They are received into files, and only after
// authentication.

// maxUploadsPerUser is the number of concurrent uploads of one user.
const maxUploadsPerUser = 2

// uploads are the uploads that are being received and processed.
type uploads struct {
	timeout time.Duration // to receive a body
	dir     string        // of files that are being received

	mu     sync.Mutex
	byUser map[domain.UserID]int
}

func newUploads(timeout time.Duration, dir string) *uploads {
	return &uploads{timeout: timeout, dir: dir, byUser: map[domain.UserID]int{}}
}

// Upload returns the body of an upload, which is valid until the operation returns, and its
// media type according to the client.
func Upload(ctx context.Context) (body *io.SectionReader, mediaType string) {
	st := stateOf(ctx)
	mediaType, _, _ = mime.ParseMediaType(st.requestHeader.Get("Content-Type")) // checkUpload has parsed it
	return st.upload, mediaType
}

// checkUpload rejects an upload that is not declared as one of the types of the operation.
func (st *requestState) checkUpload(h http.Header) error {
	types := h["Content-Type"]
	if len(types) != 1 || h.Get("Content-Encoding") != "" {
		return domain.UnsupportedMedia
	}
	mediaType, _, err := mime.ParseMediaType(types[0])
	if err != nil || !slices.Contains(st.op.uploads, mediaType) {
		return domain.UnsupportedMedia
	}
	return nil
}

// receiveUpload receives the body of an upload. The time that its sender takes is not that of the operation.
func (s *Server) receiveUpload(x *exchange) error {
	if x.st.op.uploads == nil {
		return nil
	}
	end, err := s.uploads.receive(x.w, x.r, x.st)
	x.ends = append(x.ends, end)
	if err != nil {
		x.untimed = context.WithoutCancel(x.untimed) // which the error may have canceled
	}
	x.limit(s.timeout)
	return err
}

// receive reads the body of an admitted upload into a temporary file, which end closes. On Unix the file has no name, so a
// killed process leaves none behind.
func (u *uploads) receive(w *recorder, r *http.Request, st *requestState) (end func(), err error) {
	if !u.begin(st.viewer.UserID) {
		return func() {}, domain.RateLimited
	}
	free := sync.OnceFunc(func() { u.end(st.viewer.UserID) })
	w.beforeHeader = free // with the response, the client may send the next upload
	end = free
	if r.ContentLength > st.op.maxBody {
		return end, domain.PayloadTooLarge
	}
	file, err := os.CreateTemp(u.dir, "upload-")
	if err != nil {
		return end, full(err)
	}
	removed := os.Remove(file.Name()) == nil // Windows does not remove open files
	end = func() {
		free()
		_ = file.Close() // was only read
		if !removed {
			_ = os.Remove(file.Name()) // else the next start removes it
		}
	}
	_ = http.NewResponseController(st.connection).SetReadDeadline(time.Now().Add(u.timeout)) // not supported by writers of tests
	size, err := io.Copy(file, http.MaxBytesReader(w, r.Body, st.op.maxBody))
	if err != nil {
		return end, uploadError(err)
	}
	st.upload = io.NewSectionReader(file, 0, size)
	r.Body, r.ContentLength = io.NopCloser(st.upload), size
	return end, nil
}

func uploadError(err error) error {
	_, tooLarge := errors.AsType[*http.MaxBytesError](err)
	_, isLocal := errors.AsType[*fs.PathError](err)
	switch {
	case tooLarge:
		return domain.PayloadTooLarge
	case errors.Is(err, errEvicted):
		return err
	case isLocal:
		return full(err)
	}
	return domain.Invalid("", "must arrive completely and in time") // the sender stopped, or broke the chunked coding
}

// full returns the refusal while the disk is full.
func full(err error) error {
	return fmt.Errorf("%w: receiving an upload: %w", domain.ServiceUnavailable, err)
}

// begin reports whether the user may upload now.
func (u *uploads) begin(user domain.UserID) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.byUser[user] >= maxUploadsPerUser {
		return false
	}
	u.byUser[user]++
	return true
}

func (u *uploads) end(user domain.UserID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.byUser[user]--; u.byUser[user] == 0 {
		delete(u.byUser, user)
	}
}
