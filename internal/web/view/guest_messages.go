package view

import (
	"slices"

	"moothall/api/gen"
)

// GuestMessagesData is what the page shows by which hosts write to guests.
type GuestMessagesData struct {
	Details   *gen.EventDetails
	Audiences *gen.GuestAudiencesResponse
	Sent      MessageList
}

// sendMessage is the action of the form.
const sendMessage = "sendGuestMessage"

// MessageList is messages to guests, the newest first.
type MessageList struct {
	Items []gen.GuestMessage
	More  string // address of earlier messages; "" if there are none
	Later int    // recipients whose mails wait
}

func (d GuestMessagesData) id() string { return d.Details.Event.ID.String() }

// offered are the audiences that the page offers: those that the event can have, or has.
func (d GuestMessagesData) offered() (all []gen.GuestAudienceSize) {
	e := d.Details.Event
	has := map[gen.GuestAudience]bool{
		gen.GuestAudienceGoing: true, gen.GuestAudienceWaiting: e.Waitlist != gen.EventWaitlistOff,
		gen.GuestAudienceInvitedUnanswered: e.Visibility == gen.EventVisibilityPrivate,
		gen.GuestAudienceRequested:         e.JoinPolicy == gen.EventJoinPolicyApproval,
	}
	for _, a := range d.Audiences.Items {
		if has[a.Audience] || a.Recipients > 0 {
			all = append(all, a)
		}
	}
	return all
}

// open reports whether hosts may write to an audience now.
func (d GuestMessagesData) open(p *Page, a gen.GuestAudience) bool {
	e := d.Details.Event
	if a == gen.GuestAudienceGoing {
		return takesPosts(&e)
	}
	return e.Status == gen.EventStatusPublished && p.Now.Before(e.StartsAt)
}

// chosen is the audience of the form: the first one unless the form was sent.
func (d GuestMessagesData) chosen(p *Page) gen.GuestAudience {
	return gen.GuestAudience(p.Form.Value(sendMessage, "audience", string(gen.GuestAudienceGoing)))
}

// recipients is how many users the chosen audience has.
func (d GuestMessagesData) recipients(p *Page) int {
	chosen := d.chosen(p)
	i := slices.IndexFunc(d.Audiences.Items, func(s gen.GuestAudienceSize) bool { return s.Audience == chosen })
	if i < 0 {
		return 0
	}
	return d.Audiences.Items[i].Recipients
}

// previews reports whether the page shows the message before it is sent.
func (d GuestMessagesData) previews(p *Page) bool {
	return p.Form.Action == sendMessage && p.Form.Step == StepPreview
}

// GetsMessages reports whether hosts may have written to the viewer, who is no host.
func (d EventData) GetsMessages() bool {
	return !IsHost(d.Details) && (d.going() || d.waits() || d.has(gen.ParticipationStatusRequested) ||
		d.Details.ViewerInvitationStatus.Value == gen.InvitationStatusPending && !d.Details.ViewerInvitationStatus.Null)
}
