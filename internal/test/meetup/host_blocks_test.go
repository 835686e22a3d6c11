package meetup_test

import (
	"fmt"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

// TestTransferEndsBlockedGuests lets guests in a block with the next organizer join beside the transfer: afterwards none of them goes.
func TestTransferEndsBlockedGuests(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		org, ben, friend := a.As("org"), a.As("ben"), a.As("friend")
		for round := range 6 {
			guest := a.As(fmt.Sprint("guest", round))
			event := org.Publish(apptest.Fields{"capacity": 5})
			path := "/events/" + event
			newHost(org, ben, event)
			friend.Join(event)
			if round%2 == 0 {
				guest.Block(ben)
			} else {
				ben.Block(guest)
			}
			if round < 2 {
				guest.Join(event)
			}
			apptest.Concurrently(2, func(i int) {
				if i == 0 {
					org.On(round).Post(path+"/transfer", apptest.Fields{"user_id": ben.UserID}).Want(200)
				} else if r := guest.On(round+1).Post(path+"/join", nil); r.Status != 200 && r.Status != 404 {
					t.Errorf("%d %s", r.Status, r.Body)
				}
			})
			r := ben.Get(path + "/participants").Want(200)
			if got := fieldsOf(r, "items", "participant.user_id"); got != friend.UserID {
				t.Errorf("round %d: after the transfer, the guests are %q", round, got)
			}
			if n := ben.Get(path).Want(200).Number("participant_count"); n != 1 {
				t.Errorf("round %d: %v seats are taken", round, n)
			}
			guest.Get(path).WantError(404, "not_found")
			if got := fieldsOf(guest.Get("/me/events").Want(200), "items", "event.id"); strings.Contains(got, event) {
				t.Errorf("round %d: the guest still goes to %q", round, got)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestDeletionEndsBlockedGuests hands an event over by the deletion of its organizer, beside a join.
func TestDeletionEndsBlockedGuests(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		ben := a.As("ben")
		for round := range 4 {
			org, guest := a.As(fmt.Sprint("org", round)), a.As(fmt.Sprint("guest", round))
			event := org.Publish(apptest.Fields{"capacity": 5})
			path := "/events/" + event
			newHost(org, ben, event)
			ben.Block(guest)
			if round == 0 {
				guest.Join(event)
			}
			apptest.Concurrently(2, func(i int) {
				if i == 0 {
					org.On(round).Delete("/me").Want(204)
				} else if r := guest.On(round+1).Post(path+"/join", nil); r.Status != 200 && r.Status != 404 {
					t.Errorf("%d %s", r.Status, r.Body)
				}
			})
			if r := ben.Get(path).Want(200); r.Text("viewer_role") != "owner" || r.Number("participant_count") != 0 {
				t.Errorf("round %d: %s", round, r.Body)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestTransferEndsWhatBlocksEnd ends requests, places in the waiting list and invitations, too.
func TestTransferEndsWhatBlocksEnd(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ben := a.As("org"), a.As("ben")
		paths := messageWorld(a)
		for _, of := range audiences {
			a.As(of).Block(ben)
		}
		for _, of := range audiences {
			event := strings.TrimPrefix(paths[of], "/events/")
			newHost(org, ben, event)
			org.Post(paths[of]+"/transfer", apptest.Fields{"user_id": ben.UserID}).Want(200)
			a.As(of).Get(paths[of]).WantError(404, "not_found")
			ben.Delete(paths[of] + "/hosts/" + org.UserID).Want(204)
			a.As(of).Delete("/users/" + ben.UserID + "/block").Want(204)
			for i, n := range strings.Fields(strings.Trim(fmt.Sprint(sizes(ben, paths[of])), "[]")) {
				if audiences[i] == of && n != "0" {
					t.Errorf("after the transfer, %s has %s users", of, n)
				}
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// sizes returns how many users are in each audience.
func sizes(c *apptest.Client, path string) (all []any) {
	r := c.Get(path + "/guest-audiences").Want(200)
	for i := range audiences {
		all = append(all, r.Get(fmt.Sprintf("items.%d.recipients", i)))
	}
	return all
}

// TestHostInvitesNobodyInBlock refuses guests in a block with the inviting host or with the organizer.
func TestHostInvitesNobodyInBlock(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ben := a.As("org"), a.As("ben")
		event := org.Publish(apptest.Fields{"visibility": "private"})
		newHost(org, ben, event)
		a.As("foe").Block(org)
		ben.Block(a.As("enemy"))
		a.As("guest")
		for name, status := range map[string]int{"foe": 404, "enemy": 404, "guest": 201} {
			r := ben.Post("/events/"+event+"/invitations", apptest.Fields{"email": apptest.Email(name)})
			if r.Status != status {
				t.Errorf("%s: %d %s", name, r.Status, r.Body)
			}
		}
		org.Post("/events/"+event+"/invitations", apptest.Fields{"email": apptest.Email("enemy")}).Want(201) // no block with the organizer
	}, apptest.StartAt(apptest.Today))
}

// TestRemovedHostIsNotified notifies a host whom the organizer removes, and nobody who leaves or was only asked.
func TestRemovedHostIsNotified(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		for _, row := range []struct {
			name        string
			hosts, self bool
			want        bool
		}{{"removed", true, false, true}, {"leaving", true, true, false}, {"asked", false, false, false}} {
			c := a.As(row.name)
			if row.hosts {
				newHost(org, c, event)
			} else {
				org.Post("/events/"+event+"/hosts", apptest.Fields{"user_id": c.UserID}).Want(200)
			}
			who := org
			if row.self {
				who = c
			}
			who.Delete("/events/" + event + "/hosts/" + c.UserID).Want(204)
			kinds := fieldsOf(c.Get("/notifications").Want(200), "items", "kind")
			if got := strings.Contains(kinds, "host_removed"); got != row.want || strings.Contains(kinds, "host_invitation") {
				t.Errorf("%s has the notifications %q", row.name, kinds)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestOrganizerAsksThirtyHostsADay counts requests to host, to any users.
func TestOrganizerAsksThirtyHostsADay(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ben := a.As("org"), a.As("ben")
		path := "/events/" + org.Publish(nil) + "/hosts"
		for range 30 {
			org.Post(path, apptest.Fields{"user_id": ben.UserID}).Want(200)
		}
		org.Post(path, apptest.Fields{"user_id": ben.UserID}).WantError(429, "rate_limited")
	}, apptest.StartAt(apptest.Today), apptest.Setting("RATE_LIMITS", "on"))
}
