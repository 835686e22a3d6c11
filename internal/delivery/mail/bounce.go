package mail

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
	"moothall/internal/platform/db"
	"moothall/internal/platform/smtp"
)

// Bounces handles mails about mails that the service has sent: those that could not be
// delivered, and complaints.
type Bounces struct {
	DB    *db.DB
	Clock domain.Clock
	Paths ReturnPaths
	Stops Stops
}

// Receive handles a mail that has arrived at an address: a return path, or the address to which
// mailbox providers send complaints. It returns the action taken as one line for the log of the
// mail server. After an error the mail server should try again.
func (b *Bounces) Receive(ctx context.Context, address string, source io.Reader) (string, error) {
	report, err := smtp.ReadReport(source)
	if err != nil {
		return "ignored: not a mail", nil //nolint:nilerr // a retry would fail, too
	}
	of, ok := b.Paths.parse(address)
	if !ok && report.Complaint {
		of, ok = b.Paths.parse(report.Sender)
	}
	if !ok {
		return "ignored: not a return path of this service", nil
	}
	return b.record(ctx, of, report, false)
}

// record applies a report about a delivery and returns the action taken. With byAddress, the report
// also counts for the address of the user if the delivery is not stored.
func (b *Bounces) record(ctx context.Context, of deliveryRef, report smtp.Report, byAddress bool) (string, error) {
	switch {
	case report.Complaint:
		return "complaint", inTx(ctx, b.DB, of.user, func(tx db.Tx) error {
			mailed, current, err := find(ctx, tx, of)
			if err == nil && current != "" {
				err = b.Stops.recordOutcome(ctx, tx, mailed, mailComplained, b.Clock.Now())
			}
			if attendance.IsMailbox(of.user) {
				suppress(ctx, tx, of.user, b.Clock.Now())
				return err
			}
			return errors.Join(err, stopOptional(ctx, tx, of.user))
		})
	case !report.Failed:
		return "ignored: reports no failure", nil
	}
	const ignored = "ignored: reported before, or too old"
	result := ignored
	err := inTx(ctx, b.DB, of.user, func(tx db.Tx) error {
		result = ignored // the function may run again
		mailed, current, err := find(ctx, tx, of)
		if err != nil || current == failed || current == "" && !byAddress {
			return err
		}
		now, reason := b.Clock.Now(), strings.TrimSpace("bounce "+report.Status)
		if current != "" {
			tx.Queue(ctx, bounceStmt, append(mailed.args(), reason, now)...)
		}
		if current != "" && severityOf(report.Status) != noFault {
			if err := b.Stops.recordOutcome(ctx, tx, mailed, mailBounced, now); err != nil {
				return err
			}
		}
		result = "not delivered: " + reason
		return recordBounce(ctx, tx, of.user, report.Status, now)
	})
	return result, err
}

// inTx runs a transaction that changes a recipient. It does nothing if the account is gone.
func inTx(ctx context.Context, d *db.DB, id domain.UserID, change func(tx db.Tx) error) error {
	err := d.InTx(ctx, func(tx db.Tx) error {
		lockRecipient(ctx, tx, id)
		return change(tx)
	})
	if errors.Is(err, domain.NotFound) {
		return nil
	}
	return err
}

// stopOptional switches off all e-mails to a user except prompt kinds.
func stopOptional(ctx context.Context, tx db.Tx, user domain.UserID) error {
	p, err := readPreferences(ctx, tx, user)
	if err != nil {
		return err
	}
	for _, policy := range policies {
		if !policy.prompt && p.mode(policy.kind, Email) != Off {
			savePreference(ctx, tx, user, Preference{policy.kind, Email, Off})
		}
	}
	return nil
}

// find returns a delivery and its state: sent, failed, or about to be recorded as sent. The state
// is empty if no such delivery is stored.
func find(ctx context.Context, tx db.Tx, of deliveryRef) (found key, current state, err error) {
	type row struct {
		key
		current state
	}
	all, err := db.All(ctx, tx, func(r db.Row, one *row) error { return r.Scan(append(one.dest(), &one.current)...) }, mailedStmt, of.user,
		Email)
	for _, one := range all {
		if one.ref() == of {
			return one.key, one.current, err
		}
	}
	return found, "", err
}

var (
	mailedStmt = db.SQL("mail.mailed", `
		SELECT `+keyColumns+`, state FROM deliveries
		WHERE user_id = $1 AND channel = $2 AND state IN ('waiting', 'sending', 'sent', 'failed')`)

	bounceStmt = db.SQL("mail.bounce", `
		UPDATE deliveries SET state = 'failed', reason = $6, ended_at = $7, lease = NULL WHERE `+keySQL)
)

