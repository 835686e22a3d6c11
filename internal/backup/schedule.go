package backup

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/domain"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

// Schedule makes backups while the service runs, and deletes the old ones.
type Schedule struct {
	Every      time.Duration // interval, aligned to UTC: 24 h is midnight
	Keep       time.Duration // age at which a backup is deleted; the newest one stays
	Recipients []age.Recipient
	Open       func() (blob.Store, error)            // the store of the backups, which the caller closes
	Source     func(context.Context) (Source, error) // with a database and a store that the caller closes
	DB         *db.DB
	Clock      domain.Clock
	Log        *slog.Logger

	metrics metrics
}

const (
	writeJob     = "backup.write"
	deletionsJob = "backup.deletions"

	// deletionsPause lets several deletions share one list.
	deletionsPause = 5 * time.Second
)

// RegisterJobs registers the jobs, and returns the metrics.
func (s *Schedule) RegisterJobs(w *job.Workers) prometheus.Collector {
	s.metrics = newMetrics(s.Every)
	w.Every(s.Every, writeJob, s.Run)
	w.Separate(writeJob, 1) // it takes long
	job.Leased(w, deletionsJob, func(ctx context.Context, _ struct{}) error { return s.writeDeletions(ctx) })
	return s.metrics
}

// QueueDeletions queues a job that writes the list of deletions after the transaction commits.
func (s *Schedule) QueueDeletions(ctx context.Context, tx db.Tx, _ domain.UserID, now time.Time) error {
	return job.Put(ctx, tx, now, job.Job{Kind: deletionsJob, Key: "all", RunAt: now.Add(deletionsPause)})
}

// Run writes a backup and deletes those that are too old.
func (s *Schedule) Run(ctx context.Context) (err error) {
	store, err := s.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	now := s.Clock.Now()
	if err := s.write(ctx, store, now); err != nil {
		return err
	}
	s.metrics.newest.Set(float64(now.Unix()))
	if err := s.deleteOld(ctx, store, now); err != nil {
		return err
	}
	return s.writeDeletions(ctx)
}

// The name of a backup is prefix, time and suffix, so that names sort by age.
const (
	prefix     = "moothall-"
	suffix     = ".backup"
	timeLayout = "20060102T150405Z"
)

func nameAt(t time.Time) string { return prefix + t.UTC().Format(timeLayout) + suffix }

func (s *Schedule) write(ctx context.Context, store blob.Store, now time.Time) error {
	source, err := s.Source(ctx)
	if err != nil {
		return err
	}
	name := nameAt(now)
	var contents Contents
	err = store.Write(ctx, name, func(to io.Writer) (err error) {
		contents, err = WriteEncrypted(ctx, to, s.Recipients, source)
		return err
	})
	if err := errors.Join(err, source.Store.Close(), source.DB.Close()); err != nil {
		return err
	}
	s.Log.InfoContext(ctx, "backup written", "name", name, "pictures", contents.Pictures.Count, "missing_pictures", contents.Missing)
	return nil
}

func (s *Schedule) deleteOld(ctx context.Context, store blob.Store, now time.Time) error {
	all, err := store.List(ctx)
	if err != nil {
		return err
	}
	oldest := now.Add(-s.Keep).Truncate(time.Second) // names have no fractions
	for _, object := range all {
		if at, ok := timeOf(object.Key); ok && at.Before(oldest) {
			if err := store.Delete(ctx, object.Key); err != nil {
				return err
			}
		}
	}
	return nil
}

// Newest returns the time of the newest backup that a schedule has written to a store; zero if
// there is none.
func Newest(ctx context.Context, store blob.Store) (newest time.Time, err error) {
	all, err := store.List(ctx)
	for _, object := range all { // in their order
		if at, ok := timeOf(object.Key); ok {
			newest = at
		}
	}
	return newest, err
}

// timeOf returns the time of the backup with a key; ok is false for other objects.
func timeOf(key string) (at time.Time, ok bool) {
	written, ok := strings.CutPrefix(key, prefix)
	if !ok {
		return at, false
	}
	written, ok = strings.CutSuffix(written, suffix)
	at, err := time.Parse(timeLayout, written)
	return at, ok && err == nil
}

// writeDeletions writes the list of the accounts that were deleted after the oldest stored backup.
func (s *Schedule) writeDeletions(ctx context.Context) (err error) {
	store, err := s.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	now := s.Clock.Now()
	since, err := s.oldest(ctx, store, now)
	if err != nil {
		return err
	}
	list, err := deletedSince(ctx, s.DB, since, now)
	if err != nil {
		return err
	}
	return store.Put(ctx, DeletionsName, list)
}

// oldest returns the time of the oldest stored backup, at the latest Keep and Every before now.
// Backups older than Keep remain while no new one can be written.
func (s *Schedule) oldest(ctx context.Context, store blob.Store, now time.Time) (time.Time, error) {
	oldest := now.Add(-s.Keep - s.Every)
	all, err := store.List(ctx)
	for _, object := range all {
		if at, ok := timeOf(object.Key); ok && at.Before(oldest) {
			oldest = at
		}
	}
	return oldest, err
}
