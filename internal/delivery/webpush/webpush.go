// Package webpush manages the push subscriptions of browsers and apps. A subscription belongs to a
// session and ends with it.
package webpush

import (
	"context"
	"crypto/sha256"
	"net/url"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/push"
)

// maxSubscriptions is how many active subscriptions a user may have.
const maxSubscriptions = 10

// Service implements the use cases of push subscriptions.
type Service struct {
	DB     *db.DB
	Clock  domain.Clock
	Client *push.Client // nil: push is not available
}

// Subscription is a subscription as its user sees it.
type Subscription struct {
	ID         domain.PushSubscriptionID
	Host       string // of the push service
	DeviceName *string
	CreatedAt  time.Time
	Current    bool // of the viewer's session
}

// Subscribe stores a subscription of the viewer's session. If the endpoint is already stored, the
// subscription keeps its id. If it belongs to another user (who has used the same browser before),
// that user loses it.
func (s *Service) Subscribe(ctx context.Context, v domain.Viewer, p push.Subscription, c session.Client) (Subscription, error) {
	now := s.Clock.Now()
	sum := sha256.Sum256([]byte(p.Endpoint))
	created := Subscription{Host: hostOf(p.Endpoint), DeviceName: deviceName(c.UserAgent), Current: true}
	err := idempotency.InTx(ctx, s.DB, now, &created, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, takeOverStmt, sum[:], v.UserID); err != nil {
			return err
		}
		var others int
		if err := tx.One(ctx, countOthersStmt, v.UserID, now, sum[:]).Scan(&others); err != nil {
			return err
		}
		if others >= maxSubscriptions {
			return domain.Forbid(domain.BlockedByState)
		}
		return tx.One(ctx, upsertStmt, domain.NewID[domain.PushSubscriptionKind](now), v.UserID, v.SessionID, p.Endpoint, sum[:],
			p.Key, p.Auth, created.DeviceName, now).Scan(&created.ID, &created.CreatedAt)
	})
	return created, err
}

// List returns the viewer's active subscriptions, the oldest first.
func (s *Service) List(ctx context.Context, v domain.Viewer) ([]Subscription, error) {
	return list(ctx, s.DB, v, s.Clock.Now())
}

// Unsubscribe removes one of the viewer's subscriptions. It returns domain.NotFound for any
// other.
func (s *Service) Unsubscribe(ctx context.Context, v domain.Viewer, id domain.PushSubscriptionID) error {
	n, err := s.DB.Exec(ctx, deleteStmt, id, v.UserID)
	if err == nil && n == 0 {
		err = domain.NotFound
	}
	return err
}

func hostOf(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	return u.Host
}

// browsers maps a substring of a user agent to a name. The order matters: most user agents
// contain "Chrome" and "Safari", too.
var browsers = []struct{ substring, name string }{
	{"Edg", "Edge"}, {"OPR/", "Opera"}, {"YaBrowser", "Yandex Browser"}, {"SamsungBrowser", "Samsung Internet"},
	{"Firefox", "Firefox"}, {"FxiOS", "Firefox"}, {"CriOS", "Chrome"}, {"Chrome", "Chrome"}, {"Safari", "Safari"},
}

// deviceName returns a name like "Chrome on Android", or nil if the user agent is unknown.
func deviceName(userAgent *string) *string {
	name := session.DeviceName(userAgent)
	if userAgent == nil {
		return nil
	}
	for _, b := range browsers {
		switch {
		case !strings.Contains(*userAgent, b.substring):
		case name == nil:
			return &b.name
		default:
			return new(b.name + " on " + *name)
		}
	}
	return name
}
