package meetup_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

type list = []any

// asking publishes an event that asks guests what they eat and whether they come by bike, and companions for their names.
func asking(a *apptest.App, changes apptest.Fields) (path, meal, bike, name string) {
	fields := apptest.Fields{"max_party_size": 4, "starts_at": "2026-06-10T16:00:00Z"}
	maps.Copy(fields, changes)
	path = "/events/" + a.As("org").Publish(fields)
	set := a.As("org").Put(path+"/questions", apptest.Fields{"items": list{
		apptest.Fields{"kind": "choice", "label": "What do you eat?", "options": list{"everything", "vegetarian"}, "required": true},
		apptest.Fields{"kind": "checkbox", "label": "By bike?"},
		apptest.Fields{"kind": "text", "label": "Name?", "required": true, "applies_to": "companion"},
	}}).Want(200)
	return path, set.Text("items.0.id"), set.Text("items.1.id"), set.Text("items.2.id")
}

func answer(question string, value any, companion ...int) apptest.Fields {
	a := apptest.Fields{"question_id": question, "value": value}
	if len(companion) > 0 {
		a["companion"] = companion[0]
	}
	return a
}

func answers(all ...any) apptest.Fields { return apptest.Fields{"answers": append(list{}, all...)} }

var countAnswersStmt = db.SQL("meetup_test.answers", `SELECT (SELECT COUNT(*) FROM event_answers a WHERE $1 = '' OR a.value = $1),
	(SELECT COUNT(*) FROM event_questions)`)

// stored returns the numbers of stored answers, with a value if it is not empty, and of questions.
func stored(t *testing.T, a *apptest.App, value string) (answers, questions int) {
	t.Helper()
	if err := a.DB.One(t.Context(), countAnswersStmt, value).Scan(&answers, &questions); err != nil {
		t.Fatal(err)
	}
	return answers, questions
}

// own returns the answers of a user as texts.
func own(c *apptest.Client, path string) string {
	mine := c.Get(path + "/answers?mine=true").Want(200)
	var all []string
	for i := range mine.Len("items") {
		for k := range mine.Len(fmt.Sprintf("items.%d.answers", i)) {
			all = append(all, fmt.Sprint(mine.Get(fmt.Sprintf("items.%d.answers.%d.value", i, k))))
		}
	}
	return strings.Join(all, " ")
}

// forbidden fails the test unless a body is refused for a reason.
func forbidden(t *testing.T, c *apptest.Client, path string, body any, reason string) {
	t.Helper()
	got := c.With("Accept", "application/problem+json").In(t).Do("POST", path, body)
	if got.Status != 403 || got.Text("reason") != reason {
		t.Errorf("%s %v: %d %s, want 403 %s", path, body, got.Status, got.Body, reason)
	}
}

