package notify

import (
	"strconv"
	"strings"
	"time"

	"moothall/internal/domain"
)

// Kind is the kind of a notification (contract §8, table of kinds).
type Kind string

// The kinds of notifications, each with its Subject.
const (
	EventInvitation         Kind = "event_invitation"          // the event
	EventInvitationResponse Kind = "event_invitation_response" // the event
	EventJoined             Kind = "event_joined"              // the event
	FollowedUserGoing       Kind = "followed_user_going"       // the event
	FollowedUserEvent       Kind = "followed_user_event"       // the event
	EventUpdated            Kind = "event_updated"             // the event
	EventCanceled           Kind = "event_canceled"            // the event
	EventCompleted          Kind = "event_completed"           // the event
	EventDateOptionAdded    Kind = "event_date_option_added"   // the date option
	EventDateSelected       Kind = "event_date_selected"       // the event
	EventAnnouncement       Kind = "event_announcement"        // the post
	EventPost               Kind = "event_post"                // the post
	PostCommented           Kind = "post_commented"            // the comment
	CommentReplied          Kind = "comment_replied"           // the comment
	PostLiked               Kind = "post_liked"                // the post
	PostReposted            Kind = "post_reposted"             // the post
	UserFollowed            Kind = "user_followed"             // the followed user
	CalendarInvite          Kind = "calendar_invite"           // the calendar invite
	CalendarInviteResponse  Kind = "calendar_invite_response"  // the calendar invite
	EventReview             Kind = "event_review"              // the event
	ReportUpdated           Kind = "report_updated"            // the report
	ModerationWarning       Kind = "moderation_warning"        // the report
	PaymentSucceeded        Kind = "payment_succeeded"         // the payment intent
	PaymentCanceled         Kind = "payment_canceled"          // the payment intent
	WebhookDisabled         Kind = "webhook_disabled"          // the webhook
	EmailSuppressed         Kind = "email_suppressed"          // the recipient
	EventReminder           Kind = "event_reminder"            // the event, the offset and the start
	PasskeyAdded            Kind = "passkey_added"             // the passkey
	APIKeyAdded             Kind = "api_key_added"             //nolint:gosec // the API key
	NewDevice               Kind = "new_device"                // the session
	WebhookAdded            Kind = "webhook_added"             // the webhook
	WaitlistOffer           Kind = "waitlist_offer"            // the event
	WaitlistJoined          Kind = "waitlist_joined"           // the event
	WaitlistExpired         Kind = "waitlist_expired"          // the event
	EventRequested          Kind = "event_requested"           // the event
	RequestApproved         Kind = "request_approved"          // the event
	RequestDeclined         Kind = "request_declined"          // the event
	EventRemoved            Kind = "event_removed"             // the event
	HostInvitation          Kind = "host_invitation"           // the event
	HostJoined              Kind = "host_joined"               // the event
	EventTransferred        Kind = "event_transferred"         // the event
	SeriesDrafts            Kind = "series_drafts"             // the series; the event is its first draft
	HostRemoved             Kind = "host_removed"              // the event
	GuestMessage            Kind = "guest_message"             // the message
	GroupInvitation         Kind = "group_invitation"          // the group
	GroupRequested          Kind = "group_requested"           // the group
	GroupApproved           Kind = "group_approved"            // the group
	GroupRemoved            Kind = "group_removed"             // the group
	GroupTransferred        Kind = "group_transferred"         // the group
	GroupEvent              Kind = "group_event"               // the event
	GroupAnnouncement       Kind = "group_announcement"        // the announcement
	GroupSourceFailed       Kind = "group_source_failed"       // the group
	ChatUnread              Kind = "chat_unread"               // never stored: only package mail sends it
)

// RefundDue is the status of EventRemoved if the guest had paid: the money is to be refunded.
const RefundDue = "refund_due"

// DraftsParam is the parameter of SeriesDrafts that says why dates are drafts: DraftsUnverified or DraftsUnpaid.
const DraftsParam = "drafts"

// The values of DraftsParam.
const (
	DraftsUnverified = "unverified" // the organizer has neither a verified e-mail address nor a phone
	DraftsUnpaid     = "unpaid"     // the organizer may not publish paid events
)

// UntilParam is the parameter of WaitlistOffer that says when the offer ends, as RFC 3339.
const UntilParam = "until"

// DeviceParam is the parameter of NewDevice that names the device.
const DeviceParam = "device"

// AsksParam is the parameter of a reminder that asks whether the recipient still comes.
const AsksParam = "asks"

// ReminderSubject returns the subject of a reminder of an event: it differs for each offset,
// in minutes, and each start. OfStart finds the start in it.
func ReminderSubject(e domain.EventID, offset int, start time.Time) string {
	return e.String() + ":" + strconv.Itoa(offset) + startSuffix(start)
}

// OfStart reports whether the subject of a reminder is about a start.
func OfStart(subject string, start time.Time) bool {
	return strings.HasSuffix(subject, startSuffix(start))
}

func startSuffix(start time.Time) string { return ":" + strconv.FormatInt(start.Unix(), 10) }

