package mail

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

type exportedPreference struct {
	Kind    string `json:"kind"`
	Channel string `json:"channel"`
	Mode    string `json:"mode"`
}

// exported contains the settings that the user has changed. Defaults are null or absent.
type exported struct {
	QuietFrom   *int                 `json:"quiet_from_minutes"`
	QuietTo     *int                 `json:"quiet_to_minutes"`
	Timezone    *string              `json:"timezone"`
	Digest      DigestTime           `json:"digest"`
	Language    *string              `json:"language"`
	Locale      *string              `json:"locale"`
	Preferences []exportedPreference `json:"rules"`
	MutedEvents []domain.EventID     `json:"muted_event_ids"`
	Bounces     *exportedBounces     `json:"email_bounces"` // null: none
	// OutreachStoppedAt is since when the service sends no mails of the user to people who do not know them.
	OutreachStoppedAt *time.Time `json:"outreach_stopped_at"`

	Deliveries    []exportedDelivery    `json:"deliveries"`
	CalendarMails []exportedAppointment `json:"calendar_mails"`
}

// exportedAppointment is the latest calendar message about an event.
type exportedAppointment struct {
	EventID  domain.EventID `json:"event_id"`
	Sequence int64          `json:"sequence"`
	Canceled bool           `json:"canceled"`
}

// exportedBounces are the failures to deliver e-mails to the address of the user.
type exportedBounces struct {
	Soft         int        `json:"soft_bounces"`
	FirstAt      time.Time  `json:"first_at"`
	LastAt       time.Time  `json:"last_at"`
	SuppressedAt *time.Time `json:"suppressed_at"`
}

type exportedDelivery struct {
	Kind    string     `json:"kind"`
	Channel string     `json:"channel"`
	State   string     `json:"state"`
	AboutAt time.Time  `json:"about_at"`
	EndedAt *time.Time `json:"ended_at"`
}

var exportStmt = db.SQL("mail.export", `SELECT kind, channel, state, about_at, ended_at FROM deliveries WHERE user_id = $1
	ORDER BY about_at, kind`)

var exportAppointmentsStmt = db.SQL("mail.export_appointments", `
	SELECT event_id, sequence, version = '' FROM calendar_mails WHERE user_id = $1 ORDER BY event_id`)

var exportStopStmt = db.SQL("mail.export_stop", `SELECT stopped_at FROM outreach_senders WHERE user_id = $1`)

var mutedStmt = db.SQL("mail.muted", `SELECT event_id FROM muted_events WHERE user_id = $1 ORDER BY event_id`)

// Export returns the notification preferences and the deliveries of a user.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	p, err := readPreferences(ctx, q, user)
	if err != nil {
		return nil, err
	}
	all := exported{QuietFrom: p.quietFrom, QuietTo: p.quietTo, Timezone: p.timezone, Digest: p.digest(), Language: p.language,
		Locale: p.locale, Preferences: []exportedPreference{}}
	for _, policy := range policies {
		for _, c := range channels {
			if mode, chosen := p.modes[preferenceKey{policy.kind, c}]; chosen {
				all.Preferences = append(all.Preferences, exportedPreference{string(policy.kind), string(c), string(mode)})
			}
		}
	}
	all.MutedEvents, err = db.Append(ctx, q, []domain.EventID{}, func(row db.Row, id *domain.EventID) error { return row.Scan(id) }, mutedStmt,
		user)
	if err != nil {
		return nil, err
	}
	var b exportedBounces
	found, err := q.One(ctx, bouncesStmt, user).Find(&b.Soft, &b.FirstAt, &b.LastAt, &b.SuppressedAt)
	if err != nil {
		return nil, err
	}
	if found {
		all.Bounces = &b
	}
	if _, err := q.One(ctx, exportStopStmt, user).Find(&all.OutreachStoppedAt); err != nil {
		return nil, err
	}
	all.Deliveries, err = db.Append(ctx, q, []exportedDelivery{}, func(row db.Row, d *exportedDelivery) error {
		return row.Scan(&d.Kind, &d.Channel, &d.State, &d.AboutAt, &d.EndedAt)
	}, exportStmt, user)
	if err != nil {
		return nil, err
	}
	all.CalendarMails, err = db.Append(ctx, q, []exportedAppointment{}, func(row db.Row, a *exportedAppointment) error {
		return row.Scan(&a.EventID, &a.Sequence, &a.Canceled)
	}, exportAppointmentsStmt, user)
	return all, err
}

var (
	erasePreferencesStmt = db.SQL("mail.erase_rules", `DELETE FROM notification_rules WHERE user_id = $1`)
	eraseMutedStmt       = db.SQL("mail.erase_muted", `DELETE FROM muted_events WHERE user_id = $1`)
	eraseStmt            = db.SQL("mail.erase", `DELETE FROM deliveries WHERE user_id = $1`)

	eraseAppointmentsStmt      = db.SQL("mail.erase_appointments", `DELETE FROM calendar_mails WHERE user_id = $1`)
	eraseAppointmentOutboxStmt = db.SQL("mail.erase_appointment_outbox", `DELETE FROM appointment_outbox WHERE user_id = $1`)
)

var (
	eraseOutreachStmt = db.SQL("mail.erase_outreach", `DELETE FROM outreach WHERE recipient_id = $1 OR sender_id = $1`)
	eraseRefusalsStmt = db.SQL("mail.erase_refusals", `DELETE FROM outreach_refusals WHERE sender_id = $1`)
	eraseSenderStmt   = db.SQL("mail.erase_sender", `DELETE FROM outreach_senders WHERE user_id = $1`)
)

// Erase deletes the preferences, the deliveries and the calendar messages of a user.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	tx.Queue(ctx, deleteSettingsStmt, user)
	tx.Queue(ctx, erasePreferencesStmt, user)
	tx.Queue(ctx, eraseMutedStmt, user)
	tx.Queue(ctx, eraseStmt, user)
	tx.Queue(ctx, eraseBouncesStmt, user)
	tx.Queue(ctx, eraseAppointmentsStmt, user)
	tx.Queue(ctx, eraseAppointmentOutboxStmt, user)
	tx.Queue(ctx, eraseOutreachStmt, user)
	tx.Queue(ctx, eraseSenderStmt, user)
	tx.Queue(ctx, eraseRefusalsStmt, user)
	return nil
}
