package courier

import (
	"sync"

	"moothall/internal/domain"
)

// A worker serves a limited number of targets at the same time. Each owner and each host has a
// share of them, so that servers that do not answer delay no other owner's messages.
const (
	maxServed   = 256
	maxOfOwner  = 8
	maxOfHost   = 32
	maxUnproven = maxServed / 2 // targets whose server has accepted no message lately
)

// candidate is a target that has due messages.
type candidate struct {
	id     domain.ID[any]
	owner  domain.ID[any]
	host   string
	proven bool // the server accepted the last message
}

// shares counts the targets that are being served.
type shares struct {
	mu       sync.Mutex
	all      int
	unproven int
	owners   map[domain.ID[any]]int
	hosts    map[string]int
}

func newShares() *shares {
	return &shares{owners: map[domain.ID[any]]int{}, hosts: map[string]int{}}
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
	return s.all < maxServed && s.owners[c.owner] < maxOfOwner && s.hosts[c.host] < maxOfHost && (c.proven || s.unproven < maxUnproven)
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
	if s.owners[c.owner] += n; s.owners[c.owner] == 0 {
		delete(s.owners, c.owner)
	}
	if s.hosts[c.host] += n; s.hosts[c.host] == 0 {
		delete(s.hosts, c.host)
	}
}
