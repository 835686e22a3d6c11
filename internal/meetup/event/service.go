package event

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/address"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/core/webhook"
	"moothall/internal/domain"
	"moothall/internal/meetup/postings"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/text"
)

// Service implements the use cases of events. Its methods return domain errors.
// Several instances may work on one database.
type Service struct {
	DB       *db.DB
	Clock    domain.Clock
	Details  *PublicDetails
	Profiles *user.Profiles
	Pages    address.Pages
	Rules    Rules
	Seats    Seats
	// MayCharge refuses organizers who may not publish paid events: their payment
	// profile is not verified, or payments are disabled.
	MayCharge func(ctx context.Context, q db.Querier, organizer domain.UserID) error
	// OnScheduled is called for a published event that is new or has another start.
	OnScheduled func(ctx context.Context, tx db.Tx, e Event, now time.Time) error
	// OnCanceled is called for an event with a price that is canceled.
	OnCanceled func(ctx context.Context, tx db.Tx, id domain.EventID, now time.Time)
	// CopyQuestions gives a new event the questions of another one.
	CopyQuestions func(ctx context.Context, tx db.Tx, from, to domain.EventID)
	// HasIntents reports whether a payment for the event was ever begun.
	HasIntents func(ctx context.Context, q db.Querier, id domain.EventID) (bool, error)
}

// Seats limits how many people may join an event. Package attendance
// implements it.
type Seats interface {
	// Set applies the capacity, the largest party and the waiting list of an event. Returns domain.InvalidRequest if
	// more people are going already.
	Set(ctx context.Context, tx db.Tx, e SeatRules, now time.Time) error
	// Close refuses further joins, and closes the waiting list.
	Close(ctx context.Context, tx db.Tx, e SeatRules, now time.Time) error
}

// SeatRules are the rules for the seats of an event.
type SeatRules struct {
	Event      domain.EventID
	Capacity   *int64 // nil: no limit
	MaxParty   int64  // how many people may come with one participation
	Waitlisted bool   // the event has or had a waiting list, or join requests
}

func (e Event) seatRules() SeatRules {
	return SeatRules{e.ID, e.Capacity, e.MaxPartySize, e.Waitlisted}
}

// Also is done in the transaction that stores an event. Its error undoes the transaction.
type Also func(tx db.Tx, e Event) error

// Create stores a draft of the viewer (contract §4.3).
func (s *Service) Create(ctx context.Context, v domain.Viewer, in Input, also ...Also) (Details, error) {
	fields, err := s.Rules.mergeNew(in)
	if err != nil {
		return Details{}, err
	}
	return s.store(ctx, v, Event{Fields: fields}, s.Clock.Now(), also...)
}

// store stores an event as a new draft of the viewer. Repeats with one Idempotency-Key store it once.
func (s *Service) store(ctx context.Context, v domain.Viewer, e Event, now time.Time, also ...Also) (Details, error) {
	err := db.RetryUnique(func() error { // with another key and code
		e.prepare(ctx, v.UserID, now)
		return idempotency.InTx(ctx, s.DB, now, &e, func(tx db.Tx) error { return s.storeIn(ctx, tx, e, now, also...) })
	})
	if err != nil {
		return Details{}, err
	}
	own := viewerFacts{EventFacts: access.EventFacts{Role: access.Owner}, conferenceURL: e.ConferenceURL, incognitoCount: new(int64)}
	return s.details(ctx, s.DB, &sharedDetails{Event: e}, own, now)
}

// prepare sets what a new draft has besides its fields.
func (e *Event) prepare(ctx context.Context, owner domain.UserID, now time.Time) {
	e.ID, e.OrganizerID, e.Status = domain.NewIDIn[domain.EventKind](ctx, now), owner, access.Draft
	e.CreatedAt, e.UpdatedAt, e.Waitlisted = now, now, e.needsWaitlist()
	e.StartsKey, e.Code = RandomKey(e.StartsAt), new(address.NewCodeIn(ctx))
}

