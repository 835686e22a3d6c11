package postgres

import (
	"net"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	defaultConnections = 8               // 32 were slower
	cachedStatements   = 1024            // per connection
	hostTimeout        = 2 * time.Second // of one attempt, if there is another host to try

	// The system closes a connection whose other end is gone.
	keepAliveIdle     = 10 * time.Second
	keepAliveInterval = 5 * time.Second
	keepAliveCount    = 3
)

// dialer opens connections that notice that the other end is gone.
var dialer = &net.Dialer{
	KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: keepAliveIdle, Interval: keepAliveInterval, Count: keepAliveCount},
}

// newConfig returns the configuration of a pool. connections is its size; 0: the size of the URL, or the default.
func newConfig(url string, connections int) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err // pgx leaves the password out
	}
	switch {
	case connections > 0:
		config.MaxConns = int32(connections)
	case !strings.Contains(url, "pool_max_conns"):
		config.MaxConns = defaultConnections
	}
	config.ConnConfig.StatementCacheCapacity = cachedStatements
	preferPrimary(config.ConnConfig, url)
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	prepareSessions(config.ConnConfig)
	config.ConnConfig.DialFunc = dialer.DialContext
	return config, nil
}

// preferPrimary connects to the first of several hosts that accepts writes, unless the URL
// asks for another kind of host.
func preferPrimary(config *pgx.ConnConfig, url string) {
	if !severalHosts(config) {
		return
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = hostTimeout
	}
	if config.ValidateConnect == nil && !strings.Contains(url, "target_session_attrs") {
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
}

func severalHosts(config *pgx.ConnConfig) bool {
	return slices.ContainsFunc(config.Fallbacks, func(f *pgconn.FallbackConfig) bool {
		return f.Host != config.Host || f.Port != config.Port // others only differ in TLS
	})
}
