package app

import (
	"context"
	"log/slog"
	"time"
)

// renewEvery is how soon a running service notices what an instance with the earlier key has written.
const renewEvery = 5 * time.Minute

// renewSecrets seals with SECRET_KEY what belongs to SECRET_KEY_PREVIOUS, and logs when that setting can be removed.
func (a *App) renewSecrets(ctx context.Context, r services) error {
	if len(a.settings.SecretKeyPrevious) == 0 {
		return nil
	}
	webhooks, err := r.webhooks.RenewSecrets(ctx)
	if err != nil {
		return err
	}
	feeds, err := r.calendar.RenewSecrets(ctx)
	if err != nil {
		return err
	}
	addresses, err := r.attendance.Addresses.RenewSecrets(ctx)
	if err != nil {
		return err
	}
	if webhooks+feeds+addresses > 0 {
		a.log.InfoContext(ctx, "sealed with the new SECRET_KEY", slog.Int("webhooks", webhooks), slog.Int("calendar_addresses", feeds),
			slog.Int("invited_addresses", addresses))
		return nil
	}
	a.log.InfoContext(ctx, "nothing is sealed with SECRET_KEY_PREVIOUS: remove it when every instance has the new SECRET_KEY")
	return nil
}
