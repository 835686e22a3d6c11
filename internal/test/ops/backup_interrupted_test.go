package ops_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"moothall/internal/meetup/postings"
	"moothall/internal/ops/backup"
	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/test/dbtest"
)

// TestInterruptedRestoreGoesOn interrupts a restore. The service refuses the database until the
// same backup is restored again.
func TestInterruptedRestoreGoesOn(t *testing.T) {
	for _, engine := range engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			original := world(t, db.SQLite)
			file, written := write(t, source(t, original))
			other, _ := write(t, source(t, original))
			d := empty(t, engine)
			destination := backup.Destination{DB: d, Store: store(t)}
			for _, table := range []string{"profiles", "events"} {
				_, _, err := backup.Restore(t.Context(), bytes.NewReader(begin(t, file, table)), destination)
				if !errors.Is(err, backup.ErrDamaged) {
					t.Errorf("a part of a backup: %v", err)
				}
				if err := migrate.Run(t.Context(), d); err == nil {
					t.Error("the service can start with a part of a backup")
				}
				if _, err := backup.Write(t.Context(), io.Discard, source(t, d)); err == nil {
					t.Error("a part of a backup can be backed up")
				}
			}
			if _, _, err := backup.Restore(t.Context(), bytes.NewReader(other), destination); !errors.Is(err, migrate.ErrNotEmpty) {
				t.Errorf("another backup: %v", err)
			}
			_, _, err := backup.Restore(t.Context(), bytes.NewReader(file), destination)
			must(t, err)
			if _, again := write(t, source(t, d)); fmt.Sprint(again.Tables) != fmt.Sprint(written.Tables) {
				t.Errorf("the restored database differs:\n%v\n%v", again.Tables, written.Tables)
			}
			must(t, migrate.Run(t.Context(), d))
			if _, _, err := backup.Restore(t.Context(), bytes.NewReader(file), destination); !errors.Is(err, migrate.ErrNotEmpty) {
				t.Errorf("a database in use: %v", err)
			}
		})
	}
}

// TestInterruptedFinishIsRepeated interrupts a restore in Finish, after Finish has emptied a table. The service
// refuses the database until the restore is repeated. The repeated restore does not load the table again.
func TestInterruptedFinishIsRepeated(t *testing.T) {
	for _, engine := range engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			file, written := write(t, source(t, world(t, db.SQLite)))
			d, runs := empty(t, engine), 0
			killed := errors.New("killed")
			destination := backup.Destination{DB: d, Store: store(t), Finish: func(ctx context.Context, _ backup.Manifest) error {
				if runs++; runs > 1 {
					return nil
				}
				_, err := d.Exec(ctx, emptyStmt)
				return errors.Join(err, killed)
			}}
			if _, _, err := backup.Restore(t.Context(), bytes.NewReader(file), destination); !errors.Is(err, killed) {
				t.Errorf("interrupted: %v", err)
			}
			if err := migrate.Run(t.Context(), d); err == nil {
				t.Error("the service can start before the deletions are repeated")
			}
			_, _, err := backup.Restore(t.Context(), bytes.NewReader(file), destination)
			must(t, err)
			must(t, migrate.Run(t.Context(), d))
			_, again := write(t, source(t, d))
			if runs != 2 || written.Tables["profiles"].Count == 0 || again.Tables["profiles"].Count != 0 {
				t.Errorf("%d runs; profiles: %v, then %v", runs, written.Tables["profiles"], again.Tables["profiles"])
			}
		})
	}
}

var emptyStmt = db.SQL("backup_test.empty", `DELETE FROM profiles`)

// TestInterruptedBuildIsRepeated interrupts a restore while it reads the events to build their posting lists, then after
// some of the lists are built. The service refuses the database until the restore is repeated.
func TestInterruptedBuildIsRepeated(t *testing.T) {
	for _, engine := range engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			original := world(t, db.SQLite)
			file, _ := write(t, source(t, original))
			ctx, interrupt := context.WithCancel(t.Context())
			onStatement := func(_ context.Context, s *db.Stmt, _ []any) {
				if s.Name() == "event.documents" {
					interrupt()
				}
			}
			d, err := db.Open(t.Context(), emptyURL(t, engine), db.Options{Wait: time.Minute, OnStatement: onStatement})
			must(t, err)
			t.Cleanup(func() { _ = d.Close() })
			destination := backup.Destination{DB: d, Store: store(t)}
			if _, _, err := backup.Restore(ctx, bytes.NewReader(file), destination); !errors.Is(err, context.Canceled) {
				t.Errorf("interrupted: %v", err)
			}
			killed := errors.New("killed")
			destination.Finish = func(ctx context.Context, _ backup.Manifest) error {
				_, err := d.Exec(ctx, unbuiltStmt)
				return errors.Join(err, killed)
			}
			for range 2 {
				if err := migrate.Run(t.Context(), d); err == nil {
					t.Error("the service can start without posting lists")
				}
				if _, _, err := backup.Restore(t.Context(), bytes.NewReader(file), destination); !errors.Is(err, killed) {
					t.Errorf("repeated: %v", err)
				}
			}
			destination.Finish = nil
			_, _, err = backup.Restore(t.Context(), bytes.NewReader(file), destination)
			must(t, err)
			dbtest.CompareRows(t, dbtest.Rows(t, d), dbtest.Rows(t, original), postings.Tables...)
		})
	}
}

var unbuiltStmt = db.SQL("backup_test.unbuilt", `DELETE FROM event_cells`)

// begin returns an archive that ends in the rows of a table.
func begin(t *testing.T, file []byte, table string) []byte {
	t.Helper()
	in, err := zstd.NewReader(bytes.NewReader(file))
	must(t, err)
	defer in.Close()
	data, err := io.ReadAll(in)
	must(t, err)
	var cut bytes.Buffer
	out, err := zstd.NewWriter(&cut)
	must(t, err)
	_, err = out.Write(data[:bytes.Index(data, []byte("tables/"+table+"/"))+600]) // the header has 512 bytes
	must(t, err)
	must(t, out.Close())
	return cut.Bytes()
}
