package db_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"zombiezen.com/go/sqlite"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	engine "moothall/internal/platform/db/sqlite"
	"moothall/internal/test/pgtest"
)

// Each benchmark compares this package with a baseline and prints the ratio. The
// baseline of reads is the driver alone. Group commits have two: one commit for each
// transaction (the slowest), and one caller with a batch (the fastest).

// inTurns returns the time of b.N operations of each contender. It alternates between
// the contenders and takes the median of all rounds, so that other load matters little.
func inTurns(b *testing.B, contenders ...func(n int)) []time.Duration {
	const rounds = 25
	n := max(1, b.N/rounds)
	took := make([][]time.Duration, len(contenders))
	b.ResetTimer()
	for round := range rounds {
		for i := range contenders {
			i = (i + round) % len(contenders)
			began := time.Now()
			contenders[i](n)
			took[i] = append(took[i], time.Since(began))
		}
	}
	medians := make([]time.Duration, len(contenders))
	for i, all := range took {
		slices.Sort(all)
		medians[i] = all[rounds/2] * time.Duration(b.N) / time.Duration(n)
	}
	return medians
}

func perOp(b *testing.B, took time.Duration) float64 {
	return float64(took.Nanoseconds()) / float64(b.N)
}

func BenchmarkGroupCommit(b *testing.B) {
	const callers = 256
	const slower = 20 // divides the operations of the baseline, which is slower
	dir := b.TempDir()
	grouped := open(b, "sqlite:"+filepath.Join(dir, "grouped.db"), db.Options{Wait: time.Minute})
	open(b, "sqlite:"+filepath.Join(dir, "alone.db"), db.Options{})
	alone := openRaw(b, filepath.Join(dir, "alone.db"))
	var next atomic.Int64
	insert := alone.Prep("INSERT INTO marks (owner, n) VALUES ('a', ?1)")
	insertRaw := func() {
		insert.BindInt64(1, next.Add(1))
		step(b, insert)
	}
	took := inTurns(b,
		func(n int) {
			spread(n, callers, func() {
				if err := grouped.InTx(context.Background(), func(tx db.Tx) error {
					return mark(context.Background(), tx, "a", int(next.Add(1)))
				}); err != nil {
					b.Error(err)
				}
			})
		},
		func(n int) {
			var turn sync.Mutex
			spread(n/slower, callers, func() {
				turn.Lock()
				defer turn.Unlock()
				step(b, alone.Prep("BEGIN IMMEDIATE"))
				insertRaw()
				step(b, alone.Prep("COMMIT"))
			})
		},
		func(n int) {
			for done := 0; done < n; done += callers {
				step(b, alone.Prep("BEGIN IMMEDIATE"))
				for range min(callers, n-done) {
					insertRaw()
				}
				step(b, alone.Prep("COMMIT"))
			}
		})
	b.ReportMetric(perOp(b, took[0]), "ns/op")
	b.ReportMetric(1e9/perOp(b, took[0]), "tx/s")
	b.ReportMetric(slower*float64(took[1])/float64(took[0]), "x-one-each")
	b.ReportMetric(float64(took[2])/float64(took[0]), "x-batch-of-256")
}

// spread runs n operations with that many concurrent callers.
func spread(n, callers int, op func()) {
	var left atomic.Int64
	left.Store(int64(n))
	together(callers, func(int) {
		for left.Add(-1) >= 0 {
			op()
		}
	})
}

const cardSchema = `CREATE TABLE people (id UUID PRIMARY KEY, name TEXT NOT NULL, avatar TEXT);
CREATE TABLE events (
	id UUID PRIMARY KEY, organizer_id UUID NOT NULL, title TEXT NOT NULL, city TEXT, starts_at BIGINT NOT NULL, starts_key BIGINT NOT NULL,
	capacity INTEGER, lat DOUBLE PRECISION, lng DOUBLE PRECISION, paid BOOLEAN NOT NULL
);
CREATE UNIQUE INDEX events_starts ON events (starts_key);
CREATE TABLE slots (event_id UUID, slot INTEGER, n BIGINT NOT NULL, PRIMARY KEY (event_id, slot)) -- clustered
;`

// card is an event in a list.
type card struct {
	ID, Organizer domain.EventID
	Title, Name   string
	City, Avatar  *string
	Starts        time.Time
	Key, Count    int64
	Capacity      *int
	Lat, Lng      *float64
	Paid          bool
}

var listCards = db.SQL("test.list_cards", `SELECT e.id, e.organizer_id, e.title, p.name, e.city, p.avatar, e.starts_at, e.starts_key,
		(SELECT CAST(sum(s.n) AS BIGINT) FROM slots s WHERE s.event_id = e.id), e.capacity, e.lat, e.lng, e.paid
	FROM events e JOIN people p ON p.id = e.organizer_id WHERE e.starts_key > $1 ORDER BY e.starts_key LIMIT 20`)

func scanCard(r db.Row, c *card) error {
	return r.Scan(&c.ID, &c.Organizer, &c.Title, &c.Name, &c.City, &c.Avatar, &c.Starts, &c.Key, &c.Count, &c.Capacity, &c.Lat, &c.Lng,
		&c.Paid)
}

const cards = 10_000

