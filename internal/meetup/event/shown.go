package event

import (
	"context"
	"slices"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// ShownCard is the card of a listed event as one viewer sees it.
type ShownCard struct {
	*ListedCard
	ViewerGoing bool
}

// overlayStmt returns the events $2 that the viewer $1 takes part in, and the
// organizers $3 who have a block with the viewer.
var overlayStmt = db.SQL("event.overlay", `
	SELECT e.id, FALSE FROM (SELECT value AS id FROM ids($2) AS l) AS e WHERE `+access.Going("e", "$1")+`
	UNION ALL SELECT o.id, TRUE FROM (SELECT value AS id FROM ids($3) AS l) AS o
		WHERE `+access.HasBlocks("$1")+` AND NOT (`+access.NotBlocked("o.id", "$1")+`)`)

// Show returns the cards as the viewer sees them, in their order. It leaves out the
// events of organizers who have a block with the viewer.
func Show(ctx context.Context, q db.Querier, v domain.Viewer, cards []*ListedCard) ([]ShownCard, error) {
	shown := make([]ShownCard, len(cards))
	for i, c := range cards {
		shown[i].ListedCard = c
	}
	if !v.SignedIn() || len(cards) == 0 {
		return shown, nil
	}
	events, organizers := make([]domain.EventID, len(cards)), []domain.UserID{}
	for i, c := range cards {
		events[i] = c.ID
		if !slices.Contains(organizers, c.OrganizerID) {
			organizers = append(organizers, c.OrganizerID)
		}
	}
	blocked := map[domain.UserID]bool{}
	for row, err := range q.Query(ctx, overlayStmt, v.UserID, events, organizers) {
		var id [16]byte
		var isOrganizer bool
		if err == nil {
			err = row.Scan((*domain.EventID)(&id), &isOrganizer)
		}
		switch {
		case err != nil:
			return nil, err
		case isOrganizer:
			blocked[id] = true
		default:
			shown[slices.Index(events, id)].ViewerGoing = true
		}
	}
	return slices.DeleteFunc(shown, func(c ShownCard) bool { return blocked[c.OrganizerID] }), nil
}

func organizersOf(cards []ShownCard) []domain.UserID {
	ids := make([]domain.UserID, len(cards))
	for i, c := range cards {
		ids[i] = c.OrganizerID
	}
	return ids
}
