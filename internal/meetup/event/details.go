package event

import (
	"context"
	"slices"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
)

// Details is everything about an event that one viewer may see (contract §4.2).
type Details struct {
	Event                  // with the effective status
	ParticipantCount int64 // people, companions included
	UsedSeats        int64 // those that are not free; 0 without a capacity
	Waiting          int64 // entries of the waiting list
	Rating           Rating
	CanWaitNow       bool                // see CanWait
	Organizer        *user.CachedProfile // nil: the account is deleted
	Participants     []*user.CachedProfile
	FollowedGoing    []*user.CachedProfile
	Hosts            []*user.CachedProfile // the first beside the organizer, without those in a block with the viewer
	HostCount        int                   // hosts beside the organizer
	GroupRef         *GroupRef             // nil: none, or hidden from the viewer
	viewer           viewerFacts
}

// CanJoin reports whether the viewer can join now: they are not going yet, and the event
// is published and not private, and neither full nor over.
func (d Details) CanJoin() bool {
	return !d.viewer.Going && d.Status == access.Published && d.SourceHost == nil && d.Visibility != access.Private && !d.viewer.removed() &&
		(d.mustAsk() && d.viewer.mayAsk() || !d.mustAsk() && (d.Capacity == nil || *d.SeatsLeft() > 0))
}

// SeatsLeft returns how many more people can go; nil without a capacity.
func (d Details) SeatsLeft() *int64 { return seatsLeft(d.Capacity, d.UsedSeats) }

// CompletedAt returns when the event was completed, nil while it is not.
func (d Details) CompletedAt() *time.Time {
	if d.Status != access.Completed {
		return nil
	}
	return new(d.OverAt())
}

// Get returns one event as the viewer sees it. It returns domain.NotFound for an event
// that is unknown or hidden: these look the same, and reveal nothing about attendance.
func (s *Service) Get(ctx context.Context, v domain.Viewer, id domain.EventID) (Details, error) {
	now := s.Clock.Now()
	if !v.SignedIn() {
		shared, err := s.public(ctx, id)
		if err != nil {
			return Details{}, err
		}
		cache.Until(ctx, shared.nextExpiry(now))
		return s.details(ctx, s.DB, shared, viewerFacts{}, now)
	}
	facts, err := readViewerFacts(ctx, s.DB, v, id, now)
	if err != nil {
		return Details{}, err
	}
	shared, err := s.shared(ctx, facts)
	if err != nil {
		return Details{}, err
	}
	return s.details(ctx, s.DB, shared, facts, now)
}

var byCodeStmt = db.SQL("event.by_code", `SELECT e.id FROM events e WHERE e.code = $1 AND `+access.SeesEvent("e", "$2"))

// GetByCode is Get for the event whose address ends with a code.
func (s *Service) GetByCode(ctx context.Context, v domain.Viewer, code string) (Details, error) {
	var id domain.EventID
	if err := s.DB.One(ctx, byCodeStmt, code, v.UserID).ScanOr(domain.NotFound, &id); err != nil {
		return Details{}, err
	}
	return s.Get(ctx, v, id)
}

// public returns the shared details of an event that anonymous viewers see.
func (s *Service) public(ctx context.Context, id domain.EventID) (*sharedDetails, error) {
	found, err := s.Details.Get(ctx, id)
	if err == nil && found[0] == nil {
		err = domain.NotFound
	}
	return found[0], err
}

// shared returns the shared details of an event that the viewer sees. Only those of
// public events are cached.
func (s *Service) shared(ctx context.Context, f viewerFacts) (*sharedDetails, error) {
	if f.IsPublic() {
		return s.public(ctx, f.ID)
	}
	shared, err := readShared(ctx, s.DB, sharedStmt, f.ID)
	if err == nil && shared == nil {
		err = domain.NotFound
	}
	return shared, err
}

// details returns the details for a viewer who sees the event. In a transaction it reads
// nothing through other connections: many such transactions could use up all of them.
func (s *Service) details(ctx context.Context, q db.Querier, shared *sharedDetails, f viewerFacts, now time.Time) (Details, error) {
	d := Details{Event: shared.Event, ParticipantCount: shared.participantCount, UsedSeats: shared.usedSeats, Waiting: shared.waiting,
		viewer: f}
	d.Status = access.EffectiveStatus(d.Status, d.OverAt(), now)
	d.ConferenceURL = f.visibleConferenceURL()
	d.CanWaitNow = d.CanWait(now)
	if d.Status == access.Completed { // only completed events are reviewed
		d.Rating = shared.rating
	}
	participants := shared.participants
	if f.hasBlocks {
		var err error
		if participants, err = db.Values[domain.UserID](ctx, q, unblockedParticipantsStmt, d.ID, f.viewer); err != nil {
			return Details{}, err
		}
	}
	hosts, err := f.unblocked(ctx, q, shared.hosts)
	if err != nil {
		return Details{}, err
	}
	hosts = hosts[:min(len(hosts), maxHostsShown)]
	profiles, err := s.profiles(ctx, q, slices.Concat([]domain.UserID{d.OrganizerID}, hosts, participants, f.followed))
	if err != nil {
		return Details{}, err
	}
	if d.GroupRef, err = readGroupRef(ctx, q, d.Group, f.viewer); err != nil {
		return Details{}, err
	}
	d.Organizer, profiles = profiles[0], profiles[1:]
	d.Hosts, d.HostCount, profiles = withoutDeleted(slices.Clone(profiles[:len(hosts)])), len(shared.hosts), profiles[len(hosts):]
	d.Participants, d.FollowedGoing = withoutDeleted(profiles[:len(participants)]), withoutDeleted(profiles[len(participants):])
	return d, nil
}

// maxHostsShown limits Details.Hosts.
const maxHostsShown = 5

// profiles returns the profiles of users, in their order: nil for a deleted account.
func (s *Service) profiles(ctx context.Context, q db.Querier, ids []domain.UserID) ([]*user.CachedProfile, error) {
	if tx, ok := q.(db.Tx); ok {
		return user.ReadProfiles(ctx, tx, ids)
	}
	return s.Profiles.Get(ctx, ids...)
}

func withoutDeleted(profiles []*user.CachedProfile) []*user.CachedProfile {
	return slices.DeleteFunc(profiles, func(p *user.CachedProfile) bool { return p == nil })
}

// Rating is the number and the sum of stars of the reviews of an event, without
// hidden reviews. It is the same for every viewer.
type Rating struct{ Reviews, Stars int64 }

// Average returns the average stars, rounded half up to two decimals, or nil
// without reviews.
func (r Rating) Average() *float64 {
	if r.Reviews == 0 {
		return nil
	}
	hundredths := (200*r.Stars + r.Reviews) / (2 * r.Reviews) // integers: no rounding error
	return new(float64(hundredths) / 100)
}

var ratingStmt = db.SQL("event.rating", `SELECT n, stars FROM review_totals WHERE event_id = $1`)

// RatingOf returns the rating of one event. It does not check who may see it.
func RatingOf(ctx context.Context, q db.Querier, id domain.EventID) (r Rating, err error) {
	_, err = q.One(ctx, ratingStmt, id).Find(&r.Reviews, &r.Stars)
	return r, err
}
