package attendance_test

import (
	"context"
	"errors"
	"flag"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("rapid.checks", strconv.Itoa(testutil.Rounds(6, 700))); err != nil { // of about 30 steps
		panic(err)
	}
	os.Exit(m.Run())
}

// TestWaitlistFollowsModel joins, waits, leaves, changes the capacity and lets the clock jump at random, on both engines. After each step
// the database equals a small model: who goes, who waits in which order, who has an offer, and how often each was notified. On PostgreSQL
// three instances serve the steps in turn.
func TestWaitlistFollowsModel(t *testing.T) {
	for engine, instances := range map[db.Engine]int{db.SQLite: 1, db.PostgreSQL: 3} {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			w := newWaitlistWorld(t, dbtest.URL(t, engine), instances)
			rapid.Check(t, func(rt *rapid.T) {
				m := w.publish(rt)
				rt.Repeat(map[string]func(*rapid.T){
					"join":     m.join,
					"leave":    m.leave,
					"wait":     m.wait,
					"give up":  m.giveUp,
					"capacity": m.setCapacity,
					"mode":     m.setMode,
					"clock":    m.setClock,
					"join late": func(t *rapid.T) {
						m.setClock(t)
						m.join(t) // before the jobs
					},
					"": m.check,
				})
			})
			t.Logf("%d steps", w.turns/2)
		})
	}
}

// waitlistInstance is one of the instances of the service.
type waitlistInstance struct {
	d    *db.DB
	s    *attendance.Service
	jobs *job.Workers
}

// waitlistWorld are users of one database, and the instance that serves the next step.
type waitlistWorld struct {
	waitlistInstance
	instances []waitlistInstance
	turns     int // of instances: two for each step
	now       time.Time
	users     []domain.UserID
	owner     domain.UserID
}

const waitlistUsers = 7

func newWaitlistWorld(t *testing.T, url string, instances int) *waitlistWorld {
	w := &waitlistWorld{now: time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC)}
	for range instances {
		d, err := db.Open(t.Context(), url, db.Options{Wait: time.Minute, Connections: 2})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		d.Subscribe(notify.OutboxTopic) // so that notifications are counted there
		s := joiningService(d, w.now)
		s.Clock = func() time.Time { return w.now }
		jobs := job.New(job.Options{DB: d, Clock: s.Clock, Logger: slog.New(slog.DiscardHandler)})
		s.RegisterJobs(jobs)
		w.instances = append(w.instances, waitlistInstance{d, s, jobs})
	}
	w.nextInstance()
	for range waitlistUsers + 1 {
		w.users = append(w.users, domain.RandomID[domain.UserKind]())
		if _, err := w.d.Exec(t.Context(), addUser, w.users[len(w.users)-1], w.now); err != nil {
			t.Fatal(err)
		}
	}
	w.owner, w.users = w.users[waitlistUsers], w.users[:waitlistUsers]
	return w
}

// nextInstance lets the next instance serve what follows.
func (w *waitlistWorld) nextInstance() {
	w.turns++
	w.waitlistInstance = w.instances[w.turns%len(w.instances)]
}

var setListStmt = db.SQL("test.set_list", `UPDATE events SET waitlist = $2, waitlisted = TRUE, max_party_size = 3, waitlist_offer_minutes = 60 WHERE id = $1`)

// guestState is what the model knows of a user: going, or an active entry.
type guestState struct {
	user          int
	status        string
	party, missed int64
	until         time.Time // of an offer
}

// waitlistModel is one event. The list has the entries in the order in which they get seats.
type waitlistModel struct {
	*waitlistWorld
	t        *rapid.T
	event    domain.EventID
	starts   time.Time
	mode     string
	capacity int64
	going    map[int]int64
	list     []guestState
	told     int
}

func (w *waitlistWorld) publish(t *rapid.T) *waitlistModel {
	m := &waitlistModel{waitlistWorld: w, t: t, event: domain.RandomID[domain.EventKind](), starts: w.now.Add(200 * 24 * time.Hour),
		mode: event.WaitlistOffer, capacity: 4, going: map[int]int64{}}
	m.must(w.d.InTx(context.Background(), func(tx db.Tx) error {
		tx.Queue(context.Background(), addEvent, m.event, w.owner, "published", "public", true, m.starts, rand.Int64(), "free", &m.capacity)
		tx.Queue(context.Background(), setListStmt, m.event, m.mode)
		return m.set(tx)
	}))
	return m
}

func (m *waitlistModel) must(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *waitlistModel) set(tx db.Tx) error {
	rules := event.SeatRules{Event: m.event, Capacity: &m.capacity, MaxParty: 3, Waitlisted: true}
	return attendance.Seats{}.Set(context.Background(), tx, rules, m.now)
}

func (m *waitlistModel) free() int64 {
	free := m.capacity
	for _, party := range m.going {
		free -= party
	}
	for _, g := range m.list {
		if g.status == "offered" {
			free -= g.party
		}
	}
	return free
}

// draw returns a user and a party.
func (m *waitlistModel) draw(t *rapid.T) (user int, party int64) {
	m.t = t
	return rapid.IntRange(0, waitlistUsers-1).Draw(t, "user"), rapid.Int64Range(1, 3).Draw(t, "party")
}

func (m *waitlistModel) entry(user int) int {
	return slices.IndexFunc(m.list, func(g guestState) bool { return g.user == user })
}

