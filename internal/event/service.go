package event

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/respcache"
)

// Service is what can be done with events. Its methods give meet refusals and
// work for several instances on one database.
type Service struct {
	DB    *db.DB
	Clock domain.Clock
	Rules Rules
	Seats Seats
	Pages *respcache.Cache // of what everybody sees; nil: everybody's page is computed
	// Farthest is how many postings a search looks at before its page is short;
	// 5000 when zero. A map looks at four times as many.
	Farthest int
	// MayCharge reports whether the organizer may publish paid events: their
	// payment profile is verified and payments are enabled.
	MayCharge func(ctx context.Context, q db.Querier, organizer domain.UserID) (bool, error)
	// HasIntents reports whether a payment for the event was ever begun.
	HasIntents func(ctx context.Context, q db.Querier, id domain.EventID) (bool, error)
}

// Seats is the need for what package attend keeps: how many may still come.
type Seats interface {
	// SetCapacity allows that many to go, nil for any number, and refuses
	// with domain.InvalidRequest when more are going already.
	SetCapacity(ctx context.Context, tx db.Tx, id domain.EventID, capacity *int64) error
	// Close lets nobody in any more.
	Close(ctx context.Context, tx db.Tx, id domain.EventID) error
}

// Create stores a draft of the viewer (contract §4.3).
func (s *Service) Create(ctx context.Context, v domain.Viewer, in Input) (Details, error) {
	fields, err := s.Rules.merge(Fields{Visibility: access.Public, DateMode: DateFixed, Price: Free}, in)
	if err != nil {
		return Details{}, err
	}
	now := s.Clock.Now()
	e := Event{Fields: fields, ID: domain.NewID[domain.EventKind](now), OrganizerID: v.UserID, Status: access.Draft, CreatedAt: now, UpdatedAt: now}
	return s.write(ctx, v, e.ID, now, func(tx db.Tx) error {
		if err := insert(ctx, tx, &e); err != nil || e.Capacity == nil {
			return err
		}
		return s.Seats.SetCapacity(ctx, tx, e.ID, e.Capacity)
	})
}

// write runs a change of one event and reads the event as its organizer then sees it.
func (s *Service) write(ctx context.Context, v domain.Viewer, id domain.EventID, now time.Time, change func(db.Tx) error) (d Details, err error) {
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		if err := change(tx); err != nil {
			return err
		}
		d, err = details(ctx, tx, v, id, now)
		return err
	})
	return d, err
}

// lockOwn reads the viewer's own event for a change, its status effective.
func lockOwn(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.EventID, now time.Time) (Event, error) {
	if _, err := access.OwnEvent(ctx, tx, v, id, now); err != nil {
		return Event{}, err
	}
	e, err := lock(ctx, tx, id)
	e.Status = access.EffectiveStatus(e.Status, e.OverAt(), now)
	return e, err
}

// Update changes what was sent (contract §4.4). match is the ETag the client
// insists on, or empty.
func (s *Service) Update(ctx context.Context, v domain.Viewer, id domain.EventID, in Input, match string) (Details, error) {
	now := s.Clock.Now()
	return s.write(ctx, v, id, now, func(tx db.Tx) error {
		was, err := lockOwn(ctx, tx, v, id, now)
		if err != nil {
			return err
		}
		if in.DateMode.Sent {
			return domain.Invalid("/date_mode", "is changed by PATCH /events/{event_id}/date-mode")
		}
		e := was
		if e.Fields, err = s.Rules.merge(was.Fields, in); err != nil {
			return err
		}
		if err := mayUpdate(was, e, match); err != nil || e.Fields.equal(was.Fields) {
			return err
		}
		if err := s.mayReprice(ctx, tx, was, e); err != nil {
			return err
		}
		e.touch(now)
		return s.apply(ctx, tx, was, e, now)
	})
}

// mayUpdate refuses what the state of the event forbids.
func mayUpdate(was, e Event, match string) error {
	switch {
	case was.Status != access.Draft && was.Status != access.Published,
		was.Status == access.Published && e.Visibility != was.Visibility:
		return domain.Forbidden
	case match != "" && !matches(match, was.ETag()):
		return domain.PreconditionFailed
	default:
		return nil
	}
}

