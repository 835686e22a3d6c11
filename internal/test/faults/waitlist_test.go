package faults

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/eventtest"
	"moothall/internal/test/testutil"
)

// TestWaitlistSurvivesKills kills the service while guests leave full events, wait, join and give up. No event is ever oversold, the seats
// that are held equal the holds, and each guest who gets seats is notified once. After each start, nobody waits beside seats that fit.
// On PostgreSQL there are three instances, of which one or all are killed.
func TestWaitlistSurvivesKills(t *testing.T) {
	testutil.OnlyLong(t)
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		killWhileSeatsChange(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"), 1)
	})
	t.Run("postgresql", func(t *testing.T) {
		t.Parallel()
		killWhileSeatsChange(t, dbtest.URL(t, db.PostgreSQL), 3)
	})
}

// The guests of an event in the order of their numbers: those who go and leave, those who wait, and those who wait and give up.
const (
	leavers, waiters, quitters = 8, 16, 4
	seatGuests                 = leavers + waiters + quitters
)

func killWhileSeatsChange(t *testing.T, database string, instances int) {
	mails := apptest.NewMailServer(t, nil)
	w := &seatWorld{t: t, client: newClient(t)}
	for range instances {
		s := newService(t, database, map[string]string{"SMTP_URL": "smtp://" + mails.Address, "MAIL_FROM": "no-reply@example.org",
			"MAIL_PER_MINUTE": "0", "ACCESS_TOKEN_TTL": "24h"})
		s.start()
		w.instances = append(w.instances, s)
	}
	people := w.client.signIn(t, w.instances[0].url(), 1+seatGuests)
	w.org, w.guests = people[0], people[1:]
	var slowest time.Duration
	kills := 0
	const rounds, killsEach = 20, 3
	for round := range rounds {
		events := []string{w.publish("automatic"), w.publish("offer")}
		stop := w.start(events)
		for range killsEach {
			// A random moment, because no event marks it: a kill may hit any statement of any transaction.
			time.Sleep(rand.N(250 * time.Millisecond))
			w.kill(round%2 == 0)
			kills++
		}
		began := time.Now()
		w.awaitFairness(events)
		slowest = max(slowest, time.Since(began))
		stop()
	}
	for _, s := range w.instances {
		s.kill()
	}
	notified := w.check(database)
	testutil.Fault(t, "kill -9 while seats are given", "%d kills, %d requests without a response: %d guests were notified of seats, "+
		"each once; at most %v after the last kill nobody waited beside seats", kills, w.broken.Load(), notified, slowest.Round(time.Millisecond))
	if int(w.broken.Load()) < kills/2 {
		t.Error("the service was not busy when it was killed")
	}
}

// seatWorld is a service whose guests compete for seats.
type seatWorld struct {
	t         *testing.T
	client    *client
	instances []*service
	org       person
	guests    []person
	broken    atomic.Int64 // requests without a response
}

// publish publishes an event that the leavers fill.
func (w *seatWorld) publish(mode string) (event string) {
	url := w.instances[0].url()
	event = w.client.mustCall(w.t, http.MethodPost, url+"/events", w.org.token, fmt.Sprintf(`{"title":"Chess","capacity":%d,
		"starts_at":"2099-01-01T10:00:00Z","max_party_size":3,"waitlist":%q}`, leavers, mode)).text("event.id")
	w.client.mustCall(w.t, http.MethodPost, url+"/events/"+event+"/publish", w.org.token, "")
	for _, guest := range w.guests[:leavers] {
		w.client.mustCall(w.t, http.MethodPost, url+"/events/"+event+"/join", guest.token, "")
	}
	return event
}

// kill kills all instances or a random one, and starts them again.
func (w *seatWorld) kill(all bool) {
	killed := w.instances
	if !all {
		killed = w.instances[rand.IntN(len(w.instances)):][:1]
	}
	for _, s := range killed {
		s.signal(syscall.SIGKILL)
	}
	for _, s := range killed {
		s.kill()
		s.start()
	}
}

// start lets all guests of the events act. stop waits until they have done so, and ends the guests who hope for an offer.
func (w *seatWorld) start(events []string) (stop func()) {
	var acting, hoping sync.WaitGroup
	var stopped atomic.Bool
	for _, event := range events {
		for i, guest := range w.guests {
			path := "/events/" + event
			switch {
			case i < leavers:
				acting.Go(func() { w.until(guest, http.MethodDelete, path+"/join", "", http.StatusOK) })
			case i < leavers+waiters:
				acting.Go(func() { w.wait(guest, path, 1+i%3) })
				if i%2 == 0 {
					hoping.Go(func() { w.accept(guest, path, 1+i%3, &stopped) })
				}
			default:
				acting.Go(func() {
					w.wait(guest, path, 1)
					w.until(guest, http.MethodDelete, path+"/waitlist", "", http.StatusNoContent, http.StatusNotFound)
				})
			}
		}
	}
	stop = func() {
		acting.Wait()
		stopped.Store(true)
		hoping.Wait()
	}
	w.t.Cleanup(stop) // if the test fails first
	return stop
}

