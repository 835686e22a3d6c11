package source

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/url"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/meetup/importer"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ical"
	"moothall/internal/platform/job"
)

// The kinds of the jobs.
const (
	readKind = "source.read" // reads a calendar
	endKind  = "source.end"  // withdraws the events of a calendar that was removed
)

const (
	interval     = time.Hour        // between two reads
	jitter       = 10 * time.Minute // at most this is added
	longestPause = 6 * time.Hour    // after failures
	fullEvery    = 24 * time.Hour   // content is read again, because its rules have new dates
	notifyAfter  = 24 * time.Hour   // of failures: hosts are notified
	retryAfter   = time.Hour        // discarded jobs run again
	maxDue       = 100              // calendars of one run of the periodic job
	maxParallel  = 4                // fetches of one instance
)

type readJob struct{ Source domain.SourceID }

// RegisterJobs registers the jobs that read calendars and withdraw events.
func (s *Service) RegisterJobs(w *job.Workers) {
	job.Leased(w, readKind, func(ctx context.Context, j readJob) error { return s.read(ctx, j.Source) })
	w.Separate(readKind, maxParallel)
	job.InTx(w, endKind, s.withdraw)
	w.Every(time.Minute, "source.due", s.queueDue)
}

// queueDue queues the calendars that are due: one of each host. It also queues discarded jobs again.
func (s *Service) queueDue(ctx context.Context) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		if err := job.RetryDiscarded(ctx, tx, now, now.Add(-retryAfter), readKind, endKind); err != nil {
			return err
		}
		due, err := db.Values[domain.SourceID](ctx, tx, dueStmt, now, maxDue)
		if err != nil {
			return err
		}
		for _, id := range due {
			if err := putRead(ctx, tx, id, now); err != nil {
				return err
			}
		}
		return nil
	})
}

func putRead(ctx context.Context, tx db.Tx, id domain.SourceID, now time.Time) error {
	return job.PutIfAbsent(ctx, tx, now, job.Job{Kind: readKind, Key: id.String(), Payload: readJob{id}})
}

// read reads a calendar that is due, and applies it. After a crash it begins again: what was applied has no effect.
func (s *Service) read(ctx context.Context, id domain.SourceID) error {
	now := s.Clock.Now()
	var c calendar
	found, err := c.scan(s.DB.One(ctx, readStmt, id))
	if err != nil || !found || now.Before(c.dueAt) {
		return err
	}
	if why := c.rests(); why != "" {
		return s.failed(ctx, c, Resting, why, 0)
	}
	u, err := s.Imports.ParseURL(c.URL)
	if err != nil { // the service has another host since
		return s.failed(ctx, c, Failing, "unreachable", 0)
	}
	content, err := s.fetch(ctx, c, u, now)
	failure, isFailure := errors.AsType[*importer.FetchError](err)
	switch {
	case isFailure:
		return s.failed(ctx, c, Failing, failure.Code, failure.Wait)
	case errors.Is(err, domain.RateLimited), errors.Is(err, domain.ServiceUnavailable):
		return nil // it stays due
	case err != nil:
		return err
	}
	return s.apply(ctx, c, content, now)
}

// fetch returns the content of a calendar, unless it was applied less than a day ago and has not changed.
func (s *Service) fetch(ctx context.Context, c calendar, u *url.URL, now time.Time) (importer.Content, error) {
	have := c.version
	if c.contentAt == nil || now.Sub(*c.contentAt) >= fullEvery {
		have = importer.Version{}
	}
	return s.Imports.Fetch(ctx, u, have, ReadsPerHost)
}

// apply applies the content of a calendar, and records the result.
func (s *Service) apply(ctx context.Context, c calendar, content importer.Content, now time.Time) error {
	p := plan{calendar: c, now: now}
	if content.Modified {
		zone, err := time.LoadLocation(s.Events.Rules.ZoneAt(c.lat, c.lng))
		if err != nil {
			zone = time.UTC
		}
		read, err := ical.Read(content.Data, ical.Options{Now: now, Days: days, Max: maxEvents, Zone: zone})
		switch {
		case errors.Is(err, ical.ErrTooMany):
			return s.failed(ctx, c, Failing, errTooLarge, 0)
		case err != nil:
			return s.failed(ctx, c, Failing, errNotCalendar, 0)
		}
		p.read = &read
	}
	if err := s.prepare(ctx, &p); err != nil {
		return err
	}
	if p.lostAll() {
		return s.failed(ctx, c, Failing, errEmpty, 0)
	}
	if err := s.run(ctx, &p); err != nil {
		if errors.Is(err, errStale) { // it has ended, or another attempt has applied it
			return nil
		}
		return err
	}
	return s.succeeded(ctx, c, content, p.limited)
}

func (s *Service) succeeded(ctx context.Context, c calendar, content importer.Content, limited bool) error {
	now := s.Clock.Now()
	contentAt := c.contentAt
	if content.Modified {
		contentAt = &now
	}
	var problem *string
	if limited { // the rest of the content follows
		problem, content.Version = new(errEventLimit), importer.Version{}
	}
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		tx.Queue(ctx, succeededStmt, c.ID, c.reads, problem, content.Version.ETag, content.Version.Modified, contentAt, now, next(now, interval))
		return nil
	})
}

// failed records an attempt that has changed nothing. Hosts are notified once when a calendar has failed for a day.
func (s *Service) failed(ctx context.Context, c calendar, status Status, problem string, wait time.Duration) error {
	now := s.Clock.Now()
	pause := interval
	if status == Failing {
		pause = max(wait, min(interval<<min(c.failures, 3), longestPause))
		c.failures++
	}
	if c.failingSince == nil && status == Failing {
		c.failingSince = &now
	}
	notifies := status == Failing && !c.notified && now.Sub(*c.failingSince) >= notifyAfter
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		tx.Queue(ctx, failedStmt, c.ID, status, problem, c.failures, c.failingSince, c.notified || notifies, next(now, pause))
		if !notifies {
			return nil
		}
		n := notify.Notification{Kind: notify.GroupSourceFailed, Subject: c.Group.String()}
		return notify.Announce(ctx, tx, now, n, notify.GroupHosts(c.Group))
	})
}

// next returns the time after a pause, with jitter.
func next(now time.Time, pause time.Duration) time.Time { return now.Add(pause + rand.N(jitter)) }