// mayReprice refuses another price once somebody has begun to pay the one that
// stands (contract §4.4), and a paid event of an organizer who may not take
// money.
func (s *Service) mayReprice(ctx context.Context, tx db.Tx, was, e Event) error {
	if !samePrice(was.Fields, e.Fields) {
		begun, err := s.HasIntents(ctx, tx, e.ID)
		if err != nil {
			return err
		}
		if begun {
			return domain.Forbidden
		}
	}
	if was.Status == access.Published && was.Price != Paid {
		return s.mayCharge(ctx, tx, e)
	}
	return nil
}

// matches reports whether an If-Match header names the ETag (RFC 9110 §13.1.1).
func matches(header, tag string) bool {
	for listed := range strings.SplitSeq(header, ",") {
		if listed = strings.TrimSpace(listed); listed == tag || listed == "*" {
			return true
		}
	}
	return false
}

// mayCharge refuses a paid event of an organizer who may not take money.
func (s *Service) mayCharge(ctx context.Context, tx db.Tx, e Event) error {
	if e.Price != Paid {
		return nil
	}
	may, err := s.MayCharge(ctx, tx, e.OrganizerID)
	if err == nil && !may {
		return domain.Forbidden
	}
	return err
}

// apply stores a changed event and everything that follows from the change.
func (s *Service) apply(ctx context.Context, tx db.Tx, was, e Event, now time.Time) error {
	if !same(was.Capacity, e.Capacity) {
		if err := s.Seats.SetCapacity(ctx, tx, e.ID, e.Capacity); err != nil {
			return err
		}
	}
	telling := e.Status == access.Published && moved(was.Fields, e.Fields)
	if err := update(ctx, tx, &e, telling); err != nil {
		return err
	}
	if err := repost(ctx, tx, was, e); err != nil {
		return err
	}
	if telling {
		return tellUpdated(ctx, tx, e, now)
	}
	return nil
}

// Publish shows a draft to the people it is for (contract §4.5).
func (s *Service) Publish(ctx context.Context, v domain.Viewer, id domain.EventID) (Details, error) {
	now := s.Clock.Now()
	return s.write(ctx, v, id, now, func(tx db.Tx) error {
		e, err := lockOwn(ctx, tx, v, id, now)
		if err != nil || e.Status == access.Published {
			return err
		}
		if e.Status != access.Draft {
			return domain.Forbidden
		}
		if err := s.mayCharge(ctx, tx, e); err != nil {
			return err
		}
		return publish(ctx, tx, e, now)
	})
}

// publish lists a draft, unless it lies in the past: then it is a record.
func publish(ctx context.Context, tx db.Tx, e Event, now time.Time) error {
	e.Status, e.PublishedAt = access.Published, &now
	if e.Listed = e.Visibility == access.Public && now.Before(e.OverAt()); e.Listed {
		var err error
		if e.Listed, err = inGoodStanding(ctx, tx, e.OrganizerID); err != nil {
			return err
		}
	}
	e.touch(now)
	if err := update(ctx, tx, &e, false); err != nil || !e.Listed {
		return err
	}
	if err := repost(ctx, tx, Event{}, e); err != nil {
		return err
	}
	return tellPublished(ctx, tx, e, now)
}

// Cancel calls the viewer's own event off (contract §4.5).
func (s *Service) Cancel(ctx context.Context, v domain.Viewer, id domain.EventID) (Details, error) {
	now := s.Clock.Now()
	return s.write(ctx, v, id, now, func(tx db.Tx) error {
		if _, err := access.OwnEvent(ctx, tx, v, id, now); err != nil {
			return err
		}
		return s.CancelIn(ctx, tx, id, now)
	})
}

