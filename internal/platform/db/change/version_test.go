package change

import (
	"sync"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/observe"
)

const (
	animal  Kind = "animal"
	mineral Kind = "mineral"
)

func newID() [16]byte { return domain.NewID[domain.EventKind](time.Unix(1, 0)) }

// trusted returns versions that are trusted for the time of a test.
func trusted() *Versions {
	v := NewVersions()
	v.Trust(observe.Uptime() + time.Hour)
	return v
}

// TestChangedWhileACommitRuns checks a value that is read before or during a commit.
func TestChangedWhileACommitRuns(t *testing.T) {
	v := trusted()
	entity := animal.Of(newID())
	of := DependOn(entity)
	c := v.NewChanges()
	c.Add(entity)
	before := v.Now()
	if !v.Unchanged(before, of) {
		t.Error("changed before the commit")
	}
	c.Announce()
	during := v.Now()
	c.Announce() // the second attempt of the transaction
	if v.Unchanged(before, of) || v.Unchanged(during, of) {
		t.Error("unchanged during a commit")
	}
	c.End()
	if v.Unchanged(before, of) || v.Unchanged(during, of) {
		t.Error("a value that was read before the end of a commit is unchanged after it")
	}
	if !v.Unchanged(v.Now(), of) || v.IsCommitting() {
		t.Error("changed after the commit")
	}
}

// TestNewVersionShowsItsChanges reads versions while they advance: who reads a version
// must find the counters of its change. Otherwise a page could be computed at that
// version from entities that are older.
func TestNewVersionShowsItsChanges(t *testing.T) {
	v := NewVersions()
	var reading sync.WaitGroup
	for range 2 {
		reading.Go(func() {
			for {
				now := v.now.Load()
				if changed := v.counters[7].changed.Load(); now > 1 && changed < now {
					t.Errorf("version %d is visible before its change: the latest is %d", now, changed)
					return
				}
				if now > 200_000 {
					return
				}
			}
		})
	}
	for v.now.Load() <= 200_000 {
		v.Advance(5, 6, 7)
	}
	reading.Wait()
}

// BenchmarkUnchanged checks the 21 cards of a list page, each with two entities.
func BenchmarkUnchanged(b *testing.B) {
	v := trusted()
	cards := make([]Dependencies, 21)
	for i := range cards {
		id := newID()
		cards[i] = DependOn(animal.Of(id), mineral.Of(id))
	}
	since := v.Now()
	for b.Loop() {
		for _, of := range cards {
			if !v.Unchanged(since, of) {
				b.Fatal("changed")
			}
		}
	}
}

// BenchmarkChanged announces and ends the change of one entity.
func BenchmarkChanged(b *testing.B) {
	v, id := NewVersions(), newID()
	for b.Loop() {
		c := v.NewChanges()
		c.Add(animal.Of(id))
		c.Announce()
		c.End()
	}
}
