package ops_test

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/httpapi"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/disktest"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

var countEventsStmt = db.SQL("app_test.events", `SELECT COUNT(*) FROM events`)

// createdStmts count what each of keyedOperations creates.
var createdStmts = map[string]*db.Stmt{
	"createApiKey":        db.SQL("app_test.api_keys", `SELECT COUNT(*) FROM api_keys`),
	"createWebhook":       db.SQL("app_test.webhooks", `SELECT COUNT(*) FROM webhooks`),
	"createEvent":         countEventsStmt,
	"cloneEvent":          countEventsStmt,
	"announceToGroup":     db.SQL("app_test.announcements", `SELECT COUNT(*) FROM group_announcements`),
	"createGroup":         db.SQL("app_test.groups", `SELECT COUNT(*) FROM groups`),
	"createEventSeries":   db.SQL("app_test.series", `SELECT COUNT(*) FROM event_series`),
	"splitEventSeries":    db.SQL("app_test.split_series", `SELECT COUNT(*) FROM event_series`),
	"inviteToEvent":       db.SQL("app_test.invitations", `SELECT COUNT(*) FROM invitations`),
	"inviteByEmail":       db.SQL("app_test.email_invitations", `SELECT COUNT(*) FROM email_invitations`),
	"createInviteLink":    db.SQL("app_test.invite_links", `SELECT COUNT(*) FROM invite_links`),
	"enterWaitlist":       db.SQL("app_test.waitlist_entries", `SELECT COUNT(*) FROM waitlist_entries`),
	"createEventPost":     db.SQL("app_test.posts", `SELECT COUNT(*) FROM posts`),
	"sendGuestMessage":    db.SQL("app_test.guest_messages", `SELECT COUNT(*) FROM guest_messages`),
	"createPostComment":   db.SQL("app_test.comments", `SELECT COUNT(*) FROM comments`),
	"reviewEvent":         db.SQL("app_test.reviews", `SELECT COUNT(*) FROM reviews`),
	"createReport":        db.SQL("app_test.reports", `SELECT COUNT(*) FROM reports`),
	"createDateOption":    db.SQL("app_test.date_options", `SELECT COUNT(*) FROM date_options`),
	"sendChatMessage":     db.SQL("app_test.messages", `SELECT COUNT(*) FROM messages`),
	"createCalendarEntry": db.SQL("app_test.calendar_entries", `SELECT COUNT(*) FROM calendar_entries`),

	"openCalendarFeed":       db.SQL("app_test.calendar_feeds", `SELECT COUNT(*) FROM calendar_feeds`),
	"createPushSubscription": db.SQL("app_test.push_subscriptions", `SELECT COUNT(*) FROM push_subscriptions`),
}

// failingCommits runs the service on each engine, with a switch that leaves its commits in
// doubt: on PostgreSQL their responses are lost, on SQLite their flushes fail.
func failingCommits(t *testing.T, test func(t *testing.T, a *apptest.App, fail *atomic.Bool)) {
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			url := dbtest.URL(t, engine)
			if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
				disk := disktest.New(t, filepath.Dir(path))
				test(t, apptest.New(t, engine, append(keyedSettings, apptest.Setting("DATABASE_URL", url))...), &disk.FailFlush)
				return
			}
			p := pgtest.NewProxy(t, url)
			test(t, apptest.New(t, engine, append(keyedSettings, apptest.Setting("DATABASE_URL", p.URL))...), &p.CutCommits)
		})
	}
}

// inDoubt calls while commits fail.
func inDoubt(t *testing.T, fail *atomic.Bool, what string, call func() *apptest.Reply) {
	t.Helper()
	fail.Store(true)
	reply := call()
	fail.Store(false)
	reply.WantError(http.StatusServiceUnavailable, "outcome_unknown")
	if reply.Header.Get("Retry-After") == "" {
		t.Errorf("%s: 503 without Retry-After", what)
	}
}

