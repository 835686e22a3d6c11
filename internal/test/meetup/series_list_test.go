package meetup_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/test/apptest"
)

// comingDates returns the dates that the organizer of a series sees, as "06-04 published" or "06-04 moved draft", in pages of two.
func comingDates(c *apptest.Client, path string) (all []string) {
	for next := path + "/dates?limit=2"; next != "" && len(all) < 50; {
		r := c.Get(next).Want(200)
		for _, item := range listAt(r, "items") {
			d := item.(map[string]any)
			moved := map[any]string{true: "moved ", false: ""}[d["moved"]]
			all = append(all, d["occurrence_at"].(string)[5:10]+" "+moved+d["state"].(string))
			if (d["event_id"] == nil) != (d["state"] == "planned" || d["state"] == "skipped" && d["starts_at"].(string)[5:10] > "06-18") {
				panic(fmt.Sprint("the event of ", d))
			}
		}
		next = ""
		if cursor, is := r.Get("next_cursor").(string); is {
			next = path + "/dates?limit=2&cursor=" + cursor
		}
	}
	return all
}

// TestSeriesDatesShowWhatComes lists made, moved, skipped, canceled and planned dates of a series that another one continues.
func TestSeriesDatesShowWhatComes(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path := beginSeries(org, apptest.Fields{"horizon_days": 21, "rrule": "FREQ=WEEKLY;BYDAY=TH;COUNT=7"}, nil)
		want := func(name string, want ...string) {
			t.Helper()
			if got := comingDates(org, path); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: the dates are %q, want %q", name, got, want)
			}
		}
		want("at first", "06-04 published", "06-11 published", "06-18 published", "06-25 planned", "07-02 planned", "07-09 planned",
			"07-16 planned")
		org.Patch(eventOn(org, path, "06-11"), apptest.Fields{"starts_at": "2026-06-12T17:00:00Z", "ends_at": "2026-06-12T19:00:00Z"}).Want(200)
		org.Post(eventOn(org, path, "06-04")+"/cancel", nil).Want(200)
		for _, day := range []string{"06-18", "06-25"} {
			org.Post(path+"/skip", apptest.Fields{"occurrence_at": "2026-" + day + "T19:00:00"}).Want(200)
		}
		changed := []string{"06-04 canceled", "06-11 moved published", "06-18 skipped", "06-25 skipped"}
		want("changed", append(changed, "07-02 planned", "07-09 planned", "07-16 planned")...)
		org.Post(path+"/pause", nil).Want(200)
		want("paused", changed...)
		org.Post(path+"/resume", nil).Want(200)
		org.Post(path+"/split", apptest.Fields{"from": "2026-07-09T19:00:00", "rrule": "FREQ=WEEKLY;BYDAY=FR",
			"starts_at": "2026-07-10T18:00:00"}).Want(201)
		want("continued", append(changed, "07-02 planned")...)
		org = daysLater(a, 11, "org")[0] // Friday, June 12
		want("later", "06-11 moved published", "06-18 skipped", "06-25 skipped", "07-02 published")
	}, apptest.StartAt(apptest.Today))
}

