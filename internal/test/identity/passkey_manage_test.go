package identity_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

func TestManagePasskeys(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann").With("User-Agent", "Mozilla/5.0 (iPhone)")
		first := newAuthenticator(t)
		begun := registration(ann)
		if begun.Text("public_key.user.name") != "ann@example.org" || begun.Text("public_key.rp.id") != "moothall.test" ||
			begun.Len("public_key.excludeCredentials") != 0 ||
			begun.Text("public_key.authenticatorSelection.residentKey") != "required" || begun.Text("public_key.attestation") != "none" {
			t.Errorf("options %s", begun.Body)
		}
		create := apptest.Fields{"credential": first.create(t, begun)}
		keyed := ann.With("Idempotency-Key", "passkey-1")
		added := keyed.Post("/me/passkeys", create).Want(http.StatusCreated)
		if again := keyed.Post("/me/passkeys", create).Want(http.StatusCreated); string(again.Body) != string(added.Body) {
			t.Errorf("%s, repeated %s", added.Body, again.Body)
		}
		if added.Text("name") != "iPhone" || added.Get("synced") != false || added.Get("last_used_at") != nil {
			t.Errorf("added %s", added.Body)
		}
		if told := ann.Get("/notifications").Want(http.StatusOK); told.Len("items") != 1 || told.Text("items.0.kind") != "passkey_added" {
			t.Errorf("told %s", told.Body)
		}
		second := newAuthenticator(t)
		second.flags |= backupEligible | 0x10 // synced
		begun = registration(ann)
		if begun.Text("public_key.excludeCredentials.0.id") != encode(first.credential) {
			t.Errorf("options %s", begun.Body)
		}
		a.Clock.Advance(time.Second)
		synced := ann.Post("/me/passkeys", apptest.Fields{"name": "  My  phone ", "credential": second.create(t, begun)}).Want(http.StatusCreated)
		if synced.Get("synced") != true || synced.Text("name") == "" {
			t.Errorf("added %s", synced.Body)
		}
		second.signIn(t, a.Anonymous()).Want(http.StatusOK)

		path := "/me/passkeys/" + added.Text("id")
		ann.Patch(path, apptest.Fields{"name": "Laptop"}).Want(http.StatusOK)
		ann.Patch(path, apptest.Fields{"name": "a\nb"}).WantError(http.StatusBadRequest, "invalid_request")
		bob := a.As("bob")
		bob.Patch(path, apptest.Fields{"name": "Mine"}).WantError(http.StatusNotFound, "not_found")
		bob.Delete(path).WantError(http.StatusNotFound, "not_found")
		if bob.Get("/me/passkeys").Want(http.StatusOK).Len("items") != 0 {
			t.Error("bob sees passkeys")
		}
		if list := ann.Get("/me/passkeys").Want(http.StatusOK); list.Len("items") != 2 || list.Text("items.0.name") != "Laptop" {
			t.Errorf("%s", list.Body)
		}
		var export struct {
			Passkeys []struct{ Name string } `json:"passkeys"`
		}
		if err := json.Unmarshal(ann.Get("/me/export").Want(http.StatusOK).Body, &export); err != nil || len(export.Passkeys) != 2 ||
			export.Passkeys[0].Name != "Laptop" {
			t.Errorf("%+v, %v", export, err)
		}
		ann.Delete(path).Want(http.StatusNoContent)
		ann.Delete(path).WantError(http.StatusNotFound, "not_found")
		first.signIn(t, a.Anonymous()).WantError(http.StatusUnauthorized, "unauthorized")
		for _, event := range []string{"passkey_added", "passkey_removed"} {
			if !strings.Contains(a.Log(), `"event":"`+event+`"`) {
				t.Errorf("the security log has no %s", event)
			}
		}
		registration(ann)
		ann.Delete("/me").Want(http.StatusNoContent)
		if a.Count(passkeysStmt) != 0 || a.Count(challengesStmt) != 0 {
			t.Error("the passkeys of a deleted account are left")
		}
	}, apptest.StartAt(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)))
}

