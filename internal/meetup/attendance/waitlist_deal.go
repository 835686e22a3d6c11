package attendance

import (
	"context"
	"errors"
	"slices"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/core/webhook"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/question"
	"moothall/internal/platform/db"
)

// The sizes of one transaction of the dealer.
const (
	maxDealt  = 20  // entries that get seats
	maxClosed = 100 // entries that end without
)

// maxMissed is how many missed offers end an entry.
const maxMissed = 3

// dealer gives the free seats of one event to its waiting list, in one transaction that holds the locks of the
// entries and the seat rows. Seats that fit nobody are free to all.
type dealer struct {
	s    *Service
	tx   db.Tx
	now  time.Time
	list list
	rows []seatRow

	entries map[domain.UserID]event.WaitlistEntry // locked and active
	refused bool                                  // a user may not join, although they are next
}

// list are the facts about an event and its waiting list.
type list struct {
	id         domain.EventID
	organizer  domain.UserID
	status     access.Status
	visibility access.Visibility
	startsAt   time.Time
	timezone   string
	mode       string // waitlist of the event
	minutes    int64  // of an offer
	paid       bool
	hasWebhook bool

	hasQuestions bool
}

// promotes reports whether the first in the list participates at once. Otherwise they get an offer.
func (l list) promotes(now time.Time) bool {
	return l.mode == event.WaitlistAutomatic && !l.paid && now.Before(l.startsAt.Add(-promoteUntil))
}

// deals reports whether entries get seats.
func (l list) deals(now time.Time) bool {
	return l.status == access.Published && l.mode != event.WaitlistOff && !l.started(now)
}

// started reports whether the list has ended with the start of the event.
func (l list) started(now time.Time) bool { return !now.Before(l.startsAt) }

// deal gives free seats of an event to entries that wait, at most maxDealt. With expire, it also ends what has ended by the
// time: offers, and the list of an event that has begun. It reports whether there is more to do.
func (s *Service) deal(ctx context.Context, tx db.Tx, id domain.EventID, expire bool, now time.Time) (more bool, err error) {
	l, found, err := readList(ctx, tx, listStmt, id, now)
	if err != nil || !found {
		return false, err
	}
	d := &dealer{s: s, tx: tx, now: now, list: l}
	missed, ending, err := d.ended(ctx, expire)
	if err != nil {
		return false, err
	}
	if d.rows, err = db.All(ctx, tx, scanSeatRow, seatRowsStmt, id); err != nil {
		return false, err
	}
	next, err := d.next(ctx)
	if err != nil {
		return false, err
	}
	if err := d.lock(ctx, slices.Concat(missed, ending, next), next); err != nil {
		return false, err
	}
	for _, ended := range []struct {
		users []domain.UserID
		end   func(context.Context, event.WaitlistEntry) error
	}{{missed, d.miss}, {ending, d.close}} {
		for _, user := range ended.users {
			if e, active := d.entries[user]; active {
				if err := ended.end(ctx, e); err != nil {
					return false, err
				}
			}
		}
	}
	if err := d.giveAll(ctx, next); err != nil {
		return false, err
	}
	more, err = d.finish(ctx)
	ends := d.list.status != l.status || d.list.mode != l.mode // before the locks, so that d.ended has not seen it
	return more || ends || len(missed) == maxClosed || len(ending) == maxClosed, err
}

// ended returns the users whose offers were missed, and those whose entries end with the list.
func (d *dealer) ended(ctx context.Context, expire bool) (missed, ending []domain.UserID, err error) {
	switch {
	case d.list.status == access.Canceled, expire && d.list.started(d.now):
		ending, err = allUsers(ctx, d.tx, activeUsersStmt, d.list.id, maxClosed)
		return nil, ending, err
	case d.list.mode == event.WaitlistOff:
		ending, err = allUsers(ctx, d.tx, waitingUsersStmt, d.list.id, maxClosed)
	}
	if err == nil && expire {
		missed, err = allUsers(ctx, d.tx, missedUsersStmt, d.list.id, d.now, maxClosed)
	}
	return missed, ending, err
}

