// Package policy tests the policy through HTTP: who may see and do what in each
// operation, that an incognito attendance leaves no trace, and that random
// sequences of actions agree with a small model.
package policy

import (
	"slices"

	"moothall/internal/core/access"
	"moothall/internal/domain"
)

// actor is a person by their relation to an event or its organizer.
type actor string

const (
	anonymous actor = "anonymous"
	stranger  actor = "stranger"
	follower  actor = "follower"
	going     actor = "going"
	incognito actor = "incognito"
	left      actor = "left"
	pending   actor = "pending"
	accepted  actor = "accepted"
	declined  actor = "declined"
	tentative actor = "tentative"
	organizer actor = "organizer"
	blocked   actor = "blocked" // by the organizer, and was going before
	blocker   actor = "blocker" // of the organizer, and was invited before
	moderator actor = "moderator"
	suspended actor = "suspended"
	host      actor = "host"
	asked     actor = "asked"   // to be a host
	former    actor = "former"  // a host, removed by the organizer
	queued    actor = "waiting" // for seats; for a private event, invited
	applicant actor = "asking"  // to join
	removed   actor = "removed" // a guest, by the organizer
)

var actors = []actor{anonymous, stranger, follower, going, incognito, left, pending, accepted, declined, tentative,
	organizer, blocked, blocker, moderator, suspended, host, asked, former, queued, applicant, removed}

var (
	states       = []access.Status{access.Draft, access.Published, access.Canceled, access.Completed}
	visibilities = []access.Visibility{access.Public, access.Private}
)

// situation is one actor and one event.
type situation struct {
	state      access.Status
	visibility access.Visibility
	actor      actor
}

func (s situation) is(list ...actor) bool { return slices.Contains(list, s.actor) }

// invitation returns the status of the actor's invitation, if there is one.
func (s situation) invitation() (status string, ok bool) {
	switch {
	case s.is(pending, accepted, declined, tentative):
		return string(s.actor), true
	case s.is(blocker):
		return string(declined), true
	case s.is(queued) && s.visibility == access.Private:
		return string(pending), true
	}
	return "", false
}

// participation returns the actor's participation, if there is one.
func (s situation) participation() (status, visibility string, ok bool) {
	switch {
	case s.is(going, accepted):
		return "going", "public", true
	case s.is(incognito):
		return "going", "incognito", true
	case s.is(left, blocked):
		return "left", "public", true
	case s.is(removed):
		return "removed", "public", true
	}
	return "", "", false
}

// waits reports whether the actor is on the waiting list of the event.
func (s situation) waits() bool { return s.is(queued) && s.state != access.Draft }

// asks reports whether the actor has asked to join the event.
func (s situation) asks() bool {
	return s.is(applicant) && s.state != access.Draft && s.visibility == access.Public
}

// hostStatus returns the status of the actor among the hosts, if there is one.
func (s situation) hostStatus() string {
	return map[actor]string{host: "active", asked: "pending", former: "ended"}[s.actor]
}

func (s situation) goes() bool {
	status, _, _ := s.participation()
	return status == "going"
}

// sees is policy "Seeing an event".
func (s situation) sees() bool {
	_, invited := s.invitation()
	switch {
	case s.is(organizer, host, asked):
		return true
	case s.is(blocked, blocker):
		return false
	case s.visibility == access.Public:
		return s.state != access.Draft
	}
	return invited || s.goes() && s.state != access.Draft
}

// permissionCase is one operation in one situation. Each has its own event.
type permissionCase struct {
	situation
	operation
	event   domain.EventID
	post    domain.PostID
	comment domain.CommentID
	option  domain.DateOptionID
	link    domain.InviteLinkID
}
