// Code generated from api/openapi.yaml by sdk/generate. DO NOT EDIT.

package moothall

import (
	"encoding/json"
	"time"
)

// APIError is part of other types.
type APIError struct {
	Error ErrorCode `json:"error"`
}

// ErrorCode: Machine-readable error. Branch on the HTTP status first. One of `invalid_request`, `unauthorized`, `forbidden`, `not_found`,
// `method_not_allowed`, `username_taken`, `conflict`, `precondition_failed`, `payload_too_large`, `unsupported_media_type`,
// `idempotency_key_reused`, `rate_limited`, `internal_error`, `image_unavailable`, `service_unavailable`,
// `outcome_unknown`; values may be added.
type ErrorCode string

// The values of ErrorCode.
const (
	ErrorCodeInvalidRequest       ErrorCode = "invalid_request"
	ErrorCodeUnauthorized         ErrorCode = "unauthorized"
	ErrorCodeForbidden            ErrorCode = "forbidden"
	ErrorCodeNotFound             ErrorCode = "not_found"
	ErrorCodeMethodNotAllowed     ErrorCode = "method_not_allowed"
	ErrorCodeUsernameTaken        ErrorCode = "username_taken"
	ErrorCodeConflict             ErrorCode = "conflict"
	ErrorCodePreconditionFailed   ErrorCode = "precondition_failed"
	ErrorCodePayloadTooLarge      ErrorCode = "payload_too_large"
	ErrorCodeUnsupportedMediaType ErrorCode = "unsupported_media_type"
	ErrorCodeIdempotencyKeyReused ErrorCode = "idempotency_key_reused"
	ErrorCodeRateLimited          ErrorCode = "rate_limited"
	ErrorCodeInternalError        ErrorCode = "internal_error"
	ErrorCodeImageUnavailable     ErrorCode = "image_unavailable"
	ErrorCodeServiceUnavailable   ErrorCode = "service_unavailable"
	ErrorCodeOutcomeUnknown       ErrorCode = "outcome_unknown"
)

// Problem: The same error as an RFC 9457 problem, for clients that accept application/problem+json.
type Problem struct {
	// A URI that identifies the kind of problem.
	Type string `json:"type"`
	// The kind of problem as text.
	Title string `json:"title"`
	// The HTTP status.
	Status int `json:"status"`
	// This occurrence as text, for developers.
	Detail *string `json:"detail,omitzero"`
	// Identifies this occurrence in the service log.
	Instance *string          `json:"instance,omitzero"`
	Error    ErrorCode        `json:"error"`
	Reason   *ForbiddenReason `json:"reason,omitzero"`
	// Every wrong field and parameter of the request, both those with a wrong form and those that break a rule. Rules that need
	// stored data are checked when everything else is right.
	Errors []ProblemField `json:"errors,omitzero"`
}

// ForbiddenReason: Why the request is forbidden; always present with 403, never with another status. The list is complete for this version;
// treat unknown values as `forbidden`.
//
//	| Value | Meaning |
//	| `not_organizer` | Only the organizer may do this. |
//	| `not_owner` | Only the organizer may do this, not the other hosts. |
//	| `not_participant` | Only participants may do this; which ones, the operation says. |
//	| `not_author` | Only the author may do this. |
//	| `not_moderator` | Only moderators may do this. |
//	| `own_event` | The organizer may not do this. |
//	| `foreign_origin` | A web page of an origin that is not allowed sent the refresh cookie. |
//	| `insufficient_scope` | The API key does not have the scope of the operation, or no key may do this. |
//	| `event_draft` | The event is a draft. |
//	| `event_published` | The event is published: too late to change its visibility, too early to review it. |
//	| `event_canceled` | The event is canceled. |
//	| `event_ended` | The event is over. |
//	| `event_public` | The event is public; only private events have invitations. |
//	| `event_private` | The event is private: answer the invitation instead of joining; its posts cannot be reposted. |
//	| `event_untitled` | The draft has no title. |
//	| `event_external` | The event comes from a calendar of another service: it is joined there, and cannot be changed here. |
//	| `event_full` | The event has no free seat. |
//	| `event_free` | The event costs nothing. |
//	| `event_not_full` | The party could join now, so it need not wait. |
//	| `waitlist_off` | The event has no waiting list. |
//	| `waitlist_full` | The waiting list has as many entries as it may have. |
//	| `removed` | The organizer has removed the viewer from the event, or a host has banned the viewer from the group. |
//	| `request_declined` | The organizer has declined the requests of the viewer. |
//	| `approval_required` | The organizer must approve the viewer first: join the event. |
//	| `request_limit` | The event or group has as many requests to join as it may have. |
//	| `answers_required` | The event asks something that must be answered: send `answers`. |
//	| `question_limit` | The event has as many questions as it may have, those that were replaced included. |
//	| `host_limit` | The event or group has as many hosts as it may have. |
//	| `invitation_limit` | The event or group has as many invitations as it may have. |
//	| `invitation_required` | Only invited users may join the group. |
//	| `member_limit` | The group has as many members as it may have. |
//	| `group_limit` | The user belongs to as many groups as one may. |
//	| `source_limit` | The group subscribes to as many calendars as one may. |
//	| `account_new` | The account may not do this on its first day. |
//	| `storage_full` | The pictures of the viewer take as much space as they may; those that nothing shows are removed after a day. |
//	| `blocked_by_state` | Another state forbids it: no date vote is open, a clone would be after 2099, the calendar entry is canceled, a replay of webhook messages is in progress, a payment of this price has begun, a passkey is the only way to sign in, or a user has too many passkeys, API keys, webhooks or push subscriptions. |
//	| `payments_disabled` | The deployment has disabled payments. |
//	| `payment_required` | The viewer has not paid for the event. |
//	| `already_paid` | The viewer has paid for the event. |
//	| `organizer_unverified` | The organizer's payment profile is not verified. |
type ForbiddenReason string

// The values of ForbiddenReason.
const (
	ForbiddenReasonNotOrganizer        ForbiddenReason = "not_organizer"
	ForbiddenReasonNotOwner            ForbiddenReason = "not_owner"
	ForbiddenReasonNotParticipant      ForbiddenReason = "not_participant"
	ForbiddenReasonNotAuthor           ForbiddenReason = "not_author"
	ForbiddenReasonNotModerator        ForbiddenReason = "not_moderator"
	ForbiddenReasonOwnEvent            ForbiddenReason = "own_event"
	ForbiddenReasonForeignOrigin       ForbiddenReason = "foreign_origin"
	ForbiddenReasonInsufficientScope   ForbiddenReason = "insufficient_scope"
	ForbiddenReasonEventDraft          ForbiddenReason = "event_draft"
	ForbiddenReasonEventPublished      ForbiddenReason = "event_published"
	ForbiddenReasonEventCanceled       ForbiddenReason = "event_canceled"
	ForbiddenReasonEventEnded          ForbiddenReason = "event_ended"
	ForbiddenReasonEventPublic         ForbiddenReason = "event_public"
	ForbiddenReasonEventPrivate        ForbiddenReason = "event_private"
	ForbiddenReasonEventUntitled       ForbiddenReason = "event_untitled"
	ForbiddenReasonEventExternal       ForbiddenReason = "event_external"
	ForbiddenReasonEventFull           ForbiddenReason = "event_full"
	ForbiddenReasonEventFree           ForbiddenReason = "event_free"
	ForbiddenReasonEventNotFull        ForbiddenReason = "event_not_full"
	ForbiddenReasonWaitlistOff         ForbiddenReason = "waitlist_off"
	ForbiddenReasonWaitlistFull        ForbiddenReason = "waitlist_full"
	ForbiddenReasonRemoved             ForbiddenReason = "removed"
	ForbiddenReasonRequestDeclined     ForbiddenReason = "request_declined"
	ForbiddenReasonApprovalRequired    ForbiddenReason = "approval_required"
	ForbiddenReasonRequestLimit        ForbiddenReason = "request_limit"
	ForbiddenReasonAnswersRequired     ForbiddenReason = "answers_required"
	ForbiddenReasonQuestionLimit       ForbiddenReason = "question_limit"
	ForbiddenReasonHostLimit           ForbiddenReason = "host_limit"
	ForbiddenReasonInvitationLimit     ForbiddenReason = "invitation_limit"
	ForbiddenReasonInvitationRequired  ForbiddenReason = "invitation_required"
	ForbiddenReasonMemberLimit         ForbiddenReason = "member_limit"
	ForbiddenReasonGroupLimit          ForbiddenReason = "group_limit"
	ForbiddenReasonSourceLimit         ForbiddenReason = "source_limit"
	ForbiddenReasonAccountNew          ForbiddenReason = "account_new"
	ForbiddenReasonStorageFull         ForbiddenReason = "storage_full"
	ForbiddenReasonBlockedByState      ForbiddenReason = "blocked_by_state"
	ForbiddenReasonPaymentsDisabled    ForbiddenReason = "payments_disabled"
	ForbiddenReasonPaymentRequired     ForbiddenReason = "payment_required"
	ForbiddenReasonAlreadyPaid         ForbiddenReason = "already_paid"
	ForbiddenReasonOrganizerUnverified ForbiddenReason = "organizer_unverified"
)

// ProblemField is part of other types.
type ProblemField struct {
	// JSON pointer into the body (`/title`), or `?name` for a query parameter.
	Pointer string `json:"pointer"`
	// What the value must be.
	Detail string `json:"detail"`
}

// HealthResponse is the response of GetHealth.
type HealthResponse struct {
	// `unavailable` exactly if the HTTP status is 503.
	Status string `json:"status"`
	// Always `ok`: the process responds.
	API string `json:"api"`
	// `ok` if the data store keeps what is written to it, also while it is busy. `unavailable` if it does not respond, refuses writes, or could lose them; values may be added.
	Database string `json:"database"`
	// `ok` if the cache responds within a second, `unavailable`, or `disabled`, which counts as ok; values may be added.
	Cache string `json:"cache"`
	// `ok`, or `unavailable` if the deployment has no way to sign in, which does not change `status`; values may be added.
	SignIn string `json:"sign_in"`
	// Version of the running build.
	Version string `json:"version"`
	// Clock of the server.
	Time time.Time `json:"time"`
}

// StartDevSignInRequest is the body of StartDevSignIn.
type StartDevSignInRequest struct {
	// Plain address without a display name; case-insensitive.
	Email string `json:"email"`
}

// DevSignInChallenge is the response of StartDevSignIn.
type DevSignInChallenge struct {
	Status string `json:"status"`
	// When the challenge expires.
	ExpiresAt        time.Time `json:"expires_at"`
	ExpiresInSeconds int       `json:"expires_in_seconds"`
	// Seconds after which to offer another code.
	ResendAfterSeconds int `json:"resend_after_seconds"`
	// Number of digits of the code.
	CodeLength int `json:"code_length"`
	// The code itself, only if the deployment exposes it for development.
	DevCode *string `json:"dev_code,omitzero"`
}

// VerifyDevSignInRequest is the body of VerifyDevSignIn.
type VerifyDevSignInRequest struct {
	Email string `json:"email"`
	Code  string `json:"code"`
}

// StartEmailSignInRequest is the body of StartEmailSignIn.
type StartEmailSignInRequest struct {
	// Plain address without a display name; case-insensitive.
	Email string `json:"email"`
	// Local path that the link opens after sign-in, `/profile` by default. A path that is not local is replaced by the default.
	ReturnTo *string `json:"return_to,omitzero"`
	// Challenge of the sign-in to send again. If absent or null, the cookie is used.
	Challenge *string `json:"challenge,omitzero"`
}

// EmailSignInChallenge is the response of StartEmailSignIn.
type EmailSignInChallenge struct {
	Status string `json:"status"`
	// Proves that this client started the sign-in. Keep it secret, and never put it into a link.
	Challenge string `json:"challenge"`
	// Show it to the user. The page of the link asks for it in any other browser.
	Number string `json:"number"`
	// When the code and the link expire.
	ExpiresAt        time.Time `json:"expires_at"`
	ExpiresInSeconds int       `json:"expires_in_seconds"`
	// Seconds after which to offer to send the mail again.
	ResendAfterSeconds int `json:"resend_after_seconds"`
	// Number of digits of the code.
	CodeLength int `json:"code_length"`
	// Seconds between two status requests.
	PollIntervalSeconds int `json:"poll_interval_seconds"`
}

// VerifyEmailSignInRequest is the body of VerifyEmailSignIn.
type VerifyEmailSignInRequest struct {
	Email string `json:"email"`
	Code  string `json:"code"`
	// Challenge of the sign-in. If absent or null, the cookie is used.
	Challenge *string `json:"challenge,omitzero"`
}

// EmailSignInStatusRequest is the body of GetEmailSignInStatus.
type EmailSignInStatusRequest struct {
	// Challenge of the sign-in. If absent or null, the cookie is used.
	Challenge *string `json:"challenge,omitzero"`
}

// EmailSignInStatus: If `verified`, all fields of an AuthSession are present at this level.
type EmailSignInStatus struct {
	// One of `pending`, `verified`, `expired`; values may be added.
	Status string `json:"status"`
	// If pending, seconds until the next request for the status.
	RetryAfterSeconds    *int         `json:"retry_after_seconds,omitzero"`
	CurrentUser          *CurrentUser `json:"current_user,omitzero"`
	SessionID            *string      `json:"session_id,omitzero"`
	AccessToken          *string      `json:"access_token,omitzero"`
	AccessTokenExpiresAt *time.Time   `json:"access_token_expires_at,omitzero"`
	TokenType            *TokenType   `json:"token_type,omitzero"`
	RefreshToken         *string      `json:"refresh_token,omitzero"`
	// If pending or expired, the end of the sign-in; if verified, when the refresh token expires.
	ExpiresAt *time.Time `json:"expires_at,omitzero"`
}

// StartPhoneCallRequest is the body of StartPhoneCall.
type StartPhoneCallRequest struct {
	// A valid phone number, preferably in E.164 format.
	Phone string `json:"phone"`
	// Id of a challenge of this phone that this client has started. While it is open, it is returned again.
	ChallengeID *string `json:"challenge_id,omitzero"`
}

// PhoneCallChallenge is the response of StartPhoneCall.
type PhoneCallChallenge struct {
	// Gets the session when the call has been made. Keep it secret: anybody who has it gets the session.
	ChallengeID string `json:"challenge_id"`
	Status      string `json:"status"`
	// The number to call in E.164 format, for `tel:` links.
	CallPhone string `json:"call_phone"`
	// The number to call, formatted for display.
	CallPhonePretty string `json:"call_phone_pretty"`
	// The submitted phone, masked.
	PhoneMasked      string    `json:"phone_masked"`
	ExpiresAt        time.Time `json:"expires_at"`
	ExpiresInSeconds int       `json:"expires_in_seconds"`
	// Seconds between two status requests.
	PollIntervalSeconds int `json:"poll_interval_seconds"`
}

// PhoneCallStatusRequest is the body of GetPhoneCallStatus.
type PhoneCallStatusRequest struct {
	// Id of the challenge. An id without a live challenge is 401.
	ChallengeID string `json:"challenge_id"`
}

// PhoneCallStatus: If `verified`, all fields of an AuthSession are present at this level.
type PhoneCallStatus struct {
	// One of `pending`, `verified`, `expired`; values may be added.
	Status string `json:"status"`
	// If pending, seconds until the next request for the status.
	RetryAfterSeconds    *int         `json:"retry_after_seconds,omitzero"`
	CurrentUser          *CurrentUser `json:"current_user,omitzero"`
	SessionID            *string      `json:"session_id,omitzero"`
	AccessToken          *string      `json:"access_token,omitzero"`
	AccessTokenExpiresAt *time.Time   `json:"access_token_expires_at,omitzero"`
	TokenType            *TokenType   `json:"token_type,omitzero"`
	RefreshToken         *string      `json:"refresh_token,omitzero"`
	// If pending or expired, the end of the challenge; if verified, when the refresh token expires.
	ExpiresAt *time.Time `json:"expires_at,omitzero"`
}

// PasskeySignInOptionsRequest is the body of StartPasskeySignIn.
type PasskeySignInOptionsRequest struct {
	// Accept only a passkey of the account with this address.
	Email *string `json:"email,omitzero"`
}

// PasskeySignInOptions is the response of StartPasskeySignIn.
type PasskeySignInOptions struct {
	PublicKey PasskeyRequestOptions `json:"public_key"`
}

// PasskeyRequestOptions: A `PublicKeyCredentialRequestOptionsJSON` of WebAuthn.
type PasskeyRequestOptions struct {
	// Base64url.
	Challenge string `json:"challenge"`
	// Host of the web client.
	RpID string `json:"rpId"`
	// Milliseconds.
	Timeout int `json:"timeout"`
	// Always `required`.
	UserVerification string `json:"userVerification"`
}

// PasskeyAssertion: An `AuthenticationResponseJSON` of WebAuthn. Further members are ignored.
type PasskeyAssertion struct {
	// Id of the credential in base64url.
	ID string `json:"id"`
	// The same as `id`.
	RawID string `json:"rawId"`
	// Always `public-key`.
	Type     string               `json:"type"`
	Response PasskeyAssertionData `json:"response"`
}

// PasskeyAssertionData is part of other types.
type PasskeyAssertionData struct {
	// Base64url.
	ClientDataJSON string `json:"clientDataJSON"`
	// Base64url.
	AuthenticatorData string `json:"authenticatorData"`
	// Base64url.
	Signature string `json:"signature"`
	// Base64url.
	UserHandle *string `json:"userHandle,omitzero"`
}

// PasskeyRegistrationOptions is the response of StartPasskeyRegistration.
type PasskeyRegistrationOptions struct {
	PublicKey PasskeyCreationOptions `json:"public_key"`
}

// PasskeyCreationOptions: A `PublicKeyCredentialCreationOptionsJSON` of WebAuthn.
type PasskeyCreationOptions struct {
	Rp   PasskeyRelyingParty `json:"rp"`
	User PasskeyUser         `json:"user"`
	// Base64url.
	Challenge string `json:"challenge"`
	// Accepted algorithms, the best first.
	PubKeyCredParams []PasskeyAlgorithm `json:"pubKeyCredParams"`
	// Milliseconds.
	Timeout int `json:"timeout"`
	// The user's passkeys, which are not added twice.
	ExcludeCredentials     []PasskeyDescriptor `json:"excludeCredentials"`
	AuthenticatorSelection PasskeySelection    `json:"authenticatorSelection"`
	// Always `none`.
	Attestation string `json:"attestation"`
}

// PasskeyRelyingParty is part of other types.
type PasskeyRelyingParty struct {
	// Host of the web client.
	ID   string `json:"id"`
	Name string `json:"name"`
}

// PasskeyUser is part of other types.
type PasskeyUser struct {
	// Base64url of an opaque id.
	ID          string `json:"id"`
	Name        string `json:"name"`
	DisplayName string `json:"displayName"`
}

