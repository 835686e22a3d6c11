package sqlite

import (
	"context"
	"sync/atomic"

	"moothall/internal/platform/db/driver"
)

// schemaLocks implements driver.SchemaLocks: the only lock is that of the whole file.
type schemaLocks struct {
	writer  *writer
	pending atomic.Bool // a transaction has not begun
}

// InTx implements driver.SchemaLocks.
func (l *schemaLocks) InTx(ctx context.Context, fn func(driver.Tx) error) error {
	l.pending.Store(true)
	defer l.pending.Store(false)
	return l.writer.do(ctx, func(tx driver.Tx) error {
		l.pending.Store(false)
		return fn(tx)
	})
}

// Holders implements driver.SchemaLocks.
func (l *schemaLocks) Holders(context.Context) string {
	if l.pending.Load() {
		return "another process that writes to the SQLite file"
	}
	return ""
}

// Close implements driver.SchemaLocks.
func (l *schemaLocks) Close(context.Context) {}
