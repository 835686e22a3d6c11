package clock

import (
	"context"
	"time"

	"moothall/internal/platform/db"
)

var storedStmt = db.SQL("clock.stored", `SELECT noted_at FROM clock WHERE id = 1`)

// readStored returns the stored time in nanoseconds since 1970, or 0.
func readStored(ctx context.Context, q db.Querier) (int64, error) {
	var at time.Time
	found, err := q.One(ctx, storedStmt).Find(&at)
	if err != nil || !found {
		return 0, err
	}
	return at.UnixNano(), nil
}

// replaceStmt does nothing if another instance has stored a time since this one read it.
var replaceStmt = db.SQL("clock.replace", `
	INSERT INTO clock (id, noted_at) VALUES (1, $2)
	ON CONFLICT (id) DO UPDATE SET noted_at = excluded.noted_at WHERE clock.noted_at = $1`)

func replaceStored(ctx context.Context, q db.Querier, old, stored int64) error {
	_, err := q.Exec(ctx, replaceStmt, time.Unix(0, old), time.Unix(0, stored))
	return err
}

var trustStmt = db.SQL("clock.trust", `
	INSERT INTO clock (id, noted_at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET noted_at = excluded.noted_at`)

// Trust makes every instance trust the reference within seconds. Only the operator can know that it is right.
func Trust(ctx context.Context, d *db.DB) error {
	now, _, err := reference(ctx, d, ThisMachine())
	if err == nil {
		_, err = d.Exec(ctx, trustStmt, now)
	}
	return err
}

// Compare returns the stored time, zero if there is none, and the time of the reference.
func Compare(ctx context.Context, d *db.DB) (stored, now time.Time, err error) {
	at, err := readStored(ctx, d)
	if err != nil {
		return stored, now, err
	}
	if at != 0 {
		stored = time.Unix(0, at).UTC()
	}
	now, _, err = reference(ctx, d, ThisMachine())
	return stored, now.UTC(), err
}
