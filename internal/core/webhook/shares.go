package webhook

import (
	"sync"

	"moothall/internal/domain"
)

// A worker serves a limited number of webhooks at the same time. Each user and each host has a
// share of them, so that servers that do not answer delay no other user's messages.
const (
	maxServed   = 256
	maxOfUser   = 8
	maxOfHost   = 32
	maxUnproven = maxServed / 2 // webhooks whose server has accepted no message lately
)

// candidate is a webhook that has due messages.
type candidate struct {
	id     domain.WebhookID
	user   domain.UserID
	host   string
	proven bool // the server accepted the last message
}

// shares counts the webhooks that are being served.
type shares struct {
	mu       sync.Mutex
	all      int
	unproven int
	users    map[domain.UserID]int
	hosts    map[string]int
}

func newShares() *shares {
	return &shares{users: map[domain.UserID]int{}, hosts: map[string]int{}}
}

// take returns the first candidates whose shares are not used up, at most n, and counts them.
func (s *shares) take(list []candidate, n int) (taken []candidate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range list {
		if len(taken) < n && s.hasShare(c) {
			s.count(c, 1)
			taken = append(taken, c)
		}
	}
	return taken
}

func (s *shares) hasShare(c candidate) bool {
	return s.all < maxServed && s.users[c.user] < maxOfUser && s.hosts[c.host] < maxOfHost && (c.proven || s.unproven < maxUnproven)
}

// release ends the counting of a candidate.
func (s *shares) release(c candidate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count(c, -1)
}

func (s *shares) count(c candidate, n int) {
	s.all += n
	if !c.proven {
		s.unproven += n
	}
	if s.users[c.user] += n; s.users[c.user] == 0 {
		delete(s.users, c.user)
	}
	if s.hosts[c.host] += n; s.hosts[c.host] == 0 {
		delete(s.hosts, c.host)
	}
}
