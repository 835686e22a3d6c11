package webhook

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
	"moothall/internal/platform/observe"
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
	Tracer   *observe.Tracer
	Limits   *ratelimit.Limits
}

// Worker sends messages. Each instance runs one. A worker leases webhooks and sends the messages of
// each one separately, so a slow server delays only its own messages. Limits that all instances count
// together (budget.go) and shares of this instance (shares.go) restrain users and hosts.
type Worker struct {
	Options
	sender  sender
	metrics *metrics
	written <-chan struct{} // there may be new messages
	shares  *shares
	loops   *job.Loops
}

const (
	pollEvery   = time.Second
	perEndpoint = 8                // messages to one webhook at the same time
	pace        = time.Second / 10 // for perEndpoint messages
	leaseTime   = time.Minute
	leaseRest   = 20 * time.Second // before the end of a lease, in which no attempt begins
	takeAtOnce  = 32               // webhooks that one statement leases
	lookAtOnce  = 1024             // webhooks with due messages, of which those with free shares are leased
)

// NewWorker returns a worker.
func NewWorker(o Options) *Worker {
	return &Worker{
		Options: o, sender: newSender(o.Network, o.Loopback, o.Clock), metrics: newMetrics(o), written: o.DB.Subscribe(topic),
		shares: newShares(), loops: job.NewLoops("webhook", o.Logger, pollEvery),
	}
}

// Start starts sending. It runs until Stop.
func (w *Worker) Start(ctx context.Context) {
	w.loops.Loop(w.loops.Start(ctx), "look for due webhook messages", w.serveDue, w.written, nil)
}

// Stop begins no more attempts and waits for the attempts in progress. When ctx ends first, it cancels
// them; another worker repeats them after the lease.
func (w *Worker) Stop(ctx context.Context) error { return w.loops.Stop(ctx) }

// serveDue starts serving webhooks that have due messages. more reports whether there were any.
func (w *Worker) serveDue(ctx context.Context) (more bool, err error) {
	taken, err := w.take(ctx)
	for _, e := range taken {
		w.loops.Go(func() { w.serve(ctx, e) })
	}
	return len(taken) > 0, err
}

// RunDue sends everything that is due now. It is for tests and tools. It works with and without
// Start.
func (w *Worker) RunDue(ctx context.Context) error {
	for {
		taken, err := w.take(ctx)
		if err != nil || len(taken) == 0 {
			return err
		}
		var all sync.WaitGroup
		for _, e := range taken {
			all.Go(func() { w.serve(ctx, e) })
		}
		all.Wait()
	}
}

// endpoint is a webhook that this worker has leased.
type endpoint struct {
	candidate
	url          string
	seed         []byte
	secrets      []string
	failingSince *time.Time
	lease        domain.JobID
	ends         time.Time // of the lease
}

// take leases webhooks that have due messages, and takes their shares.
func (w *Worker) take(ctx context.Context) ([]endpoint, error) {
	now := w.Clock.Now()
	var due bool
	if err := w.DB.One(ctx, isDueStmt, now).Scan(&due); err != nil || !due {
		return nil, err
	}
	list, err := db.All(ctx, w.DB, func(r db.Row, c *candidate) error {
		var address string
		err := r.Scan(&c.id, &c.user, &address, &c.proven)
		c.host = hostOf(address)
		return err
	}, candidatesStmt, now, now.Add(2*leaseTime), lookAtOnce)
	if err != nil {
		return nil, err
	}
	chosen := w.shares.take(list, takeAtOnce)
	taken, err := w.lease(ctx, chosen, now)
	for _, c := range chosen {
		if !slices.ContainsFunc(taken, func(e endpoint) bool { return e.id == c.id }) {
			w.shares.release(c)
		}
	}
	return taken, err
}

