package postgres

import (
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"moothall/internal/platform/db/driver"
)

// classify explains the errors of this package.
var classify = driver.Classifier(ClassOf)

// The codes of PostgreSQL that this package tells apart.
const (
	divisionByZero       = "22012"
	notNull              = "23502"
	notUnique            = "23505"
	readOnlyTransaction  = "25006"
	serializationFailure = "40001"
	deadlock             = "40P01"
	undefinedTable       = "42P01"
	duplicateTable       = "42P07"
	duplicateObject      = "42710" // the row type of a table
	diskFull             = "53100"
	tooManyConnections   = "53300"
	lockNotAvailable     = "55P03"
	queryCanceled        = "57014"
	cannotConnectNow     = "57P03"
	dataCorrupted        = "XX001"
	indexCorrupted       = "XX002"
)

// ClassOf returns what an error of PostgreSQL means.
func ClassOf(err error) (c driver.Class) {
	code := codeOf(err)
	switch code {
	case notUnique:
		c = driver.UniqueViolation
	case notNull:
		c = driver.NullViolation
	case undefinedTable:
		c = driver.NoTable
	case duplicateTable, duplicateObject:
		c = driver.TableExists
	case lockNotAvailable:
		c = driver.Locked
	case diskFull, readOnlyTransaction:
		c = driver.RefusesWrites
	}
	if isUnavailable(err, code) {
		c |= driver.Unavailable
	}
	if retryable(err) {
		c |= driver.Retryable
	}
	return c
}

// isUnavailable reports errors that a retry did not resolve.
func isUnavailable(err error, code string) bool {
	switch code {
	case readOnlyTransaction, serializationFailure, deadlock, cannotConnectNow, queryCanceled, lockNotAvailable:
		return true
	}
	var connecting *pgconn.ConnectError
	return errors.As(err, &connecting) || lost(err) || strings.HasPrefix(code, "53")
}

// retryable reports whether the whole transaction should run again: after a deadlock,
// a serialization failure, a migration that changed the columns of a prepared
// statement, or a connection lost before the commit was sent.
func retryable(err error) bool {
	if err == nil || errors.Is(err, driver.ErrInDoubt) {
		return false
	}
	switch code := codeOf(err); code {
	case serializationFailure, deadlock:
		return true
	case "0A000":
		return strings.Contains(err.Error(), "cached plan")
	}
	return lost(err)
}

// lost reports whether an established connection broke.
func lost(err error) bool {
	var connecting *pgconn.ConnectError
	if err == nil || errors.As(err, &connecting) {
		return false
	}
	switch code := codeOf(err); {
	case code == "57P01", code == "57P02", code == "57P05", code == "25P03", strings.HasPrefix(code, "08"), panicked(err):
		return true
	case code != "":
		return false
	}
	var broken *net.OpError
	return errors.As(err, &broken) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) ||
		pgconn.SafeToRetry(err)
}

// panicked reports whether the server crashed, for example because it could not flush its
// log.
func panicked(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && e.SeverityUnlocalized == "PANIC"
}

// undone reports whether a statement whose connection was lost certainly had no effect:
// it was not sent, or the server ended the session between statements.
func undone(err error) bool {
	switch codeOf(err) {
	case "57P01", "57P05":
		return true
	}
	return pgconn.SafeToRetry(err)
}

// readOnly reports whether a server has refused a write because it is a standby, or because
// its transactions are read-only.
func readOnly(err error) bool { return codeOf(err) == readOnlyTransaction }

func codeOf(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}
