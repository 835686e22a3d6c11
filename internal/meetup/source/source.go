// Package source shows the events of calendars of other services as events of groups. Hosts of a group add the address of a calendar. A
// job reads it about every hour, and publishes, changes and cancels the events.
//
// The files are the path of a calendar, in this order:
//
//	source.go   adds, lists and removes calendars
//	read.go     fetches a calendar when it is due, and records the result
//	plan.go     compares the content with the events that were made before
//	apply.go    makes, changes and cancels events, in steps
//	end.go      withdraws the events of a calendar that was removed
package source

import (
	"context"
	"net/url"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/group"
	"moothall/internal/meetup/importer"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
)

// Limits of calendars.
const (
	maxSources = 5   // of a group
	maxEvents  = 500 // of a calendar: coming ones, and new ones a day
	days       = 366 // from now: rules are expanded for these days
)

// ReadsPerHost limits how often one host is called.
var ReadsPerHost = ratelimit.Limit{Name: "source_reads_per_host", Default: ratelimit.Quota{N: 1, Window: time.Minute},
	What: "calendars of groups read from one host, of all groups together"}

// Service implements the use cases of calendars of groups. Its methods return domain errors; NotFound if the viewer does not see the group,
// and Forbidden unless they host it.
type Service struct {
	DB      *db.DB
	Clock   domain.Clock
	Events  *event.Service
	Imports *importer.Service
}

// Status says how the last attempt to read a calendar ended.
type Status string

// The states.
const (
	Waiting Status = "waiting" // there was none
	OK      Status = "ok"
	Failing Status = "failing" // it changed nothing
	Resting Status = "resting" // the owner of the group may not publish
)

// The errors beside the codes of importer.FetchError.
const (
	errNotCalendar = "not_calendar"
	errTooLarge    = "too_large"
	errEmpty       = "empty"
	errEventLimit  = "event_limit"
	ownerUnknown   = "owner_unverified"
	ownerSuspended = "owner_suspended"
	groupSuspended = "group_suspended"
)

// Source is a calendar of a group.
type Source struct {
	ID        domain.SourceID
	Group     domain.GroupID
	URL       string
	Host      string
	Status    Status
	Error     *string
	ReadAt    *time.Time // the last successful attempt
	DueAt     time.Time  // the next attempt
	Events    int64      // coming ones
	CreatedAt time.Time
}

// List returns the calendars of a group, the oldest first.
func (s *Service) List(ctx context.Context, v domain.Viewer, id domain.GroupID) (all []Source, err error) {
	err = s.DB.Read(ctx, func(q db.Querier) error {
		if _, err := group.Hosted(ctx, q, v, id); err != nil {
			return err
		}
		all, err = db.All(ctx, q, scan, listStmt, id, s.Clock.Now())
		return err
	})
	return all, err
}

// Add adds a calendar to a group, and reads it soon. An address that the group has already stays as it is. Returns Invalid for an address
// that is not fetched; Forbidden for a suspended group and beyond 5 calendars.
func (s *Service) Add(ctx context.Context, v domain.Viewer, id domain.GroupID, address string) (found Source, err error) {
	now := s.Clock.Now()
	u, invalid := s.parse(address)
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		g, err := group.LockHosted(ctx, tx, v, id)
		if err != nil {
			return err
		}
		if invalid != nil {
			return invalid
		}
		all, err := db.All(ctx, tx, scan, listStmt, id, now)
		if err != nil {
			return err
		}
		for _, found = range all {
			if found.URL == u.String() {
				return nil
			}
		}
		switch {
		case g.Facts.Suspended:
			return domain.Forbid(domain.BlockedByState)
		case len(all) >= maxSources:
			return domain.Forbid(domain.SourceLimit)
		}
		found = Source{ID: domain.NewIDIn[domain.SourceKind](ctx, now), Group: id, URL: u.String(), Host: u.Hostname(), Status: Waiting,
			DueAt: now, CreatedAt: now}
		tx.Queue(ctx, insertStmt, found.ID, id, v.UserID, found.URL, found.Host, found.Status, now)
		return putRead(ctx, tx, found.ID, now)
	})
	return found, err
}

func (s *Service) parse(address string) (*url.URL, error) {
	u, err := s.Imports.ParseURL(address)
	if err != nil {
		return nil, domain.Invalid("/url", err.Error())
	}
	return u, nil
}

// Remove ends a calendar of a group. Its events are withdrawn soon. Returns NotFound if the group has no such calendar.
func (s *Service) Remove(ctx context.Context, v domain.Viewer, id domain.GroupID, source domain.SourceID) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		if _, err := group.LockHosted(ctx, tx, v, id); err != nil {
			return err
		}
		n, err := end(ctx, tx, now, endOneStmt, source, now, id)
		if err == nil && n == 0 {
			err = domain.NotFound
		}
		return err
	})
}
