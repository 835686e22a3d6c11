package webhook

import (
	"fmt"
	"testing"

	"moothall/internal/domain"
)

// TestSharesOfSendPermits offers many webhooks, and counts which are served.
func TestSharesOfSendPermits(t *testing.T) {
	type offer struct {
		users, each int
		hosts       int // over which the webhooks of a user are spread; 0: each user has an own host
		proven      bool
	}
	for _, c := range []struct {
		name   string
		offers []offer
		want   []int // served of each offer
	}{
		{"one user", []offer{{1, 20, 0, true}}, []int{maxOfUser}},
		{"many users of one host", []offer{{100, 1, 1, true}}, []int{maxOfHost}},
		{"many users", []offer{{100, 20, 0, true}}, []int{maxServed}},
		{"280 webhooks of 14 accounts that never answer", []offer{{14, 20, 0, false}, {1, 1, 0, true}}, []int{14 * maxOfUser, 1}},
		{"many accounts that never answer", []offer{{100, 20, 0, false}, {10, 1, 0, true}}, []int{maxUnproven, 10}},
	} {
		s, want := newShares(), 0
		for i, o := range c.offers {
			var list []candidate
			for u := range o.users {
				user := domain.RandomID[domain.UserKind]()
				for n := range o.each {
					host := fmt.Sprint(i, "-", u)
					if o.hosts > 0 {
						host = fmt.Sprint(n % o.hosts)
					}
					list = append(list, candidate{domain.RandomID[domain.WebhookKind](), user, host, o.proven})
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
	c := candidate{user: domain.RandomID[domain.UserKind](), host: "a"}
	for range 3 * maxServed {
		for _, taken := range s.take([]candidate{c}, 1) {
			s.release(taken)
		}
	}
	if s.all != 0 || s.unproven != 0 || len(s.users) != 0 || len(s.hosts) != 0 {
		t.Errorf("after all were released: %+v", s)
	}
}

// TestEveryKindHasReadScope checks the table with which webhooks of API keys are allowed.
func TestEveryKindHasReadScope(t *testing.T) {
	for _, kind := range kinds {
		if readScopes[kind] == "" {
			t.Errorf("no scope reads what %s shows", kind)
		}
	}
}
