package postgres

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	connectTimeout = 3 * time.Second // of one attempt, which occupies a connection of the pool
	abandonedAfter = "10s"           // the server ends an idle transaction, because it holds locks
)

// sessionSettings apply to every connection unless the URL sets them. The isolation
// level applies to statements outside of transactions. Parallel workers are off,
// because starting them takes longer than most of our statements. They are set after connecting: connection poolers refuse
// them as startup parameters.
var sessionSettings = map[string]string{
	"default_transaction_isolation":       "read committed",
	"idle_in_transaction_session_timeout": abandonedAfter,
	"max_parallel_workers_per_gather":     "0",
}

// prepareSessions lets each new connection set the sessionSettings that the URL does not set.
func prepareSessions(config *pgx.ConnConfig) {
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "moothall" // which poolers accept
	}
	var set []string
	for name, value := range sessionSettings {
		if config.RuntimeParams[name] == "" {
			set = append(set, "SET "+name+" = '"+value+"'")
		}
	}
	script := strings.Join(set, "; ")
	config.AfterConnect = func(ctx context.Context, c *pgconn.PgConn) error {
		_, err := c.Exec(ctx, script).ReadAll()
		return err
	}
}

var errNoSessions = errors.New("DATABASE_URL leads to a connection pooler that shares the sessions of PostgreSQL among its clients: " +
	"let it use session pooling (PgBouncer: pool_mode = session), or connect to PostgreSQL directly")

// sessionRounds is how often checkSessions compares two connections: other clients of a pooler may use its sessions meanwhile.
const sessionRounds = 5

// checkSessions returns errNoSessions if statements of one connection may run in different sessions of the server, as with transaction
// pooling. A pooler shows by the process that it names for a connection, which is not the server's.
func checkSessions(ctx context.Context, conn *pgx.Conn) error {
	process, err := backend(ctx, conn)
	if err != nil || process == conn.PgConn().PID() {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	other, err := pgx.ConnectConfig(ctx, conn.Config())
	if err != nil {
		return nil // the pooler has no other session: it does not share the first one
	}
	defer func() { _ = other.Close(ctx) }() // it only read
	for range sessionRounds {
		others, err := backend(ctx, other)
		if err != nil {
			return nil // as above
		}
		again, err := backend(ctx, conn)
		if err != nil {
			return err
		}
		if again != process || others == process {
			return errNoSessions
		}
	}
	return nil
}

// backend returns the process of the server that runs the statements of a connection. Behind a pooler it differs
// from the process that pgx knows.
func backend(ctx context.Context, conn *pgx.Conn) (process uint32, err error) {
	err = conn.QueryRow(ctx, "SELECT pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&process)
	return process, err
}
