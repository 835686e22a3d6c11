package ops_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall/internal/delivery/mail"
	"moothall/internal/domain"
	"moothall/internal/ops/app"
	"moothall/internal/platform/db"
	"moothall/internal/platform/seal"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

const newKey = "the next key that only tests ever use, 9517"

// TestNewSecretKeyInvalidatesNothing replaces SECRET_KEY while users have calendar addresses, webhooks and push keys. They
// stay the same while SECRET_KEY_PREVIOUS is set, and after it is removed. The earlier key alone then opens nothing.
func TestNewSecretKeyInvalidatesNothing(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.RuleEngines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			url, start := dbtest.URL(t, engine), time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
			run := func(after time.Duration, settings ...string) *apptest.App {
				t.Helper()
				options := []apptest.Option{apptest.Setting("DATABASE_URL", url), apptest.StartAt(start.Add(after))}
				for i := 0; i < len(settings); i += 2 {
					options = append(options, apptest.Setting(settings[i], settings[i+1]))
				}
				return apptest.New(t, engine, options...)
			}
			before := run(0)
			have := secretsOf(before.As("ann"), "ann")
			before.Stop(0)

			meanwhile := run(0, "SECRET_KEY", newKey, "SECRET_KEY_PREVIOUS", apptest.SecretKey)
			have.expect(t, meanwhile, "before they are renewed", seal.Keys{Current: []byte(newKey), Previous: []byte(apptest.SecretKey)})
			during := secretsOf(meanwhile.As("bob"), "bob")
			for range 2 {
				meanwhile.Clock.Advance(5 * time.Minute)
				meanwhile.RunJobs()
			}
			if !strings.Contains(meanwhile.Log(), "nothing is sealed with SECRET_KEY_PREVIOUS: remove it") {
				t.Error("the log does not say that SECRET_KEY_PREVIOUS can be removed")
			}
			meanwhile.Stop(0)

			after := run(2*time.Hour, "SECRET_KEY", newKey)
			have.expect(t, after, "without the predecessor", seal.Keys{Current: []byte(newKey)})
			during.expect(t, after, "created meanwhile", seal.Keys{Current: []byte(newKey)})
			after.Stop(0)

			settings := load(t, map[string]string{"DATABASE_URL": url, "SECRET_KEY": apptest.SecretKey, "MEDIA": t.TempDir()})
			if _, err := app.New(t.Context(), settings, nil, slog.New(slog.DiscardHandler)); !errors.Is(err, seal.ErrWrongKey) {
				t.Errorf("with the earlier key: %v", err)
			}
		})
	}
}

// issued is what a user has got from the service.
type issued struct{ name, feed, pushKey, webhook, secret string }

func secretsOf(c *apptest.Client, name string) issued {
	webhook := c.Post("/me/webhooks", apptest.Fields{"url": "https://hooks.example.com/" + name,
		"kinds": []string{"event.updated"}}).Want(http.StatusCreated)
	return issued{
		name: name, feed: c.Post("/calendar/feed", nil).Want(http.StatusCreated).Text("url"),
		pushKey: c.Get("/push/key").Want(http.StatusOK).Text("public_key"),
		webhook: webhook.Text("id"), secret: webhook.Text("secret"),
	}
}

var webhookSeedStmt = db.SQL("app_test.webhook_seed", `SELECT seed FROM webhooks WHERE id = $1`)

// expect checks that everything is as it was issued.
func (i issued) expect(t *testing.T, a *apptest.App, when string, keys seal.Keys) {
	t.Helper()
	c := a.As(i.name)
	if got := c.Get("/calendar/feed").Want(http.StatusOK).Text("url"); got != i.feed {
		t.Errorf("%s: %s: the calendar address is %s, not %s", when, i.name, got, i.feed)
	}
	a.Anonymous().Get(strings.TrimPrefix(i.feed, apptest.BaseURL)).Want(http.StatusOK)
	wrong := []byte(strings.TrimPrefix(i.feed, apptest.BaseURL))
	wrong[len(wrong)-10] ^= 1
	a.Anonymous().Get(string(wrong)).WantError(http.StatusNotFound, "not_found")
	if got := c.Get("/push/key").Want(http.StatusOK).Text("public_key"); got != i.pushKey {
		t.Errorf("%s: %s: the push key has changed", when, i.name)
	}
	var seed []byte
	id, err := domain.ParseID[domain.WebhookKind](i.webhook)
	if err == nil {
		err = a.DB.One(t.Context(), webhookSeedStmt, id).Scan(&seed)
	}
	if err != nil {
		t.Fatal(err)
	}
	secret, err := keys.Secret("webhook", seed)
	if want, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(i.secret, "whsec_")); err != nil || !bytes.Equal(secret, want) {
		t.Errorf("%s: %s: the secret of the webhook has changed: %v", when, i.name, err)
	}
}

// TestLinksOfSentMailsSurviveNewKey checks a link and a return path of a mail that was sent before SECRET_KEY was replaced.
func TestLinksOfSentMailsSurviveNewKey(t *testing.T) {
	t.Parallel()
	subject := mail.Subject{User: domain.RandomID[domain.UserKind](), Kind: "event_canceled"}
	token := mail.Tokens{Keys: seal.Keys{Current: []byte(apptest.SecretKey)}}.Token(subject)
	for previous, want := range map[string]bool{apptest.SecretKey: true, "": false} {
		keys := seal.Keys{Current: []byte(newKey), Previous: []byte(previous)}
		if got, ok := (mail.Tokens{Keys: keys}).Parse(token); ok != want || ok && got != subject {
			t.Errorf("previous key %q: %v %v", previous, got, ok)
		}
	}
}

// TestGuessableSecretsAreRefused also refuses a predecessor that does not differ.
func TestGuessableSecretsAreRefused(t *testing.T) {
	for value, ok := range map[string]bool{
		strings.Repeat("k", 32):                        false,
		"abcdefghijklmnopqrstuvwxyz012345":             false,
		"0123456789012345678901234567890123456789":     false,
		"0123456789abcdef0123456789abcdef":             false,
		"passwordpasswordpasswordpassword":             false,
		"changeme-changeme-changeme-changeme":          false,
		"aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbb":             false,
		"9f86d081884c7d659a2feaa0c55ad015":             true,
		"hSb1zN0YQ2o5cJxX3rWm8tqv7Lk4DeFgPaUiRsTnKyE=": true,
		apptest.SecretKey:                              true,
	} {
		if _, err := settings("SECRET_KEY", value); (err == nil) != ok || err != nil && strings.Contains(err.Error(), value) {
			t.Errorf("SECRET_KEY=%s: %v", value, err)
		}
	}
	for name, value := range map[string]string{
		"PHONE_PROVIDER":          "smsc+https://me:password@smsc.ru?callback_key=1111111111111111",
		"PAYMENT_WEBHOOK_SECRETS": "whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 32)),
		"SECRET_KEY_PREVIOUS":     apptest.SecretKey,
	} {
		if _, err := settings("SECRET_KEY", apptest.SecretKey, name, value); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s=%s: %v", name, value, err)
		}
	}
	if _, err := settings("SECRET_KEY", newKey, "SECRET_KEY_PREVIOUS", strings.Repeat("k", 32)); err != nil {
		t.Errorf("a guessable key cannot be replaced: %v", err)
	}
}
