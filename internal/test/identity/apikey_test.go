package identity_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/api"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// create creates a key and returns the response.
func create(c *apptest.Client, name string, scopes ...string) *apptest.Reply {
	return c.Post("/me/api-keys", apptest.Fields{"name": name, "scopes": scopes}).Want(http.StatusCreated)
}

var (
	secretsStmt       = db.SQL("apikey_test.secrets", `SELECT COUNT(*) FROM api_keys WHERE key_hash = $1 OR prefix = $2 OR name = $2`)
	keysStmt          = db.SQL("apikey_test.keys", `SELECT COUNT(*) FROM api_keys`)
	apikeySuspendStmt = db.SQL("apikey_test.suspend", `UPDATE users SET suspended_at = $2 WHERE id = $1`)
	restoreStmt       = db.SQL("apikey_test.restore", `UPDATE users SET suspended_at = NULL WHERE id = $1`)
)

func TestManageKeys(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann, bob := a.As("ann"), a.As("bob")
		keyed := ann.With("Idempotency-Key", "key-1")
		body := apptest.Fields{"name": "  Till ", "scopes": []string{"events:read", "attendance:write"},
			"expires_at": "2099-01-01T00:00:00+01:00"}
		made := keyed.Post("/me/api-keys", body).Want(http.StatusCreated)
		if again := keyed.Post("/me/api-keys", body).Want(http.StatusCreated); string(again.Body) != string(made.Body) {
			t.Errorf("%s, repeated %s", made.Body, again.Body)
		}
		secret := made.Text("key")
		if len(secret) != 46 || made.Text("prefix") != secret[:7] || made.Text("name") != "Till" ||
			made.Text("expires_at") != "2098-12-31T23:00:00Z" {
			t.Errorf("%s", made.Body)
		}
		if a.Count(secretsStmt, []byte(secret), secret) != 0 {
			t.Error("the key is stored in clear")
		}
		list := ann.Get("/me/api-keys").Want(http.StatusOK)
		if list.Len("items") != 1 || list.Text("items.0.scopes.1") != "attendance:write" || list.Get("items.0.last_used_at") != nil {
			t.Errorf("%s", list.Body)
		}
		for _, text := range []string{string(list.Body), a.Log(), string(ann.Get("/me/export").Want(http.StatusOK).Body)} {
			if strings.Contains(text, secret) {
				t.Error("the key is shown again")
			}
		}
		path := "/me/api-keys/" + made.Text("id")
		bob.Delete(path).Want(http.StatusNoContent)
		a.WithBearer(secret).Get("/events").Want(http.StatusOK)
		if bob.Get("/me/api-keys").Len("items") != 0 {
			t.Error("bob sees keys")
		}
		ann.Delete(path).Want(http.StatusNoContent)
		a.WithBearer(secret).Get("/events").WantError(http.StatusUnauthorized, "unauthorized")
		for _, event := range []string{"api_key_added", "api_key_removed"} {
			if !strings.Contains(a.Log(), `"event":"`+event+`"`) {
				t.Errorf("the security log has no %s", event)
			}
		}
		for range 20 {
			create(bob, "Till", "events:read")
		}
		bob.Post("/me/api-keys", body).WantError(http.StatusForbidden, "forbidden")
		bob.Delete("/me").Want(http.StatusNoContent)
		if a.Count(keysStmt) != 0 {
			t.Error("the keys of a deleted account are left")
		}
	})
}

// TestKeysEnd checks on every instance when a key works.
func TestKeysEnd(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		works := func(key string, want int) {
			t.Helper()
			for i := range 2 {
				if got := a.WithBearer(key).On(i).Get("/me").Status; got != want {
					t.Errorf("instance %d: %d, want %d", i, got, want)
				}
			}
		}
		made := create(ann, "Till", "profile:read")
		key := made.Text("key")
		works(key, http.StatusOK)
		works(key[:45], http.StatusUnauthorized)
		works("at_"+key[3:], http.StatusUnauthorized)
		works("mk_"+ann.AccessToken[3:], http.StatusUnauthorized)
		a.WithCookie(key).Get("/me").WantError(http.StatusUnauthorized, "unauthorized")
		a.Anonymous().Refresh(key).WantError(http.StatusUnauthorized, "unauthorized")

		a.Exec(apikeySuspendStmt, ann.ID(), a.Clock.Now())
		works(key, http.StatusUnauthorized)
		a.Exec(restoreStmt, ann.ID())
		works(key, http.StatusOK)

		soon := ann.Post("/me/api-keys", apptest.Fields{"name": "Guest", "scopes": []string{"profile:read"},
			"expires_at": a.Clock.Now().Add(time.Hour)}).Want(201).Text("key")
		works(soon, http.StatusOK)
		a.Clock.Advance(61 * time.Minute)
		works(soon, http.StatusUnauthorized)
		works(key, http.StatusOK)
		ann = a.SignIn("ann@example.org")
		ann.On(1).Delete("/me/api-keys/" + made.Text("id")).Want(http.StatusNoContent)
		works(key, http.StatusUnauthorized)
	}, apptest.Instances(2))
}

