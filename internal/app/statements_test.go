package app_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"moothall/internal/apptest"
	"moothall/internal/platform/db"
	"moothall/internal/platform/httpapi"
)

// statementsFile says of every operation how many statements it runs.
const statementsFile = "testdata/statements.txt"

const statementsHead = `# What every operation asks of the database, the look-up of the session included: signed out and signed in,
# each in the case that it is made for, on an idle service. Nothing here depends on how much there is: the test
# runs everything with one of each thing and with many. Only a feed that its first cards do not fill reads more of
# them, twice at most, as here; with many it is two statements fewer. Limits on requests (RATE_LIMITS) would come on top, and
# so do the jobs that an operation leaves for later. The cache of pages (RESPONSE_CACHE_MB) is off; "again" is how many
# statements a page needs when it is on and has been asked for just before.
# Written by UPDATE=1 go test -run TestStatements ./internal/app
`

// one and many are how much of everything there is; again is one with the cache
// of pages.
const (
	again = 0
	one   = 1
	many  = 21
)

// TestStatements runs every operation on both engines with little and with much
// in the database: the statements are the same, and those of the file.
func TestStatements(t *testing.T) {
	var mu sync.Mutex
	ran := map[db.Engine]map[int][]string{db.SQLite: {}, db.PostgreSQL: {}}
	t.Run("all", func(t *testing.T) {
		for engine, sizes := range ran {
			for _, size := range []int{again, one, many} {
				t.Run(fmt.Sprint(engine, " with ", size), func(t *testing.T) {
					t.Parallel()
					counts := countStatements(t, engine, size)
					mu.Lock()
					defer mu.Unlock()
					sizes[size] = counts
				})
			}
		}
	})
	if t.Failed() {
		return
	}
	for engine, sizes := range ran {
		for i, r := range statementRows {
			little, much := len(strings.Fields(sizes[one][i])), len(strings.Fields(sizes[many][i]))
			if r.varies == "" && sizes[one][i] != sizes[many][i] || much > little {
				t.Errorf("%s as %s on %s: with one of everything\n\t%s\nwith %d\n\t%s", r.name, r.who, engine, sizes[one][i], many, sizes[many][i])
			}
		}
	}
	compareStatements(t, statementsTable(ran[db.SQLite], ran[db.PostgreSQL]))
}

// TestEveryOperationIsCounted compares the rows with the contract.
func TestEveryOperationIsCounted(t *testing.T) {
	contract, err := os.ReadFile("../../api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	counted := map[string]bool{}
	for _, r := range statementRows {
		id, _, _ := strings.Cut(r.name, " ")
		counted[id] = true
	}
	for line := range strings.Lines(string(contract)) {
		if id, found := strings.CutPrefix(strings.TrimSpace(line), "operationId: "); found {
			if !counted[id] {
				t.Errorf("%s is not counted", id)
			}
			delete(counted, id)
		}
	}
	for id := range counted {
		t.Errorf("%s is not in the contract", id)
	}
}

// statementsTable is a line for each row: how many statements on both engines
// and their names, which are those of SQLite.
func statementsTable(sqlite, postgres map[int][]string) string {
	var b strings.Builder
	b.WriteString(statementsHead)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "# operation\twho\tSQLite\tPostgreSQL\tagain\tstatements")
	number := func(names string) int { return len(strings.Fields(names)) }
	for i, r := range statementRows {
		names, others, kept := sqlite[one][i], postgres[one][i], "-"
		if n := number(sqlite[again][i]); n != number(names) {
			kept = strconv.Itoa(n)
		}
		if n, others := number(sqlite[again][i]), number(postgres[again][i]); n != others {
			kept += ", on PostgreSQL " + strconv.Itoa(others)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\t", r.name, r.who, number(names), number(others), kept)
		if others != names {
			names += "; on PostgreSQL " + others
		}
		fmt.Fprintln(t, names)
	}
	_ = t.Flush() // into memory
	return trailing.ReplaceAllString(b.String(), "\n")
}

var trailing = regexp.MustCompile(` +\n`)

func compareStatements(t *testing.T, got string) {
	t.Helper()
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(statementsFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(statementsFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) == got {
		return
	}
	for line := range strings.Lines(got) {
		if !strings.Contains(string(want), line) {
			t.Errorf("%s does not have: %s", statementsFile, line)
		}
	}
	t.Errorf("look at what is different, then run UPDATE=1 go test -run TestStatements ./internal/app")
}

// counter notes the statements of requests.
type counter struct {
	mu  sync.Mutex
	ran map[string][]string // by request
}

func (c *counter) note(ctx context.Context, s *db.Stmt) {
	if s.Name() == "session.touch" {
		return // written once in a while, when the answer is on its way
	}
	request := httpapi.ResponseHeader(ctx).Get("X-Request-Id")
	if request == "" {
		return // a job
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	name, _, _ := strings.Cut(s.Name(), " ") // of a search, without its shape
	c.ran[request] = append(c.ran[request], name)
}

func (c *counter) of(r *apptest.Reply) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Join(c.ran[r.Header.Get("X-Request-Id")], " ")
}

// countStatements runs all rows one after the other in a world with so many of
// everything.
func countStatements(t *testing.T, engine db.Engine, size int) []string {
	counter := &counter{ran: map[string][]string{}}
	options := append(statementSettings(), apptest.OnStatement(counter.note))
	if size != again {
		options = append(options, apptest.Setting("RESPONSE_CACHE_MB", "0"))
	}
	a := apptest.New(t, engine, options...)
	w := newStatementsWorld(a, max(size, one))
	ran := make([]string, len(statementRows))
	for i, r := range statementRows {
		a.Clock.Advance(time.Second) // what happens later is newer
		var names []string
		for name, id := range w.names {
			names = append(names, "{"+name+"}", id)
		}
		replace := strings.NewReplacer(names...)
		var body any
		if r.body != "" {
			body = replace.Replace(r.body)
		}
		client := w.clients[r.who]
		if r.status >= 500 {
			client = client.Allow5xx()
		}
		reply := client.Do(r.method, replace.Replace(r.path), body)
		if reply.Status != r.status {
			t.Fatalf("%s as %s: %d, want %d: %s", r.name, r.who, reply.Status, r.status, reply.Body)
		}
		ran[i] = counter.of(reply)
		for range asked {
			if size == again && r.method == http.MethodGet {
				ran[i] = fewer(ran[i], counter.of(client.Do(r.method, replace.Replace(r.path), nil)))
			}
		}
		for name, path := range r.keep {
			w.names[name] = strings.TrimPrefix(reply.Text(path), "https://api.moothall.test")
		}
		a.RunJobs()
	}
	return ran
}

// asked is how often a page is asked for again: a page is kept for a second only,
// which may pass on a busy machine.
const asked = 5

// fewer returns the shorter of two lists of statements.
func fewer(a, b string) string {
	if len(strings.Fields(b)) < len(strings.Fields(a)) {
		return b
	}
	return a
}

// statementsWorld is who asks and what is asked for.
type statementsWorld struct {
	clients map[string]*apptest.Client
	names   map[string]string // of ids, as in the paths of the rows
}
