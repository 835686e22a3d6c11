package faults

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Kinds of acknowledged writes.
const (
	made      = "made"      // event, title
	published = "published" // event
	joined    = "joined"    // event, person
)

// ledger records every acknowledged write as a line on disk, outside the service.
type ledger struct {
	t   *testing.T
	dir string
}

func newLedger(t *testing.T) *ledger { return &ledger{t, t.TempDir()} }

// sheet is the file of the ledger that one worker writes.
type sheet struct{ file *os.File }

func (l *ledger) sheet() *sheet {
	l.t.Helper()
	file, err := os.CreateTemp(l.dir, "sheet")
	if err != nil {
		l.t.Fatal(err)
	}
	return &sheet{file}
}

// write returns nil when the line is safe on disk.
func (s *sheet) write(what, event, detail string) error {
	if _, err := fmt.Fprintf(s.file, "%s\t%s\t%s\n", what, event, detail); err != nil {
		return err
	}
	return s.file.Sync()
}

func (s *sheet) close() { _ = s.file.Close() } // every line was synced

// lines returns all acknowledged writes.
func (l *ledger) lines() [][3]string {
	l.t.Helper()
	sheets, err := filepath.Glob(filepath.Join(l.dir, "sheet*"))
	if err != nil {
		l.t.Fatal(err)
	}
	var lines [][3]string
	for _, path := range sheets {
		text, err := os.ReadFile(path)
		if err != nil {
			l.t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			lines = append(lines, [3]string(fields))
		}
	}
	return lines
}

// verdict is the comparison of a ledger with the database.
type verdict struct {
	acknowledged, present int
	missing               []string // acknowledged, but not in the database
	wrong                 []string // in the database twice, or with a wrong counter
}

func (v verdict) String() string {
	show := func(list []string) string { return fmt.Sprint(len(list), " ", list[:min(len(list), 3)]) }
	return fmt.Sprintf("%d acknowledged, %d present, missing %s, wrong %s", v.acknowledged, v.present, show(v.missing), show(v.wrong))
}

// check compares the ledger with the content of the database.
func (l *ledger) check(database string) verdict {
	l.t.Helper()
	found := l.read(database)
	v := verdict{acknowledged: len(l.lines())}
	for _, line := range l.lines() {
		if found.writes[line] == 0 {
			v.missing = append(v.missing, fmt.Sprint(line))
		}
	}
	for line, times := range found.writes {
		v.present += times
		if times > 1 {
			v.wrong = append(v.wrong, fmt.Sprint(line))
		}
	}
	for title, times := range found.titles {
		if times > 1 {
			v.wrong = append(v.wrong, title)
		}
	}
	for event, difference := range found.uncounted {
		if difference != 0 {
			v.wrong = append(v.wrong, fmt.Sprintf("%s has %d participants more than it counts", event, difference))
		}
	}
	return v
}

// contents is the content of a database.
type contents struct {
	writes    map[[3]string]int // by line of the ledger
	titles    map[string]int
	uncounted map[string]int // by event: participants minus the sum of its seat rows
}

var (
	eventsStmt = db.SQL("faulttest.events", `SELECT id, title, status FROM events`)
	goingStmt  = db.SQL("faulttest.going", `SELECT event_id, user_id FROM participants WHERE status = 'going'`)
	countsStmt = db.SQL("faulttest.counts", `SELECT event_id, SUM(n) FROM event_slots GROUP BY event_id`)
)

func (l *ledger) read(database string) contents {
	l.t.Helper()
	d, err := db.Open(l.t.Context(), database, db.Options{AllowUnsafe: true})
	if err != nil {
		l.t.Fatal(err)
	}
	defer func() { _ = d.Close() }() // it only read
	c := contents{writes: map[[3]string]int{}, titles: map[string]int{}, uncounted: map[string]int{}}
	var (
		event         domain.EventID
		user          domain.UserID
		title, status string
		n             int
	)
	err = d.Read(l.t.Context(), func(q db.Querier) error {
		return errors.Join(
			each(l.t, q, eventsStmt, func() {
				c.titles[title]++
				c.writes[[3]string{made, event.String(), title}]++
				if status == published {
					c.writes[[3]string{published, event.String(), ""}]++
				}
			}, &event, &title, &status),
			each(l.t, q, goingStmt, func() {
				c.writes[[3]string{joined, event.String(), user.String()}]++
				c.uncounted[event.String()]++
			}, &event, &user),
			each(l.t, q, countsStmt, func() { c.uncounted[event.String()] -= n }, &event, &n))
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return c
}

// each calls visit for every row, read into the variables.
func each(t *testing.T, q db.Querier, s *db.Stmt, visit func(), into ...any) error {
	for row, err := range q.Query(t.Context(), s) {
		if err == nil {
			err = row.Scan(into...)
		}
		if err != nil {
			return err
		}
		visit()
	}
	return nil
}