// lease leases those of the candidates that no worker has leased meanwhile.
func (w *Worker) lease(ctx context.Context, chosen []candidate, now time.Time) (leased []endpoint, err error) {
	if len(chosen) == 0 {
		return nil, nil
	}
	lease, ids, byID := domain.RandomID[domain.JobKind](), []domain.WebhookID{}, map[domain.WebhookID]candidate{}
	for _, c := range chosen {
		ids, byID[c.id] = append(ids, c.id), c
	}
	err = w.DB.InTx(ctx, func(tx db.Tx) (err error) {
		leased, err = db.All(ctx, tx, func(r db.Row, e *endpoint) error {
			var id domain.WebhookID
			var old []byte
			var rotatedAt *time.Time
			err := r.Scan(&id, &e.url, &e.seed, &old, &rotatedAt, &e.failingSince)
			e.candidate, e.lease, e.ends = byID[id], lease, now.Add(leaseTime)
			if rotatedAt == nil || !now.Before(rotatedAt.Add(rotation)) {
				old = nil
			}
			e.secrets = w.secrets(id, e.seed, old)
			return err
		}, leaseStmt, lease, now.Add(leaseTime), now, now.Add(2*leaseTime), ids)
		return err
	})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(leased, func(e endpoint) bool { return len(e.secrets) == 0 }), nil
}

// secrets returns the secrets of seeds. It returns none if the key of the service does not open one: the messages
// wait until an instance has the right key.
func (w *Worker) secrets(id domain.WebhookID, seeds ...[]byte) (all []string) {
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

// serve sends due messages of a webhook until there are none, its lease is about to end, a batch has
// failed or a limit is reached. Then it ends the lease, and releases the shares.
func (w *Worker) serve(ctx context.Context, e endpoint) {
	defer w.shares.release(e.candidate)
	var wait time.Duration
	for more := true; more && !w.loops.IsStopping() && w.Clock.Now().Before(e.ends.Add(-leaseRest)); {
		pause := time.NewTimer(pace)
		var err error
		if more, wait, err = w.sendBatch(ctx, &e); err != nil {
			w.Logger.ErrorContext(ctx, "cannot send webhook messages", "webhook_id", e.id, "error", err)
			wait = pollEvery
			break
		}
		if more {
			select {
			case <-pause.C:
			case <-w.loops.Stopping():
			}
		}
		pause.Stop()
	}
	until := w.Clock.Now().Add(min(wait, leaseTime))
	_, _ = w.DB.Exec(context.WithoutCancel(ctx), releaseStmt, e.id, e.lease, until) // after an error, the lease expires
}

// sendBatch makes attempts for the messages that have been due the longest. It finds none if the
// URL or the secret of the webhook has changed since it was leased: the next lease reads the new ones.
// wait is how long the limits allow no further message.
func (w *Worker) sendBatch(ctx context.Context, e *endpoint) (more bool, wait time.Duration, err error) {
	now := w.Clock.Now()
	due, err := db.All(ctx, w.DB, func(r db.Row, m *message) error {
		return r.Scan(&m.id, &m.kind, &m.event, &m.sequence, &m.user, &m.count, &m.data, &m.attempts, &m.createdAt, &m.trace)
	}, dueStmt, e.id, now, perEndpoint, e.url, e.seed)
	if err != nil || len(due) == 0 {
		return false, 0, err
	}
	count, wait, err := allowed(ctx, w.Limits, e.user, hostOf(e.url), len(due))
	if err != nil || count == 0 {
		return false, wait, err
	}
	due = due[:count]
	results := make([]result, len(due))
	var all sync.WaitGroup
	for i, m := range due {
		all.Go(func() { results[i] = w.send(ctx, e, m, now) })
	}
	all.Wait()
	if ctx.Err() != nil { // the service stops: the attempts were interrupted
		return false, 0, nil //nolint:nilerr // not an error of the database
	}
	goOn, err := w.record(context.WithoutCancel(ctx), e, results)
	return goOn && len(due) == perEndpoint, wait, err
}

// send makes one attempt, as a part of the trace of the change that the message is about.
func (w *Worker) send(ctx context.Context, e *endpoint, m message, now time.Time) result {
	ctx, span := w.Tracer.Begin(ctx, "webhook message", m.trace)
	defer span.End(nil)
	span.SetText("kind", string(m.kind))
	span.SetNumber("attempt", m.attempts+1)
	if m.kind == kindChallenge {
		m.challenge = challenge(w.Keys, e.id, e.url, m.createdAt)
	}
	r := w.sender.send(ctx, e.url, e.secrets, m, now)
	if r.failure != "" {
		span.Fail()
	}
	return r
}

// notSuspended is true for a webhook w whose user is not suspended.
const notSuspended = `NOT EXISTS (SELECT 1 FROM users u WHERE u.id = w.user_id AND u.suspended_at IS NOT NULL)`

// dueSQL selects the messages that are due and may be sent.
const dueSQL = `FROM webhook_messages m JOIN webhooks w ON w.id = m.webhook_id
	WHERE m.due_at <= $1 AND w.status = 'active' AND ` + maySend + ` AND ` + notSuspended

// retries are the pauses after failed attempts.
var retries = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour,
	24 * time.Hour,
}

