package bench

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// columns of a table of results. "Of both" compares with what the two floors,
// one after the other, would give: a service has to do both.
var columns = []string{"operation", "callers", "requests/s", "p50 ms", "p99 ms", "CPU us", "list pages", "after s", "bytes",
	"bare/s", "of bare", "SQL", "engine/s", "engine CPU us", "of engine", "of both"}

// cells are the columns of one of the rows of a world.
func (w World) cells(row Row) []string {
	bare := rate(row.Bare.PerSecond)
	if row.Bare.Generator > saturated {
		bare = ">" + bare
	}
	return []string{
		row.Operation, strconv.Itoa(row.Callers), rate(row.Served.PerSecond), ms(row.Served.P50), ms(row.Served.P99), micro(row.Served.CPU), share(w.listPages(row)),
		seconds(row.Served.After), strconv.Itoa(row.Bytes), bare, share(row.OfBare()), strconv.Itoa(row.Statements), rate(row.Statement.PerSecond), micro(row.Statement.CPU),
		share(row.OfStatement()), share(row.OfBoth()),
	}
}

// listPages is what a request costs in list pages, the unit that a reader
// knows best; 0 when none was measured beside it.
func (w World) listPages(row Row) float64 {
	for _, other := range w.Rows {
		if other.Operation == "list" && other.Callers == 16 {
			return ratio(row.Served.CPU, other.Served.CPU)
		}
	}
	return 0
}

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

func rate(perSecond float64) string { return strconv.FormatFloat(perSecond, 'f', 0, 64) }

func ms(d time.Duration) string { return strconv.FormatFloat(d.Seconds()*1000, 'f', 2, 64) }

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) }

func micro(us float64) string {
	if us == 0 {
		return "-"
	}
	return strconv.FormatFloat(us, 'f', 0, 64)
}

func share(r float64) string {
	if r == 0 {
		return "-"
	}
	return strconv.FormatFloat(r, 'f', 2, 64)
}

// Text is the report for a terminal.
func (r *Report) Text() string {
	var b strings.Builder
	for _, line := range r.Machine.lines() {
		fmt.Fprintln(&b, line)
	}
	for _, w := range r.Worlds {
		fmt.Fprintf(&b, "\n%s\n\n", w.title())
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, strings.Join(columns, "\t")+"\t")
		for _, row := range w.Rows {
			fmt.Fprintln(t, strings.Join(w.cells(row), "\t")+"\t")
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
	if w.MemoryMB > 0 {
		title += fmt.Sprintf("; %d MiB of memory in the end", w.MemoryMB)
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
		fmt.Fprintf(&b, "| %s |\n|%s\n", strings.Join(columns, " | "), " --- |"+strings.Repeat(" ---: |", len(columns)-1))
		for _, row := range w.Rows {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(w.cells(row), " | "))
		}
	}
	b.WriteString("\n")
	return b.String()
}
