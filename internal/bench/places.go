package bench

// place is somewhere that people meet.
type place struct {
	city     string
	lat, lng float64
}

var cities = []place{
	{"Berlin", 52.52, 13.405},
	{"Moscow", 55.7558, 37.6173},
	{"Paris", 48.8566, 2.3522},
	{"Istanbul", 41.0082, 28.9784},
	{"Madrid", 40.4168, -3.7038},
	{"Amsterdam", 52.3676, 4.9041},
	{"Saint Petersburg", 59.9343, 30.3351},
	{"Warsaw", 52.2297, 21.0122},
}

// The largest cities of a seeded world, and a place far from all.
var (
	largest = []place{{"New York", 40.7128, -74.006}, {"London", 51.5074, -0.1278}, {"Moscow", 55.7558, 37.6173}}
	ocean   = place{"", 45, -38}
)

// categories are the commonest of a seeded world and its rarest ones.
var categories = []string{"games", "chess", "music", "crafts", "family"}

// countries are boxes: south, west, north, east.
var countries = [][4]float64{
	{47.3, 5.9, 55, 15},
	{42.3, -4.8, 51.1, 8.2},
	{36, -9.3, 43.8, 3.3},
	{49, 14.1, 54.8, 24.1},
}

// shift is another place for every n, at most half of so many degrees away in
// each direction.
func shift(p place, n int, span float64) place {
	u := spread(n)
	return place{p.city, p.lat + span*(float64(u>>48)/(1<<16)-0.5), p.lng + span*(float64(u>>32&0xffff)/(1<<16)-0.5)}
}

// placeOf is another place for every n, within 3 km of the middle of a city.
func placeOf(n int) place { return shift(cities[n%len(cities)], n, 0.04) }

// within is a filter of lists.
func (p place) within(radius string) string {
	return "&lat=" + degrees(p.lat) + "&lng=" + degrees(p.lng) + "&radius_km=" + radius
}

func cityBox(n int) string {
	p := placeOf(n)
	return box(p.lat-0.1, p.lng-0.15, p.lat+0.1, p.lng+0.15)
}

func countryBox(n int) string {
	c := countries[n%len(countries)]
	p := shift(place{}, n, 0.2)
	return box(c[0]+p.lat, c[1]+p.lng, c[2]+p.lat, c[3]+p.lng)
}

func seaBox(n int) string {
	p := shift(ocean, n, 4)
	return box(p.lat-4, p.lng-4, p.lat+4, p.lng+4)
}
