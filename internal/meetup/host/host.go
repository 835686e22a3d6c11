// Package host lets the organizer of an event share its work with hosts, and hand the event over to one of them.
// What each role may do, package access decides.
package host

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/core/webhook"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// The states of a host.
const (
	Pending = "pending" // invited
	Active  = "active"
	ended   = "ended" // declined, left or removed; never shown
)

// maxHosts is how many hosts an event may have, pending ones included.
const maxHosts = 10

// Host is the organizer of an event, or a host.
type Host struct {
	UserID    domain.UserID
	Profile   *user.Public // nil if the account is deleted
	Role      access.Role
	Status    string // Pending or Active
	CreatedAt time.Time
}

// Service lets organizers invite hosts.
type Service struct {
	DB    *db.DB
	Clock domain.Clock
	// MayCharge and HasIntents are those of event.Service.
	MayCharge  func(ctx context.Context, q db.Querier, organizer domain.UserID) error
	HasIntents func(ctx context.Context, q db.Querier, id domain.EventID) (bool, error)
}

// List returns the organizer, then the hosts, the oldest first. Returns NotFound if the viewer does not see the event, and
// Forbidden unless they host it.
func (s *Service) List(ctx context.Context, v domain.Viewer, id domain.EventID) (all []Host, err error) {
	err = s.DB.Read(ctx, func(q db.Querier) error {
		f, err := access.Event(ctx, q, v, id, s.Clock.Now())
		if err != nil {
			return err
		}
		if err := f.MustHost(); err != nil {
			return err
		}
		all, err = list(ctx, q, id)
		return err
	})
	return all, err
}

// Invite asks a user to host an event. Repeating it changes nothing while the user hosts or is asked. Returns Invalid for the viewer
// themselves; NotFound for an unknown user, or one in a block with the viewer; Forbidden unless the viewer organizes the event, in the
// wrong state of the event, and beyond 10 hosts.
func (s *Service) Invite(ctx context.Context, v domain.Viewer, id domain.EventID, to domain.UserID) (h Host, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		user.Share(ctx, tx, to)
		f, err := access.Event(ctx, tx, v, id, now)
		if err != nil {
			return err
		}
		if to == v.UserID {
			return domain.Invalid("/user_id", "must be somebody else's")
		}
		if err := f.MustOwn(); err != nil {
			return err
		}
		e, err := lockOpen(ctx, tx, id, now)
		if err != nil {
			return err
		}
		if e.Title == "" {
			return domain.Forbid(domain.EventUntitled)
		}
		var taken int
		if err := tx.One(ctx, inviteeStmt, id, to, v.UserID).ScanOr(domain.NotFound, &taken); err != nil {
			return err
		}
		if h, err = read(ctx, tx, id, to); err != nil || h.Status != "" {
			return err
		}
		if taken >= maxHosts {
			return domain.Forbid(domain.HostLimit)
		}
		event.SetTeam(ctx, tx, e)
		tx.Queue(ctx, inviteStmt, id, to, access.Host, now)
		tx.Changed(access.Rights.Of(to))
		if err := notify.Put(ctx, tx, now, invitation(id, v.UserID, to)); err != nil {
			return err
		}
		if err := queueWebhook(ctx, tx, now, f.HasWebhook, webhook.HostInvited, id, to); err != nil {
			return err
		}
		h, err = read(ctx, tx, id, to)
		return err
	})
	return h, err
}

// lockOpen locks a draft or published event.
func lockOpen(ctx context.Context, tx db.Tx, id domain.EventID, now time.Time) (event.Event, error) {
	e, err := event.Lock(ctx, tx, id, now)
	if err == nil {
		err = e.MustBeOpen()
	}
	return e, err
}

// invitation notifies a user who is asked to host an event.
func invitation(id domain.EventID, organizer, to domain.UserID) notify.Notification {
	return notify.Notification{Kind: notify.HostInvitation, To: to, Actor: organizer, Event: id}
}

