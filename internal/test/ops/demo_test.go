package ops_test

import (
	"net/http"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

var demoStmt = db.SQL("ops.test_demo", `
	SELECT (SELECT COUNT(*) FROM users), (SELECT COUNT(*) FROM events),
		(SELECT COUNT(*) FROM participants), (SELECT COUNT(*) FROM invitations),
		(SELECT COUNT(*) FROM posts), (SELECT COUNT(*) FROM comments), (SELECT COUNT(*) FROM messages), (SELECT COUNT(*) FROM reviews),
		(SELECT COUNT(*) FROM media),
		(SELECT COUNT(*) FROM notification_outbox) + (SELECT COUNT(*) FROM appointment_outbox) + (SELECT COUNT(*) FROM deliveries)
			+ (SELECT COUNT(*) FROM unread_checks) + (SELECT COUNT(*) FROM notifications WHERE read_at IS NULL)`)

type demoCounts struct {
	users, events, participants, invitations, posts, comments, messages, reviews, pictures, unsent int
}

func countDemo(t *testing.T, d *db.DB) (c demoCounts) {
	t.Helper()
	must(t, d.One(t.Context(), demoStmt).Scan(
		&c.users, &c.events, &c.participants, &c.invitations, &c.posts, &c.comments, &c.messages, &c.reviews, &c.pictures, &c.unsent))
	return c
}

// TestDemoFillsEmptyDatabaseOnce runs with mails and pushes, and checks that none is queued for demo users.
func TestDemoFillsEmptyDatabaseOnce(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		want := demoCounts{
			users: 26, events: 66, participants: 516, invitations: 6, posts: 9, comments: 11, messages: 16, reviews: 7, pictures: 66,
		}
		if got := countDemo(t, a.DB); got != want {
			t.Errorf("the demo has %+v, not %+v", got, want)
		}
		if first := a.Anonymous().In(t).Get("/events").Want(http.StatusOK).Text("items.0.event.title"); first == "" {
			t.Error("no event is listed")
		}
		a.FillDemo()
		if again := countDemo(t, a.DB); again != want {
			t.Errorf("the second time: %+v", again)
		}
	}, apptest.Setting("NOTIFICATIONS", "mail,push"), apptest.Demo())
}

func TestDemoDoesNotChangeDatabaseWithData(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		a.As("org").Publish(nil)
		a.FillDemo()
		if got := countDemo(t, a.DB); got.users != 1 || got.events != 1 {
			t.Errorf("the database has %+v", got)
		}
	})
}
