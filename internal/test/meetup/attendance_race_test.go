package meetup_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestCapacityIsNeverExceededAndFullyUsed lets more users join at once than there are
// seats. Then they join and leave repeatedly.
func TestCapacityIsNeverExceededAndFullyUsed(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		org, guests := a.As("org"), a.Crowd()
		for _, capacity := range []int{1, 7, apptest.Crowd / 2, apptest.Crowd - 1} {
			event := org.Publish(apptest.Fields{"capacity": capacity})
			var in atomic.Int64
			apptest.Concurrently(apptest.Crowd, func(i int) {
				if reply := guests[i].Post("/events/"+event+"/join", nil); reply.Status == 200 {
					in.Add(1)
				} else {
					reply.WantError(403, "forbidden")
				}
			})
			if got := int(in.Load()); got != capacity || attendanceCount(org, event) != capacity {
				t.Errorf("%d of %d seats are taken, %d are counted", got, capacity, attendanceCount(org, event))
			}
			apptest.Concurrently(apptest.Crowd, func(i int) {
				for range 3 {
					guests[i].Post("/events/"+event+"/join", nil)
					if n := attendanceCount(guests[i], event); n > capacity {
						t.Errorf("%d are going to an event for %d", n, capacity)
					}
					guests[i].Delete("/events/" + event + "/join")
				}
			})
			attendanceAgree(t, a)
			apptest.Concurrently(apptest.Crowd, func(i int) { guests[i].Post("/events/"+event+"/join", nil) })
			if n := attendanceCount(org, event); n != capacity {
				t.Errorf("in the end %d of %d seats are taken", n, capacity)
			}
		}
		attendanceAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}

// TestCountsStayExact lets all users join, leave and join an event without
// capacity. All instances return the same count.
func TestCountsStayExact(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		org, guests := a.As("org"), a.Crowd()
		event := org.Publish(nil)
		join := "/events/" + event + "/join"
		apptest.Concurrently(apptest.Crowd, func(i int) {
			guests[i].Post(join, nil).Want(200)
			guests[i].Post(join, apptest.Fields{"participation_visibility": "incognito"}).Want(200)
			guests[i].Delete(join).Want(200)
			guests[i].Delete(join).Want(200)
			guests[i].Post(join, nil).Want(200)
			if i%2 == 1 {
				guests[i].Delete(join).Want(200)
			}
		})
		if going := attendanceAgree(t, a); going != int64(apptest.Crowd/2) {
			t.Errorf("%d are going, want %d", going, apptest.Crowd/2)
		}
		for instance := range 3 {
			if n := attendanceCount(org.On(instance), event); n != apptest.Crowd/2 {
				t.Errorf("instance %d counts %d", instance, n)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestConcurrentJoinsOfOneUserCountOnce lets one user join and leave concurrently.
func TestConcurrentJoinsOfOneUserCountOnce(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		event := a.As("org").Publish(apptest.Fields{"capacity": 3})
		join := "/events/" + event + "/join"
		apptest.Concurrently(apptest.Crowd, func(i int) { ann.On(i).Post(join, nil).Want(200) })
		if going := attendanceAgree(t, a); going != 1 {
			t.Errorf("counted %d times", going)
		}
		apptest.Concurrently(apptest.Crowd, func(i int) {
			if i%2 == 0 {
				ann.On(i).Delete(join).Want(200)
			} else {
				ann.On(i).Post(join, nil).Want(200)
			}
		})
		attendanceAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}

// TestJoinRacesCancelAndCapacity cancels an event, and lowers a capacity, while
// users join. Exactly the joins that succeeded are counted.
func TestJoinRacesCancelAndCapacity(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		org, guests := a.As("org"), a.Crowd()
		event := org.Publish(nil)
		var in atomic.Int64
		apptest.Concurrently(apptest.Crowd+1, func(i int) {
			if i == apptest.Crowd {
				org.Post("/events/"+event+"/cancel", nil).Want(200)
				return
			}
			if guests[i].Post("/events/"+event+"/join", nil).Status == 200 {
				in.Add(1)
			}
		})
		if going := attendanceAgree(t, a); going != in.Load() {
			t.Errorf("%d joins succeeded, %d are going", in.Load(), going)
		}
		guests[0].Post("/events/"+event+"/join", nil).WantError(403, "forbidden")

		event = org.Publish(nil)
		apptest.Concurrently(apptest.Crowd+1, func(i int) {
			if i == apptest.Crowd {
				org.Patch("/events/"+event, apptest.Fields{"capacity": 10})
				return
			}
			guests[i].Post("/events/"+event+"/join", nil)
		})
		attendanceAgree(t, a)
		capacity := org.Get("/events/" + event).Get("event.capacity")
		if n := attendanceCount(org, event); capacity != nil && n > 10 || capacity == nil && n != apptest.Crowd {
			t.Errorf("%d are going to an event for %v", n, capacity)
		}
	}, apptest.StartAt(apptest.Today))
}

var (
	attendanceAddUserStmt = db.SQL("user.test_add_user", `INSERT INTO users (id, email_verified, test_profile, created_at)
		VALUES ($1, FALSE, TRUE, 1)`)
	addInvitationStmt = db.SQL("attendance.test_add_invitation", `
		INSERT INTO invitations (event_id, user_id, id, invited_by, status, created_at, updated_at) VALUES ($1, $2, $2, $3, 'pending', 1, 1)`)
)

// TestInvitationLimitUnderConcurrency invites more users at once than the limit of
// 500 leaves. Inviting one of them again is not counted twice.
func TestInvitationLimitUnderConcurrency(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		const left, asked = 4, 10
		org := a.As("org")
		event := private(org, nil)
		for i := range asked {
			a.As(fmt.Sprint("guest", i))
		}
		err := a.DB.InTx(t.Context(), func(tx db.Tx) error {
			for range 500 - left {
				user := domain.RandomID[domain.UserKind]()
				if _, err := tx.Exec(t.Context(), attendanceAddUserStmt, user); err != nil {
					return err
				}
				if _, err := tx.Exec(t.Context(), addInvitationStmt, id(t, event), user, id(t, org.UserID)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var in [asked]atomic.Bool
		apptest.Concurrently(asked, func(i int) {
			reply := attendanceInvite(org.On(i), event, fmt.Sprint("guest", i))
			in[i].Store(reply.Status == 201)
			if reply.Status != 201 {
				reply.WantError(403, "forbidden")
				problem := attendanceInvite(org.With("Accept", "application/problem+json"), event, fmt.Sprint("guest", i))
				if problem.Want(403).Text("reason") != string(domain.InvitationLimit) {
					t.Errorf("%s", problem.Body)
				}
			}
		})
		n := 0
		for i := range asked {
			if in[i].Load() {
				n++
				attendanceInvite(org, event, fmt.Sprint("guest", i)).Want(201)
			}
		}
		if n != left {
			t.Errorf("%d of %d invitations were accepted", n, left)
		}
	}, apptest.StartAt(apptest.Today))
}
