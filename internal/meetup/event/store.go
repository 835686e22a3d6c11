package event

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strconv"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/postings"
	"moothall/internal/platform/db"
)

// columns are the columns of an event.
var columns = slices.Concat(
	db.Bindings[Event]{
		db.Bind("id", func(e *Event) any { return &e.ID }),
		db.Bind("code", func(e *Event) any { return &e.Code }),
		db.Bind("status", func(e *Event) any { return &e.Status }),
	},
	db.Embed(fieldColumns, func(e *Event) *Fields { return &e.Fields }),
	db.Bindings[Event]{
		db.Bind("created_at", func(e *Event) any { return &e.CreatedAt }),
		db.Bind("updated_at", func(e *Event) any { return &e.UpdatedAt }),
		db.Bind("published_at", func(e *Event) any { return &e.PublishedAt }),
		db.Bind("canceled_at", func(e *Event) any { return &e.CanceledAt }),
		db.Bind("image_aspect", func(e *Event) any { return &e.ImageAspect }),
		db.Bind("cancel_message", func(e *Event) any { return &e.CancelMessage }),
		db.Bind("waitlisted", func(e *Event) any { return &e.Waitlisted }),
		db.Bind("organizer_id", func(e *Event) any { return &e.OrganizerID }),
		db.Bind("has_team", func(e *Event) any { return &e.HasTeam }),
		db.Bind("has_questions", func(e *Event) any { return &e.HasQuestions }),
		db.Bind("listed", func(e *Event) any { return &e.Listed }),
		db.Bind("starts_key", func(e *Event) any { return &e.StartsKey }),
		db.Bind("selected_date_option_id", func(e *Event) any { return &e.SelectedDateOptionID }),
		db.Bind("series_id", func(e *Event) any { return &e.Series }),
		db.Bind("occurrence_at", func(e *Event) any { return &e.OccurrenceAt }),
		db.Bind("series_detached", func(e *Event) any { return &e.Detached }),
		db.Bind("source_host", func(e *Event) any { return &e.SourceHost }),
		db.Bind("external_url", func(e *Event) any { return &e.ExternalURL }),
	},
)

// eventColumns are the columns in SQL, to be read into columns.Vars.
var eventColumns = columns.Columns()

// changedColumns are the columns of an event whose change is sent to webhooks.
var changedColumns = eventColumns + `, ` + access.HasWebhookSQL("organizer_id")

// lockSQL locks the row until the transaction ends, so that changes to one event happen
// one after the other.
var lockSQL = `SELECT ` + changedColumns + `, swept FROM events WHERE id = $1`

var (
	lockStmt       = db.SQL("event.lock", lockSQL+` FOR UPDATE`)
	lockHostedStmt = db.SQL("event.lock_hosted", lockSQL+` AND `+access.HostsSQL("events", "$2")+` FOR UPDATE`)
	hostedStmt     = db.SQL("event.hosted", lockSQL+` AND `+access.HostsSQL("events", "$2"))
)

// lock locks and returns one event with its effective status.
func lock(ctx context.Context, tx db.Tx, id domain.EventID, now time.Time) (Event, error) {
	return locked(tx.One(ctx, lockStmt, id), now)
}

// lockHosted is lock for the operations that only hosts may know of (see
// access.HostedEvent). It returns domain.NotFound to everybody else.
func lockHosted(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.EventID, now time.Time) (Event, error) {
	return locked(tx.One(ctx, lockHostedStmt, id, v.UserID), now)
}

// lockOwn is lockHosted for what only the organizer may do. It returns domain.Forbidden to the other hosts.
func lockOwn(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.EventID, now time.Time) (Event, error) {
	return owned(v)(lockHosted(ctx, tx, v, id, now))
}

// owned refuses an event that the viewer hosts without being its organizer.
func owned(v domain.Viewer) func(Event, error) (Event, error) {
	return func(e Event, err error) (Event, error) {
		if err == nil && e.OrganizerID != v.UserID {
			return Event{}, domain.Forbid(domain.NotOwner)
		}
		return e, err
	}
}

