package architecture_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	sqlComment = regexp.MustCompile(`--[^\n]*`)
	contracts  = regexp.MustCompile(`(?i)\b(?:DROP|RENAME)\b`)
	notNull    = regexp.MustCompile(`(?is)\bADD\s+COLUMN\s[^,;]*\bNOT\s+NULL\b[^,;]*`)
	hasDefault = regexp.MustCompile(`(?i)\bDEFAULT\b`)
)

// TestMigrationsExpand refuses migrations after which the version before fails.
func TestMigrationsExpand(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, migrations, "*.sql"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d migrations, %v", len(files), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		text := read(t, migrations+"/"+name)
		if strings.Contains(text, "\n-- contract: ") {
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
