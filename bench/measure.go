package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moothall/bench/floor"
	"moothall/bench/load"
	"moothall/bench/report"
	"moothall/internal/platform/observe"
)

// processes are the processes that measure one dataset.
type processes struct {
	service, floors *remote
	postmaster      int // PostgreSQL's parent process; 0: unknown
}

// measure measures every operation of a prepared dataset.
func (r *runner) measure(ctx context.Context, p processes, d *report.Dataset, w *workload, c ServiceConfig,
	floors FloorsConfig) (err error) {
	if p.floors, err = r.start(ctx, "OpenFloors", floors); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.floors.stop()) }()
	if err := r.measureRequests(ctx, p, d, w, c); err != nil {
		return err
	}
	return r.measureDeliveries(ctx, p, d, w, c)
}

// measureRequests measures the service without mails and pushes.
func (r *runner) measureRequests(ctx context.Context, p processes, d *report.Dataset, w *workload, c ServiceConfig) (err error) {
	if p.service, err = r.start(ctx, "OpenService", c); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.service.stop()) }()
	if err := w.signInFollowers(ctx, p.service.Service, r.Followers); err != nil {
		return err
	}
	selected, twins := r.selected(w.operations()), r.selected(w.twin().operations())
	for i, o := range selected {
		fmt.Fprintf(r.Progress, "%s, %d events: %s (%d of %d)\n", d.Engine, d.Events, o.name, i+1, len(selected))
		rows, err := r.operation(ctx, p, o, twins[i])
		d.Rows = append(d.Rows, rows...)
		if err == nil {
			err = r.profile(ctx, p, d, o)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
	}
	d.Memory, d.LoadEnd = memoryOf(p.service.pid()), loadAverage()
	if i := slices.IndexFunc(selected, func(o *operation) bool { return o.name == threads }); i >= 0 {
		request, _ := selected[i].next(0)
		d.Memory.Response, err = r.held(ctx, p, request)
	}
	return err
}

// selected returns the operations to measure, and those that must run before them.
func (r *runner) selected(all []*operation) []*operation {
	if len(r.Only) == 0 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(o *operation) bool {
		return !slices.Contains(r.Only, o.name) && !slices.ContainsFunc(all, func(other *operation) bool {
			return other.needs == o.name && slices.Contains(r.Only, other.name)
		})
	})
}

// callersOf returns the numbers of callers to measure.
func (r *runner) callersOf(o *operation) []int {
	callers := o.callers
	if len(r.Callers) > 0 && o.most == 0 {
		callers = r.Callers
	}
	return slices.DeleteFunc(slices.Clone(callers), func(n int) bool { return n > r.Users })
}

// trial is the measurement of one operation with one number of callers.
type trial struct {
	*operation
	twin    *operation // for the plain handlers
	callers int
	sample  load.Request
}

// rounds is how often the service and the floors are measured in turn, so that other
// load on the machine affects all of them.
const rounds = 2

