// Package faults tests what the service promises when a process or its
// database fails. It runs the real program as child processes, kills them under
// load, and compares what clients were told with what the database contains.
package faults

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// patience is how long a test waits for what must happen at some time. It is
// long, because a busy machine must fail no test.
const patience = 2 * time.Minute

// scratch is the directory of the program. It is removed when the tests end.
var scratch string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "faulttest-")
	if err != nil {
		panic(err)
	}
	scratch = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// program builds the service once, with the race detector if the test has it.
// The other flags of make test come in GOFLAGS, so that most of the packages are
// in the build cache.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(scratch, "moothall")
	arguments := []string{"build", "-ldflags=-s -w", "-o", path}
	if underRaceDetector() {
		arguments = append(arguments, "-race")
	}
	if out, err := exec.Command("go", append(arguments, "moothall/cmd/moothall")...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// underRaceDetector reports whether the tests and the program have the race detector.
func underRaceDetector() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// service is the program on one database. It can be started many times.
type service struct {
	t        *testing.T
	settings map[string]string
	address  atomic.Pointer[string] // of the latest start
	run      *process
	path     string   // of the program; empty: this version
	log      *os.File // nil: run reads the log
	before   []string // words of the command before the program
}

// newService prepares a service on the database. The settings are added to the
// defaults, whose timeouts are long: on a busy machine the service would
// otherwise shed load, with 503.
func newService(t *testing.T, database string, settings map[string]string) *service {
	t.Helper()
	s := &service{t: t, settings: map[string]string{
		"DATABASE_URL":             database,
		"DATABASE_ACQUIRE_TIMEOUT": "1m",
		"REQUEST_TIMEOUT":          "1m",
		"LISTEN_ADDR":              "127.0.0.1:0",
		"LOG_FORMAT":               "json",
		"RATE_LIMITS":              "off",
		"CACHE_MB":                 "0", // every request must query the database
		"ACCESS_TOKEN_TTL":         "1h",
		"SECRET_KEY":               "a key that only tests ever use, 0123456789",
	}}
	maps.Copy(s.settings, settings)
	t.Cleanup(func() {
		if s.run != nil {
			s.kill()
		}
	})
	return s
}

// url returns the address of the latest start.
func (s *service) url() string { return *s.address.Load() }

// start runs the program, waits until it answers with 200, and returns how long
// that took.
func (s *service) start() time.Duration {
	s.t.Helper()
	began := time.Now()
	s.launch()
	s.awaitServing()
	for {
		response, err := http.Get(s.url() + "/events")
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return time.Since(began)
			}
		}
		if time.Since(began) > patience {
			s.t.Fatalf("no 200 after %v: %v", patience, err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// launch runs the program without waiting for it.
func (s *service) launch() { s.t.Helper(); s.launchCommand("serve") }

// launchCommand runs a command of the program.
func (s *service) launchCommand(command string) {
	s.t.Helper()
	path, err := s.path, error(nil)
	if path == "" {
		path, err = program()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	words := append(slices.Clone(s.before), path, command)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = s.t.TempDir()
	cmd.Env = s.environment()
	if s.log != nil {
		cmd.Stderr = s.log
	}
	if s.run, err = startProcess(cmd); err != nil {
		s.t.Fatal(err)
	}
}

// environment returns the settings, and the options of the race detector.
func (s *service) environment() (variables []string) {
	for name, value := range s.settings {
		variables = append(variables, name+"="+value)
	}
	for _, name := range []string{"GORACE"} {
		if value, ok := os.LookupEnv(name); ok {
			variables = append(variables, name+"="+value)
		}
	}
	return variables
}

func (s *service) awaitServing() {
	s.t.Helper()
	select {
	case address := <-s.run.serving:
		url := "http://" + address
		s.address.Store(&url)
	case <-s.run.ended:
		s.t.Fatalf("the service ended: %v\n%s", s.run.cmd.ProcessState, s.run.output())
	case <-time.After(patience):
		s.t.Fatal("the service does not start to serve")
	}
}

// kill ends the program as a crash would.
func (s *service) kill() {
	s.t.Helper()
	s.signal(syscall.SIGKILL)
	s.wait()
}

func (s *service) signal(sig os.Signal) {
	_ = s.run.cmd.Process.Signal(sig) // it may have ended
}

func (s *service) hasEnded() bool {
	select {
	case <-s.run.ended:
		return true
	default:
		return false
	}
}

// wait waits for the end of the program and returns its state.
func (s *service) wait() *os.ProcessState {
	s.t.Helper()
	select {
	case <-s.run.ended:
	case <-time.After(patience):
		_ = s.run.cmd.Process.Kill()
		s.t.Fatal("the service does not end")
	}
	output := s.run.output()
	if strings.Contains(output, "DATA RACE") || strings.Contains(output, "panic") {
		s.t.Errorf("the service wrote:\n%s", output)
	}
	if s.t.Failed() {
		s.t.Logf("the service wrote:\n%s", output)
	}
	return s.run.cmd.ProcessState
}

// process is one run of the program.
type process struct {
	cmd     *exec.Cmd
	guard   *exec.Cmd
	serving chan string   // receives the address
	ended   chan struct{} // closed when the program has ended

	mu    sync.Mutex
	lines []string // the last 20 lines of output, without requests that succeeded or got 503
}

func startProcess(cmd *exec.Cmd) (*process, error) {
	output := io.NopCloser(strings.NewReader(""))
	var err error
	if cmd.Stderr == nil {
		if output, err = cmd.StderrPipe(); err != nil {
			return nil, err
		}
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, serving: make(chan string, 1), ended: make(chan struct{})}
	// The guard kills the program when this process ends, even by SIGKILL: the
	// kernel then closes the guard's input.
	p.guard = exec.Command("/bin/sh", "-c", `read -r _; kill -KILL "$1"`, "sh", strconv.Itoa(cmd.Process.Pid))
	if _, err = p.guard.StdinPipe(); err == nil {
		err = p.guard.Start()
	}
	if err != nil {
		_ = cmd.Process.Kill()
	}
	go p.watch(output)
	return p, err
}

// watch reads the output of the program until it ends.
func (p *process) watch(output io.Reader) {
	lines := bufio.NewScanner(output)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		p.record(lines.Text())
	}
	_ = p.cmd.Wait() // ProcessState has the result
	if p.guard.Process != nil {
		_ = p.guard.Process.Kill()
		_ = p.guard.Wait() // killed
	}
	close(p.ended)
}

func (p *process) record(line string) {
	if strings.Contains(line, `"level":"INFO","msg":"request"`) {
		return // most lines, which take long to decode
	}
	var entry struct {
		Level, Msg, Address string
		Status              int
	}
	if json.Unmarshal([]byte(line), &entry) == nil {
		if entry.Level == "INFO" && entry.Msg == "serving" {
			p.serving <- entry.Address
		}
		if entry.Msg == "request" && entry.Status == http.StatusServiceUnavailable {
			return
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, line)
	p.lines = p.lines[max(0, len(p.lines)-20):]
}

func (p *process) output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.lines, "\n")
}
