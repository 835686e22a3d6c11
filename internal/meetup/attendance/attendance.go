// Package attendance lets users join and leave events, invite others and answer
// invitations, and limits the participants to the event's capacity
// (specification §4.6). It also has the waiting lists, the requests to join, which the
// organizer decides, and the removal of guests.
package attendance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/address"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/core/webhook"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/question"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
)

// The states of a participant.
const (
	statusGoing   = "going"
	statusLeft    = "left"
	statusRemoved = event.ParticipationRemoved
)

// The values of participation_visibility.
const (
	Public    = "public"
	Incognito = "incognito"
)

// Terms say how a user takes part in an event. The zero value changes nothing, or is a public participation without
// companions.
type Terms struct {
	Visibility string // Public or Incognito
	Party      int64  // how many people come, the user included
	// Answers to the questions of the event replace earlier ones. Nil: earlier answers stay.
	Answers []question.Answer
	fitting bool // the answers are for several events: see question.Answers

	approved bool // by the organizer: a join is no request

	announces bool // a public join notifies the followers
}

// partySize returns how many people come after a request of a party of current people, which is 1 before a participation. Returns
// Invalid if the party would grow beyond the largest that the event allows.
func (t Terms) partySize(current, largest int64) (int64, error) {
	switch {
	case t.Party == 0:
		return current, nil
	case t.Party > max(current, largest):
		return 0, domain.Invalid("/party_size", fmt.Sprintf("must be at most %d, the max_party_size of the event", largest))
	default:
		return t.Party, nil
	}
}

// answer stores the answers of a user who comes with a party. asked is how many of its people were asked before. Returns the errors of
// question.Put.
func (t Terms) answer(ctx context.Context, tx db.Tx, f access.EventFacts, user domain.UserID, party, asked int64, now time.Time) error {
	if !f.HasQuestions {
		if len(t.Answers) > 0 && !t.fitting {
			return domain.Invalid("/answers", "must be empty: the event has no questions")
		}
		return nil
	}
	answers := question.Answers{Event: f.ID, User: user, List: t.Answers, Party: party, Asked: asked, Fitting: t.fitting}
	return question.Put(ctx, tx, answers, now)
}

// Participant is one user's participation in one event (contract §4.7).
type Participant struct {
	ID                   domain.ParticipantID
	EventID              domain.EventID
	UserID               domain.UserID
	Status               string
	Visibility           string
	Party                int64     // how many people come, the user included
	JoinedAt             time.Time // of the latest join
	LeftAt               *time.Time
	CreatedAt, UpdatedAt time.Time

	hidden  bool  // the viewer must not learn who it is: access.GuestCode stands for the name
	seatRow int64 // the number of the row of event_slots that counts the seats
	asked   bool  // the organizer was notified by a request
}

// Service lets users join, leave and invite.
type Service struct {
	DB     *db.DB
	Clock  domain.Clock
	Phones user.PhoneRules
	Limits *ratelimit.Limits
	// MustHavePaid refuses users who may not participate in a paid event: they have not
	// paid, or payments are disabled.
	MustHavePaid func(ctx context.Context, q db.Querier, event domain.EventID, user domain.UserID) error
	// Refund makes the refund of a user's payment for an event due, and reports whether they have paid.
	Refund func(ctx context.Context, tx db.Tx, event domain.EventID, user domain.UserID, now time.Time) (due bool, err error)
	// OnChange is called in the transaction in which a user joins, leaves or answers an invitation.
	OnChange func(ctx context.Context, tx db.Tx, event domain.EventID, user domain.UserID, now time.Time)

	Users     *user.Service
	Addresses *Addresses
	Pages     address.Pages // of the addresses of invitation links
	// OnEmailInvitations is called in the transaction that stores invitations to e-mail addresses. It queues their mails.
	OnEmailInvitations func(ctx context.Context, tx db.Tx, all []EmailInvitation)
}

