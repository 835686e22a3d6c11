package attendance

import (
	"context"
	"strconv"
	"strings"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/text"
)

// maxEmailMessage is the length of the message of e-mail invitations in graphemes.
const maxEmailMessage = 300

// withdrawn is the status of an e-mail invitation that its sender has taken back. The row stays, so that nobody gets two mails
// about one event.
const withdrawn = "withdrawn"

// EmailInvitation invites an e-mail address to an event, whether it has an account or not.
type EmailInvitation struct {
	ID          domain.InvitationID
	EventID     domain.EventID
	Mailbox     domain.UserID // see Addresses.Mailbox
	InvitedBy   domain.UserID
	Email       *user.Email // nil: deleted, after a refusal
	Message     *string
	Status      access.Invitation
	Name        *string // that the person who answered has typed; nil: none
	Sent        bool    // the mail does not wait for the budget of the sender
	RespondedAt *time.Time
	CreatedAt   time.Time

	user *domain.UserID // the account that attends; nil: none
}

// EmailResult is what became of one address of a request. It says nothing about accounts.
type EmailResult struct {
	Email  string // as sent
	Status string
}

// The values of EmailResult.Status.
const (
	EmailAccepted = "accepted"
	EmailAlready  = "already" // invited to this event before
	EmailInvalid  = "invalid" // not an e-mail address
)

// EmailInvitees are the addresses of one request: 1 to 100.
type EmailInvitees struct {
	Emails  []string
	Message *string
}

// clean validates the message. Invalid addresses are no error.
func (i *EmailInvitees) clean() error {
	var problems domain.Problems
	text.CleanOrNil(&problems, "/message", &i.Message, text.Block(0, maxEmailMessage))
	if i.Message != nil && text.WithoutContacts(*i.Message) != *i.Message {
		problems.Add("/message", "must have no links, e-mail addresses and phone numbers")
	}
	return problems.Err()
}

// messageAfter is the age of an account that may write a message to people who do not know it.
const messageAfter = 24 * time.Hour

// InviteByEmail invites addresses to a published event. The mails are sent as the budget of the organizer allows. It returns one
// result for each address, in their order. Returns Forbidden for users other than the organizer, in the wrong state of the
// event, beyond 500 invitations, and for a message on the first day of the account.
func (s *Service) InviteByEmail(ctx context.Context, v domain.Viewer, id domain.EventID, to EmailInvitees) ([]EmailResult, error) {
	now := s.Clock.Now()
	var statuses []string // those of the results, because a stored response has no addresses
	if found, err := idempotency.Find(ctx, s.DB, now, &statuses); found || err != nil {
		return to.results(statuses), err
	}
	facts, err := access.Event(ctx, s.DB, v, id, now)
	if err != nil {
		return nil, err
	}
	if err := to.clean(); err != nil {
		return nil, err
	}
	if err := facts.MustHost(); err != nil {
		return nil, err
	}
	if err := facts.Status.MustBe(access.Published); err != nil {
		return nil, err
	}
	if err := facts.MustBeOurs(); err != nil {
		return nil, err
	}
	if to.Message != nil {
		var since time.Time
		if err := s.DB.One(ctx, senderSinceStmt, v.UserID).ScanOr(domain.Unauthorized, &since); err != nil {
			return nil, err
		}
		if now.Before(since.Add(messageAfter)) {
			return nil, domain.Forbid(domain.AccountNew)
		}
	}
	results, all, err := s.parseEmails(ctx, to, id, v.UserID, now)
	if err != nil {
		return nil, err
	}
	err = idempotency.InTx(ctx, s.DB, now, &statuses, func(tx db.Tx) error {
		already, err := s.putEmails(ctx, tx, id, all, now)
		if err != nil {
			return err
		}
		statuses = nil // of an attempt before
		for i, r := range results {
			if mailbox := all[i].Mailbox; already[mailbox] {
				r.Status = EmailAlready
			} else if r.Status == EmailAccepted {
				already[mailbox] = true // the second of two equal addresses
			}
			statuses = append(statuses, r.Status)
		}
		return nil
	})
	return to.results(statuses), err
}

// results joins the addresses of a request with their statuses.
func (i EmailInvitees) results(statuses []string) []EmailResult {
	all := make([]EmailResult, len(statuses))
	for n, status := range statuses {
		all[n] = EmailResult{i.Emails[n], status}
	}
	return all
}

