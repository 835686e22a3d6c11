package realtime

import (
	"context"
	"crypto/rand"
	"log/slog"
	"maps"
	mathrand "math/rand/v2"
	"net/netip"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"moothall/internal/chat"
	"moothall/internal/domain"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
	"moothall/internal/session"
)

// The limits of sockets.
const (
	maxPerUser    = 10  // on one instance; then the oldest is replaced
	maxPerAddress = 200 // on one instance
	maxTopics     = 100 // of one socket, besides Me
)

// How often the hub looks for itself. Hints make it faster.
const (
	checkEvery    = 200 * time.Millisecond // versions of what sockets depend on
	sweepEvery    = time.Second            // chats with new messages, pings, expired sessions
	sessionsEvery = 30 * time.Second       // all sessions
	rightsEvery   = time.Minute            // all topics
	pingEvery     = 30 * time.Second
)

// queryTimeout limits a read of the database for sockets.
const queryTimeout = 10 * time.Second

// queryContext returns the context of a read that belongs to no request.
func queryContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(db.Background(context.Background()), queryTimeout)
}

// Options configure a Hub.
type Options struct {
	DB       *db.DB
	Clock    domain.Clock
	Log      *slog.Logger
	Sessions *session.Service
	Chats    *chat.Service

	Notifications *notify.Service
	Key           []byte // signs tickets; the same on all instances
	BaseURL       string // of the API, from which the address of sockets is derived
	MaxSockets    int    // on this instance
	Off           bool   // there are no sockets
	Presence      bool   // sockets are told who watches an event
}

// Hub has the sockets of one instance, and sends them what they watch.
type Hub struct {
	Options
	metrics  *metrics
	instance string        // a random name
	tails    chan struct{} // concurrent reads of the log for all sockets of a chat
	resumes  chan struct{} // concurrent reads of the log for one socket
	answers  chan struct{} // frames from clients that are handled now

	mu        sync.Mutex
	clients   map[*client]struct{}
	people    map[domain.UserID]*person
	addresses map[netip.Addr]int
	events    map[domain.EventID]*watch
	inboxes   map[domain.UserID]bool   // whose counts may have changed
	audiences map[notify.Signaled]bool // of new notifications
	checked   db.Version               // no kind of rights has changed up to this version, for any socket
	stopping  bool

	// Of the goroutine of Run.
	newest           chat.Position               // of all chats
	counted          map[domain.EventID]Position // the newest messages that are in the counts
	untilAllSessions time.Duration               // are checked
	untilAllRights   time.Duration
	deaf             bool // signals of other instances may have been lost
}

// NewHub returns a hub. Run must be called to keep it up to date.
func NewHub(o Options) *Hub {
	h := &Hub{
		Options: o, metrics: newMetrics(), instance: rand.Text(), tails: make(chan struct{}, 4), resumes: make(chan struct{}, 2), answers: make(chan struct{}, 4),
		clients: map[*client]struct{}{}, people: map[domain.UserID]*person{},
		addresses: map[netip.Addr]int{}, events: map[domain.EventID]*watch{},
		inboxes: map[domain.UserID]bool{}, audiences: map[notify.Signaled]bool{},
	}
	if !o.Off {
		o.DB.OnSignal(h.signaled)
	}
	return h
}

// Run keeps the sockets up to date until ctx ends.
func (h *Hub) Run(ctx context.Context) {
	if h.Off {
		return
	}
	h.DB.Watch()
	h.newest = chat.PositionOf(h.Clock())
	if h.Presence {
		var running sync.WaitGroup
		running.Go(func() { h.runPresence(ctx) })
		defer running.Wait()
	}
	ticker := time.NewTicker(checkEvery)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if !h.isEmpty() {
			h.guard(func() { h.tick(db.Background(ctx), n%int(sweepEvery/checkEvery) == 0) })
		}
	}
}

func (h *Hub) isEmpty() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.clients) == 0
}

func (h *Hub) tick(ctx context.Context, second bool) {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	trusted := h.DB.Trusted()
	if second || trusted {
		h.checkVersions(ctx)
	}
	if trusted && h.deaf {
		h.inboxChanged(h.users()...)
	}
	h.deaf = !trusted
	if second {
		h.sweepChats(ctx)
		h.sweepSessions(ctx)
		h.sweepRights(ctx)
		h.ping()
	}
	h.resolveAudiences(ctx)
	h.sendInboxes(ctx)
}

// guard runs fn. A panic is logged and ends nothing else.
func (h *Hub) guard(fn func()) {
	defer func() {
		if reason := recover(); reason != nil {
			h.Log.Error("panic", slog.Any("reason", reason), slog.String("stack", string(debug.Stack())))
		}
	}()
	fn()
}

// failed logs an error of the database. The hub tries again.
func (h *Hub) failed(doing string, err error) {
	if err != nil {
		h.Log.Warn("realtime", slog.String("doing", doing), slog.String("error", err.Error()))
	}
}

