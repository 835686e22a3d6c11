package ops_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/klauspost/compress/zstd"

	"moothall/internal/domain"
	"moothall/internal/meetup/account"
	"moothall/internal/meetup/media"
	"moothall/internal/meetup/postings"
	"moothall/internal/ops/app"
	"moothall/internal/ops/backup"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/eventtest"
	"moothall/internal/test/pgtest"
)

type userID = domain.UserID

var now = time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)

// world returns a database with users and events.
func world(t *testing.T, engine db.Engine) *db.DB {
	t.Helper()
	d := dbtest.Open(t, engine)
	eventtest.Fill(t, d, now, 10, 60)
	return d
}

// empty returns a database without a schema.
func empty(t *testing.T, engine db.Engine) *db.DB {
	t.Helper()
	return open(t, emptyURL(t, engine))
}

func emptyURL(t *testing.T, engine db.Engine) string {
	t.Helper()
	if engine == db.PostgreSQL {
		return pgtest.Database(t)
	}
	return "sqlite:" + filepath.Join(t.TempDir(), "moothall.db")
}

func open(t *testing.T, url string) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), url, db.Options{Wait: time.Minute})
	must(t, err)
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func store(t *testing.T) blob.Store {
	t.Helper()
	s, err := blob.Open(blob.Location{Dir: filepath.Join(t.TempDir(), "media")}, now)
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// source returns the source of a database with a key and one picture.
func source(t *testing.T, d *db.DB) backup.Source {
	t.Helper()
	s := store(t)
	must(t, s.Put(t.Context(), "ab/one.jpg", []byte("a picture")))
	pictures := func(ctx context.Context, q db.Querier) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			if yield("ab/one.jpg", nil) && yield("ab/deleted.jpg", nil) {
				media.Files(ctx, q)(yield)
			}
		}
	}
	return backup.Source{DB: d, Now: now, Program: "test", Keys: map[string][]byte{"secret.key": []byte("a key")}, Pictures: pictures,
		Store: s}
}

func write(t *testing.T, s backup.Source) ([]byte, backup.Contents) {
	t.Helper()
	var file bytes.Buffer
	contents, err := backup.Write(t.Context(), &file, s)
	must(t, err)
	return file.Bytes(), contents
}

// keys collects the keys that a restore stores.
type keys map[string]string

func (k keys) store(name string, data []byte) error {
	k[name] = string(data)
	return nil
}

func restore(t *testing.T, file []byte, engine db.Engine) (*db.DB, blob.Store, keys) {
	t.Helper()
	d, pictures, found := empty(t, engine), store(t), keys{}
	_, _, err := backup.Restore(t.Context(), bytes.NewReader(file), backup.Destination{DB: d, Store: pictures, Key: found.store})
	must(t, err)
	return d, pictures, found
}

// TestRestoreBringsEverythingBack restores the backup of each engine into each engine: all rows,
// the pictures and the keys are the same.
func TestRestoreBringsEverythingBack(t *testing.T) {
	for _, from := range engines {
		for _, to := range engines {
			t.Run(fmt.Sprintf("%v to %v", from, to), func(t *testing.T) {
				t.Parallel()
				original := world(t, from)
				file, written := write(t, source(t, original))
				restored, pictures, found := restore(t, file, to)

				if _, again := write(t, source(t, restored)); fmt.Sprint(again) != fmt.Sprint(written) {
					t.Errorf("the restored database differs:\n%v\n%v", again, written)
				}
				dbtest.CompareRows(t, dbtest.Rows(t, restored), dbtest.Rows(t, original), postings.Tables...)
				for _, table := range postings.Tables {
					if _, found := written.Tables[table]; found {
						t.Errorf("the backup contains %s", table)
					}
				}
				if written.Tables["events"].Count != 60 || written.Missing != 1 {
					t.Errorf("contents: %v", written)
				}
				if found["secret.key"] != "a key" {
					t.Errorf("keys: %v", found)
				}
				picture, err := pictures.Open(t.Context(), "ab/one.jpg")
				must(t, err)
				if data, err := io.ReadAll(picture); err != nil || string(data) != "a picture" {
					t.Errorf("picture: %q %v", data, err)
				}
				must(t, picture.Close())
				compareExports(t, original, restored)
			})
		}
	}
}

