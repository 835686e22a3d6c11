package sqlite

import (
	"fmt"

	"moothall/internal/platform/db/driver"

	"zombiezen.com/go/sqlite"
)

// row reads the current row of its statement. SQLite would convert any value to
// any type; this refuses a wrong type, as PostgreSQL does.
type row struct{ stmt *sqlite.Stmt }

func (r *row) Count() int { return r.stmt.DataCount() }

func (r *row) IsNull(i int) bool { return r.stmt.ColumnType(i) == sqlite.TypeNull }

func (r *row) Text(i int) (string, error) {
	if err := r.want(i, sqlite.TypeText); err != nil {
		return "", err
	}
	return r.stmt.ColumnText(i), nil
}

func (r *row) Integer(i int) (int64, error) {
	if err := r.want(i, sqlite.TypeInteger); err != nil {
		return 0, err
	}
	return r.stmt.ColumnInt64(i), nil
}

func (r *row) Float(i int) (float64, error) {
	if err := r.want(i, sqlite.TypeFloat); err != nil {
		return 0, err
	}
	return r.stmt.ColumnFloat(i), nil
}

func (r *row) Boolean(i int) (bool, error) {
	n, err := r.Integer(i)
	return n != 0, err
}

func (r *row) Bytes(i int) ([]byte, error) {
	if err := r.want(i, sqlite.TypeBlob); err != nil {
		return nil, err
	}
	blob := make([]byte, r.stmt.ColumnLen(i))
	r.stmt.ColumnBytes(i, blob)
	return blob, nil
}

func (r *row) UUID(i int) (id driver.UUID, err error) {
	if err := r.want(i, sqlite.TypeBlob); err != nil {
		return id, err
	}
	if n := r.stmt.ColumnLen(i); n != len(id) {
		return id, fmt.Errorf("%d bytes are not an id", n)
	}
	r.stmt.ColumnBytes(i, id[:])
	return id, nil
}

func (r *row) want(i int, want sqlite.ColumnType) error {
	if got := r.stmt.ColumnType(i); got != want {
		return fmt.Errorf("is %v, not %v", got, want)
	}
	return nil
}