// severity is how much a failure counts against the address.
type severity int

const (
	noFault severity = iota // the failure is not the fault of the address
	soft                    // may end, such as a full mailbox
	hard                    // there is no such mailbox
)

// severityOf judges an enhanced status code (RFC 3463).
func severityOf(status string) severity {
	class, detail, _ := strings.Cut(status, ".")
	subject, _, _ := strings.Cut(detail, ".")
	switch {
	case status == "5.1.7", status == "5.1.8": // the address of the sender
		return noFault
	case class == "5" && subject == "1", status == "5.2.1": // 5.2.1: disabled
		return hard
	case subject == "2", class == "4" && subject != "7": // 7 is the policy of the receiver
		return soft
	}
	return noFault
}

const (
	// softBounces is how many soft bounces within softWithin suppress an address.
	softBounces = 3
	softWithin  = 7 * 24 * time.Hour
	// softEvery is the shortest time between two soft bounces that count.
	softEvery = 24 * time.Hour
)

// bounces are the stored bounces of the address of a user.
type bounces struct {
	soft            int // at most one in softEvery
	firstAt, lastAt time.Time
	suppressedAt    *time.Time
}

// after returns the state after one more bounce.
func (b bounces) after(s severity, now time.Time) bounces {
	if s == soft {
		switch {
		case b.soft == 0 || now.Sub(b.firstAt) > softWithin:
			b.soft, b.firstAt, b.lastAt = 1, now, now
		case now.Sub(b.lastAt) >= softEvery:
			b.soft, b.lastAt = b.soft+1, now
		}
	}
	if b.suppressedAt == nil && (s == hard || b.soft >= softBounces) {
		b.suppressedAt = &now
	}
	return b
}

// recordBounce counts a bounce, and suppresses the address when the limit is reached. The
// transaction must have locked the account.
func recordBounce(ctx context.Context, tx db.Tx, user domain.UserID, status string, now time.Time) error {
	s := severityOf(status)
	if s == noFault {
		return nil
	}
	was := bounces{firstAt: now, lastAt: now}
	if _, err := tx.One(ctx, bouncesStmt, user).Find(&was.soft, &was.firstAt, &was.lastAt, &was.suppressedAt); err != nil {
		return err
	}
	is := was.after(s, now)
	tx.Queue(ctx, saveBouncesStmt, user, is.soft, is.firstAt, is.lastAt, is.suppressedAt)
	if was.suppressedAt == nil && is.suppressedAt != nil && !attendance.IsMailbox(user) {
		return notify.Put(ctx, tx, now, notify.Notification{To: user, Kind: notify.EmailSuppressed, Subject: user.String()})
	}
	return nil
}

// countRefusal counts a refusal against the address, if its status code blames the address.
func (w *Worker) countRefusal(ctx context.Context, of key, err error, now time.Time) {
	var refused *smtp.RefusalError
	if !errors.As(err, &refused) || severityOf(refused.Status) == noFault {
		return
	}
	err = inTx(ctx, w.DB, of.user, func(tx db.Tx) error {
		if err := w.Stops.recordOutcome(ctx, tx, of, mailBounced, now); err != nil {
			return err
		}
		return recordBounce(ctx, tx, of.user, refused.Status, now)
	})
	if err != nil {
		w.Logger.ErrorContext(ctx, "cannot count a refusal", "error", err)
	}
}

// suppressedSQL is the time since when the address of a user u is suppressed; NULL if it is not.
const suppressedSQL = `(SELECT b.suppressed_at FROM email_bounces b WHERE b.user_id = u.id)`

// EndSuppression lets the address of a user receive e-mails again. Call it when the user has proved
// to read them.
func EndSuppression(ctx context.Context, tx db.Tx, user domain.UserID) {
	tx.Queue(ctx, eraseBouncesStmt, user)
}

var (
	bouncesStmt = db.SQL("mail.bounces", `SELECT soft_bounces, first_at, last_at, suppressed_at FROM email_bounces WHERE user_id = $1`)

	saveBouncesStmt = db.SQL("mail.save_bounces", `
		INSERT INTO email_bounces (user_id, soft_bounces, first_at, last_at, suppressed_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (user_id) DO UPDATE SET soft_bounces = excluded.soft_bounces, first_at = excluded.first_at,
			last_at = excluded.last_at, suppressed_at = excluded.suppressed_at`)

	eraseBouncesStmt = db.SQL("mail.erase_bounces", `DELETE FROM email_bounces WHERE user_id = $1`)
)
