package meetup_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

// preferences returns a response without the time of the change.
func preferences(r *apptest.Reply) string {
	p := r.Want(200).Get("").(map[string]any)
	delete(p, "updated_at")
	text, _ := json.Marshal(p)
	return string(text)
}

// TestSetPreferences changes only the fields that were sent, and refuses invalid
// combinations.
func TestSetPreferences(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		me := a.As("me")
		a.Anonymous().Get("/feed/preferences").WantError(401, "unauthorized")
		a.Anonymous().Post("/feed/preferences", apptest.Fields{}).WantError(401, "unauthorized")
		me.Patch("/me/profile", apptest.Fields{"city": "Berlin"}).Want(200)
		state := apptest.Fields{
			"city": "Berlin", "lat": nil, "lng": nil, "radius_km": nil, "categories": []string{}, "muted_categories": []string{},
			"price": "any", "include_followed": true,
		}
		check := func(what string, r *apptest.Reply) {
			t.Helper()
			want, _ := json.Marshal(state)
			if got := preferences(r); got != string(want) {
				t.Errorf("%s: %s, want %s", what, got, want)
			}
		}
		check("never set", me.Get("/feed/preferences"))
		check("nothing sent", me.Post("/feed/preferences", apptest.Fields{}))
		if me.Get("/feed/preferences").Get("updated_at") != nil {
			t.Error("an empty change changed the preferences")
		}
		for i, step := range []struct{ sent, then apptest.Fields }{
			{apptest.Fields{"price": "free"}, nil},
			{apptest.Fields{"categories": []string{" Games ", "games", "Äpfel"}}, apptest.Fields{"categories": []string{"Games", "Äpfel"}}},
			{apptest.Fields{"muted_categories": []string{"loud"}, "include_followed": false}, nil},
			{apptest.Fields{"lat": 52.5, "lng": 13.4}, nil},
			{apptest.Fields{"radius_km": 500}, nil},
			{apptest.Fields{"lat": 48.1}, nil},
			{apptest.Fields{"city": "  Köln "}, apptest.Fields{"city": "Köln"}},
			{apptest.Fields{"lat": nil, "lng": nil}, apptest.Fields{"lat": nil, "lng": nil, "radius_km": nil}},
			{apptest.Fields{"city": nil}, nil},
			{apptest.Fields{"categories": []string{}, "price": "any"}, nil},
			{apptest.Fields{"lat": 0, "lng": 0, "radius_km": 0.5, "unknown": 1}, apptest.Fields{"lat": 0, "lng": 0, "radius_km": 0.5}},
		} {
			changes := step.then
			if changes == nil {
				changes = step.sent
			}
			maps.Copy(state, changes)
			check(fmt.Sprint("step ", i), me.Post("/feed/preferences", step.sent))
			check(fmt.Sprint("after step ", i), me.Get("/feed/preferences"))
		}
		many := make([]string, 21)
		for i := range many {
			many[i] = fmt.Sprint("c", i)
		}
		for _, wrong := range []any{
			apptest.Fields{"lat": nil}, apptest.Fields{"lng": nil}, apptest.Fields{"lat": 91}, apptest.Fields{"lng": -181},
			apptest.Fields{"radius_km": 0}, apptest.Fields{"radius_km": 501},
			apptest.Fields{"lat": nil, "lng": nil, "radius_km": 3}, apptest.Fields{"city": ""}, apptest.Fields{"city": "a\nb"},
			apptest.Fields{"city": strings.Repeat("x", 121)},
			apptest.Fields{"categories": many}, apptest.Fields{"categories": []string{" "}},
			apptest.Fields{"muted_categories": []string{strings.Repeat("x", 81)}},
			apptest.Fields{"price": "cheap"}, apptest.Fields{"include_followed": "yes"}, "[]", "{",
		} {
			me.Post("/feed/preferences", wrong).WantError(400, "invalid_request")
		}
		named := me.With("Accept", "application/problem+json").Post("/feed/preferences", apptest.Fields{"lat": nil, "city": "\t\u202e",
			"muted_categories": []string{"a\tb"}})
		for i, pointer := range []string{"/city", "/lat", "/muted_categories/0"} {
			if got := named.Text(fmt.Sprintf("errors.%d.pointer", i)); got != pointer {
				t.Errorf("the wrong field %d is %s, want %s: %s", i, got, pointer, named.Body)
			}
		}
		check("after refusals", me.Get("/feed/preferences"))
	}, apptest.StartAt(apptest.Today))
}

// TestConcurrentChangesAreAllStored changes one field each from many callers.
func TestConcurrentChangesAreAllStored(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		me := a.As("me")
		changes := []apptest.Fields{
			{"city": "Oslo"}, {"lat": 59.9, "lng": 10.7}, {"categories": []string{"ski"}}, {"muted_categories": []string{"loud"}},
			{"price": "paid"}, {"include_followed": false},
		}
		apptest.Concurrently(5*len(changes), func(i int) {
			me.On(i%3).Post("/feed/preferences", changes[i%len(changes)])
		})
		want := `{"categories":["ski"],"city":"Oslo","include_followed":false,"lat":59.9,"lng":10.7,"muted_categories":["loud"],"price":"paid","radius_km":null}`
		if got := preferences(me.Get("/feed/preferences")); got != want {
			t.Errorf("the stored preferences are %s", got)
		}
	}, apptest.StartAt(apptest.Today), apptest.Instances(3))
}

// TestPreferencesFilterAndRank checks which events preferences leave out and which they
// rank first.
func TestPreferencesFilterAndRank(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, me := a.As("org"), a.As("me")
		for i := range 70 { // more than are ranked
			feedPublished(org, fmt.Sprint("loud ", i), 1, apptest.Fields{"category": "LOUD"})
		}
		feedPublished(org, "quiet", 2, apptest.Fields{"category": "quiet"})
		feedPublished(org, "none", 3, nil)
		feedPublished(org, "begun", 0, apptest.Fields{"starts_at": "2026-06-01T11:00:00Z", "category": "quiet"})
		feedPublished(org, "begun loud", 0, apptest.Fields{"starts_at": "2026-06-01T11:00:00Z", "category": "loud"})
		for _, row := range []struct {
			name  string
			set   apptest.Fields
			first string
			n     int
		}{
			{"by default", apptest.Fields{}, "loud", 74},
			{"a category", apptest.Fields{"categories": []string{"Quiet"}}, "quiet", 74},
			{"muted", apptest.Fields{"muted_categories": []string{"Loud"}}, "quiet", 3},
			{"muted and preferred", apptest.Fields{"categories": []string{"loud"}}, "quiet", 3},
			{"only paid", apptest.Fields{"price": "paid", "muted_categories": []string{}}, "", 0},
			{"only free", apptest.Fields{"price": "free"}, "loud", 74},
		} {
			me.Post("/feed/preferences", row.set).Want(200)
			found := feedWalk(t, me, 20, nil)
			if len(found) != row.n || row.n > 0 && !strings.HasPrefix(found[0], row.first) {
				t.Errorf("%s: %d events, %q", row.name, len(found), found[:min(3, len(found))])
			}
			slices.Sort(found)
			if once := slices.Compact(slices.Clone(found)); len(once) != len(found) {
				t.Errorf("%s: events are there more than once", row.name)
			}
		}
	}, apptest.StartAt(apptest.Today))
}