// wait lets a guest enter the list, or join if there are seats.
func (w *seatWorld) wait(guest person, path string, party int) {
	body := fmt.Sprintf(`{"party_size":%d}`, party)
	for {
		if w.until(guest, http.MethodPost, path+"/waitlist", body, http.StatusCreated, http.StatusForbidden) == http.StatusCreated {
			return
		}
		if w.until(guest, http.MethodPost, path+"/join", body, http.StatusOK, http.StatusForbidden) == http.StatusOK {
			return
		}
	}
}

// accept lets a guest accept an offer as soon as there is one. It polls: events over a socket end with the killed service.
func (w *seatWorld) accept(guest person, path string, party int, stopped *atomic.Bool) {
	for !stopped.Load() {
		a, err := w.call(guest, http.MethodGet, path+"/waitlist", "")
		if err == nil && a.text("status") == "offered" {
			w.until(guest, http.MethodPost, path+"/join", fmt.Sprintf(`{"party_size":%d}`, party), http.StatusOK)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// until repeats a request until the response has one of the statuses, and returns it.
func (w *seatWorld) until(guest person, method, path, body string, statuses ...int) int {
	for began := time.Now(); time.Since(began) < patience; time.Sleep(10 * time.Millisecond) {
		a, err := w.call(guest, method, path, body)
		switch {
		case err == nil && slices.Contains(statuses, a.status):
			return a.status
		case err == nil && a.status < http.StatusInternalServerError:
			w.t.Errorf("%s %s: %d %s", method, path, a.status, a.body)
			return statuses[0]
		}
	}
	w.t.Errorf("%s %s: no response in %v", method, path, patience)
	return statuses[0]
}

func (w *seatWorld) call(p person, method, path, body string) (answer, error) {
	a, err := w.client.call(method, w.instances[rand.IntN(len(w.instances))].url()+path, p.token, body)
	if err != nil && !refused(err) {
		w.broken.Add(1)
	}
	return a, err
}

// awaitFairness polls until nobody waits beside seats that fit, and seats that fit nobody are free to all: no event announces it.
func (w *seatWorld) awaitFairness(events []string) {
	w.t.Helper()
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		beside := 0
		for _, event := range events {
			beside += w.besideSeats("/events/" + event)
		}
		if beside == 0 {
			return
		}
		if time.Since(began) > patience {
			w.t.Fatalf("%d parties wait beside seats that fit, or seats are kept for nobody", beside)
		}
	}
}

// besideSeats counts the parties that wait although they fit into the seats that nobody has or holds, and the seats that are kept.
func (w *seatWorld) besideSeats(path string) (n int) {
	url := w.instances[0].url() + path
	var list struct {
		Items []struct {
			Entry struct {
				Status string
				Party  int `json:"party_size"`
			}
		}
	}
	var shown struct {
		Participants int `json:"participant_count"`
		Free         int `json:"seats_left"`
	}
	for body, into := range map[string]any{"": &shown, "/waitlist/entries?limit=100": &list} {
		must(w.t, json.Unmarshal(w.client.mustCall(w.t, http.MethodGet, url+body, w.org.token, "").body, into))
	}
	free := leavers - shown.Participants
	for _, e := range list.Items {
		if e.Entry.Status == "offered" {
			free -= e.Entry.Party
		}
	}
	for _, e := range list.Items {
		if e.Entry.Status == "waiting" && e.Entry.Party <= free {
			n++
		}
	}
	return n + free - shown.Free
}

// notifiedStmt reads of each entry how often its user was notified of seats: by deliveries, and by notifications that are not yet planned.
// A promotion in an event without offers is the only way to join from the list.
var notifiedStmt = db.SQL("faulttest.notified_of_seats", `
	SELECT w.status, (SELECT COUNT(*) FROM (
			SELECT d.user_id, d.notification_id, d.about_at FROM deliveries d WHERE d.channel = 'email'
			UNION SELECT o.user_id, o.notification_id, o.about_at FROM notification_outbox o WHERE o.user_id IS NOT NULL) AS t
		JOIN notifications n ON n.user_id = t.user_id AND n.id = t.notification_id
		WHERE t.user_id = w.user_id AND n.event_id = w.event_id AND n.kind IN ('waitlist_offer', 'waitlist_joined'))
	FROM waitlist_entries w`)

// check looks into the database of the stopped service, and returns how many guests were notified of seats.
func (w *seatWorld) check(database string) (notified int) {
	w.t.Helper()
	d, err := db.Open(w.t.Context(), database, db.Options{})
	must(w.t, err)
	defer func() { _ = d.Close() }() // it only read
	for _, check := range []func() (string, error){
		func() (string, error) { return eventtest.WrongSeats(w.t.Context(), d) },
		func() (string, error) { return eventtest.WrongLists(w.t.Context(), d) },
	} {
		wrong, err := check()
		must(w.t, err)
		if wrong != "" {
			w.t.Error(wrong)
		}
	}
	var status string
	var times int
	must(w.t, d.Read(w.t.Context(), func(q db.Querier) error {
		return each(w.t, q, notifiedStmt, func() {
			notified += times
			want := map[string]int{"joined": 1, "offered": 1, "waiting": 0, "left": min(times, 1)}[status]
			if times != want {
				w.t.Errorf("an entry %s was notified %d times", status, times)
			}
		}, &status, &times)
	}))
	return notified
}
