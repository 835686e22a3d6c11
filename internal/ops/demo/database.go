package demo

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/identity/relation"
	"moothall/internal/meetup/attendance"
	"moothall/internal/meetup/datevote"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/post"
	"moothall/internal/meetup/review"
	"moothall/internal/platform/db"
)

// database writes batches through the packages that own the tables.
type database struct {
	db     *db.DB
	events event.Importer
}

// Into returns a sink that writes to a database. Events that are over at the time
// now are stored as completed.
func Into(d *db.DB, now time.Time) Sink {
	return &database{db: d, events: event.Importer{DB: d, Now: now}}
}

var emptyStmt = db.SQL("demo.empty", `SELECT NOT EXISTS (SELECT 1 FROM users) AND NOT EXISTS (SELECT 1 FROM events)`)

func (r *database) Empty(ctx context.Context) (empty bool, err error) {
	return empty, r.db.One(ctx, emptyStmt).Scan(&empty)
}

func (r *database) Users(ctx context.Context, users []User) error {
	imported := make([]user.Imported, len(users))
	for i, u := range users {
		email, err := user.ParseEmail(u.Email)
		if err != nil {
			return fmt.Errorf("seed: user %d: %w", i, err)
		}
		imported[i] = user.Imported{
			UserID: u.ID, Email: email, DisplayName: u.DisplayName, Username: u.Username,
			City: &u.City, Interests: u.Interests, AvatarURL: u.AvatarURL, CreatedAt: u.CreatedAt,
		}
	}
	return user.Import(ctx, r.db, imported)
}

func (r *database) Follows(ctx context.Context, follows []Follow) error {
	imported := make([]relation.Follow, len(follows))
	for i, f := range follows {
		imported[i] = relation.Follow{Follower: f.Follower, Followed: f.Followed, At: f.CreatedAt}
	}
	return relation.Import(ctx, r.db, imported)
}

func (r *database) Events(ctx context.Context, events []Event) error {
	imported := make([]event.Event, len(events))
	var options []datevote.Imported
	for i := range events {
		imported[i] = events[i].asEvent()
		options = append(options, events[i].DateOptions...)
	}
	if err := r.events.Add(ctx, imported); err != nil {
		return err
	}
	return datevote.Import(ctx, r.db, options)
}

func (e *Event) asEvent() event.Event {
	fields := event.Fields{
		Title: e.Title, Description: e.Description, Category: &e.Category, StartsAt: e.StartsAt, EndsAt: e.EndsAt, Timezone: e.Timezone,
		Visibility: e.Visibility, DateMode: event.DateFixed, Price: event.Free, PriceAmount: e.PriceAmount, PriceCurrency: e.PriceCurrency,
		City: &e.City, LocationText: &e.LocationText, Lat: e.Lat, Lng: e.Lng, ImageURL: e.ImageURL,
	}
	if len(e.DateOptions) > 0 {
		fields.DateMode = event.DateVote
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

func (r *database) Attendance(ctx context.Context, all []Attendance) error {
	imported := make([]attendance.Attendance, len(all))
	for i, a := range all {
		imported[i] = a.asAttendance()
	}
	return attendance.Import(ctx, r.db, imported)
}

func (a Attendance) asAttendance() attendance.Attendance {
	to := attendance.Attendance{EventID: a.EventID, Closed: a.Canceled}
	if a.Capacity != nil {
		to.Capacity = new(int64(*a.Capacity))
	}
	for _, g := range a.Going {
		visibility := attendance.Public
		if g.Incognito {
			visibility = attendance.Incognito
		}
		to.Going = append(to.Going, attendance.Guest{UserID: g.UserID, Visibility: visibility, At: g.JoinedAt})
	}
	for _, i := range a.Invited {
		to.Invited = append(to.Invited, attendance.Invited{ID: i.ID, UserID: i.UserID, By: a.OrganizerID, Status: "pending", At: i.CreatedAt})
	}
	return to
}

func (r *database) Posts(ctx context.Context, posts []post.Imported) error {
	return post.Import(ctx, r.db, posts)
}

func (r *database) Reviews(ctx context.Context, reviews []review.Imported) error {
	return review.Import(ctx, r.db, reviews)
}

func (r *database) Finish(ctx context.Context) error {
	return r.db.Analyze(ctx)
}
