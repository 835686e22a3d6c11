package mail

import (
	"strings"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
)

// Outreach is what users send to people who do not know them: invitations, and news of an event to
// people who have not answered its invitation. Requests to host an event are outreach to everybody.
// A recipient knows a sender whom they follow, whose event they attend, to whose group they belong, or
// whose invitation they have accepted, also as tentative.
//
// Outreach has budgets. They delay mails and push messages, never the notification in the app.
//
//   - Each message counts once for its sender, whatever the channels of the recipient. Beyond the budget
//     it waits (outreach_release.go). So what a sender sees of it depends on no setting of a recipient.
//   - Recipients have a budget for all senders together. Beyond it, mails join the digest (outreach_admit.go).
//   - Complaints and bounces stop a sender until a moderator closes a report (outreach_stop.go).

// The budget of a sender, in messages.
const (
	outreachPerHour  = 60
	outreachPerDay   = 200
	outreachFirstDay = 30 // on the first day of the account
	// outreachSentPerHour also limits messages that were released at other times and are due together, such
	// as at the end of quiet hours. It exceeds outreachPerHour, because mails wait up to MAIL_GRACE.
	outreachSentPerHour = 90
)

// outreachReceived is the budget of a recipient: messages in 24 hours by mail or push, outside of digests.
const outreachReceived = 3

const outreachDay = 24 * time.Hour

// release is when messages of a sender were counted.
type release struct {
	at     time.Time
	weight int
}

// outreachBudget returns how many messages a sender may send now. If it is 0, next is the time of the next
// message. spent are the releases of the last 24 hours, in their order.
func outreachBudget(spent []release, created, now time.Time) (n int, next time.Time) {
	perDay, firstDayEnds := outreachPerDay, created.Add(outreachDay)
	if now.Before(firstDayEnds) {
		perDay = outreachFirstDay
	}
	hour, hourNext := unspent(spent, outreachPerHour, time.Hour, now)
	day, dayNext := unspent(spent, perDay, outreachDay, now)
	if now.Before(firstDayEnds) && day == 0 && firstDayEnds.Before(dayNext) {
		dayNext = firstDayEnds
	}
	next = hourNext
	if dayNext.After(next) {
		next = dayNext
	}
	return min(hour, day), next
}

// unspent returns what is left of n in the window before now. If nothing is left, next is the time when
// the oldest release leaves the window.
func unspent(spent []release, n int, window time.Duration, now time.Time) (left int, next time.Time) {
	left = n
	for _, r := range spent {
		if r.at.After(now.Add(-window)) {
			if next.IsZero() {
				next = r.at.Add(window)
			}
			left -= r.weight
		}
	}
	if left > 0 {
		return left, time.Time{}
	}
	return 0, next
}

// admission is the decision about a message that is due.
type admission int

const (
	admitted   admission = iota
	later                // the sender has sent too many in this hour, or is stopped
	digestOnly           // the recipient got enough from people they do not know
)

// received states what counts against a message.
type received struct {
	sent     bool // by another channel, or an earlier attempt
	today    int  // to the recipient, from people they do not know
	lastHour int  // from the sender, to people who do not know them
	stopped  bool // the sender
}

// admit decides about a message. A digest does not count for the recipient.
func (r received) admit(instant bool) admission {
	switch {
	case r.sent:
		return admitted
	case r.stopped, r.lastHour >= outreachSentPerHour:
		return later
	case instant && r.today >= outreachReceived:
		return digestOnly
	}
	return admitted
}

// outcome is what became of a mail.
type outcome string

const (
	mailBounced    outcome = "bounced"
	mailComplained outcome = "complained"
)

const (
	// maxComplaints stop a sender.
	maxComplaints = 3
	// maxBounces of the last judgedMails stop a sender.
	maxBounces  = judgedMails / 10
	judgedMails = 50
)

// mustStop reports whether a sender must not go on. last are the outcomes of the last judgedMails mails.
func mustStop(last []outcome, complaints int) bool {
	bounces := 0
	for _, o := range last {
		if o == mailBounced {
			bounces++
		}
	}
	return complaints >= maxComplaints || bounces >= maxBounces
}

// The kinds of outreach in SQL: all, and those that count even if the recipient knows the sender.
var (
	outreachKinds = kindsWhere(func(p policy) bool { return p.outreach })
	alwaysKinds   = kindsWhere(func(p policy) bool { return p.always })
)

func kindsWhere(is func(policy) bool) string {
	var kinds []notify.Kind
	for _, p := range policies {
		if is(p) {
			kinds = append(kinds, p.kind)
		}
	}
	return quoted(kinds)
}

// strangerSQL is true if a recipient does not know a sender, who may be NULL.
func strangerSQL(recipient, sender string) string {
	return strings.NewReplacer("RECIPIENT", recipient, "SENDER", sender).Replace(`COALESCE(RECIPIENT <> SENDER, FALSE)
		AND NOT EXISTS (SELECT 1 FROM follows kf WHERE kf.follower_id = RECIPIENT AND kf.followed_id = SENDER)
		AND NOT EXISTS (SELECT 1 FROM participants kp JOIN events ke ON ke.id = kp.event_id
			WHERE kp.user_id = RECIPIENT AND kp.status = 'going' AND ` + access.HostsSQL("ke", "SENDER") + `)
		AND NOT EXISTS (SELECT 1 FROM invitations ki WHERE ki.user_id = RECIPIENT AND ki.invited_by = SENDER
			AND ki.status IN ('accepted', 'tentative'))
		AND NOT EXISTS (SELECT 1 FROM calendar_invites kc WHERE kc.user_id = RECIPIENT AND kc.invited_by = SENDER
			AND kc.status IN ('accepted', 'tentative'))
		AND NOT EXISTS (SELECT 1 FROM group_members kg WHERE kg.user_id = RECIPIENT AND kg.status = 'active'
			AND ` + access.HostsGroup("kg.group_id", "SENDER") + `)`)
}
