package bench

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"moothall/internal/db"
)

// postgresSession runs statements on pgx's connection, and the changes of a
// call as one statement, which needs one round trip and one commit.
type postgresSession struct{ conn *pgx.Conn }

func openPostgres(ctx context.Context, url string) (*postgresSession, error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	return &postgresSession{conn}, nil
}

func (s *postgresSession) close() error { return s.conn.Close(context.Background()) }

func (s *postgresSession) read(ctx context.Context, c call) error {
	for _, step := range c {
		if err := s.run(ctx, step.stmt.Text(db.PostgreSQL), step.args); err != nil {
			return fmt.Errorf("%s: %w", step.stmt.Name(), err)
		}
	}
	return nil
}

func (s *postgresSession) write(ctx context.Context, c call) error {
	text, args := oneStatement(c)
	return s.run(ctx, text, args)
}

// run runs a statement, which pgx keeps prepared.
func (s *postgresSession) run(ctx context.Context, text string, args []any) error {
	rows, err := s.conn.Query(ctx, text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	into := destinations(rows)
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
	}
	return rows.Err()
}

// destinations are variables of the columns' types that also take NULL.
func destinations(rows pgx.Rows) []any {
	into := make([]any, len(rows.FieldDescriptions()))
	for i, column := range rows.FieldDescriptions() {
		switch column.DataTypeOID {
		case pgtype.Int8OID, pgtype.Int4OID:
			into[i] = new(*int64)
		case pgtype.TextOID:
			into[i] = new(*string)
		case pgtype.UUIDOID:
			into[i] = new(pgtype.UUID)
		case pgtype.BoolOID:
			into[i] = new(*bool)
		case pgtype.Float8OID:
			into[i] = new(*float64)
		case pgtype.NumericOID:
			into[i] = new(pgtype.Numeric)
		default:
			into[i] = new([]byte)
		}
	}
	return into
}

var parameter = regexp.MustCompile(`\$(\d+)`)

// oneStatement makes one text of all statements of a call: each is a common
// table expression, with parameters of its own.
func oneStatement(c call) (text string, args []any) {
	var with []string
	read := []string{"1"}
	for i, step := range c {
		name := "s" + strconv.Itoa(i)
		before := len(args)
		shifted := parameter.ReplaceAllStringFunc(step.stmt.Text(db.PostgreSQL), func(p string) string {
			n, _ := strconv.Atoi(p[1:]) // digits only
			return "$" + strconv.Itoa(before+n)
		})
		how := " AS ("
		if len(step.stmt.Writes()) == 0 {
			how = " AS MATERIALIZED ("
			read = append(read, "(SELECT COUNT(*) FROM "+name+")")
		}
		with = append(with, name+how+shifted+")")
		args = append(args, step.args...)
	}
	return "WITH " + strings.Join(with, ", ") + " SELECT " + strings.Join(read, ", "), args
}
