package browser

import (
	"net/http"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestPagesAreLiveForMembers checks which pages load the module that opens a socket.
func TestPagesAreLiveForMembers(t *testing.T) {
	for realtime, live := range map[string]bool{"on": true, "off": false} {
		t.Run("REALTIME="+realtime, func(t *testing.T) {
			a := apptest.New(t, db.SQLite, append([]apptest.Option{apptest.Setting("REALTIME", realtime)}, settings...)...)
			event := a.As("org").Publish(nil)
			a.As("ann").Join(event)
			for _, path := range []string{"/", "/events/" + event, "/events/" + event + "/chat"} {
				want := []string{"data-live="}
				if !live {
					want = []string{"not", "data-live="}
				}
				signedIn(t, a, "ann").open(path).want(t, http.StatusOK, want...)
			}
			visitor(t, a).open("/events/"+event).want(t, http.StatusOK, "not", "data-live=", "<live-event")
		})
	}
}