// locked reads a row of lockSQL. A swept event is over, even if the caller's clock is
// behind: its participants were notified of the end.
func locked(row db.Row, now time.Time) (Event, error) {
	var e Event
	var swept bool
	if err := row.ScanOr(domain.NotFound, append(columns.Vars(&e), &e.hasWebhook, &swept)...); err != nil {
		return Event{}, err
	}
	if swept && e.Status == access.Published {
		e.Status = access.Completed
	}
	e.Status = access.EffectiveStatus(e.Status, e.OverAt(), now)
	return e, nil
}

// all returns the events that a statement reads with eventColumns.
func all(ctx context.Context, q db.Querier, stmt *db.Stmt, args ...any) ([]Event, error) {
	scan := func(row db.Row, e *Event) error { return row.Scan(columns.Vars(e)...) }
	return db.All(ctx, q, scan, stmt, args...)
}

var documentsStmt = db.SQL("event.documents", `SELECT `+eventColumns+` FROM events WHERE listed`)

// Documents returns the documents of all listed events, in no particular order.
func Documents(ctx context.Context, q db.Querier) iter.Seq2[*postings.Document, error] {
	return func(yield func(*postings.Document, error) bool) {
		for row, err := range q.Query(ctx, documentsStmt) {
			var e Event
			if err == nil {
				err = row.Scan(columns.Vars(&e)...)
			}
			if !yield(e.Document(), err) || err != nil {
				return
			}
		}
	}
}

// allChanged returns the events that a statement reads with changedColumns.
func allChanged(ctx context.Context, q db.Querier, stmt *db.Stmt, args ...any) ([]Event, error) {
	scan := func(row db.Row, e *Event) error { return row.Scan(append(columns.Vars(e), &e.hasWebhook)...) }
	return db.All(ctx, q, scan, stmt, args...)
}

var insertStmt = db.SQL("event.insert", `
	INSERT INTO events (swept, sequence, `+eventColumns+`, over_at) VALUES (FALSE, 0, `+columns.Params(1)+`, $`+strconv.Itoa(len(columns)+1)+
	`)`)

// insert queues a new event. It violates a unique constraint if the key or the code is not free.
func insert(ctx context.Context, tx db.Tx, e Event) {
	tx.Queue(ctx, insertStmt, append(columns.Vars(&e), e.OverAt())...)
}

// withFreeKey tries random keys until write finds a free one. Two events of one
// second collide with a probability of one in a billion. An event that has a key
// keeps its tie-breaker if possible, because feed cursors identify events by it.
func withFreeKey(e *Event, write func() (int64, error)) error {
	tie := tieOf(e.StartsKey)
	for range 10 {
		if tie == 0 {
			tie = randomTie()
		}
		e.StartsKey = newKey(e.StartsAt, tie)
		tie = 0
		n, err := write()
		if err != nil {
			return err
		}
		if n == 1 {
			return nil
		}
	}
	return errors.New("event: no free key in this second")
}

// changing are the columns that an update sets, besides starts_key.
var changing = columns.Without("id", "code", "organizer_id", "has_team", "has_questions", "created_at", "starts_key", "series_id",
	"occurrence_at")

var updateStmt = db.SQL("event.update", `
	UPDATE events SET starts_key = $2, over_at = $3, sequence = sequence + $4, `+changing.Assignments(5)+`
	WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM events o WHERE o.starts_key = $2 AND o.id <> $1)`)

// update stores a changed event. If participants are notified of the change, the
// iCalendar SEQUENCE increases. An event that starts at another second gets a new
// key.
func update(ctx context.Context, tx db.Tx, e *Event, notifies bool) error {
	tx.Changed(Content.Of(e.ID), user.Activity.Of(e.OrganizerID))
	step := 0
	if notifies {
		step = 1
	}
	args := func() []any {
		stored := *e // of which the queue keeps pointers
		return append([]any{e.ID, e.StartsKey, e.OverAt(), step}, changing.Vars(&stored)...)
	}
	if KeyTime(e.StartsKey).Truncate(time.Second).Equal(e.StartsAt) {
		tx.Queue(ctx, updateStmt, args()...)
		return nil
	}
	return withFreeKey(e, func() (int64, error) { return tx.Exec(ctx, updateStmt, args()...) })
}
