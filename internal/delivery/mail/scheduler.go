package mail

import (
	"context"
	"errors"
	"sync"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/meetup/calendar"
	"moothall/internal/platform/db"
	"moothall/internal/platform/smtp"
)

// scheduler decides which delivery of a channel is sent next, and when. In each table, the first rule that applies decides.
//
//	Which deliveries are next (sendBatch)            What happens
//	cancellations of events that are due             leased before all others, the longest due first
//	other deliveries that are due                    leased, the longest due first
//	leased, but no send permit is free               wait for a permit
//	leased, but the worker stops                     due at once, for another worker
//	leased, but the lease ends within leaseRest      due at once
//
//	A leased delivery, by its facts (process)        What happens
//	expired                                          failed
//	a digest                                         its items are sent; skipped if none is still wanted and allowed
//	an e-mail invitation                             processInvitation decides
//	not wanted or not allowed any more               skipped; if it was read in the app, its calendar message is sent alone
//	of a kind that the user gets in the digest       joins the next digest
//	in quiet hours, unless the kind ignores them     due when they end
//	outreach beyond the budget of its sender         due after pastBudget
//	outreach beyond the budget of its recipient      joins the next digest; skipped if it cannot
//	a message about the event is being sent          due after leasedPause
//	only a calendar message, which is not new        skipped
//	all others                                       sent
//
//	A delivery that is sent, by its error (send)     What happens
//	none                                             sent
//	PermanentError, or an invalid address            failed; the status may count against the address (countRefusal)
//	UnwantedError                                    skipped
//	PostponedError, not tried (MAIL_PER_MINUTE)      due after the time that the error states
//	any other                                        due after the next of retries; failed if it expires before
//
// After an error of the database, a delivery is due after the next of retries, too. Waits for other reasons are no attempts.
// The planner decides when a delivery is due first.
//
// A delivery holds a send permit until its result is recorded, so a crash repeats at most as many messages as there are permits.
// It gets the permit within MaxFactsAge after the read of its facts, so these are fresh when a message is sent.
type scheduler struct {
	*Worker
	sender      Sender
	sendPermits chan struct{}
	leasing     sync.Mutex // held from the lease of deliveries until they have send permits
	ahead       int        // how many deliveries got permits while their facts were fresh, lately; at most maxAhead

	mu        sync.Mutex
	results   []result // not recorded yet
	recording bool
}

func (w *Worker) newScheduler(s Sender, permits int) *scheduler {
	return &scheduler{Worker: w, sender: s, sendPermits: make(chan struct{}, permits), ahead: maxAhead}
}

// await waits until the results of all deliveries are recorded.
func (s *scheduler) await() {
	for range cap(s.sendPermits) {
		s.sendPermits <- struct{}{}
	}
	s.release(cap(s.sendPermits))
}

// acquire waits for a send permit, and takes up to n if more are free.
func (s *scheduler) acquire(n int) (acquired int) {
	s.sendPermits <- struct{}{}
	for acquired = 1; acquired < n; acquired++ {
		select {
		case s.sendPermits <- struct{}{}:
		default:
			return acquired
		}
	}
	return acquired
}

func (s *scheduler) release(n int) {
	for range n {
		<-s.sendPermits
	}
}

// leaseRest is how long before the end of a lease the scheduler stops sending: enough to send one
// message and to record its result.
const leaseRest = smtp.MaxSend + maxPaceWait + 5*time.Second

// retries are the pauses after failed attempts; the last one repeats.
var retries = []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 8 * time.Hour, 24 * time.Hour}

func retryAfter(attempts int) time.Duration {
	return retries[min(max(attempts, 1), len(retries))-1]
}

const (
	// maxAhead is how many deliveries the scheduler reads together although not all have a send permit yet. One read of many
	// costs much less than many reads.
	maxAhead = 20
	// MaxFactsAge is how long facts may wait for a send permit. Then they are read again.
	MaxFactsAge = 100 * time.Millisecond
)

// sendBatch leases due deliveries and sends them in the background, as send permits become free. more
// reports whether there may be others.
func (s *scheduler) sendBatch(ctx context.Context) (more bool, err error) {
	s.leasing.Lock()
	defer s.leasing.Unlock()
	due, err := s.take(ctx)
	for rest := due; len(rest) > 0; {
		n := s.acquire(len(rest))
		rest = rest[s.dispatch(ctx, rest[:min(len(rest), max(n, s.ahead))], n):]
	}
	return len(due) > 0, err
}

// take leases due deliveries. Cancellations of events go first.
func (s *scheduler) take(ctx context.Context) (all []delivery, err error) {
	c, now := s.sender.Channel(), s.Clock.Now()
	var due, cancellations bool
	if err := s.DB.One(ctx, isDueStmt, c, now).Scan(&due, &cancellations); err != nil || !due {
		return nil, err
	}
	stmt := takeStmts[c]
	if cancellations {
		stmt = takeCancellationsStmts[c]
	}
	lease, ends := domain.RandomID[domain.JobKind](), now.Add(leaseTime)
	err = s.DB.InTx(ctx, func(tx db.Tx) (err error) {
		all, err = db.All(ctx, tx, func(r db.Row, one *delivery) error {
			one.lease, one.leaseEnds = lease, ends
			return r.Scan(append(one.dest(), &one.kind, &one.expires, &one.attempts, &one.trace)...)
		}, stmt, lease, ends, c, now)
		return err
	})
	return all, err
}

