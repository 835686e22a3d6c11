package question

import (
	"context"
	"net/http"
	"net/url"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler serves the questions of events and their answers.
type Handler struct{ service *Service }

// NewHandler returns a Handler of the service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"setQuestions": httpapi.BodyCheck(func(_ context.Context, req *gen.SetQuestionsRequest) error { return clean(questionsOf(req)) }),
		"listAnswers": httpapi.QueryCheck(func(query url.Values) error {
			_, err := afterGuest(query.Get("cursor"))
			return CheckFilter(query, err)
		}),
	}
}

// CheckFilter adds the problems of the filter of a query to an error.
func CheckFilter(query url.Values, err error) error {
	var wrong domain.Problems
	wrong.AddAll(err)
	if query.Has("answer") && !query.Has("question_id") {
		wrong.AddAll(Filter{Value: query.Get("answer")}.Check())
	}
	return wrong.Err()
}

// FilterOf returns the filter of a query.
func FilterOf(id gen.OptUUID, answer gen.OptString) Filter {
	return Filter{QuestionID: domain.QuestionID(id.Or(uuid.UUID{})), Value: answer.Or("")}
}

// ListQuestions serves GET /events/{event_id}/questions.
func (h *Handler) ListQuestions(ctx context.Context, params gen.ListQuestionsParams) (*gen.EventQuestionsResponse, error) {
	return questionsAPI(h.service.List(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID)))
}

// SetQuestions serves PUT /events/{event_id}/questions.
func (h *Handler) SetQuestions(ctx context.Context, req *gen.SetQuestionsRequest,
	params gen.SetQuestionsParams) (*gen.EventQuestionsResponse, error) {
	return questionsAPI(h.service.Set(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), questionsOf(req)))
}

// ListAnswers serves GET /events/{event_id}/answers.
func (h *Handler) ListAnswers(ctx context.Context, params gen.ListAnswersParams) (*gen.EventAnswersResponse, error) {
	v, id := httpapi.Viewer(ctx), domain.EventID(params.EventID)
	var questions []Question
	var page domain.Page[GuestAnswers]
	var err error
	if params.Mine.Or(false) {
		questions, page.Items, err = h.service.Mine(ctx, v, id)
	} else {
		questions, page, err = h.service.Guests(ctx, v, id, string(params.Status.Or("")), FilterOf(params.QuestionID, params.Answer),
			params.Limit.Or(domain.DefaultLimit), params.Cursor.Or(""))
	}
	if err != nil {
		return nil, err
	}
	items := make([]gen.GuestAnswers, len(page.Items))
	for i, g := range page.Items {
		items[i] = gen.GuestAnswers{ParticipantID: uuid.UUID(g.ID), Status: gen.GuestAnswersStatus(g.Status), PartySize: gen.PartySize(g.Party),
			ParticipationVisibility: gen.ParticipationVisibility(g.Visibility), Profile: user.NullAPI(g.Profile), Answers: API(g.Answers),
			GuestCode: gen.NullString(g.Code)}
	}
	return &gen.EventAnswersResponse{Questions: listAPI(questions), Items: items, NextCursor: gen.NullCursor(page.Next)}, nil
}

// DownloadAnswers serves GET /events/{event_id}/answers.csv.
func (h *Handler) DownloadAnswers(ctx context.Context, params gen.DownloadAnswersParams, w http.ResponseWriter) error {
	return httpapi.WriteCSV(ctx, w, "answers.csv", h.service.csv(httpapi.Viewer(ctx), domain.EventID(params.EventID)))
}

func questionsOf(req *gen.SetQuestionsRequest) []Question {
	all := make([]Question, len(req.Items))
	for i, q := range req.Items {
		all[i] = Question{ID: domain.QuestionID(q.ID.Or(uuid.UUID{})), Kind: string(q.Kind), Label: q.Label, Required: q.Required.Or(false),
			Options: q.Options, AppliesTo: string(q.AppliesTo.Or(gen.QuestionScopeGuest)), AtDoor: q.AtDoor.Or(false)}
	}
	return all
}

func questionsAPI(all []Question, err error) (*gen.EventQuestionsResponse, error) {
	if err != nil {
		return nil, err
	}
	return &gen.EventQuestionsResponse{Items: listAPI(all), NextCursor: gen.NullString(nil)}, nil
}

func listAPI(all []Question) []gen.EventQuestion {
	items := make([]gen.EventQuestion, len(all))
	for i, q := range all {
		items[i] = gen.EventQuestion{ID: uuid.UUID(q.ID), Kind: gen.QuestionKind(q.Kind), Label: q.Label, Required: q.Required,
			Options: append([]string{}, q.Options...), AppliesTo: gen.QuestionScope(q.AppliesTo), AtDoor: q.AtDoor}
	}
	return items
}

// FromAPI returns the answers of a request; nil if it has none.
func FromAPI(all []gen.Answer) []Answer {
	if all == nil {
		return nil
	}
	answers := make([]Answer, len(all))
	for i, a := range all {
		answers[i] = Answer{QuestionID: domain.QuestionID(a.QuestionID), Companion: int64(a.Companion.Or(0))}
		switch value := a.Value; value.Type {
		case gen.StringArrayAnswerValue:
			answers[i].Type, answers[i].Values = List, value.StringArray
		case gen.BoolAnswerValue:
			answers[i].Type, answers[i].Values = Boolean, []string{boolText(value.Bool)}
		default:
			answers[i].Type, answers[i].Values = String, []string{value.String}
		}
	}
	return answers
}

func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// API returns answers as the contract describes them.
func API(all []Answer) []gen.Answer {
	answers := make([]gen.Answer, len(all))
	for i, a := range all {
		answers[i] = gen.Answer{QuestionID: uuid.UUID(a.QuestionID), Value: a.value()}
		if a.Companion > 0 {
			answers[i].Companion = gen.NewOptInt(int(a.Companion))
		}
	}
	return answers
}

func (a Answer) value() gen.AnswerValue {
	switch a.Type {
	case List:
		return gen.NewStringArrayAnswerValue(a.Values)
	case Boolean:
		return gen.NewBoolAnswerValue(a.Values[0] == "true")
	default:
		return gen.NewStringAnswerValue(a.Values[0])
	}
}
