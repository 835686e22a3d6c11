// Package observe shows what the process does: it writes the log in the background, records requests and jobs as
// OpenTelemetry traces, measures the calls to other services, and measures processor time.
package observe

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Security is the message of the records of the security log. They are dropped last.
const Security = "security"

// Bytes that may wait. The second MiB is for the security log alone.
const (
	lineLimit     = 1 << 20
	securityLimit = 2 << 20
)

const (
	writeSize       = 64 << 10         // bytes at most in one write
	writeAgainAfter = time.Second      // after a write that failed, as on a full disk
	gatherTime      = time.Millisecond // after a write: one write of many lines takes less time than many writes
)

// LogWriter passes lines on to another writer, in order. Write returns at once.
type LogWriter struct {
	out     io.Writer
	wake    chan struct{} // receives when lines wait
	closing chan struct{}
	ended   chan struct{}
	total   *prometheus.CounterVec

	mu      sync.Mutex
	waiting []byte // whole lines
	writing int    // bytes of earlier lines that are not written yet
	full    bool   // lines are dropped until half of lineLimit is free
	dropped counts // since the last report
	report  func(counts)
}

// counts are numbers of dropped lines.
type counts struct{ service, security int }

// NewLogWriter returns a LogWriter on out. Close ends it.
func NewLogWriter(out io.Writer) *LogWriter {
	w := &LogWriter{
		out: out, wake: make(chan struct{}, 1), closing: make(chan struct{}), ended: make(chan struct{}),
		total: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "moothall_log_dropped_total", Help: "Log lines that were dropped because the log could not be written in time.",
		}, []string{"log"}),
	}
	w.total.WithLabelValues("service").Add(0)
	w.total.WithLabelValues("security").Add(0)
	go w.run()
	return w
}

// Dropped returns the metric of dropped lines.
func (w *LogWriter) Dropped() prometheus.Collector { return w.total }

// Write queues whole lines. It never fails.
func (w *LogWriter) Write(lines []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.full || !w.queue(lines, lineLimit) {
		w.full = true
		w.dropped.service++
		w.total.WithLabelValues("service").Inc()
	}
	return len(lines), nil
}

// securityWriter is a LogWriter for the security log.
type securityWriter struct{ *LogWriter }

// Write queues a line. It never fails.
func (w securityWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.queue(line, securityLimit) {
		w.full = true
		w.dropped.security++
		w.total.WithLabelValues("security").Inc()
	}
	return len(line), nil
}

// queue adds lines to the buffer. It returns false if the buffer has no space for them.
func (w *LogWriter) queue(lines []byte, limit int) bool {
	if w.writing+len(w.waiting)+len(lines) > limit {
		return false
	}
	w.waiting = append(w.waiting, lines...)
	select {
	case w.wake <- struct{}{}:
	default: // it is awake
	}
	return true
}

// Close waits until all lines are written, at most for the given time. Later lines are
// not written.
func (w *LogWriter) Close(limit time.Duration) {
	close(w.closing)
	select {
	case <-w.ended:
	case <-time.After(limit):
	}
}

// run writes the lines until Close, then the rest.
func (w *LogWriter) run() {
	defer close(w.ended)
	var spare []byte
	for closed := false; ; {
		lines := w.take(spare)
		spare = lines[:0]
		switch {
		case len(lines) > 0:
			if !w.write(lines) {
				return
			}
			time.Sleep(gatherTime)
			continue
		case closed:
			return
		}
		select {
		case <-w.wake:
		case <-w.closing:
			closed = true
		}
	}
}

// take returns the waiting lines. Later lines wait in the spare buffer.
func (w *LogWriter) take(spare []byte) (lines []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	lines, w.waiting = w.waiting, spare
	w.writing = len(lines)
	return lines
}

// write tries until all lines are written. It gives up after Close.
func (w *LogWriter) write(lines []byte) bool {
	for len(lines) > 0 {
		n, err := w.out.Write(lines[:min(len(lines), writeSize)])
		lines = lines[n:]
		w.wrote(n)
		if err == nil {
			continue
		}
		select {
		case <-w.closing:
			return false
		case <-time.After(writeAgainAfter):
		}
	}
	return true
}

// wrote frees the space of written lines. When enough is free, it reports the lines that were dropped.
func (w *LogWriter) wrote(n int) {
	w.mu.Lock()
	w.writing -= n
	free := w.full && w.writing+len(w.waiting) <= lineLimit/2
	var dropped counts
	if free {
		w.full = false
		dropped, w.dropped = w.dropped, counts{}
	}
	report := w.report
	w.mu.Unlock()
	if free && report != nil {
		report(dropped)
	}
}

// Handler returns the handler of a log that w writes. format creates a handler that
// writes each record as one line.
func (w *LogWriter) Handler(format func(io.Writer) slog.Handler) slog.Handler {
	h := handler{service: format(w), security: format(securityWriter{w})}
	log := slog.New(h.security)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report = func(c counts) {
		log.Warn("log lines were dropped, because the log could not be written in time",
			slog.Int("dropped", c.service), slog.Int("dropped_security", c.security))
	}
	return h
}

// handler separates the records of the security log from all others.
type handler struct{ service, security slog.Handler }

// Enabled reports whether records of a level are written.
func (h handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.service.Enabled(ctx, level)
}

// Handle queues the line of a record.
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	if r.Message == Security {
		return h.security.Handle(ctx, r)
	}
	return h.service.Handle(ctx, r)
}

// WithAttrs returns a handler that adds attributes to each record.
func (h handler) WithAttrs(attributes []slog.Attr) slog.Handler {
	return handler{h.service.WithAttrs(attributes), h.security.WithAttrs(attributes)}
}

// WithGroup returns a handler that puts later attributes into a group.
func (h handler) WithGroup(name string) slog.Handler {
	return handler{h.service.WithGroup(name), h.security.WithGroup(name)}
}
