package meetup_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/test/apptest"
)

// TestSeriesJoinCoversLaterDates joins all dates, and finds later ones joined when they are made.
func TestSeriesJoinCoversLaterDates(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben := a.As("org"), a.As("ann"), a.As("ben")
		path := beginSeries(org, apptest.Fields{"horizon_days": 21}, apptest.Fields{"capacity": 1, "waitlist": "automatic"})
		join := func(c *apptest.Client, body any) string {
			r := c.Post(path+"/join", body).Want(200)
			return fmt.Sprint(r.Number("joined"), r.Number("waiting"), r.Len("refused"))
		}
		ann.Join(strings.TrimPrefix(eventOn(org, path, "06-11"), "/events/"))
		if got := join(ben, apptest.Fields{"participation_visibility": "incognito"}); got != "2 1 0" {
			t.Errorf("ben joins %s", got)
		}
		if got := join(ben, nil); got != "2 1 0" {
			t.Errorf("ben joins again: %s", got)
		}
		if kinds := notifiedOf(org); kinds["event_joined"] != 2 { // one of ann
			t.Errorf("the organizer got %v", kinds)
		}
		if a.Anonymous().Get(path).Want(200).Get("viewer_joined") != false || ben.Get(path).Want(200).Get("viewer_joined") != true {
			t.Error("viewer_joined is wrong")
		}
		again := daysLater(a, 7, "org", "ann", "ben")
		a.RunJobs()
		date := eventOn(again[0], path, "06-25")
		if r := again[2].Get(date); r.Get("viewer_participation_visibility") != "incognito" || r.Get("viewer_participation_status") != "going" {
			t.Errorf("ben does not go to the later date: %s", r.Body)
		}
		again[1].Post(date+"/join", nil).WantError(403, "forbidden")
		if kinds := notifiedOf(again[0]); kinds["event_joined"] != 2 {
			t.Errorf("the organizer got %v after a later date", kinds)
		}
		if n := again[1].Get("/events?q=reading").Want(200).Len("items"); n != 3 {
			t.Errorf("%d dates are listed, want 3", n)
		}
		seatsAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}

// TestSeriesLeaveKeepsOrLeavesDates ends a membership, with and without the dates.
func TestSeriesLeaveKeepsOrLeavesDates(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		path := beginSeries(org, apptest.Fields{"horizon_days": 14}, nil)
		going := func() int { return ann.Get("/me/events?role=going").Want(200).Len("items") }
		ann.Delete(path+"/join").WantError(404, "not_found")
		for _, row := range []struct {
			query string
			want  int
		}{{"", 2}, {"?dates=keep", 2}, {"?dates=leave", 0}} {
			ann.Post(path+"/join", nil).Want(200)
			ann.Delete(path + "/join" + row.query).Want(204)
			if n := going(); n != row.want {
				t.Errorf("after leaving with %q, ann goes to %d dates", row.query, n)
			}
		}
		if n := daysLater(a, 7, "ann")[0].Get("/me/events?role=going").Want(200).Len("items"); n != 0 {
			t.Errorf("who has left goes to %d later dates", n)
		}
		seatsAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}

// TestSeriesRefusesJoins covers those who do not see a series, and those who may not join it.
func TestSeriesRefusesJoins(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, blocked := a.As("org"), a.As("ann"), a.As("blocked")
		private := beginSeries(org, nil, apptest.Fields{"visibility": "private"})
		ann.Post(private+"/join", nil).WantError(404, "not_found")
		ann.Get(private).WantError(404, "not_found")
		org.Post(private+"/join", nil).WantError(403, "forbidden")
		asking := beginSeries(org, apptest.Fields{"horizon_days": 7}, apptest.Fields{"join_policy": "approval"})
		ann.Post(asking+"/join", nil).WantError(403, "forbidden")
		if r := ann.Post(eventOn(org, asking, "06-04")+"/join", nil).Want(200); r.Text("status") != "requested" {
			t.Errorf("a date of it cannot be asked for: %s", r.Body)
		}
		path := beginSeries(org, apptest.Fields{"horizon_days": 7}, nil)
		blocked.Post(path+"/join", nil).Want(200)
		org.Block(blocked)
		blocked.Get(path).WantError(404, "not_found")
		blocked.Get(path+"/events").WantError(404, "not_found")
		blocked.Post(path+"/join", nil).WantError(404, "not_found")
		org.Delete("/users/" + blocked.UserID + "/block").Want(204)
		again := daysLater(a, 7, "blocked")[0]
		if again.Get(path).Want(200).Get("viewer_joined") != false || again.Get("/me/events?role=going").Want(200).Len("items") != 0 {
			t.Error("a block did not end the membership")
		}
	}, apptest.StartAt(apptest.Today))
}

