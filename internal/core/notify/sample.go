package notify

import (
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
)

// Sample returns an example of a notification of a kind, in a language, for the gallery of mails. Without a kind it is
// one of an Appointment.
func Sample(k Kind, l Language, now time.Time) Item {
	title, zone, location, code := "Board games", "Europe/Berlin", "Café Central, Berlin", "7hQ2mKpX"
	start, going, note, stars := now.Add(25*time.Hour).Truncate(time.Hour), "public", "Bring your favourite game!", int64(5)
	event, actor := domain.NewID[domain.EventKind](now), domain.NewID[domain.UserKind](now)
	anna := user.Public{UserID: actor, DisplayName: "Anna", Username: "anna", NameChosen: true}
	when := appointment{title: &title, zone: &zone, location: &location, startsAt: &start}
	switch k {
	case ChatUnread:
		return NewChatItem(l, event, title, 3, &anna, note, now)
	case "":
		return Appointment{Event: event, Status: "ACCEPTED", Title: title, StartsAt: start, Timezone: zone, Location: &location}.Item(l)
	}
	n := stored{
		id: domain.NewID[domain.NotificationKind](now), kind: k, createdAt: now, event: when, eventID: &event, actor: &anna, actorID: &actor,
		code: &code, visibility: &going, going: 11, actorVisibility: &going, invitation: &note, cancellation: &note, stars: &stars,
		params: `{"status": "accepted", "target_type": "event", "reason": "spam", "device": "Firefox, Linux"}`,
		quote:  quote{appointment: when, body: note, likes: 3, reposts: 3},
	}
	i := n.item(l)
	i.Subject = n.mailSubject(l, false, now)
	return i
}
