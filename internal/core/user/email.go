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

// Email is a valid e-mail address.
type Email struct {
	Address string // as typed, with the domain in lower case
	Key     string // equal for addresses of the same account
}

// ASCII returns the address with its domain in ASCII (IDNA), as mail servers expect it.
func (e Email) ASCII() string {
	return e.Address[:strings.LastIndexByte(e.Address, '@')] + e.Key[strings.LastIndexByte(e.Key, '@'):]
}

// Mailbox returns the key without a "+suffix" before the @. Most mail servers deliver all
// suffixes to one mailbox, so limits of mails count by it. Accounts do not: elsewhere the
// suffix may be another person's.
func (e Email) Mailbox() string {
	at := strings.LastIndexByte(e.Key, '@')
	local, _, _ := strings.Cut(e.Key[:at], "+")
	if local == "" {
		return e.Key
	}
	return local + e.Key[at:]
}

const (
	maxEmail      = 254 // bytes
	maxEmailLocal = 64  // bytes before the @ (RFC 5321 §4.5.3.1.1)
)

var errEmail = errors.New("must be an e-mail address like anna@example.com and nothing else")

// ParseEmail validates an address by contract §2.1. Dots and "+suffixes" before
// the @ are significant: without them it may be another person's address.
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

// isHostName reports whether a domain has a dot and is not an IP address, with or
// without brackets.
func isHostName(domain string) bool {
	_, notAddress := netip.ParseAddr(domain)
	return notAddress != nil && strings.Contains(domain, ".") && !strings.HasPrefix(domain, "[")
}

// lowerLocal folds the case of the part before the @. It does not turn a letter
// outside ASCII into an ASCII letter: that may be another person's address.
func lowerLocal(r rune) rune {
	lower := unicode.ToLower(r)
	if r > unicode.MaxASCII && lower <= unicode.MaxASCII {
		return r
	}
	return lower
}
