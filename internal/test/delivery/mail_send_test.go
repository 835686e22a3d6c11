package delivery_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"moothall/internal/delivery/mail"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// withServer are the options of a service that sends mails to a server.
func withServer(m *apptest.MailServer) []apptest.Option {
	return append([]apptest.Option{apptest.Setting("SMTP_URL", "smtp://"+m.Address),
		apptest.Setting("MAIL_FROM", "Moothall <no-reply@example.org>"),
		apptest.Setting("AUTH_DEV_ENABLED", "true")}, delivers...)
}

// notified returns the mails to a user that are notifications, not those for calendar programs alone.
func notified(m *apptest.MailServer, name string) (found []string) {
	for _, mail := range m.Received() {
		if mail.To == apptest.Email(name) && strings.Contains(mail.Text, "List-Id: <") &&
			!strings.Contains(mail.Text, "List-Id: <event-calendar.") {
			found = append(found, mail.Text)
		}
	}
	return found
}

// eachWithServer runs a test on both engines, with a mail server each.
func eachWithServer(t *testing.T, engines []db.Engine, test func(t *testing.T, a *apptest.App, m *apptest.MailServer),
	more ...apptest.Option) {
	t.Helper()
	for _, engine := range engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			m := apptest.NewMailServer(t, nil)
			test(t, apptest.New(t, engine, append(withServer(m), more...)...), m)
		})
	}
}

// canceledFor lets a user join an event that is canceled.
func canceledFor(a *apptest.App, name string) string {
	org := a.As("org")
	event := org.Publish(nil)
	a.As(name).Join(event)
	org.Post("/events/"+event+"/cancel", nil).Want(200)
	return event
}

func messageID(t *testing.T, mail string) string {
	t.Helper()
	for line := range strings.Lines(mail) {
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "Message-ID: "); ok {
			return id
		}
	}
	t.Fatalf("no Message-ID in %s", mail)
	return ""
}

// TestCancellationsGoFirst sends the mail about a cancellation before mails that are due earlier: it is among those that
// all connections send first, at the same time.
func TestCancellationsGoFirst(t *testing.T) {
	eachWithServer(t, dbtest.Engines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org := a.As("org")
		event := org.Publish(nil)
		for i := range 3 * mail.MailConnections {
			a.As(fmt.Sprintf("guest%d", i)).Join(event)
		}
		a.As("eve")
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs() // the calendar messages of the joins
		before := len(m.Received())
		org.Post("/events/"+event+"/posts", apptest.Fields{"body": "Bring a cup", "kind": "announcement"}).Want(201)
		a.Clock.Advance(time.Minute)
		canceledFor(a, "eve")
		a.RunJobs() // plans all mails
		m.Hold(mail.MailConnections)
		a.Clock.Advance(2 * time.Minute)
		testutil.Until(t, "the mails to all have arrived", func() bool { return len(m.Received()) > before+3*mail.MailConnections })
		got := m.Received()[before:]
		first := slices.IndexFunc(got, func(one apptest.ReceivedMail) bool {
			return one.To == apptest.Email("eve") && strings.Contains(one.Text, "List-Id: <event-canceled.")
		})
		if first < 0 || first >= mail.MailConnections {
			t.Errorf("the cancellation is mail %d of %d", first, len(got))
		}
	})
}

// TestWaitingMailsAreReconsidered lets recipients read a notification while its mails wait for others that the server holds.
func TestWaitingMailsAreReconsidered(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org := a.As("org")
		event := org.Publish(nil)
		for i := range 3 * mail.MailConnections {
			a.As(fmt.Sprintf("guest%d", i)).Join(event)
		}
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs() // the calendar messages of the joins
		before := len(m.Received())
		org.Post("/events/"+event+"/posts", apptest.Fields{"body": "Bring a cup", "kind": "announcement"}).Want(201)
		a.RunJobs() // plans the mails
		m.Hold(3 * mail.MailConnections)
		a.Clock.Advance(2 * time.Minute)
		testutil.Until(t, "the server holds mails", func() bool { return len(m.Received()) == before+mail.MailConnections })
		for i := range 3 * mail.MailConnections {
			a.As(fmt.Sprintf("guest%d", i)).Post("/notifications/read-all", nil).Want(200)
		}
		time.Sleep(2 * mail.MaxFactsAge)
		m.Release()
		a.RunJobs()
		if sent := len(m.Received()) - before; sent != mail.MailConnections {
			t.Errorf("%d mails were sent, want %d", sent, mail.MailConnections)
		}
	})
}

var failedStmt = db.SQL("deliver_test.failed", `SELECT COUNT(*) FROM deliveries WHERE state = 'failed' AND kind = 'event_canceled'`)

