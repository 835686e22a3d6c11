package meetup_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// private makes a published private event that begins in four days.
func private(c *apptest.Client, changes apptest.Fields) string {
	body := apptest.Fields{"visibility": "private"}
	maps.Copy(body, changes)
	return c.Publish(body)
}

// attendanceInvite invites an actor by their e-mail address.
func attendanceInvite(c *apptest.Client, event, name string) *apptest.Reply {
	return c.Post("/events/"+event+"/invitations", apptest.Fields{"email": apptest.Email(name)})
}

// rsvp answers an invitation.
func rsvp(c *apptest.Client, event, status string) *apptest.Reply {
	return c.Patch("/events/"+event+"/rsvp", apptest.Fields{"status": status})
}

func TestInviteAndRSVP(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := private(org, nil)
		page, join := "/events/"+event, "/events/"+event+"/join"
		ann.Get(page).WantError(404, "not_found")

		first := org.Post("/events/"+event+"/invitations", apptest.Fields{"email": "ANN@example.org", "message": "Come!"}).Want(201)
		if first.Text("status") != "pending" || first.Text("message") != "Come!" || first.Text("invited_user_id") != ann.UserID ||
			first.Text("invited_by_user_id") != org.UserID || first.Text("invited_profile.user_id") != ann.UserID ||
			first.Text("calendar_invite_id") != first.Text("id") || first.Get("responded_at") != nil {
			t.Errorf("invited: %s", first.Body)
		}
		if got := ann.Get(page).Want(200).Text("viewer_invitation_status"); got != "pending" {
			t.Errorf("ann sees %s", got)
		}
		ann.Post(join, nil).WantError(403, "forbidden") // she has to answer

		a.Clock.Advance(time.Minute)
		for _, row := range []struct {
			status, going string
			count         int
		}{{"tentative", "", 0}, {"accepted", "going", 1}, {"accepted", "going", 1}, {"declined", "left", 0}, {"accepted", "going", 1},
			{"tentative", "left", 0}} {
			said := rsvp(ann, event, row.status).Want(200)
			if said.Text("status") != row.status || said.Text("responded_at") == "" || said.Text("id") != first.Text("id") {
				t.Errorf("answered %s: %s", row.status, said.Body)
			}
			seen := ann.Get(page).Want(200)
			if going, _ := seen.Get("viewer_participation_status").(string); going != row.going ||
				seen.Text("viewer_invitation_status") != row.status ||
				int(seen.Number("participant_count")) != row.count {
				t.Errorf("after %s: %s", row.status, seen.Body)
			}
			attendanceAgree(t, a)
		}

		rsvp(ann, event, "accepted").Want(200)
		again := attendanceInvite(org, event, "ann").Want(201)
		if again.Text("id") != first.Text("id") || again.Text("status") != "pending" || again.Get("responded_at") != nil ||
			again.Get("message") != nil {
			t.Errorf("invited again: %s", again.Body)
		}
		if seen := ann.Get(page); seen.Text("viewer_participation_status") != "going" {
			t.Errorf("a new invitation ended her participation: %s", seen.Body)
		}
		ann.Delete(join).Want(200)
		if got := ann.Get(page).Want(200).Text("viewer_invitation_status"); got != "declined" {
			t.Errorf("after she left, her invitation is %s", got)
		}
		attendanceAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}

