package media

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"

	"moothall/internal/domain"
)

// decoders limit the pictures that are decoded at the same time: their memory, and one of each user.
type decoders struct {
	memory *semaphore.Weighted // bytes

	mu    sync.Mutex
	users map[domain.UserID]*turn
}

// turn is held by the upload of a user that may decode.
type turn struct {
	taken   *semaphore.Weighted
	uploads int // that hold it or wait for it
}

func newDecoders() *decoders {
	return &decoders{memory: semaphore.NewWeighted(maxMemory), users: map[domain.UserID]*turn{}}
}

// acquire waits until a picture of a user may be decoded in some bytes of memory.
func (d *decoders) acquire(ctx context.Context, owner domain.UserID, memory int64) (release func(), err error) {
	t := d.join(owner)
	if err := t.taken.Acquire(ctx, 1); err != nil {
		d.leave(owner)
		return nil, err
	}
	giveTurn := func() {
		t.taken.Release(1)
		d.leave(owner)
	}
	if err := d.memory.Acquire(ctx, memory); err != nil {
		giveTurn()
		return nil, err
	}
	return func() {
		d.memory.Release(memory)
		giveTurn()
	}, nil
}

func (d *decoders) join(owner domain.UserID) *turn {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.users[owner]
	if t == nil {
		t = &turn{taken: semaphore.NewWeighted(1)}
		d.users[owner] = t
	}
	t.uploads++
	return t
}

func (d *decoders) leave(owner domain.UserID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if t := d.users[owner]; t.uploads == 1 {
		delete(d.users, owner)
	} else {
		t.uploads--
	}
}
