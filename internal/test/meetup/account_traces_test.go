package meetup_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/api"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// trace is in every text that the leaver of TestDeletionLeavesNoTraceInFiles writes.
const trace = "qzvkjx"

// untraced are the text fields of requests without a trace.
var untraced = map[string]string{
	"code": "digits", "phone": "digits, set by SQL", "invited_phone": "digits", "oauth_token": "not stored", "nonce": "stored as a hash",
	"provider": "a name of the operator", "refresh_token": "stored as a hash", "timezone": "a name from a list", "locale": "a tag from a list",
	"price_currency": "a code from a list", "theme": "a value from a list",
	"audience": "a value from a list",
	"method":   "a value from a list", "status": "a value from a list", "comment": "reports stay with the moderators",
	"challenge_id": "stored as a hash", "challenge": "stored as a hash", "scopes": "values from a list", "id": "of a credential",
	"type": "a value from a list", "rawId": "of a credential",
	"position": "a number", "emails": "sealed", "uids": "those of an import",
	"rrule": "of a series: numbers and days", "starts_at": "a time", "occurrence_at": "a time", "from": "a time",
}

// tracer sends requests and records the fields whose text has the trace.
type tracer struct {
	*apptest.Client
	traced map[string]bool
}

func (w tracer) send(method, path string, fields apptest.Fields) *apptest.Reply {
	for name, value := range fields {
		if strings.Contains(fmt.Sprint(value), trace) {
			w.traced[name] = true
		}
	}
	return w.Do(method, path, fields)
}

// accountText returns a text of a length that needs several pages in some places.
func accountText(what string, n int) string {
	return strings.Repeat(trace+what+" ", 1+n/(len(trace)+len(what)+1))[:max(n, len(trace)+len(what))]
}

// addPasskey stores a passkey of a user.
func addPasskey(a *apptest.App, user domain.UserID) string {
	id := domain.RandomID[domain.PasskeyKind]()
	a.Exec(tracePasskeyStmt, id, user, a.Clock.Now(), id.Bytes()[:])
	return id.String()
}

var tracePasskeyStmt = db.SQL("account_test.trace_passkey", `
	INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, backup_eligible, backed_up, name, created_at)
	VALUES ($1, $2, $4, $4, 0, FALSE, FALSE, 'Phone', $3)`)

var tracePhoneStmt = db.SQL("account_test.trace_phone", `UPDATE users SET phone = '+79990000777' WHERE id = $1`)

// write uses every text field of the contract. Nobody attends the events of the leaver.
func (w tracer) write(t *testing.T, a *apptest.App, friend *apptest.Client, round int) {
	w.send("POST", "/auth/email/start", apptest.Fields{"email": fmt.Sprint(trace, round, "@example.org"), "return_to": "/" + trace}).Want(200)
	a.RunJobs() // sends the mail
	w.send("PATCH", "/me/passkeys/"+addPasskey(a, w.ID()), apptest.Fields{"name": trace + " laptop"}).Want(200)
	w.send("POST", "/me/webhooks", apptest.Fields{"url": "https://example.com/" + trace, "kinds": []string{"attendance.joined"}}).Want(201)
	w.send("POST", "/me/api-keys", apptest.Fields{"name": trace + " printer", "scopes": []string{"events:read"}}).Want(201)
	w.send("POST", "/me/push-subscriptions", pushSubscription(trace)).Want(201)
	w.send("PATCH", "/me/profile", apptest.Fields{"display_name": trace + " Name", "username": fmt.Sprint(trace, round),
		"city":       trace + "burg",
		"avatar_url": "https://example.org/" + trace, "interests": []string{trace + "ing"}}).Want(200)
	a.Exec(tracePhoneStmt, w.ID())
	w.send("POST", "/feed/preferences", apptest.Fields{"city": trace + "burg", "categories": []string{trace + "ing"},
		"muted_categories": []string{trace + "ed"}}).Want(200)
	event := apptest.Fields{"starts_at": "2026-06-05T16:00:00Z"}
	for name, format := range eventTexts(t) {
		switch {
		case format == "uri":
			event[name] = "https://example.org/" + trace
		case untraced[name] == "":
			event[name] = trace + " " + name
		}
	}
	event["description"] = accountText("about", 9000)
	for range 3 {
		w.send("POST", "/events", event).Want(201)
	}
	own := "/events/" + w.send("POST", "/events", event).Want(201).Text("event.id")
	w.Post(own+"/publish", nil).Want(200)
	w.send("PATCH", own, apptest.Fields{"title": trace + " other title", "description": accountText("else", 300)}).Want(200)
	tracer{w.With("Idempotency-Key", trace), w.traced}.send("POST", own+"/posts", apptest.Fields{"body": accountText("post", 4000)}).Want(201)
	w.send("POST", own+"/guest-messages", apptest.Fields{"audience": "going", "body": accountText("advice", 4000)}).Want(201)
	w.Patch(own+"/date-mode", apptest.Fields{"mode": "vote"}).Want(204)
	w.send("POST", own+"/date-options", apptest.Fields{"starts_at": "2026-06-10T13:00:00Z", "note": trace + " note"}).Want(201)
	w.send("POST", "/event-series", circle(trace+" circle", "automatic")).Want(201)
	group := "/groups/" + w.send("POST", "/groups", apptest.Fields{"name": trace + " group", "description": accountText("meets", 300),
		"city": trace + "burg"}).Want(201).Text("id")
	w.send("POST", group+"/announcements", apptest.Fields{"body": accountText("announces", 300)}).Want(201)
	w.send("PATCH", group, apptest.Fields{"slug": fmt.Sprint(trace, round)}).Want(200)
	private := "/events/" + w.Publish(apptest.Fields{"visibility": "private"})
	w.send("POST", private+"/invitations", apptest.Fields{"email": "friend@example.org", "message": accountText("come", 400)}).Want(201)
	entry := w.send("POST", "/calendar/entries", apptest.Fields{"title": trace + " dinner", "notes": accountText("bring", 2000),
		"location_text": trace + " kitchen",
		"starts_at":     "2026-06-09T18:00:00Z", "invitee_user_ids": []string{friend.UserID}}).Want(201).Text("id")
	w.send("PATCH", "/calendar/entries/"+entry, apptest.Fields{"notes": trace + " less"}).Want(200)

	theirs := "/events/" + friend.Publish(apptest.Fields{"starts_at": a.Clock.Now().Add(30 * time.Minute)})
	post := theirs + "/posts/" + friend.Post(theirs+"/posts", apptest.Fields{"body": "Welcome"}).Want(201).Text("id")
	w.Post(theirs+"/join", nil).Want(200)
	comment := w.send("POST", post+"/comments", apptest.Fields{"body": accountText("comment", 1900)}).Want(201).Text("id")
	w.send("PATCH", post+"/comments/"+comment, apptest.Fields{"body": trace + " changed"}).Want(200)
	for range 20 {
		w.send("POST", theirs+"/messages", apptest.Fields{"body": accountText("message", 1500)}).Want(201)
	}
	a.Clock.Advance(4 * time.Hour)
	w.send("POST", theirs+"/reviews", apptest.Fields{"rating": 1, "body": accountText("review", 1500)}).Want(201)
	w.Get("/events?q=" + trace).Want(200)
}

