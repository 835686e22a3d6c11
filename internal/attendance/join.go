package attendance

import (
	"context"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
)

// Most who join come for the first time, to an event that everybody finds, that
// costs nothing and has seats. Theirs are a few statements that go to the store
// at once. Everybody else, and whoever is refused, goes the way of Service.join.

// newcomerStmt makes such a person a participant. It counts them in the slot $6
// or, of a capacity that is smaller, in one that has a part of it.
var newcomerStmt = db.SQL("attendance.newcomer", `
	INSERT INTO participants (event_id, user_id, id, status, visibility, slot, joined_at, created_at, updated_at)
	SELECT e.id, CAST($2 AS UUID), CAST($3 AS UUID), 'going', CAST($4 AS TEXT), `+newcomersSlot+`,
		CAST($5 AS BIGINT), CAST($5 AS BIGINT), CAST($5 AS BIGINT)
	FROM events e
	WHERE e.id = $1 AND e.price <> 'paid' AND `+access.InDiscovery("e", "$2", "$5")+`
		AND NOT EXISTS (SELECT 1 FROM invitations i WHERE i.event_id = e.id AND i.user_id = $2)
		AND NOT EXISTS (SELECT 1 FROM event_slots s WHERE s.event_id = e.id AND s.slot = `+newcomersSlot+` AND s.n >= s.cap)
	ON CONFLICT (event_id, user_id) DO NOTHING
	RETURNING `+participantColumns, db.Key{Table: "participants", Param: 1})

const newcomersSlot = `CASE WHEN e.capacity <= $6 THEN $6 % e.capacity ELSE $6 END`

// newcomer is the condition that the participant p is the one just written.
func newcomer(event, user string) string {
	return `p.event_id = ` + event + ` AND p.user_id = ` + user + ` AND written_now(p)`
}

// seatStmt takes the newcomer's seat. A slot that has been filled meanwhile has
// no number to give: that fails, and undoes the joining.
var seatStmt = db.SQL("attendance.take_newcomers_seat", `
	INSERT INTO event_slots (event_id, slot, n) SELECT p.event_id, p.slot, 1 FROM participants p WHERE `+newcomer("$1", "$2")+`
	ON CONFLICT (event_id, slot) DO UPDATE SET n = CASE WHEN event_slots.cap IS NULL OR event_slots.n < event_slots.cap THEN event_slots.n + 1 END`,
	db.Key{Table: "event_slots", Param: 1})

var (
	tellOrganizer = notify.NewTeller("newcomer", `
		SELECT e.organizer_id AS user_id FROM participants p JOIN events e ON e.id = p.event_id WHERE `+newcomer("$9", "$10"))

	announceNewcomer = notify.NewAnnouncer("newcomer", notify.FollowersOfUpTo(domain.UserID{}, mostFollowers),
		`EXISTS (SELECT 1 FROM participants p WHERE `+newcomer("$7", "$8")+`)`)
)

// joinAtOnce makes the viewer a participant; done is false when there is more
// to it than that.
func (s *Service) joinAtOnce(ctx context.Context, v domain.Viewer, id domain.EventID, visibility string) (p Participant, done bool, err error) {
	now := s.Clock.Now()
	steps, err := newcomersNotices(Participant{EventID: id, UserID: v.UserID, Visibility: visibility}, now)
	if err != nil {
		return p, false, err
	}
	slot := anySlot(s.DB, nil)
	done, err = s.DB.Together(ctx, append([]db.Step{
		db.Do(newcomerStmt, id, v.UserID, domain.NewID[domain.ParticipantKind](now), visibility, now, slot).Into(p.columns()...),
		db.Do(seatStmt, id, v.UserID),
	}, steps...)...)
	if db.NullViolation(err) {
		return p, false, nil
	}
	return p, done, err
}

// newcomersNotices are tellJoined for a newcomer, of whom nothing was told before.
func newcomersNotices(p Participant, now time.Time) ([]db.Step, error) {
	told, err := tellOrganizer.Step(now, p.notice(notify.EventJoined), p.EventID, p.UserID)
	if err != nil || p.Visibility == Incognito {
		return []db.Step{told}, err
	}
	announced, err := announceNewcomer.Step(now, p.notice(notify.FollowedUserGoing), notify.FollowersOfUpTo(p.UserID, mostFollowers), p.EventID, p.UserID)
	return []db.Step{told, announced}, err
}