// TestJoinAnswersQuestions follows the answers of a guest: required, read by host and guest, replaced until the start, and deleted when
// the guest leaves.
func TestJoinAnswersQuestions(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		start := apptest.Today.Add(5 * time.Minute)
		path, meal, bike, name := asking(a, apptest.Fields{"starts_at": start.Format(time.RFC3339)})
		org, ann := a.As("org"), a.As("ann")
		if ann.Get(path).Get("has_questions") != true {
			t.Error("the details do not say that the event has questions")
		}
		forbidden(t, ann, path+"/join", nil, "answers_required")
		forbidden(t, ann, path+"/join", answers(), "answers_required")
		ann.Post(path+"/join", answers(answer(meal, "vegetarian"), answer(bike, true))).Want(200)
		if got := own(ann, path); got != "vegetarian true" {
			t.Errorf("answered %q", got)
		}
		ann.Post(path+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		forbidden(t, ann, path+"/join", apptest.Fields{"party_size": 2}, "answers_required")
		party := answers(answer(meal, "everything"), answer(name, "Ben", 1))
		party["party_size"] = 2
		ann.Post(path+"/join", party).Want(200)
		if got := own(ann, path); got != "everything Ben" {
			t.Errorf("answered again %q", got)
		}
		listed := org.Get(path + "/answers?question_id=" + meal + "&answer=everything").Want(200)
		if listed.Len("items") != 1 || listed.Text("items.0.status") != "going" || listed.Text("items.0.profile.user_id") != ann.UserID ||
			listed.Number("items.0.answers.1.companion") != 1 {
			t.Errorf("the host reads %s", listed.Body)
		}
		if n := org.Get(path + "/answers?question_id=" + meal + "&answer=vegetarian").Want(200).Len("items"); n != 0 {
			t.Errorf("%d guests have another answer", n)
		}
		ann.Post(path+"/join", apptest.Fields{"party_size": 1}).Want(200)
		if got := own(ann, path); got != "everything" {
			t.Errorf("without the companion %q", got)
		}
		a.Clock.Set(start)
		forbidden(t, ann, path+"/join", answers(answer(meal, "vegetarian")), "event_ended")
		ann.Delete(path + "/join").Want(200)
		if got := own(ann, path); got != "" {
			t.Errorf("after leaving %q", got)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestWrongAnswersAreNamed is the table of answers that do not fit.
func TestWrongAnswersAreNamed(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today))
	path, meal, bike, name := asking(a, nil)
	choices := a.As("org").Put(path+"/questions", apptest.Fields{"items": list{
		apptest.Fields{"id": meal, "kind": "choice", "label": "What do you eat?", "options": list{"everything", "vegetarian"}, "required": true},
		apptest.Fields{"id": bike, "kind": "checkbox", "label": "By bike?"},
		apptest.Fields{"id": name, "kind": "text", "label": "Name?", "applies_to": "companion"},
		apptest.Fields{"kind": "choices", "label": "Which days?", "options": list{"one", "two"}},
	}}).Want(200).Text("items.3.id")
	ann := a.As("ann").With("Accept", "application/problem+json")
	fits := answer(meal, "everything")
	for _, row := range []struct {
		name    string
		body    apptest.Fields
		pointer string
	}{
		{"a required answer is missing", answers(answer(bike, true)), "/answers"},
		{"a required answer is empty", answers(answer(meal, "")), "/answers/0/value"},
		{"no option", answers(answer(meal, "meat")), "/answers/0/value"},
		{"a list for a choice", answers(answer(meal, list{"everything"})), "/answers/0/value"},
		{"a text for a checkbox", answers(fits, answer(bike, "true")), "/answers/1/value"},
		{"a number", answers(fits, answer(bike, 1)), "/answers"},
		{"an option twice", answers(fits, answer(choices, list{"one", "one"})), "/answers/1/value"},
		{"an unknown option", answers(fits, answer(choices, list{"three"})), "/answers/1/value"},
		{"a long text", apptest.Fields{"party_size": 2, "answers": list{fits, answer(name, strings.Repeat("a", 501), 1)}}, "/answers/1/value"},
		{"an override of the direction", apptest.Fields{"party_size": 2, "answers": list{fits, answer(name, "\u202e", 1)}}, "/answers/1/value"},
		{"an unknown question", answers(fits, answer("018f3b0a-5c1d-7000-8000-000000000001", "a")), "/answers/1/question_id"},
		{"an answer twice", answers(fits, fits), "/answers/1/question_id"},
		{"a companion for a question to the guest", answers(answer(meal, "everything", 1)), "/answers/0/companion"},
		{"no companion", answers(fits, answer(name, "Ben")), "/answers/1/companion"},
		{"a companion who does not come", answers(fits, answer(name, "Ben", 1)), "/answers/1/companion"},
		{"no list of answers", apptest.Fields{"answers": "none"}, "/answers"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := ann.In(t).Do("POST", path+"/join", row.body)
			if got.Status != 400 || !strings.HasPrefix(got.Text("errors.0.pointer"), row.pointer) {
				t.Errorf("%d %s, want 400 at %s", got.Status, got.Body, row.pointer)
			}
		})
	}
	other := "/events/" + a.As("org").Publish(nil)
	if got := ann.Do("POST", other+"/join", answers(fits)); got.Status != 400 || got.Text("errors.0.pointer") != "/answers" {
		t.Errorf("answers to an event without questions: %d %s", got.Status, got.Body)
	}
	if got := a.As("org").Get(path + "/participants").Want(200).Len("items"); got != 0 {
		t.Errorf("%d guests have joined", got)
	}
}

