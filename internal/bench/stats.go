package bench

import (
	"math"
	"time"
)

// percentile gives the smallest value that p percent of the sorted values do
// not exceed; 0 when there is none.
func percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[max(rank, 1)-1]
}

// ratio is a/b, and 0 for "unknown" when either is not known.
func ratio(a, b float64) float64 {
	if a <= 0 || b <= 0 {
		return 0
	}
	return a / b
}

// oneAfterTheOther is the rate of work each piece of which needs a piece at
// the rate a and then one at the rate b.
func oneAfterTheOther(a, b float64) float64 {
	if a <= 0 || b <= 0 {
		return 0
	}
	return 1 / (1/a + 1/b)
}

// measured sums a load up. cpu is what the server used meanwhile, generator what
// this process did.
func measured(took []time.Duration, all, cpu, generator time.Duration) Measure {
	n := len(took)
	m := Measure{Requests: n, P50: percentile(took, 50), P99: percentile(took, 99)}
	if n > 0 && all > 0 {
		m.PerSecond = float64(n) / all.Seconds()
		m.CPU = float64(cpu.Microseconds()) / float64(n)
		m.Generator = generator.Seconds() / all.Seconds()
	}
	return m
}