// TestWhoMayInvite is contract §4.7 and the row of policy "Doing something".
func TestWhoMayInvite(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		open, drafted := private(org, nil), org.Draft(apptest.Fields{"visibility": "private"})
		canceled := private(org, nil)
		org.Post("/events/"+canceled+"/cancel", nil).Want(200)
		over := private(org, apptest.Fields{"starts_at": "2026-05-01T11:00:00Z"})
		attendanceInvite(org, open, "guest").Want(404) // no account yet
		a.As("guest")
		attendanceInvite(org, open, "guest").Want(201)
		suspended := a.As("suspended")
		attendanceExec(t, a, attendanceSuspendStmt, suspended.UserID)
		attendanceExec(t, a, unverifyStmt, a.As("claimed").UserID)
		block(t, a, org, a.As("blocked"))
		block(t, a, a.As("blocking"), org)
		to := func(name string) apptest.Fields { return apptest.Fields{"email": apptest.Email(name)} }
		for _, row := range []struct {
			who, what, event string
			body             any
			status           int
		}{
			{"org", "an account", open, to("ann"), 201},
			{"org", "to a draft", drafted, to("ann"), 201},
			{"org", "to a public event", org.Publish(nil), to("ann"), 403},
			{"org", "to a canceled event", canceled, to("ann"), 403},
			{"org", "to an event that is over", over, to("ann"), 403},
			{"org", "to an unknown event", "01890a5d-ac96-774b-bcce-b302099a8057", to("ann"), 404},
			{"org", "an unknown address", open, to("unknown"), 404},
			{"org", "an unknown phone", open, apptest.Fields{"invited_phone": "+79991112233"}, 404},
			{"org", "a suspended user", open, to("suspended"), 404},
			{"org", "an address that was only claimed", open, to("claimed"), 404},
			{"org", "a blocked user", open, to("blocked"), 404},
			{"org", "a user who blocks", open, to("blocking"), 404},
			{"org", "oneself", open, to("org"), 400},
			{"org", "no user", open, apptest.Fields{}, 400},
			{"org", "by both", open, apptest.Fields{"email": apptest.Email("ann"), "invited_phone": "+79991112233"}, 400},
			{"org", "a malformed address", open, apptest.Fields{"email": "ann"}, 400},
			{"org", "a malformed phone", open, apptest.Fields{"invited_phone": "112"}, 400},
			{"org", "with a message too long", open, apptest.Fields{"email": apptest.Email("ann"), "message": fmt.Sprintf("%0501d", 1)}, 400},
			{"org", "with null for a message", open, apptest.Fields{"email": apptest.Email("ann"), "message": nil}, 201},
			{"guest", "to another user's event", open, to("ann"), 403},
			{"guest", "malformed to another user's event", open, apptest.Fields{}, 400},
			{"stranger", "to a hidden event", open, to("ann"), 404},
			{"stranger", "an invalid body to a hidden event", open, apptest.Fields{}, 404},
			{"stranger", "malformed to a hidden event", open, "{", 404},
			{"anonymous", "an account", open, to("ann"), 401},
		} {
			t.Run(row.who+" "+row.what, func(t *testing.T) {
				client := a.Anonymous()
				if row.who != "anonymous" {
					client = a.As(row.who)
				}
				client.In(t).Post("/events/"+row.event+"/invitations", row.body).Want(row.status)
			})
		}
		if ann.Get("/events/"+drafted).Want(200).Text("viewer_invitation_status") != "pending" {
			t.Error("she does not see the draft")
		}
	}, apptest.StartAt(apptest.Today))
}

// TestWhoMayRSVP is the table of contract §4.7 and policy "Doing something".
func TestWhoMayRSVP(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		a.As("early")
		invited := func(event string) string { attendanceInvite(org, event, "ann").Want(201); return event }
		full := invited(private(org, apptest.Fields{"capacity": 1}))
		attendanceInvite(org, full, "early").Want(201)
		rsvp(a.As("early"), full, "accepted").Want(200)
		canceled, over := invited(private(org, nil)), invited(private(org, apptest.Fields{"starts_at": "2026-06-01T09:05:00Z"}))
		org.Post("/events/"+canceled+"/cancel", nil).Want(200)
		drafted := invited(org.Draft(apptest.Fields{"visibility": "private"}))
		hidden := invited(private(org, nil))
		paid := invited(org.Post("/events", apptest.Fields{"title": "Paid", "starts_at": "2026-06-05T16:00:00Z", "visibility": "private",
			"price": "paid", "price_amount": 100, "price_currency": "RUB"}).Want(201).Text("event.id"))
		open, public := invited(private(org, nil)), org.Publish(nil)
		a.Clock.Advance(10 * time.Minute) // the event that began at 9:05 is over
		yes := apptest.Fields{"status": "accepted"}
		for _, row := range []struct {
			who, what, event string
			body             any
			status           int
		}{
			{"ann", "yes", open, yes, 200},
			{"ann", "yes to a draft", drafted, yes, 200},
			{"ann", "yes to a full event", full, yes, 403},
			{"ann", "perhaps to a full event", full, apptest.Fields{"status": "tentative"}, 200},
			{"ann", "yes to a canceled event", canceled, yes, 403},
			{"ann", "no to a canceled event", canceled, apptest.Fields{"status": "declined"}, 403},
			{"ann", "yes to an event that is over", over, yes, 403},
			{"ann", "yes to a paid event", paid, yes, 403},
			{"ann", "no to a paid event", paid, apptest.Fields{"status": "declined"}, 200},
			{"ann", "pending", open, apptest.Fields{"status": "pending"}, 400},
			{"ann", "nothing", open, apptest.Fields{}, 400},
			{"ann", "yes, in secret", open, apptest.Fields{"status": "accepted", "participation_visibility": "secret"}, 400},
			{"ann", "without an invitation", public, yes, 404},
			{"ann", "malformed, without an invitation", public, apptest.Fields{"status": "pending"}, 404},
			{"org", "for their own event", open, yes, 404},
			{"early", "for a hidden event", hidden, yes, 404},
			{"anonymous", "yes", open, yes, 401},
		} {
			t.Run(row.who+" "+row.what, func(t *testing.T) {
				client := a.Anonymous()
				if row.who != "anonymous" {
					client = a.As(row.who)
				}
				client.In(t).Patch("/events/"+row.event+"/rsvp", row.body).Want(row.status)
			})
		}
		block(t, a, ann, org)
		rsvp(ann, open, "declined").WantError(404, "not_found")
		attendanceAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}

