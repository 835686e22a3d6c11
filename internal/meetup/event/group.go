package event

import (
	"context"
	"errors"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
)

// Group is the kind of the data of groups that their hosts set, with the suspension: events show the name, the slug, and whether all
// viewers see the group. Its ids are those of groups.
const Group db.Kind = "group"

// GroupRef is the group of an event, for viewers who see the group.
type GroupRef struct {
	ID         domain.GroupID
	Slug, Name string
}

// groupColumns are the columns of a GroupRef, with groupJoin.
const groupColumns = `vg.id, vg.slug, vg.name`

// groupJoin joins the group of the events row e, if the viewer sees it.
func groupJoin(viewer string) string {
	return ` LEFT JOIN groups vg ON vg.id = e.group_id AND ` + access.SeesGroup("vg", viewer)
}

// groupDest reads groupColumns.
type groupDest struct {
	id         *domain.GroupID
	slug, name *string
}

func (g *groupDest) dest() []any { return []any{&g.id, &g.slug, &g.name} }

func (g *groupDest) ref() *GroupRef {
	if g.id == nil {
		return nil
	}
	return &GroupRef{*g.id, *g.slug, *g.name}
}

var groupRefStmt = db.SQL("event.group", `SELECT `+groupColumns+` FROM groups vg WHERE vg.id = $1 AND `+access.SeesGroup("vg", "$2"))

// readGroupRef returns the group of an event, or nil if it has none or the viewer does not see it.
func readGroupRef(ctx context.Context, q db.Querier, id *domain.GroupID, viewer domain.UserID) (*GroupRef, error) {
	if id == nil {
		return nil, nil //nolint:nilnil // most events have no group
	}
	var g groupDest
	_, err := q.One(ctx, groupRefStmt, id, viewer).Find(g.dest()...)
	return g.ref(), err
}

// ownGroupStmt reads and shares a group that the user $2 hosts.
var ownGroupStmt = db.SQL("event.own_group", `
	SELECT g.visibility, g.suspended_at IS NOT NULL FROM groups g
	WHERE g.id = $1 AND `+access.SeesGroup("g", "$2")+` AND `+access.HostsGroup("g.id", "$2")+` FOR SHARE OF g`)

// mayUseGroup refuses an event in a group. Returns Forbidden unless the user hosts the group, and while it is suspended; Invalid for a
// public event of a private group.
func (f Fields) mayUseGroup(ctx context.Context, tx db.Tx, by domain.UserID) error {
	if f.Group == nil {
		return nil
	}
	var visibility access.Visibility
	var suspended bool
	if err := tx.One(ctx, ownGroupStmt, f.Group, by).ScanOr(domain.Forbid(domain.NotOrganizer), &visibility, &suspended); err != nil {
		return err
	}
	switch {
	case suspended:
		return domain.Forbid(domain.BlockedByState)
	case visibility == access.Private && f.Visibility == access.Public:
		return domain.Invalid("/visibility", "must be members or private in a private group")
	default:
		return nil
	}
}

// keepGroup takes an event out of its group unless one of the users may use the group. An event for members becomes private.
func (f *Fields) keepGroup(ctx context.Context, tx db.Tx, users ...domain.UserID) error {
	for _, by := range users {
		err := f.mayUseGroup(ctx, tx, by)
		if _, refused := errors.AsType[*domain.Error](err); !refused {
			return err
		}
	}
	f.Group = nil
	if f.Visibility == access.Members {
		f.Visibility = access.Private
	}
	return nil
}

// mayRegroup refuses a changed group: it can only be set in a draft, by a user who hosts it, and later only cleared.
func mayRegroup(ctx context.Context, tx db.Tx, by domain.UserID, was, e Event) error {
	if e.Group == nil || same(was.Group, e.Group) && was.Visibility == e.Visibility {
		return nil
	}
	if !same(was.Group, e.Group) {
		if err := was.Status.MustBe(access.Draft); err != nil {
			return err
		}
	}
	return e.mayUseGroup(ctx, tx, by)
}

