package change

import (
	"sync"
	"sync/atomic"
)

// A Topic names what subscribers wait for, such as work of one kind or news of one chat. A published
// topic may be lost, which only costs time: subscribers also look into the tables by themselves.
type Topic struct {
	Name   string // without spaces
	Shared bool   // with the other processes on the database
}

// AnyTopic is the name that stands for all shared topics, because there were too many to send.
const AnyTopic = "*"

// Subscribers are the subscribers in this process.
type Subscribers struct {
	shared atomic.Pointer[func([]string)]
	mu     sync.Mutex
	of     map[string][]chan struct{} // by the name of the topic
}

// NewSubscribers returns an empty list.
func NewSubscribers() *Subscribers { return &Subscribers{of: map[string][]chan struct{}{}} }

// Subscribe returns a channel that receives a value after a topic was published. If it was
// published several times before the value is received, there is one value.
func (s *Subscribers) Subscribe(t Topic) <-chan struct{} {
	subscriber := make(chan struct{}, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of[t.Name] = append(s.of[t.Name], subscriber)
	return subscriber
}

// SubscribeShared sets a function that receives the names of all shared topics. It must return at once.
func (s *Subscribers) SubscribeShared(fn func(names []string)) { s.shared.Store(&fn) }

// Has reports whether a topic has a subscriber.
func (s *Subscribers) Has(t Topic) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.of[t.Name]) > 0
}

// Receive wakes the subscribers of shared topics that this process or another one has published.
func (s *Subscribers) Receive(shared []string) {
	s.Wake(shared)
	if fn := s.shared.Load(); fn != nil && len(shared) > 0 {
		(*fn)(shared)
	}
}

// Wake wakes the subscribers of topics.
func (s *Subscribers) Wake(names []string) {
	if len(names) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		for _, subscriber := range s.of[name] {
			select {
			case subscriber <- struct{}{}:
			default: // the previous value is still unread
			}
		}
	}
}
