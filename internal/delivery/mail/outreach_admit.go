package mail

import (
	"context"
	"encoding/hex"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Messages to people who do not know their sender are counted once more when they are due: for the recipient,
// and for the sender, because messages that were released at different times may be due together.

const (
	// pastBudget is the pause of a message whose sender has sent too many.
	pastBudget = time.Hour

	overReceived = "enough messages from people whom the recipient does not know"
)

var (
	receivedStmt = db.SQL("mail.received", `
		SELECT EXISTS (SELECT 1 FROM outreach o WHERE o.recipient_id = $1 AND o.notification_id = $2 AND o.about_at = $3
			AND o.sent_at IS NOT NULL),
			(SELECT COUNT(*) FROM outreach o WHERE o.recipient_id IN ($1, $7) AND o.instant AND o.sent_at > $5),
			(SELECT COUNT(*) FROM outreach o WHERE o.sender_id = $4 AND o.sent_at > $6),
			EXISTS (SELECT 1 FROM outreach_senders s WHERE s.user_id = $4 AND s.stopped_at IS NOT NULL)`)

	admitStmt = db.SQL("mail.admit", `
		INSERT INTO outreach (recipient_id, notification_id, about_at, sender_id, kind, event_id, released_at, weight, sent_at, instant, mail_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $7, $8, $9)
		ON CONFLICT (recipient_id, notification_id, about_at) DO UPDATE SET released_at = COALESCE(outreach.released_at, excluded.released_at),
			sent_at = COALESCE(outreach.sent_at, excluded.sent_at), instant = outreach.instant OR excluded.instant,
			mail_id = COALESCE(excluded.mail_id, outreach.mail_id)`)
)

// admit decides about a due message, or an item of a digest, and counts it if it may be sent now. mail is the
// delivery that contains it. admit decides only about outreach; everything else is admitted.
func (w *Worker) admit(ctx context.Context, one delivery, mail key, f candidate, now time.Time) (a admission, err error) {
	p := policyOf[one.kind]
	if !p.always && (!f.stranger || !p.outreach && one.kind != AppointmentKind) {
		return admitted, nil
	}
	same, err := w.mailboxOf(ctx, f.email)
	if err != nil {
		return later, err
	}
	if same.IsZero() {
		same = one.user
	}
	return w.count(ctx, one, mail, same, *f.sender, f.eventID, now)
}

// count is admit for a message of a sender. same is another id of the recipient, whose messages count, too.
func (w *Worker) count(ctx context.Context, one delivery, mail key, same, sender domain.UserID, event *domain.EventID, now time.Time) (
	a admission, err error) {
	var mailID *domain.ID[any]
	if mail.channel == Email {
		mailID = new(mail.mailID())
	}
	instant := mail == one.key
	err = w.DB.InTx(ctx, func(tx db.Tx) error {
		for _, recipient := range []domain.UserID{one.user, same} {
			lockRecipient(ctx, tx, recipient)
		}
		user.Lock(ctx, tx, sender)
		var r received
		err := tx.One(ctx, receivedStmt, one.user, one.notification, one.about, sender, now.Add(-outreachDay), now.Add(-time.Hour), same).
			Scan(&r.sent, &r.today, &r.lastHour, &r.stopped)
		if err != nil {
			return err
		}
		if a = r.admit(instant); a == admitted {
			tx.Queue(ctx, admitStmt, one.user, one.notification, one.about, sender, one.kind, event, now, instant, mailID)
		}
		return nil
	})
	return a, err
}

// mailID returns the id of the message as an id of the database.
func (k key) mailID() (id domain.ID[any]) {
	_, _ = hex.Decode(id[:], []byte(k.id()))
	return id
}
