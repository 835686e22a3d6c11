package dataset

import (
	"math"
	"math/rand/v2"
	"time"
)

// random is the random source of one item. It depends only on the seed and on the kind
// and number of the item, so the number of other items does not change it.
type random struct{ *rand.Rand }

// The kinds of items that have random sources of their own.
const (
	forUser uint64 = iota + 1
	forUserID
	forFollows
	forEvent
	forAttendance
	forPosts
	forReviews
)

func newRandom(seed, kind uint64, number int) random {
	return random{rand.New(rand.NewPCG(mix(seed)+kind, mix(uint64(number))))}
}

// mix returns 64 well-mixed bits for n (SplitMix64).
func mix(n uint64) uint64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

// chance returns true with probability p.
func (d random) chance(p float64) bool { return d.Float64() < p }

// zipf returns a number in 0..n-1; k has a frequency of about 1/(k+1).
func (d random) zipf(n int) int {
	return min(int(math.Exp(d.Float64()*math.Log(float64(n+1))))-1, n-1)
}

// weighted returns a number in 0..n-1 with a probability by weight.
func (d random) weighted(n int, weight func(int) float64) int {
	total := 0.0
	for i := range n {
		total += weight(i)
	}
	rest := d.Float64() * total
	last := 0
	for i := range n {
		if w := weight(i); w > 0 {
			last = i
			if rest -= w; rest < 0 {
				break
			}
		}
	}
	return last
}

// between returns a time in [from, to), in whole seconds after from.
func (d random) between(from, to time.Time) time.Time {
	seconds := int64(to.Sub(from) / time.Second)
	if seconds <= 0 {
		return from
	}
	return from.Add(time.Duration(d.Int64N(seconds)) * time.Second)
}

func pick[T any](d random, from []T) T { return from[d.IntN(len(from))] }

// idEpoch is the timestamp in the id of item 0. Each further item is one
// millisecond later.
var idEpoch = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// newID returns the UUIDv7 of an item.
func newID(d random, number int) [16]byte {
	var id [16]byte
	ms := uint64(idEpoch.UnixMilli()) + uint64(number)
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	high, low := d.Uint64(), d.Uint64()
	for i := range 8 {
		id[i+8] = byte(low >> (8 * i))
	}
	id[6], id[7] = 0x70|byte(high)&0x0f, byte(high>>8)
	id[8] = id[8]&0x3f | 0x80
	return id
}
