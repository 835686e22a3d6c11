package dbtest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"moothall/internal/platform/db/dialect"
)

const migrations = "../../platform/db/migrations"

var (
	ownerLine  = regexp.MustCompile(`^-- owner: ([a-z]+)\n`)
	newTable   = regexp.MustCompile(`(?i)\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)`)
	otherTable = regexp.MustCompile(`(?i)\b(?:ALTER\s+TABLE|DROP\s+TABLE|CREATE\s+(?:UNIQUE\s+)?INDEX\s+\w+\s+ON)\s+(\w+)`)
)

// Owners returns the package that owns each table, as the migrations say. Its callers are tests in a folder
// beside this package.
func Owners(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(migrations, "*.sql"))
	if err != nil {
		t.Fatal(err)
	}
	owner := map[string]string{"schema_migrations": "db"} // which no migration creates
	for _, f := range files {
		content, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		sql := string(content)
		pkg := ownerLine.FindStringSubmatch(sql)
		if pkg == nil {
			t.Errorf("%s: its first line does not name the owner", f)
			continue
		}
		for _, m := range newTable.FindAllStringSubmatch(sql, -1) {
			owner[m[1]] = pkg[1]
		}
		for _, m := range otherTable.FindAllStringSubmatch(sql, -1) {
			if owner[m[1]] != pkg[1] {
				t.Errorf("%s changes %s, a table of %s", f, m[1], owner[m[1]])
			}
		}
	}
	return owner
}

// Columns returns the columns of a table, as the migrations define it, except some. Its callers are tests in a folder
// whose path has the same depth as that of this package.
func Columns(table string, except ...string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(migrations, "*.sql"))
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		texts = append(texts, string(text))
	}
	tables, err := dialect.Tables(texts)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, t := range tables {
		for _, c := range t.Columns {
			if t.Name == table && !slices.Contains(except, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	return names, nil
}
