package delivery_test

import (
	"slices"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// wantPresence reads presence until it is as expected: several changes can be one frame. While the
// number rises, no frame may show anybody else.
func wantPresence(t *testing.T, s *apptest.Socket, watching float64, users ...*apptest.Client) {
	t.Helper()
	var ids []any
	for _, u := range users {
		ids = append(ids, u.UserID)
	}
	for {
		f := s.Want("presence")
		shown := f.Get("user_ids").([]any)
		slices.SortFunc(shown, compareIDs)
		slices.SortFunc(ids, compareIDs)
		if f.Number("watching") == watching && slices.Equal(shown, ids) {
			return
		}
		for _, id := range shown {
			if f.Number("watching") < watching && !slices.Contains(ids, id) {
				t.Errorf("shows somebody who must be hidden: %s", f.Body)
			}
		}
	}
}

func compareIDs(a, b any) int { return slices.Compare([]byte(a.(string)), []byte(b.(string))) }

// watch subscribes to an event.
func watch(c *apptest.Client, event string) *apptest.Socket {
	s := c.Socket("/realtime")
	s.Send(apptest.Fields{"op": "subscribe", "topic": "event:" + event})
	s.Want("subscribed")
	return s
}

// TestPresence shows who watches an event: to members of its chat only, and only members.
func TestPresence(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann, bob, shy, stranger := a.As("org"), a.As("ann"), a.As("bob"), a.As("shy"), a.As("stranger")
		event := org.Publish(nil)
		ann.Join(event)
		bob.Join(event)
		bob.Block(ann)
		shy.Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		toOrg, toAnn, toBob, toShy, toStranger := watch(org, event), watch(ann, event), watch(bob, event), watch(shy, event),
			watch(stranger, event)
		watch(ann, event) // a second device is not counted
		wantPresence(t, toOrg, 5, org, ann, bob)
		wantPresence(t, toAnn, 5, org, ann)
		wantPresence(t, toBob, 5, org, bob)
		wantPresence(t, toShy, 5, org, ann, bob)
		wantPresence(t, toStranger, 5)

		say(shy, event, 1)
		ann.Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		wantPresence(t, toOrg, 5, org, bob, shy)
		bob.Delete("/events/" + event + "/join").Want(200)
		wantPresence(t, toOrg, 5, org, shy)
		wantPresence(t, toBob, 5)
		toStranger.Close()
		wantPresence(t, toOrg, 4, org, shy)
	}, apptest.StartAt(apptest.Today))
}

// TestPresenceOnEveryInstance reports presence to the other instances, which forget the reports
// of one that has ended.
func TestPresenceOnEveryInstance(t *testing.T) {
	t.Parallel()
	a := apptest.New(t, db.PostgreSQL, apptest.Instances(2), apptest.StartAt(apptest.Today)) // one process serves SQLite
	org, ann, bob := a.As("org"), a.As("ann"), a.As("bob")
	event := org.Publish(nil)
	for _, c := range []*apptest.Client{ann, bob} {
		c.Join(event)
	}
	here, there := watch(org, event), watch(ann.On(1), event)
	wantPresence(t, here, 2, org, ann)
	wantPresence(t, there, 2, org, ann)
	watch(org.On(1), event) // watches on both
	watch(bob.On(1), event)
	wantPresence(t, here, 3, org, ann, bob)
	bob.Block(org)
	wantPresence(t, here, 2, org, ann)
	a.Stop(1)
	wantPresence(t, here, 1, org)
}

func TestPresenceOff(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		s := watch(org, event)
		s.Want("changed")
		time.Sleep(300 * time.Millisecond) // presence would come after at most 200 ms
		org.Patch("/events/"+event, apptest.Fields{"title": "Chess indoors"}).Want(200)
		if f := s.Want("changed", "presence"); f.Text("op") == "presence" {
			t.Errorf("got %s", f.Body)
		}
	}, apptest.StartAt(apptest.Today), apptest.Setting("REALTIME", "without_presence"))
}