// TestKeySeesOwnWrites checks that a key reads what it has written on another instance.
func TestKeySeesOwnWrites(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		key := a.WithBearer(create(a.As("ann"), "Till", "events:read", "events:write").Text("key"))
		for range 5 {
			event := key.Post("/events",
				apptest.Fields{"title": "Chess", "starts_at": a.Clock.Now().Add(time.Hour)}).Want(http.StatusCreated).Text("event.id")
			key.Post("/events/"+event+"/publish", nil).Want(http.StatusOK)
			if got := key.On(1).Get("/events/" + event).Want(http.StatusOK).Text("event.status"); got != "published" {
				t.Errorf("status %s", got)
			}
		}
	}, apptest.Instances(2))
}

// closed are the paths whose operations no key may call.
var closed = []string{"/auth/", "/me/passkeys", "/me/push-subscriptions", "/push/key", "/me/api-keys", "/calendar/feed", "/me/export",
	"/me/payment-profile", "/payments/", "/admin/", "/reports", "/realtime"}

func isClosed(method, path string) bool {
	for _, prefix := range closed {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return method == http.MethodDelete && path == "/me" || strings.HasSuffix(path, "/payment-intents")
}

// TestEveryOperationHasScope calls every operation that takes a credential with a key that
// has all scopes, and with a key that lacks the operation's.
func TestEveryOperationHasScope(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromData(api.Spec)
	if err != nil {
		t.Fatal(err)
	}
	values, _ := document.Components.Schemas["ApiKeyScope"].Value.Extensions["x-extensible-enum"].([]any)
	var all []string
	used := map[string]bool{}
	for _, value := range values {
		scope, _ := value.(string)
		all = append(all, scope)
	}
	a := apptest.New(t, db.SQLite)
	ann := a.As("ann")
	full := a.WithBearer(create(ann, "All", all...).Text("key")).With("Accept", "application/problem+json")
	without := map[string]*apptest.Client{}
	call := func(c *apptest.Client, method, path string) bool {
		const none = "01890a5d-ac96-474b-bcce-b302099a8057"
		for from := strings.Index(path, "{"); from >= 0; from = strings.Index(path, "{") {
			path = path[:from] + none + path[strings.Index(path, "}")+1:]
		}
		r := c.Do(method, path, nil)
		return r.Status != http.StatusForbidden || r.Text("reason") != "insufficient_scope"
	}
	for path, item := range document.Paths.Map() {
		for method, op := range item.Operations() {
			if op.Security != nil && (len(*op.Security) == 0 || (*op.Security)[0]["bearerAuth"] == nil && !hasBearer(*op.Security)) {
				continue // takes no access token
			}
			scope, _ := document.Tags.Get(op.Tags[0]).Extensions["x-api-key-scope"].(string)
			if method == http.MethodGet {
				scope += ":read"
			} else {
				scope += ":write"
			}
			if call(full, method, path) == isClosed(method, path) {
				t.Errorf("%s %s: closed to keys: %t", method, path, !isClosed(method, path))
			}
			if isClosed(method, path) {
				continue
			}
			if used[scope] = true; without[scope] == nil {
				without[scope] = a.WithBearer(create(ann, "Without "+scope, others(all, scope)...).Text("key")).With("Accept",
					"application/problem+json")
				if len(without) == 19 { // a user has at most 20 keys
					ann = a.As("bob")
				}
			}
			if call(without[scope], method, path) {
				t.Errorf("%s %s needs no scope %s", method, path, scope)
			}
		}
	}
	for _, scope := range all {
		if !used[scope] {
			t.Errorf("no operation needs %s", scope)
		}
	}
}

func hasBearer(requirements openapi3.SecurityRequirements) bool {
	for _, r := range requirements {
		if _, ok := r["bearerAuth"]; ok {
			return true
		}
	}
	return false
}

func others(all []string, without string) []string {
	var left []string
	for _, scope := range all {
		if scope != without {
			left = append(left, scope)
		}
	}
	return left
}
