package attendance

import (
	"context"
	"errors"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/core/webhook"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/question"
	"moothall/internal/platform/db"
)

// maxApproved limits the requests that one call approves (contract).
const maxApproved = 100

// guestUserStmt finds the user of a participation, of a request, or of the entry of an approved request, if participantsStmt lists them.
var guestUserStmt = db.SQL("attendance.guest_user", `
	SELECT g.user_id, `+namesGuest("g")+` FROM (
		SELECT p.user_id, p.visibility FROM participants p WHERE p.id = $4 AND p.event_id = $1
		UNION SELECT j.user_id, j.visibility FROM join_requests j WHERE j.id = $4 AND j.event_id = $1
		UNION SELECT w.user_id, w.visibility FROM waitlist_entries w WHERE w.id = $4 AND w.event_id = $1) AS g
	WHERE `+listsGuest("g")+` LIMIT 1`)

// guest is a user whom a host decides about.
type guest struct {
	of    domain.UserID
	named bool // the host may learn who it is
}

// guestUser returns the user of a participant, and the facts of the event for its organizer or a host. Returns the errors of
// Participants, and NotFound for an unknown participant.
func (s *Service) guestUser(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID,
	participant domain.ParticipantID) (g guest, f access.EventFacts, err error) {
	if f, err = hostedFacts(ctx, q, v, id, s.Clock.Now()); err != nil {
		return g, f, err
	}
	err = q.One(ctx, guestUserStmt, id, v.UserID, access.SessionUser(v), participant).ScanOr(domain.NotFound, &g.of, &g.named)
	return g, f, err
}

// Approve makes the user of a request a participant, for the organizer. If the event is full or has a price, the user enters the waiting
// list or gets an offer. It lets a removed participant join again. Returns the errors of guestUser, and Forbidden if there is no request,
// if the event has begun or is canceled, and if it is full and has no waiting list.
func (s *Service) Approve(ctx context.Context, v domain.Viewer, id domain.EventID,
	participant domain.ParticipantID) (p Participant, err error) {
	now := s.Clock.Now()
	g, _, err := s.guestUser(ctx, s.DB, v, id, participant)
	if err != nil {
		return p, err
	}
	err = s.withSeats(ctx, id, func(take takeSeats) error {
		return s.DB.InTx(ctx, func(tx db.Tx) error {
			user.Share(ctx, tx, g.of)
			if _, _, err := s.guestUser(ctx, tx, v, id, participant); err != nil { // a concurrent block
				return err
			}
			p = Participant{EventID: id, UserID: g.of}
			return s.approve(ctx, tx, &p, take, now)
		})
	})
	if errors.Is(err, domain.Forbid(domain.EventFull)) || errors.Is(err, domain.Forbid(domain.PaymentRequired)) {
		p, err = s.approveWithoutSeats(ctx, v, id, participant, g.of, now)
	}
	p.hidden = !g.named
	return p, err
}

// approve decides about a participant whose account is shared.
func (s *Service) approve(ctx context.Context, tx db.Tx, p *Participant, take takeSeats, now time.Time) error {
	r, found, err := readRequest(ctx, tx, p.EventID, p.UserID)
	if err != nil {
		return err
	}
	if !found || r.Status != requestPending {
		return approveAgain(ctx, tx, p, now)
	}
	l, _, err := readList(ctx, tx, listStmt, p.EventID, now)
	if err != nil {
		return err
	}
	if err := l.mustTakeRequests(now); err != nil {
		return err
	}
	if err := s.joinIn(ctx, tx, p, domain.Viewer{UserID: p.UserID}, Terms{approved: true}, take, now); err != nil {
		return err
	}
	return notifyApproved(ctx, tx, *p, statusGoing, now)
}

// mustTakeRequests refuses approvals of an event that has begun or is not published.
func (l list) mustTakeRequests(now time.Time) error {
	if err := l.status.MustBe(access.Published); err != nil {
		return err
	}
	if l.started(now) {
		return domain.Forbid(domain.EventEnded)
	}
	return nil
}

