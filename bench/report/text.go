package report

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// column is a column of the table of a dataset. A table omits columns without values.
type column struct {
	name string
	cell func(row Row) string
}

var columns = []column{
	{"operation", func(row Row) string { return row.Operation }},
	{"callers", func(row Row) string { return strconv.Itoa(row.Callers) }},
	{"requests/s", func(row Row) string { return row.Served.rate() }},
	{"p50 ms", func(row Row) string { return ms(row.Served.P50.Seconds()) }},
	{"p99 ms", func(row Row) string { return ms(row.Served.P99.Seconds()) }},
	{"p99.9 ms", func(row Row) string { return ms(row.Served.P999.Seconds()) }},
	{"CPU us", func(row Row) string { return number(row.Served.CPU, 0) }},
	{"database CPU us", func(row Row) string { return number(row.Served.Database, 0) }},
	{"allocations", func(row Row) string { return number(row.Served.Allocations, 0) }},
	{"allocated KiB", func(row Row) string { return number(row.Served.Allocated/1024, 1) }},
	{"jobs s", func(row Row) string { return number(row.Served.After.Seconds(), 1) }},
	{"bytes", func(row Row) string { return strconv.Itoa(row.Bytes) }},
	{"SQL", func(row Row) string { return strconv.Itoa(row.Statements) }},
	{"bare/s", func(row Row) string { return row.Bare.rate() }},
	{"bare CPU us", func(row Row) string { return number(row.Bare.CPU, 0) }},
	{"of bare", func(row Row) string { return number(row.OfBare(), 2) }},
	{"plain CPU us", func(row Row) string { return number(row.Plain.Cost(), 0) }},
	{"times plain", func(row Row) string { return number(row.OfPlain(), 2) }},
	{"counter/s", func(row Row) string { return number(row.Counter.PerSecond, 0) }},
	{"of counter", func(row Row) string { return number(row.OfCounter(), 2) }},
}

// unknown is the cell of a figure that was not measured.
const unknown = "-"

// number formats x; a value that rounds to zero is unknown.
func number(x float64, digits int) string {
	if x < math.Pow10(-digits)/2 {
		return unknown
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}

func ms(seconds float64) string { return number(seconds*1000, 2) }

// saturated is the share of busy time above which the generator may limit the rate.
const saturated = 0.95

func (m Measure) rate() string {
	if m.Generator > saturated {
		return ">" + number(m.PerSecond, 0)
	}
	return number(m.PerSecond, 0)
}

// Markdown returns the report as text, with a table for each dataset.
func (r *Report) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nMeasured on: %s.\n\n", r.Machine)
	writeTable(&b, r.judge())
	for _, d := range r.Datasets {
		fmt.Fprintf(&b, "\n### %s\n\n", d.title())
		writeTable(&b, d.table())
	}
	b.WriteString("\n")
	return b.String()
}

// String describes the machine.
func (m Machine) String() string {
	pinned := "server and generator share the cores"
	if m.Server != "" {
		pinned = "server on core " + m.Server + ", generator on core " + m.Generator
	}
	processor := m.System
	if m.Processor != "" {
		processor = m.Processor + ", " + processor
	}
	return fmt.Sprintf("%s, %d cores (%s), %s; load average before: %s",
		processor, m.Cores, pinned, m.Go, m.Load)
}

func (d Dataset) title() string {
	title := fmt.Sprintf("%s, %d events, %d people, %d attendances", d.Version, d.Events, d.Users, d.Attendances)
	if d.Memory.Peak > 0 {
		title += fmt.Sprintf("; memory %d MiB at most, %d at the end, %d of it without mapped files", d.Memory.Peak, d.Memory.End, d.Memory.Own)
	}
	if d.Start > 0 {
		title += fmt.Sprintf("; after the start, first response in %s ms, first created event in %s ms", ms(d.Start.Seconds()),
			ms(d.FirstCreate.Seconds()))
	}
	if d.Load != "" {
		title += fmt.Sprintf("; load %s to %s", d.Load, d.LoadEnd)
	}
	return title
}

