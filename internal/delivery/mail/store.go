package mail

import (
	"context"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const settingsColumns = `s.quiet_from, s.quiet_to, s.timezone, s.digest_hour, s.digest_days, s.language, s.locale`

func (s *settings) dest() []any {
	return []any{&s.quietFrom, &s.quietTo, &s.timezone, &s.digestHour, &s.digestDay, &s.language, &s.locale}
}

var (
	settingsStmt = db.SQL("mail.settings", `
		SELECT u.email, u.email_verified, `+suppressedSQL+`, `+settingsColumns+`
		FROM users u LEFT JOIN notification_settings s ON s.user_id = u.id WHERE u.id = $1`)

	preferencesStmt = db.SQL("mail.rules", `SELECT kind, channel, mode FROM notification_rules WHERE user_id = $1`)

	saveSettingsStmt = db.SQL("mail.save_settings", `
		INSERT INTO notification_settings (user_id, quiet_from, quiet_to, timezone, digest_hour, digest_days, language, locale)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (user_id) DO UPDATE SET quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
			timezone = excluded.timezone, digest_hour = excluded.digest_hour, digest_days = excluded.digest_days, language = excluded.language,
			locale = excluded.locale`)

	deleteSettingsStmt = db.SQL("mail.delete_settings", `DELETE FROM notification_settings WHERE user_id = $1`)

	savePreferenceStmt = db.SQL("mail.save_rule", `
		INSERT INTO notification_rules (user_id, kind, channel, mode) VALUES ($1, $2, $3, $4)
		ON CONFLICT (user_id, kind, channel) DO UPDATE SET mode = excluded.mode`)

	deletePreferenceStmt = db.SQL("mail.delete_rule", `DELETE FROM notification_rules WHERE user_id = $1 AND kind = $2 AND channel = $3`)

	muteStmt   = db.SQL("mail.mute", `INSERT INTO muted_events (user_id, event_id) VALUES ($1, $2) ON CONFLICT (user_id, event_id) DO NOTHING`)
	unmuteStmt = db.SQL("mail.unmute", `DELETE FROM muted_events WHERE user_id = $1 AND event_id = $2`)
)

// readPreferences returns the preferences of a user, or domain.NotFound.
func readPreferences(ctx context.Context, q db.Querier, user domain.UserID) (Preferences, error) {
	p := Preferences{modes: map[preferenceKey]Mode{}}
	err := q.One(ctx, settingsStmt, user).ScanOr(domain.NotFound, append([]any{&p.email, &p.emailVerified, &p.suppressedAt}, p.dest()...)...)
	if err != nil {
		return p, err
	}
	preferences, err := readChosen(ctx, q, user)
	for _, r := range preferences {
		p.modes[preferenceKey{r.Kind, r.Channel}] = r.Mode
	}
	return p, err
}

func readChosen(ctx context.Context, q db.Querier, user domain.UserID) ([]Preference, error) {
	return db.All(ctx, q, func(row db.Row, r *Preference) error { return row.Scan(&r.Kind, &r.Channel, &r.Mode) }, preferencesStmt, user)
}

func saveSettings(ctx context.Context, tx db.Tx, user domain.UserID, s settings) {
	if s == (settings{}) {
		tx.Queue(ctx, deleteSettingsStmt, user)
		return
	}
	tx.Queue(ctx, saveSettingsStmt, user, s.quietFrom, s.quietTo, s.timezone, s.digestHour, s.digestDay, s.language, s.locale)
}

// savePreference stores a preference, unless it is the default.
func savePreference(ctx context.Context, tx db.Tx, user domain.UserID, r Preference) {
	if r.Mode == policyOf[r.Kind].mode(r.Channel) {
		tx.Queue(ctx, deletePreferenceStmt, user, r.Kind, r.Channel)
		return
	}
	tx.Queue(ctx, savePreferenceStmt, user, r.Kind, r.Channel, r.Mode)
}

func mute(ctx context.Context, tx db.Tx, user domain.UserID, event domain.EventID, muted bool) {
	stmt := muteStmt
	if !muted {
		stmt = unmuteStmt
	}
	tx.Queue(ctx, stmt, user, event)
}
