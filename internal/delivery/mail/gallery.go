package mail

import (
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/platform/smtp"
)

// Samples returns an example of each mail in a language, for the gallery of mails.
func (m *Mailer) Samples(language string, now time.Time) (all []smtp.Message, err error) {
	l := notify.LanguageOf(language)
	add := func(kind notify.Kind, items ...notify.Item) error {
		mail, err := m.compose(Message{ID: string(kind), Address: "anna@example.org", Language: language, Kind: kind, Items: items, At: now})
		all = append(all, mail)
		return err
	}
	for _, p := range policies {
		kind := p.kind
		if kind == AppointmentKind {
			kind = ""
		}
		if err := add(p.kind, notify.Sample(kind, l, now)); err != nil {
			return nil, err
		}
	}
	return all, add(digestKind, notify.Sample(notify.EventJoined, l, now), notify.Sample(notify.EventPost, l, now),
		notify.Sample(notify.FollowedUserEvent, l, now))
}
