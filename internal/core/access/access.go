// Package access decides which viewers may see an event (policy "Seeing an event").
// The rule exists as a pure Go function and in SQL. A test compares the two for every
// combination of facts on both engines.
package access

import (
	"slices"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Rights is the kind of what a user may see. It changes when the user may lose something: a
// session or the membership of an event ends, or a block is made.
const Rights db.Kind = "rights"

// Status is the state of an event (specification §3).
type Status string

// The states of an event. Completed is never stored: a published event is
// completed once its end has passed.
const (
	Draft     Status = "draft"
	Published Status = "published"
	Canceled  Status = "canceled"
	Completed Status = "completed"
)

var (
	// Open are the states in which an event can change and take invitations.
	Open = []Status{Draft, Published}
	// NotDraft are the states in which an event takes posts, comments and messages.
	NotDraft = []Status{Published, Canceled, Completed}
)

// MustBe returns nil if s is one of the states, else the refusal that names s.
func (s Status) MustBe(states ...Status) error {
	if slices.Contains(states, s) {
		return nil
	}
	return domain.Forbid(map[Status]domain.Reason{
		Draft: domain.EventDraft, Published: domain.EventPublished, Canceled: domain.EventCanceled, Completed: domain.EventEnded,
	}[s])
}

// Visibility says who sees an event: all viewers, the members of its group, or only invited users.
type Visibility string

// The visibilities of an event. A group is Public or Private.
const (
	Public  Visibility = "public"
	Members Visibility = "members"
	Private Visibility = "private"
)

// Invitation is the viewer's answer to their invitation; NotInvited if they have
// none.
type Invitation string

// The states of an invitation.
const (
	NotInvited Invitation = ""
	Pending    Invitation = "pending"
	Accepted   Invitation = "accepted"
	Declined   Invitation = "declined"
	Tentative  Invitation = "tentative"
)

// Role is what a user may do with an event as its organizer or a host. Later roles, such as helpers, are new values.
type Role string

// The roles of a user.
const (
	NoRole      Role = ""
	Owner       Role = "owner"        // the organizer: everything
	Host        Role = "host"         // changes the event and manages its guests
	PendingHost Role = "pending_host" // is asked to become a host, and only sees the event
)

// EventFacts are the facts about one event and one viewer that the policy depends on.
type EventFacts struct {
	ID          domain.EventID
	OrganizerID domain.UserID
	Status      Status // effective: Completed if the event is over
	Visibility  Visibility
	Shown       bool // was published at some time: not a draft, nor a canceled draft
	Listed      bool // in discovery: published, public, the organizer is not suspended
	Paid        bool
	Capacity    *int64 // nil: unlimited
	MaxParty    int64  // how many people may come with one participation
	Waitlisted  bool   // it has or had a waiting list, or join requests
	Approval    bool   // a join without an invitation is a request, which the organizer approves

	HasQuestions bool // the event has or had questions to guests
	External     bool // it comes from a calendar of another service

	HasTeam    bool       // it has or had hosts beside the organizer
	Role       Role       // the viewer's role; the owner and the hosts of its group are hosts
	Member     bool       // it is for the members of a group, and the viewer is one
	Invitation Invitation // the viewer's answer
	Going      bool       // the viewer is going
	Blocked    bool       // viewer and organizer: one blocks the other

	HasWebhook bool // the organizer has an active webhook
}

// Invited reports whether the viewer has an invitation, answered or not.
func (f EventFacts) Invited() bool { return f.Invitation != NotInvited }

// Owns reports whether the viewer is the organizer.
func (f EventFacts) Owns() bool { return f.Role == Owner }

// SeesIncognito reports whether v, whose facts these are, sees what incognito guests write and answer: the organizer, but no API key.
func (f EventFacts) SeesIncognito(v domain.Viewer) bool { return SessionUser(v) == f.OrganizerID }

// Hosts reports whether the viewer is the organizer or a host. HostsSQL is the same in SQL.
func (f EventFacts) Hosts() bool { return f.Role == Owner || f.Role == Host }

// Sees reports whether the viewer may see the event (policy "Seeing an event").
func (f EventFacts) Sees() bool {
	switch {
	case f.Owns():
		return true
	case f.Blocked:
		return false
	case f.Role != NoRole:
		return true
	case f.Visibility == Public:
		return f.Shown
	case f.Visibility == Members:
		return f.Shown && (f.Member || f.Invited() || f.Going)
	default:
		return f.Invited() || f.Going && f.Shown
	}
}

// SeesByLink reports whether the viewer may see what a live invitation link shows (policy "Seeing an event").
func (f EventFacts) SeesByLink() bool { return f.Status == Published && !f.Blocked }

// IsPublic reports whether anonymous viewers see the event.
func (f EventFacts) IsPublic() bool {
	return EventFacts{Visibility: f.Visibility, Shown: f.Shown}.Sees()
}

// MayChat reports whether the viewer may use the chat of the event and see its
// reminders.
func (f EventFacts) MayChat() bool {
	return f.Hosts() || f.Going || f.Invitation == Accepted || f.Invitation == Tentative
}

// MustBeOurs refuses an event that comes from a calendar of another service: it is changed and joined there.
func (f EventFacts) MustBeOurs() error {
	if f.External {
		return domain.Forbid(domain.EventExternal)
	}
	return nil
}

// MustBeJoinable is the table of contract §4.7 without payment and capacity, for a viewer who
// sees the event.
func (f EventFacts) MustBeJoinable() error {
	switch {
	case f.Status == Draft:
		return domain.NotFound
	case f.Status == Published && f.Visibility == Private:
		return domain.Forbid(domain.EventPrivate)
	case f.Status == Published:
		return f.MustBeOurs()
	default:
		return f.Status.MustBe(Published)
	}
}

// MustHost refuses viewers who neither organize the event nor host it.
func (f EventFacts) MustHost() error {
	if !f.Hosts() {
		return domain.Forbid(domain.NotOrganizer)
	}
	return nil
}

// MustOwn refuses everybody but the organizer. Only hosts get the reason NotOwner.
func (f EventFacts) MustOwn() error {
	if err := f.MustHost(); err != nil {
		return err
	}
	if !f.Owns() {
		return domain.Forbid(domain.NotOwner)
	}
	return nil
}

// MustChat refuses viewers who may not use the chat.
func (f EventFacts) MustChat() error {
	if !f.MayChat() {
		return domain.Forbid(domain.NotParticipant)
	}
	return nil
}

// EffectiveStatus returns the state, at the time now, of an event that ends at over.
func EffectiveStatus(stored Status, over, now time.Time) Status {
	if stored == Published && !now.Before(over) {
		return Completed
	}
	return stored
}
