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
	participation  *string         // going, left
	visibility     *string         // of the participation: public, incognito
	party          *int64          // how many people come; nil unless the viewer is going
	incognitoCount *int64          // only for hosts
	blocks         int64           // how many participants have a block with the viewer
	followedCount  int64           // how many participants the viewer follows
	followed       []domain.UserID // the first of them, by id
	entry          *WaitlistEntry  // nil: the viewer does not wait
}

// visibleConferenceURL returns the conference URL if the viewer may see it: hosts,
// participants and invitees who accepted.
func (f viewerFacts) visibleConferenceURL() *string {
	if f.Hosts() || f.Going || f.Invitation == access.Accepted {
		return f.conferenceURL
	}
	return nil
}

// fewParticipants is the number below which statements scan the participants who go
// publicly, instead of the viewer's follows and blocks.
const fewParticipants = 100

// publicParticipantsAmong returns SQL that selects those public participants of the event $1
// who are in a column of a table, beside the viewer $2 in another column. It scans the
// participants if they are few, else the viewer's rows.
func publicParticipantsAmong(table, column, viewerColumn string) string {
	gate := func(comparison string) string {
		return fmt.Sprintf(`(SELECT 1 WHERE (SELECT COUNT(*) FROM (SELECT 1 FROM participants p WHERE %s LIMIT %d) AS first) %s %[2]d) AS gate`,
			goingPublicly, fewParticipants, comparison)
	}
	matches := ` WHERE ` + goingPublicly + ` AND r.` + column + ` = p.user_id AND r.` + viewerColumn + ` = $2`
	return `SELECT p.user_id AS id FROM ` + gate("<") + ` CROSS JOIN participants p CROSS JOIN ` + table + ` r` + matches + `
		UNION ALL SELECT p.user_id FROM ` + gate("=") + ` CROSS JOIN ` + table + ` r CROSS JOIN participants p` + matches
}

// COUNT of blocks, because PostgreSQL may turn EXISTS into a scan of all participants.
var (
	followedSQL = `SELECT id, COUNT(*) OVER () AS n FROM (` + publicParticipantsAmong("follows", "followed_id",
		"follower_id") + `) AS found ORDER BY id LIMIT 5`
	blocksSQL = `(SELECT COUNT(*) FROM (` + publicParticipantsAmong("blocks", "blocked_id", "blocker_id") + `) AS blocked)
		+ (SELECT COUNT(*) FROM (` + publicParticipantsAmong("blocks", "blocker_id", "blocked_id") + `) AS blocking)`
)

var (
	// viewerFactsStmt returns a row for each of the first participants whom the viewer
	// follows, and one row if there are none.
	viewerFactsStmt = db.SQL("event.viewer_facts", `
		SELECT `+access.ReadFactsSQL("e", "$2", "$3")+`, e.conference_url, v.status, v.visibility, CASE WHEN v.status = 'going' THEN v.party END,
			CASE WHEN `+access.HostsSQL("e", "$2")+` THEN
				(SELECT COUNT(*) FROM participants h WHERE h.event_id = e.id AND h.status = 'going' AND h.visibility = 'incognito') END,
			`+blocksSQL+`, f.id, f.n
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
			err = f.Scan(row, &f.conferenceURL, &f.participation, &f.visibility, &f.party, &f.incognitoCount, &f.blocks, db.OrZero(&followed),
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
	return db.All(ctx, q, scanUser, unblockedStmt, users, f.viewer)
}

// sortByID sorts the ids of a join or a union, which guarantees no order.
func sortByID(ids []domain.UserID) {
	slices.SortFunc(ids, func(a, b domain.UserID) int { return bytes.Compare(a[:], b[:]) })
}

func scanUser(row db.Row, id *domain.UserID) error { return row.Scan(id) }
