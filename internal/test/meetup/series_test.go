package meetup_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// weekly is a request for a series on Thursdays at seven in Berlin. The first date is three days after apptest.Today.
func weekly(changes, template apptest.Fields) apptest.Fields {
	fields := apptest.Fields{"title": "Reading circle", "city": "Berlin"}
	maps.Copy(fields, template)
	body := apptest.Fields{"rrule": "FREQ=WEEKLY;BYDAY=TH", "starts_at": "2026-06-04T19:00:00", "timezone": "Europe/Berlin",
		"duration_minutes": 120, "template": fields}
	maps.Copy(body, changes)
	return body
}

// beginSeries creates a series and returns its path.
func beginSeries(c *apptest.Client, changes, template apptest.Fields) (path string) {
	return "/event-series/" + c.Post("/event-series", weekly(changes, template)).Want(201).Text("id")
}

// daysLater moves the clock, runs the jobs, and returns new sessions of users.
func daysLater(a *apptest.App, days int, names ...string) (clients []*apptest.Client) {
	a.Clock.Advance(time.Duration(days) * 24 * time.Hour)
	a.RunJobs()
	for _, name := range names {
		clients = append(clients, a.SignIn(apptest.Email(name)))
	}
	return clients
}

// listAt returns the list at a path of a reply.
func listAt(r *apptest.Reply, path string) []any {
	list, _ := r.Get(path).([]any)
	return list
}

// dates returns the coming dates of a series that a client sees, as "06-04 published".
func dates(c *apptest.Client, path string) (all []string) {
	for _, item := range listAt(c.Get(path+"/events?limit=100").Want(200), "items") {
		e := item.(map[string]any)["event"].(map[string]any)
		all = append(all, e["starts_at"].(string)[5:10]+" "+e["status"].(string))
	}
	return all
}

// eventOn returns the path of the event of a series that starts on a day, like 06-04.
func eventOn(c *apptest.Client, path, day string) string {
	for _, item := range listAt(c.Get(path+"/events?limit=100").Want(200), "items") {
		e := item.(map[string]any)["event"].(map[string]any)
		if e["starts_at"].(string)[5:10] == day {
			return "/events/" + e["id"].(string)
		}
	}
	panic("no event on " + day)
}

func wantDates(t *testing.T, c *apptest.Client, path, want string) {
	t.Helper()
	if got := strings.Join(dates(c, path), ", "); got != want {
		t.Errorf("the dates are %s, want %s", got, want)
	}
}

// TestSeriesMakesDatesAhead makes dates up to the horizon, and later ones as time passes, each once.
func TestSeriesMakesDatesAhead(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, fan := a.As("org"), a.As("fan")
		fan.Follow(org)
		path := beginSeries(org, apptest.Fields{"horizon_days": 14}, nil)
		wantDates(t, a.Anonymous(), path, "06-04 published, 06-11 published")
		first := a.Anonymous().Get(eventOn(org, path, "06-04")).Want(200)
		for name, want := range map[string]string{"starts_at": "2026-06-04T17:00:00Z", "ends_at": "2026-06-04T19:00:00Z",
			"timezone": "Europe/Berlin", "title": "Reading circle", "occurrence_at": "2026-06-04T19:00:00",
			"series_id": strings.TrimPrefix(path, "/event-series/")} {
			if got := first.Text("event." + name); got != want {
				t.Errorf("%s is %s, want %s", name, got, want)
			}
		}
		if first.Get("event.series_detached") != false {
			t.Errorf("a new date is detached: %s", first.Body)
		}
		again := daysLater(a, 7, "org", "fan")
		a.RunJobs()
		wantDates(t, again[0], path, "06-11 published, 06-18 published")
		if n := again[1].Get("/notifications").Want(200).Len("items"); n != 1 {
			t.Errorf("a follower got %d notifications, want 1", n)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestSeriesMakesManyDatesInSteps makes more dates than one transaction, and no more than the budget of a day.
func TestSeriesMakesManyDatesInSteps(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path := beginSeries(org, apptest.Fields{"rrule": "FREQ=DAILY", "horizon_days": 60}, nil)
		a.RunJobs() // the request has made the first 20
		if n := len(dates(org, path)); n != 45 {
			t.Errorf("made %d dates, want the 45 of a day", n)
		}
		all := dates(daysLater(a, 2, "org")[0], path)
		if len(all) != 59 {
			t.Errorf("made %d dates until %s", len(all), all[len(all)-1])
		}
	}, apptest.StartAt(apptest.Today),
		apptest.Setting("RATE_LIMITS", "series_dates_per_user_day=45/24h"))
}

