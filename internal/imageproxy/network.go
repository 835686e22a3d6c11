package imageproxy

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"code.dny.dev/ssrf"
)

// guard lets a connection go to port 443 of public IPv4 addresses only. The
// address that it adds to the library's is public by number, yet belongs to the
// host of Azure's machines.
var guard = ssrf.New(
	ssrf.WithNetworks("tcp4"),
	ssrf.WithPorts(443),
	ssrf.WithDeniedV4Prefixes(netip.MustParsePrefix("168.63.129.16/32")),
)

// Network is how the proxy reaches the world; the zero value is the real one.
type Network struct {
	Resolver *net.Resolver
	// Connect opens a connection to an address that the guard has let pass.
	Connect func(ctx context.Context, address netip.AddrPort) (net.Conn, error)
	Roots   *x509.CertPool
}

// connect asks the guard once more, where the kernel's address is at hand.
func connect(ctx context.Context, address netip.AddrPort) (net.Conn, error) {
	dialer := net.Dialer{Control: guard.Safe}
	return dialer.DialContext(ctx, "tcp4", address.String())
}

// Bounds of one connection.
const (
	maxAddresses  = 4 // of one name that are tried
	dialTimeout   = 3 * time.Second
	headerTimeout = 8 * time.Second
	maxHeader     = 64 << 10
)

// client makes requests that tell nothing about who asks: no cookies, no
// referrer, no connection kept between two fetches. They are redirected only to
// URLs that pass judge.
func (n Network) client(judge func(rawURL string) (*url.URL, error)) *http.Client {
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
		CheckRedirect: func(next *http.Request, before []*http.Request) error { return follow(next, before, judge) },
	}
}

// dial looks the name up and connects to the first address that is public and
// answers. What was checked is what is connected to.
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

var errRedirect = errors.New("redirected where the proxy does not go")

// follow judges the next URL as the first was.
func follow(next *http.Request, before []*http.Request, judge func(string) (*url.URL, error)) error {
	if len(before) > maxRedirects {
		return errRedirect
	}
	u, err := judge(next.URL.String())
	if err != nil {
		return errRedirect
	}
	next.URL, next.Host = u, ""
	next.Header.Del("Referer")
	return nil
}
