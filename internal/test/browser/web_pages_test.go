package browser

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// TestBrowsersGetPagesAndProgramsOperations checks who gets which at the address that a page
// and an operation share.
func TestBrowsersGetPagesAndProgramsOperations(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path := "/events/" + org.Publish(nil)
		b := visitor(t, a)
		for _, c := range []struct {
			name    string
			path    string
			headers []string
			page    bool
		}{
			{"a browser navigates", path, nil, true},
			{"an old browser navigates", path, []string{"Sec-Fetch-Mode", ""}, true},
			{"htmx", path, []string{"Sec-Fetch-Mode", "cors", "HX-Request", "true", "Accept", "text/html"}, true},
			{"curl", path, []string{"Sec-Fetch-Mode", "", "Accept", "*/*"}, false},
			{"fetch", path, []string{"Sec-Fetch-Mode", "cors", "Accept", "*/*"}, false},
			{"a script that takes HTML", path, []string{"Sec-Fetch-Mode", "cors"}, true},
			{"a script that takes anything", path, []string{"Sec-Fetch-Mode", "cors", "Accept", "text/html, */*"}, false},
			{"a program that prefers JSON", path, []string{"Sec-Fetch-Mode", "", "Accept", "application/json, text/html;q=0.9"}, false},
			{"a program that navigates with a token", path, []string{"Authorization", "Bearer " + org.AccessToken}, false},
			{"a program that takes HTML with a token", "/feed", []string{"Sec-Fetch-Mode", "", "Authorization", "Bearer " + org.AccessToken, "Accept", "text/html, image/gif, image/jpeg, */*; q=0.2"}, false},
			{"the API below its prefix", "/api" + path, nil, false},
			{"curl at the start page", "/", []string{"Sec-Fetch-Mode", "", "Accept", "*/*"}, true},
		} {
			for range 2 { // the second one is cached
				r := b.open(c.path, c.headers...)
				if r.StatusCode != http.StatusOK || r.isPage() != c.page {
					t.Errorf("%s: %d %s, want a page: %t", c.name, r.StatusCode, r.Header.Get("Content-Type"), c.page)
				}
				if vary := strings.Join(r.Header.Values("Vary"), ", "); c.path != "/" && !strings.Contains(vary, "Accept, HX-Request, Sec-Fetch-Mode") {
					t.Errorf("%s: Vary %s", c.name, vary)
				}
			}
		}
		for _, c := range []string{"/", "/login", "/nowhere"} { // addresses of pages alone
			if r := b.open(c, "Authorization", "Bearer "+org.AccessToken); r.StatusCode != http.StatusNotFound || r.isPage() {
				t.Errorf("%s with Authorization: %d %s", c, r.StatusCode, r.Header.Get("Content-Type"))
			}
		}
	}, settings...)
}

