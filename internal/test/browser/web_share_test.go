package browser

import (
	"net/http"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestSharing opens the pages by which events are shared.
func TestSharing(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		public := org.Publish(apptest.Fields{"title": `Chess & "tea"`, "location_text": "Café"})
		private, draft := org.Publish(apptest.Fields{"visibility": "private"}), org.Draft(nil)
		address := origin + pageOf(org, public)
		onlyInvited := "Only people who are invited can open this link."
		for _, c := range []struct {
			name, path string
			who        *webBrowser
			want       []string // then "not", and what must be absent
		}{
			{"a visitor", public + "/share", visitor(t, a), []string{address, `class="qr"`, "mailto:?", "%22tea%22%0D%0A",
				"%0D%0A%0D%0Ahttp", public + "-square.png?v=", public + ".svg?v=", "/embed/events?event_id=" + public,
				"not", "It is out!", onlyInvited, "/guests"}},
			{"a visitor who pretends", public + "/share?published", visitor(t, a), []string{address, "not", "It is out!"}},
			{"the organizer", public + "/share?published", signedIn(t, a, "org"), []string{"It is out!", "/guests"}},
			{"a private event", private + "/share", signedIn(t, a, "org"), []string{origin + pageOf(org, private), onlyInvited, "Invite people",
				"not", "-square.png", "/embed/events", "/cards/"}},
			{"a poster", public + "/poster", visitor(t, a), []string{"Chess &amp; &#34;tea&#34;", "Café", strings.TrimPrefix(address, "http://"),
				`class="qr"`, "not", address + "<"}},
		} {
			t.Run(c.name, func(t *testing.T) { c.who.open("/events/"+c.path).want(t, http.StatusOK, c.want...) })
		}
		for _, page := range []string{"/share", "/poster"} {
			signedIn(t, a, "org").open("/events/"+draft+page).redirects(t, pageOf(org, draft))
			visitor(t, a).open("/events/"+private+page).want(t, http.StatusNotFound, "not", "Chess")
			visitor(t, a).open("/events/"+draft+page).want(t, http.StatusNotFound)
		}
		button := `href="/events/` + public + `/share"`
		visitor(t, a).open(pageOf(org, public)).want(t, http.StatusOK, button)
		signedIn(t, a, "org").open("/events/"+public+"/guests").want(t, http.StatusOK, button)
		signedIn(t, a, "org").open(pageOf(org, draft)).want(t, http.StatusOK, "not", "/share")
	}, settings...)
}

// TestPicturesForSharing loads the square picture and the QR code as a file.
func TestPicturesForSharing(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	org := a.As("org")
	public, private := org.Publish(nil), org.Publish(apptest.Fields{"visibility": "private"})
	for _, c := range []struct{ file, mediaType string }{{"-square.png", "image/png"}, {".svg", "image/svg+xml"}} {
		r := visitor(t, a).open("/cards/" + public + c.file)
		if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != c.mediaType || len(r.Body) < 1000 {
			t.Errorf("%s: %d %v", c.file, r.StatusCode, r.Header)
		}
		visitor(t, a).open("/cards/"+private+c.file).want(t, http.StatusNotFound)
		visitor(t, a).open("/cards/"+public+"x"+c.file).want(t, http.StatusNotFound)
	}
}
