package notify

import (
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"time"

	"moothall/internal/domain"
	"moothall/internal/user"
)

// Item is a notification as its recipient reads it (contract §8): in their
// language, and with what they may see now of who did it and of the event.
type Item struct {
	ID        domain.NotificationID
	Kind      Kind
	Title     string          // at most 200 graphemes
	Body      *string         // at most 500 graphemes
	Href      *string         // nil where it leads to something they cannot see
	ReadAt    *time.Time      // nil while unread
	CreatedAt time.Time       // of the latest repeat
	Actor     *user.Public    // nil also when blocked, suspended, deleted, or incognito by now
	EventID   *domain.EventID // nil also when the event is hidden from them
}

// The longest title and body, in graphemes and in code points (contract §8).
const (
	longestTitle = 200
	longestBody  = 500
)

// stored is one row with what surrounds it, as far as the recipient may see it.
type stored struct {
	id               domain.NotificationID
	kind             Kind
	subject          string
	params           string
	eventID          *domain.EventID
	actorID          *domain.UserID
	readAt           *time.Time
	createdAt        time.Time
	event            place
	going            int64
	actorVisibility  *string // how the actor goes to the event
	actorAnswer      *string // of the actor to an invitation to the event
	invitationToRead *string // what the organizer wrote to the recipient
	stars            *int64  // of the actor's review of the event
	actor            *user.Public
	quote            quote
}

// quote is the post, comment or calendar entry that a notification is about.
type quote struct {
	place          // the entry
	body           string
	likes, reposts int64 // by others than the recipient
}

// others is how many share the row with the actor: everybody who likes the post
// now, or has it reposted. When the actor has taken that back, it is one less.
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

// place is an event or a calendar entry; without a title there is none, or it
// is hidden.
type place struct {
	title, zone, where *string
	startsAt           *time.Time
	allDay             bool
}

// item renders the row.
func (n *stored) item(l Language) Item {
	said := n.words(l)
	i := Item{
		ID: n.id, Kind: n.kind, ReadAt: n.readAt, CreatedAt: n.createdAt, Actor: n.actor, Href: n.href(),
		Title: shorten(n.title(l, said), longestTitle),
	}
	if n.event.title != nil {
		i.EventID = n.eventID
	}
	if body := shorten(n.body(l, said), longestBody); body != "" {
		i.Body = &body
	}
	return i
}

// words are what the messages are filled in with.
type words struct {
	Actor  string // empty when nobody did it
	Event  string // empty when there is none, or it is hidden
	Status string // an answer, a decision
	Target string // what was reported
	Reason string // why it was
	Count  int64

	Day, Year          int
	Month, Clock, Zone string
	Where              string
}

func (n *stored) words(l Language) words {
	var params map[string]string
	_ = json.Unmarshal([]byte(n.params), &params) // written by row
	w := words{Status: params["status"], Target: params["target_type"], Reason: params["reason"]}
	switch {
	case n.actor != nil:
		w.Actor = n.actor.DisplayName
	case n.actorID != nil:
		w.Actor = l.say("somebody", nil)
	}
	if n.kind == EventInvitationResponse && n.actorAnswer != nil {
		w.Status = *n.actorAnswer // it may have changed since
	}
	if n.event.title != nil {
		w.Event = *n.event.title
	}
	return w
}

func (n *stored) title(l Language, w words) string {
	rule, known := rules[n.kind]
	switch {
	case !known: // of a newer version
		return l.say("notification", nil)
	case rule.together && n.others() > 0:
		return l.count(string(n.kind)+".together", n.others(), w)
	default:
		return l.say(string(n.kind), w)
	}
}

// body is empty where the title says it all, or what it tells of is hidden.
func (n *stored) body(l Language, w words) string {
	shows := rules[n.kind].body
	if n.hides(shows) {
		return ""
	}
	switch shows {
	case bodyWhen:
		return strings.TrimSuffix(l.when(n.event)+"\n"+n.message(), "\n")
	case bodyGoing:
		if deref(n.actorVisibility) == incognito {
			return l.say("body.incognito", w)
		}
		return l.count("body.going", n.going, w)
	case bodyWent:
		return l.count("body.went", n.going, w)
	case bodyStars:
		return l.count("body.stars", *n.stars, w)
	case bodyQuote:
		return n.quote.body
	case bodyEntry:
		return *n.quote.title + "\n" + l.when(n.quote.place)
	case bodyReason:
		return l.say("reason."+w.Reason, w) // "other" says nothing
	default:
		return ""
	}
}

// hides reports whether something that a body shows is none of the recipient's
// business, or gone.
func (n *stored) hides(shows body) bool {
	switch shows {
	case bodyReason:
		return false
	case bodyEntry:
		return n.quote.title == nil || n.actor == nil
	case bodyStars:
		return n.event.title == nil || n.actor == nil || n.stars == nil
	case bodyQuote: // where actors share a row it is the recipient's own post
		return n.event.title == nil || n.actor == nil && !rules[n.kind].together
	default:
		return n.event.title == nil
	}
}

// incognito is the value of participants.visibility that only the organizer is told.
const incognito = "incognito"

// message is what an organizer wrote with an invitation.
func (n *stored) message() string {
	if n.kind != EventInvitation {
		return ""
	}
	return deref(n.invitationToRead)
}

// href is where the notification leads; nil where it leads nowhere, or to
// something that the recipient cannot see.
func (n *stored) href() *string {
	path := rules[n.kind].href
	if path == "" ||
		strings.Contains(path, "{event}") && n.event.title == nil ||
		strings.Contains(path, "{actor}") && n.actor == nil {
		return nil
	}
	fill := []string{"{subject}", n.subject}
	if n.eventID != nil {
		fill = append(fill, "{event}", n.eventID.String())
	}
	if n.actorID != nil {
		fill = append(fill, "{actor}", n.actorID.String())
	}
	path = strings.NewReplacer(fill...).Replace(path)
	return &path
}

// when says when something begins, as the clocks of its zone show it, and where.
func (l Language) when(p place) string {
	at := p.startsAt.In(location(*p.zone))
	w := words{
		Day: at.Day(), Month: l.say("month."+strconv.Itoa(int(at.Month())), nil), Year: at.Year(),
		Clock: at.Format("15:04"), Zone: *p.zone, Where: deref(p.where),
	}
	if p.allDay {
		return l.say("when.all_day", w)
	}
	return l.say("when", w)
}

// locations are the zones of events that were read: reading a zone anew for
// every event would cost more than all the rest.
var locations sync.Map // by name, *time.Location

func location(zone string) *time.Location {
	if known, ok := locations.Load(zone); ok {
		return known.(*time.Location)
	}
	read, err := time.LoadLocation(zone)
	if err != nil {
		return time.UTC // the event's room has checked it: the zone is gone since
	}
	locations.Store(zone, read)
	return read
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