// parseEmails returns the results and the invitations, both in the order of the addresses. The mailbox of an invalid address is zero.
func (s *Service) parseEmails(ctx context.Context, to EmailInvitees, id domain.EventID, by domain.UserID,
	now time.Time) ([]EmailResult, []EmailInvitation, error) {
	results, all := make([]EmailResult, len(to.Emails)), make([]EmailInvitation, len(to.Emails))
	for i, address := range to.Emails {
		results[i] = EmailResult{address, EmailInvalid}
		e, err := user.ParseEmail(address)
		if err != nil {
			continue
		}
		mailbox, err := s.Addresses.Mailbox(ctx, e)
		if err != nil {
			return nil, nil, err
		}
		results[i].Status = EmailAccepted
		all[i] = EmailInvitation{ID: domain.NewID[domain.InvitationKind](now), EventID: id, Mailbox: mailbox, InvitedBy: by, Email: &e,
			Message: to.Message, Status: access.Pending, CreatedAt: now}
	}
	return results, all, nil
}

// putEmails stores the invitations to mailboxes that were not invited before, and returns those that were. The row of the event
// serializes concurrent requests.
func (s *Service) putEmails(ctx context.Context, tx db.Tx, id domain.EventID, all []EmailInvitation, now time.Time) (
	map[domain.UserID]bool, error) {
	e, err := lockEvent(ctx, tx, id, now)
	if err != nil {
		return nil, err
	}
	if err := e.status.MustBe(access.Published); err != nil {
		return nil, err
	}
	var others int
	if err := tx.One(ctx, otherInvitationsStmt, id).Scan(&others); err != nil {
		return nil, err
	}
	mailboxes, err := db.Values[domain.UserID](ctx, tx, invitedMailboxesStmt, id)
	if err != nil {
		return nil, err
	}
	already, known := map[domain.UserID]bool{}, map[domain.UserID]bool{{}: true}
	for _, m := range mailboxes {
		already[m], known[m] = true, true
	}
	var fresh []EmailInvitation
	for _, one := range all {
		if !known[one.Mailbox] {
			known[one.Mailbox] = true
			fresh = append(fresh, one)
		}
	}
	if len(fresh) > 0 && others+len(mailboxes)+len(fresh) > maxInvitations {
		return nil, domain.Forbid(domain.InvitationLimit)
	}
	for _, one := range fresh {
		tx.Queue(ctx, putEmailStmt, one.ID, id, one.Mailbox, one.InvitedBy, s.Addresses.seal(*one.Email), one.Message, now)
	}
	s.OnEmailInvitations(ctx, tx, fresh)
	return already, nil
}

// EmailInvitations returns a page of the e-mail invitations to an event, newest first, limit of them (1 to 100), and the mails about
// all of them. Its errors are those of Participants.
func (s *Service) EmailInvitations(ctx context.Context, v domain.Viewer, id domain.EventID, limit int, cursor string) (
	page domain.Page[EmailInvitation], m Messages, err error) {
	before, err := beforeEmailInvitation(cursor)
	if err != nil {
		return page, m, err
	}
	all, err := listForHosts(ctx, s, v, id, s.scanEmail, listEmailsStmt, id, before, access.SessionUser(v))
	if err == nil {
		err = s.DB.One(ctx, emailMessagesStmt, id).Scan(&m.Sent, &m.Later)
	}
	return domain.NewPage(all, limit, func(last EmailInvitation) string {
		return domain.Cursor(emailInvitationsCursor, last.ID)
	}), m, err
}

const emailInvitationsCursor = "email-invitations.1"

func beforeEmailInvitation(cursor string) (before domain.InvitationID, err error) {
	before = domain.LastID[domain.InvitationKind]()
	if cursor != "" {
		err = domain.ReadCursor(cursor, emailInvitationsCursor, &before)
	}
	return before, err
}

// WithdrawEmail takes an e-mail invitation back: its link ends, and its mail is not sent any more. Who has accepted still attends.
// Returns NotFound if there is none, and the errors of Participants.
func (s *Service) WithdrawEmail(ctx context.Context, v domain.Viewer, id domain.EventID, invitation domain.InvitationID) error {
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		facts, err := access.Event(ctx, tx, v, id, s.Clock.Now())
		if err != nil {
			return err
		}
		if err := facts.MustHost(); err != nil {
			return err
		}
		n, err := tx.Exec(ctx, withdrawStmt, invitation, id)
		if err == nil && n == 0 {
			err = domain.NotFound
		}
		return err
	})
}

const emailColumns = `m.id, m.event_id, m.mailbox, m.invited_by, m.address, m.message, m.status, m.name, m.user_id, m.responded_at,
	m.created_at,
	NOT EXISTS (SELECT 1 FROM outreach o WHERE o.recipient_id = m.mailbox AND o.notification_id = m.id AND o.released_at IS NULL)`

// scanEmail opens the address.
func (s *Service) scanEmail(row db.Row, m *EmailInvitation) error { return s.scanEmailAnd(row, m) }

