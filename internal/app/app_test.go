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
