package realtime

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/socket"
)

// Presence is who watches an event. It is soft: each instance reports to the others who watches
// there, and forgets reports that were not repeated.

const (
	presenceSteps = 2  // from a frame to the next one, at least
	reportSteps   = 5  // from a report to the next one
	forgetSteps   = 15 // until the last report of an instance that is silent is forgotten

	maxPresent    = 20                   // user ids in a frame, and in a report
	maxReports    = 100                  // events that an instance reports: those with the most users
	reportPause   = 5 * time.Millisecond // between the reports of two events
	presenceTopic = "presence:"          // the name continues with instance, event, number of users, ids; with ":" between them
)

var presenceStep = time.Second // tests shorten it

// presence is the users who watch an event.
type presence struct {
	stale   bool // sockets may have a frame that is no longer right
	depends db.Dependencies
	checked db.Version         // what it depends on was read at this version
	here    report             // of this instance
	others  map[string]*report // by instance
}

// report is the users who watch an event on one instance.
type report struct {
	users int
	shown []domain.UserID // sorted, at most maxPresent
	left  int             // steps until it is forgotten
}

// runPresence sends and reports presence until ctx ends.
func (h *Hub) runPresence(ctx context.Context) {
	ticker := time.NewTicker(presenceStep)
	defer ticker.Stop()
	for step := 1; ; step++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if step%presenceSteps == 0 {
			for _, w := range h.watches() {
				h.guard(func() { w.sendPresence(db.Background(ctx)) })
			}
		}
		if step%reportSteps == 0 {
			h.guard(func() { h.reportPresence(ctx) })
		}
	}
}

