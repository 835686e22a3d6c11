package courier

import (
	"fmt"
	"testing"

	"moothall/internal/domain"
)

// TestSharesOfSendPermits offers many targets, and counts which are served.
func TestSharesOfSendPermits(t *testing.T) {
	type offer struct {
		owners, each int
		hosts        int // over which the targets of an owner are spread; 0: each owner has an own host
		proven       bool
	}
	for _, c := range []struct {
		name   string
		offers []offer
		want   []int // served of each offer
	}{
		{"one owner", []offer{{1, 20, 0, true}}, []int{maxOfOwner}},
		{"many owners of one host", []offer{{100, 1, 1, true}}, []int{maxOfHost}},
		{"many owners", []offer{{100, 20, 0, true}}, []int{maxServed}},
		{"280 targets of 14 owners that never answer", []offer{{14, 20, 0, false}, {1, 1, 0, true}}, []int{14 * maxOfOwner, 1}},
		{"many owners that never answer", []offer{{100, 20, 0, false}, {10, 1, 0, true}}, []int{maxUnproven, 10}},
	} {
		s, want := newShares(), 0
		for i, o := range c.offers {
			var list []candidate
			for u := range o.owners {
				owner := domain.RandomID[any]()
				for n := range o.each {
					host := fmt.Sprint(i, "-", u)
					if o.hosts > 0 {
						host = fmt.Sprint(n % o.hosts)
					}
					list = append(list, candidate{domain.RandomID[any](), owner, host, o.proven})
				}
			}
			taken := s.take(list, len(list))
			if len(taken) != c.want[i] {
				t.Errorf("%s: %d of offer %d are served, want %d", c.name, len(taken), i, c.want[i])
			}
			if want += len(taken); s.all != want {
				t.Errorf("%s: %d counted, %d served", c.name, s.all, want)
			}
		}
	}
	s := newShares()
	c := candidate{owner: domain.RandomID[any](), host: "a"}
	for range 3 * maxServed {
		for _, taken := range s.take([]candidate{c}, 1) {
			s.release(taken)
		}
	}
	if s.all != 0 || s.unproven != 0 || len(s.owners) != 0 || len(s.hosts) != 0 {
		t.Errorf("after all were released: %+v", s)
	}
}
