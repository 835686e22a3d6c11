package pmtiles

import (
	"encoding/binary"
	"math"
	"slices"
)

// Entry says where tiles with successive ids are, which have the same content. Without Run it says where a directory of the
// ids from ID on is.
type Entry struct {
	ID     uint64
	Offset uint64 // in the section of tiles or of leaf directories
	Length uint32
	Run    uint32
}

// maxEntries of one directory. Those of usual archives have at most some ten thousand.
const maxEntries = 1 << 21

// ParseDirectory unpacks a directory. Its entries are in the order of their ids and do not overlap.
func (h Header) ParseDirectory(data []byte) ([]Entry, error) {
	if len(data) > maxDirectory {
		return nil, invalid("a directory has more than %d bytes", maxDirectory)
	}
	data, err := unpack(data, h.Internal, maxUnpacked)
	if err != nil {
		return nil, err
	}
	r := numbers{rest: data}
	count := r.next()
	if count == 0 || count > maxEntries || count > uint64(len(data))/4 { // an entry has at least 4 bytes
		return nil, invalid("a directory has %d entries", count)
	}
	entries := make([]Entry, count)
	id := uint64(0)
	for i := range entries {
		step := r.next()
		if i > 0 && step == 0 || step >= firstID(MaxZoom+1)-id {
			return nil, invalid("ids of a directory are out of order")
		}
		id += step
		entries[i].ID = id
	}
	for i := range entries {
		entries[i].Run = r.short()
	}
	for i := range entries {
		entries[i].Length = r.short()
	}
	for i := range entries {
		if offset := r.next(); offset > 0 {
			entries[i].Offset = offset - 1
		} else if i > 0 {
			entries[i].Offset = entries[i-1].Offset + uint64(entries[i-1].Length)
		} else {
			r.wrong = true
		}
	}
	if r.wrong {
		return nil, invalid("a directory is damaged")
	}
	return entries, h.checkEntries(entries)
}

func (h Header) checkEntries(entries []Entry) error {
	for i, e := range entries {
		section := h.Tiles
		limit := uint32(MaxTile)
		if e.Run == 0 {
			section, limit = h.Leaves, maxDirectory
		}
		switch {
		case e.Length == 0, e.Length > limit, e.Offset > section.Length, uint64(e.Length) > section.Length-e.Offset:
			return invalid("an entry of a directory has %d bytes at %d", e.Length, e.Offset)
		case i+1 < len(entries) && e.ID+uint64(e.Run) > entries[i+1].ID, e.ID+uint64(e.Run) > firstID(MaxZoom+1):
			return invalid("entries of a directory overlap")
		}
	}
	return nil
}

// numbers reads numbers of variable length, until one is wrong.
type numbers struct {
	rest  []byte
	wrong bool
}

func (r *numbers) next() uint64 {
	value, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.wrong, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[n:]
	return value
}

func (r *numbers) short() uint32 {
	value := r.next()
	if value > math.MaxUint32 {
		r.wrong = true
	}
	return uint32(value)
}

func encodeDirectory(entries []Entry) []byte {
	data := binary.AppendUvarint(nil, uint64(len(entries)))
	last := uint64(0)
	for _, e := range entries {
		data = binary.AppendUvarint(data, e.ID-last)
		last = e.ID
	}
	for _, e := range entries {
		data = binary.AppendUvarint(data, uint64(e.Run))
	}
	for _, e := range entries {
		data = binary.AppendUvarint(data, uint64(e.Length))
	}
	for i, e := range entries {
		offset := e.Offset + 1
		if i > 0 && e.Offset == entries[i-1].Offset+uint64(entries[i-1].Length) {
			offset = 0 // it follows
		}
		data = binary.AppendUvarint(data, offset)
	}
	return Pack(data)
}

// EncodeDirectories returns the root directory and the leaf directories of entries in the order of their ids: as few leaves as
// let the root fit into the first bytes.
func EncodeDirectories(entries []Entry) (root, leaves []byte) {
	if root = encodeDirectory(entries); len(entries) < 4096 && HeaderBytes+len(root) <= FirstBytes {
		return root, nil
	}
	for size := 4096; ; size *= 2 {
		var top []Entry
		leaves = nil
		for leaf := range slices.Chunk(entries, size) {
			data := encodeDirectory(leaf)
			top = append(top, Entry{ID: leaf[0].ID, Offset: uint64(len(leaves)), Length: uint32(len(data))})
			leaves = append(leaves, data...)
		}
		if root = encodeDirectory(top); HeaderBytes+len(root) <= FirstBytes {
			return root, leaves
		}
	}
}