// TestMailIsRetried sends a mail that the server refuses for some time.
func TestMailIsRetried(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		tries := 0
		for _, minutes := range []int{2, 1, 5, 30, 120} {
			if tries++; tries == 1 {
				canceledFor(a, "ann")
				m.Refuse(&smtp.SMTPError{Code: 451, Message: "try later, ann@example.org"})
			}
			a.Clock.Advance(time.Duration(minutes)*time.Minute - time.Second)
			a.RunJobs()
			a.Clock.Advance(time.Second)
			if tries == 5 {
				m.Refuse(nil)
			}
			a.RunJobs()
			if got := len(notified(m, "ann")); got != tries/5 {
				t.Errorf("attempt %d: %d mails", tries, got)
			}
		}
		if log := a.Log(); strings.Contains(log, "ann@example.org") {
			t.Error("the log has the address")
		}
		if metrics := a.Metrics(); !strings.Contains(metrics, `moothall_deliveries_total{channel="email",kind="event_canceled",result="`) ||
			!strings.Contains(metrics, `moothall_delivery_oldest_due_seconds{channel="email"} 0`) {
			t.Errorf("metrics: %s", metrics)
		}
	})
}

// TestMailIsGivenUp ends a delivery that the server refuses for good, or for two days.
func TestMailIsGivenUp(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		canceledFor(a, "ann")
		m.Refuse(&smtp.SMTPError{Code: 550, Message: "no such user"})
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs()
		if n := a.Count(failedStmt); n != 1 {
			t.Errorf("%d failed after a permanent refusal", n)
		}
		m.Refuse(nil)
		canceledFor(a, "ben")
		m.Refuse(&smtp.SMTPError{Code: 450, Message: "busy"})
		for range 20 {
			a.Clock.Advance(3 * time.Hour)
			a.RunJobs()
		}
		if n := a.Count(failedStmt); n != 2 {
			t.Errorf("%d failed after two days", n)
		}
		m.Refuse(nil)
		a.Clock.Advance(100 * time.Hour)
		a.RunJobs()
		if got := len(notified(m, "ann")) + len(notified(m, "ben")); got != 0 {
			t.Errorf("%d mails that were given up", got)
		}
	})
}

var mailDiedStmt = db.SQL("deliver_test.died", `UPDATE deliveries SET state = 'sending', ended_at = NULL, lease = user_id, due_at = $1
	WHERE kind = 'event_canceled'`)

// TestMailOfDeadProcessIsRepeated sends a mail again with the same Message-ID if the
// process ended after the server accepted it and before that was recorded.
func TestMailOfDeadProcessIsRepeated(t *testing.T) {
	eachWithServer(t, dbtest.Engines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		canceledFor(a, "ann")
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs()
		a.Exec(mailDiedStmt, a.Clock.Now().Add(2*time.Minute))
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs()
		got := notified(m, "ann")
		if len(got) != 2 || messageID(t, got[0]) != messageID(t, got[1]) {
			t.Errorf("%d mails: %s", len(got), got)
		}
	})
}

// TestInstancesShareDeliveries sends each mail once from two instances.
func TestInstancesShareDeliveries(t *testing.T) {
	eachWithServer(t, dbtest.Engines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		const guests = 60
		org := a.As("org")
		event := org.Publish(nil)
		for i := range guests {
			a.As(fmt.Sprint("guest", i)).Join(event)
		}
		org.Post("/events/"+event+"/cancel", nil).Want(200)
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs()
		for i := range guests {
			if got := notified(m, fmt.Sprint("guest", i)); len(got) != 1 {
				t.Errorf("guest %d: %d mails", i, len(got))
			}
		}
	}, apptest.Instances(2))
}

// TestDigest collects the joins of a day.
func TestDigest(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		org.Patch(preferencesPath, apptest.Fields{"timezone": "Europe/Berlin",
			"digest": apptest.Fields{"hour": 18, "weekdays": []int{1, 2}}}).Want(200)
		event := org.Publish(apptest.Fields{"title": "Chess"})
		for _, name := range []string{"ann", "ben", "cora"} { // Monday, 14:00
			a.As(name).Join(event)
		}
		a.Clock.Advance(4*time.Hour - time.Second)
		if got := mailsTo(t, a, "org"); len(got) != 0 {
			t.Fatalf("before the digest: %s", subjects(got))
		}
		a.As("ben").Block(org)
		a.Clock.Advance(time.Second)
		got := mailsTo(t, a, "org")
		if subjects(got) != "Somebody is coming to “Chess”, and 1 more" ||
			strings.Count(got[0].Text, "is coming to Chess") != 2 || strings.Contains(got[0].Text, "ben") {
			t.Fatalf("the digest: %s %v", subjects(got), got)
		}
		if h := headersOf(t, got[0]); h.Get("List-Id") != "<digest.moothall.test>" || h.Get("References") != "" {
			t.Errorf("headers: %v", h)
		}
		dora := a.As("dora")
		dora.Join(event)
		a.Clock.Advance(3 * time.Minute)
		a.RunJobs()
		org.Post("/notifications/read-all", nil).Want(200)
		a.Clock.Advance(72 * time.Hour)
		if got := mailsTo(t, a, "org"); len(got) != 1 {
			t.Errorf("an empty digest was sent: %s", subjects(got))
		}
	}, delivers...)
}

