package meetup_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/golang/geo/s2"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// TestQueryFindsWordsAndPrefixes searches in many scripts; case and accents do
// not matter.
func TestQueryFindsWordsAndPrefixes(t *testing.T) {
	titles := []string{
		"Шахматы в парке: Ёлка", "Straße frei für Fußgänger", "İstanbul'da yürüyüş", "東京ボードゲーム会", "Café Philosophique",
		"ΟΔΟΣ μουσικής", "한국어 모임", "नमस्ते दिल्ली", "مساء الشعر", "ערב שירה", "Board games and tea", "Ｆｕｌｌ width", "Tiếng Việt",
	}
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, reader := a.As("org"), a.Anonymous()
		names := map[string]string{}
		for _, title := range titles {
			names[org.Publish(apptest.Fields{"title": title})] = title
		}
		for _, row := range []struct{ q, title string }{
			{"шахматы", titles[0]}, {"ШАХ", titles[0]}, {"елка", titles[0]}, {"парке шахматы", titles[0]},
			{"strasse", titles[1]}, {"STRASSE FUSS", titles[1]}, {"fuß", titles[1]},
			{"istanbul", titles[2]}, {"YURUYUS", titles[2]},
			{"東京", titles[3]}, {"ゲーム", titles[3]}, {"会", titles[3]},
			{"cafe", titles[4]}, {"CAFÉ", titles[4]}, {"cafe\u0301", titles[4]}, {"philo", titles[4]},
			{"οδος", titles[5]}, {"οδοσ", titles[5]}, {"ΜΟΥΣΙΚΉΣ", titles[5]},
			{"한국", titles[6]}, {"한국어", titles[6]}, {"दिल्ली", titles[7]}, {"الشعر", titles[8]}, {"שירה", titles[9]},
			{"game", titles[10]}, {"tea board", titles[10]}, {"full", titles[11]}, {"tieng viet", titles[12]},
			{"gam", titles[10]}, {"tees", ""}, {"tea chess", ""}, {"ames", ""}, {"%", ""},
		} {
			t.Run(row.q, func(t *testing.T) {
				var found, want []string
				for _, id := range eventIDs(reader.In(t).Get("/events?q=" + url.QueryEscape(row.q))) {
					found = append(found, names[id])
				}
				if row.title != "" {
					want = []string{row.title}
				}
				if !slices.Equal(found, want) {
					t.Errorf("%q finds %q, want %q", row.q, found, want)
				}
			})
		}
	}, apptest.StartAt(apptest.Today))
}

// TestQueryCorrectsTypos searches for words that no event has: events with words that
// are one typo away are found.
func TestQueryCorrectsTypos(t *testing.T) {
	titles := []string{"Chess openings", "Шахматы и ёлка", "Philosophy evening", "Games night", "Gamer meeting", "Tea"}
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, reader := a.As("org"), a.Anonymous()
		names := map[string]string{}
		for _, title := range titles {
			names[org.Publish(apptest.Fields{"title": title})] = title
		}
		for _, row := range []struct {
			q    string
			want []string
		}{
			{"ches", titles[:1]}, {"chesz", titles[:1]}, {"hcess", titles[:1]}, {"cheess", titles[:1]}, {"CHÉSZ", titles[:1]},
			{"openinsg", titles[:1]}, {"chesz opennings", titles[:1]}, {"chesz night", nil},
			{"шахмоты", titles[1:2]}, {"щахматы", titles[1:2]}, {"шахматы ёлка", titles[1:2]}, {"шахмоты ели", nil},
			{"pilosophy", titles[2:3]}, {"phylosofy", nil},
			{"games", titles[3:4]}, {"gamer", titles[4:5]}, {"gamex", titles[3:5]}, {"game", titles[3:5]},
			{"tee", nil}, {"teaa", nil},
		} {
			t.Run(row.q, func(t *testing.T) {
				var found []string
				for _, id := range eventIDs(reader.In(t).Get("/events?q=" + url.QueryEscape(row.q))) {
					found = append(found, names[id])
				}
				slices.Sort(found)
				if want := slices.Sorted(slices.Values(row.want)); !slices.Equal(found, want) {
					t.Errorf("%q finds %q, want %q", row.q, found, want)
				}
			})
		}
	}, apptest.StartAt(apptest.Today))
}

