package question

import (
	"context"
	"iter"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Answers are what a user sends to join, wait or request to join.
type Answers struct {
	Event domain.EventID
	User  domain.UserID
	List  []Answer // nil: earlier answers stay
	Party int64    // how many people come, the user included
	Asked int64    // how many of them were asked before: 0 if the user is new

	// Fitting: the list also answers questions of other events, which are left out.
	Fitting bool
}

// Put stores answers, which replace earlier ones. Call it only for an event that has questions (access.EventFacts.HasQuestions), and lock
// no event after it. Returns Forbidden if a person who was not asked before has not answered a required question, and if answers change
// after the start; Invalid for answers that do not fit.
func Put(ctx context.Context, tx db.Tx, a Answers, now time.Time) error {
	if a.List == nil && a.Party <= a.Asked {
		if a.Party < a.Asked {
			tx.Queue(ctx, forgetCompanionsStmt, a.Event, a.User, a.Party)
		}
		return nil
	}
	answers, err := a.clean(ctx, tx, now)
	if err != nil || a.List == nil {
		return err
	}
	tx.Queue(ctx, forgetCurrentStmt, a.Event, a.User)
	var ids []domain.QuestionID
	var companions, items []int64
	var values []string
	for _, answer := range answers {
		for i, value := range answer.Values {
			ids, companions = append(ids, answer.QuestionID), append(companions, answer.Companion)
			items, values = append(items, int64(i)), append(values, value)
		}
	}
	if len(ids) > 0 {
		tx.Queue(ctx, answerStmt, a.Event, a.User, ids, companions, items, values)
	}
	return nil
}

// Check returns the error of Put for a user who was not asked before, and stores nothing.
func Check(ctx context.Context, tx db.Tx, a Answers, now time.Time) error {
	_, err := a.clean(ctx, tx, now)
	return err
}

// clean returns the answers to store, or the error of Put. It makes sure that the questions do not change until the transaction ends.
func (a Answers) clean(ctx context.Context, tx db.Tx, now time.Time) ([]Answer, error) {
	var started bool
	var shared int64
	if err := tx.One(ctx, shareAllStmt, a.Event, now).Scan(&started, &shared); err != nil {
		return nil, err
	}
	if started && a.Asked > 0 && a.List != nil {
		return nil, domain.Forbid(domain.EventEnded)
	}
	questions, err := Current(ctx, tx, a.Event) // another statement: it sees the commits that the previous one has waited for
	if err != nil {
		return nil, err
	}
	if len(a.List) == 0 && len(requiredOf(questions, a.Asked, a.Party)) > 0 {
		return nil, domain.Forbid(domain.AnswersRequired)
	}
	if a.List == nil {
		return nil, nil
	}
	return check(questions, a)
}

// Forget deletes the answers of a user who does not go, wait or request to join any more.
func Forget(ctx context.Context, tx db.Tx, id domain.EventID, user domain.UserID) {
	tx.Queue(ctx, forgetStmt, id, user)
}

var (
	answerStmt = db.SQL("question.answer", `
		INSERT INTO event_answers (event_id, user_id, question_id, companion, item, value)
		SELECT CAST($1 AS UUID), CAST($2 AS UUID), q.value, c.value, i.value, v.value
		FROM ids($3) AS q JOIN ints($4) AS c ON c.ord = q.ord JOIN ints($5) AS i ON i.ord = q.ord JOIN texts($6) AS v ON v.ord = q.ord`)

	forgetCurrentStmt = db.SQL("question.forget_current", `
		DELETE FROM event_answers WHERE event_id = $1 AND user_id = $2
			AND question_id IN (SELECT q.id FROM event_questions q WHERE q.event_id = $1 AND NOT q.retired)`)

	forgetCompanionsStmt = db.SQL("question.forget_companions", `
		DELETE FROM event_answers WHERE event_id = $1 AND user_id = $2 AND companion >= $3`)

	forgetStmt = db.SQL("question.forget", `DELETE FROM event_answers WHERE event_id = $1 AND user_id = $2`)

	// ofStmt reads the answers of users, to retired questions only with $3.
	ofStmt = db.SQL("question.of", `
		SELECT a.user_id, a.question_id, q.kind, a.companion, a.value
		FROM ids($2) AS u JOIN event_answers a ON a.event_id = $1 AND a.user_id = u.value
		JOIN event_questions q ON q.event_id = a.event_id AND q.id = a.question_id AND (NOT q.retired OR $3)
		ORDER BY a.user_id, a.companion, q.retired, q.position, q.id, a.item`)
)

// Of returns the answers of users, those for themselves first, in the order of the form.
func Of(ctx context.Context, q db.Querier, id domain.EventID, users []domain.UserID) (map[domain.UserID][]Answer, error) {
	return answersOf(ctx, q, id, users, false)
}

func answersOf(ctx context.Context, q db.Querier, id domain.EventID, users []domain.UserID,
	retired bool) (map[domain.UserID][]Answer, error) {
	return readAnswers(q.Query(ctx, ofStmt, id, users, retired))
}

// readAnswers reads rows of answers, those of a user and of a question behind each other.
func readAnswers(rows iter.Seq2[db.Row, error]) (map[domain.UserID][]Answer, error) {
	all := map[domain.UserID][]Answer{}
	for row, err := range rows {
		var of domain.UserID
		var a Answer
		var kind, value string
		if err == nil {
			err = row.Scan(&of, &a.QuestionID, &kind, &a.Companion, &value)
		}
		if err != nil {
			return nil, err
		}
		list := all[of]
		if n := len(list); n > 0 && list[n-1].QuestionID == a.QuestionID && list[n-1].Companion == a.Companion {
			list[n-1].Values = append(list[n-1].Values, value)
			continue
		}
		a.Type, a.Values = typeOf(kind), []string{value}
		all[of] = append(list, a)
	}
	return all, nil
}

// Filter selects guests by an answer. The zero value selects all.
type Filter struct {
	QuestionID domain.QuestionID
	Value      string // empty: any
}

// Check returns Invalid if the filter has a value and no question.
func (f Filter) Check() error {
	if f.Value != "" && f.QuestionID.IsZero() {
		return domain.Invalid("?question_id", "must be present if answer is")
	}
	return nil
}

// Args are the parameters of MatchSQL.
func (f Filter) Args() (question *domain.QuestionID, value string) {
	if f.QuestionID.IsZero() {
		return nil, ""
	}
	return &f.QuestionID, f.Value
}

// MatchSQL is true if a user has given an answer of a Filter to an event, or for a companion. question and value are the
// parameters of Args.
func MatchSQL(event, user, question, value string) string {
	return `(CAST(` + question + ` AS UUID) IS NULL OR EXISTS (SELECT 1 FROM event_answers f
		WHERE f.event_id = ` + event + ` AND f.user_id = ` + user + ` AND f.question_id = ` + question + `
			AND (CAST(` + value + ` AS TEXT) = '' OR f.value = ` + value + `)))`
}
