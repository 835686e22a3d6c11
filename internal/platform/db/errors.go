package db

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"zombiezen.com/go/sqlite"
)

var (
	// ErrNoRow is what One's Scan gives when no row matched.
	ErrNoRow = errors.New("db: no row")

	// ErrUnavailable marks that the store is busy or away and asking again
	// later may help: pool or queue full, server gone, deadline passed. A
	// commit in doubt is one too; whether it happened is then not known.
	ErrUnavailable = errors.New("db: store unavailable")

	errClosed = fmt.Errorf("%w: closed", ErrUnavailable)
	errEnded  = errors.New("db: the transaction has ended")
	errNested = errors.New("db: a statement inside the loop over another on the same querier")
)

// UniqueViolation reports whether err comes from a unique index or a primary
// key that already holds the value. The transaction it happened in cannot
// continue; prefer ON CONFLICT.
func UniqueViolation(err error) bool {
	return sqliteUnique(err) || postgresUnique(err)
}

// NullViolation reports whether err comes from a column that takes no NULL: the
// way in which one of the steps of Together can undo them all.
func NullViolation(err error) bool {
	return sqlite.ErrCode(err) == sqlite.ResultConstraintNotNull || postgresCode(err) == "23502"
}

// contextError tells why ctx ended. A deadline also counts as a busy store.
func contextError(ctx context.Context) error {
	err := ctx.Err()
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

// explain puts the operation's name before an engine's error and marks the
// ones that mean a busy or absent store.
func explain(ctx context.Context, operation string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", operation, contextError(ctx))
	case errors.Is(err, ErrUnavailable):
		return fmt.Errorf("%s: %w", operation, err)
	case sqliteUnavailable(err) || postgresUnavailable(err):
		return fmt.Errorf("%s: %w: %w", operation, ErrUnavailable, err)
	}
	return fmt.Errorf("%s: %w", operation, err)
}

// protect runs fn and turns its panic into an error with the stack.
func protect(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("db: panic in a transaction: %v\n%s", p, debug.Stack())
		}
	}()
	return fn()
}
