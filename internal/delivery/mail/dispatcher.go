package mail

import (
	"context"
	"errors"
	"sync"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/smtp"
)

// dispatcher sends the deliveries of one channel. A delivery holds a send permit from the read of its
// facts until its result is recorded. So the facts are fresh when a message is sent, and a crash
// repeats at most as many messages as there are permits.
type dispatcher struct {
	*Worker
	sender      Sender
	sendPermits chan struct{}
	leasing     sync.Mutex // held from the lease of deliveries until they have send permits

	mu        sync.Mutex
	results   []result // not recorded yet
	recording bool
}

// result queues the statements that record the outcome of a delivery.
type result func(ctx context.Context, tx db.Tx)

func (w *Worker) newDispatcher(s Sender, permits int) *dispatcher {
	return &dispatcher{Worker: w, sender: s, sendPermits: make(chan struct{}, permits)}
}

// await waits until the results of all deliveries are recorded.
func (d *dispatcher) await() {
	for range cap(d.sendPermits) {
		d.sendPermits <- struct{}{}
	}
	d.release(cap(d.sendPermits))
}

// acquire waits for a send permit, and takes up to n if more are free.
func (d *dispatcher) acquire(n int) (acquired int) {
	d.sendPermits <- struct{}{}
	for acquired = 1; acquired < n; acquired++ {
		select {
		case d.sendPermits <- struct{}{}:
		default:
			return acquired
		}
	}
	return acquired
}

func (d *dispatcher) release(n int) {
	for range n {
		<-d.sendPermits
	}
}

// leaseRest is how long before the end of a lease the dispatcher stops sending: enough to send one
// message and to record its result.
const leaseRest = smtp.MaxSend + maxPaceWait + 5*time.Second

// sendBatch leases due deliveries and sends them in the background, as send permits become free. more
// reports whether there may be others.
func (d *dispatcher) sendBatch(ctx context.Context) (more bool, err error) {
	d.leasing.Lock()
	defer d.leasing.Unlock()
	due, err := take(ctx, d.DB, d.sender.Channel(), d.Clock.Now())
	for rest := due; len(rest) > 0; {
		n := d.acquire(len(rest))
		d.dispatch(ctx, rest[:n])
		rest = rest[n:]
	}
	return len(due) > 0, err
}

// dispatch reads the facts of deliveries in one batch and processes each delivery in the background.
// If the worker stops or their lease is about to end, it returns them to the queue.
func (d *dispatcher) dispatch(ctx context.Context, all []delivery) {
	now := d.Clock.Now()
	if d.loops.IsStopping() || !now.Before(all[0].leaseEnds.Add(-leaseRest)) {
		for _, one := range all {
			d.record(ctx, one.delay("", now, one.attempts-1))
		}
		return
	}
	subjects := make([]planned, len(all))
	for i, one := range all {
		subjects[i] = one.planned
	}
	found, err := d.readCandidates(ctx, d.sender.Channel(), subjects, now)
	if err != nil {
		d.Logger.ErrorContext(ctx, "cannot read notifications to deliver", "channel", d.sender.Channel(), "error", err)
		for _, one := range all {
			d.record(ctx, one.delay("cannot read the notification", now.Add(retryAfter(one.attempts)), one.attempts))
		}
		return
	}
	for i, one := range all {
		d.loops.Go(func() {
			ctx, span := d.Tracer.Begin(ctx, "delivery "+string(one.channel), one.trace)
			span.SetText("kind", string(one.kind))
			span.SetNumber("attempt", one.attempts)
			d.record(ctx, d.process(ctx, one, found[i], now))
			span.End(nil)
		})
	}
}

// record stores a result and releases its send permit. Results that arrive while another call commits
// share the next transaction of that call.
func (d *dispatcher) record(ctx context.Context, r result) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.results = append(d.results, r)
	if d.recording {
		return
	}
	d.recording = true
	for len(d.results) > 0 {
		all := d.results
		d.results = nil
		d.mu.Unlock()
		d.recordAll(context.WithoutCancel(ctx), all) // also after ctx was canceled
		d.release(len(all))
		d.mu.Lock()
	}
	d.recording = false
}

// recordAll stores results in one transaction. If the transaction fails, it stores each result in its own
// transaction. So a result that cannot be stored does not cause the messages of the others to be sent again.
func (d *dispatcher) recordAll(ctx context.Context, all []result) {
	err := d.DB.InTx(ctx, func(tx db.Tx) error {
		for _, queue := range all {
			queue(ctx, tx)
		}
		return nil
	})
	switch {
	case err == nil:
	case len(all) > 1:
		for i := range all {
			d.recordAll(ctx, all[i:i+1])
		}
	default:
		d.Logger.ErrorContext(ctx, "cannot record a delivery, which is sent again", "channel", d.sender.Channel(), "error", err)
	}
}

// process sends, delays or ends one delivery, depending on its facts.
func (d *dispatcher) process(ctx context.Context, one delivery, l candidate, now time.Time) result {
	if !now.Before(one.expires) {
		return d.finish(ctx, one, failed, "expired", now)
	}
	if one.kind == digestKind {
		return d.processDigest(ctx, one, now)
	}
	p := policyOf[one.kind]
	switch reason := l.skip(one.planned, now); {
	case one.kind == AppointmentKind && l.account, reason == readInApp && one.channel == Email && p.appointment:
		return d.processAppointment(ctx, one, l.facts, now)
	case reason != "":
		return d.finish(ctx, one, skipped, reason, now)
	}
	zone := l.location(d.DefaultTimezone)
	if l.modeOf(p, one.channel) == Digest {
		return one.addToDigest(l.nextDigest(now, zone))
	}
	if until, quiet := l.wait(p, now, zone); quiet {
		return one.delay("quiet hours", until, one.attempts-1)
	}
	if p.outreach {
		if r := d.restrain(ctx, one, l.facts, zone, now); r != nil {
			return r
		}
	}
	a, err := d.appointmentOf(ctx, &one, l.facts, now)
	if err != nil {
		return d.appointmentFailed(ctx, one, err, now)
	}
	return d.send(ctx, one, l.facts, content{items: []notify.Item{*l.item}, appointment: a}, now)
}

