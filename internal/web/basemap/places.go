package basemap

import (
	_ "embed" // for the places
	"encoding/json"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/andybalholm/brotli"

	"moothall/internal/platform/text"
)

//go:embed places.tsv.br
var placesTSV string

// Place is a city, town or village with at least 5,000 inhabitants.
type Place struct {
	Name    string  `json:"name"`
	Country string  `json:"country"` // ISO 3166-1, two letters
	Lat     float64 `json:"lat"`
	Lng     float64 `json:"lng"`

	folded string  // the name, to be searched
	radius float64 // km; a guess by the number of inhabitants
}

// places returns all places, the largest first. It panics on an invalid table, which is a
// bug of the build.
var places = sync.OnceValue(func() []Place {
	table, err := io.ReadAll(brotli.NewReader(strings.NewReader(placesTSV)))
	if err != nil {
		panic(err)
	}
	var all []Place
	for line := range strings.Lines(string(table)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		lat, latErr := strconv.ParseFloat(fields[2], 64)
		lng, lngErr := strconv.ParseFloat(fields[3], 64)
		population, err := strconv.ParseFloat(fields[4], 64)
		if latErr != nil || lngErr != nil || err != nil {
			panic("basemap: invalid line: " + line)
		}
		all = append(all, Place{Name: fields[0], Country: fields[1], Lat: lat, Lng: lng,
			folded: text.Fold(fields[0]), radius: 0.3 * math.Sqrt(population/1000)})
	}
	return all
})

const maxFound = 8

// Search returns the largest places whose names begin with the words, ignoring case and accents.
func Search(words string) (found []Place) {
	prefix := text.Fold(strings.TrimSpace(words))
	if prefix == "" {
		return nil
	}
	for _, p := range places() {
		if strings.HasPrefix(p.folded, prefix) {
			found = append(found, p)
			if len(found) == maxFound {
				break
			}
		}
	}
	return found
}

// maxOutside is the largest distance from the edge of the place to a point that is still
// said to be there, in km.
const maxOutside = 30

// At returns the place at a point: the one whose edge is nearest, or that reaches farthest beyond
// the point. There may be none.
func At(lat, lng float64) (nearest Place, ok bool) {
	best := float64(maxOutside)
	for _, p := range places() {
		if beyond := kilometres(lat, lng, p.Lat, p.Lng) - p.radius; beyond < best {
			nearest, best, ok = p, beyond, true
		}
	}
	return nearest, ok
}

// kilometres returns the approximate distance of points that are near to each other.
func kilometres(lat1, lng1, lat2, lng2 float64) float64 {
	const degree = 111.2
	east := math.Mod(lng2-lng1+540, 360) - 180
	return degree * math.Hypot(lat2-lat1, east*math.Cos(lat1*math.Pi/180))
}

// ServePlaces answers with the places that the parameter q names, or with the place at lat and
// lng.
func ServePlaces(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	found := []Place{}
	if words := query.Get("q"); words != "" {
		if utf8.RuneCountInString(words) > 80 || !utf8.ValidString(words) {
			http.Error(w, "q is too long", http.StatusBadRequest)
			return
		}
		found = append(found, Search(words)...)
	} else {
		lat, latErr := strconv.ParseFloat(query.Get("lat"), 64)
		lng, lngErr := strconv.ParseFloat(query.Get("lng"), 64)
		if latErr != nil || lngErr != nil || !(math.Abs(lat) <= 90 && math.Abs(lng) <= 180) {
			http.Error(w, "q, or lat and lng are required", http.StatusBadRequest)
			return
		}
		if p, ok := At(lat, lng); ok {
			found = append(found, p)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	_ = json.NewEncoder(w).Encode(map[string]any{"items": found}) // fails only when the client is gone
}
