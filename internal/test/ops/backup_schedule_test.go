package ops_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/ops/app"
	"moothall/internal/ops/backup"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// TestScheduledBackups lets the service, on PostgreSQL two instances, make backups: one each day, the old ones are deleted, and
// the accounts that were deleted after a backup are in a list beside it. A restore of the first or the last backup deletes
// them again, but not a later account with the same address.
func TestScheduledBackups(t *testing.T) {
	for _, engine := range engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join(t.TempDir(), "backups")
			start := time.Date(2031, 5, 1, 20, 0, 0, 0, time.UTC)
			instances := map[db.Engine]int{db.SQLite: 1, db.PostgreSQL: 2}[engine]
			a := apptest.New(t, engine, apptest.Instances(instances), apptest.StartAt(start), apptest.Setting("BACKUP", folder),
				apptest.Setting("BACKUP_KEEP", "48h"), apptest.Setting("ACCESS_TOKEN_TTL", "24h"))
			store, err := blob.Open(blob.Location{Dir: folder}, now)
			must(t, err)
			t.Cleanup(func() { _ = store.Close() })
			boris := a.As("boris")
			a.RunJobs()
			if got := names(t, store); len(got) != 0 {
				t.Errorf("before midnight: %v", got)
			}

			a.Clock.Set(start.Add(5 * time.Hour))
			apptest.Concurrently(instances, a.RunJobsOf)
			if got := names(t, store); !slices.Equal(got, []string{"deletions.json", "moothall-20310502T010000Z.backup"}) {
				t.Errorf("after midnight: %v", got)
			}
			file := object(t, store, "moothall-20310502T010000Z.backup")

			boris.Delete("/me").Want(204)
			again := a.SignIn(apptest.Email("boris"))
			a.Clock.Set(start.Add(6 * time.Hour))
			a.RunJobs()
			list, err := backup.ReadDeletions(bytes.NewReader(object(t, store, backup.DeletionsName)))
			must(t, err)
			if len(list.Deletions) != 1 || list.Deletions[0].UserID.String() != boris.UserID || !list.AsOf.Equal(start.Add(6*time.Hour)) ||
				!list.Since.Before(start) {
				t.Errorf("deletions %v", list)
			}
			if m, _, err := backup.Verify(t.Context(), bytes.NewReader(file), nil); err != nil || m.Engine != engine.String() {
				t.Errorf("%+v, %v", m, err)
			}

			for day := range 4 {
				a.Clock.Set(start.Add(time.Duration(day+1)*24*time.Hour + 5*time.Hour))
				a.RunJobs()
			}
			a.Clock.Advance(time.Hour) // deletes the old ones
			a.RunJobs()
			want := []string{"deletions.json", "moothall-20310504T010000Z.backup", "moothall-20310505T010000Z.backup",
				"moothall-20310506T010000Z.backup"}
			if got := names(t, store); !slices.Equal(got, want) {
				t.Errorf("after five days: %v, want %v", got, want)
			}
			last := object(t, store, "moothall-20310506T010000Z.backup")
			expectRestored(t, engine, file, list, 1)
			expectRestored(t, engine, last, list, 0, again.ID())
		})
	}
}

// expectRestored restores a backup and repeats deletions. Of all accounts, those that are given remain.
func expectRestored(t *testing.T, engine db.Engine, file []byte, list backup.Deletions, deleted int, remain ...userID) {
	t.Helper()
	d := empty(t, engine)
	finish := func(ctx context.Context, _ backup.Manifest) error {
		accounts, err := app.NewAccounts(ctx, d, app.Settings{SecretKey: []byte(apptest.SecretKey)})
		if err != nil {
			return err
		}
		repeated, err := backup.RepeatDeletions(ctx, list.Deletions, func(ctx context.Context, id userID) error {
			if _, err := accounts.Users.Account(ctx, d, id); err != nil {
				return err
			}
			return accounts.Delete(ctx, id)
		})
		if repeated != deleted {
			t.Errorf("%d deletions repeated, want %d", repeated, deleted)
		}
		return err
	}
	_, _, err := backup.Restore(t.Context(), bytes.NewReader(file), backup.Destination{DB: d, Store: store(t), Finish: finish})
	must(t, err)
	got, err := db.All(t.Context(), d, func(r db.Row, id *userID) error { return r.Scan(id) }, accountsStmt)
	must(t, err)
	if !slices.Equal(got, remain) {
		t.Errorf("accounts %v, want %v", got, remain)
	}
}

