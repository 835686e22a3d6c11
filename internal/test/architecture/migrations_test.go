package architecture_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// checksums lists the migrations of the version before, in the format of sha256sum.
const checksums = "internal/platform/db/migrations.sha256"

// TestMigrationsOfVersionBeforeAreUnchanged compares them with their checksums. With
// UPDATE=1 it adds the new migrations to the list, for a release.
func TestMigrationsOfVersionBeforeAreUnchanged(t *testing.T) {
	listed := map[string]string{}
	last := ""
	for line := range strings.Lines(read(t, checksums)) {
		fields := strings.Fields(line)
		listed[fields[1]] = fields[0]
		last = max(last, fields[1])
	}
	var list strings.Builder
	for _, name := range migrationNames(t) {
		sum := fmt.Sprintf("%x", sha256.Sum256([]byte(read(t, "internal/platform/db/"+name))))
		fmt.Fprintf(&list, "%s  %s\n", sum, name)
		switch before, old := listed[name]; {
		case old && sum != before:
			t.Errorf("%s has changed: restore it and add a migration with the next number instead", name)
		case !old && name < last:
			t.Errorf("%s must have a number above that of %s, which databases already have", name, last)
		}
		delete(listed, name)
	}
	for name := range listed {
		t.Errorf("%s is missing: databases already have it", name)
	}
	if os.Getenv("UPDATE") == "1" && !t.Failed() {
		if err := os.WriteFile(filepath.Join(root, checksums), []byte(list.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

var (
	sqlComment = regexp.MustCompile(`--[^\n]*`)
	contracts  = regexp.MustCompile(`(?i)\b(?:DROP|RENAME)\b`)
	notNull    = regexp.MustCompile(`(?is)\bADD\s+COLUMN\s[^,;]*\bNOT\s+NULL\b[^,;]*`)
	hasDefault = regexp.MustCompile(`(?i)\bDEFAULT\b`)
)

// TestNewMigrationsExpand refuses migrations after which the version before fails.
func TestNewMigrationsExpand(t *testing.T) {
	before := read(t, checksums)
	for _, name := range migrationNames(t) {
		text := read(t, "internal/platform/db/"+name)
		if strings.Contains(before, name) || strings.Contains(text, "\n-- contract: ") {
			continue
		}
		text = sqlComment.ReplaceAllString(text, "")
		if found := contracts.FindString(text); found != "" {
			t.Errorf("%s: %s breaks the version before, which serves beside this one. Remove only what the version before does not use, "+
				"and say so in a line \"-- contract: ...\"", name, found)
		}
		for _, column := range notNull.FindAllString(text, -1) {
			if !hasDefault.MatchString(column) {
				t.Errorf("%s: the version before cannot insert: %q needs a DEFAULT", name, column)
			}
		}
	}
}

// migrationNames returns the names of the migrations in order, like "migrations/0010_user.sql".
func migrationNames(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, migrations, "*.sql")) // sorted
	if err != nil || len(files) == 0 {
		t.Fatalf("%d migrations, %v", len(files), err)
	}
	for _, file := range files {
		names = append(names, "migrations/"+filepath.Base(file))
	}
	return names
}
