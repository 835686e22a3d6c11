package demo

import (
	"testing"
	"time"

	"moothall/internal/platform/text"
)

// TestStoryIsPlausibleOnEveryDay includes the days on which summer time begins and ends.
func TestStoryIsPlausibleOnEveryDay(t *testing.T) {
	for day := range 400 {
		now := time.Date(2026, 1, 1, 23, 30, 0, 0, time.UTC).AddDate(0, 0, day)
		acts := tell(Services{}, now)
		for i, a := range acts {
			if a.at.After(now) || i > 0 && a.at.Before(acts[i-1].at) {
				t.Fatalf("on %v: act %d is at %v", now, i, a.at)
			}
		}
		checkEvents(t, now)
	}
}

func checkEvents(t *testing.T, now time.Time) {
	t.Helper()
	story := story{now: now.In(berlin())}
	public, private, over, full, hidden := 0, 0, 0, 0, 0
	guests := map[int]bool{}
	for n, d := range allEvents {
		e := scheduled{d, n, story.start(d)}
		for _, g := range e.participants() {
			guests[g.user] = true
			if g.incognito {
				hidden++
			}
			if joined := story.daysAgo(eventAge).Add(g.after); !joined.Before(e.start) || joined.After(now) {
				t.Fatalf("on %v: a guest of %q joins at %v", now, e.title, joined)
			}
		}
		if going := len(e.participants()); e.capacity > 0 && going == e.capacity {
			full++
		} else if e.capacity > 0 && going > e.capacity || len(e.reviews) > going {
			t.Errorf("%q has %d participants", e.title, going)
		}
		switch ahead := e.start.Sub(now); {
		case now.After(e.end()):
			over++
		case ahead <= 0 || ahead > 32*24*time.Hour:
			t.Fatalf("on %v: %q starts at %v", now, e.title, e.start)
		case e.private:
			private++
		case !e.draft:
			public++
		}
	}
	if public < 50 || private != 2 || over != 3 || full < 2 || hidden == 0 || len(guests) < 25 {
		t.Fatalf("%d public, %d private, %d over, %d full, %d incognito, %d guests", public, private, over, full, hidden, len(guests))
	}
}

func TestTextsAreStoredUnchanged(t *testing.T) {
	check := func(s string, cleaner text.Cleaner) {
		t.Helper()
		if clean, err := cleaner(s); err != nil || clean != s {
			t.Errorf("%q is stored as %q: %v", s, clean, err)
		}
	}
	for _, e := range allEvents {
		check(e.title, text.Line(1, 120))
		check(e.about, text.Block(0, 10_000))
		check(e.place, text.Line(1, 300))
		for _, p := range e.posts {
			check(p.body, text.Block(1, 2000))
		}
	}
	for title := range demoChats {
		if !hasEvent(title) {
			t.Errorf("a chat of an unknown event: %q", title)
		}
	}
}

func hasEvent(title string) bool {
	for _, e := range allEvents {
		if e.title == title {
			return true
		}
	}
	return false
}
