package faulttest

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

// What a line of the ledger says was acknowledged.
const (
	made      = "made"      // event, title
	published = "published" // event
	joined    = "joined"    // event, person
)

// ledger is what clients were told, kept outside the service: a line on disk
// for every acknowledged write.
type ledger struct {
	t   *testing.T
	dir string
}

func newLedger(t *testing.T) *ledger { return &ledger{t, t.TempDir()} }

// page is the part of the ledger that one worker writes.
type page struct{ file *os.File }

func (l *ledger) page() *page {
	l.t.Helper()
	file, err := os.CreateTemp(l.dir, "page")
	if err != nil {
		l.t.Fatal(err)
	}
	return &page{file}
}

// write gives nil when the line is safe on disk.
func (p *page) write(what, event, detail string) error {
	if _, err := fmt.Fprintf(p.file, "%s\t%s\t%s\n", what, event, detail); err != nil {
		return err
	}
	return p.file.Sync()
}

func (p *page) close() { _ = p.file.Close() } // every line was synced

// lines gives everything that was acknowledged.
func (l *ledger) lines() [][3]string {
	l.t.Helper()
	pages, err := filepath.Glob(filepath.Join(l.dir, "page*"))
	if err != nil {
		l.t.Fatal(err)
	}
	var lines [][3]string
	for _, path := range pages {
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
	missing               []string // acknowledged and not there
	wrong                 []string // there twice, or counted otherwise than it is
}

func (v verdict) String() string {
	show := func(list []string) string { return fmt.Sprint(len(list), " ", list[:min(len(list), 3)]) }
	return fmt.Sprintf("%d acknowledged, %d present, missing %s, wrong %s", v.acknowledged, v.present, show(v.missing), show(v.wrong))
}

// check compares with what the database of the service holds.
func (l *ledger) check(database string) verdict {
	l.t.Helper()
	there := l.read(database)
	v := verdict{acknowledged: len(l.lines())}
	for _, line := range l.lines() {
		if there.writes[line] == 0 {
			v.missing = append(v.missing, fmt.Sprint(line))
		}
	}
	for line, times := range there.writes {
		v.present += times
		if times > 1 {
			v.wrong = append(v.wrong, fmt.Sprint(line))
		}
	}
	for title, times := range there.titles {
		if times > 1 {
			v.wrong = append(v.wrong, title)
		}
	}
	for event, difference := range there.uncounted {
		if difference != 0 {
			v.wrong = append(v.wrong, fmt.Sprintf("%s has %d participants more than it counts", event, difference))
		}
	}
	return v
}

// contents is what a database holds.
type contents struct {
	writes    map[[3]string]int // as the ledger's lines
	titles    map[string]int
	uncounted map[string]int // by event: participants that its slots do not count
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
