package browser

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// want fails unless an answer has a status, some texts, and none of those after "not".
func (r answer) want(t *testing.T, status int, texts ...string) {
	t.Helper()
	if r.StatusCode != status {
		t.Errorf("%s: status %d, want %d", r.Request.URL.Path, r.StatusCode, status)
	}
	absent := false
	for _, text := range texts {
		if text == "not" {
			absent = true
		} else if strings.Contains(r.Body, text) == absent {
			t.Errorf("%s: %q: absent %t", r.Request.URL.Path, text, !absent)
		}
	}
}

// redirects fails unless an action leads to an address.
func (r answer) redirects(t *testing.T, to string) {
	t.Helper()
	if r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != to {
		t.Errorf("%s: %d to %q, want %q", r.Request.URL.Path, r.StatusCode, r.Header.Get("Location"), to)
	}
}

func TestUserPageShowsProfileAndEvents(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		org.Patch("/me/profile", apptest.Fields{"display_name": "Orla <b>", "city": "Berlin", "interests": []string{"chess"}}).Want(http.StatusOK)
		ann.Join(org.Publish(apptest.Fields{"title": "Open board"}))
		incognito := org.Publish(apptest.Fields{"title": "Secret board"})
		ann.Post("/events/"+incognito+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(http.StatusOK)

		page := "/users/" + org.ID().String()
		visitor(t, a).open(page).want(t, http.StatusOK, "Orla &lt;b&gt;", "Berlin", "chess", "Open board", "Secret board", page+"/events.atom",
			"not", "followers", "Block")
		signedIn(t, a, "org").open(page).want(t, http.StatusOK, "Edit my profile", "not", "followUser", "blockUser")
		visitor(t, a).open("/users/"+ann.ID().String()).want(t, http.StatusOK, "Open board", "not", "Secret board")
		signedIn(t, a, "ann").open("/users/"+ann.ID().String()).want(t, http.StatusOK, "Open board", "Secret board")
		visitor(t, a).open("/users/018f3b0a-5c1d-7000-8000-000000000000").want(t, http.StatusNotFound)
	}, settings...)
}

func TestUserPageListsAllEvents(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	org := a.As("org")
	for range 21 {
		org.Publish(nil)
	}
	page := "/users/" + org.ID().String()
	first := visitor(t, a).open(page)
	_, after, more := strings.Cut(first.Body, `?organizes=`)
	cursor, _, _ := strings.Cut(after, "#")
	if !more || strings.Count(first.Body, `class="card"`) != 20 {
		t.Fatalf("%d events, more: %t", strings.Count(first.Body, `class="card"`), more)
	}
	if rest := visitor(t, a).open(page + "?organizes=" + cursor); strings.Count(rest.Body, `class="card"`) != 1 ||
		strings.Contains(rest.Body, "More events") {
		t.Error("the last page has more than the last event")
	}
}

func TestFollowAndBlock(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ben := a.As("ben")
		page, fields := "/users/"+ben.ID().String(), url.Values{"user_id": {ben.ID().String()}}
		visitor(t, a).submit("followUser", page, fields).redirects(t, "/login?"+url.Values{"return_to": {page}}.Encode())

		ann := signedIn(t, a, "ann")
		ann.submit("followUser", page, fields).redirects(t, page)
		ann.open(page).want(t, http.StatusOK, "1 follower", "unfollowUser")
		ann.submit("unfollowUser", page, fields).redirects(t, page)
		ann.open(page).want(t, http.StatusOK, "0 followers", "followUser")
		ben.Follow(a.As("ann"))
		ann.open(page).want(t, http.StatusOK, "Follows you")

		ann.submit("blockUser", page, fields).redirects(t, page)
		ann.open(page).want(t, http.StatusOK, "You block this person", "unblockUser", "not", "followUser")
		signedIn(t, a, "ben").open("/users/"+a.As("ann").ID().String()).want(t, http.StatusNotFound)
		ann.open("/people").want(t, http.StatusOK, "not", page)
		ann.submit("unblockUser", page, fields).redirects(t, page)
		ann.open(page).want(t, http.StatusOK, "followUser")
		ann.submit("followUser", page, url.Values{"user_id": {"x"}}).want(t, http.StatusUnprocessableEntity)
	}, settings...)
}

func TestReportUser(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	ben := a.As("ben").ID().String()
	ann, page := signedIn(t, a, "ann"), "/report?target_type=user&target_id="+ben
	fields := url.Values{"target_type": {"user"}, "target_id": {ben}, "reason": {"other"}}
	ann.submit("createReport", page, fields).want(t, http.StatusUnprocessableEntity, `aria-invalid="true"`, "in at most 2000 characters")
	fields.Set("comment", "Sells tickets that do not exist")
	ann.submit("createReport", page, fields).want(t, http.StatusOK, "The moderators will look at it")
}

func TestPeople(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for actor, fields := range map[string]apptest.Fields{
			"orjan": {"display_name": "Ørjan Ås", "city": "Oslo"}, "berg": {"display_name": "Anna Berg", "city": "Berlin"}, "fjell": {"display_name": "Anna Fjell", "city": "Oslo"},
		} {
			a.As(actor).Patch("/me/profile", fields).Want(http.StatusOK)
		}
		b := visitor(t, a)
		b.open("/people").want(t, http.StatusOK, "Ørjan Ås", "Anna Berg", "Anna Fjell")
		b.open("/people?q=ann").want(t, http.StatusOK, "Anna Berg", "Anna Fjell", "not", "Ørjan")
		b.open("/people?q=anna&city=OSLO").want(t, http.StatusOK, "Anna Fjell", "not", "Anna Berg")
		b.open("/people?q=nobody").want(t, http.StatusOK, "Nobody found", `value="nobody"`)
		b.open("/people?cursor=x").want(t, http.StatusOK, "check what you have entered")
	}, settings...)
}
