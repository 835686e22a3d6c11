package policy

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/api"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/smtp"
	"moothall/internal/test/apptest"
	"moothall/internal/web"
)

// secretWord is in every text of the private group of TestPrivateGroupLeaksNothing.
const secretWord = "zanzibar"

// privateGroup is a private group in which much was written, and the users who do not see it.
type privateGroup struct {
	t               *testing.T
	app             *apptest.App
	owner, member   *apptest.Client
	others          map[string]*apptest.Client
	sockets         map[string]*apptest.Socket
	id, event, code string
	origin          string // of addresses of pages
}

// newPrivateGroup founds a group that becomes private, and renames it. The sockets of the others are open while people write in it. Then
// one of its members leaves.
func newPrivateGroup(t *testing.T, a *apptest.App) *privateGroup {
	t.Helper()
	p := &privateGroup{t: t, app: a, owner: a.As("owner"), member: a.As("member"), sockets: map[string]*apptest.Socket{},
		others: map[string]*apptest.Client{"anonymous": a.Anonymous()}}
	for _, name := range []string{"outsider", "banned", "requested", "former"} {
		p.others[name] = a.As(name)
		p.others[name].Follow(p.owner)
		p.others[name].Follow(p.member)
	}
	p.id = p.owner.Post("/groups", apptest.Fields{"name": "Zanzibar", "description": "Zanzibar", "city": "Zanzibar", "lat": 52.5, "lng": 13.4,
		"join_policy": "approval", "member_list": "public"}).Want(201).Text("id")
	group := "/groups/" + p.id
	for _, c := range []*apptest.Client{p.member, p.others["banned"], p.others["former"]} {
		c.Post(group+"/membership", nil).Want(200)
		p.owner.Patch(group+"/members/"+c.UserID, apptest.Fields{"status": "active"}).Want(200)
	}
	p.owner.Patch(group+"/members/"+p.others["banned"].UserID, apptest.Fields{"status": "banned"}).Want(200)
	p.others["requested"].Post(group+"/membership", nil).Want(200)
	p.owner.Patch(group, apptest.Fields{"visibility": "private", "slug": "zanzibar-club"}).Want(200)
	p.event = p.owner.Publish(apptest.Fields{"title": "Zanzibar", "category": "Zanzibar", "city": "Zanzibar", "visibility": "members",
		"group_id": p.id})
	p.listen()
	p.member.Post("/events/"+p.event+"/join", nil).Want(200)
	p.owner.Post("/events/"+p.event+"/posts", apptest.Fields{"body": "Zanzibar"}).Want(201)
	p.member.Post("/events/"+p.event+"/messages", apptest.Fields{"body": "Zanzibar"}).Want(201)
	p.owner.Post(group+"/announcements", apptest.Fields{"body": "Zanzibar"}).Want(201)
	p.owner.Patch("/events/"+p.event, apptest.Fields{"location_text": "Zanzibar"}).Want(200)
	page := p.owner.Get("/events/" + p.event).Want(200).Text("event.share_url")
	p.origin, p.code, _ = strings.Cut(page, "/e/")
	p.others["former"].Delete(group + "/membership").Want(204)
	return p
}

// listen opens sockets that ask for everything about the event.
func (p *privateGroup) listen() {
	for name, c := range p.others {
		if name == "anonymous" || name == "former" {
			continue
		}
		s := c.Socket("/realtime")
		for _, topic := range []string{"event:" + p.event, "chat:" + p.event, "me"} {
			s.Send(apptest.Fields{"op": "subscribe", "topic": topic})
		}
		for range 2 {
			if f := s.Want("subscribed", "error"); f.Text("op") != "error" || f.Text("error") != "not_found" {
				p.t.Errorf("%s subscribes: %s", name, f.Body)
			}
		}
		s.Want("counts")
		p.sockets[name] = s
	}
}

// namesGroup reports whether a text that was shown at an address has the word. A page may repeat its address.
func namesGroup(shown, address string) bool {
	shown = strings.ToLower(shown)
	for _, written := range []string{address, url.QueryEscape(address), html.EscapeString(address)} {
		shown = strings.ReplaceAll(shown, strings.ToLower(written), "")
	}
	return strings.Contains(shown, secretWord)
}

