package webhook

import (
	"context"
	"encoding/base64"
	"errors"
	"net/url"
	"slices"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/courier"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/observe"
	"moothall/internal/platform/outbound"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/platform/seal"
)

// Service implements the use cases of webhooks.
type Service struct {
	DB       *db.DB
	Clock    domain.Clock
	Keys     seal.Keys // of the secrets
	Own      []string  // hosts of the service itself; webhooks must not have their URLs
	Loopback bool      // allow http URLs of loopback addresses; for development
	Limits   *ratelimit.Limits
}

const (
	maxWebhooks = 20             // of a user
	rotation    = 24 * time.Hour // time in which the old secret signs, too
)

// Status is the status of a webhook.
type Status string

// The values of Status.
const (
	Active   Status = "active"
	Paused   Status = "paused"
	Pending  Status = "pending"  // active, but the server has not answered the challenge; not stored
	Disabled Status = "disabled" // by the service
)

// Webhook is an endpoint of a user.
type Webhook struct {
	ID               domain.WebhookID `json:"id"`
	URL              string           `json:"url"`
	Kinds            []Kind           `json:"kinds"`
	EventID          *domain.EventID  `json:"event_id"`
	IncludeIncognito bool             `json:"include_incognito"`
	Status           Status           `json:"status"`
	FailingSince     *time.Time       `json:"failing_since"`
	CreatedAt        time.Time        `json:"created_at"`

	APIKeyID *domain.APIKeyID `json:"api_key_id,omitempty"` // that created it; nil: a session

	pending bool // the server has not answered the challenge
}

// ShownStatus returns the status as its user sees it.
func (w Webhook) ShownStatus() Status {
	if w.pending && w.Status == Active {
		return Pending
	}
	return w.Status
}

// withSeed is the stored result of Create. The secret needs the seed and the key of the service.
type withSeed struct {
	Webhook
	Seed []byte `json:"seed"`
}

// purpose separates this use of the key of the service from others.
const purpose = "webhook"

// secret returns the secret of a seed, in the form of Standard Webhooks.
func secret(keys seal.Keys, seed []byte) (string, error) {
	raw, err := keys.Secret(purpose, seed)
	return "whsec_" + base64.StdEncoding.EncodeToString(raw), err
}

// Update is a change of a webhook. Absent fields are nil.
type Update struct {
	URL              *string
	Kinds            []Kind
	IncludeIncognito *bool
	Status           *Status
}

// clean normalizes the URL, and returns an error that lists all invalid fields.
func (s *Service) clean(address *string, list []Kind) error {
	var wrong domain.Problems
	if address != nil {
		u, err := s.parseURL(*address)
		if err != nil {
			wrong.Add("/url", err.Error())
		} else {
			*address = u.String()
		}
	}
	for i, k := range list {
		if slices.Contains(list[:i], k) {
			wrong.Add("/kinds", "must not contain a kind twice")
			break
		}
	}
	return wrong.Err()
}

var errOwn = errors.New("must not be an address of this service")

func (s *Service) parseURL(raw string) (*url.URL, error) {
	if s.Loopback {
		if u, err := url.Parse(raw); err == nil && courier.IsLoopback(u) {
			return u, nil
		}
	}
	u, err := outbound.ParseURL(raw)
	if err == nil && slices.Contains(s.Own, u.Hostname()) {
		err = errOwn
	}
	return u, err
}

