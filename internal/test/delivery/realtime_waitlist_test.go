package delivery_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

// TestWaitlistChanges lets guests enter and leave a waiting list. A viewer of the event gets one frame at once, and one for all
// further changes of five seconds. The frame has no numbers.
func TestWaitlistChanges(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, watcher := a.As("org"), a.As("watcher")
		event := org.Publish(apptest.Fields{"capacity": 1, "waitlist": "offer", "max_party_size": 3, "starts_at": "2026-06-10T16:00:00Z"})
		path := "/events/" + event
		a.As("full").Join(event)
		s := watcher.Socket("/realtime")
		s.Send(apptest.Fields{"op": "subscribe", "topic": "event:" + event})
		s.Want("changed")
		wait := func(name string, party int) {
			a.As(name).Post(path+"/waitlist", apptest.Fields{"party_size": party}).Want(201)
		}
		titles := 0
		// wantNone sees two changes of the event, and no frame about the list. A frame that was due has come before the second.
		wantNone := func(after string) {
			t.Helper()
			for range 2 {
				titles++
				org.Patch(path, apptest.Fields{"title": fmt.Sprint("Title ", titles)}).Want(200)
				f := s.Want("changed", "waitlist_changed")
				if f.Text("op") != "changed" || !slices.Equal(f.Get("fields").([]any), []any{"title"}) {
					t.Errorf("after %s: %s", after, f.Body)
				}
			}
		}
		for _, change := range []struct {
			name string
			do   func()
		}{
			{"the first entry", func() { wait("ann", 1) }},
			{"another entry", func() { wait("ben", 1) }},
			{"a larger party, which moves to the end", func() { wait("ann", 2) }},
			{"leaving the list", func() { a.As("ann").Delete(path + "/waitlist").Want(204) }},
			{"an offer", func() { a.As("full").Delete(path + "/join").Want(200); a.RunJobs() }},
			{"an entry after an offer", func() { a.As("ben").Delete(path + "/waitlist").Want(204); wait("ben", 3) }},
		} {
			change.do()
			if f := s.Want("waitlist_changed"); string(f.Body) != `{"op":"waitlist_changed","topic":"event:`+event+`"}` {
				t.Errorf("after %s: %s", change.name, f.Body)
			}
			a.Clock.Advance(5 * time.Second)
		}
		wantNone("five seconds without a change")

		wait("cleo", 2)
		s.Want("waitlist_changed")
		wait("dora", 2)
		a.As("cleo").Delete(path + "/waitlist").Want(204)
		a.Clock.Advance(4 * time.Second)
		wantNone("four seconds")
		a.Clock.Advance(time.Second)
		s.Want("waitlist_changed")
		a.Clock.Advance(5 * time.Second)
		wantNone("a frame for both changes")
	}, apptest.StartAt(apptest.Today))
}
