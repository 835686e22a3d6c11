package meetup_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/calendar"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// inviteOf returns the id of the first invite that a client received.
func inviteOf(c *apptest.Client) string {
	return c.Get("/calendar/invites").Want(200).Text("items.0.invite.id")
}

// TestInvitesNameBothUsers reads the lists and the details of both roles.
func TestInvitesNameBothUsers(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		dinner(org, nil, ann)
		event := org.Publish(apptest.Fields{"visibility": "private"})
		org.Post("/events/"+event+"/invitations", apptest.Fields{"email": apptest.Email("ann")}).Want(201)
		for role, c := range map[string]*apptest.Client{"outgoing": org, "incoming": ann} {
			list := c.Get("/calendar/invites?role=" + role).Want(200)
			for i := range 2 {
				item := fmt.Sprintf("items.%d.", i)
				if list.Text(item+"invite.invited_user_id") != ann.UserID || list.Text(item+"invited_profile.user_id") != ann.UserID ||
					list.Text(item+"inviter_profile.user_id") != org.UserID {
					t.Errorf("%s %d: %s", role, i, list.Body)
				}
				details := c.Get("/calendar/invites/" + list.Text(item+"invite.id")).Want(200)
				if details.Text("invited_user_id") != ann.UserID || details.Text("invited_profile.user_id") != ann.UserID {
					t.Errorf("%s: %s", role, details.Body)
				}
			}
		}
	}, apptest.StartAt(apptest.Today))
}

func TestInvitesAreAnswered(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, bob := a.As("org"), a.As("ann"), a.As("bob")
		entry := dinner(org, apptest.Fields{"notes": "a surprise", "location_text": "Home"}, ann, bob)
		list := ann.Get("/calendar/invites").Want(200)
		id := list.Text("items.0.invite.id")
		for path, want := range map[string]any{
			"invite.status": "pending", "invite.role": "incoming", "invite.invited_by_user_id": org.UserID, "invite.entry_id": entry,
			"invite.event_id":     nil,
			"invite.responded_at": nil, "entry.id": entry, "entry.title": "Dinner", "entry.location_text": "Home",
			"inviter_profile.user_id": org.UserID,
		} {
			if got := list.Get("items.0." + path); got != want {
				t.Errorf("%s is %v, want %v", path, got, want)
			}
		}
		if len(statuses(ann)) != 0 {
			t.Error("the calendar contains a pending invite")
		}
		for _, row := range []struct{ answer, status string }{{"accepted", "confirmed"}, {"tentative", "tentative"}, {"declined", "canceled"},
			{"accepted", "confirmed"}} {
			a.Clock.Advance(time.Second)
			reply := ann.Patch("/calendar/invites/"+id, apptest.Fields{"status": row.answer}).Want(200)
			if reply.Text("invite.status") != row.answer || reply.Text("invite.responded_at") == "" || reply.Text("invite.role") != "incoming" {
				t.Errorf("answered: %s", reply.Body)
			}
			if got := statuses(ann)[entry]; got != row.status {
				t.Errorf("after %s the entry is %s", row.answer, got)
			}
		}
		seen := ann.Get("/calendar/entries").Want(200)
		if seen.Text("items.0.source") != "invite" || seen.Text("items.0.owner_user_id") != ann.UserID || seen.Get("items.0.notes") != nil {
			t.Errorf("in the calendar of ann: %s", seen.Body)
		}
		ann.Patch("/calendar/entries/"+entry, apptest.Fields{"title": "Mine"}).WantError(400, "invalid_request")
		if got := ann.Patch("/calendar/entries/"+entry, apptest.Fields{"notes": "vegetarian"}).Want(200).Text("notes"); got != "vegetarian" {
			t.Errorf("the invitee's notes are %s", got)
		}
		if got := org.Get("/calendar/entries").Text("items.0.notes"); got != "a surprise" {
			t.Errorf("the owner's notes are %s", got)
		}
		ann.Delete("/calendar/entries/" + entry).Want(200)
		if statuses(ann)[entry] != "canceled" || statuses(org)[entry] != "confirmed" {
			t.Error("the removal is not in the calendar of the invitee, or it is in the one of the owner")
		}

		details := bob.Get("/calendar/invites/" + inviteOf(bob)).Want(200)
		if details.Len("participants") != 2 || details.Text("role") != "incoming" || details.Text("entry.timezone") != "UTC" ||
			details.Text("status") != "pending" {
			t.Errorf("details: %s", details.Body)
		}
		if got := org.Get("/calendar/invites/" + id).Want(200).Text("role"); got != "outgoing" {
			t.Errorf("the owner's role is %s", got)
		}
		a.As("stranger").Get("/calendar/invites/"+id).WantError(404, "not_found")
		for _, c := range []*apptest.Client{bob, org, a.As("stranger")} {
			c.Patch("/calendar/invites/"+id, apptest.Fields{"status": "accepted"}).WantError(404, "not_found")
		}
		ann.Patch("/calendar/invites/"+id, apptest.Fields{"status": "pending"}).WantError(400, "invalid_request")
		org.Delete("/calendar/entries/" + entry).Want(200)
		bob.Patch("/calendar/invites/"+inviteOf(bob), apptest.Fields{"status": "accepted"}).WantError(403, "forbidden")
	}, apptest.StartAt(apptest.Today))
}