// rule is how one kind is shown and renewed.
type rule struct {
	// href is the local path that it links to. {event}, {subject}, {actor} and {group}
	// stand for their ids. Empty is no link.
	href string
	// shared: all actors share one row, which names the latest.
	shared bool
	// toggled: users can undo and repeat it at will. A repeat soon after it was
	// read does not renew it.
	toggled bool
	// body selects the text of the body.
	body body
	// group: the subject is a group or its announcement. The title names the group.
	group bool
}

// body selects the text of the body of a notification.
type body int

const (
	noBody      body = iota
	bodyWhen         // when and where the event is, and the message of an invitation
	bodyCancel       // the organizer's message to the guests
	bodyGoing        // how many are going
	bodyWent         // how many took part
	bodyStars        // how many stars a review has
	bodyQuote        // the post, comment or message to guests that is the subject
	bodyEntry        // the calendar entry that the invite is to
	bodyReason       // why something was reported
	bodyAccess       // what to do against a stranger who has added something to the account
	bodyUntil        // when an offer ends
	bodySession      // what to do against a stranger in the account
	bodyDrafts       // why dates of a series are drafts
)

// rules is the table of contract §8.
var rules = map[Kind]rule{
	EventInvitation:         {href: "/events/{event}", body: bodyWhen},
	EventInvitationResponse: {href: "/events/{event}"},
	EventJoined:             {href: "/events/{event}", toggled: true, body: bodyGoing},
	FollowedUserGoing:       {href: "/events/{event}", toggled: true, body: bodyWhen},
	FollowedUserEvent:       {href: "/events/{event}", body: bodyWhen},
	EventUpdated:            {href: "/events/{event}", body: bodyWhen},
	EventCanceled:           {href: "/events/{event}", body: bodyCancel},
	EventCompleted:          {href: "/events/{event}/reviews", body: bodyWent},
	EventDateOptionAdded:    {href: "/events/{event}"},
	EventDateSelected:       {href: "/events/{event}", body: bodyWhen},
	EventAnnouncement:       {href: "/events/{event}/posts", body: bodyQuote},
	EventPost:               {href: "/events/{event}/posts", body: bodyQuote},
	PostCommented:           {href: "/events/{event}/posts#{subject}", body: bodyQuote},
	CommentReplied:          {href: "/events/{event}/posts#{subject}", body: bodyQuote},
	PostLiked:               {href: "/events/{event}/posts", shared: true, toggled: true, body: bodyQuote},
	PostReposted:            {href: "/events/{event}/posts", shared: true, toggled: true, body: bodyQuote},
	UserFollowed:            {href: "/users/{actor}", toggled: true},
	CalendarInvite:          {href: "/calendar/invites/{subject}", body: bodyEntry},
	CalendarInviteResponse:  {href: "/calendar", body: bodyEntry},
	EventReview:             {href: "/events/{event}/reviews", body: bodyStars},
	ReportUpdated:           {},
	ModerationWarning:       {body: bodyReason},
	PaymentSucceeded:        {href: "/events/{event}"},
	PaymentCanceled:         {href: "/events/{event}"},
	EventReminder:           {href: "/events/{event}", body: bodyWhen},
	WebhookDisabled:         {},
	EmailSuppressed:         {},
	PasskeyAdded:            {body: bodyAccess},
	APIKeyAdded:             {body: bodyAccess},
	NewDevice:               {href: "/settings/security", body: bodySession},
	WebhookAdded:            {body: bodyAccess},
	WaitlistOffer:           {href: "/events/{event}", body: bodyUntil},
	HostInvitation:          {href: "/events/{event}", toggled: true, body: bodyWhen},
	HostJoined:              {href: "/events/{event}", toggled: true},
	EventTransferred:        {href: "/events/{event}", body: bodyWhen},
	SeriesDrafts:            {href: "/event-series/{subject}", body: bodyDrafts},
	HostRemoved:             {href: "/events/{event}"},
	GuestMessage:            {href: "/events/{event}/guest-messages", body: bodyQuote},
	WaitlistJoined:          {href: "/events/{event}", body: bodyWhen},
	WaitlistExpired:         {href: "/events/{event}"},
	EventRequested:          {href: "/events/{event}/guests"},
	RequestApproved:         {href: "/events/{event}", body: bodyWhen},
	RequestDeclined:         {href: "/events/{event}"},
	EventRemoved:            {href: "/events/{event}"},
	GroupInvitation:         {href: "/groups/{subject}", group: true, shared: true},
	GroupRequested:          {href: "/groups/{subject}/members", group: true, toggled: true},
	GroupApproved:           {href: "/groups/{subject}", group: true},
	GroupRemoved:            {group: true},
	GroupTransferred:        {href: "/groups/{subject}", group: true},
	GroupEvent:              {href: "/events/{event}", body: bodyWhen},
	GroupSourceFailed:       {href: "/groups/{subject}/edit", group: true},
	GroupAnnouncement:       {href: "/groups/{group}", body: bodyQuote, group: true},
}
