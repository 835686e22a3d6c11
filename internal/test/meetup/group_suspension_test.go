package meetup_test

import (
	"errors"
	"testing"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/meetup/account"
	"moothall/internal/meetup/group"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestRestoredGroupIsAsBefore ends the suspension of a group by a decision on a report. Its events are listed as before, except those of
// an organizer who is suspended.
func TestRestoredGroupIsAsBefore(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		owner, host, member, mod := a.As("owner"), a.As("host"), a.As("member"), a.As("mod")
		group := found(owner, nil)
		newMember(owner, host, group, "host")
		newMember(owner, member, group, "member")
		in := func(c *apptest.Client, title, visibility string) string {
			return c.Publish(apptest.Fields{"title": title, "city": "Berlin", "group_id": idOf(group),
				"visibility": visibility})
		}
		in(owner, "Blitz", "public")
		in(owner, "Simul", "members")
		in(owner, "Study", "private")
		owner.Post("/events/"+in(owner, "Canceled", "public")+"/cancel", nil).Want(200)
		in(host, "Rapid", "public")
		report := member.Post("/reports", apptest.Fields{"target_type": "group", "target_id": idOf(group), "reason": "spam"}).Want(201)
		decide := func(status, action string) {
			t.Helper()
			mod.Patch("/admin/reports/"+report.Text("id"), apptest.Fields{"status": status, "action": action}).Want(200)
		}
		wantListed := func(want string) {
			t.Helper()
			for _, path := range []string{"/events", "/events?city=Berlin"} {
				if got := fieldsOf(a.Anonymous().Get(path).Want(200), "items", "event.title"); got != want {
					t.Errorf("%s lists %q, want %q", path, got, want)
				}
			}
		}
		before := fieldsOf(a.Anonymous().Get("/events?city=Berlin").Want(200), "items", "event.title")
		decide("resolved", "suspend_group")
		wantListed("")
		decide("open", "none")
		suspended := host.Post("/reports", apptest.Fields{"target_type": "user", "target_id": member.UserID, "reason": "spam"}).Want(201)
		mod.Patch("/admin/reports/"+suspended.Text("id"), apptest.Fields{"status": "resolved", "action": "restore_group"}).WantError(400,
			"invalid_request")
		decide("resolved", "restore_group")
		wantListed(before)
		if r := member.Get(group).Want(200); r.Get("suspended_at") != nil {
			t.Errorf("after the suspension: %s", r.Body)
		}
		in(host, "Chess960", "public")
		decide("open", "none")
		decide("resolved", "restore_group") // changes nothing

		report = member.Post("/reports", apptest.Fields{"target_type": "group", "target_id": idOf(group), "reason": "spam"}).Want(201)
		decide("resolved", "suspend_group")
		troll := member.Post("/reports", apptest.Fields{"target_type": "user", "target_id": host.UserID, "reason": "spam"}).Want(201)
		mod.Patch("/admin/reports/"+troll.Text("id"), apptest.Fields{"status": "resolved", "action": "suspend_user"}).Want(200)
		decide("open", "none")
		decide("resolved", "restore_group")
		wantListed("Blitz")
	}, apptest.StartAt(apptest.Today), apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email("mod")))
}

// TestSuspensionsBesideEachOther restores a group while its host is suspended, and a host while their group is suspended. What is suspended
// afterwards is not listed.
func TestSuspensionsBesideEachOther(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		owner, host := a.As("owner"), a.As("host")
		of := found(owner, nil)
		newMember(owner, host, of, "host")
		host.Publish(apptest.Fields{"group_id": idOf(of)})
		id, err := domain.ParseID[domain.GroupKind](idOf(of))
		if err != nil {
			t.Fatal(err)
		}
		accounts := account.Service{DB: a.DB, Clock: a.Clock.Now, Users: &user.Service{DB: a.DB, Clock: a.Clock.Now},
			Sessions: &session.Service{DB: a.DB, Clock: a.Clock.Now}}
		users := map[bool]func() error{
			true:  func() error { return accounts.Suspend(t.Context(), host.ID()) },
			false: func() error { return accounts.Restore(t.Context(), host.ID()) },
		}
		groups := map[bool]func() error{
			true: func() error {
				return a.DB.InTx(t.Context(), func(tx db.Tx) error { return group.Suspend(t.Context(), tx, id, a.Clock.Now()) })
			},
			false: func() error {
				return a.DB.InTx(t.Context(), func(tx db.Tx) error { return group.Restore(t.Context(), tx, id, a.Clock.Now()) })
			},
		}
		for round := range 6 {
			suspendUser := round%2 == 0
			if err := errors.Join(users[!suspendUser](), groups[suspendUser]()); err != nil {
				t.Fatal(err)
			}
			apptest.Concurrently(2, func(i int) {
				act := []func() error{users[suspendUser], groups[!suspendUser]}[i]
				if err := act(); err != nil {
					t.Error(err)
				}
			})
			if n := a.Anonymous().Get("/events").Want(200).Len("items"); n != 0 {
				t.Errorf("round %d: %d events are listed", round, n)
			}
		}
		if err := errors.Join(users[false](), groups[false]()); err != nil {
			t.Fatal(err)
		}
		if n := a.Anonymous().Get("/events").Want(200).Len("items"); n != 1 {
			t.Errorf("%d events are listed in the end", n)
		}
	}, apptest.StartAt(apptest.Today))
}
