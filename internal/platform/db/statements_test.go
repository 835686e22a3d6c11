package db_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

func TestListArgumentsOfTenThousand(t *testing.T) {
	const size = 10_000
	texts := make([]string, size)
	moods := make([]mood, size)
	ints := make([]int64, size)
	ids := make([]domain.ID[sampleKind], size)
	for i := range size {
		texts[i] = fmt.Sprintf(`%d "\' é 👍 <&>`, i)
		moods[i] = mood(texts[i])
		ints[i] = math.MaxInt64 - int64(i)
		ids[i] = newID()
	}
	ints[0] = math.MinInt64
	echoTexts := db.SQL("test.echo_texts", `SELECT l.value, l.ord FROM texts($1) AS l ORDER BY l.ord`)
	echoInts := db.SQL("test.echo_ints", `SELECT l.value, l.ord FROM ints($1) AS l ORDER BY l.ord`)
	echoIDs := db.SQL("test.echo_ids", `SELECT l.value, l.ord FROM ids($1) AS l ORDER BY l.ord`)
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		echoes(t, d, echoTexts, texts, texts)
		echoes(t, d, echoTexts, moods, texts)
		echoes(t, d, echoInts, ints, ints)
		echoes(t, d, echoIDs, ids, ids)
		echoes(t, d, echoTexts, []string(nil), []string{})
		echoes(t, d, echoInts, []int64{}, []int64{})
		echoes(t, d, echoInts, []int{3, 1, 2}, []int64{3, 1, 2})
		echoes(t, d, echoIDs, []domain.UserID(nil), []domain.UserID{})
	})
}

// echoes sends a list and expects it back in order.
func echoes[T comparable](t *testing.T, d *db.DB, s *db.Stmt, list any, want []T) {
	t.Helper()
	n := 0
	got, err := db.All(t.Context(), d, func(r db.Row, value *T) error {
		n++
		var ord int
		if err := r.Scan(value, &ord); err != nil || ord == n {
			return err
		}
		return fmt.Errorf("ord is %d in row %d", ord, n)
	}, s, list)
	must(t, err)
	if !slices.Equal(got, want) {
		t.Errorf("%s: %d values came back as %d others", s.Name(), len(want), len(got))
	}
}

func TestListArgumentsSelectRows(t *testing.T) {
	chosen := db.SQL("test.chosen", `SELECT id FROM samples WHERE id IN (SELECT value FROM ids($1) AS l)
		AND number IN (SELECT value FROM ints($2) AS l)`)
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		var all []domain.ID[sampleKind]
		for i := range 10 {
			all = append(all, newID())
			_, err := d.Exec(t.Context(), addSample, all[i], nil, i, nil, nil, nil, nil, nil)
			must(t, err)
		}
		got, err := db.All(t.Context(), d, func(r db.Row, id *domain.ID[sampleKind]) error { return r.Scan(id) }, chosen, all[:5],
			[]int64{4, 5, 6})
		must(t, err)
		if len(got) != 1 || got[0] != all[4] {
			t.Error(got)
		}
	})
}

func TestExecCountsRows(t *testing.T) {
	several := db.SQL("test.several", `INSERT INTO marks (owner, n) SELECT $1, value FROM ints($2) AS l`)
	once := db.SQL("test.once", `INSERT INTO marks (owner, n) VALUES ($1, $2) ON CONFLICT DO NOTHING`)
	move := db.SQL("test.move", `UPDATE marks SET n = n + $2 WHERE owner = $1`)
	returning := db.SQL("test.returning", `DELETE FROM marks WHERE owner = $1 AND n > $2 RETURNING n`)
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		for _, step := range []struct {
			s    *db.Stmt
			args []any
			want int64
		}{
			{several, []any{"a", []int64{1, 2, 3}}, 3},
			{once, []any{"a", 3}, 0},
			{once, []any{"a", 4}, 1},
			{move, []any{"nobody", 1}, 0},
			{move, []any{"a", 10}, 4},
			{countMarks, []any{"a"}, 1},
			{returning, []any{"a", 12}, 2},
			{deleteMarks, []any{"nobody"}, 0},
			{deleteMarks, []any{"a"}, 2},
		} {
			if got, err := d.Exec(t.Context(), step.s, step.args...); err != nil || got != step.want {
				t.Errorf("%s%v: %d, %v, want %d", step.s.Name(), step.args, got, err, step.want)
			}
		}
	})
}

