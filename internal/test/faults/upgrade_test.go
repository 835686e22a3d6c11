package faults

import (
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

// shutdownDelay is SHUTDOWN_DELAY in tests of restarts: it must be longer than a balancer
// needs to notice, also on a busy machine.
const shutdownDelay = 3 * time.Second

// TestUpgradeUnderLoad replaces the version before by this one, under load. On PostgreSQL
// both serve beside each other, and no request fails. On SQLite one follows the other.
func TestUpgradeUnderLoad(t *testing.T) {
	if testutil.Rounds(0, 1) == 0 {
		t.Skip("too slow for make test: it builds the version before; make check runs it")
	}
	t.Parallel()
	before := buildVersionBefore(t)
	_, err := program() // now, because the tests measure how long a start takes
	must(t, err)
	t.Run("postgresql", func(t *testing.T) { upgradeBeside(t, before) })
	t.Run("sqlite", func(t *testing.T) { upgradeAfter(t, before) })
}

// versionBefore returns the last tagged version. As long as there is no tag, it returns the last commit that changed or
// deleted a migration: this version cannot upgrade databases of earlier commits. It skips the test without the history.
func versionBefore(t *testing.T) string {
	t.Helper()
	if tag, err := git("describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^"); err == nil {
		return tag
	}
	commit, err := git("log", "-1", "--no-renames", "--diff-filter=MD", "--format=%H", "--",
		":(top,glob)internal/platform/db/migrations/*.sql")
	if err != nil || commit == "" {
		t.Skip("a source archive and a shallow clone do not have the version before:", err)
	}
	return commit
}

func git(arguments ...string) (string, error) {
	var complaint strings.Builder
	cmd := exec.Command("git", arguments...)
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %s: %w %s", arguments[0], err, complaint.String())
	}
	return strings.TrimSpace(string(out)), err
}

// buildVersionBefore returns the path of the program.
func buildVersionBefore(t *testing.T) string {
	t.Helper()
	commit, dir := versionBefore(t), t.TempDir()
	root, err := git("rev-parse", "--show-toplevel")
	must(t, err)
	for _, script := range []string{
		`git -C "$1" archive --output="$2/source.tar" "$3"`,
		`cd "$2" && mkdir source && tar -x -f source.tar -C source`,
		`cd "$2/source" && go build -buildvcs=false -o "$2/moothall" ./cmd/moothall`,
	} {
		if out, err := exec.Command("/bin/sh", "-c", script, "sh", root, dir, commit).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
	}
	return filepath.Join(dir, "moothall")
}

// newInstance prepares an instance of a program; an empty path is this version.
func newInstance(t *testing.T, database, path string) *instance {
	t.Helper()
	s := newService(t, database, map[string]string{"SHUTDOWN_DELAY": shutdownDelay.String(), "DATABASE_MAX_CONNS": "4", "CACHE_MB": "64"})
	s.path = path
	return &instance{service: s}
}

func upgradeBeside(t *testing.T, before string) {
	database := pgtest.Database(t)
	old, now := newInstance(t, database, before), newInstance(t, database, "")
	old.start()
	go old.watch()
	l := newLoad(t, old.service)
	l.target = balancer{old, now}.pick
	stop := l.start()
	l.awaitWrites(10 * busy)
	applied := migrationsOf(t, database)
	took := now.start()
	go now.watch()
	l.awaitWrites(10 * busy)
	slowest := max(l.findEachOther(old.service, now.service), l.findEachOther(now.service, old.service))
	old.signal(syscall.SIGTERM)
	if state := old.wait(); state.ExitCode() != 0 {
		t.Errorf("SIGTERM: %v", state)
	}
	l.awaitWrites(10 * busy)
	stop()
	now.kill()
	v := l.ledger.check(database)
	testutil.Fault(t, "upgrade", "%d new migrations under load, the new version served after %v; %v, %d reads, no request failed; "+
		"each version found what the other one wrote within %v", migrationsOf(t, database)-applied, took, v, l.read.value(), slowest)
	if v.present != v.acknowledged || len(v.missing)+len(v.wrong) > 0 {
		t.Error("acknowledged writes are missing or wrong")
	}
	if slowest > 20*time.Second { // a second, and the rest for a busy machine
		t.Errorf("a write was not found for %v", slowest)
	}
}

