package faulttest

import (
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/apptest"
	"moothall/internal/dbtest"
	"moothall/internal/pgtest"
	"moothall/internal/platform/db"
)

// TestBackupsWhileWritersGoOn makes backups of a busy service. One that is killed leaves no file with
// the name of a backup, or a complete one. The last one contains every write that was acknowledged before
// it began, and is restored into the other engine. The longest wait of a writer meanwhile is reported.
func TestBackupsWhileWritersGoOn(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		backUpBusyService(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"), emptyPostgreSQL(t))
	})
	t.Run("postgresql", func(t *testing.T) {
		t.Parallel()
		backUpBusyService(t, dbtest.URL(t, db.PostgreSQL), "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"))
	})
}

func backUpBusyService(t *testing.T, from, to string) {
	s := newService(t, from, map[string]string{"MEDIA": filepath.Join(t.TempDir(), "media")})
	s.mustRun("seed", "--users", "100", "--events", strconv.Itoa(apptest.Rounds(100, 20_000)))
	s.start()
	c := newClient(t)
	w := &eventWriter{t: t, client: c, base: s.url(), org: c.signIn(t, s.url(), 1)[0]}
	stop := w.start()
	folder := t.TempDir()
	kills := apptest.Rounds(2, 50)
	complete := 0
	for i := range kills {
		file := filepath.Join(folder, strconv.Itoa(i))
		backup := s.command("backup", file)
		must(t, backup.Start())
		time.Sleep(rand.N(time.Duration(apptest.Rounds(200, 2000)) * time.Millisecond))
		_ = backup.Process.Kill() // it may have ended
		_ = backup.Wait()
		if _, err := os.Stat(file); err == nil {
			complete++
			s.mustRun("verify", file)
		}
	}
	w.longest.Store(0)
	before := len(w.acknowledged())
	file := filepath.Join(folder, "complete")
	s.mustRun("backup", file)
	longest := time.Duration(w.longest.Load())
	stop()
	s.kill()

	s.settings["DATABASE_URL"], s.settings["MEDIA"] = to, filepath.Join(t.TempDir(), "restored")
	s.mustRun("restore", file)
	s.start()
	for _, id := range w.acknowledged()[:before] {
		if a, err := w.client.call(http.MethodGet, s.url()+"/events/"+id, w.org.token, ""); err != nil || a.status != http.StatusOK {
			t.Errorf("event %s is not in the backup: %d %v", id, a.status, err)
		}
	}
	apptest.Report(t, "kill -9 of backups while writers go on", "%d kills: %d had completed their file, none left a broken one; the longest wait of a writer during a backup was %v",
		kills, complete, longest.Round(time.Millisecond))
	s.kill()
}

// eventWriter creates up to 200 events a second, and remembers those that were acknowledged.
type eventWriter struct {
	t       *testing.T
	client  *client
	base    string
	org     person
	longest atomic.Int64 // wait, in nanoseconds

	mu     sync.Mutex
	events []string
}

func (w *eventWriter) start() (stop func()) {
	var stopped atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for !stopped.Load() {
			w.create()
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return func() { stopped.Store(true); <-ended }
}

func (w *eventWriter) create() {
	began := time.Now()
	created, err := w.client.call(http.MethodPost, w.base+"/events", w.org.token, `{"title":"Chess","starts_at":"2099-01-01T10:00:00Z"}`)
	if err != nil || created.status != http.StatusCreated {
		w.t.Errorf("create an event: %d %v", created.status, err)
		return
	}
	if waited := int64(time.Since(began)); waited > w.longest.Load() {
		w.longest.Store(waited)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, created.text("event.id"))
}

func (w *eventWriter) acknowledged() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.events)
}

func emptyPostgreSQL(t *testing.T) string {
	t.Helper()
	url, err := pgtest.Create()
	must(t, err)
	return url
}

// command prepares another command of the program, with the settings of the service.
func (s *service) command(arguments ...string) *exec.Cmd {
	s.t.Helper()
	path, err := program()
	must(s.t, err)
	cmd := exec.Command(path, arguments...)
	for name, value := range s.settings {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

func (s *service) mustRun(arguments ...string) {
	s.t.Helper()
	if out, err := s.command(arguments...).CombinedOutput(); err != nil {
		s.t.Fatalf("moothall %v: %v\n%s", arguments, err, out)
	}
}
