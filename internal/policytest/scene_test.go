// Package policytest proves the policy through HTTP: who may see and do what,
// operation by operation (policy.md), that an incognito attendance leaves no
// trace, and that any order of doings agrees with a small model.
package policytest

import (
	"slices"

	"moothall/internal/access"
	"moothall/internal/domain"
)

// actor is somebody in one relation to an event or its organizer.
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
)

var actors = []actor{anonymous, stranger, follower, going, incognito, left, pending, accepted, declined, tentative,
	organizer, blocked, blocker, moderator, suspended}

var (
	states       = []access.Status{access.Draft, access.Published, access.Canceled, access.Completed}
	visibilities = []access.Visibility{access.Public, access.Private}
)

// scene is one actor before one event.
type scene struct {
	state      access.Status
	visibility access.Visibility
	actor      actor
}

func (s scene) is(list ...actor) bool { return slices.Contains(list, s.actor) }

// invitation is what the actor has answered, if there is one.
func (s scene) invitation() (status string, ok bool) {
	switch {
	case s.is(pending, accepted, declined, tentative):
		return string(s.actor), true
	case s.is(blocker):
		return string(declined), true
	}
	return "", false
}

// participation is the actor's row among the participants, if there is one.
func (s scene) participation() (status, visibility string, ok bool) {
	switch {
	case s.is(going, accepted):
		return "going", "public", true
	case s.is(incognito):
		return "going", "incognito", true
	case s.is(left, blocked):
		return "left", "public", true
	}
	return "", "", false
}

func (s scene) goes() bool {
	status, _, _ := s.participation()
	return status == "going"
}

// sees is policy "Seeing an event".
func (s scene) sees() bool {
	_, invited := s.invitation()
	switch {
	case s.is(organizer):
		return true
	case s.is(blocked, blocker):
		return false
	case s.visibility == access.Public:
		return s.state != access.Draft
	}
	return invited || s.goes() && s.state != access.Draft
}

// cell is one operation in one scene, on an event of its own.
type cell struct {
	scene
	operation
	event   domain.EventID
	post    domain.PostID
	comment domain.CommentID
	option  domain.DateOptionID
}
