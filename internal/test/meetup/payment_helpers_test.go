package meetup_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/payment"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// Two secrets that the service accepts, and one that it refuses.
const (
	oldSecret   = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
	newSecret   = "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoyMzQ1Njc="
	otherSecret = "whsec_enp6enp6enp6enp6enp6enp6enp6enp6enp6enp6eno="
)

// enabled returns options that enable payments.
func enabled(options ...apptest.Option) []apptest.Option {
	return append(options, apptest.StartAt(apptest.Today), apptest.Setting("ACCESS_TOKEN_TTL", "24h"),
		apptest.Setting("PAYMENTS_ENABLED", "true"), apptest.Setting("PAYMENT_WEBHOOK_SECRETS", oldSecret+", "+newSecret))
}

// concurrent runs a test of concurrent requests with payments enabled.
func concurrent(t *testing.T, test func(t *testing.T, a *apptest.App)) {
	t.Helper()
	apptest.EachConcurrent(t, test, enabled()...)
}

// seller returns a verified organizer.
func seller(a *apptest.App, name string) *apptest.Client {
	org := a.As(name)
	org.Patch("/me/payment-profile", apptest.Fields{"status": "verified"}).Want(200)
	return org
}

// concert creates a paid event that starts in four days.
func concert(org *apptest.Client, changes apptest.Fields) string {
	body := apptest.Fields{"title": "A concert", "starts_at": "2026-06-05T18:00:00Z", "price": "paid", "price_amount": 150000,
		"price_currency": "RUB"}
	maps.Copy(body, changes)
	return org.Post("/events", body).Want(201).Text("event.id")
}

// onSale creates a published concert.
func onSale(org *apptest.Client, changes apptest.Fields) string {
	id := concert(org, changes)
	org.Post("/events/"+id+"/publish", nil).Want(200)
	return id
}

func begin(c *apptest.Client, event string) *apptest.Reply {
	return c.Post("/events/"+event+"/payment-intents", nil)
}

// notice is the body of a delivery.
type notice struct {
	ID    string         `json:"id"`
	Type  string         `json:"type"`
	About string         `json:"provider_payment_id"`
	Data  apptest.Fields `json:"data,omitempty"`
}

// signature returns the headers of a delivery.
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

// as returns a client whose requests have the signature of a delivery.
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

// paymentSend sends a signed notice. A notice without an id gets a new id.
func paymentSend(t *testing.T, a *apptest.App, c *apptest.Client, n notice) *apptest.Reply {
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

// notify sends a notice that must be accepted.
func notify(t *testing.T, a *apptest.App, kind, about string) *apptest.Reply {
	t.Helper()
	return paymentSend(t, a, a.Anonymous(), notice{Type: kind, About: about}).Want(200)
}

// notified returns how many notifications of a kind a user has.
func notified(a *apptest.App, c *apptest.Client, kind string) int {
	return a.Count(notifiedStmt, kind, c.ID())
}

func eventID(t *testing.T, text string) domain.EventID {
	t.Helper()
	id, err := domain.ParseID[domain.EventKind](text)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

var (
	notifiedStmt       = db.SQL("payment.test_notified", `SELECT COUNT(*) FROM notifications WHERE kind = $1 AND user_id = $2`)
	intentsStmt        = db.SQL("payment.test_intents", `SELECT COUNT(*) FROM payment_intents WHERE event_id = $1`)
	paymentNoticesStmt = db.SQL("payment.test_notices", `SELECT COUNT(*) FROM payment_notices`)
	keysStmt           = db.SQL("payment.test_keys", `SELECT COUNT(*) FROM payment_keys`)
	inFlightStmt       = db.SQL("payment.test_in_flight", `UPDATE payment_keys SET intent_id = NULL WHERE key = $1`)
	payersStmt         = db.SQL("payment.test_payers", `SELECT COUNT(*), COUNT(user_id), CAST(COALESCE(SUM(amount), 0) AS BIGINT)
		FROM payment_intents`)
	profilesStmt = db.SQL("payment.test_profiles", `SELECT COUNT(*) FROM payment_profiles`)
)
