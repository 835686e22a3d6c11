package mail

import (
	"bytes"
	"context"
	"slices"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/delivery/webpush"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// candidate is the facts that decide whether and when a delivery is sent, and its text. They are read just before.
type candidate struct {
	settings
	account     bool // exists
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
	sender      *domain.UserID // the actor, else the organizer of the event
	stranger    bool           // the recipient does not know the sender
	blocked     bool           // by the actor, or the actor
	eventID     *domain.EventID
	status      *access.Status // of the event
	startsAt    *time.Time
	voting      bool // on the date of the event
	attends     bool // going, or invited and not declined
	repeated    bool // the same notification was sent within repeatAfter
	imageURL    *string
	imageAlt    *string
	// appointmentsOff: the recipient wants no calendar messages.
	appointmentsOff bool
	push            Subscription
	item            *notify.Item // nil: the notification is gone
}

// senderSQL is the sender of a delivery.
const senderSQL = `COALESCE(n.actor_id, e.organizer_id)`

// factsStmt reads the facts of a delivery. The arguments are user, notification (of AppointmentKind: event), kind, channel,
// and now. Whether the sender hosts this event comes first, because strangerSQL looks at all events that the recipient attends.
var factsStmt = db.SQL("mail.facts", `
	SELECT TRUE, u.email, u.email_verified, u.suspended_at, `+suppressedSQL+`, `+settingsColumns+`,
		(SELECT r.mode FROM notification_rules r WHERE r.user_id = u.id AND r.kind = $3 AND r.channel = $4),
		EXISTS (SELECT 1 FROM muted_events m WHERE m.user_id = u.id AND m.event_id = e.id),
		n.read_at, n.created_at, COALESCE(n.subject, ''), n.actor_id IS NOT NULL, `+senderSQL+`,
		NOT COALESCE(`+access.HostsSQL("e", senderSQL)+` AND `+access.Going("e", "u.id")+`, FALSE)
			AND `+strangerSQL("u.id", senderSQL)+`,
		NOT (`+access.NotBlocked("n.actor_id", "u.id")+`),
		e.id, `+access.StatusSQL("e", "$5")+`, e.starts_at, COALESCE(e.date_mode = 'vote', FALSE),
		`+access.Going("e", "u.id")+` OR EXISTS (SELECT 1 FROM invitations v WHERE v.event_id = e.id AND v.user_id = u.id
			AND v.status <> 'declined') OR EXISTS (SELECT 1 FROM waitlist_entries w WHERE w.event_id = e.id AND w.user_id = u.id
			AND w.status IN ('waiting', 'offered', 'closed')) OR EXISTS (SELECT 1 FROM join_requests j WHERE j.event_id = e.id
			AND j.user_id = u.id AND j.status = 'pending'),
		e.image_url, e.image_alt,
		EXISTS (SELECT 1 FROM notification_rules r WHERE r.user_id = u.id AND r.kind = '`+string(AppointmentKind)+
	`' AND r.channel = 'email' AND r.mode = 'off'),
		CASE WHEN $4 = 'push' THEN `+notify.UnreadSQL("u.id")+` ELSE 0 END
	FROM users u
	LEFT JOIN notification_settings s ON s.user_id = u.id
	LEFT JOIN notifications n ON n.user_id = u.id AND n.id = $2
	LEFT JOIN events e ON e.id = COALESCE(n.event_id, $2)
	WHERE u.id = $1`)

// readCandidates reads the facts and the texts of deliveries of one channel. Recipients first
// receive the broadcasts and joins that are new to them. Deliveries of AppointmentKind and ChatUnread have no
// notification. It reads once what several deliveries to the browsers of a user share.
func (w *Worker) readCandidates(ctx context.Context, c Channel, all []delivery, now time.Time) ([]candidate, error) {
	shared, index := []delivery{}, map[delivery]int{}
	of := make([]int, len(all)) // the shared delivery of each delivery
	for i, one := range all {
		same := delivery{key: key{one.user, one.notification, one.about, one.channel, domain.ID[any]{}}, kind: one.kind}
		if _, known := index[same]; !known {
			index[same] = len(shared)
			shared = append(shared, same)
		}
		of[i] = index[same]
	}
	if err := w.Notifications.Receive(ctx, recipients(shared)); err != nil {
		return nil, err
	}
	facts, err := w.readShared(ctx, c, shared, now)
	if err != nil {
		return nil, err
	}
	found := make([]candidate, len(all))
	for i := range all {
		found[i] = facts[of[i]]
	}
	return found, w.readTargets(ctx, all, found, now)
}

// recipients returns the users of deliveries, each once.
func recipients(all []delivery) (users []domain.UserID) {
	for _, one := range all {
		users = append(users, one.user)
	}
	slices.SortFunc(users, func(a, b domain.UserID) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(users)
}

// readShared reads what does not depend on the targets of deliveries.
func (w *Worker) readShared(ctx context.Context, c Channel, all []delivery, now time.Time) ([]candidate, error) {
	found := make([]candidate, len(all))
	err := w.DB.ReadBatch(ctx, func(b *db.Batch) {
		for i, one := range all {
			b.Queue(ctx, factsStmt, one.user, one.notification, one.kind, c, now).Into(found[i].columns()...)
		}
	})
	if err != nil {
		return nil, err
	}
	readings := make([]notify.Reading, len(all))
	for i, one := range all {
		readings[i] = notify.Reading{User: one.user, ID: one.notification, Language: found[i].reader(),
			Stranger: found[i].stranger, At: now}
	}
	items, err := notify.Render(ctx, w.DB, readings)
	for i, item := range items {
		found[i].item = item
	}
	for i, one := range all {
		if one.kind == notify.ChatUnread && err == nil {
			err = w.readChat(ctx, one, &found[i], now)
		}
	}
	return found, err
}

// repeatAfter is the shortest time between two deliveries of the same notification of a toggled
// kind.
const repeatAfter = 24 * time.Hour

var (
	repeatedStmt = db.SQL("mail.repeated", `
		SELECT EXISTS (SELECT 1 FROM deliveries d WHERE d.user_id = $1 AND d.notification_id = $2 AND d.channel = $3 AND d.target = $4
			AND d.state = 'sent' AND d.ended_at > $5)`)

	subscriptionStmt = db.SQL("mail.subscription", `
		SELECT p.id, p.endpoint, p.p256dh, p.auth FROM push_subscriptions p WHERE p.id = $1 AND p.user_id = $2
			AND `+webpush.ActiveSQL("p", "$3"))
)

// readTargets reads what depends on the targets of deliveries.
func (w *Worker) readTargets(ctx context.Context, all []delivery, found []candidate, now time.Time) error {
	return w.DB.ReadBatch(ctx, func(b *db.Batch) {
		for i, one := range all {
			f := &found[i]
			if policyOf[one.kind].toggled {
				b.Queue(ctx, repeatedStmt, one.user, one.notification, one.channel, one.target, now.Add(-repeatAfter)).Into(&f.repeated)
			}
			if one.channel == Push {
				b.Queue(ctx, subscriptionStmt, one.target, one.user, now).Into(&f.push.ID, &f.push.Endpoint, &f.push.Key, &f.push.Auth)
			}
		}
	})
}

func (f *candidate) columns() []any {
	dest := append([]any{&f.account, &f.email, &f.verified, &f.suspendedAt, &f.suppressed}, f.dest()...)
	return append(dest, &f.mode, &f.muted, &f.readAt, &f.createdAt, &f.subject, &f.hasActor, &f.sender, &f.stranger, &f.blocked, &f.eventID,
		&f.status, &f.startsAt, &f.voting, &f.attends, &f.imageURL, &f.imageAlt, &f.appointmentsOff, &f.push.Unread)
}

// languageTag returns the language of the user's messages, with the region if it is known.
func (s settings) languageTag() string {
	switch {
	case s.locale != nil && (s.language == nil || notify.LanguageOf(*s.locale).String() == *s.language):
		return *s.locale
	case s.language != nil:
		return *s.language
	}
	return defaultLanguage
}

// reader returns the language of the user's messages, with the time zone if the user has set one.
func (s settings) reader() notify.Language {
	l := notify.LanguageOf(s.languageTag())
	if s.timezone != nil {
		return l.In(*s.timezone)
	}
	return l
}

// defaultLanguage is the language of users who have chosen none.
const defaultLanguage = "en"

// Reasons why a delivery is skipped.
const (
	accountGone = "the account is gone"
	readInApp   = "read in the app"
)

// unreachable returns why a channel cannot reach the recipient; empty if it can.
func (f candidate) unreachable(c Channel) string {
	switch {
	case !f.account:
		return accountGone
	case f.suspendedAt != nil:
		return "the account is suspended or deleted"
	case c == Email && (f.email == nil || !f.verified):
		return "no verified address"
	case c == Email && f.suppressed != nil:
		return "e-mails to the address bounced"
	case c == Push && f.push.ID.IsZero():
		return "the browser has unsubscribed, or its session has ended"
	}
	return ""
}

// skip returns why a delivery must not be sent; empty if it may.
func (f candidate) skip(one delivery, now time.Time) string {
	p, reason := policyOf[one.kind], f.unreachable(one.channel)
	switch {
	case reason != "":
		return reason
	case f.item == nil || f.createdAt == nil || !f.createdAt.Equal(one.about):
		return "the notification was withdrawn or repeated"
	case f.readAt != nil && !p.security:
		return readInApp
	case f.modeOf(p, one.channel) == Off:
		return "switched off"
	case f.muted:
		return "the event is muted"
	case f.blocked:
		return "a block"
	case f.eventID != nil && f.item.EventID == nil:
		return "the event is hidden"
	case f.hasActor && f.item.Actor == nil && !p.fromOrganizer:
		return "the actor is hidden"
	case p.quotes && f.item.Body == nil:
		return "the content is gone"
	case p.attending && !f.attends:
		return "no longer attends"
	case p.upcoming && (f.status == nil || *f.status != access.Published || !now.Before(*f.startsAt)):
		return "the event has begun or is canceled"
	case one.kind == notify.EventReminder && (f.voting || !notify.OfStart(f.subject, *f.startsAt)):
		return "the event has another start"
	case f.repeated && p.toggled:
		return "sent within a day"
	}
	return ""
}

func (f candidate) modeOf(p policy, c Channel) Mode {
	if f.mode != nil {
		return *f.mode
	}
	return p.mode(c)
}