// TestWrongQuestionsAreNamed is the table of questions that cannot be asked.
func TestWrongQuestionsAreNamed(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today))
	path, meal, _, _ := asking(a, nil)
	org := a.As("org").With("Accept", "application/problem+json")
	text := apptest.Fields{"kind": "text", "label": "Name?"}
	with := func(changes apptest.Fields) apptest.Fields {
		q := apptest.Fields{"kind": "text", "label": "Name?"}
		maps.Copy(q, changes)
		return q
	}
	for _, row := range []struct {
		name    string
		items   list
		pointer string
	}{
		{"an unknown kind", list{with(apptest.Fields{"kind": "color"})}, "/items/0/kind"},
		{"no label", list{text, with(apptest.Fields{"label": " "})}, "/items/1/label"},
		{"a label of two lines", list{with(apptest.Fields{"label": "a\nb"})}, "/items/0/label"},
		{"a long label", list{with(apptest.Fields{"label": strings.Repeat("a", 201)})}, "/items/0/label"},
		{"options of a text", list{with(apptest.Fields{"options": list{"a"}})}, "/items/0/options"},
		{"a choice without options", list{with(apptest.Fields{"kind": "choice"})}, "/items/0/options"},
		{"equal options", list{with(apptest.Fields{"kind": "choice", "options": list{"a", "A"}})}, "/items/0/options"},
		{"a long option", list{with(apptest.Fields{"kind": "choices", "options": list{strings.Repeat("a", 81)}})}, "/items/0/options/0"},
		{"eleven questions", list{text, text, text, text, text, text, text, text, text, text, text}, "/items"},
		{"an unknown id", list{with(apptest.Fields{"id": "018f3b0a-5c1d-7000-8000-000000000001"})}, "/items/0/id"},
		{"an id twice", list{with(apptest.Fields{"id": meal}), with(apptest.Fields{"id": meal})}, "/items/1/id"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := org.In(t).Do("PUT", path+"/questions", apptest.Fields{"items": row.items})
			if got.Status != 400 || got.Text("errors.0.pointer") != row.pointer {
				t.Errorf("%d %s, want 400 at %s", got.Status, got.Body, row.pointer)
			}
		})
	}
	if n := org.Get(path + "/questions").Want(200).Len("items"); n != 3 {
		t.Errorf("%d questions are left of 3", n)
	}
}

// TestReplacedQuestionsKeepAnswers is the table of changes of a question that a guest has answered.
func TestReplacedQuestionsKeepAnswers(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for i, row := range []struct {
			name  string
			item  apptest.Fields // nil: the question is left out
			keeps bool
		}{
			{"another label", apptest.Fields{"kind": "choice", "label": "Food?", "options": list{"vegetarian", "vegan"}}, true},
			{"the chosen option goes", apptest.Fields{"kind": "choice", "label": "Food?", "options": list{"everything"}}, false},
			{"another kind", apptest.Fields{"kind": "choices", "label": "Food?", "options": list{"vegetarian"}}, false},
			{"for companions", apptest.Fields{"kind": "choice", "label": "Food?", "options": list{"vegetarian"}, "applies_to": "companion"}, false},
			{"left out", nil, false},
		} {
			t.Run(row.name, func(t *testing.T) {
				path, meal, _, _ := asking(a, nil)
				org, ann := a.As("org").In(t), a.As(fmt.Sprint("ann", i)).In(t)
				ann.Post(path+"/join", answers(answer(meal, "vegetarian"))).Want(200)
				items := list{}
				if row.item != nil {
					row.item["id"] = meal
					items = list{row.item}
				}
				set := org.Put(path+"/questions", apptest.Fields{"items": items}).Want(200)
				all := org.Get(path + "/answers").Want(200)
				if all.Len("items") != 1 || all.Text("items.0.answers.0.value") != "vegetarian" {
					t.Fatalf("the host reads %s", all.Body)
				}
				kept := set.Len("items") == 1 && set.Text("items.0.id") == meal
				if asked := org.Get(path+"/participants").Want(200).Len("items.0.answers") > 0; kept != row.keeps || asked != row.keeps {
					t.Errorf("kept is %v: %s, %s", kept, set.Body, all.Body)
				}
				if last := all.Text(fmt.Sprintf("questions.%d.id", all.Len("questions")-1)); last != meal {
					t.Errorf("the host does not read the earlier question: %s", all.Body)
				}
			})
		}
	}, apptest.StartAt(apptest.Today))
}

