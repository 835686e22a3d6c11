package mail

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/push"
)

// state is the state of a delivery. Deliveries in the states waiting and sending have a due time;
// deliveries in the states sent, skipped and failed have ended.
type state string

const (
	waiting  state = "waiting"
	inDigest state = "digest"
	sending  state = "sending"
	sent     state = "sent"
	skipped  state = "skipped"
	failed   state = "failed"
)

// key identifies a delivery.
type key struct {
	user         domain.UserID
	notification domain.NotificationID
	about        time.Time
	channel      Channel
	target       domain.ID[any]
}

func (k *key) dest() []any {
	return []any{&k.user, &k.notification, &k.about, &k.channel, &k.target}
}

func (k key) args() []any { return []any{k.user, k.notification, k.about, k.channel, k.target} }

// id returns the id of the message. It is the same for every attempt.
func (k key) id() string {
	h := sha256.New()
	h.Write(k.user[:])
	h.Write(k.notification[:])
	h.Write([]byte(strconv.FormatInt(k.about.UnixMicro(), 10) + "\n" + string(k.channel) + "\n"))
	h.Write(k.target[:])
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// digestKind is the kind of a delivery that is a digest.
const digestKind notify.Kind = "digest"

// planned is a delivery, or an item of a digest, without its lease.
type planned struct {
	key
	kind notify.Kind
}

// delivery is one row that this worker has leased.
type delivery struct {
	planned
	expires   time.Time
	attempts  int    // including this one
	trace     string // traceparent of the request or job that caused it; empty: none
	lease     domain.JobID
	leaseEnds time.Time
	// appointment is the event whose calendar message the delivery has leased; zero: none.
	appointment domain.EventID
}

// leaseTime is how long a lease lasts.
const leaseTime = 2 * time.Minute

const keyColumns = `user_id, notification_id, about_at, channel, target`

const keySQL = `user_id = $1 AND notification_id = $2 AND about_at = $3 AND channel = $4 AND target = $5`

var (
	isDueStmt = db.SQL("mail.is_due", `
		SELECT EXISTS (SELECT 1 FROM deliveries WHERE channel = $1 AND `+dueSQL+` AND due_at <= $2),
			EXISTS (SELECT 1 FROM deliveries WHERE channel = $1 AND `+cancellationSQL+` AND due_at <= $2)`)

	takeStmts = map[Channel]*db.Stmt{Email: db.SQL("mail.take", takeSQL(20, dueSQL)),
		Push: db.SQL("mail.take_push", takeSQL(push.MaxParallel, dueSQL))}

	takeCancellationsStmts = map[Channel]*db.Stmt{
		Email: db.SQL("mail.take_cancellations", takeSQL(20, cancellationSQL)),
		Push:  db.SQL("mail.take_cancellations_push", takeSQL(push.MaxParallel, cancellationSQL)),
	}

	endStmt = db.SQL("mail.end", `
		UPDATE deliveries SET state = $7, reason = $8, ended_at = $9, lease = NULL WHERE `+keySQL+` AND lease = $6`)

	delayStmt = db.SQL("mail.delay", `
		UPDATE deliveries SET state = 'waiting', reason = $7, due_at = $8, attempts = $9, lease = NULL WHERE `+keySQL+` AND lease = $6`)

	toDigestStmt = db.SQL("mail.to_digest", `
		UPDATE deliveries SET state = 'digest', due_at = $7, lease = NULL WHERE `+keySQL+` AND lease = $6`)

	digestStmt = db.SQL("mail.digest", `
		INSERT INTO deliveries (`+keyColumns+`, kind, state, due_at, expires_at, attempts)
		VALUES ($1, $2, $3, $4, $5, 'digest', 'waiting', $3, $6, 0) ON CONFLICT (`+keyColumns+`) DO NOTHING`)

	digestItemsStmt = db.SQL("mail.digest_items", `
		SELECT `+keyColumns+`, kind FROM deliveries
		WHERE user_id = $1 AND channel = $2 AND state = 'digest' AND due_at <= $3 AND (about_at, notification_id) > ($4, $5)
		ORDER BY about_at, notification_id LIMIT $6`)

	endDigestStmt = db.SQL("mail.end_digest", `
		UPDATE deliveries SET state = $4, ended_at = $5 WHERE user_id = $1 AND channel = $2 AND state = 'digest' AND due_at <= $3`)
)

// dueSQL and cancellationSQL are the conditions of the indexes of deliveries that may be due.
const (
	dueSQL          = `state IN ('waiting', 'sending')`
	cancellationSQL = `kind = 'event_canceled' AND ` + dueSQL
)

// takeSQL leases at most n deliveries that meet a condition.
func takeSQL(n int, condition string) string {
	return `
		UPDATE deliveries SET state = 'sending', lease = $1, due_at = $2, attempts = attempts + 1
		WHERE (` + keyColumns + `) IN (
			SELECT ` + keyColumns + ` FROM deliveries WHERE channel = $3 AND ` + condition + ` AND due_at <= $4
			ORDER BY due_at LIMIT ` + strconv.Itoa(n) + ` FOR UPDATE SKIP LOCKED)
		RETURNING ` + keyColumns + `, kind, expires_at, attempts, COALESCE(trace, '')`
}

// take leases due deliveries of a channel. Cancellations of events go first.
func take(ctx context.Context, d *db.DB, c Channel, now time.Time) (all []delivery, err error) {
	var due, cancellations bool
	if err := d.One(ctx, isDueStmt, c, now).Scan(&due, &cancellations); err != nil || !due {
		return nil, err
	}
	stmt := takeStmts[c]
	if cancellations {
		stmt = takeCancellationsStmts[c]
	}
	lease, ends := domain.RandomID[domain.JobKind](), now.Add(leaseTime)
	err = d.InTx(ctx, func(tx db.Tx) (err error) {
		all, err = db.All(ctx, tx, func(r db.Row, one *delivery) error {
			one.lease, one.leaseEnds = lease, ends
			return r.Scan(append(one.dest(), &one.kind, &one.expires, &one.attempts, &one.trace)...)
		}, stmt, lease, ends, c, now)
		return err
	})
	return all, err
}

// end ends a delivery, unless another worker has leased it. If it is a digest, its items end, too.
func (d delivery) end(s state, reason string, now time.Time) result {
	return func(ctx context.Context, tx db.Tx) {
		d.update(ctx, tx, s == sent, endStmt, d.lease, s, orNull(reason), now)
		if d.kind == digestKind {
			tx.Queue(ctx, endDigestStmt, d.user, d.channel, d.about, s, now)
		}
	}
}

// delay makes a delivery due later.
func (d delivery) delay(reason string, until time.Time, attempts int) result {
	return func(ctx context.Context, tx db.Tx) {
		d.update(ctx, tx, false, delayStmt, d.lease, orNull(reason), until, attempts)
	}
}

// update changes the row of a delivery, and ends the lease of its calendar message.
func (d delivery) update(ctx context.Context, tx db.Tx, accepted bool, stmt *db.Stmt, args ...any) {
	tx.Queue(ctx, stmt, append(d.args(), args...)...)
	if !d.appointment.IsZero() {
		tx.Queue(ctx, returnAppointmentStmt, d.user, d.appointment, d.lease, accepted)
	}
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// digestOf returns the key of the digest of a user that is due at a time.
func (k key) digestOf(at time.Time) key {
	return key{k.user, domain.NotificationID(k.user), at, k.channel, k.target}
}

// addToDigest moves a delivery into the digest that is due at a time.
func (d delivery) addToDigest(at time.Time) result {
	return func(ctx context.Context, tx db.Tx) {
		tx.Queue(ctx, toDigestStmt, append(d.args(), d.lease, at)...)
		tx.Queue(ctx, digestStmt, append(d.digestOf(at).args(), at.Add(lifetime))...)
	}
}

// items returns up to n items of a digest that follow an item, the oldest first.
func (d delivery) items(ctx context.Context, q db.Querier, after key, n int) ([]planned, error) {
	return db.All(ctx, q, func(r db.Row, i *planned) error { return r.Scan(append(i.dest(), &i.kind)...) },
		digestItemsStmt, d.user, d.channel, d.about, after.about, after.notification, n)
}
