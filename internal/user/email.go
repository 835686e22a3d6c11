package user

import (
	"errors"
	"net/mail"
	"net/netip"
	"strings"
	"unicode"

	"golang.org/x/net/idna"

	"moothall/internal/platform/text"
)

// Email is an e-mail address that passed the rules.
type Email struct {
	Address string // as typed, with the domain in lower case
	Key     string // what makes two addresses the same account
}

const (
	maxEmail      = 254 // bytes
	maxEmailLocal = 64  // bytes before the @ (RFC 5321 §4.5.3.1.1)
)

var errEmail = errors.New("must be an e-mail address like anna@example.com, alone")

// ParseEmail holds an address to the rules of contract §2.1. Dots and
// "+suffixes" before the @ count: they may be another person's address.
func ParseEmail(s string) (Email, error) {
	parsed, err := mail.ParseAddress(s)
	if err != nil || parsed.Address != s || len(s) > maxEmail {
		return Email{}, errEmail
	}
	if clean, err := text.Line(1, maxEmail)(s); err != nil || clean != s || strings.ContainsFunc(s, isNotGraphic) {
		return Email{}, errEmail
	}
	at := strings.LastIndexByte(s, '@')
	local, domain := s[:at], s[at+1:]
	ascii, err := idna.Lookup.ToASCII(domain)
	if err != nil || len(local) > maxEmailLocal || !isHostName(ascii) {
		return Email{}, errEmail
	}
	return Email{
		Address: local + "@" + strings.ToLower(domain),
		Key:     strings.Map(lowerLocal, local) + "@" + strings.ToLower(ascii),
	}, nil
}

func isNotGraphic(r rune) bool { return !unicode.IsGraphic(r) }

// isHostName reports a name with a dot that is no IP address, in brackets or not.
func isHostName(domain string) bool {
	_, notAddress := netip.ParseAddr(domain)
	return notAddress != nil && strings.Contains(domain, ".") && !strings.HasPrefix(domain, "[")
}

// lowerLocal folds the case of the part before the @, but never turns a letter
// outside ASCII into one inside it: that could be somebody else's address.
func lowerLocal(r rune) rune {
	lower := unicode.ToLower(r)
	if r > unicode.MaxASCII && lower <= unicode.MaxASCII {
		return r
	}
	return lower
}
