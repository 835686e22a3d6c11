package meetup_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/test/apptest"
)

// found creates a group of a user and returns its path.
func found(c *apptest.Client, changes apptest.Fields) string {
	body := apptest.Fields{"name": "Chess club"}
	maps.Copy(body, changes)
	return "/groups/" + c.Post("/groups", body).Want(201).Text("id")
}

// newMember makes a user a member of a group of the owner, with a role.
func newMember(owner, c *apptest.Client, group, role string) {
	c.Post(group+"/membership", nil).Want(200)
	if role != "member" {
		owner.Patch(group+"/members/"+c.UserID, apptest.Fields{"role": role}).Want(200)
	}
}

// TestGroupRoles checks which role may do what, with the reasons of refusals.
func TestGroupRoles(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		roles := map[string]*apptest.Client{}
		for _, name := range []string{"owner", "host", "member", "invited", "requested", "banned", "outsider"} {
			roles[name] = a.As(name)
		}
		owner := roles["owner"]
		group := found(owner, nil)
		other := a.As("other")
		newMember(owner, other, group, "host")
		newMember(owner, roles["host"], group, "host")
		newMember(owner, roles["member"], group, "member")
		newMember(owner, roles["banned"], group, "member")
		owner.Patch(group+"/members/"+roles["banned"].UserID, apptest.Fields{"status": "banned"}).Want(200)
		owner.Post(group+"/invitations", apptest.Fields{"user_id": roles["invited"].UserID}).Want(200)
		owner.Patch(group, apptest.Fields{"join_policy": "approval"}).Want(200)
		roles["requested"].Post(group+"/membership", nil).Want(200)
		const mere = "member invited requested banned outsider"
		for _, row := range []struct {
			method, path string
			body         apptest.Fields
			refused      map[domain.Reason]string // reason to roles
		}{
			{"PATCH", "", apptest.Fields{"description": "x"}, map[domain.Reason]string{domain.NotOrganizer: mere}},
			{"PATCH", "", apptest.Fields{"visibility": "private"}, map[domain.Reason]string{domain.NotOrganizer: mere, domain.NotOwner: "host"}},
			{"PATCH", "", apptest.Fields{"slug": "other"}, map[domain.Reason]string{domain.NotOrganizer: mere, domain.NotOwner: "host"}},
			{"DELETE", "", nil, map[domain.Reason]string{domain.NotOrganizer: mere, domain.NotOwner: "host"}},
			{"DELETE", "/image", nil, map[domain.Reason]string{domain.NotOrganizer: mere}},
			{"GET", "/members", nil, map[domain.Reason]string{domain.NotParticipant: "invited requested banned outsider"}},
			{"GET", "/members?status=requested", nil, map[domain.Reason]string{domain.NotOrganizer: mere}},
			{"POST", "/invitations", apptest.Fields{"user_id": other.UserID}, map[domain.Reason]string{domain.NotOrganizer: mere}},
			{"POST", "/transfer", apptest.Fields{"user_id": other.UserID}, map[domain.Reason]string{domain.NotOrganizer: mere,
				domain.NotOwner: "host"}},
			{"PATCH", "/members/" + roles["member"].UserID, apptest.Fields{"role": "host"}, map[domain.Reason]string{
				domain.NotOrganizer: mere, domain.NotOwner: "host"}},
			{"PATCH", "/members/" + other.UserID, apptest.Fields{"status": "banned"}, map[domain.Reason]string{domain.NotOrganizer: mere,
				domain.NotOwner: "host"}},
			{"PATCH", "/members/" + owner.UserID, apptest.Fields{"status": "banned"}, map[domain.Reason]string{domain.NotOrganizer: mere,
				domain.BlockedByState: "host owner"}},
			{"DELETE", "/members/" + owner.UserID, nil, map[domain.Reason]string{domain.NotOrganizer: mere, domain.BlockedByState: "host owner"}},
			{"DELETE", "/membership", nil, map[domain.Reason]string{domain.BlockedByState: "owner"}},
			{"POST", "/membership", nil, map[domain.Reason]string{domain.Removed: "banned"}},
		} {
			for reason, names := range row.refused {
				for name := range strings.FieldsSeq(names) {
					r := roles[name].With("Accept", "application/problem+json").Do(row.method, group+row.path, bodyOrNil(row.body))
					if r.Status != 403 || r.Text("reason") != string(reason) {
						t.Errorf("%s %s as %s: %d %s, want %s", row.method, row.path, name, r.Status, r.Body, reason)
					}
				}
			}
		}
		roles["banned"].Delete(group+"/membership").WantError(404, "not_found")
	}, apptest.StartAt(apptest.Today))
}

