package browser

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/web/view"
)

// TestQuestions asks guests without scripts: the host writes questions, a guest joins, is told what is missing, changes an answer, and
// the host selects guests by it.
func TestQuestions(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	event := a.As("org").Publish(apptest.Fields{"max_party_size": 3})
	org, ben, page := signedIn(t, a, "org"), signedIn(t, a, "ben"), "/events/"+event
	save := func(fields url.Values) answer {
		t.Helper()
		fields.Set("event_id", event)
		return org.submit("setQuestions", page+"/questions", fields)
	}
	wrong := save(url.Values{"items/0/label": {""}, "items/0/id": {""}, "items/0/kind": {"text"}, "items/1/label": {"What do you eat?"},
		"items/1/kind": {"choice"}, "items/1/options": {""}})
	if wrong.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(wrong.Body, `id="error-items/1/options"`) {
		t.Errorf("%d %s", wrong.StatusCode, wrong.Body)
	}
	saved := save(url.Values{"items/0/label": {"What do you eat?"}, "items/0/kind": {"choice"}, "items/0/required": {"true"},
		"items/0/options": {"everything\r\nvegetarian\r\n"}, "items/1/label": {"Name?"}, "items/1/kind": {"text"},
		"items/1/applies_to": {"companion"}, "items/1/required": {"true"}, "items/2/label": {""}, "items/2/kind": {"text"}})
	if saved.StatusCode != http.StatusSeeOther {
		t.Fatalf("%d %s", saved.StatusCode, saved.Body)
	}
	questions := a.As("org").Get(page + "/questions").Want(200)
	meal, name := uuid.MustParse(questions.Text("items.0.id")), uuid.MustParse(questions.Text("items.1.id"))
	shows(t, org.open(page+"/questions").Body, "What do you eat?", "everything\nvegetarian", "the guest, for each companion")

	shows(t, ben.open(page).Body, "What do you eat?", "vegetarian", "Companion 2")
	field, companion := view.AnswerField("joinEvent", meal, 0), view.AnswerField("joinEvent", name, 1)
	join := url.Values{"event_id": {event}, "questions": {"1"}, "party_size": {"2"}, field: {"vegetarian"}, companion: {""}}
	if missing := ben.submit("joinEvent", page, join); missing.StatusCode != http.StatusUnprocessableEntity ||
		!strings.Contains(missing.Body, `id="error-`+companion+`"`) || !strings.Contains(missing.Body, `<option value="vegetarian" selected`) {
		t.Errorf("%d %s", missing.StatusCode, missing.Body)
	}
	join.Set("party_size", "2000000000") // as many answers would not fit into memory
	if crowd := ben.submit("joinEvent", page, join); crowd.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a party of 2,000,000,000: %d", crowd.StatusCode)
	}
	join.Set("party_size", "2")
	join.Set(companion, "Cleo")
	if joined := ben.submit("joinEvent", page, join); joined.StatusCode != http.StatusSeeOther {
		t.Fatalf("%d %s", joined.StatusCode, joined.Body)
	}
	shows(t, ben.open(page).Body, "Your answers", "Cleo")
	choice := url.QueryEscape(meal.String() + ":vegetarian")
	shows(t, org.open(page+"/guests?party=2&answer="+choice).Body, "What do you eat?", "Cleo", "Download answers")
	ben.step("changeParticipation", page, map[string]string{"event_id": event, "questions": "1", "party_size": "1",
		view.AnswerField("changeParticipation", meal, 0): "everything"})
	shows(t, org.open(page+"/guests?answer="+choice).Body, "No guest matches.")

	removed := save(url.Values{"items/0/label": {"What do you eat?"}, "items/0/id": {meal.String()}, "items/0/kind": {"choice"},
		"items/0/options": {"everything"}, "items/1/label": {"Name?"}, "items/1/id": {name.String()}, "items/1/kind": {"text"},
		"items/1/remove": {"true"}})
	if n := a.As("org").Get(page + "/questions").Want(200).Len("items"); removed.StatusCode != http.StatusSeeOther || n != 1 {
		t.Errorf("%d questions are left: %d %s", n, removed.StatusCode, removed.Body)
	}
}

// TestLinkLeadsToQuestions accepts an invitation link of an event that asks something: its page shows the questions.
func TestLinkLeadsToQuestions(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	event := a.As("org").Publish(apptest.Fields{"visibility": "private"})
	a.As("org").Put("/events/"+event+"/questions", apptest.Fields{"items": []any{
		apptest.Fields{"kind": "text", "label": "What do you eat?", "required": true}}}).Want(200)
	link := a.As("org").Post("/events/"+event+"/invite-links", nil).Want(201).Text("url")
	path := "/i/" + link[strings.LastIndexByte(link, '/')+1:]
	ben := signedIn(t, a, "ben")
	to := ben.step("joinEvent", path, map[string]string{"token": link[strings.LastIndexByte(link, '/')+1:]})
	shows(t, ben.open(to).Body, "What do you eat?", "Will you come?")
}
