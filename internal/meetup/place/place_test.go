package place

import (
	"testing"
)

func TestSearch(t *testing.T) {
	berlin := &Point{52.52, 13.4}
	for _, c := range []struct {
		name, words string
		near        *Point
		first       string // name and country; empty: none
	}{
		{"beginning of a name", "berl", nil, "Berlin DE"},
		{"local name", "munch", nil, "Munich DE"},
		{"name in another language", "cologne", berlin, "Köln DE"},
		{"another script", "моск", nil, "Moscow RU"},
		{"case and accents", "ZURICH", nil, "Zürich CH"},
		{"accents in the words", "São Paulo", nil, "São Paulo BR"},
		{"later word", "main", berlin, "Mainz DE"},
		{"only a later word", "janeiro", nil, "Rio de Janeiro BR"},
		{"hyphen and dot", "st. petersburg", nil, "Saint Petersburg RU"},
		{"near before large", "berl", &Point{44.4, -71.2}, "Berlin US"},
		{"country", "Berlin, US", berlin, "Berlin US"},
		{"unknown", "qqqq", nil, ""},
		{"nothing but marks", " -. ", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := Search(c.words, c.near, 5)
			if c.first == "" && len(found) > 0 || c.first != "" && (len(found) == 0 || found[0].Name+" "+found[0].Country != c.first) {
				t.Errorf("got %v", found)
			}
		})
	}
}

// TestSearchFindsAPlaceOnce asks for words that match two names and two words of one place.
func TestSearchFindsAPlaceOnce(t *testing.T) {
	for _, words := range []string{"bad", "new york", "mos"} {
		seen := map[City]bool{}
		for _, c := range Search(words, nil, 100) {
			if seen[c] {
				t.Errorf("%s: %v twice", words, c)
			}
			seen[c] = true
		}
	}
}

func TestNamesBelongToPlaces(t *testing.T) {
	names := otherNames()
	for _, c := range loaded().cities {
		delete(names, c.Name+"\t"+c.Country)
	}
	for key := range names {
		t.Errorf("no place is called %q", key)
	}
}

func TestAt(t *testing.T) {
	for _, c := range []struct {
		name     string
		lat, lng float64
		want     string
	}{
		{"district of a city", 52.4986, 13.4034, "Berlin"},
		{"town near a city", 52.3989, 13.0657, "Potsdam"},
		{"ocean", 0, -140, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := At(c.lat, c.lng); got.Name != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

func BenchmarkSearch(b *testing.B) {
	Load()
	for _, words := range []string{"s", "be", "berl", "munch", "san fr"} {
		b.Run(words, func(b *testing.B) {
			for b.Loop() {
				Search(words, &Point{52.52, 13.4}, 8)
			}
		})
	}
}

func BenchmarkAt(b *testing.B) {
	Load()
	for b.Loop() {
		At(52.4986, 13.4034)
	}
}
