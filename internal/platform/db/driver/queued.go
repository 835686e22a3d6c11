package driver

import "cmp"

// Queued is a statement in a batch of a transaction.
type Queued struct {
	Stmt *Stmt // for engines
	Args []any

	dest    []any // of the first row; nil when the caller wants no columns
	rows    int64
	missing error // of a statement without a row; nil: rows are not required
}

// Into scans the first row into dest, as Row.Scan does, and leaves dest unchanged if
// there is no row. The values are valid once the batch has run, at the latest when
// InTx has returned nil.
func (q *Queued) Into(dest ...any) *Queued {
	q.dest = dest
	return q
}

// Require lets the transaction fail with an error if the statement returns no row.
func (q *Queued) Require(err error) *Queued {
	q.missing = err
	return q
}

// IsRequired reports whether the transaction fails if the statement returns no row.
func (q *Queued) IsRequired() bool { return q.missing != nil }

// Missing returns the error of a required row that is missing; nil if none is required.
func (q *Queued) Missing() error { return q.missing }

// Rows returns how many rows the statement changed or, when it returns rows,
// returned. It is 0 until the statement has run.
func (q *Queued) Rows() int64 { return q.rows }

// Run runs the statement: with query if the caller wants columns, otherwise with exec. The engine's functions
// have the results of Runner.
func (q *Queued) Run(exec func() (int64, error), query func(each func(Row) bool) error) (err error) {
	if q.dest == nil {
		q.rows, err = exec()
		return cmp.Or(err, q.checkRows())
	}
	q.rows = 0
	var scanned error
	err = query(func(row Row) bool {
		if q.rows++; q.rows == 1 {
			scanned = row.Scan(q.dest...)
		}
		return scanned == nil
	})
	return cmp.Or(err, scanned, q.checkRows())
}

// checkRows returns the error of a required row that is missing.
func (q *Queued) checkRows() error {
	if q.rows == 0 {
		return q.missing
	}
	return nil
}
