package account_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/apptest"
	"moothall/internal/platform/db"
)

// options: a doomed person who is also a moderator and may sell.
var options = []apptest.Option{
	apptest.StartAt(today), apptest.Setting("ACCESS_TOKEN_TTL", "24h"), apptest.Setting("MODERATION_ADMIN_EMAILS", "doomed@example.org"),
	apptest.Setting("PAYMENTS_ENABLED", "true"), apptest.Setting("PAYMENT_WEBHOOK_SECRETS", "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="),
}

// stays are the columns where the id of a deleted account may stand, and why.
var stays = map[string]string{
	"users.id":                        "the tombstone that the others refer to",
	"events.organizer_id":             "events that people went to, or were told are off, stay, with nobody shown",
	"posts.author_id":                 "posts stay with their event, with nobody shown",
	"comments.author_id":              "tombstones keep replies connected",
	"messages.author_id":              "an emptied message keeps its place",
	"invitations.invited_by":          "invitations stay with the guests",
	"moderation_actions.moderator_id": "the audit trail never changes",
	"reports.target_id":               "reports about somebody stay for the moderators",
	"notifications.actor_id":          "what others were told: names are read, and there is none any more",
	"notifications.subject":           "what others were told",
}

// speaks are the columns where a text of a deleted account may stand, and why.
var speaks = map[string]string{
	"reports.comment":         "reports stay for the moderators, without the person",
	"posts.body":              "posts stay with their event",
	"moderation_actions.note": "the audit trail never changes",
}

// column is one column of the database that may hold an id or a text.
type column struct{ table, name, kind string }

func (c column) String() string { return c.table + "." + c.name }

var schemaStmts = map[db.Engine]*db.Stmt{
	db.SQLite: db.SQL("account_test.sqlite_schema", `
		SELECT m.name, c.name, lower(c.type) FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c ON TRUE
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY 1, 2`),
	db.PostgreSQL: db.SQL("account_test.postgres_schema", `
		SELECT CAST(c.table_name AS TEXT), CAST(c.column_name AS TEXT), CAST(c.data_type AS TEXT) FROM information_schema.columns AS c
		WHERE c.table_schema = 'public' ORDER BY 1, 2`),
}

func schema(t *testing.T, d *db.DB) []column {
	t.Helper()
	all, err := db.All(t.Context(), d, func(row db.Row, c *column) error { return row.Scan(&c.table, &c.name, &c.kind) }, schemaStmts[d.Engine()])
	if err != nil || len(all) < 100 {
		t.Fatalf("%d columns, %v", len(all), err)
	}
	return all
}

