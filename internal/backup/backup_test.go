package backup_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"

	"moothall/internal/account"
	"moothall/internal/app"
	"moothall/internal/backup"
	"moothall/internal/dbtest"
	"moothall/internal/domain"
	"moothall/internal/media"
	"moothall/internal/pgtest"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/db"
	"moothall/internal/seed"
)

type userID = domain.UserID

var now = time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)

var engines = []db.Engine{db.SQLite, db.PostgreSQL}

// world returns a database with generated data.
func world(t *testing.T, engine db.Engine) *db.DB {
	t.Helper()
	d := dbtest.Open(t, engine)
	data, err := seed.NewDataset(seed.Plan{Events: 12, Users: 10, Seed: 7, Now: now})
	must(t, err)
	must(t, seed.Fill(t.Context(), seed.Into(d, now), data, seed.Options{}))
	return d
}

// empty returns a database without a schema.
func empty(t *testing.T, engine db.Engine) *db.DB {
	t.Helper()
	url := "sqlite:" + filepath.Join(t.TempDir(), "moothall.db")
	if engine == db.PostgreSQL {
		var err error
		url, err = pgtest.Create()
		must(t, err)
	}
	return open(t, url)
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
	return backup.Source{DB: d, Now: now, Program: "test", Keys: map[string][]byte{"secret.key": []byte("a key")}, Pictures: pictures, Store: s}
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
				if written.Tables["events"].Count != 12 || written.Missing != 1 {
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
	countJobStmt  = db.SQL("backup_test.count_job", `INSERT INTO jobs (kind, key, payload, run_at, attempts, created_at) VALUES ('test', 'count', '', $1, 0, 0)
		ON CONFLICT (kind, key) DO UPDATE SET run_at = excluded.run_at`)
	countsStmt = db.SQL("backup_test.counts", `SELECT (SELECT MAX(suspended_at) FROM users), (SELECT run_at FROM jobs WHERE kind = 'test')`)
)

// TestDamagedBackups cuts a backup off and changes single bytes: it is refused, and a database
// that has a part of it is refused until the whole backup is restored into it.
func TestDamagedBackups(t *testing.T) {
	t.Parallel()
	file, _ := write(t, source(t, world(t, db.SQLite)))
	for i := range 40 {
		at := (len(file) - 1) * i / 39
		changed := bytes.Clone(file)
		changed[at] ^= 0x20
		for name, damaged := range map[string][]byte{"cut off": file[:at], "changed": changed} {
			if _, _, err := backup.Verify(t.Context(), bytes.NewReader(damaged), nil); !errors.Is(err, backup.ErrDamaged) {
				t.Errorf("%s at byte %d of %d: %v", name, at, len(file), err)
			}
		}
	}
}

// TestInterruptedRestoreGoesOn cuts a restore off. The service refuses the database until the
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
			for _, percent := range []int{50, 80} {
				_, _, err := backup.Restore(t.Context(), bytes.NewReader(begin(t, file, percent)), destination)
				if !errors.Is(err, backup.ErrDamaged) {
					t.Errorf("a part of a backup: %v", err)
				}
				if err := d.Migrate(t.Context()); err == nil {
					t.Error("the service can start with a part of a backup")
				}
			}
			if _, _, err := backup.Restore(t.Context(), bytes.NewReader(other), destination); !errors.Is(err, db.ErrNotEmpty) {
				t.Errorf("another backup: %v", err)
			}
			_, _, err := backup.Restore(t.Context(), bytes.NewReader(file), destination)
			must(t, err)
			if _, again := write(t, source(t, d)); fmt.Sprint(again.Tables) != fmt.Sprint(written.Tables) {
				t.Errorf("the restored database differs:\n%v\n%v", again.Tables, written.Tables)
			}
			must(t, d.Migrate(t.Context()))
			if _, _, err := backup.Restore(t.Context(), bytes.NewReader(file), destination); !errors.Is(err, db.ErrNotEmpty) {
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
			destination := backup.Destination{DB: d, Store: store(t), Finish: func(ctx context.Context) error {
				if runs++; runs > 1 {
					return nil
				}
				_, err := d.Exec(ctx, emptyStmt)
				return errors.Join(err, killed)
			}}
			if _, _, err := backup.Restore(t.Context(), bytes.NewReader(file), destination); !errors.Is(err, killed) {
				t.Errorf("interrupted: %v", err)
			}
			if err := d.Migrate(t.Context()); err == nil {
				t.Error("the service can start before the deletions are repeated")
			}
			_, _, err := backup.Restore(t.Context(), bytes.NewReader(file), destination)
			must(t, err)
			must(t, d.Migrate(t.Context()))
			_, again := write(t, source(t, d))
			if runs != 2 || written.Tables["event_slots"].Count == 0 || again.Tables["event_slots"].Count != 0 {
				t.Errorf("%d runs; event_slots: %v, then %v", runs, written.Tables["event_slots"], again.Tables["event_slots"])
			}
		})
	}
}