func TestSeriesRefusesRequests(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		for _, row := range []struct {
			name, pointer     string
			changes, template apptest.Fields
		}{
			{"a wrong rule", "/rrule", apptest.Fields{"rrule": "FREQ=HOURLY"}, nil},
			{"a start that is no date of the rule", "/starts_at", apptest.Fields{"starts_at": "2026-06-05T19:00:00"}, nil},
			{"a start in the past", "/starts_at", apptest.Fields{"starts_at": "2026-05-28T19:00:00"}, nil},
			{"a day that does not exist", "/starts_at", apptest.Fields{"starts_at": "2026-06-31T19:00:00"}, nil},
			{"an unknown zone", "/timezone", apptest.Fields{"timezone": "Europe/Nowhere"}, nil},
			{"an end after five years", "/rrule", apptest.Fields{"rrule": "FREQ=WEEKLY;BYDAY=TH;UNTIL=20320101T000000Z"}, nil},
			{"no title", "/template/title", nil, apptest.Fields{"title": nil}},
			{"a price without an amount", "/template/price_amount", nil, apptest.Fields{"price": "paid", "price_currency": "RUB"}},
		} {
			body := weekly(row.changes, row.template)
			if title, has := row.template["title"]; has && title == nil {
				delete(body["template"].(apptest.Fields), "title")
			}
			r := org.With("Accept", "application/problem+json").Post("/event-series", body).Want(400)
			if !strings.Contains(string(r.Body), `"pointer":"`+row.pointer+`"`) {
				t.Errorf("%s: %s", row.name, r.Body)
			}
		}
		friday := weekly(apptest.Fields{"starts_at": "2026-06-05T19:00:00"}, nil)
		r := org.With("Accept", "application/problem+json").Post("/event-series", friday).Want(400)
		if !strings.Contains(string(r.Body), "2026-06-11T19:00:00") {
			t.Errorf("the next date is not named: %s", r.Body)
		}
		a.Anonymous().Post("/event-series", weekly(nil, nil)).WantError(401, "unauthorized")
	}, apptest.StartAt(apptest.Today))
}

func TestSeriesPreviewShowsDates(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		query := func(rule, start string) string {
			return "/event-series/preview?rrule=" + rule + "&starts_at=" + start + "&timezone=Europe/Berlin"
		}
		r := org.Get(query("FREQ=MONTHLY%3BBYMONTHDAY=31", "2026-08-31T19:00:00")).Want(200)
		if r.Len("dates") != 10 || r.Text("dates.2.starts_at") != "2026-12-31T18:00:00Z" || r.Text("gaps.0") != "2026-09" {
			t.Errorf("the preview is %s", r.Body)
		}
		org.Get(query("FREQ=WEEKLY%3BBYDAY=TH", "2026-06-05T19:00:00")).WantError(400, "invalid_request")
		org.Get(query("FREQ=MONTHLY%3BINTERVAL=12%3BBYMONTHDAY=31", "2027-02-01T19:00:00")).WantError(400, "invalid_request")
	}, apptest.StartAt(apptest.Today))
}

