package realtime

import (
	"context"
	"crypto/rand"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/meetup/chat"
	"moothall/internal/platform/db"
)

// How often the hub polls. Published topics make it faster.
const (
	checkEvery    = 200 * time.Millisecond // versions of what sockets depend on
	sweepEvery    = time.Second            // chats with new messages, due pings, expired sessions
	sessionsEvery = 30 * time.Second       // all sessions
	rightsEvery   = time.Minute            // all topics
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
	Key           []byte        // signs tickets; the same on all instances
	BaseURL       string        // of the API, from which the address of sockets is derived
	MaxSockets    int           // on this instance
	PingEvery     time.Duration // at least a second
	Off           bool          // there are no sockets
	Presence      bool          // sockets are told who watches an event
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
	events    map[domain.EventID]*watch
	inboxes   map[domain.UserID]bool     // whose counts may have changed
	audiences map[notify.Recipients]bool // of new notifications
	checked   db.Version                 // no kind of rights has changed up to this version, for any socket
	stopping  bool

	// Of the goroutine of Run.
	newest           chat.Position               // of all chats
	counted          map[domain.EventID]Position // the newest messages that are in the counts
	untilAllSessions time.Duration               // are checked
	untilAllRights   time.Duration
	deaf             bool // topics of other instances may have been lost
}

// NewHub returns a hub. Run must be called to keep it up to date.
func NewHub(o Options) *Hub {
	h := &Hub{
		Options: o, metrics: newMetrics(), instance: rand.Text(), tails: make(chan struct{}, 4), resumes: make(chan struct{}, 2),
		answers: make(chan struct{}, 4),
		clients: map[*client]struct{}{}, people: map[domain.UserID]*person{},
		events:  map[domain.EventID]*watch{},
		inboxes: map[domain.UserID]bool{}, audiences: map[notify.Recipients]bool{},
	}
	if !o.Off {
		o.DB.SubscribeShared(h.onTopics)
	}
	return h
}

// Run keeps the sockets up to date until ctx ends.
func (h *Hub) Run(ctx context.Context) {
	if h.Off {
		return
	}
	h.DB.FollowChanges()
	h.newest = chat.PositionOf(h.Clock())
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { h.runPings(ctx) })
	if h.Presence {
		running.Go(func() { h.runPresence(ctx) })
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
		h.sendWaitlists()
		h.sweepChats(ctx)
		h.sweepSessions(ctx)
		h.sweepRights(ctx)
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

// onTopics handles topics that this instance or another one has published.
func (h *Hub) onTopics(topics []string) {
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
			h.onTyping(typing)
		case isPresence:
			h.onPresence(presence)
		case Topic(topic).IsChat():
			id, _ := Topic(topic).EventID()
			if w := h.watched(id); w != nil {
				w.wake()
			}
		default:
			h.onInboxTopic(topic)
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

// sweepChats finds new messages whose topics were lost.
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
