package moderation

import (
	"context"
	"strconv"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/group"
	"moothall/internal/meetup/review"
	"moothall/internal/platform/db"
)

// Filter selects reports of the queue.
type Filter struct {
	Status     *Status     // nil for all
	TargetType *TargetType // nil for all
	Limit      int
	Cursor     string // Next of the previous page; empty for the first
}

// position is the status, time and id of the report after which a page starts.
type position struct {
	status Status
	at     time.Time
	id     domain.ReportID
}

const queueCursor = "reports.1"

// start returns the position after which the page starts.
func (f Filter) start() (p position, err error) {
	if f.Cursor != "" {
		err := domain.ReadCursor(f.Cursor, queueCursor, &p.status, &p.at, &p.id)
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

// lastStatus returns the last status that the filter includes.
func (f Filter) lastStatus() Status {
	if f.Status != nil {
		return *f.Status
	}
	return Dismissed
}

// List returns a page of the queue with the targets of the reports. It returns
// domain.Forbidden for users who are not moderators. The number of statements does
// not depend on the number of reports.
func (s *Service) List(ctx context.Context, v domain.Viewer, f Filter) (page domain.Page[Queued], err error) {
	start, err := f.start()
	if err != nil {
		return page, err
	}
	if !v.Moderator {
		return page, domain.Forbid(domain.NotModerator)
	}
	now := s.Clock.Now()
	err = s.DB.Read(ctx, func(q db.Querier) error {
		if page, err = readPage(ctx, q, f, start); err != nil {
			return err
		}
		return readTargets(ctx, q, v, page.Items, now)
	})
	return page, err
}

const (
	queueSQL   = `SELECT ` + reportColumns + ` FROM reports WHERE (status, created_at, id) > ($1, $2, $3) AND status <= $4`
	queueOrder = ` ORDER BY status, created_at, id LIMIT $5`
)

var (
	queueStmt   = db.SQL("moderation.queue", queueSQL+queueOrder)
	queueOfStmt = db.SQL("moderation.queue_of", queueSQL+` AND target_type = $6`+queueOrder)
)

func readPage(ctx context.Context, q db.Querier, f Filter, after position) (page domain.Page[Queued], err error) {
	stmt, args := queueStmt, []any{after.status, after.at, after.id, f.lastStatus(), f.Limit + 1}
	if f.TargetType != nil {
		stmt, args = queueOfStmt, append(args, *f.TargetType)
	}
	rows, err := db.All(ctx, q, func(row db.Row, r *Queued) error { return row.Scan(r.dest()...) }, stmt, args...)
	return domain.NewPage(rows, f.Limit, func(last Queued) string {
		return domain.Cursor(queueCursor, last.Status, last.CreatedAt, last.ID)
	}), err
}

var usersStmt = db.SQL("moderation.users", `
	SELECT `+user.Columns("p")+` FROM profiles p WHERE p.user_id IN (SELECT value FROM ids($1) AS l)`)

// readTargets sets the targets of the reports. Moderators see all of them; deleted
// targets stay nil.
func readTargets(ctx context.Context, q db.Querier, v domain.Viewer, reports []Queued, now time.Time) error {
	events, err := event.Cards(ctx, q, v, targets[domain.EventID](reports, EventTarget), now)
	if err != nil {
		return err
	}
	reviews, err := review.ByIDs(ctx, q, v, targets[domain.ReviewID](reports, ReviewTarget))
	if err != nil {
		return err
	}
	groups, err := group.ByIDs(ctx, q, targets[domain.GroupID](reports, GroupTarget))
	if err != nil {
		return err
	}
	people := targets[domain.UserID](reports, UserTarget)
	for _, r := range reports {
		for _, id := range []*domain.UserID{r.AuthorID, r.ReporterID} {
			if id != nil {
				people = append(people, *id)
			}
		}
	}
	users, err := db.All(ctx, q, user.Scan, usersStmt, people)
	if err != nil {
		return err
	}
	byID := map[TargetID]Queued{} // ids are unique across types
	for i := range events {
		byID[TargetID(events[i].ID)] = Queued{Event: &events[i]}
	}
	for i := range reviews {
		byID[TargetID(reviews[i].ID)] = Queued{Review: &reviews[i]}
	}
	for i := range groups {
		byID[TargetID(groups[i].ID())] = Queued{Group: &groups[i]}
	}
	for i := range users {
		byID[TargetID(users[i].UserID)] = Queued{User: &users[i]}
	}
	for i := range reports {
		r := reports[i].Report
		target := byID[r.TargetID]
		if r.AuthorID != nil {
			target.User = byID[TargetID(*r.AuthorID)].User
		}
		if r.ReporterID != nil {
			target.Reporter = byID[TargetID(*r.ReporterID)].User
		}
		target.Report = r
		reports[i] = target
	}
	return nil
}

// targets returns the ids of the targets of one type.
func targets[id ~[16]byte](reports []Queued, kind TargetType) []id {
	ids := []id{}
	for _, r := range reports {
		if r.TargetType == kind {
			ids = append(ids, id(r.TargetID))
		}
	}
	return ids
}

// maxCounted is the greatest number of open reports that CountOpen returns.
const maxCounted = 100

var countOpenStmt = db.SQL("moderation.count_open", `
	SELECT COUNT(*) FROM (SELECT 1 AS one FROM reports WHERE status = 0 LIMIT `+strconv.Itoa(maxCounted)+`) AS counted`)

// CountOpen returns the number of open reports, at most maxCounted. It returns domain.Forbidden for
// users who are not moderators.
func (s *Service) CountOpen(ctx context.Context, v domain.Viewer) (n int, err error) {
	if !v.Moderator {
		return 0, domain.Forbid(domain.NotModerator)
	}
	err = s.DB.One(ctx, countOpenStmt).Scan(&n)
	return n, err
}
