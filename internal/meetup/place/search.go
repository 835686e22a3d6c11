package place

import (
	"cmp"
	"slices"
	"strings"
)

// entry is a normalized name from one of its words on.
type entry struct {
	name string
	city int32
	rest bool // not from the first word
}

// appendEntries adds an entry for each word of a normalized name.
func appendEntries(index []entry, name string, city int32) []entry {
	for rest := false; ; rest = true {
		index = append(index, entry{name, city, rest})
		_, after, more := strings.Cut(name, " ")
		if !more {
			return index
		}
		name = after
	}
}

func sortEntries(index []entry) {
	slices.SortFunc(index, func(a, b entry) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.city, b.city)) })
}

// Point is a point near which places are preferred, in degrees.
type Point struct{ Lat, Lng float64 }

// Weights of the order. A place counts by its inhabitants, as if it had ten times fewer if only a later word of its name
// matches, and fewer the farther it is from the point: half as many at nearKm.
const (
	laterWord = 0.1
	nearKm    = 100
)

// InCountry returns the places of a country, by its code in upper case, the largest first.
func InCountry(code string) (found []City) {
	for _, c := range loaded().cities {
		if c.Country == code {
			found = append(found, c)
		}
	}
	return found
}

// Search returns at most limit places one of whose names begins with the words, or has a later word that does. Case and
// accents do not count. "Berlin, US" finds only places in that country. Larger places come first, and those near the
// point, if there is one.
func Search(words string, near *Point, limit int) []City {
	words, country := splitCountry(words)
	prefix := normalize(words)
	if prefix == "" {
		return nil
	}
	w := loaded()
	best := ranking{limit: limit}
	first, _ := slices.BinarySearchFunc(w.index, prefix, func(e entry, prefix string) int { return strings.Compare(e.name, prefix) })
	for _, e := range w.index[first:] {
		if !strings.HasPrefix(e.name, prefix) {
			break
		}
		c := &w.cities[e.city]
		if country != "" && c.Country != country {
			continue
		}
		best.add(match{e.city, c.weight(e.rest, near)})
	}
	found := make([]City, len(best.matches))
	for i, m := range best.matches {
		found[i] = w.cities[m.city]
	}
	return found
}

// weight returns how much the place counts in the order.
func (c *City) weight(rest bool, near *Point) float64 {
	weight := c.population
	if rest {
		weight *= laterWord
	}
	if near != nil {
		away := kilometres(near.Lat, near.Lng, c.Lat, c.Lng) / nearKm
		weight /= 1 + away*away
	}
	return weight
}

// match is a place with its weight.
type match struct {
	city   int32
	weight float64
}

// compare orders heavier places first; of equal ones, those that come first in the table.
func (m match) compare(other match) int {
	return cmp.Or(cmp.Compare(other.weight, m.weight), cmp.Compare(m.city, other.city))
}

// ranking has the matches of the largest weights in their order, each place once.
type ranking struct {
	matches []match
	limit   int
}

func (r *ranking) add(m match) {
	if full := len(r.matches) == r.limit; full && m.compare(r.matches[r.limit-1]) >= 0 {
		return
	}
	if i := slices.IndexFunc(r.matches, func(other match) bool { return other.city == m.city }); i >= 0 {
		if r.matches[i].weight >= m.weight {
			return
		}
		r.matches = slices.Delete(r.matches, i, i+1)
	}
	i, _ := slices.BinarySearchFunc(r.matches, m, match.compare)
	r.matches = slices.Insert(r.matches, i, m)
	r.matches = r.matches[:min(r.limit, len(r.matches))]
}

// splitCountry splits "Berlin, DE" into the name and the country. There may be no country.
func splitCountry(words string) (name, country string) {
	name, after, ok := strings.Cut(words, ",")
	if after = strings.ToUpper(strings.TrimSpace(after)); ok && len(after) == 2 {
		return name, after
	}
	return words, ""
}
