package question

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// exported is an answer in the export of the account of its author.
type exported struct {
	EventID    domain.EventID    `json:"event_id"`
	QuestionID domain.QuestionID `json:"question_id"`
	Question   string            `json:"question"`
	Companion  int64             `json:"companion"` // 0: the answer is for the user
	Answer     string            `json:"answer"`
}

// exportStmt has a row for each chosen option.
var exportStmt = db.SQL("question.export", `
	SELECT a.event_id, a.question_id, q.label, a.companion, a.value FROM event_answers a
	JOIN event_questions q ON q.event_id = a.event_id AND q.id = a.question_id
	WHERE a.user_id = $1 ORDER BY a.event_id, q.retired, q.position, a.question_id, a.companion, a.item`)

// Export returns the answers of a user. Those of the guests of their events are not in it.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	return db.Append(ctx, q, []exported{}, func(row db.Row, e *exported) error {
		return row.Scan(&e.EventID, &e.QuestionID, &e.Question, &e.Companion, &e.Answer)
	}, exportStmt, user)
}

const canceledSQL = `(SELECT e.id FROM events e WHERE e.organizer_id = $1 AND e.status = 'canceled' AND e.has_questions)`

var (
	eraseStmt = db.SQL("question.erase", `DELETE FROM event_answers WHERE user_id = $1`)

	eraseCanceledStmt = db.SQL("question.erase_canceled", `DELETE FROM event_questions WHERE event_id IN `+canceledSQL)

	eraseGivenStmt = db.SQL("question.erase_given", `DELETE FROM event_answers WHERE event_id IN `+canceledSQL)
)

// Erase deletes the answers of a user, and the questions of their canceled events, which have no guests. Call it after event.Service.Erase.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	tx.Queue(ctx, eraseStmt, user)
	tx.Queue(ctx, eraseCanceledStmt, user)
	tx.Queue(ctx, eraseGivenStmt, user) // last: Put locks the questions first
	return nil
}

var blockStmt = db.SQL("question.block", `
	DELETE FROM event_answers WHERE user_id IN ($1, $2) AND EXISTS (
		SELECT 1 FROM events e WHERE e.id = event_answers.event_id
			AND (e.organizer_id = $1 AND event_answers.user_id = $2 OR e.organizer_id = $2 AND event_answers.user_id = $1))`)

// OnBlock deletes the answers that one of two users has given to the other.
func OnBlock(ctx context.Context, tx db.Tx, _ time.Time, blocker, blocked domain.UserID) error {
	tx.Queue(ctx, blockStmt, blocker, blocked)
	return nil
}

// keptAfter is how long after an event its questions and answers are deleted (contract).
const keptAfter = 90 * 24 * time.Hour

// The sizes of transactions of Purge.
const (
	purgedEvents = 100
	purgedUsers  = 500
)

var (
	oldStmt = db.SQL("question.old", `SELECT e.id FROM events e WHERE e.has_questions AND e.over_at < $1 ORDER BY e.over_at, e.id LIMIT $2`)

	purgeAnswersStmt = db.SQL("question.purge_answers", `
		DELETE FROM event_answers WHERE event_id = $1 AND user_id IN (
			SELECT DISTINCT a.user_id FROM event_answers a WHERE a.event_id = $1 ORDER BY a.user_id LIMIT $2)`)

	purgeQuestionsStmt = db.SQL("question.purge_questions", `DELETE FROM event_questions WHERE event_id = $1`)
)

// Purge deletes the questions and answers of events that ended 90 days ago.
func (s *Service) Purge(ctx context.Context) error {
	for {
		old, err := db.Values[domain.EventID](ctx, s.DB, oldStmt,
			s.Clock.Now().Add(-keptAfter), purgedEvents)
		if err != nil {
			return err
		}
		for _, id := range old {
			if err := s.purge(ctx, id); err != nil {
				return err
			}
		}
		if len(old) < purgedEvents {
			return nil
		}
	}
}

func (s *Service) purge(ctx context.Context, id domain.EventID) error {
	for more := true; more; {
		err := s.DB.InTx(ctx, func(tx db.Tx) error {
			if _, err := event.Lock(ctx, tx, id, s.Clock.Now()); err != nil {
				return err
			}
			n, err := tx.Exec(ctx, purgeAnswersStmt, id, purgedUsers)
			if more = n > 0; err == nil && !more {
				tx.Queue(ctx, purgeQuestionsStmt, id)
				event.SetQuestions(ctx, tx, id, false)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
