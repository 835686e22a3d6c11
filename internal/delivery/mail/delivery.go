package mail

import (
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
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

// delivery is one row that this worker has leased, or an item of a digest, of which only key and kind are known.
type delivery struct {
	key
	kind      notify.Kind
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

var leases = job.Leases{Table: "deliveries", Key: keyColumns, Due: "due_at"}

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

	endStmt      = db.SQL("mail.end", leases.Release(`state = $7, reason = $8, ended_at = $9`))
	delayStmt    = db.SQL("mail.delay", leases.Release(`state = 'waiting', reason = $7, due_at = $8, attempts = $9`))
	toDigestStmt = db.SQL("mail.to_digest", leases.Release(`state = 'digest', due_at = $7`))
)

// dueSQL and cancellationSQL are the conditions of the indexes of deliveries that may be due.
const (
	dueSQL          = `state IN ('waiting', 'sending')`
	cancellationSQL = `kind = 'event_canceled' AND ` + dueSQL
)

// takeSQL leases at most n deliveries that meet a condition.
func takeSQL(n int, condition string) string {
	return leases.Take(n, `channel = $3 AND `+condition+` AND due_at <= $4`, keyColumns+`, kind, expires_at, attempts, COALESCE(trace, '')`,
		`state = 'sending'`, `attempts = attempts + 1`)
}
