package app_test

import (
	"bytes"
	"net/http"
	"testing"

	"moothall/internal/apptest"
	"moothall/internal/dbtest"
	"moothall/internal/pgtest"
	"moothall/internal/platform/db"
)

// createdStmts count what each of keyedOperations creates.
var createdStmts = map[string]*db.Stmt{
	"createEvent":         db.SQL("app_test.events", `SELECT COUNT(*) FROM events`),
	"inviteToEvent":       db.SQL("app_test.invitations", `SELECT COUNT(*) FROM invitations`),
	"createEventPost":     db.SQL("app_test.posts", `SELECT COUNT(*) FROM posts`),
	"createPostComment":   db.SQL("app_test.comments", `SELECT COUNT(*) FROM comments`),
	"reviewEvent":         db.SQL("app_test.reviews", `SELECT COUNT(*) FROM reviews`),
	"createReport":        db.SQL("app_test.reports", `SELECT COUNT(*) FROM reports`),
	"createDateOption":    db.SQL("app_test.date_options", `SELECT COUNT(*) FROM date_options`),
	"sendChatMessage":     db.SQL("app_test.messages", `SELECT COUNT(*) FROM messages`),
	"createCalendarEntry": db.SQL("app_test.calendar_entries", `SELECT COUNT(*) FROM calendar_entries`),
}

// cutOnPostgres runs the service behind a proxy that can lose the responses to commits.
func cutOnPostgres(t *testing.T, options ...apptest.Option) (*apptest.App, *pgtest.Proxy) {
	t.Helper()
	p := pgtest.NewProxy(t, dbtest.URL(t, db.PostgreSQL))
	return apptest.New(t, db.PostgreSQL, append(options, apptest.Setting("DATABASE_URL", p.URL))...), p
}

// inDoubt calls while the responses to commits are lost.
func inDoubt(t *testing.T, p *pgtest.Proxy, what string, call func() *apptest.Reply) {
	t.Helper()
	p.CutCommits.Store(true)
	reply := call()
	p.CutCommits.Store(false)
	reply.WantError(http.StatusServiceUnavailable, "outcome_unknown")
	if reply.Header.Get("Retry-After") == "" {
		t.Errorf("%s: 503 without Retry-After", what)
	}
}

// TestKeyedRequestInDoubtIsDoneOnce loses the response to the commit of every operation that
// takes an Idempotency-Key. The client learns that the outcome is unknown, and asks again
// with the same key: it gets the first result, which exists once.
func TestKeyedRequestInDoubtIsDoneOnce(t *testing.T) {
	t.Parallel()
	a, p := cutOnPostgres(t, keyedSettings...)
	names := newKeyedWorld(a)
	for _, o := range keyedOperations {
		before := a.Count(createdStmts[o.id])
		send := func() *apptest.Reply {
			return a.As(o.who).Allow5xx().With("Idempotency-Key", o.id).Post(names.Replace(o.path), names.Replace(o.body))
		}
		inDoubt(t, p, o.id, send)
		if n := a.Count(createdStmts[o.id]) - before; n != 1 {
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
	apptest.Report(t, "the response to COMMIT is lost", "%d commits in doubt, each done once after it was asked for again", len(keyedOperations))
}

// TestWriteInDoubtSaysSo loses the response to the commit of writes without a key. Repeated,
// each has the effect of one.
func TestWriteInDoubtSaysSo(t *testing.T) {
	t.Parallel()
	a, p := cutOnPostgres(t, keyedSettings...)
	names := newKeyedWorld(a)
	a.As("bob")
	for _, o := range []struct {
		method, path string
		body         any
		again        int
	}{
		{"POST", "/events/{event}/join", nil, 200},
		{"DELETE", "/events/{event}/join", nil, 200},
		{"POST", "/events/{event}/posts/{post}/like", nil, 200},
		{"DELETE", "/events/{event}/posts/{post}/like", nil, 200},
		{"POST", "/users/" + a.As("bob").UserID + "/follow", nil, 200},
		{"PATCH", "/me/profile", apptest.Fields{"display_name": "Ann"}, 200},
		{"POST", "/feed/preferences", apptest.Fields{"city": "Bern"}, 200},
		{"DELETE", "/auth/sessions/" + a.SignIn(apptest.Email("ann")).SessionID, nil, 204},
		{"DELETE", "/me", nil, 401},
	} {
		send := func() *apptest.Reply { return a.As("ann").Allow5xx().Do(o.method, names.Replace(o.path), o.body) }
		inDoubt(t, p, o.method+" "+o.path, send)
		send().Want(o.again)
	}
}
