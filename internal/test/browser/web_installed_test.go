package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/image/webp"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/outboundtest"
)

// TestInstallable checks what browsers need to install the web client.
func TestInstallable(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	b := visitor(t, a)
	b.open("/").want(t, http.StatusOK, `<link rel="manifest" href="/manifest.webmanifest">`)
	hasWorker := regexp.MustCompile(`<html[^>]* data-worker[ >]`)
	if hasWorker.MatchString(b.open("/").Body) || !hasWorker.MatchString(signedIn(t, a, "ann").open("/").Body) {
		t.Error("want a worker only for visitors who are signed in")
	}
	r := b.open("/manifest.webmanifest", "Accept-Language", "de")
	var manifest struct {
		Start     string `json:"start_url"`
		Icons     []struct{ Src, Purpose string }
		Shortcuts []struct{ Name string }

		Screenshots []struct{ Src, Sizes, Type string }
	}
	if err := json.Unmarshal([]byte(r.Body), &manifest); err != nil || r.Header.Get("Content-Type") != "application/manifest+json" {
		t.Fatalf("%v: %v %s", err, r.Header, r.Body)
	}
	if manifest.Start != "/" || len(manifest.Icons) != 3 || manifest.Shortcuts[0].Name != "Kalender" {
		t.Errorf("%+v", manifest)
	}
	for _, icon := range manifest.Icons {
		if r := b.open(icon.Src); r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "image/png" ||
			!strings.HasPrefix(r.Body, "\x89PNG") {
			t.Errorf("%s: %d %v", icon.Src, r.StatusCode, r.Header)
		}
	}
	if len(manifest.Screenshots) != 2 {
		t.Errorf("%d screenshots", len(manifest.Screenshots))
	}
	for _, s := range manifest.Screenshots {
		r := b.open(s.Src)
		size, err := webp.DecodeConfig(strings.NewReader(r.Body))
		if err != nil || r.Header.Get("Content-Type") != s.Type || fmt.Sprintf("%dx%d", size.Width, size.Height) != s.Sizes {
			t.Errorf("%s: %d %v %v, %v, want %s", s.Src, r.StatusCode, r.Header, size, err, s.Sizes)
		}
	}
	worker := b.open("/sw.js")
	if !strings.Contains(worker.Header.Get("Content-Type"), "javascript") || worker.Header.Get("Cache-Control") != "no-cache" ||
		!strings.Contains(worker.Body, `"/offline"`) {
		t.Errorf("%v %s", worker.Header, worker.Body)
	}
}

// TestOfflinePage checks that only the calendar of the visitor is in the page that browsers
// store, and nothing of it after the session.
func TestOfflinePage(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for title, start := range map[string]string{"Dinner <1>": "2026-06-06T18:00:00Z", "Too late": "2026-09-06T18:00:00Z"} {
			a.As("ann").Post("/calendar/entries", apptest.Fields{"title": title, "starts_at": start,
				"location_text": "Home"}).Want(http.StatusCreated)
		}
		event := a.As("org").Publish(apptest.Fields{"title": "Chess", "starts_at": "2026-06-05T16:00:00Z", "description": "Ring twice <2>.",
			"location_text": "Under the bridge", "conference_url": "https://meet.example/chess"})
		stranger := a.As("org").Publish(apptest.Fields{"title": "Go", "starts_at": "2026-06-05T16:00:00Z", "description": "Not joined"})
		a.As("ann").Join(event)
		a.As("ben").Join(stranger)
		a.As("ben").Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(http.StatusOK)
		hidden := a.As("foe").Publish(apptest.Fields{"title": "Hidden", "starts_at": "2026-06-05T16:00:00Z", "description": "Behind a block"})
		a.As("ann").Join(hidden)
		a.As("foe").Block(a.As("ann"))
		ann := signedIn(t, a, "ann")
		// As a worker asks.
		r := ann.open("/offline", "Accept", "*/*", "Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty")
		r.want(t, http.StatusOK, "You are offline", "Dinner &lt;1&gt;", "Home", "As of Monday, 1 June, 12:00",
			"Ring twice &lt;2&gt;.", "Under the bridge", "https://meet.example/chess", "not", "Too late", "Not joined", "Behind a block")
		signedIn(t, a, "ben").open("/offline").want(t, http.StatusOK, "Not joined", "Ring twice", "not", "Dinner")
		ann.submit("logout", "/", nil)
		ann.open("/offline").want(t, http.StatusOK, "You are offline", "not", "Dinner")
	}, settings...)
}

func TestPushDevices(t *testing.T) {
	for _, engine := range dbtest.RuleEngines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			services := outboundtest.New(t, func(http.ResponseWriter, *http.Request) {})
			a := apptest.New(t, engine, append([]apptest.Option{apptest.Outbound(services.Outbound())}, delivering...)...)
			ann, page := signedIn(t, a, "ann"), "/settings/notifications"
			ann.open(page).want(t, http.StatusOK, `data-key="`+a.As("ann").Get("/push/key").Text("public_key")+`"`, "not", "deletePushSubscription")
			const subscription = `{"endpoint":"https://push.example.com/ann","expirationTime":null,"keys":{` +
				`"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}`
			ann.submit("createPushSubscription", page, url.Values{"subscription": {subscription}}).redirects(t, page)
			list := ann.open(page)
			list.want(t, http.StatusOK, "deletePushSubscription", "This browser", "not", "<push-switch")
			signedIn(t, a, "ann").open(page).want(t, http.StatusOK, "deletePushSubscription", "<push-switch")
			ann.submit("deletePushSubscription", page, url.Values{"subscription_id": {valueOf(t, list, "subscription_id")}}).redirects(t, page)
			ann.open(page).want(t, http.StatusOK, "<push-switch", "not", "deletePushSubscription")
			for _, wrong := range []string{"", "[]", strings.Replace(subscription, "https", "http", 1)} {
				ann.submit("createPushSubscription", page, url.Values{"subscription": {wrong}}).want(t, http.StatusUnprocessableEntity)
			}
		})
	}
}