// signaled handles the signals of a commit, on this instance or another one.
func (h *Hub) signaled(topics []string) {
	if h.isEmpty() {
		return
	}
	for _, topic := range topics {
		typing, isTyping := strings.CutPrefix(topic, typingTopic)
		presence, isPresence := strings.CutPrefix(topic, presenceTopic)
		switch {
		case topic == db.AnyTopic:
			for _, w := range h.watches() {
				w.wake()
			}
			h.inboxChanged(h.users()...)
		case isTyping:
			h.signaledTyping(typing)
		case isPresence:
			h.signaledPresence(presence)
		case Topic(topic).IsChat():
			id, _ := Topic(topic).EventID()
			if w := h.watched(id); w != nil {
				w.wake()
			}
		default:
			h.signaledInbox(topic)
		}
	}
}

// watched returns the watch of an event, nil if no socket watches it.
func (h *Hub) watched(id domain.EventID) *watch {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.events[id]
}

func (h *Hub) watches() []*watch {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([]*watch, 0, len(h.events))
	for _, w := range h.events {
		all = append(all, w)
	}
	return all
}

// users returns the users who have sockets.
func (h *Hub) users() []domain.UserID {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Collect(maps.Keys(h.people))
}

// commitTime is how long a transaction may run after it has chosen its position.
const commitTime = 10 * time.Second

// sweepChats finds new messages whose hints were lost.
func (h *Hub) sweepChats(ctx context.Context) {
	busy, err := chat.Busy(ctx, h.DB, h.newest-chat.Position(commitTime.Microseconds()))
	if err != nil {
		h.failed("sweep", err)
		return
	}
	for id, latest := range busy {
		h.newest = max(h.newest, latest)
		if w := h.watched(id); w != nil {
			w.wakeFor(latest)
		}
	}
	for _, w := range h.watches() {
		w.readAgain()
	}
	h.countChats(ctx, busy)
}

// ping pings the sockets that are due.
func (h *Hub) ping() {
	h.mu.Lock()
	var due []*client
	for c := range h.clients {
		if c.pingIn -= sweepEvery; c.pingIn <= 0 {
			c.pingIn = nextPing()
			due = append(due, c)
		}
	}
	h.mu.Unlock()
	for _, c := range due {
		c.conn.Ping()
	}
}

// nextPing differs between sockets, so that they do not all answer at once.
func nextPing() time.Duration { return pingEvery - mathrand.N(pingEvery/3) }

// person is the sockets of one user.
type person struct {
	clients []*client // the oldest first
	rights  db.Dependencies
	checked db.Version // no right has been lost up to this version
}

// admit returns an error unless there may be one more socket of an address.
func (h *Hub) admit(address netip.Addr) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.refusal(address)
}

// refusal is admit with the lock held.
func (h *Hub) refusal(address netip.Addr) error {
	switch {
	case h.stopping || len(h.clients) >= h.MaxSockets:
		return domain.ServiceUnavailable
	case h.addresses[address] >= maxPerAddress:
		return domain.RateLimited
	}
	return nil
}

// add registers a socket whose rights were checked at a version. It closes the socket if others
// have been registered since admit, and the limits are reached.
func (h *Hub) add(c *client, checked db.Version) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.refusal(c.address) != nil {
		c.close(CloseGoingAway)
		return
	}
	h.clients[c] = struct{}{}
	h.addresses[c.address]++
	h.metrics.sockets.WithLabelValues(c.transport).Inc()
	p := h.people[c.viewer.UserID]
	if p == nil {
		p = newPerson(c.viewer.UserID, checked)
		h.people[c.viewer.UserID] = p
	}
	p.clients = append(p.clients, c)
	h.checkSince(c.viewer.UserID, checked)
	for _, oldest := range p.clients[:max(0, len(p.clients)-maxPerUser)] {
		oldest.close(CloseReplaced)
	}
}

// remove forgets a socket, once.
func (h *Hub) remove(c *client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, known := h.clients[c]; !known {
		return
	}
	delete(h.clients, c)
	h.metrics.sockets.WithLabelValues(c.transport).Dec()
	if h.addresses[c.address]--; h.addresses[c.address] == 0 {
		delete(h.addresses, c.address)
	}
	p := h.people[c.viewer.UserID]
	if p.clients = slices.DeleteFunc(p.clients, func(o *client) bool { return o == c }); len(p.clients) == 0 {
		delete(h.people, c.viewer.UserID)
	}
}

// closeWait is how long Stop waits for clients that have not answered the close.
const closeWait = time.Second

// Stop refuses new sockets and closes all others, spread over a time, so that their clients
// do not all connect to another instance at once. It returns when they have ended, at most
// closeWait after that time.
func (h *Hub) Stop(over time.Duration) {
	h.mu.Lock()
	h.stopping = true
	all := slices.Collect(maps.Keys(h.clients))
	h.mu.Unlock()
	if len(all) == 0 {
		time.Sleep(over)
		return
	}
	for _, c := range all {
		c.close(CloseGoingAway)
		time.Sleep(over / time.Duration(len(all)))
	}
	const step = 10 * time.Millisecond
	for waited := time.Duration(0); waited < closeWait && !h.isEmpty(); waited += step {
		time.Sleep(step)
	}
}
