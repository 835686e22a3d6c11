package browser

import (
	"bytes"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// groupOf founds a group and returns its id and the path of its page.
func groupOf(c *apptest.Client, changes apptest.Fields) (id, page string) {
	fields := apptest.Fields{"name": "Board games Berlin", "city": "Berlin", "lat": 52.52, "lng": 13.4, "member_list": "public"}
	maps.Copy(fields, changes)
	group := c.Post("/groups", fields).Want(http.StatusCreated)
	return group.Text("id"), strings.TrimPrefix(group.Text("share_url"), origin)
}

// uploadLast sends a form whose last field is a picture.
func (b *webBrowser) uploadLast(action, page string, fields map[string]string, field, picture string) answer {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("page", page) // a buffer does not fail
	for name, value := range fields {
		_ = form.WriteField(name, value)
	}
	part, err := form.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="` + field + `"; filename="group"`},
		"Content-Type": {"image/png"}})
	if err != nil {
		b.t.Fatal(err)
	}
	_, _ = part.Write([]byte(picture))
	_ = form.Close()
	return b.send(http.MethodPost, "/do/"+action, body.String(), []string{"Accept", "text/html", "Content-Type", form.FormDataContentType(),
		"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Site", "same-origin"})
}

// TestGroupForm founds a group, changes it, moves it to another address and deletes it, without scripts.
func TestGroupForm(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	a.As("other").Post("/groups", apptest.Fields{"name": "Chess club"}).Want(http.StatusCreated)
	org := signedIn(t, a, "org")
	org.open("/events/new").want(t, http.StatusOK, `href="/groups/new"`)
	org.open("/groups/new").want(t, http.StatusOK, "Create the group", "not", `name="slug"`)
	fields := map[string]string{"name": "", "city": "Berlin", "description": "Every\r\nThursday.", "visibility": "public",
		"join_policy": "open", "member_list": "members", "key": "first"}
	org.submit("createGroup", "/groups/new", asForm(fields)).want(t, http.StatusUnprocessableEntity, "Enter a name of one line",
		`value="Berlin"`)
	fields["name"] = "Board games"
	org.uploadLast("createGroup", "/groups/new", fields, "image", "no picture").want(t, http.StatusUnprocessableEntity,
		"This type of file does not work.", `action="/do/updateGroup"`, `value="Board games"`, `name="slug"`)
	group := a.As("org").Get("/me/groups").Want(http.StatusOK)
	if group.Len("items") != 1 || group.Text("items.0.slug") != "board-games" || group.Text("items.0.description") != "Every\nThursday." ||
		group.Get("items.0.lat") == nil {
		t.Fatalf("the group is %s", group.Body)
	}
	id := group.Text("items.0.id")
	edit := "/groups/" + id + "/edit"
	maps.Copy(fields, map[string]string{"group_id": id, "slug": "chess-club", "city": "", "visibility": "private"})
	org.submit("updateGroup", edit, asForm(fields)).want(t, http.StatusUnprocessableEntity, "No other group may have this address.")
	fields["slug"] = "go-club"
	org.uploadLast("updateGroup", edit, fields, "image", apptest.Pixel).redirects(t, edit+"?saved=yes")
	org.open(edit+"?saved=yes").want(t, http.StatusOK, "Saved", "Private", "Remove the picture", `value="go-club"`)
	if to := org.navigate("/g/board-games").Header.Get("Location"); to != "/g/go-club" {
		t.Errorf("the earlier address leads to %q", to)
	}
	if g := a.As("org").Get("/groups/" + id); g.Get("lat") != nil || g.Get("city") != nil || g.Get("image_url") == nil {
		t.Errorf("the group is %s", g.Body)
	}
	org.submit("deleteGroupImage", edit, url.Values{"group_id": {id}}).redirects(t, edit)
	org.open(edit).want(t, http.StatusOK, "Yes, delete the group", "not", "Remove the picture")
	org.submit("deleteGroup", edit, url.Values{"group_id": {id}}).redirects(t, "/my/groups")
	org.open("/g/go-club").want(t, http.StatusNotFound)
	signedIn(t, a, "ann").open(edit).want(t, http.StatusNotFound)
	visitor(t, a).open("/groups/new").redirects(t, "/login?return_to=%2Fgroups%2Fnew")
}

// TestGroupPage opens the page of a group as people with different memberships.
func TestGroupPage(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	org := a.As("org")
	open, openPage := groupOf(org, apptest.Fields{"description": "Every Thursday."})
	ask, askPage := groupOf(org, apptest.Fields{"join_policy": "approval", "member_list": "members"})
	closed, closedPage := groupOf(org, apptest.Fields{"join_policy": "invitation", "member_list": "hosts"})
	private, privatePage := groupOf(org, apptest.Fields{"name": "Secret society", "visibility": "private"})
	for _, id := range []string{open, ask} {
		a.As("member").Post("/groups/"+id+"/membership", apptest.Fields{"visibility": "incognito"}).Want(http.StatusOK)
	}
	for _, id := range []string{closed, private} {
		org.Post("/groups/"+id+"/invitations", apptest.Fields{"user_id": a.As("invited").UserID}).Want(http.StatusOK)
	}
	a.As("banned").Post("/groups/"+open+"/membership", nil).Want(http.StatusOK)
	org.Patch("/groups/"+open+"/members/"+a.As("banned").UserID, apptest.Fields{"status": "banned"}).Want(http.StatusOK)
	for _, c := range []struct {
		name, page, who string // who "": anonymous
		status          int
		want            []string // then "not", and what must be absent
	}{
		{"a visitor", openPage, "", 200, []string{"Every Thursday.", "Berlin", "2 members", "Everybody may join",
			`href="/login?return_to=` + url.QueryEscape(openPage), `rel="canonical" href="` + origin + openPage, `"@type":"Organization"`,
			"/groups/" + open + "/members", "Report this group", "not", "/do/joinGroup", "/edit"}},
		{"a user", openPage, "ann", 200, []string{"/do/joinGroup", "Join the group", "not", "You are a member"}},
		{"an incognito member", openPage, "member", 200, []string{"You are a member, incognito.", "Show me in the list", "Leave the group"}},
		{"a banned user", openPage, "banned", 200, []string{"You are no longer in this group.", "not", "/do/joinGroup"}},
		{"the owner", openPage, "org", 200, []string{"This group is yours.", "/groups/" + open + "/edit", "not", "Leave the group",
			"Report this group"}},
		{"a user who must ask", askPage, "ann", 200, []string{"Ask to join", "not", "/members"}},
		{"a user who has asked", askPage, "member", 200, []string{"You asked to join.", "Withdraw the request", "not", "/members"}},
		{"an uninvited user", closedPage, "ann", 200, []string{"Only invited people may join", "not", "/do/joinGroup"}},
		{"an invited user", closedPage, "invited", 200, []string{"You are invited to this group.", "Accept the invitation", "Decline"}},
		{"a private group", privatePage, "ann", 404, []string{"not", "Secret"}},
		{"a private group, signed out", privatePage, "", 404, []string{"Sign in", "not", "Secret"}},
		{"a private group, invited", privatePage, "invited", 200, []string{"Secret society", "noindex", "not", `"og:`, "ld+json"}},
		{"an unknown address", "/g/nothing", "", 404, nil},
		{"a long address", "/g/" + strings.Repeat("x", 70), "", 404, nil},
		{"the share page", "/groups/" + open + "/share", "", 200, []string{origin + openPage, `class="qr"`, "mailto:?"}},
		{"the share page of a private group", "/groups/" + private + "/share", "", 404, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := visitor(t, a)
			if c.who != "" {
				b = signedIn(t, a, c.who)
			}
			b.open(c.page).want(t, c.status, c.want...)
		})
	}
	if r := visitor(t, a).open("/groups/"+open, "Accept", "*/*", "Sec-Fetch-Mode", ""); r.isPage() {
		t.Error("programs get a page at the address of the operation")
	}
}

