package mail

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
	"moothall/internal/platform/observe"
)

// Options configure a Worker. DB, Clock, Logger and Notifications are required.
type Options struct {
	DB              *db.DB
	Clock           domain.Clock
	Logger          *slog.Logger
	Notifications   *notify.Service
	DefaultTimezone string
	Senders         []Sender
	Grace           time.Duration // delay of a mail, in which its recipient may read the app
	Poll            time.Duration // interval of polling for due deliveries; zero: 1 s
	Tracer          *observe.Tracer
	Stops           Stops
	Attendance      *attendance.Service
}

// Worker plans and sends deliveries. Each instance runs one.
type Worker struct {
	Options
	metrics *metrics
	written <-chan struct{} // an outbox may have new rows
	loops   *job.Loops

	planning   sync.Mutex   // held by plan
	schedulers []*scheduler // started by Start
}

// NewWorker returns a worker. Without senders it does nothing, and nothing is written to
// the outbox.
func NewWorker(o Options) *Worker {
	if o.Poll == 0 {
		o.Poll = time.Second
	}
	w := &Worker{Options: o, metrics: newMetrics(o), loops: job.NewLoops("deliver", o.Logger, o.Poll)}
	if len(o.Senders) > 0 {
		w.written = o.DB.Subscribe(notify.OutboxTopic)
	}
	return w
}

// Channels returns the channels that the worker sends through.
func (w *Worker) Channels() []Channel {
	all := []Channel{}
	for _, s := range w.Senders {
		all = append(all, s.Channel())
	}
	return all
}

// Start starts planning and sending. They run until Stop.
func (w *Worker) Start(ctx context.Context) {
	if len(w.Senders) == 0 {
		return
	}
	ctx = w.loops.Start(ctx)
	w.loops.Loop(ctx, "plan deliveries", w.planStep, w.written, nil)
	w.loops.Loop(ctx, "plan deliveries about chats", w.planChats, nil, nil)
	for _, s := range w.Senders {
		d := w.newScheduler(s, s.Parallel())
		w.schedulers = append(w.schedulers, d)
		w.loops.Loop(ctx, "send deliveries", d.sendBatch, w.DB.Subscribe(plannedTopic), nil)
	}
}

// Stop starts no more deliveries and waits for the deliveries in progress. When ctx ends first, it
// cancels them.
func (w *Worker) Stop(ctx context.Context) error { return w.loops.Stop(ctx) }

// RunDue plans and sends everything that is due now, one message at a time. It is for tests and
// tools. It works with and without Start.
func (w *Worker) RunDue(ctx context.Context) error {
	if len(w.Senders) == 0 {
		return nil
	}
	for _, step := range []func(context.Context) (more bool, err error){w.plan, w.releaseDue, w.planChats} {
		for more := true; more; {
			var err error
			if more, err = step(ctx); err != nil {
				return err
			}
		}
	}
	for _, d := range w.schedulers {
		d.leasing.Lock()
		defer d.leasing.Unlock() //nolint:gocritic // all are held until the end; there are two
		d.await()
	}
	for _, s := range w.Senders {
		if err := w.sendDue(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

func (w *Worker) sendDue(ctx context.Context, s Sender) error {
	d := w.newScheduler(s, 1)
	for {
		more, err := d.sendBatch(ctx)
		d.await()
		if err != nil || !more {
			return err
		}
	}
}
