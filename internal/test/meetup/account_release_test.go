package meetup_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/media"
	"moothall/internal/meetup/postings"
	"moothall/internal/ops/app"
	"moothall/internal/ops/backup"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/pgtest"
)

// releases has, for each release and for the version before the first one, a backup of its database and the exports of
// all accounts in it.
const releases = "testdata/releases/"

var writeRelease = flag.String("write-release", "", "write the database of the release `VERSION` into "+releases)

// TestReleasesUpgrade upgrades the database of every release, with data in it. Afterwards, the export of
// each account has everything that it had before, and the service starts. The test also fails if a migration of a
// release has changed.
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
		for _, engine := range dbtest.Engines {
			t.Run(version+" "+engine.String(), func(t *testing.T) {
				t.Parallel()
				content, err := os.ReadFile(file)
				must(t, err)
				url := emptyDatabase(t, engine)
				d, _ := restore(t, content, url)
				compareExports(t, readExports(t, version), exports(t, d))
				a := apptest.New(t, engine, apptest.Setting("DATABASE_URL", url))
				a.Anonymous().Get("/events").Want(200)
				a.RunJobs()
			})
		}
	}
}

// TestEveryReleaseHasDatabase compares the migrations of each version in the changelog with those of its stored
// database. If the latest version has a date but no tag, this commit is about to become its tag.
func TestEveryReleaseHasDatabase(t *testing.T) {
	changelog, err := os.ReadFile("../../../CHANGELOG.md")
	must(t, err)
	headings := regexp.MustCompile(`(?m)^## \[(.+)\] - (.+)$`).FindAllStringSubmatch(string(changelog), -1)
	if len(headings) == 0 {
		t.Fatal("the changelog has no version")
	}
	for i, heading := range headings {
		version, date := heading[1], heading[2]
		const migrations = "internal/platform/db/migrations/"
		list, err := exec.Command("git", "ls-tree", "--full-tree", "--name-only", "v"+version, migrations).Output()
		want := slices.DeleteFunc(strings.Fields(string(list)), func(path string) bool { return !strings.HasSuffix(path, ".sql") })
		if err != nil {
			if _, undated := time.Parse(time.DateOnly, date); i > 0 || undated != nil {
				continue // not released yet; or a clone without tags
			}
			want, _ = filepath.Glob("../../../" + migrations + "*.sql")
		}
		content, err := os.ReadFile(releases + version + ".backup")
		must(t, err)
		m, _, err := backup.Verify(t.Context(), bytes.NewReader(content), nil)
		must(t, err)
		var got []string
		for _, migration := range m.Migrations {
			got = append(got, migration.Name)
		}
		for i, path := range want {
			want[i] = filepath.Base(path)
		}
		if !slices.Equal(want, got) {
			t.Errorf("%s has migrations %v, its stored database %v: CONTRIBUTING.md says how to write it", version, want, got)
		}
	}
}

// TestMoveToPostgreSQLAndBack moves a database with rows of every feature to the other engine and back: each row and each
// export stay the same, byte by byte.
func TestMoveToPostgreSQLAndBack(t *testing.T) {
	t.Parallel()
	a := apptest.New(t, db.SQLite, options...)
	newWorld(t, a)
	must(t, postings.Recount(t.Context(), a.DB))
	before, rows, file := exportTexts(t, a.DB), dbtest.Rows(t, a.DB), backUp(t, a.DB, a.MediaDir(), "test")
	postgres, folder := restore(t, file, emptyDatabase(t, db.PostgreSQL))
	back, _ := restore(t, backUp(t, postgres, folder, "test"), emptyDatabase(t, db.SQLite))
	dbtest.CompareRows(t, dbtest.Rows(t, postgres), rows, "event_terms", "terms", "term_typos")
	dbtest.CompareRows(t, dbtest.Rows(t, back), rows)
	for name, after := range map[string]map[string]string{"PostgreSQL": exportTexts(t, postgres), "SQLite": exportTexts(t, back)} {
		if len(before) < 5 || !maps.Equal(before, after) {
			t.Errorf("%d exports on %s differ from %d:\n%s\n%s", len(after), name, len(before), after, before)
		}
	}
}

func emptyDatabase(t *testing.T, engine db.Engine) (url string) {
	t.Helper()
	if engine == db.PostgreSQL {
		return pgtest.Database(t)
	}
	return "sqlite:" + filepath.Join(t.TempDir(), "moothall.db")
}

// backUp returns a backup of a database and of the pictures in a folder.
func backUp(t *testing.T, d *db.DB, folder, program string) []byte {
	t.Helper()
	store, err := blob.Open(blob.Location{Dir: folder}, apptest.Today)
	must(t, err)
	var file bytes.Buffer
	_, err = backup.Write(t.Context(), &file, backup.Source{DB: d, Now: apptest.Today, Program: program, Pictures: media.Files, Store: store})
	must(t, err)
	must(t, store.Close())
	return file.Bytes()
}

// restore writes a backup into an empty database, with the migrations of the backup first and then the newer ones, and
// its pictures into a folder.
func restore(t *testing.T, file []byte, url string) (d *db.DB, folder string) {
	t.Helper()
	folder = t.TempDir()
	d, err := db.Open(t.Context(), url, db.Options{Wait: time.Minute})
	must(t, err)
	t.Cleanup(func() { _ = d.Close() })
	store, err := blob.Open(blob.Location{Dir: folder}, apptest.Today)
	must(t, err)
	_, _, err = backup.Restore(t.Context(), bytes.NewReader(file), backup.Destination{DB: d, Store: store})
	must(t, errors.Join(err, store.Close()))
	return d, folder
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

// exportTexts returns the exports of all accounts as they are sent, by id.
func exportTexts(t *testing.T, d *db.DB) map[string]string {
	t.Helper()
	accounts, err := app.NewAccounts(t.Context(), d, app.Settings{SecretKey: []byte(apptest.SecretKey), PublicBaseURL: apptest.BaseURL})
	must(t, err)
	users, err := db.All(t.Context(), d, func(r db.Row, id *domain.UserID) error { return r.Scan(id) }, usersStmt)
	must(t, err)
	all := map[string]string{}
	for _, id := range users {
		sections, err := accounts.Export(t.Context(), id)
		must(t, err)
		text, err := json.Marshal(sections)
		must(t, err)
		all[id.String()] = string(text)
	}
	return all
}

func exports(t *testing.T, d *db.DB) accountExports {
	t.Helper()
	all := accountExports{}
	for id, text := range exportTexts(t, d) {
		var export map[string]any
		must(t, json.Unmarshal([]byte(text), &export))
		all[id] = export
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

// contains reports whether a JSON value equals part. Its objects may have further members.
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
	text, err := json.MarshalIndent(exports(t, a.DB), "", " ")
	must(t, err)
	must(t, os.MkdirAll(releases, 0o750))
	must(t, os.WriteFile(releases+version+".backup", backUp(t, a.DB, a.MediaDir(), version), 0o600))
	must(t, os.WriteFile(releases+version+".exports.json", append(text, '\n'), 0o600))
}
