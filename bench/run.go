package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"moothall/bench/plain"
	"moothall/bench/report"
	"moothall/internal/platform/db"
)

// options are the options of a run.
type options struct {
	Engines   []db.Engine
	Events    []int         // size of each dataset
	Callers   []int         // instead of each operation's own numbers
	Only      []string      // names of operations; empty: all
	Users     int           // signed-in users, at most maxCallers
	Followers int           // of the most followed organizer
	Posts     int           // about each event of the group
	Time      time.Duration // of one measurement
	Dir       string        // of the databases; the seeded ones stay
	Postgres  string        // URL of a server
	Profiles  string        // directory for profiles; empty: none
	Server    []string      // command that runs runServer
	Service   []string      // command that runs the service
	Starts    int           // how often its start is measured; 0: not at all
	Pin       bool          // pin server and generator to different cores
	Progress  io.Writer
}

// runner is the options with the cores that they choose.
type runner struct {
	options
	serverCores []string
	cores       []string // all
}

// run measures the selected datasets and operations. After an error the report contains
// the earlier measurements.
func run(ctx context.Context, o options) (result *report.Report, err error) {
	result = &report.Report{Machine: describeMachine()}
	if err := os.MkdirAll(o.Dir, 0o750); err != nil {
		return result, err
	}
	r := runner{options: o}
	if o.Pin {
		if err := r.pin(ctx, &result.Machine); err != nil {
			return result, err
		}
	}
	for _, engine := range o.Engines {
		for _, events := range o.Events {
			d, err := r.dataset(ctx, engine, events)
			result.Datasets = append(result.Datasets, d)
			if err != nil {
				return result, fmt.Errorf("%v, %d events: %w", engine, events, err)
			}
		}
	}
	return result, nil
}

func (r *runner) pin(ctx context.Context, m *report.Machine) error {
	server, generator, ok := splitCores()
	if !ok {
		fmt.Fprintln(r.Progress, "server and generator share the cores: pinning needs taskset and two cores")
		return nil
	}
	r.serverCores, r.cores = server, slices.Concat(server, generator)
	m.Server, m.Generator = strings.Join(server, ","), strings.Join(generator, ",")
	return pinSelf(ctx, generator)
}

func (r *runner) store(engine db.Engine) store {
	if engine == db.SQLite {
		return files{r.Dir}
	}
	return postgresStore{r.Postgres}
}

// dataset measures one size on one engine. It works on copies of the seeded
// database.
func (r *runner) dataset(ctx context.Context, engine db.Engine, events int) (d report.Dataset, err error) {
	s := r.store(engine)
	d = report.Dataset{Engine: engine.String(), Events: events, Users: usersOf(events), Followers: r.Followers, Load: loadAverage()}
	if d.Version, err = s.version(ctx); err != nil {
		return d, err
	}
	var p processes
	if p.postmaster, err = s.process(ctx); err != nil {
		return d, err
	}
	name, err := seeded(ctx, s, events, r.Progress)
	if err != nil {
		return d, err
	}
	data := fmt.Sprintf("moothall_bench_run_%d", os.Getpid())
	counter, peer := data+"_counter", data+"_plain"
	defer func() {
		ctx := context.WithoutCancel(ctx)
		err = errors.Join(err, s.drop(ctx, data), s.drop(ctx, counter), s.drop(ctx, peer))
	}()
	if r.Starts > 0 {
		if err := s.copy(ctx, name, data); err != nil {
			return d, err
		}
		if d.Start, d.FirstCreate, err = r.measureStart(ctx, s.url(data)); err != nil {
			return d, err
		}
		if err := s.drop(ctx, data); err != nil { // the start has changed it
			return d, err
		}
	}
	if err := errors.Join(s.copy(ctx, name, data), s.create(ctx, counter)); err != nil {
		return d, err
	}
	c := ServiceConfig{Database: s.url(data), Now: epoch}
	w, err := r.prepare(ctx, c)
	if err != nil {
		return d, err
	}
	d.Attendances = w.attendances
	floors := FloorsConfig{Counter: s.url(counter), Plain: s.url(peer), Now: epoch}
	if slices.ContainsFunc(r.selected(w.operations()), func(o *operation) bool { return o.plain }) {
		fmt.Fprintln(r.Progress, "filling the tables of the plain handlers")
		attach, err := s.beside(ctx, data, peer)
		if err != nil {
			return d, err
		}
		if err := plain.Fill(ctx, floors.Plain, attach); err != nil {
			return d, err
		}
	}
	err = r.measure(ctx, p, &d, w, c, floors)
	return d, err
}