// TestPrivateGroupLeaksNothing reads everything that the contract, the pages, the feeds, sockets and mails have, as users who do not see a
// private group. Nothing names the group, its events and what was written there.
func TestPrivateGroupLeaksNothing(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		p := newPrivateGroup(t, a)
		if body := string(p.member.Get("/groups/" + p.id + "/events").Want(200).Body); !namesGroup(body, "/") {
			t.Fatalf("a member reads %s", body)
		}
		p.readSockets()
		p.readOperations()
		p.readPages()
		p.readMails()
	}, apptest.StartAt(apptest.Today), apptest.Setting("NOTIFICATIONS", "mail"))
}

// readSockets reads all frames up to a notification of something else. Nothing that happened in the group has sent one.
func (p *privateGroup) readSockets() {
	p.t.Helper()
	p.app.Clock.Advance(time.Second)
	for name, s := range p.sockets {
		p.owner.Follow(p.others[name])
		for f := s.Next(); f.Text("op") != "notification" || f.Text("notification.kind") != "user_followed"; f = s.Next() {
			p.t.Errorf("the socket of %s: %s", name, f.Body)
		}
	}
}

func (p *privateGroup) readOperations() {
	p.t.Helper()
	group := "/groups/" + p.id
	paths := append(everyGet(p.t, strings.NewReplacer("{group_id}", p.id, "{event_id}", p.event, "{user_id}", p.owner.UserID)),
		"/groups?slug=zanzibar", "/groups?slug=zanzibar-club", "/groups?q=zanzibar", "/groups?city=zanzibar",
		"/groups?lat=52.5&lng=13.4&radius_km=5",
		"/events?q=zanzibar", "/events?city=zanzibar", "/events?group_id="+p.id, "/events?organizer_id="+p.owner.UserID,
		"/events?participant_user_id="+p.member.UserID, "/events/map?bbox=-180,-90,180,90",
		"/events/posts?event_id="+p.event, "/events/by-code/"+p.code,
		"/sitemap.xml", "/sitemap-groups.xml", "/feeds/events.atom", "/feeds/events.ics", group+"/events.atom", group+"/events.ics",
		"/users/"+p.owner.UserID+"/events.atom")
	for name, c := range p.others {
		for _, path := range paths {
			got := c.Do(http.MethodGet, path, nil)
			if namesGroup(string(got.Body), path) || got.Status >= 500 {
				p.t.Errorf("%s as %s: %d %s", path, name, got.Status, got.Body)
			}
			if strings.HasPrefix(path, "/groups/") && got.Status != 404 && got.Status != 401 {
				p.t.Errorf("%s as %s: %d", path, name, got.Status)
			}
		}
	}
}

// readPages reads all pages, what other sites show of them, and pictures. A hidden page looks like a missing one, and leads nowhere.
func (p *privateGroup) readPages() {
	p.t.Helper()
	ids := strings.NewReplacer("{group_id}", p.id, "{event_id}", p.event, "{user_id}", p.owner.UserID, "{slug}", "zanzibar-club",
		"{address}", p.code, "{username}", p.owner.Get("/me").Want(200).Text("profile.username"))
	var paths []string
	for _, pattern := range web.Patterns() {
		if path := ids.Replace(pattern); !strings.Contains(path, "{") {
			paths = append(paths, path)
		}
	}
	slugs := []string{"/g/zanzibar", "/g/zanzibar-club"}
	paths = append(paths, "/g/zanzibar", "/groups?q=zanz", "/?q=zanz", "/embed/events?group_id="+p.id, "/embed/events?event_id="+p.event,
		"/cards/"+p.event+".png", "/cards/"+p.event+".svg", "/cards/"+p.id+".png", "/cards/"+p.id+".svg")
	for _, page := range append(slugs, "/groups/"+p.id, "/events/"+p.event, "/e/"+p.code) {
		paths = append(paths, "/oembed?url="+url.QueryEscape(p.origin+page))
	}
	for name, c := range p.others {
		for _, path := range paths {
			got := openPage(p.t, p.app, c.RefreshToken, path)
			if namesGroup(got.body, path) || namesGroup(got.to, path) || got.status >= 500 {
				p.t.Errorf("%s as %s: %d %s %s", path, name, got.status, got.to, got.body)
			}
			if slices.Contains(slugs, path) && got.status != 404 {
				p.t.Errorf("%s as %s: %d", path, name, got.status)
			}
		}
	}
}

