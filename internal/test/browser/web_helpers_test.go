package browser

import (
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

// webBrowser is a visitor without scripts. It keeps cookies and follows no redirects, except to the addresses that people share.
type webBrowser struct {
	t      *testing.T
	base   string
	client *http.Client
}

// origin is that of the service in tests: cookies are not restricted to https.
const origin = "http://localhost"

// settings are those of the service in tests, whose clock stands at apptest.Today.
var settings = []apptest.Option{apptest.Setting("WEB_ORIGIN", origin), apptest.Setting("PUBLIC_BASE_URL", origin),
	apptest.StartAt(apptest.Today)}

func visitor(t *testing.T, a *apptest.App) *webBrowser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &webBrowser{t, a.URL(),
		&http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// signedIn returns a browser in which an actor is signed in.
func signedIn(t *testing.T, a *apptest.App, name string) *webBrowser {
	t.Helper()
	b := visitor(t, a)
	b.setCookie(apptest.RefreshCookie, a.SignIn(apptest.Email(name)).RefreshToken)
	return b
}

func (b *webBrowser) setCookie(name, value string) {
	b.t.Helper()
	u, err := url.Parse(b.base)
	if err != nil {
		b.t.Fatal(err)
	}
	b.client.Jar.SetCookies(u, []*http.Cookie{{Name: name, Value: value, Path: "/"}})
}

// answer is a response with its body.
type answer struct {
	*http.Response
	Body string
}

// pageOf returns the path of the page of an event that its organizer sees.
func pageOf(organizer *apptest.Client, event string) string {
	return strings.TrimPrefix(organizer.Get("/events/"+event).Want(http.StatusOK).Text("event.share_url"), origin)
}

// personOf returns the path of the page of a user.
func personOf(c *apptest.Client) string {
	return "/p/" + c.Get("/me").Want(http.StatusOK).Text("profile.username")
}

// open navigates to a page. Headers are names and values.
func (b *webBrowser) open(path string, headers ...string) answer {
	b.t.Helper()
	r := b.navigate(path, headers...)
	if r.StatusCode == http.StatusFound {
		return b.navigate(r.Header.Get("Location"), headers...)
	}
	return r
}

// navigate is open without following a redirect.
func (b *webBrowser) navigate(path string, headers ...string) answer {
	b.t.Helper()
	return b.send(http.MethodGet, path, "", append([]string{"Accept", "text/html,*/*;q=0.8", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest",
		"document", "Sec-Fetch-Site", "none"}, headers...))
}

// submit sends the form of an action that stands on a page.
func (b *webBrowser) submit(action, page string, fields url.Values, headers ...string) answer {
	b.t.Helper()
	form := url.Values{"page": {page}}
	maps.Copy(form, fields)
	return b.send(http.MethodPost, "/do/"+action, form.Encode(), append([]string{
		"Accept", "text/html", "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Site", "same-origin",
		"Referer", b.base + page,
	}, headers...))
}

func (b *webBrowser) send(method, path, body string, headers []string) answer {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.base+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if r.Header.Set(headers[i], headers[i+1]); headers[i+1] == "" {
			r.Header.Del(headers[i])
		}
	}
	response, err := b.client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer{response, string(text)}
}

// isPage reports whether the answer is HTML.
func (r answer) isPage() bool { return strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") }

// between returns the first part of a text between two others.
func between(text, before, after string) string {
	_, rest, _ := strings.Cut(text, before)
	found, _, _ := strings.Cut(rest, after)
	return found
}

// secretInPage finds the secret that a page shows once.
var secretInPage = regexp.MustCompile(`id="secret" value="([^"]+)"`)

// valueOf returns the value of the first field with a name.
func valueOf(t *testing.T, page answer, name string) string {
	t.Helper()
	found := regexp.MustCompile(`name="` + regexp.QuoteMeta(name) + `" value="([^"]*)"`).FindStringSubmatch(page.Body)
	if found == nil {
		t.Fatalf("no field %s", name)
	}
	return found[1]
}