// TestRSVPKeepsIncognito checks that only an explicit visibility ends incognito.
func TestRSVPKeepsIncognito(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, bob := a.As("org"), a.As("ann"), a.As("bob")
		event := private(org, nil)
		for _, name := range []string{"ann", "bob"} {
			attendanceInvite(org, event, name).Want(201)
		}
		say := func(body apptest.Fields) { ann.Patch("/events/"+event+"/rsvp", body).Want(200) }
		seen := func(want string, preview int) {
			t.Helper()
			if got := ann.Get("/events/" + event).Text("viewer_participation_visibility"); got != want {
				t.Errorf("ann is %s, want %s", got, want)
			}
			if n := bob.Get("/events/" + event).Len("social_proof.participants_preview"); n != preview {
				t.Errorf("bob sees %d", n)
			}
		}
		say(apptest.Fields{"status": "accepted", "participation_visibility": "incognito"})
		seen("incognito", 0)
		say(apptest.Fields{"status": "accepted"})
		seen("incognito", 0)
		say(apptest.Fields{"status": "tentative"})
		say(apptest.Fields{"status": "accepted"})
		seen("incognito", 0)
		say(apptest.Fields{"status": "accepted", "participation_visibility": "public"})
		seen("public", 1)
		say(apptest.Fields{"status": "accepted", "participation_visibility": "incognito"})
		seen("incognito", 0)
	}, apptest.StartAt(apptest.Today))
}

// TestInvitationFollowsJoinAndLeave publishes a private draft with an invitation as
// a public event: joining accepts the invitation, leaving declines it.
func TestInvitationFollowsJoinAndLeave(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Draft(apptest.Fields{"visibility": "private"})
		attendanceInvite(org, event, "ann").Want(201)
		org.Patch("/events/"+event, apptest.Fields{"visibility": "public"}).Want(200)
		ann.Get("/events/"+event).WantError(404, "not_found") // a public draft is the organizer's alone
		org.Post("/events/"+event+"/publish", nil).Want(200)
		for _, step := range []struct {
			act  func() *apptest.Reply
			want string
		}{
			{func() *apptest.Reply { return ann.Post("/events/"+event+"/join", nil) }, "accepted"},
			{func() *apptest.Reply { return ann.Delete("/events/" + event + "/join") }, "declined"},
			{func() *apptest.Reply { return ann.Post("/events/"+event+"/join", nil) }, "accepted"},
		} {
			step.act().Want(200)
			if got := ann.Get("/events/" + event).Text("viewer_invitation_status"); got != step.want {
				t.Errorf("the invitation is %s, want %s", got, step.want)
			}
		}
		attendanceAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}