// readMails reads the mails of two days, digests included.
func (p *privateGroup) readMails() {
	p.t.Helper()
	for range 2 {
		p.app.RunJobs()
		p.app.Clock.Advance(24 * time.Hour)
	}
	p.app.RunJobs()
	outbox := smtp.Outbox{DB: p.app.DB}
	all, err := outbox.List(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	informed := false
	for _, m := range all {
		if m, err = outbox.Read(p.t.Context(), m.ID); err != nil {
			p.t.Fatal(err)
		}
		named := namesGroup(m.Subject+m.Text+m.HTML, "/")
		if m.To == apptest.Email("member") {
			informed = informed || named
		} else if named && m.To != apptest.Email("owner") {
			p.t.Errorf("a mail to %s: %s %s", m.To, m.Subject, m.Text)
		}
	}
	if !informed {
		p.t.Error("no mail to a member names the group")
	}
}

// everyGet returns the paths of all operations that read, with ids.
func everyGet(t *testing.T, ids *strings.Replacer) (paths []string) {
	t.Helper()
	document, err := api.Document()
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range document.Paths.Map() {
		path = ids.Replace(path)
		other := slices.ContainsFunc([]string{"{", "/realtime", "/auth/", "/ws"}, func(part string) bool { return strings.Contains(path, part) })
		if item.Get != nil && !other {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// TestHiddenGroupCostsWhatMissingOneCosts compares the statements of requests to a private group, and of its pages, with those to no group.
func TestHiddenGroupCostsWhatMissingOneCosts(t *testing.T) {
	var mu sync.Mutex
	var ran []string
	record := func(_ context.Context, s *db.Stmt) {
		mu.Lock()
		defer mu.Unlock()
		ran = append(ran, s.Name())
	}
	statements := func(send func()) string {
		mu.Lock()
		ran = nil
		mu.Unlock()
		send()
		mu.Lock()
		defer mu.Unlock()
		slices.Sort(ran) // pages run some at the same time
		return strings.Join(ran, " ")
	}
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner, outsider := a.As("owner"), a.As("outsider")
		group := owner.Post("/groups", apptest.Fields{"name": "Zanzibar", "visibility": "private"}).Want(201).Text("id")
		missing := domain.NewID[domain.GroupKind](a.Clock.Now()).String()
		for _, row := range []struct {
			method, path string
			body         any
		}{
			{"GET", "", nil}, {"GET", "/members", nil}, {"GET", "/events", nil}, {"GET", "/announcements", nil},
			{"PATCH", "", apptest.Fields{"name": "Mine"}},
			{"POST", "/membership", nil}, {"POST", "/invitations", apptest.Fields{"user_id": outsider.UserID}},
			{"POST", "/announcements", apptest.Fields{"body": "Hi"}}, {"DELETE", "", nil},
		} {
			outsider.Do(row.method, "/groups/"+missing+row.path, row.body) // the first request of an operation may read more
			of := func(id string) string {
				return statements(func() { outsider.Do(row.method, "/groups/"+id+row.path, row.body).WantError(404, "not_found") })
			}
			if hidden, none := of(group), of(missing); hidden != none || none == "" {
				t.Errorf("%s %s: %s, want %s", row.method, row.path, hidden, none)
			}
		}
		page := a.As("owner").Get("/groups/" + group).Want(200).Text("share_url")
		origin, slug, _ := strings.Cut(page, "/g/")
		oEmbed := "/oembed?url=" + origin
		for _, path := range []string{"/g/%s", oEmbed + "/g/%s", "/groups/%s", "/groups/%s/members", "/groups/%s/share", "/groups/%s/edit",
			"/groups/%s/events.atom", "/embed/events?group_id=%s", oEmbed + "/groups/%s"} {
			names := []string{group, missing}
			if strings.Contains(path, "/g/") {
				names = []string{slug, "nothing"}
			}
			openPage(t, a, outsider.RefreshToken, fmt.Sprintf(path, names[1]))
			of := func(name string) string {
				return statements(func() {
					if r := openPage(t, a, outsider.RefreshToken, fmt.Sprintf(path, name)); r.status != 404 {
						t.Errorf("%s: %d", path, r.status)
					}
				})
			}
			if hidden, none := of(names[0]), of(names[1]); hidden != none || none == "" {
				t.Errorf("%s: %s, want %s", path, hidden, none)
			}
		}
	}, apptest.StartAt(apptest.Today), apptest.OnStatement(record))
}
