package faults

import (
	"bufio"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	"moothall/internal/test/disktest"
	"moothall/internal/test/testutil"
)

// newLoggingService starts a service that logs to a file.
func newLoggingService(t *testing.T, log *os.File) *service {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address := free.Addr().String()
	must(t, free.Close())
	s := newService(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"), map[string]string{"LISTEN_ADDR": address})
	s.log = log
	url := "http://" + address
	s.address.Store(&url)
	s.launch()
	c := newClient(t)
	testutil.Until(t, "the first answer", func() bool {
		_, err := c.call(http.MethodGet, url+"/livez", "", "")
		return err == nil
	})
	return s
}

// request sends n requests and returns the slowest answer.
func (s *service) request(n int) (slowest time.Duration) {
	s.t.Helper()
	c := newClient(s.t)
	var left atomic.Int64
	left.Store(int64(n))
	var mu sync.Mutex
	apptest.Concurrently(workers, func(int) {
		for left.Add(-1) >= 0 {
			a, err := c.call(http.MethodGet, s.url()+"/livez", "", "")
			if err != nil || a.status != http.StatusOK {
				s.t.Errorf("%d %v", a.status, err)
				return
			}
			mu.Lock()
			slowest = max(slowest, a.took)
			mu.Unlock()
		}
	})
	return slowest
}

// terminate expects that SIGTERM ends the service in order, and returns how long that took.
func (s *service) terminate() time.Duration {
	s.t.Helper()
	began := time.Now()
	s.signal(syscall.SIGTERM)
	if state := s.wait(); state.ExitCode() != 0 {
		s.t.Errorf("SIGTERM: %v", state)
	}
	return time.Since(began)
}

// TestUnwritableLogStopsNothing serves while the log cannot be written: every request
// succeeds, and SIGTERM ends the service.
func TestUnwritableLogStopsNothing(t *testing.T) {
	const lines = 1000 // more than the 64 KiB of a pipe
	for _, c := range []struct {
		name string
		log  func(*testing.T) *os.File
	}{
		{"closed pipe", func(t *testing.T) *os.File {
			reader, writer := newPipe(t)
			must(t, reader.Close())
			return writer
		}},
		{"stopped reader", func(t *testing.T) *os.File {
			_, writer := newPipe(t)
			return writer
		}},
		{"full disk", func(t *testing.T) *os.File {
			if testutil.Rounds(0, 1) == 0 {
				t.Skip("too slow for make test, where a closed pipe shows the same; make check runs it")
			}
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Skip("only Linux and some BSDs have a device that is always full:", err)
			}
			t.Cleanup(func() { _ = full.Close() })
			return full
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newLoggingService(t, c.log(t))
			requests := testutil.Rounds(lines, 20*lines)
			slowest := s.request(requests)
			testutil.Fault(t, "a log that cannot be written", "%d requests succeed, the slowest in %v; SIGTERM takes %v", requests, slowest,
				s.terminate())
		})
	}
}

func newPipe(t *testing.T) (reader, writer *os.File) {
	t.Helper()
	reader, writer, err := os.Pipe()
	must(t, err)
	t.Cleanup(func() {
		_ = reader.Close() // the test may have closed it
		_ = writer.Close()
	})
	return reader, writer
}

// TestLogReportsDroppedLines reads the log of a service only after lines were dropped: the
// first lines follow each other, then one says how many are missing.
func TestLogReportsDroppedLines(t *testing.T) {
	if testutil.Rounds(0, 1) == 0 {
		t.Skip("too slow for make test: only 15,000 requests fill the buffer; make check runs it")
	}
	t.Parallel()
	reader, writer := newPipe(t)
	s := newLoggingService(t, writer)
	must(t, writer.Close())
	const requests = 15_000
	s.request(requests)
	dropped := make(chan int, 1)
	var written atomic.Int64 // lines of requests
	go func() {
		defer close(dropped)
		for lines := bufio.NewScanner(reader); lines.Scan(); {
			var line struct {
				Msg     string
				Dropped int
			}
			if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
				t.Errorf("%s: %v", lines.Bytes(), err)
			}
			if line.Msg == "request" {
				written.Add(1)
			}
			if line.Dropped > 0 {
				dropped <- line.Dropped
			}
		}
	}()
	n := <-dropped
	before := int(written.Load())
	s.request(100)
	s.terminate()
	if _, more := <-dropped; more {
		t.Error("lines were dropped while the log was read")
	}
	// There are some more lines, such as that of the first request and of the start.
	after := int(written.Load()) - before
	if before+n < requests || before+n > requests+10 || n == 0 || after != 100 {
		t.Errorf("%d requests: %d lines, %d dropped, then %d lines of 100 requests", requests, before, n, after)
	}
	testutil.Fault(t, "a log that is read again", "of %d requests, %d lines waited, and one line says that %d were dropped", requests, before,
		n)
}

// TestLogContinuesAfterFullDisk frees a full file system on which the log is: no line is lost.
func TestLogContinuesAfterFullDisk(t *testing.T) {
	if testutil.Rounds(0, 1) == 0 {
		t.Skip("too slow for make test: it fills a file system that it mounts; make check runs it")
	}
	t.Parallel()
	disktest.OnSmall(t, 256<<10, logOnFullDisk)
}

func logOnFullDisk(t *testing.T, dir string) {
	other := filepath.Join(dir, "other")
	must(t, os.WriteFile(other, make([]byte, 192<<10), 0o600))
	log, err := os.OpenFile(filepath.Join(dir, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	must(t, err)
	defer func() { _ = log.Close() }() // the service writes it
	s := newLoggingService(t, log)
	const requests = 700
	slowest := s.request(requests)
	content := func() string {
		text, err := os.ReadFile(log.Name())
		must(t, err)
		return string(text)
	}
	if n := strings.Count(content(), `"msg":"request"`); n >= requests {
		t.Fatalf("the disk has room for %d lines", n)
	}
	must(t, os.Remove(other))
	began := time.Now()
	testutil.Until(t, "the missing lines", func() bool { return strings.Count(content(), `"msg":"request"`) > requests })
	took := time.Since(began)
	s.terminate()
	for line := range strings.Lines(content()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %q", line)
		}
	}
	testutil.Fault(t, "a log on a full disk", "%d requests succeed, the slowest in %v; all lines are written %v after there is room", requests,
		slowest, took)
}