// table returns the header and the rows.
func (d Dataset) table() [][]string {
	table := make([][]string, 1+len(d.Rows))
	for _, c := range columns {
		cells := []string{c.name}
		for _, row := range d.Rows {
			cells = append(cells, c.cell(row))
		}
		if !slices.ContainsFunc(cells[1:], func(cell string) bool { return cell != unknown }) {
			continue
		}
		for i, cell := range cells {
			table[i] = append(table[i], cell)
		}
	}
	return table
}

// writeTable writes a Markdown table whose first column is text.
func writeTable(b *strings.Builder, table [][]string) {
	for i, cells := range table {
		if len(cells) == 0 {
			return
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
		if i == 0 {
			fmt.Fprintf(b, "| --- |%s\n", strings.Repeat(" ---: |", len(cells)-1))
		}
	}
}

// Compare returns tables of the figures of both runs. The ratio compares processor time:
// 1.10 means that a request now costs 10 percent more.
func (r *Report) Compare(earlier *Report) string {
	var b strings.Builder
	for _, d := range r.Datasets {
		old, ok := earlier.find(d.Engine, d.Events)
		if !ok {
			continue
		}
		fmt.Fprintf(&b, "\n### %s, %d events, before and now: memory %d and %d MiB, first response after %s and %s ms\n\n",
			d.Engine, d.Events, old.Memory.Peak, d.Memory.Peak, ms(old.Start.Seconds()), ms(d.Start.Seconds()))
		table := [][]string{{
			"operation", "callers", "CPU us before", "now", "ratio", "requests/s before", "now", "p99 ms before", "now",
			"allocations before", "now",
		}}
		for _, row := range d.Rows {
			before, ok := old.find(row.Operation, row.Callers)
			if !ok {
				continue
			}
			was, is := before.Served, row.Served
			table = append(table, []string{
				row.Operation, strconv.Itoa(row.Callers),
				number(was.Cost(), 0), number(is.Cost(), 0), number(ratio(is.Cost(), was.Cost()), 2),
				number(was.PerSecond, 0), number(is.PerSecond, 0), ms(was.P99.Seconds()), ms(is.P99.Seconds()),
				number(was.Allocations, 0), number(is.Allocations, 0),
			})
		}
		writeTable(&b, table)
	}
	if b.Len() == 0 {
		return "\nThe earlier run measured none of these datasets.\n"
	}
	return b.String()
}

// marker returns a marker in a Markdown file. The tables of an engine are between two of
// them.
func marker(engine, where string) string { return "<!-- bench: " + engine + " " + where + " -->" }

// PrepareMarkdown makes sure, before a long measurement, that WriteMarkdown can write the tables of an engine into a file. It
// creates a missing file.
func PrepareMarkdown(path, engine string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // the user names the file
	if errors.Is(err, fs.ErrExist) {
		if file, err = os.OpenFile(path, os.O_WRONLY, 0); err != nil { //nolint:gosec // the user names the file
			return err
		}
		_, _, err = around(path, engine)
		return errors.Join(err, file.Close())
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString(marker(engine, "begins") + "\n" + marker(engine, "ends") + "\n")
	return errors.Join(err, file.Close())
}

// around returns what is before and after the tables of an engine in a file, with their markers.
func around(path, engine string) (before, after string, err error) {
	text, err := os.ReadFile(path) //nolint:gosec // the user names the file
	if err != nil {
		return "", "", err
	}
	begin, end := marker(engine, "begins"), marker(engine, "ends")
	before, rest, begun := strings.Cut(string(text), begin)
	_, after, ended := strings.Cut(rest, end)
	if !begun || !ended {
		return "", "", fmt.Errorf("%s: write %s and %s on lines of their own where the tables belong", path, begin, end)
	}
	return before + begin + "\n", end + after, nil
}

// WriteMarkdown replaces the tables of the report's engine in a file.
func (r *Report) WriteMarkdown(path string) error {
	if len(r.Datasets) == 0 {
		return nil // the run has failed
	}
	before, after, err := around(path, r.Datasets[0].Engine)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(before+r.Markdown()+after), 0o644) //nolint:gosec // documentation
}