func TestUpsertReturnsTheRow(t *testing.T) {
	count := db.SQL("test.count_up", `INSERT INTO counters (name, n) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE
		SET n = counters.n + excluded.n RETURNING n`)
	limited := db.SQL("test.count_limited", `INSERT INTO counters (name, n) VALUES ($1, 1) ON CONFLICT (name) DO UPDATE SET n = counters.n + 1
		WHERE counters.n < $2 RETURNING n`)
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		must(t, d.InTx(t.Context(), func(tx db.Tx) error {
			for want := 2; want <= 6; want += 2 {
				var n int
				if err := tx.One(t.Context(), count, "c", 2).Scan(&n); err != nil || n != want {
					return fmt.Errorf("%d, want %d: %w", n, want, err)
				}
			}
			var n int
			mustBe(t, tx.One(t.Context(), limited, "c", 6).Scan(&n), db.ErrNoRow)
			return nil // a missing row is no failure
		}))
	})
}

func TestQueryLoopMayEndEarly(t *testing.T) {
	insert := db.SQL("test.insert_all", `INSERT INTO marks (owner, n) SELECT $1, value FROM ints($2) AS l RETURNING n`)
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		must(t, d.InTx(t.Context(), func(tx db.Tx) error {
			for _, err := range tx.Query(t.Context(), insert, "a", []int64{1, 2, 3, 4}) {
				must(t, err)
				break
			}
			if n := marks(t, tx, "a"); n != 4 {
				t.Errorf("%d rows after leaving the loop, want all 4", n)
			}
			return nil
		}))
		for range 100 { // more often than there are connections
			for _, err := range d.Query(t.Context(), listMarks, "a") {
				must(t, err)
				break
			}
		}
		func() {
			defer func() { _ = recover() }()
			for range d.Query(t.Context(), listMarks, "a") {
				panic("in the loop")
			}
		}()
		if n := marks(t, d, "a"); n != 4 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestNestedStatementsAreRefused(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		must(t, mark(t.Context(), d, "a", 1))
		must(t, d.Read(t.Context(), func(q db.Querier) error {
			for _, err := range q.Query(t.Context(), listMarks, "a") {
				must(t, err)
				if q.One(t.Context(), countMarks, "a").Scan(new(int)) == nil {
					t.Error("a second statement ran inside the loop")
				}
			}
			return nil
		}))
	})
}

func TestOneWithoutRowsIsErrNoRow(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		var n int
		mustBe(t, d.One(t.Context(), listMarks, "nobody").Scan(&n), db.ErrNoRow)
	})
}

func TestErrorsNameTheStatement(t *testing.T) {
	broken := db.SQL("test.broken", `SELECT nothing FROM nowhere`)
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		err := d.One(t.Context(), broken).Scan(new(int))
		if err == nil || len(err.Error()) < 12 || err.Error()[:12] != "test.broken:" {
			t.Error(err)
		}
	})
}

func TestOnStatementSeesEveryStatement(t *testing.T) {
	type counterKey struct{}
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{OnStatement: func(ctx context.Context, s *db.Stmt, _ []any) {
			if names, ok := ctx.Value(counterKey{}).(*[]string); ok {
				*names = append(*names, s.Name())
			}
		}})
		var names []string
		ctx := context.WithValue(t.Context(), counterKey{}, &names)
		must(t, d.InTx(ctx, func(tx db.Tx) error { return mark(ctx, tx, "a", 1) }))
		must(t, d.One(ctx, countMarks, "a").Scan(new(int)))
		if !slices.Equal(names, []string{"enginetest.add_mark", "enginetest.count_marks"}) {
			t.Error(names)
		}
	})
}

func TestBulkInsertsFiftyThousand(t *testing.T) {
	const size = 50_000
	columns := []string{"id", "text", "number", "flag", "ratio", "bytes"}
	rows := func(count int) func(func([]any) bool) {
		return func(yield func([]any) bool) {
			for i := range count {
				if !yield([]any{newID(), fmt.Sprint("Zeile ", i), int64(i), i%2 == 0, float64(i) / 2, nil}) {
					return
				}
			}
		}
	}
	sum := db.SQL("test.sum", `SELECT count(*), sum(number), count(DISTINCT text) FILTER (WHERE flag) FROM samples`)
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		n, err := d.Bulk(t.Context(), "samples", columns, rows(size))
		must(t, err)
		var count, flagged int
		var total int64
		must(t, d.One(t.Context(), sum).Scan(&count, &total, &flagged))
		if n != size || count != size || total != size*(size-1)/2 || flagged != size/2 {
			t.Error(n, count, total, flagged)
		}
		broken := func(yield func([]any) bool) {
			rows(10)(yield)
			yield([]any{"too short"})
		}
		if _, err := d.Bulk(t.Context(), "samples", columns, broken); err == nil {
			t.Error("a broken row was taken")
		}
		must(t, d.One(t.Context(), sum).Scan(&count, &total, &flagged))
		if count != size {
			t.Errorf("%d rows of a failed import stayed", count-size)
		}
	})
}