// TestKeyedRequestInDoubtIsDoneOnce leaves the commit of every operation that takes an
// Idempotency-Key in doubt. The client learns that the outcome is unknown, and asks again
// with the same key: it gets the first result, which exists once.
func TestKeyedRequestInDoubtIsDoneOnce(t *testing.T) {
	failingCommits(t, func(t *testing.T, a *apptest.App, fail *atomic.Bool) {
		names := newKeyedWorld(a)
		for _, o := range keyedOperations {
			before := a.Count(createdStmts[o.id])
			send := func() *apptest.Reply {
				return a.As(o.who).Allow5xx().With("Idempotency-Key", o.id).Post(names.Replace(o.path), names.Replace(o.body))
			}
			inDoubt(t, fail, o.id, send)
			if n := a.Count(createdStmts[o.id]) - before; n != 1 && a.Engine() == db.PostgreSQL {
				t.Errorf("%s: the commit in doubt created %d", o.id, n)
			}
			first, again := send().Want(http.StatusCreated), send().Want(http.StatusCreated)
			if !bytes.Equal(first.Body, again.Body) || first.Header.Get("ETag") != again.Header.Get("ETag") {
				t.Errorf("%s: the first result is\n%s, then it is\n%s", o.id, first.Body, again.Body)
			}
			if n := a.Count(createdStmts[o.id]) - before; n != 1 {
				t.Errorf("%s: %d exist after it was asked for again", o.id, n)
			}
		}
		testutil.Fault(t, "the response to COMMIT is lost", "%d commits in doubt, each done once after it was asked for again",
			len(keyedOperations))
	})
}

// TestWriteInDoubtSaysSo leaves the commit of writes without a key in doubt. Repeated, each
// has the effect of one.
func TestWriteInDoubtSaysSo(t *testing.T) {
	failingCommits(t, func(t *testing.T, a *apptest.App, fail *atomic.Bool) {
		names := newKeyedWorld(a)
		for _, o := range []struct {
			method, path string
			body         any
			gone         bool // if it was done, the caller no longer exists
		}{
			{"POST", "/events/{event}/join", nil, false},
			{"DELETE", "/events/{event}/join", nil, false},
			{"POST", "/events/{event}/posts/{post}/like", nil, false},
			{"DELETE", "/events/{event}/posts/{post}/like", nil, false},
			{"POST", "/users/" + a.As("bob").UserID + "/follow", nil, false},
			{"PATCH", "/me/profile", apptest.Fields{"display_name": "Ann"}, false},
			{"POST", "/feed/preferences", apptest.Fields{"city": "Bern"}, false},
			{"DELETE", "/auth/sessions/" + a.SignIn(apptest.Email("ann")).SessionID, nil, false},
			{"DELETE", "/me", nil, true},
		} {
			send := func() *apptest.Reply { return a.As("ann").Allow5xx().Do(o.method, names.Replace(o.path), o.body) }
			inDoubt(t, fail, o.method+" "+o.path, send)
			if again := send(); again.Status >= 300 && (!o.gone || again.Status != http.StatusUnauthorized) {
				t.Errorf("%s %s, repeated: %d %s", o.method, o.path, again.Status, again.Body)
			}
		}
	})
}

// TestKeyedRequestWaitsForUnfinishedOne drops the commit of a request, whose transaction stays
// open until PostgreSQL ends it. The client asks again at once, and the event exists once.
func TestKeyedRequestWaitsForUnfinishedOne(t *testing.T) {
	if testutil.Rounds(0, 1) == 0 {
		t.Skip("too slow for make test: PostgreSQL ends the transaction only after ten seconds; make check runs it")
	}
	t.Parallel()
	p := pgtest.NewProxy(t, dbtest.URL(t, db.PostgreSQL))
	a := apptest.New(t, db.PostgreSQL, append(keyedSettings, apptest.Setting("DATABASE_URL", p.URL),
		apptest.Setting("REQUEST_TIMEOUT", "2s"))...)
	org := a.As("org").Allow5xx().With("Idempotency-Key", "key")
	send := func() *apptest.Reply {
		return org.Post("/events", apptest.Fields{"title": "Chess", "starts_at": a.Clock.Now().Add(time.Hour)})
	}
	inDoubt(t, &p.DropCommits, "createEvent", send)
	began := time.Now()
	var first *apptest.Reply
	testutil.Until(t, "the result", func() bool { first = send(); return first.Status != http.StatusServiceUnavailable })
	again := send().Want(http.StatusCreated)
	if n := a.Count(createdStmts["createEvent"]); n != 1 || first.Status != http.StatusCreated || !bytes.Equal(first.Body, again.Body) {
		t.Errorf("%d events; %d %s, then %s", n, first.Status, first.Body, again.Body)
	}
	t.Logf("created after %v", time.Since(began))
}