// operation measures one operation and its floors. twin is the operation for the plain
// handlers.
func (r *runner) operation(ctx context.Context, p processes, o, twin *operation) (rows []report.Row, err error) {
	err = r.warm(ctx, p.service.Service, o)
	if err == nil && o.plain {
		err = r.warm(ctx, p.floors.Plain, twin)
	}
	if err := errors.Join(err, r.awaitJobs(ctx, p.service)); err != nil {
		return nil, err
	}
	sample, like, err := r.sample(ctx, p, o)
	if err != nil {
		return nil, err
	}
	for _, n := range r.callersOf(o) {
		row, err := r.row(ctx, p, trial{operation: o, twin: twin, callers: n, sample: sample}, like)
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// held returns the memory in bytes that the service holds for one response that its
// client does not read.
func (r *runner) held(ctx context.Context, p processes, request load.Request) (bytes int64, err error) {
	clients, err := load.DialAll(ctx, p.service.Service, 4, load.Grace)
	defer load.CloseAll(clients)
	var before, now int64
	if err == nil {
		err = p.service.call("Live", struct{}{}, &before)
	}
	for _, c := range clients {
		err = errors.Join(err, c.Send(request))
	}
	if err != nil {
		return 0, err
	}
	time.Sleep(2 * r.Time) // until the service waits for the clients
	err = p.service.call("Live", struct{}{}, &now)
	for _, c := range clients {
		_, failed := c.Receive(request)
		err = errors.Join(err, failed)
	}
	each := int64(len(clients))
	return max(each, now-before) / each, err // never 0, which is unknown
}

// warm sends some requests to a server, so that its caches are warm however short the
// measurements are.
func (r *runner) warm(ctx context.Context, address string, o *operation) error {
	if o.first != nil {
		_, _, err := load.Load{Address: address, Callers: min(16, r.Users), Next: o.first.next}.Run(ctx)
		if err != nil {
			return err
		}
	}
	requests := int(min(4000, 2*r.Time/time.Millisecond))
	if o.most > 0 {
		requests = min(4, o.most)
	}
	callers := min(16, r.Users, slices.Max(o.callers))
	_, _, err := load.Load{Address: address, Callers: callers, Most: requests, Time: 2 * r.Time, Next: o.next, Received: o.received}.Run(ctx)
	return err
}

// row measures one number of callers. It adds the figures to a row.
func (r *runner) row(ctx context.Context, p processes, t trial, row report.Row) (_ report.Row, err error) {
	row.Callers = t.callers
	contenders := []struct {
		name string
		run  func(context.Context, processes, trial) (report.Usage, error)
		into *report.Measure
	}{
		{"the service", r.served, &row.Served},
		{"the bare handler", r.bare, &row.Bare},
		{"the plain handler", r.plain, &row.Plain},
		{"the counter", r.counter, &row.Counter},
	}
	totals := make([]report.Usage, len(contenders))
	for range rounds {
		for i, c := range contenders {
			part, err := c.run(ctx, p, t)
			if err != nil {
				return row, fmt.Errorf("%s: %w", c.name, err)
			}
			totals[i].Add(part)
		}
	}
	for i, c := range contenders {
		*c.into = totals[i].Measure()
	}
	row.Statements = int(row.Served.Statements + 0.5)
	return row, nil
}

// sample sends one request and makes the bare handler write its response. It
// returns the row of the operation without figures.
func (r *runner) sample(ctx context.Context, p processes, o *operation) (request load.Request, row report.Row, err error) {
	c, err := load.Dial(ctx, p.service.Service, load.Grace)
	if err != nil {
		return request, row, err
	}
	defer c.Close()
	request, more := o.next(0)
	if !more {
		return request, row, errors.New("no requests are left: measure with more --events or less --time")
	}
	response, err := c.Fetch(request)
	if err == nil && o.received != nil {
		err = o.received(0, response.Body)
	}
	if err != nil {
		return request, row, err
	}
	response.Header.Del("Date") // net/http adds its own
	if err := p.floors.call("SetBare", response, nil); err != nil {
		return request, row, err
	}
	row = report.Row{Operation: o.name, Bytes: len(response.Body)}
	return request, row, r.awaitJobs(ctx, p.service)
}

// awaitJobs waits until the queued jobs have run, so that the next measurement does not
// include them.
func (r *runner) awaitJobs(ctx context.Context, service *remote) error {
	const pause = 20 * time.Millisecond
	for range jobsTimeout / pause {
		var busy bool
		if err := service.call("Busy", struct{}{}, &busy); err != nil || !busy {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
	fmt.Fprintf(r.Progress, "jobs still run after %v and distort the next measurement\n", jobsTimeout)
	return nil
}

// jobsTimeout limits the wait for jobs.
const jobsTimeout = 2 * time.Minute

// usage returns the total usage of a server process and of PostgreSQL so far.
func (p processes) usage(server *remote) (u report.Usage, err error) {
	err = server.call("Usage", struct{}{}, &u)
	u.Database, u.Generator = familyTime(p.postmaster), observe.ProcessorTime()
	return u, err
}

// measured runs work and stores in part the usage of a server and PostgreSQL meanwhile.
func (p processes) measured(server *remote, part *report.Usage, work func() error) error {
	before, err := p.usage(server)
	if err != nil {
		return err
	}
	if err := work(); err != nil {
		return err
	}
	now, err := p.usage(server)
	part.Processor = now.Processor - before.Processor
	part.Database = now.Database - before.Database
	part.Allocations = now.Allocations - before.Allocations
	part.AllocatedBytes = now.AllocatedBytes - before.AllocatedBytes
	part.Statements = now.Statements - before.Statements
	if part.Generator > 0 {
		part.Generator -= before.Generator
	}
	return err
}

// warmUp is the time of the load before a measurement, as a share of its time.
const warmUp = 0.3

// loaded measures a server under a load. The processor time includes the jobs that the
// requests queue.
func (r *runner) loaded(ctx context.Context, p processes, server *remote, l load.Load, limit time.Duration) (part report.Usage, err error) {
	if l.Time = time.Duration(warmUp * float64(limit)); l.Most == 0 {
		if _, _, err := l.Run(ctx); err != nil {
			return part, err
		}
	}
	if err := r.awaitJobs(ctx, p.service); err != nil {
		return part, err
	}
	l.Time = limit
	err = p.measured(server, &part, func() (err error) {
		if part.Took, part.Total, err = l.Run(ctx); err != nil {
			return err
		}
		part.Requests, part.Generator = len(part.Took), observe.ProcessorTime()
		after := load.Start()
		err = r.awaitJobs(ctx, p.service)
		part.After = after.Elapsed()
		return err
	})
	return part, err
}

// served measures the service.
func (r *runner) served(ctx context.Context, p processes, t trial) (report.Usage, error) {
	if t.seen != nil {
		return r.oneByOne(ctx, p, t)
	}
	l := load.Load{Address: p.service.Service, Callers: t.callers, Most: t.most / rounds, Next: t.next, Received: t.received}
	if t.beside != nil {
		l.Beside = &load.Load{Address: l.Address, Callers: t.callers, PerSecond: besidePerSecond, Next: t.beside.next}
	}
	return r.loaded(ctx, p, p.service, l, r.Time/rounds)
}

// besidePerSecond is the rate of the requests beside an operation.
const besidePerSecond = 500

// oneByOne sends each request after the jobs of the previous one have run. After is the
// time from a request until everybody can read its effect; what reading costs does not count.
func (r *runner) oneByOne(ctx context.Context, p processes, t trial) (part report.Usage, err error) {
	c, err := load.Dial(ctx, p.service.Service, time.Duration(t.most)*jobsTimeout)
	if err != nil {
		return part, err
	}
	defer c.Close()
	for range t.most / rounds {
		request, more := t.next(0)
		if !more {
			break
		}
		var response []byte
		var asked, jobs report.Usage
		watch := load.Start()
		err := p.measured(p.service, &asked, func() (err error) {
			began := load.Start()
			response, err = c.Ask(request)
			asked.Requests, asked.Total = 1, began.Elapsed()
			asked.Took = append(asked.Took, asked.Total)
			return err
		})
		if err == nil {
			err = t.seen(c, response)
		}
		asked.After = watch.Elapsed()
		if err == nil {
			err = p.measured(p.service, &jobs, func() error { return r.awaitJobs(ctx, p.service) })
		}
		if err != nil {
			return part, err
		}
		part.Add(asked)
		part.Add(jobs)
	}
	part.After /= time.Duration(max(part.Requests, 1) * rounds)
	return part, nil
}

// floorTime returns the time of measuring a floor. It is shorter than that of the
// service, because floors need no percentiles.
func (r *runner) floorTime() time.Duration { return r.Time / rounds / 2 }

// bare measures the bare handler.
func (r *runner) bare(ctx context.Context, p processes, t trial) (report.Usage, error) {
	l := load.Load{Address: p.floors.Bare, Callers: t.callers, Next: func(int) (load.Request, bool) { return t.sample, true }}
	return r.loaded(ctx, p, p.floors, l, r.floorTime())
}

// plain measures the plain handlers.
func (r *runner) plain(ctx context.Context, p processes, t trial) (part report.Usage, err error) {
	if !t.operation.plain {
		return part, nil
	}
	l := load.Load{Address: p.floors.Plain, Callers: t.callers, Next: t.twin.next, Received: t.twin.received}
	return r.loaded(ctx, p, p.floors, l, r.floorTime())
}

// counter measures durable increments of one row, the floor of a write.
func (r *runner) counter(_ context.Context, p processes, t trial) (part report.Usage, err error) {
	if t.sample.Method == http.MethodGet {
		return part, nil
	}
	err = p.measured(p.floors, &part, func() error {
		var counted floor.Counted
		err := p.floors.call("Count", floor.CountArgs{Callers: t.callers, Limit: r.floorTime()}, &counted)
		part.Requests, part.Total = counted.Times, counted.Took
		return err
	})
	return part, err
}

// profile writes a profile of the service under the load of an operation.
func (r *runner) profile(ctx context.Context, p processes, d *report.Dataset, o *operation) error {
	return r.profiled(p, d, o.name, func() error {
		callers := r.callersOf(o)
		_, err := r.served(ctx, p, trial{operation: o, callers: callers[len(callers)-1]})
		return err
	})
}

// profiled writes a profile of the service while it runs a load. Without Profiles, it does nothing.
func (r *runner) profiled(p processes, d *report.Dataset, name string, run func() error) error {
	if r.Profiles == "" {
		return nil
	}
	dir, err := filepath.Abs(r.Profiles)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	path := filepath.Join(dir, fmt.Sprintf("%s-%d-%s.prof", d.Engine, d.Events, strings.ReplaceAll(name, " ", "_")))
	if err := p.service.call("StartProfile", path, nil); err != nil {
		return err
	}
	return errors.Join(run(), p.service.call("StopProfile", struct{}{}, nil))
}
