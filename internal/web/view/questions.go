package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"moothall/api/gen"
)

// QuestionsField marks a form that asks the questions of an event.
const QuestionsField = "questions"

// AnswerField is the name of the field of an answer in the form of an action: of the guest, or of a companion, who counts from 1.
func AnswerField(action string, question uuid.UUID, companion int) string {
	name := "answer." + action + "." + question.String()
	if companion > 0 {
		name += "." + strconv.Itoa(companion)
	}
	return name
}

// questions returns the questions to the guest, or to companions.
func (d EventData) questions(of gen.QuestionScope) (all []gen.EventQuestion) {
	if d.Questions != nil {
		for _, q := range d.Questions.Questions {
			if q.AppliesTo == of {
				all = append(all, q)
			}
		}
	}
	return all
}

// hasQuestions reports whether forms ask something.
func (d EventData) hasQuestions() bool { return d.Questions != nil && len(d.Questions.Questions) > 0 }

// changesAnswers reports whether the viewer may change their answers: until the event begins.
func (d EventData) changesAnswers(p *Page) bool {
	return d.hasQuestions() && p.Now.Before(d.Details.Event.StartsAt)
}

// companions is how many companions somebody may bring whom the event asks something.
func (d EventData) companions() int {
	if len(d.questions(gen.QuestionScopeCompanion)) == 0 {
		return 0
	}
	return max(d.Details.Event.MaxPartySize, d.party()) - 1
}

// asked is a question to one person, in the form of an action.
type asked struct {
	gen.EventQuestion
	action, name string
	companion    int
	given        []string // the answer that is stored
}

// ask returns a question to the viewer, or to one of their companions.
func (d EventData) ask(q gen.EventQuestion, action string, companion int) asked {
	a := asked{EventQuestion: q, action: action, name: AnswerField(action, q.ID, companion), companion: companion}
	for _, own := range d.Questions.Items {
		for _, answer := range own.Answers {
			if answer.QuestionID == q.ID && answer.Companion.Or(0) == companion {
				a.given = AnswerValues(answer)
			}
		}
	}
	return a
}

// AnswerValues are the texts of an answer: one, or those of the chosen options.
func AnswerValues(a gen.Answer) []string {
	switch a.Value.Type {
	case gen.StringArrayAnswerValue:
		return a.Value.StringArray
	case gen.BoolAnswerValue:
		return []string{strconv.FormatBool(a.Value.Bool)}
	default:
		return []string{a.Value.String}
	}
}

// field is the question as a field of a form. Companions may be hidden, so browsers do not require their fields.
func (a asked) field(p *Page) InputField {
	f := InputField{Action: a.action, Name: a.name, Label: a.Label, Rows: "2", Value: strings.Join(a.given, ""),
		Required: a.Required && a.companion == 0}
	if a.Kind == gen.QuestionKindText {
		f.MaxLength = "2000"
	}
	if !a.Required {
		f.Label += " " + p.T("questions.optional")
	}
	return f
}

// ticked reports whether a box is ticked: as it was sent, or else as it is stored.
func (a asked) ticked(p *Page, value string) bool {
	if p.Form.Action == a.action && p.Form.Values.Has(QuestionsField) {
		return slices.Contains(p.Form.Values[a.name], value)
	}
	return slices.Contains(a.given, value)
}

// chosen is the chosen option.
func (a asked) chosen(p *Page) string {
	return p.Form.Value(a.action, a.name, strings.Join(a.given, ""))
}

// QuestionsData is what hosts ask the guests of an event.
type QuestionsData struct {
	Details   *gen.EventDetails
	Questions []gen.EventQuestion
}

// The limits of the form of questions.
const (
	maxQuestions   = 10
	blankQuestions = 2 // that are shown to add more
)

// questionKinds are the kinds of questions.
var questionKinds = []gen.QuestionKind{gen.QuestionKindText, gen.QuestionKindChoice, gen.QuestionKindChoices, gen.QuestionKindCheckbox}

// scopes are who answers.
var scopes = []gen.QuestionScope{gen.QuestionScopeGuest, gen.QuestionScopeCompanion}

// QuestionField is the name of a field of a question in the form of all questions: its pointer in the contract.
func QuestionField(i int, name string) string { return fmt.Sprintf("items/%d/%s", i, name) }

// rows are the questions of the form, with blank ones at the end.
func (d QuestionsData) rows(p *Page) []gen.EventQuestion {
	rows := append(slices.Clone(d.Questions), make([]gen.EventQuestion, blankQuestions)...)
	for p.Form.Action == "setQuestions" && p.Form.Values.Has(QuestionField(len(rows), "label")) {
		rows = append(rows, gen.EventQuestion{})
	}
	return rows[:min(len(rows), maxQuestions)]
}

// sent returns what was sent in a field of a question, or else what is stored.
func sent(p *Page, i int, name, stored string) string {
	return p.Form.Value("setQuestions", QuestionField(i, name), stored)
}

// sentTick reports whether a box of a question is ticked.
func sentTick(p *Page, i int, name string, stored bool) bool {
	if p.Form.Action == "setQuestions" {
		return p.Form.Values.Has(QuestionField(i, name))
	}
	return stored
}

func (d QuestionsData) id() string { return d.Details.Event.ID.String() }

// open reports whether the questions may change.
func (d QuestionsData) open() bool {
	s := d.Details.Event.Status
	return s == gen.EventStatusDraft || s == gen.EventStatusPublished
}

// questionID is the id of a stored question; "" of a new one.
func questionID(q gen.EventQuestion) string {
	if q.ID == uuid.Nil {
		return ""
	}
	return q.ID.String()
}

// answer is an answer as a text.
func (p *Page) answer(a gen.Answer) string {
	if a.Value.Type == gen.BoolAnswerValue {
		return p.T("questions." + strconv.FormatBool(a.Value.Bool))
	}
	return strings.Join(AnswerValues(a), ", ")
}