// TestGroupMembership joins, asks, hides, withdraws and leaves by the forms of the page.
func TestGroupMembership(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	id, page := groupOf(a.As("org"), nil)
	ann := signedIn(t, a, "ann")
	do := func(action, field, value, want string) {
		t.Helper()
		fields := map[string]string{"group_id": id}
		if field != "" {
			fields[field] = value
		}
		if to := ann.step(action, page, fields); to != page {
			t.Errorf("%s leads to %q", action, to)
		}
		ann.open(page).want(t, http.StatusOK, want)
	}
	do("joinGroup", "visibility", "public", "You are a member.")
	do("joinGroup", "visibility", "incognito", "You are a member, incognito.")
	do("leaveGroup", "", "", "Join the group")
	do("leaveGroup", "", "", "Join the group")
	a.As("org").Patch("/groups/"+id, apptest.Fields{"join_policy": "approval"}).Want(http.StatusOK)
	do("joinGroup", "", "", "You asked to join.")
	do("leaveGroup", "", "", "Ask to join")
	a.As("org").Patch("/groups/"+id, apptest.Fields{"join_policy": "invitation"}).Want(http.StatusOK)
	ann.submit("joinGroup", page, url.Values{"group_id": {id}}).want(t, http.StatusUnprocessableEntity, "Only invited people may join")
	visitor(t, a).submit("joinGroup", page, url.Values{"group_id": {id}}).redirects(t, "/login?return_to="+url.QueryEscape(page))
}

