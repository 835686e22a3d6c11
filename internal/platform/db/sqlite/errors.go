package sqlite

import (
	"fmt"
	"strings"
	"sync/atomic"

	"zombiezen.com/go/sqlite"

	"moothall/internal/platform/db/driver"
)

// classify explains the errors of this package.
var classify = driver.Classifier(ClassOf)

// ClassOf returns what an error of SQLite means.
func ClassOf(err error) (c driver.Class) {
	switch code := sqlite.ErrCode(err); {
	case isBusy(err):
		c = driver.Unavailable
	case isRefused(err):
		c = driver.Unavailable | driver.RefusesWrites
	case code == sqlite.ResultConstraintUnique, code == sqlite.ResultConstraintPrimaryKey, code == sqlite.ResultConstraintRowID:
		c = driver.UniqueViolation
	case code == sqlite.ResultConstraintNotNull:
		c = driver.NullViolation
	case code == sqlite.ResultError && err != nil && strings.Contains(err.Error(), "no such table"):
		c = driver.NoTable
	}
	return c
}

func isBusy(err error) bool {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultBusy, sqlite.ResultLocked:
		return true
	}
	return false
}

// isRefused reports whether the file system has refused to read or write the file.
func isRefused(err error) bool {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultFull, sqlite.ResultReadOnly, sqlite.ResultIOErr, sqlite.ResultCantOpen:
		return true
	}
	return false
}

// AdviseDisk adds advice to an error of the file system.
func AdviseDisk(err error) error {
	if isRefused(err) {
		return fmt.Errorf("%w. Is the disk full or read-only?", err)
	}
	return err
}

// damage is the first error that shows that the file is damaged. It remains until the
// process ends, because nothing repairs the file of a running service.
type damage struct{ first atomic.Pointer[error] }

// note remembers the error of a statement if it shows damage. So does a failed flush: the
// system may then drop data that SQLite takes for written.
func (d *damage) note(err error) {
	switch code := sqlite.ErrCode(err); {
	case code.ToPrimary() == sqlite.ResultCorrupt, code.ToPrimary() == sqlite.ResultNotADB,
		code == sqlite.ResultIOErrFsync, code == sqlite.ResultIOErrDirFsync:
		d.first.CompareAndSwap(nil, &err)
	}
}

func (d *damage) err() error {
	if first := d.first.Load(); first != nil {
		return fmt.Errorf("%w: the database file is damaged: %w. Stop the service and restore a backup", driver.ErrUnavailable, *first)
	}
	return nil
}
