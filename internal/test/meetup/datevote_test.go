package meetup_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"moothall/internal/domain"
	"moothall/internal/meetup/datevote"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// addOption adds a date option and returns its id.
func addOption(c *apptest.Client, event, start string) string {
	return c.Post("/events/"+event+"/date-options", apptest.Fields{"starts_at": start}).Want(201).Text("id")
}

func parseID[kind any](t *testing.T, id string) domain.ID[kind] {
	t.Helper()
	parsed, err := domain.ParseID[kind](id)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

var inviteStmt = db.SQL("datevote.test_invite", `
	INSERT INTO invitations (event_id, user_id, id, invited_by, status, created_at, updated_at)
	SELECT e.id, $2, $3, e.organizer_id, $4, $5, $5 FROM events e WHERE e.id = $1
	ON CONFLICT (event_id, user_id) DO UPDATE SET status = excluded.status`)

// datevoteInvite stores an invitation with an answer. Unlike the API it never makes the
// invited person a participant.
func datevoteInvite(t *testing.T, a *apptest.App, c *apptest.Client, event, answer string) {
	t.Helper()
	if _, err := a.DB.Exec(t.Context(), inviteStmt, parseID[domain.EventKind](t, event), parseID[domain.UserKind](t, c.UserID),
		domain.NewID[domain.InvitationKind](apptest.Today), answer, apptest.Today); err != nil {
		t.Fatal(err)
	}
}

// datevoteListed returns the options of an event as "start votes", with + behind those that
// the viewer approved of and ! behind the selected one.
func datevoteListed(c *apptest.Client, event string) []string {
	reply := c.Get("/events/" + event + "/date-options").Want(200)
	all := make([]string, reply.Len("items"))
	for i := range all {
		at := fmt.Sprintf("items.%d.", i)
		all[i] = fmt.Sprint(reply.Text(at + "starts_at")[5:10], " ", reply.Number(at+"vote_count"))
		if reply.Get(at+"viewer_voted") == true {
			all[i] += "+"
		}
		if reply.Get(at+"is_selected") == true {
			all[i] += "!"
		}
	}
	return all
}

func wantListed(t *testing.T, c *apptest.Client, event string, want ...string) {
	t.Helper()
	if got := datevoteListed(c, event); !slices.Equal(got, want) {
		t.Errorf("the options are %v, want %v", got, want)
	}
}

func TestDateOptions(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		options := "/events/" + event + "/date-options"
		if empty := org.Get(options).Want(200); empty.Len("items") != 0 || empty.Text("date_mode") != "fixed" ||
			empty.Get("selected_option_id") != nil {
			t.Errorf("at first: %s", empty.Body)
		}
		org.Post(options, apptest.Fields{"starts_at": "2026-06-08T16:00:00+03:00", "ends_at": "2026-06-08T19:00:00+03:00",
			"note": " The hall is free.\r\nBring tea. "}).Want(201)
		added := org.Post(options, apptest.Fields{"starts_at": "2026-06-07T16:00:00.7Z", "note": nil, "ends_at": nil}).Want(201)
		if added.Text("starts_at") != "2026-06-07T16:00:00Z" || added.Get("ends_at") != nil || added.Text("created_by_user_id") != org.UserID ||
			added.Text("event_id") != event {
			t.Errorf("added: %s", added.Body)
		}
		wantListed(t, a.As("ann"), event, "06-07 0", "06-08 0")
		list := a.As("ann").Get(options).Want(200)
		if list.Text("items.1.note") != "The hall is free.\nBring tea." || list.Text("items.1.starts_at") != "2026-06-08T13:00:00Z" ||
			list.Text("items.1.ends_at") != "2026-06-08T16:00:00Z" {
			t.Errorf("listed: %s", list.Body)
		}
		for _, row := range []struct {
			name   string
			body   apptest.Fields
			status int
		}{
			{"the same start and end", apptest.Fields{"starts_at": "2026-06-08T13:00:00Z", "ends_at": "2026-06-08T16:00:00Z", "note": "again"}, 400},
			{"the same start, no end twice", apptest.Fields{"starts_at": "2026-06-07T16:00:00Z"}, 400},
			{"the same start, another end", apptest.Fields{"starts_at": "2026-06-08T13:00:00Z", "ends_at": "2026-06-08T16:30:00Z"}, 201},
			{"the same start, no end", apptest.Fields{"starts_at": "2026-06-08T13:00:00Z"}, 201},
			{"an end at the start", apptest.Fields{"starts_at": "2026-06-09T13:00:00Z", "ends_at": "2026-06-09T13:00:00Z"}, 400},
			{"31 days", apptest.Fields{"starts_at": "2026-06-09T13:00:00Z", "ends_at": "2026-07-10T13:00:00Z"}, 201},
			{"longer", apptest.Fields{"starts_at": "2026-06-09T13:00:00Z", "ends_at": "2026-07-10T13:00:01Z"}, 400},
			{"a note of 200", apptest.Fields{"starts_at": "2026-06-10T13:00:00Z", "note": strings.Repeat("ж", 200)}, 201},
			{"a note of 201", apptest.Fields{"starts_at": "2026-06-11T13:00:00Z", "note": strings.Repeat("ж", 201)}, 400},
			{"no start", apptest.Fields{"note": "some day"}, 400},
			{"a start without zone", apptest.Fields{"starts_at": "2026-06-11T13:00:00"}, 400},
			{"in another century", apptest.Fields{"starts_at": "2126-06-11T13:00:00Z"}, 400},
		} {
			t.Run(row.name, func(t *testing.T) { org.In(t).Post(options, row.body).Want(row.status) })
		}
		for n := org.Get(options).Len("items"); n < 20; n++ {
			addOption(org, event, fmt.Sprintf("2026-07-%02dT10:00:00Z", n))
		}
		problem := org.With("Accept", "application/problem+json").Post(options, apptest.Fields{"starts_at": "2026-08-01T10:00:00Z"}).Want(400)
		if !strings.Contains(problem.Text("errors.0.detail"), "20 options") {
			t.Errorf("the 21st: %s", problem.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestVotesCountWhileTheirVotersMayVote lets people join and leave: a vote does not
// count while its voter may not vote, and counts again when they may.
func TestVotesCountWhileTheirVotersMayVote(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, bob, stranger := a.As("org"), a.As("ann"), a.As("bob"), a.As("stranger")
		event := org.Publish(apptest.Fields{"date_mode": "vote"})
		first, second := addOption(org, event, "2026-06-06T16:00:00Z"), addOption(org, event, "2026-06-07T16:00:00Z")
		vote := func(option string) string { return "/events/" + event + "/date-options/" + option + "/votes" }
		ann.Join(event)
		bob.Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)

		once := ann.Post(vote(first), nil).Want(200)
		if once.Text("user_id") != ann.UserID || once.Text("option_id") != first || once.Text("event_id") != event {
			t.Errorf("voted: %s", once.Body)
		}
		a.Clock.Advance(time.Minute)
		if again := ann.Post(vote(first), nil).Want(200); string(again.Body) != string(once.Body) {
			t.Errorf("again: %s, was %s", again.Body, once.Body)
		}
		ann.Post(vote(second), nil).Want(200)
		bob.Post(vote(second), nil).Want(200)
		org.Post(vote(second), nil).Want(200)
		stranger.Post(vote(second), nil).WantError(403, "forbidden")
		wantListed(t, ann, event, "06-06 1+", "06-07 3+")
		wantListed(t, stranger, event, "06-06 1", "06-07 3")
		if list := string(stranger.Get("/events/" + event + "/date-options").Body); strings.Contains(list, ann.UserID) ||
			strings.Contains(list, bob.UserID) {
			t.Errorf("voters are named: %s", list)
		}

		ann.Delete("/events/" + event + "/join").Want(200)
		wantListed(t, ann, event, "06-06 0", "06-07 2")
		ann.Delete(vote(first)).WantError(403, "forbidden")
		datevoteInvite(t, a, ann, event, "pending")
		wantListed(t, org, event, "06-06 1", "06-07 3+")
		datevoteInvite(t, a, ann, event, "declined")
		wantListed(t, org, event, "06-06 0", "06-07 2+")
		ann.Join(event)
		wantListed(t, ann, event, "06-06 1+", "06-07 3+")

		for range 2 {
			ann.Delete(vote(first)).Want(204)
		}
		wantListed(t, ann, event, "06-06 0", "06-07 3+")
		org.Patch("/events/"+event+"/date-mode", apptest.Fields{"mode": "fixed"}).Want(204)
		ann.Post(vote(first), nil).WantError(403, "forbidden")
		ann.Delete(vote(second)).WantError(403, "forbidden")
		org.Patch("/events/"+event+"/date-mode", apptest.Fields{"mode": "vote"}).Want(204)
		wantListed(t, ann, event, "06-06 0", "06-07 3+")
	}, apptest.StartAt(apptest.Today))
}

var sequenceStmt = db.SQL("datevote.test_sequence", `SELECT sequence FROM events WHERE id = $1`)

func sequence(t *testing.T, a *apptest.App, event string) (n int) {
	t.Helper()
	if err := a.DB.One(t.Context(), sequenceStmt, parseID[domain.EventKind](t, event)).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestSelectMovesEvent follows an event through a vote and its end.
func TestSelectMovesEvent(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(apptest.Fields{"date_mode": "vote", "city": "Moscow", "lat": 55.75, "lng": 37.62, "ends_at": "2026-06-05T17:00:00Z"})
		other := org.Publish(apptest.Fields{"title": "Go in the park", "starts_at": "2026-06-06T10:00:00Z", "city": "Moscow", "lat": 55.75,
			"lng": 37.62})
		early := addOption(org, event, "2026-06-04T16:00:00Z")
		late := org.Post("/events/"+event+"/date-options", apptest.Fields{"starts_at": "2026-06-07T16:00:00Z",
			"ends_at": "2026-06-07T18:00:00Z"}).Want(201).Text("id")
		page, choose := "/events/"+event, func(option string) string { return "/events/" + event + "/date-options/" + option + "/select" }
		was := org.Get(page).Want(200)

		selected := org.Post(choose(late), nil).Want(200)
		if selected.Text("id") != late || selected.Get("is_selected") != true {
			t.Errorf("selected: %s", selected.Body)
		}
		is := a.As("stranger").Get(page).Want(200)
		if is.Text("event.starts_at") != "2026-06-07T16:00:00Z" || is.Text("event.ends_at") != "2026-06-07T18:00:00Z" ||
			is.Text("event.date_mode") != "fixed" || is.Text("event.selected_date_option_id") != late ||
			is.Header.Get("ETag") == was.Header.Get("ETag") {
			t.Errorf("the event: %s", is.Body)
		}
		if n := sequence(t, a, event); n != 1 {
			t.Errorf("SEQUENCE %d", n)
		}
		wantListed(t, org, event, "06-04 0", "06-07 0!")
		order := func(query string, want ...string) {
			t.Helper()
			list := a.Anonymous().Get("/events?" + query).Want(200)
			var found []string
			for i := range list.Len("items") {
				found = append(found, list.Text(fmt.Sprintf("items.%d.event.id", i)))
			}
			if !slices.Equal(found, want) {
				t.Errorf("%s returns %v, want %v", query, found, want)
			}
		}
		for _, query := range []string{"", "q=park", "city=moscow", "lat=55.75&lng=37.62&radius_km=5"} {
			order(query, other, event)
		}
		order("starts_to=2026-06-05T23:00:00Z")

		again := org.Post(choose(late), nil).Want(200)
		if string(again.Body) != string(selected.Body) || org.Get(page).Header.Get("ETag") != is.Header.Get("ETag") ||
			sequence(t, a, event) != 1 {
			t.Errorf("selected again: %s", again.Body)
		}
		org.Post(choose(early), nil).Want(200) // the organizer selects another option
		wantListed(t, org, event, "06-04 0!", "06-07 0")
		order("", event, other)
		if is := org.Get(page); is.Get("event.ends_at") != nil || is.Text("event.starts_at") != "2026-06-04T16:00:00Z" ||
			sequence(t, a, event) != 2 {
			t.Errorf("the early date: %s", is.Body)
		}

		org.Patch(page+"/date-mode", apptest.Fields{"mode": "fixed"}).Want(204) // the mode is already fixed
		wantListed(t, org, event, "06-04 0!", "06-07 0")
		org.Patch(page+"/date-mode", apptest.Fields{"mode": "vote"}).Want(204)
		if is := org.Get(page); is.Get("event.selected_date_option_id") != nil || is.Text("event.starts_at") != "2026-06-04T16:00:00Z" ||
			is.Text("event.date_mode") != "vote" {
			t.Errorf("voting again: %s", is.Body)
		}
		wantListed(t, org, event, "06-04 0", "06-07 0")
	}, apptest.StartAt(apptest.Today))
}

