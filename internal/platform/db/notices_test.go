package db

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"moothall/internal/platform/db/change"
	"moothall/internal/test/pgtest"
)

// bound is the age that a cached value may reach.
const bound = time.Second

// learns calls change and reports how long d considers a value of the entity unchanged.
func learns(t *testing.T, d *DB, of Entity, change func()) time.Duration {
	t.Helper()
	eventually(t, "trust", d.Trusted)
	dependencies := DependOn(of)
	since := d.Version()
	change()
	return heldFor(t, time.Now(), "the change", func() bool { return d.Unchanged(since, dependencies) })
}

// heldFor waits until a condition ends, and returns how long after began it was last seen to
// hold. It takes the time before each look, so that a busy machine adds nothing.
func heldFor(t *testing.T, began time.Time, what string, holds func() bool) (last time.Duration) {
	t.Helper()
	eventually(t, what, func() bool {
		asked := time.Since(began)
		if !holds() {
			return true
		}
		last = asked
		return false
	})
	return last
}

// keeps reports whether a value survives a change elsewhere, for a second. It tries
// several times, because any process may fall silent on a busy machine.
func keeps(t *testing.T, d *DB, of Entity, change func()) bool {
	t.Helper()
	for range 20 {
		eventually(t, "trust", d.Trusted)
		since, unchanged := d.Version(), true
		change()
		for end := time.Now().Add(time.Second); time.Now().Before(end) && unchanged; time.Sleep(5 * time.Millisecond) {
			unchanged = d.Unchanged(since, DependOn(of)) || !d.Trusted()
		}
		if unchanged {
			return true
		}
	}
	return false
}

func TestChangesReachOtherProcesses(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		here, there, command := following(t, url), following(t, url), openURL(t, url)
		ours, other := animal.Of(newID()), animal.Of(newID())
		for name, d := range map[string]*DB{"another process": here, "a process that does not follow changes": command} {
			if late := learns(t, there, ours, func() { write(t, d, 1, rand.Int64(), ours) }); late > bound {
				t.Errorf("the change of %s arrived after %v", name, late)
			}
			if late := learns(t, there, ours, func() {
				if _, err := d.Bulk(t.Context(), "numbers", []string{"id", "n"}, slices.Values([][]any{{rand.Int64(), 0}})); err != nil {
					t.Error(err)
				}
			}); late > bound {
				t.Errorf("the bulk change of %s arrived after %v", name, late)
			}
		}
		if !keeps(t, here, other, func() { write(t, here, 1, 2, ours) }) {
			t.Error("another entity changes with an own transaction")
		}
		if here.Engine() == PostgreSQL {
			if !keeps(t, there, other, func() { write(t, here, 1, 3, ours) }) {
				t.Error("another entity changes with the transaction of another process")
			}
			many := make([]Entity, 4000)
			for i := range many {
				many[i] = animal.Of(newID())
			}
			if late := learns(t, there, other, func() { write(t, here, 1, 4, many...) }); late > bound {
				t.Errorf("many changes arrived after %v", late)
			}
		}
	})
}

func TestVersionsAreNotTrustedWithoutFollowChanges(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		d := openURL(t, url)
		if d.Unchanged(d.Version(), DependOn(animal.Of(newID()))) {
			t.Error("a process that does not follow changes trusts its versions")
		}
	})
}