// next returns the users who get the free seats now, the first in the list first. Those for whom too few are free are passed over.
func (d *dealer) next(ctx context.Context) ([]domain.UserID, error) {
	if !d.list.deals(d.now) {
		return nil, nil
	}
	return allUsers(ctx, d.tx, nextUsersStmt, d.list.id, d.list.organizer, d.free(), maxDealt)
}

// lock locks the accounts of those who may get seats, the event, the entries of users, and the seat rows, and reads them again. All
// seats that are kept are the dealer's until it finishes.
func (d *dealer) lock(ctx context.Context, users, next []domain.UserID) (err error) {
	user.Share(ctx, d.tx, next...)
	if d.list, _, err = readList(ctx, d.tx, lockListStmt, d.list.id, d.now); err != nil {
		return err
	}
	entries, err := db.All(ctx, d.tx, func(row db.Row, e *event.WaitlistEntry) error {
		e.EventID = d.list.id
		return row.Scan(&e.ID, &e.UserID, &e.Status, &e.Party, &e.Visibility, &e.Missed, &e.Place)
	}, lockEntriesStmt, d.list.id, users)
	if err != nil {
		return err
	}
	d.entries = map[domain.UserID]event.WaitlistEntry{}
	for _, e := range entries {
		d.entries[e.UserID] = e
	}
	d.rows, err = lockSeatRows(ctx, d.tx, d.list.id)
	for i := range d.rows {
		d.rows[i].kept = 0
	}
	return err
}

