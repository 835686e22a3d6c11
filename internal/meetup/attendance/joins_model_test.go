package attendance_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/identity/relation"
	"moothall/internal/meetup/attendance"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

// TestJoinNotificationsFollowModel lets users join, change, leave, follow, unfollow, block and look at their notifications at
// random, on both engines. The model writes each notification at once, as if a join wrote a row for each follower. Every number
// and every list equals it.
func TestJoinNotificationsFollowModel(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		rapid.Check(t, func(rt *rapid.T) {
			m := newJoinsModel(t, d)
			rt.Repeat(map[string]func(*rapid.T){
				"join":     m.join,
				"leave":    m.leave,
				"follow":   m.follow,
				"unfollow": m.unfollow,
				"block":    m.block,
				"list":     m.list,
				"read":     m.read,
				"read all": m.readAll,
				"clock":    m.advance,
				"":         m.count,
			})
		})
	})
}

// joinKey names a participation: the numbers of a guest and an event.
type joinKey struct{ guest, event int }

// modelItem is a notification in the list of a fan.
type modelItem struct {
	at   time.Time
	read bool
}

// joinsModel is two guests, their two fans and two events, and what the list of each fan contains.
type joinsModel struct {
	t             *testing.T
	now           time.Time
	attendance    *attendance.Service
	relations     *relation.Service
	notifications *notify.Service
	guests, fans  [2]domain.UserID
	events        [2]domain.EventID
	going         map[joinKey]string // the visibility
	follows       [2][2]bool         // by fan and guest
	items         [2]map[joinKey]*modelItem
}

func newJoinsModel(t *testing.T, d *db.DB) *joinsModel {
	m := &joinsModel{t: t, now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC), going: map[joinKey]string{},
		items: [2]map[joinKey]*modelItem{{}, {}}}
	clock := func() time.Time { return m.now }
	m.attendance = joiningService(d, m.now)
	m.attendance.Clock = clock
	m.relations, m.notifications = &relation.Service{DB: d, Clock: clock}, &notify.Service{DB: d, Clock: clock}
	organizer := domain.RandomID[domain.UserKind]()
	m.must(d.InTx(t.Context(), func(tx db.Tx) error {
		tx.Queue(t.Context(), addUser, organizer, m.now)
		for i := range 2 {
			m.guests[i], m.fans[i] = domain.RandomID[domain.UserKind](), domain.RandomID[domain.UserKind]()
			m.events[i] = domain.RandomID[domain.EventKind]()
			tx.Queue(t.Context(), addUser, m.guests[i], m.now)
			tx.Queue(t.Context(), addUser, m.fans[i], m.now)
			var capacity *int64
			tx.Queue(t.Context(), addEvent, m.events[i], organizer, "published", "public", true, m.now.AddDate(10, 0, 0), rand.Int64(), "free",
				capacity)
		}
		return nil
	}))
	return m
}

