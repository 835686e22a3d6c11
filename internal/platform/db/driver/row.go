package driver

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"
)

// Columns is the current row of an engine. Each method fails if the column has
// another type or is NULL.
type Columns interface {
	Count() int
	IsNull(i int) bool
	Text(i int) (string, error)
	Integer(i int) (int64, error)
	Float(i int) (float64, error)
	Boolean(i int) (bool, error)
	Bytes(i int) ([]byte, error)
	UUID(i int) (UUID, error)
}

// anyID is a *domain.ID of any kind.
type anyID interface{ Bytes() *[16]byte }

// OrZero returns a destination that reads NULL as the zero value, for the columns of an
// outer join.
func OrZero[T any](dest *T) any { return orZero[T]{dest} }

type orZero[T any] struct{ value *T }

func (z orZero[T]) scan(c Columns, i int) error {
	if c.IsNull(i) {
		*z.value = *new(T)
		return nil
	}
	return scanColumn(c, i, z.value)
}

// Row is one row of a result.
type Row struct {
	columns Columns                // of the current row of a result
	first   func(dest []any) error // or scans the first row of a statement that has not run yet
}

// NewRow returns the current row of a result.
func NewRow(c Columns) Row { return Row{columns: c} }

// FirstRow returns the first row of a statement that runs when the row is scanned.
func FirstRow(scan func(dest []any) error) Row { return Row{first: scan} }

// Scan reads all the columns, in order, into *string, *int64, *int, *bool,
// *float64, *[]byte, *time.Time, *domain.ID[K] and pointers to named types of these.
// For columns that may be NULL use pointers to pointers or OrZero; a []byte is nil
// for NULL. A nil destination skips the column.
func (r Row) Scan(dest ...any) error {
	if r.first != nil {
		return r.first(slices.Clone(dest)) // so that dest stays on the caller's stack
	}
	if len(dest) != r.columns.Count() {
		return fmt.Errorf("db: %d columns for %d destinations", r.columns.Count(), len(dest))
	}
	for i, d := range dest {
		if d == nil {
			continue
		}
		if err := scanColumn(r.columns, i, d); err != nil {
			return fmt.Errorf("db: column %d: %w", i+1, err)
		}
	}
	return nil
}

// Find is Scan for a row that may be absent. found reports whether there is one.
func (r Row) Find(dest ...any) (found bool, err error) {
	err = r.Scan(dest...)
	if errors.Is(err, ErrNoRow) {
		return false, nil
	}
	return err == nil, err
}

// ScanOr is Scan, but returns absent if there is no row.
func (r Row) ScanOr(absent error, dest ...any) error {
	found, err := r.Find(dest...)
	if err == nil && !found {
		return absent
	}
	return err
}

func scanColumn(c Columns, i int, dest any) (err error) {
	switch d := dest.(type) {
	case *string:
		*d, err = c.Text(i)
	case *int64:
		*d, err = c.Integer(i)
	case *int:
		*d, err = scanInt(c, i)
	case *bool:
		*d, err = c.Boolean(i)
	case *float64:
		*d, err = c.Float(i)
	case *[]byte:
		if *d = nil; !c.IsNull(i) {
			*d, err = c.Bytes(i)
		}
	case *time.Time:
		*d, err = scanTime(c, i)
	case interface{ scan(Columns, int) error }:
		return d.scan(c, i)
	case anyID:
		*d.Bytes(), err = c.UUID(i)
	case **string:
		return scanNullable(c, i, d, Columns.Text)
	case **int64:
		return scanNullable(c, i, d, Columns.Integer)
	case **int:
		return scanNullable(c, i, d, scanInt)
	case **float64:
		return scanNullable(c, i, d, Columns.Float)
	case **time.Time:
		return scanNullable(c, i, d, scanTime)
	default:
		return scanValue(c, i, dest)
	}
	return err
}

func scanNullable[T any](c Columns, i int, dest **T, read func(Columns, int) (T, error)) error {
	if *dest = nil; c.IsNull(i) {
		return nil
	}
	value, err := read(c, i)
	*dest = &value
	return err
}

func scanInt(c Columns, i int) (int, error) {
	n, err := c.Integer(i)
	return int(n), err
}

func scanTime(c Columns, i int) (time.Time, error) {
	us, err := c.Integer(i)
	return time.UnixMicro(us).UTC(), err
}

// scanValue reads named types and pointers to them (nil for NULL).
func scanValue(c Columns, i int, dest any) error {
	v := reflect.ValueOf(dest)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return fmt.Errorf("cannot scan into %T", dest)
	}
	v = v.Elem()
	switch v.Kind() {
	case reflect.Pointer:
		if c.IsNull(i) {
			v.SetZero()
			return nil
		}
		fresh := reflect.New(v.Type().Elem())
		v.Set(fresh)
		return scanColumn(c, i, fresh.Interface())
	case reflect.String:
		text, err := c.Text(i)
		v.SetString(text)
		return err
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := c.Integer(i)
		if err == nil && v.OverflowInt(n) {
			return fmt.Errorf("%d does not fit into %s", n, v.Type())
		}
		v.SetInt(n)
		return err
	case reflect.Bool:
		b, err := c.Boolean(i)
		v.SetBool(b)
		return err
	}
	return fmt.Errorf("cannot scan into %T", dest)
}
