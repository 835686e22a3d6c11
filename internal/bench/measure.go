package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// measure measures every operation in a world that is ready.
func (r *run) measure(ctx context.Context, w *World, q *requests, c Config) (err error) {
	server, err := startServer(ctx, r.Server, r.serverCores, r.Progress, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	for _, o := range r.selected(q.operations()) {
		fmt.Fprintf(r.Progress, "%s, %d events: %s\n", w.Engine, w.Events, o.name)
		rows, err := r.operation(ctx, server, w, o)
		w.Rows = append(w.Rows, rows...)
		if err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
	}
	w.MemoryMB = memoryMB(server.pid())
	return nil
}

// selected are the operations asked for, and those that they need.
func (r *run) selected(all []*operation) []*operation {
	if len(r.Only) == 0 {
		return all
	}
	wanted := func(o *operation) bool {
		return slices.Contains(r.Only, o.name) || slices.ContainsFunc(all, func(other *operation) bool {
			return other.needs == o.name && slices.Contains(r.Only, other.name)
		})
	}
	return slices.DeleteFunc(all, func(o *operation) bool { return !wanted(o) })
}

// operation measures one operation and its floors.
func (r *run) operation(ctx context.Context, server *remote, w *World, o *operation) (rows []Row, err error) {
	statements, err := r.record(ctx, server, o)
	if err != nil {
		return nil, err
	}
	sample, err := r.sample(ctx, server, o)
	if err != nil {
		return nil, err
	}
	callers := o.callers
	if len(r.Callers) > 0 && o.most == 0 {
		callers = r.Callers
	}
	callers = slices.DeleteFunc(slices.Clone(callers), func(n int) bool { return n > r.People })
	for i, n := range callers {
		row := Row{Operation: o.name, Callers: n, Bytes: len(sample.Body), Statements: statements}
		if row.Served, err = r.served(ctx, server, o, n); err != nil {
			return rows, err
		}
		if row.Bare, err = r.load(ctx, server, server.Bare, n, 0, func(int) (request, bool) { return sample.request, true }, nil); err != nil {
			return rows, fmt.Errorf("the bare handler: %w", err)
		}
		if i == 0 {
			if row.Statement, err = r.floor(server, callers[len(callers)-1]); err != nil {
				return rows, fmt.Errorf("the engine's own statements: %w", err)
			}
		} else {
			row.Statement = rows[0].Statement
		}
		rows = append(rows, row)
	}
	return rows, r.profile(ctx, server, w, o)
}

// longestJobs is how long jobs are waited for.
const longestJobs = 2 * time.Minute

// settle waits until the jobs are done that requests have left for later: they
// are not the cost of what is measured next.
func (r *run) settle(ctx context.Context, server *remote) error {
	const pause = 100 * time.Millisecond
	for range longestJobs / pause {
		var busy bool
		if err := server.call("Busy", struct{}{}, &busy); err != nil || !busy {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
	fmt.Fprintf(r.Progress, "jobs still run after %v, beside what is measured\n", longestJobs)
	return nil
}

// fewSamples are recorded of dear requests.
const fewSamples = 4

// record sends some requests where their statements are noted.
func (r *run) record(ctx context.Context, server *remote, o *operation) (statements int, err error) {
	callers, samples := min(16, r.People, slices.Max(o.callers)), r.Samples
	if o.most > 0 {
		samples = min(samples, fewSamples)
	}
	if err := server.call("StartRecording", struct{}{}, nil); err != nil {
		return 0, err
	}
	l := load{address: server.Taped, callers: callers, most: o.most, answer: o.answer, next: func(caller int) (request, bool) {
		if int(o.made.Load()) >= samples {
			return request{}, false
		}
		return o.next(caller)
	}}
	if _, _, err := l.run(ctx); err != nil {
		return 0, err
	}
	if err := server.call("StopRecording", struct{}{}, &statements); err != nil {
		return 0, err
	}
	return statements, r.settle(ctx, server)
}

// sampled is one request and its answer.
type sampled struct {
	request
	Answer
}

// sample makes one request and has the bare handler answer it from now on.
func (r *run) sample(ctx context.Context, server *remote, o *operation) (s sampled, err error) {
	var more bool
	if s.request, more = o.next(0); !more {
		return s, errors.New("no requests are left")
	}
	sent, err := http.NewRequestWithContext(ctx, s.method, "http://"+server.Service+s.target, strings.NewReader(s.body))
	if err != nil {
		return s, err
	}
	if s.token != "" {
		sent.Header.Set("Authorization", "Bearer "+s.token)
	}
	if s.body != "" {
		sent.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(sent)
	if err != nil {
		return s, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return s, err
	}
	if response.StatusCode/100 != 2 {
		return s, fmt.Errorf("%s %s: %d %s", s.method, s.target, response.StatusCode, body)
	}
	response.Header.Del("Date") // net/http writes its own
	s.Answer = Answer{Status: response.StatusCode, Header: response.Header, Body: body}
	if o.answer != nil {
		if err := o.answer(0, body); err != nil {
			return s, err
		}
	}
	return s, server.call("SetBare", s.Answer, nil)
}

// warmUp is the part of a measurement's time that goes before it.
const warmUp = 0.3

// load measures a load from quiet to quiet: the processor time includes the
// jobs that the requests leave for later.
func (r *run) load(ctx context.Context, server *remote, address string, callers, most int,
	next func(int) (request, bool), answer func(int, []byte) error) (m Measure, err error) {
	l := load{address: address, callers: callers, most: most, next: next, answer: answer, time: time.Duration(warmUp * float64(r.Time))}
	if _, _, err := l.run(ctx); err != nil {
		return m, err
	}
	if err := r.settle(ctx, server); err != nil {
		return m, err
	}
	l.time = r.Time
	theirs, ours := processorTime(server.pid()), processorTime(os.Getpid())
	took, elapsed, err := l.run(ctx)
	if err != nil {
		return m, err
	}
	ours = processorTime(os.Getpid()) - ours
	after := start()
	err = r.settle(ctx, server)
	m = measured(took, elapsed, processorTime(server.pid())-theirs, ours)
	m.After = after.elapsed()
	return m, err
}

// served measures the service.
func (r *run) served(ctx context.Context, server *remote, o *operation, callers int) (Measure, error) {
	if o.alone {
		return r.oneByOne(ctx, server, o)
	}
	return r.load(ctx, server, server.Service, callers, o.most, o.next, o.answer)
}

// oneByOne makes each request when the jobs of the one before are done. After
// is how long those of one request took.
func (r *run) oneByOne(ctx context.Context, server *remote, o *operation) (m Measure, err error) {
	c, err := dial(ctx, server.Service, time.Duration(o.most)*longestJobs)
	if err != nil {
		return m, err
	}
	defer func() { _ = c.net.Close() }() // everything was read
	var took []time.Duration
	var requests, jobs time.Duration
	before := processorTime(server.pid())
	for range o.most {
		q, more := o.next(0)
		if !more {
			break
		}
		watch := start()
		if _, err := c.ask(q); err != nil {
			return m, err
		}
		took = append(took, watch.elapsed())
		requests += watch.elapsed()
		if err := r.settle(ctx, server); err != nil {
			return m, err
		}
		jobs += watch.elapsed() - took[len(took)-1]
	}
	slices.Sort(took)
	m = measured(took, requests, processorTime(server.pid())-before, 0)
	m.After = jobs / time.Duration(max(len(took), 1))
	return m, nil
}

func (r *run) floor(server *remote, callers int) (Measure, error) {
	before := processorTime(server.pid())
	var done FloorDone
	if err := server.call("Floor", FloorOf{Callers: callers, Time: r.Time}, &done); err != nil {
		return Measure{}, err
	}
	m := measured(make([]time.Duration, done.Calls), done.Took, processorTime(server.pid())-before, 0)
	m.P50, m.P99 = 0, 0
	return m, nil
}

// profiled are the operations whose processor time is worth a closer look.
var profiled = []string{"list", "join", "feed signed in", "threads", "publish followed", "send message"}

// profile writes a profile of the server under the load of an operation.
func (r *run) profile(ctx context.Context, server *remote, w *World, o *operation) error {
	if r.Profiles == "" || !slices.Contains(profiled, o.name) {
		return nil
	}
	dir, err := filepath.Abs(r.Profiles)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	path := filepath.Join(dir, fmt.Sprintf("%s-%d-%s.prof", w.Engine, w.Events, strings.ReplaceAll(o.name, " ", "_")))
	if err := server.call("StartProfile", path, nil); err != nil {
		return err
	}
	_, err = r.served(ctx, server, o, o.callers[len(o.callers)-1])
	return errors.Join(err, server.call("StopProfile", struct{}{}, nil))
}
