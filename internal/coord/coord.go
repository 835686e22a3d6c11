// Package coord is the room where people agree: on the date of an event, by
// votes for its date options, in its chat, and on its reminders (specification
// §4.8).
package coord

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/platform/db"
)

// Service is what people do to agree on an event. Its methods give meet
// refusals and work for several instances on one database.
type Service struct {
	DB    *db.DB
	Clock domain.Clock
}

// standing is how a viewer stands to an event they see, as far as this room asks.
type standing struct {
	access.EventFacts
	dateMode   string
	selected   *domain.DateOptionID
	invitation string // what the viewer answered, empty without an invitation
}

// The answers to an invitation that decide here.
const (
	accepted  = "accepted"
	declined  = "declined"
	tentative = "tentative"
)

// mayVote reports whether the viewer is one of those whose votes count;
// votesOfVoters is its twin.
func (s standing) mayVote() bool {
	return s.Organizer || s.Going || s.invitation != "" && s.invitation != declined
}

// votesOfVoters are the votes v for dates of the event e whose voters may vote.
// They are counted, not asked for with EXISTS, which PostgreSQL may turn into a
// look at everybody who goes: two index probes a vote are what must happen.
const votesOfVoters = `date_votes v JOIN events e ON e.id = v.event_id AND (v.user_id = e.organizer_id
	OR (SELECT COUNT(*) FROM participants p WHERE p.event_id = e.id AND p.user_id = v.user_id AND p.status = 'going') = 1
	OR (SELECT COUNT(*) FROM invitations i WHERE i.event_id = e.id AND i.user_id = v.user_id AND i.status <> 'declined') = 1)`

// mayChat reports whether the viewer is in the chat, which is also who may
// know of the reminders.
func (s standing) mayChat() bool {
	return s.Organizer || s.Going || s.invitation == accepted || s.invitation == tentative
}

// open reports whether the date may still be agreed on.
func (s standing) open() bool { return s.Status == access.Draft || s.Status == access.Published }

const standingColumns = `e.date_mode, e.selected_date_option_id,
	COALESCE((SELECT i.status FROM invitations i WHERE i.event_id = e.id AND i.user_id = $2), '')`

var (
	standingStmt = db.SQL("coord.standing", `SELECT `+access.StatusSQL("e", "$3")+`, `+standingColumns+` FROM events e WHERE e.id = $1`)

	// holdStmt keeps the event as it is until the transaction ends.
	holdStmt = db.SQL("coord.hold", `SELECT `+access.StatusSQL("e", "$3")+`, `+standingColumns+` FROM events e WHERE e.id = $1 FOR SHARE`)
)

// look reads how the viewer stands to an event; domain.NotFound when it is
// unknown or hidden.
func look(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, now time.Time) (standing, error) {
	return stand(ctx, q, standingStmt, v, id, now)
}

// hold is look for what goes in some states of the event only: no other
// change of the event comes between.
func hold(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.EventID, now time.Time) (standing, error) {
	return stand(ctx, tx, holdStmt, v, id, now)
}

func stand(ctx context.Context, q db.Querier, read *db.Stmt, v domain.Viewer, id domain.EventID, now time.Time) (s standing, err error) {
	if s.EventFacts, err = access.Event(ctx, q, v, id, now); err != nil {
		return s, err
	}
	if err := q.One(ctx, read, id, v.UserID, now).Scan(&s.Status, &s.dateMode, &s.selected, &s.invitation); err != nil {
		return s, fmt.Errorf("%s %s: %w", read.Name(), id, err)
	}
	return s, nil
}

// change runs a change that the organizer makes while the event is a draft or
// published. wrong is what the request itself is refused for, to those who see
// the event.
func (s *Service) change(ctx context.Context, v domain.Viewer, id domain.EventID, wrong error, do func(tx db.Tx, e event.Event, now time.Time) error) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		e, err := event.LockOpen(ctx, tx, v, id, wrong, now)
		if err != nil {
			return err
		}
		return do(tx, e, now)
	})
}