// Create creates a webhook of the viewer, notifies them and returns its secret. It returns
// domain.NotFound if w.EventID is an event that the viewer does not organize.
func (s *Service) Create(ctx context.Context, v domain.Viewer, w Webhook) (Webhook, string, error) {
	if err := s.clean(&w.URL, w.Kinds); err != nil {
		return Webhook{}, "", err
	}
	now := s.Clock.Now()
	w.ID, w.Status, w.CreatedAt, w.APIKeyID = domain.NewID[domain.WebhookKind](now), Active, now, keyID(v)
	c := withSeed{w, s.Keys.New(purpose)}
	if err := s.Limits.Spend(ctx, ChallengesPerUserDay, v.UserID.String()); err != nil {
		return Webhook{}, "", err
	}
	err := idempotency.InTx(ctx, s.DB, now, &c, func(tx db.Tx) error {
		var count int
		var own bool
		if err := tx.One(ctx, countStmt, v.UserID, w.EventID).Scan(&count, &own); err != nil {
			return err
		}
		switch {
		case !own:
			return domain.NotFound
		case count >= maxWebhooks:
			return domain.Forbid(domain.BlockedByState)
		}
		if err := mayReceive(v, c.Webhook); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, insertStmt, c.ID, v.UserID, c.URL, bitsOf(c.Kinds), c.EventID, c.IncludeIncognito, c.Seed, now,
			c.APIKeyID); err != nil {
			return err
		}
		queueChallenge(ctx, tx, c.ID, now)
		return notifyAdded(ctx, tx, now, v, c.ID)
	})
	if err != nil {
		s.Limits.Refund(ctx, ChallengesPerUserDay, v.UserID.String())
		return Webhook{}, "", err
	}
	c.pending = true
	text, err := secret(s.Keys, c.Seed)
	return c.Webhook, text, err
}

// List returns the viewer's webhooks, the oldest first.
func (s *Service) List(ctx context.Context, v domain.Viewer) ([]Webhook, error) {
	return list(ctx, s.DB, v.UserID)
}

func list(ctx context.Context, q db.Querier, user domain.UserID) ([]Webhook, error) {
	return db.All(ctx, q, func(r db.Row, w *Webhook) error { return w.scan(r.Scan) }, listStmt, user)
}

func (w *Webhook) scan(scan func(dest ...any) error) error {
	var bits int64
	err := scan(&w.ID, &w.URL, &bits, &w.EventID, &w.IncludeIncognito, &w.Status, &w.FailingSince, &w.CreatedAt, &w.pending, &w.APIKeyID)
	w.Kinds = kindsOf(bits)
	return err
}

func found(r db.Row) (w Webhook, err error) {
	err = w.scan(func(dest ...any) error { return r.ScanOr(domain.NotFound, dest...) })
	return w, err
}

// Get returns one of the viewer's webhooks, or domain.NotFound.
func (s *Service) Get(ctx context.Context, v domain.Viewer, id domain.WebhookID) (Webhook, error) {
	return found(s.DB.One(ctx, getStmt, id, v.UserID))
}

// Update changes one of the viewer's webhooks. It returns domain.NotFound for any other. The status
// paused drops its queued messages; the status active resets its failures. A new URL makes the
// webhook pending. While it is pending, the status active sends the challenge again.
func (s *Service) Update(ctx context.Context, v domain.Viewer, id domain.WebhookID, u Update) (w Webhook, err error) {
	if err := s.clean(u.URL, u.Kinds); err != nil {
		return w, err
	}
	var bits *int64
	if u.Kinds != nil {
		bits = new(bitsOf(u.Kinds))
	}
	moves, challenges, err := s.compare(ctx, v, id, u)
	if err != nil {
		return w, err
	}
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		w, err = found(tx.One(ctx, updateStmt, id, v.UserID, u.URL, bits, u.IncludeIncognito, u.Status))
		if err == nil {
			err = mayReceive(v, w)
		}
		if err != nil {
			return err
		}
		now := s.Clock.Now()
		if challenges {
			tx.Queue(ctx, dropChallengeStmt, id)
			queueChallenge(ctx, tx, id, now)
		}
		if u.Status != nil && *u.Status == Paused {
			tx.Queue(ctx, dropStmt, id)
		}
		if moves {
			return notifyAdded(ctx, tx, now, v, id)
		}
		return nil
	})
	return w, err
}

