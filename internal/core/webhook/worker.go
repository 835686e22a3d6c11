package webhook

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/courier"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
	"moothall/internal/platform/outbound"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/platform/seal"
)

// Options configure a Worker.
type Options struct {
	DB       *db.DB
	Clock    domain.Clock
	Logger   *slog.Logger
	Keys     seal.Keys // as in Service
	Network  outbound.Network
	Loopback bool
	Limits   *ratelimit.Limits
}

// Worker sends messages. Limits that all instances count together (budget.go) and shares of this instance (package courier)
// restrain users and hosts.
type Worker struct {
	*courier.Worker
	Options
	metrics *metrics
}

// NewWorker returns a worker.
func NewWorker(o Options) *Worker {
	w := &Worker{Options: o, metrics: newMetrics(o)}
	w.Worker = courier.New(courier.Options{
		Name: "webhook", DB: o.DB, Clock: o.Clock, Logger: o.Logger, Network: o.Network, Loopback: o.Loopback,
		Statements: courier.Statements{IsDue: isDueStmt, Candidates: candidatesStmt, Lease: leaseStmt, Release: releaseStmt},
		Target:     w.endpoint, Written: o.DB.Subscribe(topic),
	})
	return w
}

// endpoint is a webhook that this worker has leased.
type endpoint struct {
	*Worker
	id           domain.WebhookID
	user         domain.UserID
	url          string
	seed         []byte
	secrets      []string
	failingSince *time.Time
}

// endpoint returns the endpoint of a row of leaseStmt.
func (w *Worker) endpoint(r db.Row, now time.Time) (domain.ID[any], courier.Target, error) {
	e := endpoint{Worker: w}
	var old []byte
	var rotatedAt *time.Time
	if err := r.Scan(&e.id, &e.user, &e.url, &e.seed, &old, &rotatedAt, &e.failingSince); err != nil {
		return domain.ID[any]{}, nil, err
	}
	if rotatedAt == nil || !now.Before(rotatedAt.Add(rotation)) {
		old = nil
	}
	if e.secrets = w.secretsOf(e.id, e.seed, old); len(e.secrets) == 0 {
		return domain.ID[any](e.id), nil, nil
	}
	return domain.ID[any](e.id), &e, nil
}

// secretsOf returns the secrets of seeds. It returns none if the key of the service does not open one: the messages
// wait until an instance has the right key.
func (w *Worker) secretsOf(id domain.WebhookID, seeds ...[]byte) (all []string) {
	for _, seed := range seeds {
		if seed == nil {
			continue
		}
		text, err := secret(w.Keys, seed)
		if err != nil {
			w.Logger.Error("a webhook has to wait", "webhook", id.String(), "error", err.Error())
			return nil
		}
		all = append(all, text)
	}
	return all
}

// Due implements courier.Target. It finds no message if the URL or the secret of the webhook has changed since it was leased: the
// next lease reads the new ones.
func (e *endpoint) Due(ctx context.Context, now time.Time, n int) ([]courier.Message, error) {
	return db.All(ctx, e.DB, func(r db.Row, due *courier.Message) error {
		var m message
		if err := r.Scan(&m.id, &m.kind, &m.event, &m.sequence, &m.user, &m.count, &m.data, &due.Attempts, &m.createdAt, &due.Trace); err != nil {
			return err
		}
		if m.kind == kindChallenge {
			m.challenge = challenge(e.Keys, e.id, e.url, m.createdAt)
			due.Check = m.checkAnswer
		}
		due.ID, due.Kind = domain.ID[any](m.id), string(m.kind)
		due.Request = func(now time.Time) (*http.Request, error) { return newRequest(e.url, e.secrets, m, now) }
		return nil
	}, dueStmt, e.id, now, n, e.url, e.seed)
}

// notSuspended is true for a webhook w whose user is not suspended.
const notSuspended = `NOT EXISTS (SELECT 1 FROM users u WHERE u.id = w.user_id AND u.suspended_at IS NOT NULL)`

// dueSQL selects the messages that are due and may be sent.
const dueSQL = `FROM webhook_messages m JOIN webhooks w ON w.id = m.webhook_id
	WHERE m.due_at <= $1 AND w.status = 'active' AND ` + maySend + ` AND ` + notSuspended

// maxAttempts is how many attempts the log of a user's webhooks has: the newest.
const maxAttempts = 1000

// maxFailing is how long a webhook may fail before it is disabled.
const maxFailing = 5 * 24 * time.Hour

// Record implements courier.Target.
func (e *endpoint) Record(ctx context.Context, results []courier.Result) (goOn bool, err error) {
	now := e.Clock.Now()
	ends, accepted, answered := false, false, false
	for _, r := range results {
		isChallenge := r.Kind == string(kindChallenge)
		ends = ends || r.Status == http.StatusGone || isChallenge && r.Failure != "" && r.Next(now) == nil
		answered = answered || isChallenge && r.Failure == ""
		accepted = accepted || r.Failure == ""
		e.metrics.count(r.Failure)
	}
	ends = ends || !accepted && e.failingSince != nil && now.Sub(*e.failingSince) >= maxFailing
	err = e.DB.InTx(ctx, func(tx db.Tx) error {
		for _, r := range results {
			e.recordOne(ctx, tx, r, now)
		}
		switch {
		case accepted:
			tx.Queue(ctx, succeededStmt, e.id)
		case e.failingSince == nil:
			tx.Queue(ctx, failingStmt, e.id, now)
		}
		if answered {
			tx.Queue(ctx, answeredStmt, e.id, e.url)
		}
		tx.Queue(ctx, trimStmt, e.user, maxAttempts)
		if ends {
			return e.disable(ctx, tx, now)
		}
		return nil
	})
	if accepted {
		e.failingSince = nil
	}
	return accepted && !ends, err
}

