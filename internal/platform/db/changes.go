package db

// FollowChanges lets caches trust the versions: it starts to follow the changes of other
// processes, until Close. Without it, Unchanged always returns false.
//
// On SQLite, the write connection regularly asks whether another connection has changed
// the file. If so, every version advances: a value is at most change.TrustTime (0.4 s) old.
// On PostgreSQL, processes send each other notices: postgres/notices.go has the protocol, and
// the proof that a value is at most one second old.
func (d *DB) FollowChanges() { d.store.Follow(d.versions, d.subscribers) }

// Version returns the current version: the one to remember before a value is read.
func (d *DB) Version() Version { return d.versions.Now() }

// Unchanged reports whether a value that was read at a version is still right: no
// entity has changed since, and none may be changed by a running commit. It returns
// false while the changes of other processes are unknown.
func (d *DB) Unchanged(since Version, of Dependencies) bool { return d.versions.Unchanged(since, of) }

// Trusted reports whether the process knows the changes of other processes. If it does not,
// Unchanged returns false for everything.
func (d *DB) Trusted() bool { return d.versions.Trusted() }

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
	d.subscribers.Wake(local)
	if len(shared) > 0 {
		d.subscribers.Receive(shared)
		d.store.Publish(shared)
	}
}

// Subscribe returns a channel that receives a value after a topic was published. If it was
// published several times before the value is received, there is one value.
func (d *DB) Subscribe(t Topic) <-chan struct{} { return d.subscribers.Subscribe(t) }

// SubscribeShared sets a function that receives the names of all shared topics. It must return at
// once. Topics of other processes only arrive after FollowChanges.
func (d *DB) SubscribeShared(fn func(names []string)) { d.subscribers.SubscribeShared(fn) }