// TestEventIsNotCompletedDuringVote is contract §4.5: during a vote on its date, an event
// is not completed before three hours after its start.
func TestEventIsNotCompletedDuringVote(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		times := apptest.Fields{"starts_at": "2026-06-01T13:00:00Z", "ends_at": "2026-06-01T14:00:00Z"}
		voted, settled, fixed := org.Publish(apptest.Fields{"date_mode": "vote"}), org.Publish(apptest.Fields{"date_mode": "vote"}),
			org.Publish(times)
		for _, event := range []string{voted, settled} {
			org.Patch("/events/"+event, times).Want(200)
		}
		wantStatus := func(event, want string) {
			t.Helper()
			if got := a.Anonymous().Get("/events/" + event).Want(200).Text("event.status"); got != want {
				t.Errorf("it is %s, want %s", got, want)
			}
		}
		a.Clock.Advance(2*time.Hour + time.Minute) // after the end
		wantStatus(fixed, "completed")
		wantStatus(voted, "published")
		wantStatus(settled, "published")
		org.Patch("/events/"+settled+"/date-mode", apptest.Fields{"mode": "fixed"}).Want(204)
		wantStatus(settled, "completed")
		org.Patch("/events/"+settled+"/date-mode", apptest.Fields{"mode": "vote"}).WantError(403, "forbidden")
		a.Clock.Advance(2 * time.Hour)
		wantStatus(voted, "completed")
	}, apptest.StartAt(apptest.Today), apptest.Setting("ACCESS_TOKEN_TTL", "24h"))
}

