package postgres

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// TestSeveralHostsPreferThePrimary checks which URLs connect only to servers that accept
// writes, and how long an attempt may take.
func TestSeveralHostsPreferThePrimary(t *testing.T) {
	for _, c := range []struct {
		name, url string
		primary   bool
		timeout   time.Duration
	}{
		{"one host", "postgres://u@a/d", false, 0},
		{"one host with two kinds of TLS", "postgres://u@a/d?sslmode=prefer", false, 0},
		{"two hosts", "postgres://u@a,b/d", true, hostTimeout},
		{"two ports", "postgres://u@a:1,a:2/d", true, hostTimeout},
		{"two sockets", "postgres://u@/d?host=/a,/b", true, hostTimeout},
		{"any host", "postgres://u@a,b/d?target_session_attrs=any", false, hostTimeout},
		{"a timeout", "postgres://u@a,b/d?connect_timeout=7", true, 7 * time.Second},
	} {
		config, err := pgx.ParseConfig(c.url)
		if err != nil {
			t.Fatal(err)
		}
		preferPrimary(config, c.url)
		if got := config.ValidateConnect != nil; got != c.primary || config.ConnectTimeout != c.timeout {
			t.Errorf("%s: primary %t after %v, want %t after %v", c.name, got, config.ConnectTimeout, c.primary, c.timeout)
		}
	}
}