func (m *joinsModel) must(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

func draw(t *rapid.T, what string) int { return rapid.IntRange(0, 1).Draw(t, what) }

// announce puts a public join into the lists of the followers.
func (m *joinsModel) announce(k joinKey) {
	for fan, items := range m.items {
		if old := items[k]; m.follows[fan][k.guest] && (old == nil || !old.read || m.now.Sub(old.at) >= 24*time.Hour) {
			items[k] = &modelItem{at: m.now}
		}
	}
}

// retract deletes the unread notifications that match.
func (m *joinsModel) retract(matches func(fan int, k joinKey) bool) {
	for fan, items := range m.items {
		for k, item := range items {
			if !item.read && matches(fan, k) {
				delete(items, k)
			}
		}
	}
}

func (m *joinsModel) join(t *rapid.T) {
	k := joinKey{draw(t, "guest"), draw(t, "event")}
	visibility := rapid.SampledFrom([]string{attendance.Public, attendance.Public, attendance.Incognito}).Draw(t, "visibility")
	_, err := m.attendance.Join(m.t.Context(), domain.Viewer{UserID: m.guests[k.guest]}, m.events[k.event],
		attendance.Terms{Visibility: visibility})
	m.must(err)
	was := m.going[k]
	m.going[k] = visibility
	switch {
	case was == visibility:
	case visibility == attendance.Public:
		m.announce(k)
	default:
		m.retract(func(_ int, other joinKey) bool { return other == k })
	}
}

func (m *joinsModel) leave(t *rapid.T) {
	k := joinKey{draw(t, "guest"), draw(t, "event")}
	if m.going[k] == "" {
		t.Skip("a guest who does not go cannot leave: rapid draws another step")
	}
	_, err := m.attendance.Leave(m.t.Context(), domain.Viewer{UserID: m.guests[k.guest]}, m.events[k.event])
	m.must(err)
	delete(m.going, k)
	m.retract(func(_ int, other joinKey) bool { return other == k })
}

func (m *joinsModel) follow(t *rapid.T) {
	fan, guest := draw(t, "fan"), draw(t, "guest")
	_, err := m.relations.Follow(m.t.Context(), domain.Viewer{UserID: m.fans[fan]}, m.guests[guest])
	m.must(err)
	m.follows[fan][guest] = true
}

func (m *joinsModel) unfollow(t *rapid.T) {
	fan, guest := draw(t, "fan"), draw(t, "guest")
	_, err := m.relations.Unfollow(m.t.Context(), domain.Viewer{UserID: m.fans[fan]}, m.guests[guest])
	m.must(err)
	m.follows[fan][guest] = false
}

// block lets one of a fan and a guest block the other, and take it back.
func (m *joinsModel) block(t *rapid.T) {
	fan, guest := draw(t, "fan"), draw(t, "guest")
	one, other := m.fans[fan], m.guests[guest]
	if draw(t, "who") == 1 {
		one, other = other, one
	}
	_, err := m.relations.Block(m.t.Context(), domain.Viewer{UserID: one}, other)
	m.must(err)
	m.must(m.relations.Unblock(m.t.Context(), domain.Viewer{UserID: one}, other))
	m.follows[fan][guest] = false
	m.retract(func(f int, k joinKey) bool { return f == fan && k.guest == guest })
}

func (m *joinsModel) advance(t *rapid.T) {
	m.now = m.now.Add(rapid.SampledFrom([]time.Duration{time.Second, 50 * time.Second, 3 * time.Minute, 13 * time.Hour,
		25 * time.Hour}).Draw(t, "by"))
}

func (m *joinsModel) unread(fan int) (n int) {
	for _, item := range m.items[fan] {
		if !item.read {
			n++
		}
	}
	return n
}

// count compares the numbers of unread notifications. The next step is later.
func (m *joinsModel) count(t *rapid.T) {
	m.now = m.now.Add(time.Microsecond)
	for fan := range m.fans {
		got, err := m.notifications.Unread(m.t.Context(), domain.Viewer{UserID: m.fans[fan]})
		m.must(err)
		if want := m.unread(fan); got != want {
			t.Fatalf("fan %d has %d unread notifications, want %d", fan, got, want)
		}
	}
}

func (m *joinsModel) list(t *rapid.T) {
	fan := draw(t, "fan")
	page, err := m.notifications.List(m.t.Context(), domain.Viewer{UserID: m.fans[fan]}, notify.Query{Limit: 10}, notify.BestLanguage(""))
	m.must(err)
	if len(page.Items) != len(m.items[fan]) || page.Unread != m.unread(fan) {
		t.Fatalf("%d notifications, %d unread, want %d, %d", len(page.Items), page.Unread, len(m.items[fan]), m.unread(fan))
	}
	if !slices.IsSortedFunc(page.Items, func(a, b notify.Item) int { return b.CreatedAt.Compare(a.CreatedAt) }) {
		t.Fatalf("not in the order of time: %v", page.Items)
	}
	for k, want := range m.items[fan] {
		i := slices.IndexFunc(page.Items, func(i notify.Item) bool { return i.ID == m.id(k) })
		if i < 0 {
			t.Fatalf("no notification of %v", k)
		}
		if got := page.Items[i]; got.Kind != notify.FollowedUserGoing || !got.CreatedAt.Equal(want.at) || (got.ReadAt != nil) != want.read ||
			*got.EventID != m.events[k.event] {
			t.Fatalf("%+v, want %+v", got, want)
		}
	}
}

func (m *joinsModel) id(k joinKey) domain.NotificationID {
	return notify.Notification{Kind: notify.FollowedUserGoing, Actor: m.guests[k.guest], Event: m.events[k.event]}.ID()
}

// read marks one notification as read, which the fan need not have listed.
func (m *joinsModel) read(t *rapid.T) {
	fan, k := draw(t, "fan"), joinKey{draw(t, "guest"), draw(t, "event")}
	got, err := m.notifications.Read(m.t.Context(), domain.Viewer{UserID: m.fans[fan]}, m.id(k), notify.BestLanguage(""))
	item := m.items[fan][k]
	if (err == nil) != (item != nil) || err == nil && !got.CreatedAt.Equal(item.at) {
		t.Fatalf("%+v: %+v, %v", item, got, err)
	}
	if item != nil {
		item.read = true
	}
}

func (m *joinsModel) readAll(t *rapid.T) {
	fan := draw(t, "fan")
	got, err := m.notifications.ReadAll(m.t.Context(), domain.Viewer{UserID: m.fans[fan]})
	m.must(err)
	if want := m.unread(fan); got != want {
		t.Fatalf("%d marked as read, want %d", got, want)
	}
	for _, item := range m.items[fan] {
		item.read = true
	}
}
