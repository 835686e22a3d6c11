package group

import (
	"context"
	"errors"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/address"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/ratelimit"
)

// Members is the kind of the entity of a group's owner, hosts and members, with their number. What else a group shows is event.Group.
const Members db.Kind = "group_members"

// The values of join_policy.
const (
	JoinOpen       = "open"
	JoinApproval   = "approval"
	JoinInvitation = "invitation"
)

// The values of member_list: who may list the members.
const (
	ListPublic  = "public"
	ListMembers = "members"
	ListHosts   = "hosts"
)

// The limits of groups (contract).
const (
	maxGroups      = 50      // that a user belongs to, or asks to join
	maxMembers     = 100_000 // active ones of one group
	maxHosts       = 20      // beside the owner
	maxRequests    = 1000    // of one group
	maxInvitations = 1000    // of one group
)

// The limits on what one invited user, and one group, gets.
var (
	InvitationsPerInviteeDay = ratelimit.Limit{Name: "group_invitations_per_invitee_day",
		Default: ratelimit.Quota{N: 20, Window: 24 * time.Hour}, What: "invitations to groups that one user gets"}
	RequestsPerGroupDay = ratelimit.Limit{Name: "group_requests_per_group_day",
		Default: ratelimit.Quota{N: 500, Window: 24 * time.Hour}, What: "requests to join one group"}
)

// Fields are the fields that hosts set. Lat and Lng are both set or both nil.
type Fields struct {
	Name        string
	Slug        string
	Description *string
	City        *string
	Lat, Lng    *float64
	Visibility  access.Visibility
	JoinPolicy  string
	MemberList  string
}

// Group is a group as a viewer sees it.
type Group struct {
	Fields
	Facts       access.GroupFacts
	ImageURL    *string
	MemberCount int64
	SuspendedAt *time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time

	Owner            *user.Public  // nil while suspended
	Hosts            []user.Public // beside the owner; only of Get
	ViewerVisibility *string       // of the viewer's membership; nil: none

	nameKey string
	since   time.Time // of the viewer's membership
}

// ID returns the id of the group.
func (g Group) ID() domain.GroupID { return g.Facts.ID }

// Service implements the use cases of groups. Its methods return domain errors; NotFound if the viewer does not see the group.
type Service struct {
	DB     *db.DB
	Clock  domain.Clock
	Pages  address.Pages
	Limits *ratelimit.Limits // nil: none

	// OnBan ends the attendance of a banned user at the coming events for members.
	OnBan func(ctx context.Context, tx db.Tx, group domain.GroupID, user domain.UserID, now time.Time) error
	// OnDelete is called for a locked group that is deleted, before its events leave it.
	OnDelete func(ctx context.Context, tx db.Tx, group domain.GroupID, now time.Time) error
}

// Create stores a group of the viewer.
func (s *Service) Create(ctx context.Context, v domain.Viewer, in Change) (Group, error) {
	now := s.Clock.Now()
	f, err := in.create()
	if err != nil {
		return Group{}, err
	}
	var id domain.GroupID
	err = db.RetryUnique(func() error { // with another slug
		id = domain.NewIDIn[domain.GroupKind](ctx, now)
		return idempotency.InTx(ctx, s.DB, now, &id, func(tx db.Tx) error {
			if err := mustHaveRoom(ctx, tx, v.UserID); err != nil {
				return err
			}
			if f.Slug, err = freeSlug(ctx, tx, address.Slug(f.Name), f.Visibility, now); err != nil {
				return err
			}
			insert(ctx, tx, id, v.UserID, f, now)
			owner := Member{UserID: v.UserID, Role: access.Owner, Status: access.ActiveMember, Visibility: public, Since: now}
			putMember(ctx, tx, id, owner)
			return nil
		})
	})
	if err != nil {
		return Group{}, err
	}
	g, err := s.Get(ctx, v, id)
	if errors.Is(err, domain.NotFound) { // the owner has deleted their account since
		err = domain.Unauthorized
	}
	return g, err
}

