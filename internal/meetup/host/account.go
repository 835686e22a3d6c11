package host

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

type exported struct {
	EventID   domain.EventID `json:"event_id"`
	Role      access.Role    `json:"role"`
	Status    string         `json:"status"`
	CreatedAt time.Time      `json:"created_at"`
	JoinedAt  *time.Time     `json:"joined_at"`
}

var exportStmt = db.SQL("host.export", `
	SELECT h.event_id, h.role, h.status, h.created_at, h.joined_at FROM event_hosts h WHERE h.user_id = $1 ORDER BY h.created_at, h.event_id`)

// Export returns the events of others that the user hosts, has hosted or is asked to host.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	return db.Append(ctx, q, []exported{}, func(row db.Row, e *exported) error {
		return row.Scan(&e.EventID, &e.Role, &e.Status, &e.CreatedAt, &e.JoinedAt)
	}, exportStmt, user)
}

var (
	// heirsStmt selects who may become the organizer of the event $1, the oldest host first.
	heirsStmt = db.SQL("host.heirs", `
		SELECT h.user_id FROM event_hosts h JOIN users u ON u.id = h.user_id
		WHERE h.event_id = $1 AND h.status = 'active' AND u.suspended_at IS NULL ORDER BY h.joined_at, h.user_id`)

	eraseStmt = db.SQL("host.erase", `DELETE FROM event_hosts WHERE user_id = $1 RETURNING event_id`)
)

// Erase hands the events of a user who deletes their account over to their oldest hosts, and ends the user's roles. An event for which
// somebody has begun to pay stays: its payments belong to the user. Call it before event.Service.Erase.
func (s *Service) Erase(ctx context.Context, tx db.Tx, of domain.UserID, now time.Time) error {
	events, err := event.LockWithTeam(ctx, tx, of, now)
	if err != nil {
		return err
	}
	for _, e := range events {
		if err := s.bequeath(ctx, tx, e, now); err != nil {
			return err
		}
	}
	if err := event.EraseHostedImages(ctx, tx, of); err != nil {
		return err
	}
	hosted, err := db.Values[domain.EventID](ctx, tx, eraseStmt, of)
	for _, id := range hosted {
		tx.Changed(event.Content.Of(id))
	}
	return err
}

// bequeath gives a locked event to its oldest host, if it has one and nobody has begun to pay.
func (s *Service) bequeath(ctx context.Context, tx db.Tx, e event.Event, now time.Time) error {
	begun, err := s.HasIntents(ctx, tx, e.ID)
	if err != nil || begun {
		return err
	}
	heirs, err := db.Values[domain.UserID](ctx, tx, heirsStmt, e.ID)
	if err != nil {
		return err
	}
	heir, err := user.FirstActive(ctx, tx, heirs)
	if err != nil || heir.IsZero() {
		return err
	}
	if err := shareBlocked(ctx, tx, heir); err != nil {
		return err
	}
	if err := handOver(ctx, tx, e, heir, now); err != nil {
		return err
	}
	tx.Queue(ctx, putFormerStmt, e.ID, e.OrganizerID, access.Host, now) // whose pictures are erased
	return nil
}

// endBetweenStmt ends the roles of one of two users in events of the other.
var endBetweenStmt = db.SQL("host.block", `
	UPDATE event_hosts SET status = 'ended'
	WHERE status <> 'ended' AND (user_id = $1 AND event_id IN (SELECT e.id FROM events e WHERE e.organizer_id = $2 AND e.has_team)
		OR user_id = $2 AND event_id IN (SELECT e.id FROM events e WHERE e.organizer_id = $1 AND e.has_team))
	RETURNING event_id`)

// OnBlock ends the roles of one of two users in the events of the other.
func OnBlock(ctx context.Context, tx db.Tx, _ time.Time, blocker, blocked domain.UserID) error {
	events, err := db.Values[domain.EventID](ctx, tx, endBetweenStmt, blocker, blocked)
	for _, id := range events {
		tx.Changed(event.Content.Of(id))
	}
	return err
}
