package series_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/series"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
	"moothall/internal/test/dbtest"
)

var (
	addUserStmt = db.SQL("test.add_verified_user", `
		INSERT INTO users (id, email_verified, test_profile, created_at) VALUES ($1, TRUE, FALSE, $2)`)
	addMemberStmt = db.SQL("test.add_member", `
		INSERT INTO series_members (series_id, user_id, visibility, created_at) VALUES ($1, $2, 'public', $3)`)
	countDatesStmt = db.SQL("test.count_dates", `
		SELECT COUNT(*), COUNT(DISTINCT occurrence_at), COALESCE(SUM(CASE WHEN listed THEN 1 ELSE 0 END), 0),
			(SELECT COUNT(*) FROM participants WHERE status = 'going') FROM events`)
)

var errKilled = errors.New("test: the process was killed")

// world is a series with two members that makes dates, and a failpoint in the middle of each date.
type world struct {
	t       testing.TB
	d       *db.DB
	now     atomic.Int64 // microseconds
	kill    func() bool  // while a date is made
	join    func()       // while a member joins
	service *series.Service
	owner   domain.Viewer
	id      domain.SeriesID
}

func newWorld(t testing.TB, d *db.DB) *world {
	return newWorldOf(t, d, series.New{Rule: "FREQ=DAILY;COUNT=9", Horizon: 7, Template: event.Fields{Title: "Tea", Capacity: new(int64(5))}})
}

// newWorldOf is newWorld with another series, which begins on June 10, 2026.
func newWorldOf(t testing.TB, d *db.DB, request series.New) *world {
	w := &world{t: t, d: d, kill: func() bool { return false }, join: func() {}}
	w.now.Store(time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC).UnixMicro())
	clock := func() time.Time { return time.UnixMicro(w.now.Load()).UTC() }
	events := &event.Service{DB: d, Clock: clock, Seats: attendance.Seats{}, Profiles: user.NewProfiles(nil, d),
		OnScheduled: func(context.Context, db.Tx, event.Event, time.Time) error {
			if w.kill() {
				return errKilled
			}
			return nil
		}}
	guests := &attendance.Service{DB: d, Clock: clock,
		OnChange: func(context.Context, db.Tx, domain.EventID, domain.UserID, time.Time) { w.join() }}
	w.service = &series.Service{DB: d, Clock: clock, Events: events, Attendance: guests}
	users := []domain.UserID{domain.NewID[domain.UserKind](clock()), domain.NewID[domain.UserKind](clock()),
		domain.NewID[domain.UserKind](clock())}
	for _, u := range users {
		w.must(w.exec(addUserStmt, u, clock()))
	}
	w.owner = domain.Viewer{UserID: users[0]}
	request.StartsAt, request.Timezone, request.Publish = "2026-06-10T19:00:00", "Europe/Berlin", series.Automatic
	r, err := w.service.Create(t.Context(), w.owner, request)
	w.must(err)
	w.id = r.ID
	for _, u := range users[1:] {
		w.must(w.exec(addMemberStmt, r.ID, u, clock()))
	}
	return w
}

func (w *world) exec(s *db.Stmt, args ...any) error {
	_, err := w.d.Exec(w.t.Context(), s, args...)
	return err
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) workers() *job.Workers { return w.workersWith(0) }

// workersWith returns workers that discard a job after some attempts; 0 is the default.
func (w *world) workersWith(attempts int) *job.Workers {
	workers := job.New(job.Options{DB: w.d, Clock: w.service.Clock, Logger: slog.New(slog.DiscardHandler), Attempts: attempts})
	w.service.RegisterJobs(workers)
	return workers
}

// wantOnce checks that n dates were made, once each, with both members, and are listed.
func (w *world) wantOnce(name string, n int) {
	w.t.Helper()
	var dates, different, listed, going int
	w.must(w.d.One(w.t.Context(), countDatesStmt).Scan(&dates, &different, &listed, &going))
	if dates != n || different != n || listed != n || going != 2*n {
		w.t.Errorf("%s: %d dates, %d different, %d listed, %d participants; want %d and %d", name, dates, different, listed, going, n, 2*n)
	}
}

// TestKilledJobsMakeEachDateOnce lets the job fail at each date, after the event was stored and published.
func TestKilledJobsMakeEachDateOnce(t *testing.T) {
	for at := range 9 {
		t.Run(fmt.Sprint("at date ", at), func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				w := newWorld(t, d)
				calls := 0
				w.kill = func() bool { calls++; return calls == at+1 }
				workers := w.workers()
				w.now.Add((9 * 24 * time.Hour).Microseconds()) // the dates of June 10 to 16 are due
				failed := 0
				for range 5 {
					if err := workers.RunDue(t.Context()); err != nil {
						failed++
					}
					w.now.Add(time.Minute.Microseconds())
				}
				if want := min(1, max(0, 7-at)); failed != want {
					t.Errorf("%d runs failed, want %d", failed, want)
				}
				w.wantOnce("after the kill", 7)
			})
		})
	}
}

// TestConcurrentJobsMakeEachDateOnce runs the jobs of several processes at once.
func TestConcurrentJobsMakeEachDateOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.must(w.workers().RunDue(t.Context())) // schedules the periodic job
		w.now.Add((9 * 24 * time.Hour).Microseconds())
		var running sync.WaitGroup
		for range 4 {
			workers := w.workers()
			running.Go(func() {
				for range 3 {
					if err := workers.RunDue(t.Context()); err != nil {
						t.Error(err)
					}
				}
			})
		}
		running.Wait()
		w.must(w.workers().RunDue(t.Context()))
		w.wantOnce("after all", 7)
	})
}

// TestDiscardedJobsEndNoSeries discards the job that makes dates, and then the one that lets members join: both run again.
func TestDiscardedJobsEndNoSeries(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		workers := w.workersWith(1)
		w.must(workers.RunDue(t.Context())) // schedules the periodic job
		run := func(name string, wantDiscarded int) {
			t.Helper()
			if err := workers.RunDue(t.Context()); (err != nil) != (wantDiscarded > 0) {
				t.Errorf("%s: the jobs end with %v", name, err)
			}
			discarded, err := job.Discarded(t.Context(), d)
			if err != nil || len(discarded) != wantDiscarded {
				t.Errorf("%s: %d jobs are discarded, want %d (%v)", name, len(discarded), wantDiscarded, err)
			}
			w.now.Add((61 * time.Minute).Microseconds())
		}
		w.now.Add((9 * 24 * time.Hour).Microseconds())
		w.kill = func() bool { return true }
		run("dates fail", 1)
		w.kill = func() bool { return false }
		w.join = func() { panic("test: no member can join") }
		run("members fail", 7)
		w.join = func() {}
		run("nothing fails", 0)
		w.wantOnce("after all", 7)
	})
}