// TestUpdatedEventIsFoundByNewFields searches for the old and the new fields.
func TestUpdatedEventIsFoundByNewFields(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, reader := a.As("org"), a.Anonymous()
		id := org.Publish(apptest.Fields{"title": "Chess", "city": "Moscow", "category": "games", "lat": 55.75, "lng": 37.62})
		finds := func(query string) bool { return len(eventIDs(reader.Get("/events?"+query))) == 1 }
		was := []string{"q=chess", "city=moscow", "category=games", "lat=55.75&lng=37.62&radius_km=1", "starts_to=2026-06-05T16:00:00Z"}
		is := []string{"q=tango", "city=berlin", "category=dance", "lat=52.52&lng=13.4&radius_km=1", "starts_from=2026-06-06T16:00:00Z"}
		for _, query := range was {
			if !finds(query) {
				t.Errorf("%s does not find it", query)
			}
		}
		org.Patch("/events/"+id, apptest.Fields{
			"title": "Tango", "city": "Berlin", "category": "dance", "lat": 52.52, "lng": 13.4, "starts_at": "2026-06-06T16:00:00Z",
		}).Want(200)
		for i := range is {
			if finds(was[i]) || !finds(is[i]) {
				t.Errorf("after the change %s finds %v, %s finds %v", was[i], finds(was[i]), is[i], finds(is[i]))
			}
		}
		org.Patch("/events/"+id, apptest.Fields{"lat": nil, "lng": nil, "city": nil}).Want(200)
		if finds(is[1]) || finds(is[3]) {
			t.Error("an event without coordinates is found nearby")
		}
		org.Post("/events/"+id+"/cancel", nil).Want(200)
		if finds("q=tango") || finds("") {
			t.Error("a canceled event is found")
		}
	}, apptest.StartAt(apptest.Today))
}

// spot is one event on the map.
type spot struct {
	id       string
	lat, lng float64
	leaf     s2.CellID
}

// scatter stores events all over the world and returns them in the order of the list. They
// are dense around a few centres, at the poles and at the 180th meridian.
func scatter(t *testing.T, a *apptest.App, n int) []spot {
	t.Helper()
	org, err := domain.ParseID[domain.UserKind](a.As("org").UserID)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	events, spots := make([]event.Event, n), make([]spot, n)
	for i := range events {
		start := apptest.Today.Add(time.Duration(1+i%2000) * time.Hour)
		lat, lng := somewhere(random)
		events[i] = event.Event{
			ID: domain.NewID[domain.EventKind](apptest.Today), OrganizerID: org, Status: "published", StartsKey: start.UnixNano() + int64(i+1),
			CreatedAt: apptest.Today, UpdatedAt: apptest.Today, PublishedAt: &apptest.Today,
			Fields: event.Fields{Title: "Meeting", StartsAt: start, Timezone: "UTC", Visibility: "public", DateMode: "fixed", Price: "free",
				Lat: &lat, Lng: &lng},
		}
		spots[i] = spot{events[i].ID.String(), lat, lng, s2.CellIDFromLatLng(s2.LatLngFromDegrees(lat, lng))}
	}
	insertEvents(t, a, events)
	// in the order of the list
	slices.SortFunc(events, func(x, y event.Event) int { return int(min(max(x.StartsKey-y.StartsKey, -1), 1)) })
	place := map[string]spot{}
	for _, s := range spots {
		place[s.id] = s
	}
	for i, e := range events {
		spots[i] = place[e.ID.String()]
	}
	return spots
}

func somewhere(random *rand.Rand) (lat, lng float64) {
	switch random.IntN(10) {
	case 0, 1, 2, 3:
		return clampLat(55.75 + random.NormFloat64()*0.2), wrapLng(37.62 + random.NormFloat64()*0.3)
	case 4:
		return clampLat(-16.5 + random.NormFloat64()), wrapLng(180 + random.NormFloat64())
	case 5:
		return clampLat(89.5 + random.NormFloat64()*0.3), random.Float64()*360 - 180
	case 6:
		return []float64{90, -90, 0, 55.75}[random.IntN(4)], []float64{180, -180, 0, 37.62}[random.IntN(4)]
	default:
		return math.Asin(random.Float64()*2-1) * 180 / math.Pi, random.Float64()*360 - 180
	}
}

func clampLat(lat float64) float64 { return max(-90, min(90, lat)) }

func wrapLng(lng float64) float64 {
	if lng > 180 {
		return lng - 360
	}
	return lng
}

// haversineKm returns the distance by another formula than the service's.
func haversineKm(lat1, lng1, lat2, lng2 float64) float64 {
	rad := math.Pi / 180
	dLat, dLng := (lat2-lat1)*rad, (lng2-lng1)*rad
	h := math.Pow(math.Sin(dLat/2), 2) + math.Cos(lat1*rad)*math.Cos(lat2*rad)*math.Pow(math.Sin(dLng/2), 2)
	return 2 * 6371.0088 * math.Asin(math.Sqrt(min(1, h)))
}

