// Package moderation stores reports and lets moderators act on them (contract §6). A
// move changes the status of a report, carries out the moderator's action and writes
// one audit record, in one transaction.
package moderation

import (
	"slices"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/group"
	"moothall/internal/meetup/review"
	"moothall/internal/platform/text"
)

// Status is the status of a report. The queue is sorted by its number.
type Status int

// The statuses of a report.
const (
	Open Status = iota
	InReview
	Resolved
	Dismissed
)

var statusNames = []string{"open", "in_review", "resolved", "dismissed"}

// String returns the name in the contract.
func (s Status) String() string { return statusNames[s] }

// moves lists the statuses that each status may change to (contract §6).
var moves = map[Status][]Status{
	Open:      {InReview, Resolved, Dismissed},
	InReview:  {Open, Resolved, Dismissed},
	Resolved:  {Open},
	Dismissed: {Open},
}

func (s Status) mayBecome(next Status) bool { return slices.Contains(moves[s], next) }

// final reports whether a report with this status is closed.
func (s Status) final() bool { return s == Resolved || s == Dismissed }

// TargetType is the type of a reported target.
type TargetType string

// The types of targets.
const (
	EventTarget  TargetType = "event"
	UserTarget   TargetType = "user"
	ReviewTarget TargetType = "review"
	GroupTarget  TargetType = "group"

	// The content: the report has its author and text, as it was.
	PostTarget         TargetType = "post"
	CommentTarget      TargetType = "comment"
	MessageTarget      TargetType = "message"
	GuestMessageTarget TargetType = "guest_message"
)

// TargetID is the id of a target of any type.
type TargetID = domain.ID[any]

// Action is the action by which a moderator resolves a report.
type Action string

// The actions.
const (
	NoAction    Action = "none"
	WarnUser    Action = "warn_user"
	HideContent Action = "hide_content"
	CancelEvent Action = "cancel_event"
	SuspendUser Action = "suspend_user"

	SuspendGroup Action = "suspend_group"
	RestoreGroup Action = "restore_group" // ends a suspension
)

// targetsOf lists the types of targets that each action fits. A user is also warned or
// suspended for an event that they organize, a group that they own and what they wrote.
var targetsOf = map[Action][]TargetType{
	NoAction:    {EventTarget, UserTarget, ReviewTarget, GroupTarget, PostTarget, CommentTarget, MessageTarget, GuestMessageTarget},
	WarnUser:    {EventTarget, UserTarget, ReviewTarget, GroupTarget, PostTarget, CommentTarget, MessageTarget, GuestMessageTarget},
	HideContent: {ReviewTarget, PostTarget, CommentTarget, MessageTarget, GuestMessageTarget},
	CancelEvent: {EventTarget},
	SuspendUser: {EventTarget, UserTarget, ReviewTarget, GroupTarget, PostTarget, CommentTarget, MessageTarget, GuestMessageTarget},

	SuspendGroup: {GroupTarget},
	RestoreGroup: {GroupTarget},
}

func (a Action) fits(t TargetType) bool { return slices.Contains(targetsOf[a], t) }

// Report is a user's report of an event, another user or something that was written.
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
	Content
}

// Content is who wrote a reported post, comment or message, and what. Both are nil for other
// targets, and once the author has deleted the account.
type Content struct {
	AuthorID *domain.UserID
	Text     *string // as it was at the time of the report
}

// Queued is a report in the queue with its target. One of Event, User, Review and Group is
// set, or none if the target is deleted. For content, User is the author.
type Queued struct {
	Report
	Reporter *user.Public // nil if the account is deleted, or the service has made the report
	Event    *event.Card
	User     *user.Public
	Review   *review.Review
	Group    *group.Group
}

// Record is the audit record of one move of a report.
type Record struct {
	ID          domain.ModerationActionID
	ReportID    domain.ReportID
	ModeratorID domain.UserID
	Action      Action
	From, To    Status
	Note        *string
	CreatedAt   time.Time
}

// Draft is a new report.
type Draft struct {
	TargetType TargetType
	TargetID   TargetID
	Reason     string
	Comment    *string
}

// otherReason is the reason that requires a comment.
const otherReason = "other"

// maxText is the greatest length of comments and notes in graphemes (contract §6).
const maxText = 2000

// clean normalizes the comment and checks the rules that the OpenAPI schema cannot
// express.
func (d *Draft) clean(v domain.Viewer) error {
	var problems domain.Problems
	text.CleanOrNil(&problems, "/comment", &d.Comment, text.Block(0, maxText))
	if d.Comment == nil && d.Reason == otherReason {
		problems.Add("/comment", "must say what is wrong if the reason is other", "/reason")
	}
	if d.TargetType == UserTarget && d.TargetID == TargetID(v.UserID) {
		problems.Add("/target_id", "must not be your own account")
	}
	return problems.Err()
}

// Move is a moderator's decision on a report: its next status and an action.
type Move struct {
	To     Status
	Action Action
	Note   *string
}

func (m *Move) clean() error {
	var problems domain.Problems
	text.CleanOrNil(&problems, "/note", &m.Note, text.Block(0, maxText))
	if m.Action != NoAction && m.To != Resolved {
		problems.Add("/action", "must be none unless the report is resolved", "/status")
	}
	return problems.Err()
}

// check returns an error if the report does not allow the move.
func (m Move) check(r Report) error {
	var problems domain.Problems
	if !r.Status.mayBecome(m.To) {
		problems.Add("/status", "must be a state that the report may move to")
	}
	if !m.Action.fits(r.TargetType) {
		problems.Add("/action", "must fit the target")
	}
	return problems.Err()
}
