package observe

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// target is the target of a log whose reader can stop.
type target struct {
	text bytes.Buffer
	stop chan struct{} // writes wait until it is closed; nil: they do not
	fail int           // of the next writes, each of which writes one byte
}

func (t *target) Write(p []byte) (int, error) {
	if t.stop != nil {
		<-t.stop
	}
	if t.fail > 0 {
		t.fail--
		t.text.Write(p[:1])
		return 1, errors.New("no space left on device")
	}
	return t.text.Write(p)
}

// droppedTotal returns the metric of the lines of a log that were dropped.
func droppedTotal(t testing.TB, w *LogWriter, log string) int {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(w.Dropped())
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range families[0].GetMetric() {
		if m.GetLabel()[0].GetValue() == log {
			return int(m.GetCounter().GetValue())
		}
	}
	t.Fatalf("no metric of the log %s", log)
	return 0
}

func text(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) }

// slow is the target of a log that takes one write at a time.
type slow struct {
	target
	next chan struct{}
}

func (s *slow) Write(p []byte) (int, error) {
	<-s.next
	return s.target.Write(p)
}

// TestLinesAreNotOverwritten queues each line while the one before it is being written.
func TestLinesAreNotOverwritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &slow{next: make(chan struct{})}
		w := NewLogWriter(out)
		for _, lines := range [][2]string{{"a\n", "b\n"}, {"c\n", "d\n"}, {"e\n", "f\n"}} {
			_, _ = w.Write([]byte(lines[0]))
			synctest.Wait() // it is being written
			_, _ = w.Write([]byte(lines[1]))
			for range lines {
				out.next <- struct{}{}
				time.Sleep(2 * gatherTime)
			}
		}
		w.Close(time.Second)
		if got := out.text.String(); got != "a\nb\nc\nd\ne\nf\n" {
			t.Errorf("the log is %q", got)
		}
	})
}

func TestLinesKeepTheirOrder(t *testing.T) {
	var out target
	w := NewLogWriter(&out)
	var want strings.Builder
	for i := range 20_000 {
		line := fmt.Sprintf("line %d\n", i)
		want.WriteString(line)
		if i%2 == 0 {
			_, _ = w.Write([]byte(line))
		} else {
			_, _ = securityWriter{w}.Write([]byte(line))
		}
	}
	w.Close(time.Minute)
	if out.text.String() != want.String() {
		t.Error("lines are missing or in another order")
	}
}

// TestStoppedReaderCausesDrops fills the queue of a log that nobody reads, and reads it again.
func TestStoppedReaderCausesDrops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &target{stop: make(chan struct{})}
		w := NewLogWriter(out)
		log := slog.New(w.Handler(text))
		const lines, records = 3000, 100 // 3 MB, and 100 KB
		padding := strings.Repeat("x", 1000)
		for range lines {
			log.Info("request", "path", padding)
		}
		for range records {
			log.Info(Security, "path", padding)
		}
		if n := len(w.waiting) + w.writing; n > securityLimit {
			t.Errorf("%d bytes wait", n)
		}
		close(out.stop)
		time.Sleep(time.Second) // more than enough to write all
		log.Info("after")
		w.Close(time.Minute)
		written := strings.Count(out.text.String(), "msg=request")
		dropped := lines - written
		if dropped == 0 || droppedTotal(t, w, "service") != dropped {
			t.Errorf("%d lines were written, the metric has %v", written, droppedTotal(t, w, "service"))
		}
		if n := strings.Count(out.text.String(), "msg=security"); n != records {
			t.Errorf("%d records of the security log were written, of %d", n, records)
		}
		last := out.text.String()[strings.LastIndex(out.text.String(), "msg=security"):]
		if !strings.Contains(last, fmt.Sprintf("dropped=%d dropped_security=0\n", dropped)) || !strings.HasSuffix(last, "msg=after\n") {
			t.Errorf("no report of %d dropped lines, or nothing after it: %s", dropped, last[1000:])
		}
	})
}