// TestQuestionsHaveLimit replaces answered questions until the event has as many as it may have.
func TestQuestionsHaveLimit(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today))
	org, ann := a.As("org"), a.As("ann")
	path := "/events/" + org.Publish(apptest.Fields{"starts_at": "2026-06-10T16:00:00Z"})
	items := list{}
	for i := range 10 {
		items = append(items, apptest.Fields{"kind": "text", "label": fmt.Sprint("Question ", i)})
	}
	for range 5 {
		set := org.Put(path+"/questions", apptest.Fields{"items": items}).Want(200)
		all := list{}
		for i := range 10 {
			all = append(all, answer(set.Text(fmt.Sprintf("items.%d.id", i)), "yes"))
		}
		ann.Post(path+"/join", answers(all...)).Want(200)
	}
	got := org.With("Accept", "application/problem+json").Do("PUT", path+"/questions", apptest.Fields{"items": items})
	if got.Status != 403 || got.Text("reason") != "question_limit" {
		t.Errorf("%d %s, want 403 question_limit", got.Status, got.Body)
	}
	if n := org.Get(path + "/answers").Want(200).Len("items.0.answers"); n != 50 {
		t.Errorf("%d answers are left of 50", n)
	}
}

// TestAnswersEndWithTheGuest is the table of what deletes the answers of a guest.
func TestAnswersEndWithTheGuest(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		approval, waiting := apptest.Fields{"join_policy": "approval"}, apptest.Fields{"capacity": 1, "waitlist": "offer"}
		for i, row := range []struct {
			name  string
			event apptest.Fields
			full  bool // somebody has the only seat
			end   func(guest *apptest.Client, path, id string)
		}{
			{name: "leave", end: func(c *apptest.Client, path, _ string) { c.Delete(path + "/join").Want(200) }},
			{name: "removal", end: func(_ *apptest.Client, path, id string) { org.Delete(path + "/participants/" + id).Want(204) }},
			{name: "block", end: func(c *apptest.Client, _, _ string) { org.Post("/users/"+c.UserID+"/block", nil).Want(200) }},
			{name: "withdrawal", event: approval, end: func(c *apptest.Client, path, _ string) { c.Delete(path + "/join").Want(200) }},
			{name: "decline", event: approval, end: func(_ *apptest.Client, path, id string) {
				org.Post(path+"/participants/"+id+"/decline", nil).Want(200)
			}},
			{name: "leaving the list", event: waiting, full: true, end: func(c *apptest.Client, path, _ string) {
				c.Delete(path + "/waitlist").Want(204)
			}},
			{name: "removal from the list", event: waiting, full: true, end: func(_ *apptest.Client, path, id string) {
				org.Delete(path + "/waitlist/entries/" + id).Want(204)
			}},
			{name: "the list closes", event: waiting, full: true, end: func(_ *apptest.Client, path, _ string) {
				org.Patch(path, apptest.Fields{"waitlist": "off"}).Want(200)
				a.RunJobs()
			}},
			{name: "deletion of the account", end: func(c *apptest.Client, _, _ string) { c.Delete("/me").Want(204) }},
		} {
			t.Run(row.name, func(t *testing.T) {
				path, meal, _, _ := asking(a, row.event)
				guest, how := a.As(fmt.Sprint("guest", i)).In(t), "/join"
				if row.full {
					a.As("first").Post(path+"/join", answers(answer(meal, "everything"))).Want(200)
					how = "/waitlist"
				}
				joined := guest.Post(path+how, answers(answer(meal, "vegetarian")))
				if n := org.Get(path + "/answers?question_id=" + meal + "&answer=vegetarian").Want(200).Len("items"); n != 1 {
					t.Fatalf("%d guests have answered: %d %s", n, joined.Status, joined.Body)
				}
				row.end(guest, path, joined.Text("id"))
				if n, _ := stored(t, a, "vegetarian"); n != 0 {
					t.Errorf("%d answers are left", n)
				}
			})
		}
	}, apptest.StartAt(apptest.Today))
}

