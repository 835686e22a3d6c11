package postgres_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

// TestPoolerIsFound connects to PostgreSQL directly, and through a proxy that hides the process of the server, as poolers do.
func TestPoolerIsFound(t *testing.T) {
	direct := dbtest.URL(t, db.PostgreSQL)
	for name, row := range map[string]struct {
		url  string
		want bool
	}{
		"SQLite": {dbtest.URL(t, db.SQLite), false}, "direct": {direct, false}, "pooler": {startPooler(t, direct), true},
	} {
		d, err := db.Open(t.Context(), row.url, db.Options{})
		must(t, err)
		t.Cleanup(func() { _ = d.Close() })
		if found, err := d.HasPooler(t.Context()); err != nil || found != row.want {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
}

// startPooler returns the address of a proxy that changes the process number in the message BackendKeyData.
func startPooler(t *testing.T, server string) string {
	t.Helper()
	config, err := pgx.ParseConfig(server)
	must(t, err)
	network, to := pgconn.NetworkAddress(config.Host, config.Port)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			upstream, err := net.Dial(network, to)
			if err != nil {
				_ = client.Close()
				continue
			}
			go func() { _, _ = io.Copy(upstream, client); _ = upstream.Close() }()
			go func() { _, _ = io.Copy(processChanger{client}, upstream); _ = client.Close() }()
		}
	}()
	return fmt.Sprintf("postgres://%s:%s@%s/%s?sslmode=disable", config.User, config.Password, listener.Addr(), config.Database)
}

// processChanger changes what the server sends to a client.
type processChanger struct{ net.Conn }

func (c processChanger) Write(p []byte) (int, error) {
	changed := bytes.Clone(p)
	if i := bytes.Index(changed, []byte("K\x00\x00\x00\x0c")); i >= 0 && i+9 <= len(changed) {
		changed[i+8] ^= 1
	}
	return c.Conn.Write(changed)
}
