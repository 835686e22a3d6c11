package event

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"moothall/internal/platform/text"
)

// mostTerms caps the terms of one event: title, city and category come first,
// so a long description is cut, never the name of the event.
const mostTerms = 60

// termEnd closes a term that is only ever asked for as a whole: no folded text
// holds it, so no prefix of a word reaches beyond it.
const termEnd = "\n"

func wordTerm(folded string) string  { return "word " + folded }
func cityTerm(city string) string    { return "city " + text.Fold(city) + termEnd }
func categoryTerm(cat string) string { return "category " + text.Fold(cat) + termEnd }

// termID is the term's key in the posting lists: 63 bits of a hash, so that
// writing a posting needs no look-up. Two of a million terms share one with a
// chance of 1 in 18 million.
func termID(term string) int64 {
	sum := sha256.Sum256([]byte(term))
	return int64(binary.BigEndian.Uint64(sum[:8]) >> 1)
}

// termsOf gives the terms by which the event is found, each once.
func termsOf(f Fields) []string {
	var terms []string
	if f.Category != nil {
		terms = append(terms, categoryTerm(*f.Category))
	}
	if f.City != nil {
		terms = append(terms, cityTerm(*f.City))
	}
	for _, part := range []*string{&f.Title, f.City, f.Category, f.LocationText, f.Description} {
		if part == nil {
			continue
		}
		for _, word := range text.Words(*part) {
			if len(terms) == mostTerms {
				return terms
			}
			if term := wordTerm(word); !slices.Contains(terms, term) {
				terms = append(terms, term)
			}
		}
	}
	return terms
}
