package blob

import (
	"errors"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// TestStalledConnectionFails connects to a server that neither reads nor writes: both directions fail after a minute.
func TestStalledConnectionFails(t *testing.T) {
	t.Parallel()
	for name, use := range map[string]func(net.Conn) error{
		"read":  func(c net.Conn) error { _, err := c.Read(make([]byte, 1)); return err },
		"write": func(c net.Conn) error { _, err := c.Write([]byte("x")); return err },
	} {
		synctest.Test(t, func(t *testing.T) {
			client, server := net.Pipe()
			defer func() { _, _ = client.Close(), server.Close() }()
			began := time.Now()
			if err := use(stallConn{client}); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(began) != stallTime {
				t.Errorf("%s: %v after %v", name, err, time.Since(began))
			}
		})
	}
}
