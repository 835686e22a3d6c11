package payment

import (
	"context"
	"net/http"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// The values of Receipt.Result.
const (
	processed = "processed"
	ignored   = "ignored"
)

// Receipt is the response to a notice.
type Receipt struct {
	Provider, NoticeID string
	Result             string
	Duplicate          bool // the notice was received before
	IntentID           *domain.PaymentID
}

// Verify verifies the raw bytes of a delivery. It returns domain.NotFound for an
// unknown provider and while payments are disabled, and domain.Unauthorized for a
// wrong signature.
func (s *Service) Verify(provider string, h http.Header, body []byte) error {
	if !s.Enabled || provider != s.Provider.Name() {
		return domain.NotFound
	}
	return s.Provider.Verify(h, body, s.Clock.Now())
}

// Receive applies a verified delivery once: its effect and its id are stored in one
// transaction (contract §9). It returns domain.NotFound if the payment or account
// is unknown; then the id is not stored, so that a retry can succeed.
func (s *Service) Receive(ctx context.Context, h http.Header, body []byte) (r Receipt, err error) {
	n, err := s.Provider.Read(h, body)
	if err != nil {
		return Receipt{}, err
	}
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		r = Receipt{Provider: s.Provider.Name(), NoticeID: n.ID, Result: ignored}
		first, err := r.insert(ctx, tx, n.Type, now)
		if err != nil || !first {
			return err
		}
		if err := s.apply(ctx, tx, n, &r, now); err != nil {
			return err
		}
		tx.Queue(ctx, finishNoticeStmt, r.Provider, r.NoticeID, r.Result, r.IntentID)
		return nil
	})
	return r, err
}

// apply applies a notice and ignores unknown types.
func (s *Service) apply(ctx context.Context, tx db.Tx, n Notice, r *Receipt, now time.Time) error {
	if to, ok := intentNotices[n.Type]; ok {
		return s.applyToIntent(ctx, tx, n.About, to, r, now)
	}
	if status, ok := profileNotices[n.Type]; ok {
		return s.applyToProfile(ctx, tx, n, status, r, now)
	}
	return nil
}

// applyToIntent changes the status of the intent with the provider's payment id.
func (s *Service) applyToIntent(ctx context.Context, tx db.Tx, id string, to Status, r *Receipt, now time.Time) error {
	before, err := lockIntent(ctx, tx, s.Provider.Name(), id)
	if err != nil {
		return err
	}
	i, changed := before.withStatus(to, now)
	r.IntentID = &i.ID
	saveIntent(ctx, tx, i)
	if !changed {
		return nil
	}
	r.Result = processed
	return notifyOutcome(ctx, tx, i, now)
}

// applyToProfile changes the status of an organizer.
func (s *Service) applyToProfile(ctx context.Context, tx db.Tx, n Notice, status ProfileStatus, r *Receipt, now time.Time) error {
	user, err := domain.ParseID[domain.UserKind](n.About)
	if err != nil {
		return domain.NotFound
	}
	before, err := lockProfile(ctx, tx, user, s.Provider.Name(), now)
	if err != nil {
		return err
	}
	r.Result = processed
	saveProfile(ctx, tx, before.withStatus(status, n.Reason, now))
	return nil
}

// notifyOutcome notifies the payer, and on success the organizer (contract §8).
func notifyOutcome(ctx context.Context, tx db.Tx, i Intent, now time.Time) error {
	if i.UserID == nil || i.Status == Expired {
		return nil
	}
	n := notify.Notification{To: *i.UserID, Kind: notify.PaymentCanceled, Subject: i.ID.String(), Event: i.EventID}
	if i.Status == Succeeded {
		n.Kind = notify.PaymentSucceeded
	}
	if err := notify.Put(ctx, tx, now, n); err != nil || i.Status != Succeeded {
		return err
	}
	if err := tx.One(ctx, organizerStmt, i.EventID).Scan(&n.To); err != nil {
		return err
	}
	n.Actor = *i.UserID
	return notify.Put(ctx, tx, now, n)
}

var (
	insertNoticeStmt = db.SQL("payment.insert_notice", `
		INSERT INTO payment_notices (provider, provider_event_id, type, result, received_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (provider, provider_event_id) DO NOTHING`)

	noticeStmt = db.SQL("payment.notice", `SELECT intent_id FROM payment_notices WHERE provider = $1 AND provider_event_id = $2`)

	finishNoticeStmt = db.SQL("payment.finish_notice", `
		UPDATE payment_notices SET result = $3, intent_id = $4 WHERE provider = $1 AND provider_event_id = $2`)
)

// insert stores a notice. first is false if it was received before. Of concurrent
// deliveries of a notice one is first; the others wait for its transaction.
func (r *Receipt) insert(ctx context.Context, tx db.Tx, kind string, now time.Time) (first bool, err error) {
	n, err := tx.Exec(ctx, insertNoticeStmt, r.Provider, r.NoticeID, kind, r.Result, now)
	if err != nil || n == 1 {
		return n == 1, err
	}
	r.Duplicate = true
	return false, tx.One(ctx, noticeStmt, r.Provider, r.NoticeID).Scan(&r.IntentID)
}
