package faults

import (
	"context"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

// TestBackupsWhileWritersGoOn makes backups of a busy service. One that is killed leaves no file with
// the name of a backup, or a complete one. The last one contains every write that was acknowledged before
// it began, and is restored into the other engine. The longest wait of a writer meanwhile is reported.
func TestBackupsWhileWritersGoOn(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		backUpBusyService(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"), pgtest.Database(t))
	})
	t.Run("postgresql", func(t *testing.T) {
		t.Parallel()
		backUpBusyService(t, dbtest.URL(t, db.PostgreSQL), "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"))
	})
}

func backUpBusyService(t *testing.T, from, to string) {
	s := newService(t, from, map[string]string{"MEDIA": filepath.Join(t.TempDir(), "media")})
	s.fill(testutil.Rounds(100, 20_000), 100)
	s.start()
	c := newClient(t)
	w := &eventWriter{t: t, client: c, base: s.url(), org: c.signIn(t, s.url(), 1)[0]}
	stop := w.start()
	folder := t.TempDir()
	kills := testutil.Rounds(2, 50)
	complete := 0
	for i := range kills {
		file := filepath.Join(folder, strconv.Itoa(i))
		backup := s.command("backup", file)
		must(t, backup.Start())
		time.Sleep(rand.N(time.Duration(testutil.Rounds(200, 2000)) * time.Millisecond))
		_ = backup.Process.Kill() // it may have ended
		_ = backup.Wait()
		if _, err := os.Stat(file); err == nil {
			complete++
			s.mustRun("verify", file)
		}
	}
	before, _ := w.acknowledged()
	began := time.Now()
	file := filepath.Join(folder, "complete")
	s.mustRun("backup", file)
	during, longest := w.acknowledged()
	rate := float64(len(during)-len(before)) / time.Since(began).Seconds()
	stop()
	s.kill()

	s.settings["DATABASE_URL"], s.settings["MEDIA"] = to, filepath.Join(t.TempDir(), "restored")
	s.mustRun("restore", file)
	s.start()
	for _, id := range before {
		if a, err := w.client.call(http.MethodGet, s.url()+"/events/"+id, w.org.token, ""); err != nil || a.status != http.StatusOK {
			t.Errorf("event %s is not in the backup: %d %v", id, a.status, err)
		}
	}
	testutil.Fault(t, "kill -9 of backups while writers go on",
		"%d kills: %d had completed their file, none left a broken one; during a backup the longest of %.0f writes/s took %v",
		kills, complete, rate, longest.Round(time.Millisecond))
	s.kill()
}

// eventWriter creates 200 events a second, fewer in the short form and on a busy machine, and remembers those that were acknowledged.
type eventWriter struct {
	t      *testing.T
	client *client
	base   string
	org    person

	mu      sync.Mutex
	events  []string
	longest time.Duration
}

func (w *eventWriter) start() (stop func()) {
	writers, rate := 8, testutil.Rounds(40, 200)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for range writers {
		running.Go(func() {
			ticks := time.NewTicker(time.Second * time.Duration(writers) / time.Duration(rate))
			defer ticks.Stop()
			for {
				select {
				case <-ticks.C:
					w.create()
				case <-ctx.Done():
					return
				}
			}
		})
	}
	return func() { cancel(); running.Wait() }
}

func (w *eventWriter) create() {
	began := time.Now()
	created, err := w.client.call(http.MethodPost, w.base+"/events", w.org.token, `{"title":"Chess","starts_at":"2099-01-01T10:00:00Z"}`)
	if err != nil || created.status != http.StatusCreated {
		w.t.Errorf("create an event: %d %v", created.status, err)
		return
	}
	waited := time.Since(began)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.longest = max(w.longest, waited)
	w.events = append(w.events, created.text("event.id"))
}

// acknowledged returns the events so far, and the longest wait since it was called before.
func (w *eventWriter) acknowledged() (events []string, longest time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	longest, w.longest = w.longest, 0
	return slices.Clone(w.events), longest
}

// command prepares another command of the program, with the settings of the service.
func (s *service) command(arguments ...string) *exec.Cmd {
	s.t.Helper()
	path, err := program()
	must(s.t, err)
	cmd := exec.Command(path, arguments...)
	cmd.Env = s.environment()
	return cmd
}

func (s *service) mustRun(arguments ...string) {
	s.t.Helper()
	if out, err := s.command(arguments...).CombinedOutput(); err != nil {
		s.t.Fatalf("moothall %v: %v\n%s", arguments, err, out)
	}
}