// storeIn is store in the transaction of the caller, for a prepared event.
func (s *Service) storeIn(ctx context.Context, tx db.Tx, e Event, now time.Time, also ...Also) error {
	if err := e.mayUseGroup(ctx, tx, e.OrganizerID); err != nil {
		return err
	}
	insert(ctx, tx, e)
	if err := webhook.PutCreated(ctx, tx, now, e.ID); err != nil {
		return err
	}
	if err := e.and(tx, also); err != nil || e.Capacity == nil {
		return err
	}
	return s.Seats.Set(ctx, tx, e.seatRules(), now)
}

func (e Event) and(tx db.Tx, also []Also) error {
	for _, do := range also {
		if err := do(tx, e); err != nil {
			return err
		}
	}
	return nil
}

// write changes one event and returns it as the viewer sees it afterwards. It reads the
// details in the transaction, so an error means that nothing was changed.
func (s *Service) write(ctx context.Context, v domain.Viewer, id domain.EventID, change func(db.Tx) error) (d Details, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		if err := change(tx); err != nil {
			return err
		}
		facts, err := readViewerFacts(ctx, tx, v, id, now)
		if err != nil {
			return err
		}
		shared, err := readShared(ctx, tx, sharedStmt, id)
		if err == nil {
			d, err = s.details(ctx, tx, shared, facts, now)
		}
		return err
	})
	return d, err
}

// Update changes the fields that were sent (contract §4.4). match is the
// If-Match header, or empty.
func (s *Service) Update(ctx context.Context, v domain.Viewer, id domain.EventID, in Input, match string, also ...Also) (Details, error) {
	now := s.Clock.Now()
	return s.write(ctx, v, id, func(tx db.Tx) error {
		was, err := lockHosted(ctx, tx, v, id, now)
		if err != nil {
			return err
		}
		e, _, err := s.change(ctx, tx, v, was, in, match, now)
		if err != nil {
			return err
		}
		return e.and(tx, also)
	})
}

// change changes the fields of a locked event. It returns the event, and reports whether its fields differ now.
func (s *Service) change(ctx context.Context, tx db.Tx, v domain.Viewer, was Event, in Input, match string,
	now time.Time) (e Event, changed bool, err error) {
	e = was
	if e.Fields, err = s.Rules.mergeChange(was.Fields, in); err != nil {
		return was, false, err
	}
	if !same(was.ImageURL, e.ImageURL) {
		e.ImageAspect = nil
	}
	if err := mayUpdate(was, e, match); err != nil || e.unchanged(was) {
		return was, false, err
	}
	if err := mayRegroup(ctx, tx, v.UserID, was, e); err != nil {
		return was, false, err
	}
	if err := s.mayReprice(ctx, tx, was, e); err != nil {
		return was, false, err
	}
	e.Waitlisted = was.Waitlisted || e.needsWaitlist()
	e.touch(now)
	if e.notificationSubject == "" { // not with its series
		e.detach()
	}
	return e, true, s.apply(ctx, tx, was, e, now)
}

// Image is an uploaded image of an event; the zero Image is none.
type Image struct {
	URL    *string
	Aspect *float64 // width by height
}

// SetImage gives an event of the viewer an image as Update does. It returns the event, which may be unchanged.
func SetImage(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.EventID, match string, image Image, now time.Time) (Event, error) {
	was, err := lockHosted(ctx, tx, v, id, now)
	if err != nil {
		return Event{}, err
	}
	e := was
	e.ImageURL, e.ImageAspect = image.URL, image.Aspect
	if image.URL == nil {
		e.ImageAlt = nil
	}
	if err := mayUpdate(was, e, match); err != nil || e.unchanged(was) {
		return was, err
	}
	e.touch(now)
	e.detach()
	if err := update(ctx, tx, &e, false); err != nil {
		return was, err
	}
	return e, e.queueWebhooks(ctx, tx, webhook.EventUpdated, now)
}

