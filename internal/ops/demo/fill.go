package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"moothall/internal/meetup/post"
	"moothall/internal/meetup/review"
)

// Source is data to write: a Dataset.
type Source interface {
	Size() (users, events int)
	Users() iter.Seq[User]
	Follows() iter.Seq[Follow]
	Events() iter.Seq[Event]
	Attendance(*Event) Attendance
	Posts(*Event, Attendance) []post.Imported // oldest first
	Reviews(*Event, Attendance) []review.Imported
}

// Sink writes batches. It may sort a batch in place and must not retain it. Users
// come before everything that refers to them, and events before their attendance,
// posts and reviews.
type Sink interface {
	Empty(context.Context) (bool, error) // there is no user and no event
	Users(context.Context, []User) error
	Follows(context.Context, []Follow) error
	Events(context.Context, []Event) error
	Attendance(context.Context, []Attendance) error
	Posts(context.Context, []post.Imported) error
	Reviews(context.Context, []review.Imported) error
	Finish(context.Context) error // called once, at the end
}

// ErrNotEmpty means that the database already contains data.
var ErrNotEmpty = errors.New("the database is not empty: add --append to keep its data and add more")

// Options configure Fill.
type Options struct {
	Append   bool      // also write to a database that is not empty
	Progress io.Writer // receives a line every few seconds; nil for none
	Batch    int       // items in a batch; default 200,000 users or follows and 50,000 events, which need some 400 MB
}

// Fill writes all data of the source, in batches. It returns ErrNotEmpty if the
// database contains data and Append is not set. When it fails or ctx ends, earlier
// batches stay in the database and the error reports their number.
func Fill(ctx context.Context, sink Sink, source Source, opts Options) error {
	if !opts.Append {
		empty, err := sink.Empty(ctx)
		if err != nil {
			return fmt.Errorf("seed: %w", err)
		}
		if !empty {
			return ErrNotEmpty
		}
	}
	users, events := source.Size()
	batch := cmp.Or(opts.Batch, 50_000)
	many := cmp.Or(opts.Batch, 200_000) // each batch updates the whole search index of people
	if err := write(ctx, newProgress(opts.Progress, "users", users), many, source.Users(), sink.Users); err != nil {
		return err
	}
	if err := write(ctx, newProgress(opts.Progress, "follows", 0), many, source.Follows(), sink.Follows); err != nil {
		return err
	}
	if err := write(ctx, newProgress(opts.Progress, "events", events), batch, source.Events(), withAttendance(sink, source)); err != nil {
		return err
	}
	return sink.Finish(ctx)
}

// withAttendance writes each batch of events with its attendance, posts and
// reviews, so that an interrupted run leaves few events without participants.
func withAttendance(sink Sink, source Source) func(context.Context, []Event) error {
	return func(ctx context.Context, events []Event) error {
		attendance := make([]Attendance, len(events)) // before the sink may sort the events
		var posts []post.Imported
		var reviews []review.Imported
		for i := range events {
			attendance[i] = source.Attendance(&events[i])
			posts = append(posts, source.Posts(&events[i], attendance[i])...)
			reviews = append(reviews, source.Reviews(&events[i], attendance[i])...)
		}
		if err := sink.Events(ctx, events); err != nil {
			return err
		}
		if err := sink.Attendance(ctx, attendance); err != nil {
			return err
		}
		if err := sink.Posts(ctx, posts); err != nil {
			return err
		}
		return sink.Reviews(ctx, reviews)
	}
}

// write writes the items in batches of n.
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

// progress reports the progress for one kind of item.
type progress struct {
	to       io.Writer
	what     string
	total    int // 0: unknown
	done     int
	started  time.Time
	reported time.Time
}

func newProgress(to io.Writer, what string, total int) *progress {
	if to == nil {
		to = io.Discard
	}
	now := time.Now()
	return &progress{to: to, what: what, total: total, started: now, reported: now}
}

func (p *progress) add(n int) {
	p.done += n
	now := time.Now()
	if now.Sub(p.reported) < 2*time.Second {
		return
	}
	p.reported = now
	rate := p.rate(now)
	if p.total == 0 {
		fmt.Fprintf(p.to, "%s: %d, %.0f/s\n", p.what, p.done, rate)
		return
	}
	left := time.Duration(float64(p.total-p.done) / rate * float64(time.Second))
	fmt.Fprintf(p.to, "%s: %d of %d, %.0f/s, %v left\n", p.what, p.done, p.total, rate, left.Round(time.Second))
}

func (p *progress) end() {
	now := time.Now()
	fmt.Fprintf(p.to, "%s: %d in %v (%.0f/s)\n", p.what, p.done, now.Sub(p.started).Round(10*time.Millisecond), p.rate(now))
}

func (p *progress) rate(now time.Time) float64 {
	return float64(p.done) / max(now.Sub(p.started).Seconds(), 1e-6)
}

// stopped adds to an error how many items were written before.
func (p *progress) stopped(err error) error {
	return fmt.Errorf("seed: stopped after %d %s, which stay in the database: %w", p.done, p.what, err)
}
