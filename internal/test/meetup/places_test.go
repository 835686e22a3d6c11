package meetup_test

import (
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

func TestListPlaces(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for _, c := range []struct {
			name, query string
			status      int
			first       string // name of the first place
		}{
			{"beginning of a name", "q=berl", 200, "Berlin"},
			{"local name", "q=M%C3%BCnch", 200, "Munich"},
			{"near a point", "q=berl&lat=44.4&lng=-71.2&limit=1", 200, "Berlin"},
			{"unknown", "q=qqqq", 200, ""},
			{"point in a city", "lat=52.4986&lng=13.4034", 200, "Berlin"},
			{"point in a town near it", "lat=52.3989&lng=13.0657", 200, "Potsdam"},
			{"ocean", "lat=0&lng=-140", 200, ""},
			{"nothing asked", "", 400, ""},
			{"no words", "q=", 400, ""},
			{"half a point", "q=berl&lat=52.5", 400, ""},
			{"no number", "lat=NaN&lng=1", 400, ""},
			{"outside the world", "lat=91&lng=1", 400, ""},
			{"long words", "q=" + strings.Repeat("a", 81), 400, ""},
			{"too many", "q=berl&limit=21", 400, ""},
		} {
			t.Run(c.name, func(t *testing.T) {
				r := a.Anonymous().In(t).Get("/places?" + c.query)
				r.Want(c.status)
				if name, _ := r.Get("items.0.name").(string); name != c.first {
					t.Errorf("got %s", r.Body)
				}
			})
		}
	})
}