// compare reports whether a change moves a webhook to another URL, and whether the server gets a
// challenge, which it counts.
func (s *Service) compare(ctx context.Context, v domain.Viewer, id domain.WebhookID, u Update) (moves, challenges bool, err error) {
	activates := u.Status != nil && *u.Status == Active
	if u.URL == nil && !activates {
		return false, false, nil
	}
	w, err := s.Get(ctx, v, id)
	if err != nil {
		return false, false, err
	}
	moves = u.URL != nil && *u.URL != w.URL
	if challenges = moves || activates && w.pending; challenges {
		err = s.Limits.Spend(ctx, ChallengesPerUserDay, v.UserID.String())
	}
	return moves, challenges, err
}

// notifyAdded notifies the viewer that their webhook sends messages to a new URL.
func notifyAdded(ctx context.Context, tx db.Tx, now time.Time, v domain.Viewer, id domain.WebhookID) error {
	return notify.Put(ctx, tx, now, notify.Notification{To: v.UserID, Kind: notify.WebhookAdded, Subject: id.String()})
}

// Delete deletes one of the viewer's webhooks with its messages and its log.
func (s *Service) Delete(ctx context.Context, v domain.Viewer, id domain.WebhookID) error {
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		n, err := tx.Exec(ctx, deleteStmt, id, v.UserID)
		if err == nil && n == 0 {
			return domain.NotFound
		}
		tx.Queue(ctx, deleteMessagesStmt, id)
		tx.Queue(ctx, deleteAttemptsStmt, id)
		return err
	})
}

// Rotate gives a webhook a new secret and returns it. For a day, the old secret also signs the
// messages.
func (s *Service) Rotate(ctx context.Context, v domain.Viewer, id domain.WebhookID) (w Webhook, text string, err error) {
	seed := s.Keys.New(purpose)
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		w, err = found(tx.One(ctx, rotateStmt, id, v.UserID, seed, s.Clock.Now()))
		return err
	})
	if err == nil {
		text, err = secret(s.Keys, seed)
	}
	return w, text, err
}

// Test queues a test message and returns its id.
func (s *Service) Test(ctx context.Context, v domain.Viewer, id domain.WebhookID) (message domain.WebhookMessageID, err error) {
	now := s.Clock.Now()
	message = domain.NewID[domain.WebhookMessageKind](now)
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		if err := mustBeActive(ctx, tx, v, id); err != nil {
			return err
		}
		tx.Queue(ctx, testStmt, id, message, now, observe.TraceParent(ctx))
		tx.Publish(topic)
		return nil
	})
	return message, err
}

func mustBeActive(ctx context.Context, q db.Querier, v domain.Viewer, id domain.WebhookID) error {
	w, err := found(q.One(ctx, getStmt, id, v.UserID))
	if err == nil && w.Status != Active {
		err = domain.Forbid(domain.BlockedByState)
	}
	return err
}

// Attempt is an attempt to send a message.
type Attempt struct {
	ID         domain.WebhookAttemptID
	MessageID  domain.WebhookMessageID
	Kind       Kind
	Number     int
	At         time.Time
	StatusCode *int
	Duration   time.Duration
	Error      *string
	Excerpt    string
}

const attemptsCursor = "webhook_attempts.1"

func beforeAttempt(cursor string) (before domain.WebhookAttemptID, err error) {
	before = domain.LastID[domain.WebhookAttemptKind]()
	if cursor != "" {
		err = domain.ReadCursor(cursor, attemptsCursor, &before)
	}
	return before, err
}