// preparations are operations whose first commit the caller cannot see, such as a
// reservation. If it is in doubt, nothing was done.
var preparations = []string{"startPhoneCall", "getPhoneCallStatus", "startPasskeySignIn", "startPasskeyRegistration", "setAvatar",
	"setEventCover", "setGroupImage"}

// TestNoWriteInDoubtIsAcknowledged repeats every operation that writes while the responses to commits are
// lost: none that has written succeeds, and none says that nothing was done, except for
// preparations.
func TestNoWriteInDoubtIsAcknowledged(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	wrote := map[string]bool{} // by request
	p := pgtest.NewProxy(t, dbtest.URL(t, db.PostgreSQL))
	a := apptest.New(t, db.PostgreSQL, append(statementSettings(), apptest.Setting("DATABASE_URL", p.URL),
		apptest.OnStatement(func(ctx context.Context, s *db.Stmt) {
			if s.Name() != "session.touch" && len(s.Writes()) > 0 { // which runs in the background
				mu.Lock()
				defer mu.Unlock()
				wrote[httpapi.ResponseHeader(ctx).Get("X-Request-Id")] = true
			}
		}), apptest.Setting("DATABASE_MAX_CONNS", "2"))...) // each lost response replaces the connections
	didWrite := func(reply *apptest.Reply) bool {
		mu.Lock()
		defer mu.Unlock()
		return wrote[reply.Header.Get("X-Request-Id")]
	}
	doubts := 0
	body := func(r statementRow) string { return r.body }
	callStatementRows(t, a, one, body, func(i int, first *apptest.Reply, again func() *apptest.Reply) {
		if !didWrite(first) {
			return
		}
		r := statementRows[i]
		if r.name == "openCalendarFeed" || r.name == "setQuestions of an event with guests" {
			return // a repeated one replaces what a later row reads
		}
		p.CutCommits.Store(true)
		reply := again()
		p.CutCommits.Store(false)
		a.Clock.Advance(time.Minute) // the lease of a job may be in doubt, too: it expires
		unknown := "outcome_unknown"
		if slices.Contains(preparations, r.name) {
			unknown = "service_unavailable"
		}
		switch {
		case reply.Status < 300 && didWrite(reply), reply.Status >= 500 && r.status < 500 &&
			reply.Text("error") != unknown:
			t.Errorf("%s as %s: %d %s", r.name, r.who, reply.Status, reply.Body)
		case reply.Status == 503 && r.status < 500:
			doubts++
		}
	})
	t.Logf("%d operations were in doubt", doubts)
	if doubts < 40 {
		t.Error("most operations that write must be in doubt")
	}
}

// TestUnflushedCommitMaySurvive copies the files of SQLite after a commit whose flush has
// failed: the process does not see its event, but the next start would.
func TestUnflushedCommitMaySurvive(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, db.SQLite)
	path := strings.TrimPrefix(url, "sqlite:")
	disk := disktest.New(t, filepath.Dir(path))
	a := apptest.New(t, db.SQLite, apptest.Setting("DATABASE_URL", url))
	org := a.As("org").Allow5xx()
	copied := filepath.Join(t.TempDir(), "copy.db")
	inDoubt(t, &disk.FailFlush, "createEvent", func() *apptest.Reply {
		reply := org.Post("/events", apptest.Fields{"title": "Chess", "starts_at": a.Clock.Now().Add(time.Hour)})
		for _, suffix := range []string{"", "-wal"} {
			content, err := os.ReadFile(path + suffix)
			if err == nil {
				err = os.WriteFile(copied+suffix, content, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		return reply
	})
	d, err := db.Open(t.Context(), "sqlite:"+copied, db.Options{MustExist: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	var survived int
	if err := d.One(t.Context(), createdStmts["createEvent"]).Scan(&survived); err != nil {
		t.Fatal(err)
	}
	if n := a.Count(createdStmts["createEvent"]); n != 0 || survived != 1 {
		t.Errorf("the process sees %d events, the next one %d, want 0 and 1", n, survived)
	}
}
