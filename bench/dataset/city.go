package dataset

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed cities.tsv
var citiesTSV string

// city is one line of cities.tsv.
type city struct {
	name, country string
	lat, lng      float64
	zone          *time.Location
	weight        float64 // relative number of events and users
}

// allCities parses the embedded table. It panics on an invalid line, which is a bug
// of the build.
var allCities = sync.OnceValue(func() []city {
	var cities []city
	for line := range strings.Lines(citiesTSV) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		c, err := parseCity(strings.TrimSpace(line))
		if err != nil {
			panic(fmt.Sprintf("dataset: cities.tsv: %q: %v", line, err))
		}
		cities = append(cities, c)
	}
	return cities
})

func parseCity(line string) (city, error) {
	f := strings.Split(line, "\t")
	if len(f) != 6 {
		return city{}, fmt.Errorf("%d columns, not 6", len(f))
	}
	numbers := make([]float64, 3)
	for i, column := range []int{2, 3, 5} {
		n, err := strconv.ParseFloat(f[column], 64)
		if err != nil {
			return city{}, err
		}
		numbers[i] = n
	}
	zone, err := time.LoadLocation(f[4])
	return city{name: f[0], country: f[1], lat: numbers[0], lng: numbers[1], zone: zone, weight: numbers[2]}, err
}
