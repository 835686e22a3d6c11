package postings

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSorterMergesRuns sorts entries in memory, in files, and in both.
func TestSorterMergesRuns(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 9, 10, 11, 1000} {
		for _, fields := range []int{2, 4} {
			s := newSorter(t.TempDir(), fields)
			s.maxRun = 10
			var want [][]any
			for i := range n {
				e := entry{rand.Int64N(9) - 4, int64(i*7919%1000) - 500, rand.Int64(), -rand.Int64()}
				if err := s.add(e); err != nil {
					t.Fatal(err)
				}
				want = append(want, []any{e[0], e[1], e[2], e[3]}[:fields])
			}
			slices.SortFunc(want, func(a, b []any) int {
				return cmp.Or(cmp.Compare(a[0].(int64), b[0].(int64)), cmp.Compare(a[1].(int64), b[1].(int64)))
			})
			var got [][]any
			for row, err := range s.rows() {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, row)
			}
			if !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%d entries of %d values: %d rows, in another order or changed", n, fields, len(got))
			}
			if err := s.close(); err != nil {
				t.Error(err)
			}
		}
	}
}