// TestSeriesChangesApply changes the template with one date moved by hand and one that is full.
func TestSeriesChangesApply(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		path := beginSeries(org, apptest.Fields{"horizon_days": 28}, apptest.Fields{"capacity": 3})
		moved, busy := eventOn(org, path, "06-11"), eventOn(org, path, "06-18")
		org.Patch(moved, apptest.Fields{"starts_at": "2026-06-12T17:00:00Z", "ends_at": "2026-06-12T19:00:00Z"}).Want(200)
		if got := org.Get(moved); got.Get("event.series_detached") != true || got.Text("event.occurrence_at") != "2026-06-11T19:00:00" {
			t.Errorf("the moved date is %s", got.Body)
		}
		ann.Join(strings.TrimPrefix(busy, "/events/"))
		ann.Join(strings.TrimPrefix(eventOn(org, path, "06-04"), "/events/"))
		a.As("ben").Join(strings.TrimPrefix(busy, "/events/"))
		change := func(apply string, template apptest.Fields) string {
			r := org.Patch(path, apptest.Fields{"template": template, "apply": apply}).Want(200)
			return fmt.Sprint(r.Number("changed"), " ", r.Len("left_alone"))
		}
		places := func() (all []string) {
			for _, day := range []string{"06-04", "06-12", "06-18", "06-25"} {
				place, _ := org.Get(eventOn(org, path, day)).Get("location.location_text").(string)
				all = append(all, place)
			}
			return all
		}
		for _, row := range []struct{ apply, place, want, places string }{
			{"later", "A", "0 0", "[   ]"},
			{"untouched_upcoming", "B", "3 1", "[B  B B]"},
			{"all_upcoming", "C", "4 0", "[C C C C]"},
		} {
			got := change(row.apply, apptest.Fields{"location_text": row.place})
			if shown := fmt.Sprint(places()); got != row.want || shown != row.places {
				t.Errorf("%s: %s %s, want %s %s", row.apply, got, shown, row.want, row.places)
			}
		}
		if got := change("all_upcoming", apptest.Fields{"capacity": 1}); got != "3 1" {
			t.Errorf("a capacity below the guests: %s", got)
		}
		if kinds := notifiedOf(ann); kinds["event_updated"] != 1 {
			t.Errorf("a guest of two dates was notified of the change by %v", kinds)
		}
		if org.Get(eventOn(org, path, "06-04")).Get("event.series_detached") != false {
			t.Error("a change of the series detached a date")
		}
		org = daysLater(a, 7, "org")[0]
		if made := org.Get(eventOn(org, path, "07-02")); made.Get("location.location_text") != "C" || made.Number("event.capacity") != 1 {
			t.Errorf("a later date is %s", made.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// notifiedOf counts the notifications of a client by kind.
func notifiedOf(c *apptest.Client) map[string]int {
	kinds := map[string]int{}
	for _, item := range listAt(c.Get("/notifications?limit=100").Want(200), "items") {
		kinds[item.(map[string]any)["kind"].(string)]++
	}
	return kinds
}

// TestSeriesSkipsDates skips a made date, a draft and one that is not made yet.
func TestSeriesSkipsDates(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		path := beginSeries(org, apptest.Fields{"horizon_days": 14}, nil)
		ann.Join(strings.TrimPrefix(eventOn(org, path, "06-11"), "/events/"))
		for _, date := range []string{"2026-06-11T19:00:00", "2026-06-18T19:00:00", "2026-06-18T19:00:00"} {
			org.Post(path+"/skip", apptest.Fields{"occurrence_at": date}).Want(200)
		}
		for _, date := range []string{"2026-06-12T19:00:00", "2026-06-11T18:00:00", "2026-06-31T19:00:00"} {
			org.Post(path+"/skip", apptest.Fields{"occurrence_at": date}).WantError(400, "invalid_request")
		}
		ann.Post(path+"/skip", apptest.Fields{"occurrence_at": "2026-06-25T19:00:00"}).WantError(404, "not_found")
		again := daysLater(a, 14, "org", "ann")
		wantDates(t, again[0], path, "06-25 published")
		if kinds := notifiedOf(again[1]); kinds["event_canceled"] != 1 {
			t.Errorf("the guest got %v", kinds)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestSeriesSplits continues a series on Fridays: dates with guests stay.
func TestSeriesSplits(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben := a.As("org"), a.As("ann"), a.As("ben")
		path := beginSeries(org, apptest.Fields{"horizon_days": 28}, nil)
		ann.Join(strings.TrimPrefix(eventOn(org, path, "06-18"), "/events/"))
		body := apptest.Fields{"from": "2026-06-11T19:00:00", "rrule": "FREQ=WEEKLY;BYDAY=FR", "starts_at": "2026-06-12T18:00:00"}
		for _, wrong := range []apptest.Fields{{"from": "2026-06-12T19:00:00"}, {"starts_at": "2026-06-11T18:00:00"}, {"rrule": "FREQ=NEVER"}} {
			broken := maps.Clone(body)
			maps.Copy(broken, wrong)
			org.Post(path+"/split", broken).WantError(400, "invalid_request")
		}
		ben.Post(path+"/split", body).WantError(404, "not_found")
		r := org.Post(path+"/split", body).Want(201)
		if r.Number("canceled") != 2 || r.Len("left_alone") != 1 {
			t.Errorf("the split is %s", r.Body)
		}
		next := "/event-series/" + r.Text("series.id")
		org = daysLater(a, 1, "org")[0]
		wantDates(t, org, path, "06-04 published, 06-11 canceled, 06-18 published, 06-25 canceled")
		wantDates(t, org, next, "06-12 published, 06-19 published, 06-26 published")
		if org.Get(path).Text("status") != "ended" {
			t.Error("the first series has not ended")
		}
		org.Post(path+"/split", body).WantError(403, "forbidden")
	}, apptest.StartAt(apptest.Today))
}

// TestSplitLaterKeepsDatesBefore splits beyond the horizon: the dates before are still made.
func TestSplitLaterKeepsDatesBefore(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path := beginSeries(org, apptest.Fields{"horizon_days": 7}, nil)
		r := org.Post(path+"/split", apptest.Fields{"from": "2026-06-25T19:00:00", "rrule": "FREQ=WEEKLY;BYDAY=FR",
			"starts_at": "2026-06-26T18:00:00"}).Want(201)
		daysLater(a, 7)
		org = daysLater(a, 7, "org")[0]
		wantDates(t, org, path, "06-18 published")
		org = daysLater(a, 7, "org")[0]
		wantDates(t, org, path, "")
		wantDates(t, org, "/event-series/"+r.Text("series.id"), "06-26 published")
	}, apptest.StartAt(apptest.Today))
}

func TestSeriesPausesResumesAndEnds(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path := beginSeries(org, apptest.Fields{"horizon_days": 7}, nil)
		to := func(action, want string) {
			t.Helper()
			if got := org.Post(path+"/"+action, nil).Want(200).Text("status"); got != want {
				t.Errorf("after %s it is %s", action, got)
			}
		}
		to("pause", "paused")
		org = daysLater(a, 14, "org")[0]
		wantDates(t, org, path, "")
		to("resume", "active")
		wantDates(t, org, path, "06-18 published")
		to("end", "ended")
		to("end", "ended")
		for _, action := range []string{"pause", "resume"} {
			org.Post(path+"/"+action, nil).WantError(403, "forbidden")
			a.SignIn(apptest.Email("ann")).Post(path+"/"+action, nil).WantError(404, "not_found")
		}
		wantDates(t, daysLater(a, 14, "org")[0], path, "")
	}, apptest.StartAt(apptest.Today))
}