var accountsStmt = db.SQL("backup_test.accounts", `SELECT id FROM users WHERE deleted_at IS NULL`)

// TestNewestBackupIsWatched stores and deletes a backup, as other instances and operators do.
func TestNewestBackupIsWatched(t *testing.T) {
	folder := blob.Location{Dir: filepath.Join(t.TempDir(), "backups")}
	stored, err := blob.Open(folder, now)
	must(t, err)
	t.Cleanup(func() { _ = stored.Close() })
	var broken atomic.Bool
	at := time.Date(2031, 5, 3, 0, 0, 0, 0, time.UTC)
	s := &backup.Schedule{DB: dbtest.Open(t, db.SQLite), Clock: func() time.Time { return at }, Every: 24 * time.Hour,
		Open: func(time.Time) (blob.Store, error) {
			if broken.Load() {
				return nil, errors.New("no bucket")
			}
			return blob.Open(folder, now)
		}}
	metrics := prometheus.NewRegistry()
	jobs := job.New(job.Options{DB: s.DB, Clock: s.Clock, Logger: slog.New(slog.DiscardHandler)})
	metrics.MustRegister(s.RegisterJobs(jobs))
	must(t, jobs.RunDue(t.Context())) // schedules them
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go s.WatchNewest(ctx)
		for _, step := range []struct {
			name string
			do   func()
			want float64
		}{
			{"no backup", func() {}, 0},
			{"a backup", func() { must(t, stored.Put(t.Context(), "moothall-20310502T010000Z.backup", []byte("rows"))) }, 1935450000},
			{"a backup of the future", func() { must(t, stored.Put(t.Context(), "moothall-20320502T010000Z.backup", []byte("rows"))) }, 1935450000},
			{"no answer", func() { broken.Store(true) }, 1935450000},
			{"deleted", func() {
				broken.Store(false)
				must(t, stored.Delete(t.Context(), "moothall-20310502T010000Z.backup"))
			}, 0},
		} {
			step.do()
			time.Sleep(10 * time.Minute)
			synctest.Wait()
			families, err := metrics.Gather()
			must(t, err)
			found := false
			for _, f := range families {
				found = found || f.GetName() == "moothall_backup_newest_timestamp_seconds" && f.GetMetric()[0].GetGauge().GetValue() == step.want
			}
			if !found {
				t.Errorf("%s: want %f, got %v", step.name, step.want, families)
			}
			if len(families) != 3 || families[2].GetMetric()[0].GetGauge().GetValue() != float64(at.Unix()) {
				t.Errorf("%s: the beginning of the schedule: %v", step.name, families)
			}
		}
	})
}

// TestRetention lets the service delete backups of some days in May 2031, of which it keeps those of 48 hours.
func TestRetention(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	for _, row := range []struct {
		name      string
		days      []int // negative: of 2032
		today     int
		untrusted bool
		refused   error
		want      []int
	}{
		{name: "old ones", days: []int{1, 2, 3, 4}, today: 4, want: []int{2, 3, 4}},
		{name: "no new one for weeks", days: []int{2, 3, 4}, today: 28, want: []int{2, 3, 4}},
		{name: "only an old one", days: []int{1}, today: 28, want: []int{1}},
		{name: "one of the future", days: []int{2, 3, 4, -5}, today: 4, want: []int{2, 3, 4, -5}},
		{name: "clock that has jumped", days: []int{1, 20}, today: 20, untrusted: true, want: []int{1, 20}},
		{name: "store that refuses to delete", days: []int{1, 2, 3, 4}, today: 4, refused: refused, want: []int{1, 2, 3, 4}},
	} {
		t.Run(row.name, func(t *testing.T) {
			folder := blob.Location{Dir: t.TempDir()}
			stored, err := blob.Open(folder, now)
			must(t, err)
			defer func() { must(t, stored.Close()) }()
			key := func(day int) string {
				if day < 0 {
					return fmt.Sprintf("moothall-203205%02dT000000Z.backup", -day)
				}
				return fmt.Sprintf("moothall-203105%02dT000000Z.backup", day)
			}
			for _, day := range row.days {
				must(t, stored.Put(t.Context(), key(day), nil))
			}
			at := time.Date(2031, 5, row.today, 1, 30, 0, 0, time.UTC)
			s := &backup.Schedule{DB: dbtest.Open(t, db.SQLite), Clock: func() time.Time { return at }, Every: 24 * time.Hour, Keep: 48 * time.Hour,
				Open: func(time.Time) (blob.Store, error) {
					store, err := blob.Open(folder, now)
					return readOnlyStore{store, row.refused}, err
				}}
			jobs := job.New(job.Options{DB: s.DB, Clock: s.Clock, Logger: slog.New(slog.DiscardHandler),
				Trusted: func() bool { return !row.untrusted }})
			s.RegisterJobs(jobs)
			must(t, jobs.RunDue(t.Context())) // schedules them
			at = at.Add(time.Hour)
			if err := jobs.RunDue(t.Context()); !errors.Is(err, row.refused) {
				t.Error(err)
			}
			var want []string
			for _, day := range row.want {
				want = append(want, key(day))
			}
			if got := names(t, stored); !slices.Equal(got, want) {
				t.Errorf("%v remain, want %v", got, want)
			}
		})
	}
}

