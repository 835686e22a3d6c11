package meetup_test

import (
	"fmt"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

// TestCreateRefusesInvalidFields expects the name of the invalid field in
// problem+json (contract §4.3, §0).
func TestCreateRefusesInvalidFields(t *testing.T) {
	long := strings.Repeat
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org").With("Accept", "application/problem+json")
		for _, row := range []struct {
			why, pointer string
			body         any
		}{
			{"no title", "/title", `{"starts_at":"2026-06-05T16:00:00Z"}`},
			{"no start", "/starts_at", `{"title":"Chess"}`},
			{"empty title", "/title", chess(apptest.Fields{"title": ""})},
			{"blank title", "/title", chess(apptest.Fields{"title": " \u00a0 "})},
			{"invisible title", "/title", chess(apptest.Fields{"title": "\u200b\u2060"})},
			{"title of two lines", "/title", chess(apptest.Fields{"title": "a\nb"})},
			{"title too long", "/title", chess(apptest.Fields{"title": long("x", 121)})},
			{"title with an override of direction", "/title", chess(apptest.Fields{"title": "\u202egnp.exe"})},
			{"description too long", "/description", chess(apptest.Fields{"description": long("é", 10001)})},
			{"control character", "/description", chess(apptest.Fields{"description": "a\u0007b"})},
			{"empty category", "/category", chess(apptest.Fields{"category": ""})},
			{"category too long", "/category", chess(apptest.Fields{"category": long("x", 81)})},
			{"city too long", "/city", chess(apptest.Fields{"city": long("x", 201)})},
			{"place too long", "/location_text", chess(apptest.Fields{"location_text": long("x", 301)})},
			{"start without offset", "/starts_at", chess(apptest.Fields{"starts_at": "2026-06-05T16:00:00"})},
			{"start in the year zero", "/starts_at", chess(apptest.Fields{"starts_at": "0000-01-01T00:00:00Z"})},
			{"start too far", "/starts_at", chess(apptest.Fields{"starts_at": "2100-01-01T00:00:00Z"})},
			{"offset of a day", "/starts_at", chess(apptest.Fields{"starts_at": "2026-01-01T00:00:00+24:00"})},
			{"comma in the fraction", "/starts_at", chess(apptest.Fields{"starts_at": "2026-01-01T00:00:00,5Z"})},
			{"start is null", "/starts_at", chess(apptest.Fields{"starts_at": nil})},
			{"end before start", "/ends_at", chess(apptest.Fields{"ends_at": "2026-06-05T15:59:59Z"})},
			{"end at the start", "/ends_at", chess(apptest.Fields{"ends_at": "2026-06-05T16:00:00Z"})},
			{"more than 31 days", "/ends_at", chess(apptest.Fields{"ends_at": "2026-07-06T16:00:01Z"})},
			{"unknown zone", "/timezone", chess(apptest.Fields{"timezone": "Europe/Atlantis"})},
			{"fixed offset", "/timezone", chess(apptest.Fields{"timezone": "Etc/GMT-3"})},
			{"fixed offset by an old name", "/timezone", chess(apptest.Fields{"timezone": "EST"})},
			{"end before the start by a fraction", "/ends_at", chess(apptest.Fields{"starts_at": "2026-06-05T16:00:00.9Z", "ends_at": "2026-06-05T16:00:00.8Z"})},
			{"local zone", "/timezone", chess(apptest.Fields{"timezone": "Local"})},
			{"unknown visibility", "/visibility", chess(apptest.Fields{"visibility": "secret"})},
			{"unknown price", "/price", chess(apptest.Fields{"price": "cheap"})},
			{"paid without amount", "/price_amount", chess(apptest.Fields{"price": "paid", "price_currency": "RUB"})},
			{"paid without currency", "/price_currency", chess(apptest.Fields{"price": "paid", "price_amount": 100})},
			{"currency not taken", "/price_currency", chess(apptest.Fields{"price": "paid", "price_amount": 100, "price_currency": "XXX"})},
			{"free with an amount", "/price_amount", chess(apptest.Fields{"price_amount": 100})},
			{"an amount in fractions", "/price_amount", chess(apptest.Fields{"price": "paid", "price_amount": 0.5, "price_currency": "RUB"})},
			{"no amount", "/price_amount", chess(apptest.Fields{"price": "paid", "price_amount": 0, "price_currency": "RUB"})},
			{"capacity of zero", "/capacity", chess(apptest.Fields{"capacity": 0})},
			{"capacity too large", "/capacity", chess(apptest.Fields{"capacity": 100001})},
			{"half a place", "/lng", chess(apptest.Fields{"lat": 1})},
			{"beyond the pole", "/lat", chess(apptest.Fields{"lat": 90.0000001, "lng": 0})},
			{"beyond the meridian", "/lng", chess(apptest.Fields{"lat": 0, "lng": 180.1})},
			{"script for a picture", "/image_url", chess(apptest.Fields{"image_url": "javascript:alert(1)"})},
			{"picture without TLS", "/image_url", chess(apptest.Fields{"image_url": "http://example.com/a.png"})},
			{"a name in the address", "/image_url", chess(apptest.Fields{"image_url": "https://u:p@example.com/"})},
			{"conference elsewhere", "/conference_url", chess(apptest.Fields{"conference_url": "//example.com"})},
			{"unknown theme", "/theme", chess(apptest.Fields{"theme": "beige"})},
		} {
			t.Run(row.why, func(t *testing.T) {
				reply := org.In(t).Post("/events", row.body).Want(400)
				if reply.Text("error") != "invalid_request" || !names(reply, row.pointer) {
					t.Errorf("does not name %s: %s", row.pointer, reply.Body)
				}
			})
		}
		several := org.Post("/events", chess(apptest.Fields{"title": "a\u0007", "lat": 1, "timezone": "Mars/Base", "price": "paid"})).Want(400)
		for _, pointer := range []string{"/title", "/lng", "/timezone", "/price_amount", "/price_currency"} {
			if !names(several, pointer) {
				t.Errorf("several wrong fields: %s is not named: %s", pointer, several.Body)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// names reports whether a problem names the field.
func names(reply *apptest.Reply, pointer string) bool {
	for i := range reply.Len("errors") {
		if reply.Text(fmt.Sprintf("errors.%d.pointer", i)) == pointer {
			return true
		}
	}
	return false
}

// TestCreateStoresFields expects the fields of the contract in the response. Unknown
// fields are ignored.
func TestCreateStoresFields(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		for _, row := range []struct {
			why, path string
			changes   apptest.Fields
			want      any
		}{
			{"the caller is the organizer", "event.organizer_id", apptest.Fields{"organizer_id": a.As("other").UserID}, org.UserID},
			{"a new event is a draft", "event.status", apptest.Fields{"status": "published"}, "draft"},
			{"no participants yet", "participant_count", apptest.Fields{"participant_count": 999}, 0.0},
			{"a start has whole seconds", "event.starts_at", apptest.Fields{"starts_at": "2026-06-05T19:00:00.75+03:00"}, "2026-06-05T16:00:00Z"},
			{"a start in the past is accepted", "event.starts_at", apptest.Fields{"starts_at": "2001-01-01T00:00:00Z"}, "2001-01-01T00:00:00Z"},
			{"text is trimmed and composed", "event.title", apptest.Fields{"title": "  Cafe\u0301 "}, "Café"},
			{"text is plain", "event.title", apptest.Fields{"title": `2 < 3 & "q" <b>`}, `2 < 3 & "q" <b>`},
			{"lines end in LF", "event.description", apptest.Fields{"description": "a\r\nb\rc"}, "a\nb\nc"},
			{"an empty description is none", "event.description", apptest.Fields{"description": ""}, ""},
			{"the length is counted in graphemes", "event.title", apptest.Fields{"title": strings.Repeat("👩‍👩‍👧", 60)}, strings.Repeat("👩‍👩‍👧", 60)},
			{"a zone may be given", "event.timezone", apptest.Fields{"timezone": "America/New_York"}, "America/New_York"},
			{"null is none", "event.capacity", apptest.Fields{"capacity": nil}, nil},
			{"a price in minor units", "event.price_amount", apptest.Fields{"price": "paid", "price_amount": 100000000, "price_currency": "RUB"}, 100000000.0},
			{"an event has no theme", "event.theme", nil, nil},
			{"a theme", "event.theme", apptest.Fields{"theme": "meadow"}, "meadow"},
			{"unknown fields are ignored", "event.title", apptest.Fields{"colour": "red"}, "Chess in the park"},
		} {
			t.Run(row.why, func(t *testing.T) {
				reply := org.In(t).Post("/events", chess(row.changes)).Want(201)
				if got := reply.Get(row.path); got != row.want {
					t.Errorf("%s is %v, want %v", row.path, got, row.want)
				}
			})
		}
	}, apptest.StartAt(apptest.Today))
}

// TestCreateDerivesTimezone expects the zone of the coordinates.
func TestCreateDerivesTimezone(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for _, row := range []struct {
			place    string
			lat, lng any
			want     string
		}{
			{"Moscow", 55.75, 37.62, "Europe/Moscow"},
			{"Novosibirsk", 55.03, 82.92, "Asia/Novosibirsk"},
			{"the middle of the Pacific", 0.0, -140.0, "Asia/Tokyo"},
			{"nowhere", nil, nil, "Asia/Tokyo"},
		} {
			t.Run(row.place, func(t *testing.T) {
				body := apptest.Fields{"title": "Chess", "starts_at": "2026-06-05T16:00:00Z", "lat": row.lat, "lng": row.lng}
				if got := a.As("org").In(t).Post("/events", body).Want(201).Text("event.timezone"); got != row.want {
					t.Errorf("got %s, want %s", got, row.want)
				}
			})
		}
	}, apptest.StartAt(apptest.Today), apptest.Setting("DEFAULT_TIMEZONE", "Asia/Tokyo"))
}

