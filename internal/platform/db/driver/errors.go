package driver

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
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

	// ErrClosed means that the store was closed.
	ErrClosed = fmt.Errorf("%w: closed", ErrUnavailable)

	// ErrNested means that a statement runs inside the loop over the rows of another one.
	ErrNested = errors.New("db: a statement inside the loop over another statement of the same querier")
)

// Class is what an error of an engine means: any number of the constants.
type Class uint

// The classes.
const (
	Unavailable     Class = 1 << iota // the store is busy or unreachable
	RefusesWrites                     // until an operator mends the store: the disk is full, read-only or broken, or the server is a standby
	Retryable                         // the whole transaction should run again
	Locked                            // a statement has waited for a lock for too long
	UniqueViolation                   // a duplicate in a unique index or a primary key
	NullViolation                     // a NULL in a NOT NULL column
	NoTable                           // a table does not exist
	TableExists                       // a concurrent transaction has created the table
)

// Has reports whether the class contains one of others.
func (c Class) Has(others Class) bool { return c&others != 0 }

// Classifier returns the class of an error. Each engine has one.
type Classifier func(err error) Class

// Explain adds the name of the operation to an engine's error, and ErrUnavailable if
// the store is busy or unreachable. A commit in doubt stays in doubt.
func (of Classifier) Explain(ctx context.Context, operation string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", operation, of.withUnavailable(ctx, err))
}

// ExplainStmt is Explain for a failed statement. An error that already names
// a statement stays unchanged.
func (of Classifier) ExplainStmt(ctx context.Context, s *Stmt, args []any, err error) error {
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
	return &statementError{operation, of.withUnavailable(ctx, err)}
}

// withUnavailable adds ErrUnavailable to an error of a busy or unreachable store, unless
// it leaves a commit in doubt.
func (of Classifier) withUnavailable(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, ErrInDoubt):
		return err
	case ctx.Err() != nil:
		return contextError(ctx)
	case errors.Is(err, ErrUnavailable):
		return err
	case of(err).Has(Unavailable):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

// contextError returns why ctx ended. A deadline also counts as a busy store.
func contextError(ctx context.Context) error {
	err := ctx.Err()
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(context.Cause(ctx), ErrUnavailable) {
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

// Protect runs fn and turns a panic into an error with the stack.
func Protect(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("db: panic in a transaction: %v\n%s", p, debug.Stack())
		}
	}()
	return fn()
}
