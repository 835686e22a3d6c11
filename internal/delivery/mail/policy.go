// Package mail sends notifications by e-mail and web push, and keeps the calendar programs of users up to date. It stores the
// preferences: which kinds, by which channel, and when.
//
// The files are the path of a message, in this order:
//
//	plan.go        makes deliveries of new notifications; appointment.go, chat.go and outreach_release.go make the others
//	worker.go      runs the planner and a scheduler for each channel
//	scheduler.go   decides which delivery is sent next, and when; delivery.go and digest.go have its rows
//	candidate.go   reads the facts about a delivery, and whether it is still wanted and allowed
//	quiet.go       knows the quiet hours and the times of digests; outreach_admit.go knows the budgets
//	sender.go      adds the recipient to the message
//	mailer.go      sends it by e-mail; push.go sends it by web push
package mail

import (
	"context"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
	"moothall/internal/platform/db"
)

// Channel is a way to reach a user outside the app.
type Channel string

// The channels.
const (
	Email Channel = "email"
	Push  Channel = "push"
)

var channels = []Channel{Email, Push}

// Mode says when a channel delivers a kind of notification.
type Mode string

// The modes. Only e-mail has a digest.
const (
	Instant Mode = "instant"
	Digest  Mode = "digest"
	Off     Mode = "off"
)

// Service implements the use cases of preferences and unsubscribe links.
type Service struct {
	DB              *db.DB
	Clock           domain.Clock
	DefaultTimezone string
	Channels        []Channel // the configured ones
	Tokens          Tokens
	// Leave ends a participation.
	Leave func(ctx context.Context, v domain.Viewer, id domain.EventID) error

	Attendance *attendance.Service
	Stops      Stops
}

// policy states how one kind of notification is delivered.
type policy struct {
	kind        notify.Kind
	email, push Mode // the defaults
	// prompt kinds do not wait for a digest.
	prompt bool
	// urgent kinds ignore quiet hours if the event begins soon.
	urgent bool
	// attending kinds are for users who attend the event, or may.
	attending bool
	// upcoming kinds are about an event that has not begun.
	upcoming bool
	// fromOrganizer kinds do not name their actor.
	fromOrganizer bool
	// quotes kinds are skipped if the quoted content is gone.
	quotes bool
	// toggled kinds can be repeated at will by other users, so they are sent at most once a day.
	toggled bool
	// outreach kinds count against the budgets of outreach, if the recipient does not know the sender.
	outreach bool
	// always outreach kinds count even if the recipient knows the sender: they ask for a favour.
	always bool
	// appointment kinds change the event in calendars: their mails contain a calendar message.
	appointment bool
	// security kinds are about access to the account: their mails cannot be switched off. They ignore
	// quiet hours, and are sent even if the user has read them in the app.
	security bool
}

