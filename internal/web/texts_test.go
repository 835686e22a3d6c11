package web_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// textUse is a text that a page names, or the beginning of its name: p.T("error."+code).
var textUse = regexp.MustCompile(`"([a-z_]+\.[a-z_. ]*)"`)

// TestPagesNameTextsThatExist compares the texts with their uses. All languages have the same texts.
func TestPagesNameTextsThatExist(t *testing.T) {
	texts := map[string]map[string]json.RawMessage{}
	for _, language := range []string{"en", "de", "ru"} {
		file, err := os.ReadFile("texts/" + language + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var list map[string]json.RawMessage
		if err := json.Unmarshal(file, &list); err != nil {
			t.Fatalf("%s: %v", language, err)
		}
		texts[language] = list
	}
	for language, list := range texts {
		for id := range texts["en"] {
			if list[id] == nil {
				t.Errorf("%s lacks %s", language, id)
			}
		}
		if len(list) != len(texts["en"]) {
			t.Errorf("%s has %d texts, English %d", language, len(list), len(texts["en"]))
		}
	}
	code := sources(t)
	for _, use := range regexp.MustCompile(`\.[TN]\("([a-z_. ]+)"[,)]`).FindAllStringSubmatch(code, -1) {
		if texts["en"][use[1]] == nil {
			t.Errorf("there is no text %s", use[1])
		}
	}
	used := map[string]bool{}
	for _, use := range textUse.FindAllStringSubmatch(code, -1) {
		used[use[1]] = true
	}
	for id := range texts["en"] {
		begins := func(use string) bool { return strings.HasSuffix(use, ".") && strings.HasPrefix(id, use) }
		if !used[id] && !slices.ContainsFunc(slices.Collect(maps.Keys(used)), begins) {
			t.Errorf("no page uses %s", id)
		}
	}
}

// sources returns the code of the pages, without tests and generated files.
func sources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, pattern := range []string{"*.go", "view/*.go", "view/*.templ"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_templ.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
	}
	return all.String()
}
