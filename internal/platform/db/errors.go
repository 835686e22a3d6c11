package db

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"

	"zombiezen.com/go/sqlite"
)

var (
	// ErrNoRow is returned by the Scan of One when no row matched.
	ErrNoRow = errors.New("db: no row")

	// ErrUnavailable means that the store is busy or unreachable, that nothing was
	// changed, and that a retry may help: pool or queue full, server gone, deadline
	// exceeded.
	ErrUnavailable = errors.New("db: store unavailable")

	// ErrInDoubt means that the store has not confirmed a commit: the changes of the
	// transaction may have been made, or may still be made.
	ErrInDoubt = errors.New("db: commit in doubt")

	errClosed = fmt.Errorf("%w: closed", ErrUnavailable)
	errEnded  = errors.New("db: the transaction has ended")
	errNested = errors.New("db: a statement inside the loop over another statement of the same querier")
)

// UniqueViolation reports whether err is a duplicate in a unique index or a primary
// key. The transaction cannot continue: use ON CONFLICT or RetryUnique.
func UniqueViolation(err error) bool {
	return sqliteUnique(err) || postgresUnique(err)
}

// NullViolation reports whether err is a NULL in a NOT NULL column. A statement can
// compute NULL to undo its whole transaction.
func NullViolation(err error) bool {
	return sqlite.ErrCode(err) == sqlite.ResultConstraintNotNull || postgresCode(err) == "23502"
}

// refusesWrites reports whether the store refuses writes until an operator mends it: the disk is full,
// read-only or broken, or the server is a standby.
func refusesWrites(err error) bool {
	return sqliteRefused(err) || readOnly(err) || postgresCode(err) == "53100"
}

// undefinedTable reports whether a statement names a table that does not exist.
func undefinedTable(err error) bool {
	return err != nil && (postgresCode(err) == "42P01" || strings.Contains(err.Error(), "no such table"))
}

// contextError returns why ctx ended. A deadline also counts as a busy store.
func contextError(ctx context.Context) error {
	err := ctx.Err()
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(context.Cause(ctx), ErrUnavailable) {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

// explain adds the name of the operation to an engine's error, and ErrUnavailable if
// the store is busy or unreachable. A commit in doubt stays in doubt.
func explain(ctx context.Context, operation string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", operation, withUnavailable(ctx, err))
}

// withUnavailable adds ErrUnavailable to an error of a busy or unreachable store, unless
// it leaves a commit in doubt.
func withUnavailable(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, ErrInDoubt):
		return err
	case ctx.Err() != nil:
		return contextError(ctx)
	case errors.Is(err, ErrUnavailable):
		return err
	case sqliteUnavailable(err) || postgresUnavailable(err):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

// statementError is an error that names its statement.
type statementError struct {
	operation string // the statement's name, and the first id among its arguments
	error
}

func (e *statementError) Error() string { return e.operation + ": " + e.error.Error() }

func (e *statementError) Unwrap() error { return e.error }

// explain is the function explain for a failed statement. An error that already names
// a statement stays unchanged.
func (s *Stmt) explain(ctx context.Context, args []any, err error) error {
	var named *statementError
	if err == nil || errors.As(err, &named) {
		return err
	}
	operation := s.name
	for _, arg := range args {
		if id, ok := arg.(fmt.Stringer); ok && isUUID(reflect.TypeOf(arg)) {
			operation += " " + id.String()
			break
		}
	}
	return &statementError{operation, withUnavailable(ctx, err)}
}

// protect runs fn and turns a panic into an error with the stack.
func protect(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("db: panic in a transaction: %v\n%s", p, debug.Stack())
		}
	}()
	return fn()
}
