package imageproxy

import (
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"moothall/internal/domain"
)

// insideNames are the tops of names that lead nowhere public (RFC 6761, 6762, 8375, 9476).
var insideNames = []string{"localhost", "local", "internal", "home.arpa", "invalid", "onion", "alt"}

// parse gives the URL in one spelling, and refuses what by its text alone leads
// to no public web server: no name is looked up.
func parse(raw string) (*url.URL, error) {
	bad := func(detail string) (*url.URL, error) { return nil, domain.Invalid("?url", detail) }
	if len(raw) > maxURL {
		return bad("must have at most 2048 bytes")
	}
	if strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }) {
		return bad("must have no spaces, controls or backslashes")
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" || u.Opaque != "" || u.Host == "" || u.User != nil {
		return bad("must be an absolute https URL without user name")
	}
	if port := u.Port(); port != "443" && port != "" || strings.HasSuffix(u.Host, ":") {
		return bad("must be at port 443")
	}
	host, ok := publicHost(u.Host)
	if !ok {
		return bad("must be at a public host name or IPv4 address")
	}
	u.Host, u.Fragment, u.RawFragment = host, "", ""
	if u.Path == "" {
		u.Path = "/"
	}
	return u, nil
}

// publicHost gives the host as it is looked up, without port.
func publicHost(host string) (string, bool) {
	host = strings.TrimSuffix(host, ":443")
	if strings.ContainsAny(host, "[]%") {
		return "", false // an IPv6 address, or bytes that are no name
	}
	name, err := idna.Lookup.ToASCII(host)
	if name = strings.TrimSuffix(name, "."); err != nil || len(name) > 253 {
		return "", false
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 {
			return "", false
		}
	}
	last := labels[len(labels)-1]
	switch {
	case len(labels) == 1 || inside(name):
		return "", false
	case last[0] >= '0' && last[0] <= '9': // no top-level domain begins so: some spelling of an address
		address, err := netip.ParseAddr(name)
		return name, err == nil && guard.SafeAddr(address) == nil
	}
	return name, true
}

func inside(name string) bool {
	for _, top := range insideNames {
		if name == top || strings.HasSuffix(name, "."+top) {
			return true
		}
	}
	return false
}
