package demo

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

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
