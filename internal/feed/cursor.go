package feed

import (
	"encoding/base64"
	"encoding/binary"
	"slices"
	"time"

	"moothall/internal/domain"
)

// mostRanked is how many events a feed ranks; the others follow in the order
// of their start. It is what a cursor of 512 bytes can name.
const mostRanked = 60

// place is where a page begins. Naming the ranked events that were shown makes
// every event stand once, whatever becomes of its rank between two pages.
type place struct {
	moment time.Time // of the first page: what came later is left out
	shown  []uint32  // the ranked events shown so far, by their marks
	rest   position
}

// position is a place in the order of start, from what is to come to what has
// begun.
type position struct {
	begun bool
	after int64 // the starts_key passed last; 0 at the beginning
}

// mark stands for an event in a cursor: the sub-second digits of its key, which
// are random and stay when its start changes. Of a million events one is taken
// for one of 60 others with a chance of 1 in 17.
func mark(key int64) uint32 { return uint32(key % second) }

const second = int64(time.Second) // of a key

func (p place) has(key int64) bool { return slices.Contains(p.shown, mark(key)) }

// marks gives the marks of the events that were shown.
func (p place) marks() []int64 {
	marks := make([]int64, len(p.shown))
	for i, m := range p.shown {
		marks[i] = int64(m)
	}
	return marks
}

// left gives the keys of the candidates that were not shown, in their order.
func (p place) left(ranked []candidate) (keys []int64) {
	for _, c := range ranked {
		if !p.has(c.key) {
			keys = append(keys, c.key)
		}
	}
	return keys
}

const cursorName = "feed.2"

// next is the cursor of the page that begins here.
func (p place) next() *string {
	var encoded []byte
	for _, m := range p.shown {
		encoded = binary.BigEndian.AppendUint32(encoded, m)
	}
	cursor := domain.Cursor(cursorName, p.moment.UnixMicro(), base64.RawURLEncoding.EncodeToString(encoded), p.rest.after, p.rest.begun)
	return &cursor
}

// readPlace reads a cursor, or begins at the moment now when there is none.
func readPlace(cursor string, now time.Time) (place, error) {
	p := place{moment: now}
	if cursor == "" {
		return p, nil
	}
	var moment int64
	var encoded string
	if err := domain.ReadCursor(cursor, cursorName, &moment, &encoded, &p.rest.after, &p.rest.begun); err != nil {
		return p, err
	}
	marks, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	if err != nil || len(marks)%4 != 0 || len(marks) > 4*mostRanked || moment < 0 || p.rest.after < 0 {
		return p, domain.InvalidCursor
	}
	if then := time.UnixMicro(moment).UTC(); then.Before(now) { // another instance's clock may be ahead
		p.moment = then
	}
	for m := range slices.Chunk(marks, 4) {
		p.shown = append(p.shown, binary.BigEndian.Uint32(m))
	}
	return p, nil
}