// CancelIn calls an event off whoever asks for it. domain.Forbidden when it is
// over, nothing happens when it was called off before.
func (s *Service) CancelIn(ctx context.Context, tx db.Tx, id domain.EventID, now time.Time) error {
	e, err := lock(ctx, tx, id)
	if err != nil {
		return err
	}
	switch e.Status = access.EffectiveStatus(e.Status, e.OverAt(), now); e.Status {
	case access.Canceled:
		return nil
	case access.Completed:
		return domain.Forbidden
	default:
		return s.cancel(ctx, tx, e, now)
	}
}

func (s *Service) cancel(ctx context.Context, tx db.Tx, e Event, now time.Time) error {
	if err := repost(ctx, tx, e, Event{}); err != nil {
		return err
	}
	telling := e.Status == access.Published
	e.Status, e.CanceledAt, e.Listed = access.Canceled, &now, false
	e.touch(now)
	if err := update(ctx, tx, &e, telling); err != nil {
		return err
	}
	if err := s.Seats.Close(ctx, tx, e.ID); err != nil || !telling {
		return err
	}
	return tellCanceled(ctx, tx, e, now)
}

// Get reads one event as the viewer sees it.
func (s *Service) Get(ctx context.Context, v domain.Viewer, id domain.EventID) (d Details, err error) {
	now := s.Clock.Now()
	d, err = details(ctx, s.DB, v, id, now)
	respcache.Keep(ctx, now, d.Turns(now))
	return d, err
}

// Page is one page of a list; Next is nil on the last. A page may be short before
// the last, even empty. Clusters are those of a map, nil where the filter has no
// Zoom.
type Page struct {
	Cards    []Card
	Next     *time.Time
	Clusters []Cluster
}

// List finds published public events in the order of their start.
func (s *Service) List(ctx context.Context, v domain.Viewer, f Filter) (Page, error) {
	if f.From != nil && f.To != nil && f.From.After(*f.To) {
		return Page{}, domain.Invalid("?starts_to", "must not be earlier than starts_from")
	}
	p, err := s.seen(ctx, v, f)
	if err == nil && len(p.Cards) > f.Limit {
		p.Cards = p.Cards[:f.Limit]
		p.Next = new(keyTime(p.Cards[f.Limit-1].StartsKey))
	}
	return p, err
}

// find gives the cards of a page for a viewer, and one more when there are more.
func (s *Service) find(ctx context.Context, v domain.Viewer, f Filter) (found Page, err error) {
	read := s.DB.Read
	if !f.looksUp() && f.Zoom == nil {
		read = func(_ context.Context, fn func(db.Querier) error) error { return fn(s.DB) } // one statement needs no snapshot
	}
	err = read(ctx, func(q db.Querier) error {
		groups, err := lookUp(ctx, q, f)
		if err != nil {
			return err
		}
		p, now := arrange(f, groups), s.Clock.Now()
		if p.empty {
			respcache.Keep(ctx, now, time.Time{})
			return nil
		}
		find := search{Filter: f, plan: p, viewer: v, now: now, most: s.most(f)}
		if found, err = find.found(ctx, q); err != nil || f.Zoom == nil {
			return err
		}
		group := search{Filter: f, plan: p, viewer: v, now: now}
		found.Clusters, err = group.clusters(ctx, q)
		return err
	})
	return found, err
}

// most is how many postings a search of the filter looks at.
func (s *Service) most(f Filter) int {
	n := cmp.Or(s.Farthest, farthest)
	if f.Placed {
		n *= farther
	}
	return n
}

// touch marks a change: updated_at always grows, it is what the ETag shows.
func (e *Event) touch(now time.Time) {
	if least := e.UpdatedAt.Add(time.Microsecond); now.Before(least) {
		now = least
	}
	e.UpdatedAt = now
}

// ETag names the version of what the organizer wrote; it says nothing of who comes.
func (e Event) ETag() string { return etag(e.UpdatedAt) }

// ETag names the same version as the event's own.
func (d Details) ETag() string { return etag(d.UpdatedAt) }

func etag(updated time.Time) string {
	return `"` + strconv.FormatInt(updated.UnixMicro(), 36) + `"`
}