// TestSQLiteWriterThatIsBusyIsNotTrusted keeps the writer busy, which cannot check the
// file meanwhile.
func TestSQLiteWriterThatIsBusyIsNotTrusted(t *testing.T) {
	t.Parallel()
	d := following(t, sqliteURL(t))
	err := d.InTx(t.Context(), func(Tx) error {
		eventually(t, "distrust", func() bool { return !d.Trusted() })
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	eventually(t, "trust", d.Trusted)
}

// TestNoticesSurviveALostConnection ends the connection of the notices around a commit.
func TestNoticesSurviveALostConnection(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	here, there := following(t, url), following(t, url)
	admin := listener(t, url)
	for i := range 3 {
		ours := animal.Of(newID())
		cut := func() {
			var cut int
			err := admin.QueryRow(t.Context(), `SELECT COUNT(*) FILTER (WHERE pg_terminate_backend(pid)) FROM pg_stat_activity
				WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%pg_notify($1, $2)%'`).Scan(&cut)
			if err != nil || cut == 0 {
				t.Errorf("cut %d connections: %v", cut, err)
			}
		}
		late := learns(t, there, ours, func() {
			if i == 0 {
				cut()
			}
			write(t, here, 1, int64(i), ours)
			if i == 1 {
				cut()
			}
		})
		if late > bound {
			t.Errorf("round %d: the change arrived after %v", i, late)
		}
	}
}

// TestSilenceEndsTrust stops all packets of one process: it trusts nothing, and the other
// one takes everything for changed until it hears the first again.
func TestSilenceEndsTrust(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	p := pgtest.NewProxy(t, url)
	there, here := following(t, url), following(t, p.URL)
	ours := animal.Of(newID())
	eventually(t, "both to know each other", func() bool { return keeps(t, there, ours, func() {}) })
	var frozen time.Time
	if late := learns(t, there, ours, func() { p.Frozen.Store(true); frozen = time.Now() }); late > bound {
		t.Errorf("the silence was noticed after %v", late)
	}
	if late := heldFor(t, frozen, "distrust", here.Trusted); late > bound {
		t.Errorf("distrust after %v", late)
	}
	for range 3 { // again and again: the silent process may have a commit under way
		if late := learns(t, there, ours, func() {}); late > bound {
			t.Errorf("a further change of the silent process would be noticed after %v", late)
		}
	}
	write(t, there, 1, 1, ours)
	since := here.Version()
	p.Frozen.Store(false)
	eventually(t, "trust", here.Trusted)
	if here.Unchanged(since, DependOn(ours)) {
		t.Error("a change during the silence was missed")
	}
	if !keeps(t, there, ours, func() {}) || !keeps(t, here, ours, func() {}) {
		t.Error("caches keep nothing after the silence")
	}
}

// TestSlowConnectionsCatchUp delays the packets of one process by more than the time between its
// notices.
func TestSlowConnectionsCatchUp(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	p := pgtest.NewProxy(t, url)
	there, here := following(t, url), following(t, p.URL)
	for _, l := range p.Listeners() {
		l.Delay.Store(int64(60 * time.Millisecond)) // twice for each notice
	}
	for range 5 {
		ours := animal.Of(newID())
		if late := learns(t, here, ours, func() { write(t, there, 1, rand.Int64(), ours) }); late > bound {
			t.Errorf("the change arrived after %v", late)
		}
	}
	began := time.Now()
	_ = here.Close()
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the end took %v", took)
	}
}

// TestRunningCommitsAreAnnounced announces a commit and does not end it: its changes may
// be visible at any moment, although nobody has told this process.
func TestRunningCommitsAreAnnounced(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	here, there := following(t, url), following(t, url)
	ours, other := animal.Of(newID()), animal.Of(newID())
	c := here.versions.NewChanges()
	c.Add(ours)
	c.Announce()
	for range 3 {
		if late := learns(t, there, ours, func() {}); late > bound {
			t.Errorf("a running commit was noticed after %v", late)
		}
	}
	if !keeps(t, there, other, func() {}) {
		t.Error("a running commit of an entity changes others")
	}
	here.end(c, fmt.Errorf("lost: %w", ErrInDoubt))
	if late := learns(t, there, ours, func() {}); late > bound {
		t.Errorf("a commit in doubt was noticed after %v", late)
	}
	here.end(c, nil)
	if !keeps(t, there, ours, func() {}) {
		t.Error("a commit that has ended still changes the entity")
	}
}

// TestCloseSaysGoodbye closes a process: another one keeps its values, and no goroutine
// remains.
func TestCloseSaysGoodbye(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	there := following(t, url)
	ours := animal.Of(newID())
	here := following(t, url)
	eventually(t, "both to know each other", func() bool { return keeps(t, there, ours, func() {}) })
	changed := animal.Of(newID())
	since := there.Version()
	write(t, here, 1, 1, changed)
	if err := here.Close(); err != nil {
		t.Error(err)
	}
	eventually(t, "the last change", func() bool { return !there.Unchanged(since, DependOn(changed)) })
	if !keeps(t, there, ours, func() {}) {
		t.Error("values do not survive a goodbye")
	}
}

func TestCloseEndsFollowChanges(t *testing.T) {
	for _, url := range []string{sqliteURL(t), pgtest.Database(t)} {
		d, err := Open(t.Context(), url, Options{})
		if err != nil {
			t.Fatal(err)
		}
		d.FollowChanges()
		d.FollowChanges() // does nothing
		eventually(t, "trust", d.Trusted)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
	eventually(t, "the goroutines", func() bool {
		stacks := make([]byte, 1<<20)
		text := string(stacks[:runtime.Stack(stacks, true)])
		return !strings.Contains(text, "(*notices).run(") && !strings.Contains(text, "(*writer).follow.")
	})
}

// TestTransactionsSendTheirOwnNotices writes with a process whose notices do not come
// back. Its changes arrive with its commits, and not without them.
func TestTransactionsSendTheirOwnNotices(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	d := openURL(t, url)
	l := listener(t, url)
	if _, err := l.Exec(t.Context(), "LISTEN moothall_changes_1"); err != nil {
		t.Fatal(err)
	}
	undone, done := animal.Of(newID()), animal.Of(newID())
	_ = d.InTx(t.Context(), func(tx Tx) error {
		tx.Changed(undone)
		return context.Canceled
	})
	write(t, d, 1, 1, done)
	notice, err := l.WaitForNotification(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text, _ := strings.CutPrefix(notice.Payload, "transaction ")
	raw, err := base64.RawStdEncoding.DecodeString(text)
	var got []change.Cell
	for ; len(raw) > 1; raw = raw[2:] {
		got = append(got, change.Cell(binary.BigEndian.Uint16(raw)))
	}
	if want := done.AppendCells(nil); err != nil || len(got) != len(want) || !slices.Contains(got, want[0]) || !slices.Contains(got, want[1]) {
		t.Errorf("%q has %v, want %v", notice.Payload, got, want)
	}
}

// listener is a connection to the database besides those of a DB.
func listener(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return c
}