// TestFullSeriesTakesNoMembers fills a series with its 2,000 members. One who has joined stays, and one who leaves makes room.
func TestFullSeriesTakesNoMembers(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, last, late := a.As("org"), a.As("last"), a.As("late")
		path := beginSeries(org, apptest.Fields{"horizon_days": 7}, nil)
		id, err := domain.ParseID[domain.SeriesKind](strings.TrimPrefix(path, "/event-series/"))
		if err != nil {
			t.Fatal(err)
		}
		forMany(t, a, 1999, "series_members", []string{"series_id", "user_id", "visibility", "created_at"}, func(of domain.UserID) []any {
			return []any{id, of, "public", a.Clock.Now()}
		})
		last.Post(path+"/join", nil).Want(200)
		late.Post(path+"/join", nil).WantError(403, "forbidden")
		if n := late.Get("/me/events?role=going").Want(200).Len("items"); n != 0 {
			t.Errorf("a user without a place goes to %d dates", n)
		}
		last.Post(path+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		last.Delete(path + "/join?dates=leave").Want(204)
		late.Post(path+"/join", nil).Want(200)
	}, apptest.StartAt(apptest.Today))
}

// TestSeriesJoinedByManyFillsLaterDates lets more members than one step join a date that is made later.
func TestSeriesJoinedByManyFillsLaterDates(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path := beginSeries(org, apptest.Fields{"horizon_days": 7}, apptest.Fields{"capacity": 24})
		for i := range 26 {
			r := a.As(fmt.Sprint("member", i)).Post(path+"/join", nil).Want(200)
			if want := map[bool]float64{true: 1}[i < 24]; r.Number("joined") != want {
				t.Fatalf("member %d: %s", i, r.Body)
			}
		}
		org = daysLater(a, 7, "org")[0]
		if r := org.Get(eventOn(org, path, "06-11")); r.Number("participant_count") != 24 || r.Number("seats_left") != 0 {
			t.Errorf("the later date is %s", r.Body)
		}
		seatsAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}

// TestSeriesEndsWithItsOwner deletes the account of an organizer, and of a member.
func TestSeriesEndsWithItsOwner(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben := a.As("org"), a.As("ann"), a.As("ben")
		path := beginSeries(org, apptest.Fields{"horizon_days": 7}, nil)
		ann.Post(path+"/join", nil).Want(200)
		ben.Post(path+"/join", nil).Want(200)
		export := org.Get("/me/export").Want(200)
		if export.Text("series.organized.0.template.title") != "Reading circle" || export.Text("series.organized.0.series.rrule") == "" {
			t.Errorf("the export lacks the series: %s", export.Body)
		}
		if ann.Get("/me/export").Want(200).Text("series.joined.0.participation_visibility") != "public" {
			t.Error("the export lacks the membership")
		}
		ben.Delete("/me").Want(204)
		org.Delete("/me").Want(204)
		again := daysLater(a, 7, "ann")[0]
		if n := again.Get("/me/events?role=going").Want(200).Len("items"); n != 0 {
			t.Errorf("%d dates were made for a deleted organizer", n)
		}
		seatsAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}

// TestSeriesInCalendarsHasNoDuplicates reads the feed of a member: each date is an entry of its own, without a rule, also after a move.
func TestSeriesInCalendarsHasNoDuplicates(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		path := beginSeries(org, apptest.Fields{"horizon_days": 28}, nil)
		ann.Post(path+"/join", nil).Want(200)
		org.Patch(eventOn(org, path, "06-11"), apptest.Fields{"starts_at": "2026-06-12T17:00:00Z", "ends_at": "2026-06-12T19:00:00Z"}).Want(200)
		org.Post(path+"/skip", apptest.Fields{"occurrence_at": "2026-06-18T19:00:00"}).Want(200)
		feed, err := url.Parse(ann.Post("/calendar/feed", nil).Want(201).Text("url"))
		if err != nil {
			t.Fatal(err)
		}
		calendar := string(a.Anonymous().Get(strings.TrimPrefix(feed.Path, "/api")).Want(200).Body)
		uids := map[string]bool{}
		for line := range strings.Lines(calendar) {
			if uid, is := strings.CutPrefix(line, "UID:"); is {
				if uids[uid] {
					t.Errorf("%s appears twice", uid)
				}
				uids[uid] = true
			}
		}
		if len(uids) != 4 || strings.Contains(calendar, "RRULE") || strings.Count(calendar, "BEGIN:VEVENT") != 4 {
			t.Errorf("the calendar has %d UIDs:\n%s", len(uids), calendar)
		}
	}, apptest.StartAt(apptest.Today))
}
