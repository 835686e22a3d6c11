package attendance

import (
	"context"
	"strconv"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/ratelimit"
)

// maxInviteLinks limits the invitation links of one event.
const maxInviteLinks = 50

// InviteLink is a link by which people invite themselves to a private event.
type InviteLink struct {
	ID        domain.InviteLinkID
	EventID   domain.EventID
	Uses      int64      // users that it has invited
	MaxUses   *int64     // nil: no limit
	ExpiresAt *time.Time // nil: it ends with the event
	CreatedAt time.Time
}

func (l *InviteLink) columns() []any {
	return []any{&l.ID, &l.EventID, &l.Uses, &l.MaxUses, &l.ExpiresAt, &l.CreatedAt}
}

// open reports whether the link invites one more user.
func (l InviteLink) open(now time.Time) bool {
	return (l.MaxUses == nil || l.Uses < *l.MaxUses) && (l.ExpiresAt == nil || now.Before(*l.ExpiresAt))
}

// InviteLinkLimits are the limits of a new link. MaxUses is 1 to 500 or nil.
type InviteLinkLimits struct {
	MaxUses   *int64
	ExpiresAt *time.Time
}

func (n InviteLinkLimits) check(now time.Time) error {
	var problems domain.Problems
	if n.ExpiresAt != nil && !n.ExpiresAt.After(now) {
		problems.Add("/expires_at", "must be in the future")
	}
	return problems.Err()
}

// LinksPerAddress limits guesses of tokens: of invitation links and of the links in e-mail invitations.
var LinksPerAddress = ratelimit.Limit{
	Name: "invite_links_per_address", What: "invitation links, and links of e-mail invitations, opened or answered from one client address",
	Default: ratelimit.Quota{N: 240, Window: time.Minute},
}

const invitePurpose = "invite link"

// InviteToken returns the token in the address of a link.
func (s *Service) InviteToken(id domain.InviteLinkID) string {
	return s.Addresses.Keys.Token(invitePurpose, id[:])
}

// parseInviteToken returns domain.NotFound for a forged token.
func (s *Service) parseInviteToken(token string) (id domain.InviteLinkID, err error) {
	data, ok := s.Addresses.Keys.OpenToken(invitePurpose, token)
	if !ok || copy(id[:], data) != len(id) {
		return id, domain.NotFound
	}
	return id, nil
}

// CreateInviteLink makes a link to a private event, which invites nobody before the event is published. Returns Forbidden for users
// other than hosts, in the wrong state of the event, and beyond 50 links.
func (s *Service) CreateInviteLink(ctx context.Context, v domain.Viewer, id domain.EventID, limits InviteLinkLimits) (l InviteLink,
	err error) {
	now := s.Clock.Now()
	if found, err := idempotency.Find(ctx, s.DB, now, &l); found || err != nil {
		return l, err
	}
	facts, err := access.Event(ctx, s.DB, v, id, now)
	if err != nil {
		return l, err
	}
	if err := limits.check(now); err != nil {
		return l, err
	}
	if err := mayInvite(facts.Hosts(), facts.Visibility, facts.Status); err != nil {
		return l, err
	}
	err = idempotency.InTx(ctx, s.DB, now, &l, func(tx db.Tx) error {
		e, err := lockEvent(ctx, tx, id, now)
		if err != nil {
			return err
		}
		if err := mayInvite(true, e.visibility, e.status); err != nil {
			return err
		}
		l = InviteLink{ID: domain.NewIDIn[domain.InviteLinkKind](ctx, now), EventID: id, MaxUses: limits.MaxUses, ExpiresAt: limits.ExpiresAt,
			CreatedAt: now}
		n, err := tx.Exec(ctx, putInviteLinkStmt, l.ID, id, v.UserID, l.MaxUses, l.ExpiresAt, now)
		if err == nil && n == 0 {
			err = domain.Forbid(domain.InvitationLimit)
		}
		return err
	})
	return l, err
}

// InviteLinks returns a page of the links to an event, newest first, limit of them (1 to 100). Its errors are those of Participants.
func (s *Service) InviteLinks(ctx context.Context, v domain.Viewer, id domain.EventID, limit int, cursor string) (
	page domain.Page[InviteLink], err error) {
	before, err := beforeInviteLink(cursor)
	if err != nil {
		return page, err
	}
	scan := func(r db.Row, l *InviteLink) error { return r.Scan(l.columns()...) }
	all, err := listForHosts(ctx, s, v, id, scan, inviteLinksStmt, id, before)
	return domain.NewPage(all, limit, func(last InviteLink) string { return domain.Cursor(inviteLinksCursor, last.ID) }), err
}

const inviteLinksCursor = "invite-links.1"

func beforeInviteLink(cursor string) (before domain.InviteLinkID, err error) {
	before = domain.LastID[domain.InviteLinkKind]()
	if cursor != "" {
		err = domain.ReadCursor(cursor, inviteLinksCursor, &before)
	}
	return before, err
}

// EndInviteLink ends a link. Who has used it stays invited. Returns NotFound if there is none, and the errors of Participants.
func (s *Service) EndInviteLink(ctx context.Context, v domain.Viewer, id domain.EventID, link domain.InviteLinkID) error {
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		facts, err := access.Event(ctx, tx, v, id, s.Clock.Now())
		if err != nil {
			return err
		}
		if err := facts.MustHost(); err != nil {
			return err
		}
		n, err := tx.Exec(ctx, endInviteLinkStmt, link, id)
		if err == nil && n == 0 {
			err = domain.NotFound
		}
		return err
	})
}

// LinkedEvent is what a link shows.
type LinkedEvent struct {
	InviteLink
	Title, Timezone    string
	StartsAt           time.Time
	EndsAt             *time.Time
	City               *string
	ImageURL, ImageAlt *string
	Host               user.Public

	facts access.EventFacts
}

