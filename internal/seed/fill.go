package seed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"moothall/internal/post"
	"moothall/internal/review"
)

// Source is data to be written: a World or the Cast of the demonstration.
type Source interface {
	Size() (users, events int)
	Users() iter.Seq[User]
	Follows() iter.Seq[Follow]
	Events() iter.Seq[Event]
	Attendance(*Event) Attendance
	Posts(*Event, Attendance) []post.Imported // oldest first
	Reviews(*Event, Attendance) []review.Imported
}

// Rooms write batches into the tables that they own. A batch may be sorted in
// place, and is not kept. Users come before everything that names them, events
// before their attendance, posts and reviews.
type Rooms interface {
	Empty(context.Context) (bool, error) // no user and no event
	Users(context.Context, []User) error
	Follows(context.Context, []Follow) error
	Events(context.Context, []Event) error
	Attendance(context.Context, []Attendance) error
	Posts(context.Context, []post.Imported) error
	Reviews(context.Context, []review.Imported) error
	Finish(context.Context) error // after everything
}

// ErrNotEmpty refuses to mix seeded data with what is there unasked.
var ErrNotEmpty = errors.New("the database is not empty: add --append to put more beside what is there")

// Options say how to write.
type Options struct {
	Append   bool      // also into a database that holds something
	Progress io.Writer // a line now and then; nil for none
	Batch    int       // users, follows or events held at once; when zero 200,000 users or follows and 50,000 events: some 400 MB
}

// Fill writes everything of the source, batch after batch. When it fails or
// ctx ends, what was written before stays and the error tells how far it came.
func Fill(ctx context.Context, rooms Rooms, source Source, opts Options) error {
	if !opts.Append {
		empty, err := rooms.Empty(ctx)
		if err != nil {
			return fmt.Errorf("seed: %w", err)
		}
		if !empty {
			return ErrNotEmpty
		}
	}
	users, events := source.Size()
	batch := cmp.Or(opts.Batch, 50_000)
	many := cmp.Or(opts.Batch, 200_000) // every batch goes through the whole list of people
	if err := write(ctx, newProgress(opts.Progress, "users", users), many, source.Users(), rooms.Users); err != nil {
		return err
	}
	if err := write(ctx, newProgress(opts.Progress, "follows", 0), many, source.Follows(), rooms.Follows); err != nil {
		return err
	}
	if err := write(ctx, newProgress(opts.Progress, "events", events), batch, source.Events(), withAttendance(rooms, source)); err != nil {
		return err
	}
	return rooms.Finish(ctx)
}

// withAttendance writes events and at once who goes to them and what is said
// about them, so that a run cut short leaves few events without people.
func withAttendance(rooms Rooms, source Source) func(context.Context, []Event) error {
	return func(ctx context.Context, events []Event) error {
		attendance := make([]Attendance, len(events)) // before the room may sort the events
		var posts []post.Imported
		var reviews []review.Imported
		for i := range events {
			attendance[i] = source.Attendance(&events[i])
			posts = append(posts, source.Posts(&events[i], attendance[i])...)
			reviews = append(reviews, source.Reviews(&events[i], attendance[i])...)
		}
		if err := rooms.Events(ctx, events); err != nil {
			return err
		}
		if err := rooms.Attendance(ctx, attendance); err != nil {
			return err
		}
		if err := rooms.Posts(ctx, posts); err != nil {
			return err
		}
		return rooms.Reviews(ctx, reviews)
	}
}

// write hands the items over in batches of n.
func write[T any](ctx context.Context, p *progress, n int, items iter.Seq[T], to func(context.Context, []T) error) error {
	var batch []T
	flush := func() error {
		if err := ctx.Err(); err != nil {
			return p.stopped(err)
		}
		if err := to(ctx, batch); err != nil {
			return p.stopped(err)
		}
		p.add(len(batch))
		clear(batch)
		batch = batch[:0]
		return nil
	}
	for item := range items {
		batch = append(batch, item)
		if len(batch) < n {
			continue
		}
		if err := flush(); err != nil {
			return err
		}
	}
	if len(batch) > 0 {
		if err := flush(); err != nil {
			return err
		}
	}
	p.end()
	return nil
}

// progress reports how far one kind of item is.
type progress struct {
	to      io.Writer
	what    string
	total   int // 0 when it is not known
	done    int
	started time.Time
	told    time.Time
}

func newProgress(to io.Writer, what string, total int) *progress {
	if to == nil {
		to = io.Discard
	}
	now := time.Now()
	return &progress{to: to, what: what, total: total, started: now, told: now}
}

func (p *progress) add(n int) {
	p.done += n
	now := time.Now()
	if now.Sub(p.told) < 2*time.Second {
		return
	}
	p.told = now
	rate := p.rate(now)
	if p.total == 0 {
		fmt.Fprintf(p.to, "%s: %d, %.0f/s\n", p.what, p.done, rate)
		return
	}
	rest := time.Duration(float64(p.total-p.done) / rate * float64(time.Second))
	fmt.Fprintf(p.to, "%s: %d of %d, %.0f/s, %v left\n", p.what, p.done, p.total, rate, rest.Round(time.Second))
}

func (p *progress) end() {
	now := time.Now()
	fmt.Fprintf(p.to, "%s: %d in %v (%.0f/s)\n", p.what, p.done, now.Sub(p.started).Round(10*time.Millisecond), p.rate(now))
}

func (p *progress) rate(now time.Time) float64 {
	return float64(p.done) / max(now.Sub(p.started).Seconds(), 1e-6)
}

// stopped tells what stands when the run ends early.
func (p *progress) stopped(err error) error {
	return fmt.Errorf("seed: stopped after %d %s, which stay: %w", p.done, p.what, err)
}