// dispatch reads the facts of deliveries in one batch and processes each delivery in the background. It has permits for the
// first ones, and acquires the others while the facts are fresh. It returns how many it has processed.
func (s *scheduler) dispatch(ctx context.Context, all []delivery, permits int) (n int) {
	now := s.Clock.Now()
	if s.loops.IsStopping() || !now.Before(all[0].leaseEnds.Add(-leaseRest)) {
		for _, one := range all[:permits] {
			s.record(ctx, one.postpone("", now))
		}
		return permits
	}
	read := time.Now()
	found, err := s.readCandidates(ctx, s.sender.Channel(), all, now)
	if err != nil {
		s.Logger.ErrorContext(ctx, "cannot read notifications to deliver", "channel", s.sender.Channel(), "error", err)
		for _, one := range all[:permits] {
			s.record(ctx, one.retry("cannot read the notification", now.Add(retryAfter(one.attempts))))
		}
		return permits
	}
	for i, one := range all {
		if i == permits {
			permits += s.acquire(len(all) - i)
			if time.Since(read) > MaxFactsAge || s.loops.IsStopping() {
				s.release(permits - i)
				s.ahead = min(i, maxAhead)
				return i
			}
		}
		s.loops.Go(func() {
			ctx, span := s.Tracer.Begin(ctx, "delivery "+string(one.channel), one.trace)
			span.SetText("kind", string(one.kind))
			span.SetNumber("attempt", one.attempts)
			s.record(ctx, s.process(ctx, one, found[i], now))
			span.End(nil)
		})
	}
	s.ahead = min(2*s.ahead, maxAhead)
	return len(all)
}

// process sends, delays or ends one delivery, depending on its facts.
func (s *scheduler) process(ctx context.Context, one delivery, c candidate, now time.Time) result {
	switch {
	case !now.Before(one.expires):
		return s.end(ctx, one, failed, "expired", now)
	case one.kind == digestKind:
		return s.processDigest(ctx, one, now)
	case one.kind == EmailInvitationKind:
		return s.processInvitation(ctx, one, now)
	}
	reason := c.skip(one, now)
	onlyCalendar := one.kind == AppointmentKind && c.account ||
		reason == readInApp && one.channel == Email && policyOf[one.kind].appointment
	if onlyCalendar {
		reason = c.skipAppointment(now)
	}
	if reason != "" {
		return s.end(ctx, one, skipped, reason, now)
	}
	if onlyCalendar {
		one.kind = AppointmentKind
	}
	as, until := c.wait(one, now, s.DefaultTimezone)
	if as == inDigest {
		return one.addToDigest(until)
	}
	if as == waiting {
		return one.postpone("quiet hours", until)
	}
	if policyOf[one.kind].outreach {
		if r := s.restrain(ctx, one, c, now); r != nil {
			return r
		}
	}
	a, err := s.leaseAppointment(ctx, &one, c, now)
	switch {
	case errors.Is(err, domain.NotFound):
		return s.end(ctx, one, skipped, accountGone, now)
	case errors.Is(err, errLeased):
		return one.postpone(err.Error(), now.Add(leasedPause))
	case err != nil:
		s.Logger.ErrorContext(ctx, "cannot read an event to deliver", "channel", one.channel, "error", err)
		return one.retry("cannot read the event", now.Add(retryAfter(one.attempts)))
	case !onlyCalendar:
		return s.send(ctx, one, c, Message{Items: []notify.Item{*c.item}, Appointment: a}, now)
	case a == nil:
		return s.end(ctx, one, skipped, "the calendar is up to date", now)
	case a.Method() == calendar.Request:
		if r := s.restrain(ctx, one, c, now); r != nil {
			return r
		}
	}
	return s.send(ctx, one, c, Message{Items: []notify.Item{a.item(c.reader())}, Appointment: a}, now)
}

// restrain returns the result of outreach that must not be sent now; nil if it may.
func (s *scheduler) restrain(ctx context.Context, one delivery, c candidate, now time.Time) result {
	a, err := s.admit(ctx, one, one.key, c, now)
	switch {
	case errors.Is(err, domain.NotFound):
		return s.end(ctx, one, skipped, accountGone, now)
	case err != nil:
		s.Logger.ErrorContext(ctx, "cannot count a message", "channel", one.channel, "error", err)
		return one.retry("cannot count the message", now.Add(retryAfter(one.attempts)))
	case a == later:
		return one.postpone("the sender has sent enough messages", now.Add(pastBudget))
	case a == digestOnly && one.channel == Email && one.kind != AppointmentKind:
		return one.addToDigest(c.nextDigest(now, c.location(s.DefaultTimezone)))
	case a == digestOnly:
		return s.end(ctx, one, skipped, overReceived, now)
	}
	return nil
}

