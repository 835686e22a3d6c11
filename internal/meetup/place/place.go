// Package place finds cities, towns and villages by their names, and the one at a point. Its table of the world is part of the program:
// no other server is asked.
package place

import (
	_ "embed" // for the tables
	"io"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"

	"moothall/internal/platform/text"
)

// placesTSV has a line for each place: name, country, latitude, longitude, inhabitants. The largest places come first.
//
//go:embed places.tsv.br
var placesTSV string

// namesTSV has other names of large places: name, country, and their names in other languages.
//
//go:embed names.tsv
var namesTSV string

// City is a city, town or village with at least 5,000 inhabitants.
type City struct {
	Name     string
	Country  string // ISO 3166-1, two letters
	Lat, Lng float64

	population float64
}

// radius returns the radius of the place in km: a guess by the number of inhabitants.
func (c City) radius() float64 { return 0.3 * math.Sqrt(c.population/1000) }

// world has all places, the largest first, and the index of their names.
type world struct {
	cities []City
	index  []entry // ordered by name
}

// Load reads the tables, so that no request waits for it.
func Load() { loaded() }

// loaded reads the tables on first use. A malformed table is a bug of the program.
var loaded = sync.OnceValue(func() world {
	table, err := io.ReadAll(brotli.NewReader(strings.NewReader(placesTSV)))
	if err != nil {
		panic(err)
	}
	var w world
	others := otherNames()
	for line := range strings.Lines(string(table)) {
		c := parse(strings.TrimSpace(line))
		w.cities = append(w.cities, c)
		number := int32(len(w.cities) - 1)
		key := c.Name + "\t" + c.Country
		for _, name := range append([]string{c.Name}, others[key]...) {
			w.index = appendEntries(w.index, normalize(name), number)
		}
		delete(others, key) // they are those of the largest place of this name
	}
	sortEntries(w.index)
	return w
})

func parse(line string) City {
	fields := strings.Split(line, "\t")
	var numbers [3]float64
	for i, field := range fields[2:] {
		n, err := strconv.ParseFloat(field, 64)
		if err != nil {
			panic("place: invalid line: " + line)
		}
		numbers[i] = n
	}
	return City{Name: fields[0], Country: fields[1], Lat: numbers[0], Lng: numbers[1], population: numbers[2]}
}

// otherNames returns the other names of places by name and country.
func otherNames() map[string][]string {
	names := map[string][]string{}
	for line := range strings.Lines(namesTSV) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		names[fields[0]+"\t"+fields[1]] = fields[2:]
	}
	return names
}

// maxOutside is the largest distance from the edge of a place to a point that is still said to be there, in km. Places
// more than maxDegrees of latitude away are farther: the largest radius is 45 km.
const (
	maxOutside = 30
	maxDegrees = 1
)

// At returns the place at a point: the one whose edge is nearest, or that reaches farthest beyond the point. There may be
// none.
func At(lat, lng float64) (nearest City, ok bool) {
	best := float64(maxOutside)
	cities := loaded().cities
	for i := range cities {
		c := &cities[i]
		if math.Abs(lat-c.Lat) > maxDegrees {
			continue
		}
		if beyond := kilometres(lat, lng, c.Lat, c.Lng) - c.radius(); beyond < best {
			nearest, best, ok = *c, beyond, true
		}
	}
	return nearest, ok
}

// kilometres returns the approximate distance of two points. It is exact enough to compare distances of some hundred km.
func kilometres(lat1, lng1, lat2, lng2 float64) float64 {
	const degree = 111.2
	east := math.Mod(lng2-lng1+540, 360) - 180
	return degree * math.Hypot(lat2-lat1, east*math.Cos(lat1*math.Pi/180))
}

// normalize folds a name for the search: words in small letters without accents, separated by single spaces.
func normalize(name string) string {
	name = strings.NewReplacer("'", "", "’", "", "‘", "").Replace(name)
	return strings.Join(strings.FieldsFunc(text.Fold(name), func(r rune) bool {
		return strings.ContainsRune(" -.,/()", r)
	}), " ")
}