func (e *endpoint) recordOne(ctx context.Context, tx db.Tx, r courier.Result, now time.Time) {
	var status *int
	if r.Status != 0 {
		status = &r.Status
	}
	var failure *string
	if r.Failure != "" {
		failure = &r.Failure
	}
	tx.Queue(ctx, attemptStmt, domain.NewID[domain.WebhookAttemptKind](now), e.id, r.ID, r.Kind, r.Attempts+1, r.At, status,
		r.Took.Milliseconds(), failure, r.Excerpt)
	tx.Queue(ctx, attemptedStmt, e.id, r.ID, r.Attempts, r.Next(now))
}

// disable ends a webhook and notifies its user.
func (e *endpoint) disable(ctx context.Context, tx db.Tx, now time.Time) error {
	tx.Queue(ctx, disableStmt, e.id)
	tx.Queue(ctx, dropStmt, e.id)
	return notify.Put(ctx, tx, now, notify.Notification{To: e.user, Kind: notify.WebhookDisabled, Subject: e.id.String()})
}

var leases = job.Leases{Table: "webhooks", Key: "id", Due: "leased_until"}

var (
	isDueStmt = db.SQL("webhook.is_due", `SELECT EXISTS (SELECT 1 `+dueSQL+`)`)

	// candidatesStmt reads webhooks with due messages: of each user first the one that was served the
	// longest ago. It ignores a lease that ends after $2: the clock of its worker was wrong.
	candidatesStmt = db.SQL("webhook.candidates", `
		SELECT c.id, c.user_id, c.url, c.proven FROM (
			SELECT w.id, w.user_id, w.url, w.leased_until, w.failing_since IS NULL AND NOT w.pending AS proven,
				ROW_NUMBER() OVER (PARTITION BY w.user_id ORDER BY w.leased_until, w.id) AS nth
			FROM webhooks w
			WHERE w.status = 'active' AND (w.leased_until <= $1 OR w.leased_until > $2) AND `+notSuspended+`
				AND EXISTS (SELECT 1 FROM webhook_messages m WHERE m.webhook_id = w.id AND m.due_at <= $1 AND `+maySend+`)) AS c
		ORDER BY c.nth, c.leased_until, c.id LIMIT $3`)

	// leaseStmt ignores the same leases as candidatesStmt.
	leaseStmt = db.SQL("webhook.lease", leases.Take(0, `id IN (SELECT i.value FROM ids($5) AS i) AND status = 'active'
		AND (leased_until <= $3 OR leased_until > $4)`, `id, user_id, url, seed, old_seed, rotated_at, failing_since`))

	releaseStmt = db.SQL("webhook.release", leases.Release(`leased_until = $3`))

	// dueStmt returns a user only if the organizer may know them now.
	dueStmt = db.SQL("webhook.due", `
		SELECT m.id, m.kind, m.event_id, m.sequence,
			(SELECT u.id FROM users u WHERE u.id = m.user_id AND u.suspended_at IS NULL AND `+access.NotBlocked("w.user_id", "u.id")+`
				AND (w.include_incognito OR NOT EXISTS (
					SELECT 1 FROM participants p WHERE p.event_id = m.event_id AND p.user_id = m.user_id AND p.visibility = 'incognito'))),
			m.participant_count, m.data, m.attempts, m.created_at, COALESCE(m.trace, '')
		FROM webhook_messages m JOIN webhooks w ON w.id = m.webhook_id
		WHERE m.webhook_id = $1 AND m.due_at <= $2 AND w.url = $4 AND w.seed = $5 AND `+maySend+` ORDER BY m.due_at, m.id LIMIT $3`)

	attemptStmt = db.SQL("webhook.attempt", `
		INSERT INTO webhook_attempts (id, webhook_id, message_id, kind, attempt, at, status_code, duration_ms, error, excerpt)
		SELECT CAST($1 AS UUID), w.id, CAST($3 AS UUID), CAST($4 AS TEXT), CAST($5 AS INTEGER), CAST($6 AS BIGINT), CAST($7 AS INTEGER),
			CAST($8 AS BIGINT),
			CAST($9 AS TEXT), CAST($10 AS TEXT)
		FROM webhooks w WHERE w.id = $2`)

	// attemptedStmt does not make a message due again that Update has dropped meanwhile.
	attemptedStmt = db.SQL("webhook.attempted", `
		UPDATE webhook_messages SET attempts = attempts + 1, due_at = CASE WHEN due_at IS NOT NULL THEN CAST($4 AS BIGINT) END
		WHERE webhook_id = $1 AND id = $2 AND attempts = $3`)

	// trimStmt deletes the attempts of a user beyond the newest $2.
	trimStmt = db.SQL("webhook.trim", `
		DELETE FROM webhook_attempts WHERE id IN (
			SELECT a.id FROM webhook_attempts a WHERE a.webhook_id IN (SELECT w.id FROM webhooks w WHERE w.user_id = $1)
			ORDER BY a.id DESC LIMIT 1000 OFFSET $2)`)

	succeededStmt = db.SQL("webhook.succeeded", `UPDATE webhooks SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL`)
	failingStmt   = db.SQL("webhook.failing", `UPDATE webhooks SET failing_since = $2 WHERE id = $1 AND failing_since IS NULL`)
	disableStmt   = db.SQL("webhook.disable", `UPDATE webhooks SET status = 'disabled' WHERE id = $1 AND status = 'active'`)
)
