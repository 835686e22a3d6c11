package geo

import (
	"os"
	"strconv"
	"strings"
	"testing"

	tzfrellite "github.com/ringsaturn/tzf-rel-lite"
)

func TestZoneAt(t *testing.T) {
	for _, row := range []struct {
		place    string
		lat, lng float64
		want     string
	}{
		{"in a city", 55.75, 37.62, "Europe/Moscow"},
		{"in an enclave of Italy", 41.9029, 12.4534, "Europe/Vatican"},
		{"in a hole of South Africa", -29.6, 28.2, "Africa/Maseru"},
		{"in an exclave", 54.71, 20.51, "Europe/Kaliningrad"},
		{"on one side of a river", 32.5149, -117.0382, "America/Tijuana"},
		{"on the other side", 32.5556, -117.0470, "America/Los_Angeles"},
		{"east of the antimeridian", -16.8, -179.98, "Pacific/Fiji"},
		{"west of the antimeridian", -16.8, 179.98, "Pacific/Fiji"},
		{"where two zones overlap", 43.825, 87.6168, "Asia/Shanghai"},
		{"at sea", 0, -140, "Etc/GMT+9"},
		{"at the North Pole", 90, 0, "Etc/GMT"},
		{"at the South Pole", -90, 0, "Antarctica/McMurdo"},
	} {
		t.Run(row.place, func(t *testing.T) {
			if got := ZoneAt(row.lat, row.lng); got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

// TestZoneAtCities compares the map with the zones of the cities in the demo data.
func TestZoneAtCities(t *testing.T) {
	table, err := os.ReadFile("testdata/cities.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		city := strings.Split(line, "\t")
		if strings.HasPrefix(line, "#") || len(city) < 5 {
			continue
		}
		lat, _ := strconv.ParseFloat(city[2], 64)
		lng, _ := strconv.ParseFloat(city[3], 64)
		if got := ZoneAt(lat, lng); got != city[4] {
			t.Errorf("%s: got %q, want %q", city[0], got, city[4])
		}
	}
}

func TestZoneMapRefusesMalformedData(t *testing.T) {
	whole := tzfrellite.LiteCompressData
	for why, data := range map[string][]byte{
		"cut":             whole[:len(whole)/2],
		"unknown wire":    {0x0f},
		"text for points": {0x12, 6, 0x0a, 4, 0x0a, 2, ' ', ' '},
	} {
		if _, err := readMap(data); err == nil {
			t.Errorf("%s: no error", why)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, _ = readMap(tzfrellite.LiteCompressData)
	}
}

func BenchmarkZoneAt(b *testing.B) {
	for b.Loop() {
		ZoneAt(55.75, 37.62)
	}
}

func TestNextDifference(t *testing.T) {
	for text, want := range map[string]int32{"?": 0, "@": -1, "A": 1, "_p~iF": 3850000, "~ps|U": -12020000, "_ibE": 100000} {
		n, rest, err := nextDifference([]byte(text + "rest"))
		if n != want || string(rest) != "rest" || err != nil {
			t.Errorf("%q: %d, %q, %v", text, n, rest, err)
		}
	}
	for _, text := range []string{"", "_", "_p", " ", "\x7f", "~~~~~~~~~~"} {
		if n, _, err := nextDifference([]byte(text)); err == nil {
			t.Errorf("%q: %d", text, n)
		}
	}
}