func queueWebhook(ctx context.Context, tx db.Tx, now time.Time, hasWebhook bool, kind webhook.Kind, id domain.EventID,
	host domain.UserID) error {
	return webhook.Put(ctx, tx, now, hasWebhook, webhook.Change{Kind: kind, Event: id, User: host})
}

// Accept makes the viewer a host who was asked to be one. Repeating it changes nothing. Returns NotFound if they see no such host, and
// Forbidden for any other user than the viewer, and in the wrong state of the event.
func (s *Service) Accept(ctx context.Context, v domain.Viewer, id domain.EventID, of domain.UserID) (h Host, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		f, err := access.Event(ctx, tx, v, id, now)
		if err != nil {
			return err
		}
		if of != v.UserID {
			if err := f.MustHost(); err != nil {
				return err
			}
			return domain.Forbid(domain.NotParticipant)
		}
		e, err := event.Lock(ctx, tx, id, now)
		if err != nil {
			return err
		}
		if h, err = read(ctx, tx, id, v.UserID); err != nil {
			return err
		}
		if h.Status == "" {
			return domain.NotFound
		}
		if err := e.Status.MustBe(access.Open...); err != nil || h.Status == Active {
			return err
		}
		h.Status = Active
		tx.Changed(event.Content.Of(id), access.Rights.Of(v.UserID))
		tx.Queue(ctx, setStatusStmt, id, v.UserID, Active, now)
		n := notify.Notification{Kind: notify.HostJoined, To: f.OrganizerID, Actor: v.UserID, Event: id}
		if err := notify.Put(ctx, tx, now, n); err != nil {
			return err
		}
		return queueWebhook(ctx, tx, now, f.HasWebhook, webhook.HostJoined, id, v.UserID)
	})
	return h, err
}

// Remove ends the role of a host, or the invitation to be one: of the viewer, or of anybody if the viewer organizes the event. Returns
// NotFound if the viewer does not see the event or it has no such host, and Forbidden if the viewer may not remove the host.
func (s *Service) Remove(ctx context.Context, v domain.Viewer, id domain.EventID, of domain.UserID) error {
	now := s.Clock.Now()
	if _, err := mayRemove(ctx, s.DB, v, id, of, now); err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		if of != v.UserID {
			user.Lock(ctx, tx, of) // no request of the host runs beside this one, see docs/concurrency.md
		}
		f, err := mayRemove(ctx, tx, v, id, of, now)
		if err != nil {
			return err
		}
		h, err := read(ctx, tx, id, of)
		if err != nil {
			return err
		}
		if h.Status == "" {
			return domain.NotFound
		}
		if of != v.UserID && h.Status == Active {
			removed := notify.Notification{Kind: notify.HostRemoved, To: of, Actor: v.UserID, Event: id}
			if err := notify.Put(ctx, tx, now, removed); err != nil {
				return err
			}
		}
		return end(ctx, tx, now, f.HasWebhook, endedHost{id, of, f.OrganizerID})
	})
}

func mayRemove(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, of domain.UserID,
	now time.Time) (access.EventFacts, error) {
	f, err := access.Event(ctx, q, v, id, now)
	if err == nil && of != v.UserID {
		err = f.MustOwn()
	}
	return f, err
}

// endedHost is a host whose role ends.
type endedHost struct {
	event           domain.EventID
	user, organizer domain.UserID
}

// end ends the role of a host.
func end(ctx context.Context, tx db.Tx, now time.Time, hasWebhook bool, h endedHost) error {
	tx.Changed(event.Content.Of(h.event), access.Rights.Of(h.user))
	tx.Queue(ctx, setStatusStmt, h.event, h.user, ended, now)
	notify.Retract(ctx, tx, invitation(h.event, h.organizer, h.user))
	return queueWebhook(ctx, tx, now, hasWebhook, webhook.HostLeft, h.event, h.user)
}
