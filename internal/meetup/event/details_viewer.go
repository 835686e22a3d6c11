package event

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// viewerFacts are the details that differ between the viewers of an event. The zero value
// is that of anonymous viewers.
type viewerFacts struct {
	access.EventFacts
	viewer         domain.UserID
	conferenceURL  *string
	participation  *string         // going, left, removed; of a request: requested, declined
	visibility     *string         // of the participation: public, incognito
	party          *int64          // how many people come; nil unless the viewer is going
	incognitoCount *int64          // only for hosts
	hasBlocks      bool            // the viewer blocks somebody, or somebody blocks them
	followedCount  int64           // how many participants the viewer follows
	followed       []domain.UserID // the first of them, by id
	entry          *WaitlistEntry  // nil: the viewer does not wait
	declines       int64           // of the viewer's join request
}

// visibleConferenceURL returns the conference URL if the viewer may see it: hosts,
// participants and invitees who accepted.
func (f viewerFacts) visibleConferenceURL() *string {
	if f.Hosts() || f.Going || f.Invitation == access.Accepted {
		return f.conferenceURL
	}
	return nil
}

// fewParticipants is the number of participants who go publicly below which a statement scans them, instead of the viewer's follows.
const fewParticipants = 100

var (
	// fewSQL selects the first of those who go publicly.
	fewSQL = fmt.Sprintf(`SELECT p.user_id FROM participants p WHERE %s LIMIT %d`, goingPublicly, fewParticipants)

	// followedSQL selects the first of the participants in few whom the viewer follows, and their number. If few are not all
	// participants, it scans the viewer's follows instead.
	followedSQL = fmt.Sprintf(`
		SELECT id, COUNT(*) OVER () AS n FROM (
			SELECT p.user_id AS id FROM (SELECT 1 WHERE (SELECT COUNT(*) FROM few) < %[1]d) AS gate
				CROSS JOIN few p CROSS JOIN follows r WHERE r.follower_id = $2 AND r.followed_id = p.user_id
			UNION ALL SELECT p.user_id FROM (SELECT 1 WHERE (SELECT COUNT(*) FROM few) = %[1]d) AS gate
				CROSS JOIN follows r CROSS JOIN participants p WHERE r.follower_id = $2 AND r.followed_id = p.user_id AND %[2]s) AS found
		ORDER BY id LIMIT 5`, fewParticipants, goingPublicly)
)

var (
	// viewerFactsStmt returns a row for each of the first participants whom the viewer
	// follows, and one row if there are none.
	viewerFactsStmt = db.SQL("event.viewer_facts", `
		WITH few AS MATERIALIZED (`+fewSQL+`)
		SELECT `+access.ReadFactsSQL("e", "$2", "$3")+`, e.conference_url, v.status, v.visibility, CASE WHEN v.status = 'going' THEN v.party END,
			CASE WHEN `+access.HostsSQL("e", "$2")+` THEN
				(SELECT COUNT(*) FROM participants h WHERE h.event_id = e.id AND h.status = 'going' AND h.visibility = 'incognito') END,
			`+access.HasBlocks("$2")+`, f.id, f.n
		FROM events e LEFT JOIN participants v ON v.event_id = e.id AND v.user_id = $2 LEFT JOIN (`+followedSQL+`) AS f ON TRUE
		WHERE e.id = $1`)

	// Social proof shows participants who go publicly and have no block with the viewer
	// (policy "Incognito", "Block").
	unblockedParticipantsStmt = db.SQL("event.unblocked_participants", `
		SELECT p.user_id FROM participants p WHERE `+goingPublicly+` AND `+access.NotBlocked("p.user_id", "$2")+` ORDER BY p.user_id LIMIT 5`)
)

// readViewerFacts returns domain.NotFound if the event is unknown or hidden from the
// viewer.
func readViewerFacts(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, now time.Time) (viewerFacts, error) {
	f := viewerFacts{viewer: v.UserID}
	for row, err := range q.Query(ctx, viewerFactsStmt, id, v.UserID, now) {
		var followed domain.UserID
		if err == nil {
			err = f.Scan(row, &f.conferenceURL, &f.participation, &f.visibility, &f.party, &f.incognitoCount, &f.hasBlocks, db.OrZero(&followed),
				db.OrZero(&f.followedCount))
		}
		if err != nil {
			return viewerFacts{}, err
		}
		if !followed.IsZero() {
			f.followed = append(f.followed, followed)
		}
	}
	if f.ID.IsZero() {
		return viewerFacts{}, domain.NotFound
	}
	sortByID(f.followed)
	if f.Waitlisted {
		var err error
		if f.entry, err = readViewerEntry(ctx, q, id, v.UserID); err != nil {
			return viewerFacts{}, err
		}
		if err := f.readRequest(ctx, q, now); err != nil {
			return viewerFacts{}, err
		}
	}
	return f, nil
}

var unblockedStmt = db.SQL("event.unblocked_hosts", `
	SELECT l.value FROM ids($1) AS l WHERE `+access.NotBlocked("l.value", "$2")+` ORDER BY l.ord`)

// unblocked returns the users who have no block with the viewer.
func (f viewerFacts) unblocked(ctx context.Context, q db.Querier, users []domain.UserID) ([]domain.UserID, error) {
	if len(users) == 0 || f.viewer.IsZero() {
		return users, nil
	}
	return db.Values[domain.UserID](ctx, q, unblockedStmt, users, f.viewer)
}

// sortByID sorts the ids of a join or a union, which guarantees no order.
func sortByID(ids []domain.UserID) {
	slices.SortFunc(ids, func(a, b domain.UserID) int { return bytes.Compare(a[:], b[:]) })
}