// Join makes the viewer a participant (contract §4.7), or changes how they take part. Returns NotFound if the event does not
// exist or the viewer may not see it; Invalid for a party that is too large. Returns Forbidden if the viewer may not join or
// has not paid, or if the event has too few free seats.
func (s *Service) Join(ctx context.Context, v domain.Viewer, id domain.EventID, t Terms) (p Participant, err error) {
	err = s.withSeats(ctx, id, func(take takeSeats) error {
		p, err = s.join(ctx, v, id, t, take)
		return err
	})
	return p, err
}

func (s *Service) join(ctx context.Context, v domain.Viewer, id domain.EventID, t Terms, take takeSeats) (p Participant, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		p = Participant{EventID: id, UserID: v.UserID}
		return s.joinIn(ctx, tx, &p, v, t, take, now)
	})
	return p, err
}

// joinIn is join in the transaction of the caller. The queued statements of the transaction complete the result.
func (s *Service) joinIn(ctx context.Context, tx db.Tx, p *Participant, v domain.Viewer, t Terms, take takeSeats,
	now time.Time) error {
	f, err := readJoinFacts(ctx, tx, v, p.EventID, now)
	if err != nil {
		return err
	}
	if err := f.MustBeJoinable(); err != nil {
		return err
	}
	if f.Approval && !t.approved {
		asks, err := s.mustAsk(ctx, tx, f.EventFacts, v)
		if err != nil {
			return err
		}
		if asks {
			return request(ctx, tx, f, p, t, now)
		}
	}
	if err := s.mustHavePaid(ctx, tx, f.EventFacts, v); err != nil {
		return err
	}
	if f.Invited() {
		if err := acceptInvitation(ctx, tx, f.EventFacts, v, now); err != nil {
			return err
		}
	}
	if f.participated {
		if err := lockParticipant(ctx, tx, p); err != nil {
			return err
		}
		switch p.Status {
		case statusGoing:
			return change(ctx, tx, f.EventFacts, p, t, take, now)
		case statusRemoved:
			return domain.Forbid(domain.Removed)
		}
	}
	t.announces = f.announces()
	t, err = attend(ctx, tx, f.EventFacts, p, t, Public, take, now)
	if err != nil {
		return err
	}
	s.OnChange(ctx, tx, p.EventID, v.UserID, now)
	return notifyJoined(ctx, tx, f, *p, t.Visibility, now)
}

// mustHavePaid refuses a viewer who has not paid for a paid event.
func (s *Service) mustHavePaid(ctx context.Context, tx db.Tx, f access.EventFacts, v domain.Viewer) error {
	if !f.Paid {
		return nil
	}
	return s.MustHavePaid(ctx, tx, f.ID, v.UserID)
}

// acceptInvitation accepts the viewer's invitation as they join. Public events
// have invitations if they were private drafts.
func acceptInvitation(ctx context.Context, tx db.Tx, f access.EventFacts, v domain.Viewer, now time.Time) error {
	i, invited, err := lockInvitation(ctx, tx, f.ID, v.UserID)
	if err == nil && invited && i.Status != access.Accepted {
		setRSVP(ctx, tx, i, access.Accepted, now)
	}
	return err
}

// attend queues the participation and its seats, and returns its terms. Without a choice, the visibility is that of the
// request or of the waiting list, or else usual. If p has an ID, the viewer joins again and p is locked.
func attend(ctx context.Context, tx db.Tx, f access.EventFacts, p *Participant, t Terms, usual string, take takeSeats,
	now time.Time) (Terms, error) {
	waited, take, err := joinFromWaitlist(ctx, tx, f, p, t, take, now)
	if err != nil {
		return t, err
	}
	asked, err := takeRequest(ctx, tx, f, p)
	if err != nil {
		return t, err
	}
	t.Visibility = cmp.Or(t.Visibility, asked.Visibility, waited.Visibility, usual)
	party, err := t.partySize(max(asked.Party, waited.Party, 1), f.MaxParty)
	if err != nil {
		return t, err
	}
	if err := t.answer(ctx, tx, f, p.UserID, party, max(asked.Party, waited.Party), now); err != nil {
		return t, err
	}
	var announcement *domain.NotificationID
	if t.Visibility == Public {
		tx.Changed(user.Activity.Of(p.UserID))
		if t.announces {
			announcement = new(p.notification(notify.FollowedUserGoing).ID())
		}
	}
	p.seatRow = anySeatRow(tx, f.Capacity, f.MaxParty)
	if p.ID.IsZero() {
		id := cmp.Or(asked.ID, domain.NewID[domain.ParticipantKind](now))
		tx.Queue(ctx, joinStmt, p.EventID, p.UserID, id, t.Visibility, p.seatRow, now, party, announcement).Into(p.columns()...)
	} else {
		tx.Queue(ctx, rejoinStmt, p.EventID, p.UserID, t.Visibility, p.seatRow, now, party, announcement).Into(p.columns()...)
	}
	return t, take(ctx, tx, p, party, false)
}

