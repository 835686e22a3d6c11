// Package faulttest proves what the service promises when something dies. It
// runs the real program as processes of its own, kills them and their database
// under load, and holds what clients were told against what is there.
package faulttest

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

// patience is for what must happen at all: machines full of tests are slow.
const patience = 30 * time.Second

// scratch holds the program; it goes with the test process.
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

// program builds the service once, under the race detector when the test runs
// under it: then everything it is made of is compiled already.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(scratch, "moothall")
	arguments := []string{"build", "-o", path}
	info, ok := debug.ReadBuildInfo()
	if ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		arguments = append(arguments, "-race")
	}
	if out, err := exec.Command("go", append(arguments, "moothall/cmd/moothall")...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// service is the program on one database, run any number of times.
type service struct {
	t        *testing.T
	settings map[string]string
	address  atomic.Pointer[string] // of the latest run
	run      *process
}

// newService prepares a service on the database; settings come in addition.
func newService(t *testing.T, database string, settings map[string]string) *service {
	t.Helper()
	s := &service{t: t, settings: map[string]string{
		"DATABASE_URL":      database,
		"LISTEN_ADDR":       "127.0.0.1:0",
		"LOG_FORMAT":        "json",
		"RATE_LIMITS":       "off",
		"RESPONSE_CACHE_MB": "0", // every request is to ask the database
		"ACCESS_TOKEN_TTL":  "1h",
		"SECRET_KEY":        "a key that only tests ever use, 0123456789",
	}}
	maps.Copy(s.settings, settings)
	t.Cleanup(func() {
		if s.run != nil {
			s.kill()
		}
	})
	return s
}

// url is the address of the latest run.
func (s *service) url() string { return *s.address.Load() }

// start runs the program until it answers, and gives how long that took.
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

// launch runs the program and does not wait for it.
func (s *service) launch() {
	s.t.Helper()
	path, err := program()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(path, "serve")
	cmd.Dir = s.t.TempDir()
	for name, value := range s.settings {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	if s.run, err = startProcess(cmd); err != nil {
		s.t.Fatal(err)
	}
}

func (s *service) awaitServing() {
	s.t.Helper()
	select {
	case address := <-s.run.serving:
		url := "http://" + address
		s.address.Store(&url)
	case <-s.run.ended:
		s.t.Fatalf("the service ended: %v\n%s", s.run.cmd.ProcessState, s.run.complaints())
	case <-time.After(patience):
		s.t.Fatal("the service does not begin to serve")
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

// wait gives how the program ended.
func (s *service) wait() *os.ProcessState {
	s.t.Helper()
	select {
	case <-s.run.ended:
	case <-time.After(patience):
		_ = s.run.cmd.Process.Kill()
		s.t.Fatal("the service does not end")
	}
	complaints := s.run.complaints()
	if strings.Contains(complaints, "DATA RACE") || strings.Contains(complaints, "panic") {
		s.t.Errorf("the service complains:\n%s", complaints)
	}
	if s.t.Failed() {
		s.t.Logf("complaints of the service:\n%s", complaints)
	}
	return s.run.cmd.ProcessState
}

// process is one run of the program.
type process struct {
	cmd     *exec.Cmd
	guard   *exec.Cmd
	serving chan string   // gives the address
	ended   chan struct{} // closed at its end

	mu   sync.Mutex
	said []string // the last lines it wrote, but for requests that went well or found no database
}

func startProcess(cmd *exec.Cmd) (*process, error) {
	output, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, serving: make(chan string, 1), ended: make(chan struct{})}
	// The guard ends the program when this process ends, even by SIGKILL:
	// the kernel then closes the guard's input.
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

// watch reads what the program writes until it ends.
func (p *process) watch(output io.Reader) {
	lines := bufio.NewScanner(output)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		p.hear(lines.Text())
	}
	if p.guard.Process != nil {
		_ = p.guard.Process.Kill()
		_ = p.guard.Wait() // killed
	}
	_ = p.cmd.Wait() // ProcessState says how
	close(p.ended)
}

func (p *process) hear(line string) {
	var said struct {
		Level, Msg, Address string
		Status              int
	}
	if json.Unmarshal([]byte(line), &said) == nil {
		if said.Level == "INFO" && said.Msg == "serving" {
			p.serving <- said.Address
		}
		if said.Msg == "request" && (said.Level == "INFO" || said.Status == http.StatusServiceUnavailable) {
			return
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said = append(p.said, line)
	p.said = p.said[max(0, len(p.said)-20):]
}

func (p *process) complaints() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.said, "\n")
}
