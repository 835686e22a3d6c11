package disktest

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// sector is how many bytes a disk writes at once, or not at all.
const sector = 512

// contents is what a disk has flushed, and what it has not.
type contents struct {
	files   map[int]*file  // by inode
	names   map[string]int // inodes by name
	pending []operation    // changes of the folder that are not flushed
}

type file struct {
	flushed []byte
	pending []operation // not flushed
	new     bool        // its first flush also flushes the folder: SQLite does that for logs and journals
}

// Replay repeats the operations of a disk.
type Replay struct {
	disk *Disk
	now  int
	at   contents
}

// Replay returns the disk as it was when its recording began.
func (d *Disk) Replay() *Replay {
	r := &Replay{disk: d, at: contents{files: map[int]*file{}, names: maps.Clone(d.first.names)}}
	for inode, f := range d.first.files {
		r.at.files[inode] = &file{flushed: bytes.Clone(f.flushed)}
	}
	return r
}

// Advance goes on to a later moment.
func (r *Replay) Advance(to int) {
	for _, o := range r.disk.operations[r.now:to] {
		r.at.run(o)
	}
	r.now = to
}

func (c *contents) run(o operation) {
	switch o.kind {
	case created:
		c.files[o.inode] = &file{new: true}
		c.pending = append(c.pending, o)
	case removed:
		c.pending = append(c.pending, o)
		if o.folder {
			c.flushFolder()
		}
	case written, truncated:
		f := c.files[o.inode]
		f.pending = append(f.pending, o)
	case flushed:
		f := c.files[o.inode]
		for _, p := range f.pending {
			f.flushed = p.apply(f.flushed)
		}
		f.pending = nil
		if f.new {
			f.new = false
			c.flushFolder()
		}
	}
}

func (c *contents) flushFolder() {
	for _, o := range c.pending {
		o.rename(c.names)
	}
	c.pending = nil
}

// rename applies a change of the folder.
func (o operation) rename(names map[string]int) {
	if o.kind == created {
		names[o.name] = o.inode
	} else {
		delete(names, o.name)
	}
}

// apply returns the content of a file after a write or truncation.
func (o operation) apply(content []byte) []byte {
	size := int(o.offset)
	if o.kind == written {
		size = max(len(content), int(o.offset)+len(o.data))
	}
	if size > len(content) {
		content = append(content, make([]byte, size-len(content))...)
	}
	copy(content[min(size, int(o.offset)):], o.data)
	return content[:size]
}

// Cut cuts the power now and writes what is on the disk into a folder: all that was flushed,
// and of the rest each sector, truncation and change of the folder with the probability kept. Changes
// of the folder keep their order.
func (r *Replay) Cut(folder string, random *rand.Rand, kept float64) error {
	names := maps.Clone(r.at.names)
	for _, o := range r.at.pending {
		if random.Float64() >= kept {
			break
		}
		o.rename(names)
	}
	for name, inode := range names {
		f := r.at.files[inode]
		content := bytes.Clone(f.flushed)
		for _, o := range f.pending {
			for _, part := range o.sectors() {
				if random.Float64() < kept {
					content = part.apply(content)
				}
			}
		}
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// sectors splits a write into the parts that a power cut can separate.
func (o operation) sectors() []operation {
	if o.kind != written {
		return []operation{o}
	}
	var parts []operation
	for data, offset := o.data, o.offset; len(data) > 0; {
		n := min(len(data), sector-int(offset%sector))
		parts = append(parts, operation{kind: written, offset: offset, data: data[:n]})
		data, offset = data[n:], offset+int64(n)
	}
	return parts
}
