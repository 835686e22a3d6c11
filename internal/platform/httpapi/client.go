package httpapi

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ClientInfo is what is known of the calling program. No field is logged.
type ClientInfo struct {
	UserAgent string     // cleaned, at most 256 bytes; may be empty
	Address   netip.Addr // of the client as far as trusted proxies vouch for it
	Languages string     // Accept-Language, as sent
}

const maxUserAgent = 256

func clientInfo(r *http.Request, trusted []netip.Prefix) ClientInfo {
	return ClientInfo{
		UserAgent: cleanUserAgent(r.UserAgent()),
		Languages: r.Header.Get("Accept-Language"),
		Address:   clientAddress(r.RemoteAddr, r.Header["X-Forwarded-For"], trusted),
	}
}

// clientAddress walks from the connection's own peer towards the client, one
// X-Forwarded-For entry at a time from the right, as long as the hop that
// vouches for the entry is a trusted proxy. An entry that is no address ends
// the walk.
func clientAddress(peer string, forwarded []string, trusted []netip.Prefix) netip.Addr {
	address, ok := parseAddress(peer)
	if !ok {
		return netip.Addr{}
	}
	hops := strings.Split(strings.Join(forwarded, ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !isTrusted(address, trusted) {
			return address
		}
		next, ok := parseAddress(strings.TrimSpace(hop))
		if !ok {
			return address
		}
		address = next
	}
	return address
}

func isTrusted(a netip.Addr, trusted []netip.Prefix) bool {
	return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(a) })
}

// parseAddress reads an address with or without a port; an IPv4 address mapped
// into IPv6 becomes the IPv4 address, a zone is dropped.
func parseAddress(s string) (netip.Addr, bool) {
	if withPort, err := netip.ParseAddrPort(s); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return a.Unmap().WithZone(""), err == nil
}

func cleanUserAgent(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
	if len(s) <= maxUserAgent {
		return s
	}
	cut := maxUserAgent
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut]
}
