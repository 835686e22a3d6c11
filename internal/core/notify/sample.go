package notify

import (
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
)

// The event of all samples.
const (
	sampleTitle    = "Board games"
	sampleZone     = "Europe/Berlin"
	sampleLocation = "Café Central, Berlin"
	sampleNote     = "Bring your favourite game!"
)

func sampleStart(now time.Time) time.Time { return now.Add(25 * time.Hour).Truncate(time.Hour) }

func sampleHost(id domain.UserID) user.Public {
	return user.Public{UserID: id, DisplayName: "Anna", Username: "anna", NameChosen: true}
}

// SampleAppointment returns an example of the text of a mail for calendar programs.
func SampleAppointment(l Language, now time.Time) Item {
	location := sampleLocation
	a := Appointment{Event: domain.NewID[domain.EventKind](now), Status: "ACCEPTED", Title: sampleTitle, StartsAt: sampleStart(now),
		Timezone: sampleZone, Location: &location}
	return a.Item(l)
}

// SampleInvitation returns an example of the text of an e-mail invitation.
func SampleInvitation(l Language, now time.Time) Item {
	city, note := "Berlin", sampleNote
	return l.Invitation(InvitationText{Title: sampleTitle, Timezone: sampleZone, Host: sampleHost(domain.UserID{}), StartsAt: sampleStart(now),
		City: &city, Message: &note, Email: "b…@example.org"})
}

// Sample returns an example of a notification of a kind, in a language, for the gallery of mails.
func Sample(k Kind, l Language, now time.Time) Item {
	title, zone, location, note := sampleTitle, sampleZone, sampleLocation, sampleNote
	start, going, code, stars := sampleStart(now), "public", "7hQ2mKpX", int64(5)
	event, actor := domain.NewID[domain.EventKind](now), domain.NewID[domain.UserKind](now)
	anna := sampleHost(actor)
	when := appointment{title: &title, zone: &zone, location: &location, startsAt: &start}
	if k == ChatUnread {
		return NewChatItem(l, event, title, 3, &anna, note, now)
	}
	n := stored{
		id: domain.NewID[domain.NotificationKind](now), kind: k, createdAt: now, event: when, eventID: &event, actor: &anna, actorID: &actor,
		code: &code, visibility: &going, going: 11, actorVisibility: &going, invitation: &note, cancellation: &note, stars: &stars,
		params: `{"status": "accepted", "target_type": "event", "reason": "spam", "device": "Firefox, Linux", "drafts": "unverified",
			"until": "` + start.Add(-10*time.Hour).Format(time.RFC3339) + `"}`,
		quote: quote{appointment: when, body: note, likes: 3, reposts: 3},
	}
	i := n.item(l)
	i.Subject = n.mailSubject(l, false, now)
	return i
}
