package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
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
	Keep       time.Duration // age, compared with the newest backup, at which a backup is deleted
	Recipients []age.Recipient
	Open       func(now time.Time) (blob.Store, error) // the store of the backups, which the caller closes; see blob.Open
	Source     func(context.Context) (Source, error)   // with a database and a store that the caller closes
	DB         *db.DB
	Clock      domain.Clock
	Log        *slog.Logger

	metrics metrics
}

const (
	writeJob     = "backup.write"
	deleteJob    = "backup.delete_old"
	deletionsJob = "backup.deletions"

	// deleteEvery is independent of Every: a store that refuses to delete causes no further backups.
	deleteEvery = time.Hour

	// deletionsPause lets several deletions share one list.
	deletionsPause = 5 * time.Second
)

// removeNothing is a time for Open that keeps all files: another process may be writing one that seems abandoned by the
// clock of this process.
var removeNothing time.Time

// RegisterJobs registers the jobs, and returns the metrics.
func (s *Schedule) RegisterJobs(w *job.Workers) prometheus.Collector {
	s.metrics = newMetrics(s.Every)
	w.Every(s.Every, writeJob, s.write)
	w.Separate(writeJob, 1) // it takes long
	w.Purge(deleteEvery, deleteJob, s.deleteOld)
	job.Leased(w, deletionsJob, func(ctx context.Context, _ struct{}) error { return s.writeDeletions(ctx) })
	return s.metrics
}

// QueueDeletions queues a job that writes the list of deletions after the transaction commits.
func (s *Schedule) QueueDeletions(ctx context.Context, tx db.Tx, _ domain.UserID, now time.Time) error {
	return job.Put(ctx, tx, now, job.Job{Kind: deletionsJob, Key: "all", RunAt: now.Add(deletionsPause)})
}

// The name of a backup is prefix, time and suffix, so that names sort by age.
const (
	prefix     = "moothall-"
	suffix     = ".backup"
	timeLayout = "20060102T150405Z"
)

func nameAt(t time.Time) string { return prefix + t.UTC().Format(timeLayout) + suffix }

// write writes a backup, and queues a job that writes the list of deletions.
func (s *Schedule) write(ctx context.Context) (err error) {
	now := s.Clock.Now()
	store, err := s.Open(now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
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
	s.metrics.newest.WithLabelValues().Set(float64(now.Unix()))
	s.Log.InfoContext(ctx, "backup written", "name", name, "pictures", contents.Pictures.Count, "missing_pictures", contents.Missing)
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		return job.Put(ctx, tx, now, job.Job{Kind: deletionsJob, Key: "all"})
	})
}

// deleteOld deletes the backups that are older than Keep, compared with the newest one: while no new one can be
// written, all remain.
func (s *Schedule) deleteOld(ctx context.Context) (err error) {
	store, err := s.Open(removeNothing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	all, err := stored(ctx, store, s.Clock.Now())
	if err != nil || len(all) == 0 {
		return err
	}
	oldest := all[len(all)-1].Add(-s.Keep)
	for _, at := range all {
		if at.Before(oldest) {
			if err := store.Delete(ctx, nameAt(at)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Newest returns the time of the newest backup that a schedule has written to a store; zero if
// there is none.
func Newest(ctx context.Context, store blob.Store, now time.Time) (newest time.Time, err error) {
	all, err := stored(ctx, store, now)
	if err != nil || len(all) == 0 {
		return newest, err
	}
	return all[len(all)-1], nil
}

// maxAhead is how far ahead the time of a backup may be, because clocks differ.
const maxAhead = time.Minute

// stored returns the times of the backups in a store, the oldest first. It leaves out times in the future, which a
// wrong clock has written: these backups are older than they seem.
func stored(ctx context.Context, store blob.Store, now time.Time) (all []time.Time, err error) {
	objects, err := store.List(ctx)
	for _, object := range objects { // in the order of their keys
		if at, ok := timeOf(object.Key); ok && at.Before(now.Add(maxAhead)) {
			all = append(all, at)
		}
	}
	return all, err
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

// writeDeletions writes the list of the accounts that were deleted after the oldest stored backup. It keeps the
// entries of the stored list: after a restore, the database may not know these accounts.
func (s *Schedule) writeDeletions(ctx context.Context) (err error) {
	store, err := s.Open(removeNothing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	now := s.Clock.Now()
	since, err := s.oldest(ctx, store, now)
	if err != nil {
		return err
	}
	listed, err := s.listed(ctx, store)
	if err != nil {
		return err
	}
	list, err := deletedSince(ctx, s.DB, since, now)
	if err != nil {
		return err
	}
	list.add(listed)
	data, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	return store.Put(ctx, DeletionsName, append(data, '\n'))
}

// listed reads the list of deletions in a store. A missing or damaged list is empty.
func (s *Schedule) listed(ctx context.Context, store blob.Store) ([]Deletion, error) {
	data, err := readObject(ctx, store, DeletionsName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list, err := ReadDeletions(bytes.NewReader(data))
	if err != nil {
		s.Log.WarnContext(ctx, "the list of deletions is replaced", "error", err)
	}
	return list.Deletions, nil
}

// oldest returns the time of the oldest stored backup, or Keep and Every before now if that is
// earlier. While no new backup can be written, older ones remain.
func (s *Schedule) oldest(ctx context.Context, store blob.Store, now time.Time) (time.Time, error) {
	oldest := now.Add(-s.Keep - s.Every)
	all, err := stored(ctx, store, now)
	if len(all) > 0 && all[0].Before(oldest) {
		oldest = all[0]
	}
	return oldest, err
}