// TestSelectPastDateCompletesEvent selects a date that has passed.
func TestSelectPastDateCompletesEvent(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(apptest.Fields{"date_mode": "vote"})
		past := addOption(org, event, "2026-05-04T16:00:00Z")
		choose := "/events/" + event + "/date-options/" + past + "/select"
		org.Post(choose, nil).Want(200)
		if got := a.Anonymous().Get("/events/" + event).Text("event.status"); got != "completed" {
			t.Errorf("it is %s", got)
		}
		if n := a.Anonymous().Get("/events").Len("items"); n != 0 {
			t.Errorf("%d events are listed", n)
		}
		org.Post(choose, nil).WantError(403, "forbidden")
	}, apptest.StartAt(apptest.Today))
}

// TestVotersAreNotified is the part of contract §8 about date options: participants and
// invited people are notified, unless they declined or block the organizer.
func TestVotersAreNotified(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		a.As("blocked").Block(org)
		event := org.Draft(apptest.Fields{"visibility": "private", "date_mode": "vote"})
		for _, answer := range []string{"pending", "accepted", "declined", "tentative"} {
			datevoteInvite(t, a, a.As(answer), event, answer)
		}
		datevoteInvite(t, a, a.As("blocked"), event, "accepted")
		first := addOption(org, event, "2026-06-06T16:00:00Z")
		org.Post("/events/"+event+"/publish", nil).Want(200)
		expect := func(step string, want ...string) {
			t.Helper()
			a.RunJobs()
			for _, who := range []string{"org", "pending", "accepted", "declined", "tentative", "blocked", "stranger"} {
				want := want
				if !slices.Contains([]string{"pending", "accepted", "tentative"}, who) {
					want = nil
				}
				var kinds []string
				list := a.As(who).Get("/notifications").Want(200)
				for i := range list.Len("items") {
					at := fmt.Sprintf("items.%d.", i)
					kinds = append(kinds, list.Text(at+"kind"))
					if list.Text(at+"href") != "/events/"+event || list.Text(at+"actor.user_id") != org.UserID {
						t.Errorf("the notifications of %s: %s", who, list.Body)
					}
				}
				if !slices.Equal(kinds, want) {
					t.Errorf("%s: %s got %v, want %v", step, who, kinds, want)
				}
			}
		}
		expect("added", "event_date_option_added")
		a.Clock.Advance(time.Minute)
		org.Patch("/events/"+event+"/date-mode", apptest.Fields{"mode": "fixed"}).Want(204)
		addOption(org, event, "2026-06-08T16:00:00Z")
		expect("added in fixed mode", "event_date_option_added")
		a.Clock.Advance(time.Minute)
		org.Post("/events/"+event+"/date-options/"+first+"/select", nil).Want(200)
		expect("selected", "event_date_selected", "event_date_option_added")
	}, apptest.StartAt(apptest.Today))
}