// openCards fills a database with events, their organizers and counters.
func openCards(b *testing.B, url string) *db.DB {
	files := testMigrations()
	files["0002_cards.sql"] = file(cardSchema)
	d := open(b, url, db.Options{}, migrate.Options{Files: files})
	ids := make([]domain.EventID, cards)
	for i := range ids {
		ids[i] = domain.EventID(newID())
	}
	fill := func(table string, columns []string, row func(i int) []any) {
		_, err := d.Bulk(b.Context(), table, columns, func(yield func([]any) bool) {
			for i := range cards {
				if !yield(row(i)) {
					return
				}
			}
		})
		must(b, err)
	}
	fill("people", []string{"id", "name", "avatar"}, func(i int) []any { return []any{ids[i], fmt.Sprint("Person ", i), nil} })
	fill("slots", []string{"event_id", "slot", "n"}, func(i int) []any { return []any{ids[i], 0, i % 50} })
	fill("events", []string{"id", "organizer_id", "title", "city", "starts_at", "starts_key", "capacity", "lat", "lng", "paid"},
		func(i int) []any {
			return []any{ids[i], ids[cards-1-i], fmt.Sprint("A meetup with a title of the usual length, number ", i), "Berlin",
				time.UnixMicro(int64(i) * 1e6), int64(i) * 1e9, 20, 52.5, 13.4, i%2 == 0}
		})
	return d
}

func listOurs(b *testing.B, d *db.DB) func(n int) {
	return func(n int) {
		for i := range n {
			list, err := db.All(b.Context(), d, scanCard, listCards, int64(i%(cards/2))*1e9)
			if err != nil || len(list) != 20 {
				b.Fatal(len(list), err)
			}
		}
	}
}

func reportList(b *testing.B, took []time.Duration) {
	b.ReportMetric(perOp(b, took[0]), "ns/op")
	b.ReportMetric(perOp(b, took[1]), "floor-ns/op")
	b.ReportMetric(float64(took[0])/float64(took[1]), "x-floor")
}

func BenchmarkListSQLite(b *testing.B) {
	path := filepath.Join(b.TempDir(), "cards.db")
	ours := listOurs(b, openCards(b, "sqlite:"+path))
	stmt := openRaw(b, path).Prep(listCards.Text(db.SQLite))
	floor := func(n int) {
		for i := range n {
			stmt.BindInt64(1, int64(i%(cards/2))*1e9)
			if list := readCards(b, stmt); len(list) != 20 {
				b.Fatal(len(list))
			}
		}
	}
	reportList(b, inTurns(b, ours, floor))
}

// readCards reads with the bare driver.
func readCards(b *testing.B, stmt *sqlite.Stmt) (list []card) {
	for {
		more, err := stmt.Step()
		must(b, err)
		if !more {
			must(b, stmt.Reset())
			return list
		}
		c := card{Title: stmt.ColumnText(2), Name: stmt.ColumnText(3), Starts: time.UnixMicro(stmt.ColumnInt64(6)).UTC(),
			Key: stmt.ColumnInt64(7), Count: stmt.ColumnInt64(8), Paid: stmt.ColumnBool(12)}
		stmt.ColumnBytes(0, c.ID[:])
		stmt.ColumnBytes(1, c.Organizer[:])
		if !stmt.ColumnIsNull(4) {
			c.City = new(stmt.ColumnText(4))
		}
		if !stmt.ColumnIsNull(5) {
			c.Avatar = new(stmt.ColumnText(5))
		}
		if !stmt.ColumnIsNull(9) {
			c.Capacity = new(stmt.ColumnInt(9))
		}
		if !stmt.ColumnIsNull(10) {
			c.Lat, c.Lng = new(stmt.ColumnFloat(10)), new(stmt.ColumnFloat(11))
		}
		list = append(list, c)
	}
}

func BenchmarkListPostgreSQL(b *testing.B) {
	url := pgtest.Database(b)
	ours := listOurs(b, openCards(b, url))
	pool, err := pgxpool.New(b.Context(), url)
	must(b, err)
	defer pool.Close()
	floor := func(n int) {
		for i := range n {
			rows, err := pool.Query(b.Context(), listCards.Text(db.PostgreSQL), int64(i%(cards/2))*1e9)
			must(b, err)
			var list []card
			for rows.Next() {
				var c card
				var starts int64
				must(b, rows.Scan((*[16]byte)(&c.ID), (*[16]byte)(&c.Organizer), &c.Title, &c.Name, &c.City, &c.Avatar, &starts, &c.Key, &c.Count,
					&c.Capacity, &c.Lat, &c.Lng, &c.Paid))
				c.Starts = time.UnixMicro(starts).UTC()
				list = append(list, c)
			}
			if must(b, rows.Err()); len(list) != 20 {
				b.Fatal(len(list))
			}
		}
	}
	reportList(b, inTurns(b, ours, floor))
}

func openRaw(b *testing.B, path string) *sqlite.Conn {
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	must(b, err)
	b.Cleanup(func() { must(b, conn.Close()) })
	for pragma := range strings.SplitSeq(engine.Pragmas, ";") {
		step(b, conn.Prep(pragma))
	}
	return conn
}

func step(b *testing.B, stmt *sqlite.Stmt) {
	for more := true; more; {
		var err error
		more, err = stmt.Step()
		must(b, err)
	}
	must(b, stmt.Reset())
}
