package httpapi

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// FuzzClientAddress checks that a client cannot choose its address: its own entries in
// X-Forwarded-For have no effect.
func FuzzClientAddress(f *testing.F) {
	for _, s := range []string{"1.2.3.4", "10.0.0.1, 1.2.3.4", ",", "1.2.3.4:1234", "::ffff:1.2.3.4", "1.2.3.4' OR 1=1", "[2001:db8::1]:443",
		"fe80::1%eth0", "unknown", "10.0.0.1,,"} {
		f.Add("192.0.2.1:1234", s, "10.0.0.9")
		f.Add("10.0.0.2:1234", s, "203.0.113.7")
	}
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	f.Fuzz(func(t *testing.T, peer, first, second string) {
		direct, ok := parseAddress(peer)
		if got := clientAddress(peer, []string{first, second}, nil); got != direct && ok || got.IsValid() != ok {
			t.Errorf("no proxy is trusted, yet %q, %q made %v of %v", first, second, got, direct)
		}
		got := clientAddress(peer, []string{first, second}, trusted)
		switch {
		case got.Is4In6() || got.Zone() != "" || got.IsValid() != ok:
			t.Errorf("%v is not a plain address", got)
		case got != direct && !isTrusted(direct, trusted):
			t.Errorf("%v is not trusted, yet %q, %q made it %v", direct, first, second, got)
		}
		if joined := clientAddress(peer, []string{first + ", " + second}, trusted); joined != got {
			t.Errorf("two lines give %v, one line gives %v", got, joined)
		}
		const seen = "203.0.113.7" // by the proxy that is nearest
		behind := clientAddress("10.0.0.2:1234", []string{first, second, seen}, trusted)
		if behind.String() != seen {
			t.Errorf("%q, %q before %s made it %v", first, second, seen, behind)
		}
	})
}

// FuzzAuthorization checks that a bearer token is exactly the text after the scheme.
func FuzzAuthorization(f *testing.F) {
	for _, s := range []string{"", "Bearer ", "bearer at_x", "Bearer  a", "Basic a", "Bearer a b", `Bearer "a"`, "Bearer a%20", "Bearer null",
		"Bearer \u043f", "Bearer a\r\nX: y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		token := bearerToken(header)
		if token == "" {
			return
		}
		if len(header) != len("Bearer ")+len(token) || !strings.EqualFold(header[:len("Bearer ")], "Bearer ") ||
			!strings.HasSuffix(header, token) {
			t.Errorf("%q gave %q", header, token)
		}
		if len(token) > maxToken || slices.ContainsFunc([]byte(token), func(c byte) bool {
			return c <= ' ' || c > '~' || c == '"' || c == ',' ||
				c == '%'
		}) {
			t.Errorf("%q is not a token", token)
		}
	})
}