func TestPagesOfErrors(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	draft := "/events/" + a.As("org").Draft(nil)
	b := visitor(t, a)
	for _, c := range []struct {
		path   string
		status int
		page   bool
	}{
		{"/nowhere", http.StatusNotFound, true},
		{"/api/nowhere", http.StatusNotFound, false},
		{"/events/018f3b0a-5c1d-7000-8000-000000000000", http.StatusNotFound, true},
		{draft, http.StatusNotFound, true}, // hidden is missing
		{"/?lat=1", http.StatusOK, true},   // the page says why the filter is refused
		{"/?cursor=x", http.StatusOK, true},
		{"/events/018f3b0a-5c1d", http.StatusNotFound, true}, // truncated
		{"/events/018f3b0a-5c1d/posts", http.StatusNotFound, true},
		{"/events/018f3b0a-5c1d-7000-8000-000000000000)", http.StatusNotFound, true},
		{"/events/018f3b0a-5c1d-7000-8000-000000000000/calendar.ics", http.StatusNotFound, true}, // a link of the page of an event
		{"/calendar/invites/018f", http.StatusNotFound, true},
		{"/payments/intents/018f", http.StatusNotFound, true},
		{"/calendar/feeds/x", http.StatusNotFound, true},
		{"/images/proxy", http.StatusBadRequest, true},
		{"/api/events/018f", http.StatusNotFound, false},
	} {
		if r := b.open(c.path); r.StatusCode != c.status || r.isPage() != c.page {
			t.Errorf("%s: %d %s", c.path, r.StatusCode, r.Header.Get("Content-Type"))
		}
		if r := b.open(c.path, "Sec-Fetch-Mode", "", "Accept", "*/*"); !strings.HasPrefix(c.path, "/?") && r.isPage() {
			t.Errorf("%s: a program gets a page", c.path)
		}
	}
	for _, path := range []string{"/me/export", "/calendar/feed"} {
		if r := b.open(path); r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/login?return_to="+url.QueryEscape(path) {
			t.Errorf("%s: %d %s", path, r.StatusCode, r.Header.Get("Location"))
		}
	}
	for language, text := range map[string]string{"en": "This page does not exist", "de": "Diese Seite gibt es nicht",
		"ru": "Такой страницы нет"} {
		if r := b.open("/users/018f", "Accept-Language", language); !strings.Contains(r.Body, text) {
			t.Errorf("%s: no %q", language, text)
		}
	}
}

// TestPagesAreProtected checks the headers of pages: they load nothing from elsewhere, and
// caches know what they depend on.
func TestPagesAreProtected(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	public, personal := visitor(t, a).open("/"), signedIn(t, a, "ann").open("/")
	for _, r := range []answer{public, personal} {
		csp := r.Header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
			"style-src 'self' 'sha256-"} {
			if !strings.Contains(csp, want) {
				t.Errorf("no %s in %s", want, csp)
			}
		}
		if strings.Contains(csp, "unsafe") || strings.Contains(r.Body, " style=") || strings.Contains(r.Body, "<script>") ||
			strings.Contains(r.Body, " onclick=") {
			t.Error("the page has code or style of its own")
		}
	}
	if public.Header.Get("Cache-Control") != "no-cache" || len(public.Cookies()) > 0 {
		t.Errorf("public: %s, cookies %v", public.Header.Get("Cache-Control"), public.Cookies())
	}
	if personal.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("personal: %s", personal.Header.Get("Cache-Control"))
	}
}

// firstView is how many bytes of a page fit in the first flight of a connection.
const firstView = 14 << 10

// TestFirstViewIsSmall opens the first page of the demo, its group and its events.
func TestFirstViewIsSmall(t *testing.T) {
	a := apptest.New(t, db.SQLite, append([]apptest.Option{apptest.Demo()}, settings...)...)
	paths := []string{"/", "/groups", demoGroup}
	list := a.Anonymous().In(t).Get("/events?limit=10").Want(http.StatusOK)
	for i := range list.Len("items") {
		paths = append(paths, "/events/"+list.Text(fmt.Sprintf("items.%d.event.id", i)))
	}
	for _, path := range paths {
		r := visitor(t, a).open(path, "Accept-Encoding", "gzip")
		if r.Header.Get("Content-Encoding") != "gzip" || len(r.Body) > firstView {
			t.Errorf("%s: %d bytes, %s", path, len(r.Body), r.Header.Get("Content-Encoding"))
		}
	}
}

// TestSignedInPagesContainNoStyles checks that browsers of signed-in visitors wait for the style sheet that they store.
func TestSignedInPagesContainNoStyles(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	event := "/events/" + a.As("org").Publish(nil)
	for _, path := range []string{"/", event, "/groups"} {
		for name, row := range map[string]struct {
			browser *webBrowser
			styles  int
		}{"anonymous": {visitor(t, a), 1}, "signed in": {signedIn(t, a, "ann"), 0}} {
			body := row.browser.open(path).Body
			head, _, _ := strings.Cut(body, "</head>")
			if strings.Count(body, "<style>") != row.styles || strings.Count(body, `<link rel="stylesheet"`) != 1 {
				t.Errorf("%s, %s: wrong styles", path, name)
			}
			if row.styles == 0 && !strings.Contains(head, `<link rel="stylesheet"`) {
				t.Errorf("%s: the browser shows the page before it has styles", path)
			}
		}
	}
}

