package bench

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// column is one of a table of results; it is left out where no row has anything
// to show in it.
type column struct {
	name string
	cell func(w World, row Row) string
}

// columns are all of them. "Of both" compares with what the two floors, one
// after the other, would give: a service has to do both.
var columns = []column{
	{"operation", func(_ World, row Row) string { return row.Operation }},
	{"callers", func(_ World, row Row) string { return strconv.Itoa(row.Callers) }},
	{"requests/s", func(_ World, row Row) string { return row.Served.rate() }},
	{"p50 ms", func(_ World, row Row) string { return ms(row.Served.P50) }},
	{"p99 ms", func(_ World, row Row) string { return ms(row.Served.P99) }},
	{"p99.9 ms", func(_ World, row Row) string { return ms(row.Served.P999) }},
	{"CPU us", func(_ World, row Row) string { return micro(row.Served.CPU) }},
	{"database CPU us", func(_ World, row Row) string { return micro(row.Served.Database) }},
	{"list pages", func(w World, row Row) string { return share(w.listPages(row)) }},
	{"allocations", func(_ World, row Row) string { return micro(row.Served.Allocations) }},
	{"allocated KiB", func(_ World, row Row) string { return kib(row.Served.Allocated) }},
	{"after s", func(_ World, row Row) string { return seconds(row.Served.After) }},
	{"bytes", func(_ World, row Row) string { return strconv.Itoa(row.Bytes) }},
	{"bare/s", func(_ World, row Row) string { return row.Bare.rate() }},
	{"bare CPU us", func(_ World, row Row) string { return micro(row.Bare.CPU) }},
	{"of bare", func(_ World, row Row) string { return share(row.OfBare()) }},
	{"SQL", func(_ World, row Row) string { return strconv.Itoa(row.Statements) }},
	{"engine/s", func(_ World, row Row) string { return rate(row.Statement.PerSecond) }},
	{"engine CPU us", func(_ World, row Row) string { return micro(row.Statement.Cost()) }},
	{"of engine", func(_ World, row Row) string { return share(row.OfStatement()) }},
	{"of both", func(_ World, row Row) string { return share(row.OfBoth()) }},
}

// unknown stands where nothing was measured.
const unknown = "-"

// table gives the columns of a world and the cells of its rows.
func (w World) table() (names []string, rows [][]string) {
	rows = make([][]string, len(w.Rows))
	for _, c := range columns {
		cells := make([]string, len(w.Rows))
		for i, row := range w.Rows {
			cells[i] = c.cell(w, row)
		}
		if !slices.ContainsFunc(cells, func(cell string) bool { return cell != unknown }) {
			continue
		}
		names = append(names, c.name)
		for i, cell := range cells {
			rows[i] = append(rows[i], cell)
		}
	}
	return names, rows
}

// The unit that a reader knows best: a page of the list that has to be computed.
const (
	listPage        = "list cold"
	listPageCallers = 16
)

// listPages is what a request costs in list pages; 0 when none was measured
// beside it.
func (w World) listPages(row Row) float64 {
	for _, other := range w.Rows {
		if other.Operation == listPage && other.Callers == listPageCallers {
			return ratio(row.Served.Cost(), other.Served.Cost())
		}
	}
	return 0
}

// Cost is all processor time of a request, in microseconds: the server's and
// PostgreSQL's; 0 when it is not known.
func (m Measure) Cost() float64 { return m.CPU + m.Database }

// saturated is how busy a generator is that may hold back what it measures.
const saturated = 0.95

// OfBare is the service's rate in that of the bare handler; 0 when unknown, as for all ratios.
func (row Row) OfBare() float64 { return ratio(row.Served.PerSecond, row.Bare.PerSecond) }

// OfStatement is the service's rate in that of the engine's own statements.
func (row Row) OfStatement() float64 { return ratio(row.Served.PerSecond, row.Statement.PerSecond) }

// OfBoth is the service's rate in that of the two floors one after the other.
func (row Row) OfBoth() float64 {
	return ratio(row.Served.PerSecond, oneAfterTheOther(row.Bare.PerSecond, row.Statement.PerSecond))
}

// rate is at least so much where the generator was at its limit.
func (m Measure) rate() string {
	if m.Generator > saturated {
		return ">" + rate(m.PerSecond)
	}
	return rate(m.PerSecond)
}

