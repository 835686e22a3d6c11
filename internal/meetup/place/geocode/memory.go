package geocode

import (
	"sync"
	"time"
)

const (
	keepFor    = 24 * time.Hour
	maxAnswers = 2000
)

// answers are those of the geocoder, by the parameters of the search.
type answers struct {
	mu    sync.Mutex
	found map[string]answer
	order []string // the oldest first
}

type answer struct {
	addresses []Address
	until     time.Time
}

func newAnswers() *answers { return &answers{found: map[string]answer{}} }

func (a *answers) get(key string, now time.Time) ([]Address, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	found, ok := a.found[key]
	return found.addresses, ok && now.Before(found.until)
}

// put stores an answer, and drops the oldest ones that are too many or too old.
func (a *answers) put(key string, addresses []Address, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, known := a.found[key]; known {
		return // a search at the same time has stored it
	}
	for len(a.order) > 0 && (len(a.order) >= maxAnswers || !now.Before(a.found[a.order[0]].until)) {
		delete(a.found, a.order[0])
		a.order = a.order[1:]
	}
	a.found[key] = answer{addresses, now.Add(keepFor)}
	a.order = append(a.order, key)
}

// breaker keeps requests from a geocoder that is down.
type breaker struct {
	mu       sync.Mutex
	failures int
	until    time.Time
}

func (b *breaker) mayAsk(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failures < maxFailures || !now.Before(b.until)
}

func (b *breaker) report(ok bool, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if ok {
		b.failures = 0
		return
	}
	b.failures++
	b.until = now.Add(restFor)
}
