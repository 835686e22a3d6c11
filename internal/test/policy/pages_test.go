package policy

import (
	"io"
	"iter"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/test/apptest"
)

// readPage is a page of an event.
type readPage struct {
	operation, path, secret string
	part                    bool // anonymous visitors get the page, but without the secret
}

// readPages are the pages of an event by the operation whose result they show. A secret stands only on pages of
// those who may call it.
var readPages = []readPage{
	{operation: "getEvent", path: "/events/{event}", secret: "Tea"},
	{operation: "getEventByCode", path: "/e/tea-{code}", secret: "Tea"},
	{operation: "getInviteLink", path: "/i/{token}", secret: "Tea"},
	{operation: "listEventPosts", path: "/events/{event}", secret: "News."},
	{operation: "listEventReviews", path: "/events/{event}", secret: "Splendid.", part: true},
	{operation: "listPostComments", path: "/events/{event}/posts/{post}/comments", secret: "Well."},
	{operation: "listChatMessages", path: "/events/{event}/chat", secret: "Samovar."},
	{operation: "listParticipants", path: "/events/{event}/guests", secret: "<h1>Guests</h1>"},
}

// accountPages are the pages of other things by their operation.
var accountPages = map[string]string{
	"getProfile":           "/users/{organizer}",
	"getProfileByUsername": "/p/{organizer_name}",
	"getCalendarInvite":    "/calendar/invites/{invite}",
	"getWebhook":           "/settings/webhooks/{webhook}",
	"getEventSeries":       "/event-series/{series}",
	"listSeriesDates":      "/event-series/{series}/split",
	"getGroup":             "/groups/{group}",
	"listGroupMembers":     "/groups/{group}/members",
	"listGroups":           "/groups",
	"listMyGroups":         "/my/groups",
	"listReports":          "/moderation",
	"listMyReposts":        "/me/reposts",
	"listMyEvents":         "/my",
	"listMyChats":          "/chats",
	"listApiKeys":          "/settings/keys",
}

// TestPagesShowNoMoreThanOperations opens the pages of an event as every actor, in every state and visibility of
// the event, and the other pages as every actor. A page is refused if its operation is, and then has nothing of
// the event.
func TestPagesShowNoMoreThanOperations(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		w := newWorld(t, a)
		things := w.things()
		for _, o := range accountOperations {
			for _, who := range actors {
				if path, ok := accountPages[o.name]; ok {
					got := w.open(who, things.Replace(path))
					if problem := got.exceeds(o.want(visitorOf(who)), ""); problem != "" {
						t.Errorf("%s as %s: %d %s: %s", path, who, got.status, got.to, problem)
					}
				}
			}
		}
		cases, shown := pageCases(), map[string]bool{}
		w.make(cases)
		w.fill("messages", []string{"event_id", "created_at", "id", "author_id", "body"}, messages(w, cases))
		w.fill("reviews", []string{"event_id", "author_id", "id", "rating", "body", "created_at", "updated_at"}, reviewsOf(w, cases))
		for _, c := range cases {
			page := readPages[slices.IndexFunc(readPages, func(p readPage) bool { return p.operation == c.name })]
			names := strings.NewReplacer("{event}", c.event.String(), "{code}", codeOf(c.event), "{post}", c.post.String(), "{token}",
				tokenOf(c.link))
			got := w.open(c.actor, names.Replace(page.path))
			as := c.situation
			as.actor = visitorOf(c.actor)
			want := c.want(as)
			if page.part && want == http.StatusUnauthorized && !got.has(page.secret) {
				continue
			}
			if problem := got.exceeds(want, page.secret); problem != "" {
				t.Errorf("%s of a %s %s event as %s: %d %s: %s", page.path, c.state, c.visibility, c.actor, got.status, got.to, problem)
			}
			shown[page.secret] = shown[page.secret] || got.has(page.secret)
		}
		for secret, ok := range shown {
			if !ok {
				t.Errorf("no page has %q", secret)
			}
		}
		t.Logf("%d pages", len(cases))
	}, settings()...)
}

// visitorOf is how pages treat an actor: the session of a suspended user has ended.
func visitorOf(who actor) actor {
	if who == suspended {
		return anonymous
	}
	return who
}

// pageCases are the cases of readPages.
func pageCases() []permissionCase {
	var cases []permissionCase
	for _, c := range allCases() {
		if slices.ContainsFunc(readPages, func(p readPage) bool { return p.operation == c.name }) {
			cases = append(cases, c)
		}
	}
	return cases
}

func messages(w *world, cases []permissionCase) iter.Seq[[]any] {
	return rows(cases, func(_ int, c permissionCase) []any {
		return []any{c.event, today, domain.NewID[domain.MessageKind](today), w.ids[organizer], "Samovar."}
	})
}

func reviewsOf(w *world, cases []permissionCase) iter.Seq[[]any] {
	return rows(cases, func(_ int, c permissionCase) []any {
		return []any{c.event, w.ids[organizer], domain.NewID[domain.ReviewKind](today), 5, "Splendid.", today, today}
	})
}

// pageReply is a page as a browser gets it.
type pageReply struct {
	status   int
	to, body string // to is where a redirect leads
}

// has reports whether a word stands on the page.
func (r pageReply) has(word string) bool {
	if word == "" || !strings.Contains(r.body, word) { // fast
		return false
	}
	return regexp.MustCompile(`(^|\W)` + regexp.QuoteMeta(word) + `(\W|$)`).MatchString(r.body)
}

// open navigates to a page. It follows a redirect to the address that people share.
func (w *world) open(who actor, path string) pageReply {
	w.t.Helper()
	session := ""
	if who != anonymous {
		session = w.clients[who].RefreshToken
	}
	r := openPage(w.t, w.app, session, path)
	if r.status == http.StatusFound && r.body == "" {
		return w.open(who, r.to)
	}
	return r
}

// openPage navigates to a page with the refresh token of a session, or without one.
func openPage(t *testing.T, a *apptest.App, session, path string) pageReply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.URL()+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Sec-Fetch-Mode", "navigate")
	if session != "" {
		r.AddCookie(&http.Cookie{Name: apptest.RefreshCookie, Value: session})
		r.AddCookie(&http.Cookie{Name: "retry", Value: "1"}) // a session that has ended has ended
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return pageReply{response.StatusCode, response.Header.Get("Location"), string(body)}
}

// exceeds says what is wrong with a page whose operation answers with a status, or "". secret may be empty.
func (r pageReply) exceeds(status int, secret string) string {
	switch {
	case status == http.StatusOK && r.status != http.StatusOK:
		return "the operation answers"
	case status != http.StatusOK && r.has(secret):
		return "the page has " + secret
	case status == http.StatusUnauthorized && !(r.status == http.StatusSeeOther && strings.HasPrefix(r.to, "/login?")):
		return "the operation wants a session"
	case status == http.StatusForbidden && r.status != http.StatusForbidden && r.status != http.StatusSeeOther:
		return "the operation is forbidden"
	case status == http.StatusNotFound && r.status != http.StatusNotFound:
		return "the operation finds nothing"
	}
	return ""
}
