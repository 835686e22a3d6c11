package policy

import (
	"net/http"

	"moothall/internal/test/apptest"
)

// accountOperation is an operation that is not on one event. Suspended users get
// 401 wherever the session counts.
type accountOperation struct {
	name         string
	method, path string
	body         string

	anonymous int           // status for anonymous callers
	member    int           // status for signed-in users
	but       map[actor]int // exceptions
	session   session
}

// session is how an operation uses the session of the caller.
type session int

const (
	counts  session = iota // the result depends on it
	ignored                // the result is the same without it
	ended                  // the operation ends it, so the caller gets a new one
)

// unknown is an id that nothing has.
const unknown = "0198f000-0000-7000-8000-000000000000"

const badToken = `{"refresh_token":"rt_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}`

// accountOperations are called in this order, each by every actor. {organizer} is
// the organizer's id; {entry} and the like are ids of things that they own.
var accountOperations = []accountOperation{
	{name: "getHealth", method: "GET", path: "/healthz", anonymous: 200, member: 200, session: ignored},
	{name: "startDevSignIn", method: "POST", path: "/auth/dev/start", body: `{"email":"new@example.org"}`, anonymous: 200, member: 200, session: ignored},
	{name: "verifyDevSignIn", method: "POST", path: "/auth/dev/verify", body: `{"email":"nobody@example.org","code":"123456"}`, anonymous: 401, member: 401, session: ignored},
	{name: "startEmailSignIn", method: "POST", path: "/auth/email/start", body: `{"email":"new@example.org"}`, anonymous: 200, member: 200, session: ignored},
	{name: "verifyEmailSignIn", method: "POST", path: "/auth/email/verify", body: `{"email":"new@example.org","code":"123456"}`, anonymous: 401, member: 401, session: ignored},
	{name: "getEmailSignInStatus", method: "POST", path: "/auth/email/status", body: `{}`, anonymous: 401, member: 401, session: ignored},
	{name: "startPasskeySignIn", method: "POST", path: "/auth/passkey/options", body: `{}`, anonymous: 200, member: 200, session: ignored},
	{name: "verifyPasskeySignIn", method: "POST", path: "/auth/passkey/verify", body: `{"id":"AQIDBA","rawId":"AQIDBA","type":"public-key","response":{"clientDataJSON":"e30","authenticatorData":"AA","signature":"AA"}}`, anonymous: 401, member: 401, session: ignored},
	{name: "startPhoneCall", method: "POST", path: "/auth/phone/call/start", body: `{"phone":"+79161234567"}`, anonymous: 200, member: 200, session: ignored},
	{name: "getPhoneCallStatus", method: "POST", path: "/auth/phone/call/status", body: `{"challenge_id":"` + unknown + `"}`, anonymous: 401, member: 401, session: ignored},
	{name: "startIdpSignIn", method: "GET", path: "/auth/idp/start", anonymous: 503, member: 503, session: ignored},
	{name: "finishIdpSignIn", method: "GET", path: "/auth/idp/callback", anonymous: 303, member: 303, session: ignored},
	{name: "signInWithIdpToken", method: "POST", path: "/auth/idp/mobile", body: `{"oauth_token":"x"}`, anonymous: 503, member: 503, session: ignored},
	{name: "refreshSession", method: "POST", path: "/auth/refresh", body: badToken, anonymous: 401, member: 401, session: ignored},
	{name: "listSessions", method: "GET", path: "/auth/sessions", anonymous: 401, member: 200},
	{name: "revokeSession", method: "DELETE", path: "/auth/sessions/" + unknown, anonymous: 401, member: 204},

	{name: "createEventSeries", method: "POST", path: "/event-series", body: `{"rrule":"FREQ=DAILY;COUNT=1","starts_at":"2098-06-20T19:00:00","timezone":"Europe/Berlin","template":{"title":"Tea"}}`, anonymous: 401, member: 201},
	{name: "previewEventSeries", method: "GET", path: "/event-series/preview?rrule=FREQ=DAILY&starts_at=2098-06-18T18:00:00&timezone=Europe/Berlin", anonymous: 401, member: 200},
	{name: "getEventSeries", method: "GET", path: "/event-series/{series}", anonymous: 200, member: 200, but: map[actor]int{blocked: 404, blocker: 404}},
	{name: "listSeriesEvents", method: "GET", path: "/event-series/{series}/events", anonymous: 200, member: 200, but: map[actor]int{blocked: 404, blocker: 404}},
	{name: "listSeriesDates", method: "GET", path: "/event-series/{series}/dates", anonymous: 401, member: 404, but: theirs(200)},
	{name: "listMyEventSeries", method: "GET", path: "/me/event-series", anonymous: 401, member: 200},
	{name: "joinEventSeries", method: "POST", path: "/event-series/{series}/join", anonymous: 401, member: 200, but: map[actor]int{blocked: 404, blocker: 404}},
	{name: "leaveEventSeries", method: "DELETE", path: "/event-series/{series}/join?dates=leave", anonymous: 401, member: 204, but: map[actor]int{blocked: 404, blocker: 404}},
	{name: "updateEventSeries", method: "PATCH", path: "/event-series/{series}", body: `{"template":{"title":"Coffee"}}`, anonymous: 401, member: 404, but: theirs(200)},
	{name: "skipSeriesDate", method: "POST", path: "/event-series/{series}/skip", body: `{"occurrence_at":"2098-06-20T19:00:00"}`, anonymous: 401, member: 404, but: theirs(400)}, // no date of it
	{name: "pauseEventSeries", method: "POST", path: "/event-series/{series}/pause", anonymous: 401, member: 404, but: theirs(200)},
	{name: "resumeEventSeries", method: "POST", path: "/event-series/{series}/resume", anonymous: 401, member: 404, but: theirs(200)},
	{name: "splitEventSeries", method: "POST", path: "/event-series/{series}/split", body: `{"from":"2098-06-20T19:00:00","rrule":"FREQ=DAILY","starts_at":"2098-06-20T20:00:00"}`, anonymous: 401, member: 404, but: theirs(400)},
	{name: "endEventSeries", method: "POST", path: "/event-series/{series}/end", anonymous: 401, member: 404, but: theirs(200)},

	{name: "createGroup", method: "POST", path: "/groups", body: `{"name":"Tea friends"}`, anonymous: 401, member: 201},
	{name: "listGroups", method: "GET", path: "/groups", anonymous: 200, member: 200},
	{name: "listMyGroups", method: "GET", path: "/me/groups", anonymous: 401, member: 200},
	{name: "getGroup", method: "GET", path: "/groups/{group}", anonymous: 200, member: 200, but: map[actor]int{blocked: 404, blocker: 404}},
	{name: "listGroupMembers", method: "GET", path: "/groups/{group}/members", anonymous: 403, member: 403, but: group(200)},
	{name: "inviteToGroup", method: "POST", path: "/groups/{group}/invitations", body: `{"user_id":"{author}"}`, anonymous: 401, member: 403, but: group(200)},
	{name: "updateGroup", method: "PATCH", path: "/groups/{group}", body: `{"name":"Tea"}`, anonymous: 401, member: 403, but: group(200)},
	{name: "setGroupImage", method: "PUT", path: "/groups/{group}/image", body: apptest.Pixel, anonymous: 401, member: 403, but: group(200)},
	{name: "deleteGroupImage", method: "DELETE", path: "/groups/{group}/image", anonymous: 401, member: 403, but: group(204)},
	{name: "updateGroupMember", method: "PATCH", path: "/groups/{group}/members/{author}", body: `{"status":"active"}`, anonymous: 401, member: 403, but: group(403)},
	{name: "removeGroupMember", method: "DELETE", path: "/groups/{group}/members/{author}", anonymous: 401, member: 403, but: group(204)},
	{name: "transferGroup", method: "POST", path: "/groups/{group}/transfer", body: `{"user_id":"{author}"}`, anonymous: 401, member: 403, but: group(404)},
	{name: "listGroupEvents", method: "GET", path: "/groups/{group}/events", anonymous: 200, member: 200, but: map[actor]int{blocked: 404, blocker: 404}},
	{name: "listGroupAnnouncements", method: "GET", path: "/groups/{group}/announcements", anonymous: 401, member: 403, but: group(200)},
	{name: "announceToGroup", method: "POST", path: "/groups/{group}/announcements", body: `{"body":"Tea"}`, anonymous: 401, member: 403, but: group(201)},
	{name: "listGroupSources", method: "GET", path: "/groups/{group}/sources", anonymous: 401, member: 403, but: group(200)},
	{name: "addGroupSource", method: "PUT", path: "/groups/{group}/sources", body: `{"url":"https://calendar.example.com/a.ics"}`, anonymous: 401, member: 403, but: group(200)},
	{name: "removeGroupSource", method: "DELETE", path: "/groups/{group}/sources/{group}", anonymous: 401, member: 403, but: group(404)},
	{name: "joinGroup", method: "POST", path: "/groups/{group}/membership", anonymous: 401, member: 200, but: map[actor]int{blocked: 404, blocker: 404}},
	{name: "leaveGroup", method: "DELETE", path: "/groups/{group}/membership", anonymous: 401, member: 204, but: group(403)},
	{name: "deleteGroup", method: "DELETE", path: "/groups/{group}", anonymous: 401, member: 403, but: map[actor]int{organizer: 204, blocked: 404, blocker: 404, moderator: 404, host: 404, asked: 404, former: 404, queued: 404, applicant: 404, removed: 404}},

	{name: "listWebhooks", method: "GET", path: "/me/webhooks", anonymous: 401, member: 200},
	{name: "createWebhook", method: "POST", path: "/me/webhooks", body: `{"url":"https://example.com/","kinds":["event.canceled"]}`, anonymous: 401, member: 201},
	{name: "getWebhook", method: "GET", path: "/me/webhooks/{webhook}", anonymous: 401, member: 404, but: theirs(200)},
	{name: "listWebhookDeliveries", method: "GET", path: "/me/webhooks/{webhook}/deliveries", anonymous: 401, member: 404, but: theirs(200)},
	{name: "updateWebhook", method: "PATCH", path: "/me/webhooks/{webhook}", body: `{"status":"active"}`, anonymous: 401, member: 404, but: theirs(200)},
	{name: "rotateWebhookSecret", method: "POST", path: "/me/webhooks/{webhook}/rotate-secret", anonymous: 401, member: 404, but: theirs(200)},
	{name: "replayWebhook", method: "POST", path: "/me/webhooks/{webhook}/replay", body: `{"from":"2020-01-01T00:00:00Z","to":"2020-01-01T00:00:00Z"}`, anonymous: 401, member: 404, but: theirs(202)},
	{name: "testWebhook", method: "POST", path: "/me/webhooks/{paused_webhook}/test", anonymous: 401, member: 404, but: theirs(403)},
	{name: "deleteWebhook", method: "DELETE", path: "/me/webhooks/{webhook}", anonymous: 401, member: 404, but: theirs(204)},
	{name: "importFile", method: "POST", path: "/me/imports", body: apptest.Calendar, anonymous: 401, member: 200},
	{name: "importAddress", method: "POST", path: "/me/imports/fetch", body: `{"url":"https://127.0.0.1/"}`, anonymous: 401, member: 400},
	{name: "getImport", method: "GET", path: "/me/imports/{import}", anonymous: 401, member: 404, but: theirs(200)},
	{name: "applyImport", method: "POST", path: "/me/imports/{import}/apply", body: `{}`, anonymous: 401, member: 404, but: theirs(200)},
	{name: "listApiKeys", method: "GET", path: "/me/api-keys", anonymous: 401, member: 200},
	{name: "createApiKey", method: "POST", path: "/me/api-keys", body: `{"name":"Printer","scopes":["events:read"]}`, anonymous: 401, member: 201},
	{name: "deleteApiKey", method: "DELETE", path: "/me/api-keys/" + unknown, anonymous: 401, member: 204},
	{name: "listPasskeys", method: "GET", path: "/me/passkeys", anonymous: 401, member: 200},
	{name: "startPasskeyRegistration", method: "POST", path: "/me/passkeys/options", anonymous: 401, member: 200},
	{name: "createPasskey", method: "POST", path: "/me/passkeys", body: `{"credential":{"id":"AQIDBA","rawId":"AQIDBA","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"oA"}}}`, anonymous: 401, member: 400},
	{name: "updatePasskey", method: "PATCH", path: "/me/passkeys/{passkey}", body: `{"name":"Laptop"}`, anonymous: 401, member: 404, but: theirs(200)},
	{name: "deletePasskey", method: "DELETE", path: "/me/passkeys/{passkey}", anonymous: 401, member: 404, but: theirs(204)},
	{name: "getPushKey", method: "GET", path: "/push/key", anonymous: 401, member: 200},
	{name: "listPushSubscriptions", method: "GET", path: "/me/push-subscriptions", anonymous: 401, member: 200},
	{name: "createPushSubscription", method: "POST", path: "/me/push-subscriptions", body: pushSubscription, anonymous: 401, member: 201},
	{name: "deletePushSubscription", method: "DELETE", path: "/me/push-subscriptions/{push_subscription}", anonymous: 401, member: 404, but: theirs(204)},
	{name: "getMe", method: "GET", path: "/me", anonymous: 401, member: 200},
	{name: "updateMyProfile", method: "PATCH", path: "/me/profile", body: `{}`, anonymous: 401, member: 200},
	{name: "setAvatar", method: "PUT", path: "/me/avatar", body: apptest.Pixel, anonymous: 401, member: 200},
	{name: "deleteAvatar", method: "DELETE", path: "/me/avatar", anonymous: 401, member: 204},
	{name: "exportMe", method: "GET", path: "/me/export", anonymous: 401, member: 200},
	{name: "listProfiles", method: "GET", path: "/users/profiles", anonymous: 200, member: 200},
	{name: "getProfile", method: "GET", path: "/users/{organizer}/profile", anonymous: 200, member: 200,
		but: map[actor]int{blocked: 404}}, // the blocker may see whom they blocked
	{name: "getProfileByUsername", method: "GET", path: "/users/by-username/{organizer_name}", anonymous: 200, member: 200,
		but: map[actor]int{blocked: 404}},
	{name: "getFollow", method: "GET", path: "/users/{organizer}/follow", anonymous: 401, member: 200, but: parted(404)},
	{name: "followUser", method: "POST", path: "/users/{organizer}/follow", anonymous: 401, member: 200,
		but: map[actor]int{blocked: 404, blocker: 404, organizer: 400}},
	{name: "unfollowUser", method: "DELETE", path: "/users/{organizer}/follow", anonymous: 401, member: 200, but: parted(404)},
	{name: "getBlock", method: "GET", path: "/users/{organizer}/block", anonymous: 401, member: 200},

	{name: "listEvents", method: "GET", path: "/events", anonymous: 200, member: 200},
	{name: "createEvent", method: "POST", path: "/events", body: `{"title":"Tea","starts_at":"2026-12-01T18:00:00Z"}`, anonymous: 401, member: 201},
	{name: "mapEvents", method: "GET", path: "/events/map?bbox=-10,-10,10,10", anonymous: 200, member: 200},
	{name: "createRealtimeTicket", method: "POST", path: "/realtime/tickets", anonymous: 401, member: 200},
	{name: "openRealtimeStream of an unknown topic", method: "GET", path: "/realtime/stream?topic=us", anonymous: 401, member: 400},
	{name: "openRealtimeSocket without a handshake", method: "GET", path: "/realtime", anonymous: 401, member: 400},
	{name: "listMyChats", method: "GET", path: "/me/chats", anonymous: 401, member: 200},
	{name: "listAddresses", method: "GET", path: "/places/addresses?q=berl", anonymous: 401, member: 200},
	{name: "listPlaces", method: "GET", path: "/places?q=berl", anonymous: 200, member: 200},
	{name: "listMyEvents", method: "GET", path: "/me/events", anonymous: 401, member: 200},
	{name: "listMyReposts", method: "GET", path: "/me/reposts", anonymous: 401, member: 200},

	{name: "createReport of a user", method: "POST", path: "/reports",
		body:      `{"target_type":"user","target_id":"{organizer}","reason":"spam"}`,
		anonymous: 401, member: 201, but: map[actor]int{blocked: 404, organizer: 400}},
	{name: "countOpenReports", method: "GET", path: "/admin/reports/open-count", anonymous: 401, member: 403, but: map[actor]int{moderator: 200}},
	{name: "listReports", method: "GET", path: "/admin/reports", anonymous: 401, member: 403, but: map[actor]int{moderator: 200}},
	{name: "updateReport", method: "PATCH", path: "/admin/reports/" + unknown, body: `{"status":"dismissed"}`,
		anonymous: 401, member: 403, but: map[actor]int{moderator: 404}},

	{name: "getFeed", method: "GET", path: "/feed", anonymous: 200, member: 200},
	{name: "getFeedPreferences", method: "GET", path: "/feed/preferences", anonymous: 401, member: 200},
	{name: "setFeedPreferences", method: "POST", path: "/feed/preferences", body: `{}`, anonymous: 401, member: 200},

	{name: "listCalendarEntries", method: "GET", path: "/calendar/entries", anonymous: 401, member: 200},
	{name: "createCalendarEntry", method: "POST", path: "/calendar/entries", body: `{"title":"Tea","starts_at":"2026-12-01T18:00:00Z"}`, anonymous: 401, member: 201},
	{name: "updateCalendarEntry", method: "PATCH", path: "/calendar/entries/{entry}", body: `{"notes":"Milk."}`, anonymous: 401, member: 404, but: theirs(200)},
	{name: "listCalendarInvites", method: "GET", path: "/calendar/invites", anonymous: 401, member: 200},
	{name: "getCalendarInvite", method: "GET", path: "/calendar/invites/{invite}", anonymous: 401, member: 404, but: theirs(200)},
	{name: "answerCalendarInvite", method: "PATCH", path: "/calendar/invites/{invite}", body: `{"status":"accepted"}`, anonymous: 401, member: 404},
	{name: "cancelCalendarEntry", method: "DELETE", path: "/calendar/entries/{entry}", anonymous: 401, member: 404, but: theirs(200)},

	{name: "openCalendarFeed", method: "POST", path: "/calendar/feed", anonymous: 401, member: 201},
	{name: "getCalendarFeed", method: "GET", path: "/calendar/feed", anonymous: 401, member: 200},
	{name: "readCalendarFeed", method: "GET", path: "/calendar/feeds/{feed}", anonymous: 200, member: 200, session: ignored},
	{name: "closeCalendarFeed", method: "DELETE", path: "/calendar/feed", anonymous: 401, member: 204},

	{name: "listNotifications", method: "GET", path: "/notifications", anonymous: 401, member: 200},
	{name: "countUnreadNotifications", method: "GET", path: "/notifications/unread-count", anonymous: 401, member: 200},
	{name: "readNotification", method: "POST", path: "/notifications/{notification}/read", anonymous: 401, member: 404, but: theirs(200)},
	{name: "readAllNotifications", method: "POST", path: "/notifications/read-all", anonymous: 401, member: 200},

	{name: "getNotificationPreferences", method: "GET", path: "/me/notification-preferences", anonymous: 401, member: 200},
	{name: "updateNotificationPreferences", method: "PATCH", path: "/me/notification-preferences", body: `{}`, anonymous: 401, member: 200},

	{name: "getPaymentProfile", method: "GET", path: "/me/payment-profile", anonymous: 401, member: 200},
	{name: "updatePaymentProfile", method: "PATCH", path: "/me/payment-profile", body: `{"status":"unverified"}`, anonymous: 401, member: 200},
	{name: "getPaymentIntent", method: "GET", path: "/payments/intents/" + unknown, anonymous: 401, member: 404},
	{name: "receivePaymentWebhook", method: "POST", path: "/payments/webhooks/development",
		body:      `{"id":"1","type":"x","provider_payment_id":"y"}`,
		anonymous: 401, member: 401, session: ignored},

	{name: "receiveMailEvents", method: "POST", path: "/mail/events/mailgun", body: `{}`, anonymous: 404, member: 404, session: ignored},

	{name: "proxyImage", method: "GET", path: "/images/proxy?url=https://127.0.0.1/a.png", anonymous: 400, member: 400, session: ignored},

	{name: "blockUser", method: "POST", path: "/users/{organizer}/block", anonymous: 401, member: 200, but: theirs(400)},
	{name: "unblockUser", method: "DELETE", path: "/users/{organizer}/block", anonymous: 401, member: 204},
	{name: "revokeOtherSessions", method: "POST", path: "/auth/sessions/revoke-others", anonymous: 401, member: 204},
	{name: "logout", method: "POST", path: "/auth/logout", anonymous: 401, member: 401, session: ignored},
	{name: "logout", method: "POST", path: "/auth/logout", body: badToken, anonymous: 204, member: 204, session: ignored},
	{name: "deleteMe", method: "DELETE", path: "/me", anonymous: 401, member: 204, session: ended},
}

// parted is the status for both sides of a block with the organizer.
func parted(status int) map[actor]int { return map[actor]int{blocked: status, blocker: status} }

// group are the exceptions of an operation of the owner of a group, who is in a block with two actors.
func group(status int) map[actor]int {
	return map[actor]int{organizer: status, blocked: 404, blocker: 404}
}

// theirs is the status for the organizer.
func theirs(status int) map[actor]int { return map[actor]int{organizer: status} }

func (o accountOperation) want(a actor) int {
	switch status, special := o.but[a]; {
	case special:
		return status
	case a == suspended && o.session != ignored:
		return http.StatusUnauthorized
	case a == anonymous:
		return o.anonymous
	}
	return o.member
}
