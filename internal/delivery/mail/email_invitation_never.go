package mail

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var (
	suppressStmt = db.SQL("mail.suppress", `
		INSERT INTO email_bounces (user_id, soft_bounces, first_at, last_at, suppressed_at) VALUES ($1, 0, $2, $2, $2)
		ON CONFLICT (user_id) DO UPDATE SET suppressed_at = COALESCE(email_bounces.suppressed_at, excluded.suppressed_at)`)

	refuseStmt = db.SQL("mail.refuse", `
		INSERT INTO outreach_refusals (recipient_id, sender_id, created_at) VALUES ($1, $2, $3) ON CONFLICT (recipient_id, sender_id) DO NOTHING`)

	complainStmt = db.SQL("mail.complain", `
		UPDATE outreach SET outcome = 'complained' WHERE recipient_id = $1 AND notification_id = $2 AND sender_id = $3
			AND sent_at IS NOT NULL AND outcome IS NULL`)
)

// suppress ends all e-mail invitations to a mailbox. Only the id of the mailbox is stored.
func suppress(ctx context.Context, tx db.Tx, mailbox domain.UserID, now time.Time) {
	tx.Queue(ctx, suppressStmt, mailbox, now)
}

// Refusal is what the recipient of an e-mail invitation can do besides answering it.
type Refusal string

// The refusals.
const (
	NeverFromHost Refusal = "never"  // no more mails of this sender
	NeverAgain    Refusal = "nobody" // no more invitations from anybody
	Report        Refusal = "report" // NeverFromHost, and a complaint
)

// Refuse stores a refusal of the recipient of a token. It returns domain.NotFound for a forged token. The link may have ended.
func (s *Service) Refuse(ctx context.Context, token string, r Refusal) error {
	i, err := s.Attendance.RecipientOf(ctx, token)
	if err != nil {
		return err
	}
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		lockRecipient(ctx, tx, i.Mailbox)
		if r == NeverAgain {
			suppress(ctx, tx, i.Mailbox, now)
			return nil
		}
		tx.Queue(ctx, refuseStmt, i.Mailbox, i.InvitedBy, now)
		if r != Report {
			return nil
		}
		counted, err := tx.Exec(ctx, complainStmt, i.Mailbox, i.ID, i.InvitedBy)
		if err != nil || counted == 0 {
			return err
		}
		return s.Stops.judge(ctx, tx, i.InvitedBy, now)
	})
}