var deletedGroupStmt = db.SQL("event.deleted_group", `
	UPDATE events SET group_id = NULL, visibility = CASE visibility WHEN 'members' THEN 'private' ELSE visibility END
	WHERE group_id = $1 RETURNING id`)

// OnGroupDeleted leaves the events of a deleted group to their organizers. Those for its members become private.
func OnGroupDeleted(ctx context.Context, tx db.Tx, id domain.GroupID) error {
	events, err := db.Values[domain.EventID](ctx, tx, deletedGroupStmt, id)
	for _, e := range events {
		tx.Changed(Content.Of(e))
	}
	tx.Changed(Group.Of(id))
	return err
}

// UnlistGroup removes the events of a suspended group from discovery.
func UnlistGroup(ctx context.Context, tx db.Tx, id domain.GroupID) error {
	tx.Changed(Group.Of(id))
	return setListed(ctx, tx, false, listedOfGroupStmt, id)
}

// ShareOrganizers shares the accounts of the organizers whose events RelistGroup may list, so that none of them is suspended meanwhile.
func ShareOrganizers(ctx context.Context, tx db.Tx, id domain.GroupID) error {
	organizers, err := db.Values[domain.UserID](ctx, tx, organizersStmt, id)
	user.Share(ctx, tx, organizers...)
	return err
}

// RelistGroup reverts UnlistGroup, except for events of suspended organizers.
func RelistGroup(ctx context.Context, tx db.Tx, id domain.GroupID, now time.Time) error {
	tx.Changed(Group.Of(id))
	return setListed(ctx, tx, true, hiddenOfGroupStmt, id, now)
}

var groupSizeStmt = db.SQL("event.group_size", `SELECT member_count FROM groups WHERE id = $1`)

// notifyGroup notifies the members of the group of an event. Members who follow its organizer are notified once.
func (e Event) notifyGroup(ctx context.Context, tx db.Tx, now time.Time) error {
	if e.Group == nil {
		return nil
	}
	var size int
	if err := tx.One(ctx, groupSizeStmt, e.Group).ScanOr(domain.NotFound, &size); err != nil {
		return err
	}
	return e.announce(ctx, tx, notify.GroupEvent, notify.GroupOf(e.ID, size), now)
}

// The lists of a group take the viewer, the time, the group, the starts_key after which the page begins, and the number of cards.
var groupCardsStmts = map[bool]*db.Stmt{
	false: groupCards("coming", `AND e.over_at > $2 AND e.starts_key > $4`, "ASC"),
	true:  groupCards("past", `AND e.over_at <= $2 AND e.starts_key < $4`, "DESC"),
}

func groupCards(name, condition, order string) *db.Stmt {
	return db.SQL("event.group_"+name, `
		SELECT `+cardColumns("$1", "$2")+` FROM events e`+cardJoins("$1")+`
		WHERE e.group_id = $3 AND e.title <> '' `+condition+` AND `+access.SeesEvent("e", "$1")+`
		ORDER BY e.starts_key `+order+` LIMIT $5`)
}

// GroupCards returns cards of the events of a group that the viewer sees: those that are not over, the earliest first, or the past ones,
// the latest first. The page begins after a starts_key.
func GroupCards(ctx context.Context, q db.Querier, v domain.Viewer, id domain.GroupID, past bool, after int64, limit int,
	now time.Time) ([]Card, error) {
	cards, err := db.All(ctx, q, scanCard, groupCardsStmts[past], v.UserID, now, id, after, limit)
	if !past { // other events become past without a change
		var until time.Time
		for _, c := range cards {
			if until.IsZero() || c.lastsUntil().Before(until) {
				until = c.lastsUntil()
			}
		}
		cache.Until(ctx, until)
	}
	return cards, err
}
