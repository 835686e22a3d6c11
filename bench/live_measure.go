package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"moothall/bench/load"
	"moothall/bench/report"
)

const (
	senders      = 8                     // concurrent requests
	p99Goal      = 50 * time.Millisecond // of a rate that a server sustains
	missedOfChat = 10                    // messages while sockets are disconnected
)

// measure measures memory, a burst, growing rates and, if the server has them, presence and
// reconnects.
func (b *liveBench) measure(ctx context.Context, s *liveServer) error {
	before := s.resident()
	perSocket := func() float64 { return float64(s.resident()-before) / 1000 / float64(b.sockets) }
	all, err := b.open(ctx, s, b.sockets, nil)
	defer func() { closeAll(all) }()
	if err != nil {
		return err
	}
	b.row("%s\tmemory of an idle socket\t%.2f KB", s.name, perSocket())
	if err := s.subscribe(ctx, all); err != nil {
		return err
	}
	b.row("%s\tmemory of a socket with a chat\t%.2f KB", s.name, perSocket())
	if err := b.load(ctx, s, all, s.name); err != nil || s.protocol.watch == nil {
		return err
	}
	for i, socket := range all {
		socket.send(s.protocol.watch(i))
	}
	if err := b.load(ctx, s, all, s.name+", presence"); err != nil {
		return err
	}
	b.row("%s, presence\tmemory of a socket with a chat and its event\t%.2f KB", s.name, perSocket())
	return b.reconnect(ctx, s, &all)
}

// load sends a burst, then messages at growing rates until the server does not sustain one.
func (b *liveBench) load(ctx context.Context, s *liveServer, all []*liveSocket, name string) error {
	burst, err := b.send(ctx, s, all, b.burst, 0)
	if err != nil {
		return err
	}
	if b.bare == 0 {
		b.bare = burst.ofCore
	}
	b.row("%s\tburst\t%.0f messages/s\t%.0f deliveries of a core, %.2f of bare", name, burst.rate, burst.ofCore, burst.ofCore/b.bare)
	for rate, failures := b.rate, 0; failures < 2; {
		r, err := b.send(ctx, s, all, int(b.duration.Seconds()*float64(rate)), rate)
		if err != nil {
			return err
		}
		verdict := "sustained"
		if r.p99 > p99Goal || r.rate < 0.9*float64(rate) {
			verdict = "not sustained"
			failures++
		} else {
			rate, failures = 2*rate, 0
		}
		b.row("%s\t%s\t%.0f messages/s\tp50 %s, p99 %s; %.0f deliveries of a core", name, verdict, r.rate, r.p50, r.p99, r.ofCore)
	}
	return nil
}

// sent is the result of sending messages.
type sent struct {
	rate     float64       // messages per second
	ofCore   float64       // deliveries in a second of processor time
	p50, p99 time.Duration // from the creation of a message to its receiver
}

// send sends messages to the chats in turn, at most perSecond (0: no limit), and waits until all
// sockets have them.
func (b *liveBench) send(ctx context.Context, s *liveServer, all []*liveSocket, messages, perSecond int) (r sent, err error) {
	chats := b.sockets / socketsOfChat
	messages = max(messages/chats, 1) * chats
	for _, socket := range all {
		socket.reset(messages / chats)
	}
	used, watch := s.used(), load.Start()
	if err := s.publishAll(ctx, messages, perSecond); err != nil {
		return r, err
	}
	var ages []time.Duration
	for _, socket := range all {
		list, err := socket.await(ctx)
		if err != nil {
			return r, err
		}
		ages = append(ages, list...)
	}
	r.rate = float64(messages) / watch.Elapsed().Seconds()
	r.ofCore = float64(len(ages)) / (s.used() - used).Seconds()
	slices.Sort(ages)
	r.p50, r.p99 = report.Percentile(ages, 50).Round(100*time.Microsecond), report.Percentile(ages, 99).Round(100*time.Microsecond)
	return r, nil
}

// publishAll sends messages through all processes of the server, at most perSecond (0: no limit).
func (s *liveServer) publishAll(ctx context.Context, messages, perSecond int) error {
	var next atomic.Int64
	var sending sync.WaitGroup
	errs := make([]error, len(s.processes))
	watch := load.Start()
	for i, p := range s.processes {
		l := load.Load{Address: p.address, Callers: senders / len(s.processes), Time: time.Hour}
		l.Next = func(int) (load.Request, bool) {
			n := int(next.Add(1)) - 1
			if n < messages && perSecond > 0 {
				time.Sleep(time.Duration(n)*time.Second/time.Duration(perSecond) - watch.Elapsed())
			}
			return s.publish(n), n < messages
		}
		sending.Go(func() { _, _, errs[i] = l.Run(ctx) })
	}
	sending.Wait()
	return errors.Join(errs...)
}

// reconnect disconnects all sockets, sends messages, and lets sockets reconnect together. Each
// gets what it has missed.
func (b *liveBench) reconnect(ctx context.Context, s *liveServer, all *[]*liveSocket) error {
	closeAll(*all)
	after := make([]string, b.reconnects)
	for i := range after {
		after[i] = (*all)[i].last
	}
	*all = nil
	if err := s.publishAll(ctx, missedOfChat*b.sockets/socketsOfChat, 0); err != nil {
		return err
	}
	watch := load.Start()
	sockets, err := b.open(ctx, s, b.reconnects, after)
	*all = sockets
	if err != nil {
		return err
	}
	for i, socket := range sockets {
		if err := socket.wait(ctx, socket.ready); err != nil {
			return fmt.Errorf("a subscription: %w", err)
		}
		if got := socket.messages(); got != missedOfChat {
			return fmt.Errorf("socket %d has missed %d messages, and got %d", i, missedOfChat, got)
		}
	}
	b.row("%s\treconnects\t%d sockets in %.1f s\teach with %d missed messages", s.name, len(sockets), watch.Elapsed().Seconds(), missedOfChat)
	return nil
}