func TestUnknownAndBlockedUsersCannotBeInvited(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		blocked, blocking := a.As("blocked"), a.As("blocking")
		org.Post("/users/"+blocked.UserID+"/block", nil).Want(200)
		blocking.Post("/users/"+org.UserID+"/block", nil).Want(200)
		many := make([]string, 51)
		for i := range many {
			many[i] = domain.RandomID[domain.UserKind]().String()
		}
		for _, row := range []struct {
			who    string
			ids    []string
			status int
		}{
			{"one user", []string{ann.UserID}, 201}, {"no one", []string{}, 201}, {"oneself", []string{org.UserID}, 400}, {"an unknown user", many[:1], 404},
			{"one user and an unknown user", []string{ann.UserID, many[0]}, 404}, {"a blocked user", []string{blocked.UserID}, 404},
			{"a user who blocks", []string{blocking.UserID}, 404}, {"one user twice", []string{ann.UserID, ann.UserID}, 400}, {"too many", many, 400},
		} {
			t.Run(row.who, func(t *testing.T) {
				org.In(t).Post("/calendar/entries", apptest.Fields{"title": "Dinner", "starts_at": "2026-06-06T18:00:00Z",
					"invitee_user_ids": row.ids}).Want(row.status)
			})
		}
		if n := ann.Get("/calendar/invites").Len("items"); n != 1 {
			t.Errorf("ann has %d invites: those of refused requests too", n)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestInviteLists checks lists of invites to entries and to events, received and sent.
func TestInviteLists(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		for i := range 6 {
			dinner(org, apptest.Fields{"title": fmt.Sprint("Dinner ", i)}, ann)
			event, _ := invited(org, "ann")
			if i%2 == 0 {
				a.Clock.Advance(time.Second)
			}
			if i < 2 {
				ann.Patch("/events/"+event+"/rsvp", apptest.Fields{"status": "accepted"}).Want(200)
			}
		}
		walk := func(c *apptest.Client, query string) (ids []string) {
			cursor := ""
			for {
				page := c.Get("/calendar/invites?" + query + cursor).Want(200)
				for i := range page.Len("items") {
					ids = append(ids, page.Text(fmt.Sprintf("items.%d.invite.id", i)))
				}
				next, more := page.Get("next_cursor").(string)
				if !more {
					return ids
				}
				cursor = "&cursor=" + next
			}
		}
		all := walk(ann, "limit=100")
		if len(all) != 12 {
			t.Fatalf("%d invites", len(all))
		}
		for _, limit := range []int{1, 5, 11, 12} {
			if got := walk(ann, fmt.Sprint("limit=", limit)); strings.Join(got, " ") != strings.Join(all, " ") {
				t.Errorf("in pages of %d: %v", limit, got)
			}
		}
		for query, want := range map[string]int{"status=pending": 10, "status=accepted": 2, "status=declined": 0, "role=outgoing": 0,
			"role=incoming&limit=1": 12} {
			if got := walk(ann, query); len(got) != want {
				t.Errorf("ann's with %s: %d, want %d", query, len(got), want)
			}
		}
		if got := walk(org, "role=outgoing&limit=5"); strings.Join(got, " ") != strings.Join(all, " ") {
			t.Errorf("invites that the organizer sent: %v", got)
		}
		for _, query := range []string{"role=mine", "status=canceled", "cursor=x", "limit=101"} {
			ann.Get("/calendar/invites?"+query).WantError(400, "invalid_request")
		}
		ann.Post("/users/"+org.UserID+"/block", nil).Want(200)
		if n := len(walk(ann, "")) + len(walk(org, "role=outgoing")); n != 0 {
			t.Errorf("%d invites remain after a block", n)
		}
		ann.Delete("/users/" + org.UserID + "/block").Want(204)
		if got := walk(ann, "status=declined"); len(got) != 12 {
			t.Errorf("the block declined %d invites", len(got))
		}
	}, apptest.StartAt(apptest.Today))
}

