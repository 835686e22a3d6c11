package meetup_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// besideMaking are the requests that run while the job makes three dates of a series, and what must hold afterwards. $1 is the series.
var besideMaking = []struct {
	name    string
	send    func(path string, org, ann *apptest.Client) *apptest.Reply
	outlaws *db.Stmt // counts the rows that must not exist
}{
	{"a change", func(path string, org, _ *apptest.Client) *apptest.Reply {
		return org.Patch(path, apptest.Fields{"template": apptest.Fields{"title": "Coffee"}, "apply": "untouched_upcoming"})
	}, db.SQL("test.unchanged_dates", `SELECT COUNT(*) FROM events WHERE series_id = $1 AND title <> 'Coffee' AND occurrence_at > '2026-06-08'`)},
	{"a pause", func(path string, org, _ *apptest.Client) *apptest.Reply { return org.Post(path+"/pause", nil) },
		db.SQL("test.half_paused", `SELECT COUNT(*) FROM event_series WHERE id = $1 AND (status <> 'paused' OR due_at IS NOT NULL)`)},
	{"an end", func(path string, org, _ *apptest.Client) *apptest.Reply { return org.Post(path+"/end", nil) },
		db.SQL("test.half_ended", `SELECT COUNT(*) FROM event_series WHERE id = $1 AND (status <> 'ended' OR due_at IS NOT NULL)`)},
	{"a skip", func(path string, org, _ *apptest.Client) *apptest.Reply {
		return org.Post(path+"/skip", apptest.Fields{"occurrence_at": "2026-06-09T19:00:00"})
	}, db.SQL("test.unskipped_dates", `SELECT COUNT(*) FROM events WHERE series_id = $1 AND status <> 'canceled'
		AND occurrence_at = '2026-06-09T19:00:00'`)},
	{"a join", func(path string, _, ann *apptest.Client) *apptest.Reply { return ann.Post(path+"/join", nil) },
		db.SQL("test.unjoined_dates", `SELECT COUNT(*) FROM events e WHERE e.series_id = $1 AND e.occurrence_at > '2026-06-08' AND (NOT e.listed
			OR NOT EXISTS (SELECT 1 FROM participants p WHERE p.event_id = e.id AND p.status = 'going'))`)},
	{"a deletion", func(_ string, org, _ *apptest.Client) *apptest.Reply { return org.Delete("/me") },
		db.SQL("test.ownerless_dates", `SELECT COUNT(*) FROM events WHERE series_id = $1 AND status <> 'canceled'`)},
}

// TestSeriesMakesDatesBesideRequests runs the jobs of two workers beside requests about the same series.
func TestSeriesMakesDatesBesideRequests(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		type trial struct {
			kind       int
			name, path string
			org        *apptest.Client
			reply      *apptest.Reply
		}
		var trials []*trial
		for kind := range besideMaking {
			for round := range testutil.Rounds(3, 40) {
				name := fmt.Sprint("org", kind, ".", round)
				path := beginSeries(a.As(name), apptest.Fields{"rrule": "FREQ=DAILY", "horizon_days": 7, "starts_at": "2026-06-02T19:00:00"}, nil)
				trials = append(trials, &trial{kind: kind, name: name, path: path})
			}
		}
		a.RunJobs() // schedules the periodic job
		a.Clock.Advance(3 * 24 * time.Hour)
		ann := a.As("ann")
		for i, r := range trials {
			r.org = a.SignIn(apptest.Email(r.name)).On(i)
		}
		var running sync.WaitGroup
		for range 2 {
			running.Go(a.RunJobs)
		}
		for i, r := range trials {
			running.Go(func() { r.reply = besideMaking[r.kind].send(r.path, r.org, ann.On(i)) })
		}
		running.Wait()
		a.RunJobs()
		for _, r := range trials {
			if r.reply.Status >= 300 {
				t.Errorf("%s: %d %s", besideMaking[r.kind].name, r.reply.Status, r.reply.Body)
			}
			id, err := domain.ParseID[domain.SeriesKind](strings.TrimPrefix(r.path, "/event-series/"))
			if err != nil {
				t.Fatal(err)
			}
			if n := a.Count(besideMaking[r.kind].outlaws, id); n > 0 {
				t.Errorf("making beside %s left %d rows", besideMaking[r.kind].name, n)
			}
		}
	}, apptest.StartAt(apptest.Today))
}
