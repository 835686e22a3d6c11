package imageproxy

import (
	"container/list"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// cache keeps images in a directory, up to a number of bytes; what was asked
// for longest ago goes first. A file is the Entry as JSON, filled up with spaces,
// and the image.
type cache struct {
	dir      string
	capacity int64 // bytes

	mu    sync.Mutex
	files map[string]*list.Element // of *kept
	used  *list.List               // latest first
	size  int64                    // bytes
}

type kept struct {
	name string
	size int64
}

const (
	suffix  = ".image"
	partial = ".partial" // being written, or to be removed soon

	abandoned = time.Hour // without a write

	headerSize = 256 // bytes
)

// openCache takes over what an earlier run has left in the directory.
func openCache(dir string, capacity int64, now time.Time) (*cache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("imageproxy: the cache: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("imageproxy: the cache: %w", err)
	}
	c := &cache{dir: dir, capacity: capacity, files: map[string]*list.Element{}, used: list.New()}
	for _, entry := range entries {
		info, err := entry.Info()
		switch {
		case err != nil || !info.Mode().IsRegular():
		case strings.HasSuffix(entry.Name(), partial):
			if now.Sub(info.ModTime()) > abandoned { // else the run before may still write it
				c.remove(entry.Name())
			}
		case strings.HasSuffix(entry.Name(), suffix):
			c.note(entry.Name(), info.Size())
		}
	}
	c.shrink()
	return c, nil
}

// open gives the image kept under the key, unless it is gone or not fresh.
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
		c.forget(name)
		return nil, false
	}
	return p, true
}

// openPicture opens a file of the cache at the beginning of its image.
func openPicture(path string) (*Picture, error) {
	file, err := os.Open(path) //nolint:gosec // a name that the cache has made
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
		return nil, fmt.Errorf("imageproxy: a broken file in the cache: %w", err)
	}
	return p, nil
}

// create makes a file that stands where its image begins.
func (c *cache) create() (*os.File, error) {
	file, err := os.CreateTemp(c.dir, "*"+partial)
	if err == nil {
		_, err = file.Seek(headerSize, io.SeekStart)
	}
	return file, err
}

// label writes the entry before the image.
func label(file *os.File, entry Entry) error {
	line, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(fmt.Appendf(nil, "%-*s", headerSize, line), 0)
	return err
}

// keep takes a labelled file in under a key. The file keeps its own name, too,
// so that whoever was promised it still finds it when the cache is full.
func (c *cache) keep(path, key string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	c.remove(key + suffix)
	if err := os.Link(path, filepath.Join(c.dir, key+suffix)); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	c.note(key+suffix, info.Size())
	c.shrink()
	return nil
}

func (c *cache) note(name string, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.files[name]; old != nil {
		c.size -= old.Value.(*kept).size
		c.used.Remove(old)
	}
	c.files[name] = c.used.PushFront(&kept{name, size})
	c.size += size
}

// shrink removes what was asked for longest ago while there is too much.
func (c *cache) shrink() {
	for {
		c.mu.Lock()
		oldest := c.used.Back()
		full := c.size > c.capacity && oldest != nil
		c.mu.Unlock()
		if !full {
			return
		}
		c.forget(oldest.Value.(*kept).name)
	}
}

func (c *cache) forget(name string) {
	c.mu.Lock()
	if element := c.files[name]; element != nil {
		c.size -= element.Value.(*kept).size
		c.used.Remove(element)
		delete(c.files, name)
	}
	c.mu.Unlock()
	c.remove(name)
}

// remove deletes a file; readers who have it open read on.
func (c *cache) remove(name string) { _ = os.Remove(filepath.Join(c.dir, name)) }
