package db

import (
	"context"
	"encoding/binary"
	"errors"
	"math"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"moothall/internal/platform/observe"
)

// postgresConn runs statements on one connection. pgx caches them prepared.
type postgresConn struct{ *pgx.Conn }

func (c postgresConn) exec(ctx context.Context, s *Stmt, args []any) (rows int64, err error) {
	defer observe.StartSpan(ctx, s.name).End(&err)
	args, err = postgresArgs(args)
	if err != nil {
		return 0, err
	}
	ctx, cancel := limited(ctx)
	defer cancel()
	tag, err := c.Exec(ctx, s.sql.PostgreSQL, args...)
	return tag.RowsAffected(), timedOut(ctx, err)
}

func (c postgresConn) query(ctx context.Context, s *Stmt, args []any, each func(Row) bool) (err error) {
	defer observe.StartSpan(ctx, s.name).End(&err)
	args, err = postgresArgs(args)
	if err != nil {
		return err
	}
	ctx, cancel := limited(ctx)
	defer cancel()
	return timedOut(ctx, eachRow(func() (pgx.Rows, error) { return c.Query(ctx, s.sql.PostgreSQL, args...) }, each))
}

func (c postgresConn) script(ctx context.Context, sql string) error {
	_, err := c.PgConn().Exec(ctx, sql).ReadAll()
	return err
}

// postgresArgs converts arguments to types that pgx encodes without guessing.
func postgresArgs(args []any) ([]any, error) {
	out := make([]any, len(args))
	for i, arg := range args {
		value, err := normalize(arg)
		if err != nil {
			return nil, err
		}
		switch v := value.(type) {
		case uuid:
			value = pgtype.UUID{Bytes: v, Valid: true}
		case []uuid:
			list := make([]pgtype.UUID, len(v))
			for i, id := range v {
				list[i] = pgtype.UUID{Bytes: id, Valid: true}
			}
			value = list
		}
		out[i] = value
	}
	return out, nil
}

// postgresRow reads the current row of its result. It reads common types directly from
// the binary format, and others through pgx: sums, for example, are NUMERIC.
type postgresRow struct{ pgx.Rows }

func (r *postgresRow) count() int { return len(r.FieldDescriptions()) }

func (r *postgresRow) isNull(i int) bool { return r.RawValues()[i] == nil }

// is reports whether the column has this type in binary format.
func (r *postgresRow) is(i int, oid uint32) bool {
	field := &r.FieldDescriptions()[i]
	return field.DataTypeOID == oid && field.Format == pgtype.BinaryFormatCode
}

func (r *postgresRow) convert(i int, into any) error {
	field := &r.FieldDescriptions()[i]
	return r.Conn().TypeMap().Scan(field.DataTypeOID, field.Format, r.RawValues()[i], into)
}

func (r *postgresRow) text(i int) (string, error) {
	raw := r.RawValues()[i]
	switch r.FieldDescriptions()[i].DataTypeOID {
	case pgtype.TextOID, pgtype.VarcharOID: // the same in text and binary format
		if raw != nil {
			return string(raw), nil
		}
	}
	return "", errors.New("is not text")
}

func (r *postgresRow) integer(i int) (n int64, err error) {
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

func (r *postgresRow) float(i int) (f float64, err error) {
	if raw := r.RawValues()[i]; len(raw) == 8 && r.is(i, pgtype.Float8OID) {
		return math.Float64frombits(binary.BigEndian.Uint64(raw)), nil
	}
	err = r.convert(i, &f)
	return f, err
}

func (r *postgresRow) boolean(i int) (b bool, err error) {
	if raw := r.RawValues()[i]; len(raw) == 1 && r.is(i, pgtype.BoolOID) {
		return raw[0] == 1, nil
	}
	err = r.convert(i, &b)
	return b, err
}

func (r *postgresRow) bytes(i int) (b []byte, err error) {
	err = r.convert(i, &b)
	return b, err
}

func (r *postgresRow) uuid(i int) (id uuid, err error) {
	raw := r.RawValues()[i]
	if len(raw) != len(id) || !r.is(i, pgtype.UUIDOID) {
		return id, errors.New("is not an id")
	}
	return uuid(raw), nil
}
