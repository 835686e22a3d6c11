package group

import (
	"context"
	"strings"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/address"
	"moothall/internal/domain"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
)

const (
	// formerFor is how long an earlier slug leads to its group. No other group can take it during this time.
	formerFor = 90 * 24 * time.Hour

	// maxFormer is how many earlier slugs a group keeps. The next change waits until one of them is free.
	maxFormer = 10
)

var (
	insertSlugStmt = db.SQL("group.insert_slug", `INSERT INTO group_slugs (slug, group_id) VALUES ($1, $2)`)

	// freeSlugStmt deletes an earlier slug whose time is over.
	freeSlugStmt = db.SQL("group.free_slug", `DELETE FROM group_slugs WHERE slug = $1 AND until <= $2`)
	takenStmt    = db.SQL("group.slug_taken", `SELECT EXISTS (SELECT 1 FROM group_slugs WHERE slug = $1)`)

	// takeSlugStmt changes nothing if another group has the slug.
	takeSlugStmt = db.SQL("group.take_slug", `
		INSERT INTO group_slugs (slug, group_id) VALUES ($1, $2)
		ON CONFLICT (slug) DO UPDATE SET until = NULL WHERE group_slugs.group_id = $2`)
	retireSlugStmt = db.SQL("group.retire_slug", `UPDATE group_slugs SET until = $2 WHERE slug = $1`)
	formerStmt     = db.SQL("group.former_slugs", `
		SELECT COUNT(*), COALESCE(MIN(until), 0) FROM group_slugs WHERE group_id = $1 AND until > $2`)
	purgeSlugsStmt = db.SQL("group.purge_slugs", `DELETE FROM group_slugs WHERE until <= $1`)

	bySlugStmt = db.SQL("group.by_slug", selectSQL(`
		g.id = (SELECT s.group_id FROM group_slugs s WHERE s.slug = $2 AND (s.until IS NULL OR s.until > $3))`))
)

// freeSlug returns a slug that no group has: the wanted one, or one with random characters behind it. That of a private group always
// has them, so that nobody finds its name by giving it to another group.
func freeSlug(ctx context.Context, tx db.Tx, wanted string, of access.Visibility, now time.Time) (string, error) {
	if _, err := tx.Exec(ctx, freeSlugStmt, wanted, now); err != nil {
		return "", err
	}
	var taken bool
	if err := tx.One(ctx, takenStmt, wanted).Scan(&taken); err != nil {
		return "", err
	}
	if taken || of == access.Private {
		wanted += "-" + strings.ToLower(address.NewCode())
	}
	return wanted, nil
}

// rename gives a locked group another slug. The earlier one leads to the group for formerFor.
func rename(ctx context.Context, tx db.Tx, id domain.GroupID, earlier, slug string, now time.Time) error {
	if _, err := tx.Exec(ctx, freeSlugStmt, slug, now); err != nil {
		return err
	}
	taken, err := tx.Exec(ctx, takeSlugStmt, slug, id)
	if err != nil {
		return err
	}
	if taken == 0 {
		return domain.Conflict
	}
	var kept int
	var first time.Time
	if err := tx.One(ctx, formerStmt, id, now).Scan(&kept, &first); err != nil {
		return err
	}
	if kept >= maxFormer {
		return ratelimit.RetryIn(first.Sub(now))
	}
	tx.Queue(ctx, retireSlugStmt, earlier, now.Add(formerFor))
	return nil
}

// Purge deletes the earlier slugs whose time is over.
func (s *Service) Purge(ctx context.Context) error {
	_, err := s.DB.Exec(ctx, purgeSlugsStmt, s.Clock.Now())
	return err
}

// bySlug returns the group that has a slug, or had it in the last 90 days.
func (s *Service) bySlug(ctx context.Context, v domain.Viewer, slug string) (page domain.Page[Group], err error) {
	found, err := db.All(ctx, s.DB, scan, bySlugStmt, v.UserID, slug, s.Clock.Now())
	for _, g := range found {
		if g.Facts.Sees() {
			page.Items = append(page.Items, g)
			if g.Slug == slug { // an earlier one ends
				cache.Until(ctx, time.Time{})
			}
		}
	}
	return page, err
}