// MaySetImage returns the error of SetImage, without a change.
func MaySetImage(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, match string, now time.Time) error {
	e, err := locked(q.One(ctx, hostedStmt, id, v.UserID), now)
	if err != nil {
		return err
	}
	return mayUpdate(e, e, match)
}

// mayUpdate returns an error if the status of the event forbids the change.
func mayUpdate(was, e Event, match string) error {
	if err := was.MustBeOpen(); err != nil {
		return err
	}
	if e.Visibility != was.Visibility {
		if err := was.Status.MustBe(access.Draft); err != nil {
			return err
		}
	}
	if match != "" && !matches(match, was.ETag()) {
		return domain.PreconditionFailed
	}
	return nil
}

// mayReprice returns domain.Forbidden if the price changes after somebody has begun
// to pay it (contract §4.4). It also does if a published event becomes paid and its
// organizer may not charge.
func (s *Service) mayReprice(ctx context.Context, tx db.Tx, was, e Event) error {
	if !samePrice(was.Fields, e.Fields) {
		begun, err := s.HasIntents(ctx, tx, e.ID)
		if err != nil {
			return err
		}
		if begun {
			return domain.Forbid(domain.BlockedByState)
		}
	}
	if was.Status == access.Published && was.Price != Paid {
		return s.mayCharge(ctx, tx, e)
	}
	return nil
}

// mayCharge returns domain.Forbidden if the event is paid and its organizer may
// not charge.
func (s *Service) mayCharge(ctx context.Context, tx db.Tx, e Event) error {
	if e.Price != Paid {
		return nil
	}
	return s.MayCharge(ctx, tx, e.OrganizerID)
}

// apply stores a changed event with its seats and postings. It notifies participants
// if the time or place has changed.
func (s *Service) apply(ctx context.Context, tx db.Tx, was, e Event, now time.Time) error {
	if !same(was.Capacity, e.Capacity) || e.Capacity != nil && e.MaxPartySize != was.MaxPartySize || e.Waitlist != was.Waitlist {
		if err := s.Seats.Set(ctx, tx, e.seatRules(), now); err != nil {
			return err
		}
	}
	notifies := e.Status == access.Published && moved(was.Fields, e.Fields)
	if err := update(ctx, tx, &e, notifies); err != nil {
		return err
	}
	if err := postings.Update(ctx, tx, was.Document(), e.Document()); err != nil {
		return err
	}
	if e.Status == access.Published && !e.StartsAt.Equal(was.StartsAt) {
		if err := s.OnScheduled(ctx, tx, e, now); err != nil {
			return err
		}
	}
	if err := e.queueWebhooks(ctx, tx, webhook.EventUpdated, now); err != nil {
		return err
	}
	if notifies {
		return e.announce(ctx, tx, notify.EventUpdated, notify.GoingInvitedAndWaiting(e.ID), now)
	}
	return nil
}

// Publish shows a draft to other people (contract §4.5).
func (s *Service) Publish(ctx context.Context, v domain.Viewer, id domain.EventID) (Details, error) {
	now := s.Clock.Now()
	return s.write(ctx, v, id, func(tx db.Tx) error {
		e, err := lockHosted(ctx, tx, v, id, now)
		if err != nil || e.Status == access.Published {
			return err
		}
		if err := e.Status.MustBe(access.Draft); err != nil {
			return err
		}
		if e.Title == "" {
			return domain.Forbid(domain.EventUntitled)
		}
		if err := s.mayCharge(ctx, tx, e); err != nil {
			return err
		}
		how := Announced
		if err := e.keepGroup(ctx, tx, v.UserID, e.OrganizerID); err != nil {
			return err
		}
		if e.OrganizerID != v.UserID {
			suspended, err := user.IsSuspended(ctx, tx, e.OrganizerID)
			if err != nil {
				return err
			}
			if suspended {
				how = Unlisted
			}
		}
		return s.publish(ctx, tx, e, how, now)
	})
}