func bodyOrNil(f apptest.Fields) any {
	if f == nil {
		return nil
	}
	return f
}

// TestPrivateGroupIsHidden checks that a private group is missing for all but its members and those it has invited.
func TestPrivateGroupIsHidden(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner, member, invited, banned, outsider := a.As("owner"), a.As("member"), a.As("invited"), a.As("banned"), a.As("outsider")
		group := found(owner, apptest.Fields{"city": "Bonn"})
		newMember(owner, member, group, "member")
		newMember(owner, banned, group, "member")
		owner.Patch(group+"/members/"+banned.UserID, apptest.Fields{"status": "banned"}).Want(200)
		owner.Patch(group, apptest.Fields{"visibility": "private"}).Want(200)
		owner.Post(group+"/invitations", apptest.Fields{"user_id": invited.UserID}).Want(200)
		slug := owner.Get(group).Want(200).Text("slug")
		for name, row := range map[string]struct {
			who  *apptest.Client
			sees bool
		}{
			"owner": {owner, true}, "member": {member, true}, "invited": {invited, true}, "banned": {banned, false},
			"outsider": {outsider, false}, "anonymous": {a.Anonymous(), false},
		} {
			missing := row.who.Get("/groups/018f3b0a-5c1d-7000-8000-0000000000f9")
			got := row.who.Get(group)
			if row.sees && got.Status != 200 || !row.sees && (got.Status != 404 || string(got.Body) != string(missing.Body)) {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
			if n := row.who.Get("/groups?slug=" + slug).Want(200).Len("items"); (n == 1) != row.sees {
				t.Errorf("%s finds %d groups by the slug", name, n)
			}
			for _, query := range []string{"", "?q=chess", "?city=bonn"} {
				if n := row.who.Get("/groups" + query).Want(200).Len("items"); n != 0 {
					t.Errorf("%s finds %d groups by %q", name, n, query)
				}
			}
		}
		outsider.Post(group+"/membership", nil).WantError(404, "not_found")
		outsider.Post("/reports", apptest.Fields{"target_type": "group", "target_id": strings.TrimPrefix(group, "/groups/"),
			"reason": "spam"}).WantError(404, "not_found")
		invited.Post(group+"/membership", nil).Want(200)
		member.Block(owner)
		member.Get(group).WantError(404, "not_found")
		if n := owner.Get(group).Want(200).Number("member_count"); n != 2 {
			t.Errorf("%v members after a block", n)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestGroupMembership follows one user through joins, requests, invitations and a ban.
func TestGroupMembership(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		owner, ann := a.As("owner"), a.As("ann")
		group := found(owner, nil)
		path := group + "/members/" + ann.UserID
		policy := func(p string) { owner.Patch(group, apptest.Fields{"join_policy": p}).Want(200) }
		for i, step := range []struct {
			name   string
			do     func() *apptest.Reply
			want   string // status of the membership
			count  float64
			notice string // the newest notification of Ann
		}{
			{"joins", func() *apptest.Reply { return ann.Post(group+"/membership", nil).Want(200) }, "active", 2, ""},
			{"joins again", func() *apptest.Reply { return ann.Post(group+"/membership", nil).Want(200) }, "active", 2, ""},
			{"leaves", func() *apptest.Reply { return ann.Delete(group + "/membership").Want(204) }, "", 1, ""},
			{"asks", func() *apptest.Reply { policy("approval"); return ann.Post(group+"/membership", nil).Want(200) }, "requested", 1, ""},
			{"is approved", func() *apptest.Reply { return owner.Patch(path, apptest.Fields{"status": "active"}).Want(200) }, "active", 2,
				"group_approved"},
			{"is removed", func() *apptest.Reply { return owner.Delete(path).Want(204) }, "", 1, "group_removed"},
			{"asks again", func() *apptest.Reply { return ann.Post(group+"/membership", nil).Want(200) }, "requested", 1, "group_removed"},
			{"is declined", func() *apptest.Reply { return owner.Delete(path).Want(204) }, "", 1, "group_removed"},
			{"may not join", func() *apptest.Reply {
				policy("invitation")
				return ann.Post(group+"/membership", nil).WantError(403, "forbidden")
			}, "", 1, "group_removed"},
			{"is invited", func() *apptest.Reply {
				return owner.Post(group+"/invitations", apptest.Fields{"user_id": ann.UserID}).Want(200)
			}, "invited", 1, "group_invitation"},
			{"declines", func() *apptest.Reply { return ann.Delete(group + "/membership").Want(204) }, "", 1, "group_removed"},
			{"is invited again", func() *apptest.Reply {
				return owner.Post(group+"/invitations", apptest.Fields{"user_id": ann.UserID}).Want(200)
			}, "invited", 1, "group_invitation"},
			{"accepts", func() *apptest.Reply { return ann.Post(group+"/membership", nil).Want(200) }, "active", 2, "group_invitation"},
			{"is banned", func() *apptest.Reply { return owner.Patch(path, apptest.Fields{"status": "banned"}).Want(200) }, "banned", 1,
				"group_removed"},
			{"may not be invited", func() *apptest.Reply {
				return owner.Post(group+"/invitations", apptest.Fields{"user_id": ann.UserID}).WantError(403, "forbidden")
			}, "banned", 1, "group_removed"},
			{"is forgiven", func() *apptest.Reply { return owner.Delete(path).Want(204) }, "", 1, "group_removed"},
			{"may be invited", func() *apptest.Reply {
				return owner.Post(group+"/invitations", apptest.Fields{"user_id": ann.UserID}).Want(200)
			}, "invited", 1, "group_invitation"},
		} {
			a.Clock.Advance(time.Second)
			step.do()
			g := ann.Get(group).Want(200)
			status, _ := g.Get("viewer_status").(string)
			if status != step.want || g.Number("member_count") != step.count {
				t.Errorf("%d, %s: %q, %v members", i, step.name, status, g.Number("member_count"))
			}
			notice := ""
			if r := ann.Get("/notifications").Want(200); r.Len("items") > 0 {
				notice = r.Text("items.0.kind")
			}
			if notice != step.notice {
				t.Errorf("%d, %s: notified of %q, want %q", i, step.name, notice, step.notice)
			}
		}
		if r := owner.Get("/notifications").Want(200); r.Len("items") != 0 {
			t.Errorf("requests that ended are still shown: %s", r.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestGroupRequestsReachHosts checks that the owner and the hosts are notified of a request, and that an invitation approves it.
func TestGroupRequestsReachHosts(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner, host, member, ann := a.As("owner"), a.As("host"), a.As("member"), a.As("ann")
		group := found(owner, nil)
		newMember(owner, host, group, "host")
		newMember(owner, member, group, "member")
		owner.Patch(group, apptest.Fields{"join_policy": "approval"}).Want(200)
		ann.Post(group+"/membership", nil).Want(200)
		for who, want := range map[*apptest.Client]string{owner: "group_requested", host: "group_requested", member: ""} {
			if got := fieldsOf(who.Get("/notifications").Want(200), "items", "kind"); got != want {
				t.Errorf("notified of %q, want %q", got, want)
			}
		}
		if r := host.Get(group + "/members?status=requested").Want(200); fieldsOf(r, "items", "user_id") != ann.UserID {
			t.Errorf("requests: %s", r.Body)
		}
		if r := host.Post(group+"/invitations", apptest.Fields{"user_id": ann.UserID}).Want(200); r.Text("status") != "active" {
			t.Errorf("an invitation of a user who asks: %s", r.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestIncognitoMembersOnlyCount checks that lists name no incognito member, to nobody.
func TestIncognitoMembersOnlyCount(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner, ann, ben := a.As("owner"), a.As("ann"), a.As("ben")
		group := found(owner, apptest.Fields{"member_list": "public"})
		ann.Post(group+"/membership", apptest.Fields{"visibility": "incognito"}).Want(200)
		a.Clock.Advance(time.Second)
		newMember(owner, ben, group, "member")
		for _, who := range []*apptest.Client{owner, ann, ben, a.Anonymous()} {
			if got := fieldsOf(who.Get(group+"/members").Want(200), "items", "user_id"); got != owner.UserID+" "+ben.UserID {
				t.Errorf("the members are %q", got)
			}
			if n := who.Get(group).Want(200).Number("member_count"); n != 3 {
				t.Errorf("%v members", n)
			}
		}
		if r := ann.Get(group).Want(200); r.Text("viewer_visibility") != "incognito" {
			t.Errorf("Ann sees %s", r.Body)
		}
		owner.Patch(group+"/members/"+ann.UserID, apptest.Fields{"role": "host"}).Want(200)
		ann.Post(group+"/membership", apptest.Fields{"visibility": "incognito"}).Want(200)
		if n := owner.Get(group + "/members").Want(200).Len("items"); n != 3 {
			t.Errorf("a host is incognito: %d members are listed", n)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestGroupSlugs checks that a slug leads to one group, and an earlier one for 90 days.
func TestGroupSlugs(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		owner := a.As("owner")
		group := found(owner, apptest.Fields{"name": "Шахматы в Бонне"})
		slug := owner.Get(group).Want(200).Text("slug")
		again := owner.Get(found(owner, apptest.Fields{"name": "Шахматы в Бонне"})).Text("slug")
		if !strings.HasPrefix(again, slug+"-") {
			t.Errorf("two groups of one name have the slugs %q and %q", slug, again)
		}
		private := apptest.Fields{"name": "Bonn readers", "visibility": "private"}
		if hidden := owner.Get(found(owner, private)).Text("slug"); !strings.HasPrefix(hidden, "bonn-readers-") {
			t.Errorf("a private group has the slug %q", hidden)
		}
		owner.Patch(group, apptest.Fields{"slug": "bonn-chess"}).Want(200)
		other := found(owner, nil)
		owner.Patch(other, apptest.Fields{"slug": "bonn-chess"}).WantError(409, "conflict")
		owner.Patch(other, apptest.Fields{"slug": slug}).WantError(409, "conflict")
		leadsTo := func(slug string) string { return fieldsOf(owner.Get("/groups?slug="+slug).Want(200), "items", "slug") }
		if leadsTo(slug) != "bonn-chess" || leadsTo("bonn-chess") != "bonn-chess" || leadsTo("none") != "" {
			t.Errorf("the slugs lead to %q, %q and %q", leadsTo(slug), leadsTo("bonn-chess"), leadsTo("none"))
		}
		a.Clock.Advance(91 * 24 * time.Hour)
		owner = a.SignIn(apptest.Email("owner"))
		if got := fieldsOf(owner.Get("/groups?slug="+slug).Want(200), "items", "slug"); got != "" {
			t.Errorf("after 90 days the slug leads to %q", got)
		}
		owner.Patch(other, apptest.Fields{"slug": slug}).Want(200)
		owner.Delete(group).Want(204)
		owner.Patch(other, apptest.Fields{"slug": "bonn-chess"}).Want(200)
		for i := range 8 {
			owner.Patch(other, apptest.Fields{"slug": fmt.Sprint("chess-", i)}).Want(200)
		}
		owner.Patch(other, apptest.Fields{"slug": "one-too-many"}).WantError(429, "rate_limited")
	}, apptest.StartAt(apptest.Today))
}

// TestGroupsAreFound checks the filters of the list, page by page.
func TestGroupsAreFound(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		owner, viewer := a.As("owner"), a.As("viewer")
		for _, g := range []apptest.Fields{
			{"name": "Chess in Bonn", "city": "Bonn", "lat": 50.73, "lng": 7.1},
			{"name": "Bonn readers", "description": "We read novels.", "city": "Bonn"},
			{"name": "Chess and tea", "city": "Köln", "lat": 50.94, "lng": 6.96},
			{"name": "Chess at sea", "lat": 0.0, "lng": 179.9},
		} {
			found(owner, g)
		}
		for query, want := range map[string]string{
			"":                               "Bonn readers, Chess and tea, Chess at sea, Chess in Bonn",
			"q=ches":                         "Chess and tea, Chess at sea, Chess in Bonn",
			"q=novel+bonn":                   "Bonn readers",
			"q=!!":                           "",
			"city=bonn":                      "Bonn readers, Chess in Bonn",
			"city=KOLN":                      "Chess and tea",
			"lat=50.73&lng=7.1&radius_km=5":  "Chess in Bonn",
			"lat=50.73&lng=7.1&radius_km=30": "Chess and tea, Chess in Bonn",
			"lat=0&lng=-179.9&radius_km=30":  "Chess at sea",
			"city=bonn&lat=50.7&lng=7&radius_km=20&q=chess": "Chess in Bonn",
		} {
			if got := all(viewer, "/groups?limit=1&"+query, "name"); got != want {
				t.Errorf("%s: %s, want %s", query, got, want)
			}
		}
		viewer.Block(owner)
		if got := all(viewer, "/groups?limit=1", "name"); got != "" {
			t.Errorf("in a block with the owner: %s", got)
		}
	}, apptest.StartAt(apptest.Today))
}

// all returns a field of all items of a list, page by page.
func all(c *apptest.Client, path, field string) string {
	var items []string
	cursor := ""
	for range 20 {
		r := c.Get(path + cursor).Want(200)
		for i := range r.Len("items") {
			items = append(items, r.Text(fmt.Sprintf("items.%d.%s", i, field)))
		}
		next, more := r.Get("next_cursor").(string)
		if !more {
			return strings.Join(items, ", ")
		}
		cursor = "&cursor=" + next
	}
	return "endless"
}

// TestGroupOutlivesOwner checks that a group goes to its oldest host, and ends without one.
func TestGroupOutlivesOwner(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner, ben, eve, ann := a.As("owner"), a.As("ben"), a.As("eve"), a.As("ann")
		group, lonely := found(owner, nil), found(owner, nil)
		newMember(owner, ann, group, "member")
		for _, host := range []*apptest.Client{ben, eve} {
			a.Clock.Advance(time.Second)
			newMember(owner, host, group, "host")
		}
		newMember(owner, ann, lonely, "member")
		owner.Put(group+"/image", apptest.Pixel).Want(200)
		owner.Delete("/me").Want(204)
		g := ann.Get(group).Want(200)
		if g.Text("owner.user_id") != ben.UserID || g.Number("member_count") != 3 || g.Get("image_url") != nil {
			t.Errorf("after the deletion: %s", g.Body)
		}
		if got := fieldsOf(ben.Get("/notifications").Want(200), "items", "kind"); got != "group_transferred" {
			t.Errorf("the heir is notified of %q", got)
		}
		ann.Get(lonely).WantError(404, "not_found")
		if r := ben.Post(group+"/transfer", apptest.Fields{"user_id": eve.UserID}).Want(200); r.Text("viewer_role") != "host" ||
			r.Text("owner.user_id") != eve.UserID || fieldsOf(r, "hosts", "user_id") != ben.UserID {
			t.Errorf("after the transfer: %s", r.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestSuspendedGroupIsHidden checks the action of a moderator on a reported group.
func TestSuspendedGroupIsHidden(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner, member, mod := a.As("owner"), a.As("member"), a.As("mod")
		group := found(owner, nil)
		newMember(owner, member, group, "member")
		id := strings.TrimPrefix(group, "/groups/")
		report := member.Post("/reports", apptest.Fields{"target_type": "group", "target_id": id, "reason": "spam"}).Want(201).Text("id")
		if got := mod.Get("/admin/reports?target_type=group").Want(200).Text("items.0.target.name"); got != "Chess club" {
			t.Errorf("the moderator sees %q", got)
		}
		mod.Patch("/admin/reports/"+report, apptest.Fields{"status": "resolved", "action": "suspend_user"}).Want(200)
		report = member.Post("/reports", apptest.Fields{"target_type": "group", "target_id": id, "reason": "spam"}).Want(201).Text("id")
		mod.Patch("/admin/reports/"+report, apptest.Fields{"status": "resolved", "action": "suspend_group"}).Want(200)
		member.Get(group).WantError(404, "not_found")
		if got := all(member, "/groups?limit=5", "id") + all(member, "/me/groups?limit=5", "id"); got != "" {
			t.Errorf("a suspended group is listed: %s", got)
		}
	}, apptest.StartAt(apptest.Today), apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email("mod")))
}

// TestGroupBudgets spends the budgets of those who reach others and of those who are reached.
func TestGroupBudgets(t *testing.T) {
	limits := []string{"groups_per_user_day=2/24h", "group_joins_per_user=2/1h", "group_invitations_per_user=3/1h",
		"group_invitations_per_invitee_day=2/24h", "group_requests_per_group_day=1/24h"}
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner, ann, ben, eve := a.As("owner"), a.As("ann"), a.As("ben"), a.As("eve")
		first, second := found(owner, nil), found(owner, apptest.Fields{"join_policy": "approval"})
		owner.Post("/groups", apptest.Fields{"name": "A third"}).WantError(429, "rate_limited")
		ann.Post(first+"/membership", nil).Want(200)
		ann.Post(second+"/membership", nil).Want(200)
		ann.Post(first+"/membership", nil).WantError(429, "rate_limited")
		ben.Post(second+"/membership", nil).WantError(429, "rate_limited") // the group has a request already
		third := found(ben, nil)
		for _, row := range []struct {
			by    *apptest.Client
			group string
			to    *apptest.Client
			want  int
		}{
			{owner, first, eve, 200}, {owner, second, eve, 200}, {owner, first, ben, 200}, {owner, second, ben, 429}, // the sender's
			{ben, third, eve, 429}, // the receiver's
			{ben, third, owner, 200},
		} {
			if got := row.by.Post(row.group+"/invitations", apptest.Fields{"user_id": row.to.UserID}); got.Status != row.want {
				t.Errorf("%d %s, want %d", got.Status, got.Body, row.want)
			}
		}
	}, apptest.StartAt(apptest.Today), apptest.Setting("RATE_LIMITS", strings.Join(limits, ",")))
}
