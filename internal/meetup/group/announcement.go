package group

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/platform/text"
)

// AnnouncementsPerGroupDay limits the announcements that the members of one group get.
var AnnouncementsPerGroupDay = ratelimit.Limit{Name: "group_announcements_per_group_day",
	Default: ratelimit.Quota{N: 5, Window: 24 * time.Hour}, What: "announcements to the members of one group"}

// Announcement is a text to the members of a group.
type Announcement struct {
	ID        domain.AnnouncementID
	Group     domain.GroupID
	Author    domain.UserID
	Body      string
	CreatedAt time.Time

	Profile *user.Public // of the author; nil while suspended. Only of Announcements
}

var (
	announceStmt = db.SQL("group.announce", `
		INSERT INTO group_announcements (id, group_id, author_id, body, created_at) VALUES ($1, $2, $3, $4, $5)`)
	deleteAnnouncementsStmt = db.SQL("group.delete_announcements", `DELETE FROM group_announcements WHERE group_id = $1`)
	eraseAnnouncementsStmt  = db.SQL("group.erase_announcements", `DELETE FROM group_announcements WHERE author_id = $1`)
	// announcementsStmt lists those of the group $2 before the id $3, without authors in a block with the viewer $1.
	announcementsStmt = db.SQL("group.announcements", `
		SELECT a.id, a.group_id, a.author_id, a.body, a.created_at, `+user.Columns("p")+` FROM group_announcements a
		LEFT JOIN users u ON u.id = a.author_id AND u.suspended_at IS NULL LEFT JOIN profiles p ON p.user_id = u.id
		WHERE a.group_id = $2 AND a.id < $3 AND `+access.NotBlocked("a.author_id", "$1")+`
		ORDER BY a.id DESC LIMIT $4`)
	exportAnnouncementsStmt = db.SQL("group.export_announcements", `
		SELECT id, group_id, body, created_at FROM group_announcements WHERE author_id = $1 ORDER BY created_at, id`)
)

// cleanAnnouncement returns the cleaned text of an announcement.
func cleanAnnouncement(body string) (string, error) {
	var wrong domain.Problems
	clean := &body
	text.Clean(&wrong, "/body", &clean, text.Block(1, 2000))
	return *clean, wrong.Err()
}

// Announce sends a text to the members of a group as a notification. Its cost does not depend on their number. Returns
// Forbidden unless the viewer hosts the group, and for a suspended group; RateLimited beyond the announcements of a day.
func (s *Service) Announce(ctx context.Context, v domain.Viewer, id domain.GroupID, body string) (a Announcement, err error) {
	now := s.Clock.Now()
	if found, err := idempotency.Find(ctx, s.DB, now, &a); found || err != nil {
		return a, err
	}
	g, err := read(ctx, s.DB, v, id)
	if err != nil {
		return a, err
	}
	if body, err = cleanAnnouncement(body); err != nil {
		return a, err
	}
	if err := g.mayAnnounce(); err != nil {
		return a, err
	}
	if err := s.Limits.Spend(ctx, AnnouncementsPerGroupDay, id.String()); err != nil {
		return a, err
	}
	a = Announcement{ID: domain.NewID[domain.AnnouncementKind](now), Group: id, Author: v.UserID, Body: body, CreatedAt: now}
	err = idempotency.InTx(ctx, s.DB, now, &a, func(tx db.Tx) error {
		g, err := lock(ctx, tx, v, id)
		if err != nil {
			return err
		}
		if err := g.mayAnnounce(); err != nil {
			return err
		}
		tx.Queue(ctx, announceStmt, a.ID, id, a.Author, a.Body, now)
		n := notify.Notification{Kind: notify.GroupAnnouncement, Subject: a.ID.String(), Actor: v.UserID}
		return notify.Announce(ctx, tx, now, n, notify.GroupMembers(id, int(g.MemberCount)))
	})
	return a, err
}

func (g Group) mayAnnounce() error {
	if err := g.Facts.MustHost(); err != nil {
		return err
	}
	if g.Facts.Suspended {
		return domain.Forbid(domain.BlockedByState)
	}
	return nil
}

const announcementsCursor = "group_announcements.1"

func readAnnouncementsCursor(cursor string) (before domain.AnnouncementID, err error) {
	before = domain.LastID[domain.AnnouncementKind]()
	if cursor != "" {
		err = domain.ReadCursor(cursor, announcementsCursor, &before)
	}
	return before, err
}

// Announcements returns a page of the announcements to the members, the newest first. Returns Forbidden unless the viewer belongs to the
// group.
func (s *Service) Announcements(ctx context.Context, v domain.Viewer, id domain.GroupID, limit int,
	cursor string) (page domain.Page[Announcement], err error) {
	before, err := readAnnouncementsCursor(cursor)
	if err != nil {
		return page, err
	}
	g, err := read(ctx, s.DB, v, id)
	if err != nil {
		return page, err
	}
	if !g.Facts.Active() {
		return page, domain.Forbid(domain.NotParticipant)
	}
	found, err := db.All(ctx, s.DB, scanAnnouncement, announcementsStmt, v.UserID, id, before, limit+1)
	return domain.NewPage(found, limit, func(last Announcement) string { return domain.Cursor(announcementsCursor, last.ID) }), err
}

func scanAnnouncement(row db.Row, a *Announcement) error {
	var author user.ProfileColumns
	err := row.Scan(append([]any{&a.ID, &a.Group, &a.Author, &a.Body, &a.CreatedAt}, author.Dest()...)...)
	a.Profile = author.Public()
	return err
}