// Attempts returns a page of the attempts to send messages, the newest first. failed selects failed
// (true) or accepted (false) attempts; nil: all.
func (s *Service) Attempts(ctx context.Context, v domain.Viewer, id domain.WebhookID, failed *bool, limit int,
	cursor string) (page domain.Page[Attempt], err error) {
	before, err := beforeAttempt(cursor)
	if err != nil {
		return page, err
	}
	if _, err := s.Get(ctx, v, id); err != nil {
		return page, err
	}
	rows, err := db.All(ctx, s.DB, func(r db.Row, a *Attempt) error {
		var ms int64
		err := r.Scan(&a.ID, &a.MessageID, &a.Kind, &a.Number, &a.At, &a.StatusCode, &ms, &a.Error, &a.Excerpt)
		a.Duration = time.Duration(ms) * time.Millisecond
		return err
	}, attemptsStmt, id, before, failed, limit+1)
	return domain.NewPage(rows, limit, func(last Attempt) string { return domain.Cursor(attemptsCursor, last.ID) }), err
}

const columns = `id, url, kinds, event_id, include_incognito, status, failing_since, created_at, pending, api_key_id`

var (
	countStmt = db.SQL("webhook.count", `
		SELECT (SELECT COUNT(*) FROM webhooks WHERE user_id = $1),
			CAST($2 AS UUID) IS NULL OR EXISTS (SELECT 1 FROM events e WHERE e.id = CAST($2 AS UUID) AND e.organizer_id = $1)`)

	insertStmt = db.SQL("webhook.insert", `
		INSERT INTO webhooks (id, user_id, url, kinds, event_id, include_incognito, status, seed, leased_until, created_at, pending, api_key_id)
		VALUES ($1, $2, $3, $4, $5, $6, 'active', $7, 0, $8, TRUE, $9)`)

	listStmt = db.SQL("webhook.list", `SELECT `+columns+` FROM webhooks WHERE user_id = $1 ORDER BY created_at, id`)
	getStmt  = db.SQL("webhook.get", `SELECT `+columns+` FROM webhooks WHERE id = $1 AND user_id = $2`)

	updateStmt = db.SQL("webhook.update", `
		UPDATE webhooks SET url = COALESCE(CAST($3 AS TEXT), url), kinds = COALESCE(CAST($4 AS BIGINT), kinds),
			include_incognito = COALESCE(CAST($5 AS BOOLEAN), include_incognito), status = COALESCE(CAST($6 AS TEXT), status),
			pending = pending OR url <> COALESCE(CAST($3 AS TEXT), url),
			failing_since = CASE WHEN CAST($6 AS TEXT) = 'active' THEN NULL ELSE failing_since END
		WHERE id = $1 AND user_id = $2 RETURNING `+columns)

	dropStmt = db.SQL("webhook.drop", `UPDATE webhook_messages SET due_at = NULL WHERE webhook_id = $1 AND due_at IS NOT NULL`)

	deleteStmt         = db.SQL("webhook.delete", `DELETE FROM webhooks WHERE id = $1 AND user_id = $2`)
	deleteMessagesStmt = db.SQL("webhook.delete_messages", `DELETE FROM webhook_messages WHERE webhook_id = $1`)
	deleteAttemptsStmt = db.SQL("webhook.delete_attempts", `DELETE FROM webhook_attempts WHERE webhook_id = $1`)

	rotateStmt = db.SQL("webhook.rotate", `
		UPDATE webhooks SET old_seed = seed, seed = $3, rotated_at = $4 WHERE id = $1 AND user_id = $2 RETURNING `+columns)

	testStmt = db.SQL("webhook.test", `
		INSERT INTO webhook_messages (webhook_id, id, kind, sequence, participant_count, data, attempts, due_at, created_at, trace)
		VALUES ($1, $2, 'test', 0, 0, '{}', 0, $3, $3, $4)`)

	attemptsStmt = db.SQL("webhook.attempts", `
		SELECT id, message_id, kind, attempt, at, status_code, duration_ms, error, excerpt FROM webhook_attempts
		WHERE webhook_id = $1 AND id < $2 AND (CAST($3 AS BOOLEAN) IS NULL OR (error IS NOT NULL) = CAST($3 AS BOOLEAN))
		ORDER BY id DESC LIMIT $4`)
)
