package identity_test

import (
	"encoding/json"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// securityRecord is one line of the security log.
type securityRecord struct {
	Log, Event, Client string
	UserID             string `json:"user_id"`
	SessionID          string `json:"session_id"`
}

// TestSecurityLog causes every security event and checks that it is logged once, with its
// user and session, and without personal data.
func TestSecurityLog(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.Setting("TRUSTED_PROXIES", "127.0.0.0/8"),
		apptest.Setting("RATE_LIMITS", "reports_per_user_day=1/24h"),
		apptest.Setting("MODERATION_ADMIN_EMAILS", "ann@example.org"),
		apptest.Setting("REFRESH_RACE_WINDOW", "0s"))
	const address = "203.0.113.77"
	ann, bob, thief := a.As("ann").With("X-Forwarded-For", address), a.As("bob"), a.SignIn("bob@example.org")
	phone, laptop := a.SignIn("ann@example.org"), a.SignIn("ann@example.org")
	anybody := a.Anonymous().With("X-Forwarded-For", address)
	report := apptest.Fields{"target_type": "user", "target_id": bob.UserID, "reason": "spam"}
	var reported string
	for _, c := range []struct {
		event string
		of    *apptest.Client // nil: unknown
		act   func()
	}{
		{"sign_in_failed", nil, func() {
			anybody.Post("/auth/dev/verify", apptest.Fields{"email": "ann@example.org", "code": "000000"}).Want(401)
		}},
		{"", nil, func() { anybody.Get("/me").Want(401) }},
		{"", nil, func() { ann.Get("/me").Want(200) }},
		{"revocation", ann, func() { ann.Delete("/auth/sessions/" + phone.SessionID).Want(204) }},
		{"block", ann, func() { ann.Post("/users/"+bob.UserID+"/block", nil).Want(200) }},
		{"unblock", ann, func() { ann.Delete("/users/" + bob.UserID + "/block").Want(204) }},
		{"report", ann, func() { reported = ann.Post("/reports", report).Want(201).Text("id") }},
		{"rate_limited", ann, func() { ann.Post("/reports", report).Want(429) }},
		{"moderation", ann, func() { ann.Patch("/admin/reports/"+reported, apptest.Fields{"status": "dismissed"}).Want(200) }},
		{"", nil, func() { ann.Patch("/admin/reports/"+reported, apptest.Fields{"status": "dismissed"}).Want(400) }},
		{"", nil, func() { anybody.Post("/auth/refresh", apptest.Fields{"refresh_token": thief.RefreshToken}).Want(200) }},
		{"refresh_reuse", thief, func() { anybody.Post("/auth/refresh", apptest.Fields{"refresh_token": thief.RefreshToken}).Want(401) }},
		{"logout", laptop, func() { anybody.Post("/auth/logout", apptest.Fields{"refresh_token": laptop.RefreshToken}).Want(204) }},
		{"", nil, func() { anybody.Post("/auth/logout", apptest.Fields{"refresh_token": "rt_unknown"}).Want(204) }},
		{"deletion", ann, func() { ann.Delete("/me").Want(204) }},
	} {
		before := len(a.Log())
		c.act()
		checkRecord(t, a.Log()[before:], c.event, c.of)
	}
	before := len(a.Log())
	in := a.SignIn("cy@example.org")
	checkRecord(t, a.Log()[before:], "sign_in", in)
	for _, secret := range []string{address, "example.org", ann.AccessToken, thief.RefreshToken, "127.0.0.1\""} {
		for line := range strings.Lines(a.Log()) {
			if strings.Contains(line, `"log":"security"`) && strings.Contains(line, secret) {
				t.Errorf("the security log contains %q: %s", secret, line)
			}
		}
	}
}

// checkRecord checks the records in a part of the log. No event means no record.
func checkRecord(t *testing.T, log, event string, of *apptest.Client) {
	t.Helper()
	var records []securityRecord
	for line := range strings.Lines(log) {
		var r securityRecord
		if json.Unmarshal([]byte(line), &r) == nil && r.Log == "security" {
			records = append(records, r)
		}
	}
	if event == "" && len(records) == 0 {
		return
	}
	if len(records) != 1 || records[0].Event != event || len(records[0].Client) != 16 {
		t.Errorf("%s: logged %+v", event, records)
		return
	}
	want := securityRecord{}
	if of != nil {
		want.UserID, want.SessionID = of.UserID, of.SessionID
	}
	if r := records[0]; r.UserID != want.UserID || r.SessionID != want.SessionID {
		t.Errorf("%s: of user %q and session %q, want %q and %q", event, r.UserID, r.SessionID, want.UserID, want.SessionID)
	}
}