// publish publishes a draft. It lists a public event that is not over.
func (s *Service) publish(ctx context.Context, tx db.Tx, e Event, how Publication, now time.Time) error {
	e.Status, e.PublishedAt = access.Published, &now
	e.Listed = how != Unlisted && e.listable(now)
	e.touch(now)
	if err := update(ctx, tx, &e, false); err != nil {
		return err
	}
	if err := s.OnScheduled(ctx, tx, e, now); err != nil {
		return err
	}
	if err := e.queueWebhooks(ctx, tx, webhook.EventPublished, now); err != nil {
		return err
	}
	switch {
	case e.Listed:
		return e.list(ctx, tx, how, now)
	case e.Visibility == access.Members && how.tellsGroup() && now.Before(e.OverAt()):
		return e.notifyGroup(ctx, tx, now)
	default:
		return nil
	}
}

// Cancel cancels the viewer's own event (contract §4.5). The message, nil for none, goes to those who are notified.
func (s *Service) Cancel(ctx context.Context, v domain.Viewer, id domain.EventID, message *string) (Details, error) {
	message, invalid := cleanCancelMessage(message)
	now := s.Clock.Now()
	return s.write(ctx, v, id, func(tx db.Tx) error {
		e, err := lockOwn(ctx, tx, v, id, now)
		if err != nil {
			return err
		}
		if invalid != nil {
			return invalid
		}
		if err := e.mustBeOurs(); err != nil {
			return err
		}
		return s.cancelLocked(ctx, tx, e, message, now)
	})
}

func cleanCancelMessage(message *string) (*string, error) {
	var problems domain.Problems
	text.CleanOrNil(&problems, "/message", &message, text.Block(0, 500))
	return message, problems.Err()
}

// CancelIn cancels an event in the caller's transaction, without checking
// permissions. Returns domain.Forbidden if the event is over, and does nothing if it
// is canceled.
func (s *Service) CancelIn(ctx context.Context, tx db.Tx, id domain.EventID, now time.Time) error {
	e, err := lock(ctx, tx, id, now)
	if err != nil {
		return err
	}
	return s.cancelLocked(ctx, tx, e, nil, now)
}

func (s *Service) cancelLocked(ctx context.Context, tx db.Tx, e Event, message *string, now time.Time) error {
	if e.Status == access.Canceled {
		return nil
	}
	if err := e.Status.MustBe(access.Open...); err != nil {
		return err
	}
	e.CancelMessage = message
	return s.cancel(ctx, tx, e, now)
}

// cancel cancels a locked draft or published event.
func (s *Service) cancel(ctx context.Context, tx db.Tx, e Event, now time.Time) error {
	if err := postings.Update(ctx, tx, e.Document(), nil); err != nil {
		return err
	}
	notifies := e.Status == access.Published
	e.Status, e.CanceledAt, e.Listed = access.Canceled, &now, false
	e.touch(now)
	if err := update(ctx, tx, &e, notifies); err != nil {
		return err
	}
	if err := s.Seats.Close(ctx, tx, e.seatRules(), now); err != nil {
		return err
	}
	if e.Price == Paid {
		s.OnCanceled(ctx, tx, e.ID, now)
	}
	if err := e.queueWebhooks(ctx, tx, webhook.EventCanceled, now); err != nil || !notifies {
		return err
	}
	return e.announce(ctx, tx, notify.EventCanceled, notify.GoingInvitedAndWaiting(e.ID), now)
}

// announce notifies an audience of an action of the organizer (contract §8).
func (e Event) announce(ctx context.Context, tx db.Tx, kind notify.Kind, to notify.Audience, now time.Time) error {
	n := notify.Notification{Kind: kind, Subject: e.notificationSubject, Actor: e.OrganizerID, Event: e.ID}
	return notify.Announce(ctx, tx, now, n, to)
}

// queueWebhooks queues the messages about a change of a locked event.
func (e Event) queueWebhooks(ctx context.Context, tx db.Tx, kind webhook.Kind, now time.Time) error {
	return webhook.Put(ctx, tx, now, e.hasWebhook, webhook.Change{Kind: kind, Event: e.ID})
}
