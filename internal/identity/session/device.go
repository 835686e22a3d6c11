package session

import (
	"context"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// newAccount is the age below which every device of an account is new.
const newAccount = time.Minute

// knownDevice reports whether a client looks like one of the earlier sessions: the same kind of
// device in the same network. A user agent alone is easy to imitate.
func knownDevice(c Client, earlier []Client) bool {
	for _, e := range earlier {
		if equal(e.Network, c.Network) && equal(DeviceName(e.UserAgent), DeviceName(c.UserAgent)) {
			return true
		}
	}
	return false
}

func equal(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

// earlierDevices returns the clients of the user's sessions, also of those that have ended.
func earlierDevices(ctx context.Context, tx db.Tx, of domain.UserID) ([]Client, error) {
	return db.All(ctx, tx, func(row db.Row, c *Client) error { return row.Scan(&c.UserAgent, &c.Network) }, devicesStmt, of)
}

// notifyNewDevice notifies the user of a sign-in on a device that has no earlier session.
func notifyNewDevice(ctx context.Context, tx db.Tx, of domain.UserID, a user.Account, id domain.SessionID, c Client, earlier []Client,
	now time.Time) error {
	if now.Sub(a.CreatedAt) < newAccount || knownDevice(c, earlier) {
		return nil
	}
	n := notify.Notification{To: of, Kind: notify.NewDevice, Subject: id.String()}
	if name := DeviceName(c.UserAgent); name != nil {
		n.Params = map[string]string{notify.DeviceParam: *name}
	}
	return notify.Put(ctx, tx, now, n)
}

var devicesStmt = db.SQL("session.devices", `SELECT DISTINCT user_agent, ip FROM sessions WHERE user_id = $1`)