// compareExports compares the export of every account.
func compareExports(t *testing.T, a, b *db.DB) {
	t.Helper()
	settings := app.Settings{SecretKey: []byte("a key that only tests ever use, 0123456789")}
	first, err := app.NewAccounts(t.Context(), a, settings)
	must(t, err)
	second, err := app.NewAccounts(t.Context(), b, settings)
	must(t, err)
	users, err := db.All(t.Context(), a, func(r db.Row, id *userID) error { return r.Scan(id) }, usersStmt)
	must(t, err)
	if len(users) != 10 {
		t.Errorf("%d users", len(users))
	}
	for _, id := range users {
		if x, y := export(t, first, id), export(t, second, id); x != y {
			t.Fatalf("the exports of %s differ:\n%s\n%s", id, x, y)
		}
	}
}

var usersStmt = db.SQL("backup_test.users", `SELECT id FROM users`)

func export(t *testing.T, s *account.Service, id userID) string {
	t.Helper()
	all, err := s.Export(t.Context(), id)
	must(t, err)
	return fmt.Sprintf("%s", all)
}

// TestBackupIsOneSnapshot writes a backup while transactions change two tables at once. In the restored database
// both tables have the same change, and all rows are those of the backup.
func TestBackupIsOneSnapshot(t *testing.T) {
	for _, engine := range engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			d := world(t, engine)
			ctx, stop := context.WithCancel(t.Context())
			first, stopped := make(chan struct{}), make(chan error, 1)
			go func() {
				var err error
				for n := 1; ctx.Err() == nil && err == nil; n++ {
					err = d.InTx(t.Context(), func(tx db.Tx) error {
						tx.Queue(t.Context(), countUserStmt, n)
						tx.Queue(t.Context(), countJobStmt, n)
						return nil
					})
					if n == 1 {
						close(first)
					}
				}
				stopped <- err
			}()
			<-first
			file, written := write(t, source(t, d))
			stop()
			must(t, <-stopped)
			restored, _, _ := restore(t, file, engine)
			var users, jobs int64
			must(t, restored.One(t.Context(), countsStmt).Scan(&users, &jobs))
			if users == 0 || users != jobs {
				t.Errorf("%d in the table of users, %d in that of jobs", users, jobs)
			}
			if _, again := write(t, source(t, restored)); fmt.Sprint(again) != fmt.Sprint(written) {
				t.Errorf("the restored database differs:\n%v\n%v", again, written)
			}
		})
	}
}

var (
	countUserStmt = db.SQL("backup_test.count_user", `UPDATE users SET suspended_at = $1`)
	countJobStmt  = db.SQL("backup_test.count_job", `INSERT INTO jobs (kind, key, payload, run_at, attempts, created_at)
		VALUES ('test', 'count', '', $1, 0, 0)
		ON CONFLICT (kind, key) DO UPDATE SET run_at = excluded.run_at`)
	countsStmt = db.SQL("backup_test.counts", `SELECT (SELECT MAX(suspended_at) FROM users), (SELECT run_at FROM jobs WHERE kind = 'test')`)
)

// TestDamagedBackups truncates a backup, changes single bytes and appends another backup. Verify refuses all of them.
func TestDamagedBackups(t *testing.T) {
	t.Parallel()
	file, _ := write(t, source(t, world(t, db.SQLite)))
	if _, _, err := backup.Verify(t.Context(), bytes.NewReader(slices.Concat(file, file)), nil); !errors.Is(err, backup.ErrDamaged) {
		t.Errorf("two backups in one file: %v", err)
	}
	for i := range 40 {
		at := (len(file) - 1) * i / 39
		changed := bytes.Clone(file)
		changed[at] ^= 0x20
		for name, damaged := range map[string][]byte{"cut off": file[:at], "changed": changed} {
			want := backup.ErrDamaged
			if at < 4 { // the beginning says what the file is
				want = backup.ErrNotBackup
			}
			_, _, err := backup.Verify(t.Context(), bytes.NewReader(damaged), nil)
			if err == nil && bytes.Equal(decompress(t, damaged), decompress(t, file)) {
				continue // the bit is one that zstd does not use
			}
			if !errors.Is(err, want) {
				t.Errorf("%s at byte %d of %d: %v", name, at, len(file), err)
			}
		}
	}
}

