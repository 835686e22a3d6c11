package attendance

import (
	"cmp"
	"context"
	"errors"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/core/webhook"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/platform/text"
)

// maxInvitations limits the invitations of one event (contract §4.7).
const maxInvitations = 500

// Invitation invites one user to an event (contract §4.7). The same row is the
// calendar invite of that event.
type Invitation struct {
	ID                   domain.InvitationID
	EventID              domain.EventID
	UserID               domain.UserID
	InvitedBy            domain.UserID
	Status               access.Invitation
	Message              *string
	RespondedAt          *time.Time // of the latest RSVP; nil if there is none
	CreatedAt, UpdatedAt time.Time

	Invited *user.Public // nil if the account was deleted
}

// RSVP is the answer to an invitation.
type RSVP struct {
	Status access.Invitation // Accepted, Declined or Tentative
	Terms                    // of an accepted one; the visibility stays that of an earlier participation
}

// Invitee names the user to invite, by exactly one of Phone and Email.
type Invitee struct {
	Phone, Email, Message *string
}

// invitee is a valid Invitee.
type invitee struct {
	phone   user.Phone // empty: invited by email
	email   user.Email
	message *string
}

// field returns the JSON pointer of the field that names the user.
func (i invitee) field() string {
	if i.phone != "" {
		return "/invited_phone"
	}
	return "/email"
}

// clean validates and normalizes the fields.
func (i Invitee) clean(phones user.PhoneRules) (clean invitee, err error) {
	var problems domain.Problems
	if i.Phone == nil && i.Email == nil {
		problems.Add("/invited_phone", "must be present unless email is", "/email")
	}
	if i.Phone != nil && i.Email != nil {
		problems.Add("/email", "must be absent if invited_phone is present")
	}
	if i.Phone != nil {
		if clean.phone, err = phones.Parse(*i.Phone); err != nil {
			problems.Add("/invited_phone", err.Error())
		}
	}
	if i.Email != nil {
		if clean.email, err = user.ParseEmail(*i.Email); err != nil {
			problems.Add("/email", err.Error())
		}
	}
	text.CleanOrNil(&problems, "/message", &i.Message, text.Block(0, 500))
	clean.message = i.Message
	return clean, problems.Err()
}

// mayInvite is a row of the table of policy "Doing something".
func mayInvite(host bool, visibility access.Visibility, status access.Status) error {
	switch {
	case !host:
		return domain.Forbid(domain.NotOrganizer)
	case visibility != access.Private:
		return domain.Forbid(domain.EventPublic)
	default:
		return status.MustBe(access.Open...)
	}
}

// InvitationMissesPerOrganizer limits invitations that find no account (contract §11).
var InvitationMissesPerOrganizer = ratelimit.Limit{
	Name: "invitation_misses_per_organizer", What: "invitations of one organizer to a phone or e-mail address without an account",
	Default: ratelimit.Quota{N: 20, Window: time.Hour},
}

// errNoInvitee is the error for a phone or an address without an account.
var errNoInvitee = errors.New("attendance: no account to invite")

// Invite invites a user to a private event, or makes an earlier invitation
// pending again (contract §4.7). Returns Forbidden for users other than the
// organizer, in the wrong state of the event, and beyond 500 invitations; NotFound
// if there is no such account, or it has a block with the viewer or the organizer.
//
// The contract's 404 reveals whether a phone or address has an account. So each
// organizer has a quota of misses: Invite takes one before the look-up and gives
// it back after a hit. Without quota it does not look the account up.
func (s *Service) Invite(ctx context.Context, v domain.Viewer, id domain.EventID, to Invitee) (Invitation, error) {
	now := s.Clock.Now()
	var earlier Invitation
	if found, err := idempotency.Find(ctx, s.DB, now, &earlier); found || err != nil {
		return s.withProfile(ctx, earlier, err)
	}
	facts, err := access.Event(ctx, s.DB, v, id, now)
	if err != nil {
		return Invitation{}, err
	}
	clean, err := to.clean(s.Phones)
	if err != nil {
		return Invitation{}, err
	}
	if err := mayInvite(facts.Hosts(), facts.Visibility, facts.Status); err != nil {
		return Invitation{}, err
	}
	if err := s.Limits.Spend(ctx, InvitationMissesPerOrganizer, v.UserID.String()); err != nil {
		return Invitation{}, err
	}
	i, err := s.invite(ctx, v, id, clean, now)
	if errors.Is(err, errNoInvitee) {
		return Invitation{}, domain.NotFound
	}
	s.Limits.Refund(ctx, InvitationMissesPerOrganizer, v.UserID.String())
	return i, err
}

func (s *Service) invite(ctx context.Context, v domain.Viewer, id domain.EventID, to invitee, now time.Time) (i Invitation, err error) {
	invited, err := findInvitee(ctx, s.DB, to, v.UserID, id)
	if err != nil {
		return i, err
	}
	if invited == v.UserID {
		return i, domain.Invalid(to.field(), "must be somebody else's")
	}
	var profile user.ProfileColumns
	err = idempotency.InTx(ctx, s.DB, now, &i, func(tx db.Tx) error {
		user.Share(ctx, tx, invited)
		e, err := lockEvent(ctx, tx, id, now)
		if err != nil {
			return err
		}
		if err := mayInvite(true, e.visibility, e.status); err != nil {
			return err
		}
		if e.untitled {
			return domain.Forbid(domain.EventUntitled)
		}
		if _, err := findInvitee(ctx, tx, to, v.UserID, id); err != nil { // deleted or in a block meanwhile
			return err
		}
		if err := putInvitation(ctx, tx, id, invited, v.UserID, to.message, now); err != nil {
			return err
		}
		tx.Queue(ctx, liftStmt, id, invited, now, now)
		n := notify.Notification{Kind: notify.EventInvitation, To: invited, Actor: v.UserID, Event: id}
		if err := notify.Put(ctx, tx, now, n); err != nil {
			return err
		}
		queueInvitation(ctx, tx, id, invited, &i, &profile)
		return nil
	})
	if i.Invited = profile.Public(); i.Invited == nil { // a repeated request
		return s.withProfile(ctx, i, err)
	}
	return i, err
}

