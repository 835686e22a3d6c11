// Package change is how parts of the program, in this and in other processes, learn that something has
// changed. There are two ways, and a transaction uses both:
//
//   - It names the entities that it changes. Their versions advance (Versions), and caches drop what shows them.
//   - It publishes topics. Subscribers wake and read the tables again (Subscribers).
//
// Versions must not miss a change; a topic may be lost.
package change

import (
	"encoding/binary"
	"hash/crc32"
)

// An Entity is a thing that responses show and that changes as a whole: an event, a
// profile. A transaction names the entities that it changes. A cache keeps
// a value as long as the versions of its entities stay the same.
//
// The versions are counters in the memory of each process. Entities share a fixed number
// of counters by hash: entities with the same counter only cause more cache misses.
// The engines keep the counters of several processes together.
type Entity struct {
	kind Kind
	id   [16]byte // zero: all entities of the kind
}

// Everything stands for all entities of all kinds.
var Everything = Entity{}

// Kind is a kind of entities, such as "event".
type Kind string

// Of returns the entity with an id.
func (k Kind) Of(id [16]byte) Entity { return Entity{k, id} }

// All returns all entities of the kind.
func (k Kind) All() Entity { return Entity{kind: k} }

// Dependencies are the entities that a cached value shows.
type Dependencies []Cell

// DependOn returns the dependencies of a value that shows these entities.
func DependOn(entities ...Entity) Dependencies {
	all := make(Dependencies, 0, 1+2*len(entities))
	all = append(all, AllCells)
	for _, e := range entities {
		if e.id == [16]byte{} {
			all = append(all, e.kind.anyCell())
		} else {
			all = append(all, e.cell(), e.kind.allCell())
		}
	}
	return all
}

// Cell is the index of a counter.
type Cell uint16

// AllCells is the counter that advances when any entity may have changed.
const AllCells Cell = 0

// cell returns the counter of one entity. The last bytes of an id are random.
func (e Entity) cell() Cell {
	return nonZero(crc32.ChecksumIEEE([]byte(e.kind)) ^ binary.LittleEndian.Uint32(e.id[12:]))
}

// anyCell is advanced with every change of the kind.
func (k Kind) anyCell() Cell { return nonZero(crc32.ChecksumIEEE([]byte(k + "*"))) }

// allCell is advanced when all entities of the kind may have changed.
func (k Kind) allCell() Cell { return nonZero(crc32.ChecksumIEEE([]byte(k + "="))) }

func nonZero(hash uint32) Cell { return Cell(1 + hash%(1<<16-1)) }

// AppendCells appends the counters that a change of the entity advances.
func (e Entity) AppendCells(cells []Cell) []Cell {
	switch {
	case e == Everything:
		return append(cells, AllCells)
	case e.id == [16]byte{}:
		return append(cells, e.kind.anyCell(), e.kind.allCell())
	}
	return append(cells, e.kind.anyCell(), e.cell())
}
