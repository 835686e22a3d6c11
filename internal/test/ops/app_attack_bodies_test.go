package ops_test

import (
	"strconv"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

func TestQueryCases(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		event := published(a, "ann")
		ids := strings.Repeat(event+"&event_id=", 50) + event
		for _, r := range rows(t, "query_params.txt", 0, 1, 2) {
			query := fill(r.value, map[string]string{
				"81 chars":                 strings.Repeat("a", 321), // contract §0: 80 graphemes are up to 320 code points
				"201":                      strings.Repeat("a", 801),
				"121":                      strings.Repeat("a", 481),
				"51 ids":                   ids,
				"uuid without dashes":      strings.ReplaceAll(event, "-", ""),
				"SELF incognito":           ann.UserID,
				"cursor of another filter": "2099-01-01T10:00:00.123456789Z",
				"OK":                       "https://example.org/a.png",
			})
			path := strings.Replace(strings.TrimPrefix(r.target, "GET "), "{id}", event, 1)
			got := ann.Allow5xx().Get(path + "?" + query)
			if !r.allows(got.Status) {
				t.Errorf("%v: %d %.200s, want %s", r, got.Status, got.Body, r.expect)
			}
		}
	})
}

// bodies maps the endpoints of json_bodies.txt to functions that call them.
var bodies = map[string]func(a *apptest.App, event, body string) *apptest.Reply{
	"POST /events": func(a *apptest.App, _, body string) *apptest.Reply {
		return a.As("ann").Allow5xx().Post("/events", strings.Replace(body, "{", `{"starts_at":"2099-01-01T10:00:00Z",`, 1))
	},
	"PATCH /me/profile": func(a *apptest.App, _, body string) *apptest.Reply {
		return a.As("ann").Allow5xx().Patch("/me/profile", body)
	},
	"POST join": func(a *apptest.App, event, body string) *apptest.Reply {
		return a.As("ann").Allow5xx().Post("/events/"+event+"/join", body)
	},
	"PATCH date-mode": func(a *apptest.App, event, body string) *apptest.Reply {
		return a.As("org").Allow5xx().Patch("/events/"+event+"/date-mode", body)
	},
	"PATCH rsvp": func(a *apptest.App, _, body string) *apptest.Reply {
		return a.As("ann").Allow5xx().Patch("/events/"+private(a, "org", "ann")+"/rsvp", body)
	},
	"POST invitations": func(a *apptest.App, _, body string) *apptest.Reply {
		body = strings.Replace(body, "ORGANIZER@self", apptest.Email("org"), 1)
		return a.As("org").Allow5xx().Post("/events/"+private(a, "org")+"/invitations", body)
	},
	"POST calendar entry": func(a *apptest.App, _, body string) *apptest.Reply {
		body = fill(body, map[string]string{"HIDDEN_EVENT": private(a, "org")})
		body = strings.Replace(body, "{", `{"title":"Dinner","starts_at":"2099-01-01T10:00:00Z",`, 1)
		return a.As("ann").Allow5xx().Post("/calendar/entries", body)
	},
	"POST comment": func(a *apptest.App, event, body string) *apptest.Reply {
		posts, hello := "/events/"+event+"/posts", `{"body":"Hello"}`
		post := func() string { return posts + "/" + a.As("org").Post(posts, hello).Want(201).Text("id") + "/comments" }
		comment := func(post string) string { return a.As("ann").Post(post, hello).Want(201).Text("id") }
		here, there := post(), post()
		deleted := comment(here)
		a.As("ann").Delete(here + "/" + deleted).Want(204)
		return a.As("ann").Allow5xx().Post(here, fill(body, map[string]string{
			"COMMENT_OF_OTHER_POST": comment(there), "DELETED_COMMENT": deleted, "EXISTING": deleted, "urn:uuid:...": "urn:uuid:" + deleted,
		}))
	},
	"POST /auth/dev/verify": func(a *apptest.App, _, body string) *apptest.Reply {
		start := a.Anonymous().Post("/auth/dev/start", `{"email":"a@b.c"}`).Want(200)
		return a.Anonymous().Allow5xx().Post("/auth/dev/verify", fill(body, map[string]string{"OK": start.Text("dev_code")}))
	},
	"POST /auth/refresh": func(a *apptest.App, _, body string) *apptest.Reply {
		return a.Anonymous().Allow5xx().Post("/auth/refresh", fill(body, map[string]string{"REFRESH": a.As("ann").RefreshToken}))
	},
	"POST /auth/idp/mobile": func(a *apptest.App, _, body string) *apptest.Reply {
		return a.Anonymous().Allow5xx().Post("/auth/idp/mobile", body)
	},
}

