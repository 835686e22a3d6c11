// Package bench measures the service against floors of the same run: a bare
// net/http handler that writes the same bytes, and the engine's own driver
// running the same statements. The server and the generator of the load are two
// processes, each on cores of its own where that can be arranged.
package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"moothall/internal/platform/db"
)

// Options say what to measure.
type Options struct {
	Engines   []db.Engine
	Events    []int         // the worlds, by size
	Callers   []int         // instead of the numbers of most operations
	Only      []string      // names of operations; empty: all
	People    int           // how many sign in, at most MostPeople; each caller is one of them
	Followers int           // of the organizer whom most follow; 100,000 when zero
	Posts     int           // about each of the events that people talk about; 20 when zero
	Time      time.Duration // of one measurement
	Samples   int           // how many requests are recorded for a floor
	Dir       string        // where databases are made; the seeded ones stay
	Postgres  string        // URL of a server on which databases may be made
	Profiles  string        // directory for a profile of each operation; empty: none
	Server    []string      // the program, with arguments, that calls Serve
	Service   []string      // the program, with arguments, that is the service; its settings are in the environment; empty: its start is not measured
	Pin       bool          // keep server and generator on cores of their own
	Progress  io.Writer
}

// Names are the operations there are.
func Names() []string {
	var names []string
	for _, o := range new(requests).operations() {
		names = append(names, o.name)
	}
	return names
}

// Run measures everything asked for. What it has measured before an error is
// in the report.
func Run(ctx context.Context, o Options) (report *Report, err error) {
	report = &Report{}
	if err := os.MkdirAll(o.Dir, 0o750); err != nil {
		return report, err
	}
	if report.Machine, err = describe(o.Dir); err != nil {
		return report, err
	}
	r := run{Options: o}
	if o.Pin {
		if err := r.pin(ctx, &report.Machine); err != nil {
			return report, err
		}
	}
	for _, engine := range o.Engines {
		for _, events := range o.Events {
			w, err := r.world(ctx, engine, events)
			if w != nil {
				report.Worlds = append(report.Worlds, *w)
			}
			if err != nil {
				return report, fmt.Errorf("bench: %v, %d events: %w", engine, events, err)
			}
		}
	}
	return report, nil
}

// run is Options and what follows from them.
type run struct {
	Options
	serverCores []string
	cores       []string // all of them
}

func (r *run) pin(ctx context.Context, m *Machine) error {
	server, generator, ok := halves()
	if !ok {
		fmt.Fprintln(r.Progress, "server and generator share the cores: there are not two, or no taskset to pin with")
		return nil
	}
	r.serverCores, r.cores = server, slices.Concat(server, generator)
	m.Server, m.Generator = strings.Join(server, ","), strings.Join(generator, ",")
	return pinSelf(ctx, generator)
}

func (r *run) store(engine db.Engine) store {
	if engine == db.SQLite {
		return files{r.Dir}
	}
	return &postgresStore{r.Postgres}
}

// world measures one size on one engine.
func (r *run) world(ctx context.Context, engine db.Engine, events int) (w *World, err error) {
	s := r.store(engine)
	w = &World{Engine: engine.String(), Events: events, Users: usersOf(events), Followers: cmp.Or(r.Followers, mostFollowed), Load: loadAverage()}
	if w.Version, err = s.version(ctx); err != nil {
		return nil, err
	}
	st := &stage{engine: engine}
	if st.postmaster, err = s.process(ctx); err != nil {
		return nil, err
	}
	name, err := seeded(ctx, s, events, r.Progress)
	if err != nil {
		return nil, err
	}
	copied := fmt.Sprintf("moothall_bench_run_%d", os.Getpid())
	twin := copied + "_twin"
	defer func() {
		ctx := context.WithoutCancel(ctx)
		err = errors.Join(err, s.drop(ctx, copied), s.drop(ctx, twin))
	}()
	if err := s.copy(ctx, name, copied); err != nil {
		return nil, err
	}
	clock := clockFrom(epoch)
	q, err := r.prepare(ctx, Config{Database: s.url(copied), Now: clock.Now()})
	if err != nil {
		return nil, err
	}
	w.Attendances = q.attendances
	if err := s.copy(ctx, copied, twin); err != nil { // everybody is signed in there, too
		return nil, err
	}
	if w.Start, err = r.firstAnswer(ctx, s.url(twin)); err != nil {
		return nil, err
	}
	return w, r.measure(ctx, st, w, q, Config{Database: s.url(copied), Now: clock.Now()}, Floors{Database: s.url(copied), Twin: s.url(twin)})
}

// prepare gathers what requests are made of.
func (r *run) prepare(ctx context.Context, c Config) (q *requests, err error) {
	q = &requests{}
	fmt.Fprintln(r.Progress, "preparing people, followers and words")
	if q.facts, err = readFacts(ctx, c.Database, r.People); err != nil {
		return nil, err
	}
	server, err := r.start(ctx, "Open", c)
	if err != nil {
		return nil, err
	}
	people, popular, host, err := r.throughAPI(ctx, server, q)
	if err := errors.Join(err, server.stop()); err != nil {
		return nil, err
	}
	if err := follow(ctx, c.Database, popular.CurrentUser.User.ID, cmp.Or(r.Followers, mostFollowed)); err != nil {
		return nil, err
	}
	if err := followMany(ctx, c.Database, people[:min(curious, len(people))]); err != nil {
		return nil, err
	}
	return q, q.circle.discuss(ctx, c.Database, host, cmp.Or(r.Posts, mostPosts))
}

// throughAPI prepares what a service is needed for.
func (r *run) throughAPI(ctx context.Context, server *remote, q *requests) (people []login, popular, host login, err error) {
	n := len(q.people)
	logins, err := signIn(ctx, server.Service, slices.Concat(q.people, q.people, []string{popularEmail, hostEmail}))
	if err != nil {
		return nil, popular, host, err
	}
	people, popular, host = logins[:n], logins[2*n], logins[2*n+1]
	for i, person := range people {
		q.tokens = append(q.tokens, person.Access)
		q.refreshes = append(q.refreshes, logins[n+i].Refresh)
	}
	if q.popular, err = popularOrganizer(ctx, server.Service, popular); err != nil {
		return nil, popular, host, err
	}
	if q.circle, err = together(ctx, server.Service, host, people[n/2:]); err != nil {
		return nil, popular, host, err
	}
	return people, popular, host, r.settle(ctx, server)
}
