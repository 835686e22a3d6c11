package browser

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestEmbedIsForFramesOfOtherSites opens the pages for frames as other sites do.
func TestEmbedIsForFramesOfOtherSites(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		event := func(organizer, title, city, visibility string) string {
			return a.As(organizer).Publish(apptest.Fields{"title": title, "starts_at": apptest.Today.AddDate(0, 0, 3), "city": city,
				"visibility": visibility})
		}
		page := func(organizer, id string) string { return `href="` + pageOf(a.As(organizer), id) + `"` }
		inBerlin, inParis := event("org", "Chess <i>club</i>", "Berlin", "public"), event("other", "Boules", "Paris", "public")
		private := event("org", "Surprise", "Berlin", "private")
		berlin, paris, secret := page("org", inBerlin), page("other", inParis), page("org", private)
		organizer := personOf(a.As("org"))
		b := signedIn(t, a, "org") // who asks makes no difference
		for _, c := range []struct {
			name, query  string
			status       int
			want, absent []string
		}{
			{"all", "", 200, []string{berlin, paris}, []string{secret}},
			{"one city", "?city=berlin", 200, []string{berlin, `href="/?city=berlin"`, "Chess &lt;i&gt;"}, []string{paris, secret}},
			{"one organizer", "?organizer_id=" + a.As("org").UserID, 200, []string{berlin, organizer}, []string{paris, secret}},
			{"one event", "?event_id=" + inParis, 200, []string{paris}, []string{berlin}},
			{"a private event", "?event_id=" + private, 404, nil, nil},
			{"refused filter", "?lat=1", 400, nil, nil},
		} {
			t.Run(c.name, func(t *testing.T) {
				r := b.open("/embed/events" + c.query)
				if r.want(t, c.status, append(append(c.want, "not"), c.absent...)...); c.status != http.StatusOK {
					return
				}
				policy := r.Header.Get("Content-Security-Policy")
				if !strings.Contains(policy, "frame-ancestors *") || strings.Contains(policy, "script-src") || strings.Contains(r.Body, "<script") ||
					strings.Contains(r.Body, "<form") {
					t.Errorf("%s: %s", policy, r.Body)
				}
			})
		}
		if policy := b.open("/").Header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("another page may be framed: %s", policy)
		}
	}, settings...)
}

// TestOEmbed describes addresses for other sites.
func TestOEmbed(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		org.Patch("/me/profile", apptest.Fields{"display_name": `Orla "O"`}).Want(http.StatusOK)
		event := org.Publish(apptest.Fields{"title": `Chess "> <script>`})
		page, private := origin+pageOf(org, event), org.Publish(apptest.Fields{"visibility": "private"})
		person := personOf(org)
		for _, c := range []struct {
			name, url, more, title, frame string
			status, width, height         int
		}{
			{name: "event", url: page, status: 200, title: `Chess "> <script>`, frame: "/embed/events?event_id=" + event, width: 560, height: 180},
			{name: "small event", url: page, more: "&format=json&maxwidth=300&maxheight=90", status: 200, title: `Chess "> <script>`, frame: "/embed/events?event_id=" + event, width: 300, height: 90},
			{name: "organizer", url: origin + "/users/" + org.UserID, status: 200, title: `Orla "O"`, frame: "/embed/events?organizer_id=" + org.UserID, width: 560, height: 600},
			{name: "event by its id", url: origin + "/events/" + event, status: 200, title: `Chess "> <script>`, frame: "/embed/events?event_id=" + event, width: 560, height: 180},
			{name: "event with another title", url: origin + "/e/x-" + page[len(page)-8:], status: 200, title: `Chess "> <script>`, frame: "/embed/events?event_id=" + event, width: 560, height: 180},
			{name: "organizer by their name", url: origin + person, status: 200, title: `Orla "O"`, frame: "/embed/events?organizer_id=" + org.UserID, width: 560, height: 600},
			{name: "list", url: origin + "/?city=Berlin&cursor=x&q=", status: 200, title: "Moothall", frame: "/embed/events?city=Berlin", width: 560, height: 600},
			{name: "format XML", url: page, more: "&format=xml", status: 501},
			{name: "private event", url: origin + pageOf(org, private), status: 404},
			{name: "private event by its id", url: origin + "/events/" + private, status: 404},
			{name: "a part of a character", url: origin + "/e/%9f1111111", status: 404},
			{name: "no user", url: origin + "/p/nobody", status: 404},
			{name: "no event", url: origin + "/events/018f3b0a-5c1d-7000-8000-000000000000", status: 404},
			{name: "other page", url: origin + "/settings", status: 404},
			{name: "other host", url: "https://evil.example/events/" + event, status: 404},
			{name: "host as user", url: origin + "@evil.example/events/" + event, status: 404},
			{name: "no address", status: 404},
		} {
			t.Run(c.name, func(t *testing.T) {
				r := signedIn(t, a, "org").open("/oembed?" + url.Values{"url": {c.url}}.Encode() + c.more)
				if r.want(t, c.status); c.status != http.StatusOK {
					return
				}
				var o struct {
					Type, Version, Title, HTML, ThumbnailURL string
					Width, Height                            int
				}
				if err := json.Unmarshal([]byte(r.Body), &o); err != nil {
					t.Fatal(err)
				}
				frame := html.UnescapeString(between(o.HTML, `src="`, `"`))
				if o.Type != "rich" || o.Version != "1.0" || o.Title != c.title || o.Width != c.width || o.Height != c.height ||
					frame != origin+c.frame || strings.Contains(o.HTML, "<script") {
					t.Errorf("%+v", o)
				}
			})
		}
		found := html.UnescapeString(between(visitor(t, a).open("/events/"+event).Body, `type="application/json+oembed" href="`, `"`))
		if want := origin + "/oembed?format=json&url=" + url.QueryEscape(page); found != want {
			t.Errorf("the page of the event leads to %s", found)
		}
	}, settings...)
}

func TestListsOfferFeedsAndFrame(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	org := a.As("org").UserID
	visitor(t, a).open("/?city=Berlin").want(t, http.StatusOK, `href="/feeds/events.ics?city=Berlin"`,
		`href="/feeds/events.atom?city=Berlin"`, "/embed/events?city=Berlin&#34;")
	visitor(t, a).open("/users/"+org).want(t, http.StatusOK, `href="/users/`+org+`/events.ics"`, "/embed/events?organizer_id="+org)
}
