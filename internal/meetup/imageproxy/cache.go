package imageproxy

import (
	"container/list"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/files"
)

// cache is an LRU cache of images in a directory. A file is the Entry as JSON, padded
// with spaces to headerSize, then the image.
type cache struct {
	dir      string
	incoming *files.TempFolder // of files that are being written, or are no longer needed
	capacity int64             // bytes

	mu    sync.Mutex
	files map[string]*list.Element // of *cachedFile
	used  *list.List               // most recently used first
	size  int64                    // bytes
}

type cachedFile struct {
	name string
	size int64
}

const (
	suffix  = ".image"
	partial = ".partial" // left by an earlier version of the program

	headerSize = 256 // bytes
)

// openCache opens the cache with the files of an earlier run.
func openCache(dir string, capacity int64) (*cache, error) {
	incoming, err := files.OpenTemp(filepath.Join(dir, "incoming")) // on the file system of the cache, for add
	if err != nil {
		return nil, fmt.Errorf("imageproxy: the cache: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("imageproxy: the cache: %w", err), incoming.Close())
	}
	c := &cache{dir: dir, incoming: incoming, capacity: capacity, files: map[string]*list.Element{}, used: list.New()}
	for _, entry := range entries {
		info, err := entry.Info()
		switch {
		case err != nil || !info.Mode().IsRegular():
		case strings.HasSuffix(entry.Name(), partial):
			c.remove(entry.Name())
		case strings.HasSuffix(entry.Name(), suffix):
			c.track(entry.Name(), info.Size())
		}
	}
	c.evict()
	return c, nil
}

// open returns the cached image of a key, unless it has expired.
func (c *cache) open(key string, now time.Time) (*Picture, bool) {
	name := key + suffix
	c.mu.Lock()
	element := c.files[name]
	if element != nil {
		c.used.MoveToFront(element)
	}
	c.mu.Unlock()
	if element == nil {
		return nil, false
	}
	p, err := openPicture(filepath.Join(c.dir, name))
	if err != nil || !now.Before(p.Fresh) {
		if err == nil {
			_ = p.Close() // only read
		}
		c.drop(name)
		return nil, false
	}
	return p, true
}

// openPicture opens a file of the cache at the first byte of its image.
func openPicture(path string) (*Picture, error) {
	file, err := os.Open(path) //nolint:gosec // the cache made the name
	if err != nil {
		return nil, err
	}
	p := &Picture{File: file}
	var head [headerSize]byte
	if _, err = io.ReadFull(file, head[:]); err == nil {
		err = json.Unmarshal(head[:], &p.Entry)
	}
	if err != nil {
		_ = file.Close() // only read
		return nil, fmt.Errorf("imageproxy: invalid file in the cache: %w", err)
	}
	return p, nil
}

// create creates a file, positioned at the first byte of its image.
func (c *cache) create() (*os.File, error) {
	file, err := os.CreateTemp(c.incoming.Path(), "*")
	if err == nil {
		_, err = file.Seek(headerSize, io.SeekStart)
	}
	return file, err
}

// writeEntry writes the entry before the image.
func writeEntry(file *os.File, entry Entry) error {
	line, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(fmt.Appendf(nil, "%-*s", headerSize, line), 0)
	return err
}

// add links a complete file under a key. The file also retains its own name, so that
// waiting requests can open it even when the cache evicts the key immediately.
func (c *cache) add(path, key string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	c.remove(key + suffix)
	if err := os.Link(path, filepath.Join(c.dir, key+suffix)); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	c.track(key+suffix, info.Size())
	c.evict()
	return nil
}

func (c *cache) track(name string, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.files[name]; old != nil {
		c.size -= old.Value.(*cachedFile).size
		c.used.Remove(old)
	}
	c.files[name] = c.used.PushFront(&cachedFile{name, size})
	c.size += size
}

// evict removes the least recently used files until the cache is within its capacity.
func (c *cache) evict() {
	for {
		c.mu.Lock()
		oldest := c.used.Back()
		full := c.size > c.capacity && oldest != nil
		c.mu.Unlock()
		if !full {
			return
		}
		c.drop(oldest.Value.(*cachedFile).name)
	}
}

func (c *cache) drop(name string) {
	c.mu.Lock()
	if element := c.files[name]; element != nil {
		c.size -= element.Value.(*cachedFile).size
		c.used.Remove(element)
		delete(c.files, name)
	}
	c.mu.Unlock()
	c.remove(name)
}

// remove deletes a file; open readers are not affected.
func (c *cache) remove(name string) { _ = os.Remove(filepath.Join(c.dir, name)) }

// flights coalesce concurrent requests for the same image into one fetch. The fetch is
// canceled when no request waits for it.
type flights struct {
	mu      sync.Mutex
	byKey   map[string]*flight
	waiting int
	by      shares
}

// flight is one fetch and the number of requests that wait for it.
type flight struct {
	waiters int
	cancel  context.CancelFunc
	done    chan struct{} // closed when path and err are set
	path    string        // of a file that the last waiter removes
	err     error
}

// open waits for the fetch of a key and opens its file.
func (f *flights) open(ctx context.Context, key string, who source,
	fetch func(context.Context) (path string, err error)) (*Picture, error) {
	one, err := f.join(ctx, key, who, fetch)
	if err != nil {
		return nil, err
	}
	defer f.leave(key, who, one)
	select {
	case <-ctx.Done():
		return nil, waitError(ctx)
	case <-one.done:
	}
	if one.err != nil {
		return nil, one.err
	}
	return openPicture(one.path)
}

func (f *flights) join(ctx context.Context, key string, who source, fetch func(context.Context) (path string, err error)) (*flight, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byKey == nil {
		f.byKey, f.by = map[string]*flight{}, shares{}
	}
	if f.waiting >= maxWaiting || !f.by.take(who, 1, maxWaiting/2) {
		return nil, domain.ServiceUnavailable
	}
	f.waiting++
	one := f.byKey[key]
	if one == nil {
		own, cancel := context.WithTimeout(context.WithoutCancel(ctx), deadline)
		one = &flight{cancel: cancel, done: make(chan struct{})}
		f.byKey[key] = one
		go one.run(own, fetch)
	}
	one.waiters++
	return one, nil
}

// run runs fetch. It recovers from panics of decoders on hostile images.
func (one *flight) run(ctx context.Context, fetch func(context.Context) (path string, err error)) {
	defer close(one.done)
	defer func() {
		if p := recover(); p != nil {
			one.err = fmt.Errorf("imageproxy: panic: %v\n%s", p, debug.Stack())
		}
	}()
	one.path, one.err = fetch(ctx)
}

// leave removes a waiter. The last waiter ends the flight; a later request begins
// another one.
func (f *flights) leave(key string, who source, one *flight) {
	f.mu.Lock()
	f.waiting--
	f.by.give(who, 1)
	one.waiters--
	last := one.waiters == 0
	if last {
		delete(f.byKey, key)
	}
	f.mu.Unlock()
	if !last {
		return
	}
	one.cancel()
	go func() {
		<-one.done
		if one.err == nil {
			_ = os.Remove(one.path) // the cache has its own link
		}
	}()
}

// waitError returns the error of a wait that ended before the fetch: the other host took
// too long, or the client is gone.
func waitError(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return upstream(ctx.Err())
	}
	return ctx.Err()
}
