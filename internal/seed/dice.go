package seed

import (
	"math"
	"math/rand/v2"
	"time"
)

// dice is the source of chance of one item. It is made from the seed, the kind
// and the number of the item alone, so that an item never depends on how many
// others are made.
type dice struct{ *rand.Rand }

// The kinds of items that have chances of their own.
const (
	ofUser uint64 = iota + 1
	ofUserID
	ofFollows
	ofEvent
	ofAttendance
	ofDemo
	ofPosts
	ofReviews
)

func roll(seed, kind uint64, number int) dice {
	return dice{rand.New(rand.NewPCG(scramble(seed)+kind, scramble(uint64(number))))}
}

// scramble spreads the bits of n over the whole word (SplitMix64).
func scramble(n uint64) uint64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

// chance is true with probability p.
func (d dice) chance(p float64) bool { return d.Float64() < p }

// zipf draws from 0..n-1, the k-th with a frequency of about 1/(k+1).
func (d dice) zipf(n int) int {
	return min(int(math.Exp(d.Float64()*math.Log(float64(n+1))))-1, n-1)
}

// weighted draws from 0..n-1 by weight.
func (d dice) weighted(n int, weight func(int) float64) int {
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

// between draws a moment, to the second.
func (d dice) between(from, to time.Time) time.Time {
	seconds := int64(to.Sub(from) / time.Second)
	if seconds <= 0 {
		return from
	}
	return from.Add(time.Duration(d.Int64N(seconds)) * time.Second)
}

func pick[T any](d dice, from []T) T { return from[d.IntN(len(from))] }

// idEpoch is the moment that the ids of number 0 carry; later numbers carry
// later milliseconds, as ids made in the order of the numbers would.
var idEpoch = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// newID makes the UUIDv7 of an item.
func newID(d dice, number int) [16]byte {
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
