package attendance_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
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

// TestWaitlistFollowsModel joins, waits, leaves, changes the capacity and lets time pass at random, on both engines. After each step the
// database equals a small model: who goes, who waits in which order, who has an offer, and how often each was notified.
func TestWaitlistFollowsModel(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		d.Subscribe(notify.OutboxTopic) // so that notifications are counted there
		w := newWaitlistWorld(t, d)
		rapid.Check(t, func(rt *rapid.T) {
			m := w.publish(rt)
			rt.Repeat(map[string]func(*rapid.T){
				"join":     m.join,
				"leave":    m.leave,
				"wait":     m.wait,
				"give up":  m.giveUp,
				"capacity": m.setCapacity,
				"mode":     m.setMode,
				"time":     m.advance,
				"":         m.check,
			})
		})
	})
}

// waitlistWorld are users of one database.
type waitlistWorld struct {
	d     *db.DB
	now   time.Time
	s     *attendance.Service
	jobs  *job.Workers
	users []domain.UserID
	owner domain.UserID
}

const waitlistUsers = 7

func newWaitlistWorld(t *testing.T, d *db.DB) *waitlistWorld {
	w := &waitlistWorld{d: d, now: time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC)}
	w.s = joiningService(d, w.now)
	w.s.Clock = func() time.Time { return w.now }
	w.jobs = job.New(job.Options{DB: d, Clock: w.s.Clock, Logger: slog.New(slog.DiscardHandler)})
	w.s.RegisterJobs(w.jobs)
	for range waitlistUsers + 1 {
		w.users = append(w.users, domain.RandomID[domain.UserKind]())
		if _, err := d.Exec(t.Context(), addUser, w.users[len(w.users)-1], w.now); err != nil {
			t.Fatal(err)
		}
	}
	w.owner, w.users = w.users[waitlistUsers], w.users[:waitlistUsers]
	return w
}

