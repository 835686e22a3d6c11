package deliver

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"moothall/internal/domain"
	"moothall/internal/notify"
	"moothall/internal/platform/background"
	"moothall/internal/platform/db"
	"moothall/internal/platform/mail"
	"moothall/internal/user"
)

// Sender sends messages through one channel. It uses the network, so it is never called
// in a transaction.
type Sender interface {
	// Channel returns the channel of the deliveries that it sends.
	Channel() Channel
	// Parallel returns how many messages may be sent at the same time.
	Parallel() int
	// Send returns nil if the message was accepted, Permanent errors if it never will be, and
	// UnwantedError or PostponedError. No error contains personal data.
	Send(ctx context.Context, m Message) error
}

// Permanent is an error after which a delivery is not tried again.
type Permanent struct{ Err error }

// Error implements error.
func (p Permanent) Error() string { return p.Err.Error() }

// Unwrap returns the cause.
func (p Permanent) Unwrap() error { return p.Err }

// UnwantedError is an error that ends a delivery without a failure.
type UnwantedError struct{ Reason string }

// Error implements error.
func (u UnwantedError) Error() string { return u.Reason }

// PostponedError is an error that says when to try again.
type PostponedError struct {
	Err      error
	After    time.Duration // the usual pause, if that is longer
	NotTried bool          // counts as no attempt; only After counts
}

// Error implements error.
func (p PostponedError) Error() string { return p.Err.Error() }

// Unwrap returns the cause.
func (p PostponedError) Unwrap() error { return p.Err }

// Message is what a Sender sends.
type Message struct {
	ID       string // the same for every attempt
	User     domain.UserID
	Address  string         // of e-mail
	Target   domain.ID[any] // of push: the subscription
	Language string
	Kind     notify.Kind   // of the notification, or digest
	Items    []notify.Item // one, or those of a digest
	More     int           // items of the digest that are left out
	Picture  *Picture      // of the event; nil: none
	At       time.Time     // of this attempt
	Expires  time.Time     // when the message is of no use any more

	Appointment *Appointment // of e-mail: a message for calendar programs; nil: none
}

// Options configure a Worker. DB, Clock, Logger and Notifications are required.
type Options struct {
	DB              *db.DB
	Clock           domain.Clock
	Logger          *slog.Logger
	Notifications   *notify.Service
	DefaultTimezone string
	Senders         []Sender
	Grace           time.Duration // that a mail waits for its recipient to read the app
	Poll            time.Duration // interval of looking for due deliveries; 1 s when zero
}

// Worker plans and sends deliveries. Each instance runs one.
type Worker struct {
	Options
	metrics *metrics
	written <-chan struct{} // hints that the outbox has rows
	loops   *background.Loops
}

