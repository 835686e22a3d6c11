package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"moothall/bench/load"
	"moothall/bench/plain"
	"moothall/internal/domain"
	"moothall/internal/ops/app"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

// serveCommand makes the test program the service whose start is measured.
const serveCommand = "serve"

func TestMain(m *testing.M) {
	var err error
	switch {
	case len(os.Args) == 2 && os.Args[1] == serverCommand:
		err = runServer(context.Background(), os.Stdin, os.Stdout, os.Stderr)
	case len(os.Args) == 2 && os.Args[1] == serveCommand:
		err = serve()
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	settings, err := app.LoadSettings(os.LookupEnv)
	if err != nil {
		return err
	}
	a, err := app.New(ctx, settings, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return errors.Join(a.Run(ctx), a.Close())
}

// TestEveryOperationSucceeds measures a tiny dataset: the service accepts every request
// and every floor can be measured. The short form measures three operations of each
// engine, the long form all of them.
func TestEveryOperationSucceeds(t *testing.T) {
	short := map[db.Engine][]string{
		db.SQLite:     {"text rare", "threads", "refresh"},
		db.PostgreSQL: {"send pushes", "list beside joins", "join hot"},
	}
	for engine, some := range short {
		t.Run(engine.String(), func(t *testing.T) { measureOperations(t, engine, some[:testutil.Rounds(3, 0)]) })
	}
}

// measureOperations measures the named operations, or all if there are none.
func measureOperations(t *testing.T, engine db.Engine, only []string) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var progress strings.Builder
	dir := t.TempDir()
	events := testutil.Rounds(200, 600) // more have pages that nobody has read after the first requests, which are not measured
	result, err := run(t.Context(), options{
		Engines: []db.Engine{engine}, Events: []int{events}, Callers: []int{4}, Users: 16, Followers: 500, Posts: 2,
		Time: 10 * time.Millisecond, Only: only,
		Dir: dir, Postgres: pgtest.Database(t), Server: []string{program, serverCommand}, Service: []string{program, serveCommand},
		Starts: testutil.Rounds(1, 3), Progress: &progress,
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, progress.String())
	}
	for _, d := range result.Datasets {
		wanted := len(only)
		if wanted == 0 {
			wanted = len(operationNames())
		}
		if len(d.Rows) != wanted {
			t.Errorf("%s: %d rows for %d operations", d.Engine, len(d.Rows), wanted)
		}
		if d.Attendances == 0 || d.Start <= 0 || d.FirstCreate <= 0 {
			t.Errorf("%s: %d attendances, start %v, first create %v", d.Engine, d.Attendances, d.Start, d.FirstCreate)
		}
		for _, row := range d.Rows {
			if slices.Contains([]string{planMails, sendMails, sendPushes}, row.Operation) {
				if row.Served.Requests == 0 || row.Bare.Requests == 0 || row.Served.CPU == 0 {
					t.Errorf("%s: not everything was measured: %+v", d.Engine, row)
				}
				continue
			}
			writes := slices.Contains([]string{"create", "publish", "publish followed", "publish in group", "join", joinWithMail, "join hot", "refresh", "like",
				"send message"}, row.Operation)
			compared := slices.ContainsFunc(new(workload).operations(), func(o *operation) bool { return o.name == row.Operation && o.plain })
			if (row.Plain.Requests > 0) != compared || row.Served.Requests == 0 || row.Bare.Requests == 0 || (row.Counter.Requests > 0) != writes ||
				row.Served.Allocations == 0 {
				t.Errorf("%s: not everything was measured: %+v", d.Engine, row)
			}
			if row.Served.P50 <= 0 || row.Served.P99 < row.Served.P50 {
				t.Errorf("%s %s: p50 %v, p99 %v", d.Engine, row.Operation, row.Served.P50, row.Served.P99)
			}
		}
	}
	if engine == db.PostgreSQL {
		return
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.db*"))
	if err != nil || len(left) != 1 || filepath.Base(left[0]) != fmt.Sprintf("moothall_bench_%d.db", events) {
		t.Errorf("files that were not removed: %v, %v", left, err)
	}
}

// TestPlainHandlersFindTheSameEvents sends requests to the service and to the plain
// handlers. Only a text search may find others: the service corrects typos.
func TestPlainHandlersFindTheSameEvents(t *testing.T) {
	for _, engine := range dbtest.RuleEngines {
		t.Run(engine.String(), func(t *testing.T) { comparePlain(t, engine) })
	}
}

func comparePlain(t *testing.T, engine db.Engine) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	r := runner{options: options{
		Dir: t.TempDir(), Postgres: pgtest.Database(t), Server: []string{program, serverCommand}, Progress: io.Discard,
		Users: 4, Followers: 4, Posts: 1,
	}}
	s := r.store(engine)
	name, err := seeded(ctx, s, testutil.Rounds(200, 500), io.Discard)
	must(err)
	w, err := r.prepare(ctx, ServiceConfig{Database: s.url(name), Now: epoch})
	must(err)
	must(s.create(ctx, name+"_counter"))
	attach, err := s.beside(ctx, name, name+"_plain")
	must(err)
	must(plain.Fill(ctx, s.url(name+"_plain"), attach))
	service, err := r.start(ctx, "OpenService", ServiceConfig{Database: s.url(name), Now: epoch})
	must(err)
	floors, err := r.start(ctx, "OpenFloors", FloorsConfig{Counter: s.url(name + "_counter"), Plain: s.url(name + "_plain"), Now: epoch})
	must(err)
	for _, o := range w.operations() {
		request, _ := o.make(0, 0)
		if !o.plain || request.Method != http.MethodGet || strings.HasPrefix(o.name, "text") {
			continue
		}
		var found [2]string
		for i, address := range []string{service.Service, floors.Plain} {
			c, err := load.Dial(ctx, address, load.Grace)
			must(err)
			response, err := c.Fetch(request)
			must(err)
			for _, id := range regexp.MustCompile(`"event":{"id":"[^"]*|"(next_cursor|participant_count|lat)":[^,}]*`).FindAllString(string(response.Body), -1) {
				found[i] += id + "\n"
			}
			c.Close()
		}
		if found[0] != found[1] || len(found[0]) < 50 {
			t.Errorf("%s: the service finds\n%s\nthe plain handler\n%s", request.Target, found[0], found[1])
		}
	}
	must(errors.Join(service.stop(), floors.stop()))
}

// TestOnlyMeasuresSelectedOperations measures the selected operations and those that they
// need, with a profile of each.
func TestOnlyMeasuresSelectedOperations(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var progress strings.Builder
	dir := t.TempDir()
	result, err := run(t.Context(), options{
		Engines: []db.Engine{db.SQLite}, Events: []int{200}, Callers: []int{1, 2}, Users: 8, Followers: 10, Posts: 1,
		Time: 10 * time.Millisecond, Only: []string{"publish"},
		Dir: dir, Profiles: dir, Server: []string{program, serverCommand}, Progress: &progress,
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, progress.String())
	}
	var got []string
	for _, row := range result.Datasets[0].Rows {
		got = append(got, fmt.Sprint(row.Operation, " ", row.Callers))
	}
	if want := "create 1, create 2, publish 1, publish 2"; strings.Join(got, ", ") != want {
		t.Errorf("%q, not %s", got, want)
	}
	for _, name := range []string{"create", "publish"} {
		if profile, err := os.Stat(filepath.Join(dir, "sqlite-200-"+name+".prof")); err != nil || profile.Size() == 0 {
			t.Errorf("no profile: %v", err)
		}
	}
}

func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		out  string // in stdout
		err  string // in stderr
	}{
		{[]string{"--help"}, exitOK, "Example: go run . --events", ""},
		{[]string{"--x"}, exitUsage, "", `"go run . --help" lists the flags`},
		{[]string{"now"}, exitUsage, "", `unexpected argument "now"`},
		{[]string{"--events", "10x"}, exitUsage, "", `--events "10x": must be a number`},
		{[]string{"--only", "lists"}, exitUsage, "", `--only "lists": must be one of list first time, list,`},
		{[]string{"--callers", "257"}, exitUsage, "", "from 1 to 256"},
		{[]string{"--quick", "--postgres", "postgres://localhost"}, exitUsage, "", "--quick measures on SQLite"},
		{[]string{"live", "--help"}, exitOK, liveExample, ""},
		{[]string{"seed", "--help"}, exitOK, seedExample, ""},
		{[]string{"seed", "--events", "10"}, exitUsage, "", "--database: name the database"},
		{[]string{"seed", "--database", "sqlite:none.db", "--events", "-1"}, exitUsage, "", "events must be between 0 and"},
		{[]string{"beside", "--help"}, exitOK, besideExample, ""},
		{[]string{"beside", "--rounds", "1"}, exitUsage, "", "--old: name the program"},
		{[]string{"beside", "--old", "none", "--rounds", "0"}, exitUsage, "", "--rounds: must be from 1 to 1000"},
		{[]string{"beside", "--old", "./none"}, exitFailed, "", "none"},
		{[]string{"live", "--sockets", "150"}, exitUsage, "", "--sockets must be a multiple of 100"},
		{[]string{"--time", "1h"}, exitUsage, "", "from 10ms to 10m"},
		{[]string{"--compare", "none.json"}, exitFailed, "", "--compare: open none.json"},
	} {
		var stdout, stderr bytes.Buffer
		code := execute(t.Context(), c.args, &stdout, &stderr)
		if code != c.code || !strings.Contains(stdout.String(), c.out) || !strings.Contains(stderr.String(), c.err) {
			t.Errorf("%v: code %d, %q, %q", c.args, code, stdout.String(), stderr.String())
		}
	}
}

