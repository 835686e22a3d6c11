package payment_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"moothall/internal/apptest"
	"moothall/internal/payment"
	"moothall/internal/platform/db"
)

type fields = map[string]any

var today = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// The keys that the service of these tests accepts, and one that it does not.
const (
	oldSecret   = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
	newSecret   = "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoyMzQ1Njc="
	otherSecret = "whsec_enp6enp6enp6enp6enp6enp6enp6enp6enp6enp6eno="
)

// enabled runs a test with payments enabled.
func enabled(options ...apptest.Option) []apptest.Option {
	return append(options, apptest.StartAt(today), apptest.Setting("ACCESS_TOKEN_TTL", "24h"),
		apptest.Setting("PAYMENTS_ENABLED", "true"), apptest.Setting("PAYMENT_WEBHOOK_SECRETS", oldSecret+", "+newSecret))
}

// everywhere runs a race on SQLite, and with three instances on one PostgreSQL.
func everywhere(t *testing.T, race func(t *testing.T, a *apptest.App, instances int)) {
	for name, where := range map[string]struct {
		engine    db.Engine
		instances int
	}{"sqlite": {db.SQLite, 1}, "three instances": {db.PostgreSQL, 3}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			race(t, apptest.New(t, where.engine, enabled(apptest.Instances(where.instances))...), where.instances)
		})
	}
}

// crowd is how many callers there are in a race.
const crowd = 50

// together calls act for everybody at the same moment.
func together(act func(i int)) {
	var ready, done sync.WaitGroup
	ready.Add(crowd)
	for i := range crowd {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			act(i)
		})
	}
	done.Wait()
}

// seller is somebody who may take money.
func seller(a *apptest.App, name string) *apptest.Client {
	org := a.As(name)
	org.Patch("/me/payment-profile", fields{"status": "verified"}).Want(200)
	return org
}

// concert makes a paid event that begins in four days.
func concert(org *apptest.Client, changes fields) string {
	body := fields{"title": "A concert", "starts_at": "2026-06-05T18:00:00Z", "price": "paid", "price_amount": 150000, "price_currency": "RUB"}
	maps.Copy(body, changes)
	return org.Post("/events", body).Want(201).Text("event.id")
}

// onSale makes a published one.
func onSale(org *apptest.Client, changes fields) string {
	id := concert(org, changes)
	org.Post("/events/"+id+"/publish", nil).Want(200)
	return id
}

func begin(c *apptest.Client, event string) *apptest.Reply {
	return c.Post("/events/"+event+"/payment-intents", nil)
}

// notice is a delivery of the development provider.
type notice struct {
	ID    string `json:"id"`
	Type  string `json:"type"`
	About string `json:"provider_payment_id"`
	Data  fields `json:"data,omitempty"`
}

// signature gives the headers of a delivery.
func signature(t *testing.T, secret, id string, body []byte, now time.Time) http.Header {
	t.Helper()
	key, err := payment.ParseSecret(secret)
	if err != nil {
		t.Fatal(err)
	}
	h, err := key.Sign(id, body, now)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// as gives the client that sends a body signed as id with a secret now.
func as(t *testing.T, c *apptest.Client, secret, id string, body []byte, now time.Time) *apptest.Client {
	t.Helper()
	h := signature(t, secret, id, body, now)
	for name := range h {
		c = c.With(name, h.Get(name))
	}
	return c
}

const hook = "/payments/webhooks/development"

var notices struct {
	sync.Mutex
	n int
}

// send sends a notice as the provider does; one without an id gets a new one.
func send(t *testing.T, a *apptest.App, c *apptest.Client, n notice) *apptest.Reply {
	t.Helper()
	if n.ID == "" {
		notices.Lock()
		notices.n++
		n.ID = "evt_" + strconv.Itoa(notices.n)
		notices.Unlock()
	}
	body, err := json.Marshal(n)
	if err != nil {
		t.Fatal(err)
	}
	return as(t, c, newSecret, n.ID, body, a.Clock.Now()).Post(hook, body)
}

// tell sends a notice about a payment or an account that has to be taken.
func tell(t *testing.T, a *apptest.App, kind, about string) *apptest.Reply {
	t.Helper()
	return send(t, a, a.Anonymous(), notice{Type: kind, About: about}).Want(200)
}

// told counts the notifications of a kind that somebody has.
func told(t *testing.T, a *apptest.App, c *apptest.Client, kind string) (n int64) {
	t.Helper()
	if err := a.DB.One(t.Context(), toldStmt, kind, userID(t, c)).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
