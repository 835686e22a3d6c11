package notify

import (
	"encoding/json"
	"strings"
	"time"

	"moothall/internal/core/address"
	"moothall/internal/core/user"
	"moothall/internal/domain"
)

// Item is a notification as its recipient reads it (contract §8): in their language,
// with the actor and the event if they may see them now.
type Item struct {
	ID        domain.NotificationID
	Kind      Kind
	Title     string          // at most 200 graphemes
	Subject   string          // the title for the subject of a mail, see mailSubject
	Body      *string         // at most 500 graphemes
	Date      *Date           // of the event, if the body says when it is; nil: none
	Href      *string         // nil without a link, or if the recipient cannot see its target
	Page      string          // path of the page of the event, user or group at Href, as people share it; empty for other targets of Href
	ReadAt    *time.Time      // nil while unread
	CreatedAt time.Time       // of the latest repeat
	Actor     *user.Public    // nil also if blocked, suspended, deleted, or incognito by now
	EventID   *domain.EventID // nil also if the event is hidden from the recipient
	Asks      bool            // a reminder that asks whether the recipient still comes
}

// The limits of a title and a body, in graphemes and in code points (contract §8).
const (
	maxTitle = 200
	maxBody  = 500
)

// stored is one row, joined with the data that the recipient may see now.
type stored struct {
	id              domain.NotificationID
	kind            Kind
	subject         string
	params          string
	eventID         *domain.EventID
	actorID         *domain.UserID
	readAt          *time.Time
	createdAt       time.Time
	event           appointment
	code            *string // of the address of the event
	visibility      *string // of the event
	going           int64   // participants of the event
	actorVisibility *string // of the actor's participation in the event
	actorRSVP       *string // the actor's answer to an invitation to the event
	invitation      *string // the organizer's message to the recipient
	cancellation    *string // the organizer's message to the guests
	stars           *int64  // of the actor's review of the event
	actor           *user.Public
	quote           quote
}

// quote is the post, comment, calendar entry, group or announcement that a notification is about.
type quote struct {
	appointment            // the entry; the title is also the name of the group
	slug           *string // of the group
	group          *domain.GroupID
	body           string // of the post or comment
	likes, reposts int64  // not counting the recipient's
}

// appointment is an event or a calendar entry. title is nil if there is none, or if
// it is hidden from the recipient.
type appointment struct {
	title, zone, location *string
	startsAt              *time.Time
	allDay                bool
}

// others returns how many users besides the actor like or repost the post now. If the
// actor has undone theirs, it is one too low.
func (n *stored) others() int64 {
	switch n.kind {
	case PostLiked:
		return max(n.quote.likes-1, 0)
	case PostReposted:
		return max(n.quote.reposts-1, 0)
	default:
		return 0
	}
}

// item renders the row.
func (n *stored) item(l Language) Item {
	data := n.templateData(l)
	i := Item{
		ID: n.id, Kind: n.kind, ReadAt: n.readAt, CreatedAt: n.createdAt, Actor: n.actor, Href: n.href(), Page: n.page(),
		Title: shorten(n.title(l, data), maxTitle),
	}
	if n.event.title != nil {
		i.EventID = n.eventID
	}
	i.Asks = data.Asks
	if body := shorten(n.body(l, data), maxBody); body != "" {
		i.Body = &body
		if rules[n.kind].body == bodyWhen {
			i.Date = l.date(n.event)
		}
	}
	return i
}

// templateData contains the values that the messages can show.
type templateData struct {
	Actor  string // empty if no user caused it
	Event  string // empty if there is none, or it is hidden
	Group  string // empty if there is none, or it is hidden
	Status string // of an RSVP or a report
	Target string // the type of the reported target
	Reason string // of the report
	Asks   bool   // a reminder
	Device string // of a session; empty if unknown
	Drafts string // why dates are drafts
	Count  int64

	Day, Year                   int
	Weekday, Month, Clock, Zone string
	Yours                       string // Clock in the zone of the reader; empty if it is the same, or unknown
	Where                       string
	Soon                        string // when a reminded event begins
	Subject                     string // of the first notification of a digest
}

func (n *stored) templateData(l Language) templateData {
	var params map[string]string
	_ = json.Unmarshal([]byte(n.params), &params) // written by Notification.args
	data := templateData{Status: params["status"], Target: params["target_type"], Reason: params["reason"], Asks: params[AsksParam] != "",
		Device: params[DeviceParam], Drafts: params[DraftsParam]}
	switch {
	case n.actor != nil:
		data.Actor = l.Name(*n.actor)
	case n.actorID != nil:
		data.Actor = l.message("somebody", nil)
	}
	if n.kind == EventInvitationResponse && n.actorRSVP != nil {
		data.Status = *n.actorRSVP // the current one
	}
	if n.event.title != nil {
		data.Event = *n.event.title
	}
	if rules[n.kind].group {
		data.Group = deref(n.quote.title)
	}
	return data
}

