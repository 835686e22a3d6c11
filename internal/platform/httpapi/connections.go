package httpapi

import (
	"net"
	"net/http"
	"net/netip"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/admission"
	"moothall/internal/platform/ratelimit"
)

// ConnectionOptions configure Connections.
type ConnectionOptions struct {
	Max            int // of all clients. Above half of it, the client with most connections loses idle ones
	PerClient      int // of one client address
	TrustedProxies []netip.Prefix
}

// Connections limit the connections of each client address. WebSockets have their own limits, and proxies limit the clients
// behind them.
type Connections struct {
	limit   *admission.OpenLimit
	proxies []netip.Prefix
	open    sync.Map // of net.Conn to *admission.OpenEntry
	closed  prometheus.Counter
}

// NewConnections returns the limits of a server without connections.
func NewConnections(o ConnectionOptions) *Connections {
	return &Connections{
		limit:   admission.NewOpenLimit(admission.OpenOptions{Max: o.Max, PerClient: o.PerClient, IdleAbove: o.Max / 2}),
		proxies: o.TrustedProxies,
		closed: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "moothall_http_connections_closed_total", Help: "Connections closed because their client or all clients had too many.",
		}),
	}
}

// Metrics counts the connections that were closed.
func (c *Connections) Metrics() prometheus.Collector { return c.closed }

// Observe is the ConnState of an http.Server. It closes connections beyond the limits.
func (c *Connections) Observe(conn net.Conn, state http.ConnState) {
	if state == http.StateNew {
		c.add(conn)
		return
	}
	entry, ok := c.open.Load(conn)
	if !ok {
		return
	}
	switch state {
	case http.StateActive, http.StateIdle:
		entry.(*admission.OpenEntry).SetBusy(state == http.StateActive)
	default: // closed, or a WebSocket
		c.open.Delete(conn)
		entry.(*admission.OpenEntry).Close()
	}
}

func (c *Connections) add(conn net.Conn) {
	address, _ := parseAddress(conn.RemoteAddr().String())
	if isTrusted(address, c.proxies) {
		return
	}
	end := func() {
		c.closed.Inc()
		_ = conn.Close() // the server notices when it reads
	}
	if entry := c.limit.Open(ratelimit.Address(address), end); entry != nil {
		c.open.Store(conn, entry)
	} else {
		end()
	}
}
