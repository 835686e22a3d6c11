package browser

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

var (
	manyUsersStmt = db.SQL("browser_test.users", `
		INSERT INTO users (id, email_verified, test_profile, created_at) SELECT l.value, FALSE, FALSE, $2 FROM ids($1) AS l`)

	manyProfilesStmt = db.SQL("browser_test.profiles", `
		INSERT INTO profiles (user_id, display_name, username, interests, words, created_at, updated_at)
		SELECT l.value, 'Guest ' || l.ord, 'guest_' || $3 || '_' || l.ord, '[]', '', $2, $2 FROM ids($1) AS l`)

	manyGuestsStmt = db.SQL("browser_test.participants", `
		INSERT INTO participants (event_id, user_id, id, status, visibility, slot, joined_at, created_at, updated_at, party)
		SELECT $2, l.value, l.value, 'going', 'public', 0, $3, $3, $3, 2 FROM ids($1) AS l`)

	manyAnswersStmt = db.SQL("browser_test.answers", `
		INSERT INTO event_answers (event_id, user_id, question_id, companion, item, value)
		SELECT $2, l.value, $3, 0, 0, CASE WHEN l.ord % 40 = 0 THEN 'vegetarian' ELSE 'everything' END FROM ids($1) AS l`)
)

// fillGuests adds guests with answers to an event, whose question it sets. It returns the question.
func fillGuests(t *testing.T, a *apptest.App, event string, guests int) string {
	t.Helper()
	question := a.As("org").Put("/events/"+event+"/questions", apptest.Fields{"items": []any{apptest.Fields{"kind": "choice",
		"label": "What do you eat?", "options": []string{"everything", "vegetarian"}}}}).Want(http.StatusOK).Text("items.0.id")
	id, _ := domain.ParseID[domain.EventKind](event)
	asked, _ := domain.ParseID[domain.QuestionKind](question)
	users, now := make([]domain.UserID, guests), a.Clock.Now()
	for i := range users {
		users[i] = domain.NewID[domain.UserKind](now)
	}
	err := a.DB.InTx(t.Context(), func(tx db.Tx) error {
		tx.Queue(t.Context(), manyUsersStmt, users, now)
		tx.Queue(t.Context(), manyProfilesStmt, users, now, guests)
		tx.Queue(t.Context(), manyGuestsStmt, users, id, now)
		tx.Queue(t.Context(), manyAnswersStmt, users, id, asked)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return question
}

// TestGuestsTakeFewStatements reads the guests of an event with 5 guests and of one with 5000: each page has as many statements, and the
// filter finds the same guests on pages as in the list.
func TestGuestsTakeFewStatements(t *testing.T) {
	var statements atomic.Int64
	a := apptest.New(t, db.SQLite, append(settings, apptest.OnStatement(func(context.Context, *db.Stmt) { statements.Add(1) }))...)
	org := signedIn(t, a, "org")
	counted := func(path string, enough int64) (fewest int64, body string) {
		for i := 0; i < 3 || fewest > enough && i < 100; i++ { // others are statements of jobs, or read past caches after a write
			before := statements.Load()
			body = org.open(path).Body
			if n := statements.Load() - before; fewest == 0 || n < fewest {
				fewest = n
			}
		}
		return fewest, body
	}
	var counts [2][]int64
	for i, guests := range []int{5, 5000} {
		event := a.As("org").Publish(apptest.Fields{"title": fmt.Sprint(guests), "max_party_size": 2})
		question := fillGuests(t, a, event, guests)
		page := "/events/" + event + "/guests"
		for k, query := range []string{"", "?party=2", "?answer=" + question + "%3Avegetarian"} {
			enough := int64(100)
			if guests == 5000 {
				enough = counts[0][k]
			}
			n, body := counted(page+query, enough)
			counts[i] = append(counts[i], n)
			if shown := strings.Count(body, `<dd dir="auto">`); guests == 5000 && shown != 50 {
				t.Errorf("%s shows the answers of %d guests", query, shown)
			}
		}
	}
	if fmt.Sprint(counts[0]) != fmt.Sprint(counts[1]) || counts[0][0] == 0 {
		t.Errorf("5 guests take %v statements, 5000 guests %v", counts[0], counts[1])
	}
}