// change changes the visibility and the party of a participation, if the viewer asks for it. A party that grows takes
// seats. A change to incognito retracts the notifications of the viewer's followers.
func change(ctx context.Context, tx db.Tx, f access.EventFacts, p *Participant, t Terms, take takeSeats, now time.Time) error {
	party, err := t.partySize(p.Party, f.MaxParty)
	if err != nil {
		return err
	}
	if err := t.answer(ctx, tx, f, p.UserID, party, p.Party, now); err != nil {
		return err
	}
	was, visibility := *p, cmp.Or(t.Visibility, p.Visibility)
	if party == was.Party && visibility == was.Visibility {
		return nil
	}
	tx.Changed(event.Attendance.Of(p.EventID))
	tx.Queue(ctx, changeStmt, p.EventID, p.UserID, visibility, party, now).Into(p.columns()...)
	switch {
	case party > was.Party:
		if err := take(ctx, tx, p, party-was.Party, true); err != nil {
			return err
		}
	case party < was.Party:
		if err := seatsFreed(ctx, tx, now, freed{p.EventID, p.seatRow, was.Party - party, 0, f.Waitlisted}); err != nil {
			return err
		}
	}
	if visibility == was.Visibility {
		return nil
	}
	tx.Changed(user.Activity.Of(p.UserID))
	switch {
	case visibility == Incognito:
		notify.Retract(ctx, tx, p.notification(notify.FollowedUserGoing))
		if f.HasTeam {
			return notify.RetractAnnounced(ctx, tx, p.notification(notify.EventJoined), notify.HostsOf(p.EventID))
		}
		return nil
	case f.Visibility != access.Public:
		return nil
	default:
		return notify.Announce(ctx, tx, now, p.notification(notify.FollowedUserGoing), followersOf(*p))
	}
}

// Leave ends the viewer's participation or request, and declines their invitation. Repeating
// it returns the same participation. Returns NotFound if the viewer has never joined.
func (s *Service) Leave(ctx context.Context, v domain.Viewer, id domain.EventID) (p Participant, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		p, err = s.leaveIn(ctx, tx, v, id, now)
		return err
	})
	return p, err
}

// leaveIn is Leave in the transaction of the caller.
func (s *Service) leaveIn(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.EventID, now time.Time) (Participant, error) {
	i, invited, err := lockInvitation(ctx, tx, id, v.UserID)
	if err != nil {
		return Participant{}, err
	}
	p, was, err := leave(ctx, tx, id, v.UserID, now)
	if !was && (err == nil || errors.Is(err, domain.NotFound)) {
		withdrawn, found, failed := withdraw(ctx, tx, id, v.UserID, now)
		switch {
		case failed != nil:
			return p, failed
		case found && err != nil: // the viewer never participated
			return withdrawn, nil //nolint:nilerr // there was a request
		}
	}
	if err != nil || !was {
		return p, err
	}
	if invited {
		setRSVP(ctx, tx, i, access.Declined, now)
	}
	s.OnChange(ctx, tx, id, v.UserID, now)
	return p, nil
}

// leave ends a participation; was is false if it had ended before. Returns NotFound if
// there is none.
func leave(ctx context.Context, tx db.Tx, id domain.EventID, user domain.UserID, now time.Time) (p Participant, was bool, err error) {
	left, err := db.All(ctx, tx, scanEnded, leaveStmt, id, user, now)
	if err != nil {
		return p, false, err
	}
	if len(left) == 0 {
		p = Participant{EventID: id, UserID: user}
		return p, false, lockParticipant(ctx, tx, &p)
	}
	return left[0].Participant, true, afterEnd(ctx, tx, left, now)
}

