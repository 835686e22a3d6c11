// Package session owns sessions: it issues and refreshes the pair of tokens of a
// session, and it lists and revokes sessions (specification §5, contract §2.4 and
// §2.5, policy "Sessions").
//
// Each request reads its session from the database, so a revocation takes effect on
// every instance at once.
package session

import (
	"net/netip"
	"strings"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
)

// Method is the sign-in method of a session.
type Method string

// The methods of contract §2.5.
const (
	DevEmail  Method = "dev_email"
	PhoneCall Method = "phone_call"
	IdpWeb    Method = "idp_web"
	IdpNative Method = "idp_native"
	Email     Method = "email"
	Passkey   Method = "passkey"
)

// Tokens are the access and the refresh token of a session.
type Tokens struct {
	SessionID        domain.SessionID
	Access           string
	AccessExpiresAt  time.Time
	Refresh          string
	RefreshExpiresAt time.Time
}

// SignedIn is a new session and the account of its user.
type SignedIn struct {
	Tokens
	Account user.Account
}

// Listed is a session as its user sees it.
type Listed struct {
	ID         domain.SessionID
	Current    bool
	Method     Method
	UserAgent  *string
	Network    *string
	CreatedAt  time.Time
	LastUsedAt time.Time
	ExpiresAt  time.Time
}

// Client describes the program that uses a session.
type Client struct {
	UserAgent *string
	Network   *string // its address, cut to /24 (IPv4) or /48 (IPv6)
}

// newClient truncates the address, because the whole address must not be stored.
func newClient(userAgent string, address netip.Addr) Client {
	var c Client
	if userAgent != "" {
		c.UserAgent = &userAgent
	}
	bits := 48
	if address.Is4() {
		bits = 24
	}
	if network, err := address.Prefix(bits); err == nil {
		text := network.Addr().String()
		c.Network = &text
	}
	return c
}

// devices maps a substring of a user agent to a name. The order matters: the user
// agents of iPhones contain "like Mac OS X", those of Android and Chrome OS "Linux".
var devices = []struct{ substring, name string }{
	{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"CrOS", "Chromebook"},
	{"Windows", "Windows"}, {"Macintosh", "Mac"}, {"Darwin", "Apple device"}, {"Linux", "Linux"},
}

// DeviceName returns a short name for a user agent, or nil if it is unknown.
func DeviceName(userAgent *string) *string {
	if userAgent == nil {
		return nil
	}
	for _, d := range devices {
		if strings.Contains(*userAgent, d.substring) {
			return &d.name
		}
	}
	return nil
}
