package account_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"moothall/internal/app"
	"moothall/internal/apptest"
	"moothall/internal/backup"
	"moothall/internal/domain"
	"moothall/internal/media"
	"moothall/internal/pgtest"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/db"
)

// releases has, for each release, a backup of its database and the exports of all accounts in it.
const releases = "testdata/releases/"

var writeRelease = flag.String("write-release", "", "write the database of the release `VERSION` into "+releases)

// TestReleasesUpgrade starts the database of every release, with data in it, and upgrades it: the
// export of each account contains all that it contained before.
func TestReleasesUpgrade(t *testing.T) {
	if *writeRelease != "" {
		writeDatabase(t, *writeRelease)
	}
	files, _ := filepath.Glob(releases + "*.backup")
	if len(files) == 0 {
		t.Fatal("no release in " + releases)
	}
	for _, file := range files {
		version := strings.TrimSuffix(filepath.Base(file), ".backup")
		for _, engine := range []db.Engine{db.SQLite, db.PostgreSQL} {
			t.Run(version+" "+engine.String(), func(t *testing.T) {
				t.Parallel()
				url, after := upgrade(t, file, engine)
				compareExports(t, readExports(t, version), after)
				a := apptest.New(t, engine, apptest.Setting("DATABASE_URL", url))
				a.Anonymous().Get("/events").Want(200)
				a.RunJobs()
			})
		}
	}
}

// TestEveryReleaseHasDatabase compares the tags with the databases of releases.
func TestEveryReleaseHasDatabase(t *testing.T) {
	tags, err := exec.Command("git", "tag", "--list", "v*").Output()
	if err != nil {
		t.Skip("a source archive has no tags:", err)
	}
	for tag := range strings.FieldsSeq(string(tags)) {
		if _, err := os.Stat(releases + strings.TrimPrefix(tag, "v") + ".backup"); err != nil {
			t.Errorf("%v: CONTRIBUTING.md says how to write it", err)
		}
	}
}

// upgrade restores a backup, with the migrations of its release, and applies the newer ones. It returns the address of the
// database and the exports of all accounts.
func upgrade(t *testing.T, file string, engine db.Engine) (url string, after accountExports) {
	t.Helper()
	url = "sqlite:" + filepath.Join(t.TempDir(), "moothall.db")
	if engine == db.PostgreSQL {
		url = pgtest.Database(t)
	}
	content, err := os.ReadFile(file)
	must(t, err)
	d, err := db.Open(t.Context(), url, db.Options{Wait: time.Minute})
	must(t, err)
	store, err := blob.Open(blob.Location{Dir: t.TempDir()}, time.Now())
	must(t, err)
	_, _, err = backup.Restore(t.Context(), bytes.NewReader(content), backup.Destination{DB: d, Store: store})
	must(t, err)
	must(t, store.Close())
	after = exports(t, d)
	must(t, d.Close())
	return url, after
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// accountExports are the exports of all accounts, by id.
type accountExports map[string]map[string]any

var usersStmt = db.SQL("account_test.users", `SELECT id FROM users WHERE deleted_at IS NULL ORDER BY id`)

func exports(t *testing.T, d *db.DB) accountExports {
	t.Helper()
	accounts, err := app.NewAccounts(t.Context(), d, app.Settings{SecretKey: []byte(apptest.SecretKey), PublicBaseURL: apptest.BaseURL})
	must(t, err)
	users, err := db.All(t.Context(), d, func(r db.Row, id *domain.UserID) error { return r.Scan(id) }, usersStmt)
	must(t, err)
	all := accountExports{}
	for _, id := range users {
		sections, err := accounts.Export(t.Context(), id)
		must(t, err)
		text, err := json.Marshal(sections)
		must(t, err)
		var export map[string]any
		must(t, json.Unmarshal(text, &export))
		all[id.String()] = export
	}
	return all
}

func readExports(t *testing.T, version string) (all accountExports) {
	t.Helper()
	text, err := os.ReadFile(releases + version + ".exports.json")
	must(t, err)
	must(t, json.Unmarshal(text, &all))
	return all
}

func compareExports(t *testing.T, before, after accountExports) {
	t.Helper()
	if len(before) == 0 || len(before) != len(after) {
		t.Errorf("%d accounts, before %d", len(after), len(before))
	}
	for id, sections := range before {
		for name, section := range sections {
			if !contains(after[id][name], section) {
				t.Errorf("%s of %s:\n%v\nbefore:\n%v", name, id, after[id][name], section)
			}
		}
	}
}

// contains reports whether a JSON value has all that another one has: objects may have got more members.
func contains(value, part any) bool {
	switch part := part.(type) {
	case map[string]any:
		object, ok := value.(map[string]any)
		for name, member := range part {
			ok = ok && contains(object[name], member)
		}
		return ok
	case []any:
		list, ok := value.([]any)
		ok = ok && len(list) == len(part)
		for i := 0; ok && i < len(part); i++ {
			ok = contains(list[i], part[i])
		}
		return ok
	}
	return reflect.DeepEqual(value, part)
}

// writeDatabase writes a database with rows of every feature.
func writeDatabase(t *testing.T, version string) {
	t.Helper()
	a := apptest.New(t, db.SQLite, options...)
	newWorld(t, a)
	store, err := blob.Open(blob.Location{Dir: a.MediaDir()}, a.Clock.Now())
	must(t, err)
	var file bytes.Buffer
	_, err = backup.Write(t.Context(), &file, backup.Source{DB: a.DB, Now: a.Clock.Now(), Program: version, Pictures: media.Files, Store: store})
	must(t, err)
	must(t, store.Close())
	text, err := json.MarshalIndent(exports(t, a.DB), "", " ")
	must(t, err)
	must(t, os.MkdirAll(releases, 0o750))
	must(t, os.WriteFile(releases+version+".backup", file.Bytes(), 0o600))
	must(t, os.WriteFile(releases+version+".exports.json", append(text, '\n'), 0o600))
}
