package postgres

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"moothall/internal/platform/db/change"
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
		cells      []change.Cell
	}{
		{"unknown process", []step{hello}, true, nil},
		{"next notice", []step{hello, {notice: "other 8 0 -"}}, false, nil},
		{"next notice with a change", []step{hello, {notice: "other 8 0 " + encodeCells(map[change.Cell]bool{3: true})}}, false, []change.Cell{3}},
		{"unknown process with a change", []step{{notice: "other 8 0 " + encodeCells(map[change.Cell]bool{3: true})}}, true, []change.Cell{3}},
		{"missing notice", []step{hello, {notice: "other 9 0 -"}}, true, nil},
		{"same notice twice", []step{hello, {notice: "other 7 0 -"}}, true, nil},
		{"reordered notices", []step{hello, {notice: "other 9 0 -"}, {notice: "other 8 0 -"}}, true, nil},
		{"after reordered notices", []step{hello, {notice: "other 9 0 -"}, {notice: "other 8 0 -"}, {notice: "other 9 0 -"}}, false, nil},
		{"late notice", []step{hello, {own: 200 * ms}, {own: 250 * ms}, {own: 301 * ms}, {notice: "other 8 0 -"}}, true, nil},
		{"almost late notice", []step{hello, {own: 200 * ms}, {own: 300 * ms}, {notice: "other 8 0 -"}}, false, nil},
		{"silence", []step{hello, {own: 200 * ms}, {own: 301 * ms}}, true, nil},
		{"silence that continues", []step{hello, {own: 301 * ms}, {own: 350 * ms}, {own: change.DoubtTime}}, true, nil},
		{"silence that ends", []step{hello, {own: 301 * ms}, {notice: "other 8 0 -"}, {own: 350 * ms}}, false, nil},
		{"the end of the silence of an ended process", []step{hello, {own: change.DoubtTime + 1}}, true, nil},
		{"after an ended process", []step{hello, {own: change.DoubtTime + 1}, {own: change.DoubtTime + 200*ms}}, false, nil},
		{"goodbye", []step{hello, {notice: "other 8 -1 " + encodeCells(map[change.Cell]bool{3: true})}}, false, []change.Cell{3}},
		{"silence after goodbye", []step{hello, {notice: "other 8 -1 -"}, {own: 350 * ms}}, false, nil},
		{"own notice", []step{{own: ms}}, false, nil},
		{"first trust", []step{{own: ms}, {own: change.TrustTime + ms}}, true, nil},
		{"trust", []step{{own: ms}, {own: change.TrustTime + ms}, {own: change.TrustTime + 2*ms}}, false, nil},
		{"doubts about processes that ended before", []step{{own: change.TrustTime + ms}, {own: change.DoubtTime}, {own: change.DoubtTime + ms}}, true, nil},
		{"no doubts", []step{{own: change.TrustTime + ms}, {own: change.DoubtTime + ms}, {own: change.DoubtTime + 2*ms}}, false, nil},
		{"in a transaction", []step{hello, {notice: transactionNotice + encodeCells(map[change.Cell]bool{3: true})}}, false, []change.Cell{3}},
		{"nonsense", []step{hello, {notice: "nonsense"}}, true, nil},
		{"empty", []step{hello, {notice: ""}}, true, nil},
		{"nonsense in a transaction", []step{hello, {notice: transactionNotice + "?"}}, true, nil},
		{"nonsense for cells", []step{hello, {notice: "other 8 0 ?"}}, true, nil},
	} {
		v, n := change.NewVersions(), newNotices(nil)
		n.settled = !strings.Contains(c.name, "doubts")
		n.trusting = !strings.Contains(c.name, "trust") && n.settled
		var since change.Version
		for _, s := range c.steps {
			since = v.Now()
			if s.notice == "" && s.own > 0 {
				s.notice = fmt.Sprintf("%s 1 %d -", n.sender, s.own)
			}
			n.apply(s.notice, v)
		}
		advanced := func(s change.Cell) bool { return v.ChangedSince(since, s) }
		if advanced(change.AllCells) != c.everything {
			t.Errorf("%s: everything advances: %t, want %t", c.name, !c.everything, c.everything)
		}
		if advanced(3) != slices.Contains(c.cells, 3) || advanced(4) {
			t.Errorf("%s: cell 3: %t, cell 4: %t", c.name, advanced(3), advanced(4))
		}
	}
}

// TestTrustFollowsOwnNotices checks how long a returned notice lets versions be trusted.
func TestTrustFollowsOwnNotices(t *testing.T) {
	v, n := change.NewVersions(), newNotices(nil)
	for _, c := range []struct{ at, until time.Duration }{
		{1, 0}, {change.TrustTime, 0}, {change.TrustTime + 1, 2*change.TrustTime + 1}, {2 * change.TrustTime, 3 * change.TrustTime},
	} {
		n.confirm(c.at, v)
		if got := v.TrustedUntil(); got != c.until {
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

func TestVersionCellsSurviveEncoding(t *testing.T) {
	for _, cells := range [][]change.Cell{{}, {change.AllCells}, {1, 2, 1<<16 - 1}} {
		sent := map[change.Cell]bool{}
		for _, cell := range cells {
			sent[cell] = true
		}
		got := decodeCells(encodeCells(sent))
		slices.Sort(got)
		if !slices.Equal(got, cells) {
			t.Errorf("%v arrived as %v", cells, got)
		}
	}
	many := map[change.Cell]bool{}
	for cell := range change.Cell(noticeCells + 1) {
		many[cell] = true
	}
	for _, text := range []string{"?", "AA", "////", encodeCells(many)} {
		if got := decodeCells(text); !slices.Equal(got, []change.Cell{change.AllCells}) {
			t.Errorf("%.20q was read as %v", text, got)
		}
	}
	delete(many, 0)
	if text := "12345678901234567890123456 18446744073709551615 9223372036854775807 " + encodeCells(many); len(text) >= 8000 {
		t.Errorf("a notice of %d bytes", len(text))
	}
}

// BenchmarkNotice encodes a notice of one change and applies it.
func BenchmarkNotice(b *testing.B) {
	v, n := change.NewVersions(), newNotices(nil)
	sent := 0
	for b.Loop() {
		sent++
		n.apply(fmt.Sprintf("other %d 0 %s", sent, encodeCells(map[change.Cell]bool{3: true, 4: true})), v)
	}
}
