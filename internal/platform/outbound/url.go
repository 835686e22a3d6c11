package outbound

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

// maxURL is the maximum length of a URL in bytes.
const maxURL = 2048

// privateDomains are the top-level domains of names that are not public (RFC 6761, 6762, 8375, 9476).
var privateDomains = []string{"localhost", "local", "internal", "home.arpa", "invalid", "onion", "alt"}

// ParseURL normalizes a URL and rejects URLs that cannot be those of a public web server.
// It does not resolve the name. The error is for the user who chose the URL.
func ParseURL(raw string) (*url.URL, error) {
	bad := func(detail string) (*url.URL, error) { return nil, errors.New(detail) }
	if len(raw) > maxURL {
		return bad("must be at most 2048 bytes")
	}
	if strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }) {
		return bad("must not contain spaces, control characters or backslashes")
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" || u.Opaque != "" || u.Host == "" || u.User != nil {
		return bad("must be an absolute https URL without a user name")
	}
	if port := u.Port(); port != "443" && port != "" || strings.HasSuffix(u.Host, ":") {
		return bad("must use port 443")
	}
	host, ok := publicHost(u.Host)
	if !ok {
		return bad("must have a public host name or IPv4 address")
	}
	u.Host, u.Fragment, u.RawFragment = host, "", ""
	if u.Path == "" {
		u.Path = "/"
	}
	return u, nil
}

// publicHost returns the host in the form for DNS, without the port.
func publicHost(host string) (string, bool) {
	host = strings.TrimSuffix(host, ":443")
	if strings.ContainsAny(host, "[]%") {
		return "", false // an IPv6 address, or not a name
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
	case len(labels) == 1 || isPrivate(name):
		return "", false
	case last[0] >= '0' && last[0] <= '9': // no top-level domain starts with a digit: it is an address
		address, err := netip.ParseAddr(name)
		return name, err == nil && guard.SafeAddr(address) == nil
	}
	return name, true
}

func isPrivate(name string) bool {
	for _, top := range privateDomains {
		if name == top || strings.HasSuffix(name, "."+top) {
			return true
		}
	}
	return false
}
