// Package session is the room of signing in and of what follows from it: the
// dev e-mail code, the pair of tokens and its rotation, the list of sessions
// and their end (specification §5, contract §2, policy "Sessions").
//
// Nothing about a session is kept in memory: what one instance answers holds
// on all of them.
package session

import (
	"net/netip"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/user"
)

// Method is how a session was signed in.
type Method string

// The methods of contract §2.5.
const (
	DevEmail  Method = "dev_email"
	PhoneCall Method = "phone_call"
	IdpWeb    Method = "idp_web"
	IdpNative Method = "idp_native"
)

// Tokens is the pair that a client holds of a session.
type Tokens struct {
	SessionID        domain.SessionID
	Access           string
	AccessExpiresAt  time.Time
	Refresh          string
	RefreshExpiresAt time.Time
}

// SignedIn is a fresh session with whose it is.
type SignedIn struct {
	Tokens
	Account user.Account
}

// Listed is a session as its owner sees it.
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

// Client is what a session remembers of the program that uses it.
type Client struct {
	UserAgent *string
	Network   *string // of its address: /24 or /48
}

// newClient forgets what is not to be stored.
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

// devices are found in user agents, the telling ones first: an iPhone also
// says "like Mac OS X", Android and Chrome OS also say Linux.
var devices = []struct{ sign, name string }{
	{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"CrOS", "Chromebook"},
	{"Windows", "Windows"}, {"Macintosh", "Mac"}, {"Darwin", "Apple device"}, {"Linux", "Linux"},
}

// DeviceName gives a short name for a user agent, nil when it tells none.
func DeviceName(userAgent *string) *string {
	if userAgent == nil {
		return nil
	}
	for _, d := range devices {
		if strings.Contains(*userAgent, d.sign) {
			return &d.name
		}
	}
	return nil
}

// earlier gives the earlier of two moments.
func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
