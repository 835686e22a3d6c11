package attendance

import (
	"context"
	"strconv"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/question"
	"moothall/internal/platform/spreadsheet"
)

// csvPage is the number of guests that are read at a time.
const csvPage = 100

// guestsCSV returns the list of the users going to an event as CSV. Reading it returns the errors of Participants.
func (s *Service) guestsCSV(v domain.Viewer, id domain.EventID) *spreadsheet.Pages {
	var questions []question.Question
	cursor, begun := "", false
	return &spreadsheet.Pages{Read: func(ctx context.Context, to []byte) ([]byte, bool, error) {
		page, err := s.Participants(ctx, v, id, Guests{Status: statusGoing}, csvPage, cursor)
		if err != nil {
			return nil, false, err
		}
		if !begun {
			begun = true
			if questions, err = question.Current(ctx, s.DB, id); err != nil {
				return nil, false, err
			}
			header := []string{"name", "username", "party_size", "participation_visibility", "joined_at", "participant_id"}
			for _, q := range questions {
				header = append(header, q.Label)
			}
			to = spreadsheet.AppendRow(to, header...)
		}
		for _, a := range page.Items {
			to = spreadsheet.AppendRow(to, a.cells(questions)...)
		}
		cursor = page.Next
		return to, cursor != "", nil
	}}
}

// cells are the columns of a guest.
func (a Attendee) cells(questions []question.Question) []string {
	name, username := question.NameCells(a.Profile, a.code())
	cells := []string{name, username, strconv.FormatInt(a.Party, 10), a.Visibility, a.JoinedAt.UTC().Format(time.RFC3339), a.ID.String()}
	for _, q := range questions {
		var answers []string
		for _, answer := range a.Answers {
			if answer.QuestionID == q.ID {
				answers = append(answers, answer.String())
			}
		}
		cells = append(cells, strings.Join(answers, "; "))
	}
	return cells
}