// policies has every kind, in the order of the preferences.
var policies = []policy{
	{kind: notify.EventCanceled, email: Instant, push: Instant, prompt: true, urgent: true, attending: true, fromOrganizer: true,
		appointment: true},
	{kind: notify.EventUpdated, email: Instant, push: Instant, prompt: true, attending: true, upcoming: true, fromOrganizer: true,
		appointment: true, outreach: true},
	{kind: notify.EventDateSelected, email: Instant, push: Instant, prompt: true, attending: true, upcoming: true, fromOrganizer: true,
		appointment: true, outreach: true},
	{kind: notify.EventReminder, email: Instant, push: Instant, prompt: true, urgent: true, attending: true, upcoming: true,
		fromOrganizer: true},
	{kind: notify.EventInvitation, email: Instant, push: Instant, prompt: true, attending: true, upcoming: true, appointment: true,
		outreach: true},
	{kind: notify.HostInvitation, email: Instant, push: Instant, prompt: true, toggled: true, outreach: true, always: true},
	{kind: notify.EventTransferred, email: Instant, push: Instant, prompt: true},
	{kind: notify.HostRemoved, email: Instant, push: Instant, prompt: true, fromOrganizer: true},
	{kind: notify.GuestMessage, email: Instant, push: Instant, prompt: true, attending: true, quotes: true, outreach: true},
	{kind: notify.GroupInvitation, email: Instant, push: Instant, prompt: true, outreach: true},
	{kind: notify.GroupTransferred, email: Instant, push: Instant, prompt: true},
	{kind: notify.GroupApproved, email: Instant, push: Instant, prompt: true},
	{kind: notify.GroupRemoved, email: Instant, push: Off},
	{kind: notify.GroupSourceFailed, email: Instant, push: Off},
	{kind: notify.WaitlistOffer, email: Instant, push: Instant, prompt: true, urgent: true, upcoming: true, fromOrganizer: true},
	{kind: notify.WaitlistJoined, email: Instant, push: Instant, prompt: true, urgent: true, attending: true, upcoming: true,
		fromOrganizer: true},
	{kind: notify.WaitlistExpired, email: Instant, push: Off, prompt: true, fromOrganizer: true},
	{kind: notify.RequestApproved, email: Instant, push: Instant, prompt: true, attending: true, upcoming: true, fromOrganizer: true},
	{kind: notify.RequestDeclined, email: Instant, push: Instant, upcoming: true, fromOrganizer: true},
	{kind: notify.EventRemoved, email: Instant, push: Instant, prompt: true, upcoming: true, fromOrganizer: true},
	{kind: notify.PaymentSucceeded, email: Instant, push: Instant, prompt: true, fromOrganizer: true},
	{kind: notify.PaymentCanceled, email: Instant, push: Instant, prompt: true, fromOrganizer: true},
	{kind: notify.PasskeyAdded, email: Instant, push: Instant, prompt: true, security: true},
	{kind: notify.APIKeyAdded, email: Instant, push: Instant, prompt: true, security: true},
	{kind: notify.NewDevice, email: Instant, push: Instant, prompt: true, security: true},
	{kind: AppointmentKind, email: Instant, push: Off, prompt: true, urgent: true},

	{kind: notify.EventAnnouncement, email: Instant, push: Instant, attending: true, quotes: true, outreach: true},
	{kind: notify.CalendarInvite, email: Instant, push: Instant, quotes: true, outreach: true},
	{kind: notify.ModerationWarning, email: Instant, push: Instant},
	{kind: notify.ReportUpdated, email: Instant, push: Instant},
	{kind: notify.WebhookDisabled, email: Instant, push: Instant},
	{kind: notify.SeriesDrafts, email: Instant, push: Instant},
	{kind: notify.WebhookAdded, email: Instant, push: Instant},
	{kind: notify.EmailSuppressed, email: Off, push: Instant},

	{kind: notify.EventJoined, email: Digest, push: Instant, toggled: true},
	{kind: notify.EventRequested, email: Digest, push: Instant, upcoming: true, toggled: true},
	{kind: notify.EventInvitationResponse, email: Digest, push: Instant},
	{kind: notify.EventPost, email: Digest, push: Instant, attending: true, quotes: true, outreach: true},
	{kind: notify.CommentReplied, email: Digest, push: Instant, quotes: true},
	{kind: notify.PostCommented, email: Digest, push: Instant, quotes: true},
	{kind: notify.HostJoined, email: Digest, push: Instant, toggled: true},
	{kind: notify.GroupRequested, email: Digest, push: Instant, toggled: true},
	{kind: notify.EventReview, email: Digest, push: Instant},
	{kind: notify.CalendarInviteResponse, email: Digest, push: Instant, quotes: true},

	{kind: notify.FollowedUserEvent, email: Digest, push: Off, upcoming: true},
	{kind: notify.GroupEvent, email: Digest, push: Off, upcoming: true},
	{kind: notify.GroupAnnouncement, email: Digest, push: Instant, quotes: true},

	{kind: notify.ChatUnread, email: Off, push: Instant, attending: true},

	{kind: notify.UserFollowed, email: Off, push: Off, toggled: true},
	{kind: notify.PostLiked, email: Off, push: Off, toggled: true},
	{kind: notify.PostReposted, email: Off, push: Off, toggled: true},
	{kind: notify.FollowedUserGoing, email: Off, push: Off, toggled: true, upcoming: true},
	{kind: notify.EventDateOptionAdded, email: Off, push: Off},
	{kind: notify.EventCompleted, email: Off, push: Off},
}

var policyOf = func() map[notify.Kind]policy {
	all := map[notify.Kind]policy{}
	for _, p := range policies {
		all[p.kind] = p
	}
	return all
}()

// mode returns the default of a channel.
func (p policy) mode(c Channel) Mode {
	if c == Push {
		return p.push
	}
	return p.email
}