// NewWorker returns a worker. Without senders it does nothing, and nothing is written to
// the outbox.
func NewWorker(o Options) *Worker {
	if o.Poll == 0 {
		o.Poll = time.Second
	}
	w := &Worker{Options: o, metrics: newMetrics(o), loops: background.New("deliver", o.Logger, o.Poll)}
	if len(o.Senders) > 0 {
		w.written = o.DB.Hints(notify.OutboxTopic)
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
	w.loops.Loop(ctx, "plan deliveries", w.plan, w.written, nil)
	for _, s := range w.Senders {
		slots := make(chan struct{}, s.Parallel())
		send := func(ctx context.Context) (bool, error) { return w.sendBatch(ctx, s, slots) }
		w.loops.Loop(ctx, "send deliveries", send, w.written, nil)
	}
}

// Stop begins no more deliveries and waits for those that are being sent. When ctx ends
// first, it cancels them.
func (w *Worker) Stop(ctx context.Context) error { return w.loops.Stop(ctx) }

// RunDue plans and sends everything that is due now, one after the other. It is for tests
// and tools, with or without Start.
func (w *Worker) RunDue(ctx context.Context) error {
	if len(w.Senders) == 0 {
		return nil
	}
	steps := []func(context.Context) (bool, error){w.plan}
	for _, s := range w.Senders {
		steps = append(steps, func(ctx context.Context) (bool, error) { return w.sendBatch(ctx, s, nil) })
	}
	for _, step := range steps {
		for {
			more, err := step(ctx)
			if err != nil {
				return err
			}
			if !more {
				break
			}
		}
	}
	return nil
}

// leaseRest is the rest of a lease in which no delivery is begun: it is enough for one, and to
// record its end.
const leaseRest = mail.MaxSend + 5*time.Second

// sendBatch sends due deliveries. With slots, each one gets a slot and goes on in the
// background, so that a slow one holds up no other. more reports whether there may be others.
func (w *Worker) sendBatch(ctx context.Context, s Sender, slots chan struct{}) (more bool, err error) {
	due, err := take(ctx, w.DB, s.Channel(), w.Clock.Now())
	if err != nil {
		return false, err
	}
	for _, d := range due {
		if slots == nil {
			err = errors.Join(err, w.sendOne(ctx, s, d))
			continue
		}
		slots <- struct{}{}
		w.loops.Go(func() {
			defer func() { <-slots }()
			if err := w.sendOne(ctx, s, d); err != nil {
				w.Logger.ErrorContext(ctx, "cannot send a delivery", "channel", d.channel, "error", err)
			}
		})
	}
	return len(due) > 0, err
}

// sendOne processes a delivery, unless the worker stops or the lease is about to end.
func (w *Worker) sendOne(ctx context.Context, s Sender, d delivery) error {
	now := w.Clock.Now()
	if w.loops.IsStopping() || !now.Before(d.leaseEnds.Add(-leaseRest)) {
		return d.delay(ctx, w.DB, "", now, d.attempts-1)
	}
	return w.process(ctx, s, d, now)
}

// process decides about one delivery, sends it, and records the result.
func (w *Worker) process(ctx context.Context, s Sender, d delivery, now time.Time) error {
	if !now.Before(d.expires) {
		return w.finish(ctx, d, failed, "expired", now)
	}
	if d.kind == digestKind {
		return w.processDigest(ctx, s, d, now)
	}
	f, item, err := w.look(ctx, d.key, d.kind, now)
	if errors.Is(err, domain.NotFound) {
		return w.finish(ctx, d, skipped, accountGone, now)
	}
	if err != nil {
		return errors.Join(err, d.delay(ctx, w.DB, "cannot read the notification", now.Add(retryAfter(d.attempts)), d.attempts))
	}
	p := policyOf[d.kind]
	switch reason := f.skip(d.key, d.kind, item, now); {
	case d.kind == AppointmentKind, reason == readInApp && d.channel == Email && p.appointment:
		return w.processAppointment(ctx, s, d, f, now)
	case reason != "":
		return w.finish(ctx, d, skipped, reason, now)
	}
	zone := f.location(w.DefaultTimezone)
	if f.modeOf(p, d.channel) == Digest {
		return d.addToDigest(ctx, w.DB, f.nextDigest(now, zone))
	}
	if until, quiet := f.wait(p, now, zone); quiet {
		return d.delay(ctx, w.DB, "quiet hours", until, d.attempts-1)
	}
	a, err := w.appointmentOf(ctx, &d, f, now)
	if err != nil {
		return w.appointmentFailed(ctx, d, err, now)
	}
	return w.send(ctx, s, d, f, content{items: []notify.Item{item}, appointment: a}, now)
}

// maxItems is how many notifications a digest shows.
const maxItems = 50

// processDigest sends those deliveries of a digest that are still wanted and allowed.
func (w *Worker) processDigest(ctx context.Context, s Sender, d delivery, now time.Time) error {
	all, err := d.items(ctx, w.DB)
	if err != nil {
		return err
	}
	var items []notify.Item
	var recipient facts
	more := 0
	for _, i := range all {
		f, item, err := w.look(ctx, i.key, i.kind, now)
		switch {
		case errors.Is(err, domain.NotFound):
			return w.finish(ctx, d, skipped, accountGone, now)
		case err != nil:
			return err
		case f.skip(i.key, i.kind, item, now) != "":
		case len(items) == maxItems:
			more++
		default:
			recipient, items = f, append(items, item)
		}
	}
	if len(items) == 0 {
		return w.finish(ctx, d, skipped, "nothing is left of the digest", now)
	}
	return w.send(ctx, s, d, recipient, content{items: items, more: more}, now)
}

// content is what a message tells.
type content struct {
	items       []notify.Item
	more        int
	appointment *Appointment
}

// send sends a message and records the result. If the process ends in between, the message
// is sent again, with the same id.
func (w *Worker) send(ctx context.Context, s Sender, d delivery, f facts, c content, now time.Time) error {
	m := Message{
		ID: d.id(), User: d.user, Target: d.target, Language: f.languageTag(), Kind: d.kind, At: now, Expires: f.usefulUntil(d),
		Items: c.items, More: c.more, Appointment: c.appointment, Picture: f.picture(c.items[0]),
	}
	var err error
	if d.channel == Email {
		if m.Address, err = f.address(); err != nil {
			return w.finish(ctx, d, failed, "the address is invalid", now)
		}
	}
	began := w.Clock.Now()
	err = s.Send(ctx, m)
	now = w.Clock.Now()
	w.metrics.took(d.channel, now.Sub(began))
	ctx = context.WithoutCancel(ctx) // the result counts
	var permanent Permanent
	var unwanted UnwantedError
	var postponed PostponedError
	switch {
	case err == nil:
		return w.finish(ctx, d, sent, "", now)
	case errors.As(err, &permanent):
		return errors.Join(w.finish(ctx, d, failed, err.Error(), now), w.countRefusal(ctx, d.user, err, now))
	case errors.As(err, &unwanted):
		return w.finish(ctx, d, skipped, unwanted.Reason, now)
	case errors.As(err, &postponed) && postponed.NotTried:
		return d.delay(ctx, w.DB, err.Error(), now.Add(postponed.After), d.attempts-1)
	}
	next := now.Add(max(retryAfter(d.attempts), postponed.After))
	if next.After(d.expires) {
		return w.finish(ctx, d, failed, err.Error(), now)
	}
	w.metrics.count(d.channel, d.kind, "retried")
	return d.delay(ctx, w.DB, err.Error(), next, d.attempts)
}

// countRefusal counts a refusal that is the fault of the address.
func (w *Worker) countRefusal(ctx context.Context, id domain.UserID, err error, now time.Time) error {
	var refused *mail.Refusal
	if !errors.As(err, &refused) || severityOf(refused.Status) == noFault {
		return nil
	}
	return w.DB.InTx(ctx, func(tx db.Tx) error {
		user.Lock(ctx, tx, id)
		return recordBounce(ctx, tx, id, refused.Status, now)
	})
}

// finish records the end of a delivery; that of a digest also for its items.
func (w *Worker) finish(ctx context.Context, d delivery, s state, reason string, now time.Time) error {
	w.metrics.count(d.channel, d.kind, string(s))
	if s == failed {
		w.Logger.WarnContext(ctx, "a delivery has failed", "channel", d.channel, "kind", d.kind, "attempts", d.attempts, "error", reason)
	}
	if d.kind == digestKind {
		return d.endWithItems(ctx, w.DB, s, reason, now)
	}
	return d.end(ctx, w.DB, s, reason, now)
}

// retries are the pauses after failed attempts; the last one repeats.
var retries = []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 8 * time.Hour, 24 * time.Hour}

func retryAfter(attempts int) time.Duration {
	return retries[min(max(attempts, 1), len(retries))-1]
}
