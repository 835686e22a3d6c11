package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moothall/internal/backup"
	"moothall/internal/deliver"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/checklist"
	"moothall/internal/platform/clock"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

// Doctor checks an installation, also while the service runs.
type Doctor struct {
	Settings Settings
	Invalid  error                              // of the settings
	Environ  []string                           // "NAME=value"
	Free     func(path string) (float64, error) // nil: the free part of the file system, 0 to 1
}

const (
	doctorTimeout = 30 * time.Second // of one check
	leastFree     = 0.1              // of a file system

	maxNoteAge   = 24 * time.Hour  // of the last time of the service
	maxNoteAhead = time.Minute     // of the last time of the service before the clock
	maxOffset    = 2 * time.Second // between the clocks of this machine and the database
)

// examination is the state of a run of Doctor.
type examination struct {
	Doctor
	db         *db.DB // nil: not reachable
	migrations []db.Migration
}

// finding is the result of a check.
type finding struct {
	state          checklist.State
	detail, advice string
}

func ok(format string, args ...any) finding {
	return finding{checklist.OK, fmt.Sprintf(format, args...), ""}
}

func skipped(detail, advice string) finding { return finding{checklist.Skipped, detail, advice} }

func failed(detail, advice string) finding { return finding{checklist.Failed, detail, advice} }

// Run reports each check as soon as it has ended. It changes nothing: it writes only what shows
// that the database and MEDIA accept writes. No detail contains a secret.
func (d Doctor) Run(ctx context.Context, report func(checklist.Step)) {
	if d.Free == nil {
		d.Free = freeSpace
	}
	e := &examination{Doctor: d}
	defer e.close()
	possible := true
	for _, c := range []struct {
		name      string
		essential bool // the checks after it are skipped if it fails
		check     func(context.Context) finding
	}{
		{"settings", d.Invalid != nil, e.checkSettings},
		{"secret key", false, e.checkSecretKey},
		{"sign-in", false, e.checkSignIn},
		{"addresses", false, e.checkAddresses},
		{"proxies", false, e.checkProxies},
		{"mail", false, e.checkMail},
		{"push", false, e.checkPush},
		{"disk", false, e.checkDisk},
		{"media", false, e.checkMedia},
		{"database", true, e.checkDatabase},
		{"migrations", true, e.checkMigrations},
		{"clock", false, e.checkClock},
		{"backup", false, e.checkBackup},
		{"jobs", false, e.checkJobs},
		{"deliveries", false, e.checkDeliveries},
	} {
		found := skipped("a check that failed above comes first", "")
		if possible {
			limited, cancel := context.WithTimeout(ctx, doctorTimeout)
			found = c.check(limited)
			cancel()
		}
		possible = possible && !(c.essential && found.state == checklist.Failed)
		report(checklist.Step{Name: c.name, State: found.state, Detail: found.detail, Advice: found.advice})
	}
}

func (e *examination) close() {
	if e.db != nil {
		_ = e.db.Close() // nothing was written
	}
}

func (e *examination) checkSettings(context.Context) finding {
	wrong := Misspelt(e.Environ)
	if e.Invalid != nil {
		wrong = append(strings.Split(e.Invalid.Error(), "\n"), wrong...)
	}
	if len(wrong) > 0 {
		return failed(strings.Join(wrong, "; "), `Correct them: "moothall config" prints the settings in force, docs/settings.md describes them.`)
	}
	return ok("valid, APP_ENV=%s", e.Settings.Env)
}

func (e *examination) checkSecretKey(context.Context) finding {
	s := &e.Settings
	if len(s.SecretKey) > 0 {
		return ok("SECRET_KEY is set")
	}
	if s.dataFolder() == "" {
		return failed("SECRET_KEY is not set: each instance generates one at each start", "Set it to the output of openssl rand -base64 32, the same on every instance.")
	}
	path := filepath.Join(s.dataFolder(), secretKeyName)
	key, err := os.ReadFile(path) //nolint:gosec // a folder of the operator
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return skipped("the service generates "+path+" at its start", "")
	case err != nil:
		return failed(err.Error(), "Let the user of the service read this file.")
	case !longEnough(string(key)):
		return failed(path+" is empty or too short", "Restore it from a backup, or delete it to get a new key: docs/operations.md says what that ends.")
	}
	return ok("%s", path)
}

func (e *examination) checkSignIn(context.Context) finding {
	if !e.Settings.canSignIn() {
		return failed("nobody can sign in", "Set SMTP_URL, PHONE_PROVIDER or IDP_PROVIDERS.")
	}
	return ok("%s", strings.Join(e.Settings.signInMethods(), ", "))
}

// checkAddresses examines what LoadSettings accepts outside production, too.
func (e *examination) checkAddresses(context.Context) finding {
	s := e.Settings
	apiIsSecure, webIsSecure := strings.HasPrefix(s.PublicBaseURL, "https:"), strings.HasPrefix(s.WebOrigin, "https:")
	both := fmt.Sprintf("PUBLIC_BASE_URL=%s, WEB_ORIGIN=%s", s.PublicBaseURL, s.WebOrigin)
	switch {
	case apiIsSecure != webIsSecure:
		return failed(both, "Let both begin with https://: browsers do not send cookies of one to the other.")
	case isLoopback(hostOf(s.PublicBaseURL)) != isLoopback(hostOf(s.WebOrigin)):
		return failed(both, "Correct the one that other machines cannot reach.")
	case s.Env != Development && !apiIsSecure:
		return failed(both, "Let a proxy speak TLS, and let both begin with https://: otherwise others can read sessions.")
	}
	return ok("%s", both)
}

