package web

import (
	"context"
	"net/http"
	"strings"

	"github.com/a-h/templ"
	"github.com/google/uuid"
)

// page computes the content of a page, or returns a *view.Problem or a redirect.
type page func(ctx context.Context, v *visit) (templ.Component, error)

// newRoutes lists the pages.
func (s *Site) newRoutes() []route {
	return []route{
		at("/", s.discover),
		at("/calendar", members(s.calendar)),
		at("/calendar/invites/{invite_id}", members(s.calendarInvite)),
		at("/chats", members(s.chats)),
		at("/e/{address}", writers(s.event)),
		at("/events/{event_id}", writers(s.eventByID)),
		at("/events/{event_id}/around", s.around),
		at("/events/{event_id}/chat", members(s.chat)),
		at("/events/{event_id}/edit", members(s.editEvent)),
		at("/events/{event_id}/guest-messages", members(s.guestMessages)),
		at("/events/{event_id}/guests", members(s.guests)),
		at("/events/{event_id}/hosts", members(s.hosts)),
		at("/events/{event_id}/posts", s.posts),
		at("/events/{event_id}/posts/{post_id}/comments", writers(s.comments)),
		at("/events/{event_id}/poster", s.poster),
		at("/events/{event_id}/questions", members(s.questions)),
		at("/events/{event_id}/repeat", members(s.repeat)),
		at("/events/{event_id}/reviews", members(s.reviews)),
		at("/events/{event_id}/share", s.share),
		at("/events/new", s.newEvent),
		at("/event-series/{series_id}", s.series),
		at("/event-series/{series_id}/split", members(s.split)),
		at("/feed", members(s.feed)),
		at("/g/{slug}", s.group),
		at("/groups", s.groups),
		at("/groups/{group_id}", s.groupByID),
		at("/groups/{group_id}/edit", members(s.editGroup)),
		at("/groups/{group_id}/members", s.groupMembers),
		at("/groups/{group_id}/share", s.groupShare),
		at("/groups/new", members(s.newGroup)),
		at("/i/{token}", s.inviteLink),
		at("/import", members(s.newImport)),
		at("/import/{import_id}", members(s.showImport)),
		at("/login", s.login),
		at("/login/call", s.loginCall),
		at("/me/reposts", members(s.reposts)),
		at("/moderation", members(s.moderation)),
		at("/my", members(s.myEvents)),
		at("/my/groups", members(s.myGroups)),
		at("/notifications", members(s.notifications)),
		at("/offline", s.offline),
		at("/payments/intents/{payment_intent_id}", members(s.payment)),
		at("/p/{username}", s.user),
		at("/pages/{page}", s.document),
		at("/people", s.people),
		at("/profile", members(s.profile)),
		at("/report", members(s.report)),
		at("/settings", members(s.settings)),
		at("/settings/keys", members(s.apiKeys)),
		at("/settings/notifications", members(s.notificationSettings)),
		at("/settings/security", members(s.security)),
		at("/settings/webhooks", members(s.webhooks)),
		at("/settings/webhooks/{webhook_id}", members(s.webhook)),
		at("/users/{user_id}", s.userByID),
	}
}

// onlyPages begin the addresses that are never those of operations: people share them. /t/ is reserved.
var onlyPages = []string{"/e/", "/g/", "/i/", "/p/", "/t/"}

// mailAnswers begins the addresses of the pages of package mail that answer an e-mail invitation.
const mailAnswers = "/i/mail/"

// members shows a page only to visitors who are signed in. Others sign in first. Search engines do not list the page.
func members(p page) page {
	return func(ctx context.Context, v *visit) (templ.Component, error) {
		if !v.page.SignedIn() {
			return nil, redirect{loginPath(v.page.Path())}
		}
		v.page.NoIndex = true
		return p(ctx, v)
	}
}

// route is the address of a page. A segment like {event_id} is an id, any other one in braces a text.
type route struct {
	pattern  string
	segments []string
	page     page
}

func at(pattern string, p page) route { return route{pattern, strings.Split(pattern, "/"), p} }

// match returns the route of a path, or nil. It sets the path values of the request.
func (s *Site) match(path string, r *http.Request) *route {
	segments := strings.Split(path, "/")
	for i := range s.routes {
		if route := &s.routes[i]; route.matches(segments) {
			route.setValues(segments, r)
			return route
		}
	}
	return nil
}

func (r *route) matches(segments []string) bool {
	if len(segments) != len(r.segments) {
		return false
	}
	for i, want := range r.segments {
		if segments[i] != want && !(isParameter(want) && fits(want, segments[i])) {
			return false
		}
	}
	return true
}

func (r *route) setValues(segments []string, to *http.Request) {
	for i, name := range r.segments {
		if to != nil && isParameter(name) {
			to.SetPathValue(strings.Trim(name, "{}"), segments[i])
		}
	}
}

func isParameter(segment string) bool { return strings.HasPrefix(segment, "{") }

// fits reports whether a segment of a path may be the value of a parameter. It may be a parameter of the contract's path.
func fits(parameter, segment string) bool {
	if isParameter(segment) {
		return true
	}
	if !strings.HasSuffix(parameter, "_id}") {
		return segment != ""
	}
	return len(segment) == idLength && uuid.Validate(segment) == nil
}

// id returns an id in the path of a page.
func (v *visit) id(name string) uuid.UUID {
	id, _ := uuid.Parse(v.r.PathValue(name)) // match has checked it
	return id
}

// Patterns lists the addresses of all pages, such as "/events/{event_id}".
func Patterns() []string {
	var patterns []string
	for _, r := range new(Site).newRoutes() {
		patterns = append(patterns, r.pattern)
	}
	return patterns
}
