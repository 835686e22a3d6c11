package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"moothall/internal/delivery/mail"
	"moothall/internal/ops/backup"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/checklist"
	"moothall/internal/platform/clock"
	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/platform/job"
)

func (e *examination) checkDisk(context.Context) finding {
	var folders, found []string
	for _, s := range e.Settings.folders() {
		if !slices.Contains(folders, s.path) {
			folders = append(folders, s.path)
		}
	}
	full := false
	for _, folder := range folders {
		free, err := e.Free(folder)
		if err != nil {
			return failed(err.Error(), "Let the user of the service read this folder.")
		}
		full = full || free < leastFree
		found = append(found, fmt.Sprintf("%s has %.0f %% free", folder, 100*free))
	}
	detail := strings.Join(found, ", ")
	switch {
	case len(folders) == 0:
		return skipped("nothing is stored on this machine", "")
	case full:
		return failed(detail, "Free at least 10 %, or enlarge the file system: on a full one, writes fail.")
	}
	return ok("%s", detail)
}

const probeKey = "doctor.probe"

func (e *examination) checkMedia(ctx context.Context) finding {
	store, err := blob.OpenExisting(e.Settings.Media)
	if err == nil {
		err = errors.Join(probe(ctx, store), store.Close())
	}
	where := describeLocation(e.Settings.Media)
	switch {
	case e.Settings.Media.Bucket == "" && errors.Is(err, fs.ErrNotExist):
		return skipped("the service creates "+where+" at its start", "If there are pictures already, mount their store there.")
	case err != nil:
		return failed(err.Error(), "Let the user of the service write there, or correct MEDIA.")
	}
	return ok("%s accepts pictures", where)
}

// probe writes and deletes a small file.
func probe(ctx context.Context, store blob.Store) error {
	if err := store.Put(ctx, probeKey, []byte("moothall doctor")); err != nil {
		return err
	}
	return store.Delete(ctx, probeKey)
}

func describeLocation(l blob.Location) string {
	if l.Bucket != "" {
		return "bucket " + l.Bucket + " at " + l.Endpoint
	}
	return l.Dir
}

// checkDatabase opens the database and examines whether it keeps what is written.
func (e *examination) checkDatabase(ctx context.Context) finding {
	d, err := OpenExistingDB(ctx, e.Settings)
	if errors.Is(err, fs.ErrNotExist) {
		return failed(err.Error(), `Correct DATABASE_URL; for a new database, start the service or run "moothall migrate".`)
	}
	if err == nil {
		e.db, err = d, d.Health(ctx)
	}
	if err == nil {
		err = findDamageBriefly(ctx, d)
	}
	if err != nil {
		return failed(err.Error(), "Start the database, correct DATABASE_URL, or do what the error says. If the database is damaged, restore a backup.")
	}
	return ok("%s keeps what is written", d.Engine())
}

// checkPooler says what is between the service and PostgreSQL.
func (e *examination) checkPooler(ctx context.Context) finding {
	if e.db.Engine() == db.SQLite {
		return ok("SQLite needs none")
	}
	found, err := e.db.HasPooler(ctx)
	switch {
	case err != nil:
		return failed(err.Error(), "Start the database or its pooler.")
	case found:
		return finding{checklist.OK, "a connection pooler, such as PgBouncer, is before PostgreSQL",
			"Let it use session pooling: docs/operations.md says how."}
	}
	return ok("none: the service connects to PostgreSQL itself")
}

func (e *examination) checkMigrations(ctx context.Context) finding {
	all, err := migrate.Status(ctx, e.db)
	if errors.Is(err, migrate.ErrReplaced) {
		return failed(err.Error(), "docs/operations.md describes each step.")
	}
	if err != nil {
		return failed(err.Error(), `"moothall migrate status" lists the migrations. Run the version of the program that has all of them.`)
	}
	pending := 0
	for _, m := range all {
		if m.AppliedAt.IsZero() {
			pending++
		}
	}
	if pending > 0 {
		return failed(fmt.Sprintf("%d of %d are pending", pending, len(all)), `Start the service, or run "moothall migrate".`)
	}
	e.migrations = all
	return ok("all %d are applied", len(all))
}