// TestSecurityLogIsBounded writes more than the queue can hold.
func TestSecurityLogIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &target{stop: make(chan struct{})}
		w := NewLogWriter(out)
		log := slog.New(w.Handler(text))
		for range 3000 {
			log.Info(Security, "path", strings.Repeat("x", 1000))
		}
		close(out.stop)
		w.Close(time.Minute)
		written := strings.Count(out.text.String(), "msg=security")
		dropped := 3000 - written
		if dropped == 0 || !strings.HasSuffix(out.text.String(), fmt.Sprintf("dropped=0 dropped_security=%d\n", dropped)) {
			t.Errorf("%d were written", written)
		}
	})
}

func TestFailedWritesAreRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &target{fail: 3}
		w := NewLogWriter(out)
		_, _ = w.Write([]byte("one\n"))
		_, _ = w.Write([]byte("two\n"))
		time.Sleep(3 * writeAgainAfter)
		synctest.Wait()
		if out.text.String() != "one\ntwo\n" {
			t.Errorf("written: %q", out.text.String())
		}
		w.Close(time.Minute)
	})
}

// TestCloseDoesNotWaitForReader closes a log that nobody reads.
func TestCloseDoesNotWaitForReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &target{stop: make(chan struct{})}
		w := NewLogWriter(out)
		_, _ = w.Write([]byte("line\n"))
		synctest.Wait()
		began := time.Now()
		w.Close(time.Second)
		if took := time.Since(began); took != time.Second {
			t.Errorf("it took %v", took)
		}
		close(out.stop)
		<-w.ended
	})
}

// TestPanicFollowsLastLine runs this test as a program that logs and then panics.
func TestPanicFollowsLastLine(t *testing.T) {
	if os.Getenv("LOG_AND_PANIC") != "" {
		w := NewLogWriter(os.Stderr)
		defer w.Close(time.Minute)
		log := slog.New(w.Handler(text))
		for i := range 1000 {
			log.Info("line", "i", i)
		}
		panic("after the last line")
	}
	program := exec.Command(os.Args[0], "-test.run=^TestPanicFollowsLastLine$")
	program.Env = append(os.Environ(), "LOG_AND_PANIC=yes")
	out, _ := program.CombinedOutput() // it panics
	if _, rest, ok := strings.Cut(string(out), "i=999\n"); !ok || !strings.Contains(rest, "after the last line") {
		t.Errorf("it wrote %d bytes that end with %s", len(out), out[max(0, len(out)-500):])
	}
}

// BenchmarkLog logs lines like those of requests to a pipe with a reader. Between two
// lines it works for about 20 µs. cpu-ns/op is the processor time of all goroutines.
func BenchmarkLog(b *testing.B) {
	json := func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) }
	requests := func(b *testing.B, log *slog.Logger) {
		b.ReportAllocs()
		work := make([]byte, 40_000)
		began := ProcessorTime()
		for b.Loop() {
			log.LogAttrs(b.Context(), slog.LevelInfo, "request", slog.String("request_id", "019a8b6e-3c10-7c02-8f4d-5b1c2d3e4f50"),
				slog.String("operation", "listEvents"), slog.String("method", "GET"), slog.Int("status", 200), slog.Float64("ms", 1.234),
				slog.Int64("bytes", 12345))
			_ = sha256.Sum256(work)
		}
		b.ReportMetric(float64(ProcessorTime()-began)/float64(b.N), "cpu-ns/op")
	}
	b.Run("discarded", func(b *testing.B) { requests(b, slog.New(slog.DiscardHandler)) })
	b.Run("at once", func(b *testing.B) { requests(b, slog.New(json(readPipe(b)))) })
	b.Run("in the background", func(b *testing.B) {
		w := NewLogWriter(readPipe(b))
		requests(b, slog.New(w.Handler(json)))
		w.Close(time.Minute)
	})
}

// readPipe returns a pipe whose content a process discards.
func readPipe(b *testing.B) io.Writer {
	b.Helper()
	reader := exec.Command("cat")
	pipe, err := reader.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := reader.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = pipe.Close()
		_ = reader.Wait()
	})
	return pipe
}
