package meetup_test

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

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// options make leaver a moderator who can sell.
var options = []apptest.Option{
	apptest.StartAt(apptest.Today), apptest.Setting("ACCESS_TOKEN_TTL", "24h"),
	apptest.Setting("MODERATION_ADMIN_EMAILS", "leaver@example.org"),
	apptest.Setting("PAYMENTS_ENABLED", "true"),
	apptest.Setting("PAYMENT_WEBHOOK_SECRETS", "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="),
}

// keepsID lists the columns that may contain the id of a deleted account.
var keepsID = map[string]string{
	"users.id":                        "tombstone that other rows refer to",
	"events.organizer_id":             "past and canceled events remain without organizer",
	"posts.author_id":                 "posts remain with their event, without author",
	"comments.author_id":              "tombstones keep replies connected",
	"messages.author_id":              "empty messages keep the order of the chat",
	"invitations.invited_by":          "invitations remain with the guests",
	"moderation_actions.moderator_id": "the audit trail never changes",
	"reports.target_id":               "reports about a user remain for the moderators",
	"notifications.actor_id":          "notifications of others; the name is read when they are shown",
	"notifications.subject":           "notifications of others",
	"broadcasts.actor_id":             "as in notifications",
}

// keepsText lists the columns that may contain a text of a deleted account.
var keepsText = map[string]string{
	"reports.comment":         "reports remain for the moderators, without the reporter",
	"posts.body":              "posts remain with their event",
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
	all, err := db.All(t.Context(), d, func(row db.Row, c *column) error { return row.Scan(&c.table, &c.name, &c.kind) },
		schemaStmts[d.Engine()])
	if err != nil || len(all) < 100 {
		t.Fatalf("%d columns, %v", len(all), err)
	}
	return all
}