func TestCoreListParsesRanges(t *testing.T) {
	for text, want := range map[string]string{"0": "0", "0-2": "0 1 2", "1,3-4": "1 3 4", "": "", "x": "", "1-": ""} {
		if got := strings.Join(coreList(text), " "); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

// testWorkload returns the workload of a dataset with the given numbers of events, posts
// and users.
func testWorkload(events, posts, users int) *workload {
	w := &workload{facts: facts{common: []string{"tea"}, rare: []string{"gong"}}}
	for range events {
		w.open = append(w.open, domain.RandomID[domain.EventKind]())
	}
	for range posts {
		w.group.posts = append(w.group.posts, domain.RandomID[domain.PostKind]())
	}
	for i := range users {
		w.tokens = append(w.tokens, fmt.Sprint("token", i))
		w.group.guests = append(w.group.guests, login{Access: w.tokens[i]})
	}
	w.group.events = w.open[:2]
	for i := range int64(400) {
		w.pages = append(w.pages, epoch.UnixNano()+i*int64(time.Hour))
	}
	return w
}

// TestJoinsAndLikesNeverRepeat makes all joins and likes of a small dataset: no
// user joins an event or likes a post twice.
func TestJoinsAndLikesNeverRepeat(t *testing.T) {
	w := testWorkload(40, 40, 8)
	seen := map[string]bool{}
	for _, o := range w.operations() {
		want := map[string]int{"join": 36 * 8, "join hot": 4 * 8, "like": 40 * 8}[o.name]
		if want == 0 {
			continue
		}
		n := 0
		for ; ; n++ {
			r, more := o.next(0)
			if !more {
				break
			}
			if key := r.Target + r.Token; seen[key] {
				t.Fatalf("%s: request %d repeats", o.name, n)
			} else {
				seen[key] = true
			}
		}
		if n != want {
			t.Errorf("%s: %d requests, not %d", o.name, n, want)
		}
	}
}

// TestUncachedPagesNeverRepeat finds no target twice among the pages that the
// response cache must not answer.
func TestUncachedPagesNeverRepeat(t *testing.T) {
	w := testWorkload(50, 0, 1)
	for _, o := range slices.Concat(w.lists(), w.places(), w.details()) {
		if slices.Contains([]string{"list", "list gzip", "list signed in", "detail hot", "feed", "feed signed in", "suggest"}, o.name) {
			continue // not cached, or the same page each time
		}
		seen := map[string]bool{}
		for range 100 {
			r, more := o.next(0)
			if !more || seen[r.Target] {
				t.Fatalf("%s: %+v", o.name, r)
			}
			seen[r.Target] = true
		}
	}
}