// upgradeAfter stops the version before, then starts this one.
func upgradeAfter(t *testing.T, before string) {
	database := "sqlite:" + filepath.Join(t.TempDir(), "moothall.db")
	old, now := newInstance(t, database, before), newInstance(t, database, "")
	old.start()
	go old.watch()
	l := newLoad(t, old.service)
	l.target = balancer{old, now}.pick
	stop := l.start()
	l.awaitWrites(10 * busy)
	applied := migrationsOf(t, database)
	began := time.Now()
	old.signal(syscall.SIGTERM)
	if state := old.wait(); state.ExitCode() != 0 {
		t.Errorf("SIGTERM: %v", state)
	}
	now.start()
	downtime := time.Since(began) - shutdownDelay
	go now.watch()
	l.awaitWrites(10 * busy)
	stop()
	now.kill()
	v := l.ledger.check(database)
	testutil.Fault(t, "upgrade", "%d new migrations, %v without a listener; %v, %d reads, no request failed that was sent",
		migrationsOf(t, database)-applied, downtime, v, l.read.value())
	if v.present != v.acknowledged || len(v.missing)+len(v.wrong) > 0 {
		t.Error("acknowledged writes are missing or wrong")
	}
}

var migrationsStmt = db.SQL("faulttest.migrations", `SELECT COUNT(*) FROM schema_migrations WHERE number > 0`)

// migrationsOf returns the number of migrations that a database has.
func migrationsOf(t *testing.T, database string) (n int) {
	t.Helper()
	d, err := db.Open(t.Context(), database, db.Options{AllowUnsafe: true})
	must(t, err)
	defer func() { _ = d.Close() }() // it only read
	must(t, d.One(t.Context(), migrationsStmt).Scan(&n))
	return n
}

// findEachOther publishes an event on one instance, finds it on another one in every way,
// changes it and awaits the change. It returns how long the slowest of these took.
func (l *load) findEachOther(writer, reader *service) (slowest time.Duration) {
	l.t.Helper()
	host, title, sheet := l.people[0], l.title(), l.ledger.sheet()
	defer sheet.close()
	await := func(what, path, text string) {
		began := time.Now()
		testutil.Until(l.t, what, func() bool {
			return strings.Contains(string(l.client.mustCall(l.t, http.MethodGet, reader.url()+path, "", "").body), text)
		})
		slowest = max(slowest, time.Since(began))
	}
	const far = "lat=-45.87&lng=170.5&radius_km=5"
	ways := map[string]string{
		"the list":         "/events?limit=100&organizer_id=" + host.id,
		"a word":           "/events?q=xylophone",
		"a word misspelt":  "/events?q=xylophine",
		"a place far away": "/events?" + far,
		"the map":          "/events/map?bbox=170,-46,171,-45",
		"a map of a place": "/events/map?zoom=11&" + far,
	}
	for what, path := range ways { // so that pages without the event are cached
		await(what, path, `"items"`)
	}
	event := l.client.mustCall(l.t, http.MethodPost, writer.url()+"/events", host.token, fmt.Sprintf(
		`{"title":"Xylophone quartet, %s","starts_at":%q,"lat":-45.87,"lng":170.5}`, title,
		time.Now().Add(24*time.Hour).UTC().Format(time.RFC3339))).text("event.id")
	path := "/events/" + event
	l.client.mustCall(l.t, http.MethodPost, writer.url()+path+"/publish", host.token, "")
	for what, path := range ways {
		await(what, path, event)
	}
	await("the details", path, "Xylophone quartet")
	l.client.mustCall(l.t, http.MethodPatch, writer.url()+path, host.token, `{"title":"Xylophone quintet, `+title+`"}`)
	l.acknowledge(sheet, made, event, "Xylophone quintet, "+title)
	l.acknowledge(sheet, published, event, "")
	await("the change", path, "Xylophone quintet")
	await("the change in the list", ways["the list"], "Xylophone quintet")
	return slowest
}