// TestDateVoteRefusesInOrder checks that 404 comes before 400, and 400 before 403. An
// option of another event is unknown.
func TestDateVoteRefusesInOrder(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		open := org.Publish(apptest.Fields{"date_mode": "vote"})
		hidden := org.Publish(apptest.Fields{"date_mode": "vote", "visibility": "private"})
		elsewhere := addOption(org, hidden, "2026-06-06T16:00:00Z")
		canceled := org.Publish(nil)
		org.Post("/events/"+canceled+"/cancel", nil).Want(200)
		const unknown = "01890a5d-ac96-774b-bcce-b302099a8057"
		for _, row := range []struct {
			name, who, method, path string
			body                    any
			status                  int
		}{
			{"an unknown mode for a hidden event", "ann", "PATCH", hidden + "/date-mode", `{"mode":"VOTE"}`, 404},
			{"an unknown mode", "ann", "PATCH", open + "/date-mode", `{"mode":"VOTE"}`, 400},
			{"a date that ends before it begins", "ann", "POST", open + "/date-options", `{"starts_at":"2026-06-07T16:00:00Z","ends_at":"2026-06-07T15:00:00Z"}`, 400},
			{"a date from a guest", "ann", "POST", open + "/date-options", `{"starts_at":"2026-06-07T16:00:00Z"}`, 403},
			{"a date for a canceled event", "org", "POST", canceled + "/date-options", `{"starts_at":"2026-06-07T16:00:00Z"}`, 403},
			{"a wrong date for a canceled event", "org", "POST", canceled + "/date-options", `{"starts_at":"1999-06-07T16:00:00Z"}`, 400},
			{"a vote for an option of another event", "org", "POST", open + "/date-options/" + elsewhere + "/votes", nil, 404},
			{"withdrawing a vote for an option of another event", "org", "DELETE", open + "/date-options/" + elsewhere + "/votes", nil, 404},
			{"selecting an option of another event", "org", "POST", open + "/date-options/" + elsewhere + "/select", nil, 404},
			{"selecting an unknown option as a guest", "ann", "POST", open + "/date-options/" + unknown + "/select", nil, 404},
			{"an unknown event", "org", "GET", unknown + "/date-options", nil, 404},
			{"a malformed option", "org", "POST", open + "/date-options/1/votes", nil, 404},
		} {
			t.Run(row.name, func(t *testing.T) {
				a.As(row.who).In(t).Do(row.method, "/events/"+row.path, row.body).Want(row.status)
			})
		}
	}, apptest.StartAt(apptest.Today))
}

