package browser

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// fetchers are programs that open addresses which people paste: the user agent, and Accept if there is one.
var fetchers = []struct{ name, agent, accept string }{
	{"Facebook", "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "*/*"},
	{"WhatsApp", "WhatsApp/2.24.20.89 A", "*/*"},
	{"Telegram", "TelegramBot (like TwitterBot)", ""},
	{"Slack", "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "*/*"},
	{"Discord", "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)", ""},
	{"X", "Twitterbot/1.0", "*/*"},
	{"LinkedIn", "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)", "text/html, */*"},
	{"Signal", "WhatsApp/2", "text/html,application/xhtml+xml"},
	{"Google", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "text/html,application/xhtml+xml,application/signed-exchange;v=b3,application/xml;q=0.9,*/*;q=0.8"},
	{"Bing", "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "*/*"},
	{"iMessage", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
	{"curl", "curl/8.14.1", "*/*"},
}

// TestEveryFetcherGetsThePage opens the addresses that people share as twelve programs do.
func TestEveryFetcherGetsThePage(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	org := a.As("org")
	org.Patch("/me/profile", apptest.Fields{"display_name": "Orla"}).Want(http.StatusOK)
	id := org.Publish(apptest.Fields{"title": "Board games", "description": "Bring your own."})
	event, person := pageOf(org, id), personOf(org)
	b := visitor(t, a)
	as := func(path, agent, accept string, more ...string) answer {
		return b.send(http.MethodGet, path, "", append([]string{"User-Agent", agent, "Accept", accept}, more...))
	}
	for _, f := range fetchers {
		for _, accept := range []string{f.accept, "*/*", ""} {
			for path, texts := range map[string][]string{
				event:  {`<meta property="og:title" content="Board games">`, `content="Bring your own."`, `<title>Board games`, `<link rel="canonical" href="` + origin + event},
				person: {`<meta property="og:title" content="Orla">`, `<title>Orla`, `<link rel="canonical" href="` + origin + person},
			} {
				r := as(path, f.agent, accept)
				r.want(t, http.StatusOK, texts...)
				picture := between(r.Body, `<meta property="og:image" content="`, `"`)
				if p := as(strings.TrimPrefix(picture, origin), f.agent, "image/*"); !r.isPage() || p.StatusCode != http.StatusOK ||
					http.DetectContentType([]byte(p.Body)) != "image/png" {
					t.Errorf("%s at %s with %q: %s, picture %s %d", f.name, path, accept, r.Header.Get("Content-Type"), picture, p.StatusCode)
				}
				if r := as(path, f.agent, accept, "Authorization", "Bearer "+org.AccessToken); r.isPage() || r.StatusCode != http.StatusNotFound {
					t.Errorf("%s at %s with Authorization: %d %s", f.name, path, r.StatusCode, r.Header.Get("Content-Type"))
				}
			}
		}
		if r := as("/events/"+id, f.agent, "*/*"); r.isPage() || r.StatusCode != http.StatusOK {
			t.Errorf("%s at the address of the operation: %d %s", f.name, r.StatusCode, r.Header.Get("Content-Type"))
		}
	}
}

// TestAddressesHideWhatTheyMay opens addresses of events and users that the visitor does not see: they are as good as unknown.
func TestAddressesHideWhatTheyMay(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, gone := a.As("org"), a.As("gone")
		draft, private := pageOf(org, org.Draft(nil)), pageOf(org, org.Publish(apptest.Fields{"visibility": "private"}))
		erased, suspended := pageOf(gone, gone.Publish(nil)), personOf(a.As("suspended"))
		gone.Delete("/me").Want(http.StatusNoContent)
		report := org.Post("/reports", apptest.Fields{"target_type": "user", "target_id": a.As("suspended").UserID, "reason": "spam"})
		a.As("mod").Patch("/admin/reports/"+report.Want(http.StatusCreated).Text("id"),
			apptest.Fields{"status": "resolved", "action": "suspend_user"}).Want(http.StatusOK)
		blocked := a.As("blocked")
		org.Block(blocked)
		hidden := pageOf(org, org.Publish(nil))
		// bytes returns a response without what it says of its address.
		bytes := func(b *webBrowser, path string) string {
			r := b.navigate(path)
			for _, name := range []string{"Date", "X-Request-Id"} {
				r.Header.Del(name)
			}
			text := fmt.Sprint(r.StatusCode, r.Header, r.Body)
			return strings.NewReplacer(path, "PATH", url.QueryEscape(path), "PATH", fmt.Sprint(len(r.Body)), "LENGTH").Replace(text)
		}
		for name, b := range map[string]*webBrowser{"anonymous": visitor(t, a), "blocked": signedIn(t, a, "blocked")} {
			b.setCookie("refreshed", "1") // the session need not be extended, which sets cookies
			for unknown, paths := range map[string][]string{"/e/chess-in-the-park-11111111": {draft, private, erased}, "/p/nobody": {suspended}} {
				want := bytes(b, unknown)
				if !strings.HasPrefix(want, "404") {
					t.Fatalf("unknown: %s", want)
				}
				for _, path := range paths {
					if got := bytes(b, path); got != want {
						t.Errorf("%s: %s is not as unknown:\n%s\n%s", name, path, got, want)
					}
				}
			}
		}
		for _, path := range []string{hidden, personOf(org)} {
			signedIn(t, a, "blocked").navigate(path).want(t, http.StatusNotFound)
		}
		signedIn(t, a, "org").open(private).want(t, http.StatusOK, "Chess in the park", "noindex", "not", `"og:`, "ld+json")
	}, append([]apptest.Option{apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email("mod"))}, settings...)...)
}

