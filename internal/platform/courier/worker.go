package courier

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
	"moothall/internal/platform/observe"
	"moothall/internal/platform/outbound"
)

// Options configure a Worker.
type Options struct {
	Name       string // of the feature, in logs, traces and metrics
	DB         *db.DB
	Statements Statements
	// Target reads a row of Statements.Lease. It returns nil for a target that has to wait until the lease ends.
	Target   func(r db.Row, now time.Time) (domain.ID[any], Target, error)
	Written  <-chan struct{} // there may be new messages
	Clock    domain.Clock
	Logger   *slog.Logger
	Network  outbound.Network
	Loopback bool // allow http URLs of loopback addresses; for development
	Tracer   *observe.Tracer
}

// Worker sends the messages of a feature. Each instance runs one.
type Worker struct {
	Options
	client client
	shares *shares
	loops  *job.Loops
}

const (
	pollEvery  = time.Second
	perTarget  = 8                // messages to one target at the same time
	pace       = time.Second / 10 // for perTarget messages
	leaseTime  = time.Minute
	maxLease   = 2 * leaseTime    // a lease that ends later is ignored
	leaseRest  = 20 * time.Second // before the end of a lease, in which no attempt begins
	takeAtOnce = 32               // targets that are leased at the same time
	lookAtOnce = 1024             // candidates, of which those with free shares are leased
)

// New returns a worker.
func New(o Options) *Worker {
	return &Worker{Options: o, client: newClient(o), shares: newShares(), loops: job.NewLoops(o.Name, o.Logger, pollEvery)}
}

// Start starts sending. It runs until Stop.
func (w *Worker) Start(ctx context.Context) {
	w.loops.Loop(w.loops.Start(ctx), "look for due "+w.Name+" messages", w.serveDue, w.Written, nil)
}

// Stop begins no more attempts and waits for the attempts in progress. When ctx ends first, it cancels
// them; another worker repeats them after the lease.
func (w *Worker) Stop(ctx context.Context) error { return w.loops.Stop(ctx) }

// serveDue starts serving targets that have due messages. more reports whether there were any.
func (w *Worker) serveDue(ctx context.Context) (more bool, err error) {
	taken, err := w.take(ctx)
	for _, t := range taken {
		w.loops.Go(func() { w.serve(ctx, t) })
	}
	return len(taken) > 0, err
}

// RunDue sends everything that is due now. It is for tests and tools. It works with and without
// Start.
func (w *Worker) RunDue(ctx context.Context) error {
	for {
		taken, err := w.take(ctx)
		if err != nil || len(taken) == 0 {
			return err
		}
		var all sync.WaitGroup
		for _, t := range taken {
			all.Go(func() { w.serve(ctx, t) })
		}
		all.Wait()
	}
}

// leased is a target that this worker has leased, with its shares.
type leased struct {
	Target
	candidate
	lease domain.JobID
	ends  time.Time // of the lease
}

// take leases targets that have due messages, and takes their shares.
func (w *Worker) take(ctx context.Context) (taken []leased, err error) {
	now := w.Clock.Now()
	var due bool
	if err := w.DB.One(ctx, w.Statements.IsDue, now).Scan(&due); err != nil || !due {
		return nil, err
	}
	list, err := db.All(ctx, w.DB, func(r db.Row, c *candidate) error {
		var address string
		err := r.Scan(&c.id, &c.owner, &address, &c.proven)
		c.host = HostOf(address)
		return err
	}, w.Statements.Candidates, now, now.Add(maxLease), lookAtOnce)
	if err != nil {
		return nil, err
	}
	chosen := w.shares.take(list, takeAtOnce)
	taken, err = w.lease(ctx, chosen, now)
	for _, c := range chosen {
		if !slices.ContainsFunc(taken, func(t leased) bool { return t.id == c.id }) {
			w.shares.release(c)
		}
	}
	return taken, err
}

// lease leases those of the candidates that no worker has leased meanwhile.
func (w *Worker) lease(ctx context.Context, chosen []candidate, now time.Time) (taken []leased, err error) {
	if len(chosen) == 0 {
		return nil, nil
	}
	lease, ends := domain.RandomID[domain.JobKind](), now.Add(leaseTime)
	ids, byID := []domain.ID[any]{}, map[domain.ID[any]]candidate{}
	for _, c := range chosen {
		ids, byID[c.id] = append(ids, c.id), c
	}
	err = w.DB.InTx(ctx, func(tx db.Tx) error {
		taken = nil
		for r, err := range tx.Query(ctx, w.Statements.Lease, lease, ends, now, now.Add(maxLease), ids) {
			if err != nil {
				return err
			}
			id, target, err := w.Target(r, now)
			if err != nil {
				return err
			}
			if target != nil {
				taken = append(taken, leased{target, byID[id], lease, ends})
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

// serve sends due messages of a target until there are none, its lease is about to end, a batch has
// failed or a limit is reached. Then it ends the lease, and releases the shares.
func (w *Worker) serve(ctx context.Context, t leased) {
	defer w.shares.release(t.candidate)
	var wait time.Duration
	for more := true; more && !w.loops.IsStopping() && w.Clock.Now().Before(t.ends.Add(-leaseRest)); {
		pause := time.NewTimer(pace)
		var err error
		if more, wait, err = w.sendBatch(ctx, t); err != nil {
			w.Logger.ErrorContext(ctx, "cannot send "+w.Name+" messages", w.Name+"_id", t.id, "error", err)
			wait = pollEvery
			break
		}
		if more {
			select {
			case <-pause.C:
			case <-w.loops.Stopping():
			}
		}
		pause.Stop()
	}
	until := w.Clock.Now().Add(min(wait, leaseTime))
	_, _ = w.DB.Exec(context.WithoutCancel(ctx), w.Statements.Release, t.id, t.lease, until) // after an error, the lease expires
}

// sendBatch makes attempts for the messages that have been due the longest. wait is how long the
// limits allow no further message.
func (w *Worker) sendBatch(ctx context.Context, t Target) (more bool, wait time.Duration, err error) {
	now := w.Clock.Now()
	due, err := t.Due(ctx, now, perTarget)
	if err != nil || len(due) == 0 {
		return false, 0, err
	}
	count, wait, err := t.Allow(ctx, len(due))
	if err != nil || count == 0 {
		return false, wait, err
	}
	due = due[:count]
	results := make([]Result, len(due))
	var all sync.WaitGroup
	for i, m := range due {
		all.Go(func() { results[i] = w.send(ctx, m, now) })
	}
	all.Wait()
	if ctx.Err() != nil { // the service stops: the attempts were interrupted
		return false, 0, nil //nolint:nilerr // not an error of the database
	}
	goOn, err := t.Record(context.WithoutCancel(ctx), results)
	return goOn && len(due) == perTarget, wait, err
}

// send makes one attempt, as a part of the trace of the change that the message is about.
func (w *Worker) send(ctx context.Context, m Message, now time.Time) Result {
	ctx, span := w.Tracer.Begin(ctx, w.Name+" message", m.Trace)
	defer span.End(nil)
	span.SetText("kind", m.Kind)
	span.SetNumber("attempt", m.Attempts+1)
	r := w.client.send(ctx, m, now)
	if r.Failure != "" {
		span.Fail()
	}
	return r
}
