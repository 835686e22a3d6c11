package app

import (
	"errors"
	"math"
)

var errTooPredictable = errors.New("is too easy to guess: use random characters (openssl rand -base64 32)")

// isRandom estimates whether a secret has at least some bits of entropy. It ignores characters that continue a sequence, such
// as 4 after 23, or a repetition, and multiplies the number of the others with their entropy.
func isRandom(secret string, bits float64) bool {
	counts, n := map[byte]float64{}, 0.0
	seen := map[string]bool{}
	for i := range len(secret) {
		if i >= 2 {
			inSequence := secret[i]-secret[i-1] == secret[i-1]-secret[i-2]
			triple := secret[i-2 : i+1]
			if inSequence || seen[triple] {
				continue
			}
			seen[triple] = true
		}
		counts[secret[i]]++
		n++
	}
	entropy := 0.0
	for _, count := range counts {
		entropy -= count * math.Log2(count/n)
	}
	return entropy >= bits
}
