package attendance

import (
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/text"
	"moothall/internal/user"
)

// The states of an invitation.
const (
	Pending   = "pending"
	Accepted  = "accepted"
	Declined  = "declined"
	Tentative = "tentative"
)

// mostInvitations is how many an event may have (contract §4.7).
const mostInvitations = 500

// Invitation asks one person to an event (contract §4.7). It is at the same
// time the calendar invite of that event: one state, two doors.
type Invitation struct {
	ID                   domain.InvitationID
	EventID              domain.EventID
	UserID               domain.UserID
	InvitedBy            domain.UserID
	Status               string
	Message              *string
	RespondedAt          *time.Time // of the latest answer; nil while there is none
	CreatedAt, UpdatedAt time.Time

	Invited *user.Public // nil when the account is gone
}

// Invitee names somebody to invite, as the organizer sent it: one of Phone and
// Email.
type Invitee struct {
	Phone, Email, Message *string
}

// invitee is an Invitee that passed the rules.
type invitee struct {
	phone   user.Phone // or
	email   user.Email
	message *string
}

// field is the JSON pointer of what names the person.
func (i invitee) field() string {
	if i.phone != "" {
		return "/invited_phone"
	}
	return "/email"
}

// clean holds what was sent to the rules and names every wrong field.
func (i Invitee) clean(phones user.PhoneRules) (clean invitee, err error) {
	var wrong domain.Problems
	if (i.Phone == nil) == (i.Email == nil) {
		wrong.Add("/invited_phone", "send exactly one of invited_phone and email")
	}
	if i.Phone != nil {
		if clean.phone, err = phones.Parse(*i.Phone); err != nil {
			wrong.Add("/invited_phone", err.Error())
		}
	}
	if i.Email != nil {
		if clean.email, err = user.ParseEmail(*i.Email); err != nil {
			wrong.Add("/email", err.Error())
		}
	}
	text.CleanOrNil(&wrong, "/message", &i.Message, text.Block(0, 500))
	clean.message = i.Message
	return clean, wrong.Err()
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// mayInvite refuses by the table of policy "Doing something".
func mayInvite(organizer bool, visibility access.Visibility, status access.Status) error {
	if !organizer || visibility != access.Private || !open(status) {
		return domain.Forbidden
	}
	return nil
}

// open reports whether people may still be asked and answer.
func open(s access.Status) bool { return s == access.Draft || s == access.Published }

// Answer is what somebody invited says: Accepted, Declined or Tentative.
// Visibility is how the attendance shows, Public or Incognito; when it is
// empty, as it did before, the first time openly.
type Answer struct{ Status, Visibility string }
