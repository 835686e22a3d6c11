package domain

// Reason says why a forbidden request is refused. The values are the closed list of
// `reason` in the contract's Problem. Only viewers who see the object learn a reason,
// and no reason says more than its state, the viewer's role in it and public settings.
type Reason string

// Reasons that concern the role of the viewer.
const (
	NotOrganizer   Reason = "not_organizer"
	NotOwner       Reason = "not_owner" // only for hosts
	NotParticipant Reason = "not_participant"
	NotAuthor      Reason = "not_author"
	NotModerator   Reason = "not_moderator"
	OwnEvent       Reason = "own_event"
	ForeignOrigin  Reason = "foreign_origin"

	// InsufficientScope means that no scope of the API key allows the operation.
	InsufficientScope Reason = "insufficient_scope"
)

// Reasons that concern the event.
const (
	EventDraft      Reason = "event_draft"
	EventPublished  Reason = "event_published"
	EventCanceled   Reason = "event_canceled"
	EventEnded      Reason = "event_ended"
	EventPublic     Reason = "event_public"
	EventPrivate    Reason = "event_private"
	EventUntitled   Reason = "event_untitled"
	EventExternal   Reason = "event_external" // it comes from a calendar of another service
	EventFull       Reason = "event_full"
	EventFree       Reason = "event_free"
	EventNotFull    Reason = "event_not_full"
	WaitlistOff     Reason = "waitlist_off"
	WaitlistFull    Reason = "waitlist_full"
	RequestLimit    Reason = "request_limit"
	HostLimit       Reason = "host_limit"
	QuestionLimit   Reason = "question_limit"
	AnswersRequired Reason = "answers_required" // to the questions of the event
	InvitationLimit Reason = "invitation_limit"
	BlockedByState  Reason = "blocked_by_state" // another state than those above
)

// Reasons that concern what the organizer has decided about the viewer.
const (
	Removed          Reason = "removed"           // from the event, or banned from the group
	RequestDeclined  Reason = "request_declined"  // too often to ask again
	ApprovalRequired Reason = "approval_required" // before the viewer may pay or wait
)

// Reasons that concern groups.
const (
	InvitationRequired Reason = "invitation_required"
	MemberLimit        Reason = "member_limit"
	GroupLimit         Reason = "group_limit"  // of the user
	SourceLimit        Reason = "source_limit" // of the group
)

// AccountNew means that an account may not do this on its first day.
const AccountNew Reason = "account_new"

// StorageFull concerns the pictures of the viewer.
const StorageFull Reason = "storage_full"

// Reasons that concern payments.
const (
	PaymentsDisabled    Reason = "payments_disabled"
	PaymentRequired     Reason = "payment_required"
	AlreadyPaid         Reason = "already_paid"
	OrganizerUnverified Reason = "organizer_unverified"
)

// Forbid returns the refusal of what the viewer may not do, or not now.
func Forbid(r Reason) *Error { return &Error{Code: Forbidden.Code, Reason: r} }