// TestReservedAddressesArePages opens addresses below those of pages: each is the page of 404 for everybody.
func TestReservedAddressesArePages(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	b := visitor(t, a)
	for _, path := range []string{
		"/e/", "/e/x", "/e/-", "/e/tea-", "/e/%9f1111111", "/e/tea-%9f", "/e/%F0%9F%8D%B51111", "/e/%00", "/e/1111111%00", "/e/a/b", "/e/%2Fetc",
		"/g/berlin", "/g/", "/i/0123456789abcdef", "/p/", "/p/a/b", "/p/%00", "/t/7Hq2MxPa", "/e/018f3b0a-5c1d-7000-8000-0000000000e1",
	} {
		for _, accept := range []string{"*/*", "application/json", "text/html"} {
			if r := b.send(http.MethodGet, path, "", []string{"Accept", accept}); r.StatusCode != http.StatusNotFound || !r.isPage() {
				t.Errorf("%s with %s: %d %s", path, accept, r.StatusCode, r.Header.Get("Content-Type"))
			}
		}
		b.send(http.MethodGet, path, "", []string{"Authorization", "Bearer " + a.As("org").AccessToken}).want(t, http.StatusNotFound,
			`{"error":"not_found"}`)
	}
}

// TestTitlesInAddresses opens an event at the addresses of its titles: each shows the page, whose canonical address is the present one.
func TestTitlesInAddresses(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, b := a.As("org"), visitor(t, a)
		event := org.Publish(apptest.Fields{"title": "Chess"})
		first := pageOf(org, event)
		code := first[len(first)-8:]
		if namesake := pageOf(org, org.Publish(apptest.Fields{"title": "Chess"})); namesake == first {
			t.Error("two events have one address")
		}
		for _, c := range []struct{ name, title, words string }{
			{"as before", "Chess", "chess-"},
			{"changed", "Chess & tea", "chess-tea-"},
			{"Arabic", "أمسية شعر", ""},
			{"an emoji alone", "🎲", ""},
			{"120 letters", strings.Repeat("a", 120), ""},
			{"300 code points", strings.Repeat("a\u0301", 100) + strings.Repeat("b", 20), ""},
			{"many words", strings.Repeat("abc ", 29) + "abc", strings.Repeat("abc-", 10)},
			{"changed back", "Chess", "chess-"},
		} {
			org.Patch("/events/"+event, apptest.Fields{"title": c.title}).Want(http.StatusOK)
			want := "/e/" + c.words + code
			if got := pageOf(org, event); got != want {
				t.Errorf("%s: %s, want %s", c.name, got, want)
			}
			for _, path := range []string{want, first, "/e/" + code, "/e/another-title-" + code, want + "?show=posts"} {
				b.navigate(path).want(t, http.StatusOK, `<link rel="canonical" href="`+origin+want+`"`)
			}
			b.navigate("/events/"+event).want(t, http.StatusFound)
		}
	}, settings...)
}

// TestOldAddressesLeadToNewOnes follows redirects, which no cache may store, to the page.
func TestOldAddressesLeadToNewOnes(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		page, first := pageOf(org, event), personOf(org)
		org.Patch("/me/profile", apptest.Fields{"username": "orla"}).Want(http.StatusOK)
		for name, b := range map[string]*webBrowser{"anonymous": visitor(t, a), "signed in": signedIn(t, a, "ann")} {
			for _, c := range []struct{ from, to string }{
				{"/events/" + event, page},
				{"/events/" + event + "?show=posts&posts=x", page + "?show=posts&posts=x"},
				{"/users/" + org.UserID, "/p/orla"},
				{"/users/" + org.UserID + "?organizes=x", "/p/orla?organizes=x"},
				{first, "/p/orla"},
				{"/p/ORLA", "/p/orla"},
			} {
				for range 2 { // the second one would be cached
					r := b.navigate(c.from)
					if r.StatusCode != http.StatusFound || r.Header.Get("Location") != c.to || r.Header.Get("Cache-Control") != "private, no-store" {
						t.Errorf("%s, %s: %d %v", name, c.from, r.StatusCode, r.Header)
					}
				}
				if !strings.Contains(c.to, "=x") { // a cursor that is refused
					b.navigate(c.to).want(t, http.StatusOK)
				}
			}
		}
		// htmx and forms that are shown again get the content.
		ann := signedIn(t, a, "ann")
		ann.navigate("/events/"+event, "HX-Request", "true", "Sec-Fetch-Mode", "cors").want(t, http.StatusOK, `id="join"`, "not", "<head>")
		ann.submit("joinEvent", page, url.Values{"event_id": {event}}).redirects(t, page+"?joined=yes")
	}, settings...)
}
