package db

import (
	"errors"

	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/db/postgres"
	"moothall/internal/platform/db/sqlite"
)

// The errors of package driver.
var (
	ErrNoRow       = driver.ErrNoRow
	ErrUnavailable = driver.ErrUnavailable
	ErrInDoubt     = driver.ErrInDoubt
)

var errEnded = errors.New("db: the transaction has ended")

// ClassOf returns what an error of an engine means.
func ClassOf(err error) driver.Class { return sqlite.ClassOf(err) | postgres.ClassOf(err) }

// classify explains the errors of this package.
var classify = driver.Classifier(ClassOf)

// UniqueViolation reports whether err is a duplicate in a unique index or a primary
// key. The transaction cannot continue: use ON CONFLICT or RetryUnique.
func UniqueViolation(err error) bool { return ClassOf(err).Has(driver.UniqueViolation) }

// NullViolation reports whether err is a NULL in a NOT NULL column. A statement can
// compute NULL to undo its whole transaction.
func NullViolation(err error) bool { return ClassOf(err).Has(driver.NullViolation) }

// RetryUnique calls fn. If fn fails because a concurrent transaction inserted the same
// row first, RetryUnique calls it a second time: then fn finds that row.
func RetryUnique(fn func() error) error {
	err := fn()
	if UniqueViolation(err) {
		err = fn()
	}
	return err
}

// Advise adds advice to the error of a store that refuses writes, if there is any.
func Advise(err error) error { return sqlite.AdviseDisk(err) }
