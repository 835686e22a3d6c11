package attendance

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/webhook"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/question"
	"moothall/internal/platform/db"
)

// maxRequests limits the requests to join one event that the organizer has not decided (contract).
const maxRequests = 1000

// The states of a request. An approved one is deleted.
const (
	requestPending   = "pending"
	requestDeclined  = "declined"
	requestWithdrawn = "withdrawn"
)

// Request is one user's request to join an event. It takes no seat.
type Request struct {
	ID                   domain.ParticipantID // of the participation that follows
	EventID              domain.EventID
	UserID               domain.UserID
	Status               string
	Visibility           string
	Party                int64 // how many people would come, the user included
	Declines             int64 // how often the organizer has declined it
	CreatedAt, UpdatedAt time.Time
}

const requestColumns = `join_requests.id, join_requests.event_id, join_requests.user_id, join_requests.status, join_requests.visibility,
	join_requests.party, join_requests.declines, join_requests.created_at, join_requests.updated_at`

func (r *Request) columns() []any {
	return []any{&r.ID, &r.EventID, &r.UserID, &r.Status, &r.Visibility, &r.Party, &r.Declines, &r.CreatedAt, &r.UpdatedAt}
}

// participant shows the request as a participant with a status.
func (r Request) participant(status string) Participant {
	p := Participant{ID: r.ID, EventID: r.EventID, UserID: r.UserID, Status: status, Visibility: r.Visibility, Party: r.Party,
		JoinedAt: r.CreatedAt, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt}
	if status == statusLeft {
		p.LeftAt = &r.UpdatedAt
	}
	return p
}

var (
	requestStmt = db.SQL("attendance.request", `SELECT `+requestColumns+` FROM join_requests WHERE event_id = $1 AND user_id = $2`)

	// askStmt writes a pending request, unless $7 others are pending. The event is locked.
	askStmt = db.SQL("attendance.ask", `
		INSERT INTO join_requests (event_id, user_id, id, status, party, visibility, declines, created_at, updated_at)
		SELECT CAST($1 AS UUID), CAST($2 AS UUID), CAST($3 AS UUID), 'pending', CAST($4 AS BIGINT), CAST($5 AS TEXT), 0, CAST($6 AS BIGINT),
			CAST($6 AS BIGINT)
		WHERE (SELECT COUNT(*) FROM join_requests o WHERE o.event_id = $1 AND o.status = 'pending') < $7
		ON CONFLICT (event_id, user_id) DO UPDATE SET status = 'pending', party = excluded.party, visibility = excluded.visibility,
			created_at = excluded.created_at, updated_at = excluded.updated_at`)

	changeRequestStmt = db.SQL("attendance.change_request", `
		UPDATE join_requests SET party = $3, visibility = $4, updated_at = $5 WHERE event_id = $1 AND user_id = $2`)

	takeRequestStmt = db.SQL("attendance.take_request", `
		DELETE FROM join_requests WHERE event_id = $1 AND user_id = $2
		RETURNING CASE WHEN status = 'pending' THEN id END, visibility, party`)

	deleteRequestStmt = db.SQL("attendance.delete_request", `DELETE FROM join_requests WHERE event_id = $1 AND user_id = $2`)

	withdrawRequestStmt = db.SQL("attendance.withdraw_request", `
		UPDATE join_requests SET status = 'withdrawn', updated_at = $3 WHERE event_id = $1 AND user_id = $2 AND status = 'pending'
		RETURNING `+requestColumns+`, (SELECT e.has_questions FROM events e WHERE e.id = join_requests.event_id)`)

	purgeRequestsStmt = db.SQL("attendance.purge_requests", `
		DELETE FROM join_requests WHERE id IN (
			SELECT j.id FROM join_requests j JOIN events e ON e.id = j.event_id WHERE e.over_at < $1 ORDER BY j.id LIMIT `+
		strconv.Itoa(purgeBatch)+`)`)
)

// mustAsk reports whether a join of an event with approval is a request: the viewer neither goes, organizes, has an invitation or an entry
// in the waiting list, nor has paid.
func (s *Service) mustAsk(ctx context.Context, tx db.Tx, f access.EventFacts, v domain.Viewer) (bool, error) {
	if f.Going || f.Hosts() || f.Invited() {
		return false, nil
	}
	if _, active, err := lockActive(ctx, tx, f.ID, v.UserID); err != nil || active {
		return false, err
	}
	if !f.Paid {
		return true, nil
	}
	err := s.MustHavePaid(ctx, tx, f.ID, v.UserID)
	if errors.Is(err, domain.Forbid(domain.PaymentRequired)) {
		return true, nil
	}
	return false, err
}

