package meetup_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/moderation"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestQueueShowsTargets checks that moderators see each type of target, even one that
// they could not see otherwise, but not who attended incognito.
func TestQueueShowsTargets(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, mod := a.As("org"), a.As("ann"), a.As("mod")
		over, reviews := reviewed(a, org, map[string]string{"guest": "incognito", "open": "public"})
		private := moderationPublished(org, apptest.Fields{"visibility": "private", "title": "Secret"})
		for _, row := range [][2]string{{"event", over}, {"user", org.UserID}, {"review", reviews["guest"]}, {"review", reviews["open"]}} {
			a.Clock.Advance(time.Second)
			report(ann, row[0], row[1]).Want(201)
		}
		a.Clock.Advance(time.Second)
		report(org, "event", private).Want(201)

		page := mod.Get("/admin/reports").Want(200)
		if page.Len("items") != 5 || page.Get("next_cursor") != nil {
			t.Fatalf("the queue: %s", page.Body)
		}
		if page.Text("items.0.target.event.id") != over || page.Text("items.1.target.username") == "" ||
			page.Text("items.1.reporter_user_id") != ann.UserID ||
			page.Text("items.2.target.id") != reviews["guest"] || page.Text("items.4.target.event.title") != "Secret" {
			t.Errorf("the targets: %s", page.Body)
		}
		if page.Get("items.2.target.author") != nil || page.Get("items.2.target.author_user_id") != nil ||
			page.Text("items.3.target.author.user_id") != a.As("open").UserID {
			t.Errorf("the authors: %s", page.Body)
		}
		mod.Get("/events/"+private).WantError(404, "not_found") // only the queue shows it
	}, apptest.StartAt(today), moderators)
}

// ids returns the ids of the reports on all pages of a list.
func ids(t *testing.T, c *apptest.Client, query string) (found []string) {
	t.Helper()
	cursor := ""
	for {
		page := c.Get("/admin/reports?" + query + cursor).Want(200)
		for i := range page.Len("items") {
			found = append(found, page.Text(fmt.Sprintf("items.%d.id", i)))
		}
		next, more := page.Get("next_cursor").(string)
		if !more {
			return found
		}
		cursor = "&cursor=" + next
	}
}

// TestQueueOrderFiltersAndPages reads the queue in pages, with every filter.
func TestQueueOrderFiltersAndPages(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		mod, event := a.As("mod"), upcoming(a.As("org"))
		of := map[string][]string{} // by status, the oldest first
		var users []string
		for i := range 12 {
			a.Clock.Advance(time.Duration(i%2) * time.Second)
			kind, target := "event", event
			if i%3 == 0 {
				kind, target = "user", a.As("org").UserID
			}
			id := report(a.As(fmt.Sprint("reporter", i)), kind, target).Want(201).Text("id")
			status := []string{"open", "in_review", "resolved", "dismissed"}[i/2%4]
			if status != "open" {
				move(mod, id, apptest.Fields{"status": status}).Want(200)
			}
			if of[status] = append(of[status], id); kind == "user" {
				users = append(users, id)
			}
		}
		all := slices.Concat(of["open"], of["in_review"], of["resolved"], of["dismissed"])
		found := ids(t, mod, "limit=100")
		if slices.Sort(all); !slices.Equal(slices.Sorted(slices.Values(found)), all) {
			t.Errorf("found %v, want %v", found, all)
		}
		for i, status := range []string{"open", "in_review", "resolved", "dismissed"} {
			some := ids(t, mod, "limit=1&status="+status)
			if !slices.Equal(slices.Sorted(slices.Values(some)), slices.Sorted(slices.Values(of[status]))) {
				t.Errorf("%s: %v, want %v", status, some, of[status])
			}
			if at := slices.Index(found, some[0]); i > 0 && !slices.Contains(found[:at], ids(t, mod, "status=open")[0]) {
				t.Errorf("%s comes before open", status)
			}
		}
		for _, limit := range []int{1, 2, 5} {
			if paged := ids(t, mod, fmt.Sprint("limit=", limit)); !slices.Equal(paged, found) {
				t.Errorf("pages of %d: %v, want %v", limit, paged, found)
			}
		}
		if some := ids(t, mod, "target_type=user&limit=1"); !slices.Equal(slices.Sorted(slices.Values(some)),
			slices.Sorted(slices.Values(users))) {
			t.Errorf("users: %v, want %v", some, users)
		}
		if some := ids(t, mod, "target_type=review"); len(some) != 0 {
			t.Errorf("reviews: %v", some)
		}
		amongOpen := "cursor=" + mod.Get("/admin/reports?limit=1").Text("next_cursor")
		noStatus := "cursor=" + domain.Cursor("reports.1", 1<<40, today, domain.RandomID[domain.ReportKind]())
		for _, query := range []string{"status=new", "target_type=planet", "limit=0", "cursor=x", "status=resolved&" + amongOpen, noStatus} {
			mod.Get("/admin/reports?"+query).WantError(400, "invalid_request")
		}
	}, apptest.StartAt(today), moderators)
}