func count(t *testing.T, d *db.DB, c column, condition string, arg any) (n int) {
	t.Helper()
	text := fmt.Sprintf(`SELECT COUNT(*) FROM %s WHERE %s %s`, c.table, c.name, condition)
	if err := d.One(t.Context(), db.SQL("account_test.count "+c.String()+condition, text), arg).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// holding gives the columns in which the user's id or word stands: ids among
// the UUIDs and in texts, the word in texts.
func holding(t *testing.T, d *db.DB, c *apptest.Client) (ids, words []string) {
	t.Helper()
	for _, column := range schema(t, d) {
		switch column.kind {
		case "uuid", "blob":
			if count(t, d, column, "= $1", userID(t, c)) > 0 {
				ids = append(ids, column.String())
			}
		case "text":
			if count(t, d, column, "LIKE $1", "%"+c.UserID+"%") > 0 {
				ids = append(ids, column.String())
			}
			if count(t, d, column, "LIKE $1", "%"+word+"%") > 0 {
				words = append(words, column.String())
			}
		}
	}
	return ids, words
}

var (
	tables    = regexp.MustCompile(`(?s)CREATE TABLE (\w+) \((.*?)\n\)`)
	ofUsers   = regexp.MustCompile(`(?m)^\s+(\w+)\s+UUID\b.*(?:REFERENCES users\b)`)
	likeUsers = regexp.MustCompile(`(?m)^\s+((?:\w+_)?(?:user|author|actor|organizer|owner|reporter|moderator|follower|followed|blocker|blocked)_id|\w+_by)\s+UUID\b`)
)

// referring gives the columns that name a user, as the migrations say or their
// names suggest.
func referring(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../platform/db/migrations/*.sql")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d migrations, %v", len(files), err)
	}
	var all []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range tables.FindAllStringSubmatch(string(text), -1) {
			for _, form := range []*regexp.Regexp{ofUsers, likeUsers} {
				for _, found := range form.FindAllStringSubmatch(table[2], -1) {
					all = append(all, table[1]+"."+found[1])
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TestDeletedAccountLeavesNothing gives somebody a row in every table that
// names a user, deletes them, and looks for their id and their words in every
// column of the database. A new table fails it by name: first until the world
// has a row of it, then until a part forgets it.
func TestDeletedAccountLeavesNothing(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		w := newWorld(t, a)
		ids, words := holding(t, a.DB, w.doomed)
		for _, column := range referring(t) {
			if !slices.Contains(ids, column) {
				t.Errorf("%s names a user, but not doomed: give them a row there", column)
			}
		}
		w.doomed.Delete("/me").Want(204)
		a.Clock.Advance(time.Hour)
		a.RunJobs()
		left, said := holding(t, a.DB, w.doomed)
		for _, column := range left {
			if stays[column] == "" {
				t.Errorf("%s still has the id of a deleted account", column)
			}
		}
		for _, column := range said {
			if speaks[column] == "" {
				t.Errorf("%s still has a text of a deleted account", column)
			}
		}
		for column := range stays {
			if !slices.Contains(ids, column) {
				t.Errorf("%s may keep the id, but never had it", column)
			}
		}
		for column := range speaks {
			if !slices.Contains(words, column) {
				t.Errorf("%s may keep a text, but never had one", column)
			}
		}
	}, options...)
}

// TestOthersAfterDeletion is what stays for the others: counts that are right
// and nobody in the place of the one who is gone.
func TestOthersAfterDeletion(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		w := newWorld(t, a)
		w.friend.Post("/notifications/read-all", nil).Want(200)
		gone := w.doomed.With("Cookie", "service_refresh_token="+w.doomed.RefreshToken).Delete("/me").Want(204)
		if cookie := gone.Header.Get("Set-Cookie"); !strings.Contains(cookie, "service_refresh_token=;") || !strings.Contains(cookie, "Max-Age=0") {
			t.Errorf("the cookie is %q", cookie)
		}
		a.RunJobs()
		for _, c := range []*apptest.Client{w.doomed, w.laptop} {
			c.Get("/me").WantError(401, "unauthorized")
			a.Anonymous().Post("/auth/refresh", fields{"refresh_token": c.RefreshToken}).WantError(401, "unauthorized")
		}
		for _, path := range []string{"/profile", "/follow"} {
			w.friend.Get("/users/"+w.doomed.UserID+path).WantError(404, "not_found")
		}
		w.friend.Post("/users/"+w.doomed.UserID+"/block", nil).WantError(404, "not_found")
		thread := w.friend.Get("/events/" + w.friends + "/posts").Want(200)
		for path, want := range map[string]any{
			"items.0.post.like_count": 1.0, "items.0.post.repost_count": 1.0, "items.0.post.comment_count": 1.0,
			"items.0.comments.0.author": nil, "items.0.comments.0.body": "",
		} {
			if got := thread.Get(path); got != want {
				t.Errorf("%s is %v, want %v: %s", path, got, want, thread.Body)
			}
		}
		for path, want := range map[string]map[string]any{
			"/events/" + w.friends:            {"participant_count": 0.0, "social_proof.review_count": 0.0, "social_proof.average_rating": nil},
			"/events/" + w.over:               {"organizer": nil, "event.status": "completed", "participant_count": 1.0, "social_proof.review_count": 1.0},
			"/events/" + w.coming:             {"organizer": nil, "event.status": "canceled"},
			"/notifications?unread_only=true": {"items.0.kind": "event_canceled", "items.0.actor": nil},
		} {
			seen := w.friend.Get(path).Want(200)
			for field, want := range want {
				if got := seen.Get(field); got != want {
					t.Errorf("%s: %s is %v, want %v: %s", path, field, got, want, seen.Body)
				}
			}
		}
		if chat := w.friend.Get("/events/" + w.friends + "/messages").Want(200); strings.Contains(string(chat.Body), word) {
			t.Errorf("the chat still says %s", chat.Body)
		}
		var drafts int
		if err := a.DB.One(t.Context(), draftsStmt, userID(t, w.doomed)).Scan(&drafts); err != nil || drafts != 0 {
			t.Errorf("%d drafts are left, %v", drafts, err)
		}
		if again := a.SignIn("doomed@example.org"); again.UserID == w.doomed.UserID {
			t.Error("the address opens the deleted account")
		}
	}, options...)
}

var draftsStmt = db.SQL("account_test.drafts", `SELECT COUNT(*) FROM events WHERE organizer_id = $1 AND status = 'draft'`)

// TestExport holds what the person wrote and did, and nothing of others but ids.
func TestExport(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		w := newWorld(t, a)
		reply := w.doomed.Get("/me/export").Want(200)
		if h := reply.Header.Get("Content-Disposition"); h != `attachment; filename="moothall-export.json"` {
			t.Errorf("Content-Disposition is %q", h)
		}
		var parts map[string]json.RawMessage
		if err := json.Unmarshal(reply.Body, &parts); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string][]string{
			"account":       {`"doomed@example.org"`, `"+79991230602"`, `"doomed1"`, `"Doomed City"`},
			"sign_in":       {`"https://idp.example"`, w.laptop.SessionID},
			"relations":     {w.friend.UserID, a.As("foe").UserID},
			"events":        {w.over, w.coming, "A doomed draft"},
			"attendance":    {`"incognito"`, "Come, says doomed", w.friends},
			"posts":         {"doomed post", "doomed comment", w.post},
			"chat":          {"doomed message"},
			"dates":         {"doomed note"},
			"reminders":     {},
			"calendar":      {"doomed dinner", "doomed notes"},
			"feed":          {"Doomed City"},
			"reviews":       {"doomed review"},
			"reports":       {"doomed report", "doomed decision"},
			"payments":      {"verified", "RUB"},
			"notifications": {"event_joined", "user_followed"},
		} {
			for _, text := range want {
				if !strings.Contains(string(parts[name]), text) {
					t.Errorf("%s lacks %s: %s", name, text, parts[name])
				}
			}
			delete(parts, name)
		}
		for name, part := range parts {
			t.Errorf("nobody looks at %s: %s", name, part)
		}
		for _, secret := range []string{"friend@example.org", "A reply", "Welcome", "Another", a.As("enemy").UserID, w.doomed.RefreshToken} {
			if strings.Contains(string(reply.Body), secret) {
				t.Errorf("the export has %s, which is not doomed's: %s", secret, reply.Body)
			}
		}
		for _, operation := range []string{"GET /me/export", "DELETE /me"} {
			method, path, _ := strings.Cut(operation, " ")
			a.Anonymous().Do(method, path, nil).WantError(401, "unauthorized")
		}
	}, options...)
}
