package feed

import (
	"encoding/base64"
	"encoding/binary"
	"slices"
	"time"

	"moothall/internal/domain"
)

// maxRanked limits the events that a feed ranks; the others follow in the order of
// their start. So many tie-breakers fit into a cursor of 512 bytes.
const maxRanked = 60

// cursor is where a page begins. It lists the ranked events that were shown, so
// that every event is shown once even if its rank changes between two pages.
type cursor struct {
	moment time.Time // of the first page: the feed leaves out later changes
	shown  []uint32  // tie-breakers of the ranked events shown so far
	filler fillerPosition
}

// fillerPosition is a position in the filler. Events that have not begun come first, then
// events that have begun.
type fillerPosition struct {
	begun bool
	after int64 // the last starts_key; 0 at the beginning
}

// tieOf returns the sub-second digits of an event's key, which are random and do not
// change with its start. Of a million events, one has the same digits as one of 60
// shown events with a probability of 1 in 17.
func tieOf(key int64) uint32 { return uint32(key % second) }

const second = int64(time.Second) // of a key

func (c cursor) hasShown(key int64) bool { return slices.Contains(c.shown, tieOf(key)) }

// notShown returns the keys of events that were not shown, in their order.
func (c cursor) notShown(keys []int64) (others []int64) {
	for _, key := range keys {
		if !c.hasShown(key) {
			others = append(others, key)
		}
	}
	return others
}

const cursorName = "feed.2"

// encode returns the cursor as clients see it.
func (c cursor) encode() *string {
	var ties []byte
	for _, tie := range c.shown {
		ties = binary.BigEndian.AppendUint32(ties, tie)
	}
	encoded := domain.Cursor(cursorName, c.moment.UnixMicro(), base64.RawURLEncoding.EncodeToString(ties), c.filler.after, c.filler.begun)
	return &encoded
}

// parseCursor parses a client's cursor. An empty cursor begins a feed at now. Returns
// domain.InvalidCursor if it is not a cursor of a feed.
func parseCursor(encoded string, now time.Time) (cursor, error) {
	c := cursor{moment: now}
	if encoded == "" {
		return c, nil
	}
	var moment int64
	var encodedTies string
	if err := domain.ReadCursor(encoded, cursorName, &moment, &encodedTies, &c.filler.after, &c.filler.begun); err != nil {
		return c, err
	}
	ties, err := base64.RawURLEncoding.Strict().DecodeString(encodedTies)
	if err != nil || len(ties)%4 != 0 || len(ties) > 4*maxRanked || moment < 0 || c.filler.after < 0 {
		return c, domain.InvalidCursor
	}
	if then := time.UnixMicro(moment).UTC(); then.Before(now) { // another instance's clock may be ahead
		c.moment = then
	}
	for tie := range slices.Chunk(ties, 4) {
		c.shown = append(c.shown, binary.BigEndian.Uint32(tie))
	}
	return c, nil
}
