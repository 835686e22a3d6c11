// Package pgtest starts PostgreSQL for tests from installed binaries: a
// throw-away cluster per test process, a fresh database per caller, and
// private clusters that a test may kill and restart.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Options tune a private cluster.
type Options struct {
	// Settings are lines of postgresql.conf: {"synchronous_commit": "off"}.
	Settings map[string]string
}

// Cluster is a running PostgreSQL that listens on a unix socket.
type Cluster struct {
	dir      string
	binaries string
	account  *syscall.Credential
	scratch  bool // removed when it stops
	keeper   *exec.Cmd
	life     io.Closer // closing it, or the end of this process, stops the server
}

// settings suit tests: few resources, nothing in the background, every
// promise of durability kept.
const settings = `
listen_addresses = ''
max_connections = 300
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

// keep runs the server and ends it when its input ends, which the kernel
// closes even if the test process is killed. After a crash the server may
// refuse to start until the kernel has given the memory of its last run back:
// then it is asked again.
const keep = `for _ in 1 2 3 4 5 6 7 8 9 10; do
	"$1/postgres" -D "$2" >>"$2/server.log" 2>&1 & server=$!
	sleep 0.5
	kill -0 $server 2>/dev/null && break
done
read -r _
kill -QUIT $server 2>/dev/null; wait $server
if [ "$3" = scratch ]; then rm -rf "$2"; fi
`

// Start starts a cluster in dir, which is made when absent and stays when the
// cluster stops: starting it again finds the same data. The directory and
// those above it must be open to the user postgres when the test runs as root.
func Start(dir string, opts Options) (*Cluster, error) { return start(dir, false, opts) }

// startScratch starts a cluster that is removed when it stops, in memory when
// there is room, so that flushing costs nothing.
func startScratch() (*Cluster, error) {
	parent := os.TempDir()
	var shm syscall.Statfs_t
	if err := syscall.Statfs("/dev/shm", &shm); err == nil && shm.Bavail*uint64(shm.Bsize) > 2<<30 {
		parent = "/dev/shm"
	}
	dir, err := os.MkdirTemp(parent, "pgtest-")
	if err != nil {
		return nil, err
	}
	c, err := start(dir, true, Options{})
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
	runAs, err := account()
	if err != nil {
		return nil, err
	}
	c := &Cluster{dir: dir, binaries: binaries, account: runAs, scratch: scratch}
	if err := c.create(opts); err != nil {
		return nil, fmt.Errorf("pgtest: create a cluster in %s: %w", dir, err)
	}
	return c, c.Restart()
}

// create makes the cluster's files unless they exist.
func (c *Cluster) create(opts Options) error {
	if _, err := os.Stat(filepath.Join(c.dir, "PG_VERSION")); err == nil {
		return nil
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	if c.account != nil {
		if err := os.Chown(c.dir, int(c.account.Uid), int(c.account.Gid)); err != nil {
			return err
		}
	}
	initdb := c.command(filepath.Join(c.binaries, "initdb"), "--pgdata", c.dir, "--username=postgres",
		"--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions")
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	text := settings + "unix_socket_directories = '" + c.dir + "'\n"
	for name, value := range opts.Settings {
		text += fmt.Sprintf("%s = '%s'\n", name, value)
	}
	return appendTo(filepath.Join(c.dir, "postgresql.conf"), text)
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

// command runs as the server's user, in a process group of its own so that
// an interrupt at the terminal reaches the test only.
func (c *Cluster) command(path string, args ...string) *exec.Cmd {
	cmd := exec.Command(path, args...)
	cmd.Dir = c.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.account, Setpgid: true}
	return cmd
}

// URL gives the address of a database of the cluster.
func (c *Cluster) URL(database string) string {
	return fmt.Sprintf("postgres://postgres@/%s?host=%s", database, c.dir)
}

// Restart starts the server again after Stop or Kill and waits until it
// answers.
func (c *Cluster) Restart() error {
	lifetime := "durable"
	if c.scratch {
		lifetime = "scratch"
	}
	c.keeper = c.command("/bin/sh", "-c", keep, "sh", c.binaries, c.dir, lifetime)
	life, err := c.keeper.StdinPipe()
	if err != nil {
		return err
	}
	c.life = life
	if err := c.keeper.Start(); err != nil {
		return fmt.Errorf("pgtest: start the server: %w", err)
	}
	return c.awaitAnswer(30 * time.Second)
}

func (c *Cluster) awaitAnswer(patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
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

// Kill ends the server's processes with SIGKILL, as a crash would, and waits
// until they are gone.
func (c *Cluster) Kill() error {
	server, err := c.pid()
	if err != nil {
		return err
	}
	if err := syscall.Kill(server, syscall.SIGSTOP); err != nil { // it makes no child that we would miss
		return fmt.Errorf("pgtest: stop %d: %w", server, err)
	}
	pids := append([]int{server}, children(server)...)
	for _, pid := range pids {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
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
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid)) // none where there is no /proc
	var pids []int
	for field := range strings.FieldsSeq(string(text)) {
		if child, err := strconv.Atoi(field); err == nil {
			pids = append(pids, child)
		}
	}
	return pids
}

// alive reports whether the process still holds anything: one that ended and
// was not yet waited for has no command line.
func alive(pid int) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && len(line) > 0
}

// Stop ends the server without ceremony (its next start replays the log) and
// waits for it.
func (c *Cluster) Stop() error {
	if err := c.life.Close(); err != nil {
		return err
	}
	return c.keeper.Wait()
}

// version returns the major version of the cluster's PostgreSQL, 0 when its
// directory does not tell.
func (c *Cluster) version() int {
	text, _ := os.ReadFile(filepath.Join(c.dir, "PG_VERSION"))
	major, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return major
}

// pid reads the postmaster's from the file that it leaves in its directory.
func (c *Cluster) pid() (int, error) {
	text, err := os.ReadFile(filepath.Join(c.dir, "postmaster.pid"))
	if err != nil {
		return 0, fmt.Errorf("pgtest: is the server running? %w", err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strconv.Atoi(line)
}
