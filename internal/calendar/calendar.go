// Package calendar is the room of calendars: what people enter themselves, the
// events they take part in, invites to both, and all of it for calendar
// programs (specification §4.9, contract §8).
//
// Events are never copied. The entry of an event is read from attendance,
// invitation and event whenever somebody looks, and has the event's id; the
// invite to an event is its invitation. Only what somebody does to an entry in
// their own calendar alone, notes and taking it out, is kept here.
package calendar

import (
	"time"

	"moothall/internal/attendance"
	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/text"
)

// The sources of an entry.
const (
	Manual   = "manual"
	OfEvent  = "event"
	OfInvite = "invite" // somebody else's manual entry
)

// The states of an entry.
const (
	Confirmed = "confirmed"
	Tentative = "tentative"
	Canceled  = "canceled"
)

// Entry is something in one person's calendar (contract §8).
type Entry struct {
	ID                   domain.EntryID // of an event, its id
	OwnerID              domain.UserID  // whose calendar it is
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

	part   string // what the owner makes of it, whether or not it was called off
	off    bool   // it was called off for everybody
	overAt time.Time
}

// Status is the state of the entry in its owner's calendar.
func (e Entry) Status() string {
	if e.off {
		return Canceled
	}
	return e.part
}

// Fields are what somebody enters (contract §8).
type Fields struct {
	Title        string
	StartsAt     time.Time
	EndsAt       *time.Time
	Timezone     string
	AllDay       bool
	LocationText *string
	Notes        *string
}

// Input is the body of a create or update request: what was not sent keeps its
// value.
type Input struct {
	Title        domain.Opt[string]
	StartsAt     domain.Opt[time.Time]
	EndsAt       domain.Opt[time.Time]
	Timezone     domain.Opt[string]
	AllDay       domain.Opt[bool]
	LocationText domain.Opt[string]
	Notes        domain.Opt[string]
}

// merge lays the input over the fields as they stand, checks the merged result
// as a whole and names every wrong field.
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
		f.StartsAt = f.StartsAt.UTC().Truncate(time.Microsecond)
	}
	if in.EndsAt.SetOrClear(&f.EndsAt) && f.EndsAt != nil {
		f.EndsAt = new(f.EndsAt.UTC().Truncate(time.Microsecond))
	}
	if f.EndsAt != nil && !f.EndsAt.After(f.StartsAt) {
		wrong.Add("/ends_at", "must be later than starts_at")
	}
}

// mergeLinked is merge for an entry that is not the owner's own: they may put
// down notes, the rest is changed where it comes from.
func (f Fields) mergeLinked(in Input) (Fields, error) {
	var wrong domain.Problems
	for _, field := range []struct {
		pointer string
		sent    bool
	}{
		{"/title", in.Title.Sent}, {"/starts_at", in.StartsAt.Sent}, {"/ends_at", in.EndsAt.Sent}, {"/timezone", in.Timezone.Sent},
		{"/all_day", in.AllDay.Sent}, {"/location_text", in.LocationText.Sent},
	} {
		if field.sent {
			wrong.Add(field.pointer, "only notes may change here: this stands in the calendars of others, too")
		}
	}
	f.mergeNotes(&wrong, in)
	return f, wrong.Err()
}

// overAt is when an entry is over: at its end; without one at once, or with its
// day where it lies.
func (f Fields) overAt() time.Time {
	switch {
	case f.EndsAt != nil:
		return *f.EndsAt
	case f.AllDay:
		return dayAfter(f.StartsAt, zoneOf(f.Timezone)).UTC()
	default:
		return f.StartsAt
	}
}

// dayAfter is the first moment of the next day in a zone: 23, 24 or 25 hours
// after the day began. It is not midnight where the clocks skip that.
func dayAfter(t time.Time, zone *time.Location) time.Time {
	year, month, day := t.In(zone).Date()
	next := time.Date(year, month, day+1, 0, 0, 0, 0, zone)
	if next.Day() == day { // the last hour of the day, as no clock shows 0:00
		_, next = next.ZoneBounds()
	}
	return next
}

// zoneOf loads a zone that was checked when it was stored.
func zoneOf(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	return zone
}

// equal reports whether nothing differs.
func (f Fields) equal(g Fields) bool {
	return f.Title == g.Title && f.StartsAt.Equal(g.StartsAt) && sameTime(f.EndsAt, g.EndsAt) && f.Timezone == g.Timezone &&
		f.AllDay == g.AllDay && same(f.LocationText, g.LocationText) && same(f.Notes, g.Notes)
}

func same(a, b *string) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

func sameTime(a, b *time.Time) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}

// Service is what people do with their calendars.
type Service struct {
	DB       *db.DB
	Clock    domain.Clock
	Attend   *attendance.Service // the other door to invitations
	Timezone string              // of entries that name none
	Feeds    FeedOptions
}
