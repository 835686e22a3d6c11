package deliver

import (
	"context"
	"errors"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

// facts are what decides about a delivery at the moment of sending.
type facts struct {
	settings
	email       *string
	verified    bool
	suspendedAt *time.Time
	suppressed  *time.Time // since when e-mails to the address are not sent
	mode        *Mode
	muted       bool
	readAt      *time.Time
	subject     string
	createdAt   *time.Time // nil: the notification is gone, or not received yet
	hasActor    bool
	blocked     bool // by the actor, or the actor
	eventID     *domain.EventID
	status      *access.Status // of the event
	startsAt    *time.Time
	voting      bool // on the date of the event
	attends     bool // going, or invited and not declined
	repeated    bool // the same was sent within a day
	imageURL    *string
	imageAlt    *string
	// appointmentsOff: the recipient wants no calendar messages.
	appointmentsOff bool
}

// lookStmt reads the facts of one delivery: user, notification (of AppointmentKind: event), kind,
// channel, now, the time from which a repeat is too early, and the target.
var lookStmt = db.SQL("deliver.look", `
	SELECT u.email, u.email_verified, u.suspended_at, `+suppressedSQL+`, `+settingsColumns+`,
		(SELECT r.mode FROM notification_rules r WHERE r.user_id = u.id AND r.kind = $3 AND r.channel = $4),
		EXISTS (SELECT 1 FROM muted_events m WHERE m.user_id = u.id AND m.event_id = e.id),
		n.read_at, n.created_at, COALESCE(n.subject, ''), n.actor_id IS NOT NULL, NOT (`+access.NotBlocked("n.actor_id", "u.id")+`),
		e.id, `+access.StatusSQL("e", "$5")+`, e.starts_at, COALESCE(e.date_mode = 'vote', FALSE),
		`+access.Going("e", "u.id")+` OR EXISTS (SELECT 1 FROM invitations v WHERE v.event_id = e.id AND v.user_id = u.id AND v.status <> 'declined'),
		EXISTS (SELECT 1 FROM deliveries d WHERE d.user_id = u.id AND d.notification_id = n.id AND d.channel = $4 AND d.target = $7 AND d.state = 'sent' AND d.ended_at > $6),
		e.image_url, e.image_alt,
		EXISTS (SELECT 1 FROM notification_rules r WHERE r.user_id = u.id AND r.kind = '`+string(AppointmentKind)+`' AND r.channel = 'email' AND r.mode = 'off')
	FROM users u
	LEFT JOIN notification_settings s ON s.user_id = u.id
	LEFT JOIN notifications n ON n.user_id = u.id AND n.id = $2
	LEFT JOIN events e ON e.id = COALESCE(n.event_id, $2)
	WHERE u.id = $1`)

// look reads the facts and the text of a delivery. A notification that its recipient has
// not received from a broadcast is received first. Of AppointmentKind there is no notification.
func (w *Worker) look(ctx context.Context, k key, kind notify.Kind, now time.Time) (facts, notify.Item, error) {
	f, err := readFacts(ctx, w.DB, k, kind, now)
	if kind == AppointmentKind {
		return f, notify.Item{}, err
	}
	if err == nil && (f.createdAt == nil || f.createdAt.Before(k.about)) {
		if _, err := w.Notifications.Unread(ctx, domain.Viewer{UserID: k.user}); err != nil {
			return f, notify.Item{}, err
		}
		f, err = readFacts(ctx, w.DB, k, kind, now)
	}
	if err != nil || f.createdAt == nil {
		return f, notify.Item{}, err
	}
	item, err := notify.Render(ctx, w.DB, k.user, k.notification, notify.LanguageOf(f.languageTag()))
	if errors.Is(err, domain.NotFound) {
		f.createdAt, err = nil, nil
	}
	return f, item, err
}

// repeatAfter is the time within which a notification that users can repeat at will is not
// sent again.
const repeatAfter = 24 * time.Hour

func readFacts(ctx context.Context, q db.Querier, k key, kind notify.Kind, now time.Time) (f facts, err error) {
	dest := append([]any{&f.email, &f.verified, &f.suspendedAt, &f.suppressed}, f.dest()...)
	dest = append(dest, &f.mode, &f.muted, &f.readAt, &f.createdAt, &f.subject, &f.hasActor, &f.blocked, &f.eventID, &f.status, &f.startsAt, &f.voting, &f.attends, &f.repeated,
		&f.imageURL, &f.imageAlt, &f.appointmentsOff)
	err = q.One(ctx, lookStmt, k.user, k.notification, kind, k.channel, now, now.Add(-repeatAfter), k.target).ScanOr(domain.NotFound, dest...)
	return f, err
}

// Reasons why a delivery is skipped.
const (
	accountGone = "the account is gone"
	suspended   = "the account is suspended or deleted"
	unverified  = "no verified address"
	bounced     = "e-mails to the address came back"
	readInApp   = "read in the app"
)

// skip returns why a delivery is no longer wanted or allowed; empty if it is.
func (f facts) skip(k key, kind notify.Kind, item notify.Item, now time.Time) string {
	p := policyOf[kind]
	switch {
	case f.suspendedAt != nil:
		return suspended
	case k.channel == Email && (f.email == nil || !f.verified):
		return unverified
	case k.channel == Email && f.suppressed != nil:
		return bounced
	case f.createdAt == nil || !f.createdAt.Equal(k.about):
		return "the notification was withdrawn or repeated"
	case f.readAt != nil && !p.security:
		return readInApp
	case f.modeOf(p, k.channel) == Off:
		return "switched off"
	case f.muted:
		return "the event is muted"
	case f.blocked:
		return "a block"
	case f.eventID != nil && item.EventID == nil:
		return "the event is hidden"
	case f.hasActor && item.Actor == nil && !p.fromOrganizer:
		return "the actor is hidden"
	case p.quotes && item.Body == nil:
		return "the content is gone"
	case p.attending && !f.attends:
		return "no longer attends"
	case p.upcoming && (f.status == nil || *f.status != access.Published || !now.Before(*f.startsAt)):
		return "the event has begun or is canceled"
	case kind == notify.EventReminder && (f.voting || !notify.OfStart(f.subject, *f.startsAt)):
		return "the event has another start"
	case f.repeated && p.toggled:
		return "sent within a day"
	}
	return ""
}

func (f facts) modeOf(p policy, c Channel) Mode {
	if f.mode != nil {
		return *f.mode
	}
	return p.mode(c)
}

// usefulUntil returns when a delivery is of no use any more.
func (f facts) usefulUntil(d delivery) time.Time {
	if policyOf[d.kind].upcoming && f.startsAt != nil && f.startsAt.Before(d.expires) {
		return *f.startsAt
	}
	return d.expires
}

// urgentBefore is the time before an event in which urgent kinds ignore quiet hours.
const urgentBefore = 12 * time.Hour

// wait returns the end of the quiet hours, if the delivery has to wait for it.
func (f facts) wait(p policy, now time.Time, zone *time.Location) (time.Time, bool) {
	if p.security || p.urgent && f.startsAt != nil && f.startsAt.Before(now.Add(urgentBefore)) {
		return time.Time{}, false
	}
	return f.quietUntil(now, zone)
}

// address returns the recipient's address as mail servers expect it.
func (f facts) address() (string, error) {
	e, err := user.ParseEmail(*f.email)
	return e.ASCII(), err
}

// Picture is the image of an event.
type Picture struct {
	URL string
	Alt string // what it shows; empty if the organizer has not said it
}

// picture returns the image of the event of a notification, if the recipient sees the event.
func (f facts) picture(item notify.Item) *Picture {
	if item.EventID == nil || f.eventID == nil || *item.EventID != *f.eventID || f.imageURL == nil {
		return nil
	}
	p := &Picture{URL: *f.imageURL}
	if f.imageAlt != nil {
		p.Alt = *f.imageAlt
	}
	return p
}
