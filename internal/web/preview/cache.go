package preview

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// maxCached is the number of pictures in memory, some 40 KB each.
const maxCached = 64

// Cache draws pictures one at a time, so that they leave processors to other requests, and
// remembers the last ones.
type Cache struct {
	drawing *semaphore.Weighted
	mu      sync.Mutex
	files   map[Content][]byte
}

// NewCache returns an empty cache.
func NewCache() *Cache {
	return &Cache{drawing: semaphore.NewWeighted(1), files: map[Content][]byte{}}
}

// Get returns a picture as a PNG. It fails if ctx ends before the drawing starts.
func (c *Cache) Get(ctx context.Context, of Content) ([]byte, error) {
	if file := c.cached(of); file != nil {
		return file, nil
	}
	if err := c.drawing.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer c.drawing.Release(1)
	if file := c.cached(of); file != nil { // drawn by another request
		return file, nil
	}
	file, err := Draw(of)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.files) >= maxCached {
		clear(c.files)
	}
	c.files[of] = file
	return file, nil
}

func (c *Cache) cached(of Content) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.files[of]
}
