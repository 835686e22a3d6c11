package postgres

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"moothall/internal/platform/db/driver"
)

// row reads the current row of its result. It reads common types directly from
// the binary format, and others through pgx: sums, for example, are NUMERIC.
type row struct{ pgx.Rows }

func (r *row) Count() int { return len(r.FieldDescriptions()) }

func (r *row) IsNull(i int) bool { return r.RawValues()[i] == nil }

// is reports whether the column has this type in binary format.
func (r *row) is(i int, oid uint32) bool {
	field := &r.FieldDescriptions()[i]
	return field.DataTypeOID == oid && field.Format == pgtype.BinaryFormatCode
}

func (r *row) convert(i int, into any) error {
	field := &r.FieldDescriptions()[i]
	return r.Conn().TypeMap().Scan(field.DataTypeOID, field.Format, r.RawValues()[i], into)
}

func (r *row) Text(i int) (string, error) {
	raw := r.RawValues()[i]
	switch r.FieldDescriptions()[i].DataTypeOID {
	case pgtype.TextOID, pgtype.VarcharOID: // the same in text and binary format
		if raw != nil {
			return string(raw), nil
		}
	}
	return "", errors.New("is not text")
}

func (r *row) Integer(i int) (n int64, err error) {
	raw := r.RawValues()[i]
	switch {
	case len(raw) == 8 && r.is(i, pgtype.Int8OID):
		return int64(binary.BigEndian.Uint64(raw)), nil
	case len(raw) == 4 && r.is(i, pgtype.Int4OID):
		return int64(int32(binary.BigEndian.Uint32(raw))), nil
	}
	err = r.convert(i, &n)
	return n, err
}

func (r *row) Float(i int) (f float64, err error) {
	if raw := r.RawValues()[i]; len(raw) == 8 && r.is(i, pgtype.Float8OID) {
		return math.Float64frombits(binary.BigEndian.Uint64(raw)), nil
	}
	err = r.convert(i, &f)
	return f, err
}

func (r *row) Boolean(i int) (b bool, err error) {
	if raw := r.RawValues()[i]; len(raw) == 1 && r.is(i, pgtype.BoolOID) {
		return raw[0] == 1, nil
	}
	err = r.convert(i, &b)
	return b, err
}

func (r *row) Bytes(i int) (b []byte, err error) {
	err = r.convert(i, &b)
	return b, err
}

func (r *row) UUID(i int) (id driver.UUID, err error) {
	raw := r.RawValues()[i]
	if len(raw) != len(id) || !r.is(i, pgtype.UUIDOID) {
		return id, errors.New("is not an id")
	}
	return driver.UUID(raw), nil
}