// otherBodies names the tests of the endpoints that TestBodyCases skips.
var otherBodies = map[string]string{
	"PATCH /me/payment-profile": "payment.TestProviderSetsProfileStatus",
	"POST /reports":             "moderation.TestReportFollowsPolicy",
	"POST reviews":              "review.TestWhoMayWrite",
	"POST webhook":              "payment.TestWebhookSignatures",
	"POST /auth/dev/start":      "TestDevSignInCanBeDisabled",
}

// anyPost are the operations that represent all operations with a JSON body.
var anyPost = []string{"/events", "/auth/dev/start", "/auth/dev/verify"}

func TestBodyCases(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		event := published(a, "org")
		a.As("taken").Patch("/me/profile", `{"username":"taken"}`).Want(200)
		placeholders := map[string]string{
			"TAKEN upper case": "TAKEN", "10000 items": strings.Repeat(`x","`, 10_000), "OTHER": a.As("org").UserID,
			"DEEP:[*100000]": strings.Repeat("[", 60_000), "STRING:1MiB+1": `{"x":"` + strings.Repeat("a", 1<<20) + `"}`,
			"KEYS:100000": `{"` + strings.Repeat(`a":1,"`, 100_000) + `":1}`,
		}
		a.As("ann")
		for _, r := range rows(t, "json_bodies.txt", 0, 1, 2) {
			call := bodies[r.target]
			body := fill(r.value, placeholders)
			switch {
			case r.expect == "connection closed at read timeout": // TestSlowClientsAreDisconnected
			case r.target == "ANY-JSON-POST":
				for _, path := range anyPost {
					before := count(t, a)
					got := a.As("ann").Allow5xx().Post(path, body)
					if !r.allows(got.Status) || count(t, a) != before {
						t.Errorf("%v at %s: %d %s, want %s", r, path, got.Status, got.Body, r.expect)
					}
				}
			case call != nil:
				if got := call(a, event, body); !bodyStatusAllowed(r, got.Status) {
					t.Errorf("%v: %d %s, want %s", r, got.Status, got.Body, r.expect)
				}
			case otherBodies[r.target] == "":
				t.Errorf("%v has no test", r)
			}
		}
	})
}

// bodyStatusAllowed is row.allows, except where the row does not name the status.
func bodyStatusAllowed(r row, status int) bool {
	switch r.expect {
	case "use cookie or 401":
		return status == 401 // there is no cookie
	case "201":
		if r.why == "replacement char" {
			return status == 400 // contract §0 refuses U+FFFD
		}
	case "400 or exact":
		return status == 400 // price is an enumeration
	case "404 or ignored":
		return status == 201 // unknown fields are ignored (contract §0)
	case "same status, body and time bucket for known and unknown phone":
		return status == 400 // this number is not valid
	case "401":
		return status == 401 || strings.Contains(r.why, "full-width") && status == 400 // contract §2.1: six digits, else 400
	}
	return r.allows(status)
}

var countStmt = db.SQL("apptest.count", `SELECT (SELECT COUNT(*) FROM users) + (SELECT COUNT(*) FROM events) +
	(SELECT COUNT(*) FROM sessions) + (SELECT COUNT(*) FROM email_challenges)`)

// count returns the number of rows, which a refused request must not change.
func count(t *testing.T, a *apptest.App) (n int64) {
	t.Helper()
	if err := a.DB.One(t.Context(), countStmt).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestCreateEventIgnoresServerFields(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		body := strings.TrimSuffix(draft, "}") + `,"status":"published","participant_count":999,"organizer_id":"` + a.As("bob").UserID +
			`","id":"00000000-0000-4000-8000-000000000000","created_at":"2000-01-01T00:00:00Z"}`
		got := a.As("ann").Post("/events", body).Want(201)
		if got.Text("event.status") != "draft" || got.Number("participant_count") != 0 ||
			got.Text("event.organizer_id") != a.As("ann").UserID || got.Text("event.id") == "00000000-0000-4000-8000-000000000000" {
			t.Errorf("%s", got.Body)
		}
	})
}

func TestDevSignInCanBeDisabled(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		a.Anonymous().Post("/auth/dev/start", `{"email":"a@b.c"}`).WantError(404, "not_found")
		a.Anonymous().Post("/auth/dev/verify", `{"email":"a@b.c","code":"123456"}`).WantError(404, "not_found")
		if n := count(t, a); n != 0 {
			t.Error(strconv.FormatInt(n, 10) + " rows were written")
		}
	}, apptest.Setting("AUTH_DEV_ENABLED", "false"))
}