// wants fails the test unless an error is the expected one.
func (m *waitlistModel) wants(err, want error) {
	m.t.Helper()
	if !errors.Is(err, want) || want == nil && err != nil {
		m.t.Fatalf("got %v, want %v", err, want)
	}
}

func (m *waitlistModel) join(t *rapid.T) {
	user, party := m.draw(t)
	var want error
	was, goes := m.going[user]
	at := m.entry(user)
	offered := at >= 0 && m.list[at].status == "offered" && m.now.Before(m.list[at].until)
	switch {
	case goes && party-was > m.free(), !goes && !offered && party > m.free()+m.freedByJoin(at):
		want = domain.Forbid(domain.EventFull)
	case !goes && offered && party > m.list[at].party:
		want = domain.Forbid(domain.BlockedByState)
	default:
		m.going[user] = party
		if at >= 0 {
			m.list = slices.Delete(m.list, at, at+1)
		}
	}
	_, err := m.s.Join(context.Background(), domain.Viewer{UserID: m.users[user]}, m.event, attendance.Terms{Party: party})
	m.wants(err, want)
}

// freedByJoin returns how many seats the end of an offer makes free for its user who joins too late: none if somebody waits for them.
func (m *waitlistModel) freedByJoin(at int) int64 {
	waits := func(g guestState) bool { return g.status == "waiting" }
	if at < 0 || waits(m.list[at]) || slices.ContainsFunc(m.list, waits) {
		return 0
	}
	return m.list[at].party
}

func (m *waitlistModel) leave(t *rapid.T) {
	user, _ := m.draw(t)
	if _, goes := m.going[user]; !goes {
		return
	}
	delete(m.going, user)
	_, err := m.s.Leave(context.Background(), domain.Viewer{UserID: m.users[user]}, m.event)
	m.wants(err, nil)
}

func (m *waitlistModel) wait(t *rapid.T) {
	user, party := m.draw(t)
	var want error
	_, goes := m.going[user]
	at := m.entry(user)
	waits := at >= 0 && m.list[at].status == "waiting"
	switch {
	case at >= 0 && !waits && party > m.list[at].party:
		want = domain.Forbid(domain.BlockedByState)
	case at >= 0 && (!waits || party == m.list[at].party):
		m.list[at].party = party
	case goes:
		want = domain.Forbid(domain.BlockedByState)
	case m.mode == event.WaitlistOff:
		want = domain.Forbid(domain.WaitlistOff)
	case party <= m.free():
		want = domain.Forbid(domain.EventNotFull)
	case !waits:
		m.list = append(m.list, guestState{user: user, status: "waiting", party: party})
	case party < m.list[at].party:
		m.list[at].party = party
	default:
		g := m.list[at]
		g.party = party
		m.list = append(slices.Delete(m.list, at, at+1), g)
	}
	_, err := m.s.EnterWaitlist(context.Background(), domain.Viewer{UserID: m.users[user]}, m.event, attendance.Terms{Party: party})
	m.wants(err, want)
}

func (m *waitlistModel) giveUp(t *rapid.T) {
	user, _ := m.draw(t)
	at := m.entry(user)
	if at < 0 {
		return
	}
	m.list = slices.Delete(m.list, at, at+1)
	m.wants(m.s.LeaveWaitlist(context.Background(), domain.Viewer{UserID: m.users[user]}, m.event), nil)
}

func (m *waitlistModel) setCapacity(t *rapid.T) {
	m.t = t
	var going int64
	for _, party := range m.going {
		going += party
	}
	capacity := rapid.Int64Range(1, 8).Draw(t, "capacity")
	if capacity < going {
		return
	}
	was := m.capacity
	m.capacity = capacity
	m.must(m.d.InTx(context.Background(), m.set))
	if capacity >= was {
		return
	}
	for _, user := range m.withdrawn() {
		at := m.entry(user)
		m.list[at].status = "waiting"
	}
}

// withdrawn returns the users of the model who have an offer, but do not in the database. Which of several offers at the same moment is
// the latest, the database decides.
func (m *waitlistModel) withdrawn() (users []int) {
	for m.free() < 0 {
		over := false
		for i := range m.list {
			if m.list[i].status == "offered" && m.stored(m.list[i].user) == "waiting" {
				users, over = append(users, m.list[i].user), true
				m.list[i].status = "waiting"
			}
		}
		if !over {
			m.t.Fatalf("%d seats are free, but no offer is withdrawn", m.free())
		}
	}
	return users
}

func (m *waitlistModel) stored(user int) string {
	e, err := m.s.Entry(context.Background(), domain.Viewer{UserID: m.users[user]}, m.event)
	m.must(err)
	return string(e.Status)
}

func (m *waitlistModel) setMode(t *rapid.T) {
	m.t = t
	m.mode = rapid.SampledFrom([]string{event.WaitlistOff, event.WaitlistAutomatic, event.WaitlistOffer, event.WaitlistOffer}).Draw(t, "mode")
	m.must(m.d.InTx(context.Background(), func(tx db.Tx) error {
		tx.Queue(context.Background(), setListStmt, m.event, m.mode)
		return m.set(tx)
	}))
}

// setClock lets the clock of the service go on or jump, forth or back. Offers last for an hour or more.
func (m *waitlistModel) setClock(t *rapid.T) {
	m.t = t
	m.now = m.now.Add(time.Duration(rapid.IntRange(-200, 400).Draw(t, "minutes")) * time.Minute)
}
