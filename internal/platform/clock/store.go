package clock

import (
	"context"
	"time"

	"moothall/internal/platform/db"
)

var notedStmt = db.SQL("clock.noted", `SELECT noted_at FROM clock WHERE id = 1`)

// readNoted returns the time in the store in nanoseconds since 1970, or 0.
func readNoted(ctx context.Context, q db.Querier) (int64, error) {
	var at time.Time
	found, err := q.One(ctx, notedStmt).Find(&at)
	if err != nil || !found {
		return 0, err
	}
	return at.UnixNano(), nil
}

// replaceStmt does nothing if another instance has noted a time since noted_at was read.
var replaceStmt = db.SQL("clock.replace", `
	INSERT INTO clock (id, noted_at) VALUES (1, $2)
	ON CONFLICT (id) DO UPDATE SET noted_at = excluded.noted_at WHERE clock.noted_at = $1`)

func replaceNoted(ctx context.Context, q db.Querier, old, noted int64) error {
	_, err := q.Exec(ctx, replaceStmt, time.Unix(0, old), time.Unix(0, noted))
	return err
}

var trustStmt = db.SQL("clock.trust", `
	INSERT INTO clock (id, noted_at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET noted_at = excluded.noted_at`)

// Trust makes every instance believe the reference within seconds: the operator has checked it.
func Trust(ctx context.Context, d *db.DB) error {
	now, _, err := reference(ctx, d, ThisMachine())
	if err == nil {
		_, err = d.Exec(ctx, trustStmt, now)
	}
	return err
}

// Compare returns the time in the store, zero if there is none, and the time of the reference.
func Compare(ctx context.Context, d *db.DB) (noted, now time.Time, err error) {
	at, err := readNoted(ctx, d)
	if err != nil {
		return noted, now, err
	}
	if at != 0 {
		noted = time.Unix(0, at).UTC()
	}
	now, _, err = reference(ctx, d, ThisMachine())
	return noted, now.UTC(), err
}
