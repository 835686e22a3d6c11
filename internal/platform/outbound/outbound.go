// Package outbound connects to web servers that users chose: only by https to public IPv4
// addresses, so that nobody reaches an internal network through the service. It also reads
// how long a server asks to wait.
package outbound

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"time"

	"code.dny.dev/ssrf"
)

// guard allows connections to port 443 of public IPv4 addresses only. It also denies
// the public address of the Azure host agent.
var guard = ssrf.New(
	ssrf.WithNetworks("tcp4"),
	ssrf.WithPorts(443),
	ssrf.WithDeniedV4Prefixes(netip.MustParsePrefix("168.63.129.16/32")),
)

// Network is how the service reaches other hosts; the zero value is the real network.
type Network struct {
	Resolver *net.Resolver
	// Connect opens a connection to an address that the guard allows.
	Connect func(ctx context.Context, address netip.AddrPort) (net.Conn, error)
	Roots   *x509.CertPool
	// DialTimeout is the longest time for a connection, and again for its TLS handshake. 3 s if zero.
	DialTimeout time.Duration
}

// connect calls the guard again with the address that the kernel connects to.
func connect(ctx context.Context, address netip.AddrPort) (net.Conn, error) {
	dialer := net.Dialer{Control: guard.Safe}
	return dialer.DialContext(ctx, "tcp4", address.String())
}

// Limits of one connection.
const (
	maxAddresses       = 4 // tried per name
	defaultDialTimeout = 3 * time.Second
	maxHeader          = 64 << 10
)

// Transport returns a new transport, which callers may change. It does not compress and has
// no timeout for the response.
func (n Network) Transport() *http.Transport {
	if n.Connect == nil {
		n.Connect = connect
	}
	if n.Resolver == nil {
		n.Resolver = net.DefaultResolver
	}
	if n.DialTimeout == 0 {
		n.DialTimeout = defaultDialTimeout
	}
	return &http.Transport{
		DialContext:            n.dial,
		TLSClientConfig:        &tls.Config{RootCAs: n.Roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    n.DialTimeout,
		MaxResponseHeaderBytes: maxHeader,
		DisableCompression:     true,
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
	ctx, cancel := context.WithTimeout(ctx, n.DialTimeout)
	defer cancel()
	return n.Connect(ctx, at)
}
