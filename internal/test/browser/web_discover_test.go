package browser

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestDatesCountInLocalDays filters by days, of which each has a different UTC date in other zones.
func TestDatesCountInLocalDays(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		a.Clock.Set(time.Date(2026, 6, 5, 20, 30, 0, 0, time.UTC)) // Friday; Saturday, 05:30 in Tokyo
		for title, fields := range map[string]apptest.Fields{
			"Tokyo breakfast":  {"starts_at": "2026-06-05T22:00:00Z", "city": "Tokyo", "timezone": "Asia/Tokyo"},
			"Tokyo Sunday":     {"starts_at": "2026-06-06T16:00:00Z", "city": "Tokyo", "timezone": "Asia/Tokyo"},
			"Tokyo Monday":     {"starts_at": "2026-06-07T16:00:00Z", "city": "Tokyo", "timezone": "Asia/Tokyo"},
			"Los Angeles late": {"starts_at": "2026-06-06T05:00:00Z", "city": "Los Angeles", "timezone": "America/Los_Angeles"},
		} {
			fields["title"] = title
			a.As("org").Publish(fields)
		}
		ann := a.As("ann")
		ann.Patch("/me/notification-preferences", apptest.Fields{"timezone": "America/Los_Angeles"}).Want(http.StatusOK)
		for _, c := range []struct {
			name, path string
			b          *webBrowser
			want       []string
		}{
			{"today in the city", "/?city=Tokyo&date=today", visitor(t, a), []string{"Tokyo breakfast", "not", "Tokyo Sunday"}},
			{"tomorrow in the city", "/?city=Tokyo&date=tomorrow", visitor(t, a), []string{"Tokyo Sunday", "not", "Tokyo breakfast", "Tokyo Monday"}},
			{"this weekend in the city", "/?city=Tokyo&date=weekend", visitor(t, a), []string{"Tokyo breakfast", "Tokyo Sunday", "not", "Tokyo Monday"}},
			{"a date in the city", "/?city=Tokyo&date=2026-06-06", visitor(t, a), []string{"Tokyo breakfast", "not", "Tokyo Sunday"}},
			{"today in the other city", "/?city=Los+Angeles&date=today", visitor(t, a), []string{"Los Angeles late"}},
			{"today where the visitor is", "/?date=today&tz=America%2FLos_Angeles", visitor(t, a), []string{"Los Angeles late", "Tokyo breakfast", "not", "Tokyo Sunday"}},
			{"today of a viewer", "/?date=2026-06-05", signedIn(t, a, "ann"), []string{"Los Angeles late", "Tokyo breakfast", "not", "Tokyo Sunday"}},
			{"an unknown zone is UTC", "/?date=2026-06-05&tz=Moon%2FBase", visitor(t, a), []string{"Tokyo breakfast", "not", "Los Angeles late"}},
			{"the feed counts alike", "/feeds/events.ics?city=Tokyo&date=today", visitor(t, a), []string{"Tokyo breakfast", "not", "Tokyo Sunday"}},
		} {
			t.Run(c.name, func(t *testing.T) { c.b.open(c.path).want(t, http.StatusOK, c.want...) })
		}
	}, settings...)
}

// TestFilterKeepsTheDate searches for words while a date is chosen.
func TestFilterKeepsTheDate(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	a.Clock.Set(time.Date(2026, 6, 3, 12, 0, 0, 0, time.UTC)) // Wednesday
	for title, day := range map[string]string{"Chess on Thursday": "2026-06-04", "Chess on Saturday": "2026-06-06",
		"Chess a week later": "2026-06-13"} {
		a.As("org").Publish(apptest.Fields{"title": title, "starts_at": day + "T18:00:00Z", "timezone": "UTC"})
	}
	b := visitor(t, a)
	for date, day := range map[string]string{"weekend": "", "": "2026-06-06"} {
		if list := b.open("/?date=" + date + day); valueOf(t, list, "date") != date ||
			!strings.Contains(list.Body, `name="day" type="date" value="`+day+`"`) {
			t.Errorf("%s%s is not in the filter", date, day)
		}
	}
	for _, path := range []string{
		"/?q=chess&date=weekend&tz=UTC", "/?q=chess&day=2026-06-06&date=weekend&tz=UTC", "/?q=chess&day=2026-06-06",
		"/feeds/events.atom?q=chess&day=2026-06-06&date=weekend&tz=UTC",
	} {
		b.open(path).want(t, http.StatusOK, "Chess on Saturday", "not", "Chess on Thursday", "Chess a week later")
	}
}

func TestCardsShowFewSeats(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	org := a.As("org")
	for category, capacity := range map[string]any{"full": 1, "few": 4, "many": 500, "unlimited": nil} {
		a.As("ann").Join(org.Publish(apptest.Fields{"category": category, "capacity": capacity}))
	}
	for _, c := range []struct{ category, language, want, not string }{
		{"full", "en", ">Full<", "left"},
		{"few", "en", ">3 seats left<", ">Full<"},
		{"few", "de", ">3 Plätze frei<", "left"},
		{"few", "ru", ">осталось 3 места<", "left"},
		{"many", "en", "1 going", "left"},
		{"unlimited", "en", "1 going", "left"},
	} {
		t.Run(c.category+" "+c.language, func(t *testing.T) {
			list := visitor(t, a).open("/?category="+c.category, "Accept-Language", c.language)
			_, card, _ := strings.Cut(list.Body, `<li class="card">`)
			if card, _, _ = strings.Cut(card, "</li>"); !strings.Contains(card, c.want) || strings.Contains(card, c.not) {
				t.Errorf("no %q, or %q, in %s", c.want, c.not, card)
			}
		})
	}
}
