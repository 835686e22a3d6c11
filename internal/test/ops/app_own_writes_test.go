package ops_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

// lateInstances runs two instances, between which notices take 150 ms.
func lateInstances(t *testing.T) *apptest.App {
	t.Helper()
	p := pgtest.NewProxy(t, dbtest.URL(t, db.PostgreSQL))
	a := apptest.New(t, db.PostgreSQL, apptest.Instances(2), apptest.StartAt(noon), apptest.Setting("DATABASE_URL", p.URL))
	testutil.Until(t, "both to listen", func() bool { return len(p.Listeners()) == 2 })
	for _, l := range p.Listeners() {
		l.Delay.Store(int64(75 * time.Millisecond)) // to PostgreSQL, and back
	}
	return a
}

// TestUsersSeeTheirOwnWritesOnEveryInstance writes on one of two instances and reads on
// the other at once, while the notices between them are late. The writer sees each write.
// Somebody else may not, which shows that the notices are late enough.
func TestUsersSeeTheirOwnWritesOnEveryInstance(t *testing.T) {
	t.Parallel()
	a := lateInstances(t)
	org, ann, stranger := a.As("org"), a.As("ann"), a.As("stranger")
	party := evening(org, "Chess")
	title := func(r *apptest.Reply) any { return r.Want(200).Get("event.title") }
	stale := 0
	for round := 0; round < testutil.Rounds(12, 200) || stale == 0 && round < 1000; round++ { // a busy machine may cache nothing for a while
		here, there := round%2, 1-round%2
		before := title(stranger.On(there).Get("/events/" + party))
		name := fmt.Sprint("Chess ", round)

		org.On(here).Patch("/events/"+party, map[string]any{"title": name}).Want(200)
		if title(stranger.On(there).Get("/events/"+party)) == before {
			stale++
		}
		if got := title(org.On(there).Get("/events/" + party)); got != name {
			t.Errorf("round %d: after the update the title is %v", round, got)
		}

		org.On(here).Patch("/me/profile", map[string]any{"display_name": name}).Want(200)
		if got := org.On(there).Get("/events/" + party).Want(200).Text("organizer.display_name"); got != name {
			t.Errorf("round %d: after the change of the profile the organizer is %s", round, got)
		}
		if got := org.On(there).Get("/users/" + org.UserID + "/profile").Want(200).Text("display_name"); got != name {
			t.Errorf("round %d: after its change the profile is of %s", round, got)
		}

		want := float64(1 - round%2)
		if want == 1 {
			ann.On(here).Post("/events/"+party+"/join", nil).Want(200)
		} else {
			ann.On(here).Delete("/events/" + party + "/join").Want(200)
		}
		if got := ann.On(there).Get("/events/" + party).Want(200).Number("participant_count"); got != want {
			t.Errorf("round %d: after joining or leaving, %v participants, want %v", round, got, want)
		}

		id := org.On(here).Post("/events",
			map[string]any{"title": name, "starts_at": noon.Add(time.Hour - time.Duration(round)*time.Second)}).Want(201).Text("event.id")
		org.On(there).Get("/events/" + id).Want(200)
		org.On(here).Post("/events/"+id+"/publish", nil).Want(200)
		if got := org.On(there).Get("/events/" + id).Want(200).Text("event.status"); got != "published" {
			t.Errorf("round %d: after publishing, the event is %s", round, got)
		}
		if got := org.On(there).Get("/events?limit=1").Want(200).Text("items.0.event.id"); got != id {
			t.Errorf("round %d: after publishing, the list begins with %s, not %s", round, got, id)
		}
	}
	if stale == 0 {
		t.Error("the notices are not late: nobody saw an old title")
	}
}

// TestUsersSeeTheirOwnWritesWhileTheyWrite lets a user write on one instance and read on the
// other at the same time, with one token: as a reader, also what anonymous callers have in
// the cache. No response is older than the latest write that had been answered before.
func TestUsersSeeTheirOwnWritesWhileTheyWrite(t *testing.T) {
	t.Parallel()
	a := lateInstances(t)
	org := a.As("org")
	party := evening(org, "Chess 0")
	var answered atomic.Int64 // the number of the latest title
	var done atomic.Bool
	var reads, stale atomic.Int64
	var working sync.WaitGroup
	for path, title := range map[string]string{"/events": "items.0.event.title", "/events?q=chess": "items.0.event.title",
		"/events/" + party: "event.title", "/feed": "items.0.event.title"} {
		working.Go(func() {
			for !done.Load() {
				least, n := answered.Load(), int64(0)
				shown := a.Anonymous().On(1).Get(path).Want(200).Text(title)
				if _, err := fmt.Sscanf(shown, "Chess %d", &n); err == nil && n < least {
					stale.Add(1)
				}
				least = answered.Load()
				shown = org.On(1).Get(path).Want(200).Text(title)
				if _, err := fmt.Sscanf(shown, "Chess %d", &n); err != nil || n < least {
					t.Errorf("%s shows the writer %q after they wrote %d", path, shown, least)
				}
				reads.Add(1)
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
	for n := 0; n < testutil.Rounds(15, 500) || stale.Load() == 0 && n < 1000; n++ { // a busy machine may cache nothing for a while
		org.Patch("/events/"+party, map[string]any{"title": fmt.Sprint("Chess ", n)}).Want(200)
		answered.Store(int64(n))
		time.Sleep(20 * time.Millisecond) // so that others read and cache
	}
	done.Store(true)
	working.Wait()
	testutil.Fault(t, "a user writes and reads on two instances at the same time",
		"%d reads of the writer were up to date; others read an older title %d times", reads.Load(), stale.Load())
	if stale.Load() == 0 {
		t.Error("the notices are not late: nobody read an old title")
	}
}
