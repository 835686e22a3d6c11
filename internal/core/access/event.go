package access

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var factsStmt = db.SQL("access.event", `SELECT `+FactsSQL("e", "$2", "$3")+` FROM events e WHERE e.id = $1`)

// FactsSQL lists the columns of EventFacts for the events row e. viewer is the
// parameter of the viewer's id, now the parameter of the current time. A write reads
// all its facts with the first statement of its transaction: it selects these columns,
// then its own, and reads the row with Scan.
func FactsSQL(e, viewer, now string) string {
	return factsSQL(e, viewer, now, HasWebhookSQL(e+".organizer_id"))
}

// ReadFactsSQL is FactsSQL without HasWebhook, for statements that are never part of a write.
func ReadFactsSQL(e, viewer, now string) string { return factsSQL(e, viewer, now, `FALSE`) }

func factsSQL(e, viewer, now, hasWebhook string) string {
	return fmt.Sprintf(`%[1]s.id, %[1]s.organizer_id, %[2]s, %[1]s.visibility, %[3]s, %[1]s.listed, %[1]s.price = 'paid', %[1]s.capacity,
		%[1]s.max_party_size, %[1]s.waitlisted, %[1]s.join_policy = 'approval', %[1]s.has_questions,
		%[1]s.source_host IS NOT NULL, %[1]s.has_team, %[8]s, %[9]s,
		COALESCE((SELECT i.status FROM invitations i WHERE i.event_id = %[1]s.id AND i.user_id = %[4]s), ''),
		%[5]s, NOT (%[6]s), %[7]s`,
		e, StatusSQL(e, now), shown(e), viewer, Going(e, viewer), NotBlocked(e+".organizer_id", viewer), hasWebhook, roleSQL(e, viewer),
		memberSQL(e, viewer))
}

// HasWebhookSQL is true if a user, such as the organizer of an event, has an active webhook.
func HasWebhookSQL(user string) string {
	return `EXISTS (SELECT 1 FROM webhooks h WHERE h.user_id = ` + user + ` AND h.status = 'active')`
}

// Scan reads a row that starts with the columns of FactsSQL; more are the scan targets
// of the columns after them. It returns domain.NotFound if the event is unknown or
// hidden from the viewer, so that callers cannot distinguish the two.
func (f *EventFacts) Scan(row db.Row, more ...any) error { return f.scan(row, EventFacts.Sees, more) }

// ScanLinked is Scan for a viewer who has an invitation link.
func (f *EventFacts) ScanLinked(row db.Row, more ...any) error {
	return f.scan(row, EventFacts.SeesByLink, more)
}

func (f *EventFacts) scan(row db.Row, sees func(EventFacts) bool, more []any) error {
	if err := row.ScanOr(domain.NotFound, append(f.columns(), more...)...); err != nil {
		return err
	}
	if !sees(*f) {
		return domain.NotFound
	}
	return nil
}

// columns returns the scan targets, in the order of FactsSQL.
func (f *EventFacts) columns() []any {
	return []any{&f.ID, &f.OrganizerID, &f.Status, &f.Visibility, &f.Shown, &f.Listed, &f.Paid, &f.Capacity, &f.MaxParty, &f.Waitlisted,
		&f.Approval, &f.HasQuestions, &f.External, &f.HasTeam, &f.Role, &f.Member, &f.Invitation, &f.Going, &f.Blocked, &f.HasWebhook}
}

// Event loads the facts of one event for a viewer at the time now. It returns
// domain.NotFound if the event is unknown or hidden.
func Event(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, now time.Time) (f EventFacts, err error) {
	err = f.Scan(q.One(ctx, factsStmt, id, v.UserID, now))
	return f, err
}

// HostedEvent is Event for the operations that only the organizer and hosts may know of (policy
// "Doing something"). It returns domain.NotFound to everybody else.
func HostedEvent(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, now time.Time) (EventFacts, error) {
	f, err := Event(ctx, q, v, id, now)
	if err == nil && !f.Hosts() {
		return EventFacts{}, domain.NotFound
	}
	return f, err
}

// hostedOperations return 404 to everybody but the organizer and hosts.
var hostedOperations = map[string]bool{"updateEvent": true, "publishEvent": true, "cancelEvent": true, "setEventCover": true,
	"deleteEventCover": true}

// invitedOperations return 404 to everybody without an invitation.
var invitedOperations = map[string]bool{"answerInvitation": true}

// Precheck returns domain.NotFound unless the viewer may learn that a request to an
// operation on an event is malformed: 404 comes before 400 (policy "Doing something").
func Precheck(ctx context.Context, q db.Querier, v domain.Viewer, operation string, id domain.EventID, now time.Time) error {
	load := Event
	if hostedOperations[operation] {
		load = HostedEvent
	}
	f, err := load(ctx, q, v, id, now)
	if err == nil && invitedOperations[operation] && !f.Invited() {
		return domain.NotFound
	}
	return err
}
