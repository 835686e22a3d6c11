package meetup_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

// attendanceListed reads all pages of a list with limit items each. It returns the values at a path
// of every item.
func attendanceListed(t *testing.T, c *apptest.Client, list string, limit int, path string) []string {
	t.Helper()
	var values []string
	next := ""
	for {
		page := c.Get(fmt.Sprintf("%s?limit=%d%s", list, limit, next)).Want(200)
		n := page.Len("items")
		for i := range n {
			values = append(values, page.Text(fmt.Sprintf("items.%d.%s", i, path)))
		}
		cursor, more := page.Get("next_cursor").(string)
		if !more {
			return values
		}
		if n != limit {
			t.Fatalf("a page of %s that is not the last has %d items", list, n)
		}
		next = "&cursor=" + cursor
	}
}

// TestOrganizerListsParticipants is row "organizer" of policy "Incognito".
func TestOrganizerListsParticipants(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		want := map[string]string{}
		for i := range 5 {
			guest, visibility := a.As(fmt.Sprintf("guest-%d", i)), "public"
			if i == 2 {
				visibility = "incognito"
			}
			guest.Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": visibility}).Want(200)
			want[guest.UserID] = visibility
		}
		left := a.As("left")
		left.Join(event)
		left.Delete("/events/" + event + "/join").Want(200)

		list := "/events/" + event + "/participants"
		users := attendanceListed(t, org, list, 2, "participant.user_id")
		if len(users) != len(want) || len(slices.Compact(slices.Sorted(slices.Values(users)))) != len(want) {
			t.Errorf("pages have the participants %v, want %v", users, want)
		}
		all := org.Get(list).Want(200)
		for i := range all.Len("items") {
			item := fmt.Sprintf("items.%d.", i)
			id := all.Text(item + "participant.user_id")
			if got := all.Text(item + "participant.participation_visibility"); got != want[id] {
				t.Errorf("%s is %q, want %q", id, got, want[id])
			}
			if all.Text(item+"profile.user_id") != id || all.Text(item+"participant.status") != "going" {
				t.Errorf("item %d: %s", i, all.Body)
			}
		}
		org.Get(list+"?cursor=AAAA").WantError(400, "invalid_request")
	}, apptest.StartAt(apptest.Today))
}

func TestOrganizerListsInvitations(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := private(org, nil)
		var newestFirst []string
		for i := range 5 {
			guest := a.As(fmt.Sprintf("guest-%d", i))
			attendanceInvite(org, event, fmt.Sprintf("guest-%d", i)).Want(201)
			newestFirst = append([]string{guest.UserID}, newestFirst...)
			a.Clock.Advance(time.Second)
		}
		rsvp(a.As("guest-1"), event, "declined").Want(200)
		rsvp(a.As("guest-3"), event, "accepted").Want(200)
		list := "/events/" + event + "/invitations"
		if got := attendanceListed(t, org, list, 2, "invited_user_id"); !slices.Equal(got, newestFirst) {
			t.Errorf("pages have the invitations of %v, want %v", got, newestFirst)
		}
		declined := org.Get(list + "?status=declined").Want(200)
		if declined.Len("items") != 1 || declined.Text("items.0.invited_profile.user_id") != a.As("guest-1").UserID {
			t.Errorf("declined: %s", declined.Body)
		}
		org.Get(list+"?cursor=AAAA").WantError(400, "invalid_request")
	}, apptest.StartAt(apptest.Today))
}

// TestListsOmitBlockedUsers is policy "Block".
func TestListsOmitBlockedUsers(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, bob := a.As("org"), a.As("ann"), a.As("bob")
		event := private(org, apptest.Fields{"starts_at": "2026-06-01T13:00:00Z"})
		for _, guest := range []*apptest.Client{ann, bob} {
			name := map[*apptest.Client]string{ann: "ann", bob: "bob"}[guest]
			attendanceInvite(org, event, name).Want(201)
			rsvp(guest, event, "accepted").Want(200)
		}
		a.Clock.Advance(48 * time.Hour) // the event is over, so that attendance stays
		a.SignIn(apptest.Email("ann")).Block(org)
		again := a.SignIn(apptest.Email("org"))
		for list, path := range map[string]string{"/participants": "participant.user_id", "/invitations": "invited_user_id"} {
			if got := attendanceListed(t, again, "/events/"+event+list, 20, path); !slices.Equal(got, []string{bob.UserID}) {
				t.Errorf("%s are of %s, want %s", list, strings.Join(got, ", "), bob.UserID)
			}
		}
	}, apptest.StartAt(apptest.Today))
}
