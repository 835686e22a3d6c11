package main

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"moothall/bench/floor"
	"moothall/bench/load"
	"moothall/bench/report"
)

// What the service delivers outside the app is measured after the requests, by services that
// send to receivers in this process.
const (
	joinWithMail = "join with mail"
	planMails    = "plan mails"
	sendMails    = "send mails"
	sendPushes   = "send pushes"
)

// deliveryNames are the operations of measureDeliveries, in the order of measurement.
var deliveryNames = []string{joinWithMail, planMails, sendMails, sendPushes}

func (r *runner) wants(names ...string) bool {
	return len(r.Only) == 0 || slices.ContainsFunc(names, func(name string) bool { return slices.Contains(r.Only, name) })
}

// measureDeliveries measures three services: one that plans mails and one that sends them, so
// that neither includes the other, and one that sends pushes.
func (r *runner) measureDeliveries(ctx context.Context, p processes, d *report.Dataset, w *workload, c ServiceConfig) error {
	receivers, err := startReceivers()
	if err != nil {
		return err
	}
	defer receivers.close()
	b := &deliveryBench{runner: r, processes: p, dataset: d, workload: w, receivers: receivers}
	planning, sending, pushing := c, c, c
	planning.Mail, planning.Grace = receivers.mailAddress, "1h"
	sending.Mail, sending.Grace = receivers.mailAddress, "0s"
	pushing.Push = receivers.push
	for _, one := range []struct {
		names   []string
		config  ServiceConfig
		measure func(context.Context, *load.Conn) error
	}{
		{[]string{joinWithMail, planMails}, planning, b.plan},
		{[]string{sendMails}, sending, b.mails},
		{[]string{sendPushes}, pushing, b.pushes},
	} {
		if r.wants(one.names...) {
			if err := b.with(ctx, one.config, one.measure); err != nil {
				return err
			}
		}
	}
	return nil
}

// deliveryBench measures what one service delivers.
type deliveryBench struct {
	*runner
	processes
	dataset   *report.Dataset
	workload  *workload
	receivers *receivers
	event     string // that all signed-in users attend
	host      login
}

// with runs a measurement with a service of its own.
func (b *deliveryBench) with(ctx context.Context, c ServiceConfig, measure func(context.Context, *load.Conn) error) (err error) {
	if b.service, err = b.start(ctx, "OpenService", c); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.service.stop()) }()
	conn, err := load.Dial(ctx, b.service.Service, time.Duration(len(deliveryNames))*jobsTimeout)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := b.gather(conn); err != nil {
		return err
	}
	if err := b.awaitJobs(ctx, b.service); err != nil {
		return err
	}
	return measure(ctx, conn)
}

// gather lets all signed-in users join an event of the host.
func (b *deliveryBench) gather(c *load.Conn) (err error) {
	if b.host, err = signIn(c, hostEmail); err != nil {
		return err
	}
	drafts, err := createDrafts(c, b.host, "", 1, epoch.AddDate(1, 0, 0))
	if err != nil {
		return err
	}
	if _, err := c.Ask(drafts[0].publish()); err != nil {
		return err
	}
	b.event = drafts[0].id
	for _, token := range b.workload.tokens {
		if _, err := c.Ask(load.Request{Method: http.MethodPost, Target: "/events/" + b.event + "/join", Token: token}); err != nil {
			return err
		}
	}
	return nil
}

// announce sends an announcement to all participants.
func (b *deliveryBench) announce(c *load.Conn) error {
	body := `{"kind":"announcement","body":"We meet at the main entrance ten minutes before. Bring something to sit on."}`
	_, err := c.Ask(load.Request{Method: http.MethodPost, Target: "/events/" + b.event + "/posts", Token: b.host.Access, Body: body})
	return err
}

// plan measures joins, and the planning of mails to many followers.
func (b *deliveryBench) plan(ctx context.Context, c *load.Conn) error {
	if b.wants(joinWithMail) {
		join := &operation{name: joinWithMail, callers: []int{1, 64, 256}, make: b.workload.joinLate}
		rows, err := b.operation(ctx, b.processes, join, nil)
		b.dataset.Rows = append(b.dataset.Rows, rows...)
		if err != nil {
			return fmt.Errorf("%s: %w", joinWithMail, err)
		}
	}
	if b.wants(planMails) {
		return b.planned(c)
	}
	return nil
}

// mails measures mails to all participants.
func (b *deliveryBench) mails(ctx context.Context, c *load.Conn) error {
	return b.delivered(ctx, sendMails, b.receivers.mails.Load, func() error { return b.announce(c) }, func(n int) floorCall {
		return floorCall{"SendMails", floor.MailArgs{Address: b.receivers.mailAddress, Text: b.receivers.sample(), Times: n}}
	})
}