// maxAttempts is how many attempts the log of a user's webhooks has: the newest.
const maxAttempts = 1000

// maxFailing is how long a webhook may fail before it is disabled.
const maxFailing = 5 * 24 * time.Hour

// record stores the results of attempts. goOn reports whether one succeeded and the webhook is still
// active.
func (w *Worker) record(ctx context.Context, e *endpoint, results []result) (goOn bool, err error) {
	now := w.Clock.Now()
	ends, accepted, answered := false, false, false
	for _, r := range results {
		ends = ends || r.status == http.StatusGone || r.kind == kindChallenge && r.failure != "" && r.attempts == len(retries)
		answered = answered || r.kind == kindChallenge && r.failure == ""
		accepted = accepted || r.failure == ""
		w.metrics.count(r.failure)
	}
	ends = ends || !accepted && e.failingSince != nil && now.Sub(*e.failingSince) >= maxFailing
	err = w.DB.InTx(ctx, func(tx db.Tx) error {
		for _, r := range results {
			r.record(ctx, tx, e.id, now)
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

func (r result) record(ctx context.Context, tx db.Tx, webhook domain.WebhookID, now time.Time) {
	var status *int
	if r.status != 0 {
		status = &r.status
	}
	var failure *string
	var due *time.Time
	if r.failure != "" {
		failure = &r.failure
		if r.attempts < len(retries) {
			due = new(now.Add(retries[r.attempts]))
		}
	}
	tx.Queue(ctx, attemptStmt, domain.NewID[domain.WebhookAttemptKind](now), webhook, r.id, r.kind, r.attempts+1, r.at, status,
		r.took.Milliseconds(), failure, r.excerpt)
	tx.Queue(ctx, attemptedStmt, webhook, r.id, r.attempts, due)
}

// disable ends a webhook and notifies its user.
func (e endpoint) disable(ctx context.Context, tx db.Tx, now time.Time) error {
	tx.Queue(ctx, disableStmt, e.id)
	tx.Queue(ctx, dropStmt, e.id)
	return notify.Put(ctx, tx, now, notify.Notification{To: e.user, Kind: notify.WebhookDisabled, Subject: e.id.String()})
}

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

	leaseStmt = db.SQL("webhook.lease", `
		UPDATE webhooks SET lease = $1, leased_until = $2 WHERE id IN (
			SELECT w.id FROM webhooks w
			WHERE w.id IN (SELECT i.value FROM ids($5) AS i) AND w.status = 'active' AND (w.leased_until <= $3 OR w.leased_until > $4)
			FOR UPDATE SKIP LOCKED)
		RETURNING id, url, seed, old_seed, rotated_at, failing_since`)

	releaseStmt = db.SQL("webhook.release", `UPDATE webhooks SET lease = NULL, leased_until = $3 WHERE id = $1 AND lease = $2`)

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
