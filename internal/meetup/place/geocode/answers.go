package geocode

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// readPhoton reads the GeoJSON of Photon.
func readPhoton(data []byte) ([]Address, error) {
	var answer struct {
		Features []struct {
			Geometry struct {
				Coordinates []float64 `json:"coordinates"`
			} `json:"geometry"`
			Properties struct {
				Type        string `json:"type"`
				Name        string `json:"name"`
				Street      string `json:"street"`
				HouseNumber string `json:"housenumber"`
				City        string `json:"city"`
				CountryCode string `json:"countrycode"`
			} `json:"properties"`
		} `json:"features"`
	}
	if json.Unmarshal(data, &answer) != nil || answer.Features == nil {
		return nil, ErrUnavailable
	}
	var found []Address
	for _, f := range answer.Features {
		p := f.Properties
		if len(f.Geometry.Coordinates) < 2 {
			continue
		}
		a := Address{Kind: p.Type, City: p.City, Country: p.CountryCode, Lng: f.Geometry.Coordinates[0], Lat: f.Geometry.Coordinates[1]}
		switch p.Type {
		case "house", "street":
			street := p.Street
			if street == "" {
				street = p.Name
			}
			a.Line = strings.TrimSpace(street + " " + p.HouseNumber)
			if p.Name != "" && p.Name != street {
				a.Line = p.Name + ", " + a.Line
			}
		case "city":
			a.City = p.Name
		default:
			a.Kind, a.Line = "place", p.Name
		}
		found = add(found, a)
	}
	return found, nil
}

// readNominatim reads the jsonv2 of Nominatim.
func readNominatim(data []byte) ([]Address, error) {
	var answer []struct {
		Lat     string `json:"lat"`
		Lon     string `json:"lon"`
		Name    string `json:"name"`
		Address struct {
			HouseNumber  string `json:"house_number"`
			Road         string `json:"road"`
			City         string `json:"city"`
			Town         string `json:"town"`
			Village      string `json:"village"`
			Municipality string `json:"municipality"`
			CountryCode  string `json:"country_code"`
		} `json:"address"`
	}
	if json.Unmarshal(data, &answer) != nil || answer == nil {
		return nil, ErrUnavailable
	}
	var found []Address
	for _, item := range answer {
		lat, latErr := strconv.ParseFloat(item.Lat, 64)
		lng, lngErr := strconv.ParseFloat(item.Lon, 64)
		if latErr != nil || lngErr != nil {
			continue
		}
		at := item.Address
		a := Address{Kind: "place", Line: item.Name, Country: at.CountryCode, Lat: lat, Lng: lng}
		for _, city := range []string{at.City, at.Town, at.Village, at.Municipality} {
			if a.City == "" {
				a.City = city
			}
		}
		switch {
		case at.HouseNumber != "":
			a.Kind, a.Line = "house", strings.TrimSpace(at.Road+" "+at.HouseNumber)
			if item.Name != "" && item.Name != at.Road {
				a.Line = item.Name + ", " + a.Line
			}
		case at.Road != "" && (item.Name == "" || item.Name == at.Road):
			a.Kind, a.Line = "street", at.Road
		case item.Name == a.City:
			a.Kind, a.Line = "city", ""
		}
		found = add(found, a)
	}
	return found, nil
}

// maxText is the longest text of an answer that is shown, in characters. It is that of the city of an event.
const maxText = 120

// add adds an address that is complete and that no other one equals.
func add(found []Address, a Address) []Address {
	a.Line, a.City = clean(a.Line), clean(a.City)
	a.Country = strings.ToUpper(a.Country)
	if len(a.Country) != 2 || strings.Trim(a.Country, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		a.Country = ""
	}
	for _, part := range []string{a.Line, a.City, a.Country} {
		if part != "" && a.Name != "" {
			a.Name += ", "
		}
		a.Name += part
	}
	if a.Line == "" && a.City == "" || !(math.Abs(a.Lat) <= 90 && math.Abs(a.Lng) <= 180) || len(found) == maxFound {
		return found
	}
	for _, other := range found {
		if other.Name == a.Name {
			return found
		}
	}
	return append(found, a)
}

// clean removes control characters, and what is too long.
func clean(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == utf8.RuneError }), " ")
	if runes := []rune(text); len(runes) > maxText {
		text = string(runes[:maxText])
	}
	return strings.TrimSpace(text)
}
