package question

import (
	"context"
	"strings"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const columns = `q.id, q.kind, q.label, q.required, q.options, q.applies_to, q.at_door, q.retired`

func scan(row db.Row, q *Question) error {
	var options string
	err := row.Scan(&q.ID, &q.Kind, &q.Label, &q.Required, &options, &q.AppliesTo, &q.AtDoor, &q.Retired)
	if options != "" {
		q.Options = strings.Split(options, "\n")
	}
	return err
}

// lines is the stored form of options.
func lines(options []string) string { return strings.Join(options, "\n") }

var (
	currentStmt = db.SQL("question.current", `
		SELECT `+columns+` FROM event_questions q WHERE q.event_id = $1 AND NOT q.retired ORDER BY q.position`)

	// shownStmt also reads the retired ones with answers.
	shownStmt = db.SQL("question.shown", `
		SELECT `+columns+` FROM event_questions q WHERE q.event_id = $1 AND (NOT q.retired OR EXISTS (
			SELECT 1 FROM event_answers a WHERE a.event_id = q.event_id AND a.question_id = q.id))
		ORDER BY q.retired, q.position, q.id`)

	lockAllStmt = db.SQL("question.lock_all", `
		SELECT `+columns+` FROM event_questions q WHERE q.event_id = $1 ORDER BY q.id FOR UPDATE`)

	// shareAllStmt makes sure that no question changes until the transaction ends. It reads whether the event has begun.
	shareAllStmt = db.SQL("question.share_all", `
		SELECT e.starts_at <= $2, (SELECT COUNT(*) FROM (
			SELECT q.id FROM event_questions q WHERE q.event_id = $1 ORDER BY q.id FOR SHARE) AS shared)
		FROM events e WHERE e.id = $1`)

	// givenStmt reads the questions that have answers, and the chosen options.
	givenStmt = db.SQL("question.given", `
		SELECT DISTINCT q.id, CASE WHEN q.kind IN ('choice', 'choices') THEN a.value ELSE '' END
		FROM event_questions q JOIN event_answers a ON a.event_id = q.event_id AND a.question_id = q.id
		WHERE q.event_id = $1 AND NOT q.retired`)

	putStmt = db.SQL("question.put", `
		INSERT INTO event_questions (event_id, id, position, kind, label, required, options, applies_to, at_door, retired)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, FALSE)
		ON CONFLICT (event_id, id) DO UPDATE SET position = excluded.position, kind = excluded.kind, label = excluded.label,
			required = excluded.required, options = excluded.options, applies_to = excluded.applies_to, at_door = excluded.at_door`)

	retireStmt = db.SQL("question.retire", `
		UPDATE event_questions SET retired = TRUE WHERE event_id = $1 AND id IN (SELECT l.value FROM ids($2) AS l)`)

	deleteStmt = db.SQL("question.delete", `
		DELETE FROM event_questions WHERE event_id = $1 AND id IN (SELECT l.value FROM ids($2) AS l)`)
)

// Current returns the questions of an event that are not retired, in the order of the form. It does not check who may see it.
func Current(ctx context.Context, q db.Querier, id domain.EventID) ([]Question, error) {
	return db.All(ctx, q, scan, currentStmt, id)
}

// givenAnswers returns the questions of an event that have answers, and which options were chosen.
func givenAnswers(ctx context.Context, q db.Querier, id domain.EventID) (map[domain.QuestionID][]string, error) {
	given := map[domain.QuestionID][]string{}
	for row, err := range q.Query(ctx, givenStmt, id) {
		var question domain.QuestionID
		var value string
		if err == nil {
			err = row.Scan(&question, &value)
		}
		if err != nil {
			return nil, err
		}
		given[question] = append(given[question], value)
	}
	return given, nil
}
