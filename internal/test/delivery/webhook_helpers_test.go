package delivery_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/outboundtest"
)

// received is a message as a server gets it.
type received struct {
	Host   string
	Path   string
	Header http.Header
	Body   []byte
	Type   string
	Data   map[string]any
}

// receiver is a web server of an organizer.
type receiver struct {
	*outboundtest.Network

	mu     sync.Mutex
	all    []received
	status int                 // of responses; 0: 204
	answer http.HandlerFunc    // instead of a status
	paths  map[string]chan any // requests to these paths wait
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{paths: map[string]chan any{}}
	r.Network = outboundtest.New(t, apptest.AnswersChallenges(r.serve))
	return r
}

func (r *receiver) serve(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	req.Body = io.NopCloser(bytes.NewReader(body))
	got := received{Host: req.Host, Path: req.URL.Path, Header: req.Header.Clone(), Body: body}
	var message struct {
		Type string
		Data map[string]any
	}
	_ = json.Unmarshal(body, &message)
	got.Type, got.Data = message.Type, message.Data
	r.mu.Lock()
	r.all = append(r.all, got)
	status, answer, wait := r.status, r.answer, r.paths[req.URL.Path]
	r.mu.Unlock()
	if wait != nil {
		select {
		case <-wait:
		case <-req.Context().Done():
		}
	}
	switch {
	case answer != nil:
		answer(w, req)
	case status != 0:
		w.WriteHeader(status)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

// respond sets the status of all responses from now on.
func (r *receiver) respond(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

// messages returns what was received at a path.
func (r *receiver) messages(path string) (found []received) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.all {
		if m.Path == path {
			found = append(found, m)
		}
	}
	return found
}

// each runs a test on both engines, with a receiver each.
func each(t *testing.T, engines []db.Engine, test func(t *testing.T, a *apptest.App, r *receiver), options ...apptest.Option) {
	t.Helper()
	for _, engine := range engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			r := newReceiver(t)
			test(t, apptest.New(t, engine, append(options, apptest.StartAt(apptest.Today), apptest.Outbound(r.Outbound()))...), r)
		})
	}
}

var all = []string{
	"event.created", "event.published", "event.updated", "event.canceled", "event.completed", "attendance.joined", "attendance.left",
	"invitation.answered", "post.created", "comment.created", "review.created", "date.selected", "post.deleted",
	"host.invited", "host.joined", "host.left",
}

// hook creates a webhook at a path of the receiver.
func hook(c *apptest.Client, path string, more apptest.Fields) *apptest.Reply {
	body := apptest.Fields{"url": "https://example.com" + path, "kinds": all}
	maps.Copy(body, more)
	return c.Post("/me/webhooks", body).Want(http.StatusCreated)
}

// wantSigned checks a signature.
func wantSigned(t *testing.T, m received, secret string, want bool) {
	t.Helper()
	w, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.VerifyIgnoringTimestamp(m.Body, m.Header); (err == nil) != want {
		t.Errorf("signed with %s: %v, want %t", secret, err, want)
	}
}

// newLocal returns the address of a web server on this machine.
func newLocal(t *testing.T, serve http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(serve)
	t.Cleanup(server.Close)
	return server.URL
}
