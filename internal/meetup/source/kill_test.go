package source_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/group"
	"moothall/internal/meetup/importer"
	"moothall/internal/meetup/source"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/outboundtest"
	"moothall/internal/test/testutil"
)

var (
	addUserStmt = db.SQL("test.add_verified_user", `
		INSERT INTO users (id, email_verified, test_profile, created_at) VALUES ($1, TRUE, FALSE, $2)`)
	statesStmt = db.SQL("test.source_states", `
		SELECT COUNT(*), COALESCE(SUM(CASE WHEN status = 'canceled' THEN 1 ELSE 0 END), 0),
			COALESCE(SUM(CASE WHEN title LIKE '%again' THEN 1 ELSE 0 END), 0) FROM events WHERE group_id = $1`)
)

// world is a service whose process is killed at a statement.
type world struct {
	t       *testing.T
	d       *db.DB
	now     atomic.Int64 // microseconds
	left    atomic.Int64 // statements until the process is killed
	kill    context.CancelFunc
	service *source.Service
	groups  *group.Service
	text    atomic.Value // the calendar
}

func newWorld(t *testing.T, engine db.Engine) *world {
	w := &world{t: t, kill: func() {}}
	w.now.Store(time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC).UnixMicro())
	d, err := db.Open(t.Context(), dbtest.URL(t, engine), db.Options{Wait: time.Minute, OnStatement: func(context.Context, *db.Stmt, []any) {
		if w.left.Add(-1) == 0 {
			w.kill()
		}
	}})
	w.must(err)
	t.Cleanup(func() { _ = d.Close() })
	w.d = d
	clock := func() time.Time { return time.UnixMicro(w.now.Load()).UTC() }
	events := &event.Service{DB: d, Clock: clock, Seats: attendance.Seats{}, Profiles: user.NewProfiles(nil, d),
		OnScheduled: func(context.Context, db.Tx, event.Event, time.Time) error { return nil }}
	network := outboundtest.New(t, func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write([]byte(w.text.Load().(string))) })
	w.service = &source.Service{DB: d, Clock: clock, Events: events,
		Imports: importer.New(importer.Service{DB: d, Clock: clock, Events: events}, network.Outbound())}
	w.groups = &group.Service{DB: d, Clock: clock}
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// subscribe returns a new group with the calendar.
func (w *world) subscribe(n int) domain.GroupID {
	owner := domain.Viewer{UserID: domain.NewID[domain.UserKind](w.service.Clock())}
	_, err := w.d.Exec(w.t.Context(), addUserStmt, owner.UserID, w.service.Clock())
	w.must(err)
	g, err := w.groups.Create(w.t.Context(), owner, group.Change{Name: new(fmt.Sprint("Group ", n)), Visibility: new(access.Public)})
	w.must(err)
	_, err = w.service.Add(w.t.Context(), owner, g.ID(), "https://example.com/a.ics")
	w.must(err)
	return g.ID()
}

// run lets the calendar be read once, by a process that is killed at a statement, and by another one.
func (w *world) run(at int64) (killed bool) {
	w.now.Add((72 * time.Minute).Microseconds())
	for _, left := range []int64{at, 0} {
		ctx, kill := context.WithCancel(w.t.Context())
		w.kill = kill
		w.left.Store(left)
		for range 3 { // within an hour
			w.now.Add((8 * time.Minute).Microseconds())
			workers := job.New(job.Options{DB: w.d, Clock: w.service.Clock, Logger: slog.New(slog.DiscardHandler)})
			w.service.RegisterJobs(workers)
			if err := workers.RunDue(ctx); err != nil && ctx.Err() == nil {
				w.t.Fatal(err)
			}
		}
		killed = killed || ctx.Err() != nil
		kill()
	}
	return killed
}

// serve sets the calendar: of 25 events, some are renamed and some are gone.
func (w *world) serve(renamed, gone int) {
	var text strings.Builder
	text.WriteString("BEGIN:VCALENDAR\n")
	for i := range 25 - gone {
		title := "Tea"
		if i < renamed {
			title = "Tea again"
		}
		fmt.Fprintf(&text, "BEGIN:VEVENT\nUID:%d\nDTSTART:202706%02dT180000Z\nSUMMARY:%s\nEND:VEVENT\n", i, 1+i, title)
	}
	text.WriteString("END:VCALENDAR\n")
	w.text.Store(text.String())
}

func (w *world) want(at int64, id domain.GroupID, events, canceled, renamed int) {
	w.t.Helper()
	var e, c, r int
	w.must(w.d.One(w.t.Context(), statesStmt, id).Scan(&e, &c, &r))
	if e != events || c != canceled || r != renamed {
		w.t.Errorf("killed at %d: %d events, %d canceled, %d renamed; want %d, %d, %d", at, e, c, r, events, canceled, renamed)
	}
}

// TestKilledReadsMakeEachEventOnce kills the process at many statements while it makes events, and while it changes, misses and cancels
// some.
func TestKilledReadsMakeEachEventOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d.Engine())
		killed := true
		for at := int64(1); killed; at += int64(testutil.Rounds(61, 1)) {
			w.serve(0, 0)
			id := w.subscribe(int(at))
			killed = w.run(at)
			w.want(at, id, 25, 0, 0)
			w.serve(5, 3)
			killed = w.run(at) || killed
			w.want(at, id, 25, 0, 5)
			killed = w.run(at) || killed
			w.want(at, id, 25, 3, 5)
			_, err := w.d.Exec(t.Context(), db.SQL("test.forget_source", `UPDATE group_sources SET ended_at = 1 WHERE group_id = $1`), id)
			w.must(err)
		}
	})
}
