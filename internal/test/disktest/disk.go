// Package disktest is a layer between SQLite and its files, for tests: it records what
// SQLite writes and flushes, so that any power cut can be replayed, and it can refuse writes.
// OnSmall gives tests a disk that they can fill.
package disktest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Disk is a folder whose SQLite files are recorded.
type Disk struct {
	// ReadOnly refuses all writes, as a file system does that was mounted again read-only.
	ReadOnly atomic.Bool
	// FailFlush lets every flush fail. What was written may survive nevertheless.
	FailFlush atomic.Bool
	// OnFlush is called before each flush, which waits for it.
	OnFlush atomic.Pointer[func()]
	// Weak replaces the value of PRAGMA synchronous by NORMAL.
	Weak atomic.Bool

	dir   string
	first *contents // at the beginning

	mu         sync.Mutex
	inodes     map[string]int // by name
	count      int            // of inodes
	operations []operation
}

// operation is a change of a file or of the folder.
type operation struct {
	kind   kind
	inode  int
	name   string // of a created or removed file
	offset int64  // of what is written; the new size of a truncated file
	data   []byte // that is written
	folder bool   // the removal of a file also flushes the folder
}

type kind int

const (
	created kind = iota
	removed
	written
	truncated
	flushed
)

// disks are all disks by folder.
var disks sync.Map

// New records the SQLite files in a folder until the test ends. Files that are there count as
// flushed. Call it before a connection is opened. Flushes are recorded, but not done.
func New(t *testing.T, dir string) *Disk {
	t.Helper()
	install()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	d := &Disk{dir: dir, first: &contents{files: map[int]*file{}, names: map[string]int{}}, inodes: map[string]int{}}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if err := d.adopt(entry.Name()); err != nil {
			t.Fatal(err)
		}
	}
	disks.Store(dir, d)
	t.Cleanup(func() { disks.Delete(dir) })
	return d
}

// diskOf returns the disk of a path, nil if it has none. The index of a log is not recorded:
// SQLite builds it again.
func diskOf(path string) *Disk {
	found, ok := disks.Load(filepath.Dir(path))
	if !ok || strings.HasSuffix(path, "-shm") {
		return nil
	}
	return found.(*Disk)
}

// adopt adds a file that exists and counts as flushed.
func (d *Disk) adopt(name string) error {
	content, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil {
		return err
	}
	inode := d.newInode(name)
	d.first.files[inode] = &file{flushed: content}
	d.first.names[name] = inode
	return nil
}

func (d *Disk) newInode(name string) int {
	d.count++
	d.inodes[name] = d.count
	return d.count
}

// Now returns the number of operations so far: a moment to which Replay can go.
func (d *Disk) Now() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.operations)
}

func (d *Disk) record(o operation) {
	o.data = bytes.Clone(o.data)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.operations = append(d.operations, o)
}

// opened returns the inode of a file that SQLite has opened. The file is new if it did not exist before.
func (d *Disk) opened(name string, existed bool) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if inode, known := d.inodes[name]; known && existed {
		return inode, nil
	}
	if existed {
		err := d.adopt(name)
		return d.inodes[name], err
	}
	inode := d.newInode(name)
	d.operations = append(d.operations, operation{kind: created, inode: inode, name: name})
	return inode, nil
}
