package mail

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/calendar"
	"moothall/internal/platform/db"
	"moothall/internal/platform/observe"
)

// Mails keep the calendar programs of users up to date by calendar messages (iTIP, RFC 5546). A
// mail about a change of an event contains such a message. A mail of AppointmentKind contains
// nothing else. It is planned when a user joins or leaves. It also replaces the mail of a
// notification that the user has already read in the app.
//
// A message contains the state at the time of sending. It is sent only if that state differs from
// the latest message, which calendar_mails stores. So a user gets each version once, and nothing
// if they leave before the first message.

// AppointmentKind is the kind of deliveries that contain only a calendar message.
const AppointmentKind notify.Kind = "event_calendar"

// Appointment is a calendar message that a delivery has leased.
type Appointment struct {
	calendar.Appointment
	Sequence int64
}

// appointmentRows turns a SELECT of notifications into one of calendar messages, for users who
// have switched off the mails of the notification.
func appointmentRows(rows string) string {
	var kinds []notify.Kind
	for _, p := range policies {
		if p.appointment {
			kinds = append(kinds, p.kind)
		}
	}
	return `
		SELECT a.user_id AS user_id, a.event_id AS id, a.created_at AS created_at, '` + string(AppointmentKind) + `' AS kind,
			a.event_id AS event_id, a.trace AS trace, a.since AS since
		FROM (` + rows + `) AS a WHERE a.kind IN (` + quoted(kinds) + `) AND EXISTS (
			SELECT 1 FROM notification_rules o WHERE o.user_id = a.user_id AND o.kind = a.kind AND o.channel = 'email' AND o.mode = 'off')`
}

// maxAppointments is how many rows of the outbox of appointments one transaction plans.
const maxAppointments = 500

var (
	appointmentOutboxStmt = db.SQL("mail.appointment_outbox", `
		INSERT INTO appointment_outbox (id, user_id, event_id, about_at, trace) VALUES ($1, $2, $3, $4, $5)`)

	isAppointmentPendingStmt = db.SQL("mail.is_appointment_pending", `SELECT EXISTS (SELECT 1 FROM appointment_outbox)`)

	pendingAppointmentsStmt = db.SQL("mail.pending_appointments", `
		SELECT id FROM appointment_outbox ORDER BY id LIMIT `+strconv.Itoa(maxAppointments)+` FOR UPDATE SKIP LOCKED`)

	planAttendancesStmt = db.SQL("mail.plan_attendances", planSQL(Email, `
		SELECT o.user_id AS user_id, o.event_id AS id, o.about_at AS created_at, '`+string(AppointmentKind)+`' AS kind, o.event_id AS event_id,
			o.trace AS trace, o.about_at AS since
		FROM appointment_outbox o WHERE o.id IN (SELECT l.value FROM ids($2) AS l)`))

	appointmentsPlannedStmt = db.SQL("mail.appointments_planned", `DELETE FROM appointment_outbox
		WHERE id IN (SELECT l.value FROM ids($1) AS l)`)

	planBlockedStmt = db.SQL("mail.plan_blocked", planSQL(Email, `
		SELECT m.user_id AS user_id, m.event_id AS id, CAST($2 AS BIGINT) AS created_at, '`+string(AppointmentKind)+`' AS kind,
			m.event_id AS event_id, CAST($5 AS TEXT) AS trace,
			CAST($2 AS BIGINT) AS since
		FROM calendar_mails m JOIN events e ON e.id = m.event_id
		WHERE m.version <> '' AND (m.user_id = $3 AND e.organizer_id = $4 OR m.user_id = $4 AND e.organizer_id = $3)`))
)

func (w *Worker) mails() bool { return slices.Contains(w.Channels(), Email) }

// OnAttendance queues a calendar message to a user who has joined or left an event.
func (w *Worker) OnAttendance(ctx context.Context, tx db.Tx, event domain.EventID, user domain.UserID, now time.Time) {
	if w.mails() {
		tx.Queue(ctx, appointmentOutboxStmt, domain.NewID[any](now), user, event, now, observe.TraceParent(ctx))
		tx.Publish(notify.OutboxTopic)
	}
}

// planAppointments plans the oldest rows of the outbox of appointments. more reports whether
// there may be others.
func (w *Worker) planAppointments(ctx context.Context, tx db.Tx) (more bool, err error) {
	pending, err := db.All(ctx, tx, func(row db.Row, id *domain.ID[any]) error { return row.Scan(id) }, pendingAppointmentsStmt)
	if err != nil || len(pending) == 0 {
		return false, err
	}
	tx.Queue(ctx, planAttendancesStmt, w.Grace.Microseconds(), pending)
	tx.Queue(ctx, appointmentsPlannedStmt, pending)
	return len(pending) == maxAppointments, nil
}