// TestDeletionLeavesNoTraceInFiles reads the bytes of SQLite's files: deleted texts would
// remain in them.
func TestDeletionLeavesNoTraceInFiles(t *testing.T) {
	dir := t.TempDir()
	traced := map[string]bool{"email": true} // of the sign-in
	t.Run("run", func(t *testing.T) {
		a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today), apptest.Setting("DATABASE_URL", "sqlite:"+filepath.Join(dir, "m.db")),
			apptest.Setting("ACCESS_TOKEN_TTL", "24h"))
		friend := a.As("friend")
		for round := range 5 {
			w := tracer{a.SignIn(fmt.Sprint(trace, round, "@example.org")).With("User-Agent", trace), traced}
			w.Post("/auth/refresh", apptest.Fields{"refresh_token": a.SignIn(fmt.Sprint(trace, round, "@example.org")).RefreshToken}).Want(200)
			w.write(t, a, friend, round)
			if len(files(t, dir)) == 0 {
				t.Fatal("the test does not find texts that exist")
			}
			a.SignIn(fmt.Sprint(trace, round, "@example.org")).Delete("/me").Want(204)
			friend.Publish(nil)
		}
		for range 2 { // the second time after all deletions
			a.Clock.Advance(time.Hour)
			a.RunJobs()
		}
		if left := files(t, dir); len(left) > 0 {
			t.Errorf("while the service runs: %q", left)
		}
	})
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("after the service has stopped: %q", left)
	}
	for name := range textFields(t) {
		if !traced[name] && untraced[name] == "" {
			t.Errorf("the test does not write %s", name)
		}
	}
}

// files returns what follows each trace in the files of a directory. It fails the test if
// others may read one of them.
func files(t *testing.T, dir string) (found []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() { // of temporary files: it has no uploads
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if info, err := entry.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", entry.Name(), info.Mode(), err)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, what := range []string{trace, "+79990000777"} {
			for rest := content; len(found) < 20; {
				at := bytes.Index(rest, []byte(what))
				if at < 0 {
					break
				}
				found = append(found, entry.Name()+": "+string(rest[max(0, at-20):min(len(rest), at+30)]))
				rest = rest[at+len(what):]
			}
		}
	}
	return found
}

// textFields returns the fields of all JSON requests that hold free text, with their formats.
func textFields(t *testing.T) map[string]string {
	t.Helper()
	names := map[string]string{}
	document, err := api.Document()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range document.Paths.Map() {
		for _, operation := range path.Operations() {
			if body := operation.RequestBody; body != nil && body.Value.Content["application/json"] != nil &&
				!strings.HasPrefix(operation.OperationID, "receive") {
				addTexts(names, body.Value.Content["application/json"].Schema.Value)
			}
		}
	}
	return names
}

// eventTexts returns the textFields of a new event.
func eventTexts(t *testing.T) map[string]string {
	t.Helper()
	names := map[string]string{}
	document, err := api.Document()
	if err != nil {
		t.Fatal(err)
	}
	addTexts(names, document.Components.Schemas["CreateEventRequest"].Value)
	return names
}

func addTexts(names map[string]string, schema *openapi3.Schema) {
	for _, part := range append(append(schema.AllOf, schema.OneOf...), schema.AnyOf...) {
		addTexts(names, part.Value)
	}
	for name, property := range schema.Properties {
		value := property.Value
		if value.Items != nil {
			value = value.Items.Value
		}
		_, open := value.Extensions["x-extensible-enum"]
		if value.Type.Includes("string") && len(value.Enum) == 0 && !open && value.Format != "uuid" && value.Format != "date-time" {
			names[name] = value.Format
		}
	}
}
