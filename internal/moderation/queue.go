package moderation

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/platform/db"
	"moothall/internal/review"
	"moothall/internal/user"
)

// place is where a page begins: behind the report of that status, moment and id.
type place struct {
	status Status
	at     time.Time
	id     domain.ReportID
}

const cursorOf = "reports.1"

// after gives where the page begins.
func (f Filter) after() (p place, err error) {
	if f.Cursor != "" {
		err := domain.ReadCursor(f.Cursor, cursorOf, &p.status, &p.at, &p.id)
		switch {
		case err != nil:
			return p, err
		case p.status < Open || p.status > Dismissed:
			return p, domain.InvalidCursor
		case f.Status != nil && p.status != *f.Status:
			return p, domain.Invalid("?cursor", "must be the next_cursor of a page of the same status")
		}
		return p, nil
	}
	if f.Status != nil {
		p.status = *f.Status
	}
	p.at = time.Unix(0, 0).UTC() // before every report
	return p, nil
}

// upTo is the last status that the page may reach.
func (f Filter) upTo() Status {
	if f.Status != nil {
		return *f.Status
	}
	return Dismissed
}

const (
	queueSQL = `SELECT ` + reportColumns + ` FROM reports WHERE (status, created_at, id) > ($1, $2, $3) AND status <= $4`
	inOrder  = ` ORDER BY status, created_at, id LIMIT $5`
)

var (
	queueStmt   = db.SQL("moderation.queue", queueSQL+inOrder)
	queueOfStmt = db.SQL("moderation.queue_of", queueSQL+` AND target_type = $6`+inOrder)
)

func page(ctx context.Context, q db.Querier, f Filter, after place) (p Page, err error) {
	stmt, args := queueStmt, []any{after.status, after.at, after.id, f.upTo(), f.Limit + 1}
	if f.TargetType != nil {
		stmt, args = queueOfStmt, append(args, *f.TargetType)
	}
	scan := func(row db.Row, r *Queued) error { return row.Scan(r.columns()...) }
	if p.Reports, err = db.All(ctx, q, scan, stmt, args...); err != nil {
		return p, fmt.Errorf("moderation.queue: %w", err)
	}
	if len(p.Reports) > f.Limit {
		p.Reports = p.Reports[:f.Limit]
		last := p.Reports[f.Limit-1]
		p.Next = new(domain.Cursor(cursorOf, last.Status, last.CreatedAt, last.ID))
	}
	return p, nil
}

var usersStmt = db.SQL("moderation.users", `
	SELECT `+user.Columns("p")+` FROM profiles p WHERE p.user_id IN (SELECT value FROM ids($1) AS l)`)

// readTargets fills in what was reported as the moderator may see it, whoever
// else sees it; what is gone stays nil.
func readTargets(ctx context.Context, q db.Querier, v domain.Viewer, reports []Queued, now time.Time) error {
	events, err := event.Cards(ctx, q, v, targets[domain.EventID](reports, EventTarget), now)
	if err != nil {
		return err
	}
	reviews, err := review.ByIDs(ctx, q, v, targets[domain.ReviewID](reports, ReviewTarget))
	if err != nil {
		return err
	}
	users, err := db.All(ctx, q, user.Scan, usersStmt, targets[domain.UserID](reports, UserTarget))
	if err != nil {
		return fmt.Errorf("moderation.users: %w", err)
	}
	found := map[TargetID]Queued{} // ids of different kinds do not meet either
	for i := range events {
		found[TargetID(events[i].ID)] = Queued{Event: &events[i]}
	}
	for i := range reviews {
		found[TargetID(reviews[i].ID)] = Queued{Review: &reviews[i]}
	}
	for i := range users {
		found[TargetID(users[i].UserID)] = Queued{User: &users[i]}
	}
	for i := range reports {
		target := found[reports[i].TargetID]
		target.Report = reports[i].Report
		reports[i] = target
	}
	return nil
}

// targets gives the ids of the targets of one kind.
func targets[id ~[16]byte](reports []Queued, kind TargetType) []id {
	ids := []id{}
	for _, r := range reports {
		if r.TargetType == kind {
			ids = append(ids, id(r.TargetID))
		}
	}
	return ids
}
