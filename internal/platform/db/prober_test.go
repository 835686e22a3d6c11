package db

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/observe"
)

// probedStore counts the probes that may write, and returns fixed results.
type probedStore struct {
	driver.Health
	writes int
	busy   bool
	err    error
}

func (s *probedStore) Probe(_ context.Context, write bool) (wrote bool, err error) {
	if !write || s.busy {
		return false, nil
	}
	s.writes++
	return true, s.err
}

// TestProbesWriteRarely runs probes one after the other: a probe writes only if the latest write is writeInterval ago, or if
// the store was busy. The result of the latest write counts until the next.
func TestProbesWriteRarely(t *testing.T) {
	refused := errors.New("the disk is full")
	s, p := &probedStore{err: refused, busy: true}, &prober{}
	probes := func(n, writes int, want error) {
		t.Helper()
		for range n {
			if err := p.probe(t.Context(), s); !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
		}
		if s.writes != writes {
			t.Errorf("%d writes, want %d", s.writes, writes)
		}
	}
	probes(3, 0, nil)
	s.busy = false
	probes(10, 1, refused)
	p.wrote -= writeInterval
	s.err = nil
	probes(10, 2, nil)
	p.wrote -= writeInterval
	probes(2, 3, nil)
}

// silentStore answers no probe until the probe gives up.
type silentStore struct{ driver.Health }

func (silentStore) Probe(ctx context.Context, _ bool) (wrote bool, err error) {
	<-ctx.Done()
	return false, ctx.Err()
}

// TestCommitsProveHealth asks two stores that answer no probe in time. One of them commits transactions meanwhile: it is busy.
func TestCommitsProveHealth(t *testing.T) {
	for name, row := range map[string]struct {
		commits bool
		want    error
	}{
		"silent": {false, context.DeadlineExceeded},
		"busy":   {true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &prober{}
			if row.commits {
				defer time.AfterFunc(answerTimeout/2, p.noteCommit).Stop()
			}
			if err := p.health(t.Context(), silentStore{}); !errors.Is(err, row.want) {
				t.Errorf("got %v, want %v", err, row.want)
			}
		})
	}
}

// TestChangesNoteCommits commits a transaction without statements, which needs no database, and one that changes something.
func TestChangesNoteCommits(t *testing.T) {
	t.Parallel()
	d, err := Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	began := observe.Uptime()
	commit := func(wantNoted bool, fn func(Tx) error) {
		t.Helper()
		if err := d.InTx(t.Context(), fn); err != nil {
			t.Fatal(err)
		}
		if noted := d.prober.commitsSince(began); noted != wantNoted {
			t.Errorf("the commit was noted: %v, want %v", noted, wantNoted)
		}
	}
	commit(false, func(Tx) error { return nil })
	commit(true, func(tx Tx) error {
		tx.Changed(Everything)
		return nil
	})
}