// TestCachedPageShowsChanges checks that a page for anonymous visitors is cached for each
// language and theme, and no longer than it is right.
func TestCachedPageShowsChanges(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		b := visitor(t, a)
		shows := func(want string, headers ...string) {
			t.Helper()
			testutil.Until(t, "the page with "+want, func() bool {
				for _, path := range []string{"/", "/events/" + event} {
					if !strings.Contains(b.open(path, headers...).Body, want) {
						return false
					}
				}
				return true
			})
		}
		shows("Chess in the park")
		shows(`lang="de"`, "Accept-Language", "de")
		shows(`lang="en"`)
		org.Patch("/events/"+event, apptest.Fields{"title": "Chess by the lake"}).Want(http.StatusOK)
		shows("Chess by the lake")
		a.As("ann").Join(event)
		shows("1 going")
		a.Clock.Set(apptest.Today.AddDate(0, 0, 3))
		if !strings.Contains(b.open("/").Body, "<h2 id=\"day-2026-06-05\">Tomorrow") {
			t.Error("the day before the event, its day is not tomorrow")
		}
	}, settings...)
}

func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	event := a.As("org").Publish(nil)
	ann := signedIn(t, a, "ann")
	r := ann.submit("joinEvent", "/events/"+event, url.Values{"event_id": {event}}, "Sec-Fetch-Site", "cross-site", "Origin",
		"https://evil.example")
	if r.StatusCode != http.StatusForbidden || !r.isPage() {
		t.Errorf("%d", r.StatusCode)
	}
	if r := visitor(t, a).submit("startEmailSignIn", "/login", url.Values{"email": {"x@example.org"}}, "Sec-Fetch-Site",
		"cross-site"); r.StatusCode != http.StatusForbidden {
		t.Errorf("anonymous: %d", r.StatusCode)
	}
}

// TestActionsStayOnThisService checks where actions lead, whatever the form says.
func TestActionsStayOnThisService(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	b := visitor(t, a)
	for page, want := range map[string]string{
		"/?city=Berlin": "/?city=Berlin", "/events/x y": "/events/x%20y", "": "/",
		"//evil.example": "/", "https://evil.example/": "/", `/\evil.example`: "/", "/\t/evil.example": "/", "javascript:alert(1)": "/",
		"@evil.example": "/",
	} {
		if r := b.submit("chooseTheme", page, url.Values{"theme": {"dark"}}); r.StatusCode != http.StatusSeeOther ||
			r.Header.Get("Location") != want {
			t.Errorf("%q: %d %s, want %s", page, r.StatusCode, r.Header.Get("Location"), want)
		}
	}
	if r := b.open("/"); !strings.Contains(r.Body, `data-theme="dark"`) {
		t.Error("the theme was not chosen")
	}
}

func TestRefusedFormsAreShownAgain(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	b := visitor(t, a)
	r := b.submit("startEmailSignIn", "/login", url.Values{"email": {"not an address"}})
	if r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(r.Body, `value="not an address"`) ||
		!strings.Contains(r.Body, `aria-invalid="true"`) || !strings.Contains(r.Body, "anna@example.org") {
		t.Errorf("%d %s", r.StatusCode, r.Body)
	}
	event := a.As("org").Publish(apptest.Fields{"capacity": 1})
	a.As("ben").Join(event)
	r = signedIn(t, a, "ann").submit("joinEvent", "/events/"+event, url.Values{"event_id": {event}})
	if r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(r.Body, "All seats are taken.") {
		t.Errorf("%d", r.StatusCode)
	}
}