func accountCount(t *testing.T, d *db.DB, c column, condition string, arg any) (n int) {
	t.Helper()
	text := fmt.Sprintf(`SELECT COUNT(*) FROM %s WHERE %s %s`, c.table, c.name, condition)
	if err := d.One(t.Context(), db.SQL("account_test.count "+c.String()+condition, text), arg).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// columnsOf returns the columns that contain the id of a user, as UUID or in a
// text, and the columns that contain word.
func columnsOf(t *testing.T, d *db.DB, c *apptest.Client) (ids, words []string) {
	t.Helper()
	for _, column := range schema(t, d) {
		switch column.kind {
		case "uuid", "blob":
			if accountCount(t, d, column, "= $1", c.ID()) > 0 {
				ids = append(ids, column.String())
			}
		case "text":
			if accountCount(t, d, column, "LIKE $1", "%"+c.UserID+"%") > 0 {
				ids = append(ids, column.String())
			}
			if accountCount(t, d, column, "LIKE $1", "%"+word+"%") > 0 {
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

// userColumns returns the columns with user ids, by foreign key or by name.
func userColumns(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../platform/db/migrations/*.sql")
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

// TestDeletionErasesEveryColumn deletes the account of leaver, who has a row in every
// table with user ids. Then it searches every column of the database for the id and the
// word. A new table fails the test until the world has a row in it and a section erases
// that row.
func TestDeletionErasesEveryColumn(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		w := newWorld(t, a)
		ids, words := columnsOf(t, a.DB, w.leaver)
		for _, column := range userColumns(t) {
			if !slices.Contains(ids, column) {
				t.Errorf("%s has user ids, but not that of leaver: add a row to the world", column)
			}
		}
		w.leaver.Delete("/me").Want(204)
		a.Clock.Advance(time.Hour)
		a.RunJobs()
		leftIDs, leftWords := columnsOf(t, a.DB, w.leaver)
		for _, column := range leftIDs {
			if keepsID[column] == "" {
				t.Errorf("%s still contains the id of a deleted account", column)
			}
		}
		for _, column := range leftWords {
			if keepsText[column] == "" {
				t.Errorf("%s still contains a text of a deleted account", column)
			}
		}
		for column := range keepsID {
			if !slices.Contains(ids, column) {
				t.Errorf("keepsID lists %s, which never had the id", column)
			}
		}
		for column := range keepsText {
			if !slices.Contains(words, column) {
				t.Errorf("keepsText lists %s, which never had a text", column)
			}
		}
	}, options...)
}

// TestDeletionHidesUserFromOthers checks that others see correct counts and no author or
// organizer.
func TestDeletionHidesUserFromOthers(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		w := newWorld(t, a)
		w.friend.Post("/notifications/read-all", nil).Want(200)
		gone := w.leaver.With("Cookie", "service_refresh_token="+w.leaver.RefreshToken).Delete("/me").Want(204)
		if cookie := gone.Header.Get("Set-Cookie"); !strings.Contains(cookie, "service_refresh_token=;") ||
			!strings.Contains(cookie, "Max-Age=0") {
			t.Errorf("Set-Cookie is %q", cookie)
		}
		a.RunJobs()
		for _, c := range []*apptest.Client{w.leaver, w.laptop} {
			c.Get("/me").WantError(401, "unauthorized")
			a.Anonymous().Post("/auth/refresh", apptest.Fields{"refresh_token": c.RefreshToken}).WantError(401, "unauthorized")
		}
		for _, path := range []string{"/profile", "/follow"} {
			w.friend.Get("/users/"+w.leaver.UserID+path).WantError(404, "not_found")
		}
		w.friend.Post("/users/"+w.leaver.UserID+"/block", nil).WantError(404, "not_found")
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
			"/events/" + w.friends: {"participant_count": 0.0, "social_proof.review_count": 0.0, "social_proof.average_rating": nil},
			"/events/" + w.over: {"organizer": nil, "event.status": "completed", "participant_count": 1.0,
				"social_proof.review_count": 1.0},
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
			t.Errorf("the chat still contains %s", chat.Body)
		}
		if n := a.Count(draftsStmt, w.leaver.ID()); n != 0 {
			t.Errorf("%d drafts are left", n)
		}
		if again := a.SignIn("leaver@example.org"); again.UserID == w.leaver.UserID {
			t.Error("the address signs in to the deleted account")
		}
	}, options...)
}

var draftsStmt = db.SQL("account_test.drafts", `SELECT COUNT(*) FROM events WHERE organizer_id = $1 AND status = 'draft'`)

// TestExportContainsOwnDataOnly checks that the export contains the data of the user, and
// at most ids of others.
func TestExportContainsOwnDataOnly(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		w := newWorld(t, a)
		reply := w.leaver.Get("/me/export").Want(200)
		if h := reply.Header.Get("Content-Disposition"); h != `attachment; filename="moothall-export.json"` {
			t.Errorf("Content-Disposition is %q", h)
		}
		var sections map[string]json.RawMessage
		if err := json.Unmarshal(reply.Body, &sections); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string][]string{
			"account":        {`"leaver@example.org"`, `"+79991230602"`, `"leaver1"`, `"Leaver City"`},
			"passkeys":       {"leaver laptop"},
			"api_keys":       {"leaver printer", "events:read"},
			"webhooks":       {"https://example.com/leaver", "attendance.joined"},
			"sign_in":        {`"https://idp.example"`, w.laptop.SessionID},
			"relations":      {w.friend.UserID, a.As("foe").UserID},
			"series":         {"leaver circle", w.series},
			"group_sources":  {"https://calendar.example.com/leaver.ics"},
			"groups":         {"leaver group", "leaver announcement", w.group, `"incognito"`},
			"events":         {w.over, w.coming, "A leaver draft"},
			"imports":        {"A leaver import"},
			"hosts":          {`"active"`},
			"attendance":     {`"incognito"`, "Come, says leaver", w.friends},
			"posts":          {"leaver post", "leaver comment", w.post},
			"guest_messages": {"leaver advice", "going"},
			"answers":        {"leaver eats anything"},
			"chat":           {"leaver message", "read_up_to"},
			"dates":          {"leaver note"},
			"reminders":      {},
			"calendar":       {"leaver dinner", "leaver notes"},
			"feed":           {"Leaver City"},
			"reviews":        {"leaver review"},
			"reports":        {"leaver report", "leaver decision"},
			"payments":       {"verified", "RUB"},
			"notifications":  {"event_joined", "user_followed"},

			"idempotency_keys":         {"leaver-comment"},
			"push_subscriptions":       {"leaver.example.com"},
			"notification_preferences": {"Asia/Tomsk", "event_post", w.friends, `"sequence":7`, `"soft_bounces":2`},
			"pictures":                 {apptest.BaseURL + "/media/"},
		} {
			for _, text := range want {
				if !strings.Contains(string(sections[name]), text) {
					t.Errorf("%s does not contain %s: %s", name, text, sections[name])
				}
			}
			delete(sections, name)
		}
		for name, section := range sections {
			t.Errorf("the test does not check %s: %s", name, section)
		}
		for _, secret := range []string{"friend@example.org", "A reply", "Welcome", "Another", a.As("enemy").UserID, w.leaver.RefreshToken} {
			if strings.Contains(string(reply.Body), secret) {
				t.Errorf("the export contains %s of another user: %s", secret, reply.Body)
			}
		}
		for _, operation := range []string{"GET /me/export", "DELETE /me"} {
			method, path, _ := strings.Cut(operation, " ")
			a.Anonymous().Do(method, path, nil).WantError(401, "unauthorized")
		}
	}, options...)
}

// TestDeletionErasesUnattendedEvents checks which events of a deleted account others see.
func TestDeletionErasesUnattendedEvents(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		leaver, friend := a.As("leaver"), a.As("friend")
		past := apptest.Fields{"starts_at": "2026-05-20T16:00:00Z", "description": "leaver text"}
		coming := apptest.Fields{"description": "leaver text", "city": "Moscow", "lat": 55.7, "lng": 37.6}
		private := apptest.Fields{"description": "leaver text", "visibility": "private"}
		attended, lonely, canceledDraft := leaver.Publish(coming), leaver.Publish(coming), leaver.Draft(coming)
		friend.Join(attended)
		leaver.Join(lonely)
		leaver.Post("/events/"+lonely+"/posts", apptest.Fields{"body": "leaver text"}).Want(201)
		leaver.Post("/events/"+canceledDraft+"/cancel", nil).Want(200)
		friend.Get("/events/"+canceledDraft).WantError(404, "not_found")
		invited := leaver.Publish(private)
		leaver.Post("/events/"+invited+"/invitations", apptest.Fields{"email": "friend@example.org"}).Want(201)
		over := leaver.Publish(past)
		friend.Get("/events/" + over).Want(200)
		leaver.Delete("/me").Want(204)
		a.RunJobs()
		if got := friend.Get("/events/" + attended).Want(200); got.Get("event.description") != "leaver text" ||
			got.Text("event.status") != "canceled" {
			t.Errorf("the guest of a canceled event sees %s", got.Body)
		}
		for what, id := range map[string]string{"coming": lonely, "canceled draft": canceledDraft, "private": invited, "over": over} {
			friend.Get("/events/"+id).WantError(404, "not_found")
			a.Anonymous().Get("/events/"+id).WantError(404, "not_found")
			if list := friend.Get("/notifications").Want(200); strings.Contains(string(list.Body), id) {
				t.Errorf("%s: a notification names the event: %s", what, list.Body)
			}
		}
		if n := a.Count(textsOfUnattendedStmt, leaver.ID()); n != 0 {
			t.Errorf("%d texts are left", n)
		}
		if list := friend.Get("/events").Want(200); list.Get("items.0") != nil {
			t.Errorf("the list shows %s", list.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

var textsOfUnattendedStmt = db.SQL("account_test.texts_of_unattended", `
	SELECT (SELECT COUNT(*) FROM events WHERE organizer_id = $1 AND published_at IS NULL AND (description IS NOT NULL OR city IS NOT NULL
		OR lat IS NOT NULL))
		+ (SELECT COUNT(*) FROM posts WHERE author_id = $1 AND body <> '')`)
