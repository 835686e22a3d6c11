package db

import (
	"context"
	"time"

	"moothall/internal/platform/db/change"
	"moothall/internal/platform/db/driver"
)

// The types of statements and their results; package driver describes them.
type (
	Engine = driver.Engine
	Stmt   = driver.Stmt
	Row    = driver.Row
	Queued = driver.Queued
)

// The types of changes; package change describes them.
type (
	Entity       = change.Entity
	Kind         = change.Kind
	Version      = change.Version
	Dependencies = change.Dependencies
	Topic        = change.Topic
)

// The engines.
const (
	SQLite     = driver.SQLite
	PostgreSQL = driver.PostgreSQL
)

// AnyTopic is change.AnyTopic.
const AnyTopic = change.AnyTopic

// Everything is change.Everything.
var Everything = change.Everything

// DependOn is change.DependOn.
func DependOn(entities ...Entity) Dependencies { return change.DependOn(entities...) }

// SQL registers a statement: see driver.SQL.
var SQL = driver.SQL

// Statements is driver.Statements.
func Statements() []*Stmt { return driver.Statements() }

// OrZero is driver.OrZero.
func OrZero[T any](dest *T) any { return driver.OrZero(dest) }

// LeastWait is driver.LeastWait.
const LeastWait = driver.LeastWait

// Waited is driver.Waited.
func Waited(ctx context.Context, waited time.Duration) context.Context {
	return driver.Waited(ctx, waited)
}

// WaitAtMost is driver.WaitAtMost.
func WaitAtMost(ctx context.Context, most time.Duration) context.Context {
	return driver.WaitAtMost(ctx, most)
}

// Urgent is driver.Urgent.
func Urgent(ctx context.Context) context.Context { return driver.Urgent(ctx) }

// Background is driver.Background.
func Background(ctx context.Context) context.Context { return driver.Background(ctx) }
