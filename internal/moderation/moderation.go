// Package moderation is the room of reports and of what moderators do about
// them (contract §6). Every move of a report leaves one record of who did what,
// and what it says is done in the same transaction.
package moderation

import (
	"slices"
	"time"

	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/platform/text"
	"moothall/internal/review"
	"moothall/internal/user"
)

// Status is where a report stands. Its number is its place in the queue.
type Status int

// The states of a report.
const (
	Open Status = iota
	InReview
	Resolved
	Dismissed
)

var statusNames = []string{"open", "in_review", "resolved", "dismissed"}

// String gives the name that the contract has for it.
func (s Status) String() string { return statusNames[s] }

// moves is the table of contract §6.
var moves = map[Status][]Status{
	Open:      {InReview, Resolved, Dismissed},
	InReview:  {Open, Resolved, Dismissed},
	Resolved:  {Open},
	Dismissed: {Open},
}

func (s Status) mayBecome(next Status) bool { return slices.Contains(moves[s], next) }

// final reports whether the report is dealt with.
func (s Status) final() bool { return s == Resolved || s == Dismissed }

// TargetType is the kind of thing that is reported.
type TargetType string

// The kinds of targets.
const (
	EventTarget  TargetType = "event"
	UserTarget   TargetType = "user"
	ReviewTarget TargetType = "review"
)

// TargetID is the id of an event, a user or a review.
type TargetID = domain.ID[any]

// Action is what a moderator does besides moving a report.
type Action string

// The actions.
const (
	NoAction    Action = "none"
	WarnUser    Action = "warn_user"
	HideContent Action = "hide_content"
	CancelEvent Action = "cancel_event"
	SuspendUser Action = "suspend_user"
)

// targetsOf are the targets that an action fits. A person is warned or
// suspended for what they are, what they organize and what they wrote.
var targetsOf = map[Action][]TargetType{
	NoAction:    {EventTarget, UserTarget, ReviewTarget},
	WarnUser:    {EventTarget, UserTarget, ReviewTarget},
	HideContent: {ReviewTarget},
	CancelEvent: {EventTarget},
	SuspendUser: {EventTarget, UserTarget, ReviewTarget},
}

func (a Action) fits(t TargetType) bool { return slices.Contains(targetsOf[a], t) }

// Report is what somebody has reported.
type Report struct {
	ID                   domain.ReportID
	ReporterID           *domain.UserID // nil once the account is deleted
	TargetType           TargetType
	TargetID             TargetID
	Reason               string
	Comment              *string
	Status               Status
	CreatedAt, UpdatedAt time.Time
	ResolvedAt           *time.Time
	ResolvedBy           *domain.UserID
}

// Queued is a report with its target, of which at most one is there.
type Queued struct {
	Report
	Event  *event.Card
	User   *user.Public
	Review *review.Review
}

// Record is the trace of one move of a report.
type Record struct {
	ID          domain.ModerationActionID
	ReportID    domain.ReportID
	ModeratorID domain.UserID
	Action      Action
	From, To    Status
	Note        *string
	CreatedAt   time.Time
}

// Draft is what somebody reports.
type Draft struct {
	TargetType TargetType
	TargetID   TargetID
	Reason     string
	Comment    *string
}

// otherReason has to be explained.
const otherReason = "other"

// mostWords is the greatest length of comments and notes (contract §6).
const mostWords = 2000

// clean names every wrong field, besides those that the contract checks.
func (d *Draft) clean(v domain.Viewer) error {
	var wrong domain.Problems
	text.CleanOrNil(&wrong, "/comment", &d.Comment, text.Block(0, mostWords))
	if d.Comment == nil && d.Reason == otherReason {
		wrong.Add("/comment", "must say what is wrong, as no reason does")
	}
	if d.TargetType == UserTarget && d.TargetID == TargetID(v.UserID) {
		wrong.Add("/target_id", "must not be the own account")
	}
	return wrong.Err()
}

// Move is what a moderator wants to become of a report.
type Move struct {
	To     Status
	Action Action
	Note   *string
}

func (m *Move) clean() error {
	var wrong domain.Problems
	text.CleanOrNil(&wrong, "/note", &m.Note, text.Block(0, mostWords))
	if m.Action != NoAction && m.To != Resolved {
		wrong.Add("/action", "must be none unless the report is resolved")
	}
	return wrong.Err()
}

// check refuses a move that the report does not allow.
func (m Move) check(r Report) error {
	var wrong domain.Problems
	if !r.Status.mayBecome(m.To) {
		wrong.Add("/status", "must be one that the report may move to from where it stands")
	}
	if !m.Action.fits(r.TargetType) {
		wrong.Add("/action", "must fit the target")
	}
	return wrong.Err()
}
