package db

import "sync"

// Hints wake listeners of this process after a commit. A lost hint only costs time:
// listeners find their work in the tables.

// Hint wakes the listeners of a topic when the transaction has committed.
func Hint(tx Tx, topic string) {
	hints := tx.(txQuerier).hints
	*hints = append(*hints, topic)
}

// HasListener reports whether this process has a listener of a topic.
func HasListener(tx Tx, topic string) bool {
	l := tx.(txQuerier).listeners
	l.Lock()
	defer l.Unlock()
	return len(l.of[topic]) > 0
}

// Hints returns a channel that receives a value after a commit with a Hint of the
// topic. Hints that arrive before the value is received are merged into one.
func (d *DB) Hints(topic string) <-chan struct{} {
	listener := make(chan struct{}, 1)
	d.listeners.Lock()
	defer d.listeners.Unlock()
	if d.listeners.of == nil {
		d.listeners.of = map[string][]chan struct{}{}
	}
	d.listeners.of[topic] = append(d.listeners.of[topic], listener)
	return listener
}

// listeners are the channels of each topic.
type listeners struct {
	sync.Mutex
	of map[string][]chan struct{}
}

func (l *listeners) send(topics []string) {
	if len(topics) == 0 {
		return
	}
	l.Lock()
	defer l.Unlock()
	for _, topic := range topics {
		for _, listener := range l.of[topic] {
			select {
			case listener <- struct{}{}:
			default: // the previous hint is still unread
			}
		}
	}
}