func decompress(t *testing.T, file []byte) []byte {
	t.Helper()
	decoder, err := zstd.NewReader(nil)
	must(t, err)
	defer decoder.Close()
	content, err := decoder.DecodeAll(file, nil)
	must(t, err)
	return content
}

// TestBackupsOfOtherVersions makes backups of a database whose migrations are not those of the program, and restores
// one into a database of a later version.
func TestBackupsOfOtherVersions(t *testing.T) {
	first := fstest.MapFS{"0001_a.sql": {Data: []byte("CREATE TABLE a (id BIGINT PRIMARY KEY);")}}
	second := fstest.MapFS{"0001_a.sql": first["0001_a.sql"],
		"0002_b.sql": {Data: []byte("ALTER TABLE a ADD COLUMN b TEXT;\nCREATE TABLE c (id BIGINT PRIMARY KEY);")}}
	for _, engine := range engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			program := func(url string) *db.DB {
				d, err := db.Open(t.Context(), url, db.Options{Wait: time.Minute, OnStatement: expectNoLimit(t)})
				must(t, err)
				t.Cleanup(func() { _ = d.Close() })
				return d
			}
			old, target := emptyURL(t, engine), emptyURL(t, engine)
			must(t, migrate.New(program(old), migrate.Options{Files: first}).Run(t.Context()))
			_, err := program(old).Exec(t.Context(), addStmt)
			must(t, err)

			file, written := write(t, backup.Source{DB: program(old), Migrations: migrate.Options{Files: second}, Now: now})
			if len(written.Tables) != 1 || written.Tables["a"].Count != 1 {
				t.Errorf("later version, before it migrates: %v", written.Tables)
			}
			restored := program(target)
			_, _, err = backup.Restore(t.Context(), bytes.NewReader(file),
				backup.Destination{DB: restored, Migrations: migrate.Options{Files: second}, Store: store(t)})
			must(t, err)
			_, again := write(t, backup.Source{DB: restored, Migrations: migrate.Options{Files: second}, Now: now})
			if len(again.Tables) != 2 || again.Tables["a"].Count != 1 {
				t.Errorf("restored by a later version: %v", again.Tables)
			}
			_, err = backup.Write(t.Context(), io.Discard, backup.Source{DB: program(target), Migrations: migrate.Options{Files: first}, Now: now})
			if err == nil || !strings.Contains(err.Error(), "newer than this program") {
				t.Errorf("earlier version beside a later one: %v", err)
			}
		})
	}
}

var addStmt = db.SQL("backup_test.add", `INSERT INTO a (id) VALUES (1)`)

// expectNoLimit expects that statements on whole tables may take hours: by default they get 30 seconds.
func expectNoLimit(t *testing.T) func(context.Context, *db.Stmt, []any) {
	return func(ctx context.Context, s *db.Stmt, _ []any) {
		if !slices.Contains([]string{"db.read_table", "db.count", "db.analyze"}, s.Name()) {
			return
		}
		if end, ok := ctx.Deadline(); !ok || time.Until(end) < time.Hour {
			t.Errorf("%s has no time for a large table", s.Name())
		}
	}
}

// TestKilledBackupDoesNotBlockTheNext writes a backup beside the files of one that was killed a moment ago, and while another
// process writes to the same path.
func TestKilledBackupDoesNotBlockTheNext(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "backup")
	for _, name := range []string{".partial", ".partial.lock"} {
		must(t, os.WriteFile(path+name, []byte("of a killed process"), 0o600))
	}
	s := source(t, dbtest.Open(t, db.SQLite))
	pictures := s.Pictures
	s.Pictures = func(ctx context.Context, q db.Querier) iter.Seq2[string, error] {
		if _, err := backup.WriteFile(ctx, path, nil, s); err == nil || !strings.Contains(err.Error(), "another backup is writing") {
			t.Errorf("a second process: %v", err)
		}
		return pictures(ctx, q)
	}
	_, err := backup.WriteFile(t.Context(), path, nil, s)
	must(t, err)
	if left, err := filepath.Glob(path + "*"); err != nil || len(left) != 1 {
		t.Errorf("left %q, %v", left, err)
	}
}
