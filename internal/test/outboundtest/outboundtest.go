// Package outboundtest is a network for tests of package outbound and its callers.
package outboundtest

import (
	"context"
	"crypto/x509"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"moothall/internal/platform/outbound"
)

// Network has a name server, and one web server at every public address. It records the
// addresses of all connections.
type Network struct {
	// Names has the addresses of each name.
	Names map[string]func() []string

	t        *testing.T
	upstream *httptest.Server

	mu       sync.Mutex
	reached  []netip.AddrPort
	requests []*http.Request
}

// Public is the address of example.com.
const Public = "93.184.215.14"

// New returns a network with one host, example.com. The certificate of the web server is
// for this name and its subdomains.
func New(t *testing.T, handler http.HandlerFunc) *Network {
	t.Helper()
	w := &Network{t: t, Names: map[string]func() []string{"example.com": Always(Public)}}
	w.upstream = httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.requests = append(w.requests, r.Clone(context.Background()))
		w.mu.Unlock()
		handler(rw, r)
	}))
	w.upstream.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	w.upstream.StartTLS()
	t.Cleanup(func() {
		w.upstream.CloseClientConnections()
		w.upstream.Close()
	})
	return w
}

// Always returns the same addresses at each query.
func Always(addresses ...string) func() []string { return func() []string { return addresses } }

// Outbound returns the network as the service uses it, with more time for connections: the machine may be busy.
func (w *Network) Outbound() outbound.Network {
	roots := x509.NewCertPool()
	roots.AddCert(w.upstream.Certificate())
	return outbound.Network{
		Resolver: &net.Resolver{PreferGo: true, Dial: w.nameServer}, Connect: w.connect, Roots: roots, DialTimeout: time.Minute,
	}
}

// connect records the addresses that the guard allows.
func (w *Network) connect(ctx context.Context, address netip.AddrPort) (net.Conn, error) {
	w.mu.Lock()
	w.reached = append(w.reached, address)
	w.mu.Unlock()
	return new(net.Dialer).DialContext(ctx, "tcp", w.upstream.Listener.Addr().String())
}

// Connections returns the number of connections. It fails the test if one was not to
// port 443 of a public address.
func (w *Network) Connections() int {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, address := range w.reached {
		if a := address.Addr(); !a.Is4() || a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || !a.IsGlobalUnicast() ||
			address.Port() != 443 {
			w.t.Errorf("connected to %v", address)
		}
	}
	return len(w.reached)
}

// Requests returns the requests that the web server has received, without their bodies.
func (w *Network) Requests() []*http.Request {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.requests)
}

// nameServer answers one connection of a resolver.
func (w *Network) nameServer(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	go func() {
		defer func() { _ = there.Close() }()
		var length [2]byte // a pipe is a stream: messages have their length before them
		for {
			if _, err := io.ReadFull(there, length[:]); err != nil {
				return
			}
			message := make([]byte, int(length[0])<<8|int(length[1]))
			if _, err := io.ReadFull(there, message); err != nil {
				return
			}
			answer := w.resolve(message)
			if _, err := there.Write(append([]byte{byte(len(answer) >> 8), byte(len(answer))}, answer...)); err != nil {
				return
			}
		}
	}()
	return here, nil
}

// resolve answers a query with the addresses of the name, or NXDOMAIN.
func (w *Network) resolve(query []byte) []byte {
	var message dnsmessage.Message
	if err := message.Unpack(query); err != nil || len(message.Questions) != 1 {
		w.t.Errorf("a bad query: %v", err)
		return nil
	}
	question := message.Questions[0]
	addresses, known := w.Names[strings.TrimSuffix(question.Name.String(), ".")]
	message.Response, message.RecursionAvailable, message.Additionals = true, true, nil
	if !known {
		message.RCode = dnsmessage.RCodeNameError
	} else if question.Type == dnsmessage.TypeA {
		for _, address := range addresses() {
			message.Answers = append(message.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: question.Name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET},
				Body:   &dnsmessage.AResource{A: netip.MustParseAddr(address).As4()},
			})
		}
	}
	packed, err := message.Pack()
	if err != nil {
		w.t.Errorf("an answer: %v", err)
	}
	return packed
}
