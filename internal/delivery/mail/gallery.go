package mail

import (
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/platform/smtp"
)

// Samples returns an example of each mail in a language, for the gallery of mails.
func (m *Mailer) Samples(language string, now time.Time) (all []smtp.Message, err error) {
	l := notify.LanguageOf(language)
	messages := []Message{
		{Kind: EmailInvitationKind, Items: []notify.Item{notify.SampleInvitation(l, now)}, Answer: "example"},
		{Kind: AppointmentKind, Items: []notify.Item{notify.SampleAppointment(l, now)}},
		{Kind: digestKind, Items: []notify.Item{notify.Sample(notify.EventJoined, l, now), notify.Sample(notify.EventPost, l, now),
			notify.Sample(notify.FollowedUserEvent, l, now)}},
	}
	for _, p := range policies {
		if p.kind != AppointmentKind {
			messages = append(messages, Message{Kind: p.kind, Items: []notify.Item{notify.Sample(p.kind, l, now)}})
		}
	}
	for _, message := range messages {
		message.ID, message.Address, message.Language, message.At = string(message.Kind), "anna@example.org", language, now
		mail, err := m.compose(message)
		if err != nil {
			return nil, err
		}
		all = append(all, mail)
	}
	return all, nil
}