// TestLongDigestCountsTheRest sends a digest that has more items than it shows. Two items were deleted before.
func TestLongDigestCountsTheRest(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Publish(nil)
		ann.Join(event)
		comments := "/events/" + event + "/posts/" + org.Post("/events/"+event+"/posts", apptest.Fields{"body": "News"}).Want(201).Text("id") +
			"/comments"
		org.Post("/notifications/read-all", nil).Want(200)
		for i := range 104 {
			a.Clock.Advance(time.Millisecond)
			comment := ann.Post(comments, apptest.Fields{"body": fmt.Sprint("number ", i)}).Want(201).Text("id")
			if i%50 == 0 && i > 0 {
				ann.Delete(comments + "/" + comment).Want(204)
			}
		}
		a.Clock.Advance(3 * time.Minute)
		a.RunJobs()
		a.Clock.Advance(24 * time.Hour)
		got := mailsTo(t, a, "org")
		if !strings.HasSuffix(subjects(got), ", and 101 more") ||
			strings.Count(got[0].Text, "number ") != 50 || !strings.Contains(got[0].Text, "52 more") {
			t.Errorf("%s %v", subjects(got), got)
		}
	}, delivers...)
}

// TestFailedDigestIsRetriedWhole retries a digest that the mail server has refused: it has all its items.
func TestFailedDigestIsRetriedWhole(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		event := a.As("org").Publish(apptest.Fields{"title": "Chess", "starts_at": a.Clock.Now().Add(96 * time.Hour)})
		a.As("ann").Join(event)
		a.As("ben").Join(event)
		a.Clock.Advance(3 * time.Minute)
		a.RunJobs()
		m.Refuse(&smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 6, 0}, Message: "no"})
		a.Clock.Advance(24 * time.Hour)
		a.RunJobs()
		m.Refuse(nil)
		a.Clock.Advance(time.Minute)
		if n, err := mail.Retry(t.Context(), a.DB, a.Clock.Now(), ""); n != 1 || err != nil {
			t.Errorf("%d deliveries are due again, %v", n, err)
		}
		a.RunJobs()
		if got := notified(m, "org"); len(got) != 1 || strings.Count(got[0], "is coming to Chess") < 2 {
			t.Errorf("%d mails: %v", len(got), got)
		}
	})
}

// TestQuietHoursDelayMail moves a mail to the end of the quiet hours, unless it is about
// an event that begins soon and was canceled.
func TestQuietHoursDelayMail(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		ann.Patch(preferencesPath, apptest.Fields{"timezone": "Europe/Berlin", "quiet_hours": apptest.Fields{"from": "13:30",
			"to": "15:00"}}).Want(200)
		soon := org.Publish(apptest.Fields{"title": "Soon", "starts_at": apptest.Today.Add(11 * time.Hour)})
		later := org.Publish(apptest.Fields{"title": "Later", "starts_at": apptest.Today.Add(13 * time.Hour)})
		for _, event := range []string{soon, later} {
			ann.Join(event)
			org.Post("/events/"+event+"/cancel", nil).Want(200)
		}
		a.Clock.Advance(2 * time.Minute)
		if got := mailsTo(t, a, "ann"); subjects(got) != "Canceled: “Soon”" {
			t.Errorf("in the quiet hours: %s", subjects(got))
		}
		a.Clock.Advance(58*time.Minute - time.Second)
		a.RunJobs()
		a.Clock.Advance(time.Second)
		if got := mailsTo(t, a, "ann"); subjects(got) != "Canceled: “Later”; Canceled: “Soon”" {
			t.Errorf("after the quiet hours: %s", subjects(got))
		}
	}, delivers...)
}

var instantRulesStmt = db.SQL("deliver_test.instant_rules", `
	INSERT INTO notification_rules (user_id, kind, channel, mode) SELECT id, 'followed_user_event', 'email', 'instant' FROM users`)

// TestManyMailsAreSent sends the mails of an announcement. LONG_TESTS measures the speed for a
// broadcast, whose recipients get their rows first.
func TestManyMailsAreSent(t *testing.T) {
	fans := testutil.Rounds(30, 5000)
	eachWithServer(t, dbtest.Engines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org := a.As("org")
		addFollowers(t, a, org.ID(), fans)
		a.Exec(instantRulesStmt)
		org.Publish(nil)
		a.RunJobs()
		before := len(m.Received())
		a.Clock.Advance(2 * time.Minute)
		began := time.Now()
		a.RunJobs()
		took := time.Since(began)
		if got := len(m.Received()) - before; got != fans {
			t.Errorf("%d mails, want %d", got, fans)
		}
		t.Logf("%d mails in %v: %.0f a second", fans, took, float64(fans)/took.Seconds())
	})
}
