package event

import (
	"context"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var setQuestionsStmt = db.SQL("event.set_questions", `UPDATE events SET has_questions = $2 WHERE id = $1 AND has_questions <> $2`)

// SetQuestions notes whether a locked event has questions, for package question.
func SetQuestions(ctx context.Context, tx db.Tx, id domain.EventID, has bool) {
	tx.Changed(Content.Of(id))
	tx.Queue(ctx, setQuestionsStmt, id, has)
}
