package access

import (
	"context"
	"fmt"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Audience is the guests of an event to whom its hosts write.
type Audience string

// The audiences.
const (
	AudienceGoing      Audience = "going"
	AudienceWaiting    Audience = "waiting"            // in the waiting list, or with an offer
	AudienceUnanswered Audience = "invited_unanswered" // and not going
	AudienceRequested  Audience = "requested"          // with a request to join that is not decided
)

// Audiences are all audiences.
var Audiences = []Audience{AudienceGoing, AudienceWaiting, AudienceUnanswered, AudienceRequested}

// GuestFacts are EventFacts and the facts that decide to which audiences the viewer belongs.
type GuestFacts struct {
	EventFacts
	Waiting   bool
	Requested bool
}

// In reports whether the viewer belongs to an audience. MembersSQL is the same in SQL.
func (f GuestFacts) In(a Audience) bool {
	switch a {
	case AudienceGoing:
		return f.Going
	case AudienceWaiting:
		return f.Waiting
	case AudienceUnanswered:
		return f.Invitation == Pending && !f.Going
	case AudienceRequested:
		return f.Requested
	}
	return false
}

// Reads reports whether the viewer may read the messages to an audience. ReadsSQL is the same in SQL.
func (f GuestFacts) Reads(a Audience) bool { return f.Sees() && (f.Hosts() || f.In(a)) }

// membersSQL selects the user_id of the members of each audience, without duplicates; %[1]s is the id of the event.
var membersSQL = map[Audience]string{
	AudienceGoing: `SELECT p.user_id AS user_id FROM participants AS p WHERE p.event_id = %[1]s AND p.status = 'going'`,

	AudienceWaiting: `
		SELECT w.user_id AS user_id FROM waitlist_entries AS w WHERE w.event_id = %[1]s AND w.status IN ('waiting', 'offered')`,

	AudienceUnanswered: `
		SELECT i.user_id AS user_id FROM invitations AS i WHERE i.event_id = %[1]s AND i.status = 'pending'
			AND (SELECT COUNT(*) FROM participants AS p
				WHERE p.event_id = i.event_id AND p.user_id = i.user_id AND p.status = 'going') = 0`,

	AudienceRequested: `SELECT j.user_id AS user_id FROM join_requests AS j WHERE j.event_id = %[1]s AND j.status = 'pending'`,
}

// MembersSQL selects the user_id of the members of an audience. event is the id of the event in SQL.
func MembersSQL(a Audience, event string) string { return fmt.Sprintf(membersSQL[a], event) }

func inAudience(a Audience, e, user string) string {
	return `EXISTS (SELECT 1 FROM (` + MembersSQL(a, e+".id") + `) AS m WHERE m.user_id = ` + user + `)`
}

// ReadsSQL is GuestFacts.Reads in SQL: a condition on the events row e and the column audience.
func ReadsSQL(e, viewer, audience string) string {
	var in strings.Builder
	for _, a := range Audiences {
		fmt.Fprintf(&in, " OR %s = '%s' AND %s", audience, a, inAudience(a, e, viewer))
	}
	return `(` + SeesEvent(e, viewer) + ` AND (` + HostsSQL(e, viewer) + in.String() + `))`
}

// GuestFactsSQL lists the columns of GuestFacts, as FactsSQL lists those of EventFacts.
func GuestFactsSQL(e, viewer, now string) string {
	return FactsSQL(e, viewer, now) + `, ` + inAudience(AudienceWaiting, e, viewer) + `, ` + inAudience(AudienceRequested, e, viewer)
}

// Scan is EventFacts.Scan for a row that starts with the columns of GuestFactsSQL.
func (f *GuestFacts) Scan(row db.Row, more ...any) error {
	return f.EventFacts.Scan(row, append([]any{&f.Waiting, &f.Requested}, more...)...)
}

var guestFactsStmt = db.SQL("access.guest", `SELECT `+GuestFactsSQL("e", "$2", "$3")+` FROM events e WHERE e.id = $1`)

// Guest is Event with GuestFacts.
func Guest(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, now time.Time) (f GuestFacts, err error) {
	err = f.Scan(q.One(ctx, guestFactsStmt, id, v.UserID, now))
	return f, err
}
