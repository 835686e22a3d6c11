// Package bulk fills a database with many rows at once. It writes the tables directly, not through
// the services, which would take hours for a million events.
package bulk

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"

	"moothall/bench/dataset"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/test/eventtest"
)

// ErrNotEmpty means that the database already contains data.
var ErrNotEmpty = errors.New("the database is not empty: add --append to keep its data and add more")

var emptyStmt = db.SQL("bulk.empty", `SELECT NOT EXISTS (SELECT 1 FROM users) AND NOT EXISTS (SELECT 1 FROM events)`)

// Options configure Fill.
type Options struct {
	Append   bool      // also write to a database that is not empty
	Progress io.Writer // receives a line every few seconds; nil for none
	Batch    int       // items in a batch; default 200,000 users or follows and 50,000 events, which need some 400 MB
}

// Fill writes all data in batches to a migrated database, to which nothing else may write meanwhile.
// It returns ErrNotEmpty if the database contains data and Append is not set. When it fails or
// ctx ends, earlier batches stay in the database and the error reports their number.
func Fill(ctx context.Context, d *db.DB, data *dataset.Dataset, opts Options) error {
	if !opts.Append {
		var empty bool
		if err := d.One(ctx, emptyStmt).Scan(&empty); err != nil {
			return err
		}
		if !empty {
			return ErrNotEmpty
		}
	}
	batch := cmp.Or(opts.Batch, 50_000)
	many := cmp.Or(opts.Batch, 200_000) // each batch updates the whole search index of people
	plan := data.Plan()
	f := filler{d, data}
	if err := write(ctx, newProgress(opts.Progress, "users", plan.Users), many, data.Users(), f.users); err != nil {
		return err
	}
	if err := write(ctx, newProgress(opts.Progress, "follows", 0), many, data.Follows(), f.follows); err != nil {
		return err
	}
	if err := write(ctx, newProgress(opts.Progress, "events", plan.Events), batch, data.Events(), f.events); err != nil {
		return err
	}
	return d.Analyze(ctx)
}

// filler writes batches of a dataset.
type filler struct {
	db   *db.DB
	data *dataset.Dataset
}

func (f filler) users(ctx context.Context, users []dataset.User) error {
	return Users(ctx, f.db, users)
}

func (f filler) follows(ctx context.Context, follows []dataset.Follow) error {
	return Follows(ctx, f.db, follows)
}

// events writes each batch of events with its attendance, posts and reviews, so that an
// interrupted run leaves few events without participants.
func (f filler) events(ctx context.Context, events []dataset.Event) error {
	stored := make([]event.Event, len(events))
	all := make([]dataset.Attendance, len(events))
	var posts []dataset.Post
	var reviews []dataset.Review
	for i := range events {
		e := &events[i]
		stored[i], all[i] = eventOf(e), f.data.Attendance(e)
		posts = append(posts, f.data.Posts(e, all[i])...)
		reviews = append(reviews, f.data.Reviews(e, all[i])...)
	}
	if err := eventtest.Insert(ctx, f.db, f.data.Plan().Now, stored); err != nil {
		return err
	}
	if err := insertAttendance(ctx, f.db, all); err != nil {
		return err
	}
	if err := Posts(ctx, f.db, posts); err != nil {
		return err
	}
	return insertReviews(ctx, f.db, reviews)
}

func eventOf(e *dataset.Event) event.Event {
	fields := event.Fields{
		Title: e.Title, Description: e.Description, Category: &e.Category, StartsAt: e.StartsAt, EndsAt: e.EndsAt, Timezone: e.Timezone,
		Visibility: e.Visibility, DateMode: event.DateFixed, Price: event.Free, PriceAmount: e.PriceAmount, PriceCurrency: e.PriceCurrency,
		City: &e.City, LocationText: &e.LocationText, Lat: e.Lat, Lng: e.Lng,
	}
	if e.PriceAmount != nil {
		fields.Price = event.Paid
	}
	if e.Capacity != nil {
		fields.Capacity = new(int64(*e.Capacity))
	}
	return event.Event{
		Fields: fields, ID: e.ID, OrganizerID: e.OrganizerID, Status: e.Status, StartsKey: e.StartsAt.UnixNano() + e.Tie,
		CreatedAt: e.CreatedAt, UpdatedAt: e.CreatedAt, PublishedAt: e.PublishedAt, CanceledAt: e.CanceledAt,
	}
}

// rowsOf returns a row for each item.
func rowsOf[T any](all []T, columns func(T) []any) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, item := range all {
			if !yield(columns(item)) {
				return
			}
		}
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
