package question

import (
	"fmt"
	"slices"
	"strings"

	"moothall/internal/domain"
	"moothall/internal/platform/text"
)

var (
	labelLine  = text.Line(1, 200)
	optionLine = text.Line(1, 80)
	answerText = text.Block(0, 500)
)

// item returns the pointer of a field of a question in the request.
func item(i int, field string) string { return fmt.Sprintf("/items/%d/%s", i, field) }

// clean cleans the texts of questions. Returns Invalid for wrong ones.
func clean(all []Question) error {
	var wrong domain.Problems
	if len(all) > maxQuestions {
		wrong.Add("/items", fmt.Sprintf("must have at most %d items", maxQuestions))
	}
	for i := range all {
		q := &all[i]
		label := &q.Label
		text.Clean(&wrong, item(i, "label"), &label, labelLine)
		q.Label = *label
		before, options := len(wrong), &q.Options
		text.CleanList(&wrong, item(i, "options"), &options, maxOptions, optionLine)
		switch {
		case len(wrong) > before:
		case len(*options) < len(q.Options):
			wrong.Add(item(i, "options"), "must differ from each other, not only in case")
		case q.chooses() && len(q.Options) == 0:
			wrong.Add(item(i, "options"), "must not be empty for a choice", item(i, "kind"))
		case !q.chooses() && len(q.Options) > 0:
			wrong.Add(item(i, "options"), "must be empty unless the kind is choice or choices", item(i, "kind"))
		}
		q.Options = *options
	}
	return wrong.Err()
}

// The types of the values of answers in JSON.
const (
	String  = "string"
	List    = "list"
	Boolean = "boolean"
)

// mustBe says what the value of an answer must be.
var mustBe = map[string]string{String: "must be a string", List: "must be an array of options", Boolean: "must be true or false"}

// Answer is an answer of a user, for themselves or for a companion.
type Answer struct {
	QuestionID domain.QuestionID
	Companion  int64 // counts from 1; 0 is the user
	Type       string
	Values     []string // one, but any number in a List
}

// typeOf returns the type of the answers to questions of a kind.
func typeOf(kind string) string {
	switch kind {
	case Choices:
		return List
	case Checkbox:
		return Boolean
	default:
		return String
	}
}

// empty reports whether the user has left a field empty.
func (a Answer) empty() bool {
	return len(a.Values) == 0 || a.Type == String && a.Values[0] == ""
}

// satisfies reports whether a required question is answered.
func (a Answer) satisfies() bool { return !a.empty() && (a.Type != Boolean || a.Values[0] == "true") }

// place identifies a person of the party and a question.
type place struct {
	question  domain.QuestionID
	companion int64
}

// requiredOf returns the required answers of the people of a party from number first on. Number 0 is the user.
func requiredOf(questions []Question, first, party int64) (all []place) {
	for person := first; person < party; person++ {
		for _, q := range questions {
			if q.Required && (q.AppliesTo == Companion) == (person > 0) {
				all = append(all, place{q.ID, person})
			}
		}
	}
	return all
}

// check returns the answers without the empty ones, with clean texts. Returns Invalid if one does not fit its question, or a required
// one of the party is missing: that is Forbidden if the answers are for several events.
func check(questions []Question, sent Answers) (clean []Answer, err error) {
	var wrong domain.Problems
	seen, party := map[place]bool{}, sent.Party
	required := requiredOf(questions, 0, party)
	for i, a := range sent.List {
		pointer := func(field string) string { return fmt.Sprintf("/answers/%d/%s", i, field) }
		at := place{a.QuestionID, a.Companion}
		k := slices.IndexFunc(questions, func(q Question) bool { return q.ID == a.QuestionID })
		if k < 0 && sent.Fitting {
			continue
		}
		if k < 0 {
			wrong.Add(pointer("question_id"), "must be the id of a question of the event")
			continue
		}
		q := questions[k]
		if detail := q.wrongCompanion(a.Companion, party); detail != "" {
			wrong.Add(pointer("companion"), detail)
			continue
		}
		if seen[at] {
			wrong.Add(pointer("question_id"), "must not be the same as in another answer for the same person")
			continue
		}
		seen[at] = true
		detail := q.cleanValue(&a)
		if detail == "" && slices.Contains(required, at) && !a.satisfies() {
			detail = "must be answered"
		}
		if detail != "" {
			wrong.Add(pointer("value"), detail)
		} else if !a.empty() {
			clean = append(clean, a)
		}
	}
	for _, at := range required {
		if !seen[at] && sent.Fitting {
			return nil, domain.Forbid(domain.AnswersRequired)
		}
		if !seen[at] {
			wrong.Add("/answers", "must answer the required question "+at.question.String())
			break
		}
	}
	return clean, wrong.Err()
}

// wrongCompanion says what the companion of an answer must be, if it is wrong.
func (q Question) wrongCompanion(companion, party int64) string {
	switch {
	case q.AppliesTo == Guest && companion != 0:
		return "must be absent: the question is for the guest"
	case q.AppliesTo == Companion && companion == 0:
		return "must be present: the question is for companions"
	case companion >= party:
		return "must be below party_size"
	default:
		return ""
	}
}

// cleanValue cleans the value of an answer. It says what the value must be, if it is wrong.
func (q Question) cleanValue(a *Answer) string {
	if a.Type != typeOf(q.Kind) {
		return mustBe[typeOf(q.Kind)]
	}
	if q.Kind == Text {
		value, err := answerText(strings.Join(a.Values, ""))
		if err != nil {
			return err.Error()
		}
		a.Values = []string{value}
	}
	if q.chooses() && !a.empty() {
		for i, value := range a.Values {
			if !slices.Contains(q.Options, value) {
				return "must be an option of the question"
			}
			if slices.Contains(a.Values[:i], value) {
				return "must not repeat an option"
			}
		}
	}
	return ""
}