// TestSeriesOfOneUserAreListed lists the series of an organizer, the newest first, and of nobody else.
func TestSeriesOfOneUserAreListed(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		var want []string
		for i := range 3 {
			path := beginSeries(org, apptest.Fields{"horizon_days": 7}, apptest.Fields{"title": fmt.Sprint("Series ", i)})
			want = append([]string{strings.TrimPrefix(path, "/event-series/")}, want...)
			a.Clock.Advance(time.Second)
		}
		other := beginSeries(ann, apptest.Fields{"horizon_days": 7}, nil)
		org.Post(other+"/join", nil).Want(200)
		org.Post("/event-series/"+want[1]+"/end", nil).Want(200)
		var got []string
		for next := "/me/event-series?limit=2"; next != ""; {
			r := org.Get(next).Want(200)
			for i := range r.Len("items") {
				got = append(got, r.Text(fmt.Sprintf("items.%d.id", i)))
			}
			next = ""
			if cursor, is := r.Get("next_cursor").(string); is {
				next = "/me/event-series?limit=2&cursor=" + cursor
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the series are %q, want %q", got, want)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestSeriesThatMakesDraftsNotifiesOnce covers an organizer who loses the verified address, and one who may not charge.
func TestSeriesThatMakesDraftsNotifiesOnce(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		id, err := domain.ParseID[domain.UserKind](org.UserID)
		if err != nil {
			t.Fatal(err)
		}
		path := beginSeries(org, apptest.Fields{"horizon_days": 7}, nil)
		want := func(name string, drafts int, days string) {
			t.Helper()
			org = a.SignIn(apptest.Email("org"))
			if n := notifiedOf(org)["series_drafts"]; n != drafts {
				t.Errorf("%s: %d notifications, want %d", name, n, drafts)
			}
			wantDates(t, org, path, days)
		}
		want("a verified organizer", 0, "06-04 published")
		verify := func(verified bool) { a.Exec(setVerifiedStmt, id, verified) }
		later := func(verified bool) { verify(verified); daysLater(a, 7); verify(true) }
		later(false)
		want("an unverified one", 1, "06-11 draft")
		r := org.Get("/notifications?limit=1").Want(200)
		if href := r.Text("items.0.href"); href != path {
			t.Errorf("the notification links to %s, want %s", href, path)
		}
		org.Post("/notifications/read-all", nil)
		unread := func() any { return org.Get("/notifications/unread-count").Want(200).Get("unread_count") }
		read := unread()
		later(false)
		want("at the second draft", 1, "06-18 draft")
		if got := unread(); got != read {
			t.Errorf("the second draft notified again: %v unread, before %v", got, read)
		}
		later(true)
		want("after verifying", 1, "06-25 published")
		later(false)
		want("at the third draft", 1, "07-02 draft")
		if got := unread(); got == read {
			t.Error("a draft after a published date did not notify")
		}
		before := notifiedOf(org)["series_drafts"]
		paid := beginSeries(org, apptest.Fields{"starts_at": "2026-07-02T19:00:00", "horizon_days": 21},
			apptest.Fields{"price": "paid", "price_amount": 500, "price_currency": "RUB"})
		if n := notifiedOf(org)["series_drafts"] - before; n != 1 || len(dates(org, paid)) != 3 {
			t.Errorf("the three drafts of a paid series notified %d times: %q", n, dates(org, paid))
		}
	}, apptest.StartAt(apptest.Today))
}

// TestSeriesRefusesWhatExceedsItsLimits spends each budget of series.
func TestSeriesRefusesWhatExceedsItsLimits(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path := ""
		for range 2 {
			path = beginSeries(org, apptest.Fields{"horizon_days": 7}, nil)
		}
		split := apptest.Fields{"from": "2026-06-11T19:00:00", "rrule": "FREQ=WEEKLY;BYDAY=FR", "starts_at": "2026-06-12T18:00:00"}
		org.Post(path+"/split", split).Want(201)
		org.Post("/event-series", weekly(nil, nil)).WantError(429, "rate_limited")
		org.Post(path+"/split", split).WantError(429, "rate_limited")
		org = daysLater(a, 1, "org")[0]
		beginSeries(org, nil, nil)
	}, apptest.StartAt(apptest.Today), apptest.Setting("RATE_LIMITS", "series_per_user_day=3/24h"))
}

// TestSeriesOfOneOrganizerAreLimited begins one more series than an organizer may have, and ends one.
func TestSeriesOfOneOrganizerAreLimited(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path := ""
		for range 20 {
			path = beginSeries(org, apptest.Fields{"horizon_days": 7}, nil)
		}
		org.Post("/event-series", weekly(nil, nil)).WantError(403, "forbidden")
		split := apptest.Fields{"from": "2026-06-25T19:00:00", "rrule": "FREQ=WEEKLY;BYDAY=FR", "starts_at": "2026-06-26T18:00:00"}
		org.Post(path+"/split", split).WantError(403, "forbidden")
		org.Post(path+"/pause", nil).Want(200)
		org.Post("/event-series", weekly(nil, nil)).WantError(403, "forbidden")
		org.Post(path+"/end", nil).Want(200)
		beginSeries(org, apptest.Fields{"horizon_days": 7}, nil)
	}, apptest.StartAt(apptest.Today), apptest.Setting("RATE_LIMITS", "series_per_user_day=100/24h"))
}