// giveAll gives seats to the first of the list. It stops at a user who is next by now, but whose account is not shared.
func (d *dealer) giveAll(ctx context.Context, shared []domain.UserID) error {
	next, err := d.next(ctx)
	if err != nil {
		return err
	}
	for _, user := range next {
		e, locked := d.entries[user]
		if !locked || !slices.Contains(shared, user) {
			return nil
		}
		if e.Status != event.EntryWaiting || e.Party > d.free() {
			continue
		}
		if err := d.give(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// free returns how many seats can be given: those that are free or kept.
func (d *dealer) free() (n int64) {
	for _, s := range d.rows {
		s.kept = 0
		n += s.free()
	}
	return n
}

// give gives seats to an entry that waits, or passes over a user who may not join any more. The event must have enough free seats.
func (d *dealer) give(ctx context.Context, e event.WaitlistEntry) error {
	if !d.list.promotes(d.now) {
		return d.offer(ctx, e)
	}
	err := d.promote(ctx, e)
	if errors.Is(err, domain.NotFound) || errors.Is(err, domain.Forbidden) {
		d.refused = true
		return nil
	}
	return err
}

// promote makes the user of an entry a participant. Returns the error of Join if they may not join.
func (d *dealer) promote(ctx context.Context, e event.WaitlistEntry) error {
	v, t := domain.Viewer{UserID: e.UserID}, Terms{Visibility: e.Visibility, Party: e.Party, approved: true}
	take := func(ctx context.Context, tx db.Tx, p *Participant, seats int64, _ bool) error {
		row := d.rowWithSeats(seats)
		row.n += seats
		p.seatRow = row.number
		tx.Queue(ctx, moveSeatStmt, p.EventID, p.UserID, p.seatRow)
		return nil
	}
	var err error
	if d.list.visibility == access.Private {
		err = d.s.rsvpIn(ctx, d.tx, v, d.list.id, RSVP{Status: access.Accepted, Terms: t}, take, d.now)
	} else {
		err = d.s.joinIn(ctx, d.tx, &Participant{EventID: d.list.id, UserID: e.UserID}, v, t, take, d.now)
	}
	if err != nil {
		return err
	}
	return d.notify(ctx, notify.WaitlistJoined, e, nil)
}

// offer holds seats for an entry until the offer ends.
func (d *dealer) offer(ctx context.Context, e event.WaitlistEntry) error {
	row, until := d.rowWithSeats(e.Party), d.list.offerEnd(d.now)
	row.held += e.Party
	d.tx.Queue(ctx, holdStmt, e.EventID, e.UserID, row.number, e.Party, until)
	d.tx.Queue(ctx, setEntryStmt, e.EventID, e.UserID, event.EntryOffered, 0, d.now)
	if err := webhook.Put(ctx, d.tx, d.now, d.list.hasWebhook, entryChange(webhook.WaitlistOffered, e.EventID, e.Party)); err != nil {
		return err
	}
	return d.notify(ctx, notify.WaitlistOffer, e, map[string]string{notify.UntilParam: until.Format(time.RFC3339)})
}

// rowWithSeats returns a row with that many free seats, if necessary after it got those of other rows. All rows together must have them.
func (d *dealer) rowWithSeats(seats int64) *seatRow {
	to := mostFree(d.rows)
	if d.rows[to].free() < seats {
		for i, limit := range gather(d.rows, to, seats) {
			d.rows[i].limit = &limit
		}
	}
	return &d.rows[to]
}

// miss ends an offer that was not accepted in time. The entry moves to the end of the list, or ends.
func (d *dealer) miss(ctx context.Context, e event.WaitlistEntry) error {
	if e.Status != event.EntryOffered {
		return nil
	}
	if err := d.release(ctx, e); err != nil {
		return err
	}
	status := event.EntryWaiting
	switch {
	case e.Missed+1 >= maxMissed:
		status = event.EntryExpired
	case d.list.mode == event.WaitlistOff:
		status = event.EntryClosed
	}
	d.tx.Queue(ctx, setEntryStmt, e.EventID, e.UserID, status, 1, d.now)
	if status != event.EntryWaiting {
		if err := d.putEnded(ctx, e); err != nil {
			return err
		}
	}
	return d.notify(ctx, notify.WaitlistExpired, e, map[string]string{"status": string(status)})
}

// close ends an entry with the list.
func (d *dealer) close(ctx context.Context, e event.WaitlistEntry) error {
	if err := d.release(ctx, e); err != nil {
		return err
	}
	d.tx.Queue(ctx, setEntryStmt, e.EventID, e.UserID, event.EntryClosed, 0, d.now)
	if err := d.putEnded(ctx, e); err != nil {
		return err
	}
	if d.list.status == access.Canceled {
		return nil // the cancellation has notified them
	}
	return d.notify(ctx, notify.WaitlistExpired, e, map[string]string{"status": string(event.EntryClosed)})
}

func (d *dealer) putEnded(ctx context.Context, e event.WaitlistEntry) error {
	if d.list.hasQuestions {
		question.Forget(ctx, d.tx, e.EventID, e.UserID)
	}
	return webhook.Put(ctx, d.tx, d.now, d.list.hasWebhook, entryChange(webhook.WaitlistEnded, e.EventID, e.Party))
}

// release returns the seats of an offer, if the entry has one.
func (d *dealer) release(ctx context.Context, e event.WaitlistEntry) error {
	if e.Status != event.EntryOffered {
		return nil
	}
	h, err := deleteHold(ctx, d.tx, e.EventID, e.UserID)
	for i := range d.rows {
		if d.rows[i].number == h.number {
			d.rows[i].held -= h.party
		}
	}
	return err
}

func (d *dealer) notify(ctx context.Context, kind notify.Kind, e event.WaitlistEntry, params map[string]string) error {
	return notify.Put(ctx, d.tx, d.now, notify.Notification{To: e.UserID, Kind: kind, Event: e.EventID, Params: params})
}

// finish writes the seat rows. The seats that are left are kept if they fit somebody who waits; then it reports that there is more to
// do. Otherwise they are free.
func (d *dealer) finish(ctx context.Context) (more bool, err error) {
	var waiting bool
	if err := d.tx.One(ctx, leftStmt, d.list.id, d.list.organizer, d.free()).Scan(&waiting, &more); err != nil {
		return false, err
	}
	more = more && d.list.deals(d.now) && !d.refused
	var numbers, n, held, kept, limits []int64
	for _, s := range d.rows {
		if more && s.limit != nil {
			s.kept = s.free()
		}
		numbers, n, held, kept = append(numbers, s.number), append(n, s.n), append(held, s.held), append(kept, s.kept)
		if s.limit != nil {
			limits = append(limits, *s.limit)
		}
	}
	d.tx.Changed(event.Attendance.Of(d.list.id))
	d.tx.Queue(ctx, writeSeatRowsStmt, d.list.id, numbers, n, held, kept, waiting)
	if len(limits) == len(d.rows) {
		setLimits(ctx, d.tx, d.list.id, d.rows, limits)
	}
	return more, nil
}