// request asks the organizer, or changes the viewer's pending request, and sets p to it.
func request(ctx context.Context, tx db.Tx, f joinFacts, p *Participant, t Terms, now time.Time) error {
	e, err := lockEvent(ctx, tx, p.EventID, now)
	if err != nil {
		return err
	}
	if err := e.status.MustBe(access.Published); err != nil {
		return err
	}
	if !now.Before(e.startsAt) {
		return domain.Forbid(domain.EventEnded)
	}
	if f.participated {
		if err := lockParticipant(ctx, tx, p); err != nil {
			return err
		}
		if p.Status == statusRemoved {
			return domain.Forbid(domain.Removed)
		}
	}
	old, found, err := readRequest(ctx, tx, p.EventID, p.UserID)
	if err != nil {
		return err
	}
	if old.Declines >= event.MaxDeclines {
		return domain.Forbid(domain.RequestDeclined)
	}
	r := Request{ID: cmp.Or(p.ID, old.ID, domain.NewID[domain.ParticipantKind](now)), EventID: p.EventID, UserID: p.UserID,
		Status: requestPending, Visibility: cmp.Or(t.Visibility, old.Visibility, Public), CreatedAt: now, UpdatedAt: now}
	if r.Party, err = t.partySize(max(old.Party, 1), f.MaxParty); err != nil {
		return err
	}
	asked := int64(0)
	if old.Status == requestPending {
		asked = old.Party
	}
	if err := t.answer(ctx, tx, f.EventFacts, p.UserID, r.Party, asked, now); err != nil {
		return err
	}
	if old.Status == requestPending {
		r.CreatedAt = old.CreatedAt
		tx.Queue(ctx, changeRequestStmt, r.EventID, r.UserID, r.Party, r.Visibility, now)
		*p = r.participant(event.ParticipationRequested)
		return nil
	}
	n, err := tx.Exec(ctx, askStmt, r.EventID, r.UserID, r.ID, r.Party, r.Visibility, now, maxRequests)
	if err != nil {
		return err
	}
	if n == 0 {
		return domain.Forbid(domain.RequestLimit)
	}
	*p = r.participant(event.ParticipationRequested)
	return notifyRequested(ctx, tx, f, r, found && old.Status == requestWithdrawn, now)
}

// notifyRequested notifies webhooks, and the organizer and hosts unless the user repeats a request that they have withdrawn.
func notifyRequested(ctx context.Context, tx db.Tx, f joinFacts, r Request, repeated bool, now time.Time) error {
	asked := webhook.Change{Kind: webhook.AttendanceRequested, Event: r.EventID, Data: map[string]any{"party_size": r.Party}}
	if err := webhook.Put(ctx, tx, now, f.HasWebhook, asked); err != nil || repeated {
		return err
	}
	n := notify.Notification{Kind: notify.EventRequested, To: f.OrganizerID, Actor: r.UserID, Event: r.EventID}
	return notify.PutHosts(ctx, tx, now, n, f.HasTeam && r.Visibility != Incognito)
}

func readRequest(ctx context.Context, q db.Querier, id domain.EventID, user domain.UserID) (r Request, found bool, err error) {
	found, err = q.One(ctx, requestStmt, id, user).Find(r.columns()...)
	return r, found, err
}

// takeRequest deletes the request of a user who participates now. It returns a pending one, or the zero value.
func takeRequest(ctx context.Context, tx db.Tx, f access.EventFacts, p *Participant) (r Request, err error) {
	if !f.Waitlisted {
		return r, nil
	}
	var id *domain.ParticipantID
	found, err := tx.One(ctx, takeRequestStmt, p.EventID, p.UserID).Find(&id, &r.Visibility, &r.Party)
	if err != nil || !found || id == nil {
		return Request{}, err
	}
	r.ID, p.asked = *id, true
	return r, nil
}

// withdraw ends a pending request. It returns the request as a participant who has left; found is false if there is none.
func withdraw(ctx context.Context, tx db.Tx, id domain.EventID, user domain.UserID, now time.Time) (p Participant, found bool, err error) {
	var r Request
	var hasQuestions bool
	found, err = tx.One(ctx, withdrawRequestStmt, id, user, now).Find(append(r.columns(), &hasQuestions)...)
	if hasQuestions {
		question.Forget(ctx, tx, id, user)
	}
	return r.participant(statusLeft), found, err
}
