package meetup_test

import (
	"fmt"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

var (
	miscountedStmt = db.SQL("group_test.miscounted", `
		SELECT COUNT(*) FROM groups g
		WHERE g.member_count <> (SELECT COUNT(*) FROM group_members m WHERE m.group_id = g.id AND m.status = 'active')`)

	// ownerlessStmt counts the groups whose owner is deleted, or is no active member with this role.
	ownerlessStmt = db.SQL("group_test.ownerless", `
		SELECT COUNT(*) FROM groups g WHERE NOT EXISTS (
			SELECT 1 FROM group_members m JOIN users u ON u.id = m.user_id
			WHERE m.group_id = g.id AND m.user_id = g.owner_id AND m.role = 'owner' AND m.status = 'active' AND u.deleted_at IS NULL)
			OR (SELECT COUNT(*) FROM group_members m WHERE m.group_id = g.id AND m.role = 'owner') <> 1`)
)

// TestGroupCountsConcurrentMembers lets many users join and leave one group at once, beside bans.
func TestGroupCountsConcurrentMembers(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		owner, people := a.As("owner"), a.Crowd()
		group := found(owner, nil)
		apptest.Concurrently(len(people), func(i int) {
			c := people[i]
			c.Post(group+"/membership", nil).Want(200)
			switch i % 3 {
			case 0:
				c.Delete(group + "/membership").Want(204)
			case 1:
				owner.On(i).Patch(group+"/members/"+c.UserID, apptest.Fields{"status": "banned"}).Want(200)
			}
		})
		if n := a.Count(miscountedStmt); n != 0 {
			t.Errorf("the group counts %v members", owner.Get(group).Want(200).Number("member_count"))
		}
	}, apptest.StartAt(apptest.Today))
}

// TestGroupAlwaysHasOwner hands groups over while one of the two deletes the account, and while the last host leaves.
func TestGroupAlwaysHasOwner(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		for round := range testutil.Rounds(2, 50) {
			n := 0
			for name, race := range map[string]func(owner, host *apptest.Client, group string) [2]func(){
				"transfer beside the deletion of the host": func(owner, host *apptest.Client, group string) [2]func() {
					return [2]func(){
						func() { owner.Post(group+"/transfer", apptest.Fields{"user_id": host.UserID}) }, func() { host.On(1).Delete("/me").Want(204) },
					}
				},
				"transfer beside the deletion of the owner": func(owner, host *apptest.Client, group string) [2]func() {
					return [2]func(){
						func() { owner.Post(group+"/transfer", apptest.Fields{"user_id": host.UserID}) }, func() { owner.On(1).Delete("/me").Want(204) },
					}
				},
				"the last host leaves beside the deletion of the owner": func(owner, host *apptest.Client, group string) [2]func() {
					return [2]func(){
						func() { host.Delete(group + "/membership") }, func() { owner.On(1).Delete("/me").Want(204) },
					}
				},
			} {
				n++
				owner, host := a.As(fmt.Sprint("owner", n, ".", round)), a.As(fmt.Sprint("host", n, ".", round))
				group := found(owner, nil)
				newMember(owner, host, group, "host")
				both := race(owner, host, group)
				apptest.Concurrently(2, func(i int) { both[i]() })
				if left, wrong := a.Count(ownerlessStmt), a.Count(miscountedStmt); left > 0 || wrong > 0 {
					t.Errorf("%s: %d groups have no owner, %d a wrong count", name, left, wrong)
				}
			}
		}
	}, apptest.StartAt(apptest.Today))
}