// approveAgain lets a removed participant join again, and changes nothing for one who goes or waits.
func approveAgain(ctx context.Context, tx db.Tx, p *Participant, now time.Time) error {
	e, active, err := lockActive(ctx, tx, p.EventID, p.UserID)
	if err != nil {
		return err
	}
	if active {
		*p = Participant{ID: domain.ParticipantID(e.ID), EventID: p.EventID, UserID: p.UserID, Status: string(e.Status),
			Visibility: e.Visibility, Party: e.Party, JoinedAt: e.CreatedAt, CreatedAt: e.CreatedAt, UpdatedAt: e.CreatedAt}
		return nil
	}
	if err := lockParticipant(ctx, tx, p); err != nil && !errors.Is(err, domain.NotFound) {
		return err
	}
	switch p.Status {
	case statusGoing:
		return nil
	case statusRemoved:
		tx.Queue(ctx, liftStmt, p.EventID, p.UserID, now, now)
		p.Status, p.UpdatedAt = statusLeft, now
		return nil
	default:
		return domain.Forbid(domain.BlockedByState)
	}
}

func notifyApproved(ctx context.Context, tx db.Tx, p Participant, status string, now time.Time) error {
	return notify.Put(ctx, tx, now, notify.Notification{To: p.UserID, Kind: notify.RequestApproved, Event: p.EventID,
		Params: map[string]string{"status": status}})
}

// approveWithoutSeats puts the user of a pending request on the waiting list, or offers seats of an event that has a price and no list.
func (s *Service) approveWithoutSeats(ctx context.Context, v domain.Viewer, id domain.EventID,
	participant domain.ParticipantID, of domain.UserID, now time.Time) (p Participant, err error) {
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		user.Share(ctx, tx, of)
		if _, _, err := s.guestUser(ctx, tx, v, id, participant); err != nil {
			return err
		}
		l, _, err := readList(ctx, tx, lockListStmt, id, now)
		if err != nil {
			return err
		}
		if err := l.mustTakeRequests(now); err != nil {
			return err
		}
		r, found, err := readRequest(ctx, tx, id, of)
		if err != nil {
			return err
		}
		if !found || r.Status != requestPending {
			return domain.Forbid(domain.BlockedByState)
		}
		tx.Queue(ctx, deleteRequestStmt, id, of)
		r.UpdatedAt = now
		d := &dealer{s: s, tx: tx, now: now, list: l}
		status, err := d.admit(ctx, r)
		p = r.participant(string(status))
		return err
	})
	return p, err
}

// admit writes an entry for an approved request. Requests have places by their time. The locks are those of EnterWaitlist.
func (d *dealer) admit(ctx context.Context, r Request) (status event.WaitlistStatus, err error) {
	offers := d.list.mode == event.WaitlistOff
	if offers && !d.list.paid {
		return "", domain.Forbid(domain.EventFull)
	}
	if _, err := allUsers(ctx, d.tx, lockLaterStmt, r.EventID, r.CreatedAt); err != nil {
		return "", err
	}
	d.tx.Queue(ctx, makeSeatRowsStmt, r.EventID, seatRowNumbers(d.tx))
	if d.rows, err = lockSeatRows(ctx, d.tx, r.EventID); err != nil {
		return "", err
	}
	if offers && r.Party > d.free() {
		return "", domain.Forbid(domain.EventFull)
	}
	d.tx.Queue(ctx, shiftLaterStmt, r.EventID, r.CreatedAt)
	n, err := d.tx.Exec(ctx, admitStmt, r.EventID, r.UserID, r.ID, r.Party, r.Visibility, r.CreatedAt, d.now, maxEntries)
	if err != nil {
		return "", err
	}
	if n == 0 {
		return "", domain.Forbid(domain.WaitlistFull)
	}
	e := event.WaitlistEntry{EventID: r.EventID, UserID: r.UserID, Party: r.Party, Visibility: r.Visibility}
	if offers {
		if err := d.offer(ctx, e); err != nil {
			return "", err
		}
		_, err := d.finish(ctx)
		return event.EntryOffered, err
	}
	d.tx.Changed(event.Attendance.Of(r.EventID))
	d.tx.Queue(ctx, setWaitingStmt, r.EventID)
	if err := webhook.Put(ctx, d.tx, d.now, d.list.hasWebhook, entryChange(webhook.WaitlistEntered, r.EventID, r.Party)); err != nil {
		return "", err
	}
	p := Participant{EventID: r.EventID, UserID: r.UserID}
	if err := notifyApproved(ctx, d.tx, p, string(event.EntryWaiting), d.now); err != nil {
		return "", err
	}
	return event.EntryWaiting, putDeal(ctx, d.tx, d.now, r.EventID, "")
}