// maxItems is how many notifications a digest shows.
const maxItems = 50

// processDigest sends the items of a digest that are still wanted and allowed.
func (d *dispatcher) processDigest(ctx context.Context, one delivery, now time.Time) result {
	recipient, c, err := d.readDigest(ctx, one, now)
	switch {
	case err != nil:
		d.Logger.ErrorContext(ctx, "cannot read a digest", "channel", one.channel, "error", err)
		return one.delay("cannot read the digest", now.Add(retryAfter(one.attempts)), one.attempts)
	case len(c.items) == 0:
		return d.finish(ctx, one, skipped, "nothing is left of the digest", now)
	}
	return d.send(ctx, one, recipient, c, now)
}

// readDigest reads the items of a digest in batches.
func (d *dispatcher) readDigest(ctx context.Context, one delivery, now time.Time) (recipient facts, c content, err error) {
	var last key
	for more := true; more; {
		all, err := one.items(ctx, d.DB, last, maxItems)
		if err != nil || len(all) == 0 {
			return recipient, c, err
		}
		found, err := d.readCandidates(ctx, one.channel, all, now)
		if err != nil {
			return recipient, c, err
		}
		for i, l := range found {
			if l.skip(all[i], now) != "" {
				continue
			}
			if len(c.items) == maxItems {
				c.more++
				continue
			}
			if a, err := d.admit(ctx, all[i], one.key, l.facts, now); err != nil || a != admitted {
				if err != nil {
					return recipient, c, err
				}
				continue
			}
			recipient, c.items = l.facts, append(c.items, *l.item)
		}
		last, more = all[len(all)-1].key, len(all) == maxItems
	}
	return recipient, c, nil
}

// content is the content of a message.
type content struct {
	items       []notify.Item
	more        int
	appointment *Appointment
}

// send sends a message. If the process ends before the result is recorded, another worker sends the
// message again, with the same id.
func (d *dispatcher) send(ctx context.Context, one delivery, f facts, c content, now time.Time) result {
	m := Message{
		ID: one.id(), User: one.user, Push: f.push, Language: f.languageTag(), Kind: one.kind, At: now, Expires: f.usefulUntil(one),
		Items: c.items, More: c.more, Appointment: c.appointment, Picture: f.picture(c.items[0]),
	}
	if one.channel == Push && f.stranger {
		m.Items[0].Title = m.Items[0].Subject
	}
	var err error
	if one.channel == Email {
		if m.Address, err = f.address(); err != nil {
			return d.finish(ctx, one, failed, "the address is invalid", now)
		}
	}
	began := d.Clock.Now()
	err = d.sender.Send(ctx, m)
	now = d.Clock.Now()
	d.metrics.took(one.channel, now.Sub(began))
	var permanent PermanentError
	var unwanted UnwantedError
	var postponed PostponedError
	switch {
	case err == nil:
		return d.finish(ctx, one, sent, "", now)
	case errors.As(err, &permanent):
		d.countRefusal(context.WithoutCancel(ctx), one, err, now)
		return d.finish(ctx, one, failed, err.Error(), now)
	case errors.As(err, &unwanted):
		return d.finish(ctx, one, skipped, unwanted.Reason, now)
	case errors.As(err, &postponed) && postponed.NotTried:
		return one.delay(err.Error(), now.Add(postponed.After), one.attempts-1)
	}
	next := now.Add(max(retryAfter(one.attempts), postponed.After))
	if next.After(one.expires) {
		return d.finish(ctx, one, failed, err.Error(), now)
	}
	d.metrics.count(one.channel, one.kind, "retried")
	return one.delay(err.Error(), next, one.attempts)
}

// countRefusal counts a refusal against the address, if its status code blames the address.
func (d *dispatcher) countRefusal(ctx context.Context, one delivery, err error, now time.Time) {
	var refused *smtp.RefusalError
	if !errors.As(err, &refused) || severityOf(refused.Status) == noFault {
		return
	}
	err = d.DB.InTx(ctx, func(tx db.Tx) error {
		user.Lock(ctx, tx, one.user)
		if err := d.Stops.recordOutcome(ctx, tx, one.key, mailBounced, now); err != nil {
			return err
		}
		return recordBounce(ctx, tx, one.user, refused.Status, now)
	})
	if err != nil && !errors.Is(err, domain.NotFound) { // the account was deleted
		d.Logger.ErrorContext(ctx, "cannot count a refusal", "error", err)
	}
}

// finish ends a delivery and counts its result.
func (d *dispatcher) finish(ctx context.Context, one delivery, s state, reason string, now time.Time) result {
	d.metrics.count(one.channel, one.kind, string(s))
	if s == failed {
		d.Logger.WarnContext(ctx, "a delivery has failed", "channel", one.channel, "kind", one.kind, "attempts", one.attempts, "error", reason)
	}
	return one.end(s, reason, now)
}

// retries are the pauses after failed attempts; the last one repeats.
var retries = []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 8 * time.Hour, 24 * time.Hour}

func retryAfter(attempts int) time.Duration {
	return retries[min(max(attempts, 1), len(retries))-1]
}
