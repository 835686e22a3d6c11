package app_test

import (
	"net/http"
	"testing"

	"moothall/internal/apptest"
)

func TestHealth(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ok := a.Anonymous().Get("/healthz").Want(http.StatusOK)
		if ok.Text("status") != "ok" || ok.Text("database") != "ok" || ok.Text("cache") != "disabled" {
			t.Errorf("%s", ok.Body)
		}
		if got := ok.Header.Get("Cache-Control"); got != "private, no-store" {
			t.Errorf("Cache-Control: %q", got)
		}
		a.Anonymous().Get("/healthz?verbose=1").WantError(http.StatusBadRequest, "invalid_request")
	})
}

func TestSignedInPersonReadsThemselves(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		me := ann.Get("/me").Want(http.StatusOK)
		if me.Text("user.id") != ann.UserID || me.Text("user.email") != apptest.Email("ann") {
			t.Errorf("%s", me.Body)
		}
		ann.On(2).Get("/me").Want(http.StatusOK)
		ann.With("Authorization", "").With("Cookie", "service_refresh_token="+ann.RefreshToken).Get("/me").Want(http.StatusOK)
	}, apptest.Instances(3))
}
