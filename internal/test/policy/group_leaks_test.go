package policy

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"moothall/api"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// secretWord is in every text of the private group of TestPrivateGroupLeaksNothing.
const secretWord = "zanzibar"

// TestPrivateGroupLeaksNothing reads everything that the contract and the feeds have, as users who do not see a private group. Nothing
// names the group, its events and what was written there.
func TestPrivateGroupLeaksNothing(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner, member, banned, requested, outsider := a.As("owner"), a.As("member"), a.As("banned"), a.As("requested"), a.As("outsider")
		outsider.Follow(owner)
		outsider.Follow(member)
		r := owner.Post("/groups", apptest.Fields{"name": "Zanzibar", "description": "Zanzibar", "city": "Zanzibar", "lat": 52.5, "lng": 13.4,
			"join_policy": "approval", "member_list": "public"}).Want(201)
		id := r.Text("id")
		group := "/groups/" + id
		for _, c := range []*apptest.Client{member, banned} {
			c.Post(group+"/membership", nil).Want(200)
			owner.Patch(group+"/members/"+c.UserID, apptest.Fields{"status": "active"}).Want(200)
		}
		owner.Patch(group+"/members/"+banned.UserID, apptest.Fields{"status": "banned"}).Want(200)
		requested.Post(group+"/membership", nil).Want(200)
		early := owner.Publish(apptest.Fields{"title": "Tea", "group_id": id})
		owner.Patch(group, apptest.Fields{"visibility": "private"}).Want(200)
		event := owner.Publish(apptest.Fields{"title": "Zanzibar", "category": "Zanzibar", "city": "Zanzibar", "visibility": "members",
			"group_id": id})
		member.Post("/events/"+event+"/join", nil).Want(200)
		owner.Post("/events/"+event+"/posts", apptest.Fields{"body": "Zanzibar"}).Want(201)
		member.Post("/events/"+event+"/messages", apptest.Fields{"body": "Zanzibar"}).Want(201)
		owner.Post(group+"/announcements", apptest.Fields{"body": "Zanzibar"}).Want(201)
		if body := strings.ToLower(string(member.Get(group + "/events").Want(200).Body)); !strings.Contains(body, secretWord) {
			t.Fatalf("a member reads %s", body)
		}
		paths := append(everyGet(t, strings.NewReplacer("{group_id}", id, "{event_id}", event, "{user_id}", owner.UserID)),
			"/groups?slug=zanzibar", "/groups?q=zanzibar", "/groups?city=zanzibar", "/groups?lat=52.5&lng=13.4&radius_km=5",
			"/events?q=zanzibar", "/events?city=zanzibar", "/events?group_id="+id, "/events?organizer_id="+owner.UserID,
			"/events?participant_user_id="+member.UserID, "/events/map?bbox=-180,-90,180,90", "/events/"+early,
			"/events/posts?event_id="+event,
			"/sitemap.xml", "/sitemap-groups.xml", "/feeds/events.atom", "/feeds/events.ics", group+"/events.atom", group+"/events.ics",
			"/users/"+owner.UserID+"/events.atom")
		for name, c := range map[string]*apptest.Client{"outsider": outsider, "banned": banned, "requested": requested,
			"anonymous": a.Anonymous()} {
			for _, path := range paths {
				got := c.Do(http.MethodGet, path, nil)
				shown := strings.ReplaceAll(strings.ToLower(string(got.Body)), strings.ToLower(path), "") // a page may repeat its address
				if strings.Contains(shown, secretWord) || got.Status >= 500 {
					t.Errorf("%s as %s: %d %s", path, name, got.Status, got.Body)
				}
				if strings.HasPrefix(path, "/groups/") && got.Status != 404 && got.Status != 401 {
					t.Errorf("%s as %s: %d", path, name, got.Status)
				}
			}
		}
	}, apptest.StartAt(apptest.Today))
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

// TestHiddenGroupCostsWhatMissingOneCosts compares the statements of requests to a private group with those to no group.
func TestHiddenGroupCostsWhatMissingOneCosts(t *testing.T) {
	var mu sync.Mutex
	var ran []string
	record := func(_ context.Context, s *db.Stmt) {
		mu.Lock()
		defer mu.Unlock()
		ran = append(ran, fmt.Sprint(s))
	}
	statements := func(send func()) string {
		mu.Lock()
		ran = nil
		mu.Unlock()
		send()
		mu.Lock()
		defer mu.Unlock()
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
			{"GET", "", nil}, {"GET", "/members", nil}, {"GET", "/events", nil}, {"PATCH", "", apptest.Fields{"name": "Mine"}},
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
	}, apptest.StartAt(apptest.Today), apptest.OnStatement(record))
}
