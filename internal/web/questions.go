package web

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// answersOf returns the questions of an event and the visitor's answers.
func (s *Site) answersOf(ctx context.Context, event uuid.UUID) (*gen.EventAnswersResponse, error) {
	return s.api.ListAnswers(ctx, gen.ListAnswersParams{EventID: event, Mine: gen.NewOptBool(true)})
}

// sentAnswers are the answers in the form of an action. names has the field of each.
type sentAnswers struct {
	list  []gen.Answer // nil: the form does not ask
	names []string
}

// formAnswers reads the answers to the questions of an event from a form.
func (s *Site) formAnswers(ctx context.Context, form url.Values, action string) (sent sentAnswers, err error) {
	if !form.Has(view.QuestionsField) {
		return sent, nil
	}
	questions, err := s.api.ListQuestions(ctx, gen.ListQuestionsParams{EventID: formID(form, "event_id")})
	if err != nil {
		return sent, err
	}
	sent.list = []gen.Answer{}
	people := 1
	if party := formParty(form).Value; party.Validate() == nil { // the API refuses other numbers
		people = int(party)
	}
	for person := range people {
		for _, q := range questions.Items {
			if (q.AppliesTo == gen.QuestionScopeCompanion) == (person > 0) {
				sent.add(form, view.AnswerField(action, q.ID, person), q, person)
			}
		}
	}
	return sent, nil
}

// add adds the answer of a person.
func (sent *sentAnswers) add(form url.Values, name string, q gen.EventQuestion, person int) {
	a := gen.Answer{QuestionID: q.ID}
	if person > 0 {
		a.Companion = gen.NewOptInt(person)
	}
	switch q.Kind {
	case gen.QuestionKindChoices:
		a.Value = gen.NewStringArrayAnswerValue(append([]string{}, form[name]...))
	case gen.QuestionKindCheckbox:
		a.Value = gen.NewBoolAnswerValue(form.Has(name))
	default:
		a.Value = gen.NewStringAnswerValue(lines(form, name))
	}
	sent.list, sent.names = append(sent.list, a), append(sent.names, name)
}

// renamed gives the answers in a refusal the names that they have in the form.
func (sent sentAnswers) renamed(err error) error {
	names := map[string]string{}
	for i, name := range sent.names {
		for _, field := range []string{"question_id", "value", "companion"} {
			names[fmt.Sprintf("answers/%d/%s", i, field)] = name
		}
	}
	return renamed(err, names)
}

// questions shows hosts what an event asks its guests.
func (s *Site) questions(ctx context.Context, v *visit) (templ.Component, error) {
	details, err := s.hostedEvent(ctx, v)
	if err != nil {
		return nil, err
	}
	questions, err := s.api.ListQuestions(ctx, gen.ListQuestionsParams{EventID: v.id("event_id")})
	if err != nil {
		return nil, err
	}
	v.page.Title = v.page.T("questions.of", "Event", v.page.EventTitle(details.Response.Event.Title))
	return view.Questions(v.page, view.QuestionsData{Details: &details.Response, Questions: questions.Items}), nil
}

// setQuestions stores the questions of the form, without those that are empty or removed.
func (s *Site) setQuestions(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	request := &gen.SetQuestionsRequest{Items: []gen.QuestionInput{}}
	var rows []int // of the items
	for i := 0; form.Has(view.QuestionField(i, "label")); i++ {
		get := func(name string) string { return strings.TrimSpace(lines(form, view.QuestionField(i, name))) }
		if get("remove") != "" || get("label") == "" && get("id") == "" {
			continue
		}
		q := gen.QuestionInput{Kind: gen.QuestionKind(get("kind")), Label: get("label"), Required: gen.NewOptBool(get("required") != ""),
			AtDoor: gen.NewOptBool(get("at_door") != "")}
		if id, err := uuid.Parse(get("id")); err == nil {
			q.ID = gen.NewOptUUID(id)
		}
		if scope := get("applies_to"); scope != "" {
			q.AppliesTo = gen.NewOptQuestionScope(gen.QuestionScope(scope))
		}
		if q.Kind == gen.QuestionKindChoice || q.Kind == gen.QuestionKindChoices {
			q.Options = strings.FieldsFunc(get("options"), func(r rune) bool { return r == '\n' })
		}
		request.Items, rows = append(request.Items, q), append(rows, i)
	}
	_, err := s.api.SetQuestions(ctx, request, gen.SetQuestionsParams{EventID: formID(form, "event_id")})
	return back(form), inRows(err, rows)
}

// inRows gives the fields in a refusal of questions the names that they have in the form, where the items have other numbers.
func inRows(err error, rows []int) error {
	problem, refused := errors.AsType[*view.Problem](err)
	if !refused {
		return err
	}
	for i, field := range problem.Fields {
		parts := strings.Split(field.Name, "/")
		var item int
		if _, err := fmt.Sscan(strings.Join(parts[1:min(2, len(parts))], ""), &item); err == nil && len(parts) > 2 && item < len(rows) {
			problem.Fields[i].Name = view.QuestionField(rows[item], parts[2])
		}
	}
	return problem
}

// readQuestions adds the questions of the event to the page of the guests.
func (s *Site) readQuestions(ctx context.Context, d *view.GuestsData) error {
	if !d.Details.HasQuestions {
		return nil
	}
	questions, err := s.api.ListQuestions(ctx, gen.ListQuestionsParams{EventID: d.Details.Event.ID})
	if err == nil {
		d.Questions = questions.Items
	}
	return err
}

// filterGuests selects guests by the query of their page. It ignores what is malformed.
func filterGuests(query url.Values, params *gen.ListParticipantsParams, d *view.GuestsData) {
	if n, err := strconv.Atoi(query.Get(view.MinPartyField)); err == nil && 1 < n && n <= d.Details.Event.MaxPartySize {
		d.MinParty, params.MinPartySize = n, gen.NewOptInt(n)
	}
	question, answer, _ := strings.Cut(query.Get(view.AnswerParam), ":")
	if id, err := uuid.Parse(question); err == nil {
		d.Answer, params.QuestionID = query.Get(view.AnswerParam), gen.NewOptUUID(id)
		params.Answer = gen.OptString{Value: answer, Set: answer != ""}
	}
}