// TestParticipantsHideIncognito checks that an invitee who accepted incognito looks like
// one who has not answered.
func TestParticipantsHideIncognito(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, bob, eve := a.As("org"), a.As("ann"), a.As("bob"), a.As("eve")
		event, invites := invited(org, "ann", "bob", "eve")
		rsvp := "/events/" + event + "/rsvp"
		look := func(c *apptest.Client, invite int) *apptest.Reply {
			return c.Get("/calendar/invites/" + invites[invite]).Want(200)
		}
		bob.Patch(rsvp, apptest.Fields{"status": "accepted"}).Want(200)
		before := look(eve, 2)
		ann.Patch(rsvp, apptest.Fields{"status": "accepted", "participation_visibility": "incognito"}).Want(200)
		if after := look(eve, 2); string(after.Body) != string(before.Body) || after.Len("participants") != 1 {
			t.Errorf("eve saw %s, now %s", before.Body, after.Body)
		}
		for _, c := range []struct {
			who    *apptest.Client
			invite int
		}{{org, 0}, {ann, 0}, {bob, 1}} {
			if seen := look(c.who, c.invite); strings.Contains(string(seen.Body), `"profile":{"user_id":"`+ann.UserID) {
				t.Errorf("%s", seen.Body)
			}
		}
		if n := look(org, 1).Len("participants"); n != 2 {
			t.Errorf("the organizer sees %d participants", n)
		}
		eve.Post("/users/"+bob.UserID+"/block", nil).Want(200)
		if n := look(eve, 2).Len("participants"); n != 0 {
			t.Errorf("eve sees %d", n)
		}
	}, apptest.StartAt(apptest.Today))
}

var calendarNoticesStmt = db.SQL("notify.test_calendar_notices", `SELECT COUNT(*) FROM notifications WHERE user_id = $1 AND kind = $2`)

func TestInvitesNotify(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		dinner(org, nil, ann)
		_, events := invited(org, "ann")
		for _, id := range []string{ann.Get("/calendar/invites").Text("items.0.invite.id"),
			ann.Get("/calendar/invites").Text("items.1.invite.id")} {
			ann.Patch("/calendar/invites/"+id, apptest.Fields{"status": "accepted"}).Want(200)
			ann.Patch("/calendar/invites/"+id, apptest.Fields{"status": "accepted"}).Want(200)
		}
		for _, row := range []struct {
			who  *apptest.Client
			kind string
			want int
		}{{ann, "calendar_invite", 1}, {org, "calendar_invite_response", 1}, {ann, "event_invitation", len(events)},
			{org, "event_invitation_response", 1}, {org, "calendar_invite", 0}} {
			var n int
			if err := a.DB.One(t.Context(), calendarNoticesStmt, row.who.ID(), row.kind).Scan(&n); err != nil || n != row.want {
				t.Errorf("%d of %s, want %d, %v", n, row.kind, row.want, err)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

func TestExportAndEraseCalendar(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		dinner(ann, apptest.Fields{"title": "Own", "notes": "own notes"}, org)
		theirs := dinner(org, apptest.Fields{"title": "Theirs"}, ann)
		ann.Patch("/calendar/invites/"+inviteOf(ann), apptest.Fields{"status": "accepted"}).Want(200)
		ann.Patch("/calendar/entries/"+theirs, apptest.Fields{"notes": "noted"}).Want(200)
		feed := ann.Post("/calendar/feed", nil).Want(201).Text("url")
		export := func() string {
			value, err := calendar.Export(t.Context(), a.DB, ann.ID())
			if err != nil {
				t.Fatal(err)
			}
			text, _ := json.Marshal(value)
			return string(text)
		}
		got := export()
		for _, want := range []string{"Own", "own notes", "noted", theirs, `"accepted"`, `"pending"`} {
			if !strings.Contains(got, want) {
				t.Errorf("the export does not contain %s: %s", want, got)
			}
		}
		if strings.Contains(got, "Theirs") {
			t.Errorf("the export contains data of another user: %s", got)
		}
		err := a.DB.InTx(t.Context(), func(tx db.Tx) error { return calendar.Erase(t.Context(), tx, ann.ID(), a.Clock.Now()) })
		if err != nil {
			t.Fatal(err)
		}
		if got := export(); got != `{"entries":[],"invites":[],"marks":[]}` {
			t.Errorf("left: %s", got)
		}
		if n := org.Get("/calendar/invites").Len("items"); n != 0 || len(statuses(org)) != 1 {
			t.Errorf("the other user has %d invites and %v", n, statuses(org))
		}
		calendarRead(a, feed).WantError(404, "not_found")
	}, apptest.StartAt(apptest.Today))
}

// calendarRead reads a feed.
func calendarRead(a *apptest.App, address string) *apptest.Reply {
	return a.Anonymous().Get(strings.TrimPrefix(address, apptest.BaseURL))
}
