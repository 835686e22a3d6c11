package pgtest

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// pooler is a stand-in for PgBouncer. Like PgBouncer it refuses startup parameters that it does not know, and tells clients
// invented processes. It forwards no notices to idle clients.
type pooler struct {
	database string
	shared   *pooled // of all clients; nil: each client has its own session
	mu       sync.Mutex
	clients  uint32
}

// pooled is a session of the server. A client that uses it holds the lock.
type pooled struct {
	sync.Mutex
	*pgconn.HijackedConn
}

// NewPooler starts a connection pooler in front of a database and returns the URL for its clients. If shared is
// set, all clients share one session and change it after each transaction, otherwise each client has its own session.
func NewPooler(t *testing.T, database string, shared bool) (url string) {
	t.Helper()
	config, err := pgconn.ParseConfig(database)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	p := &pooler{database: database}
	if shared {
		if p.shared, err = p.connect(t); err != nil {
			t.Fatal(err)
		}
	}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(t, client)
		}
	}()
	return fmt.Sprintf("postgres://postgres@%s/%s?sslmode=disable", l.Addr(), config.Database)
}

func (p *pooler) connect(t *testing.T) (*pooled, error) {
	conn, err := pgconn.Connect(t.Context(), p.database)
	if err != nil {
		return nil, err
	}
	hijacked, err := conn.Hijack()
	if err == nil {
		t.Cleanup(func() { _ = hijacked.Conn.Close() })
	}
	return &pooled{HijackedConn: hijacked}, err
}

// passed are the startup parameters that PgBouncer knows.
var passed = []string{"user", "database", "application_name", "client_encoding", "datestyle", "timezone", "standard_conforming_strings"}

// serve serves a client until it or the server ends the connection.
func (p *pooler) serve(t *testing.T, conn net.Conn) {
	defer func() { _ = conn.Close() }()
	client := pgproto3.NewBackend(conn, conn)
	first, err := client.ReceiveStartupMessage()
	startup, ok := first.(*pgproto3.StartupMessage)
	if err != nil || !ok {
		return
	}
	for name := range startup.Parameters {
		if !slices.Contains(passed, strings.ToLower(name)) {
			client.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "08P01", Message: "unsupported startup parameter: " + name})
			_ = client.Flush() // the client sees the end of the connection in any case
			return
		}
	}
	server := p.shared
	if server == nil {
		if server, err = p.connect(t); err != nil {
			return
		}
	}
	p.mu.Lock()
	p.clients++
	client.Send(&pgproto3.AuthenticationOk{})
	for name, value := range server.ParameterStatuses {
		client.Send(&pgproto3.ParameterStatus{Name: name, Value: value})
	}
	client.Send(&pgproto3.BackendKeyData{ProcessID: 1<<30 + p.clients, SecretKey: []byte{1, 2, 3, 4}})
	p.mu.Unlock()
	client.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	for err = client.Flush(); err == nil; {
		err = server.transaction(client)
	}
}

// transaction forwards the messages of a client until the server is outside of a transaction.
func (s *pooled) transaction(client *pgproto3.Backend) error {
	message, err := client.Receive()
	if err != nil {
		return err
	}
	s.Lock()
	defer s.Unlock()
	for ; err == nil; message, err = client.Receive() {
		s.Frontend.Send(message)
		switch message.(type) {
		case *pgproto3.Terminate:
			return net.ErrClosed
		case *pgproto3.Query, *pgproto3.Sync:
			if status, err := s.answer(client); err != nil || status == 'I' {
				return err
			}
		}
	}
	return err
}

// answer forwards the answers of the server until it is ready for the next query.
func (s *pooled) answer(client *pgproto3.Backend) (status byte, err error) {
	if err := s.Frontend.Flush(); err != nil {
		return 0, err
	}
	for {
		message, err := s.Frontend.Receive()
		if err != nil {
			return 0, err
		}
		client.Send(message)
		if ready, ok := message.(*pgproto3.ReadyForQuery); ok {
			return ready.TxStatus, client.Flush()
		}
	}
}
