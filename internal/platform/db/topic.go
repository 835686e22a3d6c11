package db

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

// Publish wakes the subscribers of topics. On PostgreSQL, subscribers of shared topics in other
// processes wake some milliseconds later. Tx.Publish does the same right after the commit.
func (d *DB) Publish(topics ...Topic) {
	var local, shared []string
	for _, t := range topics {
		if t.Shared {
			shared = append(shared, t.Name)
		} else {
			local = append(local, t.Name)
		}
	}
	d.subscribers.wake(local)
	if len(shared) > 0 {
		d.subscribers.receive(shared)
		d.store.publish(shared)
	}
}

// Subscribe returns a channel that receives a value after a topic was published. If it was
// published several times before the value is received, there is one value.
func (d *DB) Subscribe(t Topic) <-chan struct{} {
	subscriber := make(chan struct{}, 1)
	d.subscribers.mu.Lock()
	defer d.subscribers.mu.Unlock()
	d.subscribers.of[t.Name] = append(d.subscribers.of[t.Name], subscriber)
	return subscriber
}

// SubscribeShared sets a function that receives the names of all shared topics. It must return at
// once. Topics of other processes only arrive after FollowChanges.
func (d *DB) SubscribeShared(fn func(names []string)) { d.subscribers.shared.Store(&fn) }

// subscribers are the subscribers in this process.
type subscribers struct {
	shared atomic.Pointer[func([]string)]
	mu     sync.Mutex
	of     map[string][]chan struct{} // by the name of the topic
}

func newSubscribers() *subscribers { return &subscribers{of: map[string][]chan struct{}{}} }

// receive handles shared topics that this process or another one has published.
func (s *subscribers) receive(shared []string) {
	s.wake(shared)
	if fn := s.shared.Load(); fn != nil && len(shared) > 0 {
		(*fn)(shared)
	}
}

func (s *subscribers) wake(names []string) {
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

func (s *subscribers) has(t Topic) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.of[t.Name]) > 0
}
