package meetup_test

import (
	"strings"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/test/apptest"
)

// TestRemovedGuestStaysOut removes a guest: the seat is free, the guest is notified once, and every way back is closed until the
// organizer lifts the removal.
func TestRemovedGuestStaysOut(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		path := "/events/" + org.Publish(apptest.Fields{"capacity": 2, "max_party_size": 2, "waitlist": "offer"})
		guest := path + "/participants/" + ann.Post(path+"/join", apptest.Fields{"party_size": 2}).Want(200).Text("id")
		for range 2 {
			org.Delete(guest).Want(204)
		}
		seen := ann.Get(path).Want(200)
		if seen.Text("viewer_participation_status") != "removed" || seen.Get("viewer_can_join") != false || seen.Number("seats_left") != 2 {
			t.Errorf("the removed guest sees %s", seen.Body)
		}
		if got := strings.Join(kinds(ann), " "); got != "event_removed" {
			t.Errorf("the guest is notified of %q", got)
		}
		refused(t, ann, "POST", path+"/join", domain.Removed)
		ann.Delete(path + "/join").Want(200)
		refused(t, ann, "POST", path+"/join", domain.Removed)
		ann.Get(path+"/messages").WantError(403, "forbidden")

		ben := a.As("ben")
		ben.Post(path+"/join", apptest.Fields{"party_size": 2}).Want(200)
		refused(t, ann, "POST", path+"/waitlist", domain.Removed)
		ben.Delete(path + "/join").Want(200)

		if removed := org.Get(path + "/participants?status=removed").Want(200); removed.Text("items.0.profile.user_id") != ann.UserID {
			t.Errorf("the organizer sees %s", removed.Body)
		}
		if lifted := org.Post(guest+"/approve", nil).Want(200); lifted.Text("status") != "left" {
			t.Errorf("lifted: %s", lifted.Body)
		}
		ann.Post(path+"/join", nil).Want(200)
		seatsAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}

// TestRemovalFromPrivateEvent deletes the invitation. A link does not let the guest in, a new invitation does.
func TestRemovalFromPrivateEvent(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		path := "/events/" + org.Publish(apptest.Fields{"visibility": "private"})
		invite := func() { org.Post(path+"/invitations", apptest.Fields{"email": apptest.Email("ann")}).Want(201) }
		url := org.Post(path+"/invite-links", nil).Want(201).Text("url")
		link := "/invite-links/" + url[strings.LastIndexByte(url, '/')+1:]
		invite()
		ann.Patch(path+"/rsvp", apptest.Fields{"status": "accepted"}).Want(200)
		guest := org.Get(path + "/participants").Want(200).Text("items.0.participant.id")
		org.Delete(path + "/participants/" + guest).Want(204)
		ann.Get(path).WantError(404, "not_found")
		ann.Patch(path+"/rsvp", apptest.Fields{"status": "accepted"}).WantError(404, "not_found")
		refused(t, ann, "POST", link+"/accept", domain.Removed)
		ann.Get(path).WantError(404, "not_found")
		if n := org.Get(path + "/invitations").Want(200).Len("items"); n != 0 {
			t.Errorf("%d invitations are left", n)
		}
		invite()
		ann.Patch(path+"/rsvp", apptest.Fields{"status": "accepted"}).Want(200)
		ann.Get(path).Want(200)
	}, apptest.StartAt(apptest.Today))
}

// TestRemovalRefusals is the table of whom an organizer cannot remove.
func TestRemovalRefusals(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		path := "/events/" + org.Publish(nil)
		own := org.Post(path+"/join", nil).Want(200).Text("id")
		guest := ann.Post(path+"/join", nil).Want(200).Text("id")
		refused(t, ann, "DELETE", path+"/participants/"+own, domain.NotOrganizer)
		refused(t, org, "DELETE", path+"/participants/"+own, domain.OwnEvent)
		org.Delete("/events/"+org.Publish(nil)+"/participants/"+guest).WantError(404, "not_found")
		ann.Delete(path + "/join").Want(200)
		refused(t, org, "DELETE", path+"/participants/"+guest, domain.BlockedByState)
		ann.Post(path+"/join", nil).Want(200)
		org.Post(path+"/cancel", nil).Want(200)
		refused(t, org, "DELETE", path+"/participants/"+guest, domain.EventCanceled)
	}, apptest.StartAt(apptest.Today))
}