func TestInvitationNotifications(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, fan := a.As("org"), a.As("ann"), a.As("fan")
		attendanceExec(t, a, attendanceFollowStmt, fan.UserID, ann.UserID)
		event := private(org, nil)
		notifications := func(c *apptest.Client, kind string) (n int) {
			t.Helper()
			a.RunJobs()
			if err := a.DB.One(t.Context(), notificationsStmt, id(t, c.UserID), kind).Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		attendanceInvite(org, event, "ann").Want(201)
		if n := notifications(ann, "event_invitation"); n != 1 {
			t.Errorf("ann has %d notifications of one invitation", n)
		}
		rsvp(ann, event, "accepted").Want(200)
		rsvp(ann, event, "accepted").Want(200)
		ann.Patch("/events/"+event+"/rsvp", apptest.Fields{"status": "accepted", "participation_visibility": "incognito"}).Want(200)
		ann.Patch("/events/"+event+"/rsvp", apptest.Fields{"status": "accepted", "participation_visibility": "public"}).Want(200)
		if n := notifications(org, "event_invitation_response"); n != 1 {
			t.Errorf("org has %d notifications of one RSVP", n)
		}
		if n := notifications(org, "event_joined") + notifications(fan, "followed_user_going"); n != 0 {
			t.Errorf("%d notifications of joining a private event", n)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestInvitationMissesAreLimited checks the quota of unknown addresses: without
// quota left, known addresses are refused, too.
func TestInvitationMissesAreLimited(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, other := a.As("org"), a.As("other")
		a.As("ann")
		event := private(org, nil)
		var missed, refused int
		for i := range 23 {
			attendanceInvite(org, event, "ann").Want(map[bool]int{true: 201, false: 429}[missed < 20]) // a hit uses no quota
			switch reply := attendanceInvite(org, event, fmt.Sprintf("unknown%d", i)); reply.Status {
			case 404:
				missed++
			case 429:
				refused++
				reply.WantError(429, "rate_limited")
				if reply.Header.Get("Retry-After") == "" {
					t.Error("a refusal has no Retry-After")
				}
			default:
				t.Errorf("%d %s", reply.Status, reply.Body)
			}
		}
		if missed != 20 || refused != 3 {
			t.Errorf("%d misses, then %d refusals", missed, refused)
		}
		attendanceInvite(other, private(other, nil), "unknown").Want(404) // other organizers have their own quota
		a.Clock.Advance(3 * time.Minute)
		attendanceInvite(org, event, "ann").Want(201)
	}, apptest.StartAt(apptest.Today), apptest.Setting("RATE_LIMITS", "writes_per_user=1000/1m, dev_start_per_address=1000/1m"))
}

var (
	attendanceSuspendStmt = db.SQL("user.test_suspend", `UPDATE users SET suspended_at = 1 WHERE id = $1`)
	unverifyStmt          = db.SQL("user.test_unverify", `UPDATE users SET email_verified = FALSE WHERE id = $1`)
	attendanceBlockStmt   = db.SQL("relation.test_block", `INSERT INTO blocks (blocker_id, blocked_id, id, created_at) VALUES ($1, $2, $2, 1)`)
	attendanceFollowStmt  = db.SQL("relation.test_follow", `INSERT INTO follows (follower_id, followed_id, created_at) VALUES ($1, $2, 1)`)
	notificationsStmt     = db.SQL("notify.test_notifications", `SELECT COUNT(*) FROM notifications WHERE user_id = $1 AND kind = $2`)
)

func id(t *testing.T, text string) domain.UserID {
	t.Helper()
	id, err := domain.ParseID[domain.UserKind](text)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// attendanceExec runs a statement with ids as parameters.
func attendanceExec(t *testing.T, a *apptest.App, s *db.Stmt, ids ...string) {
	t.Helper()
	var args []any
	for _, text := range ids {
		args = append(args, id(t, text))
	}
	if _, err := a.DB.Exec(t.Context(), s, args...); err != nil {
		t.Fatal(err)
	}
}

// block writes a block without its effects.
func block(t *testing.T, a *apptest.App, blocker, blocked *apptest.Client) {
	t.Helper()
	attendanceExec(t, a, attendanceBlockStmt, blocker.UserID, blocked.UserID)
}
