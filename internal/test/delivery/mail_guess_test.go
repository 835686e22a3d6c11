package delivery_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// TestGuessedTokensFindNothing guesses tokens of invitation links and e-mail invitations, and codes of a sign-in, from many addresses:
// 100,000 times in the long form. From one address, a budget ends the guesses.
func TestGuessedTokensFindNothing(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org := a.As("org")
		event := published(a, org, apptest.Fields{"title": "Tea", "visibility": "private"})
		_, link, _ := strings.Cut(org.Post("/events/"+event+"/invite-links", nil).Want(201).Text("url"), "/i/")
		answer := strings.TrimPrefix(invited(t, a, m, org, event, "new@example.org")[0], "/i/mail/")
		a.Anonymous().Post("/auth/email/start", apptest.Fields{"email": "org@example.org"}).Want(200)
		anonymous := a.Anonymous()
		for _, real := range []string{"/invite-links/" + link, "/i/" + link, "/i/mail/" + answer} {
			anonymous.Get(real).Want(200)
		}
		random := rand.New(rand.NewPCG(29, 4))
		guesses := []func(c *apptest.Client) *apptest.Reply{
			func(c *apptest.Client) *apptest.Reply { return c.Get("/invite-links/" + almost(random, link)) },
			func(c *apptest.Client) *apptest.Reply { return c.Get("/i/" + almost(random, link)) },
			func(c *apptest.Client) *apptest.Reply { return c.Get("/i/mail/" + almost(random, answer)) },
			func(c *apptest.Client) *apptest.Reply {
				return c.Form("/i/mail/"+almost(random, answer), url.Values{"answer": {"accepted"}})
			},
			func(c *apptest.Client) *apptest.Reply {
				return c.Form("/i/mail/"+almost(random, answer)+"/never", url.Values{})
			},
			func(c *apptest.Client) *apptest.Reply {
				return c.Post("/auth/email/verify", apptest.Fields{"email": "org@example.org", "code": fmt.Sprintf("%06d", random.IntN(1e6))})
			},
		}
		for i := range testutil.Rounds(600, 100_000) {
			c := anonymous.Header("X-Forwarded-For", fmt.Sprintf("198.%d.%d.%d", 18+i/62500, i/250%250, i%250))
			if got := guesses[i%len(guesses)](c); got.Status != http.StatusNotFound && got.Status != http.StatusUnauthorized {
				t.Fatalf("guess %d: %d %s", i, got.Status, got.Body)
			}
		}
		if got := statuses(org, event)["new@example.org"]; got != "pending" {
			t.Errorf("a guess has answered: %s", got)
		}
		for i, guess := range guesses[:5] {
			c, n := anonymous.Header("X-Forwarded-For", fmt.Sprint("203.0.113.", i)), 0
			for n <= 240 && guess(c).Status != http.StatusTooManyRequests {
				n++
			}
			if n != 240 {
				t.Errorf("of kind %d, one address has %d guesses", i, n)
			}
		}
	}, apptest.Setting("RATE_LIMITS", "on"), apptest.Setting("TRUSTED_PROXIES", "127.0.0.0/8"))
}

// almost returns another token than the given one: with one changed bit, of another id, or of random bytes.
func almost(random *rand.Rand, token string) string {
	for guess := token; ; guess = changed(random, token) {
		if guess != token {
			return guess
		}
	}
}

func changed(random *rand.Rand, token string) string {
	raw, _ := base64.RawURLEncoding.DecodeString(token)
	for i := range raw {
		switch random.IntN(3) {
		case 0:
			raw[random.IntN(len(raw))] ^= 1 << random.IntN(8)
			return base64.RawURLEncoding.EncodeToString(raw)
		case 1:
			raw[i] = byte(random.IntN(256))
		default:
			raw[len(raw)-1-i] = byte(random.IntN(256))
		}
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}
