package faults

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// seriesDays is how many days ahead the killed service makes dates. All of them are in one page of their list.
const seriesDays = 95

// TestKilledServiceMakesEachDateOnce kills the service while a job makes the dates of a series and lets a member join them.
func TestKilledServiceMakesEachDateOnce(t *testing.T) {
	if !testutil.Long() {
		t.Skip("long form: the short form of this is TestKilledJobsMakeEachDateOnce, without a process")
	}
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		killWhileMakingDates(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"))
	})
	t.Run("postgresql", func(t *testing.T) {
		t.Parallel()
		killWhileMakingDates(t, dbtest.URL(t, db.PostgreSQL))
	})
}

func killWhileMakingDates(t *testing.T, database string) {
	const kills = 20
	s := newService(t, database, map[string]string{"ACCESS_TOKEN_TTL": "24h"})
	s.start()
	c := newClient(t)
	people := c.signIn(t, s.url(), kills+1)
	member, owners := people[0], people[1:]
	inTheMiddle := 0
	for _, owner := range owners {
		path := s.beginSeries(c, owner)
		c.mustCall(t, "POST", s.url()+path+"/join", member.token, "")
		// A random moment, because no event marks it: a kill may hit any statement of the job. afterKill reports where it was.
		time.Sleep(rand.N(150 * time.Millisecond))
		s.signal(syscall.SIGKILL)
		s.kill()
		if n := afterKill(t, database, path); 20 < n && n < seriesDays-1 {
			inTheMiddle++
		}
		s.start()
		for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
			list := string(c.mustCall(t, "GET", s.url()+path+"/events?limit=100", member.token, "").body)
			dates, going := strings.Count(list, `"viewer_going":`), strings.Count(list, `"viewer_going":true`)
			if dates >= seriesDays-1 && going == dates {
				break
			}
			if time.Since(began) > patience {
				t.Fatalf("%d dates were made, and %d joined", dates, going)
			}
		}
		c.mustCall(t, "POST", s.url()+path+"/end", owner.token, "")
	}
	s.kill()
	for wrong, n := range wrongDates(t, database) {
		if n > 0 {
			t.Errorf("%d dates %s", n, wrong)
		}
	}
	testutil.Fault(t, "kill -9 while dates of a series are made", "%d kills, %d of them in the middle of %d dates; each was made once", kills,
		inTheMiddle, seriesDays)
	if inTheMiddle == 0 {
		t.Error("no kill was in the middle")
	}
}

// beginSeries creates a daily series, whose later dates a job makes, and returns its path.
func (s *service) beginSeries(c *client, owner person) string {
	body := fmt.Sprintf(`{"rrule":"FREQ=DAILY","starts_at":%q,"timezone":"Europe/Berlin","horizon_days":%d,"template":{"title":"Tea"}}`,
		time.Now().AddDate(0, 0, 1).Format("2006-01-02")+"T12:00:00", seriesDays)
	return "/event-series/" + c.mustCall(s.t, "POST", s.url()+"/event-series", owner.token, body).text("id")
}

var (
	endJobLeasesStmt = db.SQL("faulttest.end_leases_of_jobs", `UPDATE jobs SET run_at = 0 WHERE lease IS NOT NULL`)
	madeDatesStmt    = db.SQL("faulttest.made_dates", `SELECT COUNT(*) FROM events WHERE series_id = $1`)
	wrongDatesStmt   = db.SQL("faulttest.wrong_dates", `
		SELECT COUNT(*) - COUNT(DISTINCT CAST(series_id AS TEXT) || occurrence_at),
			COALESCE(SUM(CASE WHEN listed THEN 0 ELSE 1 END), 0),
			COUNT(*) - (SELECT COUNT(*) FROM participants WHERE status = 'going')
		FROM events`)
)

// afterKill ends the leases of the killed process, and returns how many dates of a series it has made.
func afterKill(t *testing.T, database, path string) (made int) {
	t.Helper()
	id, err := domain.ParseID[domain.SeriesKind](strings.TrimPrefix(path, "/event-series/"))
	must(t, err)
	d, err := db.Open(t.Context(), database, db.Options{})
	must(t, err)
	_, err = d.Exec(t.Context(), endJobLeasesStmt)
	must(t, err)
	must(t, d.One(t.Context(), madeDatesStmt, id).Scan(&made))
	must(t, d.Close())
	return made
}

// wrongDates counts the dates of all series that break a promise.
func wrongDates(t *testing.T, database string) map[string]int {
	t.Helper()
	var twice, unlisted, unjoined int
	d, err := db.Open(t.Context(), database, db.Options{})
	must(t, err)
	must(t, d.One(t.Context(), wrongDatesStmt).Scan(&twice, &unlisted, &unjoined))
	must(t, d.Close())
	return map[string]int{"exist twice": twice, "are not listed": unlisted, "lack the member": unjoined}
}