// browsers is how many subscriptions each signed-in user has: the limit.
const browsers = 10

// pushes measures encrypted messages to all browsers of the participants.
func (b *deliveryBench) pushes(ctx context.Context, c *load.Conn) error {
	for i, token := range b.workload.tokens {
		for n := range browsers {
			body, err := subscription(fmt.Sprintf("https://%s/%d/%d", publicAddress, i, n))
			if err != nil {
				return err
			}
			if _, err := c.Ask(load.Request{Method: http.MethodPost, Target: "/me/push-subscriptions", Token: token, Body: body}); err != nil {
				return err
			}
		}
	}
	if err := b.announce(c); err != nil { // the push service is known afterwards
		return err
	}
	if err := b.awaitJobs(ctx, b.service); err != nil {
		return err
	}
	return b.delivered(ctx, sendPushes, b.receivers.pushes.Load, func() error { return b.announce(c) }, func(n int) floorCall {
		return floorCall{"SendPushes", floor.PushArgs{Address: b.receivers.push.Address, Certificate: b.receivers.push.Certificate, Times: n}}
	})
}

// subscription returns the body of a request that subscribes a new browser.
func subscription(endpoint string) (string, error) {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return "", err
	}
	encode := base64.RawURLEncoding.EncodeToString
	return fmt.Sprintf(`{"endpoint":%q,"keys":{"p256dh":%q,"auth":%q}}`, endpoint, encode(key.PublicKey().Bytes()), encode(make([]byte, 16))),
		nil
}

// floorCall is a call of the process of the floors.
type floorCall struct {
	method string
	args   any
}

// delivered measures how fast messages arrive that one request causes, and a floor that
// sends as many.
func (b *deliveryBench) delivered(ctx context.Context, name string, received func() int64, cause func() error,
	bare func(n int) floorCall) error {
	var served, floored report.Usage
	for watch := load.Start(); watch.Elapsed() < b.Time || served.Requests == 0; {
		var part report.Usage
		before := received()
		err := b.measured(b.service, &part, func() error {
			took := load.Start()
			if err := cause(); err != nil {
				return err
			}
			err := b.awaitJobs(ctx, b.service)
			part.Requests, part.Total = int(received()-before), took.Elapsed()
			return err
		})
		if err == nil && part.Requests == 0 {
			err = errors.New("nothing arrived")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		served.Add(part)
		part = report.Usage{}
		err = b.measured(b.floors, &part, func() error {
			var counted floor.Counted
			call := bare(served.Requests)
			err := b.floors.call(call.method, call.args, &counted)
			part.Requests, part.Total = counted.Times, counted.Took
			return err
		})
		if err != nil {
			return fmt.Errorf("the floor of %s: %w", name, err)
		}
		floored.Add(part)
	}
	b.record(name, served, floored)
	return b.profiled(b.processes, b.dataset, name, func() error {
		for watch := load.Start(); watch.Elapsed() < b.Time; {
			if err := errors.Join(cause(), b.awaitJobs(ctx, b.service)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *deliveryBench) record(name string, served, bare report.Usage) {
	row := report.Row{Operation: name, Callers: 1, Served: served.Measure(), Bare: bare.Measure()}
	row.Statements = int(row.Served.Statements + 0.5)
	b.dataset.Rows = append(b.dataset.Rows, row)
}

// planned measures how long it takes to plan the mails about an event of the most followed
// organizer. The floor inserts as many rows with one statement.
func (b *deliveryBench) planned(c *load.Conn) error {
	request, more := b.workload.publish(&b.workload.followed)
	if !more {
		return errors.New("no drafts are left")
	}
	var served, bare report.Usage
	err := b.measured(b.service, &served, func() error {
		watch := load.Start()
		if _, err := c.Ask(request); err != nil {
			return err
		}
		for planning := true; planning; {
			if err := b.service.call("Planning", struct{}{}, &planning); err != nil {
				return err
			}
		}
		served.Requests, served.Total = b.Followers, watch.Elapsed()
		return nil
	})
	if err == nil {
		err = b.measured(b.floors, &bare, func() error {
			var counted floor.Counted
			err := b.floors.call("InsertRows", b.Followers, &counted)
			bare.Requests, bare.Total = counted.Times, counted.Took
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("%s: %w", planMails, err)
	}
	b.record(planMails, served, bare)
	return nil
}

// joinLate is join in the opposite order of the events.
func (w *workload) joinLate(_, n int) (r load.Request, more bool) {
	events, _ := w.split()
	user, round := n%len(w.tokens), n/len(w.tokens)
	event := events[(user*len(events)/len(w.tokens)+len(events)-1-round)%len(events)]
	return joinRequest(event, w.tokens[user]), round < len(events)/2
}
