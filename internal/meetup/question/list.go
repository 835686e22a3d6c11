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
	Profile    *user.Public // nil if the account is deleted, or the guest is hidden
	Code       *string      // access.GuestCode of a hidden guest
	Answers    []Answer
}

// guestsCursor names the cursor of the list of answers. Its value is a user id, or GuestAnswers.ID of a hidden guest.
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
	// guestsStmt reads the maximum size of a page and the look-ahead row. $2 is the viewer, $3 the access.SessionUser and $4 the organizer.
	// An incognito guest is omitted unless the session is the organizer's: answers may tell who it is.
	guestsStmt = db.SQL("question.guests", `
		SELECT g.*, `+user.Columns("o")+` FROM (
			SELECT g.id, g.user_id, g.status, g.party, g.visibility, `+
		access.NamesGuest("g.user_id", "g.visibility", "$2", "$3", "CAST($4 AS UUID)")+` AS named FROM `+guestsSQL+`
			WHERE g.user_id > COALESCE((SELECT g.user_id FROM `+guestsSQL+` WHERE g.id = $5), $5)
				AND `+access.ListsGuest("g.user_id", "g.visibility", "$3", "CAST($4 AS UUID)")+` AND (CAST($6 AS TEXT) = '' OR g.status = $6)
				AND EXISTS (SELECT 1 FROM event_answers a WHERE a.event_id = $1 AND a.user_id = g.user_id)
				AND `+MatchSQL("$1", "g.user_id", "$7", "$8")+`
			ORDER BY g.user_id LIMIT 101) AS g
		LEFT JOIN profiles o ON o.user_id = g.user_id AND g.named ORDER BY g.user_id`)

	ownStmt = db.SQL("question.own", `
		SELECT g.id, g.user_id, g.status, g.party, g.visibility, TRUE, `+user.Columns("o")+` FROM `+guestsSQL+`
		LEFT JOIN profiles o ON o.user_id = g.user_id
		WHERE g.user_id = $2 AND EXISTS (SELECT 1 FROM event_answers a WHERE a.event_id = $1 AND a.user_id = g.user_id)`)
)

func scanGuest(row db.Row, g *GuestAnswers) error {
	var named bool
	var profile user.ProfileColumns
	err := row.Scan(append([]any{&g.ID, &g.UserID, &g.Status, &g.Party, &g.Visibility, &named}, profile.Dest()...)...)
	g.Profile = profile.Public()
	if !named {
		g.Code = new(access.GuestCode(g.ID))
	}
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
		guests, err := db.All(ctx, q, scanGuest, guestsStmt, id, v.UserID, access.SessionUser(v), f.OrganizerID, after, status, question, value)
		if err != nil {
			return err
		}
		page = domain.NewPage(guests, limit, func(last GuestAnswers) string { return domain.Cursor(guestsCursor, last.shownID()) })
		return addAnswers(ctx, q, id, page.Items, true)
	})
	return questions, page, err
}

// shownID is the key of the guest in cursors: it hides who it is, too.
func (g GuestAnswers) shownID() domain.UserID {
	if g.Code != nil {
		return domain.UserID(g.ID)
	}
	return g.UserID
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
	name, username := NameCells(g.Profile, g.Code)
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

// NameCells returns the name and the username of a guest for a table. code stands for the name of a hidden guest.
func NameCells(profile *user.Public, code *string) (name, username string) {
	switch {
	case code != nil:
		return "Guest " + *code, ""
	case profile != nil:
		return profile.DisplayName, profile.Username
	default:
		return "", ""
	}
}

// String returns the answer as a text of one cell.
func (a Answer) String() string { return strings.Join(a.Values, ", ") }
