package bench

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
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

// ready prepares what write runs.
func (s *postgresSession) ready(ctx context.Context, c call) error {
	texts := []string{}
	if slices.ContainsFunc(c, step.isWhole) {
		for _, step := range c {
			texts = append(texts, step.Text)
		}
	} else {
		text, _ := oneStatement(c)
		texts = append(texts, text)
	}
	for _, text := range texts {
		if _, err := s.conn.Prepare(ctx, text, text); err != nil {
			return err
		}
	}
	return nil
}

func (s *postgresSession) read(ctx context.Context, c call) error {
	for _, step := range c {
		if err := s.run(ctx, step.Text, step.args); err != nil {
			return fmt.Errorf("%s: %w", step.Name, err)
		}
	}
	return nil
}

func (s *postgresSession) write(ctx context.Context, c call) error {
	if slices.ContainsFunc(c, step.isWhole) {
		return s.pipeline(ctx, c)
	}
	text, args := oneStatement(c)
	return s.run(ctx, text, args)
}

// isWhole reports whether a statement cannot be a part of another one: it
// changes something in a common table expression of its own.
func (s step) isWhole() bool {
	return s.Writes && strings.HasPrefix(strings.TrimSpace(s.Text), "WITH")
}

// pipeline sends the statements of a call together, as one transaction.
func (s *postgresSession) pipeline(ctx context.Context, c call) error {
	if len(c) == 1 {
		return s.run(ctx, c[0].Text, c[0].args)
	}
	var batch pgx.Batch
	for _, step := range c {
		batch.Queue(step.Text, step.args...)
	}
	return s.conn.SendBatch(ctx, &batch).Close()
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
		shifted := parameter.ReplaceAllStringFunc(step.Text, func(p string) string {
			n, _ := strconv.Atoi(p[1:]) // digits only
			return "$" + strconv.Itoa(before+n)
		})
		how := " AS ("
		if !step.Writes {
			how = " AS MATERIALIZED ("
			read = append(read, "(SELECT COUNT(*) FROM "+name+")")
		}
		with = append(with, name+how+shifted+")")
		args = append(args, step.args...)
	}
	return "WITH " + strings.Join(with, ", ") + " SELECT " + strings.Join(read, ", "), args
}

// ReadyToCount is Ready for counting in one row of a table of its own, durably
// each time.
func (s *server) ReadyToCount(of FloorOf, _ *struct{}) error {
	conn, err := pgx.Connect(s.ctx, s.twin)
	if err != nil {
		return err
	}
	for _, text := range []string{
		"CREATE TABLE IF NOT EXISTS bench_counter (id BIGINT PRIMARY KEY, n BIGINT NOT NULL)",
		"INSERT INTO bench_counter VALUES (1, 0) ON CONFLICT DO NOTHING",
	} {
		if _, err := conn.Exec(s.ctx, text); err != nil {
			return errors.Join(err, conn.Close(s.ctx))
		}
	}
	if err := conn.Close(s.ctx); err != nil {
		return err
	}
	count := call{{statement: statement{"bench.counter", "UPDATE bench_counter SET n = n + 1 WHERE id = 1", true}}}
	s.plan = plan{url: s.twin, tape: slices.Repeat([]call{count}, mostCounted), writes: true}
	return s.openSessions(of.Callers)
}

// mostCounted is more than one row can be counted up in the time.
const mostCounted = 1_000_000
