// Package pgtest starts PostgreSQL for tests from installed binaries: a temporary
// cluster with a fresh database for each test, and private clusters that a test may
// kill and restart. The temporary cluster belongs to the test process, or to
// the whole run if command withcluster started the run.
package pgtest

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Options change a private cluster.
type Options struct {
	// Settings are lines of postgresql.conf: {"synchronous_commit": "off"}.
	Settings map[string]string
	// Checksums lets the server notice damaged pages.
	Checksums bool
}

// Cluster is a running PostgreSQL that listens on a Unix socket.
type Cluster struct {
	dir      string
	binaries string
	account  *account // nil: the user of the test
	scratch  bool     // removed when it stops
	watchdog *exec.Cmd
	stdin    io.Closer // of the watchdog: closing it, or the end of this process, stops the server

	mu    sync.Mutex
	admin *pgx.Conn // of the superuser, see run
}

// settings use few resources and no background work. Durability stays on.
const settings = `
listen_addresses = ''
max_connections = 600
shared_buffers = 64MB
wal_level = minimal
max_wal_senders = 0
autovacuum = off
checkpoint_timeout = 1h
jit = off
log_timezone = UTC
timezone = UTC
fsync = on
synchronous_commit = on
full_page_writes = on
`

// watchdog runs the server and stops it when its standard input ends, which the
// kernel closes even if the test process is killed. After a crash the server may
// refuse to start until the kernel has freed its shared memory: then the watchdog
// starts it again.
const watchdog = `for _ in 1 2 3 4 5 6 7 8 9 10; do
	"$1/postgres" -D "$2" >>"$2/server.log" 2>&1 & server=$!
	sleep 0.5
	kill -0 $server 2>/dev/null && break
done
read -r _
kill -QUIT $server 2>/dev/null; wait $server
if [ "$3" = scratch ]; then rm -rf "$2"; fi
`

// Start starts a cluster in dir, which it creates if needed. The directory stays
// when the cluster stops, so a later Start finds the same data. When the test
// runs as root, the user postgres must have access to the directory.
func Start(dir string, opts Options) (*Cluster, error) { return start(dir, false, opts) }

// Shared starts a cluster for a run of several test processes and returns the environment variable that
// tells them where it is. It is removed when it stops, also if this process is killed.
func Shared() (c *Cluster, variable string, err error) {
	if c, err = startScratch(); err != nil {
		return nil, "", err
	}
	return c, clusterVariable + "=" + c.dir, nil
}

// planOnce spares most of the planning: otherwise a session plans the first five executions of a statement, and a test seldom has more.
var planOnce = Options{Settings: map[string]string{"plan_cache_mode": "force_generic_plan"}}

// startScratch starts a cluster that is removed when it stops.
func startScratch() (*Cluster, error) {
	dir, err := os.MkdirTemp(TempDir(), "pgtest-")
	if err != nil {
		return nil, err
	}
	c, err := start(dir, true, planOnce)
	if err != nil {
		_ = os.RemoveAll(dir) // the error of start is the one that matters
	}
	return c, err
}

func start(dir string, scratch bool, opts Options) (*Cluster, error) {
	binaries, err := findBinaries()
	if err != nil {
		return nil, err
	}
	user, err := findAccount()
	if err != nil {
		return nil, err
	}
	c := &Cluster{dir: dir, binaries: binaries, account: user, scratch: scratch}
	if err := c.create(opts); err != nil {
		return nil, fmt.Errorf("pgtest: create a cluster in %s: %w", dir, err)
	}
	return c, c.Restart()
}

// create creates the cluster's files unless they exist.
func (c *Cluster) create(opts Options) error {
	if exists(filepath.Join(c.dir, "PG_VERSION")) {
		return nil
	}
	if err := c.makeDir(); err != nil {
		return err
	}
	if err := c.initialize(opts); err != nil {
		return err
	}
	text := settings + "unix_socket_directories = '" + c.dir + "'\n"
	for name, value := range opts.Settings {
		text += fmt.Sprintf("%s = '%s'\n", name, value)
	}
	return appendTo(filepath.Join(c.dir, "postgresql.conf"), text)
}

// makeDir creates the cluster's directory.
func (c *Cluster) makeDir() error {
	if err := os.MkdirAll(c.dir, 0o700); err != nil || c.account == nil {
		return err
	}
	return os.Chown(c.dir, int(c.account.Uid), int(c.account.Gid))
}

func appendTo(path, text string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if _, err := file.WriteString(text); err != nil {
		_ = file.Close() // the write's error matters
		return err
	}
	return file.Close()
}

// command returns a command that runs as the server's user.
func (c *Cluster) command(path string, args ...string) *exec.Cmd {
	cmd := exec.Command(path, args...)
	cmd.Dir = c.dir
	runAs(cmd, c.account)
	return cmd
}

// URL returns the address of a database of the cluster.
func (c *Cluster) URL(database string) string {
	return fmt.Sprintf("postgres://postgres@/%s?host=%s", database, c.dir)
}

// Restart starts the server after Stop or Kill and waits until it answers.
func (c *Cluster) Restart() error {
	lifetime := "durable"
	if c.scratch {
		lifetime = "scratch"
	}
	c.watchdog = c.command("/bin/sh", "-c", watchdog, "sh", c.binaries, c.dir, lifetime)
	stdin, err := c.watchdog.StdinPipe()
	if err != nil {
		return err
	}
	c.stdin = stdin
	if err := c.watchdog.Start(); err != nil {
		return fmt.Errorf("pgtest: start the server: %w", err)
	}
	return c.awaitAnswer(2 * time.Minute)
}

func (c *Cluster) awaitAnswer(limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, c.URL("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		if ctx.Err() != nil {
			log, _ := os.ReadFile(filepath.Join(c.dir, "server.log"))
			return fmt.Errorf("pgtest: the server does not answer: %w\n%s", err, log)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Kill ends the server's processes with SIGKILL, as a crash does, and waits for
// their end.
func (c *Cluster) Kill() error {
	server, err := c.pid()
	if err != nil {
		return err
	}
	if err := pause(server); err != nil {
		return fmt.Errorf("pgtest: stop %d: %w", server, err)
	}
	pids := append([]int{server}, children(server)...)
	for _, pid := range pids {
		if err := kill(pid); err != nil {
			return fmt.Errorf("pgtest: kill %d: %w", pid, err)
		}
	}
	for _, pid := range pids {
		for alive(pid) {
			time.Sleep(time.Millisecond)
		}
	}
	return c.Stop()
}

func children(pid int) []int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid)) // none without /proc
	var pids []int
	for field := range strings.FieldsSeq(string(text)) {
		if child, err := strconv.Atoi(field); err == nil {
			pids = append(pids, child)
		}
	}
	return pids
}

// alive reports whether the process still runs. A zombie has no command line.
func alive(pid int) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && len(line) > 0
}

// Stop stops the server immediately and waits for its end. Its next start replays
// the log.
func (c *Cluster) Stop() error {
	if err := c.stdin.Close(); err != nil {
		return err
	}
	return c.watchdog.Wait()
}

// version returns the major version of the cluster, 0 if it is unknown.
func (c *Cluster) version() int {
	text, _ := os.ReadFile(filepath.Join(c.dir, "PG_VERSION"))
	major, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return major
}

// pid returns the process id of the server from its file postmaster.pid.
func (c *Cluster) pid() (int, error) {
	text, err := os.ReadFile(filepath.Join(c.dir, "postmaster.pid"))
	if err != nil {
		return 0, fmt.Errorf("pgtest: is the server running? %w", err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strconv.Atoi(line)
}
