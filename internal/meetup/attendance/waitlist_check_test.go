package attendance_test

import (
	"context"
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

var (
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
	m.nextInstance()
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
	m.nextInstance()
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
