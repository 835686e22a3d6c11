package db

import (
	"fmt"

	"zombiezen.com/go/sqlite"
)

// sqliteRow reads the current row of its statement. SQLite would convert any value to
// any type; this refuses a wrong type, as PostgreSQL does.
type sqliteRow struct{ stmt *sqlite.Stmt }

func (r *sqliteRow) count() int { return r.stmt.DataCount() }

func (r *sqliteRow) isNull(i int) bool { return r.stmt.ColumnType(i) == sqlite.TypeNull }

func (r *sqliteRow) text(i int) (string, error) {
	if err := r.want(i, sqlite.TypeText); err != nil {
		return "", err
	}
	return r.stmt.ColumnText(i), nil
}

func (r *sqliteRow) integer(i int) (int64, error) {
	if err := r.want(i, sqlite.TypeInteger); err != nil {
		return 0, err
	}
	return r.stmt.ColumnInt64(i), nil
}

func (r *sqliteRow) float(i int) (float64, error) {
	if err := r.want(i, sqlite.TypeFloat); err != nil {
		return 0, err
	}
	return r.stmt.ColumnFloat(i), nil
}

func (r *sqliteRow) boolean(i int) (bool, error) {
	n, err := r.integer(i)
	return n != 0, err
}

func (r *sqliteRow) bytes(i int) ([]byte, error) {
	if err := r.want(i, sqlite.TypeBlob); err != nil {
		return nil, err
	}
	blob := make([]byte, r.stmt.ColumnLen(i))
	r.stmt.ColumnBytes(i, blob)
	return blob, nil
}

func (r *sqliteRow) uuid(i int) (id uuid, err error) {
	if err := r.want(i, sqlite.TypeBlob); err != nil {
		return id, err
	}
	if n := r.stmt.ColumnLen(i); n != len(id) {
		return id, fmt.Errorf("%d bytes are not an id", n)
	}
	r.stmt.ColumnBytes(i, id[:])
	return id, nil
}

func (r *sqliteRow) want(i int, want sqlite.ColumnType) error {
	if got := r.stmt.ColumnType(i); got != want {
		return fmt.Errorf("is %v, not %v", got, want)
	}
	return nil
}
