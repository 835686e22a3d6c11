package delivery_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/httpapi"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

var plannedStmt = db.SQL("deliver_test.planned", `SELECT COUNT(*) FROM deliveries WHERE kind = 'followed_user_event'`)

// addFollowers adds users with a verified address who follow a user.
func addFollowers(t *testing.T, a *apptest.App, of domain.UserID, n int) (ids []domain.UserID) {
	t.Helper()
	now := a.Clock.Now()
	for range n {
		ids = append(ids, domain.NewID[domain.UserKind](now))
	}
	rows := func(row func(i int, id domain.UserID) []any) iter.Seq[[]any] {
		return func(yield func([]any) bool) {
			for i, id := range ids {
				if !yield(row(i, id)) {
					return
				}
			}
		}
	}
	for table, bulk := range map[string]struct {
		columns []string
		row     func(i int, id domain.UserID) []any
	}{
		"users": {[]string{"id", "email", "email_key", "email_verified", "test_profile", "created_at"}, func(i int, id domain.UserID) []any {
			email := fmt.Sprintf("fan%d@example.org", i)
			return []any{id, email, email, true, false, now}
		}},
	} {
		if _, err := a.DB.Bulk(t.Context(), table, bulk.columns, rows(bulk.row)); err != nil {
			t.Fatal(err)
		}
	}
	_, err := a.DB.Bulk(t.Context(), "follows", []string{"follower_id", "followed_id", "created_at"},
		rows(func(_ int, id domain.UserID) []any {
			return []any{id, of, now.Add(-time.Hour)}
		}))
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

var (
	offRuleStmt = db.SQL("deliver_test.off", `INSERT INTO notification_rules (user_id, kind, channel, mode)
		VALUES ($1, 'followed_user_event', 'email', 'off')`)
)

// TestBroadcastIsPlanned plans the mails of an audience that gets a broadcast, in chunks.
// LONG_TESTS plans 100,000.
func TestBroadcastIsPlanned(t *testing.T) {
	size := testutil.Rounds(2500, 100_000)
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		fans := addFollowers(t, a, org.ID(), size)
		a.Exec(offRuleStmt, fans[0])
		a.Exec(mailSuspendStmt, fans[1])
		a.Exec(unverifyStmt, fans[2])
		draft := org.Draft(apptest.Fields{"title": "Chess"})
		began := time.Now()
		org.Post("/events/"+draft+"/publish", nil).Want(200)
		published := time.Since(began)
		a.RunJobs()
		took := time.Since(began)
		if n := a.Count(plannedStmt); n != size-3 {
			t.Errorf("%d mails are planned, want %d", n, size-3)
		}
		t.Logf("publish answered in %v, %d mails planned in %v", published, size-3, took)
	}, delivers...)
}

// TestBroadcastIsMailed sends a broadcast to recipients who have not looked at the app, and
// not to one who has read it.
func TestBroadcastIsMailed(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben := a.As("org"), a.As("ann"), a.As("ben")
		addFollowers(t, a, org.ID(), 500)
		ann.Follow(org)
		ben.Follow(org)
		for _, c := range []*apptest.Client{ann, ben} {
			c.Patch(preferencesPath, rule("followed_user_event", "email", "instant")).Want(200)
		}
		a.Clock.Advance(time.Second)
		org.Publish(apptest.Fields{"title": "Chess"})
		a.RunJobs()
		ben.Post("/notifications/read-all", nil).Want(200)
		a.Clock.Advance(2 * time.Minute)
		if got := mailsTo(t, a, "ann"); len(got) != 1 || !strings.HasSuffix(got[0].Subject, "invites everybody to “Chess”") {
			t.Errorf("mails: %s", subjects(got))
		}
		if got := mailsTo(t, a, "ben"); len(got) != 0 {
			t.Errorf("a mail of what was read: %s", subjects(got))
		}
	}, delivers...)
}

// ran are the names of the statements that planned something: of requests, and of the planner.
type ran struct {
	sync.Mutex
	requests, planner []string
}

func (r *ran) record(ctx context.Context, s *db.Stmt) {
	if name := s.Name(); strings.HasPrefix(name, "mail.") || name == "notify.outbox" {
		r.Lock()
		defer r.Unlock()
		if httpapi.ResponseHeader(ctx).Get("X-Request-Id") != "" {
			r.requests = append(r.requests, name)
		} else {
			r.planner = append(r.planner, name)
		}
	}
}

// TestJoinsArePlannedLater lets users with a follower join and leave. Their requests only write to
// the outboxes. The planner reads the followers only if somebody wants mails about such joins.
func TestJoinsArePlannedLater(t *testing.T) {
	for _, engine := range dbtest.RuleEngines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			var r ran
			a := apptest.New(t, engine, append(slices.Clone(delivers), apptest.OnStatement(r.record))...)
			org, fan, stranger := a.As("org"), a.As("fan"), a.As("stranger")
			event := org.Publish(nil)
			for _, row := range []struct {
				name, mode string
				wanted     bool
			}{{"ann", "off", false}, {"ben", "instant", true}, {"cora", "off", false}} {
				stranger.Patch(preferencesPath, rule("followed_user_going", "email", row.mode)).Want(200)
				guest := a.As(row.name)
				fan.Follow(guest)
				a.RunJobs()
				r.Lock()
				r.requests, r.planner = nil, nil
				r.Unlock()
				guest.Join(event)
				a.RunJobs()
				guest.Delete("/events/" + event + "/join").Want(200)
				a.RunJobs()
				r.Lock()
				if got := strings.Join(r.requests, " "); got != "mail.appointment_outbox notify.outbox notify.outbox mail.appointment_outbox" {
					t.Errorf("%s: the requests ran %s", row.name, got)
				}
				if got := slices.Contains(r.planner, "mail.plan.followers"); got != row.wanted {
					t.Errorf("%s: the planner read the followers: %t, want %t", row.name, got, row.wanted)
				}
				r.Unlock()
			}
		})
	}
}
