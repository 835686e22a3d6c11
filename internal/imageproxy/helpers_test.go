package imageproxy_test

import (
	"context"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"moothall/internal/apptest"
	"moothall/internal/imageproxy"
	"moothall/internal/platform/db"
)

// testNetwork is the network of the proxy in tests: a name server, and one web server at
// every public address. It records the addresses of all connections.
type testNetwork struct {
	t        *testing.T
	upstream *httptest.Server
	names    map[string]func() []string // addresses of a name

	mu       sync.Mutex
	reached  []netip.AddrPort
	requests []*http.Request
}

const public = "93.184.215.14"

// newTestNetwork returns a network with one host, example.com, which is the name in the
// certificate of httptest.
func newTestNetwork(t *testing.T, handler http.HandlerFunc) *testNetwork {
	t.Helper()
	w := &testNetwork{t: t, names: map[string]func() []string{"example.com": always(public)}}
	w.upstream = httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.requests = append(w.requests, r.Clone(context.Background()))
		w.mu.Unlock()
		handler(rw, r)
	}))
	w.upstream.Config.ErrorLog = log.New(io.Discard, "", 0)
	w.upstream.StartTLS()
	t.Cleanup(func() {
		w.upstream.CloseClientConnections()
		w.upstream.Close()
	})
	return w
}

func always(addresses ...string) func() []string { return func() []string { return addresses } }

// app runs the service with this network, on one engine: the proxy does not use the database.
func (w *testNetwork) app(options ...apptest.Option) *apptest.App {
	w.t.Helper()
	roots := x509.NewCertPool()
	roots.AddCert(w.upstream.Certificate())
	return apptest.New(w.t, db.SQLite, append(options, apptest.ImagesFrom(imageproxy.Network{
		Resolver: &net.Resolver{PreferGo: true, Dial: w.nameServer}, Connect: w.connect, Roots: roots,
	}))...)
}

// connect records the addresses that the guard allows.
func (w *testNetwork) connect(ctx context.Context, address netip.AddrPort) (net.Conn, error) {
	w.mu.Lock()
	w.reached = append(w.reached, address)
	w.mu.Unlock()
	return new(net.Dialer).DialContext(ctx, "tcp", w.upstream.Listener.Addr().String())
}

// connections returns the number of connections. It fails the test if one was not to
// port 443 of a public address.
func (w *testNetwork) connections() int {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, address := range w.reached {
		if a := address.Addr(); !a.Is4() || a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || !a.IsGlobalUnicast() || address.Port() != 443 {
			w.t.Errorf("connected to %v", address)
		}
	}
	return len(w.reached)
}

// fetchCount returns the number of requests that the web server has received.
func (w *testNetwork) fetchCount() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.requests)
}

// nameServer answers one connection of a resolver.
func (w *testNetwork) nameServer(context.Context, string, string) (net.Conn, error) {
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
func (w *testNetwork) resolve(query []byte) []byte {
	var message dnsmessage.Message
	if err := message.Unpack(query); err != nil || len(message.Questions) != 1 {
		w.t.Errorf("a bad query: %v", err)
		return nil
	}
	question := message.Questions[0]
	addresses, known := w.names[strings.TrimSuffix(question.Name.String(), ".")]
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

// proxied returns the path of an image.
func proxied(address string) string { return "/images/proxy?url=" + url.QueryEscape(address) }

// rows reads the columns of a list of checks, without comments.
func rows(t *testing.T, name string) [][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var list [][]string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, strings.Split(line, "\t"))
		}
	}
	return list
}