// sendPresence sends the users who watch an event to the sockets that do not know them yet.
func (w *watch) sendPresence(ctx context.Context) {
	subscriptions, others := w.stalePresence()
	if len(subscriptions) == 0 {
		return
	}
	sent := false
	defer func() { // also after a panic
		if !sent {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.presence.stale = true
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	p, err := w.readPresent(ctx, subscriptions, others)
	if err != nil {
		w.hub.failed("read who watches an event", err)
		return
	}
	sent = w.showPresent(subscriptions, p)
}

// stalePresence returns the subscriptions to the event if one may not know who watches it, and
// the reports of other instances.
func (w *watch) stalePresence() (all []*subscription, others []report) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := &w.presence
	for instance, r := range p.others {
		if r.left -= presenceSteps; r.left <= 0 {
			delete(p.others, instance)
			p.stale = true
		} else {
			others = append(others, *r)
		}
	}
	if len(w.event) == 0 || !p.stale && w.hub.DB.Unchanged(p.checked, p.depends) {
		return nil, nil
	}
	p.stale, p.checked = false, w.hub.DB.Version()
	return slices.Collect(maps.Keys(w.event)), others
}

// present is the users who watch an event, on all instances.
type present struct {
	watching int
	shown    []domain.UserID // to members
	members  map[domain.UserID]bool
	blocks   map[access.Pair]bool // of those who are shown
}

var incognitoStmt = db.SQL("realtime.incognito", `
	SELECT p.user_id FROM ids($2) AS l JOIN participants p ON p.event_id = $1 AND p.user_id = l.value
	WHERE p.status = 'going' AND p.visibility = 'incognito'
		AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.author_id = p.user_id AND m.event_id = $1)`)

// incognito returns those users who go incognito to an event and have not written in its chat. A
// message discloses its author; presence and typing must not.
func (h *Hub) incognito(ctx context.Context, id domain.EventID, users []domain.UserID) ([]domain.UserID, error) {
	return db.Values[domain.UserID](ctx, h.DB, incognitoStmt, id, users)
}

// readPresent finds out who is shown: members of the chat, unless they go incognito. Users who
// only look at the event are counted, and so are incognito guests, who do not differ from them.
func (w *watch) readPresent(ctx context.Context, here []*subscription, others []report) (present, error) {
	users := map[domain.UserID]bool{}
	for _, s := range here {
		users[s.client.viewer.UserID] = true
	}
	own, all := report{users: len(users)}, maps.Clone(users)
	for _, r := range others {
		for _, id := range r.shown {
			all[id] = true
		}
	}
	p := present{watching: own.users, members: map[domain.UserID]bool{}}
	shown := map[domain.UserID]bool{}
	depends := []db.Entity{event.Attendance.Of(w.id)}
	for batch := range slices.Chunk(slices.Collect(maps.Keys(all)), rightsBatch) {
		if err := w.readMembers(ctx, batch, p.members, shown); err != nil {
			return p, err
		}
		for _, id := range batch {
			depends = append(depends, access.Rights.Of(id))
		}
	}
	own.shown = firstOf(shown, users)
	for _, r := range others {
		p.watching += r.users
		for _, id := range r.shown {
			if users[id] {
				p.watching-- // the user watches on both
			}
			users[id] = true
		}
	}
	p.shown = firstOf(shown, users)
	w.mu.Lock()
	w.presence.here, w.presence.depends = own, db.DependOn(depends...)
	w.mu.Unlock()
	var err error
	p.blocks, err = access.Blocks(ctx, w.hub.DB, p.shown)
	return p, err
}

// readMembers finds those users who are members of the chat, and those of them who may be shown.
func (w *watch) readMembers(ctx context.Context, users []domain.UserID, members, shown map[domain.UserID]bool) error {
	facts, err := access.Watchers(ctx, w.hub.DB, w.id, users, w.hub.Clock())
	if err != nil {
		return err
	}
	for id, f := range facts {
		if f.Sees() && f.MayChat() {
			members[id], shown[id] = true, true
		}
	}
	hidden, err := w.hub.incognito(ctx, w.id, users)
	for _, id := range hidden {
		delete(shown, id)
	}
	return err
}

// firstOf returns the first users, in the order of their ids, who are in both sets.
func firstOf(shown, users map[domain.UserID]bool) []domain.UserID {
	both := []domain.UserID{}
	for id := range users {
		if shown[id] {
			both = append(both, id)
		}
	}
	slices.SortFunc(both, func(a, b domain.UserID) int { return bytes.Compare(a[:], b[:]) })
	return both[:min(len(both), maxPresent)]
}

// showPresent sends each subscription what it does not know yet. It returns false if a queue was
// full.
func (w *watch) showPresent(subscriptions []*subscription, p present) (sent bool) {
	toMembers := w.presenceFrame(p, p.shown)
	toOthers := w.presenceFrame(p, []domain.UserID{})
	w.mu.Lock()
	defer w.mu.Unlock()
	sent = true
	for _, s := range subscriptions {
		viewer := s.client.viewer.UserID
		frame := toOthers
		if p.members[viewer] {
			frame = toMembers
			isHidden := func(id domain.UserID) bool { return p.blocks[access.Pair{A: id, B: viewer}] }
			if len(p.blocks) > 0 && slices.ContainsFunc(p.shown, isHidden) {
				frame = w.presenceFrame(p, slices.DeleteFunc(slices.Clone(p.shown), isHidden))
			}
		}
		switch {
		case s.ended || bytes.Equal(s.presence, frame.text):
		case s.client.conn.Send(frame.Frame):
			s.presence = frame.text
		default:
			sent = false
		}
	}
	return sent
}

// presenceFrame is a frame that is compared with the next one.
type presenceFrame struct {
	socket.Frame
	text []byte
}

func (w *watch) presenceFrame(p present, shown []domain.UserID) presenceFrame {
	text := encode(Presence{OpPresence, EventTopic(w.id), p.watching, shown})
	return presenceFrame{socket.NewFrame(text, ""), text}
}

// reportPresence publishes who watches the events of this instance, slowly: many topics at once
// would be replaced by db.AnyTopic.
func (h *Hub) reportPresence(ctx context.Context) {
	type line struct {
		users int
		text  string
	}
	var lines []line
	for _, w := range h.watches() {
		w.mu.Lock()
		if r := w.presence.here; len(w.event) > 0 && r.users > 0 {
			lines = append(lines, line{r.users, r.encode(h.instance, w.id)})
		}
		w.mu.Unlock()
	}
	slices.SortFunc(lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(b.users, a.users), strings.Compare(a.text, b.text))
	})
	for _, l := range lines[:min(len(lines), maxReports)] {
		h.DB.Publish(db.Topic{Name: l.text, Shared: true})
		select {
		case <-ctx.Done():
			return
		case <-time.After(reportPause):
		}
	}
}

func (r report) encode(instance string, id domain.EventID) string {
	var ids []byte
	for _, user := range r.shown {
		ids = append(ids, user[:]...)
	}
	return fmt.Sprintf("%s%s:%s:%d:%s", presenceTopic, instance, id, r.users, base64.RawURLEncoding.EncodeToString(ids))
}

// onPresence handles the report of another instance.
func (h *Hub) onPresence(text string) {
	fields := strings.Split(text, ":")
	if len(fields) != 4 || fields[0] == h.instance || !h.Presence {
		return
	}
	id, badEvent := domain.ParseID[domain.EventKind](fields[1])
	users, badNumber := strconv.Atoi(fields[2])
	ids, badIDs := base64.RawURLEncoding.DecodeString(fields[3])
	w := h.watched(id)
	if badEvent != nil || badNumber != nil || badIDs != nil || w == nil {
		return
	}
	r := &report{users: users, left: forgetSteps}
	for user := range slices.Chunk(ids, len(domain.UserID{})) {
		if len(user) == len(domain.UserID{}) {
			r.shown = append(r.shown, domain.UserID(user))
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	old := w.presence.others[fields[0]]
	if old == nil || old.users != r.users || !slices.Equal(old.shown, r.shown) {
		w.presence.stale = true
	}
	w.presence.others[fields[0]] = r
}
