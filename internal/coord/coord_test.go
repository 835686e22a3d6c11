package coord_test

import (
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	"moothall/internal/apptest"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

type fields = map[string]any

var today = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// draft makes an event that would begin in four days.
func draft(c *apptest.Client, changes fields) string {
	body := fields{"title": "Chess in the park", "starts_at": "2026-06-05T16:00:00Z"}
	maps.Copy(body, changes)
	return c.Post("/events", body).Want(201).Text("event.id")
}

func published(c *apptest.Client, changes fields) string {
	id := draft(c, changes)
	c.Post("/events/"+id+"/publish", nil).Want(200)
	return id
}

func join(c *apptest.Client, event string) { c.Post("/events/"+event+"/join", nil).Want(200) }

// option adds a date option and gives its id.
func option(c *apptest.Client, event, start string) string {
	return c.Post("/events/"+event+"/date-options", fields{"starts_at": start}).Want(201).Text("id")
}

func parse[kind any](t *testing.T, id string) domain.ID[kind] {
	t.Helper()
	parsed, err := domain.ParseID[kind](id)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func exec(t *testing.T, a *apptest.App, s *db.Stmt, args ...any) {
	t.Helper()
	if _, err := a.DB.Exec(t.Context(), s, args...); err != nil {
		t.Fatal(err)
	}
}

var inviteStmt = db.SQL("coord.test_invite", `
	INSERT INTO invitations (event_id, user_id, id, invited_by, status, created_at, updated_at)
	SELECT e.id, $2, $3, e.organizer_id, $4, $5, $5 FROM events e WHERE e.id = $1
	ON CONFLICT (event_id, user_id) DO UPDATE SET status = excluded.status`)

// invited gives somebody an invitation that they have answered.
func invited(t *testing.T, a *apptest.App, c *apptest.Client, event, answer string) {
	t.Helper()
	exec(t, a, inviteStmt, parse[domain.EventKind](t, event), parse[domain.UserKind](t, c.UserID), domain.NewID[domain.InvitationKind](today), answer, today)
}

var blockStmt = db.SQL("coord.test_block", `INSERT INTO blocks (blocker_id, blocked_id, id, created_at) VALUES ($1, $2, $3, $4)`)

func block(t *testing.T, a *apptest.App, blocker, blocked *apptest.Client) {
	t.Helper()
	exec(t, a, blockStmt, parse[domain.UserKind](t, blocker.UserID), parse[domain.UserKind](t, blocked.UserID), domain.NewID[domain.UserKind](today), today)
}

// longSessions are for tests that go on for hours.
var longSessions = apptest.Setting("ACCESS_TOKEN_TTL", "24h")

// cast makes one private event in a state, with a date option, and everybody
// who stands to it in some way.
func cast(t *testing.T, a *apptest.App, state string) (event, first string) {
	t.Helper()
	org := a.As("org")
	event = draft(org, fields{"starts_at": "2026-06-01T13:00:00Z", "visibility": "private", "date_mode": "vote"})
	for _, answer := range []string{"pending", "accepted", "declined", "tentative"} {
		invited(t, a, a.As(answer), event, answer)
	}
	invited(t, a, a.As("blocked"), event, "accepted")
	first = option(org, event, "2026-06-06T16:00:00Z")
	if state != "draft" {
		org.Post("/events/"+event+"/publish", nil).Want(200)
	}
	if state == "canceled" {
		org.Post("/events/"+event+"/cancel", nil).Want(200)
	}
	return event, first
}

// crowd is how many people act at once.
const crowd = 50

// together runs one function for every member of a crowd at the same moment.
func together(n int, act func(i int)) {
	var ready, done sync.WaitGroup
	ready.Add(n)
	for i := range n {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			act(i)
		})
	}
	done.Wait()
}

// everywhere runs a race on SQLite, and with three instances of the service on
// one PostgreSQL.
func everywhere(t *testing.T, race func(t *testing.T, a *apptest.App, instances int), at apptest.Option) {
	for _, where := range []struct {
		name      string
		engine    db.Engine
		instances int
	}{{"sqlite", db.SQLite, 1}, {"three instances", db.PostgreSQL, 3}} {
		t.Run(where.name, func(t *testing.T) {
			t.Parallel()
			race(t, apptest.New(t, where.engine, apptest.Instances(where.instances), at), where.instances)
		})
	}
}

// people signs a crowd in, spread over the instances.
func people(a *apptest.App, instances int) []*apptest.Client {
	clients := make([]*apptest.Client, crowd)
	for i := range clients {
		clients[i] = a.As(fmt.Sprintf("guest%d", i)).On(i % instances)
	}
	return clients
}