// TestNearbyAndMapAgreeWithBruteForce searches random circles and boxes among
// many events and compares with checking every one of them.
func TestNearbyAndMapAgreeWithBruteForce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		spots := scatter(t, a, testutil.Rounds(4000, 100_000))
		if err := a.DB.Analyze(t.Context()); err != nil {
			t.Fatal(err)
		}
		reader, random := a.Anonymous(), rand.New(rand.NewPCG(5, 6))
		for range testutil.Rounds(12, 60) {
			lat, lng := somewhere(random)
			radius := math.Pow(10, random.Float64()*4-1.3) // 50 m to 500 km
			near := fmt.Sprintf("lat=%.6f&lng=%.6f&radius_km=%.3f", lat, lng, radius)
			lat, lng, radius = rounded(lat, 6), rounded(lng, 6), rounded(radius, 3)
			inCircle := func(s spot) bool { return haversineKm(lat, lng, s.lat, s.lng) <= radius }
			compare(t, reader, "/events?limit=100&"+near, spots, inCircle)

			west, south := rounded(lng, 4), rounded(min(lat, 89.9), 4)
			east, north := rounded(wrapLng(west+math.Pow(10, random.Float64()*4.5-2)), 4), rounded(min(90, south+math.Pow(10, random.Float64()*3-1)),
				4)
			inBox := func(s spot) bool {
				across := s.lng >= west || s.lng <= east
				if west <= east {
					across = s.lng >= west && s.lng <= east
				}
				return across && s.lat >= south && s.lat <= north
			}
			bbox := fmt.Sprintf("bbox=%.4f,%.4f,%.4f,%.4f", west, south, east, north)
			compare(t, reader, "/events/map?limit=100&"+bbox, spots, inBox)
			compare(t, reader, "/events/map?limit=100&"+bbox+"&"+near, spots, func(s spot) bool { return inBox(s) && inCircle(s) })
			checkClusters(t, reader, fmt.Sprintf("/events/map?zoom=%d&%s", random.IntN(21), bbox), spots, inBox)
		}
	}, apptest.StartAt(apptest.Today))
}

// checkClusters expects that each area counts its events inside, at most a hundred. An
// area with more than five hundred events may count fewer. An event at a pole is on
// every meridian.
func checkClusters(t *testing.T, reader *apptest.Client, path string, spots []spot, inside func(spot) bool) {
	t.Helper()
	clusters, areas, coarsest := reader.Get(path).Want(200).Get("clusters").([]any), []s2.CellID{}, 1
	for _, c := range clusters {
		cluster := c.(map[string]any)
		area := areaOf(cluster)
		all, least, most := 0, 0, 0
		for _, s := range spots {
			if !area.Contains(s.leaf) {
				continue
			}
			all++
			if inside(s) {
				least, most = least+1, most+1
			} else if math.Abs(s.lat) == 90 {
				most++
			}
		}
		if n := int(cluster["count"].(float64)); n > min(most, 100) || n < min(least, 100) && all <= 500 {
			t.Errorf("%s counts %d in the area %v, brute force %d of %d", path, n, area, least, all)
		}
		if len(areas) == 0 || area.Level() < coarsest {
			coarsest = area.Level()
		}
		areas = append(areas, area)
	}
	for _, s := range spots {
		known := slices.ContainsFunc(areas, func(area s2.CellID) bool { return area.Contains(s.leaf) })
		if !known && inside(s) && few(spots, s.leaf.Parent(coarsest)) {
			t.Errorf("%s counts nothing at %v, %v", path, s.lat, s.lng)
		}
	}
	if len(clusters) > 32 {
		t.Errorf("%s has %d clusters", path, len(clusters))
	}
}

// areaOf returns the cell of a cluster: it contains the centre and has its box.
func areaOf(cluster map[string]any) s2.CellID {
	leaf := s2.CellIDFromLatLng(s2.LatLngFromDegrees(cluster["lat"].(float64), cluster["lng"].(float64)))
	box := cluster["bbox"].([]any)
	for level := 13; level > 1; level -= 2 {
		r := s2.CellFromCellID(leaf.Parent(level)).RectBound()
		sides := []float64{r.Lo().Lng.Degrees(), max(-90, r.Lo().Lat.Degrees()), r.Hi().Lng.Degrees(), min(90, r.Hi().Lat.Degrees())}
		if slices.EqualFunc(sides, box, func(x float64, y any) bool { return math.Abs(x-y.(float64)) < 1e-9 }) {
			return leaf.Parent(level)
		}
	}
	return leaf.Parent(1)
}

// few reports whether an area has at most five hundred events.
func few(spots []spot, area s2.CellID) bool {
	n := 0
	for _, s := range spots {
		if area.Contains(s.leaf) {
			n++
		}
	}
	return n <= 500
}

func rounded(x float64, digits int) float64 {
	scale := math.Pow(10, float64(digits))
	return math.Round(x*scale) / scale
}

// compare expects the first hundred spots inside, in the order of the list.
func compare(t *testing.T, reader *apptest.Client, path string, spots []spot, inside func(spot) bool) {
	t.Helper()
	var want []string
	more := false
	for _, s := range spots {
		if !inside(s) {
			continue
		}
		if more = len(want) == 100; more {
			break
		}
		want = append(want, s.id)
	}
	reply := reader.Get(path)
	if found := eventIDs(reply); !slices.Equal(found, want) {
		t.Errorf("%s finds %d events, brute force %d", path, len(found), len(want))
	}
	truncated := reply.Get("truncated") == true || reply.Get("next_cursor") != nil
	if truncated != more {
		t.Errorf("%s is truncated: %v, by brute force: %v", path, truncated, more)
	}
}
