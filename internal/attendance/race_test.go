package attendance_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"moothall/internal/apptest"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// crowd is how many people act at once.
const crowd = 50

// together runs one function for every member of a crowd at the same moment.
func together(n int, act func(i int)) {
	var ready, done sync.WaitGroup
	ready.Add(n)
	for i := range n {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			act(i)
		})
	}
	done.Wait()
}

// everywhere runs a race on each engine, and with three instances of the
// service on one PostgreSQL.
func everywhere(t *testing.T, race func(t *testing.T, a *apptest.App, instances int)) {
	for _, where := range []struct {
		name      string
		engine    db.Engine
		instances int
	}{{"sqlite", db.SQLite, 1}, {"postgresql", db.PostgreSQL, 1}, {"three instances", db.PostgreSQL, 3}} {
		t.Run(where.name, func(t *testing.T) {
			t.Parallel()
			race(t, apptest.New(t, where.engine, apptest.Instances(where.instances), apptest.StartAt(today)), where.instances)
		})
	}
}

// people signs a crowd in, spread over the instances.
func people(a *apptest.App, instances int) []*apptest.Client {
	clients := make([]*apptest.Client, crowd)
	for i := range clients {
		clients[i] = a.As(fmt.Sprintf("guest%d", i)).On(i % instances)
	}
	return clients
}

// TestCapacityIsNeverExceededAndFullyUsed lets a crowd at events with fewer
// seats, in one rush and with people changing their minds.
func TestCapacityIsNeverExceededAndFullyUsed(t *testing.T) {
	everywhere(t, func(t *testing.T, a *apptest.App, instances int) {
		org, guests := a.As("org"), people(a, instances)
		for _, capacity := range []int{1, 7, 30, crowd - 1} {
			event := published(org, fields{"capacity": capacity})
			var in atomic.Int64
			together(crowd, func(i int) {
				if reply := guests[i].Post("/events/"+event+"/join", nil); reply.Status == 200 {
					in.Add(1)
				} else {
					reply.WantError(403, "forbidden")
				}
			})
			if got := int(in.Load()); got != capacity || count(org, event) != capacity {
				t.Errorf("%d of %d seats were given, %d are counted", got, capacity, count(org, event))
			}
			together(crowd, func(i int) {
				for range 3 {
					guests[i].Post("/events/"+event+"/join", nil)
					if n := count(guests[i], event); n > capacity {
						t.Errorf("%d are going to an event for %d", n, capacity)
					}
					guests[i].Delete("/events/" + event + "/join")
				}
			})
			agree(t, a)
			together(crowd, func(i int) { guests[i].Post("/events/"+event+"/join", nil) })
			if n := count(org, event); n != capacity {
				t.Errorf("in the end %d of %d seats are taken", n, capacity)
			}
		}
		agree(t, a)
	})
}

// TestCountsStayExact has everybody join, leave and join one event without
// limit; every instance gives the same count.
func TestCountsStayExact(t *testing.T) {
	everywhere(t, func(t *testing.T, a *apptest.App, instances int) {
		org, guests := a.As("org"), people(a, instances)
		event := published(org, nil)
		join := "/events/" + event + "/join"
		together(crowd, func(i int) {
			guests[i].Post(join, nil).Want(200)
			guests[i].Post(join, fields{"participation_visibility": "incognito"}).Want(200)
			guests[i].Delete(join).Want(200)
			guests[i].Delete(join).Want(200)
			guests[i].Post(join, nil).Want(200)
			if i%2 == 1 {
				guests[i].Delete(join).Want(200)
			}
		})
		if going := agree(t, a); going != crowd/2 {
			t.Errorf("%d are going, want %d", going, crowd/2)
		}
		for instance := range instances {
			if n := count(org.On(instance), event); n != crowd/2 {
				t.Errorf("instance %d counts %d", instance, n)
			}
		}
	})
}

// TestOnePersonInManyPlaces joins and leaves with one account in parallel: it
// is counted once or not at all.
func TestOnePersonInManyPlaces(t *testing.T) {
	everywhere(t, func(t *testing.T, a *apptest.App, instances int) {
		ann := a.As("ann")
		event := published(a.As("org"), fields{"capacity": 3})
		join := "/events/" + event + "/join"
		together(crowd, func(i int) { ann.On(i%instances).Post(join, nil).Want(200) })
		if going := agree(t, a); going != 1 {
			t.Errorf("she is counted %d times", going)
		}
		together(crowd, func(i int) {
			if i%2 == 0 {
				ann.On(i % instances).Delete(join).Want(200)
			} else {
				ann.On(i%instances).Post(join, nil).Want(200)
			}
		})
		agree(t, a)
	})
}

// TestNobodyComesAfterTheEnd cancels an event, and lowers a capacity, while
// people join: what was answered with success counts, nothing else does.
func TestNobodyComesAfterTheEnd(t *testing.T) {
	everywhere(t, func(t *testing.T, a *apptest.App, instances int) {
		org, guests := a.As("org"), people(a, instances)
		event := published(org, nil)
		var in atomic.Int64
		together(crowd+1, func(i int) {
			if i == crowd {
				org.Post("/events/"+event+"/cancel", nil).Want(200)
				return
			}
			if guests[i].Post("/events/"+event+"/join", nil).Status == 200 {
				in.Add(1)
			}
		})
		if going := agree(t, a); going != in.Load() {
			t.Errorf("%d were let in, %d are going", in.Load(), going)
		}
		guests[0].Post("/events/"+event+"/join", nil).WantError(403, "forbidden")

		event = published(org, nil)
		together(crowd+1, func(i int) {
			if i == crowd {
				org.Patch("/events/"+event, fields{"capacity": 10})
				return
			}
			guests[i].Post("/events/"+event+"/join", nil)
		})
		agree(t, a)
		capacity := org.Get("/events/" + event).Get("event.capacity")
		if n := count(org, event); capacity != nil && n > 10 || capacity == nil && n != crowd {
			t.Errorf("%d are going to an event for %v", n, capacity)
		}
	})
}

var (
	addUserStmt       = db.SQL("user.test_add_user", `INSERT INTO users (id, email_verified, test_profile, created_at) VALUES ($1, FALSE, TRUE, 1)`)
	addInvitationStmt = db.SQL("attendance.test_add_invitation", `
		INSERT INTO invitations (event_id, user_id, id, invited_by, status, created_at, updated_at) VALUES ($1, $2, $2, $3, 'pending', 1, 1)`)
)

// TestInvitationsEnd fills the last places among an event's 500 invitations by
// more people at once than there are; asking somebody anew takes no place.
func TestInvitationsEnd(t *testing.T) {
	everywhere(t, func(t *testing.T, a *apptest.App, instances int) {
		const places, asked = 4, 10
		org := a.As("org")
		event := private(org, nil)
		for i := range asked {
			a.As(fmt.Sprint("guest", i))
		}
		err := a.DB.InTx(t.Context(), func(tx db.Tx) error {
			for range 500 - places {
				user := domain.RandomID[domain.UserKind]()
				if _, err := tx.Exec(t.Context(), addUserStmt, user); err != nil {
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
		together(asked, func(i int) {
			reply := invite(org.On(i%instances), event, fmt.Sprint("guest", i))
			in[i].Store(reply.Status == 201)
			if reply.Status != 201 {
				reply.WantError(403, "forbidden")
			}
		})
		n := 0
		for i := range asked {
			if in[i].Load() {
				n++
				invite(org, event, fmt.Sprint("guest", i)).Want(201)
			}
		}
		if n != places {
			t.Errorf("%d of %d places were given", n, places)
		}
	})
}
