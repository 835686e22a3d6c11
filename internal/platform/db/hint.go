package db

import "sync"

// Hints tell the rest of this process, after a commit, that there is something
// to look for. The tables are the truth: a hint that is lost costs time only.

// Hint tells the listeners of a topic once the transaction has committed.
func Hint(tx Tx, topic string) {
	hints := tx.(txQuerier).hints
	*hints = append(*hints, topic)
}

// Hints gives a channel that gets a value after each commit with a Hint of
// the topic, and one for several when nobody receives in between.
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

func (l *listeners) tell(topics []string) {
	if len(topics) == 0 {
		return
	}
	l.Lock()
	defer l.Unlock()
	for _, topic := range topics {
		for _, listener := range l.of[topic] {
			select {
			case listener <- struct{}{}:
			default: // it has not heard the last one yet
			}
		}
	}
}
