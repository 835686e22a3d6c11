package db

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/observe"
	"moothall/internal/test/pgtest"
)

const (
	animal  Kind = "animal"
	mineral Kind = "mineral"
)

// Statements on a table that no migration has.
var (
	makeTable = driver.NewStmt("versiontest.make", `CREATE TABLE IF NOT EXISTS numbers (id BIGINT PRIMARY KEY, n BIGINT NOT NULL)`)
	setNumber = driver.NewStmt("versiontest.set", `INSERT INTO numbers (id, n) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET n = $2`)
	getNumber = driver.NewStmt("versiontest.get", `SELECT n FROM numbers WHERE id = $1`)
)

func newID() [16]byte { return domain.NewID[domain.EventKind](time.Unix(1, 0)) }

func openURL(t *testing.T, url string) *DB {
	t.Helper()
	d, err := Open(t.Context(), url, Options{Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	if _, err := d.Exec(t.Context(), makeTable); err != nil {
		t.Fatal(err)
	}
	return d
}

func sqliteURL(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "moothall.db") }

func onEach(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); test(t, sqliteURL(t)) })
	t.Run("postgresql", func(t *testing.T) { t.Parallel(); test(t, pgtest.Database(t)) })
}

// eventually waits until a condition holds: a minute at most, because the machine is busy.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for until := time.Now().Add(time.Minute); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("waited a minute for %s", what)
		}
	}
}

// following returns a database that trusts its versions.
func following(t *testing.T, url string) *DB {
	t.Helper()
	d := openURL(t, url)
	d.FollowChanges()
	eventually(t, "trust", d.Trusted)
	return d
}

// trust lets the versions be trusted for the time of a test.
func trust(d *DB) { d.versions.Trust(observe.Uptime() + time.Hour) }

// write runs a transaction that changes entities and the number with an id.
func write(t *testing.T, d *DB, id, n int64, entities ...Entity) {
	t.Helper()
	err := d.InTx(t.Context(), func(tx Tx) error {
		tx.Changed(entities...)
		tx.Queue(t.Context(), setNumber, id, n)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestUnchangedUntilAnEntityChanges(t *testing.T) {
	ours, other := newID(), newID()
	onEach(t, func(t *testing.T, url string) {
		d := openURL(t, url)
		trust(d)
		changing := func(entities ...Entity) func(*testing.T) {
			return func(t *testing.T) { write(t, d, 1, 1, entities...) }
		}
		for _, c := range []struct {
			name      string
			of        []Entity
			do        func(t *testing.T)
			unchanged bool
		}{
			{"nothing", []Entity{animal.Of(ours)}, func(*testing.T) {}, true},
			{"a transaction that names nothing", []Entity{animal.Of(ours)}, changing(), true},
			{"the entity", []Entity{animal.Of(ours)}, changing(animal.Of(ours)), false},
			{"another entity", []Entity{animal.Of(ours)}, changing(animal.Of(other)), true},
			{"another kind", []Entity{animal.Of(ours)}, changing(mineral.Of(ours)), true},
			{"one of two", []Entity{animal.Of(ours), mineral.Of(other)}, changing(mineral.Of(other)), false},
			{"two of three", []Entity{animal.Of(ours)}, changing(mineral.Of(ours), animal.Of(ours), animal.Of(other)), false},
			{"all of the kind", []Entity{animal.Of(ours)}, changing(animal.All()), false},
			{"all of another kind", []Entity{animal.Of(ours)}, changing(mineral.All()), true},
			{"one, on which all depends", []Entity{animal.All()}, changing(animal.Of(other)), false},
			{"all, on which all depends", []Entity{animal.All()}, changing(animal.All()), false},
			{"another kind than all", []Entity{animal.All()}, changing(mineral.Of(other)), true},
			{"a transaction that fails", []Entity{animal.Of(ours)}, func(t *testing.T) {
				err := d.InTx(t.Context(), func(tx Tx) error {
					tx.Changed(animal.Of(ours))
					return context.Canceled
				})
				if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			}, true},
			{"a transaction that panics", []Entity{animal.Of(ours)}, func(t *testing.T) {
				err := d.InTx(t.Context(), func(tx Tx) error {
					tx.Changed(animal.Of(ours))
					panic("wrong")
				})
				if err == nil {
					t.Error("no error")
				}
			}, true},
			{"rows in bulk", []Entity{animal.Of(ours)}, func(t *testing.T) {
				if _, err := d.Bulk(t.Context(), "numbers", []string{"id", "n"}, slices.Values([][]any{{100, 0}})); err != nil {
					t.Error(err)
				}
			}, false},
		} {
			since, of := d.Version(), DependOn(c.of...)
			c.do(t)
			for range 2 {
				if got := d.Unchanged(since, of); got != c.unchanged {
					t.Errorf("%s: unchanged %t, want %t", c.name, got, c.unchanged)
				}
			}
			if !d.Unchanged(d.Version(), of) {
				t.Errorf("%s: changed since now", c.name)
			}
		}
	})
}

// TestRetriedTransactionsChange lets the first attempt of a transaction fail: its
// changes count too, because the second attempt may name others.
func TestRetriedTransactionsChange(t *testing.T) {
	d := openURL(t, pgtest.Database(t))
	trust(d)
	since, first, second, attempt := d.Version(), newID(), newID(), 0
	err := d.InTx(t.Context(), func(tx Tx) error {
		if attempt++; attempt == 1 {
			tx.Changed(animal.Of(first))
			tx.Queue(t.Context(), setNumber, 1, 1)
			tx.Queue(t.Context(), driver.NewStmt("versiontest.end", `SELECT pg_terminate_backend(pg_backend_pid())`))
			return nil
		}
		tx.Changed(animal.Of(second))
		return nil
	})
	if err != nil || attempt != 2 {
		t.Fatalf("%d attempts: %v", attempt, err)
	}
	for _, id := range [][16]byte{first, second} {
		if d.Unchanged(since, DependOn(animal.Of(id))) || !d.Unchanged(d.Version(), DependOn(animal.Of(id))) {
			t.Errorf("unchanged since the start or changed since the end: %v", id)
		}
	}
}

// TestCachedValuesAreNeverOlderThanCommits caches a number while several transactions
// change it: a request that starts after a commit does not get an older number.
func TestCachedValuesAreNeverOlderThanCommits(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		d := openURL(t, url)
		trust(d)
		entity := animal.Of(newID())
		of := DependOn(entity)
		type cached struct {
			n     int64
			since Version
		}
		var mu sync.Mutex
		var latest cached
		var committed int64
		write(t, d, 1, 0, entity)
		var working sync.WaitGroup
		stop := make(chan struct{})
		for range 4 {
			working.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					mu.Lock()
					known, least := latest, committed
					mu.Unlock()
					if d.Unchanged(known.since, of) {
						if known.n < least {
							t.Errorf("cached %d after %d was committed", known.n, least)
							return
						}
						continue
					}
					fresh := cached{since: d.Version()}
					if err := d.One(t.Context(), getNumber, 1).Scan(&fresh.n); err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					latest = fresh
					mu.Unlock()
				}
			})
		}
		for n := range int64(100) {
			write(t, d, 1, n+1, entity)
			mu.Lock()
			committed = n + 1
			mu.Unlock()
		}
		close(stop)
		working.Wait()
	})
}