// laterSQL are the entries that entered after the time $2. Those who missed an offer stay at the end.
const laterSQL = `w.event_id = $1 AND w.status = 'waiting' AND w.missed = 0 AND w.created_at > $2`

var (
	lockLaterStmt = db.SQL("attendance.lock_later", `
		SELECT w.user_id FROM waitlist_entries w WHERE w.event_id = $1 AND w.status = 'waiting' AND w.place >=
			(SELECT MIN(w.place) FROM waitlist_entries w WHERE `+laterSQL+`) ORDER BY w.place FOR UPDATE`)

	shiftLaterStmt = db.SQL("attendance.shift_later", `
		UPDATE waitlist_entries SET place = place + 1 WHERE event_id = $1 AND place >= (SELECT MIN(w.place) FROM waitlist_entries w
			WHERE `+laterSQL+`)`)

	// admitStmt adds no entry if $8 wait already. shiftLaterStmt has made its place free.
	admitStmt = db.SQL("attendance.admit", `
		INSERT INTO waitlist_entries (event_id, user_id, id, status, party, visibility, missed, place, created_at, updated_at)
		SELECT CAST($1 AS UUID), CAST($2 AS UUID), CAST($3 AS UUID), 'waiting', CAST($4 AS BIGINT), CAST($5 AS TEXT), 0,
			COALESCE((SELECT MIN(w.place) - 1 FROM waitlist_entries w WHERE w.event_id = $1 AND w.status = 'waiting' AND w.missed = 0
				AND w.created_at > $6), (SELECT COALESCE(MAX(w.place), 0) + 1 FROM waitlist_entries w WHERE w.event_id = $1)),
			CAST($6 AS BIGINT), CAST($7 AS BIGINT)
		WHERE (SELECT COUNT(*) FROM waitlist_entries w WHERE w.event_id = $1 AND w.status = 'waiting') < $8
		ON CONFLICT (event_id, user_id) DO UPDATE SET id = excluded.id, status = 'waiting', party = excluded.party,
			visibility = excluded.visibility, missed = 0, place = excluded.place, created_at = excluded.created_at,
			updated_at = excluded.updated_at`)
)

// ApproveAll approves the requests of an event, the first one first, at most maxApproved. It stops before the first one that cannot
// be approved, and returns how many it has approved and how many are left. Its errors are those of Participants.
func (s *Service) ApproveAll(ctx context.Context, v domain.Viewer, id domain.EventID) (approved, left int, err error) {
	page, err := s.Participants(ctx, v, id, Guests{Status: event.ParticipationRequested}, maxApproved, "")
	if err != nil {
		return 0, 0, err
	}
	for _, r := range page.Items {
		if _, err = s.Approve(ctx, v, id, r.ID); err != nil {
			break
		}
		approved++
	}
	if err != nil && !errors.Is(err, domain.Forbidden) && !errors.Is(err, domain.NotFound) {
		return approved, 0, err
	}
	err = s.DB.One(ctx, countRequestsStmt, id, v.UserID, s.Clock.Now()).Scan(&left)
	return approved, left, err
}

