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
	Every      time.Duration // from full interval of UTC to full interval
	Keep       time.Duration // age at which a backup is deleted; the newest one stays
	Recipients []age.Recipient
	Open       func() (blob.Store, error)            // the store of the backups, which the caller closes
	Source     func(context.Context) (Source, error) // with a database and a store that the caller closes
	DB         *db.DB
	Clock      domain.Clock
	Log        *slog.Logger

	newest prometheus.Gauge
}

const (
	writeJob     = "backup.write"
	deletionsJob = "backup.deletions"

	// deletionsPause lets several deletions share one list.
	deletionsPause = 5 * time.Second
)

// RegisterJobs registers the jobs, and returns the metrics.
func (s *Schedule) RegisterJobs(w *job.Workers) prometheus.Collector {
	s.newest = prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "moothall_backup_newest_timestamp_seconds", Help: "Time of the newest backup that this instance has written; 0: none since it started.",
	})
	w.Every(s.Every, writeJob, s.Run)
	w.Separate(writeJob, 1) // it takes long
	job.Leased(w, deletionsJob, func(ctx context.Context, _ struct{}) error { return s.writeDeletions(ctx) })
	return s.newest
}

// NoteDeletion lets a job write the list of deletions after the transaction commits.
func (s *Schedule) NoteDeletion(ctx context.Context, tx db.Tx, _ domain.UserID, now time.Time) error {
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
	s.newest.Set(float64(now.Unix()))
	if err := s.deleteOld(ctx, store, now); err != nil {
		return err
	}
	return s.writeDeletions(ctx)
}

// prefix and suffix enclose the time in the names of backups, so that they sort by age.
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
	if err = errors.Join(err, source.Store.Close(), source.DB.Close()); err != nil {
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
	oldest := nameAt(now.Add(-s.Keep))
	for _, object := range all {
		if isBackup(object.Key) && object.Key < oldest {
			if err := store.Delete(ctx, object.Key); err != nil {
				return err
			}
		}
	}
	return nil
}

func isBackup(key string) bool {
	written, ok := strings.CutPrefix(key, prefix)
	if !ok {
		return false
	}
	written, ok = strings.CutSuffix(written, suffix)
	_, err := time.Parse(timeLayout, written)
	return ok && err == nil
}

// writeDeletions writes the list of the accounts that a backup which is still kept may contain.
func (s *Schedule) writeDeletions(ctx context.Context) (err error) {
	now := s.Clock.Now()
	list, err := deletedSince(ctx, s.DB, now.Add(-s.Keep-s.Every), now)
	if err != nil {
		return err
	}
	store, err := s.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return store.Put(ctx, DeletionsName, list)
}