func (n *stored) title(l Language, data templateData) string {
	rule, known := rules[n.kind]
	switch {
	case !known: // written by a newer version
		return l.message("notification", nil)
	case rule.shared && n.others() > 0:
		return l.plural(string(n.kind)+".others", n.others(), data)
	default:
		return l.message(string(n.kind), data)
	}
}

// body returns an empty text if the kind has no body, or if its source is hidden.
func (n *stored) body(l Language, data templateData) string {
	if n.bodyHidden() {
		return ""
	}
	switch rules[n.kind].body {
	case bodyWhen:
		return strings.TrimSuffix(l.when(n.event)+"\n"+n.invitationMessage(), "\n")
	case bodyCancel:
		return deref(n.cancellation)
	case bodyGoing:
		if deref(n.actorVisibility) == incognito {
			return l.message("body.incognito", data)
		}
		return l.plural("body.going", n.going, data)
	case bodyWent:
		return l.plural("body.went", n.going, data)
	case bodyStars:
		return l.plural("body.stars", *n.stars, data)
	case bodyQuote:
		return n.quote.body
	case bodyEntry:
		return *n.quote.title + "\n" + l.when(n.quote.appointment)
	case bodyAccess:
		return l.message("body.access", data)
	case bodySession:
		return l.message("body.session", data)
	case bodyDrafts:
		return l.message("drafts."+data.Drafts, data)
	case bodyUntil:
		return l.until(n)
	case bodyReason:
		return l.message("reason."+data.Reason, data) // none for "other"
	default:
		return ""
	}
}

// bodyHidden reports whether the source of the body is deleted, or hidden from
// the recipient.
func (n *stored) bodyHidden() bool {
	rule := rules[n.kind]
	switch rule.body {
	case bodyReason, bodyAccess, bodySession, bodyDrafts:
		return false
	case bodyEntry:
		return n.quote.title == nil || n.actor == nil
	case bodyStars:
		return n.event.title == nil || n.actor == nil || n.stars == nil
	case bodyQuote: // of a shared row it is the recipient's own post
		if rule.group {
			return n.quote.title == nil || n.actor == nil
		}
		return n.event.title == nil || n.actor == nil && !rule.shared
	default:
		return n.event.title == nil
	}
}

// incognito is the participants.visibility of participants whom only the organizer
// sees.
const incognito = "incognito"

// invitationMessage returns the organizer's message with the invitation; empty if
// there is none.
func (n *stored) invitationMessage() string {
	if n.kind != EventInvitation {
		return ""
	}
	return deref(n.invitation)
}

// href returns the link of the notification; nil if there is none, or the
// recipient cannot see its target.
func (n *stored) href() *string {
	path := rules[n.kind].href
	if path == "" ||
		strings.Contains(path, "{event}") && n.event.title == nil ||
		strings.Contains(path, "{actor}") && n.actor == nil ||
		rules[n.kind].group && n.quote.title == nil {
		return nil
	}
	ids := []string{"{subject}", n.subject}
	if n.eventID != nil {
		ids = append(ids, "{event}", n.eventID.String())
	}
	if n.actorID != nil {
		ids = append(ids, "{actor}", n.actorID.String())
	}
	if n.quote.group != nil {
		ids = append(ids, "{group}", n.quote.group.String())
	}
	path = strings.NewReplacer(ids...).Replace(path)
	return &path
}

// page returns the path of the page at the link, if people share it.
func (n *stored) page() string {
	switch path := rules[n.kind].href; {
	case path == "/events/{event}" && n.event.title != nil:
		return address.Event{ID: *n.eventID, Code: n.code, Title: *n.event.title, Private: deref(n.visibility) != "public"}.Path()
	case path == "/users/{actor}" && n.actor != nil:
		return address.User(n.actor.Username)
	case (path == "/groups/{subject}" || path == "/groups/{group}") && n.quote.slug != nil:
		return address.Group(*n.quote.slug)
	}
	return ""
}

// Appointment is what a mail for calendar programs shows of an event.
type Appointment struct {
	Event    domain.EventID // zero: hidden from the recipient
	Status   string         // AppointmentCanceled, or the participation status of RFC 5545
	Title    string
	StartsAt time.Time
	Timezone string
	Location *string
	Address  address.Event
}

// AppointmentCanceled is the status of an event that leaves the calendar of the recipient.
const AppointmentCanceled = "CANCELED"

// Item returns the text of the mail.
func (a Appointment) Item(l Language) Item {
	i := Item{
		Title:   shorten(l.message("event_calendar", templateData{Event: a.Title, Status: a.Status}), maxTitle),
		Subject: l.message("event_calendar", templateData{Event: l.quoted(a.Title), Status: a.Status}),
	}
	if a.Event.IsZero() {
		return i
	}
	href := "/events/" + a.Event.String()
	i.EventID, i.Href, i.Page = &a.Event, &href, a.Address.Path()
	if a.Status != AppointmentCanceled {
		body := shorten(l.when(appointment{zone: &a.Timezone, location: a.Location, startsAt: &a.StartsAt}), maxBody)
		i.Body = &body
		i.Date = l.date(appointment{zone: &a.Timezone, startsAt: &a.StartsAt})
	}
	return i
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
