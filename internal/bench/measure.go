package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moothall/internal/platform/db"
)

// stage is the processes of one world: the service, the floors and what is
// known of PostgreSQL's.
type stage struct {
	engine          db.Engine
	service, floors *remote
	postmaster      int // 0: not known
}

// measure measures every operation in a world that is ready.
func (r *run) measure(ctx context.Context, st *stage, w *World, q *requests, c Config, f Floors) (err error) {
	if st.service, err = r.start(ctx, "Open", c); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.service.stop()) }()
	if st.floors, err = r.start(ctx, "OpenFloors", f); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.floors.stop()) }()
	selected := r.selected(q.operations())
	for i, o := range selected {
		fmt.Fprintf(r.Progress, "%s, %d events: %s (%d of %d)\n", w.Engine, w.Events, o.name, i+1, len(selected))
		rows, err := r.operation(ctx, st, o)
		w.Rows = append(w.Rows, rows...)
		if err == nil {
			err = r.profile(ctx, st, w, o)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
	}
	w.Memory, w.LoadEnd = memoryOf(st.service.pid()), loadAverage()
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

// callersOf is how many ask at a time, each number measured.
func (r *run) callersOf(o *operation) []int {
	callers := o.callers
	if len(r.Callers) > 0 && o.most == 0 {
		callers = r.Callers
	}
	return slices.DeleteFunc(slices.Clone(callers), func(n int) bool { return n > r.People })
}

// operation measures one operation and its floors.
func (r *run) operation(ctx context.Context, st *stage, o *operation) (rows []Row, err error) {
	statements, err := r.record(ctx, st, o)
	if err != nil {
		return nil, err
	}
	sample, err := r.sample(ctx, st, o)
	if err != nil {
		return nil, err
	}
	callers := r.callersOf(o)
	for i, n := range callers {
		t := turn{operation: o, callers: n, sample: sample, of: len(callers) * rounds}
		row, err := r.row(ctx, st, t, i*rounds)
		if err != nil {
			return rows, err
		}
		row.Statements = statements
		if o.cold != nil {
			row.Statements = int(row.Served.Statements + 0.5)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// turn is one part of a measurement.
type turn struct {
	*operation
	callers  int
	sample   sampled
	part, of int // of the requests recorded
}

// rounds are the parts of a measurement, in each of which the service and its
// floors take turns: what else the machine does concerns all of them.
const rounds = 2

// row measures an operation with one number of callers.
func (r *run) row(ctx context.Context, st *stage, t turn, first int) (row Row, err error) {
	contenders := []struct {
		name string
		run  func(context.Context, *stage, turn) (sums, error)
		into *Measure
		sums sums
	}{
		{"the service", r.served, &row.Served, sums{}},
		{"the bare handler", r.bare, &row.Bare, sums{}},
		{"the engine's own statements", r.floor, &row.Statement, sums{}},
		{"the counter", r.counter, &row.Counter, sums{}},
	}
	for round := range rounds {
		t.part = first + round
		for i := range contenders {
			c := &contenders[i]
			part, err := c.run(ctx, st, t)
			if err != nil {
				return row, fmt.Errorf("%s: %w", c.name, err)
			}
			c.sums.add(part)
		}
	}
	for _, c := range contenders {
		*c.into = c.sums.measure()
	}
	row.Operation, row.Callers, row.Bytes = t.name, t.callers, len(t.sample.Body)
	return row, nil
}

// longestJobs is how long jobs are waited for.
const longestJobs = 2 * time.Minute

// settle waits until the jobs are done that requests have left for later: they
// are not the cost of what is measured next.
func (r *run) settle(ctx context.Context, service *remote) error {
	const pause = 20 * time.Millisecond
	for range longestJobs / pause {
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
	fmt.Fprintf(r.Progress, "jobs still run after %v, beside what is measured\n", longestJobs)
	return nil
}

// warmUp is the part of a measurement's time that goes before it.
const warmUp = 0.3

// loaded measures a load from quiet to quiet: the processor time includes the
// jobs that the requests leave for later.
func (r *run) loaded(ctx context.Context, st *stage, server *remote, l load, limit time.Duration) (part sums, err error) {
	l.time = time.Duration(warmUp * float64(limit))
	if _, _, err := l.run(ctx); err != nil {
		return part, err
	}
	if err := r.settle(ctx, st.service); err != nil {
		return part, err
	}
	l.time = limit
	before, err := st.spent(server)
	if err != nil {
		return part, err
	}
	if part.took, part.all, err = l.run(ctx); err != nil {
		return part, err
	}
	part.requests = len(part.took)
	generated := ownTime()
	after := start()
	if err := r.settle(ctx, st.service); err != nil {
		return part, err
	}
	part.after = after.elapsed()
	now, err := st.spent(server)
	now.generator = generated
	part.spent = now.since(before)
	return part, err
}

// served measures the service.
func (r *run) served(ctx context.Context, st *stage, t turn) (sums, error) {
	if t.alone {
		return r.oneByOne(ctx, st, t)
	}
	l := load{address: st.service.Service, callers: t.callers, most: t.most / rounds, next: t.next, answer: t.answer}
	return r.loaded(ctx, st, st.service, l, r.Time/rounds)
}

// Floors need no percentiles, and so less time.
func (r *run) shorter() time.Duration { return r.Time / rounds / 2 }

// bare measures the handler that writes the same bytes.
func (r *run) bare(ctx context.Context, st *stage, t turn) (sums, error) {
	l := load{address: st.floors.Bare, callers: t.callers, next: func(int) (request, bool) { return t.sample.request, true }}
	return r.loaded(ctx, st, st.floors, l, r.shorter())
}

// oneByOne makes each request when the jobs of the one before are done. After
// is how long those of one request took.
func (r *run) oneByOne(ctx context.Context, st *stage, t turn) (part sums, err error) {
	c, err := dial(ctx, st.service.Service, time.Duration(t.most)*longestJobs)
	if err != nil {
		return part, err
	}
	defer func() { _ = c.net.Close() }() // everything was read
	before, err := st.spent(st.service)
	if err != nil {
		return part, err
	}
	for range t.most / rounds {
		q, more := t.next(0)
		if !more {
			break
		}
		watch := start()
		if _, err := c.ask(q); err != nil {
			return part, err
		}
		took := watch.elapsed()
		part.took, part.all = append(part.took, took), part.all+took
		if err := r.settle(ctx, st.service); err != nil {
			return part, err
		}
		part.after += watch.elapsed() - took
	}
	part.requests = len(part.took)
	part.after /= time.Duration(max(part.requests, 1) * rounds)
	now, err := st.spent(st.service)
	part.spent = now.since(before)
	part.spent.generator = 0
	return part, err
}

// floor measures the engine's own statements.
func (r *run) floor(_ context.Context, st *stage, t turn) (sums, error) {
	return r.play(st, "Ready", FloorOf{Callers: t.callers, Part: t.part, Of: t.of})
}

// counter measures how fast one row can be counted up.
func (r *run) counter(_ context.Context, st *stage, t turn) (sums, error) {
	if !t.counter || st.engine == db.SQLite {
		return sums{}, nil
	}
	return r.play(st, "ReadyToCount", FloorOf{Callers: t.callers})
}

func (r *run) play(st *stage, ready string, of FloorOf) (part sums, err error) {
	if err := st.floors.call(ready, of, nil); err != nil {
		return part, err
	}
	before, err := st.spent(st.floors)
	if err != nil {
		return part, err
	}
	var done FloorDone
	if err := st.floors.call("Floor", r.shorter(), &done); err != nil {
		return part, err
	}
	now, err := st.spent(st.floors)
	part.requests, part.all, part.spent = done.Calls, done.Took, now.since(before)
	return part, err
}

// profile writes a profile of the server under the load of an operation.
func (r *run) profile(ctx context.Context, st *stage, w *World, o *operation) error {
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
	path := filepath.Join(dir, fmt.Sprintf("%s-%d-%s.prof", w.Engine, w.Events, strings.ReplaceAll(o.name, " ", "_")))
	if err := st.service.call("StartProfile", path, nil); err != nil {
		return err
	}
	callers := r.callersOf(o)
	_, err = r.served(ctx, st, turn{operation: o, callers: callers[len(callers)-1]})
	return errors.Join(err, st.service.call("StopProfile", struct{}{}, nil))
}
