package db

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"moothall/internal/test/pgtest"
)

// TestApplyNotices applies sequences of notices. Each step is a notice of another process,
// or the return of an own one at a time.
func TestApplyNotices(t *testing.T) {
	const ms = time.Millisecond
	type step struct {
		own    time.Duration // time of a returned own notice
		notice string
	}
	hello := step{notice: "other 7 0 -"}
	for _, c := range []struct {
		name       string
		steps      []step
		everything bool // advances in the last step
		cells      []versionCell
	}{
		{"unknown process", []step{hello}, true, nil},
		{"next notice", []step{hello, {notice: "other 8 0 -"}}, false, nil},
		{"next notice with a change", []step{hello, {notice: "other 8 0 " + encodeCells(map[versionCell]bool{3: true})}}, false, []versionCell{3}},
		{"unknown process with a change", []step{{notice: "other 8 0 " + encodeCells(map[versionCell]bool{3: true})}}, true, []versionCell{3}},
		{"missing notice", []step{hello, {notice: "other 9 0 -"}}, true, nil},
		{"same notice twice", []step{hello, {notice: "other 7 0 -"}}, true, nil},
		{"reordered notices", []step{hello, {notice: "other 9 0 -"}, {notice: "other 8 0 -"}}, true, nil},
		{"after reordered notices", []step{hello, {notice: "other 9 0 -"}, {notice: "other 8 0 -"}, {notice: "other 9 0 -"}}, false, nil},
		{"late notice", []step{hello, {own: 200 * ms}, {own: 250 * ms}, {own: 301 * ms}, {notice: "other 8 0 -"}}, true, nil},
		{"almost late notice", []step{hello, {own: 200 * ms}, {own: 300 * ms}, {notice: "other 8 0 -"}}, false, nil},
		{"silence", []step{hello, {own: 200 * ms}, {own: 301 * ms}}, true, nil},
		{"silence that continues", []step{hello, {own: 301 * ms}, {own: 350 * ms}, {own: doubtTime}}, true, nil},
		{"silence that ends", []step{hello, {own: 301 * ms}, {notice: "other 8 0 -"}, {own: 350 * ms}}, false, nil},
		{"the end of the silence of an ended process", []step{hello, {own: doubtTime + 1}}, true, nil},
		{"after an ended process", []step{hello, {own: doubtTime + 1}, {own: doubtTime + 200*ms}}, false, nil},
		{"goodbye", []step{hello, {notice: "other 8 -1 " + encodeCells(map[versionCell]bool{3: true})}}, false, []versionCell{3}},
		{"silence after goodbye", []step{hello, {notice: "other 8 -1 -"}, {own: 350 * ms}}, false, nil},
		{"own notice", []step{{own: ms}}, false, nil},
		{"first trust", []step{{own: ms}, {own: trustTime + ms}}, true, nil},
		{"trust", []step{{own: ms}, {own: trustTime + ms}, {own: trustTime + 2*ms}}, false, nil},
		{"doubts about processes that ended before", []step{{own: trustTime + ms}, {own: doubtTime}, {own: doubtTime + ms}}, true, nil},
		{"no doubts", []step{{own: trustTime + ms}, {own: doubtTime + ms}, {own: doubtTime + 2*ms}}, false, nil},
		{"in a transaction", []step{hello, {notice: transactionNotice + encodeCells(map[versionCell]bool{3: true})}}, false, []versionCell{3}},
		{"nonsense", []step{hello, {notice: "nonsense"}}, true, nil},
		{"empty", []step{hello, {notice: ""}}, true, nil},
		{"nonsense in a transaction", []step{hello, {notice: transactionNotice + "?"}}, true, nil},
		{"nonsense for cells", []step{hello, {notice: "other 8 0 ?"}}, true, nil},
	} {
		v, n := newVersions(), newNotices(nil)
		n.settled = !strings.Contains(c.name, "doubts")
		n.trusting = !strings.Contains(c.name, "trust") && n.settled
		var since uint64
		for _, s := range c.steps {
			since = v.now.Load()
			if s.notice == "" && s.own > 0 {
				s.notice = fmt.Sprintf("%s 1 %d -", n.sender, s.own)
			}
			n.apply(s.notice, v)
		}
		advanced := func(s versionCell) bool { return v.counters[s].changed.Load() > since }
		if advanced(everything) != c.everything {
			t.Errorf("%s: everything advances: %t, want %t", c.name, !c.everything, c.everything)
		}
		if advanced(3) != slices.Contains(c.cells, 3) || advanced(4) {
			t.Errorf("%s: cell 3: %t, cell 4: %t", c.name, advanced(3), advanced(4))
		}
	}
}

