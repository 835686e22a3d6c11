package calendar

import (
	"context"
	"errors"
	"time"

	"moothall/internal/domain"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

// The roles in an invite.
const (
	Incoming = "incoming"
	Outgoing = "outgoing"
)

// Invite asks one person to an entry of another's calendar, or to an event:
// then it is the event's invitation (contract §8).
type Invite struct {
	ID                domain.InvitationID
	Status            string // pending, accepted, declined, tentative
	InvitedBy, UserID domain.UserID
	EventID           *domain.EventID
	CreatedAt         time.Time
	RespondedAt       *time.Time
	Entry             InviteEntry
	Inviter           *user.Public // nil when the account is gone

	off bool // the entry was called off
}

// InviteEntry is what an invite shows of the entry.
type InviteEntry struct {
	ID           domain.EntryID
	Title        string
	StartsAt     time.Time
	EndsAt       *time.Time
	Timezone     string
	LocationText *string
}

// Role is what the viewer is in the invite.
func (i Invite) Role(v domain.Viewer) string {
	if i.UserID == v.UserID {
		return Incoming
	}
	return Outgoing
}

// Participant is somebody invited, and what they answered.
type Participant struct {
	ID      domain.InvitationID
	Status  string
	Profile user.Public
}

// InviteFilter chooses invites.
type InviteFilter struct {
	Role   string
	Status string // empty: any
	Limit  int    // 1 to 100
	Cursor string

	beforeTime time.Time
	beforeID   domain.InvitationID
}

const invitesCursor = "calendar.invites.1"

// lastID is behind every id.
var lastID = domain.InvitationID{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}

// Invites gives the invites that the viewer got or sent, newest first, and the
// cursor of the next page, nil on the last.
func (s *Service) Invites(ctx context.Context, v domain.Viewer, f InviteFilter) (page []Invite, next *string, err error) {
	f.beforeTime, f.beforeID = latest, lastID
	if f.Cursor != "" {
		if err := domain.ReadCursor(f.Cursor, invitesCursor, &f.beforeTime, &f.beforeID); err != nil {
			return nil, nil, err
		}
	}
	page, err = listInvites(ctx, s.DB, v.UserID, f)
	if err != nil || len(page) <= f.Limit {
		return page, nil, err
	}
	last := page[f.Limit-1]
	return page[:f.Limit], new(domain.Cursor(invitesCursor, last.CreatedAt, last.ID)), nil
}

// Invite gives one invite and who else comes, incognito ones never.
// domain.NotFound for everybody but the two people of the invite.
func (s *Service) Invite(ctx context.Context, v domain.Viewer, id domain.InvitationID) (i Invite, others []Participant, err error) {
	err = s.DB.Read(ctx, func(q db.Querier) error {
		if i, err = readInvite(ctx, q, v.UserID, id); err != nil {
			return err
		}
		others, err = listParticipants(ctx, q, v.UserID, i)
		return err
	})
	return i, others, err
}

// Answer answers an invite that the viewer got, that of an event as its
// invitation. domain.NotFound for everybody else; domain.Forbidden when the entry
// was canceled, or as attendance.Service.Answer says.
func (s *Service) Answer(ctx context.Context, v domain.Viewer, id domain.InvitationID, status string) (i Invite, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		was, err := lockInvite(ctx, tx, v.UserID, id)
		if err != nil {
			return err
		}
		if was.off {
			return domain.Forbidden
		}
		if err := answer(ctx, tx, id, status, now); err != nil {
			return err
		}
		if was.Status != status {
			if err := tellAnswered(ctx, tx, was, status, now); err != nil {
				return err
			}
		}
		i, err = readInvite(ctx, tx, v.UserID, id)
		return err
	})
	if !errors.Is(err, domain.NotFound) {
		return i, err
	}
	if err := s.Attend.RSVPByID(ctx, v, id, status); err != nil {
		return i, err
	}
	return readInvite(ctx, s.DB, v.UserID, id)
}

// invite invites people to an entry; domain.NotFound when one of them cannot be.
func invite(ctx context.Context, tx db.Tx, id domain.EntryID, owner domain.UserID, invitees []domain.UserID, now time.Time) error {
	if len(invitees) == 0 {
		return nil
	}
	ids := make([]domain.InvitationID, len(invitees))
	for i := range ids {
		ids[i] = domain.NewID[domain.InvitationKind](now)
	}
	if err := insertInvites(ctx, tx, id, owner, invitees, ids, now); err != nil {
		return err
	}
	for i, user := range invitees {
		n := notify.Notification{Kind: notify.CalendarInvite, To: user, Subject: ids[i].String(), Actor: owner}
		if err := notify.Put(ctx, tx, now, n); err != nil {
			return err
		}
	}
	return nil
}

// tellAnswered tells the owner of an entry what somebody invited has answered.
func tellAnswered(ctx context.Context, tx db.Tx, i Invite, status string, now time.Time) error {
	return notify.Put(ctx, tx, now, notify.Notification{
		Kind: notify.CalendarInviteResponse, To: i.InvitedBy, Subject: i.ID.String(), Actor: i.UserID,
		Params: map[string]string{"status": status},
	})
}
