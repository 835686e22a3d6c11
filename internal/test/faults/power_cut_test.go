package faults

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/disktest"
	"moothall/internal/test/testutil"
)

// powerCuts is a recorded run of the service, whose power can be cut at any moment.
type powerCuts struct {
	disk *disktest.Disk
	mu   sync.Mutex
	acks []ack
}

// ack is an acknowledged write.
type ack struct {
	line [3]string // of the ledger
	at   int       // the moment of its response
}

func (p *powerCuts) acknowledge(what, event, detail string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.acks = append(p.acks, ack{[3]string{what, event, detail}, p.disk.Now()})
}

// TestPowerCutLosesNothing cuts the power of a service under load, half of the times just
// after a response: the file is whole, and no acknowledged write is missing.
func TestPowerCutLosesNothing(t *testing.T) {
	t.Parallel()
	cuts := testutil.Rounds(30, 1000)
	p := recordLoad(t, false)
	damaged, missing := p.cut(t, cuts)
	testutil.Fault(t, "power cut, SQLite", "%d cuts of %d writes to the disk: %d damaged files, %d of %d acknowledged writes missing",
		cuts, p.disk.Now(), damaged, missing, len(p.acks))
	if damaged+missing > 0 {
		t.Error("a power cut has lost something")
	}
}

// TestPowerCutsFindLostWrites tests the test above: with synchronous = NORMAL, which does
// not flush each commit, the same cuts find missing writes, and still no damage.
func TestPowerCutsFindLostWrites(t *testing.T) {
	t.Parallel()
	cuts := testutil.Rounds(30, 1000)
	p := recordLoad(t, true)
	damaged, missing := p.cut(t, cuts)
	testutil.Fault(t, "power cut, SQLite that does not flush", "%d cuts: %d damaged files, %d acknowledged writes missing", cuts, damaged,
		missing)
	if damaged > 0 || missing == 0 {
		t.Error("the power cuts find no lost writes")
	}
}

// recordLoad runs a service under load, from its start to its end.
func recordLoad(t *testing.T, weak bool) *powerCuts {
	t.Helper()
	url := dbtest.URL(t, db.SQLite)
	p := &powerCuts{disk: disktest.New(t, filepath.Dir(strings.TrimPrefix(url, "sqlite:")))}
	p.disk.Weak.Store(weak)
	t.Run("load", func(t *testing.T) { // the service ends with the subtest
		a := apptest.New(t, db.SQLite, apptest.Setting("DATABASE_URL", url))
		const hosts = 8
		apptest.Concurrently(hosts, func(i int) {
			host, guest := a.As(fmt.Sprintf("guest%d", i)), a.As(fmt.Sprintf("guest%d", (i+1)%hosts))
			for round := range testutil.Rounds(6, 40) {
				p.write(host, guest, fmt.Sprintf("Meeting %d of %d", round, i))
				if i == 0 && round%3 == 2 {
					_ = a.DB.TruncateLog(t.Context()) // also cut the moving of the log into the file; it may be busy
				}
			}
		})
	})
	return p
}

// write creates and publishes an event, which a guest joins.
func (p *powerCuts) write(host, guest *apptest.Client, title string) {
	starts := time.Now().Add(48 * time.Hour).UTC().Format(time.RFC3339)
	event := host.Post("/events", map[string]string{"title": title, "starts_at": starts,
		"city": "Berlin"}).Want(http.StatusCreated).Text("event.id")
	p.acknowledge(made, event, title)
	host.Post("/events/"+event+"/publish", nil).Want(http.StatusOK)
	p.acknowledge(published, event, "")
	guest.Post("/events/"+event+"/join", nil).Want(http.StatusOK)
	p.acknowledge(joined, event, guest.UserID)
}

// TestPowerCutDuringFirstStart cuts the power while the service creates and migrates its
// file: the next start completes it.
func TestPowerCutDuringFirstStart(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	disk := disktest.New(t, folder)
	start := func(folder string) {
		d, err := db.Open(t.Context(), "sqlite:"+filepath.Join(folder, "moothall.db"), db.Options{})
		must(t, err)
		must(t, migrate.Run(t.Context(), d))
		must(t, d.Close())
	}
	start(folder)
	random := rand.New(rand.NewPCG(2, 2))
	moments := make([]int, testutil.Rounds(2, 100))
	for i := range moments {
		moments[i] = random.IntN(disk.Now() + 1)
	}
	cutPower(t, disk, random, moments, func(moment int, folder string) {
		start(folder)
		if problems := integrity(t, filepath.Join(folder, "moothall.db")); len(problems) > 0 {
			t.Errorf("cut at %d: %s", moment, problems)
		}
	})
	testutil.Fault(t, "power cut during the first start, SQLite", "%d cuts, each next start completed the file", len(moments))
}

// cut cuts the power at n moments and counts damaged files and missing writes.
func (p *powerCuts) cut(t *testing.T, n int) (damaged, missing int) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, uint64(n)))
	moments := make([]int, n)
	for i := range moments {
		if moments[i] = random.IntN(p.disk.Now() + 1); i%2 == 0 {
			moments[i] = p.acks[random.IntN(len(p.acks))].at
		}
	}
	cutPower(t, p.disk, random, moments, func(moment int, folder string) {
		path := filepath.Join(folder, "moothall.db")
		if problems := integrity(t, path); len(problems) > 0 {
			damaged++
			t.Logf("cut at %d: %s", moment, problems)
			return
		}
		found := newLedger(t).read("sqlite:" + path)
		for _, a := range p.acks {
			if a.at <= moment && found.writes[a.line] == 0 {
				missing++
			}
		}
	})
	return damaged, missing
}

// cutPower cuts the power at each moment, and calls inspect with what is on the disk then. None, some or
// all of what was not flushed is there.
func cutPower(t *testing.T, disk *disktest.Disk, random *rand.Rand, moments []int, inspect func(moment int, folder string)) {
	t.Helper()
	slices.Sort(moments)
	replay := disk.Replay()
	for _, moment := range moments {
		replay.Advance(moment)
		kept := []float64{0, 0.5, random.Float64(), 1}[random.IntN(4)]
		folder, err := os.MkdirTemp(scratch, "cut-")
		must(t, err)
		must(t, replay.Cut(folder, random, kept))
		inspect(moment, folder)
		must(t, os.RemoveAll(folder))
	}
}

// integrity returns what SQLite finds wrong in a file.
func integrity(t *testing.T, path string) (problems []string) {
	t.Helper()
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		return []string{err.Error()}
	}
	defer func() { _ = conn.Close() }() // it only read
	for pragma, clean := range map[string]string{"integrity_check": "ok", "foreign_key_check": ""} {
		err := sqlitex.ExecuteTransient(conn, "PRAGMA "+pragma, &sqlitex.ExecOptions{ResultFunc: func(row *sqlite.Stmt) error {
			if found := row.ColumnText(0); found != clean {
				problems = append(problems, pragma+": "+found)
			}
			return nil
		}})
		if err != nil {
			problems = append(problems, err.Error())
		}
	}
	return problems
}
