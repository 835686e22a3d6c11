package mail

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/text/language"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/delivery/webpush"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// preferenceKey identifies a Preference of a user.
type preferenceKey struct {
	kind    notify.Kind
	channel Channel
}

// Preference states how one channel delivers one kind.
type Preference struct {
	Kind    notify.Kind
	Channel Channel
	Mode    Mode
}

// settings are the stored settings of a user; nil is the default.
type settings struct {
	quietFrom, quietTo    *int // minutes after midnight
	timezone              *string
	digestHour, digestDay *int // digestDay has a bit for each weekday, Monday first
	language              *string
	locale                *string // language and region, BCP 47
}

// The default time of digests: every day at 8:00.
const (
	defaultDigestHour = 8
	everyDay          = 1<<7 - 1
)

// Preferences are the settings of a user. Everything that the user has not set has its default.
type Preferences struct {
	settings
	modes         map[preferenceKey]Mode // that differ from the default
	email         *string
	emailVerified bool
	suppressedAt  *time.Time // since when e-mails to the address are not sent
	pushes        int        // active push subscriptions
}

func (p Preferences) mode(kind notify.Kind, c Channel) Mode {
	if mode, chosen := p.modes[preferenceKey{kind, c}]; chosen {
		return mode
	}
	return policyOf[kind].mode(c)
}

// Change contains the preferences to change.
type Change struct {
	Preferences []Preference
	Quiet       domain.Opt[QuietHours]

	Timezone domain.Opt[string]
	Digest   domain.Opt[DigestTime]
	Language domain.Opt[string]
	Locale   domain.Opt[string]
}

// QuietHours are local times in minutes after midnight.
type QuietHours struct{ From, To int }

// DigestTime is the local hour and the weekdays of digests; 1 is Monday.
type DigestTime struct {
	Hour     int
	Weekdays []int
}

// check returns an error that lists all invalid fields.
func (c Change) check() error {
	var wrong domain.Problems
	for i, r := range c.Preferences {
		switch p := policyOf[r.Kind]; {
		case p.security && r.Channel == Email && r.Mode != Instant:
			wrong.Add(fmt.Sprintf("/rules/%d/mode", i), "must be instant: mails about access to the account cannot be switched off")
		case r.Kind == AppointmentKind && r.Channel != Email && r.Mode != Off:
			wrong.Add(fmt.Sprintf("/rules/%d/mode", i), "must be off: this kind is for e-mail")
		case r.Mode == Digest && r.Channel != Email:
			wrong.Add(fmt.Sprintf("/rules/%d/mode", i), "must be instant or off: only email has a digest")
		case r.Mode == Digest && p.prompt:
			wrong.Add(fmt.Sprintf("/rules/%d/mode", i), "must be instant or off: this kind does not wait for a digest")
		}
		same := func(earlier Preference) bool { return earlier.Kind == r.Kind && earlier.Channel == r.Channel }
		if slices.ContainsFunc(c.Preferences[:i], same) {
			wrong.Add(fmt.Sprintf("/rules/%d", i), "must be the only rule of this kind and channel")
		}
	}
	if q := c.Quiet.Value; q != nil && q.From == q.To {
		wrong.Add("/quiet_hours/to", "must differ from from")
	}
	if z := c.Timezone.Value; z != nil && !event.KnownZone(*z) {
		wrong.Add("/timezone", "must be an IANA zone with a place, such as Europe/Moscow")
	}
	if l := c.Locale.Value; l != nil {
		if _, err := language.Parse(*l); err != nil {
			wrong.Add("/locale", "must be a BCP 47 tag, such as en-US")
		}
	}
	return wrong.Err()
}

// apply returns the changed settings.
func (c Change) apply(s settings) settings {
	if c.Quiet.Sent {
		s.quietFrom, s.quietTo = nil, nil
		if q := c.Quiet.Value; q != nil {
			s.quietFrom, s.quietTo = &q.From, &q.To
		}
	}
	c.Timezone.SetOrClear(&s.timezone)
	if c.Digest.Sent {
		s.digestHour, s.digestDay = nil, nil
		if d := c.Digest.Value; d != nil {
			s.digestHour, s.digestDay = nilIfDefault(defaultDigestHour, d.Hour), nilIfDefault(everyDay, bitsOf(d.Weekdays))
		}
	}
	c.Language.SetOrClear(&s.language)
	c.Locale.SetOrClear(&s.locale)
	return s
}

// nilIfDefault returns nil for the default, which is not stored.
func nilIfDefault(standard, value int) *int {
	if value == standard {
		return nil
	}
	return &value
}

func bitsOf(weekdays []int) (bits int) {
	for _, day := range weekdays {
		bits |= 1 << (day - 1)
	}
	return bits
}

// digest returns the time of the user's digests.
func (s settings) digest() DigestTime {
	d := DigestTime{Hour: defaultDigestHour}
	if s.digestHour != nil {
		d.Hour = *s.digestHour
	}
	bits := everyDay
	if s.digestDay != nil {
		bits = *s.digestDay
	}
	for day := 1; day <= 7; day++ {
		if bits&(1<<(day-1)) != 0 {
			d.Weekdays = append(d.Weekdays, day)
		}
	}
	return d
}

// read returns the preferences of the viewer with the number of their push subscriptions.
func (s *Service) read(ctx context.Context, q db.Querier, v domain.Viewer) (Preferences, error) {
	p, err := readPreferences(ctx, q, v.UserID)
	if err == nil {
		p.pushes, err = webpush.Count(ctx, q, v.UserID, s.Clock.Now())
	}
	return p, err
}

// Preferences returns the preferences of the viewer.
func (s *Service) Preferences(ctx context.Context, v domain.Viewer) (p Preferences, err error) {
	err = s.DB.Read(ctx, func(q db.Querier) error {
		p, err = s.read(ctx, q, v)
		return err
	})
	return p, err
}

// SetPreferences changes the preferences of the viewer.
func (s *Service) SetPreferences(ctx context.Context, v domain.Viewer, c Change) (p Preferences, err error) {
	if err := c.check(); err != nil {
		return p, err
	}
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		was, err := readPreferences(ctx, tx, v.UserID)
		if err != nil {
			return err
		}
		if changed := c.apply(was.settings); changed != was.settings {
			saveSettings(ctx, tx, v.UserID, changed)
		}
		for _, r := range c.Preferences {
			savePreference(ctx, tx, v.UserID, r)
		}
		p, err = s.read(ctx, tx, v)
		return err
	})
	return p, err
}

// Mute mutes an event for the viewer, or unmutes it if muted is false. It returns domain.NotFound
// if the viewer does not see the event.
func (s *Service) Mute(ctx context.Context, v domain.Viewer, id domain.EventID, muted bool) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		if _, err := access.Event(ctx, tx, v, id, now); err != nil {
			return err
		}
		mute(ctx, tx, v.UserID, id, muted)
		return nil
	})
}
