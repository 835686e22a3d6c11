package source

import (
	"context"
	"net/url"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/importer"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ical"
)

// made is an event that was made of a calendar.
type made struct {
	uid      string
	event    domain.EventID
	hash     string
	startsAt time.Time
	missed   *int64 // the number of reads before the one in which it was first gone; nil: it was there
	canceled bool
}

func scanMade(row db.Row, m *made) error {
	return row.Scan(&m.uid, &m.event, &m.hash, &m.startsAt, &m.missed, &m.canceled)
}

// action is what happens to one event.
type action int

const (
	keep   action = iota
	create        // also of one that the calendar had canceled or lost
	change
	find // it was gone once, and is back
	miss // it is gone for the first time
	cancel
)

// step is one event to write.
type step struct {
	action  action
	uid     string
	hash    string
	foreign event.Foreign
	starts  time.Time
	event   domain.EventID // unless created
}

// plan compares the content of a calendar with the events that were made of it.
type plan struct {
	calendar
	now     time.Time
	read    *ical.Calendar // nil: it has not changed
	made    []made
	steps   []step
	limited bool // some events were not made
}

// prepare sets the steps of a plan.
func (s *Service) prepare(ctx context.Context, p *plan) (err error) {
	if p.made, err = db.All(ctx, s.DB, scanMade, eventsStmt, p.ID, p.now.Add(-event.MaxLength)); err != nil {
		return err
	}
	seen := map[string]bool{}
	if p.read != nil {
		byUID := map[string]made{}
		for _, m := range p.made {
			byUID[m.uid] = m
		}
		for _, e := range p.read.Events {
			x := s.step(p.calendar, e)
			if was, before := byUID[x.uid]; !seen[x.uid] {
				seen[x.uid] = true
				p.add(was, before, x, e)
			}
		}
		p.limited = p.read.More > 0
	}
	for _, m := range p.made {
		if !seen[m.uid] {
			p.addGone(m)
		}
	}
	return nil
}

// step returns the step of an event, whose action is keep.
func (s *Service) step(c calendar, e ical.Event) step {
	link := linkOf(e)
	e.URL = "" // it is not in the description
	row := s.Imports.NewRow(e)
	visibility := access.Public
	if c.visibility == access.Private {
		visibility = access.Members
	}
	x := step{uid: row.UID, starts: row.Draft.StartsAt, foreign: event.Foreign{Input: row.Draft, Group: c.Group, Visibility: visibility,
		External: event.External{SourceHost: &c.Host, ExternalURL: link}}}
	x.hash = row.Draft.Hash() + string(visibility)
	if link != nil {
		x.hash += *link
	}
	if row.Why != nil && *row.Why != importer.Canceled {
		x.hash = "" // it cannot be shown as it is
	}
	return x
}

const maxURL = 2048 // bytes

// linkOf returns the page of an event; nil if it has none.
func linkOf(e ical.Event) *string {
	u, err := url.Parse(e.URL)
	if err != nil || u.Host == "" || u.User != nil || len(e.URL) > maxURL || u.Scheme != "https" && u.Scheme != "http" {
		return nil
	}
	return &e.URL
}

// add adds the step of an event of the calendar.
func (p *plan) add(was made, before bool, x step, e ical.Event) {
	x.event = was.event
	shown := before && !was.canceled
	switch {
	case shown && e.Canceled:
		x.action = cancel
	case e.Canceled || x.hash == "" && !shown:
		return
	case !shown:
		x.action = create
	case x.hash != "" && was.hash != x.hash:
		x.action = change
	case was.missed != nil:
		x.action = find
	default:
		return
	}
	p.steps = append(p.steps, x)
}

// addGone adds the step of an event that the calendar does not have. Events beyond those that are read may be there.
func (p *plan) addGone(m made) {
	x := step{uid: m.uid, event: m.event, starts: m.startsAt}
	switch {
	case m.canceled || !m.startsAt.After(p.now) || p.isBeyond(m.startsAt):
		return
	case m.missed != nil && *m.missed < p.reads:
		x.action = cancel
	case p.read != nil && m.missed == nil:
		x.action = miss
	default:
		return
	}
	p.steps = append(p.steps, x)
}

// isBeyond reports whether an event may start after those that are read.
func (p *plan) isBeyond(at time.Time) bool {
	return p.read != nil && p.read.More > 0 && !at.Before(p.read.Events[len(p.read.Events)-1].Start)
}

// lostAll reports whether the calendar is empty although it has had coming events.
func (p *plan) lostAll() bool {
	if p.read == nil || len(p.read.Events) > 0 {
		return false
	}
	for _, m := range p.made {
		if !m.canceled && m.startsAt.After(p.now) {
			return true
		}
	}
	return false
}
