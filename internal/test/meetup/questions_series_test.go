package meetup_test

import (
	"fmt"
	"testing"

	"moothall/internal/test/apptest"
)

// TestCopiesAskTheSame clones an event with questions and makes a series of it. Answers of a member are used for every date, also for one
// that is made later, and for none that asks something else.
func TestCopiesAskTheSame(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben := a.As("org"), a.As("ann"), a.As("ben")
		path, meal, bike, _ := asking(a, nil)
		ann.Post(path+"/join", answers(answer(meal, "everything"))).Want(200)
		clone := "/events/" + org.Post(path+"/clone", nil).Want(201).Text("event.id")
		if got := org.Get(clone + "/questions").Want(200); got.Len("items") != 3 || got.Text("items.0.id") != meal {
			t.Errorf("the clone asks %s", got.Body)
		}
		if got := org.Get(clone).Want(200).Get("has_questions"); got != true {
			t.Errorf("has_questions of the clone is %v", got)
		}
		id := path[len("/events/"):]
		series := beginSeries(org, apptest.Fields{"horizon_days": 21, "questions_event_id": id}, nil)
		joined := func(c *apptest.Client, body any) string {
			r := c.Post(series+"/join", body).Want(200)
			return fmt.Sprint(r.Number("joined"), " ", r.Len("refused"))
		}
		if got := joined(ben, nil); got != "0 3" {
			t.Errorf("without answers, ben joins %s", got)
		}
		ann.Post(series+"/join", answers(answer(meal, "stones"))).WantError(400, "invalid_request")
		org.Put(eventOn(org, series, "06-18")+"/questions", apptest.Fields{"items": list{
			apptest.Fields{"kind": "text", "label": "Which book?", "required": true}}}).Want(200)
		if got := joined(ann, answers(answer(bike, true), answer(meal, "vegetarian"))); got != "2 1" {
			t.Errorf("ann joins %s", got)
		}
		first, other, later := eventOn(org, series, "06-04"), eventOn(org, series, "06-18"), eventOn(org, series, "06-11")
		if got := own(ann, later); got != "vegetarian true" {
			t.Errorf("ann has answered %q", got)
		}
		if got := own(ann, other); got != "" {
			t.Errorf("ann has answered %q where something else is asked", got)
		}
		org.Put(other+"/questions", apptest.Fields{"items": org.Get(first + "/questions").Get("items")}).WantError(400, "invalid_request")
		ann.Post(other+"/join", answers(answer(org.Get(other+"/questions").Text("items.0.id"), "Middlemarch"))).Want(200)
		again := daysLater(a, 7, "org", "ann", "ben")
		a.RunJobs()
		made := eventOn(again[0], series, "06-25")
		if got := own(again[1], made); got != "Middlemarch" {
			t.Errorf("at the date that was made later, ann has answered %q", got)
		}
		if got := again[2].Get(made).Want(200).Get("viewer_participation_status"); got != nil {
			t.Errorf("ben, who has answered nothing, goes: %v", got)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestAnswersStayWithOrganizer lets a host copy the questions of an event to a series of their own. An answer to the organizer of the event
// is not used there.
func TestAnswersStayWithOrganizer(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ben, ann := a.As("org"), a.As("ben"), a.As("ann")
		path, meal, _, _ := asking(a, nil)
		id := path[len("/events/"):]
		newHost(org, ben, id)
		incognito := answers(answer(meal, "vegetarian"))
		incognito["participation_visibility"] = "incognito"
		ann.Post(path+"/join", incognito).Want(200)
		series := beginSeries(ben, apptest.Fields{"horizon_days": 7, "questions_event_id": id}, nil)
		ann.Post(series+"/join", nil).Want(200)
		again := daysLater(a, 7, "ben", "ann")
		a.RunJobs()
		made := eventOn(again[0], series, "06-11")
		if got := own(again[1], made); got != "" {
			t.Errorf("the series of another organizer has the answer %q", got)
		}
		if got := again[0].Get(made + "/answers").Want(200); got.Len("items") != 0 {
			t.Errorf("the host reads %s", got.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestSeriesCopiesOwnQuestions refuses the questions of events that the organizer does not host. A split goes on asking.
func TestSeriesCopiesOwnQuestions(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path, meal, _, _ := asking(a, nil)
		id := path[len("/events/"):]
		body := apptest.Fields{"rrule": "FREQ=WEEKLY;BYDAY=TH", "starts_at": "2026-06-04T19:00:00", "timezone": "Europe/Berlin",
			"template": apptest.Fields{"title": "Reading circle"}, "questions_event_id": id}
		refused := a.As("ann").Header("Accept", "application/problem+json").Post("/event-series", body).Want(400)
		if got := refused.Text("errors.0.pointer"); got != "/questions_event_id" {
			t.Errorf("the refusal names %q", got)
		}
		series := beginSeries(org, apptest.Fields{"horizon_days": 7, "questions_event_id": id}, nil)
		split := org.Post(series+"/split", apptest.Fields{"from": "2026-06-18T19:00:00", "rrule": "FREQ=WEEKLY;BYDAY=FR",
			"starts_at": "2026-06-05T18:00:00"}).Want(201).Text("series.id")
		date := org.Get("/event-series/" + split + "/events").Want(200).Text("items.0.event.id")
		if got := org.Get("/events/" + date + "/questions").Want(200); got.Text("items.0.id") != meal {
			t.Errorf("after a split, the next date asks %s", got.Body)
		}
	}, apptest.StartAt(apptest.Today))
}
