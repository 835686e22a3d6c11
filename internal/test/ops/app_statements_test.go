package ops_test

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

	"moothall/internal/platform/db"
	"moothall/internal/platform/httpapi"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// statementsFile lists the statements of every operation.
const statementsFile = "testdata/statements.txt"

const statementsHead = `# The database statements of every operation, the look-up of the session included,
# for anonymous and signed-in callers
# in the normal case, on an idle service. They do not depend on the amount of data: the test runs everything with one
# of each thing and with many. The exception is the feed: if the first cards do not fill it, as here, it reads more of
# them, at most twice; with many events it needs two statements fewer. Rate limits (RATE_LIMITS) and queued jobs are not
# counted. The caches (CACHE_MB) are off; "cached" is the number of statements of a GET on SQLite with the caches on,
# right after the same request; "-" is the same number as without them.
# Written by UPDATE=1 go test -run TestStatements ./internal/test/ops
`

// one and many are the numbers of things of each kind in the database; cached is one
// of each with the caches on. All of many fit on a page: their order is random, and a page
// that leaves out one of its first events reads further ones.
const (
	cached = 0
	one    = 1
	many   = 20
)

// TestStatements calls every operation on both engines with little and with much data:
// the statements are the same, and equal those of the file. The short form has much data
// on SQLite only.
func TestStatements(t *testing.T) {
	var mu sync.Mutex
	ran := map[db.Engine]map[int][]string{db.SQLite: {}, db.PostgreSQL: {}}
	counted := map[db.Engine][]int{db.SQLite: {one, many, cached}, db.PostgreSQL: []int{one, many}[:testutil.Rounds(1, 2)]}
	t.Run("all", func(t *testing.T) {
		for engine, sizes := range ran {
			for _, size := range counted[engine] {
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
			if sizes[many] == nil {
				continue
			}
			little, much := len(strings.Fields(sizes[one][i])), len(strings.Fields(sizes[many][i]))
			if r.varies == "" && sizes[one][i] != sizes[many][i] || much > little {
				t.Errorf("%s as %s on %s: with one of everything\n\t%s\nwith %d\n\t%s", r.name, r.who, engine, sizes[one][i], many, sizes[many][i])
			}
		}
	}
	compareStatements(t, statementsTable(ran[db.SQLite], ran[db.PostgreSQL]))
}

// TestEveryOperationIsCounted compares the rows with the operations of the contract.
func TestEveryOperationIsCounted(t *testing.T) {
	contract, err := os.ReadFile("../../../api/openapi.yaml")
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

// statementsTable returns a line for each row: the numbers of statements on both engines
// and their names. The names on PostgreSQL are there only if they differ.
func statementsTable(sqlite, postgres map[int][]string) string {
	var b strings.Builder
	b.WriteString(statementsHead)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "# operation\twho\tSQLite\tPostgreSQL\tcached\tstatements")
	number := func(names string) int { return len(strings.Fields(names)) }
	for i, r := range statementRows {
		names, others, withCache := sqlite[one][i], postgres[one][i], "-"
		if n := number(sqlite[cached][i]); n != number(names) && r.method == http.MethodGet {
			withCache = strconv.Itoa(n)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\t", r.name, r.who, number(names), number(others), withCache)
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
	t.Errorf("check the differences, then run UPDATE=1 go test -run TestStatements ./internal/test/ops")
}

// counter records the statements of requests.
type counter struct {
	mu  sync.Mutex
	ran map[string][]string // by request
}

func (c *counter) record(ctx context.Context, s *db.Stmt) {
	if s.Name() == "session.touch" {
		return // runs at most once a minute, in the background
	}
	request := httpapi.ResponseHeader(ctx).Get("X-Request-Id")
	if request == "" {
		return // a job
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	name, _, _ := strings.Cut(s.Name(), " ") // omits the variant of a search
	c.ran[request] = append(c.ran[request], name)
}

func (c *counter) of(r *apptest.Reply) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Join(c.ran[r.Header.Get("X-Request-Id")], " ")
}

// countStatements calls all rows one after the other, with size things of each kind in
// the database.
func countStatements(t *testing.T, engine db.Engine, size int) []string {
	counter := &counter{ran: map[string][]string{}}
	options := append(statementSettings(), apptest.OnStatement(counter.record))
	if size != cached {
		options = append(options, apptest.Setting("CACHE_MB", "0"))
	}
	a := apptest.New(t, engine, options...)
	if size == cached {
		// On PostgreSQL, an instance caches nothing at first: see db.Watch.
		testutil.Until(t, "a cached page", func() bool { return counter.of(a.Anonymous().Get("/events").Want(200)) == "" })
	}
	ran := make([]string, len(statementRows))
	callStatementRows(t, a, max(size, one), func(r statementRow) string { return r.body },
		func(i int, reply *apptest.Reply, again func() *apptest.Reply) {
			ran[i] = counter.of(reply)
			for n := 0; n < repeats && ran[i] != "" && size == cached && statementRows[i].method == http.MethodGet; n++ {
				ran[i] = fewer(ran[i], counter.of(again()))
			}
		})
	return ran
}

// callStatementRows calls all rows one after the other, with size things of each kind in
// the database, and fails the test if a status differs. bodyOf returns the body to send.
func callStatementRows(t *testing.T, a *apptest.App, size int, bodyOf func(statementRow) string,
	check func(i int, reply *apptest.Reply, again func() *apptest.Reply)) {
	t.Helper()
	w := newStatementsWorld(a, size)
	for i, r := range statementRows {
		a.Clock.Advance(time.Second) // so that later rows have later times
		var names []string
		for name, id := range w.names {
			names = append(names, "{"+name+"}", id)
		}
		replace := strings.NewReplacer(names...)
		var body any
		if r.body != "" {
			body = replace.Replace(bodyOf(r))
		}
		client := w.clients[r.who]
		if r.status >= 500 {
			client = client.Allow5xx()
		}
		call := func(c *apptest.Client) *apptest.Reply { return c.Do(r.method, replace.Replace(r.path), body) }
		reply := call(client)
		if reply.Status != r.status {
			t.Fatalf("%s as %s: %d, want %d: %s", r.name, r.who, reply.Status, r.status, reply.Body)
		}
		check(i, reply, func() *apptest.Reply { return call(client.Allow5xx()) })
		for name, path := range r.save {
			w.names[name] = strings.TrimPrefix(reply.Text(path), apptest.BaseURL)
		}
		if r.method != http.MethodGet {
			a.RunJobs()
		}
	}
}

// repeats is how often a cached request is repeated: on a busy machine, an instance may
// stop for so long that it does not trust its cache.
const repeats = 5

// fewer returns the shorter of two lists of statements.
func fewer(a, b string) string {
	if len(strings.Fields(b)) < len(strings.Fields(a)) {
		return b
	}
	return a
}

// statementsWorld contains the clients and the ids that the rows use.
type statementsWorld struct {
	clients map[string]*apptest.Client
	names   map[string]string // of ids, as in the paths of the rows
}
