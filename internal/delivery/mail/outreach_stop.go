package mail

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Stops stops the outreach of senders about whom recipients complain, or whose mails come back.
type Stops struct {
	// OnStop asks the moderators to look at a sender. They resume the outreach by Resume.
	OnStop func(ctx context.Context, tx db.Tx, sender domain.UserID, now time.Time) error
}

var (
	outcomeStmt = db.SQL("mail.outcome", `
		UPDATE outreach SET outcome = $3, weight = CASE WHEN $3 = 'bounced' THEN 2 ELSE weight END
		WHERE recipient_id = $1 AND mail_id = $2 AND outcome IS NULL RETURNING sender_id`)

	lastOutcomesStmt = db.SQL("mail.last_outcomes", `
		SELECT COALESCE(o.outcome, '') FROM outreach o
		WHERE o.sender_id = $1 AND o.mail_id IS NOT NULL AND o.sent_at > `+resumedSQL+` ORDER BY o.sent_at DESC LIMIT 50`)

	complaintsStmt = db.SQL("mail.complaints", `
		SELECT COUNT(*) FROM outreach o WHERE o.sender_id = $1 AND o.outcome = 'complained' AND o.sent_at > `+resumedSQL)

	stopStmt = db.SQL("mail.stop_sender", `
		INSERT INTO outreach_senders (user_id, stopped_at) VALUES ($1, $2)
		ON CONFLICT (user_id) DO UPDATE SET stopped_at = excluded.stopped_at, next_at = NULL WHERE outreach_senders.stopped_at IS NULL`)

	resumeStmt = db.SQL("mail.resume_sender", `
		UPDATE outreach_senders SET stopped_at = NULL, resumed_at = $2, next_at = $2 WHERE user_id = $1 AND stopped_at IS NOT NULL`)
)

const resumedSQL = `COALESCE((SELECT s.resumed_at FROM outreach_senders s WHERE s.user_id = $1), 0)`

// recordOutcome records that a mail came back, or that its recipient complains, and stops the senders of its
// outreach who must not go on. The transaction must have locked the account of the recipient.
func (s Stops) recordOutcome(ctx context.Context, tx db.Tx, mail key, o outcome, now time.Time) error {
	senders, err := db.Values[domain.UserID](ctx, tx, outcomeStmt, mail.user, mail.mailID(), o)
	if err != nil {
		return err
	}
	for _, sender := range senders {
		if err := s.judge(ctx, tx, sender, now); err != nil {
			return err
		}
	}
	return nil
}

// judge stops a sender who must not go on.
func (s Stops) judge(ctx context.Context, tx db.Tx, sender domain.UserID, now time.Time) error {
	last, err := db.Values[outcome](ctx, tx, lastOutcomesStmt, sender)
	if err != nil {
		return err
	}
	var complaints int
	if err := tx.One(ctx, complaintsStmt, sender).Scan(&complaints); err != nil || !mustStop(last, complaints) {
		return err
	}
	stopped, err := tx.Exec(ctx, stopStmt, sender, now)
	if err != nil || stopped == 0 || s.OnStop == nil {
		return err
	}
	return s.OnStop(ctx, tx, sender, now)
}

// Resume lets the outreach of a sender go on, if it was stopped. Complaints and bounces of before no longer
// count.
func Resume(ctx context.Context, tx db.Tx, sender domain.UserID, now time.Time) {
	tx.Queue(ctx, resumeStmt, sender, now)
}
