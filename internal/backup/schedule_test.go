package backup_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/apptest"
	"moothall/internal/backup"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

// TestScheduledBackups lets the service make backups: one each day, the old ones are deleted, and
// the accounts that were deleted after a backup are in a list beside it.
func TestScheduledBackups(t *testing.T) {
	for _, engine := range engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join(t.TempDir(), "backups")
			start := time.Date(2031, 5, 1, 20, 0, 0, 0, time.UTC)
			a := apptest.New(t, engine, apptest.StartAt(start), apptest.Setting("BACKUP", folder), apptest.Setting("BACKUP_KEEP", "48h"), apptest.Setting("ACCESS_TOKEN_TTL", "24h"))
			store, err := blob.Open(blob.Location{Dir: folder}, now)
			must(t, err)
			t.Cleanup(func() { _ = store.Close() })
			boris := a.As("boris")
			a.RunJobs()
			if got := names(t, store); len(got) != 0 {
				t.Errorf("before midnight: %v", got)
			}

			a.Clock.Set(start.Add(5 * time.Hour))
			a.RunJobs()
			if got := names(t, store); !slices.Equal(got, []string{"deletions.json", "moothall-20310502T010000Z.backup"}) {
				t.Errorf("after midnight: %v", got)
			}
			file := object(t, store, "moothall-20310502T010000Z.backup")

			boris.Delete("/me").Want(204)
			a.Clock.Set(start.Add(6 * time.Hour))
			a.RunJobs()
			list, asOf, err := backup.ReadDeletions(bytes.NewReader(object(t, store, backup.DeletionsName)))
			must(t, err)
			if len(list) != 1 || list[0].UserID.String() != boris.UserID || !asOf.Equal(start.Add(6*time.Hour)) {
				t.Errorf("deletions %v as of %v", list, asOf)
			}
			if m, _, err := backup.Verify(t.Context(), bytes.NewReader(file), nil); err != nil || m.Engine != engine.String() {
				t.Errorf("%+v, %v", m, err)
			}

			for day := range 4 {
				a.Clock.Set(start.Add(time.Duration(day+1)*24*time.Hour + 5*time.Hour))
				a.RunJobs()
			}
			want := []string{"deletions.json", "moothall-20310504T010000Z.backup", "moothall-20310505T010000Z.backup", "moothall-20310506T010000Z.backup"}
			if got := names(t, store); !slices.Equal(got, want) {
				t.Errorf("after five days: %v, want %v", got, want)
			}
		})
	}
}

// TestNewestBackupIsWatched stores and deletes a backup, as other instances and operators do.
func TestNewestBackupIsWatched(t *testing.T) {
	folder := blob.Location{Dir: filepath.Join(t.TempDir(), "backups")}
	stored, err := blob.Open(folder, now)
	must(t, err)
	t.Cleanup(func() { _ = stored.Close() })
	var broken atomic.Bool
	s := &backup.Schedule{Every: 24 * time.Hour, Open: func() (blob.Store, error) {
		if broken.Load() {
			return nil, errors.New("no bucket")
		}
		return blob.Open(folder, now)
	}}
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(s.RegisterJobs(job.New(job.Options{DB: empty(t, db.SQLite), Clock: time.Now, Logger: slog.New(slog.DiscardHandler)})))
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
		}
	})
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