// TestHostileRegistrations checks that no passkey is added by a response to other options,
// and that a challenge is used up by a response that is refused.
func TestHostileRegistrations(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, bob := a.As("ann"), a.As("bob")
		bobs, _ := register(t, bob)
		for name, attack := range map[string]func(k *authenticator){
			"origin of another site":     func(k *authenticator) { k.origin = "https://evil.example" },
			"frame of another site":      func(k *authenticator) { k.crossOrigin = true },
			"another relying party":      func(k *authenticator) { k.rp = "evil.example" },
			"invented challenge":         func(k *authenticator) { k.challenge = strings.Repeat("A", 43) },
			"another user's challenge":   func(k *authenticator) { k.challenge = registration(bob).Text("public_key.challenge") },
			"challenge of a sign-in":     func(k *authenticator) { k.challenge = options(ann).Text("public_key.challenge") },
			"type of a sign-in":          func(k *authenticator) { k.kind = "webauthn.get" },
			"user not verified":          func(k *authenticator) { k.flags = userPresent },
			"another user's credential":  func(k *authenticator) { k.credential = bobs.credential },
			"synced but not eligible":    func(k *authenticator) { k.flags |= 0x10 },
			"no attestation, but a text": func(k *authenticator) { k.statement = map[string]any{"alg": -7} },
			"forged attestation": func(k *authenticator) {
				k.format, k.statement = "packed", map[string]any{"alg": -7, "sig": []byte("forged")}
			},
			"unknown attestation": func(k *authenticator) { k.format = "invented" },
			"algorithm not asked": func(k *authenticator) { k.algorithm = -65535 },
			"empty credential id": func(k *authenticator) { k.credential = nil },
		} {
			k := newAuthenticator(t)
			attack(k)
			begun := registration(ann)
			credential := k.create(t, begun)
			if len(k.credential) == 0 {
				credential["id"], credential["rawId"] = "AA", "AA"
			}
			r := ann.Post("/me/passkeys", apptest.Fields{"credential": credential})
			if r.Status != http.StatusBadRequest {
				t.Errorf("%s: %d %s", name, r.Status, r.Body)
			}
			if k.challenge == "" {
				again := newAuthenticator(t)
				ann.Post("/me/passkeys", apptest.Fields{"credential": again.create(t, begun)}).WantError(http.StatusBadRequest, "invalid_request")
			}
		}
		if n := a.Count(passkeysStmt); n != 1 {
			t.Errorf("%d passkeys", n)
		}
		begun := registration(ann)
		replies := apptest.Replies(10, func(int) *apptest.Reply {
			return ann.Post("/me/passkeys", apptest.Fields{"credential": newAuthenticator(t).create(t, begun)})
		})
		if n := a.Count(passkeysStmt); n != 2 {
			t.Errorf("%d passkeys from one challenge, %d", n-1, len(replies))
		}
		late := registration(ann)
		a.Clock.Advance(5 * time.Minute)
		ann.Post("/me/passkeys", apptest.Fields{"credential": newAuthenticator(t).create(t, late)}).WantError(http.StatusBadRequest,
			"invalid_request")
	}, apptest.StartAt(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)))
}

// TestLastWayToSignInStays checks that a user cannot remove the only way to sign in, also by
// two requests at the same moment.
func TestLastWayToSignInStays(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		_, only := register(t, ann)
		ann.Delete("/me/passkeys/" + only).Want(http.StatusNoContent) // the address is left
		for range 3 {
			var ids []string
			for range 2 {
				_, id := register(t, ann)
				ids = append(ids, id)
			}
			a.Exec(forgetStmt, ann.ID())
			replies := apptest.Replies(2, func(i int) *apptest.Reply { return ann.On(i).Delete("/me/passkeys/" + ids[i]) })
			if replies[0].Status+replies[1].Status != http.StatusNoContent+http.StatusForbidden {
				t.Errorf("%d and %d", replies[0].Status, replies[1].Status)
			}
			if n := a.Count(passkeysStmt); n != 1 {
				t.Fatalf("%d passkeys are left", n)
			}
			left := ann.Get("/me/passkeys").Text("items.0.id")
			ann.Delete("/me/passkeys/"+left).WantError(http.StatusForbidden, "forbidden")
			_, other := register(t, ann)
			ann.Delete("/me/passkeys/" + left).Want(http.StatusNoContent)
			ann = a.As(fmt.Sprint("ann", other)) // a new person
			a.Exec(removeStmt)
		}
	}, apptest.Instances(2))
}

func TestPasskeysAreLimited(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		begun := registration(ann)
		for range 20 {
			register(t, ann)
		}
		ann.Post("/me/passkeys/options", nil).WantError(http.StatusForbidden, "forbidden")
		ann.Post("/me/passkeys", apptest.Fields{"credential": newAuthenticator(t).create(t, begun)}).WantError(http.StatusForbidden, "forbidden")
	})
}
