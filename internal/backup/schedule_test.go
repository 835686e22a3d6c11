package backup_test

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"moothall/internal/apptest"
	"moothall/internal/backup"
	"moothall/internal/platform/blob"
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
