package db

import (
	"context"
	"iter"

	"moothall/internal/platform/db/driver"
)

// Querier runs statements. One querier serves one goroutine at a time, except
// a DB, which serves any number.
//
// Arguments may have the types that Row.Scan reads. NULL is nil or a nil pointer.
// The list functions of package dialect take []string (texts), []int64 or []int
// (ints) and []domain.ID[K] (ids).
type Querier interface {
	// Exec runs a statement and returns the number of rows that it changed
	// or, if it returns rows, returned.
	Exec(ctx context.Context, s *Stmt, args ...any) (rows int64, err error)
	// Query runs a statement when ranged over. Each Row is valid until the next
	// iteration, and no other statement may run on the same querier inside
	// the loop. If an error occurs, it is in the last pair, with the zero Row.
	Query(ctx context.Context, s *Stmt, args ...any) iter.Seq2[Row, error]
	// One returns the first row. The statement runs when the row is scanned,
	// which returns ErrNoRow if there is none.
	One(ctx context.Context, s *Stmt, args ...any) Row
	// Engine returns the kind of database.
	Engine() Engine
}

// querier is the Querier over a runner.
type querier struct {
	run         driver.Runner
	engine      Engine
	onStatement func(context.Context, *Stmt, []any)
}

// withRunner returns the same querier over another runner.
func (q querier) withRunner(r driver.Runner) querier {
	q.run = r
	return q
}

// Engine is described at Querier.
func (q querier) Engine() Engine { return q.engine }

// Exec is described at Querier.
func (q querier) Exec(ctx context.Context, s *Stmt, args ...any) (int64, error) {
	if err := q.check(ctx, s, args); err != nil {
		return 0, classify.ExplainStmt(ctx, s, args, err)
	}
	n, err := q.run.Exec(ctx, s, args)
	return n, preparationError(ctx, classify.ExplainStmt(ctx, s, args, err))
}

// Query is described at Querier.
func (q querier) Query(ctx context.Context, s *Stmt, args ...any) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		wanted := true
		err := q.check(ctx, s, args)
		if err == nil {
			err = q.run.Query(ctx, s, args, func(r Row) bool {
				wanted = yield(r, nil)
				return wanted
			})
		}
		if err != nil && wanted {
			yield(Row{}, classify.ExplainStmt(ctx, s, args, err))
		}
	}
}

// One is described at Querier.
func (q querier) One(ctx context.Context, s *Stmt, args ...any) Row {
	return driver.FirstRow(func(dest []any) error { return q.first(ctx, s, args, dest) })
}

// check checks a call of a statement.
func (q querier) check(ctx context.Context, s *Stmt, args []any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if q.onStatement != nil {
		q.onStatement(ctx, s, args)
	}
	return s.CheckCount(args)
}

// first runs a statement and reads its first row.
func (q querier) first(ctx context.Context, s *Stmt, args, dest []any) error {
	err := ErrNoRow
	for r, queryErr := range q.Query(ctx, s, args...) {
		if err = queryErr; err == nil {
			err = classify.ExplainStmt(ctx, s, args, r.Scan(dest...))
		}
		break
	}
	return err
}

// All collects the rows of a statement. scan reads one row into a fresh T.
func All[T any](ctx context.Context, q Querier, scan func(Row, *T) error, s *Stmt, args ...any) ([]T, error) {
	return Append(ctx, q, nil, scan, s, args...)
}

// Values collects the rows of a statement with one column.
func Values[T any](ctx context.Context, q Querier, s *Stmt, args ...any) ([]T, error) {
	return All(ctx, q, func(r Row, value *T) error { return r.Scan(value) }, s, args...)
}

// Append is All with a list to append to, for callers that know its capacity.
func Append[T any](ctx context.Context, q Querier, list []T, scan func(Row, *T) error, s *Stmt, args ...any) ([]T, error) {
	for r, err := range q.Query(ctx, s, args...) {
		if err != nil {
			return nil, err
		}
		list = append(list, *new(T))
		if err := scan(r, &list[len(list)-1]); err != nil {
			return nil, classify.ExplainStmt(ctx, s, args, err)
		}
	}
	return list, nil
}

// Drain runs a statement that changes a limited number of rows until it changes
// none, so that other writers wait for one batch at most.
func Drain(ctx context.Context, q Querier, s *Stmt, args ...any) error {
	for {
		n, err := q.Exec(ctx, s, args...)
		if err != nil || n == 0 {
			return err
		}
	}
}