// mustHaveRoom returns Forbidden for a user with maxGroups groups.
func mustHaveRoom(ctx context.Context, tx db.Tx, of domain.UserID) error {
	var n int
	if err := tx.One(ctx, countGroupsStmt, of).Scan(&n); err != nil {
		return err
	}
	if n >= maxGroups {
		return domain.Forbid(domain.GroupLimit)
	}
	return nil
}

// Get returns a group with its hosts.
func (s *Service) Get(ctx context.Context, v domain.Viewer, id domain.GroupID) (g Group, err error) {
	cache.Until(ctx, time.Time{})
	err = s.DB.Read(ctx, func(q db.Querier) error {
		g, err = getWithHosts(ctx, q, v, id)
		return err
	})
	return g, err
}

func getWithHosts(ctx context.Context, q db.Querier, v domain.Viewer, id domain.GroupID) (Group, error) {
	g, err := read(ctx, q, v, id)
	if err == nil {
		g.Hosts, err = db.All(ctx, q, user.Scan, hostsStmt, v.UserID, id)
	}
	return g, err
}

// write changes a locked group and returns it afterwards.
func (s *Service) write(ctx context.Context, v domain.Viewer, id domain.GroupID,
	change func(tx db.Tx, g Group, now time.Time) error) (after Group, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		g, err := lock(ctx, tx, v, id)
		if err != nil {
			return err
		}
		if err := change(tx, g, now); err != nil {
			return err
		}
		after, err = getWithHosts(ctx, tx, v, id)
		return err
	})
	return after, err
}

// Update changes the fields that were sent. Returns Forbidden unless the viewer hosts the group, and for fields of the owner;
// Conflict for a slug of another group, RateLimited beyond the earlier slugs that a group keeps.
func (s *Service) Update(ctx context.Context, v domain.Viewer, id domain.GroupID, in Change) (Group, error) {
	g, err := s.write(ctx, v, id, func(tx db.Tx, g Group, now time.Time) error {
		f, err := in.update(g.Fields)
		if err != nil {
			return err
		}
		if err := g.Facts.MustHost(); err != nil {
			return err
		}
		if f.Slug != g.Slug || f.Visibility != g.Visibility {
			if err := g.Facts.MustOwn(); err != nil {
				return err
			}
		}
		if f.Slug != g.Slug {
			if err := rename(ctx, tx, id, g.Slug, f.Slug, now); err != nil {
				return err
			}
		}
		update(ctx, tx, id, f, now)
		if f.Visibility != g.Visibility && f.Visibility == access.Private {
			return event.CloseForeign(ctx, tx, id, now)
		}
		return nil
	})
	if db.UniqueViolation(err) {
		err = domain.Conflict
	}
	return g, err
}

// Delete deletes a group. Returns Forbidden unless the viewer is the owner.
func (s *Service) Delete(ctx context.Context, v domain.Viewer, id domain.GroupID) error {
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		g, err := lock(ctx, tx, v, id)
		if err != nil {
			return err
		}
		if err := g.Facts.MustOwn(); err != nil {
			return err
		}
		return s.erase(ctx, tx, id, s.Clock.Now())
	})
}

// Hosted returns a group. Returns Forbidden unless the viewer hosts it.
func Hosted(ctx context.Context, q db.Querier, v domain.Viewer, id domain.GroupID) (Group, error) {
	g, err := read(ctx, q, v, id)
	if err == nil {
		err = g.Facts.MustHost()
	}
	return g, err
}

// LockHosted is Hosted for a change of the group.
func LockHosted(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.GroupID) (Group, error) {
	g, err := lock(ctx, tx, v, id)
	if err == nil {
		err = g.Facts.MustHost()
	}
	return g, err
}

// MaySetImage returns the refusal of SetImage.
func MaySetImage(ctx context.Context, q db.Querier, v domain.Viewer, id domain.GroupID) error {
	_, err := Hosted(ctx, q, v, id)
	return err
}

// SetImage gives a group an image, or none. Returns Forbidden unless the viewer hosts the group.
func SetImage(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.GroupID, url *string, now time.Time) error {
	if _, err := LockHosted(ctx, tx, v, id); err != nil {
		return err
	}
	tx.Changed(event.Group.Of(id))
	tx.Queue(ctx, setImageStmt, id, url, now)
	return nil
}
