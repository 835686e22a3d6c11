package event

import "time"

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