var setVerifiedStmt = db.SQL("test.set_verified", `UPDATE users SET email_verified = $2, phone = NULL WHERE id = $1`)

// TestSeriesOfUnverifiedOwnerMakesDrafts covers who may not publish, and who lets dates be drafts.
func TestSeriesOfUnverifiedOwnerMakesDrafts(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		manual := beginSeries(org, apptest.Fields{"horizon_days": 7, "publish": "manual"}, nil)
		wantDates(t, org, manual, "06-04 draft")
		a.As("ann").Get(manual).WantError(404, "not_found")
		paid := beginSeries(org, apptest.Fields{"horizon_days": 7}, apptest.Fields{"price": "paid", "price_amount": 500, "price_currency": "RUB"})
		wantDates(t, org, paid, "06-04 draft")
		path := beginSeries(org, apptest.Fields{"horizon_days": 7}, nil)
		id, err := domain.ParseID[domain.UserKind](org.UserID)
		if err != nil {
			t.Fatal(err)
		}
		a.Exec(setVerifiedStmt, id, false)
		daysLater(a, 7)
		a.Exec(setVerifiedStmt, id, true)
		org = a.SignIn(apptest.Email("org"))
		wantDates(t, org, path, "06-11 draft")
		wantDates(t, daysLater(a, 7, "org")[0], path, "06-18 published")
	}, apptest.StartAt(apptest.Today))
}
