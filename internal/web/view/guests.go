package view

import (
	"net/url"

	"github.com/a-h/templ"

	"moothall/api/gen"
)

// GuestsData is what the organizer of an event sees of its guests.
type GuestsData struct {
	Details         *gen.EventDetails
	Shown           gen.ListParticipantsStatus // of the guests
	Guests          []gen.EventParticipantItem
	MoreGuests      string                     // address; "" on the last page
	Requests        []gen.EventParticipantItem // users who ask to join
	MoreRequests    string
	Invitations     []gen.EventInvitation
	MoreInvitations string
	Messages        gen.InvitationMessages // about all invitations
	Links           []OwnInviteLink
	MoreLinks       string
	Emails          []gen.EmailInvitation
	MoreEmails      string
	EmailMessages   gen.InvitationMessages  // about all invitations by e-mail
	Waiting         []gen.WaitlistEntryItem // offers, and entries that wait
	MoreWaiting     string
	Status          gen.InvitationStatus // of the invitations that are shown; "" for all

	Questions []gen.EventQuestion
	MinParty  int    // of the guests that are shown
	Answer    string // of the guests that are shown: the id of a question and a value, see AnswerFilter; "" for any
}

// The parameters that select guests.
const (
	MinPartyField = "party"
	AnswerParam   = "answer"
)

// AnswerFilter is the value of AnswerParam that selects the guests with an answer; any one if value is empty.
func AnswerFilter(q gen.EventQuestion, value string) string { return q.ID.String() + ":" + value }

// filterValues are the answers of a question by which the page filters, with their texts.
func (p *Page) filterValues(q gen.EventQuestion) (all [][2]string) {
	switch q.Kind {
	case gen.QuestionKindText:
		return [][2]string{{"", p.T("guests.filter_answered")}}
	case gen.QuestionKindCheckbox:
		return [][2]string{{"true", p.T("questions.true")}, {"false", p.T("questions.false")}}
	default:
		for _, option := range q.Options {
			all = append(all, [2]string{option, option})
		}
		return all
	}
}

// filters reports whether the page can select guests by their party or their answers.
func (d GuestsData) filters() bool { return d.Details.Event.MaxPartySize > 1 || len(d.Questions) > 0 }

// filtered reports whether the page shows only some of the guests.
func (d GuestsData) filtered() bool { return d.MinParty > 1 || d.Answer != "" }

// hasWaitlist reports whether the page shows the waiting list.
func (d GuestsData) hasWaitlist() bool {
	return d.Details.Event.Waitlist != gen.EventWaitlistOff || len(d.Waiting) > 0
}

// GuestsField is the parameter that selects the guests that the page shows.
const GuestsField = "guests"

// hasRequests reports whether the page shows the requests to join.
func (d GuestsData) hasRequests() bool {
	return d.Details.Event.JoinPolicy == gen.EventJoinPolicyApproval || len(d.Requests) > 0
}

// removes reports whether the organizer may remove guests: until the event is over or canceled.
func (d GuestsData) removes() bool { return d.Details.Event.Status == gen.EventStatusPublished }

// guestFilter is the address of the guests with a status.
func (d GuestsData) guestFilter(status gen.ListParticipantsStatus) templ.SafeURL {
	return templ.SafeURL(EventURL(d.Details.Event.ID, "guests") + "?" + url.Values{GuestsField: {string(status)}}.Encode() + "#going")
}

func (d GuestsData) id() string { return d.Details.Event.ID.String() }

// private reports whether the event has invitations.
func (d GuestsData) private() bool {
	return d.Details.Event.Visibility == gen.EventVisibilityPrivate
}

// invites reports whether the organizer may invite now.
func (d GuestsData) invites() bool {
	s := d.Details.Event.Status
	return d.private() && (s == gen.EventStatusDraft || s == gen.EventStatusPublished)
}

// emailInvited is the address of an invitation by e-mail. A refusal deletes it.
func (p *Page) emailInvited(i gen.EmailInvitation) string {
	if i.Email.Null {
		return p.T("emails.deleted")
	}
	return i.Email.Value
}

// filter is the address of the invitations with a status; of all for "".
func (d GuestsData) filter(status gen.InvitationStatus) templ.SafeURL {
	address := EventURL(d.Details.Event.ID, "guests")
	if status != "" {
		address += "?" + url.Values{"status": {string(status)}}.Encode()
	}
	return templ.SafeURL(address + "#invitations")
}

// statuses are those that the page filters by.
var statuses = []gen.InvitationStatus{"", gen.InvitationStatusPending, gen.InvitationStatusAccepted, gen.InvitationStatusTentative,
	gen.InvitationStatusDeclined}

// invited reports whether the viewer may answer an invitation.
func (d EventData) invited() bool {
	s := d.Details.Event.Status
	return !d.Details.ViewerInvitationStatus.Null && (s == gen.EventStatusDraft || s == gen.EventStatusPublished)
}