// TestTrustFollowsOwnNotices checks how long a returned notice lets versions be trusted.
func TestTrustFollowsOwnNotices(t *testing.T) {
	v, n := newVersions(), newNotices(nil)
	for _, c := range []struct{ at, until time.Duration }{
		{1, 0}, {trustTime, 0}, {trustTime + 1, 2*trustTime + 1}, {2 * trustTime, 3 * trustTime},
	} {
		n.confirm(c.at, v)
		if got := time.Duration(v.trustedUntil.Load()); got != c.until {
			t.Errorf("at %v: trusted until %v, want %v", c.at, got, c.until)
		}
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

// TestCanceledWaitsLoseNoNotices cancels waits for notices at any moment. The connection
// stays usable, and every notice arrives in order: send and receive rely on it.
func TestCanceledWaitsLoseNoNotices(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	receiver, sender := listener(t, url), listener(t, url)
	if _, err := receiver.Exec(t.Context(), "LISTEN test"); err != nil {
		t.Fatal(err)
	}
	const notices = 3000
	sent := make(chan error, 1)
	go func() {
		for i := range notices {
			if _, err := sender.Exec(t.Context(), "SELECT pg_notify('test', $1)", fmt.Sprint(i, strings.Repeat("x", rand.N(7000)))); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	canceled := 0
	for next := 0; next < notices; {
		ctx, cancel := context.WithTimeout(t.Context(), rand.N(300*time.Microsecond))
		notice, err := receiver.WaitForNotification(ctx)
		cancel()
		if err != nil {
			if canceled++; t.Context().Err() != nil || receiver.IsClosed() {
				t.Fatal(err)
			}
			if canceled%10 == 0 { // as send does
				if _, err := receiver.Exec(t.Context(), "SELECT 1"); err != nil {
					t.Fatal(err)
				}
			}
			continue
		}
		var got int
		if _, err := fmt.Sscanf(notice.Payload, "%dx", &got); err != nil && got != next || got != next {
			t.Fatalf("notice %d arrived in place of %d: %v", got, next, err)
		}
		next++
	}
	if err := <-sent; err != nil || canceled == 0 {
		t.Errorf("%d waits were canceled: %v", canceled, err)
	}
}

// bound is the age that a cached value may reach.
const bound = time.Second

// learns calls change and reports how long d considers a value of the entity unchanged.
func learns(t *testing.T, d *DB, of Entity, change func()) time.Duration {
	t.Helper()
	eventually(t, "trust", d.versions.trusted)
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
		eventually(t, "trust", d.versions.trusted)
		since, unchanged := d.Version(), true
		change()
		for end := time.Now().Add(time.Second); time.Now().Before(end) && unchanged; time.Sleep(5 * time.Millisecond) {
			unchanged = d.Unchanged(since, DependOn(of)) || !d.versions.trusted()
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
			many := make([]Entity, 2*noticeCells)
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
		eventually(t, "distrust", func() bool { return !d.versions.trusted() })
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	eventually(t, "trust", d.versions.trusted)
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
	if late := heldFor(t, frozen, "distrust", here.versions.trusted); late > bound {
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
	eventually(t, "trust", here.versions.trusted)
	if here.Unchanged(since, DependOn(ours)) {
		t.Error("a change during the silence was missed")
	}
	if !keeps(t, there, ours, func() {}) || !keeps(t, here, ours, func() {}) {
		t.Error("caches keep nothing after the silence")
	}
}

// TestSlowConnectionsCatchUp delays the packets of one process by more than the beat.
func TestSlowConnectionsCatchUp(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	p := pgtest.NewProxy(t, url)
	there, here := following(t, url), following(t, p.URL)
	for _, l := range p.Listeners() {
		l.Delay.Store(int64(beat * 6 / 10)) // twice for each notice
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
	c := &changes{versions: here.versions, cells: ours.changedCells(nil)}
	c.announce()
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

// TestTransactionsSendTheirOwnNotices writes with a process whose notices do not come
// back. Its changes arrive with its commits, and not without them.
func TestTransactionsSendTheirOwnNotices(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	d := openURL(t, url)
	l := listener(t, url)
	if _, err := l.Exec(t.Context(), "LISTEN "+noticeChannel); err != nil {
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
	text, _ := strings.CutPrefix(notice.Payload, transactionNotice)
	if got, want := decodeCells(text), done.changedCells(nil); len(got) != len(want) || !slices.Contains(got, want[0]) ||
		!slices.Contains(got, want[1]) {
		t.Errorf("%q has %v, want %v", notice.Payload, got, want)
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
		eventually(t, "trust", d.versions.trusted)
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
