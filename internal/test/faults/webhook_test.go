package faults

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// hookServer is the web server of an organizer. Of each four messages, it fails the first
// attempt of one, and of another one it closes the connection without a response.
type hookServer struct {
	t *testing.T
	*httptest.Server

	mu       sync.Mutex
	attempts map[string]int      // by webhook-id
	accepted map[change][]string // the webhook-ids
}

// change is a change of an event, as messages name it.
type change struct {
	event    string
	sequence int
}

func newHookServer(t *testing.T) *hookServer {
	h := &hookServer{t: t, attempts: map[string]int{}, accepted: map[change][]string{}}
	h.Server = httptest.NewServer(apptest.AnswersChallenges(h.serve))
	t.Cleanup(h.Close)
	return h
}

// subscribe creates the webhook.
func (h *hookServer) subscribe(c *client, base, token string) {
	c.mustCall(h.t, http.MethodPost, base+"/me/webhooks", token,
		`{"url":"`+h.URL+`/","kinds":["event.created","event.published","event.canceled","attendance.joined"]}`)
}

func (h *hookServer) serve(w http.ResponseWriter, r *http.Request) {
	var message struct {
		Data struct {
			Event    string `json:"event_id"`
			Sequence int
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&message); err != nil {
		panic(http.ErrAbortHandler) // a kill has ended the request
	}
	id := r.Header.Get("Webhook-Id")
	h.mu.Lock()
	defer h.mu.Unlock()
	h.attempts[id]++
	switch first := h.attempts[id] == 1; {
	case first && len(h.attempts)%4 == 0:
		w.WriteHeader(http.StatusInternalServerError)
	case first && len(h.attempts)%4 == 1:
		panic(http.ErrAbortHandler)
	default:
		of := change{message.Data.Event, message.Data.Sequence}
		h.accepted[of] = append(h.accepted[of], id)
	}
}

// count returns how many changes were accepted.
func (h *hookServer) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.accepted)
}

// messagesPerEvent are those of an event that is created, published, joined and canceled.
const messagesPerEvent = 3 + mailingGuests

// compare waits for the messages about all canceled events.
func (h *hookServer) compare(canceled []string, kills int) {
	missing := -1
	for began := time.Now(); missing != 0 && time.Since(began) < patience; time.Sleep(50 * time.Millisecond) {
		missing = 0
		h.mu.Lock()
		for _, event := range canceled {
			for sequence := range messagesPerEvent {
				if len(h.accepted[change{event, sequence}]) == 0 {
					missing++
				}
			}
		}
		h.mu.Unlock()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	failed, twice, changed := 0, 0, 0
	for _, ids := range h.accepted {
		twice += len(ids) - 1
		for _, id := range ids {
			if id != ids[0] {
				changed++
			}
		}
	}
	for _, n := range h.attempts {
		failed += n - 1
	}
	testutil.Fault(h.t, "kill -9 while webhooks are called",
		"%d kills: %d messages, %d missing, %d repeated after a failure or a kill, %d of them had been accepted",
		kills, len(canceled)*messagesPerEvent, missing, failed, twice)
	if missing > 0 || changed > 0 || twice > parallelMessages*kills {
		h.t.Errorf("%d messages are missing, %d were accepted twice, %d of them with another webhook-id", missing, twice, changed)
	}
}

// parallelMessages is how many messages to one webhook the service sends at the same time.
const parallelMessages = 8
