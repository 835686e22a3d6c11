package bench

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Compare shows each figure beside that of an earlier report and how many times
// better it is now: more requests a second, less of everything else.
func (r *Report) Compare(earlier *Report) string {
	var b strings.Builder
	b.WriteString("\nCompared with the earlier run: now, then, and how many times better (above 1) it is.\n")
	for _, w := range r.Worlds {
		then, ok := earlier.find(w.Engine, w.Events)
		if !ok {
			continue
		}
		fmt.Fprintf(&b, "\n%s, %d events: memory %d MiB, %d; first answer after %s ms, %s\n\n",
			w.Engine, w.Events, w.Memory.Peak, then.Memory.Peak, ms(w.Start), ms(then.Start))
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "operation\tcallers\trequests/s\t\t\tp99 ms\t\t\tCPU us\t\t\tallocations\t\t\tSQL\t\tof engine\t\t")
		for _, row := range w.Rows {
			if was, ok := then.find(row.Operation, row.Callers); ok {
				fmt.Fprintln(t, strings.Join(row.besides(was), "\t")+"\t")
			}
		}
		_ = t.Flush() // into memory
	}
	return b.String()
}

func (row Row) besides(was Row) []string {
	now, then := row.Served, was.Served
	return []string{
		row.Operation, fmt.Sprint(row.Callers),
		rate(now.PerSecond), rate(then.PerSecond), share(ratio(now.PerSecond, then.PerSecond)),
		ms(now.P99), ms(then.P99), share(ratio(then.P99.Seconds(), now.P99.Seconds())),
		micro(now.Cost()), micro(then.Cost()), share(ratio(then.Cost(), now.Cost())),
		micro(now.Allocations), micro(then.Allocations), share(ratio(then.Allocations, now.Allocations)),
		fmt.Sprint(row.Statements), fmt.Sprint(was.Statements),
		share(row.OfStatement()), share(was.OfStatement()),
	}
}