// PasskeyAlgorithm is part of other types.
type PasskeyAlgorithm struct {
	// Always `public-key`.
	Type string `json:"type"`
	// COSE algorithm.
	Alg int `json:"alg"`
}

// PasskeyDescriptor is part of other types.
type PasskeyDescriptor struct {
	// Always `public-key`.
	Type string `json:"type"`
	// Base64url.
	ID string `json:"id"`
}

// PasskeySelection is part of other types.
type PasskeySelection struct {
	// Always `required`.
	ResidentKey        string `json:"residentKey"`
	RequireResidentKey bool   `json:"requireResidentKey"`
	// Always `required`.
	UserVerification string `json:"userVerification"`
}

// CreatePasskeyRequest is the body of CreatePasskey.
type CreatePasskeyRequest struct {
	// 1..80 graphemes on one line. Without it, the kind of device is the name.
	Name       *string            `json:"name,omitzero"`
	Credential PasskeyAttestation `json:"credential"`
}

// PasskeyAttestation: A `RegistrationResponseJSON` of WebAuthn. Further members are ignored.
type PasskeyAttestation struct {
	// Id of the credential in base64url.
	ID string `json:"id"`
	// The same as `id`.
	RawID string `json:"rawId"`
	// Always `public-key`.
	Type     string                 `json:"type"`
	Response PasskeyAttestationData `json:"response"`
}

// PasskeyAttestationData is part of other types.
type PasskeyAttestationData struct {
	// Base64url.
	ClientDataJSON string `json:"clientDataJSON"`
	// Base64url.
	AttestationObject string `json:"attestationObject"`
}

// UpdatePasskeyRequest is the body of UpdatePasskey.
type UpdatePasskeyRequest struct {
	// 1..80 graphemes on one line.
	Name string `json:"name"`
}

// Passkey is the response of CreatePasskey and UpdatePasskey.
type Passkey struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Whether the passkey is backed up to an account of its provider. Otherwise it exists on one device only.
	Synced     bool       `json:"synced"`
	CreatedAt  time.Time  `json:"created_at"`
	LastUsedAt *time.Time `json:"last_used_at"`
}

