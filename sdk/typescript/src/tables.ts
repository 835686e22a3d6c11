// Generated from api/openapi.yaml by sdk/generate. Do not edit.

/** The values of ErrorCode in this version of the contract. */
export type ErrorCode =
  | "invalid_request"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "username_taken"
  | "conflict"
  | "precondition_failed"
  | "payload_too_large"
  | "unsupported_media_type"
  | "idempotency_key_reused"
  | "rate_limited"
  | "internal_error"
  | "image_unavailable"
  | "service_unavailable"
  | "outcome_unknown";

/** The values of ForbiddenReason in this version of the contract. */
export type ForbiddenReason =
  | "not_organizer"
  | "not_owner"
  | "not_participant"
  | "not_author"
  | "not_moderator"
  | "own_event"
  | "foreign_origin"
  | "insufficient_scope"
  | "event_draft"
  | "event_published"
  | "event_canceled"
  | "event_ended"
  | "event_public"
  | "event_private"
  | "event_untitled"
  | "event_external"
  | "event_full"
  | "event_free"
  | "event_not_full"
  | "waitlist_off"
  | "waitlist_full"
  | "removed"
  | "request_declined"
  | "approval_required"
  | "request_limit"
  | "answers_required"
  | "question_limit"
  | "host_limit"
  | "invitation_limit"
  | "invitation_required"
  | "member_limit"
  | "group_limit"
  | "source_limit"
  | "account_new"
  | "storage_full"
  | "blocked_by_state"
  | "payments_disabled"
  | "payment_required"
  | "already_paid"
  | "organizer_unverified";

/** Operations that need no access token. */
export const publicOperations: ReadonlySet<string> = new Set([
  "GET /healthz",
  "POST /auth/dev/start",
  "POST /auth/dev/verify",
  "POST /auth/email/start",
  "POST /auth/email/verify",
  "POST /auth/email/status",
  "POST /auth/phone/call/start",
  "POST /auth/phone/call/status",
  "POST /auth/passkey/options",
  "POST /auth/passkey/verify",
  "GET /auth/idp/start",
  "GET /auth/idp/callback",
  "POST /auth/idp/mobile",
  "POST /auth/refresh",
  "POST /auth/logout",
  "GET /calendar/feeds/{feed}",
  "POST /payments/webhooks/{provider}",
  "POST /mail/events/{provider}",
  "GET /images/proxy",
]);

/** Operations that take an Idempotency-Key. */
export const keyedOperations: ReadonlySet<string> = new Set([
  "POST /auth/refresh",
  "POST /events",
  "POST /events/{event_id}/clone",
  "POST /groups",
  "POST /groups/{group_id}/announcements",
  "POST /event-series",
  "POST /event-series/{series_id}/split",
  "POST /events/{event_id}/invitations",
  "POST /events/{event_id}/waitlist",
  "POST /events/{event_id}/email-invitations",
  "POST /events/{event_id}/invite-links",
  "POST /events/{event_id}/posts",
  "POST /events/{event_id}/posts/{post_id}/comments",
  "POST /events/{event_id}/guest-messages",
  "POST /me/passkeys",
  "POST /me/api-keys",
  "POST /me/push-subscriptions",
  "POST /me/webhooks",
  "POST /events/{event_id}/reviews",
  "POST /reports",
  "POST /events/{event_id}/date-options",
  "POST /events/{event_id}/messages",
  "POST /calendar/entries",
  "POST /calendar/feed",
  "POST /events/{event_id}/payment-intents",
]);