func (e *examination) checkClock(ctx context.Context) finding {
	wall := e.Settings.machine().Wall
	before := wall()
	stored, reference, err := clock.Compare(ctx, e.db)
	if err != nil {
		return failed(err.Error(), "")
	}
	after := wall()
	switch {
	case reference.Before(before.Add(-maxOffset)), reference.After(after.Add(maxOffset)):
		return failed(fmt.Sprintf("this machine is at %s, the database at %s", after.UTC().Format(time.RFC3339), reference.Format(time.RFC3339)),
			"Synchronize both clocks (NTP).")
	case stored.IsZero():
		return skipped("the service has not run yet", "")
	case stored.After(reference.Add(maxStoredAhead)):
		return failed("the stored time of the service is ahead: "+stored.Format(time.RFC3339),
			`Synchronize the clock (NTP); if it is right, run "moothall clock trust".`)
	case reference.Sub(stored) > maxStoredAge:
		return failed("the stored time of the service is more than a day ago: "+stored.Format(time.RFC3339),
			`Start the service; if the clock is right, run "moothall clock trust", else deletions pause for a day.`)
	}
	return ok("%s", reference.Format(time.RFC3339))
}

func (e *examination) checkBackup(ctx context.Context) finding {
	s := e.Settings
	if s.Backup == (blob.Location{}) {
		const detail = "BACKUP is not set: the service makes no backups"
		if s.Env == Development {
			return skipped(detail, "")
		}
		return failed(detail, "Set it to a directory on another disk, or to a bucket.")
	}
	var newest time.Time
	store, err := blob.OpenExisting(s.Backup)
	if err == nil {
		if newest, err = backup.Newest(ctx, store, s.machine().Wall()); err == nil {
			err = probe(ctx, store)
		}
		err = errors.Join(err, store.Close())
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed(err.Error(), "Let the user of the service read and write there, or correct BACKUP.")
	}
	oldest := s.machine().Wall().Add(-2 * s.BackupEvery)
	where := describeLocation(s.Backup)
	switch {
	case newest.IsZero() && e.migrations[0].AppliedAt.After(oldest):
		return ok("%s has no backup, and the database is new", where)
	case newest.IsZero():
		return failed(where+" has no backup", `Start the service and wait for BACKUP_SCHEDULE; "moothall jobs" says why a backup failed.`)
	case newest.Before(oldest):
		return failed("the newest backup in "+where+" is of "+newest.Format(time.RFC3339),
			`Start the service; "moothall jobs" says why a backup failed.`)
	}
	return ok("the newest in %s is of %s", where, newest.Format(time.RFC3339))
}

func (e *examination) checkJobs(ctx context.Context) finding {
	list, err := job.Discarded(ctx, e.db)
	switch {
	case err != nil:
		return failed(err.Error(), "")
	case len(list) > 0:
		return failed(fmt.Sprintf("%d discarded, the latest one is %s %s", len(list), list[0].Kind, list[0].Key),
			`"moothall jobs" lists them with their errors; "moothall jobs retry KIND KEY" runs one again, `+
				`"moothall jobs delete KIND KEY" deletes one.`)
	}
	return ok("none is discarded")
}

func (e *examination) checkDeliveries(ctx context.Context) finding {
	list, err := mail.Failed(ctx, e.db, 1)
	switch {
	case err != nil:
		return failed(err.Error(), "")
	case len(list) > 0:
		return failed(fmt.Sprintf("some failed, the latest at %s: %s", list[0].FailedAt.UTC().Format(time.RFC3339), list[0].Reason),
			`"moothall deliveries" lists them; "moothall deliveries retry all" tries again.`)
	}
	return ok("none has failed")
}
