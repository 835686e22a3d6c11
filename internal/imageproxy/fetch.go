package imageproxy

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"code.dny.dev/ssrf"
	"golang.org/x/net/idna"

	"moothall/internal/domain"
	"moothall/internal/platform/picture"
)

// fetch downloads the image at u into file.
func (s *Service) fetch(ctx context.Context, u *url.URL, file *os.File) (Entry, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return Entry{}, upstream(err)
	}
	request.Header.Set("Accept", "image/avif,image/webp,image/png,image/jpeg,image/gif")
	request.Header.Set("Accept-Encoding", "identity")
	request.Header.Set("User-Agent", "Moothall image proxy")
	response, err := s.client.Do(request)
	if err != nil {
		return Entry{}, upstream(err)
	}
	defer func() { _ = response.Body.Close() }() // was read
	encoding := response.Header.Get("Content-Encoding")
	if response.StatusCode != http.StatusOK || encoding != "" && encoding != "identity" {
		return Entry{}, upstream(fmt.Errorf("status %d, encoding %q", response.StatusCode, encoding))
	}
	tag, err := save(file, response)
	if err != nil {
		return Entry{}, err
	}
	if ctx.Err() != nil { // a canceled download may look complete
		return Entry{}, upstream(ctx.Err())
	}
	i, err := picture.Inspect((&Picture{File: file}).image())
	if err != nil {
		return Entry{}, err
	}
	lifetime, private := lifetimeOf(response.Header.Values("Cache-Control"))
	return Entry{Type: i.MediaType, ETag: tag, Fresh: s.clock.Now().Add(lifetime), Private: private}, nil
}

// save writes the body and returns its ETag.
func save(file *os.File, response *http.Response) (string, error) {
	if response.ContentLength > picture.MaxBytes {
		return "", domain.PayloadTooLarge
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(file, sum), io.LimitReader(response.Body, picture.MaxBytes+1))
	_, isLocal := errors.AsType[*fs.PathError](err) // such as a full disk
	switch {
	case isLocal:
		return "", err
	case err != nil:
		return "", upstream(err)
	case n > picture.MaxBytes:
		return "", domain.PayloadTooLarge
	}
	return etag(sum.Sum(nil)), nil
}

func etag(sum []byte) string { return `"` + hex.EncodeToString(sum[:16]) + `"` }

// upstream returns an error of the other host. It omits the URL, which may be personal
// data.
func upstream(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	return fmt.Errorf("%w: %w", domain.ImageUnavailable, err)
}

// Lifetimes of a cached copy.
const (
	minLifetime     = time.Minute
	defaultLifetime = 24 * time.Hour
	maxLifetime     = 7 * 24 * time.Hour
)

// lifetimeOf parses Cache-Control. It returns the lifetime of the copy, or private when
// a shared cache must not store it. s-maxage takes precedence over max-age.
func lifetimeOf(control []string) (lifetime time.Duration, private bool) {
	lifetime = defaultLifetime
	var noCache, hasShared bool // hasShared: there was an s-maxage
	for directive := range strings.SplitSeq(strings.ToLower(strings.Join(control, ",")), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
		switch name {
		case "private", "no-store":
			return 0, true
		case "no-cache":
			noCache = true
		case "max-age", "s-maxage":
			seconds, err := strconv.ParseInt(strings.Trim(value, `"`), 10, 32)
			if err == nil && !(hasShared && name == "max-age") {
				lifetime, hasShared = time.Duration(seconds)*time.Second, name == "s-maxage"
			}
		}
	}
	if noCache {
		lifetime = minLifetime
	}
	return max(minLifetime, min(lifetime, maxLifetime)), false
}

// guard allows connections to port 443 of public IPv4 addresses only. It also denies
// the public address of the Azure host agent.
var guard = ssrf.New(
	ssrf.WithNetworks("tcp4"),
	ssrf.WithPorts(443),
	ssrf.WithDeniedV4Prefixes(netip.MustParsePrefix("168.63.129.16/32")),
)

// Network is how the proxy reaches other hosts; the zero value is the real network.
type Network struct {
	Resolver *net.Resolver
	// Connect opens a connection to an address that the guard allows.
	Connect func(ctx context.Context, address netip.AddrPort) (net.Conn, error)
	Roots   *x509.CertPool
}

// connect calls the guard again with the address that the kernel connects to.
func connect(ctx context.Context, address netip.AddrPort) (net.Conn, error) {
	dialer := net.Dialer{Control: guard.Safe}
	return dialer.DialContext(ctx, "tcp4", address.String())
}

// Limits of one connection.
const (
	maxAddresses  = 4 // tried per name
	dialTimeout   = 3 * time.Second
	headerTimeout = 8 * time.Second
	maxHeader     = 64 << 10
)

// client returns a client that reveals nothing about users: no cookies, no referrer, no
// connection reuse. It follows redirects only to URLs that check accepts.
func (n Network) client(check func(rawURL string) (*url.URL, error)) *http.Client {
	if n.Connect == nil {
		n.Connect = connect
	}
	if n.Resolver == nil {
		n.Resolver = net.DefaultResolver
	}
	return &http.Client{
		Transport: &http.Transport{
			DialContext:            n.dial,
			TLSClientConfig:        &tls.Config{RootCAs: n.Roots, MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    dialTimeout,
			ResponseHeaderTimeout:  headerTimeout,
			MaxResponseHeaderBytes: maxHeader,
			DisableKeepAlives:      true,
			DisableCompression:     true,
		},
		CheckRedirect: func(next *http.Request, before []*http.Request) error { return follow(next, before, check) },
	}
}

// dial resolves the name and connects to the first public address that answers. It
// connects to the address that it has checked, so that DNS rebinding has no effect.
func (n Network) dial(ctx context.Context, _, hostPort string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil {
		return nil, err
	}
	addresses, err := n.Resolver.LookupNetIP(ctx, "ip4", host)
	if err != nil {
		return nil, fmt.Errorf("name not found: %w", err)
	}
	failed := errors.New("no address")
	for _, address := range addresses[:min(len(addresses), maxAddresses)] {
		at := netip.AddrPortFrom(address.Unmap(), 443)
		if failed = guard.Safe("tcp4", at.String(), nil); failed != nil {
			continue
		}
		var c net.Conn
		if c, failed = n.tryConnect(ctx, at); failed == nil {
			return c, nil
		}
	}
	return nil, failed
}

func (n Network) tryConnect(ctx context.Context, at netip.AddrPort) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	return n.Connect(ctx, at)
}

var errRedirect = errors.New("redirected to a URL that the proxy does not fetch")

// follow checks the URL of a redirect like the first one.
func follow(next *http.Request, before []*http.Request, check func(string) (*url.URL, error)) error {
	if len(before) > maxRedirects {
		return errRedirect
	}
	u, err := check(next.URL.String())
	if err != nil {
		return errRedirect
	}
	next.URL, next.Host = u, ""
	next.Header.Del("Referer")
	return nil
}

// privateDomains are the top-level domains of names that are not public (RFC 6761, 6762, 8375, 9476).
var privateDomains = []string{"localhost", "local", "internal", "home.arpa", "invalid", "onion", "alt"}

// parseURL normalizes a URL and rejects URLs that cannot be those of a public web
// server. It does not resolve the name.
func parseURL(raw string) (*url.URL, error) {
	bad := func(detail string) (*url.URL, error) { return nil, domain.Invalid("?url", detail) }
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
