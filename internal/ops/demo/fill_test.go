package demo

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/post"
	"moothall/internal/meetup/review"
)

// memorySink stores all data and checks that no item refers to a later one.
type memorySink struct {
	all
	known   map[[16]byte]bool
	largest int
	onBatch func() error
}

func newMemorySink() *memorySink { return &memorySink{known: map[[16]byte]bool{}} }

var errUnknown = errors.New("refers to something that was not written yet")

func (s *memorySink) Empty(context.Context) (bool, error) {
	return len(s.users)+len(s.events) == 0, nil
}

func (s *memorySink) batch(n int) error {
	s.largest = max(s.largest, n)
	if s.onBatch != nil {
		return s.onBatch()
	}
	return nil
}

func (s *memorySink) Users(_ context.Context, users []User) error {
	for _, u := range users {
		s.known[u.ID] = true
	}
	s.users = append(s.users, users...)
	return s.batch(len(users))
}

func (s *memorySink) Follows(_ context.Context, follows []Follow) error {
	for _, f := range follows {
		if !s.known[f.Follower] || !s.known[f.Followed] {
			return errUnknown
		}
	}
	s.follows = append(s.follows, follows...)
	return s.batch(len(follows))
}

func (s *memorySink) Events(_ context.Context, events []Event) error {
	for _, e := range events {
		if !s.known[e.OrganizerID] {
			return errUnknown
		}
		s.known[e.ID] = true
	}
	s.events = append(s.events, events...)
	return s.batch(len(events))
}

func (s *memorySink) Finish(context.Context) error { return nil }

func (s *memorySink) Attendance(_ context.Context, attendance []Attendance) error {
	for _, a := range attendance {
		if !s.known[a.EventID] {
			return errUnknown
		}
	}
	s.attendance = append(s.attendance, attendance...)
	return s.batch(len(attendance))
}

func (s *memorySink) Posts(_ context.Context, posts []post.Imported) error {
	for _, p := range posts {
		if !s.known[p.EventID] || !s.known[p.AuthorID] {
			return errUnknown
		}
	}
	s.posts = append(s.posts, posts...)
	return nil
}

func (s *memorySink) Reviews(_ context.Context, reviews []review.Imported) error {
	for _, r := range reviews {
		if !s.known[r.EventID] || !s.known[r.AuthorID] {
			return errUnknown
		}
	}
	s.reviews = append(s.reviews, reviews...)
	return nil
}

func TestFillWritesEverythingInBatches(t *testing.T) {
	source := dataset(t, 3, 2345, 3456)
	s := newMemorySink()
	var progress bytes.Buffer
	if err := Fill(t.Context(), s, source, Options{Progress: &progress, Batch: 1000}); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(s.all, everything(source)) {
		t.Error("the written data differs from the source")
	}
	if s.largest != 1000 {
		t.Errorf("the largest batch held %d", s.largest)
	}
	for _, line := range []string{"users: 2345 in ", "events: 3456 in "} {
		if !strings.Contains(progress.String(), line) {
			t.Errorf("no %q in the progress:\n%s", line, progress.String())
		}
	}
}

func TestFillRefusesDatabaseWithData(t *testing.T) {
	s := newMemorySink()
	if err := Fill(t.Context(), s, dataset(t, 1, 10, 10), Options{}); err != nil {
		t.Fatal(err)
	}
	if err := Fill(t.Context(), s, dataset(t, 2, 10, 10), Options{}); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("a second run gave %v", err)
	}
	if err := Fill(t.Context(), s, dataset(t, 2, 10, 10), Options{Append: true}); err != nil {
		t.Fatal(err)
	}
	if len(s.users) != 20 || len(s.events) != 20 {
		t.Errorf("%d users and %d events", len(s.users), len(s.events))
	}
}

func TestFillStopsBetweenBatches(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newMemorySink()
	s.onBatch = func() error {
		if len(s.attendance) == 1000 {
			cancel()
		}
		return nil
	}
	err := Fill(ctx, s, dataset(t, 1, 100, 5000), Options{Batch: 1000})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "1000 events") {
		t.Errorf("stopped with %v", err)
	}
	if len(s.events) != 1000 {
		t.Errorf("%d events", len(s.events))
	}

	s = newMemorySink()
	broken := errors.New("disk full")
	s.onBatch = func() error { return broken }
	if err := Fill(t.Context(), s, dataset(t, 1, 100, 100), Options{}); !errors.Is(err, broken) {
		t.Errorf("failed with %v", err)
	}
}

func TestProgressReportsRateAndTimeLeft(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, "events", 1000)
	p.started, p.reported = p.started.Add(-10*time.Second), p.reported.Add(-10*time.Second)
	p.add(250)
	if got := out.String(); got != "events: 250 of 1000, 25/s, 30s left\n" {
		t.Errorf("%q", got)
	}
}

// TestDemoDataIsValidOnEveryDay includes the days on which summer time begins and ends.
func TestDemoDataIsValidOnEveryDay(t *testing.T) {
	for day := range 400 {
		at := time.Date(2026, 1, 1, 23, 30, 0, 0, time.UTC).AddDate(0, 0, day)
		s := newMemorySink()
		if err := Fill(t.Context(), s, Demo(at), Options{}); err != nil {
			t.Fatal(err)
		}
		if s.users[0].Email != "anna@example.org" || s.users[0].ID != s.events[0].OrganizerID {
			t.Fatalf("the organizer is %+v", s.users[0])
		}
		public, private, over, full, hidden := 0, 0, 0, 0, 0
		people := map[domain.UserID]bool{}
		for i, e := range s.events {
			a := s.attendance[i]
			if e.EndsAt.Before(at) {
				over++
				continue
			}
			if e.Status == access.Published && (!e.StartsAt.After(at) || e.StartsAt.Sub(at) > 32*24*time.Hour) {
				t.Fatalf("on %v %q starts at %v", at, e.Title, e.StartsAt)
			}
			if e.Visibility == access.Private && len(a.Invited) > 0 {
				private++
			} else if e.Status == access.Published {
				public++
			}
			if a.Capacity != nil && len(a.Going) == *a.Capacity {
				full++
			}
			for _, g := range a.Going {
				people[g.UserID] = true
				if g.Incognito {
					hidden++
				}
			}
			checkWords(t, &e)
		}
		for _, p := range s.posts {
			if p.At.After(at) || len(p.Comments) > 0 && p.Comments[len(p.Comments)-1].At.After(at) {
				t.Fatalf("post or comment after now: %+v", p)
			}
		}
		if len(s.posts) < 8 || len(s.reviews) < 5 {
			t.Fatalf("%d posts, %d reviews", len(s.posts), len(s.reviews))
		}
		if len(s.events) != 60 || public < 50 || private != 2 || over != 3 || full < 2 || hidden == 0 || len(people) < 25 {
			t.Fatalf("%d public, %d private, %d over, %d full, %d incognito, %d people", public, private, over, full, hidden, len(people))
		}
	}
}
