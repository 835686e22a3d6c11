package feed

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"time"

	"moothall/internal/meet"
)

// compare orders by what rank promises; the key is unique.
func (a ranked) compare(b ranked) int {
	return cmp.Or(-cmp.Compare(min(len(a.reasons), 1), min(len(b.reasons), 1)), cmp.Compare(a.at, b.at), cmp.Compare(a.key, b.key))
}

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

// mark stands for an event in a cursor. The end of an id is random: of a
// million events one is taken for one of 60 others with a chance of 1 in 70.
func mark(id meet.EventID) uint32 { return binary.BigEndian.Uint32(id[len(id)-4:]) }

func (p place) has(id meet.EventID) bool { return slices.Contains(p.shown, mark(id)) }

const cursorName = "feed.1"

// next is the cursor of the page that begins here.
func (p place) next() *string {
	var marks []byte
	for _, m := range p.shown {
		marks = binary.BigEndian.AppendUint32(marks, m)
	}
	cursor := meet.Cursor(cursorName, p.moment.UnixMicro(), base64.RawURLEncoding.EncodeToString(marks), p.rest.after, p.rest.begun)
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
	if err := meet.ReadCursor(cursor, cursorName, &moment, &encoded, &p.rest.after, &p.rest.begun); err != nil {
		return p, err
	}
	marks, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	if err != nil || len(marks)%4 != 0 || len(marks) > 4*mostRanked || moment < 0 || p.rest.after < 0 {
		return p, meet.InvalidCursor
	}
	if then := time.UnixMicro(moment).UTC(); then.Before(now) { // another instance's clock may be ahead
		p.moment = then
	}
	for m := range slices.Chunk(marks, 4) {
		p.shown = append(p.shown, binary.BigEndian.Uint32(m))
	}
	return p, nil
}
