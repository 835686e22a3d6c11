package chat

import (
	"errors"
	"strconv"
	"time"
)

// Position is where a message stands in its chat: its created_at in microseconds since 1970.
// Positions rise in the order in which messages become visible. In JSON a position is a
// string of decimal digits. The zero Position is before every message.
type Position int64

// PositionOf returns the position of a message that was created at a time.
func PositionOf(createdAt time.Time) Position { return Position(createdAt.UnixMicro()) }

// Time returns the created_at of the message at the position.
func (p Position) Time() time.Time { return time.UnixMicro(int64(p)).UTC() }

// String returns the decimal digits.
func (p Position) String() string { return strconv.FormatInt(int64(p), 10) }

// MarshalText returns the decimal digits.
func (p Position) MarshalText() ([]byte, error) { return strconv.AppendInt(nil, int64(p), 10), nil }

var errPosition = errors.New("not a position")

// UnmarshalText parses decimal digits without a sign or leading zeros.
func (p *Position) UnmarshalText(text []byte) error {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || n < 0 || Position(n).String() != string(text) {
		return errPosition
	}
	*p = Position(n)
	return nil
}
