package notify

import (
	"time"

	"moothall/internal/core/user"
)

// InvitationText is what the mail of an e-mail invitation says.
type InvitationText struct {
	Title, Timezone string
	Host            user.Public
	StartsAt        time.Time
	City, Message   *string
	Email           string // masked
	Known           bool   // the recipient knows the host, so the subject may name them
}

// Invitation returns the text of the mail of an e-mail invitation. It says who has given the address.
func (l Language) Invitation(i InvitationText) Item {
	host := cleaned(l.Name(i.Host))
	if host == "" {
		host = l.message("somebody", nil)
	}
	inSubject := host
	if !i.Known {
		inSubject = l.message("somebody", nil)
	}
	title := cleaned(i.Title)
	when := appointment{zone: &i.Timezone, location: i.City, startsAt: &i.StartsAt}
	body := l.when(when)
	if i.Message != nil {
		body += "\n" + l.message("quoted", templateData{Event: *i.Message})
	}
	body += "\n" + l.message("invitation.why", templateData{Actor: host, Where: i.Email})
	return Item{
		Kind:    EventInvitation,
		Title:   shorten(l.message("event_invitation", templateData{Actor: host, Event: title}), maxTitle),
		Subject: l.message("event_invitation", templateData{Actor: inSubject, Event: l.quoted(i.Title)}),
		Body:    &body,
		Date:    l.date(when),
	}
}

// When says when and where an event is, as mails say it.
func (l Language) When(startsAt time.Time, timezone string, city *string) string {
	return l.when(appointment{zone: &timezone, location: city, startsAt: &startsAt})
}

// Titled returns a message that names a user or an event.
func (l Language) Titled(id, actor, event, where string) string {
	return l.message(id, templateData{Actor: actor, Event: event, Where: where})
}
