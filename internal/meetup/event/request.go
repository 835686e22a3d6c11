package event

import (
	"context"
	"time"

	"moothall/internal/platform/db"
)

// The values of join_policy: what a join of a user without an invitation does.
const (
	JoinOpen     = "open"     // it takes a seat
	JoinApproval = "approval" // it asks the organizer
)

// The states of a participation beside going and left. Those of a request are not stored with participations.
const (
	ParticipationRemoved   = "removed"   // by the organizer
	ParticipationRequested = "requested" // the organizer has not decided
	ParticipationDeclined  = "declined"  // the organizer has declined the request
)

// MaxDeclines is how often an organizer declines a user who may not ask again then.
const MaxDeclines = 2

// needsWaitlist reports whether joins must look at the waiting list and at requests. A request of a paid event becomes an offer.
func (f Fields) needsWaitlist() bool {
	return f.Waitlist != WaitlistOff || f.JoinPolicy == JoinApproval
}

// mustAsk reports whether a join of the viewer is a request.
func (d Details) mustAsk() bool {
	return d.JoinPolicy == JoinApproval && !d.viewer.Hosts() && !d.viewer.Invited() && d.viewer.entry == nil
}

func (f viewerFacts) is(participation string) bool {
	return f.participation != nil && *f.participation == participation
}

// removed reports whether the organizer has removed the viewer.
func (f viewerFacts) removed() bool { return f.is(ParticipationRemoved) }

// mayAsk reports whether the viewer may request to join.
func (f viewerFacts) mayAsk() bool { return !f.is(ParticipationRequested) && f.declines < MaxDeclines }

var viewerRequestStmt = db.SQL("event.viewer_request", `
	SELECT CASE j.status WHEN 'pending' THEN '`+ParticipationRequested+`' ELSE '`+ParticipationDeclined+`' END, j.visibility, j.declines
	FROM join_requests j JOIN events e ON e.id = j.event_id
	WHERE j.event_id = $1 AND j.user_id = $2 AND j.status <> 'withdrawn' AND e.starts_at > $3`)

// readRequest reads the viewer's join request, which takes the place of an ended participation. Requests end at the start of the event.
func (f *viewerFacts) readRequest(ctx context.Context, q db.Querier, now time.Time) error {
	if f.Going || f.removed() {
		return nil
	}
	var status, visibility string
	found, err := q.One(ctx, viewerRequestStmt, f.ID, f.viewer, now).Find(&status, &visibility, &f.declines)
	if found {
		f.participation, f.visibility = &status, &visibility
	}
	return err
}
