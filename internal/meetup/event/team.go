package event

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/postings"
	"moothall/internal/platform/db"
)

// Package host decides who hosts an event beside its organizer, and who is its organizer. It changes the event's row by the
// following functions.

// Lock locks and returns one event with its effective status. It does not check who may see it.
func Lock(ctx context.Context, tx db.Tx, id domain.EventID, now time.Time) (Event, error) {
	return lock(ctx, tx, id, now)
}

var (
	setTeamStmt = db.SQL("event.set_team", `UPDATE events SET has_team = TRUE WHERE id = $1`)

	setOrganizerStmt = db.SQL("event.set_organizer", `UPDATE events SET organizer_id = $2, listed = $3, updated_at = $4 WHERE id = $1`)

	ownedStmt = db.SQL("event.owned_with_team", `
		SELECT `+eventColumns+` FROM events WHERE organizer_id = $1 AND has_team ORDER BY starts_key FOR UPDATE`)
)

// SetTeam notes that a locked event has hosts beside its organizer.
func SetTeam(ctx context.Context, tx db.Tx, e Event) {
	tx.Changed(Content.Of(e.ID))
	if !e.HasTeam {
		tx.Queue(ctx, setTeamStmt, e.ID)
	}
}

// SetOrganizer gives a locked event another organizer, whose account is not suspended.
func SetOrganizer(ctx context.Context, tx db.Tx, was Event, to domain.UserID, now time.Time) error {
	e := was
	e.OrganizerID, e.Listed = to, was.listable(now)
	e.touch(now)
	if err := postings.Update(ctx, tx, was.Document(), e.Document()); err != nil {
		return err
	}
	tx.Changed(Content.Of(e.ID), user.Activity.Of(was.OrganizerID), user.Activity.Of(to))
	tx.Queue(ctx, setOrganizerStmt, e.ID, to, e.Listed, e.UpdatedAt)
	return nil
}

// LockWithTeam locks and returns the events of an organizer that have or had hosts.
func LockWithTeam(ctx context.Context, tx db.Tx, organizer domain.UserID, now time.Time) ([]Event, error) {
	events, err := all(ctx, tx, ownedStmt, organizer)
	for i, e := range events {
		events[i].Status = access.EffectiveStatus(e.Status, e.OverAt(), now)
	}
	return events, err
}

var eraseHostedImagesStmt = db.SQL("event.erase_hosted_images", `
	UPDATE events SET image_url = NULL, image_alt = NULL, image_aspect = NULL
	WHERE id IN (SELECT h.event_id FROM event_hosts h WHERE h.user_id = $1)
		AND image_url IN (SELECT m.url FROM media m WHERE m.owner_id = $1) RETURNING id`)

// EraseHostedImages removes the pictures that a user has uploaded from the events of others that the user hosts or has hosted.
func EraseHostedImages(ctx context.Context, tx db.Tx, by domain.UserID) error {
	return erase(ctx, tx, eraseHostedImagesStmt, by)
}
