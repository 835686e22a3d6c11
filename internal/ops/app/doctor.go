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

	"moothall/internal/platform/checklist"
	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/platform/files"
	"moothall/internal/web/documents"
)

// Doctor checks an installation, also while the service runs.
type Doctor struct {
	Settings Settings
	Invalid  error                              // of the settings
	Environ  []string                           // "NAME=value"
	Exposed  string                             // file with secret settings that every user of the machine can read; empty: none
	Free     func(path string) (float64, error) // nil: the free part of the file system, 0 to 1
}

const (
	doctorTimeout = 30 * time.Second // of one check
	leastFree     = 0.1              // of a file system

	maxStoredAge   = 24 * time.Hour  // of the stored time
	maxStoredAhead = time.Minute     // of the stored time before the clock
	maxOffset      = 2 * time.Second // between the clocks of this machine and the database
)

// examination is the state of a run of Doctor.
type examination struct {
	Doctor
	db         *db.DB // nil: not reachable
	migrations []migrate.Migration
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
// that the database, MEDIA and BACKUP accept writes. No detail contains a secret.
func (d Doctor) Run(ctx context.Context, report func(checklist.Step)) {
	if d.Free == nil {
		d.Free = files.Free
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
		{"map", false, e.checkMap},
		{"pages", false, e.checkPages},
		{"disk", false, e.checkDisk},
		{"media", false, e.checkMedia},
		{"database", true, e.checkDatabase},
		{"pooler", false, e.checkPooler},
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
	if e.Exposed != "" {
		return failed("every user of this machine can read the secrets in "+e.Exposed, "chmod 600 "+e.Exposed)
	}
	return ok("valid, APP_ENV=%s", e.Settings.Env)
}

func (e *examination) checkSecretKey(context.Context) finding {
	s := &e.Settings
	switch {
	case len(s.SecretKeyPrevious) > 0:
		return finding{checklist.OK, "SECRET_KEY is set, and SECRET_KEY_PREVIOUS",
			`Remove SECRET_KEY_PREVIOUS when the log says "nothing is sealed with SECRET_KEY_PREVIOUS".`}
	case len(s.SecretKey) > 0:
		return ok("SECRET_KEY is set")
	}
	if s.dataFolder() == "" {
		return failed("SECRET_KEY is not set: each instance generates one at each start",
			"Set it to the output of openssl rand -base64 32, the same on every instance.")
	}
	path := filepath.Join(s.dataFolder(), secretKeyName)
	key, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return skipped("the service generates "+path+" at its start", "")
	case err != nil:
		return failed(err.Error(), "Let the user of the service read this file.")
	case !longEnough(string(key)):
		return failed(path+" is empty or too short",
			"Restore it from a backup, or delete it to get a new key: docs/operations.md says what that ends.")
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

func (e *examination) checkMap(context.Context) finding {
	const advice = `"moothall map fetch --near CITY --radius 60km" fetches them; docs/map.md says more.`
	tiles := e.Settings.Tiles
	if tiles.Remote() {
		return ok("MAP_TILES is on another server, to which browsers connect")
	}
	h, err := tiles.Check()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return skipped("the map has no streets: "+tiles.File()+" is missing", advice)
	case err != nil:
		return failed(fmt.Sprintf("the map has no streets: %s: %v", tiles.File(), err),
			"Let the user of the service read this file, or fetch it again: "+advice)
	}
	return ok("%s has streets from %.2f,%.2f to %.2f,%.2f", tiles.File(), h.Bounds[1], h.Bounds[0], h.Bounds[3], h.Bounds[2])
}

func (e *examination) checkPages(context.Context) finding {
	folder := e.Settings.PagesDir
	if folder == "" {
		return skipped("PAGES_DIR is not set: no page links to an imprint or a privacy statement", "docs/install.md says how to add them.")
	}
	pages, err := documents.Read(folder)
	names := make([]string, len(pages))
	for i, p := range pages {
		names[i] = strings.TrimSuffix(p.Name+"."+p.Language, ".")
	}
	switch {
	case err != nil:
		return failed(fmt.Sprintf("PAGES_DIR: %v", err), "Correct these files. The service shows all others.")
	case len(pages) == 0:
		return failed("PAGES_DIR has no files that end in .md", "docs/install.md says how to add pages.")
	}
	return ok("PAGES_DIR has %s", strings.Join(names, ", "))
}

func (e *examination) checkPush(context.Context) finding {
	s := e.Settings
	switch {
	case s.VAPIDSubject == "":
		return skipped("VAPID_SUBJECT is not set: browsers get no notifications", "Set it to mailto: and your address.")
	case !slices.Contains(s.Notifications, byPush):
		return skipped("NOTIFICATIONS without push", "")
	}
	return ok("push services see %s", s.VAPIDSubject)
}
