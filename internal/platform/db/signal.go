package db

import "sync/atomic"

// Signals say that a topic has news, to every process. A lost signal only costs time: the
// listener also looks for news by itself.

// AnyTopic stands for every topic: some signals were too many to be sent.
const AnyTopic = "*"

// Signal tells the listener of this process, right after the commit, that a topic has news.
// Other processes on PostgreSQL learn it some milliseconds later. A topic has no spaces.
func Signal(tx Tx, topic string) {
	signals := tx.(txQuerier).signals
	*signals = append(*signals, topic)
}

// Signal is the function Signal for news that are not in the database.
func (d *DB) Signal(topic string) { d.signal([]string{topic}) }

// OnSignal sets the listener, which must return at once. See also Watch, without which no
// signals of other processes arrive.
func (d *DB) OnSignal(fn func(topics []string)) { d.signals.fn.Store(&fn) }

func (d *DB) signal(topics []string) {
	if len(topics) == 0 {
		return
	}
	d.signals.receive(topics)
	d.store.signal(topics)
}

// signals is the listener of a process.
type signals struct {
	fn atomic.Pointer[func([]string)]
}

func (s *signals) receive(topics []string) {
	if fn := s.fn.Load(); fn != nil && len(topics) > 0 {
		(*fn)(topics)
	}
}