// ended is a participation that a statement has just ended.
type ended struct {
	Participant
	hasWebhook bool // the organizer has an active webhook
	waitlisted bool // the event has or had a waiting list

	hasQuestions bool // the event has or had questions
}

// afterEnd does what follows from every end of participations: their seats are free, their
// announcements are retracted, their answers are deleted, and webhooks are notified.
func afterEnd(ctx context.Context, tx db.Tx, all []ended, now time.Time) error {
	if len(all) == 0 {
		return nil
	}
	seats := make([]freed, len(all))
	for i, p := range all {
		seats[i] = freed{p.EventID, p.seatRow, p.Party, 0, p.waitlisted}
	}
	if err := seatsFreed(ctx, tx, now, seats...); err != nil { // before webhooks, which count the participants
		return err
	}
	announced := make([]notify.Notification, len(all))
	for i, p := range all {
		tx.Changed(access.Rights.Of(p.UserID))
		if p.Visibility == Public {
			tx.Changed(user.Activity.Of(p.UserID))
		}
		announced[i] = p.notification(notify.FollowedUserGoing)
		if p.hasQuestions {
			question.Forget(ctx, tx, p.EventID, p.UserID)
		}
		if err := webhook.Put(ctx, tx, now, p.hasWebhook, webhook.Change{Kind: webhook.AttendanceLeft, Event: p.EventID,
			User: p.UserID}); err != nil {
			return err
		}
	}
	notify.RetractAll(ctx, tx, announced)
	return nil
}

// takeSeats takes seats for the queued participation p. With going, it has other seats already.
type takeSeats func(ctx context.Context, tx db.Tx, p *Participant, seats int64, going bool) error

// withSeats runs a transaction that takes seats. The first attempt takes them from
// one seat row, so that joins of a popular event seldom wait for each other. If that
// row has too few and all together may have enough, the second attempt locks all seat rows.
func (s *Service) withSeats(ctx context.Context, id domain.EventID, run func(take takeSeats) error) error {
	var asked int64
	takeFromOne := func(ctx context.Context, tx db.Tx, p *Participant, seats int64, _ bool) error { //nolint:unparam // as takeSeats
		asked = seats
		takeFromSeatRow(ctx, tx, p, seats)
		return nil
	}
	err := db.RetryUnique(func() error { return run(takeFromOne) })
	if !db.NullViolation(err) {
		return err
	}
	if err := mustHaveSeats(ctx, s.DB, id, asked); err != nil {
		return err
	}
	return db.RetryUnique(func() error { return run(takeFromAnySeatRow) })
}

// maxFollowers limits the notifications of a join: a user with more followers
// notifies none of them (contract §8).
const maxFollowers = 500

func followersOf(p Participant) notify.Audience {
	return notify.FollowersOfUpTo(p.UserID, maxFollowers)
}

// notifyJoined notifies the organizer of a first join, even an incognito one, and hosts of a public one. It
// notifies the followers of a public join of a public event.
func notifyJoined(ctx context.Context, tx db.Tx, f joinFacts, p Participant, visibility string, now time.Time) error {
	if err := webhook.Put(ctx, tx, now, f.HasWebhook, webhook.Change{Kind: webhook.AttendanceJoined, Event: p.EventID,
		User: p.UserID}); err != nil {
		return err
	}
	if !f.participated && !p.asked {
		n := p.notification(notify.EventJoined)
		n.To = f.OrganizerID
		if err := notify.PutHosts(ctx, tx, now, n, f.HasTeam && visibility != Incognito); err != nil {
			return err
		}
	}
	if visibility == Public && f.announces() {
		notify.AnnounceJoin(ctx, tx, now, p.notification(notify.FollowedUserGoing))
	}
	return nil
}

func (p Participant) notification(kind notify.Kind) notify.Notification {
	return notify.Notification{Kind: kind, Actor: p.UserID, Event: p.EventID}
}