var emptyStmt = db.SQL("backup_test.empty", `DELETE FROM event_slots`)

// begin returns an archive that ends early.
func begin(t *testing.T, file []byte, percent int) []byte {
	t.Helper()
	in, err := zstd.NewReader(bytes.NewReader(file))
	must(t, err)
	defer in.Close()
	data, err := io.ReadAll(in)
	must(t, err)
	var cut bytes.Buffer
	out, err := zstd.NewWriter(&cut)
	must(t, err)
	_, err = out.Write(data[:len(data)*percent/100])
	must(t, err)
	must(t, out.Close())
	return cut.Bytes()
}

// TestForgedBackups restores archives with changed names of tables, columns and files.
func TestForgedBackups(t *testing.T) {
	t.Parallel()
	file, _ := write(t, source(t, dbtest.Open(t, db.SQLite)))
	for old, forged := range map[string]string{
		`"name": "users"`:        `"name": "users (id) SELECT 1; --"`,
		`"name": "display_name"`: `"name": "display_name, user_id"`,
		`"type": "BOOLEAN"`:      `"type": "TEXT"`,
		`"format": 1`:            `"format": 2`,
		"keys/secret.key":        "keys/../../secret.key",
		"pictures/ab/one.jpg":    "/one.jpg",
	} {
		changed := rewrite(t, file, old, forged)
		_, _, err := backup.Restore(t.Context(), bytes.NewReader(changed), backup.Destination{DB: empty(t, db.SQLite), Store: store(t), Key: keys{}.store})
		if err == nil || old != `"format": 1` && !errors.Is(err, backup.ErrDamaged) {
			t.Errorf("%s: %v", forged, err)
		}
	}
}

// rewrite replaces a text in the names and contents of an archive.
func rewrite(t *testing.T, file []byte, old, forged string) []byte {
	t.Helper()
	in, err := zstd.NewReader(bytes.NewReader(file))
	must(t, err)
	defer in.Close()
	var changed bytes.Buffer
	out, err := zstd.NewWriter(&changed)
	must(t, err)
	from, to := tar.NewReader(in), tar.NewWriter(out)
	for {
		header, err := from.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		must(t, err)
		data, err := io.ReadAll(from)
		must(t, err)
		data = bytes.Replace(data, []byte(old), []byte(forged), 1)
		header.Name, header.Size = strings.Replace(header.Name, old, forged, 1), int64(len(data))
		must(t, to.WriteHeader(header))
		_, err = to.Write(data)
		must(t, err)
	}
	must(t, to.Close())
	must(t, out.Close())
	return changed.Bytes()
}

// TestEncryptedBackups encrypts a backup to two recipients: each can read it, nobody else.
func TestEncryptedBackups(t *testing.T) {
	t.Parallel()
	anna, boris, eve := identity(t), identity(t), identity(t)
	s := source(t, dbtest.Open(t, db.SQLite))
	var file bytes.Buffer
	_, err := backup.WriteEncrypted(t.Context(), &file, []age.Recipient{anna.Recipient(), boris.Recipient()}, s)
	must(t, err)
	for name, row := range map[string]struct {
		identities []age.Identity
		want       error
	}{
		"first recipient":  {[]age.Identity{anna}, nil},
		"second recipient": {[]age.Identity{eve, boris}, nil},
		"somebody else":    {[]age.Identity{eve}, backup.ErrEncrypted},
		"without a key":    {nil, backup.ErrEncrypted},
	} {
		from, err := backup.Decrypt(bytes.NewReader(file.Bytes()), row.identities)
		if err == nil {
			_, _, err = backup.Verify(t.Context(), from, nil)
		}
		if !errors.Is(err, row.want) {
			t.Errorf("%s: %v, want %v", name, err, row.want)
		}
	}
	from, err := backup.Decrypt(bytes.NewReader(file.Bytes()[:file.Len()-10]), []age.Identity{anna})
	must(t, err)
	if _, _, err := backup.Verify(t.Context(), from, nil); !errors.Is(err, backup.ErrDamaged) {
		t.Errorf("cut off: %v", err)
	}
}

func identity(t *testing.T) *age.X25519Identity {
	t.Helper()
	i, err := age.GenerateX25519Identity()
	must(t, err)
	return i
}