// withProfile adds the profile of the invited user to a stored result.
func (s *Service) withProfile(ctx context.Context, i Invitation, err error) (Invitation, error) {
	if err != nil {
		return Invitation{}, err
	}
	var profile user.ProfileColumns
	_, err = s.DB.One(ctx, profileStmt, i.UserID).Find(profile.Dest()...)
	i.Invited = profile.Public()
	return i, err
}

// RSVP answers the viewer's invitation to an event: Accepted makes them a
// participant, the other answers end their participation (contract §4.7). Returns
// NotFound without an invitation; Forbidden if the event is over, canceled or full,
// or if the viewer has not paid.
func (s *Service) RSVP(ctx context.Context, v domain.Viewer, id domain.EventID, r RSVP) (i Invitation, err error) {
	err = s.withSeats(ctx, id, func(take takeSeats) error {
		i, err = s.rsvp(ctx, v, id, r, take)
		return err
	})
	return i, err
}

// RSVPByID is RSVP by the id of the invitation, for the calendar. Returns
// NotFound for other users' invitations.
func (s *Service) RSVPByID(ctx context.Context, v domain.Viewer, id domain.InvitationID, status string) error {
	event, err := eventOfInvitation(ctx, s.DB, id, v.UserID)
	if err != nil {
		return err
	}
	_, err = s.RSVP(ctx, v, event, RSVP{Status: access.Invitation(status)})
	return err
}

// rsvp locks the invitation first: changes of one user's participation in one
// event are serialized by it.
func (s *Service) rsvp(ctx context.Context, v domain.Viewer, id domain.EventID, r RSVP, take takeSeats) (i Invitation, err error) {
	now := s.Clock.Now()
	var profile user.ProfileColumns
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		if err := s.rsvpIn(ctx, tx, v, id, r, take, now); err != nil {
			return err
		}
		queueInvitation(ctx, tx, id, v.UserID, &i, &profile)
		return nil
	})
	i.Invited = profile.Public()
	return i, err
}

// rsvpIn is rsvp in the transaction of the caller.
func (s *Service) rsvpIn(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.EventID, r RSVP, take takeSeats, now time.Time) error {
	facts, err := access.Event(ctx, tx, v, id, now)
	if err != nil {
		return err
	}
	old, invited, err := lockInvitation(ctx, tx, id, v.UserID)
	if err != nil {
		return err
	}
	if !invited {
		return domain.NotFound
	}
	if err := facts.Status.MustBe(access.Open...); err != nil {
		return err
	}
	incognito, err := s.participate(ctx, tx, facts, v, r, take, now)
	if err != nil {
		return err
	}
	setRSVP(ctx, tx, old, r.Status, now)
	if old.Status == r.Status {
		return nil
	}
	s.OnChange(ctx, tx, id, v.UserID, now)
	n := notify.Notification{
		Kind: notify.EventInvitationResponse, To: facts.OrganizerID, Actor: v.UserID, Event: id,
		Params: map[string]string{"status": string(r.Status)},
	}
	if err := notify.PutHosts(ctx, tx, now, n, facts.HasTeam && !incognito); err != nil {
		return err
	}
	answered := webhook.Change{Kind: webhook.InvitationAnswered, Event: id, User: v.UserID, Data: map[string]any{"status": r.Status}}
	return webhook.Put(ctx, tx, now, facts.HasWebhook, answered)
}

// participate starts, changes or ends the participation as the RSVP says. It reports whether the viewer participates incognito.
func (s *Service) participate(ctx context.Context, tx db.Tx, f access.EventFacts, v domain.Viewer, r RSVP, take takeSeats,
	now time.Time) (incognito bool, err error) {
	if r.Status != access.Accepted {
		if f.Waitlisted && r.Status == access.Declined {
			if err := endEntryOf(ctx, tx, f.ID, v.UserID, event.EntryLeft, now); err != nil {
				return false, err
			}
		}
		_, _, err := leave(ctx, tx, f.ID, v.UserID, now)
		if errors.Is(err, domain.NotFound) {
			return false, nil // the viewer has never participated
		}
		return false, err
	}
	if err := s.mustHavePaid(ctx, tx, f, v); err != nil {
		return false, err
	}
	p := Participant{EventID: f.ID, UserID: v.UserID, Visibility: Public}
	err = lockParticipant(ctx, tx, &p)
	if err != nil && !errors.Is(err, domain.NotFound) {
		return false, err
	}
	switch p.Status {
	case statusGoing:
		return cmp.Or(r.Terms.Visibility, p.Visibility) == Incognito, change(ctx, tx, f, &p, r.Terms, take, now)
	case statusRemoved:
		return false, domain.Forbid(domain.Removed)
	}
	t, err := attend(ctx, tx, f, &p, r.Terms, p.Visibility, take, now)
	return t.Visibility == Incognito, err
}
