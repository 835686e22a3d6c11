package backup

import (
	"fmt"
	"io"
	"time"
)

// reportEvery is the time between two lines of progress.
const reportEvery = 2 * time.Second

// progress reports how much of a backup is done.
type progress struct {
	to       io.Writer
	total    int64 // rows
	rows     int64
	pictures int64
	reported time.Time
}

func newProgress(to io.Writer, m Manifest) *progress {
	if to == nil {
		to = io.Discard
	}
	p := &progress{to: to, reported: time.Now()}
	for _, t := range m.Tables {
		p.total += t.Rows
	}
	return p
}

func (p *progress) row(table string) {
	p.rows++
	if p.rows%1000 == 0 && p.due() {
		_, _ = fmt.Fprintf(p.to, "%3d %%  %d of %d rows, now in %s\n", p.rows*100/max(p.total, 1), p.rows, p.total, table) // best effort
	}
}

// built reports a row that a restore has read from the events, or has built from them.
func (p *progress) built(table string) {
	p.rows++
	if p.rows%1000 == 0 && p.due() {
		_, _ = fmt.Fprintf(p.to, "100 %%  all rows; building indexes of events, %d rows, now in %s\n", p.rows, table) // best effort
	}
}

func (p *progress) picture() {
	p.pictures++
	if p.due() {
		_, _ = fmt.Fprintf(p.to, "100 %%  all rows, %d pictures\n", p.pictures) // best effort
	}
}

func (p *progress) due() bool {
	if time.Since(p.reported) < reportEvery {
		return false
	}
	p.reported = time.Now()
	return true
}