// Decline declines a request, for the organizer, and notifies the user. Returns the errors of guestUser, and Forbidden if there is none.
func (s *Service) Decline(ctx context.Context, v domain.Viewer, id domain.EventID,
	participant domain.ParticipantID) (p Participant, err error) {
	now := s.Clock.Now()
	g, _, err := s.guestUser(ctx, s.DB, v, id, participant)
	if err != nil {
		return p, err
	}
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		user.Share(ctx, tx, g.of)
		_, f, err := s.guestUser(ctx, tx, v, id, participant)
		if err != nil {
			return err
		}
		r, found, err := readRequest(ctx, tx, id, g.of)
		switch {
		case err != nil:
			return err
		case !found, r.Status == requestWithdrawn:
			return domain.Forbid(domain.BlockedByState)
		case r.Status == requestDeclined:
			p = r.participant(event.ParticipationDeclined)
			return nil
		}
		r.UpdatedAt = now
		p = r.participant(event.ParticipationDeclined)
		tx.Queue(ctx, declineRequestStmt, id, g.of, now)
		if f.HasQuestions {
			question.Forget(ctx, tx, id, g.of)
		}
		return notify.Put(ctx, tx, now, notify.Notification{To: g.of, Kind: notify.RequestDeclined, Event: id})
	})
	p.hidden = !g.named
	return p, err
}

// requestsCursor names the cursor of the list of requests. Its values are the time and the id of a request.
const requestsCursor = "requests.1"

// requestPosition is the key of a request in the list of an event.
type requestPosition struct {
	time time.Time
	id   domain.ParticipantID
}

func afterRequest(cursor string) (after requestPosition, err error) {
	if cursor != "" {
		err = domain.ReadCursor(cursor, requestsCursor, &after.time, &after.id)
	}
	return after, err
}

// openRequests are the pending requests of the event $1 that the organizer or host $2 may see, until the start of the event.
func openRequests(now string) string {
	return `FROM join_requests JOIN events e ON e.id = join_requests.event_id
		WHERE join_requests.event_id = $1 AND join_requests.status = 'pending' AND e.starts_at > ` + now + `
			AND ` + listsGuest("join_requests")
}

var (
	requestsStmt = db.SQL("attendance.requests", `
		SELECT r.*, `+user.Columns("o")+` FROM (
			SELECT `+requestColumns+`, `+namesGuest("join_requests")+` AS named `+openRequests("$4")+`
				AND (join_requests.created_at, join_requests.id) > ($5, $6) AND join_requests.party >= $7
				AND `+matchSQL("join_requests", "$8", "$9")+`
			ORDER BY join_requests.created_at, join_requests.id LIMIT 101) AS r
		LEFT JOIN profiles o ON o.user_id = r.user_id AND r.named ORDER BY r.created_at, r.id`)

	countRequestsStmt = db.SQL("attendance.count_requests", `SELECT COUNT(*) `+openRequests("$3"))

	declineRequestStmt = db.SQL("attendance.decline_request", `
		UPDATE join_requests SET status = 'declined', declines = declines + 1, updated_at = $3 WHERE event_id = $1 AND user_id = $2`)
)

// requests is Participants of the users who request to join, the first request first.
func (s *Service) requests(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, g Guests, limit int,
	cursor string) (page domain.Page[Attendee], err error) {
	after, err := afterRequest(cursor)
	if err != nil {
		return page, err
	}
	question, answer := g.Answer.Args()
	requests, err := db.All(ctx, q, func(row db.Row, a *Attendee) error {
		var r Request
		var named bool
		var profile user.ProfileColumns
		err := row.Scan(append(append(r.columns(), &named), profile.Dest()...)...)
		a.Participant, a.Profile = r.participant(event.ParticipationRequested), profile.Public()
		a.hidden = !named
		return err
	}, requestsStmt, id, v.UserID, access.SessionUser(v), s.Clock.Now(), after.time, after.id, g.MinParty, question, answer)
	return domain.NewPage(requests, limit, func(last Attendee) string {
		return domain.Cursor(requestsCursor, last.CreatedAt, last.ID)
	}), err
}