// number writes x, and what is too little to be seen as unknown.
func number(x float64, digits int) string {
	if text := strconv.FormatFloat(x, 'f', digits, 64); x >= math.Pow10(-digits)/2 {
		return text
	}
	return unknown
}

func rate(perSecond float64) string { return number(perSecond, 0) }

func ms(d time.Duration) string { return number(d.Seconds()*1000, 2) }

func seconds(d time.Duration) string { return number(d.Seconds(), 1) }

func micro(us float64) string { return number(us, 0) }

func kib(size float64) string { return number(size/1024, 1) }

func share(r float64) string { return number(r, 2) }

// Text is the report for a terminal.
func (r *Report) Text() string {
	var b strings.Builder
	for _, line := range r.Machine.lines() {
		fmt.Fprintln(&b, line)
	}
	for _, w := range r.Worlds {
		fmt.Fprintf(&b, "\n%s\n\n", w.title())
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
		names, rows := w.table()
		for _, cells := range append([][]string{names}, rows...) {
			fmt.Fprintln(t, strings.Join(cells, "\t")+"\t")
		}
		_ = t.Flush() // into memory
	}
	b.WriteString("\n")
	for _, g := range r.goals() {
		fmt.Fprintln(&b, g)
	}
	return b.String()
}

func (w World) title() string {
	title := fmt.Sprintf("%s, %d events, %d people", w.Version, w.Events, w.Users)
	if w.Attendances > 0 {
		title += fmt.Sprintf(", %d attendances", w.Attendances)
	}
	if w.Memory.Peak > 0 {
		title += fmt.Sprintf("; memory %d MiB at most, %d in the end, %d of it without mapped files", w.Memory.Peak, w.Memory.End, w.Memory.Own)
	}
	if w.Start > 0 {
		title += fmt.Sprintf("; first answer after %s ms", ms(w.Start))
	}
	if w.Load != "" {
		title += fmt.Sprintf("; load %s to %s", w.Load, w.LoadEnd)
	}
	return title
}

func (m Machine) lines() []string {
	pinned := "server and generator share the cores"
	if m.Server != "" {
		pinned = "server on core " + m.Server + ", generator on core " + m.Generator
	}
	processor := m.System
	if m.Processor != "" {
		processor = m.Processor + ", " + processor
	}
	return []string{
		fmt.Sprintf("%s, %d cores (%s), %s", processor, m.Cores, pinned, m.Go),
		fmt.Sprintf("flushing a page to the disk takes %s ms; load average when it began: %s", ms(m.Flush), m.Load),
	}
}

// The tables stand between two marks of a Markdown file, whose other text stays.
const (
	beginMark = "<!-- bench: begin -->"
	endMark   = "<!-- bench: end -->"
)

// WriteMarkdown puts the report between the marks of a file, which is made
// when it is not there.
func (r *Report) WriteMarkdown(path string) error {
	text, err := os.ReadFile(path) //nolint:gosec // the user names the file
	if errors.Is(err, os.ErrNotExist) {
		text, err = []byte("# Benchmarks\n\n"+beginMark+"\n"+endMark+"\n"), nil
	}
	if err != nil {
		return err
	}
	before, rest, begun := bytes.Cut(text, []byte(beginMark))
	_, after, ended := bytes.Cut(rest, []byte(endMark))
	if !begun || !ended {
		return fmt.Errorf("%s has no %s ... %s to put the tables between", path, beginMark, endMark)
	}
	page := string(before) + beginMark + "\n" + r.markdown() + endMark + string(after)
	return os.WriteFile(path, []byte(page), 0o644) //nolint:gosec // documentation
}

func (r *Report) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nMeasured on: %s.\n\n", strings.Join(r.Machine.lines(), "; "))
	for _, g := range r.goals() {
		fmt.Fprintf(&b, "- %s\n", g)
	}
	for _, w := range r.Worlds {
		fmt.Fprintf(&b, "\n### %s\n\n", w.title())
		names, rows := w.table()
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintf(&b, "| %s |\n|%s\n", strings.Join(names, " | "), " --- |"+strings.Repeat(" ---: |", len(names)-1))
		for _, cells := range rows {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
		}
	}
	b.WriteString("\n")
	return b.String()
}