var (
	setListStmt  = db.SQL("test.set_list", `UPDATE events SET waitlist = $2, waitlisted = TRUE, max_party_size = 3, waitlist_offer_minutes = 60 WHERE id = $1`)
	modelledStmt = db.SQL("test.modelled", `
		SELECT p.user_id, 'going', p.party, 0, 0 FROM participants p WHERE p.event_id = $1 AND p.status = 'going'
		UNION ALL SELECT w.user_id, w.status, w.party, w.missed, w.place FROM waitlist_entries w WHERE w.event_id = $1 AND w.status IN ('waiting', 'offered')
		ORDER BY 5`)
	heldStmt = db.SQL("test.held", `
		SELECT (SELECT CAST(COALESCE(SUM(party), 0) AS BIGINT) FROM seat_holds WHERE event_id = $1), CAST(COALESCE(SUM(n), 0) AS BIGINT),
			CAST(COALESCE(SUM(held), 0) AS BIGINT), CAST(COALESCE(SUM(kept), 0) AS BIGINT), CAST(COALESCE(SUM(cap), -1) AS BIGINT),
			COUNT(CASE WHEN n + held + kept > cap THEN 1 END)
		FROM event_slots WHERE event_id = $1`)
	toldStmt = db.SQL("test.told", `
		SELECT COUNT(*) FROM notification_outbox o JOIN notifications n ON n.id = o.notification_id AND n.user_id = o.user_id
		WHERE n.event_id = $1 AND n.kind IN ('waitlist_offer', 'waitlist_joined', 'waitlist_expired')`)
)

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
	switch {
	case goes && party-was > m.free(), !goes && (at < 0 || m.list[at].status == "waiting") && party > m.free():
		want = domain.Forbid(domain.EventFull)
	case !goes && at >= 0 && m.list[at].status == "offered" && party > m.list[at].party:
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

func (m *waitlistModel) advance(t *rapid.T) {
	m.t = t
	m.now = m.now.Add(time.Duration(rapid.IntRange(1, 80).Draw(t, "minutes")) * time.Minute)
	m.waitlistWorld.now = m.now
}

// settle is what the jobs do: they end offers, close a list that is off, and give free seats to the first who fit.
func (m *waitlistModel) settle() {
	ended := []guestState{}
	for _, g := range m.list {
		if g.status == "offered" && !m.now.Before(g.until) {
			ended = append(ended, g)
		}
	}
	slices.SortFunc(ended, func(a, b guestState) int { return a.until.Compare(b.until) })
	for _, g := range ended {
		at := m.entry(g.user)
		m.list = slices.Delete(m.list, at, at+1)
		m.told++
		if g.missed++; g.missed < 3 && m.mode != event.WaitlistOff {
			g.status = "waiting"
			m.list = append(m.list, g)
		}
	}
	if m.mode == event.WaitlistOff {
		m.list = slices.DeleteFunc(m.list, func(g guestState) bool {
			if g.status == "waiting" {
				m.told++
			}
			return g.status == "waiting"
		})
		return
	}
	for i := 0; i < len(m.list); i++ {
		g := &m.list[i]
		if g.status != "waiting" || g.party > m.free() {
			continue
		}
		m.told++
		if m.mode == event.WaitlistAutomatic {
			m.going[g.user] = g.party
			m.list = slices.Delete(m.list, i, i+1)
			i--
			continue
		}
		g.status = "offered"
		e, err := m.s.Entry(context.Background(), domain.Viewer{UserID: m.users[g.user]}, m.event)
		m.must(err)
		if e.OfferExpires == nil || e.OfferExpires.Before(m.now.Add(time.Hour)) {
			m.t.Fatalf("the offer of user %d ends %v", g.user, e.OfferExpires)
		}
		g.until = *e.OfferExpires
	}
}

// check runs the jobs, and compares the database with the model.
func (m *waitlistModel) check(t *rapid.T) {
	m.t = t
	m.must(m.jobs.RunDue(context.Background()))
	m.settle()
	want := []string{}
	for user, party := range m.going {
		want = append(want, fmt.Sprint(user, " going ", party, " 0"))
	}
	slices.Sort(want)
	for _, g := range m.list {
		want = append(want, fmt.Sprint(g.user, " ", g.status, " ", g.party, " ", g.missed))
	}
	var going, list []string
	for row, err := range m.d.Query(context.Background(), modelledStmt, m.event) {
		var user domain.UserID
		var status string
		var party, missed, place int64
		if err == nil {
			err = row.Scan(&user, &status, &party, &missed, &place)
		}
		m.must(err)
		line := fmt.Sprint(slices.Index(m.users, user), " ", status, " ", party, " ", missed)
		if status == "going" {
			going = append(going, line)
		} else {
			list = append(list, line)
		}
	}
	slices.Sort(going)
	if got := slices.Concat(going, list); !slices.Equal(got, want) {
		t.Fatalf("capacity %d, %s:\ngot  %q\nwant %q", m.capacity, m.mode, got, want)
	}
	m.checkSeats()
}

// checkSeats compares the counts of the seat rows and the number of notifications with the model.
func (m *waitlistModel) checkSeats() {
	var holds, n, held, kept, limit, oversold int64
	m.must(m.d.One(context.Background(), heldStmt, m.event).Scan(&holds, &n, &held, &kept, &limit, &oversold))
	if n+held+m.free() != m.capacity || limit != m.capacity || holds != held || kept != 0 || oversold != 0 {
		m.t.Fatalf("of %d seats, %d are taken, %d held for %d, %d kept, the rows have %d, %d are oversold", m.capacity, n, held, holds, kept,
			limit, oversold)
	}
	var told int
	m.must(m.d.One(context.Background(), toldStmt, m.event).Scan(&told))
	if told != m.told {
		m.t.Fatalf("%d notifications, want %d", told, m.told)
	}
}