// scanEmailAnd is scanEmail with the scan targets of the columns after emailColumns.
func (s *Service) scanEmailAnd(row db.Row, m *EmailInvitation, more ...any) error {
	var sealed []byte
	err := row.Scan(append([]any{&m.ID, &m.EventID, &m.Mailbox, &m.InvitedBy, &sealed, &m.Message, &m.Status, &m.Name, &m.user, &m.RespondedAt,
		&m.CreatedAt, &m.Sent}, more...)...)
	if err == nil && len(sealed) > 0 {
		var e user.Email
		e, err = s.Addresses.open(sealed)
		m.Email = &e
	}
	return err
}

var (
	senderSinceStmt = db.SQL("attendance.sender_since", `SELECT created_at FROM users WHERE id = $1`)

	// otherInvitationsStmt counts the invitations of accounts that accepted no e-mail invitation.
	otherInvitationsStmt = db.SQL("attendance.other_invitations", `
		SELECT COUNT(*) FROM invitations i WHERE i.event_id = $1
			AND NOT EXISTS (SELECT 1 FROM email_invitations m WHERE m.event_id = $1 AND m.user_id = i.user_id)`)

	invitedMailboxesStmt = db.SQL("attendance.invited_mailboxes", `SELECT mailbox FROM email_invitations WHERE event_id = $1`)

	putEmailStmt = db.SQL("attendance.put_email_invitation", `
		INSERT INTO email_invitations (id, event_id, mailbox, invited_by, address, message, status, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, 'pending', $7)`)

	listEmailsStmt = db.SQL("attendance.email_invitations", `
		SELECT `+strings.NewReplacer("m.status", unlessHidden("m.user_id", "m.status", "'pending'"), "m.name",
		unlessHidden("m.user_id", "m.name", "NULL"), "m.responded_at", unlessHidden("m.user_id", "m.responded_at", "NULL")).Replace(
		emailColumns)+` FROM email_invitations m
		WHERE m.event_id = $1 AND m.id < $2 AND m.status <> '`+withdrawn+`' ORDER BY m.id DESC LIMIT 101`)

	emailMessagesStmt = db.SQL("attendance.email_messages", `
		SELECT n.total - n.later, n.later FROM (
			SELECT COUNT(*) AS total, COUNT(CASE WHEN EXISTS (SELECT 1 FROM outreach o WHERE o.recipient_id = m.mailbox
				AND o.notification_id = m.id AND o.released_at IS NULL) THEN 1 END) AS later
			FROM email_invitations m WHERE m.event_id = $1 AND m.status <> '`+withdrawn+`') AS n`)

	withdrawStmt = db.SQL("attendance.withdraw_email_invitation", `
		UPDATE email_invitations SET status = '`+withdrawn+`', address = NULL, message = NULL, name = NULL
		WHERE id = $1 AND event_id = $2 AND status <> '`+withdrawn+`'`)

	purgeEmailsStmt = db.SQL("attendance.purge_email_invitations", `
		DELETE FROM email_invitations WHERE id IN (
			SELECT m.id FROM email_invitations m JOIN events e ON e.id = m.event_id WHERE e.over_at < $1 ORDER BY m.id LIMIT `+
		strconv.Itoa(purgeBatch)+`)`)

	dueGuestsStmt = db.SQL("attendance.due_guests", `SELECT user_id FROM mail_guests WHERE delete_at <= $1 ORDER BY delete_at LIMIT 100`)

	endGuestStmt = db.SQL("attendance.end_guest", `DELETE FROM mail_guests WHERE user_id = $1`)
)

const (
	// invitationsEnd is how long after its end an event keeps its e-mail invitations and links.
	invitationsEnd = 7 * 24 * time.Hour
	purgeBatch     = 1000
)

// PurgeInvitations deletes the e-mail invitations, links and requests of events that ended more than 7 days ago. It calls remove for the
// accounts that answers have made, and in which nobody has signed in for 30 days after the event.
func (s *Service) PurgeInvitations(ctx context.Context, remove func(context.Context, domain.UserID) error) error {
	now := s.Clock.Now()
	for _, stmt := range []*db.Stmt{purgeEmailsStmt, purgeInviteLinksStmt, purgeRequestsStmt} {
		for n := int64(purgeBatch); n == purgeBatch; {
			var err error
			if n, err = s.DB.Exec(ctx, stmt, now.Add(-invitationsEnd)); err != nil {
				return err
			}
		}
	}
	for {
		due, err := db.Values[domain.UserID](ctx, s.DB, dueGuestsStmt, now)
		if err != nil || len(due) == 0 {
			return err
		}
		for _, id := range due {
			if err := remove(ctx, id); err != nil {
				return err
			}
		}
	}
}

// EndGuest keeps an account that an answer has made, because its owner has signed in.
func EndGuest(ctx context.Context, tx db.Tx, id domain.UserID) { tx.Queue(ctx, endGuestStmt, id) }
