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