// Sees reports whether the viewer sees the event without the link.
func (e LinkedEvent) Sees() bool { return e.facts.Sees() }

// OpenInviteLink returns what a link shows to a viewer. It returns NotFound for a forged token, and if the link has ended: it
// invites nobody else and the viewer is not invited yet, or the event is hidden from the viewer (access.EventFacts.SeesByLink).
func (s *Service) OpenInviteLink(ctx context.Context, v domain.Viewer, token string) (e LinkedEvent, err error) {
	id, err := s.parseInviteToken(token)
	if err != nil {
		return e, err
	}
	return readLinked(ctx, s.DB, v, id, s.Clock.Now())
}

func readLinked(ctx context.Context, q db.Querier, v domain.Viewer, id domain.InviteLinkID, now time.Time) (e LinkedEvent, err error) {
	var host user.ProfileColumns
	more := append(e.columns(), &e.Title, &e.Timezone, &e.StartsAt, &e.EndsAt, &e.City, &e.ImageURL, &e.ImageAlt)
	if err := e.facts.ScanLinked(q.One(ctx, linkedEventStmt, id, v.UserID, now), append(more, host.Dest()...)...); err != nil {
		return LinkedEvent{}, err
	}
	if !e.open(now) && !e.facts.Sees() {
		return LinkedEvent{}, domain.NotFound
	}
	e.Host = *host.Public()
	return e, nil
}

// AcceptInviteLink invites the viewer by a link, unless they are invited already, and answers the invitation like RSVP. Returns the
// errors of OpenInviteLink and RSVP, and Forbidden for the organizer and beyond 500 invitations to the event.
func (s *Service) AcceptInviteLink(ctx context.Context, v domain.Viewer, token string, r RSVP) (i Invitation, err error) {
	e, err := s.OpenInviteLink(ctx, v, token)
	if err != nil {
		return i, err
	}
	if e.facts.Hosts() {
		return i, domain.Forbid(domain.OwnEvent)
	}
	var profile user.ProfileColumns
	err = s.withSeats(ctx, e.EventID, func(take takeSeats) error {
		now := s.Clock.Now()
		return s.DB.InTx(ctx, func(tx db.Tx) error {
			user.Share(ctx, tx, e.facts.OrganizerID) // against a block
			if _, err := lockEvent(ctx, tx, e.EventID, now); err != nil {
				return err
			}
			if err := s.useInviteLink(ctx, tx, v, e.ID, now); err != nil {
				return err
			}
			if err := s.rsvpIn(ctx, tx, v, e.EventID, r, take, now); err != nil {
				return err
			}
			queueInvitation(ctx, tx, e.EventID, v.UserID, &i, &profile)
			return nil
		})
	})
	i.Invited = profile.Public()
	return i, err
}

// useInviteLink makes a pending invitation of a viewer who has none. The statement decides who gets the last use of a link.
func (s *Service) useInviteLink(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.InviteLinkID, now time.Time) error {
	e, err := readLinked(ctx, tx, v, id, now) // again, under the locks
	if err != nil || e.facts.Invited() {
		return err
	}
	n, err := tx.Exec(ctx, useInviteLinkStmt, id, now)
	if err != nil {
		return err
	}
	if n == 0 {
		return domain.NotFound
	}
	return putInvitation(ctx, tx, e.EventID, v.UserID, e.facts.OrganizerID, nil, now)
}

const inviteLinkColumns = `l.id, l.event_id, l.uses, l.max_uses, l.expires_at, l.created_at`

var (
	putInviteLinkStmt = db.SQL("attendance.put_invite_link", `
		INSERT INTO invite_links (id, event_id, created_by, uses, max_uses, expires_at, created_at)
		SELECT CAST($1 AS UUID), CAST($2 AS UUID), CAST($3 AS UUID), 0, CAST($4 AS BIGINT), CAST($5 AS BIGINT), CAST($6 AS BIGINT)
		WHERE (SELECT COUNT(*) FROM invite_links l WHERE l.event_id = $2) < `+strconv.Itoa(maxInviteLinks))

	inviteLinksStmt = db.SQL("attendance.invite_links", `
		SELECT `+inviteLinkColumns+` FROM invite_links l WHERE l.event_id = $1 AND l.id < $2 ORDER BY l.id DESC LIMIT 101`)

	endInviteLinkStmt = db.SQL("attendance.end_invite_link", `DELETE FROM invite_links WHERE id = $1 AND event_id = $2`)

	linkedEventStmt = db.SQL("attendance.linked_event", `
		SELECT `+access.FactsSQL("e", "$2", "$3")+`, `+inviteLinkColumns+`, e.title, e.timezone, e.starts_at, e.ends_at, e.city, e.image_url,
			e.image_alt, `+user.Columns("o")+`
		FROM invite_links l JOIN events e ON e.id = l.event_id JOIN users h ON h.id = e.organizer_id AND h.suspended_at IS NULL
		JOIN profiles o ON o.user_id = e.organizer_id
		WHERE l.id = $1`)

	useInviteLinkStmt = db.SQL("attendance.use_invite_link", `
		UPDATE invite_links SET uses = uses + 1
		WHERE id = $1 AND (max_uses IS NULL OR uses < max_uses) AND (expires_at IS NULL OR expires_at > $2)`)

	purgeInviteLinksStmt = db.SQL("attendance.purge_invite_links", `
		DELETE FROM invite_links WHERE id IN (
			SELECT l.id FROM invite_links l JOIN events e ON e.id = l.event_id WHERE e.over_at < $1 ORDER BY l.id LIMIT `+
		strconv.Itoa(purgeBatch)+`)`)
)
