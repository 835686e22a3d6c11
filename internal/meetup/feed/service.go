package feed

import (
	"context"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// Service implements the use cases of feeds. Its methods return domain errors.
type Service struct {
	DB         *db.DB
	Clock      domain.Clock
	Cards      *event.ListedCards
	Activities *Activities
	Profiles   *user.Profiles
}

// Preferences returns the viewer's feed preferences.
func (s *Service) Preferences(ctx context.Context, v domain.Viewer) (Preferences, error) {
	p, _, err := readPreferences(ctx, s.DB, v.UserID)
	return p, err
}

// SetPreferences changes the fields that were sent and returns the preferences
// afterwards. Its error names all invalid fields.
func (s *Service) SetPreferences(ctx context.Context, v domain.Viewer, c Change) (p Preferences, err error) {
	if c.isEmpty() {
		return s.Preferences(ctx, v)
	}
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		p, err = setPreferences(ctx, tx, v.UserID, c, now)
		return err
	})
	return p, err
}

// Feed returns a page of the viewer's feed. An empty cursor means the first page.
func (s *Service) Feed(ctx context.Context, v domain.Viewer, limit int, from string) (page Page, err error) {
	now := s.Clock.Now()
	at, err := parseCursor(from, now)
	if err != nil {
		return Page{}, err
	}
	r, err := s.reader(ctx, v)
	if err != nil {
		return Page{}, err
	}
	return r.page(ctx, at, now, limit)
}

func (s *Service) reader(ctx context.Context, v domain.Viewer) (reader, error) {
	if !v.SignedIn() {
		return newReader(s, v, Preferences{Price: anyPrice}, background{}), nil
	}
	p, b, err := readPreferences(ctx, s.DB, v.UserID)
	return newReader(s, v, p, b), err
}

// page returns the page that begins at the cursor.
func (r reader) page(ctx context.Context, at cursor, now time.Time, limit int) (Page, error) {
	found, err := r.candidates(ctx, at)
	if err != nil {
		return Page{}, err
	}
	limitByCandidates(ctx, found.events, now)
	var cards []event.ShownCard
	if free := min(limit, maxRanked-len(at.shown)); at.filler == (fillerPosition{}) && free > 0 {
		best, err := r.best(ctx, at, now, limit, at.notShown(rank(found.events)))
		if err != nil {
			return Page{}, err
		}
		cards = best[:min(len(best), free)]
		for _, c := range cards {
			at.shown = append(at.shown, tieOf(c.StartsKey))
		}
		if len(cards) == limit && len(best) > limit {
			return r.finish(ctx, at, cards, found, true)
		}
	}
	others, to, more, err := r.filler(ctx, at, now, limit-len(cards))
	if err != nil {
		return Page{}, err
	}
	at.filler = to
	return r.finish(ctx, at, append(cards, others...), found, more)
}

// followedStmt returns those of the users $2 whom the user $1 followed at the time $3. It looks up each of them: a join could scan all
// that the user follows.
var followedStmt = db.SQL("feed.followed", `
	SELECT l.value FROM unseen_ids($2) AS l
	WHERE (SELECT 1 FROM follows f WHERE f.follower_id = $1 AND f.followed_id = l.value AND f.created_at <= $3) = 1`)

// followedOf returns the followed organizers of cards, except of those that were found for
// that reason. It reads nothing if all followed people are in the batch.
func (r reader) followedOf(ctx context.Context, at cursor, cards []event.ShownCard,
	found candidates) (map[domain.UserID]bool, error) {
	if !r.viewer.SignedIn() || !r.followed || r.follows == 0 {
		return nil, nil
	}
	followed := map[domain.UserID]bool{}
	if r.follows <= followedBatch {
		for _, id := range found.people {
			followed[id] = true
		}
		return followed, nil
	}
	var organizers []domain.UserID
	for _, c := range cards {
		if !found.events[c.StartsKey].reasons.has(FollowedOrganizer) {
			organizers = append(organizers, c.OrganizerID)
		}
	}
	if len(organizers) == 0 {
		return followed, nil
	}
	var id domain.UserID
	for row, err := range r.DB.Query(ctx, followedStmt, r.viewer.UserID, organizers, at.moment) {
		if err == nil {
			err = row.Scan(&id)
		}
		if err != nil {
			return nil, err
		}
		followed[id] = true
	}
	return followed, nil
}

// finish returns a page of cards with their reasons. more reports whether another page
// follows, from the cursor on.
func (r reader) finish(ctx context.Context, at cursor, cards []event.ShownCard, found candidates,
	more bool) (page Page, err error) {
	followed, err := r.followedOf(ctx, at, cards, found)
	if err != nil {
		return Page{}, err
	}
	page.Cards = cards
	for _, c := range cards {
		page.Reasons = append(page.Reasons, r.reasons(c, found.events[c.StartsKey].reasons, followed[c.OrganizerID]))
	}
	if more {
		page.Next = at.encode()
	}
	return page, nil
}