func (e *examination) checkProxies(context.Context) finding {
	s := e.Settings
	switch {
	case len(s.TrustedProxies) > 0:
		return ok("TRUSTED_PROXIES=%v", s.TrustedProxies)
	case strings.HasPrefix(s.PublicBaseURL, "https:"):
		return failed("TRUSTED_PROXIES is not set, but a proxy must speak TLS: all clients share its rate limits",
			"Set it to the address from which the proxy connects, such as 127.0.0.1, and let it set X-Forwarded-For.")
	}
	return skipped("not needed without https", "")
}

func (e *examination) checkMail(ctx context.Context) finding {
	s := e.Settings
	switch {
	case s.hasOutbox():
		return skipped("SMTP_URL is not set: the page /dev/mail shows the mails", "")
	case s.SMTP == nil:
		return skipped("SMTP_URL is not set: no mail is sent", "Set it for sign-in and notifications by e-mail.")
	}
	if err := s.SMTP.SignIn(ctx); err != nil {
		return failed(err.Error(), `"moothall mail test ADDRESS" finds the reason.`)
	}
	return ok("%s:%d accepts mails", s.SMTP.Host, s.SMTP.Port)
}

func (e *examination) checkPush(context.Context) finding {
	s := e.Settings
	switch {
	case s.VAPIDSubject == "":
		return skipped("VAPID_SUBJECT is not set: browsers get no notifications", "Set it to mailto: and your address.")
	case !s.PushNotifications:
		return skipped("PUSH_NOTIFICATIONS=false", "")
	}
	return ok("push services see %s", s.VAPIDSubject)
}

func (e *examination) checkDisk(context.Context) finding {
	var folders, found []string
	for _, folder := range []string{e.Settings.dataFolder(), e.Settings.Media.Dir, e.Settings.Backup.Dir} {
		if folder != "" && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
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
		if err = store.Put(ctx, probeKey, []byte("moothall doctor")); err == nil {
			err = store.Delete(ctx, probeKey)
		}
		err = errors.Join(err, store.Close())
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
	if err != nil {
		return failed(err.Error(), "Start the database, correct DATABASE_URL, or do what the error says.")
	}
	return ok("%s keeps what is written", d.Engine())
}

func (e *examination) checkMigrations(ctx context.Context) finding {
	all, err := e.db.Migrations(ctx)
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
	noted, reference, err := clock.Compare(ctx, e.db)
	if err != nil {
		return failed(err.Error(), "")
	}
	after := wall()
	switch {
	case reference.Before(before.Add(-maxOffset)), reference.After(after.Add(maxOffset)):
		return failed(fmt.Sprintf("this machine is at %s, the database at %s", after.UTC().Format(time.RFC3339), reference.Format(time.RFC3339)),
			"Synchronize both clocks (NTP).")
	case noted.IsZero():
		return skipped("the service has not run yet", "")
	case noted.After(reference.Add(maxNoteAhead)):
		return failed("the last time of the service is ahead: "+noted.Format(time.RFC3339), `Synchronize the clock (NTP); if it is right, run "moothall clock trust".`)
	case reference.Sub(noted) > maxNoteAge:
		return failed("the last time of the service is more than a day ago: "+noted.Format(time.RFC3339), `Start the service; if the clock is right, run "moothall clock trust", else deletions pause for a day.`)
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
		newest, err = backup.Newest(ctx, store)
		err = errors.Join(err, store.Close())
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed(err.Error(), "Let the user of the service read there, or correct BACKUP.")
	}
	oldest := s.machine().Wall().Add(-2 * s.BackupEvery)
	where := describeLocation(s.Backup)
	switch {
	case newest.IsZero() && e.migrations[0].AppliedAt.After(oldest):
		return ok("%s has no backup, and the database is new", where)
	case newest.IsZero():
		return failed(where+" has no backup", `Start the service and wait for BACKUP_SCHEDULE; "moothall jobs" says why a backup failed.`)
	case newest.Before(oldest):
		return failed("the newest backup in "+where+" is of "+newest.Format(time.RFC3339), `Start the service; "moothall jobs" says why a backup failed.`)
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
			`"moothall jobs" lists them with their errors; "moothall jobs retry KIND KEY" runs one again.`)
	}
	return ok("none is discarded")
}

func (e *examination) checkDeliveries(ctx context.Context) finding {
	list, err := deliver.Failed(ctx, e.db, 1)
	switch {
	case err != nil:
		return failed(err.Error(), "")
	case len(list) > 0:
		return failed(fmt.Sprintf("some failed, the latest at %s: %s", list[0].FailedAt.UTC().Format(time.RFC3339), list[0].Reason),
			`"moothall deliveries" lists them; "moothall deliveries retry all" tries again.`)
	}
	return ok("none has failed")
}