// TestAnswersStayFromRequestToParticipation approves a request, and lets somebody who waits join: nobody is asked again.
func TestAnswersStayFromRequestToParticipation(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben := a.As("org"), a.As("ann"), a.As("ben")
		path, meal, _, _ := asking(a, apptest.Fields{"join_policy": "approval"})
		forbidden(t, ann, path+"/join", nil, "answers_required")
		asked := ann.Post(path+"/join", answers(answer(meal, "vegetarian"))).Want(200)
		if got := org.Get(path + "/participants?status=requested").Want(200); got.Text("items.0.answers.0.value") != "vegetarian" {
			t.Errorf("the organizer sees %s", got.Body)
		}
		org.Post(path+"/participants/"+asked.Text("id")+"/approve", nil).Want(200)
		if got := own(ann, path); got != "vegetarian" {
			t.Errorf("approved: %q", got)
		}

		path, meal, _, _ = asking(a, apptest.Fields{"capacity": 1, "waitlist": "automatic", "starts_at": "2026-07-10T16:00:00Z"})
		ann.Post(path+"/join", answers(answer(meal, "everything"))).Want(200)
		forbidden(t, ben, path+"/waitlist", nil, "answers_required")
		ben.Post(path+"/waitlist", answers(answer(meal, "vegetarian"))).Want(201)
		if got := org.Get(path + "/answers?status=waiting").Want(200); got.Text("items.0.answers.0.value") != "vegetarian" {
			t.Errorf("the organizer sees %s", got.Body)
		}
		ann.Delete(path + "/join").Want(200)
		a.RunJobs()
		if got := org.Get(path + "/participants").Want(200); got.Text("items.0.answers.0.value") != "vegetarian" {
			t.Errorf("promoted: %s", got.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestAnswersAreDeletedAfterNinetyDays lets time pass after an event.
func TestAnswersAreDeletedAfterNinetyDays(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		path, meal, _, _ := asking(a, apptest.Fields{"ends_at": "2026-06-10T18:00:00Z"})
		a.As("ann").Post(path+"/join", answers(answer(meal, "vegetarian"))).Want(200)
		end := time.Date(2026, 6, 10, 18, 0, 0, 0, time.UTC)
		a.Clock.Set(end.Add(90*24*time.Hour - time.Minute))
		a.RunJobs()
		if n, _ := stored(t, a, ""); n != 1 {
			t.Errorf("%d answers before the time", n)
		}
		a.Clock.Set(end.Add(91*24*time.Hour + time.Minute))
		a.RunJobs()
		if n, questions := stored(t, a, ""); n+questions != 0 {
			t.Errorf("%d answers and %d questions after the time", n, questions)
		}
		if a.Anonymous().Get(path).Want(200).Get("has_questions") != false {
			t.Error("the event still has questions")
		}
	}, apptest.StartAt(apptest.Today))
}
