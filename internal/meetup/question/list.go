package question

import (
	"context"
	"strconv"
	"strings"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/spreadsheet"
)

// GuestAnswers are the answers of a user who goes, waits or requests to join.
type GuestAnswers struct {
	ID         domain.ParticipantID // of the participation, the request or the entry in the waiting list
	UserID     domain.UserID
	Status     string
	Party      int64
	Visibility string
	Profile    *user.Public // nil if the account is deleted
	Answers    []Answer
}

// guestsCursor names the cursor of the list of answers. Its value is a user id.
const guestsCursor = "answers.1"

func afterGuest(cursor string) (after domain.UserID, err error) {
	if cursor != "" {
		err = domain.ReadCursor(cursor, guestsCursor, &after)
	}
	return after, err
}

// guestsSQL are the users who go to the event $1, wait or request to join, with answers or without.
const guestsSQL = `(
	SELECT p.id, p.user_id, 'going' AS status, p.party, p.visibility FROM participants p WHERE p.event_id = $1 AND p.status = 'going'
	UNION ALL SELECT j.id, j.user_id, 'requested', j.party, j.visibility FROM join_requests j
		WHERE j.event_id = $1 AND j.status = 'pending'
	UNION ALL SELECT w.id, w.user_id, 'waiting', w.party, w.visibility FROM waitlist_entries w
		WHERE w.event_id = $1 AND w.status IN ('waiting', 'offered')) AS g`

var (
	// guestsStmt reads the maximum size of a page and the look-ahead row. It omits users in a block with the viewer $2, and incognito ones
	// unless $4.
	guestsStmt = db.SQL("question.guests", `
		SELECT g.*, `+user.Columns("o")+` FROM (
			SELECT g.id, g.user_id, g.status, g.party, g.visibility FROM `+guestsSQL+`
			WHERE g.user_id > $3 AND (g.visibility = 'public' OR $4) AND (CAST($5 AS TEXT) = '' OR g.status = $5)
				AND EXISTS (SELECT 1 FROM event_answers a WHERE a.event_id = $1 AND a.user_id = g.user_id)
				AND `+MatchSQL("$1", "g.user_id", "$6", "$7")+` AND `+access.NotBlocked("g.user_id", "$2")+`
			ORDER BY g.user_id LIMIT 101) AS g
		LEFT JOIN profiles o ON o.user_id = g.user_id ORDER BY g.user_id`)

	ownStmt = db.SQL("question.own", `
		SELECT g.id, g.user_id, g.status, g.party, g.visibility, `+user.Columns("o")+` FROM `+guestsSQL+`
		LEFT JOIN profiles o ON o.user_id = g.user_id
		WHERE g.user_id = $2 AND EXISTS (SELECT 1 FROM event_answers a WHERE a.event_id = $1 AND a.user_id = g.user_id)`)
)

func scanGuest(row db.Row, g *GuestAnswers) error {
	var profile user.ProfileColumns
	err := row.Scan(append([]any{&g.ID, &g.UserID, &g.Status, &g.Party, &g.Visibility}, profile.Dest()...)...)
	g.Profile = profile.Public()
	return err
}

// Mine returns the questions of an event, and the viewer's answers: none or one item. Returns NotFound if the viewer does not see it.
func (s *Service) Mine(ctx context.Context, v domain.Viewer, id domain.EventID) (questions []Question, own []GuestAnswers, err error) {
	err = s.DB.Read(ctx, func(q db.Querier) error {
		f, err := access.Event(ctx, q, v, id, s.Clock.Now())
		if err != nil || !f.HasQuestions {
			return err
		}
		if questions, err = Current(ctx, q, id); err != nil {
			return err
		}
		if own, err = db.All(ctx, q, scanGuest, ownStmt, id, v.UserID); err != nil {
			return err
		}
		return addAnswers(ctx, q, id, own, false)
	})
	return questions, own, err
}

// Guests returns the questions of an event, the retired ones with answers last, and a page of the guests who have answered, limit of
// them (1 to 100). An empty status means any. Only the organizer, without an API key, sees incognito guests. Returns NotFound if the
// viewer does not see the event, Forbidden if they do not host it, and Invalid for a wrong filter.
func (s *Service) Guests(ctx context.Context, v domain.Viewer, id domain.EventID, status string, filter Filter, limit int,
	cursor string) (questions []Question, page domain.Page[GuestAnswers], err error) {
	if err := filter.Check(); err != nil {
		return nil, page, err
	}
	after, err := afterGuest(cursor)
	if err != nil {
		return nil, page, err
	}
	err = s.DB.Read(ctx, func(q db.Querier) error {
		f, err := access.Event(ctx, q, v, id, s.Clock.Now())
		if err != nil {
			return err
		}
		if err := f.MustHost(); err != nil || !f.HasQuestions {
			return err
		}
		if questions, err = db.All(ctx, q, scan, shownStmt, id); err != nil {
			return err
		}
		question, value := filter.Args()
		guests, err := db.All(ctx, q, scanGuest, guestsStmt, id, v.UserID, after, f.SeesIncognito(v), status, question, value)
		if err != nil {
			return err
		}
		page = domain.NewPage(guests, limit, func(last GuestAnswers) string { return domain.Cursor(guestsCursor, last.UserID) })
		return addAnswers(ctx, q, id, page.Items, true)
	})
	return questions, page, err
}

// addAnswers adds the answers of guests.
func addAnswers(ctx context.Context, q db.Querier, id domain.EventID, guests []GuestAnswers, retired bool) error {
	users := make([]domain.UserID, len(guests))
	for i, g := range guests {
		users[i] = g.UserID
	}
	all, err := answersOf(ctx, q, id, users, retired)
	for i := range guests {
		guests[i].Answers = all[guests[i].UserID]
	}
	return err
}

// csvPage is the number of guests that are read at a time.
const csvPage = 100

// csv returns the answers of all guests as CSV. Reading it returns the errors of Guests.
func (s *Service) csv(v domain.Viewer, id domain.EventID) *spreadsheet.Pages {
	var columns []Question
	cursor, begun := "", false
	return &spreadsheet.Pages{Read: func(ctx context.Context, to []byte) ([]byte, bool, error) {
		questions, page, err := s.Guests(ctx, v, id, "", Filter{}, csvPage, cursor)
		if err != nil {
			return nil, false, err
		}
		if !begun {
			begun, columns = true, questions
			header := []string{"name", "username", "status", "person", "participant_id"}
			for _, q := range columns {
				header = append(header, q.Label)
			}
			to = spreadsheet.AppendRow(to, header...)
		}
		for _, g := range page.Items {
			for person := range g.Party {
				if cells := g.cells(columns, person); cells != nil {
					to = spreadsheet.AppendRow(to, cells...)
				}
			}
		}
		cursor = page.Next
		return to, cursor != "", nil
	}}
}

// cells are the columns of a person of a party; nil for a companion without answers.
func (g GuestAnswers) cells(columns []Question, person int64) []string {
	var name, username string
	if g.Profile != nil {
		name, username = g.Profile.DisplayName, g.Profile.Username
	}
	cells, answered := []string{name, username, g.Status, strconv.FormatInt(person, 10), g.ID.String()}, person == 0
	for _, q := range columns {
		cell := ""
		for _, a := range g.Answers {
			if a.QuestionID == q.ID && a.Companion == person {
				cell, answered = a.String(), true
			}
		}
		cells = append(cells, cell)
	}
	if !answered {
		return nil
	}
	return cells
}

// String returns the answer as a text of one cell.
func (a Answer) String() string { return strings.Join(a.Values, ", ") }