// send sends a message. If the process ends before the result is recorded, another worker sends the
// message again, with the same id.
func (s *scheduler) send(ctx context.Context, one delivery, c candidate, m Message, now time.Time) result {
	if err := m.prepare(one, c, now); err != nil {
		return s.end(ctx, one, failed, "the address is invalid", now)
	}
	began := s.Clock.Now()
	err := s.sender.Send(ctx, m)
	now = s.Clock.Now()
	s.metrics.sending.WithLabelValues(string(one.channel)).Observe(now.Sub(began).Seconds())
	var permanent PermanentError
	var unwanted UnwantedError
	var postponed PostponedError
	switch {
	case err == nil:
		return s.end(ctx, one, sent, "", now)
	case errors.As(err, &permanent):
		s.countRefusal(context.WithoutCancel(ctx), one.key, err, now)
		return s.end(ctx, one, failed, err.Error(), now)
	case errors.As(err, &unwanted):
		return s.end(ctx, one, skipped, unwanted.Reason, now)
	case errors.As(err, &postponed) && postponed.NotTried:
		return one.postpone(err.Error(), now.Add(postponed.After))
	}
	next := now.Add(max(retryAfter(one.attempts), postponed.After))
	if next.After(one.expires) {
		return s.end(ctx, one, failed, err.Error(), now)
	}
	s.metrics.results.WithLabelValues(string(one.channel), string(one.kind), "retried").Inc()
	return one.retry(err.Error(), next)
}

// result queues the statements that record what happens to a delivery.
type result func(ctx context.Context, tx db.Tx)

// end ends a delivery and counts its result. If it is a digest, its items end, too.
func (s *scheduler) end(ctx context.Context, one delivery, as state, reason string, now time.Time) result {
	s.metrics.results.WithLabelValues(string(one.channel), string(one.kind), string(as)).Inc()
	if as == failed {
		s.Logger.WarnContext(ctx, "a delivery has failed", "channel", one.channel, "kind", one.kind, "attempts", one.attempts, "error", reason)
	}
	return func(ctx context.Context, tx db.Tx) {
		one.update(ctx, tx, as == sent, endStmt, as, orNull(reason), now)
		if one.kind == digestKind {
			tx.Queue(ctx, endDigestStmt, one.user, one.channel, one.about, as, now)
		}
	}
}

// retry makes a delivery due at a time, after a failed attempt.
func (d delivery) retry(reason string, at time.Time) result {
	return func(ctx context.Context, tx db.Tx) {
		d.update(ctx, tx, false, delayStmt, orNull(reason), at, d.attempts)
	}
}

// postpone makes a delivery due at a time. It was no attempt.
func (d delivery) postpone(reason string, until time.Time) result {
	d.attempts--
	return d.retry(reason, until)
}

// addToDigest moves a delivery into the digest that is due at a time.
func (d delivery) addToDigest(at time.Time) result {
	return func(ctx context.Context, tx db.Tx) {
		d.update(ctx, tx, false, toDigestStmt, at)
		tx.Queue(ctx, digestStmt, append(d.digestOf(at).args(), at.Add(lifetime))...)
	}
}

// update changes the row of a delivery, and ends the lease of its calendar message.
func (d delivery) update(ctx context.Context, tx db.Tx, accepted bool, stmt *db.Stmt, args ...any) {
	tx.Queue(ctx, stmt, append(append(d.args(), d.lease), args...)...)
	if !d.appointment.IsZero() {
		tx.Queue(ctx, returnAppointmentStmt, d.user, d.appointment, d.lease, accepted)
	}
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// record stores a result and releases its send permit. Results that arrive while another call commits
// share the next transaction of that call.
func (s *scheduler) record(ctx context.Context, r result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.results = append(s.results, r)
	if s.recording {
		return
	}
	s.recording = true
	for len(s.results) > 0 {
		all := s.results
		s.results = nil
		s.mu.Unlock()
		s.recordAll(context.WithoutCancel(ctx), all) // also after ctx was canceled
		s.release(len(all))
		s.mu.Lock()
	}
	s.recording = false
}

// recordAll stores results in one transaction. If the transaction fails, it stores each result in its own
// transaction. So a result that cannot be stored does not cause the messages of the others to be sent again.
func (s *scheduler) recordAll(ctx context.Context, all []result) {
	err := s.DB.InTx(ctx, func(tx db.Tx) error {
		for _, queue := range all {
			queue(ctx, tx)
		}
		return nil
	})
	switch {
	case err == nil:
	case len(all) > 1:
		for i := range all {
			s.recordAll(ctx, all[i:i+1])
		}
	default:
		s.Logger.ErrorContext(ctx, "cannot record a delivery, which is sent again", "channel", s.sender.Channel(), "error", err)
	}
}
