package event

import (
	"math/rand/v2"
	"time"
)

// A starts_key orders events: the start in nanoseconds whose sub-second digits
// are a random tie-breaker from 1 to 999,999,999, so that it is unique and a
// whole second lies below every key of that second. Rendered as a date-time it
// is the cursor of GET /events (contract §0).

// keyOf is the key of a start with a tie-breaker; the unique index decides
// whether it stands.
func keyOf(start time.Time, tie int64) int64 { return start.Unix()*int64(time.Second) + tie }

// newTie draws a tie-breaker.
func newTie() int64 { return 1 + rand.Int64N(int64(time.Second)-1) }

// tieOf is the tie-breaker of a key, 0 of none.
func tieOf(key int64) int64 { return key % int64(time.Second) }

// keyTime renders a key as the cursor's date-time.
func keyTime(key int64) time.Time { return time.Unix(0, key).UTC() }

// keysFrom is the exclusive lower bound of the keys of starts from t on.
// Starts are whole seconds: the first one counts that is not before t.
func keysFrom(t time.Time) int64 {
	return t.Add(time.Second-time.Nanosecond).Unix()*int64(time.Second) - 1
}

// keysAfter is the exclusive lower bound for a cursor: a key, or a client's
// plain date-time, which means from that second on.
func keysAfter(cursor time.Time) int64 {
	if cursor.Nanosecond() == 0 {
		return keysFrom(cursor)
	}
	return cursor.UnixNano()
}

// keysUpTo is the inclusive upper bound of the keys of starts up to t.
func keysUpTo(t time.Time) int64 { return (t.Unix()+1)*int64(time.Second) - 1 }
