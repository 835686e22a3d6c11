package spreadsheet_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"moothall/internal/platform/spreadsheet"
)

// TestCellsAreNoFormulas is the table of hostile cells, as a program reads them.
func TestCellsAreNoFormulas(t *testing.T) {
	for cell, want := range map[string]string{
		"Ann":                   "Ann",
		"":                      "",
		"Ann, Ben":              "Ann, Ben",
		`Ann "the hat"`:         `Ann "the hat"`,
		"=1+1":                  "'=1+1",
		"+49 30 1":              "'+49 30 1",
		"-2":                    "'-2",
		"@SUM(A1)":              "'@SUM(A1)",
		"\t=1+1":                "' =1+1",
		"\r=1+1":                "' =1+1",
		"\r\n=1+1":              "' =1+1",
		"  =1+1":                "'  =1+1",
		"\u00a0=1+1":            "'\u00a0=1+1",
		"\ufeff=1+1":            "'\ufeff=1+1",
		`"=1+1"`:                `'"=1+1"`,
		`'=1+1`:                 `''=1+1`,
		"\uff1d1+1":             "'\uff1d1+1",
		"a\n=1+1":               "a =1+1",
		"a;=1+1":                "a;=1+1",
		`=HYPERLINK("//x","y")`: `'=HYPERLINK("//x","y")`,
		"a = b":                 "a = b",
		"O'Neil-Smith":          "O'Neil-Smith",
	} {
		line := string(spreadsheet.AppendRow(nil, "first", cell))
		rows, err := csv.NewReader(strings.NewReader(line)).ReadAll()
		if err != nil || len(rows) != 1 || len(rows[0]) != 2 || rows[0][1] != want {
			t.Errorf("%q is read as %q, %v; want %q", cell, rows, err, want)
		}
		if !strings.HasPrefix(line, `"first","`) || strings.Count(line, "\n") != 1 {
			t.Errorf("%q is written as %q", cell, line)
		}
	}
}
