package mail

import (
	"context"
	"errors"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
	"moothall/internal/platform/db"
)

// EmailInvitationKind is the kind of the mail that invites an address, whether it has an account or not. Its recipient is the id of
// the mailbox: so the budgets, the answers and the numbers that a sender sees are the same for both.
const EmailInvitationKind notify.Kind = "email_invitation"

var (
	// planInvitationsStmt has the arguments of releasedRows.
	planInvitationsStmt = db.SQL("mail.plan_invitations", `
		INSERT INTO deliveries (user_id, notification_id, about_at, channel, target, kind, state, due_at, expires_at, attempts, trace)
		SELECT o.recipient_id, o.notification_id, o.about_at, 'email', o.recipient_id, o.kind, 'waiting', o.about_at + CAST($1 AS BIGINT),
			e.starts_at, 0, o.trace
		FROM outreach o JOIN events e ON e.id = o.event_id
		WHERE o.sender_id = $2 AND o.released_at = $3 AND o.kind = 'email_invitation'
		ON CONFLICT (user_id, notification_id, about_at, channel, target) DO NOTHING`)

	queueInvitationStmt = db.SQL("mail.queue_invitation", `
		INSERT INTO outreach (recipient_id, notification_id, about_at, sender_id, kind, event_id, weight, instant)
		VALUES ($1, $2, $3, $4, 'email_invitation', $5, 1, FALSE)`)

	queueSenderStmt = db.SQL("mail.queue_sender", `
		INSERT INTO outreach_senders (user_id, next_at) VALUES ($1, $2)
		ON CONFLICT (user_id) DO UPDATE SET next_at = excluded.next_at WHERE outreach_senders.next_at IS NULL
			AND outreach_senders.stopped_at IS NULL`)

	// invitedStmt reads what a recipient $1 wants from a sender $2. $3 is the account of the address, and $4 the invitation.
	invitedStmt = db.SQL("mail.invited", `
		SELECT EXISTS (SELECT 1 FROM email_bounces b WHERE b.user_id IN ($1, $3) AND b.suppressed_at IS NOT NULL)
			OR EXISTS (SELECT 1 FROM outreach_refusals f WHERE f.recipient_id = $1 AND f.sender_id = $2),
			EXISTS (SELECT 1 FROM notification_rules r WHERE r.user_id = $3 AND r.kind = 'event_invitation' AND r.channel = 'email'
				AND r.mode = 'off'),
			EXISTS (SELECT 1 FROM users u WHERE u.id = $3 AND NOT (`+strangerSQL("u.id", "$2")+`))
			OR EXISTS (SELECT 1 FROM email_invitations m WHERE m.mailbox = $1 AND m.invited_by = $2 AND m.id <> $4
				AND m.status IN ('accepted', 'tentative'))`)

	senderLanguageStmt = db.SQL("mail.invitation_language", `
		SELECT s.language, s.locale, s.timezone FROM notification_settings s WHERE s.user_id = $1`)

	lockMailboxStmt = db.SQL("mail.lock_mailbox", `SELECT 1 FROM email_invitations WHERE mailbox = $1 ORDER BY id FOR UPDATE`)
)

// OnEmailInvitations queues the mails of new invitations. The service calls it in the transaction that stores them.
func (w *Worker) OnEmailInvitations(ctx context.Context, tx db.Tx, all []attendance.EmailInvitation) {
	for _, one := range all {
		tx.Queue(ctx, queueInvitationStmt, one.Mailbox, one.ID, one.CreatedAt, one.InvitedBy, one.EventID)
	}
	if len(all) > 0 {
		tx.Queue(ctx, queueSenderStmt, all[0].InvitedBy, all[0].CreatedAt)
		tx.Publish(notify.OutboxTopic)
	}
}

