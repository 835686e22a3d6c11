package faults

import (
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/disktest"
	"moothall/internal/test/testutil"
)

// TestBackupOnFullDisk writes a backup to a disk that is too small, first by the command, then by the daily job. Both
// fail with the reason and leave no file. Afterwards writes succeed, even if the SQLite file is on that disk. When
// the disk has space again, the job succeeds.
func TestBackupOnFullDisk(t *testing.T) {
	testutil.OnlyLong(t)
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			disktest.OnSmall(t, 32<<20, func(t *testing.T, disk string) { backUpOnFullDisk(t, engine, disk) })
		})
	}
}

func backUpOnFullDisk(t *testing.T, engine db.Engine, disk string) {
	url := dbtest.URL(t, engine)
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		content, err := os.ReadFile(path)
		must(t, err)
		path = filepath.Join(disk, "moothall.db")
		must(t, os.WriteFile(path, content, 0o600))
		url = "sqlite:" + path
	}
	start := time.Date(2031, 5, 1, 20, 0, 0, 0, time.UTC)
	backups := filepath.Join(disk, "backups")
	a := apptest.New(t, engine, apptest.Setting("DATABASE_URL", url), apptest.Setting("BACKUP", backups),
		apptest.Setting("ACCESS_TOKEN_TTL", "24h"), apptest.StartAt(start))
	addRandomRows(t, a)
	org := a.As("org")
	create := func() {
		t.Helper()
		org.Post("/events", map[string]string{"title": "Chess", "starts_at": "2099-01-01T10:00:00Z"}).Want(http.StatusCreated)
	}
	create()
	must(t, a.DB.TruncateLog(t.Context())) // the log has a second copy of the rows
	filler := fillDisk(t, disk, 1<<20)

	file := filepath.Join(disk, "full")
	out, err := newService(t, url, map[string]string{"MEDIA": a.MediaDir(), "SECRET_KEY": apptest.SecretKey}).command("backup",
		file).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "no space left on device") {
		t.Errorf("the command: %v %s", err, out)
	}
	a.Clock.Advance(5 * time.Hour)
	testutil.Until(t, "the job fails", func() bool {
		return strings.Contains(a.Log(), `"kind":"backup.write","result":"failed"`) && strings.Contains(a.Log(), "no space left on device")
	})
	create()
	if left, _ := filepath.Glob(filepath.Join(disk, "full*")); len(left) > 0 {
		t.Errorf("the command left %v", left)
	}
	if written := backupsIn(backups); len(written) > 0 {
		t.Errorf("the job left %v", written)
	}

	must(t, os.Remove(filler))
	a.Clock.Advance(time.Hour) // longer than the pause before the next attempt
	testutil.Until(t, "the backup", func() bool { return len(backupsIn(backups)) > 0 })
	newService(t, url, nil).mustRun("verify", backupsIn(backups)[0])
	create()
	testutil.Fault(t, "a disk that a backup fills",
		"the command and the daily job left no file, and requests succeeded; after space was freed, the job wrote a complete backup")
}

// addRandomRows adds failed jobs, which take 1.5 MB in a compressed backup. The rows are small, because the workers
// compare them with other jobs.
func addRandomRows(t *testing.T, a *apptest.App) {
	t.Helper()
	var rows [][]any
	payload := make([]byte, 3<<10)
	for i := range 512 {
		_, _ = rand.Read(payload)
		rows = append(rows, []any{"test", strconv.Itoa(i), base64.StdEncoding.EncodeToString(payload), 1, 1, 1, 1})
	}
	_, err := a.DB.Bulk(t.Context(), "jobs", []string{"kind", "key", "payload", "run_at", "attempts", "failed_at", "created_at"},
		slices.Values(rows))
	must(t, err)
}

func backupsIn(folder string) []string {
	written, _ := filepath.Glob(filepath.Join(folder, "*.backup"))
	return written
}

// fillDisk writes a file that leaves some bytes free.
func fillDisk(t *testing.T, disk string, free int) (filler string) {
	t.Helper()
	out, err := exec.Command("df", "--output=avail", "--block-size=1", disk).Output()
	must(t, err)
	available, err := strconv.Atoi(strings.Fields(string(out))[1]) // below the heading
	must(t, err)
	filler = filepath.Join(disk, "filler")
	must(t, os.WriteFile(filler, make([]byte, available-free), 0o600))
	return filler
}
