package identity_test

import (
	"net/http"
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

// TestSignInOnNewDeviceNotifies signs in on several devices. The first sign-in of an account
// notifies nobody, and neither does a known device, also after it has signed out.
func TestSignInOnNewDeviceNotifies(t *testing.T) {
	const mac, phone = "Mozilla/5.0 (Macintosh) Firefox/140", "Mozilla/5.0 (iPhone)"
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		told := 0
		for _, c := range []struct {
			what, agent, address string
			notifies             string // title; empty: no notification
		}{
			{"the first sign-in", mac, "192.0.2.1", ""},
			{"the same device", mac, "192.0.2.1", ""},
			{"a new version of the browser", "Mozilla/5.0 (Macintosh) Firefox/141", "192.0.2.9", ""},
			{"another device", phone, "192.0.2.1", "New sign-in to your account (iPhone)"},
			{"this device again", phone, "192.0.2.1", ""},
			{"another network", mac, "198.51.100.1", "New sign-in to your account (Mac)"},
			{"a program", "curl", "192.0.2.1", "New sign-in to your account"},
			{"a program again", "wget", "192.0.2.1", ""},
			{"a program from another network", "curl", "2001:db8::1", "New sign-in to your account"},
		} {
			ann := a.SignInWith(a.Anonymous().With("User-Agent", c.agent).With("X-Forwarded-For", c.address), "ann@example.org")
			list := ann.Get("/notifications").Want(http.StatusOK)
			switch n := list.Len("items"); {
			case c.notifies == "" && n != told:
				t.Errorf("%s: %s", c.what, list.Body)
			case c.notifies != "" && (n != told+1 || list.Text("items.0.title") != c.notifies || list.Text("items.0.kind") != "new_device"):
				t.Errorf("%s: %s", c.what, list.Body)
			default:
				told = n
			}
			ann.Post("/auth/logout", map[string]string{"refresh_token": ann.RefreshToken}).Want(http.StatusNoContent)
			a.Clock.Advance(time.Hour)
		}
	}, apptest.Setting("TRUSTED_PROXIES", "127.0.0.0/8"), apptest.StartAt(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)))
}
