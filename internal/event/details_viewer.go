package event

import (
	"context"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// viewerFacts are the details that differ between the viewers of an event. The zero value
// is that of anonymous viewers.
type viewerFacts struct {
	access.EventFacts
	viewer         domain.UserID
	conferenceURL  *string
	participation  *string // going, left
	visibility     *string // of the participation: public, incognito
	incognitoCount *int64  // only for the organizer
	followedGoing  int64   // how many participants the viewer follows
	blocks         int64   // how many participants have a block with the viewer
}

// visibleConferenceURL returns the conference URL if the viewer may see it: the organizer,
// participants and invitees who accepted.
func (f viewerFacts) visibleConferenceURL() *string {
	if f.Organizer || f.Going || f.Invitation == access.Accepted {
		return f.conferenceURL
	}
	return nil
}

// The lists of people scan the viewer's follows and blocks, which are few even where
// participants are many. They count because PostgreSQL may turn EXISTS into a scan of all
// participants.
const (
	followedSQL = ` FROM follows f CROSS JOIN participants p WHERE f.follower_id = $2 AND p.user_id = f.followed_id AND ` + goingPublicly
	blockedSQL  = ` FROM blocks b CROSS JOIN participants p WHERE b.blocker_id = $2 AND p.user_id = b.blocked_id AND ` + goingPublicly
	blockersSQL = ` FROM blocks b CROSS JOIN participants p WHERE b.blocked_id = $2 AND p.user_id = b.blocker_id AND ` + goingPublicly
)

var (
	viewerFactsStmt = db.SQL("event.viewer_facts", `
		SELECT `+access.FactsSQL("e", "$2", "$3")+`, e.conference_url, v.status, v.visibility,
			CASE WHEN e.organizer_id = $2 THEN
				(SELECT COUNT(*) FROM participants h WHERE h.event_id = e.id AND h.status = 'going' AND h.visibility = 'incognito') END,
			(SELECT COUNT(*)`+followedSQL+`), (SELECT COUNT(*)`+blockedSQL+`) + (SELECT COUNT(*)`+blockersSQL+`)
		FROM events e LEFT JOIN participants v ON v.event_id = e.id AND v.user_id = $2
		WHERE e.id = $1`)

	// Social proof shows participants who go publicly and have no block with the viewer
	// (policy "Incognito", "Block").
	unblockedParticipantsStmt = db.SQL("event.unblocked_participants", `
		SELECT p.user_id FROM participants p WHERE `+goingPublicly+` AND `+access.NotBlocked("p.user_id", "$2")+` ORDER BY p.user_id LIMIT 5`)
	followedGoingStmt = db.SQL("event.followed_going", `SELECT f.followed_id`+followedSQL+` ORDER BY f.followed_id LIMIT 5`)
)

// readViewerFacts returns domain.NotFound if the event is unknown or hidden from the
// viewer.
func readViewerFacts(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, now time.Time) (viewerFacts, error) {
	f := viewerFacts{viewer: v.UserID}
	err := f.Scan(q.One(ctx, viewerFactsStmt, id, v.UserID, now), &f.conferenceURL, &f.participation, &f.visibility,
		&f.incognitoCount, &f.followedGoing, &f.blocks)
	return f, err
}

func scanUser(row db.Row, id *domain.UserID) error { return row.Scan(id) }
