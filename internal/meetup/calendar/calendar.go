// Package calendar owns personal calendars: entries that users create, entries of the
// events that they attend, invites to both, and iCalendar feeds (specification §4.9,
// contract §8).
//
// The entry of an event has the id of the event and is read from the event, its
// participants and its invitations. The invite to an event is its invitation. The table
// calendar_overrides stores the notes on such entries and their removal from a user's
// own calendar.
package calendar

import (
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/text"
)

// The sources of an entry.
const (
	Manual   = "manual"
	OfEvent  = "event"
	OfInvite = "invite" // a manual entry of another user
)

// The states of an entry.
const (
	Confirmed = "confirmed"
	Tentative = "tentative"
	Canceled  = "canceled"
)

// Entry is an entry in one user's calendar (contract §8).
type Entry struct {
	ID                   domain.EntryID // for an event, the id of the event
	OwnerID              domain.UserID  // the user in whose calendar the entry is
	Source               string
	EventID              *domain.EventID
	Title                string
	StartsAt             time.Time
	EndsAt               *time.Time
	Timezone             string // IANA zone
	AllDay               bool
	LocationText         *string
	Notes                *string // the owner's
	CreatedAt, UpdatedAt time.Time
	OwnStatus            string // the status for the owner, unless it is canceled for everybody

	canceled bool // canceled for everybody
	overAt   time.Time
}

// Status returns the status of the entry in its owner's calendar.
func (e Entry) Status() string {
	if e.canceled {
		return Canceled
	}
	return e.OwnStatus
}

// Fields are the fields of a manual entry (contract §8).
type Fields struct {
	Title        string
	StartsAt     time.Time
	EndsAt       *time.Time
	Timezone     string
	AllDay       bool
	LocationText *string
	Notes        *string
}

// Input is the body of a create or update request. A field that was not sent keeps
// its value.
type Input struct {
	Title        domain.Opt[string]
	StartsAt     domain.Opt[time.Time]
	EndsAt       domain.Opt[time.Time]
	Timezone     domain.Opt[string]
	AllDay       domain.Opt[bool]
	LocationText domain.Opt[string]
	Notes        domain.Opt[string]
}

// merge applies the input to the fields and validates the result. The error names
// every invalid field.
func (f Fields) merge(in Input) (Fields, error) {
	var wrong domain.Problems
	text.Clean(&wrong, "/title", &in.Title.Value, text.Line(1, 120))
	text.CleanOrNil(&wrong, "/location_text", &in.LocationText.Value, text.Line(0, 300))
	in.Title.Set(&f.Title)
	if in.Timezone.Set(&f.Timezone) && !event.KnownZone(f.Timezone) {
		wrong.Add("/timezone", "must be an IANA zone with a place, such as Europe/Moscow")
	}
	in.LocationText.SetOrClear(&f.LocationText)
	in.AllDay.Set(&f.AllDay)
	f.mergeNotes(&wrong, in)
	f.mergeTimes(&wrong, in)
	return f, wrong.Err()
}

func (f *Fields) mergeNotes(wrong *domain.Problems, in Input) {
	text.CleanOrNil(wrong, "/notes", &in.Notes.Value, text.Block(0, 2000))
	in.Notes.SetOrClear(&f.Notes)
}

func (f *Fields) mergeTimes(wrong *domain.Problems, in Input) {
	if in.StartsAt.Set(&f.StartsAt) {
		f.StartsAt = f.StartsAt.UTC().Truncate(time.Second)
	}
	if in.EndsAt.SetOrClear(&f.EndsAt) && f.EndsAt != nil {
		f.EndsAt = new(f.EndsAt.UTC().Truncate(time.Second))
	}
	if f.EndsAt != nil && !f.EndsAt.After(f.StartsAt) {
		wrong.Add("/ends_at", "must be later than starts_at", "/starts_at")
	}
}

// mergeNotesOnly is merge for an event or an entry of another user, where the owner
// of the calendar can change only the notes.
func (f Fields) mergeNotesOnly(in Input) (Fields, error) {
	var wrong domain.Problems
	for _, field := range []struct {
		pointer string
		sent    bool
	}{
		{"/title", in.Title.Sent}, {"/starts_at", in.StartsAt.Sent}, {"/ends_at", in.EndsAt.Sent}, {"/timezone", in.Timezone.Sent},
		{"/all_day", in.AllDay.Sent}, {"/location_text", in.LocationText.Sent},
	} {
		if field.sent {
			wrong.Add(field.pointer, "must be absent: only the notes of this entry are yours")
		}
	}
	f.mergeNotes(&wrong, in)
	return f, wrong.Err()
}

// overAt returns when an entry is over: at its end; without an end, at the end of
// its day if it is all-day, else at its start.
func (f Fields) overAt() time.Time {
	switch {
	case f.EndsAt != nil:
		return *f.EndsAt
	case f.AllDay:
		return nextDay(f.StartsAt, zoneOf(f.Timezone)).UTC()
	default:
		return f.StartsAt
	}
}

// zoneOf loads a zone that was validated before it was stored.
func zoneOf(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	return zone
}

func (f Fields) equal(g Fields) bool {
	return f.Title == g.Title && f.StartsAt.Equal(g.StartsAt) && equalTimes(f.EndsAt, g.EndsAt) && f.Timezone == g.Timezone &&
		f.AllDay == g.AllDay && equalStrings(f.LocationText, g.LocationText) && equalStrings(f.Notes, g.Notes)
}

func equalStrings(a, b *string) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

func equalTimes(a, b *time.Time) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}

// Service implements the use cases of calendars.
type Service struct {
	DB         *db.DB
	Clock      domain.Clock
	Attendance *attendance.Service // answers invitations to events
	Timezone   string              // of entries without a zone
	Feeds      FeedOptions
}
