package architecture_test

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxLine is the longest line of a document or of code, in characters. A tab counts as one.
const maxLine = 140

// TestLinesOfDocumentsAreShort leaves out what Markdown cannot break: rows of tables, headings, and addresses.
func TestLinesOfDocumentsAreShort(t *testing.T) {
	for _, name := range documents(t) {
		for i, line := range strings.Split(read(t, name), "\n") {
			if text := strings.TrimSpace(line); strings.HasPrefix(text, "|") || strings.HasPrefix(text, "#") || hasLongWord(text) {
				continue
			}
			checkLine(t, name, i, line)
		}
	}
}

// TestDecisionsAreShort checks the length of the pages in docs/adr.
func TestDecisionsAreShort(t *testing.T) {
	for _, name := range documents(t) {
		if lines := strings.Count(read(t, name), "\n"); filepath.Dir(name) == "docs/adr" && lines > 60 {
			t.Errorf("%s has %d lines: a decision has at most 60, and proofs stand beside the code", name, lines)
		}
	}
}

func hasLongWord(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if len(word) > 100 {
			return true
		}
	}
	return false
}

func checkLine(t *testing.T, name string, index int, line string) {
	if n := utf8.RuneCountInString(line); n > maxLine {
		t.Errorf("%s:%d has %d characters", name, index+1, n)
	}
}
