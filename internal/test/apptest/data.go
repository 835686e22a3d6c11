package apptest

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"moothall/internal/platform/db"
)

// Pixel is a PNG of one pixel.
const Pixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00\x90wS\xde" +
	"\x00\x00\x00\x10IDATx\xdab`db\x06\x04\x00\x00\xff\xff\x00\x0e\x00\x07\xabQs]\x00\x00\x00\x00IEND\xaeB`\x82"

// Calendar is a calendar with one event, and Guests a guest list with one address.
const (
	Calendar = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:tea@example.org\r\nDTSTART:20990601T180000Z\r\nSUMMARY:Tea\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	Guests   = "email,name\r\nguest@example.org,Guest\r\n"
)

// Exec runs a statement on the database of the service.
func (a *App) Exec(s *db.Stmt, args ...any) {
	a.t.Helper()
	if _, err := a.DB.Exec(a.t.Context(), s, args...); err != nil {
		a.t.Fatal(err)
	}
}

// Count returns the number that a statement selects.
func (a *App) Count(s *db.Stmt, args ...any) (n int) {
	a.t.Helper()
	if err := a.DB.One(a.t.Context(), s, args...).Scan(&n); err != nil {
		a.t.Fatal(err)
	}
	return n
}

// Cases reads a table of test cases: lines with at least the given number of
// columns, separated by tabs. Lines that begin with # are comments.
func Cases(t *testing.T, file string, columns int) [][]string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases [][]string
	for line := range strings.Lines(string(content)) {
		row := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if !strings.HasPrefix(line, "#") && len(row) >= columns {
			cases = append(cases, row)
		}
	}
	if len(cases) < 20 {
		t.Fatalf("%s has only %d cases", file, len(cases))
	}
	return cases
}

// Unquote returns the text of a JSON string literal, and any other text as it is.
func Unquote(t *testing.T, literal string) string {
	t.Helper()
	if !strings.HasPrefix(literal, `"`) {
		return literal
	}
	var text string
	if err := json.Unmarshal([]byte(literal), &text); err != nil {
		t.Fatalf("%s: %v", literal, err)
	}
	return text
}

// SendWebhooks sends the webhook messages that are due, without waiting for others.
func (a *App) SendWebhooks() error { return a.apps[0].RunJobs(a.t.Context()) }
