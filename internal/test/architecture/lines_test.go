package architecture_test

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
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

// TestLinesOfCodeAreShort leaves out test data (rows of tables and raw strings in tests), long texts, and lines with a
// directive for a linter.
func TestLinesOfCodeAreShort(t *testing.T) {
	for _, f := range slices.Concat(project(t), tests(t)) {
		if f.generated() {
			continue
		}
		exempt := linesOfTexts(f)
		for i, line := range strings.Split(read(t, f.name), "\n") {
			row := f.isTest() && tableRow.MatchString(line)
			if !row && !exempt[i+1] && !strings.Contains(line, "//nolint") {
				checkLine(t, f.name, i, line)
			}
		}
	}
}

var tableRow = regexp.MustCompile(`^\s*("[^"]*": *)?\{.*\},?$`)

// linesOfTexts returns the lines that have a literal of more than 100 characters, or, in a test, a raw string.
func linesOfTexts(f file) map[int]bool {
	lines := map[int]bool{}
	ast.Inspect(f.File, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if ok && literal.Kind == token.STRING && (literal.Value[0] == '"' && len(literal.Value) > 100 || f.isTest() && literal.Value[0] == '`') {
			for line := positions.Position(literal.Pos()).Line; line <= positions.Position(literal.End()).Line; line++ {
				lines[line] = true
			}
		}
		return true
	})
	return lines
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