// lockRecipient locks an account, or the invitations of a mailbox. The transaction fails with domain.NotFound if there is none.
func lockRecipient(ctx context.Context, tx db.Tx, id domain.UserID) {
	if attendance.IsMailbox(id) {
		tx.Lock(ctx, lockMailboxStmt, domain.ID[any](id))
		return
	}
	user.Lock(ctx, tx, id)
}

// mailboxOf returns the mailbox of an address; zero if there is none.
func (w *Worker) mailboxOf(ctx context.Context, address *string) (id domain.UserID, err error) {
	if address == nil || w.Attendance == nil {
		return id, nil
	}
	e, err := user.ParseEmail(*address)
	if err != nil {
		return id, nil //nolint:nilerr // it gets no mails
	}
	return w.Attendance.Addresses.Mailbox(ctx, e)
}

// processInvitation sends an e-mail invitation, if it is still wanted and allowed:
//
//	Facts                                              What happens
//	it was answered or withdrawn, its link has ended   skipped
//	the address is suppressed, refuses the sender      skipped
//	the account of the address switched it off         skipped
//	beyond a budget of the sender or the recipient     due after pastBudget
//	all others                                         sent
func (s *scheduler) processInvitation(ctx context.Context, one delivery, now time.Time) result {
	i, err := s.Attendance.EmailInvitation(ctx, domain.InvitationID(one.notification))
	if errors.Is(err, domain.NotFound) || err == nil && (i.Status != access.Pending || i.Mailbox != one.user) {
		return s.end(ctx, one, skipped, "the invitation has ended", now)
	}
	var unwanted, off, known bool
	l, tag := notify.Language{}, defaultLanguage
	if err == nil {
		l, tag, err = s.invitationLanguage(ctx, i)
	}
	if err == nil {
		err = s.DB.One(ctx, invitedStmt, i.Mailbox, i.InvitedBy, i.Account(), i.ID).Scan(&unwanted, &off, &known)
	}
	if err != nil {
		s.Logger.ErrorContext(ctx, "cannot read an invitation to deliver", "error", err)
		return one.retry("cannot read the invitation", now.Add(retryAfter(one.attempts)))
	}
	switch {
	case unwanted:
		return s.end(ctx, one, skipped, "the address is suppressed, or refuses the sender", now)
	case off:
		return s.end(ctx, one, skipped, "switched off", now)
	}
	if !known {
		same := i.Mailbox
		if i.Account() != nil {
			same = *i.Account()
		}
		a, err := s.count(ctx, one, one.key, same, i.InvitedBy, &i.EventID, now)
		switch {
		case errors.Is(err, domain.NotFound):
			return s.end(ctx, one, skipped, accountGone, now)
		case err != nil:
			s.Logger.ErrorContext(ctx, "cannot count a message", "channel", one.channel, "error", err)
			return one.retry("cannot count the message", now.Add(retryAfter(one.attempts)))
		case a != admitted:
			return one.postpone("beyond a budget", now.Add(pastBudget))
		}
	}
	item := l.Invitation(notify.InvitationText{Title: i.Title, Host: i.Host, StartsAt: i.StartsAt, Timezone: i.Timezone, City: i.City,
		Message: i.Message, Email: attendance.Mask(*i.Email), Known: known})
	address := i.Email.Address
	m := Message{Items: []notify.Item{item}, Answer: s.Attendance.Addresses.Token(i.ID)}
	return s.send(ctx, one, candidate{email: &address, settings: settings{language: &tag}}, m, now)
}

// invitationLanguage returns the language of the account of the address, else that of the sender.
func (s *scheduler) invitationLanguage(ctx context.Context, i attendance.InvitedEvent) (notify.Language, string, error) {
	of := i.InvitedBy
	if i.Account() != nil {
		of = *i.Account()
	}
	var chosen settings
	_, err := s.DB.One(ctx, senderLanguageStmt, of).Find(&chosen.language, &chosen.locale, &chosen.timezone)
	chosen.timezone = nil // the time of the event
	return chosen.reader(), chosen.languageTag(), err
}
