package ops_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/ops/app"
	"moothall/internal/platform/checklist"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// installation is an installation without faults, until a test adds one.
type installation struct {
	t        *testing.T
	folder   string
	settings map[string]string
	environ  []string
	free     float64 // of each file system
}

func newInstallation(t *testing.T, engine db.Engine, mailServer string) *installation {
	folder := t.TempDir()
	i := &installation{t: t, folder: folder, free: 0.5, settings: map[string]string{
		"APP_ENV": "staging", "DATABASE_URL": dbtest.URL(t, engine), "SECRET_KEY": apptest.SecretKey,
		"PUBLIC_BASE_URL": "https://moothall.example", "WEB_ORIGIN": "https://moothall.example", "TRUSTED_PROXIES": "127.0.0.1",
		"SMTP_URL": "smtp://" + mailServer, "MAIL_FROM": "no-reply@moothall.example", "VAPID_SUBJECT": "mailto:ops@moothall.example",
		"PAGES_DIR": filepath.Join(folder, "pages"),
		"MEDIA":     filepath.Join(folder, "media"), "BACKUP": filepath.Join(folder, "backups"),
	}}
	for _, dir := range []string{"media/incoming", "backups", "pages"} {
		if err := os.MkdirAll(filepath.Join(folder, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	i.addPage("imprint.md", "# Imprint")
	i.addBackup(time.Now())
	i.storeTime(time.Now())
	return i
}

func (i *installation) onDB(work func(context.Context, *db.DB) error) {
	i.t.Helper()
	d, err := db.Open(i.t.Context(), i.settings["DATABASE_URL"], db.Options{Wait: time.Minute})
	if err != nil {
		i.t.Fatal(err)
	}
	if err := errors.Join(work(i.t.Context(), d), d.Close()); err != nil {
		i.t.Fatal(err)
	}
}

func (i *installation) storeTime(at time.Time) {
	i.onDB(func(ctx context.Context, d *db.DB) error { _, err := d.Exec(ctx, storeTimeStmt, at); return err })
}

func (i *installation) addPage(name, source string) {
	if err := os.WriteFile(filepath.Join(i.folder, "pages", name), []byte(source), 0o600); err != nil {
		i.t.Fatal(err)
	}
}

func (i *installation) addBackup(at time.Time) {
	name := "moothall-" + at.UTC().Format("20060102T150405Z") + ".backup"
	if err := os.WriteFile(filepath.Join(i.folder, "backups", name), nil, 0o600); err != nil {
		i.t.Fatal(err)
	}
}

// examine returns the steps of a Doctor.
func (i *installation) examine() (all []checklist.Step) {
	s, err := app.LoadSettings(func(name string) (string, bool) { value, set := i.settings[name]; return value, set })
	app.Doctor{Settings: s, Invalid: err, Environ: i.environ, Free: func(string) (float64, error) { return i.free, nil }}.
		Run(i.t.Context(), func(s checklist.Step) { all = append(all, s) })
	return all
}

// files returns the paths of all files, without those of the database.
func (i *installation) files() (all []string) {
	err := filepath.WalkDir(i.folder, func(path string, _ os.DirEntry, err error) error { all = append(all, path); return err })
	if err != nil {
		i.t.Error(err)
	}
	return all
}

var (
	storeTimeStmt = db.SQL("doctor_test.store_time", `INSERT INTO clock (id, noted_at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE
		SET noted_at = excluded.noted_at`)
	forgetMigrationStmt = db.SQL("doctor_test.forget_migration", `DELETE FROM schema_migrations
		WHERE number = (SELECT MAX(number) FROM schema_migrations)`)
	failStmt = db.SQL("doctor_test.fail_delivery", `
		INSERT INTO deliveries (user_id, notification_id, about_at, channel, target, kind, state, due_at, expires_at, attempts, reason, ended_at)
		VALUES ($1, $1, $2, 'email', $1, 'event_canceled', 'failed', $2, $2, 3, 'code 550', $2)`)
)

// faults lists what can be wrong, by the only step that fails, and what it says.
var faults = []struct {
	step, says string
	cause      func(i *installation)
}{
	{"settings", "LOG_LEVEL", func(i *installation) { i.settings["LOG_LEVEL"] = "loud" }},
	{"settings", "did you mean LOG_LEVEL?", func(i *installation) { i.environ = []string{"LOG_LEVE=warn"} }},
	{"settings", "SECRET_KEY must be set", func(i *installation) { i.settings["APP_ENV"], i.settings["SECRET_KEY"] = "production", "" }},
	{"pages", "terms.md", func(i *installation) { i.addPage("terms.md", "No heading") }},
	{"pages", "no files", func(i *installation) { i.settings["PAGES_DIR"] = i.folder }},
	{"secret key", "", func(i *installation) { // without push, which makes the settings invalid on PostgreSQL
		i.settings["SECRET_KEY"], i.settings["VAPID_SUBJECT"] = "", ""
		if file, is := strings.CutPrefix(i.settings["DATABASE_URL"], "sqlite:"); is {
			if err := os.WriteFile(filepath.Join(filepath.Dir(file), "secret.key"), make([]byte, 64), 0o600); err != nil {
				i.t.Fatal(err)
			}
		}
	}},
	{"sign-in", "nobody can sign in", func(i *installation) { i.settings["AUTH_DEV_ENABLED"], i.settings["SMTP_URL"] = "false", "" }},
	{"addresses", "http://moothall.example", func(i *installation) { i.settings["WEB_ORIGIN"] = "http://moothall.example" }},
	{"addresses", "https://localhost", func(i *installation) { i.settings["PUBLIC_BASE_URL"] = "https://localhost" }},
	{"addresses", "http://", func(i *installation) {
		i.settings["PUBLIC_BASE_URL"], i.settings["WEB_ORIGIN"] = "http://moothall.example", "http://moothall.example"
	}},
	{"proxies", "TRUSTED_PROXIES", func(i *installation) { i.settings["TRUSTED_PROXIES"] = "" }},
	{"mail", "127.0.0.1:1", func(i *installation) { i.settings["SMTP_URL"] = "smtp://ann:s3cret-of-smtp@127.0.0.1:1" }},
	{"disk", "9 % free", func(i *installation) { i.free = 0.09 }},
	{"media", "not a directory", func(i *installation) { i.settings["MEDIA"] = "app_doctor_test.go" }},
	{"database", "", func(i *installation) {
		if strings.HasPrefix(i.settings["DATABASE_URL"], "sqlite:") {
			i.settings["DATABASE_URL"] = "sqlite:" + i.folder + "/none.db"
		} else {
			i.settings["DATABASE_URL"] = "postgres://ann:s3cret-of-postgres@127.0.0.1:1/none"
		}
	}},
	{"migrations", "1 of ", func(i *installation) {
		i.onDB(func(ctx context.Context, d *db.DB) error { _, err := d.Exec(ctx, forgetMigrationStmt); return err })
	}},
	{"clock", "ahead", func(i *installation) { i.storeTime(time.Now().Add(time.Hour)) }},
	{"clock", "more than a day ago", func(i *installation) { i.storeTime(time.Now().Add(-25 * time.Hour)) }},
	{"backup", "BACKUP is not set", func(i *installation) { i.settings["BACKUP"] = "" }},
	{"backup", "is of 20", func(i *installation) { i.settings["BACKUP"] = i.oldBackups() }},
	{"backup", "not a directory", func(i *installation) {
		if err := os.WriteFile(filepath.Join(i.folder, "backups", "incoming"), nil, 0o600); err != nil {
			i.t.Fatal(err)
		}
	}},
	{"jobs", "mail 7", func(i *installation) { i.onDB(discardJob) }},
	{"deliveries", "code 550", func(i *installation) {
		i.onDB(func(ctx context.Context, d *db.DB) error {
			_, err := d.Exec(ctx, failStmt, domain.RandomID[domain.UserKind](), time.Now())
			return err
		})
	}},
}

// oldBackups returns a folder whose newest backup is older than twice BACKUP_SCHEDULE.
func (i *installation) oldBackups() string {
	i.folder = filepath.Join(i.folder, "old")
	if err := os.MkdirAll(filepath.Join(i.folder, "backups"), 0o700); err != nil {
		i.t.Fatal(err)
	}
	i.addBackup(time.Now().Add(-49 * time.Hour))
	return filepath.Join(i.folder, "backups")
}

func discardJob(ctx context.Context, d *db.DB) error {
	workers := job.New(job.Options{DB: d, Clock: time.Now, Logger: slog.New(slog.DiscardHandler), Attempts: 1})
	job.InTx(workers, "mail", func(context.Context, db.Tx, int) error { return errors.New("no route") })
	err := d.InTx(ctx, func(tx db.Tx) error { return job.Put(ctx, tx, time.Now(), job.Job{Kind: "mail", Key: "7"}) })
	_ = workers.RunDue(ctx) // the job fails
	return err
}

// TestDoctorFindsFaults adds one fault to an installation. Exactly its step fails, with advice,
// and no file is left.
func TestDoctorFindsFaults(t *testing.T) {
	mailServer := apptest.NewMailServer(t, nil).Address
	for _, engine := range dbtest.Engines {
		for _, f := range faults {
			t.Run(engine.String()+"/"+f.step+" "+f.says, func(t *testing.T) {
				t.Parallel()
				i := newInstallation(t, engine, mailServer)
				f.cause(i)
				before := i.files()
				var found []checklist.Step
				for _, s := range i.examine() {
					if s.State == checklist.Failed {
						found = append(found, s)
					}
					if strings.Contains(s.Detail, "s3cret") || strings.Contains(s.Detail, apptest.SecretKey) {
						t.Errorf("a secret: %+v", s)
					}
				}
				if len(found) != 1 || found[0].Name != f.step || !strings.Contains(found[0].Detail, f.says) || found[0].Advice == "" {
					t.Errorf("%+v", found)
				}
				if after := i.files(); !slices.Equal(before, after) {
					t.Errorf("files %v, before %v", after, before)
				}
			})
		}
	}
}

// TestDoctorAcceptsInstallation reports ok for each step, but for the map, whose streets nobody has fetched.
func TestDoctorAcceptsInstallation(t *testing.T) {
	mailServer := apptest.NewMailServer(t, nil).Address
	for _, engine := range dbtest.Engines {
		steps := newInstallation(t, engine, mailServer).examine()
		names := map[string]bool{}
		for _, s := range steps {
			names[s.Name] = true
			if s.State != checklist.OK && s.Name != "map" { // the streets are optional
				t.Errorf("%s: %+v", engine, s)
			}
		}
		for _, f := range faults {
			delete(names, f.step)
		}
		if left := slices.Sorted(maps.Keys(names)); !slices.Equal(left, []string{"map", "pooler", "push"}) {
			t.Errorf("steps without a fault: %v", left)
		}
	}
}
