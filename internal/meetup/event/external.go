package event

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/postings"
	"moothall/internal/platform/db"
)

// External says where an event of another service comes from. Package source makes, changes and ends such events by the functions of this
// file. Hosts cannot change them, and nobody joins them here.
type External struct {
	SourceHost  *string // the host of its calendar; nil: the event is of this service
	ExternalURL *string // its page at the other service; nil: unknown
}

func (x External) mustBeOurs() error {
	return access.EventFacts{External: x.SourceHost != nil}.MustBeOurs()
}

// MustBeOpen refuses changes by hosts: of an event that is neither a draft nor published, and of one of another service.
func (e Event) MustBeOpen() error {
	if err := e.Status.MustBe(access.Open...); err != nil {
		return err
	}
	return e.mustBeOurs()
}

// Foreign is an event of another service as it is shown here.
type Foreign struct {
	Input
	External
	Group      domain.GroupID
	Visibility access.Visibility // Public or Members
}

// Apply implements Input.
func (x Foreign) Apply(f *Fields) map[string]bool {
	sent := x.Input.Apply(f)
	f.Group, f.Visibility = &x.Group, x.Visibility
	sent["group_id"], sent["visibility"] = true, true
	return sent
}

// MakeForeign publishes an event of another service. Its organizer may publish.
func (s *Service) MakeForeign(ctx context.Context, tx db.Tx, organizer domain.UserID, x Foreign, how Publication,
	now time.Time) (domain.EventID, error) {
	fields, err := s.Rules.mergeNew(x)
	if err != nil {
		return domain.EventID{}, err
	}
	e := Event{Fields: fields, External: x.External}
	e.prepare(ctx, organizer, now)
	if err := s.storeIn(ctx, tx, e, now); err != nil {
		return e.ID, err
	}
	return e.ID, s.PublishDate(ctx, tx, e.ID, how, now)
}

// ChangeForeign changes an event of another service, unless it is over or was canceled here.
func (s *Service) ChangeForeign(ctx context.Context, tx db.Tx, id domain.EventID, x Foreign, now time.Time) error {
	was, err := lock(ctx, tx, id, now)
	if err != nil || was.Status != access.Published {
		return err
	}
	e := was
	if e.Fields, err = s.Rules.mergeChange(was.Fields, x); err != nil {
		return err
	}
	e.External = x.External
	e.Listed = e.listable(now)
	if e.unchanged(was) {
		return nil
	}
	e.touch(now)
	return s.apply(ctx, tx, was, e, now)
}

// Withdraw cancels an event of another service unless it is over, and hides it from everybody but its organizer.
func (s *Service) Withdraw(ctx context.Context, tx db.Tx, id domain.EventID, now time.Time) error {
	e, err := lock(ctx, tx, id, now)
	if err != nil {
		return err
	}
	document := e.Document()
	e.Visibility, e.Group = access.Private, nil
	if e.Status == access.Published {
		return s.cancel(ctx, tx, e, now)
	}
	if e.Status == access.Completed {
		e.Status = access.Published // as it is stored
	}
	e.Listed = false
	e.touch(now)
	if err := postings.Update(ctx, tx, document, nil); err != nil {
		return err
	}
	return update(ctx, tx, &e, false)
}

var foreignOfGroupStmt = db.SQL("event.foreign_of_group", `
	SELECT `+eventColumns+` FROM events WHERE group_id = $1 AND source_host IS NOT NULL AND visibility = 'public'
	ORDER BY starts_key FOR UPDATE`)

// CloseForeign shows the events of other services only to the members of a group that becomes private.
func CloseForeign(ctx context.Context, tx db.Tx, group domain.GroupID, now time.Time) error {
	events, err := all(ctx, tx, foreignOfGroupStmt, group)
	if err != nil {
		return err
	}
	for _, e := range events {
		document := e.Document()
		e.Visibility, e.Listed = access.Members, false
		e.touch(now)
		if err := postings.Update(ctx, tx, document, nil); err != nil {
			return err
		}
		if err := update(ctx, tx, &e, false); err != nil {
			return err
		}
	}
	return nil
}
