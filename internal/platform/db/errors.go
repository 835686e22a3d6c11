package db

import (
	"context"
	"errors"
	"fmt"
	"reflect"
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
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", operation, mark(ctx, err))
}

// mark marks an engine's error that means a busy or absent store.
func mark(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return contextError(ctx)
	case errors.Is(err, ErrUnavailable):
		return err
	case sqliteUnavailable(err) || postgresUnavailable(err):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

// statementError is the failure of one statement, which it names.
type statementError struct {
	operation string // the statement's name, and the first id among its arguments
	error
}

func (e *statementError) Error() string { return e.operation + ": " + e.error.Error() }

func (e *statementError) Unwrap() error { return e.error }

// explain names the statement that failed, unless err names one already, and
// marks the errors that mean a busy or absent store.
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
	return &statementError{operation, mark(ctx, err)}
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