// OnBlock plans calendar messages about the events of each of two users that the other attended.
func (w *Worker) OnBlock(ctx context.Context, tx db.Tx, now time.Time, blocker, blocked domain.UserID) error {
	if w.mails() {
		tx.Queue(ctx, planBlockedStmt, w.Grace.Microseconds(), now, blocker, blocked, observe.TraceParent(ctx))
	}
	return nil
}

// skipAppointment returns why a calendar message must not be sent; empty if it may.
func (f candidate) skipAppointment(now time.Time) string {
	reason := f.unreachable(Email)
	switch {
	case reason != "":
	case f.appointmentsOff:
		reason = "switched off"
	case f.muted:
		reason = "the event is muted"
	case f.eventID == nil || !now.Before(*f.startsAt):
		reason = "the event is deleted or has begun"
	}
	return reason
}

// item returns the text of a mail that contains only the calendar message.
func (a *Appointment) item(l notify.Language) notify.Item {
	shown := notify.Appointment{Event: a.Event, Status: a.PartStat, Title: a.Title, StartsAt: a.StartsAt, Timezone: a.Timezone,
		Location: a.Location, Address: a.Address}
	if a.Method() == calendar.Cancel {
		shown.Status = notify.AppointmentCanceled
	}
	if a.Hidden {
		shown = notify.Appointment{Status: notify.AppointmentCanceled}
	}
	return shown.Item(l)
}

// errLeased means that another delivery sends a calendar message to the same user about the
// same event.
var errLeased = errors.New("another message about the event is being sent")

// leasedPause is how long a delivery waits after errLeased.
const leasedPause = 10 * time.Second

// latestMessage is the latest calendar message to a user about an event.
type latestMessage struct {
	known     bool // there is one
	sequence  int64
	version   string
	sent      bool // the mail server has accepted it; false: unknown
	leaseEnds *time.Time
}

// next returns the sequence of the next message; wanted is false if the user has the current
// version. If it is unknown whether the latest message was sent, it is repeated with its sequence.
func (latest latestMessage) next(a calendar.Appointment) (sequence int64, wanted bool) {
	version := a.Version()
	switch {
	case latest.version == "" && a.Undecided():
		return 0, false
	case !latest.known:
		return a.Sequence, version != ""
	case latest.version == version:
		return latest.sequence, !latest.sent
	default:
		return max(latest.sequence+1, a.Sequence), true
	}
}

var (
	latestMessageStmt = db.SQL("mail.latest_message", `SELECT sequence, version, sent, lease_ends FROM calendar_mails WHERE user_id = $1
		AND event_id = $2`)

	leaseAppointmentStmt = db.SQL("mail.lease_appointment", `
		INSERT INTO calendar_mails (user_id, event_id, sequence, version, sent, lease, lease_ends) VALUES ($1, $2, $3, $4, FALSE, $5, $6)
		ON CONFLICT (user_id, event_id) DO UPDATE SET sequence = excluded.sequence, version = excluded.version, sent = FALSE,
			lease = excluded.lease, lease_ends = excluded.lease_ends`)

	returnAppointmentStmt = db.SQL("mail.return_appointment", `
		UPDATE calendar_mails SET sent = $4, lease = NULL, lease_ends = NULL WHERE user_id = $1 AND event_id = $2 AND lease = $3`)
)

// leaseAppointment returns the calendar message about the current state of the event, and leases it
// until the delivery ends. It returns nil if the delivery contains none, or the user has the current version.
// It returns errLeased if another delivery has leased it, and domain.NotFound if the account is gone.
func (w *Worker) leaseAppointment(ctx context.Context, d *delivery, f candidate, now time.Time) (leased *Appointment, err error) {
	if d.kind != AppointmentKind && (d.channel != Email || !policyOf[d.kind].appointment || f.skipAppointment(now) != "") {
		return nil, nil
	}
	event := *f.eventID
	err = w.DB.InTx(ctx, func(tx db.Tx) error {
		leased = nil
		user.Lock(ctx, tx, d.user) // one message at a time, and none after the account is deleted
		var latest latestMessage
		if latest.known, err = tx.One(ctx, latestMessageStmt, d.user, event).Find(&latest.sequence, &latest.version, &latest.sent,
			&latest.leaseEnds); err != nil {
			return err
		}
		if latest.leaseEnds != nil && now.Before(*latest.leaseEnds) {
			return errLeased
		}
		a, err := calendar.ReadAppointment(ctx, tx, d.user, event)
		if err != nil {
			return err
		}
		sequence, wanted := latest.next(a)
		if !wanted {
			return nil
		}
		leased = &Appointment{a, sequence}
		tx.Queue(ctx, leaseAppointmentStmt, d.user, event, sequence, a.Version(), d.lease, d.leaseEnds)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if leased != nil {
		d.appointment = event
	}
	return leased, nil
}
