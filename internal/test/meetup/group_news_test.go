package meetup_test

import (
	"fmt"
	"iter"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// noticesOf returns the kinds of the notifications of a user, the newest first.
func noticesOf(c *apptest.Client) string {
	return fieldsOf(c.Get("/notifications").Want(200), "items", "kind")
}

// TestMembersAreNotifiedOfEvents checks who is notified of a published event of a group, by its visibility: a member who
// follows the organizer is notified once.
func TestMembersAreNotifiedOfEvents(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner := a.As("owner")
		people := map[string]*apptest.Client{}
		for _, name := range []string{"member", "hidden", "both", "follower", "invited", "outsider"} {
			people[name] = a.As(name)
		}
		group := found(owner, nil)
		newMember(owner, people["member"], group, "member")
		newMember(owner, people["both"], group, "member")
		people["hidden"].Post(group+"/membership", apptest.Fields{"visibility": "incognito"}).Want(200)
		people["both"].Follow(owner)
		people["follower"].Follow(owner)
		for _, row := range []struct {
			visibility string
			notified   map[string]string // kinds by user
		}{
			{"public", map[string]string{"member": "group_event", "hidden": "group_event", "both": "followed_user_event",
				"follower": "followed_user_event"}},
			{"members", map[string]string{"member": "group_event", "hidden": "group_event", "both": "group_event"}},
			{"private", nil},
		} {
			for _, c := range people {
				c.Post("/notifications/read-all", nil).Want(200)
			}
			event := owner.Publish(apptest.Fields{"group_id": idOf(group), "visibility": row.visibility})
			for name, c := range people {
				r := c.Get("/notifications?unread_only=true").Want(200)
				if got := fieldsOf(r, "items", "kind"); got != row.notified[name] || got != "" && r.Text("items.0.event_id") != event {
					t.Errorf("%s event: %s is notified of %q", row.visibility, name, r.Body)
				}
			}
		}
		if r := people["member"].Get("/notifications").Want(200); r.Text("items.0.title") != "A new event of your group: Chess in the park" {
			t.Errorf("a member reads %s", r.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

var (
	fillGroupStmt = db.SQL("group_test.fill", `UPDATE groups SET member_count = member_count + $2 WHERE id = $1`)
	sentStmt      = db.SQL("group_test.sent", `SELECT COUNT(*) FROM notifications`)
)

// crowd adds many members to a group, who never read.
func crowd(t *testing.T, a *apptest.App, group string, n int) {
	t.Helper()
	id, err := domain.ParseID[domain.GroupKind](idOf(group))
	if err != nil {
		t.Fatal(err)
	}
	forMany(t, a, n, "group_members", []string{"group_id", "user_id", "role", "status", "visibility", "since"}, func(of domain.UserID) []any {
		return []any{id, of, "member", "active", "public", a.Clock.Now()}
	})
	a.Exec(fillGroupStmt, id, n)
}

// forMany stores new users, and a row for each of them in a table.
func forMany(t *testing.T, a *apptest.App, n int, table string, columns []string, row func(of domain.UserID) []any) {
	t.Helper()
	now := a.Clock.Now()
	users := make([]domain.UserID, n)
	for i := range users {
		users[i] = domain.NewID[domain.UserKind](now)
	}
	rows := func(row func(of domain.UserID) []any) iter.Seq[[]any] {
		return func(yield func([]any) bool) {
			for _, of := range users {
				if !yield(row(of)) {
					return
				}
			}
		}
	}
	if _, err := a.DB.Bulk(t.Context(), "users", []string{"id", "email_verified", "test_profile", "created_at"},
		rows(func(of domain.UserID) []any { return []any{of, false, false, now} })); err != nil {
		t.Fatal(err)
	}
	if _, err := a.DB.Bulk(t.Context(), table, columns, rows(row)); err != nil {
		t.Fatal(err)
	}
}

// TestLargeGroupGetsBroadcasts checks that events and announcements of a large group are one row, which members receive when they look, and
// that nobody else receives it.
func TestLargeGroupGetsBroadcasts(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		owner, member, both, late := a.As("owner"), a.As("member"), a.As("both"), a.As("late")
		group := found(owner, nil)
		newMember(owner, member, group, "member")
		newMember(owner, both, group, "member")
		both.Follow(owner)
		owner.Get("/notifications").Want(200)
		crowd(t, a, group, 600)
		before := a.Count(sentStmt)
		a.Clock.Advance(time.Second)
		owner.Publish(apptest.Fields{"group_id": idOf(group)})
		a.Clock.Advance(time.Second)
		owner.Publish(apptest.Fields{"group_id": idOf(group), "visibility": "members"})
		a.Clock.Advance(time.Second)
		owner.Post(group+"/announcements", apptest.Fields{"body": "New place"}).Want(201)
		if n := a.Count(sentStmt) - before; n != 1 { // of the follower
			t.Errorf("%d notifications are written at once", n)
		}
		a.Clock.Advance(time.Second)
		newMember(owner, late, group, "member")
		for who, want := range map[*apptest.Client]string{
			member: "group_announcement group_event group_event", both: "group_announcement group_event followed_user_event",
			late: "", owner: "user_followed",
		} {
			if got := fmt.Sprint(len(noticesOf(who)), noticesOf(who)); got != fmt.Sprint(len(want), want) {
				t.Errorf("%q, want %q", got, want)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestAnnouncementsToGroup checks who announces, who reads it, and for how long.
func TestAnnouncementsToGroup(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner, host, member, invited := a.As("owner"), a.As("host"), a.As("member"), a.As("invited")
		group := found(owner, nil)
		newMember(owner, host, group, "host")
		newMember(owner, member, group, "member")
		owner.Post(group+"/invitations", apptest.Fields{"user_id": invited.UserID}).Want(200)
		member.Post(group+"/announcements", apptest.Fields{"body": "Hi"}).WantError(403, "forbidden")
		host.Post(group+"/announcements", apptest.Fields{"body": "We meet in the garden."}).Want(201)
		for who, want := range map[*apptest.Client]string{owner: "group_announcement", member: "group_announcement", host: "",
			invited: "group_invitation"} {
			if got := noticesOf(who); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
		r := member.Get("/notifications").Want(200)
		if r.Text("items.0.title") != "News of Chess club" || r.Text("items.0.body") != "We meet in the garden." ||
			r.Text("items.0.href") != group {
			t.Errorf("a member reads %s", r.Body)
		}
		a.Clock.Advance(time.Second)
		owner.Post(group+"/announcements", apptest.Fields{"body": "And in the hall."}).Want(201)
		late := a.As("late")
		newMember(owner, late, group, "member")
		for _, c := range []*apptest.Client{owner, member, late} {
			if got := all(c, group+"/announcements?limit=1", "body"); got != "And in the hall., We meet in the garden." {
				t.Errorf("announcements: %q", got)
			}
		}
		if got := late.Get(group + "/announcements").Want(200).Text("items.1.author.user_id"); got != host.UserID {
			t.Errorf("the author is %s", got)
		}
		late.Block(host)
		if got := fieldsOf(late.Get(group+"/announcements").Want(200), "items", "body"); got != "And in the hall." {
			t.Errorf("after a block: %q", got)
		}
		invited.Get(group+"/announcements").WantError(403, "forbidden")
		member.Delete(group + "/membership").Want(204)
		member.Get(group+"/announcements").WantError(403, "forbidden")
		if r := member.Get("/notifications").Want(200); r.Get("items.1.body") != nil || r.Text("items.0.title") != "News of a group" {
			t.Errorf("a former member reads %s", r.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestAnnouncementBudgets spends the budgets of a sender and of a group.
func TestAnnouncementBudgets(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner, host := a.As("owner"), a.As("host")
		first, second := found(owner, nil), found(owner, nil)
		newMember(owner, host, first, "host")
		for _, row := range []struct {
			who   *apptest.Client
			group string
			want  int
		}{
			{owner, first, 201}, {host, first, 201}, {host, first, 429}, {owner, second, 201}, {owner, second, 429},
		} {
			if r := row.who.Post(row.group+"/announcements", apptest.Fields{"body": "News"}); r.Status != row.want {
				t.Errorf("%d %s, want %d", r.Status, r.Body, row.want)
			}
		}
	}, apptest.StartAt(apptest.Today),
		apptest.Setting("RATE_LIMITS", "group_announcements_per_user_day=2/24h,group_announcements_per_group_day=2/24h"))
}

var fullGroupStmt = db.SQL("group_test.full", `UPDATE groups SET member_count = 100000 WHERE id = $1`)

// TestGroupLimits checks the reasons of refusals beyond the limits.
func TestGroupLimits(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		owner, ann, ben := a.As("owner"), a.As("ann"), a.As("ben")
		refused := func(c *apptest.Client, method, path string, body any, want domain.Reason) {
			t.Helper()
			if r := c.With("Accept", "application/problem+json").Do(method, path, body); r.Status != 403 || r.Text("reason") != string(want) {
				t.Errorf("%s %s: %d %s, want %s", method, path, r.Status, r.Body, want)
			}
		}
		group := found(owner, nil)
		for range 48 {
			found(ann, nil)
		}
		ann.Post(group+"/membership", nil).Want(200)
		found(ann, nil)
		refused(ann, "POST", "/groups", apptest.Fields{"name": "One more"}, domain.GroupLimit)
		refused(ann, "POST", found(ben, nil)+"/membership", nil, domain.GroupLimit)
		id, err := domain.ParseID[domain.GroupKind](idOf(group))
		if err != nil {
			t.Fatal(err)
		}
		a.Exec(fullGroupStmt, id)
		refused(ben, "POST", group+"/membership", nil, domain.MemberLimit)
		owner.Patch(group, apptest.Fields{"join_policy": "approval"}).Want(200)
		ben.Post(group+"/membership", nil).Want(200)
		refused(owner, "PATCH", group+"/members/"+ben.UserID, apptest.Fields{"status": "active"}, domain.MemberLimit)
		owner.Patch(group, apptest.Fields{"join_policy": "invitation"}).Want(200)
		refused(a.As("eve"), "POST", group+"/membership", nil, domain.InvitationRequired)
	}, apptest.StartAt(apptest.Today))
}