// readOnlyStore refuses to delete, unless the error is nil.
type readOnlyStore struct {
	blob.Store
	refused error
}

func (s readOnlyStore) Delete(ctx context.Context, key string) error {
	if s.refused != nil {
		return s.refused
	}
	return s.Store.Delete(ctx, key)
}

// TestDeletionsSurviveRestore restores a backup from before an account was created that is deleted now. The list of deletions
// keeps the account, because later backups contain it.
func TestDeletionsSurviveRestore(t *testing.T) {
	t.Parallel()
	at := time.Date(2031, 5, 3, 0, 0, 0, 0, time.UTC)
	folder := blob.Location{Dir: t.TempDir()}
	stored, err := blob.Open(folder, now)
	must(t, err)
	defer func() { must(t, stored.Close()) }()
	d := dbtest.Open(t, db.SQLite)
	s := &backup.Schedule{
		DB: d, Clock: func() time.Time { return at }, Every: 24 * time.Hour, Keep: 48 * time.Hour,
		Open: func(time.Time) (blob.Store, error) { return blob.Open(folder, now) }, Log: slog.New(slog.DiscardHandler),
	}
	jobs := job.New(job.Options{DB: d, Clock: s.Clock, Logger: slog.New(slog.DiscardHandler)})
	s.RegisterJobs(jobs)
	for _, row := range []struct {
		name, list string
		want       int
	}{
		{"a deletion that the database does not know", `{"deletions": [{"user_id": "00000000-0000-4000-8000-000000000000", "deleted_at": "2031-05-02T12:00:00Z"}]}`, 1},
		{"a deletion before all backups", `{"deletions": [{"user_id": "00000000-0000-4000-8000-000000000000", "deleted_at": "2031-04-02T12:00:00Z"}]}`, 0},
		{"a damaged list", `{"deletions": [`, 0},
		{"no list", "", 0},
	} {
		must(t, stored.Delete(t.Context(), backup.DeletionsName))
		if row.list != "" {
			must(t, stored.Put(t.Context(), backup.DeletionsName, []byte(row.list)))
		}
		must(t, d.InTx(t.Context(), func(tx db.Tx) error { return s.QueueDeletions(t.Context(), tx, userID{}, at) }))
		at = at.Add(10 * time.Second)
		must(t, jobs.RunDue(t.Context()))
		list, err := backup.ReadDeletions(bytes.NewReader(object(t, stored, backup.DeletionsName)))
		if err != nil || len(list.Deletions) != row.want || !list.AsOf.Equal(at) {
			t.Errorf("%s: %v, %v", row.name, list, err)
		}
	}
}

func names(t *testing.T, s blob.Store) (all []string) {
	t.Helper()
	objects, err := s.List(t.Context())
	must(t, err)
	for _, o := range objects {
		all = append(all, o.Key)
	}
	return all
}

func object(t *testing.T, s blob.Store, key string) []byte {
	t.Helper()
	o, err := s.Open(t.Context(), key)
	must(t, err)
	defer func() { _ = o.Close() }()
	data, err := io.ReadAll(o)
	must(t, err)
	return data
}
