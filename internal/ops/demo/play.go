package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"moothall/internal/domain"
	"moothall/internal/meetup/postings"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

// Clock shows the time of the current acts.
type Clock struct{ micros atomic.Int64 }

// Now is a domain.Clock.
func (c *Clock) Now() time.Time { return time.UnixMicro(c.micros.Load()) }

var stateStmt = db.SQL("demo.state", `
	SELECT NOT EXISTS (SELECT 1 FROM users) AND NOT EXISTS (SELECT 1 FROM events), EXISTS (SELECT 1 FROM jobs WHERE kind = $1)`)

// jobKind is the kind of a job that is stored until the demo is complete. The service's own workers do not run it.
const jobKind = "demo.play"

var errIncomplete = errors.New("the demo is incomplete, because an earlier start did not finish it: " +
	"delete the database, or start without --demo")

// Play fills an empty database with the demo as of now. It does not change a database that has data, and returns an
// error if an earlier Play has not finished.
func Play(ctx context.Context, s Services, now domain.Clock, log *slog.Logger) error {
	var empty, begun bool
	if err := s.DB.One(ctx, stateStmt, jobKind).Scan(&empty, &begun); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	switch {
	case begun:
		return errIncomplete
	case !empty:
		return nil
	}
	err := s.DB.InTx(ctx, func(tx db.Tx) error { return job.Put(ctx, tx, now.Now(), job.Job{Kind: jobKind}) })
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	worker := job.New(job.Options{DB: s.DB, Clock: now, Logger: log, Attempts: 1})
	job.Leased(worker, jobKind, func(ctx context.Context, _ any) error {
		if err := s.perform(ctx, tell(s, now.Now())); err != nil {
			return err
		}
		if err := postings.Recount(ctx, s.DB); err != nil { // as a job does every ten minutes
			return err
		}
		return s.DB.Analyze(ctx)
	})
	return worker.RunDue(ctx)
}

// concurrency is how many acts run at the same time. On SQLite, their transactions share commits.
const concurrency = 16

// perform runs acts in the order of their time.
func (s Services) perform(ctx context.Context, acts []act) error {
	for len(acts) > 0 {
		at := acts[0].at
		s.Clock.micros.Store(at.UnixMicro())
		running, ctx := errgroup.WithContext(ctx)
		running.SetLimit(concurrency)
		for len(acts) > 0 && acts[0].at.Equal(at) {
			do := acts[0].do
			running.Go(func() error { return do(ctx) })
			acts = acts[1:]
		}
		if err := running.Wait(); err != nil {
			return fmt.Errorf("demo: at %v: %w", at, err)
		}
	}
	return nil
}
