package browser

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestGroupOfEvent chooses the group of an event in its form, and finds the event on the page of the group.
func TestGroupOfEvent(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	id, page := groupOf(a.As("org"), nil)
	other, _ := groupOf(a.As("other"), apptest.Fields{"name": "Not mine"})
	a.As("org").Post("/groups/"+other+"/membership", nil).Want(http.StatusOK)
	a.As("ann").Post("/groups/"+id+"/membership", nil).Want(http.StatusOK)
	org, ann := signedIn(t, a, "org"), signedIn(t, a, "ann")
	org.open(page).want(t, http.StatusOK, "/events/new?group="+id, "No event is planned.", "not", "Past events")
	org.open("/events/new?group="+id).want(t, http.StatusOK, `<option value="`+id+`" selected>Board games Berlin`, "Members of the group",
		"not", "Not mine")
	signedIn(t, a, "ben").open("/events/new").want(t, http.StatusOK, "not", `name="group_id"`, "Members of the group")
	form := map[string]string{"title": "Chess night", "starts_at": "2026-06-20T19:30", "timezone": "Europe/Berlin", "group_id": other,
		"visibility": "members", "publish": "yes", "key": "first"}
	org.submit("createEvent", "/events/new", asForm(form)).want(t, http.StatusUnprocessableEntity, `name="group_id"`)
	event := a.As("org").Get("/me/events?role=draft").Text("items.0.event.id")
	form["group_id"], form["event_id"] = id, event
	org.step("updateEvent", "/events/"+event+"/edit", form)

	address := pageOf(a.As("org"), event)
	for name, b := range map[string]*webBrowser{"": visitor(t, a), "ben": signedIn(t, a, "ben")} {
		b.open(page).want(t, http.StatusOK, "not", "Chess night")
		if b.open(address).want(t, http.StatusNotFound, "not", "Chess"); t.Failed() {
			t.Fatalf("%q sees an event for members", name)
		}
	}
	ann.open(page).want(t, http.StatusOK, "Chess night", "Coming events")
	ann.open(address).want(t, http.StatusOK, "Members only", `href="`+page+`"`, "noindex", "Join", "not", `"og:`)
	ann.step("joinEvent", address, map[string]string{"event_id": event})
	ann.open("/events/"+event+"/share").want(t, http.StatusOK, "Only for members of the group.", "not", "/embed/events")
	ann.open("/my").want(t, http.StatusOK, "Chess night")
	org.open("/events/"+event+"/edit").want(t, http.StatusOK, `<option value="`+id+`" selected>`)
	org.submit("updateEvent", "/events/"+event+"/edit", asForm(map[string]string{"event_id": event, "group_id": ""})).want(t,
		http.StatusUnprocessableEntity, "An event for members needs a group.")

	public := a.As("org").Publish(apptest.Fields{"title": "Open evening", "group_id": id})
	visitor(t, a).open("/?q=open").want(t, http.StatusOK, `href="`+page+`"`, "Board games Berlin")
	visitor(t, a).open(page).want(t, http.StatusOK, "Open evening", "/groups/"+id+"/events.atom", "/groups/"+id+"/events.ics",
		"group_id="+id)
	org.step("updateEvent", "/events/"+public+"/edit", map[string]string{"event_id": public, "group_id": ""})
	visitor(t, a).open(page).want(t, http.StatusOK, "not", "Open evening")
	public = a.As("org").Publish(apptest.Fields{"title": "Open evening", "group_id": id})
	a.As("org").Post("/events/"+public+"/cancel", nil).Want(http.StatusOK)
	visitor(t, a).open(page).want(t, http.StatusOK, "Open evening", "Canceled")
}

// TestGroupElsewhere shows groups as other sites do: in frames, by oEmbed and in the sitemap.
func TestGroupElsewhere(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	org := a.As("org")
	id, page := groupOf(org, nil)
	private, privatePage := groupOf(org, apptest.Fields{"name": "Secret society", "visibility": "private"})
	event := pageOf(org, org.Publish(apptest.Fields{"title": "Open evening", "group_id": id}))
	other := pageOf(org, org.Publish(apptest.Fields{"title": "Elsewhere"}))
	secret := pageOf(org, org.Publish(apptest.Fields{"title": "Hidden rite", "group_id": private, "visibility": "members"}))
	address := func(page string) string { return "/oembed?" + url.Values{"url": {origin + page}}.Encode() }
	for _, c := range []struct {
		name, path string
		status     int
		want       []string // then "not", and what must be absent
	}{
		{"a frame", "/embed/events?group_id=" + id, 200, []string{event, `href="` + page + `"`, "not", other, secret}},
		{"a frame of a private group", "/embed/events?group_id=" + private, 404, []string{"not", "Secret", secret}},
		{"oEmbed", address(page), 200, []string{`"title":"Board games Berlin"`, "group_id=" + id}},
		{"oEmbed by id", address("/groups/" + id), 200, []string{"group_id=" + id}},
		{"oEmbed of a private group", address(privatePage), 404, []string{"not", "Secret"}},
		{"the sitemap of groups", "/sitemap-groups.xml", 200, []string{origin + page, "not", privatePage, secret}},
		{"a feed of a private group", "/groups/" + private + "/events.atom", 404, []string{"not", "Secret", secret}},
	} {
		t.Run(c.name, func(t *testing.T) { signedIn(t, a, "org").open(c.path).want(t, c.status, c.want...) })
	}
}

// TestAnnounceToGroup writes to the members of a group, who read it in their notifications.
func TestAnnounceToGroup(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	id, page := groupOf(a.As("org"), nil)
	a.As("ann").Post("/groups/"+id+"/membership", nil).Want(http.StatusOK)
	org, ann := signedIn(t, a, "org"), signedIn(t, a, "ann")
	ann.open(page).want(t, http.StatusOK, "not", "announceToGroup")
	org.open(page).want(t, http.StatusOK, "Write to the members")
	org.submit("announceToGroup", page, url.Values{"group_id": {id}, "body": {" "}}).want(t, http.StatusUnprocessableEntity, "Write something")
	news := url.Values{"group_id": {id}, "body": {"The garden\r\nis open."}, "key": {"once"}}
	org.submit("announceToGroup", page, news).want(t, http.StatusOK, "Sent to the members.")
	a.RunJobs()
	if body := ann.open("/notifications").Body; !strings.Contains(body, "The garden") {
		t.Errorf("ann reads %s", body)
	}
	ann.open(page).want(t, http.StatusOK, "News", "The garden", "not", "Earlier news")
	visitor(t, a).open(page).want(t, http.StatusOK, "not", "The garden")
	for i := range 3 {
		a.Clock.Advance(time.Second)
		a.As("org").Post("/groups/"+id+"/announcements", apptest.Fields{"body": fmt.Sprint("Number ", i)}).Want(http.StatusCreated)
	}
	first := ann.open(page)
	first.want(t, http.StatusOK, "Number 2", "Number 0", "Earlier news", "not", "The garden")
	next := strings.ReplaceAll(between(first.Body, `<p class="more"><a class="button" href="`, `"`), "&amp;", "&")
	ann.open(next).want(t, http.StatusOK, "The garden", "not", "Number 2")
	ann.submit("announceToGroup", page, url.Values{"group_id": {id}, "body": {"Me, too."}}).want(t, http.StatusUnprocessableEntity)
}
