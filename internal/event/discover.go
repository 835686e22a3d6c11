package event

import (
	"fmt"
	"time"
)

// What other rooms need to find events in the posting lists their own way.

// CityTerm names the posting list of a city in event_terms, whatever its case
// or accents.
func CityTerm(city string) int64 { return termID(cityTerm(city)) }

// CategoryTerm names the posting list of a category in event_terms, whatever
// its case or accents.
func CategoryTerm(category string) int64 { return termID(categoryTerm(category)) }

// OldestKey is below the starts_key of every event that has not ended at the
// moment now.
func OldestKey(now time.Time) int64 { return keysFrom(now.Add(-longest)) }

// Around is a circle as Within compares it: its centre on the unit sphere, and
// the square of the chord that is as far away as the radius.
type Around struct{ X, Y, Z, Chord2 float64 }

// Around gives what Within needs of the circle.
func (c Circle) Around() Around {
	p := point(c.Lat, c.Lng)
	return Around{p.X, p.Y, p.Z, c.chord2()}
}

// Within is the condition that the event_cells row c lies in the circle of whose
// Around the parameters are.
func Within(c, x, y, z, chord2 string) string {
	return fmt.Sprintf(`(%[1]s.x-%[2]s)*(%[1]s.x-%[2]s) + (%[1]s.y-%[3]s)*(%[1]s.y-%[3]s) + (%[1]s.z-%[4]s)*(%[1]s.z-%[4]s) <= %[5]s`, c, x, y, z, chord2)
}