// TestGroupMembersPage invites, approves, promotes, bans and removes members, and hands the group over, without scripts.
func TestGroupMembersPage(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	id, page := groupOf(a.As("org"), apptest.Fields{"join_policy": "approval", "member_list": "members"})
	members := "/groups/" + id + "/members"
	org, ann := signedIn(t, a, "org"), signedIn(t, a, "ann")
	a.As("ben").Post("/groups/"+id+"/membership", nil).Want(http.StatusOK)
	decide := func(action, name, field, value string, want ...string) {
		t.Helper()
		fields := map[string]string{"group_id": id, "user_id": a.As(name).UserID}
		if field != "" {
			fields[field] = value
		}
		if to := org.step(action, members, fields); to != members+"#members" {
			t.Errorf("%s leads to %q", action, to)
		}
		org.open(members).want(t, http.StatusOK, want...)
	}
	org.open(members).want(t, http.StatusOK, "Requests to join", "Approve", personOf(a.As("ben")))
	ann.open(members).redirects(t, page)
	org.submit("inviteToGroup", members, url.Values{"group_id": {id}, "username": {"nobody_there"}}).want(t, http.StatusUnprocessableEntity,
		"Nobody here has this address")
	name := "@" + a.As("ann").Get("/me").Text("profile.username")
	org.submit("inviteToGroup", members, url.Values{"group_id": {id}, "username": {name}}).redirects(t, members+"?status=invited#members")
	org.open(members+"?status=invited").want(t, http.StatusOK, personOf(a.As("ann")), "Take back")
	ann.open("/my/groups").want(t, http.StatusOK, "Board games Berlin", "Invited")
	ann.step("joinGroup", page, map[string]string{"group_id": id})

	decide("updateGroupMember", "ben", "status", "active", "3 members", "not", "Requests to join")
	decide("updateGroupMember", "ben", "role", "host", "Host", "Hand the group over", "End hosting")
	ann.open(members).want(t, http.StatusOK, personOf(a.As("ben")), "not", "GroupMember", "inviteToGroup", "status=banned")
	ben := signedIn(t, a, "ben")
	ben.open(members).want(t, http.StatusOK, "status=banned", "Ban", "not", "/do/transferGroup", "Make a host")
	ben.open("/groups/"+id+"/edit").want(t, http.StatusOK, `name="join_policy"`, "not", `name="slug"`, `name="visibility"`, "deleteGroup")
	decide("updateGroupMember", "ann", "status", "banned", "2 members", "not", personOf(a.As("ann")))
	org.open(members+"?status=banned").want(t, http.StatusOK, personOf(a.As("ann")), "Lift the ban")
	decide("removeGroupMember", "ann", "", "", "2 members")
	decide("transferGroup", "ben", "", "", "Owner", "not", "/do/transferGroup")
	ben.open(page).want(t, http.StatusOK, "This group is yours.")
}

// TestGroupsAreFound searches for groups by words and place.
func TestGroupsAreFound(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	org := a.As("org")
	_, games := groupOf(org, nil)
	_, choir := groupOf(org, apptest.Fields{"name": "Choir", "city": "Munich", "lat": 48.14, "lng": 11.58})
	_, unplaced := groupOf(org, apptest.Fields{"name": "Rowing", "city": "Lübars", "lat": nil, "lng": nil})
	_, private := groupOf(org, apptest.Fields{"name": "Secret games", "visibility": "private"})
	for _, c := range []struct {
		name, query string
		want        []string // then "not", and what must be absent
	}{
		{"all", "", []string{games, choir, unplaced, "New group", "not", private}},
		{"by words", "?q=board+game", []string{games, "not", choir, private}},
		{"in a city", "?city=Potsdam&radius_km=50", []string{games, "not", choir}},
		{"near a point", "?lat=48.1&lng=11.6&radius_km=25", []string{choir, "In this area", "not", games}},
		{"in a city without coordinates", "?city=L%C3%BCbars&radius_km=25", []string{unplaced, "not", games}},
		{"nothing", "?q=zebra", []string{"No groups found", "Show all groups", "not", games}},
		{"a wrong filter", "?lat=1", []string{`role="alert"`, "not", games}},
	} {
		t.Run(c.name, func(t *testing.T) { visitor(t, a).open("/groups"+c.query).want(t, http.StatusOK, c.want...) })
	}
	for i := range 24 {
		groupOf(a.As(fmt.Sprint("founder", i%3)), apptest.Fields{"name": fmt.Sprint("Aerobics ", i)}) // groups a day are limited
	}
	first := visitor(t, a).open("/groups")
	first.want(t, http.StatusOK, "More groups", "not", games)
	next := strings.ReplaceAll(between(first.Body, `<p class="more"><a class="button" href="`, `"`), "&amp;", "&")
	visitor(t, a).open(next).want(t, http.StatusOK, games, choir, "not", "Aerobics")
	signedIn(t, a, "org").open("/my/groups").want(t, http.StatusOK, games, private, "Owner")
	signedIn(t, a, "ann").open("/my/groups").want(t, http.StatusOK, "You are in no group yet")
	visitor(t, a).open("/").want(t, http.StatusOK, `href="/groups"`)
	signedIn(t, a, "ann").open("/my").want(t, http.StatusOK, `href="/my/groups"`)
}
