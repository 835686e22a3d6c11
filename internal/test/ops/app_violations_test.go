package ops_test

import (
	"net/http"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestViolationsAreLoggedInDevelopment sends what browsers send when a page violates its Content-Security-Policy.
func TestViolationsAreLoggedInDevelopment(t *testing.T) {
	const path = "/dev/violations"
	report := `{"csp-report":{"violated-directive":"img-src","blocked-uri":"https://evil.example/x.png","line-number":3}}`
	page := func(a *apptest.App) string {
		return a.Anonymous().With("Accept", "text/html").Get("/").Want(200).Header.Get("Content-Security-Policy")
	}
	a := apptest.New(t, db.SQLite, apptest.Setting("APP_ENV", "development"))
	if policy := page(a); !strings.HasSuffix(policy, "; report-uri "+path) {
		t.Errorf("the policy is %s", policy)
	}
	a.Anonymous().With("Content-Type", "application/csp-report").Post(path, report).Want(http.StatusNoContent)
	if !strings.Contains(a.Log(), `"directive":"img-src"`) {
		t.Error("the log does not have the violation")
	}
	for _, body := range []string{"", "{}", "x", `{"csp-report":{"violated-directive":"` + strings.Repeat("x", 70_000) + `"}}`} {
		a.Anonymous().Post(path, body).Want(http.StatusBadRequest)
	}
	other := apptest.New(t, db.SQLite, apptest.Setting("APP_ENV", "staging"))
	if policy := page(other); strings.Contains(policy, "report-uri") {
		t.Errorf("in staging, the policy is %s", policy)
	}
	other.Anonymous().Post(path, report).Want(http.StatusNotFound)
}
