package faults

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// TestDeliveriesSurviveKills kills the service while it sends mails and messages of a
// webhook: those of each acknowledged change arrive. Those that arrive twice have the same
// id. On PostgreSQL, two instances are killed at the same time in the long form.
func TestDeliveriesSurviveKills(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		killWhileMailing(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"), 1)
	})
	t.Run("postgresql", func(t *testing.T) {
		t.Parallel()
		killWhileMailing(t, dbtest.URL(t, db.PostgreSQL), testutil.Rounds(1, 2))
	})
}

// mailingGuests is how many guests each canceled event has.
const mailingGuests = 6

func killWhileMailing(t *testing.T, database string, instances int) {
	server, hooked := apptest.NewMailServer(t, nil), newHookServer(t)
	var all []*service
	for range instances {
		s := newService(t, database, map[string]string{
			"SMTP_URL": "smtp://" + server.Address, "MAIL_FROM": "no-reply@example.org", "MAIL_GRACE": "0s", "MAIL_PER_MINUTE": "0",
			"WEBHOOKS_ALLOW_LOOPBACK": "true", "ACCESS_TOKEN_TTL": "24h",
		})
		s.start()
		all = append(all, s)
	}
	c := newClient(t)
	people := c.signIn(t, all[0].url(), 1+mailingGuests)
	w := &mailing{t: t, s: all[0], client: c, org: people[0], guests: people[1:]}
	hooked.subscribe(c, all[0].url(), w.org.token)
	kills := testutil.Rounds(2, 200)
	for range kills {
		events, mails, messages := w.count(), len(server.Received()), hooked.count()
		stop := w.start()
		for began := time.Now(); (w.count() == events || len(server.Received()) < mails+mailingGuests || hooked.count() == messages) &&
			time.Since(began) < patience; {
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(rand.N(50 * time.Millisecond)) // at a random moment
		for _, s := range all {
			s.signal(syscall.SIGKILL)
		}
		for _, s := range all {
			s.kill()
		}
		stop()
		endLeases(t, database)
		for _, s := range all {
			s.start()
		}
	}
	if !w.compare(server, kills) {
		reportUnsent(t, database)
	}
	hooked.compare(w.canceled, kills)
	for _, s := range all {
		s.kill()
	}
	if len(w.canceled) < kills {
		t.Error("the service was not busy when it was killed")
	}
}

// endLeases ends the leases of killed processes, for which others wait a minute or two.
func endLeases(t *testing.T, database string) {
	t.Helper()
	d, err := db.Open(t.Context(), database, db.Options{})
	must(t, err)
	for _, stmt := range endLeasesStmts {
		_, err = d.Exec(t.Context(), stmt)
		must(t, err)
	}
	must(t, d.Close())
}

var endLeasesStmts = []*db.Stmt{
	db.SQL("faulttest.end_leases", `UPDATE deliveries SET due_at = 0 WHERE state = 'sending'`),
	db.SQL("faulttest.end_leases_of_calendar_messages", `UPDATE calendar_mails SET lease_ends = 0 WHERE lease_ends IS NOT NULL`),
	db.SQL("faulttest.end_leases_of_webhooks", `UPDATE webhooks SET leased_until = 0`),
}

// mailing cancels events with guests, and remembers those that were canceled.
type mailing struct {
	t      *testing.T
	s      *service
	client *client
	org    person
	guests []person

	mu       sync.Mutex
	canceled []string
}

// start cancels one event after another until the service is down.
func (w *mailing) start() (stop func()) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for w.cancelOne() == nil {
		}
	}()
	return func() { <-ended }
}

// count returns the number of canceled events.
func (w *mailing) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.canceled)
}

func (w *mailing) cancelOne() error {
	created, err := w.call(w.org, "POST", "/events", `{"title":"Chess","starts_at":"2099-01-01T10:00:00Z"}`, 201)
	if err != nil {
		return err
	}
	event := created.text("event.id")
	if _, err := w.call(w.org, "POST", "/events/"+event+"/publish", "", 200); err != nil {
		return err
	}
	for _, guest := range w.guests {
		if _, err := w.call(guest, "POST", "/events/"+event+"/join", "", 200); err != nil {
			return err
		}
	}
	if _, err := w.call(w.org, "POST", "/events/"+event+"/cancel", "", 200); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.canceled = append(w.canceled, event)
	return nil
}

func (w *mailing) call(p person, method, path, body string, want int) (answer, error) {
	a, err := w.client.call(method, w.s.url()+path, p.token, body)
	if err == nil && a.status != want {
		err = fmt.Errorf("%s %s: %d", method, path, a.status)
	}
	return a, err
}

var (
	eventLink = regexp.MustCompile(`References: <([0-9a-f-]{36})@`)
	messageID = regexp.MustCompile(`Message-ID: (\S+)`)
	canceled  = regexp.MustCompile(`List-Id: <event-canceled\.`)
)

// reportUnsent says what became of the deliveries that were not sent.
func reportUnsent(t *testing.T, database string) {
	t.Helper()
	d, err := db.Open(t.Context(), database, db.Options{})
	must(t, err)
	defer d.Close()
	all, err := db.All(t.Context(), d, func(r db.Row, s *string) error { return r.Scan(s) }, unsentStmt)
	must(t, err)
	t.Logf("the deliveries that were not sent: %q", all)
}

var unsentStmt = db.SQL("faulttest.unsent", `
	SELECT kind || ' ' || state || ' ' || COALESCE(reason, '') || ' ' || attempts FROM deliveries WHERE state <> 'sent' ORDER BY 1`)

// compare waits for the mails of all canceled events, and reports whether they all came.
func (w *mailing) compare(server *apptest.MailServer, kills int) bool {
	var missing, twice, changed int
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		ids := map[string][]string{} // the ids of the mails by event and recipient
		for _, m := range server.Received() {
			if canceled.MatchString(m.Text) {
				key := eventLink.FindStringSubmatch(m.Text)[1] + " " + m.To
				ids[key] = append(ids[key], messageID.FindStringSubmatch(m.Text)[1])
			}
		}
		arrived := map[string]int{}
		missing, twice, changed = 0, 0, 0
		for key, list := range ids {
			arrived[key[:36]]++
			twice += len(list) - 1
			for _, id := range list {
				if id != list[0] {
					changed++
				}
			}
		}
		for _, event := range w.canceled {
			missing += len(w.guests) - arrived[event]
		}
		if missing == 0 || time.Since(began) > patience {
			break
		}
	}
	testutil.Fault(w.t, "kill -9 while mails are sent", "%d kills: %d mails, %d missing, %d twice", kills, len(w.canceled)*len(w.guests),
		missing, twice)
	if missing > 0 || changed > 0 || twice > 4*kills {
		w.t.Errorf("%d mails are missing, %d came twice, %d of them with another Message-ID", missing, twice, changed)
	}
	return missing == 0
}