// TestNoteTexts sends every text of a hostile list as a note: it is refused, or
// returned unchanged except for the documented clean-up.
func TestNoteTexts(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		for name, value := range apptest.Texts(t) {
			reply := org.Post("/events/"+org.Draft(nil)+"/date-options", apptest.Fields{"starts_at": "2026-06-07T16:00:00Z", "note": value})
			cleaned := strings.TrimSpace(norm.NFC.String(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(value)))
			switch {
			case reply.Status == 400 || reply.Status == 413:
			case reply.Status != 201:
				t.Errorf("%s: status %d", name, reply.Status)
			case reply.Get("note") != cleaned:
				t.Errorf("%s: %q came back as %q", name, value, reply.Get("note"))
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestDateVoteAccount exports a user's votes and options and erases the votes.
func TestDateVoteAccount(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Publish(apptest.Fields{"date_mode": "vote"})
		ann.Join(event)
		option := org.Post("/events/"+event+"/date-options", apptest.Fields{"starts_at": "2026-06-06T16:00:00Z",
			"note": "My hall."}).Want(201).Text("id")
		for _, c := range []*apptest.Client{ann, org} {
			c.Post("/events/"+event+"/date-options/"+option+"/votes", nil).Want(200)
		}
		wantExport := func(c *apptest.Client, parts ...string) {
			t.Helper()
			value, err := datevote.Export(t.Context(), a.DB, parseID[domain.UserKind](t, c.UserID))
			if err != nil {
				t.Fatal(err)
			}
			encoded, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range parts {
				if !strings.Contains(string(encoded), part) {
					t.Errorf("the export lacks %s: %s", part, encoded)
				}
			}
		}
		wantExport(ann, `"option_id":"`+option+`"`, `"date_options":[]`)
		wantExport(org, `"id":"`+option+`"`, `"note":"My hall."`)

		for range 2 { // the second time changes nothing
			a.Clock.Advance(time.Minute)
			if err := a.DB.InTx(t.Context(), func(tx db.Tx) error {
				return datevote.Erase(t.Context(), tx, parseID[domain.UserKind](t, ann.UserID), a.Clock.Now())
			}); err != nil {
				t.Fatal(err)
			}
		}
		wantExport(ann, `"date_votes":[]`)
		wantListed(t, org, event, "06-06 1+")
	}, apptest.StartAt(apptest.Today))
}
