package attendance

import (
	"context"
	"errors"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
)

// errNobody says that no account is to be found under a phone or an address.
var errNobody = errors.New("attend: nobody to invite")

// Invite asks somebody to a private event, or asks them anew: the invitation
// is pending again (contract §4.7). domain.Forbidden for everybody but the
// organizer, in the wrong state, and beyond 500 invitations; domain.NotFound
// when nobody is there to invite or a block stands between.
//
// What tells a known phone or address from an unknown one is the contract's
// 404 alone, and of those each organizer gets a few an hour: a place among
// them is taken before anybody is looked for, and given back when it was not
// needed. Without one left, nobody is looked for.
func (s *Service) Invite(ctx context.Context, v domain.Viewer, id domain.EventID, to Invitee) (Invitation, error) {
	now := s.Clock.Now()
	facts, err := access.Event(ctx, s.DB, v, id, now)
	if err != nil {
		return Invitation{}, err
	}
	who, err := to.clean(s.Phones)
	if err != nil {
		return Invitation{}, err
	}
	if err := mayInvite(facts.Organizer, facts.Visibility, facts.Status); err != nil {
		return Invitation{}, err
	}
	if err := s.Limits.Spend(ctx, ratelimit.InvitationMissesPerOrganizer, v.UserID.String()); err != nil {
		return Invitation{}, err
	}
	i, err := s.invite(ctx, v, id, who, now)
	if errors.Is(err, errNobody) {
		return Invitation{}, domain.NotFound
	}
	if back := s.Limits.GiveBack(ctx, ratelimit.InvitationMissesPerOrganizer, v.UserID.String()); err == nil {
		err = back
	}
	return i, err
}

func (s *Service) invite(ctx context.Context, v domain.Viewer, id domain.EventID, who invitee, now time.Time) (i Invitation, err error) {
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		status, visibility, err := lockEvent(ctx, tx, id, now)
		if err != nil {
			return err
		}
		if err := mayInvite(true, visibility, status); err != nil {
			return err
		}
		user, err := findInvitee(ctx, tx, who, v.UserID)
		if err != nil {
			return err
		}
		if user == v.UserID {
			return domain.Invalid(who.field(), "must be somebody else's")
		}
		if err := putInvitation(ctx, tx, id, user, v.UserID, who.message, now); err != nil {
			return err
		}
		if err := tellInvited(ctx, tx, id, user, v.UserID, now); err != nil {
			return err
		}
		i, err = readInvitation(ctx, tx, id, user)
		return err
	})
	return i, err
}