// TestUpdateMergesFields changes only the fields that were sent (contract §4.4).
func TestUpdateMergesFields(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		id := org.Publish(apptest.Fields{"capacity": 5, "ends_at": "2026-06-05T18:00:00Z", "lat": 55.75, "lng": 37.62})
		path := "/events/" + id
		before := org.Get(path).Want(200)

		same := org.Patch(path, apptest.Fields{}).Want(200)
		if same.Text("event.updated_at") != before.Text("event.updated_at") || same.Header.Get("ETag") != before.Header.Get("ETag") {
			t.Error("an empty change changed the event")
		}
		changed := org.Patch(path, apptest.Fields{"title": "Go", "capacity": nil}).Want(200)
		if changed.Text("event.updated_at") <= before.Text("event.updated_at") || changed.Header.Get("ETag") == before.Header.Get("ETag") ||
			changed.Get("event.capacity") != nil {
			t.Errorf("changed: %s", changed.Body)
		}
		org.Patch(path, apptest.Fields{"starts_at": "2026-06-05T18:00:00Z"}).WantError(400, "invalid_request") // the end is at that moment
		org.Patch(path, apptest.Fields{"lat": nil}).WantError(400, "invalid_request")
		org.Patch(path, apptest.Fields{"price_amount": 5}).WantError(400, "invalid_request")

		org.With("If-Match", before.Header.Get("ETag")).Patch(path, apptest.Fields{"title": "Late"}).WantError(412, "precondition_failed")
		org.With("If-Match", changed.Header.Get("ETag")).Patch(path, apptest.Fields{"title": "In time"}).Want(200)
		current := org.Get(path).Header.Get("ETag")
		org.With("If-Match", `"other", `+current).Patch(path, apptest.Fields{"title": "One of these"}).Want(200)
		org.With("If-Match", "*").Patch(path, apptest.Fields{"title": "Whatever"}).Want(200)

		for _, guest := range []string{"ann", "bob"} {
			a.As(guest).Post(path+"/join", nil).Want(200)
		}
		org.Patch(path, apptest.Fields{"capacity": 1}).WantError(400, "invalid_request")
		org.Patch(path, apptest.Fields{"capacity": 2}).Want(200)
		a.As("cat").Post(path+"/join", nil).WantError(403, "forbidden")
		org.Patch(path, apptest.Fields{"capacity": 3}).Want(200)
		a.As("cat").Post(path+"/join", nil).Want(200)
	}, apptest.StartAt(apptest.Today))
}