// PasskeysResponse is the response of ListPasskeys.
type PasskeysResponse struct {
	Items []Passkey `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// APIKeyScope: What an API key may do: `:read` is every `GET`, `:write` everything else; see Authentication. One of `profile:read`,
// `profile:write`, `relations:read`, `relations:write`, `events:read`, `events:write`, `attendance:read`, `attendance:write`,
// `posts:read`, `posts:write`, `guest_messages:read`, `guest_messages:write`, `reviews:read`, `reviews:write`, `chat:read`, `chat:write`,
// `feed:read`, `feed:write`, `calendar:read`, `calendar:write`, `notifications:read`, `notifications:write`, `images:write`,
// `webhooks:read`, `webhooks:write`; values may be added.
type APIKeyScope string

// The values of APIKeyScope.
const (
	APIKeyScopeProfileRead        APIKeyScope = "profile:read"
	APIKeyScopeProfileWrite       APIKeyScope = "profile:write"
	APIKeyScopeRelationsRead      APIKeyScope = "relations:read"
	APIKeyScopeRelationsWrite     APIKeyScope = "relations:write"
	APIKeyScopeEventsRead         APIKeyScope = "events:read"
	APIKeyScopeEventsWrite        APIKeyScope = "events:write"
	APIKeyScopeAttendanceRead     APIKeyScope = "attendance:read"
	APIKeyScopeAttendanceWrite    APIKeyScope = "attendance:write"
	APIKeyScopePostsRead          APIKeyScope = "posts:read"
	APIKeyScopePostsWrite         APIKeyScope = "posts:write"
	APIKeyScopeGuestMessagesRead  APIKeyScope = "guest_messages:read"
	APIKeyScopeGuestMessagesWrite APIKeyScope = "guest_messages:write"
	APIKeyScopeReviewsRead        APIKeyScope = "reviews:read"
	APIKeyScopeReviewsWrite       APIKeyScope = "reviews:write"
	APIKeyScopeChatRead           APIKeyScope = "chat:read"
	APIKeyScopeChatWrite          APIKeyScope = "chat:write"
	APIKeyScopeFeedRead           APIKeyScope = "feed:read"
	APIKeyScopeFeedWrite          APIKeyScope = "feed:write"
	APIKeyScopeCalendarRead       APIKeyScope = "calendar:read"
	APIKeyScopeCalendarWrite      APIKeyScope = "calendar:write"
	APIKeyScopeNotificationsRead  APIKeyScope = "notifications:read"
	APIKeyScopeNotificationsWrite APIKeyScope = "notifications:write"
	APIKeyScopeImagesWrite        APIKeyScope = "images:write"
	APIKeyScopeWebhooksRead       APIKeyScope = "webhooks:read"
	APIKeyScopeWebhooksWrite      APIKeyScope = "webhooks:write"
)

// CreateAPIKeyRequest is the body of CreateAPIKey.
type CreateAPIKeyRequest struct {
	// 1..80 graphemes on one line.
	Name string `json:"name"`
	// No scope includes another one. Duplicates are 400.
	Scopes []APIKeyScope `json:"scopes"`
	// Without it, the key does not expire. A time that has passed is 400.
	ExpiresAt *time.Time `json:"expires_at,omitzero"`
}

// APIKey is part of other types.
type APIKey struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// The first characters of the key.
	Prefix    string        `json:"prefix"`
	Scopes    []APIKeyScope `json:"scopes"`
	CreatedAt time.Time     `json:"created_at"`
	ExpiresAt *time.Time    `json:"expires_at"`
	// Precise to a minute.
	LastUsedAt *time.Time `json:"last_used_at"`
	// The webhooks that the key has created, the oldest first.
	Webhooks []APIKeyWebhook `json:"webhooks"`
}

// APIKeyWebhook is part of other types.
type APIKeyWebhook struct {
	ID  string `json:"id"`
	URL string `json:"url"`
}

// NewAPIKey is the response of CreateAPIKey.
type NewAPIKey struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// The first characters of the key.
	Prefix    string        `json:"prefix"`
	Scopes    []APIKeyScope `json:"scopes"`
	CreatedAt time.Time     `json:"created_at"`
	ExpiresAt *time.Time    `json:"expires_at"`
	// Always null.
	LastUsedAt *time.Time `json:"last_used_at"`
	// The API key. Store it now.
	Key string `json:"key"`
}

// APIKeysResponse is the response of ListAPIKeys.
type APIKeysResponse struct {
	Items []APIKey `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// WebhookKind: What a message is about. One of `event.created`, `event.published`, `event.updated`, `event.canceled`, `event.completed`,
// `attendance.joined`, `attendance.left`, `invitation.answered`, `post.created`, `comment.created`, `review.created`, `date.selected`,
// `post.deleted`, `waitlist.entered`, `waitlist.offered`, `waitlist.ended`, `attendance.requested`, `host.invited`, `host.joined`,
// `host.left`; values may be added.
type WebhookKind string

// The values of WebhookKind.
const (
	WebhookKindEventCreated        WebhookKind = "event.created"
	WebhookKindEventPublished      WebhookKind = "event.published"
	WebhookKindEventUpdated        WebhookKind = "event.updated"
	WebhookKindEventCanceled       WebhookKind = "event.canceled"
	WebhookKindEventCompleted      WebhookKind = "event.completed"
	WebhookKindAttendanceJoined    WebhookKind = "attendance.joined"
	WebhookKindAttendanceLeft      WebhookKind = "attendance.left"
	WebhookKindInvitationAnswered  WebhookKind = "invitation.answered"
	WebhookKindPostCreated         WebhookKind = "post.created"
	WebhookKindCommentCreated      WebhookKind = "comment.created"
	WebhookKindReviewCreated       WebhookKind = "review.created"
	WebhookKindDateSelected        WebhookKind = "date.selected"
	WebhookKindPostDeleted         WebhookKind = "post.deleted"
	WebhookKindWaitlistEntered     WebhookKind = "waitlist.entered"
	WebhookKindWaitlistOffered     WebhookKind = "waitlist.offered"
	WebhookKindWaitlistEnded       WebhookKind = "waitlist.ended"
	WebhookKindAttendanceRequested WebhookKind = "attendance.requested"
	WebhookKindHostInvited         WebhookKind = "host.invited"
	WebhookKindHostJoined          WebhookKind = "host.joined"
	WebhookKindHostLeft            WebhookKind = "host.left"
)

// WebhookStatus: `pending` until the server has answered the challenge, `active`, `paused` by the user, or `disabled` by the service: the server
// answered 410, accepted no message for 5 days, or did not answer the challenge; values may be added.
type WebhookStatus string

// The values of WebhookStatus.
const (
	WebhookStatusActive   WebhookStatus = "active"
	WebhookStatusPaused   WebhookStatus = "paused"
	WebhookStatusDisabled WebhookStatus = "disabled"
	WebhookStatusPending  WebhookStatus = "pending"
)

// CreateWebhookRequest is the body of CreateWebhook.
type CreateWebhookRequest struct {
	// An https URL on port 443 of a public web server.
	URL   string        `json:"url"`
	Kinds []WebhookKind `json:"kinds"`
	// Only this event, which the current user organizes. Any other is 404.
	EventID *string `json:"event_id,omitzero"`
	// Name users who attend incognito, too. By default, they are `null`. With an API key, `true` is 403.
	IncludeIncognito *bool `json:"include_incognito,omitzero"`
}

// UpdateWebhookRequest is the body of UpdateWebhook.
type UpdateWebhookRequest struct {
	URL              *string       `json:"url,omitzero"`
	Kinds            []WebhookKind `json:"kinds,omitzero"`
	IncludeIncognito *bool         `json:"include_incognito,omitzero"`
	Status           *string       `json:"status,omitzero"`
}

// Webhook is the response of GetWebhook and UpdateWebhook.
type Webhook struct {
	ID    string        `json:"id"`
	URL   string        `json:"url"`
	Kinds []WebhookKind `json:"kinds"`
	// The only event, or null for all events.
	EventID          *string       `json:"event_id"`
	IncludeIncognito bool          `json:"include_incognito"`
	Status           WebhookStatus `json:"status"`
	// First failed attempt since the last success.
	FailingSince *time.Time `json:"failing_since"`
	CreatedAt    time.Time  `json:"created_at"`
	// The API key that created it, or null if a session did.
	APIKeyID *string `json:"api_key_id"`
}

// NewWebhook is the response of CreateWebhook and RotateWebhookSecret.
type NewWebhook struct {
	ID    string        `json:"id"`
	URL   string        `json:"url"`
	Kinds []WebhookKind `json:"kinds"`
	// The only event, or null for all events.
	EventID          *string       `json:"event_id"`
	IncludeIncognito bool          `json:"include_incognito"`
	Status           WebhookStatus `json:"status"`
	// First failed attempt since the last success.
	FailingSince *time.Time `json:"failing_since"`
	CreatedAt    time.Time  `json:"created_at"`
	// The API key that created it, or null if a session did.
	APIKeyID *string `json:"api_key_id"`
	// The secret of the signatures. Store it now.
	Secret string `json:"secret"`
}

// WebhooksResponse is the response of ListWebhooks.
type WebhooksResponse struct {
	Items []Webhook `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// WebhookTest is the response of TestWebhook.
type WebhookTest struct {
	MessageID string `json:"message_id"`
}

// WebhookDelivery is part of other types.
type WebhookDelivery struct {
	ID string `json:"id"`
	// The `webhook-id`.
	MessageID string `json:"message_id"`
	// A `WebhookKind`, `test`, or `challenge`.
	Kind    string    `json:"kind"`
	Attempt int       `json:"attempt"`
	At      time.Time `json:"at"`
	// null if there was no response.
	StatusCode *int `json:"status_code"`
	DurationMs int  `json:"duration_ms"`
	// Why the attempt failed, for developers. Null if it succeeded.
	Error *string `json:"error"`
	// The first 512 bytes of the response.
	ResponseExcerpt string `json:"response_excerpt"`
}

// WebhookDeliveriesResponse is the response of ListWebhookDeliveries.
type WebhookDeliveriesResponse struct {
	Items []WebhookDelivery `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// ReplayWebhookRequest: `message_id`, or `from` and `to`.
type ReplayWebhookRequest struct {
	MessageID *string    `json:"message_id,omitzero"`
	From      *time.Time `json:"from,omitzero"`
	To        *time.Time `json:"to,omitzero"`
}

// WebhookReplay is the response of ReplayWebhook.
type WebhookReplay struct {
	// How many messages are sent again, at most 1000.
	Queued int `json:"queued"`
}

// IDPTokenRequest is the body of SignInWithIDPToken.
type IDPTokenRequest struct {
	// Token from the SDK of the identity provider.
	OauthToken string `json:"oauth_token"`
	// Configured provider to use. By default, the first one.
	Provider *string `json:"provider,omitzero"`
	// The nonce sent to the provider, for ID tokens.
	Nonce *string `json:"nonce,omitzero"`
}

// RefreshTokenRequest is the body of RefreshSession and Logout.
type RefreshTokenRequest struct {
	// The refresh token. If absent or null, the cookie is used.
	RefreshToken *string `json:"refresh_token,omitzero"`
}

// TokenType is part of other types.
type TokenType string

// The values of TokenType.
const (
	TokenTypeBearer TokenType = "Bearer"
)

// AuthMethod: One of `dev_email`, `email`, `phone_call`, `idp_web`, `idp_native`, `passkey`; values may be added.
type AuthMethod string

// The values of AuthMethod.
const (
	AuthMethodDevEmail  AuthMethod = "dev_email"
	AuthMethodEmail     AuthMethod = "email"
	AuthMethodPhoneCall AuthMethod = "phone_call"
	AuthMethodIDPWeb    AuthMethod = "idp_web"
	AuthMethodIDPNative AuthMethod = "idp_native"
	AuthMethodPasskey   AuthMethod = "passkey"
)

// AuthSession is the response of VerifyDevSignIn, VerifyEmailSignIn, VerifyPasskeySignIn and SignInWithIDPToken.
type AuthSession struct {
	CurrentUser CurrentUser `json:"current_user"`
	SessionID   string      `json:"session_id"`
	// Opaque token for the `Authorization` header.
	AccessToken          string    `json:"access_token"`
	AccessTokenExpiresAt time.Time `json:"access_token_expires_at"`
	TokenType            TokenType `json:"token_type"`
	// Opaque token for one refresh. Also set as the HttpOnly cookie.
	RefreshToken string `json:"refresh_token"`
	// When the refresh token expires unless it is rotated before.
	ExpiresAt time.Time `json:"expires_at"`
}

// RefreshSession is the response of RefreshSession.
type RefreshSession struct {
	SessionID            string    `json:"session_id"`
	AccessToken          string    `json:"access_token"`
	AccessTokenExpiresAt time.Time `json:"access_token_expires_at"`
	TokenType            TokenType `json:"token_type"`
	RefreshToken         string    `json:"refresh_token"`
	// When the refresh token expires unless it is rotated before.
	ExpiresAt time.Time `json:"expires_at"`
}

// AuthSessionsResponse is the response of ListSessions.
type AuthSessionsResponse struct {
	Items []AuthSessionItem `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// AuthSessionItem is part of other types.
type AuthSessionItem struct {
	SessionID string `json:"session_id"`
	// Whether this is the session of the request.
	IsCurrent  bool       `json:"is_current"`
	AuthMethod AuthMethod `json:"auth_method"`
	// User agent at sign-in.
	UserAgent *string `json:"user_agent"`
	// Derived from the user agent.
	DeviceName *string `json:"device_name"`
	// Last address, truncated to /24 (IPv4) or /48 (IPv6).
	IP         *string   `json:"ip"`
	CreatedAt  time.Time `json:"created_at"`
	LastUsedAt time.Time `json:"last_used_at"`
	ExpiresAt  time.Time `json:"expires_at"`
}

// CurrentUser is the response of GetMe and UpdateMyProfile.
type CurrentUser struct {
	User    CurrentUserAccount `json:"user"`
	Profile CurrentUserProfile `json:"profile"`
}

// CurrentUserAccount is part of other types.
type CurrentUserAccount struct {
	ID string `json:"id"`
	// Null for a phone-only account.
	Email *string `json:"email"`
	// In E.164 format.
	Phone *string `json:"phone"`
	// Whether the user may use the moderation queue.
	IsModerator bool      `json:"is_moderator"`
	CreatedAt   time.Time `json:"created_at"`
}

// CurrentUserProfile is part of other types.
type CurrentUserProfile struct {
	UserID      string   `json:"user_id"`
	DisplayName string   `json:"display_name"`
	Username    string   `json:"username"`
	AvatarURL   *string  `json:"avatar_url"`
	City        *string  `json:"city"`
	Interests   []string `json:"interests"`
	// See PublicProfile.
	NameChosen bool      `json:"name_chosen"`
	CreatedAt  time.Time `json:"created_at"`
	UpdatedAt  time.Time `json:"updated_at"`
}

// UpdateProfileRequest is the body of UpdateMyProfile.
type UpdateProfileRequest struct {
	// 1..80 graphemes, one line. Sets `name_chosen`, even if the name stays the same.
	DisplayName *string `json:"display_name,omitzero"`
	// Unique, 3..30 ASCII letters and digits, with single `.` or `_` between them. Converted to lower case before it is checked. Some
	// names are reserved. A taken name is 409 `username_taken`, as is an earlier name of another user for 90 days.
	Username *string `json:"username,omitzero"`
	// An https URL, or null for none. To upload a picture, use `PUT /me/avatar`.
	AvatarURL Nullable[string] `json:"avatar_url,omitzero"`
	// 1..120 graphemes, one line.
	City Nullable[string] `json:"city,omitzero"`
	// Up to 20, each 1..40 graphemes. Duplicates are removed, ignoring case.
	Interests []string `json:"interests,omitzero"`
}

// PublicProfile: The profile of a user, as other users see it. An author or organizer is null if their account is deleted, if they block
// the viewer, or if they are incognito.
type PublicProfile struct {
	UserID      string   `json:"user_id"`
	DisplayName string   `json:"display_name"`
	Username    string   `json:"username"`
	AvatarURL   *string  `json:"avatar_url"`
	City        *string  `json:"city"`
	Interests   []string `json:"interests"`
	// Whether the user has chosen the `display_name`. Otherwise it is a placeholder such as `User 1a2b`, or the name at the
	// identity provider; `GET /users/profiles` omits the user, and pages and messages say "Guest".
	NameChosen bool `json:"name_chosen"`
}

// AccountExport: All data of one user, grouped by the parts of the service.
type AccountExport map[string]any

// PublicProfilesResponse is the response of ListProfiles.
type PublicProfilesResponse struct {
	Items []PublicProfile `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// FollowStatus is the response of GetFollow, FollowUser and UnfollowUser.
type FollowStatus struct {
	// The other user.
	UserID string `json:"user_id"`
	// Whether the current user follows the other.
	Following bool `json:"following"`
	// Whether the other follows the current user.
	FollowedBy bool `json:"followed_by"`
	// When the current user followed the other.
	FollowedAt *time.Time `json:"followed_at"`
	// Number of followers of the other user.
	FollowerCount int `json:"follower_count"`
	// Number of users whom the other user follows.
	FollowingCount int `json:"following_count"`
}

// UserBlockStatus is the response of GetBlock.
type UserBlockStatus struct {
	// The other user.
	UserID string `json:"user_id"`
	// Whether the current user blocks the other.
	Blocked   bool       `json:"blocked"`
	BlockedAt *time.Time `json:"blocked_at"`
}

// UserBlock is the response of BlockUser.
type UserBlock struct {
	ID            string    `json:"id"`
	BlockerUserID string    `json:"blocker_user_id"`
	BlockedUserID string    `json:"blocked_user_id"`
	CreatedAt     time.Time `json:"created_at"`
}

// EventStatus: A published event is `completed` once its end has passed. Without `ends_at`, it ends three hours after its start. One of
// `draft`, `published`, `canceled`, `completed`; values may be added.
type EventStatus string

// The values of EventStatus.
const (
	EventStatusDraft     EventStatus = "draft"
	EventStatusPublished EventStatus = "published"
	EventStatusCanceled  EventStatus = "canceled"
	EventStatusCompleted EventStatus = "completed"
)

// EventVisibility: `public`: anyone with its link; `private`: invited users; `members`: the members of its group.
type EventVisibility string

// The values of EventVisibility.
const (
	EventVisibilityPublic  EventVisibility = "public"
	EventVisibilityPrivate EventVisibility = "private"
	EventVisibilityMembers EventVisibility = "members"
)

// EventDateMode is part of other types.
type EventDateMode string

// The values of EventDateMode.
const (
	EventDateModeFixed EventDateMode = "fixed"
	EventDateModeVote  EventDateMode = "vote"
)

// EventPrice is part of other types.
type EventPrice string

// The values of EventPrice.
const (
	EventPriceFree EventPrice = "free"
	EventPricePaid EventPrice = "paid"
)

// PriceFilter is part of other types.
type PriceFilter string

// The values of PriceFilter.
const (
	PriceFilterAny  PriceFilter = "any"
	PriceFilterFree PriceFilter = "free"
	PriceFilterPaid PriceFilter = "paid"
)

// ParticipationStatus: `going`; `left`; `removed` by the organizer; `requested`: the organizer has not decided; `declined`: the organizer has declined the
// request; `waiting` or `offered`: the approved user is in the waiting list, or has an offer; values may be added.
type ParticipationStatus string

// The values of ParticipationStatus.
const (
	ParticipationStatusGoing     ParticipationStatus = "going"
	ParticipationStatusLeft      ParticipationStatus = "left"
	ParticipationStatusRemoved   ParticipationStatus = "removed"
	ParticipationStatusRequested ParticipationStatus = "requested"
	ParticipationStatusDeclined  ParticipationStatus = "declined"
	ParticipationStatusWaiting   ParticipationStatus = "waiting"
	ParticipationStatusOffered   ParticipationStatus = "offered"
)

// ParticipationVisibility: `incognito` attendance is visible only to the participant and the organizer.
type ParticipationVisibility string

// The values of ParticipationVisibility.
const (
	ParticipationVisibilityPublic    ParticipationVisibility = "public"
	ParticipationVisibilityIncognito ParticipationVisibility = "incognito"
)

// InvitationStatus: One of `pending`, `accepted`, `declined`, `tentative`; values may be added.
type InvitationStatus string

// The values of InvitationStatus.
const (
	InvitationStatusPending   InvitationStatus = "pending"
	InvitationStatusAccepted  InvitationStatus = "accepted"
	InvitationStatusDeclined  InvitationStatus = "declined"
	InvitationStatusTentative InvitationStatus = "tentative"
)

// FeedReason: Why this viewer sees the event. One of `followed_organizer`, `followed_going`, `interest_match`, `city_match`, `near_you`,
// `followed_repost`; values may be added.
type FeedReason string

// The values of FeedReason.
const (
	FeedReasonFollowedOrganizer FeedReason = "followed_organizer"
	FeedReasonFollowedGoing     FeedReason = "followed_going"
	FeedReasonInterestMatch     FeedReason = "interest_match"
	FeedReasonCityMatch         FeedReason = "city_match"
	FeedReasonNearYou           FeedReason = "near_you"
	FeedReasonFollowedRepost    FeedReason = "followed_repost"
)

// EventListResponse is the response of ListEvents.
type EventListResponse struct {
	Items []EventCard `json:"items"`
	// Cursor of the next page, or null on the last page. Do not parse it.
	NextCursor *string `json:"next_cursor"`
}

// MyEventsRole is part of other types.
type MyEventsRole string

// The values of MyEventsRole.
const (
	MyEventsRoleGoing   MyEventsRole = "going"
	MyEventsRoleHosting MyEventsRole = "hosting"
	MyEventsRoleDraft   MyEventsRole = "draft"
	MyEventsRoleInvited MyEventsRole = "invited"
	MyEventsRoleWaiting MyEventsRole = "waiting"
	MyEventsRolePast    MyEventsRole = "past"
)

// Place is part of other types.
type Place struct {
	// `city`: a city, town or village. There may be other kinds.
	Kind string `json:"kind"`
	// Usual name.
	Name string `json:"name"`
	// ISO 3166-1 code of the country, two letters.
	Country string `json:"country"`
	// Latitude of the centre.
	Lat float64 `json:"lat"`
	// Longitude of the centre.
	Lng float64 `json:"lng"`
	// IANA name of the time zone.
	Timezone string `json:"timezone"`
}

// PlaceListResponse is the response of ListPlaces.
type PlaceListResponse struct {
	Items []Place `json:"items"`
}

// AddressListResponse is the response of ListAddresses.
type AddressListResponse struct {
	Items []Address `json:"items"`
	// The source of the addresses, which must be shown beside them.
	Attribution string `json:"attribution"`
}

// Address is part of other types.
type Address struct {
	Kind string `json:"kind"`
	// All of the address in one line.
	Name string `json:"name"`
	// Street and number, or the name of the place; null for a city.
	Line *string `json:"line"`
	City *string `json:"city"`
	// ISO 3166-1 code of two letters.
	Country *string `json:"country"`
	Lat     float64 `json:"lat"`
	Lng     float64 `json:"lng"`
	// IANA time zone.
	Timezone string `json:"timezone"`
}

// MyEventsResponse is the response of ListGroupEvents, ListSeriesEvents and ListMyEvents.
type MyEventsResponse struct {
	Items []EventCard `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// EventCard is part of other types.
type EventCard struct {
	Event     EventCore      `json:"event"`
	Location  EventLocation  `json:"location"`
	Organizer *PublicProfile `json:"organizer"`
	// Number of people going, incognito and companions included.
	ParticipantCount int `json:"participant_count"`
	// How many more people can go. Absent without a capacity.
	SeatsLeft   *int        `json:"seats_left,omitzero"`
	FeedContext FeedContext `json:"feed_context"`
	// The group of the event. Absent without one, and if the viewer does not see it.
	Group *GroupReference `json:"group,omitzero"`
}

// EventCore is part of other types.
type EventCore struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Provisional while `date_mode` is `vote`.
	StartsAt time.Time  `json:"starts_at"`
	EndsAt   *time.Time `json:"ends_at"`
	// IANA time zone of the place, for display.
	Timezone string  `json:"timezone"`
	ImageURL *string `json:"image_url"`
	// Describes the image to users who cannot see it. Absent without a text.
	ImageAlt *string     `json:"image_alt,omitzero"`
	Status   EventStatus `json:"status"`
	Category *string     `json:"category"`
	Price    EventPrice  `json:"price"`
	// In minor units, or null if free.
	PriceAmount *int `json:"price_amount"`
	// ISO 4217, or null if free.
	PriceCurrency *string         `json:"price_currency"`
	Visibility    EventVisibility `json:"visibility"`
	DateMode      EventDateMode   `json:"date_mode"`
	OrganizerID   string          `json:"organizer_id"`
	// Host of the calendar that the event comes from. Absent for other events. Hosts cannot change such an event, and nobody joins it
	// here (403 `event_external`).
	SourceHost *string `json:"source_host,omitzero"`
	// Page of the event at another service, where people join it. Absent without `source_host`, and if it is unknown.
	ExternalURL *string `json:"external_url,omitzero"`
	// Address of the page of the event, for people. It changes with the title, and the earlier ones still lead to the page.
	ShareURL string `json:"share_url"`
}

// EventLocation is part of other types.
type EventLocation struct {
	City *string `json:"city"`
	// Null if `lng` is null.
	Lat *float64 `json:"lat"`
	// Null if `lat` is null.
	Lng *float64 `json:"lng"`
}

// FeedContext is part of other types.
type FeedContext struct {
	// Whether the viewer is going; false for an anonymous viewer.
	ViewerGoing bool `json:"viewer_going"`
	// Empty for an anonymous viewer.
	Reasons []FeedReason `json:"reasons"`
	// Distance from `lat` and `lng` of the request, if it has them.
	DistanceKm *float64 `json:"distance_km,omitzero"`
}

// EventDetails is the response of CreateEvent, GetEventByCode, GetEvent, UpdateEvent, PublishEvent, CancelEvent and CloneEvent.
type EventDetails struct {
	Event     EventDetailsCore     `json:"event"`
	Location  EventDetailsLocation `json:"location"`
	Organizer *PublicProfile       `json:"organizer"`
	// Number of people going, incognito and companions included.
	ParticipantCount int `json:"participant_count"`
	// How many more people can go. Absent without a capacity.
	SeatsLeft   *int        `json:"seats_left,omitzero"`
	FeedContext FeedContext `json:"feed_context"`
	// Null if the viewer never joined.
	ViewerParticipationStatus *ParticipationStatus `json:"viewer_participation_status"`
	// Null if the viewer never joined.
	ViewerParticipationVisibility *ParticipationVisibility `json:"viewer_participation_visibility"`
	// Null if the viewer is not invited.
	ViewerInvitationStatus *InvitationStatus `json:"viewer_invitation_status"`
	ViewerIsOrganizer      bool              `json:"viewer_is_organizer"`
	// Whether the event is published, public, not full and not ended, and the viewer is not going.
	ViewerCanJoin bool        `json:"viewer_can_join"`
	SocialProof   SocialProof `json:"social_proof"`
	// How many people come with the viewer's participation, the viewer included. Null unless the viewer is going.
	ViewerPartySize *int `json:"viewer_party_size"`
	// Number of entries that wait.
	WaitlistCount int `json:"waitlist_count"`
	// The viewer's entry in the waiting list. Null unless it is `waiting` or `offered`.
	ViewerWaitlist *WaitlistEntry `json:"viewer_waitlist"`
	// Whether the viewer may enter the waiting list, with a party that does not fit into the free seats.
	ViewerCanWait bool `json:"viewer_can_wait"`
	// The first hosts beside the organizer, the oldest first. Users in a block with the viewer are omitted.
	Hosts []PublicProfile `json:"hosts"`
	// Number of hosts beside the organizer.
	HostCount int `json:"host_count"`
	// Null for everybody who neither hosts the event nor is asked to.
	ViewerRole *ViewerRole `json:"viewer_role"`
	// Whether the event asks its guests something, see `listQuestions`.
	HasQuestions bool `json:"has_questions"`
	// The group of the event. Null without one, and if the viewer does not see it.
	Group *GroupReference `json:"group"`
}

// GroupReference is part of other types.
type GroupReference struct {
	ID   string `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
}

// HostRole: `owner` is the organizer, `host` shares its work; values may be added.
type HostRole string

// The values of HostRole.
const (
	HostRoleOwner HostRole = "owner"
	HostRoleHost  HostRole = "host"
)

// ViewerRole: `owner` is the organizer, `host` shares its work, `pending_host` is asked to; values may be added.
type ViewerRole string

// The values of ViewerRole.
const (
	ViewerRoleOwner       ViewerRole = "owner"
	ViewerRoleHost        ViewerRole = "host"
	ViewerRolePendingHost ViewerRole = "pending_host"
)

// HostStatus: `pending` until the user answers, then `active`; values may be added.
type HostStatus string

// The values of HostStatus.
const (
	HostStatusPending HostStatus = "pending"
	HostStatusActive  HostStatus = "active"
)

// EventHost is the response of InviteHost and UpdateHost.
type EventHost struct {
	UserID string `json:"user_id"`
	// Null if the account is deleted.
	Profile *PublicProfile `json:"profile"`
	Role    HostRole       `json:"role"`
	Status  HostStatus     `json:"status"`
	// When the user was asked; of the organizer, when the event was created.
	CreatedAt time.Time `json:"created_at"`
}

// EventHostsResponse is the response of ListHosts and TransferEvent.
type EventHostsResponse struct {
	Items []EventHost `json:"items"`
	// Always null.
	NextCursor *string `json:"next_cursor"`
}

// InviteHostRequest is the body of InviteHost.
type InviteHostRequest struct {
	// The user who is asked.
	UserID string `json:"user_id"`
	// `host` by default.
	Role *string `json:"role,omitzero"`
}

// UpdateHostRequest is the body of UpdateHost.
type UpdateHostRequest struct {
	Status string `json:"status"`
}

// TransferEventRequest is the body of TransferEvent.
type TransferEventRequest struct {
	// The host who becomes the organizer.
	UserID string `json:"user_id"`
}

// EventDetailsCore is part of other types.
type EventDetailsCore struct {
	ID string `json:"id"`
	// Empty in a draft that has none yet.
	Title string `json:"title"`
	// Plain text.
	Description *string `json:"description"`
	// Provisional while `date_mode` is `vote`.
	StartsAt time.Time  `json:"starts_at"`
	EndsAt   *time.Time `json:"ends_at"`
	// IANA time zone of the place, for display.
	Timezone string  `json:"timezone"`
	ImageURL *string `json:"image_url"`
	// Describes the image to users who cannot see it. Absent without a text.
	ImageAlt *string `json:"image_alt,omitzero"`
	// Width of an uploaded image by its height. Absent for other images.
	ImageAspect *float64    `json:"image_aspect,omitzero"`
	Status      EventStatus `json:"status"`
	Category    *string     `json:"category"`
	Price       EventPrice  `json:"price"`
	// In minor units, or null if free.
	PriceAmount *int `json:"price_amount"`
	// ISO 4217, or null if free.
	PriceCurrency *string         `json:"price_currency"`
	Visibility    EventVisibility `json:"visibility"`
	DateMode      EventDateMode   `json:"date_mode"`
	OrganizerID   string          `json:"organizer_id"`
	// Maximum number of people going, or null for no limit.
	Capacity             *int    `json:"capacity"`
	SelectedDateOptionID *string `json:"selected_date_option_id"`
	// Shown to the organizer, users going and invitees who accepted. Null for everyone else.
	ConferenceURL *string `json:"conference_url"`
	// Colors of the event's page, one of those of `CreateEventRequest`. Absent without a theme; values may be added.
	Theme       *string    `json:"theme,omitzero"`
	CreatedAt   time.Time  `json:"created_at"`
	UpdatedAt   time.Time  `json:"updated_at"`
	PublishedAt *time.Time `json:"published_at"`
	CanceledAt  *time.Time `json:"canceled_at"`
	CompletedAt *time.Time `json:"completed_at"`
	// Host of the calendar that the event comes from. Absent for other events. Hosts cannot change such an event, and nobody joins it
	// here (403 `event_external`).
	SourceHost *string `json:"source_host,omitzero"`
	// Page of the event at another service, where people join it. Absent without `source_host`, and if it is unknown.
	ExternalURL *string `json:"external_url,omitzero"`
	// Address of the page of the event, for people. It changes with the title, and the earlier ones still lead to the page.
	ShareURL string `json:"share_url"`
	// How many people may come with one participation.
	MaxPartySize int           `json:"max_party_size"`
	Waitlist     EventWaitlist `json:"waitlist"`
	// How long seats are offered.
	WaitlistOfferMinutes int             `json:"waitlist_offer_minutes"`
	JoinPolicy           EventJoinPolicy `json:"join_policy"`
	// The series that the event is a date of. Absent for other events.
	SeriesID *string `json:"series_id,omitzero"`
	// The date by the rule of the series, also after a move.
	OccurrenceAt *LocalDateTime `json:"occurrence_at,omitzero"`
	// Present in a series. The event was changed by hand.
	SeriesDetached *bool `json:"series_detached,omitzero"`
}

// EventDetailsLocation is part of other types.
type EventDetailsLocation struct {
	City *string `json:"city"`
	// The place as text.
	LocationText *string `json:"location_text"`
	// Null if `lng` is null.
	Lat *float64 `json:"lat"`
	// Null if `lat` is null.
	Lng *float64 `json:"lng"`
}

// SocialProof is part of other types.
type SocialProof struct {
	// Number of users going publicly whom the viewer follows.
	FollowedGoingCount int             `json:"followed_going_count"`
	FollowedGoing      []PublicProfile `json:"followed_going"`
	// Some of the users going, without incognito participants and without users in a block with the viewer.
	ParticipantsPreview []PublicProfile `json:"participants_preview"`
	// Number of users going incognito. Only hosts see it.
	IncognitoCount *int     `json:"incognito_count,omitzero"`
	AverageRating  *float64 `json:"average_rating"`
	ReviewCount    int      `json:"review_count"`
}

// EventMapResponse is the response of MapEvents.
type EventMapResponse struct {
	Items []EventMapItem `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
	// Whether the box has, or may have, more events than the response.
	Truncated bool `json:"truncated"`
	// Number of events in each area of the box, not only of the events in `items`. Areas without events are omitted. Absent
	// without `zoom`.
	Clusters []EventMapCluster `json:"clusters,omitzero"`
}

// EventMapItem is part of other types.
type EventMapItem struct {
	Event            EventMapCore     `json:"event"`
	Location         EventMapLocation `json:"location"`
	ParticipantCount int              `json:"participant_count"`
	FeedContext      EventMapContext  `json:"feed_context"`
}

// EventMapCore is part of other types.
type EventMapCore struct {
	ID       string    `json:"id"`
	Title    string    `json:"title"`
	StartsAt time.Time `json:"starts_at"`
	// IANA time zone of the place, for display.
	Timezone string      `json:"timezone"`
	Status   EventStatus `json:"status"`
	Category *string     `json:"category"`
	Price    EventPrice  `json:"price"`
	ImageURL *string     `json:"image_url"`
	// Describes the image. Absent without a text.
	ImageAlt *string `json:"image_alt,omitzero"`
	// Address of the page of the event, for people.
	ShareURL string `json:"share_url"`
}

// EventMapLocation is part of other types.
type EventMapLocation struct {
	City *string `json:"city"`
	Lat  float64 `json:"lat"`
	Lng  float64 `json:"lng"`
}

// EventMapContext is part of other types.
type EventMapContext struct {
	ViewerGoing bool `json:"viewer_going"`
}

// EventMapCluster: Events of one area. `lat` and `lng` are the centre of the counted events.
type EventMapCluster struct {
	Lat float64 `json:"lat"`
	Lng float64 `json:"lng"`
	// Number of matching events. Exact if the area has at most 500 events from `starts_from` on, and at most 100 of them in the box; otherwise a minimum.
	Count int `json:"count"`
	// `[min_lng, min_lat, max_lng, max_lat]` around all events of the area. If `min_lng` is greater than `max_lng`, the area crosses
	// the 180th meridian. Neighbouring areas may overlap.
	Bbox []float64 `json:"bbox"`
}

// CreateEventRequest: A flat object, although the response is nested. `status` and `organizer_id` in the body are ignored, like every unknown field.
type CreateEventRequest struct {
	// 1..120 graphemes, one line. Required, unless `untitled`.
	Title *string `json:"title,omitzero"`
	// True for a draft that gets its title later: it cannot be published before, takes no invitations, and is canceled and
	// emptied 7 days after its last change. Ignored if there is a `title`.
	Untitled *bool `json:"untitled,omitzero"`
	// Rounded down to whole seconds.
	StartsAt time.Time `json:"starts_at"`
	// At most 31 days after `starts_at`. Without it, the event counts as three hours long.
	EndsAt *time.Time `json:"ends_at,omitzero"`
	// IANA zone such as `Europe/Berlin`. Fixed offsets are 400. By default the zone at `lat` and `lng`, otherwise that of the service.
	Timezone *string `json:"timezone,omitzero"`
	// Plain text, up to 10000 graphemes.
	Description *string `json:"description,omitzero"`
	// 1..80 graphemes, one line.
	Category *string `json:"category,omitzero"`
	// `public` by default.
	Visibility *EventVisibility `json:"visibility,omitzero"`
	// `fixed` by default.
	DateMode *EventDateMode `json:"date_mode,omitzero"`
	// `free` by default.
	Price *EventPrice `json:"price,omitzero"`
	// In minor units. Required if `paid`; absent or null if `free`.
	PriceAmount *int `json:"price_amount,omitzero"`
	// ISO 4217, one of those that the service accepts. Required if `paid`; absent or null if `free`.
	PriceCurrency *string `json:"price_currency,omitzero"`
	// Maximum number of people going, or null for no limit.
	Capacity *int `json:"capacity,omitzero"`
	// 1..200 graphemes, one line.
	City *string `json:"city,omitzero"`
	// The place as text, 1..300 graphemes.
	LocationText *string `json:"location_text,omitzero"`
	// Send with `lng` or not at all.
	Lat *float64 `json:"lat,omitzero"`
	// Send with `lat` or not at all.
	Lng *float64 `json:"lng,omitzero"`
	// An https URL. To upload a picture, use `PUT /events/{event_id}/cover`.
	ImageURL *string `json:"image_url,omitzero"`
	// Describes the image to users who cannot see it. 1..300 graphemes, one line.
	ImageAlt *string `json:"image_alt,omitzero"`
	// An https URL.
	ConferenceURL *string `json:"conference_url,omitzero"`
	// Colors of the event's page: one of `cherry`, `coral`, `amber`, `honey`, `meadow`, `mint`, `teal`, `sky`, `blue`,
	// `violet`, `orchid`, `rose`.
	Theme *string `json:"theme,omitzero"`
	// How many people may come with one participation, the user included. 1 by default, and if `paid`.
	MaxPartySize *int `json:"max_party_size,omitzero"`
	// `off` by default.
	Waitlist *EventWaitlist `json:"waitlist,omitzero"`
	// How long seats are offered to an entry of the waiting list. Nights do not count. 720 by default.
	WaitlistOfferMinutes *int `json:"waitlist_offer_minutes,omitzero"`
	// `open` by default.
	JoinPolicy *EventJoinPolicy `json:"join_policy,omitzero"`
	// The group of the event. The current user must be its owner or a host (403 `not_organizer`). It can only be set in a draft, and
	// later only be cleared. The owner and the hosts of the group host the event, too. `members` events need one;
	// in a private group, an event cannot be `public`.
	GroupID *string `json:"group_id,omitzero"`
}

// UpdateEventRequest: Fields to change. `visibility` may change only in a draft. The three price fields may not change once a payment has
// started. `capacity` may not fall below the number of people going. `date_mode` is not accepted (400): use
// `PATCH /events/{event_id}/date-mode`.
type UpdateEventRequest struct {
	// 1..120 graphemes, one line.
	Title *string `json:"title,omitzero"`
	// Rounded down to whole seconds.
	StartsAt *time.Time `json:"starts_at,omitzero"`
	// At most 31 days after `starts_at`.
	EndsAt Nullable[time.Time] `json:"ends_at,omitzero"`
	// IANA zone. Fixed offsets are 400.
	Timezone *string `json:"timezone,omitzero"`
	// Plain text, up to 10000 graphemes.
	Description Nullable[string] `json:"description,omitzero"`
	// 1..80 graphemes, one line.
	Category   Nullable[string] `json:"category,omitzero"`
	Visibility *EventVisibility `json:"visibility,omitzero"`
	Price      *EventPrice      `json:"price,omitzero"`
	// In minor units.
	PriceAmount Nullable[int] `json:"price_amount,omitzero"`
	// ISO 4217.
	PriceCurrency Nullable[string] `json:"price_currency,omitzero"`
	Capacity      Nullable[int]    `json:"capacity,omitzero"`
	// 1..200 graphemes, one line.
	City Nullable[string] `json:"city,omitzero"`
	// 1..300 graphemes.
	LocationText Nullable[string]  `json:"location_text,omitzero"`
	Lat          Nullable[float64] `json:"lat,omitzero"`
	Lng          Nullable[float64] `json:"lng,omitzero"`
	ImageURL     Nullable[string]  `json:"image_url,omitzero"`
	// 1..300 graphemes, one line.
	ImageAlt      Nullable[string] `json:"image_alt,omitzero"`
	ConferenceURL Nullable[string] `json:"conference_url,omitzero"`
	// One of those of `CreateEventRequest`.
	Theme Nullable[string] `json:"theme,omitzero"`
	// Larger parties that are going already stay.
	MaxPartySize *int `json:"max_party_size,omitzero"`
	// `off` closes the list; open offers stay.
	Waitlist *EventWaitlist `json:"waitlist,omitzero"`
	// Of later offers.
	WaitlistOfferMinutes *int `json:"waitlist_offer_minutes,omitzero"`
	// `open` leaves the requests to the organizer.
	JoinPolicy *EventJoinPolicy `json:"join_policy,omitzero"`
	// The group of the event. The current user must be its owner or a host (403 `not_organizer`). It can only be set in a draft, and
	// later only be cleared. The owner and the hosts of the group host the event, too. `members` events need one;
	// in a private group, an event cannot be `public`.
	GroupID Nullable[string] `json:"group_id,omitzero"`
}

// CancelEventRequest is the body of CancelEvent.
type CancelEventRequest struct {
	// To the guests, up to 500 graphemes of plain text.
	Message *string `json:"message,omitzero"`
}

// EventCover is the response of SetEventCover.
type EventCover struct {
	EventID string        `json:"event_id"`
	Image   UploadedImage `json:"image"`
}

// Avatar is the response of SetAvatar.
type Avatar struct {
	UserID string        `json:"user_id"`
	Image  UploadedImage `json:"image"`
}

// UploadedImage is part of other types.
type UploadedImage struct {
	ID string `json:"id"`
	// The new `image_url`, of medium width, or `avatar_url`, of the smallest.
	URL string `json:"url"`
	// Of the largest variant.
	Width int `json:"width"`
	// Of the largest variant.
	Height int `json:"height"`
	// The most frequent color, to show until the image is loaded.
	Color string `json:"color"`
	// The same picture by width, the smallest first. Small pictures are not enlarged.
	Variants []ImageVariant `json:"variants"`
}

// ImageVariant is part of other types.
type ImageVariant struct {
	Width  int    `json:"width"`
	Height int    `json:"height"`
	URL    string `json:"url"`
}

// JoinEventRequest is the body of JoinEvent.
type JoinEventRequest struct {
	// If absent, `public` on the first join and unchanged on a repeated one.
	ParticipationVisibility *ParticipationVisibility `json:"participation_visibility,omitzero"`
	// If absent, 1 on the first join and unchanged on a repeated one.
	PartySize *PartySize `json:"party_size,omitzero"`
	// To the questions of the event; they replace earlier answers until the start. If absent, earlier answers stay, and a required
	// question without one is 403 `answers_required`.
	Answers []Answer `json:"answers,omitzero"`
}

// LocalDateTime: Date and time on a clock of the place, without an offset.
type LocalDateTime string

// GroupVisibility: `public`: all viewers see the group; `private`: only its members and invited users see it; values may be added.
type GroupVisibility string

// The values of GroupVisibility.
const (
	GroupVisibilityPublic  GroupVisibility = "public"
	GroupVisibilityPrivate GroupVisibility = "private"
)

// GroupJoinPolicy: `open`: all viewers may join; `approval`: a host approves; `invitation`: only invited users join; values may be added.
type GroupJoinPolicy string

// The values of GroupJoinPolicy.
const (
	GroupJoinPolicyOpen       GroupJoinPolicy = "open"
	GroupJoinPolicyApproval   GroupJoinPolicy = "approval"
	GroupJoinPolicyInvitation GroupJoinPolicy = "invitation"
)

// GroupMemberList: Who may list the members: all viewers (`public`), its `members`, or its owner and `hosts`; values may be added.
type GroupMemberList string

// The values of GroupMemberList.
const (
	GroupMemberListPublic  GroupMemberList = "public"
	GroupMemberListMembers GroupMemberList = "members"
	GroupMemberListHosts   GroupMemberList = "hosts"
)

// GroupRole: `owner`, `host` or `member`; values may be added.
type GroupRole string

// The values of GroupRole.
const (
	GroupRoleOwner  GroupRole = "owner"
	GroupRoleHost   GroupRole = "host"
	GroupRoleMember GroupRole = "member"
)

// GroupMemberStatus: `invited`, `requested`, `active` or `banned`; values may be added.
type GroupMemberStatus string

// The values of GroupMemberStatus.
const (
	GroupMemberStatusInvited   GroupMemberStatus = "invited"
	GroupMemberStatusRequested GroupMemberStatus = "requested"
	GroupMemberStatusActive    GroupMemberStatus = "active"
	GroupMemberStatusBanned    GroupMemberStatus = "banned"
)

// GroupMemberVisibility: `public`, or `incognito`: such members appear in no list and only count; values may be added.
type GroupMemberVisibility string

// The values of GroupMemberVisibility.
const (
	GroupMemberVisibilityPublic    GroupMemberVisibility = "public"
	GroupMemberVisibilityIncognito GroupMemberVisibility = "incognito"
)

// CreateGroupRequest is the body of CreateGroup.
type CreateGroupRequest struct {
	// 1..80 graphemes, one line.
	Name string `json:"name"`
	// Plain text, up to 5000 graphemes.
	Description *string `json:"description,omitzero"`
	// 1..200 graphemes, one line.
	City *string `json:"city,omitzero"`
	// Send with `lng` or not at all.
	Lat *float64 `json:"lat,omitzero"`
	// Send with `lat` or not at all.
	Lng *float64 `json:"lng,omitzero"`
	// `public` by default.
	Visibility *GroupVisibility `json:"visibility,omitzero"`
	// `open` by default.
	JoinPolicy *GroupJoinPolicy `json:"join_policy,omitzero"`
	// `members` by default.
	MemberList *GroupMemberList `json:"member_list,omitzero"`
}

// UpdateGroupRequest: Absent fields stay as they are; null clears a field.
type UpdateGroupRequest struct {
	// 1..80 graphemes, one line.
	Name *string `json:"name,omitzero"`
	Slug *string `json:"slug,omitzero"`
	// Plain text, up to 5000 graphemes.
	Description Nullable[string] `json:"description,omitzero"`
	// 1..200 graphemes, one line.
	City Nullable[string] `json:"city,omitzero"`
	// Send with `lng` or not at all.
	Lat Nullable[float64] `json:"lat,omitzero"`
	// Send with `lat` or not at all.
	Lng        Nullable[float64] `json:"lng,omitzero"`
	Visibility *GroupVisibility  `json:"visibility,omitzero"`
	JoinPolicy *GroupJoinPolicy  `json:"join_policy,omitzero"`
	MemberList *GroupMemberList  `json:"member_list,omitzero"`
}

// Group is the response of CreateGroup, GetGroup, UpdateGroup and TransferGroup.
type Group struct {
	ID   string `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
	// Plain text.
	Description *string `json:"description"`
	City        *string `json:"city"`
	// Null if `lng` is null.
	Lat *float64 `json:"lat"`
	// Null if `lat` is null.
	Lng        *float64        `json:"lng"`
	ImageURL   *string         `json:"image_url"`
	Visibility GroupVisibility `json:"visibility"`
	JoinPolicy GroupJoinPolicy `json:"join_policy"`
	MemberList GroupMemberList `json:"member_list"`
	// Number of active members, the owner, hosts and incognito members included.
	MemberCount int `json:"member_count"`
	// Null while the owner is suspended.
	Owner *PublicProfile `json:"owner"`
	// The hosts beside the owner, the oldest first. Users in a block with the viewer are omitted. Empty in lists.
	Hosts []PublicProfile `json:"hosts"`
	// Address of the page of the group.
	ShareURL  string    `json:"share_url"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// Present while moderators have suspended the group.
	SuspendedAt *time.Time `json:"suspended_at,omitzero"`
	// Null unless the viewer is an active member.
	ViewerRole *GroupRole `json:"viewer_role"`
	// Null if the viewer has no membership.
	ViewerStatus *GroupMemberStatus `json:"viewer_status"`
	// Null if the viewer has no membership.
	ViewerVisibility *GroupMemberVisibility `json:"viewer_visibility"`
}

// GroupsResponse is the response of ListGroups and ListMyGroups.
type GroupsResponse struct {
	Items []Group `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// GroupImage is the response of SetGroupImage.
type GroupImage struct {
	GroupID string        `json:"group_id"`
	Image   UploadedImage `json:"image"`
}

// GroupMember is the response of JoinGroup, UpdateGroupMember and InviteToGroup.
type GroupMember struct {
	UserID string `json:"user_id"`
	// Null while the account is suspended.
	Profile    *PublicProfile        `json:"profile"`
	Role       GroupRole             `json:"role"`
	Status     GroupMemberStatus     `json:"status"`
	Visibility GroupMemberVisibility `json:"visibility"`
	// When the status began.
	Since time.Time `json:"since"`
}

// GroupMembersResponse is the response of ListGroupMembers.
type GroupMembersResponse struct {
	Items []GroupMember `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// JoinGroupRequest is the body of JoinGroup.
type JoinGroupRequest struct {
	// If absent, `public` at first and unchanged later.
	Visibility *GroupMemberVisibility `json:"visibility,omitzero"`
}

// UpdateGroupMemberRequest is the body of UpdateGroupMember.
type UpdateGroupMemberRequest struct {
	Role   *string `json:"role,omitzero"`
	Status *string `json:"status,omitzero"`
}

// InviteToGroupRequest is the body of InviteToGroup.
type InviteToGroupRequest struct {
	// The user who is invited.
	UserID string `json:"user_id"`
}

// AnnounceToGroupRequest is the body of AnnounceToGroup.
type AnnounceToGroupRequest struct {
	// Plain text, 1..2000 graphemes.
	Body string `json:"body"`
}

// GroupAnnouncement is the response of AnnounceToGroup.
type GroupAnnouncement struct {
	ID       string `json:"id"`
	GroupID  string `json:"group_id"`
	AuthorID string `json:"author_id"`
	// Null while the author is suspended. Only in lists.
	Author    *PublicProfile `json:"author,omitzero"`
	Body      string         `json:"body"`
	CreatedAt time.Time      `json:"created_at"`
}

// GroupAnnouncementsResponse is the response of ListGroupAnnouncements.
type GroupAnnouncementsResponse struct {
	Items []GroupAnnouncement `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// AddGroupSourceRequest is the body of AddGroupSource.
type AddGroupSourceRequest struct {
	// Address of the calendar: https, or webcal.
	URL string `json:"url"`
}

// GroupSource is the response of AddGroupSource.
type GroupSource struct {
	ID  string `json:"id"`
	URL string `json:"url"`
	// Host of the address.
	Host      string            `json:"host"`
	Status    GroupSourceStatus `json:"status"`
	LastError *GroupSourceError `json:"last_error"`
	// When the calendar was last read without an error.
	LastReadAt *time.Time `json:"last_read_at"`
	// The earliest time of the next attempt.
	NextReadAt time.Time `json:"next_read_at"`
	// Number of coming events of the calendar.
	EventCount int       `json:"event_count"`
	CreatedAt  time.Time `json:"created_at"`
}

// GroupSourceStatus: `waiting` until the first read, `failing` after an attempt that changed nothing, `resting` while the owner of the group may not
// publish. One of `waiting`, `ok`, `failing`, `resting`; values may be added.
type GroupSourceStatus string

// The values of GroupSourceStatus.
const (
	GroupSourceStatusWaiting GroupSourceStatus = "waiting"
	GroupSourceStatusOk      GroupSourceStatus = "ok"
	GroupSourceStatusFailing GroupSourceStatus = "failing"
	GroupSourceStatusResting GroupSourceStatus = "resting"
)

// GroupSourceError: Why the last attempt changed nothing, or not all; values may be added.
//
//	| Value | Meaning |
//	| `unreachable` | No server answers at this address. |
//	| `timeout` | The server did not send the calendar within 10 seconds. |
//	| `status` | The server did not answer with status 200. |
//	| `redirect` | The server redirects more than 3 times, or to an address that is not public. |
//	| `compressed` | The server sends only compressed content. |
//	| `too_large` | The calendar has more than 2 MiB, or more than 10000 events. |
//	| `not_calendar` | The content is not a complete iCalendar file. |
//	| `empty` | The calendar has lost all its events. |
//	| `event_limit` | The calendar has more events than are published: 500 at a time, and 500 new ones a day. |
//	| `owner_unverified` | The owner of the group has neither a verified e-mail address nor a phone. |
//	| `owner_suspended` | The owner of the group is suspended. |
//	| `group_suspended` | The group is suspended. |
type GroupSourceError string

// The values of GroupSourceError.
const (
	GroupSourceErrorUnreachable     GroupSourceError = "unreachable"
	GroupSourceErrorTimeout         GroupSourceError = "timeout"
	GroupSourceErrorStatus          GroupSourceError = "status"
	GroupSourceErrorRedirect        GroupSourceError = "redirect"
	GroupSourceErrorCompressed      GroupSourceError = "compressed"
	GroupSourceErrorTooLarge        GroupSourceError = "too_large"
	GroupSourceErrorNotCalendar     GroupSourceError = "not_calendar"
	GroupSourceErrorEmpty           GroupSourceError = "empty"
	GroupSourceErrorEventLimit      GroupSourceError = "event_limit"
	GroupSourceErrorOwnerUnverified GroupSourceError = "owner_unverified"
	GroupSourceErrorOwnerSuspended  GroupSourceError = "owner_suspended"
	GroupSourceErrorGroupSuspended  GroupSourceError = "group_suspended"
)

// GroupSourcesResponse is the response of ListGroupSources.
type GroupSourcesResponse struct {
	Items []GroupSource `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// TransferGroupRequest is the body of TransferGroup.
type TransferGroupRequest struct {
	// The host who becomes the owner.
	UserID string `json:"user_id"`
}

// SeriesTemplate: The fields of each event, as in `CreateEventRequest`.
type SeriesTemplate struct {
	// 1..120 graphemes, one line. Required in a new series.
	Title *string `json:"title,omitzero"`
	// Plain text, up to 10000 graphemes.
	Description *string `json:"description,omitzero"`
	// 1..80 graphemes, one line.
	Category *string `json:"category,omitzero"`
	// `public` by default.
	Visibility *EventVisibility `json:"visibility,omitzero"`
	// `free` by default.
	Price *EventPrice `json:"price,omitzero"`
	// In minor units. Required if `paid`; absent or null if `free`.
	PriceAmount *int `json:"price_amount,omitzero"`
	// ISO 4217, one of those that the service accepts. Required if `paid`; absent or null if `free`.
	PriceCurrency *string `json:"price_currency,omitzero"`
	// Maximum number of people going, or null for no limit.
	Capacity *int `json:"capacity,omitzero"`
	// 1..200 graphemes, one line.
	City *string `json:"city,omitzero"`
	// The place as text, 1..300 graphemes.
	LocationText *string `json:"location_text,omitzero"`
	// Send with `lng` or not at all.
	Lat *float64 `json:"lat,omitzero"`
	// Send with `lat` or not at all.
	Lng *float64 `json:"lng,omitzero"`
	// An https URL. To upload a picture, use `PUT /events/{event_id}/cover`.
	ImageURL *string `json:"image_url,omitzero"`
	// Describes the image to users who cannot see it. 1..300 graphemes, one line.
	ImageAlt *string `json:"image_alt,omitzero"`
	// An https URL.
	ConferenceURL *string `json:"conference_url,omitzero"`
	// Colors of the event's page: one of `cherry`, `coral`, `amber`, `honey`, `meadow`, `mint`, `teal`, `sky`, `blue`,
	// `violet`, `orchid`, `rose`.
	Theme *string `json:"theme,omitzero"`
	// How many people may come with one participation, the user included. 1 by default, and if `paid`.
	MaxPartySize *int `json:"max_party_size,omitzero"`
	// `off` by default.
	Waitlist *EventWaitlist `json:"waitlist,omitzero"`
	// How long seats are offered to an entry of the waiting list. Nights do not count. 720 by default.
	WaitlistOfferMinutes *int `json:"waitlist_offer_minutes,omitzero"`
	// `open` by default. With `approval`, nobody can join the series.
	JoinPolicy *EventJoinPolicy `json:"join_policy,omitzero"`
	// The group of the events. The current user must be its owner or a host (403 `not_organizer`). It can only be set in a draft, and
	// later only be cleared. The owner and the hosts of the group host the event, too. `members` events need one;
	// in a private group, an event cannot be `public`.
	GroupID *string `json:"group_id,omitzero"`
}

// SeriesPublish: `automatic`: dates are published when they are made; `manual`: they are drafts.
type SeriesPublish string

// The values of SeriesPublish.
const (
	SeriesPublishAutomatic SeriesPublish = "automatic"
	SeriesPublishManual    SeriesPublish = "manual"
)

// CreateEventSeriesRequest is the body of CreateEventSeries.
type CreateEventSeriesRequest struct {
	// The recurrence rule.
	Rrule string `json:"rrule"`
	// The first date. It must be in the future.
	StartsAt LocalDateTime `json:"starts_at"`
	// IANA zone of the place, such as `Europe/Berlin`.
	Timezone string `json:"timezone"`
	// How long an event lasts; null is as without `ends_at`.
	DurationMinutes *int `json:"duration_minutes,omitzero"`
	// `automatic` by default.
	Publish *SeriesPublish `json:"publish,omitzero"`
	// How many days ahead dates are made. 56 by default.
	HorizonDays *int           `json:"horizon_days,omitzero"`
	Template    SeriesTemplate `json:"template"`
	// An event that the caller hosts. The first date gets its questions, every later one those of the date before it. Null and absent:
	// the dates ask nothing.
	QuestionsEventID *string `json:"questions_event_id,omitzero"`
}

// EventSeries is the response of CreateEventSeries, GetEventSeries, SkipSeriesDate, PauseEventSeries, ResumeEventSeries and EndEventSeries.
type EventSeries struct {
	ID          string `json:"id"`
	OrganizerID string `json:"organizer_id"`
	// Of the dates that will be made.
	Title string `json:"title"`
	// The recurrence rule.
	Rrule string `json:"rrule"`
	// The first date.
	StartsAt        LocalDateTime `json:"starts_at"`
	Timezone        string        `json:"timezone"`
	DurationMinutes *int          `json:"duration_minutes"`
	// `active`, `paused`, or `ended`: no more dates are made. Values may be added.
	Status            string        `json:"status"`
	Publish           SeriesPublish `json:"publish"`
	HorizonDays       int           `json:"horizon_days"`
	CreatedAt         time.Time     `json:"created_at"`
	ViewerIsOrganizer bool          `json:"viewer_is_organizer"`
	// The viewer joins the dates that are made later.
	ViewerJoined bool `json:"viewer_joined"`
}

// MyEventSeriesResponse is the response of ListMyEventSeries.
type MyEventSeriesResponse struct {
	Items []EventSeries `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// SeriesDatesResponse is the response of ListSeriesDates.
type SeriesDatesResponse struct {
	Items []SeriesDateState `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// SeriesDateState is part of other types.
type SeriesDateState struct {
	// The date by the rule.
	OccurrenceAt LocalDateTime `json:"occurrence_at"`
	// The moment; of a date that is made, the start of its event.
	StartsAt time.Time `json:"starts_at"`
	// `planned`: not made yet; `draft`, `published`, `canceled`: the status of its event; `skipped`: will not be made, or was canceled by
	// `skipSeriesDate`. Values may be added.
	State string `json:"state"`
	// The event begins at another time than `occurrence_at`.
	Moved bool `json:"moved"`
	// The event of a date that is made.
	EventID *string `json:"event_id"`
}

// SeriesPreview is the response of PreviewEventSeries.
type SeriesPreview struct {
	Dates []SeriesDate `json:"dates"`
	// Months (`2027-02`) of a monthly rule, or years of a yearly one, between the dates that have none, because they lack the day.
	Gaps []string `json:"gaps"`
}

// SeriesDate is part of other types.
type SeriesDate struct {
	OccurrenceAt LocalDateTime `json:"occurrence_at"`
	// The moment.
	StartsAt time.Time `json:"starts_at"`
}

// UpdateEventSeriesRequest is the body of UpdateEventSeries.
type UpdateEventSeriesRequest struct {
	Template SeriesTemplate `json:"template"`
	// `later` (default): only dates that are made later; `untouched_upcoming`: also the coming dates that were not changed by hand;
	// `all_upcoming`: also those.
	Apply *string `json:"apply,omitzero"`
}

// SeriesChange is the response of UpdateEventSeries.
type SeriesChange struct {
	// How many made dates were changed.
	Changed int `json:"changed"`
	// Coming events that were not changed.
	LeftAlone []string `json:"left_alone"`
}

// SkipSeriesDateRequest is the body of SkipSeriesDate.
type SkipSeriesDateRequest struct {
	// The date by the rule.
	OccurrenceAt LocalDateTime `json:"occurrence_at"`
}

// SplitEventSeriesRequest is the body of SplitEventSeries.
type SplitEventSeriesRequest struct {
	// The first date of the series that is replaced.
	From LocalDateTime `json:"from"`
	// The rule of the new series.
	Rrule string `json:"rrule"`
	// The first date of the new series. It must be in the future.
	StartsAt LocalDateTime `json:"starts_at"`
	// Unchanged if absent.
	DurationMinutes *int `json:"duration_minutes,omitzero"`
}

// SeriesSplit is the response of SplitEventSeries.
type SeriesSplit struct {
	Series EventSeries `json:"series"`
	// How many dates of the earlier series were canceled.
	Canceled int `json:"canceled"`
	// Dates of the earlier series with guests or invitations.
	LeftAlone []string `json:"left_alone"`
}

// JoinEventSeriesRequest is the body of JoinEventSeries.
type JoinEventSeriesRequest struct {
	// Visibility of the attendance. If absent, `public` at first and unchanged later.
	ParticipationVisibility *ParticipationVisibility `json:"participation_visibility,omitzero"`
	// To the questions of the dates, which have the same ids. Each date gets the answers to what it asks; dates that are made later get
	// the user's latest ones.
	Answers []Answer `json:"answers,omitzero"`
}

// SeriesJoin is the response of JoinEventSeries.
type SeriesJoin struct {
	// Coming dates that the user attends.
	Joined int `json:"joined"`
	// Coming dates for whose seats the user waits.
	Waiting int `json:"waiting"`
	// Coming dates that the user did not join, such as full ones.
	Refused []string `json:"refused"`
}

// EnterWaitlistRequest is the body of EnterWaitlist.
type EnterWaitlistRequest struct {
	// If absent, 1 at first and unchanged later.
	PartySize *PartySize `json:"party_size,omitzero"`
	// Visibility of the attendance that follows. If absent, `public` at first and unchanged later.
	ParticipationVisibility *ParticipationVisibility `json:"participation_visibility,omitzero"`
	// To the questions of the event; they replace earlier answers until the start. If absent, earlier answers stay, and a required
	// question without one is 403 `answers_required`.
	Answers []Answer `json:"answers,omitzero"`
}

// WaitlistStatus: `waiting`; `offered`: seats are held until `offer_expires_at`; `joined`; `expired`: three offers were missed; `left`; `removed` by the
// organizer; `closed`: the event has begun or is canceled, or its waiting list was switched off; values may be added.
type WaitlistStatus string

// The values of WaitlistStatus.
const (
	WaitlistStatusWaiting WaitlistStatus = "waiting"
	WaitlistStatusOffered WaitlistStatus = "offered"
	WaitlistStatusJoined  WaitlistStatus = "joined"
	WaitlistStatusExpired WaitlistStatus = "expired"
	WaitlistStatusLeft    WaitlistStatus = "left"
	WaitlistStatusRemoved WaitlistStatus = "removed"
	WaitlistStatusClosed  WaitlistStatus = "closed"
)

// WaitlistEntry is the response of EnterWaitlist, GetWaitlistEntry and OfferSeats.
type WaitlistEntry struct {
	ID                      string                  `json:"id"`
	EventID                 string                  `json:"event_id"`
	PartySize               PartySize               `json:"party_size"`
	ParticipationVisibility ParticipationVisibility `json:"participation_visibility"`
	Status                  WaitlistStatus          `json:"status"`
	// Place in the list. Null unless `waiting`, and beyond 200.
	Position *int `json:"position"`
	// Offers that were not accepted in time. After a missed offer, the entry moves to the end.
	Missed int `json:"missed"`
	// Null unless `offered`.
	OfferExpiresAt *time.Time `json:"offer_expires_at"`
	// When the user entered the list.
	CreatedAt time.Time `json:"created_at"`
}

// QuestionKind: `text`: one text; `choice`: one of the options; `choices`: some of the options; `checkbox`: yes or no.
type QuestionKind string

// The values of QuestionKind.
const (
	QuestionKindText     QuestionKind = "text"
	QuestionKindChoice   QuestionKind = "choice"
	QuestionKindChoices  QuestionKind = "choices"
	QuestionKindCheckbox QuestionKind = "checkbox"
)

// QuestionScope: Who answers: `guest`, the user for themselves; `companion`, the user for each companion.
type QuestionScope string

// The values of QuestionScope.
const (
	QuestionScopeGuest     QuestionScope = "guest"
	QuestionScopeCompanion QuestionScope = "companion"
)

// EventQuestion is part of other types.
type EventQuestion struct {
	ID    string       `json:"id"`
	Kind  QuestionKind `json:"kind"`
	Label string       `json:"label"`
	// Whether an answer is required; of a `checkbox`, `true`.
	Required bool `json:"required"`
	// Of a `choice` or `choices`, else empty.
	Options   []string      `json:"options"`
	AppliesTo QuestionScope `json:"applies_to"`
	// Whether the answer matters at the door.
	AtDoor bool `json:"at_door"`
}

// EventQuestionsResponse is the response of ListQuestions and SetQuestions.
type EventQuestionsResponse struct {
	Items []EventQuestion `json:"items"`
	// Always null.
	NextCursor *string `json:"next_cursor"`
}

// QuestionInput is part of other types.
type QuestionInput struct {
	// Of the earlier question.
	ID   *string      `json:"id,omitzero"`
	Kind QuestionKind `json:"kind"`
	// 1..200 graphemes, one line.
	Label string `json:"label"`
	// `false` by default.
	Required *bool `json:"required,omitzero"`
	// Required for `choice` and `choices`, absent or empty otherwise. Each differs from the others.
	Options []string `json:"options,omitzero"`
	// `guest` by default.
	AppliesTo *QuestionScope `json:"applies_to,omitzero"`
	// `false` by default.
	AtDoor *bool `json:"at_door,omitzero"`
}

// SetQuestionsRequest is the body of SetQuestions.
type SetQuestionsRequest struct {
	Items []QuestionInput `json:"items"`
}

// Answer is part of other types.
type Answer struct {
	QuestionID string `json:"question_id"`
	// A string for `text` (at most 500 graphemes) and `choice`, an array of different options for `choices`, a boolean for
	// `checkbox`. An empty text or array is no answer.
	Value json.RawMessage `json:"value"`
	// Which companion the answer is for. Required for questions to companions, absent otherwise.
	Companion *int `json:"companion,omitzero"`
}

// GuestAnswers is part of other types.
type GuestAnswers struct {
	// Id of the participation, the request, or the entry in the waiting list.
	ParticipantID string `json:"participant_id"`
	// One of `going`, `requested`, `waiting`; values may be added.
	Status                  string                  `json:"status"`
	PartySize               PartySize               `json:"party_size"`
	ParticipationVisibility ParticipationVisibility `json:"participation_visibility"`
	// If null, the account is deleted, or the guest is hidden and has a `guest_code`.
	Profile *PublicProfile `json:"profile"`
	// The guest's own first, then those of the companions.
	Answers []Answer `json:"answers"`
	// Stands for the name of a hidden guest, such as `4F7K`; else null.
	GuestCode *string `json:"guest_code"`
}

// EventAnswersResponse is the response of ListAnswers.
type EventAnswersResponse struct {
	// The questions of the event, then, for hosts, the retired ones that have answers.
	Questions []EventQuestion `json:"questions"`
	Items     []GuestAnswers  `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// WaitlistEntryItem is part of other types.
type WaitlistEntryItem struct {
	Entry WaitlistEntry `json:"entry"`
	// If null, the account is deleted, or the user is hidden and has a `guest_code`.
	Profile *PublicProfile `json:"profile"`
	// To the questions of the event, the guest's own first. Without those of incognito users, except for the organizer without an API key.
	Answers []Answer `json:"answers"`
	// Stands for the name of a hidden guest, such as `4F7K`; else null.
	GuestCode *string `json:"guest_code"`
}

// WaitlistEntriesResponse is the response of ListWaitlistEntries.
type WaitlistEntriesResponse struct {
	Items []WaitlistEntryItem `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// EventJoinPolicy: Whether a join takes a seat (`open`), or asks the organizer (`approval`). An invitation is an approval.
type EventJoinPolicy string

// The values of EventJoinPolicy.
const (
	EventJoinPolicyOpen     EventJoinPolicy = "open"
	EventJoinPolicyApproval EventJoinPolicy = "approval"
)

// ApprovedRequests is the response of ApproveRequests.
type ApprovedRequests struct {
	// Requests whose users go, wait, or have an offer now.
	Approved int `json:"approved"`
	// Requests that are left.
	Left int `json:"left"`
}

// EventWaitlist: What happens when a seat of a full event becomes free: `off`, nothing; `automatic`, the first of the waiting list participates
// (48 hours before the start and for events with a price, they get an offer); `offer`, they get an offer.
type EventWaitlist string

// The values of EventWaitlist.
const (
	EventWaitlistOff       EventWaitlist = "off"
	EventWaitlistAutomatic EventWaitlist = "automatic"
	EventWaitlistOffer     EventWaitlist = "offer"
)

// PartySize: Number of people who come, the user included.
type PartySize int

// EventParticipant is the response of JoinEvent, LeaveEvent, ApproveParticipant and DeclineParticipant.
type EventParticipant struct {
	ID      string `json:"id"`
	EventID string `json:"event_id"`
	// Of a hidden participant, it is `id`, which is no user's id.
	UserID                  string                  `json:"user_id"`
	Status                  ParticipationStatus     `json:"status"`
	ParticipationVisibility ParticipationVisibility `json:"participation_visibility"`
	// Time of the latest join.
	JoinedAt  time.Time  `json:"joined_at"`
	LeftAt    *time.Time `json:"left_at"`
	CreatedAt time.Time  `json:"created_at"`
	UpdatedAt time.Time  `json:"updated_at"`
	PartySize PartySize  `json:"party_size"`
}

// EventParticipantItem is part of other types.
type EventParticipantItem struct {
	Participant EventParticipant `json:"participant"`
	// If null, the account is deleted, or the participant is hidden and has a `guest_code`.
	Profile *PublicProfile `json:"profile"`
	// To the questions of the event, the guest's own first. Of an incognito participant, an API key gets none.
	Answers []Answer `json:"answers"`
	// Stands for the name of a hidden guest, such as `4F7K`; else null.
	GuestCode *string `json:"guest_code"`
}

// EventParticipantsResponse is the response of ListParticipants.
type EventParticipantsResponse struct {
	Items []EventParticipantItem `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// CreateEventInvitationRequest: Exactly one of `invited_phone` and `email`.
type CreateEventInvitationRequest struct {
	// Phone number of the user, preferably in E.164 format.
	InvitedPhone *string `json:"invited_phone,omitzero"`
	// E-mail address of the user.
	Email *string `json:"email,omitzero"`
	// Up to 500 graphemes.
	Message *string `json:"message,omitzero"`
}

// EventInvitation: Phone and e-mail address of the invitee are never shown.
type EventInvitation struct {
	ID               string           `json:"id"`
	EventID          string           `json:"event_id"`
	InvitedUserID    string           `json:"invited_user_id"`
	InvitedByUserID  string           `json:"invited_by_user_id"`
	Status           InvitationStatus `json:"status"`
	Message          *string          `json:"message"`
	CalendarInviteID *string          `json:"calendar_invite_id"`
	RespondedAt      *time.Time       `json:"responded_at"`
	CreatedAt        time.Time        `json:"created_at"`
	UpdatedAt        time.Time        `json:"updated_at"`
	InvitedProfile   *PublicProfile   `json:"invited_profile"`
}

// InvitationMessages: What became of the e-mails and push messages about invitations. Those to people who do not know the sender have a budget: 60
// in an hour, 200 in a day, 30 on the first day of an account. The others wait, until the event begins. Each invitation counts,
// whatever the settings of its recipient. In the app, all recipients see it at once.
type InvitationMessages struct {
	// Invitations whose messages do not wait.
	Sent int `json:"sent"`
	// Invitations whose messages wait for the budget.
	Later int `json:"later"`
}

// EventInvitationsResponse is the response of ListInvitations.
type EventInvitationsResponse struct {
	Items []EventInvitation `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
	// About all invitations to the event.
	Messages InvitationMessages `json:"messages"`
}

// ImportAddressRequest is the body of ImportAddress.
type ImportAddressRequest struct {
	// An https address; `webcal:` is read as https.
	URL string `json:"url"`
	// As the parameter `timezone` of `POST /me/imports`.
	Timezone *string `json:"timezone,omitzero"`
}

// ImportCounts: How many rows have each state.
type ImportCounts struct {
	New     int `json:"new"`
	Changed int `json:"changed"`
	Same    int `json:"same"`
	Skipped int `json:"skipped"`
}

// ImportSkipReason: Why a row is skipped. `canceled`: in the calendar or here. `title`, `start`: it has none. `zone`: its times have no zone, or an
// unknown one. `rule`: it repeats by an unsupported rule. `length`: it lasts more than 31 days. `invalid`: a field is. `edited`:
// its draft was edited or published since. Values may be added.
type ImportSkipReason string

// The values of ImportSkipReason.
const (
	ImportSkipReasonCanceled ImportSkipReason = "canceled"
	ImportSkipReasonTitle    ImportSkipReason = "title"
	ImportSkipReasonStart    ImportSkipReason = "start"
	ImportSkipReasonZone     ImportSkipReason = "zone"
	ImportSkipReasonRule     ImportSkipReason = "rule"
	ImportSkipReasonLength   ImportSkipReason = "length"
	ImportSkipReasonInvalid  ImportSkipReason = "invalid"
	ImportSkipReasonEdited   ImportSkipReason = "edited"
)

// ImportRow is part of other types.
type ImportRow struct {
	// Identifies the event in its calendar. A date of an event that repeats has `/` and its first start behind it.
	Uid   string `json:"uid"`
	Title string `json:"title"`
	// Null if the event has no time that can be read.
	StartsAt *time.Time `json:"starts_at"`
	EndsAt   *time.Time `json:"ends_at"`
	// IANA zone.
	Timezone *string `json:"timezone"`
	Place    *string `json:"place"`
	// The https address of the picture, from a page in JSON-LD.
	ImageURL *string `json:"image_url"`
	// `new`: becomes a draft. `changed`: its draft is updated. `same`: nothing changes. `skipped`: cannot be applied. Values may be added.
	State string `json:"state"`
	// Null unless the row is skipped.
	Why *ImportSkipReason `json:"why"`
	// The event that an import made of the row.
	EventID *string `json:"event_id"`
}

// Import is the response of ImportFile, ImportAddress and GetImport.
type Import struct {
	ID string `json:"id"`
	// That of the calendar.
	Name *string `json:"name"`
	// Of the address; null for a file.
	Host   *string      `json:"host"`
	Counts ImportCounts `json:"counts"`
	// Events of the calendar that are over. They have no rows.
	PastCount int `json:"past_count"`
	// Later events beyond the limits of an import. They have no rows.
	LeftOutCount int       `json:"left_out_count"`
	CreatedAt    time.Time `json:"created_at"`
	// When the import is deleted.
	ExpiresAt time.Time   `json:"expires_at"`
	Items     []ImportRow `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// ApplyImportRequest is the body of ApplyImport.
type ApplyImportRequest struct {
	// The rows to apply. Without it, all rows are.
	Uids []string `json:"uids,omitzero"`
	// Also set the pictures: `image_url` of the rows. They stay on their server, and are shown through the image proxy. False if left out.
	Pictures *bool `json:"pictures,omitzero"`
}

// AppliedImport is the response of ApplyImport.
type AppliedImport struct {
	// The rows that this request has applied, in their order.
	Results []AppliedRow `json:"results"`
	// Rows that the same request would apply next.
	Remaining int `json:"remaining"`
}

// AppliedRow is part of other types.
type AppliedRow struct {
	Uid     string `json:"uid"`
	EventID string `json:"event_id"`
	// One of `created`, `updated`; values may be added.
	State string `json:"state"`
}

// GuestSkipReason: Why a guest is skipped. `address`: it is no e-mail address. `repeated`: the list has it before. `answered`: the guest has declined,
// or the host has refused them, in the other service. Values may be added.
type GuestSkipReason string

// The values of GuestSkipReason.
const (
	GuestSkipReasonAddress  GuestSkipReason = "address"
	GuestSkipReasonRepeated GuestSkipReason = "repeated"
	GuestSkipReasonAnswered GuestSkipReason = "answered"
)

// GuestListRow is part of other types.
type GuestListRow struct {
	// As in the file.
	Email string `json:"email"`
	// Only for the organizer; it is not stored.
	Name *string `json:"name"`
	// `new`: can be invited. `invited`: was invited to this event by e-mail before. `skipped`: see `why`. Values may be added.
	State string `json:"state"`
	// Null unless the guest is skipped.
	Why *GuestSkipReason `json:"why"`
}

// GuestList is the response of ReadGuestList.
type GuestList struct {
	Items []GuestListRow `json:"items"`
	// Guests beyond the first 500.
	LeftOutCount int `json:"left_out_count"`
}

// InviteByEmailRequest is the body of InviteByEmail.
type InviteByEmailRequest struct {
	// The addresses to invite.
	Emails []string `json:"emails"`
	// Up to 300 graphemes, without links, e-mail addresses and phone numbers.
	Message *string `json:"message,omitzero"`
}

// EmailInvitationResult is part of other types.
type EmailInvitationResult struct {
	// As in the request.
	Email string `json:"email"`
	// `already`: the address was invited to this event before.
	Status string `json:"status"`
}

// EmailInvitationResults is the response of InviteByEmail.
type EmailInvitationResults struct {
	Results []EmailInvitationResult `json:"results"`
}

// EmailInvitation is part of other types.
type EmailInvitation struct {
	ID      string `json:"id"`
	EventID string `json:"event_id"`
	// The address as the organizer has typed it; null after a refusal, which deletes it.
	Email  *string          `json:"email"`
	Status InvitationStatus `json:"status"`
	// The mail does not wait for the budget of the organizer.
	Sent bool `json:"sent"`
	// The name that the person who answered has typed.
	Name        *string    `json:"name"`
	Message     *string    `json:"message"`
	RespondedAt *time.Time `json:"responded_at"`
	CreatedAt   time.Time  `json:"created_at"`
}

// EmailInvitationsResponse is the response of ListEmailInvitations.
type EmailInvitationsResponse struct {
	Items []EmailInvitation `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
	// About all e-mail invitations to the event.
	Messages InvitationMessages `json:"messages"`
}

// CreateInviteLinkRequest is the body of CreateInviteLink.
type CreateInviteLinkRequest struct {
	// Number of users that the link can invite. Without it, there is no limit.
	MaxUses *int `json:"max_uses,omitzero"`
	// Without it, the link ends with the event. A time that has passed is 400.
	ExpiresAt *time.Time `json:"expires_at,omitzero"`
}

// InviteLink is the response of CreateInviteLink.
type InviteLink struct {
	ID      string `json:"id"`
	EventID string `json:"event_id"`
	// Address of the page of the link, for people. All who have it can see what `GET /invite-links/{token}` shows, and join.
	URL string `json:"url"`
	// Number of users that the link has invited.
	Uses int `json:"uses"`
	// Null: no limit.
	MaxUses *int `json:"max_uses"`
	// Null: the link ends with the event.
	ExpiresAt *time.Time `json:"expires_at"`
	CreatedAt time.Time  `json:"created_at"`
}

// InviteLinksResponse is the response of ListInviteLinks.
type InviteLinksResponse struct {
	Items []InviteLink `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// InviteLinkPreview is the response of GetInviteLink.
type InviteLinkPreview struct {
	Title    string     `json:"title"`
	StartsAt time.Time  `json:"starts_at"`
	EndsAt   *time.Time `json:"ends_at"`
	// IANA time zone of the place, for display.
	Timezone string  `json:"timezone"`
	City     *string `json:"city"`
	ImageURL *string `json:"image_url"`
	// Describes the image to users who cannot see it. Absent without a text.
	ImageAlt *string       `json:"image_alt,omitzero"`
	Host     PublicProfile `json:"host"`
	// Null for viewers who do not see the event yet.
	EventID *string `json:"event_id"`
}

// AcceptInviteLinkRequest is the body of AcceptInviteLink.
type AcceptInviteLinkRequest struct {
	// The response to the invitation. If absent, `accepted`.
	Status *string `json:"status,omitzero"`
	// Visibility of an accepted attendance. If absent, `public` on the first acceptance and unchanged on a repeated one.
	ParticipationVisibility *ParticipationVisibility `json:"participation_visibility,omitzero"`
	// If absent, 1 on the first acceptance and unchanged on a repeated one.
	PartySize *PartySize `json:"party_size,omitzero"`
	// Of an accepted attendance, to the questions of the event; they replace earlier answers until the start. If absent, earlier
	// answers stay, and a required question without one is 403 `answers_required`.
	Answers []Answer `json:"answers,omitzero"`
}

// InvitationAnswer is part of other types.
type InvitationAnswer string

// The values of InvitationAnswer.
const (
	InvitationAnswerAccepted  InvitationAnswer = "accepted"
	InvitationAnswerDeclined  InvitationAnswer = "declined"
	InvitationAnswerTentative InvitationAnswer = "tentative"
)

// RSVPEventInvitationRequest is the body of AnswerInvitation.
type RSVPEventInvitationRequest struct {
	Status InvitationAnswer `json:"status"`
	// Visibility of an accepted attendance. If absent, `public` on the first acceptance and unchanged on a repeated one.
	ParticipationVisibility *ParticipationVisibility `json:"participation_visibility,omitzero"`
	// If absent, 1 on the first acceptance and unchanged on a repeated one.
	PartySize *PartySize `json:"party_size,omitzero"`
	// Of an accepted attendance, to the questions of the event; they replace earlier answers until the start. If absent, earlier
	// answers stay, and a required question without one is 403 `answers_required`.
	Answers []Answer `json:"answers,omitzero"`
}

// EventPostKind: One of `post`, `announcement`; values may be added.
type EventPostKind string

// The values of EventPostKind.
const (
	EventPostKindPost         EventPostKind = "post"
	EventPostKindAnnouncement EventPostKind = "announcement"
)

// CreateEventPostRequest is the body of CreateEventPost.
type CreateEventPostRequest struct {
	// Plain text, 1..5000 graphemes.
	Body string `json:"body"`
	// `post` by default.
	Kind *EventPostKind `json:"kind,omitzero"`
}

// GuestAudience: `going`; `waiting`: in the waiting list or with an offer; `invited_unanswered`: invited and not answered; `requested`: with a request
// to join that is not decided. Values may be added.
type GuestAudience string

// The values of GuestAudience.
const (
	GuestAudienceGoing             GuestAudience = "going"
	GuestAudienceWaiting           GuestAudience = "waiting"
	GuestAudienceInvitedUnanswered GuestAudience = "invited_unanswered"
	GuestAudienceRequested         GuestAudience = "requested"
)

// GuestAudienceSize is part of other types.
type GuestAudienceSize struct {
	Audience GuestAudience `json:"audience"`
	// Users who would get a message now, without the viewer.
	Recipients int `json:"recipients"`
}

// GuestAudiencesResponse is the response of ListGuestAudiences.
type GuestAudiencesResponse struct {
	Items []GuestAudienceSize `json:"items"`
	// Always null.
	NextCursor *string `json:"next_cursor"`
	// Messages that the event may send now.
	LeftToday int `json:"left_today"`
}

// SendGuestMessageRequest is the body of SendGuestMessage.
type SendGuestMessageRequest struct {
	Audience GuestAudience `json:"audience"`
	// Plain text, 1..5000 graphemes.
	Body string `json:"body"`
}

// GuestMessage is the response of SendGuestMessage.
type GuestMessage struct {
	ID           string `json:"id"`
	EventID      string `json:"event_id"`
	AuthorUserID string `json:"author_user_id"`
	// Null if the account is deleted, or has a block with the viewer.
	Author   *PublicProfile `json:"author"`
	Audience GuestAudience  `json:"audience"`
	Body     string         `json:"body"`
	// Users who were in the audience when it was sent, as the author saw them. Only for the author and the organizer, null otherwise.
	Recipients *int      `json:"recipients"`
	CreatedAt  time.Time `json:"created_at"`
}

// GuestMessagesResponse is the response of ListGuestMessages.
type GuestMessagesResponse struct {
	Items      []GuestMessage `json:"items"`
	NextCursor *string        `json:"next_cursor"`
	// Recipients of the viewer's messages whose mails and push messages wait for the budget of the viewer, as InvitationMessages says.
	// Only for the organizer, null otherwise.
	Later *int `json:"later"`
}

// EventPost is the response of CreateEventPost.
type EventPost struct {
	ID           string         `json:"id"`
	EventID      string         `json:"event_id"`
	AuthorUserID string         `json:"author_user_id"`
	Author       *PublicProfile `json:"author"`
	Kind         EventPostKind  `json:"kind"`
	Body         string         `json:"body"`
	LikeCount    int            `json:"like_count"`
	RepostCount  int            `json:"repost_count"`
	// Number of comments, without deleted ones.
	CommentCount   int       `json:"comment_count"`
	ViewerLiked    bool      `json:"viewer_liked"`
	ViewerReposted bool      `json:"viewer_reposted"`
	CreatedAt      time.Time `json:"created_at"`
	UpdatedAt      time.Time `json:"updated_at"`
}

// CreateEventPostCommentRequest is the body of CreatePostComment.
type CreateEventPostCommentRequest struct {
	// Plain text, 1..2000 graphemes.
	Body string `json:"body"`
	// The comment to reply to.
	ParentCommentID *string `json:"parent_comment_id,omitzero"`
}

// UpdateEventPostCommentRequest is the body of UpdatePostComment.
type UpdateEventPostCommentRequest struct {
	// Plain text, 1..2000 graphemes.
	Body string `json:"body"`
}

// EventPostComment: A deleted comment, or one by a user in a block with the viewer, has the body `""` and no author. It remains, so that replies stay connected.
type EventPostComment struct {
	ID           string         `json:"id"`
	EventID      string         `json:"event_id"`
	PostID       string         `json:"post_id"`
	AuthorUserID string         `json:"author_user_id"`
	Author       *PublicProfile `json:"author"`
	// Null for a top-level comment.
	ParentCommentID *string    `json:"parent_comment_id"`
	Body            string     `json:"body"`
	CreatedAt       time.Time  `json:"created_at"`
	UpdatedAt       time.Time  `json:"updated_at"`
	DeletedAt       *time.Time `json:"deleted_at"`
}

// EventPostLikeState is the response of LikePost and UnlikePost.
type EventPostLikeState struct {
	PostID      string `json:"post_id"`
	LikeCount   int    `json:"like_count"`
	ViewerLiked bool   `json:"viewer_liked"`
}

// EventPostRepostState is the response of RepostPost and UnrepostPost.
type EventPostRepostState struct {
	PostID         string `json:"post_id"`
	RepostCount    int    `json:"repost_count"`
	ViewerReposted bool   `json:"viewer_reposted"`
}

// EventPostCommentsResponse is the response of ListPostComments.
type EventPostCommentsResponse struct {
	Items []EventPostComment `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// EventPostThread is part of other types.
type EventPostThread struct {
	Post     EventPost          `json:"post"`
	Comments []EventPostComment `json:"comments"`
	// Cursor for the following comments of the post, or null if there are none.
	CommentsNextCursor *string `json:"comments_next_cursor"`
}

// EventPostThreadsResponse is the response of ListEventPosts.
type EventPostThreadsResponse struct {
	EventID string            `json:"event_id"`
	Items   []EventPostThread `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// EventPostThreads is part of other types.
type EventPostThreads struct {
	EventID string            `json:"event_id"`
	Threads []EventPostThread `json:"threads"`
	// Cursor for the older posts of the event, or null if there are none.
	NextCursor *string `json:"next_cursor"`
}

// EventPostThreadsBatchResponse is the response of ListPostThreads.
type EventPostThreadsBatchResponse struct {
	Items []EventPostThreads `json:"items"`
	// Always null: one response has all requested events.
	NextCursor *string `json:"next_cursor"`
}

// RepostHistoryItem is part of other types.
type RepostHistoryItem struct {
	Post       EventPost `json:"post"`
	RepostedAt time.Time `json:"reposted_at"`
}

// RepostHistoryResponse is the response of ListMyReposts.
type RepostHistoryResponse struct {
	Items []RepostHistoryItem `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// UpsertEventReviewRequest is the body of ReviewEvent.
type UpsertEventReviewRequest struct {
	Rating int `json:"rating"`
	// Plain text, up to 2000 graphemes.
	Body *string `json:"body,omitzero"`
}

// EventReview: If the author attended incognito, `author_user_id` and `author` are null for everyone except the author and the organizer.
type EventReview struct {
	ID             string         `json:"id"`
	EventID        string         `json:"event_id"`
	AuthorUserID   *string        `json:"author_user_id"`
	Author         *PublicProfile `json:"author"`
	Rating         int            `json:"rating"`
	Body           *string        `json:"body"`
	ViewerIsAuthor bool           `json:"viewer_is_author"`
	CreatedAt      time.Time      `json:"created_at"`
	UpdatedAt      time.Time      `json:"updated_at"`
}

// EventReviewsResponse is the response of ListEventReviews.
type EventReviewsResponse struct {
	Items []EventReview `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
	// Rounded to two decimals.
	AverageRating *float64     `json:"average_rating"`
	ReviewCount   int          `json:"review_count"`
	ViewerReview  *EventReview `json:"viewer_review"`
}

// ReportStatus: One of `open`, `in_review`, `resolved`, `dismissed`; values may be added.
type ReportStatus string

// The values of ReportStatus.
const (
	ReportStatusOpen      ReportStatus = "open"
	ReportStatusInReview  ReportStatus = "in_review"
	ReportStatusResolved  ReportStatus = "resolved"
	ReportStatusDismissed ReportStatus = "dismissed"
)

// ReportTargetType: One of `event`, `user`, `review`, `post`, `comment`, `message`, `guest_message`, `group`; values may be added.
type ReportTargetType string

// The values of ReportTargetType.
const (
	ReportTargetTypeEvent        ReportTargetType = "event"
	ReportTargetTypeUser         ReportTargetType = "user"
	ReportTargetTypeReview       ReportTargetType = "review"
	ReportTargetTypePost         ReportTargetType = "post"
	ReportTargetTypeComment      ReportTargetType = "comment"
	ReportTargetTypeMessage      ReportTargetType = "message"
	ReportTargetTypeGuestMessage ReportTargetType = "guest_message"
	ReportTargetTypeGroup        ReportTargetType = "group"
)

// ReportReason: One of `spam`, `harassment`, `hate`, `violence`, `sexual_content`, `fraud`, `impersonation`, `illegal`, `other`; values may
// be added.
type ReportReason string

// The values of ReportReason.
const (
	ReportReasonSpam          ReportReason = "spam"
	ReportReasonHarassment    ReportReason = "harassment"
	ReportReasonHate          ReportReason = "hate"
	ReportReasonViolence      ReportReason = "violence"
	ReportReasonSexualContent ReportReason = "sexual_content"
	ReportReasonFraud         ReportReason = "fraud"
	ReportReasonImpersonation ReportReason = "impersonation"
	ReportReasonIllegal       ReportReason = "illegal"
	ReportReasonOther         ReportReason = "other"
)

// ModerationActionKind: What the moderator does besides changing the status. One of `none`, `warn_user`, `hide_content`, `cancel_event`,
// `suspend_user`, `suspend_group`, `restore_group`; values may be added.
type ModerationActionKind string

// The values of ModerationActionKind.
const (
	ModerationActionKindNone         ModerationActionKind = "none"
	ModerationActionKindWarnUser     ModerationActionKind = "warn_user"
	ModerationActionKindHideContent  ModerationActionKind = "hide_content"
	ModerationActionKindCancelEvent  ModerationActionKind = "cancel_event"
	ModerationActionKindSuspendUser  ModerationActionKind = "suspend_user"
	ModerationActionKindSuspendGroup ModerationActionKind = "suspend_group"
	ModerationActionKindRestoreGroup ModerationActionKind = "restore_group"
)

// CreateReportRequest: The reporter is the current user. `status`, `action` and `reporter_user_id` are not accepted (400).
type CreateReportRequest struct {
	TargetType ReportTargetType `json:"target_type"`
	// Id of the target.
	TargetID string       `json:"target_id"`
	Reason   ReportReason `json:"reason"`
	// Up to 2000 graphemes; required with the reason `other`.
	Comment *string `json:"comment,omitzero"`
}

// Report is the response of CreateReport.
type Report struct {
	ID string `json:"id"`
	// Null if the account is deleted or the service has made the report.
	ReporterUserID *string          `json:"reporter_user_id"`
	TargetType     ReportTargetType `json:"target_type"`
	TargetID       string           `json:"target_id"`
	Reason         ReportReason     `json:"reason"`
	Comment        *string          `json:"comment"`
	Status         ReportStatus     `json:"status"`
	CreatedAt      time.Time        `json:"created_at"`
	UpdatedAt      time.Time        `json:"updated_at"`
	ResolvedAt     *time.Time       `json:"resolved_at"`
	// Null in responses to the reporter.
	ResolvedByUserID *string `json:"resolved_by_user_id"`
}

// ReportQueueItem: A report and its target.
type ReportQueueItem struct {
	ID string `json:"id"`
	// Null if the account is deleted or the service has made the report.
	ReporterUserID   *string          `json:"reporter_user_id"`
	TargetType       ReportTargetType `json:"target_type"`
	TargetID         string           `json:"target_id"`
	Reason           ReportReason     `json:"reason"`
	Comment          *string          `json:"comment"`
	Status           ReportStatus     `json:"status"`
	CreatedAt        time.Time        `json:"created_at"`
	UpdatedAt        time.Time        `json:"updated_at"`
	ResolvedAt       *time.Time       `json:"resolved_at"`
	ResolvedByUserID *string          `json:"resolved_by_user_id"`
	// Null if the target no longer exists.
	Target *ReportedThing `json:"target"`
	// Null if the account is deleted or the service has made the report.
	Reporter *PublicProfile `json:"reporter,omitzero"`
	// The text of a post, a comment or a message when it was reported. Null for other targets, and once the author is deleted.
	Text *string `json:"text,omitzero"`
}

// OpenReportsResponse is the response of CountOpenReports.
type OpenReportsResponse struct {
	OpenCount int `json:"open_count"`
}

// ReportedThing: The reported object, by `target_type`. For a post, a comment or a message, the profile of its author.
type ReportedThing json.RawMessage

// ReportsResponse is the response of ListReports.
type ReportsResponse struct {
	Items []ReportQueueItem `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// UpdateReportStatusRequest is the body of UpdateReport.
type UpdateReportStatusRequest struct {
	Status ReportStatus `json:"status"`
	// `none` by default. Any action except `none` requires `resolved` and must fit the target.
	Action *ModerationActionKind `json:"action,omitzero"`
	// Internal note, up to 2000 graphemes.
	Note Nullable[string] `json:"note,omitzero"`
}

// ModerationAction is part of other types.
type ModerationAction struct {
	ID              string               `json:"id"`
	ReportID        string               `json:"report_id"`
	ModeratorUserID string               `json:"moderator_user_id"`
	Action          ModerationActionKind `json:"action"`
	FromStatus      ReportStatus         `json:"from_status"`
	ToStatus        ReportStatus         `json:"to_status"`
	Note            *string              `json:"note"`
	CreatedAt       time.Time            `json:"created_at"`
}

// UpdateReportStatusResponse is the response of UpdateReport.
type UpdateReportStatusResponse struct {
	Report Report           `json:"report"`
	Action ModerationAction `json:"action"`
}

// SetEventDateModeRequest is the body of SetEventDateMode.
type SetEventDateModeRequest struct {
	Mode EventDateMode `json:"mode"`
}

// CreateEventDateOptionRequest is the body of CreateDateOption.
type CreateEventDateOptionRequest struct {
	StartsAt time.Time `json:"starts_at"`
	// At most 31 days after `starts_at`.
	EndsAt *time.Time `json:"ends_at,omitzero"`
	// Up to 200 graphemes.
	Note *string `json:"note,omitzero"`
}

// EventDateOption is the response of CreateDateOption and SelectDateOption.
type EventDateOption struct {
	ID       string     `json:"id"`
	EventID  string     `json:"event_id"`
	StartsAt time.Time  `json:"starts_at"`
	EndsAt   *time.Time `json:"ends_at"`
	Note     *string    `json:"note"`
	// Votes of users who may vote now. The vote of a user who leaves or declines does not count until they return.
	VoteCount int `json:"vote_count"`
	// Whether the viewer voted for this option.
	ViewerVoted     bool      `json:"viewer_voted"`
	IsSelected      bool      `json:"is_selected"`
	CreatedByUserID string    `json:"created_by_user_id"`
	CreatedAt       time.Time `json:"created_at"`
}

// EventDateOptionsResponse is the response of ListDateOptions.
type EventDateOptionsResponse struct {
	Items []EventDateOption `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor       *string       `json:"next_cursor"`
	DateMode         EventDateMode `json:"date_mode"`
	SelectedOptionID *string       `json:"selected_option_id"`
}

// EventDateVote is the response of VoteForDateOption.
type EventDateVote struct {
	ID        string    `json:"id"`
	EventID   string    `json:"event_id"`
	OptionID  string    `json:"option_id"`
	UserID    string    `json:"user_id"`
	CreatedAt time.Time `json:"created_at"`
}

// SendEventChatMessageRequest is the body of SendChatMessage.
type SendEventChatMessageRequest struct {
	// Plain text, 1..2000 graphemes.
	Body string `json:"body"`
	// Chosen by the client to make a retry safe.
	ClientMessageID *string `json:"client_message_id,omitzero"`
}

// EventChatMessage is the response of SendChatMessage.
type EventChatMessage struct {
	ID           string         `json:"id"`
	EventID      string         `json:"event_id"`
	AuthorUserID string         `json:"author_user_id"`
	Author       *PublicProfile `json:"author"`
	Body         string         `json:"body"`
	// Visible to the author only.
	ClientMessageID *string `json:"client_message_id"`
	// Unique within the event.
	CreatedAt time.Time  `json:"created_at"`
	DeletedAt *time.Time `json:"deleted_at"`
}

// EventChatMessagesResponse is the response of ListChatMessages.
type EventChatMessagesResponse struct {
	Items []EventChatMessage `json:"items"`
	// Cursor of the next page, or null on the last page. Do not parse it.
	NextCursor *string `json:"next_cursor"`
}

// ChatPosition: A position in a chat: the `created_at` of a message in microseconds since 1970, in decimal digits. Positions rise in the order
// of the messages. `0` is before the first message.
type ChatPosition string

// MarkChatReadRequest is the body of MarkChatRead.
type MarkChatReadRequest struct {
	Position ChatPosition `json:"position"`
}

// ChatReadState is the response of MarkChatRead.
type ChatReadState struct {
	EventID      string       `json:"event_id"`
	ReadPosition ChatPosition `json:"read_position"`
	// Unread messages of others; 100 means 100 or more.
	UnreadCount int `json:"unread_count"`
}

// ChatItem is part of other types.
type ChatItem struct {
	Event EventCore `json:"event"`
	// The newest message that the user sees.
	LastMessage *EventChatMessage `json:"last_message"`
	// Unread messages of others; 100 means 100 or more.
	UnreadCount int `json:"unread_count"`
	// The newest message of the chat; hidden ones count.
	Position ChatPosition `json:"position"`
	// How far the user has read; `0` if never.
	ReadPosition ChatPosition `json:"read_position"`
}

// ChatsResponse is the response of ListMyChats.
type ChatsResponse struct {
	Items []ChatItem `json:"items"`
	// Cursor of the next page, or null on the last page. Do not parse it.
	NextCursor *string `json:"next_cursor"`
}

// EventChatWebSocketAuthResponse is the response of AuthorizeChatSocket.
type EventChatWebSocketAuthResponse struct {
	EventID string `json:"event_id"`
	UserID  string `json:"user_id"`
	// Always true. Without access, the response is an error.
	Authorized bool `json:"authorized"`
	// False if the service has no realtime transport, and for API keys. Then the last three fields are null.
	RealtimeAvailable bool `json:"realtime_available"`
	// Seconds between two requests for messages.
	PollIntervalSeconds int `json:"poll_interval_seconds"`
	// Open it with `?ticket=`, or with a session.
	WebsocketURL *string `json:"websocket_url"`
	// For one WebSocket of this event.
	Ticket          *string    `json:"ticket"`
	TicketExpiresAt *time.Time `json:"ticket_expires_at"`
}

// RealtimeTicketResponse is the response of CreateRealtimeTicket.
type RealtimeTicketResponse struct {
	// Open it with `?ticket=`.
	WebsocketURL    string    `json:"websocket_url"`
	Ticket          string    `json:"ticket"`
	TicketExpiresAt time.Time `json:"ticket_expires_at"`
}

// ReminderChannel: One of `in_app`, `email`, `push`; values may be added.
type ReminderChannel string

// The values of ReminderChannel.
const (
	ReminderChannelInApp ReminderChannel = "in_app"
	ReminderChannelEmail ReminderChannel = "email"
	ReminderChannelPush  ReminderChannel = "push"
)

// EventReminderSettings is the response of GetReminderSettings and SetReminderSettings.
type EventReminderSettings struct {
	EventID string `json:"event_id"`
	Enabled bool   `json:"enabled"`
	// Minutes before the start, in descending order.
	OffsetsMinutes []int             `json:"offsets_minutes"`
	Channels       []ReminderChannel `json:"channels"`
	// Ask users going, two days before the start, whether they still come. The e-mail has a link to give up the seat.
	AskAgain        bool       `json:"ask_again"`
	UpdatedByUserID *string    `json:"updated_by_user_id"`
	UpdatedAt       *time.Time `json:"updated_at"`
}

// SetEventReminderSettingsRequest is the body of SetReminderSettings.
type SetEventReminderSettingsRequest struct {
	Enabled *bool `json:"enabled,omitzero"`
	// Minutes before the start.
	OffsetsMinutes []int             `json:"offsets_minutes,omitzero"`
	Channels       []ReminderChannel `json:"channels,omitzero"`
	// Needs enabled reminders to take effect.
	AskAgain *bool `json:"ask_again,omitzero"`
}

// FeedResponse is the response of GetFeed.
type FeedResponse struct {
	Items []EventCard `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
	// `public` for anonymous viewers, otherwise `personal`; values may be added.
	Scope string `json:"scope"`
}

// FeedPreferences is the response of GetFeedPreferences and SetFeedPreferences.
type FeedPreferences struct {
	// By default the city of the profile.
	City            *string     `json:"city"`
	Lat             *float64    `json:"lat"`
	Lng             *float64    `json:"lng"`
	RadiusKm        *float64    `json:"radius_km"`
	Categories      []string    `json:"categories"`
	MutedCategories []string    `json:"muted_categories"`
	Price           PriceFilter `json:"price"`
	IncludeFollowed bool        `json:"include_followed"`
	// Null if never stored.
	UpdatedAt *time.Time `json:"updated_at"`
}

// SetFeedPreferencesRequest is the body of SetFeedPreferences.
type SetFeedPreferencesRequest struct {
	// 1..120 graphemes, one line.
	City Nullable[string] `json:"city,omitzero"`
	// Send with `lng` or not at all.
	Lat Nullable[float64] `json:"lat,omitzero"`
	// Send with `lat` or not at all.
	Lng Nullable[float64] `json:"lng,omitzero"`
	// Requires `lat` and `lng`.
	RadiusKm Nullable[float64] `json:"radius_km,omitzero"`
	// Up to 20, each 1..80 graphemes.
	Categories []string `json:"categories,omitzero"`
	// Up to 20, each 1..80 graphemes.
	MutedCategories []string     `json:"muted_categories,omitzero"`
	Price           *PriceFilter `json:"price,omitzero"`
	IncludeFollowed *bool        `json:"include_followed,omitzero"`
}

// CalendarEntrySource: `invite` is a personal entry of another user that the current user responded to. One of `manual`, `event`, `invite`; values
// may be added.
type CalendarEntrySource string

// The values of CalendarEntrySource.
const (
	CalendarEntrySourceManual CalendarEntrySource = "manual"
	CalendarEntrySourceEvent  CalendarEntrySource = "event"
	CalendarEntrySourceInvite CalendarEntrySource = "invite"
)

// CalendarEntryStatus: One of `confirmed`, `tentative`, `canceled`; values may be added.
type CalendarEntryStatus string

// The values of CalendarEntryStatus.
const (
	CalendarEntryStatusConfirmed CalendarEntryStatus = "confirmed"
	CalendarEntryStatusTentative CalendarEntryStatus = "tentative"
	CalendarEntryStatusCanceled  CalendarEntryStatus = "canceled"
)

// CalendarFeed is the response of GetCalendarFeed and OpenCalendarFeed.
type CalendarFeed struct {
	// Secret address for calendar programs.
	URL       string    `json:"url"`
	CreatedAt time.Time `json:"created_at"`
}

// CalendarInviteRole is part of other types.
type CalendarInviteRole string

// The values of CalendarInviteRole.
const (
	CalendarInviteRoleIncoming CalendarInviteRole = "incoming"
	CalendarInviteRoleOutgoing CalendarInviteRole = "outgoing"
)

// CalendarEntry is the response of CreateCalendarEntry, UpdateCalendarEntry and CancelCalendarEntry.
type CalendarEntry struct {
	// For an event, the id of the event.
	ID          string              `json:"id"`
	OwnerUserID string              `json:"owner_user_id"`
	Source      CalendarEntrySource `json:"source"`
	EventID     *string             `json:"event_id"`
	Title       string              `json:"title"`
	StartsAt    time.Time           `json:"starts_at"`
	EndsAt      *time.Time          `json:"ends_at"`
	// IANA time zone.
	Timezone     string              `json:"timezone"`
	AllDay       bool                `json:"all_day"`
	Status       CalendarEntryStatus `json:"status"`
	LocationText *string             `json:"location_text"`
	// Visible to the owner only.
	Notes     *string   `json:"notes"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// CalendarEntriesResponse is the response of ListCalendarEntries.
type CalendarEntriesResponse struct {
	Items []CalendarEntry `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// CreateCalendarEntryRequest is the body of CreateCalendarEntry.
type CreateCalendarEntryRequest struct {
	// 1..120 graphemes, one line.
	Title    string    `json:"title"`
	StartsAt time.Time `json:"starts_at"`
	// Later than `starts_at`.
	EndsAt *time.Time `json:"ends_at,omitzero"`
	// IANA zone. Fixed offsets are 400.
	Timezone *string `json:"timezone,omitzero"`
	// `false` by default.
	AllDay *bool `json:"all_day,omitzero"`
	// Up to 300 graphemes.
	LocationText *string `json:"location_text,omitzero"`
	// Up to 2000 graphemes.
	Notes          *string  `json:"notes,omitzero"`
	InviteeUserIDs []string `json:"invitee_user_ids,omitzero"`
}

// UpdateCalendarEntryRequest is the body of UpdateCalendarEntry.
type UpdateCalendarEntryRequest struct {
	// 1..120 graphemes, one line.
	Title    *string    `json:"title,omitzero"`
	StartsAt *time.Time `json:"starts_at,omitzero"`
	// Later than `starts_at`.
	EndsAt Nullable[time.Time] `json:"ends_at,omitzero"`
	// IANA zone. Fixed offsets are 400.
	Timezone *string `json:"timezone,omitzero"`
	AllDay   *bool   `json:"all_day,omitzero"`
	// Up to 300 graphemes.
	LocationText Nullable[string] `json:"location_text,omitzero"`
	// Up to 2000 graphemes.
	Notes Nullable[string] `json:"notes,omitzero"`
}

// CalendarInvite is the response of AnswerCalendarInvite.
type CalendarInvite struct {
	Invite CalendarInviteCore  `json:"invite"`
	Entry  CalendarInviteEntry `json:"entry"`
	// If null, show `invite.invited_by_user_id` instead.
	InviterProfile *PublicProfile `json:"inviter_profile"`
	// If null, show `invite.invited_user_id` instead.
	InvitedProfile *PublicProfile `json:"invited_profile"`
}

// CalendarInviteCore is part of other types.
type CalendarInviteCore struct {
	ID              string             `json:"id"`
	Status          InvitationStatus   `json:"status"`
	InvitedByUserID string             `json:"invited_by_user_id"`
	InvitedUserID   string             `json:"invited_user_id"`
	EntryID         string             `json:"entry_id"`
	EventID         *string            `json:"event_id"`
	Role            CalendarInviteRole `json:"role"`
	CreatedAt       time.Time          `json:"created_at"`
	RespondedAt     *time.Time         `json:"responded_at"`
}

// CalendarInviteEntry is part of other types.
type CalendarInviteEntry struct {
	ID           string    `json:"id"`
	Title        string    `json:"title"`
	StartsAt     time.Time `json:"starts_at"`
	LocationText *string   `json:"location_text"`
}

// CalendarInvitesResponse is the response of ListCalendarInvites.
type CalendarInvitesResponse struct {
	Items []CalendarInvite `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
	// About all invites to calendar entries that the viewer has sent. Null with `role=incoming`.
	Messages *InvitationMessages `json:"messages"`
}

// CalendarInviteDetails is the response of GetCalendarInvite.
type CalendarInviteDetails struct {
	ID              string                     `json:"id"`
	Status          InvitationStatus           `json:"status"`
	EntryID         string                     `json:"entry_id"`
	EventID         *string                    `json:"event_id"`
	InvitedByUserID string                     `json:"invited_by_user_id"`
	InvitedUserID   string                     `json:"invited_user_id"`
	Role            CalendarInviteRole         `json:"role"`
	CreatedAt       time.Time                  `json:"created_at"`
	RespondedAt     *time.Time                 `json:"responded_at"`
	Entry           CalendarInviteDetailsEntry `json:"entry"`
	// If null, show `invited_by_user_id` instead.
	InviterProfile *PublicProfile `json:"inviter_profile"`
	// If null, show `invited_user_id` instead.
	InvitedProfile *PublicProfile `json:"invited_profile"`
	// Without incognito participants.
	Participants []CalendarInviteParticipant `json:"participants"`
}

// CalendarInviteDetailsEntry is part of other types.
type CalendarInviteDetailsEntry struct {
	ID       string     `json:"id"`
	Title    string     `json:"title"`
	StartsAt time.Time  `json:"starts_at"`
	EndsAt   *time.Time `json:"ends_at"`
	// IANA time zone.
	Timezone     string  `json:"timezone"`
	LocationText *string `json:"location_text"`
}

// CalendarInviteParticipant is part of other types.
type CalendarInviteParticipant struct {
	Invite  CalendarInviteParticipantInvite `json:"invite"`
	Profile PublicProfile                   `json:"profile"`
}

// CalendarInviteParticipantInvite is part of other types.
type CalendarInviteParticipantInvite struct {
	ID     string           `json:"id"`
	Status InvitationStatus `json:"status"`
}

// AnswerCalendarInviteRequest is the body of AnswerCalendarInvite.
type AnswerCalendarInviteRequest struct {
	Status InvitationAnswer `json:"status"`
}

// NotificationKind: Show an unknown kind by its title, body and href. One of `event_invitation`, `event_invitation_response`, `event_joined`,
// `followed_user_going`, `followed_user_event`, `event_updated`, `event_canceled`, `event_completed`, `event_date_option_added`,
// `event_date_selected`, `event_announcement`, `event_post`, `post_commented`, `comment_replied`, `post_liked`, `post_reposted`,
// `user_followed`, `calendar_invite`, `calendar_invite_response`, `event_review`, `report_updated`, `moderation_warning`,
// `payment_succeeded`, `payment_canceled`, `webhook_disabled`, `event_reminder`, `email_suppressed`, `passkey_added`, `api_key_added`,
// `new_device`, `webhook_added`, `waitlist_offer`, `waitlist_joined`, `waitlist_expired`, `event_requested`, `request_approved`,
// `request_declined`, `event_removed`, `host_invitation`, `host_joined`, `event_transferred`, `series_drafts`, `host_removed`,
// `guest_message`, `group_invitation`, `group_requested`, `group_approved`, `group_removed`, `group_transferred`, `group_event`,
// `group_announcement`, `group_source_failed`, `event_calendar` and `chat_unread` (only in rules); values may be added.
type NotificationKind string

// The values of NotificationKind.
const (
	NotificationKindEventInvitation         NotificationKind = "event_invitation"
	NotificationKindEventInvitationResponse NotificationKind = "event_invitation_response"
	NotificationKindEventJoined             NotificationKind = "event_joined"
	NotificationKindFollowedUserGoing       NotificationKind = "followed_user_going"
	NotificationKindFollowedUserEvent       NotificationKind = "followed_user_event"
	NotificationKindEventUpdated            NotificationKind = "event_updated"
	NotificationKindEventCanceled           NotificationKind = "event_canceled"
	NotificationKindEventCompleted          NotificationKind = "event_completed"
	NotificationKindEventDateOptionAdded    NotificationKind = "event_date_option_added"
	NotificationKindEventDateSelected       NotificationKind = "event_date_selected"
	NotificationKindEventAnnouncement       NotificationKind = "event_announcement"
	NotificationKindEventPost               NotificationKind = "event_post"
	NotificationKindPostCommented           NotificationKind = "post_commented"
	NotificationKindCommentReplied          NotificationKind = "comment_replied"
	NotificationKindPostLiked               NotificationKind = "post_liked"
	NotificationKindPostReposted            NotificationKind = "post_reposted"
	NotificationKindUserFollowed            NotificationKind = "user_followed"
	NotificationKindCalendarInvite          NotificationKind = "calendar_invite"
	NotificationKindCalendarInviteResponse  NotificationKind = "calendar_invite_response"
	NotificationKindEventReview             NotificationKind = "event_review"
	NotificationKindReportUpdated           NotificationKind = "report_updated"
	NotificationKindModerationWarning       NotificationKind = "moderation_warning"
	NotificationKindPaymentSucceeded        NotificationKind = "payment_succeeded"
	NotificationKindPaymentCanceled         NotificationKind = "payment_canceled"
	NotificationKindWebhookDisabled         NotificationKind = "webhook_disabled"
	NotificationKindEventReminder           NotificationKind = "event_reminder"
	NotificationKindEmailSuppressed         NotificationKind = "email_suppressed"
	NotificationKindPasskeyAdded            NotificationKind = "passkey_added"
	NotificationKindAPIKeyAdded             NotificationKind = "api_key_added"
	NotificationKindNewDevice               NotificationKind = "new_device"
	NotificationKindWebhookAdded            NotificationKind = "webhook_added"
	NotificationKindWaitlistOffer           NotificationKind = "waitlist_offer"
	NotificationKindWaitlistJoined          NotificationKind = "waitlist_joined"
	NotificationKindWaitlistExpired         NotificationKind = "waitlist_expired"
	NotificationKindEventRequested          NotificationKind = "event_requested"
	NotificationKindRequestApproved         NotificationKind = "request_approved"
	NotificationKindRequestDeclined         NotificationKind = "request_declined"
	NotificationKindEventRemoved            NotificationKind = "event_removed"
	NotificationKindHostInvitation          NotificationKind = "host_invitation"
	NotificationKindHostJoined              NotificationKind = "host_joined"
	NotificationKindEventTransferred        NotificationKind = "event_transferred"
	NotificationKindSeriesDrafts            NotificationKind = "series_drafts"
	NotificationKindHostRemoved             NotificationKind = "host_removed"
	NotificationKindGuestMessage            NotificationKind = "guest_message"
	NotificationKindGroupInvitation         NotificationKind = "group_invitation"
	NotificationKindGroupRequested          NotificationKind = "group_requested"
	NotificationKindGroupApproved           NotificationKind = "group_approved"
	NotificationKindGroupRemoved            NotificationKind = "group_removed"
	NotificationKindGroupTransferred        NotificationKind = "group_transferred"
	NotificationKindGroupEvent              NotificationKind = "group_event"
	NotificationKindGroupAnnouncement       NotificationKind = "group_announcement"
	NotificationKindGroupSourceFailed       NotificationKind = "group_source_failed"
	NotificationKindEventCalendar           NotificationKind = "event_calendar"
	NotificationKindChatUnread              NotificationKind = "chat_unread"
)

// NotificationChannel: A way to reach a user outside the app. One of `email`, `push`; values may be added.
type NotificationChannel string

// The values of NotificationChannel.
const (
	NotificationChannelEmail NotificationChannel = "email"
	NotificationChannelPush  NotificationChannel = "push"
)

// NotificationMode: `digest` collects notifications into one message a day. One of `instant`, `digest`, `off`; values may be added.
type NotificationMode string

// The values of NotificationMode.
const (
	NotificationModeInstant NotificationMode = "instant"
	NotificationModeDigest  NotificationMode = "digest"
	NotificationModeOff     NotificationMode = "off"
)

// NotificationRule is part of other types.
type NotificationRule struct {
	Kind    NotificationKind    `json:"kind"`
	Channel NotificationChannel `json:"channel"`
	Mode    NotificationMode    `json:"mode"`
	Default NotificationMode    `json:"default"`
}

// NotificationRuleInput is part of other types.
type NotificationRuleInput struct {
	Kind    NotificationKind    `json:"kind"`
	Channel NotificationChannel `json:"channel"`
	Mode    NotificationMode    `json:"mode"`
}

// QuietHours: Local times, like `22:00` to `08:00`. They must differ.
type QuietHours struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// DigestTime is part of other types.
type DigestTime struct {
	// Local hour.
	Hour int `json:"hour"`
	// 1 is Monday, 7 is Sunday.
	Weekdays []int `json:"weekdays"`
}

// NotificationEmail is part of other types.
type NotificationEmail struct {
	Address string `json:"address"`
	// E-mails are sent only to a verified address.
	Verified bool `json:"verified"`
	// Since when no notifications are sent to the address, because e-mails to it came back; `null` if they are sent. Signing in by
	// e-mail ends it.
	SuppressedAt *time.Time `json:"suppressed_at"`
}

// NotificationLanguage: Language of e-mails and push messages. One of `en`, `de`, `ru`; values may be added.
type NotificationLanguage string

// The values of NotificationLanguage.
const (
	NotificationLanguageEn NotificationLanguage = "en"
	NotificationLanguageDe NotificationLanguage = "de"
	NotificationLanguageRu NotificationLanguage = "ru"
)

// PushKey is the response of GetPushKey.
type PushKey struct {
	// `applicationServerKey`: an uncompressed point of P-256 in base64url.
	PublicKey string `json:"public_key"`
}

// CreatePushSubscriptionRequest is the body of CreatePushSubscription.
type CreatePushSubscriptionRequest struct {
	// Address of the push service; `https` on port 443 of a public host. It is secret.
	Endpoint string               `json:"endpoint"`
	Keys     PushSubscriptionKeys `json:"keys"`
	// Sent by browsers; ignored.
	ExpirationTime *float64 `json:"expirationTime,omitzero"`
}

// PushSubscriptionKeys is part of other types.
type PushSubscriptionKeys struct {
	// Public key of the browser: an uncompressed point of P-256 in base64url.
	P256DH string `json:"p256dh"`
	// Secret of the browser: 16 bytes in base64url.
	Auth string `json:"auth"`
}

// PushSubscription is the response of CreatePushSubscription.
type PushSubscription struct {
	ID string `json:"id"`
	// Host of the push service.
	EndpointHost string `json:"endpoint_host"`
	// Browser and device.
	DeviceName *string   `json:"device_name"`
	CreatedAt  time.Time `json:"created_at"`
	// Whether the subscription belongs to the session of the request.
	IsCurrent bool `json:"is_current"`
}

// PushSubscriptionsResponse is the response of ListPushSubscriptions.
type PushSubscriptionsResponse struct {
	Items []PushSubscription `json:"items"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// NotificationPreferences is the response of GetNotificationPreferences and UpdateNotificationPreferences.
type NotificationPreferences struct {
	// Channels that the service can use. Preferences of the other channels are stored only.
	Channels []NotificationChannel `json:"channels"`
	// One rule for each kind and channel, in a fixed order.
	Rules []NotificationRule `json:"rules"`
	// Null by default.
	QuietHours *QuietHours `json:"quiet_hours"`
	// Time zone of quiet hours and digests (IANA name).
	Timezone string               `json:"timezone"`
	Digest   DigestTime           `json:"digest"`
	Language NotificationLanguage `json:"language"`
	// The user's language and region (BCP 47), such as `en-US`. Its region decides between 12 and 24 hours in messages. Its language
	// is that of messages until the user sets another `language`. Null by default.
	Locale *string `json:"locale"`
	// Null if the account has no e-mail address.
	Email *NotificationEmail `json:"email"`
	// How many browsers and apps of the user receive push messages: those that `GET /me/push-subscriptions` lists.
	PushSubscriptions int `json:"push_subscriptions"`
}

// UpdateNotificationPreferencesRequest is the body of UpdateNotificationPreferences.
type UpdateNotificationPreferencesRequest struct {
	Rules      []NotificationRuleInput `json:"rules,omitzero"`
	QuietHours Nullable[QuietHours]    `json:"quiet_hours,omitzero"`
	// IANA name of a place or UTC.
	Timezone Nullable[string]               `json:"timezone,omitzero"`
	Digest   Nullable[DigestTime]           `json:"digest,omitzero"`
	Language Nullable[NotificationLanguage] `json:"language,omitzero"`
	// A BCP 47 tag, such as `en-US`.
	Locale Nullable[string] `json:"locale,omitzero"`
}

// EventMute is the response of MuteEvent and UnmuteEvent.
type EventMute struct {
	EventID string `json:"event_id"`
	Muted   bool   `json:"muted"`
}

// Notification is the response of ReadNotification.
type Notification struct {
	ID    string           `json:"id"`
	Kind  NotificationKind `json:"kind"`
	Title string           `json:"title"`
	Body  *string          `json:"body"`
	// Local path to open.
	Href *string `json:"href"`
	// Null while unread.
	ReadAt    *time.Time `json:"read_at"`
	CreatedAt time.Time  `json:"created_at"`
	// User who caused the notification.
	Actor   *PublicProfile `json:"actor"`
	EventID *string        `json:"event_id"`
}

// NotificationsResponse is the response of ListNotifications.
type NotificationsResponse struct {
	Items       []Notification `json:"items"`
	UnreadCount int            `json:"unread_count"`
	// Cursor of the next page, or null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// UnreadCountResponse is the response of CountUnreadNotifications.
type UnreadCountResponse struct {
	UnreadCount int `json:"unread_count"`
}

// ReadAllNotificationsResult is the response of ReadAllNotifications.
type ReadAllNotificationsResult struct {
	// Number of notifications that were unread.
	UpdatedCount int `json:"updated_count"`
	// Number of notifications that are unread now.
	UnreadCount int `json:"unread_count"`
}

// PaymentProfileStatus: One of `unverified`, `verified`, `blocked`; values may be added.
type PaymentProfileStatus string

// The values of PaymentProfileStatus.
const (
	PaymentProfileStatusUnverified PaymentProfileStatus = "unverified"
	PaymentProfileStatusVerified   PaymentProfileStatus = "verified"
	PaymentProfileStatusBlocked    PaymentProfileStatus = "blocked"
)

// OrganizerPaymentProfile is the response of GetPaymentProfile and UpdatePaymentProfile.
type OrganizerPaymentProfile struct {
	UserID        string               `json:"user_id"`
	Status        PaymentProfileStatus `json:"status"`
	Provider      string               `json:"provider"`
	BlockedReason *string              `json:"blocked_reason"`
	VerifiedAt    *time.Time           `json:"verified_at"`
	CreatedAt     time.Time            `json:"created_at"`
	UpdatedAt     time.Time            `json:"updated_at"`
}

// UpdatePaymentProfileRequest is the body of UpdatePaymentProfile.
type UpdatePaymentProfileRequest struct {
	Status string `json:"status"`
}

// PaymentIntentStatus: `pending` changes to one of the other states, which are final. One of `pending`, `succeeded`, `canceled`, `expired`; values
// may be added.
type PaymentIntentStatus string

// The values of PaymentIntentStatus.
const (
	PaymentIntentStatusPending   PaymentIntentStatus = "pending"
	PaymentIntentStatusSucceeded PaymentIntentStatus = "succeeded"
	PaymentIntentStatusCanceled  PaymentIntentStatus = "canceled"
	PaymentIntentStatusExpired   PaymentIntentStatus = "expired"
)

// PaymentIntent is the response of CreatePaymentIntent and GetPaymentIntent.
type PaymentIntent struct {
	ID                string              `json:"id"`
	EventID           string              `json:"event_id"`
	UserID            string              `json:"user_id"`
	Provider          string              `json:"provider"`
	ProviderPaymentID string              `json:"provider_payment_id"`
	Status            PaymentIntentStatus `json:"status"`
	// In minor units, copied from the event.
	Amount int `json:"amount"`
	// ISO 4217.
	Currency string `json:"currency"`
	// Where to pay, or null once the status is final.
	CheckoutURL *string    `json:"checkout_url"`
	ExpiresAt   time.Time  `json:"expires_at"`
	PaidAt      *time.Time `json:"paid_at"`
	CanceledAt  *time.Time `json:"canceled_at"`
	CreatedAt   time.Time  `json:"created_at"`
	UpdatedAt   time.Time  `json:"updated_at"`
	// Since when the money is to be refunded; null if it is not. It is, if the money came after the intent was canceled or had expired.
	// It also is, if the event was canceled, the payer was removed from it, or payer and organizer have a block between them. Then the
	// payment no longer lets the payer join.
	RefundDueAt *time.Time `json:"refund_due_at"`
}

// MailEvents: The body of the provider's webhook, an object or an array.
type MailEvents any

// MailEventsResponse is the response of ReceiveMailEvents.
type MailEventsResponse struct {
	// How many events the request had.
	Events int `json:"events"`
}

// PaymentWebhookEvent: Any JSON object. These are the fields of the development provider.
type PaymentWebhookEvent struct {
	// Event id at the provider.
	ID *string `json:"id,omitzero"`
	// `payment.succeeded`, `payment.canceled`, `payment.expired`, `account.verified`, `account.blocked` or `account.unverified`. Any
	// other type is acknowledged and ignored.
	Type              *string        `json:"type,omitzero"`
	ProviderPaymentID *string        `json:"provider_payment_id,omitzero"`
	CreatedAt         *time.Time     `json:"created_at,omitzero"`
	Data              map[string]any `json:"data,omitzero"`
}

// PaymentWebhookResponse is the response of ReceivePaymentWebhook.
type PaymentWebhookResponse struct {
	Result string `json:"result"`
	// Whether the event was received before.
	Duplicate       bool    `json:"duplicate"`
	Provider        string  `json:"provider"`
	ProviderEventID string  `json:"provider_event_id"`
	PaymentIntentID *string `json:"payment_intent_id"`
}
