// Package question lets hosts ask the guests of an event, and stores the answers of users who go, wait or request to join.
// Package attendance decides who joins: it stores the answers of a join by Put, and deletes those of a user who ends it by Forget.
package question

import (
	"context"
	"slices"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// The kinds of questions.
const (
	Text     = "text"
	Choice   = "choice"
	Choices  = "choices"
	Checkbox = "checkbox"
)

// The values of applies_to: who answers.
const (
	Guest     = "guest"
	Companion = "companion" // the guest, for each companion
)

// Limits of the contract.
const (
	maxQuestions = 10
	maxStored    = 50 // of one event, the retired ones included
	maxOptions   = 20
)

// Question is a question of hosts to guests.
type Question struct {
	ID        domain.QuestionID
	Kind      string
	Label     string
	Required  bool
	Options   []string // of Choice and Choices
	AppliesTo string
	AtDoor    bool // the answer matters at the door
	Retired   bool // replaced by another one, and kept for its answers
}

// chooses reports whether the answers are among the options.
func (q Question) chooses() bool { return q.Kind == Choice || q.Kind == Choices }

// Service lets hosts ask questions and read the answers.
type Service struct {
	DB    *db.DB
	Clock domain.Clock
}

// List returns the questions of an event in the order of the form. Returns NotFound if the viewer does not see the event.
func (s *Service) List(ctx context.Context, v domain.Viewer, id domain.EventID) (all []Question, err error) {
	err = s.DB.Read(ctx, func(q db.Querier) error {
		f, err := access.Event(ctx, q, v, id, s.Clock.Now())
		if err != nil || !f.HasQuestions {
			return err
		}
		all, err = Current(ctx, q, id)
		return err
	})
	return all, err
}

// Set replaces the questions of an event. A question with the ID of an earlier one replaces it, and keeps its answers if they are still
// possible. Otherwise, and without a successor, the earlier one is retired; or deleted, if it has no answers. Returns NotFound if the
// viewer does not see the event; Forbidden if they do not host it, in the wrong state of the event, and beyond 50 questions with the
// retired ones; Invalid for wrong questions.
func (s *Service) Set(ctx context.Context, v domain.Viewer, id domain.EventID, wanted []Question) (all []Question, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		f, err := access.Event(ctx, tx, v, id, now)
		if err != nil {
			return err
		}
		if err := f.MustHost(); err != nil {
			return err
		}
		if err := clean(wanted); err != nil {
			return err
		}
		e, err := event.Lock(ctx, tx, id, now)
		if err != nil {
			return err
		}
		if err := e.MustBeOpen(); err != nil {
			return err
		}
		if err := replace(ctx, tx, id, wanted, now); err != nil {
			return err
		}
		all, err = Current(ctx, tx, id)
		return err
	})
	return all, err
}

// replace writes the questions of a locked event. It locks the earlier ones, so that a concurrent answer is stored before the change or
// after it.
func replace(ctx context.Context, tx db.Tx, id domain.EventID, wanted []Question, now time.Time) error {
	old, err := db.All(ctx, tx, scan, lockAllStmt, id)
	if err != nil {
		return err
	}
	given, err := givenAnswers(ctx, tx, id)
	if err != nil {
		return err
	}
	p, err := planOf(old, given, wanted)
	if err != nil {
		return err
	}
	tx.Queue(ctx, retireStmt, id, p.retired)
	tx.Queue(ctx, deleteStmt, id, p.deleted)
	for i, q := range wanted {
		if q.ID.IsZero() {
			q.ID = domain.NewIDIn[domain.QuestionKind](ctx, now)
		}
		tx.Queue(ctx, putStmt, id, q.ID, i, q.Kind, q.Label, q.Required, lines(q.Options), q.AppliesTo, q.AtDoor)
	}
	event.SetQuestions(ctx, tx, id, len(wanted)+len(p.retired)+p.kept > 0)
	return nil
}

// plan lists the changes of earlier questions.
type plan struct {
	retired, deleted []domain.QuestionID
	kept             int // retired before
}

// planOf compares the questions of an event with those that replace them, and clears the ID of each that cannot have the
// answers of the earlier one. given are the answers: of questions with options, the chosen ones.
func planOf(old []Question, given map[domain.QuestionID][]string, wanted []Question) (p plan, err error) {
	byID := map[domain.QuestionID]Question{}
	for _, q := range old {
		if q.Retired {
			p.kept++
		} else {
			byID[q.ID] = q
		}
	}
	var wrong domain.Problems
	stays := map[domain.QuestionID]bool{}
	for i := range wanted {
		q := &wanted[i]
		was, known := byID[q.ID]
		switch {
		case q.ID.IsZero():
		case !known || stays[q.ID]:
			wrong.Add(item(i, "id"), "must be the id of a question of the event, and of no other item")
		case q.fits(was, given[q.ID]):
			stays[q.ID] = true
		default:
			q.ID = domain.QuestionID{}
		}
	}
	for _, q := range old {
		switch {
		case q.Retired || stays[q.ID]:
		case given[q.ID] != nil:
			p.retired = append(p.retired, q.ID)
		default:
			p.deleted = append(p.deleted, q.ID)
		}
	}
	if len(wanted)+len(p.retired)+p.kept > maxStored {
		return p, domain.Forbid(domain.QuestionLimit)
	}
	return p, wrong.Err()
}

// fits reports whether the answers given to an earlier question are answers to q.
func (q Question) fits(was Question, given []string) bool {
	if given == nil {
		return true
	}
	return q.Kind == was.Kind && q.AppliesTo == was.AppliesTo && (!q.chooses() ||
		!slices.ContainsFunc(given, func(value string) bool { return !slices.Contains(q.Options, value) }))
}
