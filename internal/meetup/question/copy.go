package question

import (
	"context"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

var (
	copyStmt = db.SQL("question.copy", `
		INSERT INTO event_questions (event_id, id, position, kind, label, required, options, applies_to, at_door, retired)
		SELECT CAST($2 AS UUID), q.id, q.position, q.kind, q.label, q.required, q.options, q.applies_to, q.at_door, FALSE
		FROM event_questions q WHERE q.event_id = $1 AND NOT q.retired`)

	// earlierStmt reads the latest answers for themselves that users have given to the questions of an event at other events of its
	// organizer. Another organizer may have copied the questions, and must not learn what was answered here.
	earlierStmt = db.SQL("question.earlier", `
		SELECT a.user_id, a.question_id, q.kind, a.companion, a.value
		FROM ids($2) AS u JOIN event_questions q ON q.event_id = $1 AND NOT q.retired
		JOIN event_answers a ON a.user_id = u.value AND a.question_id = q.id AND a.companion = 0 AND a.event_id = (
			SELECT e.id FROM event_answers x JOIN events e ON e.id = x.event_id
			WHERE x.user_id = u.value AND x.question_id = q.id AND x.companion = 0
				AND e.organizer_id = (SELECT o.organizer_id FROM events o WHERE o.id = $1)
			ORDER BY e.starts_key DESC LIMIT 1)
		ORDER BY a.user_id, q.position, q.id, a.item`)
)

// Copy gives a new event the questions of another one, with the same ids: so an answer to one fits the other.
func Copy(ctx context.Context, tx db.Tx, from, to domain.EventID) {
	tx.Queue(ctx, copyStmt, from, to)
	event.SetQuestions(ctx, tx, to, true)
}

// Earlier returns the latest answers that users have given at other events of the organizer with the same questions.
func Earlier(ctx context.Context, q db.Querier, id domain.EventID, users []domain.UserID) (map[domain.UserID][]Answer, error) {
	return readAnswers(q.Query(ctx, earlierStmt, id, users))
}