// TestQueuePagesRunTheSameStatements reads pages of one and of many reports.
func TestQueuePagesRunTheSameStatements(t *testing.T) {
	url := "sqlite:" + t.TempDir() + "/moothall.db"
	a := apptest.New(t, db.SQLite, apptest.Setting("DATABASE_URL", url), apptest.StartAt(today), moderators)
	_, reviews := reviewed(a, a.As("org"), map[string]string{"one": "public", "two": "incognito", "three": "public"})
	for i := range 5 {
		report(a.As("ann"), "event", upcoming(a.As("org"))).Want(201)
		report(a.As("ann"), "user", a.As(fmt.Sprint("troll", i)).UserID).Want(201)
	}
	for _, id := range reviews {
		report(a.As("ann"), "review", id).Want(201)
	}
	statements := 0
	d, err := db.Open(t.Context(), url, db.Options{OnStatement: func(context.Context, *db.Stmt, []any) { statements++ }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	queue := moderation.Service{DB: d, Clock: a.Clock.Now}
	for _, limit := range []int{1, 5, 100} {
		statements = 0
		page, err := queue.List(t.Context(), domain.Viewer{UserID: userID(t, a.As("mod")), Moderator: true}, moderation.Filter{Limit: limit})
		if err != nil || len(page.Items) != min(limit, 13) || statements != 4 {
			t.Errorf("a page of %d: %d reports by %d statements, %v", limit, len(page.Items), statements, err)
		}
	}
}

// TestConcurrentReportsAndMoves lets one user report the same event many times at once,
// and two moderators decide many times at once: there is one report, and exactly one
// decision succeeds.
func TestConcurrentReportsAndMoves(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		ann, event := a.As("ann"), upcoming(a.As("org"))
		reported := make([]string, apptest.Crowd)
		apptest.Concurrently(apptest.Crowd, func(i int) { reported[i] = report(ann.On(i), "event", event).Want(201).Text("id") })
		if slices.Sort(reported); len(slices.Compact(reported)) != 1 {
			t.Errorf("one user created several reports: %v", slices.Compact(reported))
		}
		won := make([]bool, apptest.Crowd)
		bodies := []apptest.Fields{{"status": "resolved", "action": "cancel_event"}, {"status": "dismissed"}}
		apptest.Concurrently(apptest.Crowd, func(i int) {
			reply := move(a.As([]string{"mod", "mia"}[i%2]).On(i), reported[0], bodies[i/2%2])
			if won[i] = reply.Status == 200; !won[i] {
				reply.WantError(400, "invalid_request")
			}
		})
		wins := slices.DeleteFunc(slices.Clone(won), func(w bool) bool { return !w })
		if len(wins) != 1 || records(t, a) != 1 {
			t.Fatalf("%d moves succeeded, %d are recorded", len(wins), records(t, a))
		}
		last := bodies[slices.Index(won, true)/2%2]["status"]
		if status := a.As("mod").Get("/admin/reports").Want(200).Get("items.0.status"); status != last {
			t.Errorf("the report is %v, the winner made it %v", status, last)
		}
		if status := ann.Get("/events/" + event).Want(200).Text("event.status"); (status == "canceled") != (last == "resolved") {
			t.Errorf("the report is %v, the event %s", last, status)
		}
	}, apptest.StartAt(today), moderators)
}

// TestModerationExport exports the reports of a user and the actions of a moderator.
func TestModerationExport(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, mod := a.As("ann"), a.As("mod")
		id := report(ann, "event", upcoming(a.As("org"))).Want(201).Text("id")
		move(mod, id, apptest.Fields{"status": "resolved", "note": "Seen"}).Want(200)
		for _, row := range []struct {
			who, reports, actions string
		}{{"ann", `"reason":"spam"`, `"moderation_actions":[]`}, {"mod", `"reports":[]`, `"note":"Seen"`},
			{"org", `"reports":[]`, `"moderation_actions":[]`}} {
			value, err := moderation.Export(t.Context(), a.DB, userID(t, a.As(row.who)))
			if err != nil {
				t.Fatal(err)
			}
			exported, err := json.Marshal(value)
			if err != nil || !strings.Contains(string(exported), row.reports) || !strings.Contains(string(exported), row.actions) ||
				strings.Contains(string(exported), mod.UserID) {
				t.Errorf("the export of %s is %s, %v", row.who, exported, err)
			}
		}
	}, apptest.StartAt(today), moderators)
}
