package ratelimit

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/platform/db"
)

// Table keeps the state in the database, where all instances count together.
// The moments are those of the instances' clocks.
type Table struct{ db *db.DB }

// NewTable makes a store on PostgreSQL.
func NewTable(d *db.DB) *Table { return &Table{d} }

// takeStmt decides in one statement, as Quota.take does: the row is locked, so
// decisions on one key come one after the other.
var takeStmt = db.SQL("ratelimit.take", `
	INSERT INTO rate_limits (key, free_at, allowed) VALUES ($1, $2, TRUE)
	ON CONFLICT (key) DO UPDATE SET
		allowed = rate_limits.free_at <= $4,
		free_at = CASE
			WHEN rate_limits.free_at > $5 THEN $6
			WHEN rate_limits.free_at > $4 THEN rate_limits.free_at
			WHEN rate_limits.free_at < $3 THEN excluded.free_at
			ELSE rate_limits.free_at + $7 END
	RETURNING free_at, allowed`)

// Take implements Store.
func (t *Table) Take(ctx context.Context, k Key, q Quota, now time.Time) (free time.Time, ok bool, err error) {
	full := now.Add(q.full())
	err = t.db.One(ctx, takeStmt, k[:], now.Add(q.step()), now, full.Add(-q.step()), full.Add(skew), full, q.step().Microseconds()).
		Scan(&free, &ok)
	return free, ok, err
}

var giveBackStmt = db.SQL("ratelimit.give_back", `UPDATE rate_limits SET free_at = free_at - $2 WHERE key = $1`)

// GiveBack implements Store.
func (t *Table) GiveBack(ctx context.Context, k Key, q Quota) error {
	_, err := t.db.Exec(ctx, giveBackStmt, k[:], q.step().Microseconds())
	return err
}

var purgeStmt = db.SQL("ratelimit.purge", `DELETE FROM rate_limits WHERE free_at <= $1`)

// Purge implements Store. It reads the whole table: an index on moments that
// change with every decision would cost more.
func (t *Table) Purge(ctx context.Context, now time.Time) (int64, error) {
	n, err := t.db.Exec(ctx, purgeStmt, now)
	if err != nil {
		return 0, fmt.Errorf("ratelimit.purge: %w", err)
	}
	return n, nil
}
