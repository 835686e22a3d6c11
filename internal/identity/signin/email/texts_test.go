package email_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestEveryLanguageHasEveryText compares the texts with the English ones.
func TestEveryLanguageHasEveryText(t *testing.T) {
	ids := func(file string) []string {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var all map[string]string
		if err := json.Unmarshal(content, &all); err != nil {
			t.Fatal(err)
		}
		return slices.Sorted(maps.Keys(all))
	}
	files, err := filepath.Glob("texts/*.json")
	if err != nil || len(files) < 2 {
		t.Fatalf("%d languages, %v", len(files), err)
	}
	for _, file := range files {
		if got := ids(file); !slices.Equal(got, ids("texts/en.json")) {
			t.Errorf("%s has %v", file, got)
		}
	}
}
