package delivery_test

import (
	"net/http"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/outboundtest"
)

// TestHostileURLs checks that no URL of the list leads to a connection inside. Which are
// refused is tested with the image proxy, which parses them alike.
func TestHostileURLs(t *testing.T) {
	r := newReceiver(t)
	a := apptest.New(t, db.SQLite, apptest.Outbound(r.Outbound()))
	org := a.As("org")
	for _, row := range outboundtest.URLs(t, "moothall.test") {
		got := org.Post("/me/webhooks", apptest.Fields{"url": row.URL, "kinds": all})
		if row.Expect == "400" && got.Status != http.StatusBadRequest || row.Expect == "ALLOW" && got.Status != http.StatusCreated {
			t.Errorf("%s %q: %d (%s)", row.Expect, row.URL, got.Status, row.Why)
		}
		if got.Status == http.StatusCreated {
			org.Post("/me/webhooks/"+got.Text("id")+"/test", nil).Want(202)
			a.RunJobs()
			org.Delete("/me/webhooks/" + got.Text("id")).Want(204)
		}
	}
	r.Connections() // fails if one was inside
}

// TestHostileServers checks names that lead inside, redirects and large responses.
func TestHostileServers(t *testing.T) {
	r := newReceiver(t)
	r.Names["inside.example.com"] = outboundtest.Always("10.0.0.1", "127.0.0.1", "169.254.169.254")
	a := apptest.New(t, db.SQLite, apptest.Outbound(r.Outbound()))
	org := a.As("org")
	for _, c := range []struct {
		name, url string
		answer    http.HandlerFunc
		want      string
		status    any
	}{
		{"a name that leads inside", "https://inside.example.com/", nil, "cannot connect", nil},
		{"a name that does not exist", "https://none.example.com/", nil, "cannot connect", nil},
		{"a redirect inside", "https://example.com/", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://127.0.0.1/", http.StatusTemporaryRedirect)
		}, "redirects are not followed", 307.0},
		{"a large response", "https://example.com/", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("\x00\xff" + strings.Repeat("x", 1<<20)))
		}, "", 200.0},
	} {
		r.answer = c.answer
		path := "/me/webhooks/" + org.Post("/me/webhooks", apptest.Fields{"url": c.url, "kinds": all}).Want(201).Text("id")
		org.Post(path+"/test", nil).Want(202)
		a.RunJobs()
		log := org.Get(path + "/deliveries").Want(200)
		if log.Len("items") == 0 || log.Get("items.0.status_code") != c.status || (log.Get("items.0.error") != nil) != (c.want != "") ||
			c.want != "" && log.Text("items.0.error") != c.want || len(log.Text("items.0.response_excerpt")) > 512 {
			t.Errorf("%s: %s", c.name, log.Body)
		}
		org.Delete(path).Want(204)
	}
	r.Connections()
	org.Post("/me/webhooks", apptest.Fields{"url": apptest.BaseURL + "/events", "kinds": all}).WantError(400, "invalid_request")
	org.Post("/me/webhooks", apptest.Fields{"url": "http://127.0.0.1:8080/", "kinds": all}).WantError(400, "invalid_request")
}

// TestLoopbackNeedsSetting calls this machine in development, if the setting allows it.
func TestLoopbackNeedsSetting(t *testing.T) {
	r := newReceiver(t)
	here := newLocal(t, apptest.AnswersChallenges(r.serve))
	a := apptest.New(t, db.SQLite, apptest.Setting("WEBHOOKS_ALLOW_LOOPBACK", "true"))
	org := a.As("org")
	path := "/me/webhooks/" + org.Post("/me/webhooks", apptest.Fields{"url": here + "/in", "kinds": all}).Want(201).Text("id")
	org.Post(path+"/test", nil).Want(202)
	a.RunJobs()
	if len(r.messages("/in")) != 1 {
		t.Error("not received")
	}
	org.Post("/me/webhooks", apptest.Fields{"url": "http://10.0.0.1/", "kinds": all}).WantError(400, "invalid_request")
}
