package ops_test

import (
	"fmt"
	"maps"
	"time"

	"path"

	"moothall/internal/test/apptest"
)

// statementRow is one operation, called once.
type statementRow struct {
	name         string // operationId, and after a space the special case
	who          string
	method, path string
	body         string
	status       int
	save         map[string]string // fields of the response to save, by name
	varies       string            // why the statements may differ with much data; never more
}

// The callers. Ann is an ordinary member, and the only one whom others invite.
const (
	anonymous = "-"
	ann       = "member"
	organizer = "organizer"
	moderator = "moderator"
	leaver    = "leaver"
)

const fillsUp = "a page that the first read does not fill needs up to two more"

// statementRows are called in this order. Names in braces stand for ids: {event},
// {private}, {voted}, {paid}, {priced} and {past} are events of the organizer.
var statementRows = []statementRow{
	{name: "getHealth", who: anonymous, method: "GET", path: "/healthz", status: 200},
	{name: "startDevSignIn", who: anonymous, method: "POST", path: "/auth/dev/start", body: `{"email":"new@example.org"}`, status: 200, save: map[string]string{"code": "dev_code"}},
	{name: "verifyDevSignIn", who: anonymous, method: "POST", path: "/auth/dev/verify", body: `{"email":"new@example.org","code":"{code}"}`,
		status: 200,
		save:   map[string]string{"refresh": "refresh_token"}},
	{name: "startEmailSignIn", who: anonymous, method: "POST", path: "/auth/email/start", body: `{"email":"mailed@example.org"}`, status: 200, save: map[string]string{"email_challenge": "challenge"}},
	{name: "startEmailSignIn again", who: anonymous, method: "POST", path: "/auth/email/start", body: `{"email":"mailed@example.org","challenge":"{email_challenge}"}`, status: 200},
	{name: "getEmailSignInStatus", who: anonymous, method: "POST", path: "/auth/email/status", body: `{"challenge":"{email_challenge}"}`, status: 200},
	{name: "verifyEmailSignIn with a wrong code", who: anonymous, method: "POST", path: "/auth/email/verify", body: `{"email":"other@example.org","code":"123456","challenge":"{email_challenge}"}`, status: 401},
	{name: "startPasskeySignIn", who: anonymous, method: "POST", path: "/auth/passkey/options", body: `{}`, status: 200},
	{name: "verifyPasskeySignIn malformed", who: anonymous, method: "POST", path: "/auth/passkey/verify", body: `{"id":"AQIDBA","rawId":"AQIDBA","type":"public-key","response":{"clientDataJSON":"e30","authenticatorData":"AA","signature":"AA"}}`, status: 401},
	{name: "listPasskeys", who: ann, method: "GET", path: "/me/passkeys", status: 200},
	{name: "startPasskeyRegistration", who: ann, method: "POST", path: "/me/passkeys/options", status: 200},
	{name: "createPasskey malformed", who: ann, method: "POST", path: "/me/passkeys", body: `{"credential":{"id":"AQIDBA","rawId":"AQIDBA","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"oA"}}}`, status: 400},
	{name: "updatePasskey of nobody", who: ann, method: "PATCH", path: "/me/passkeys/01890a5d-ac96-474b-bcce-b302099a8057", body: `{"name":"Laptop"}`, status: 404},
	{name: "deletePasskey of nobody", who: ann, method: "DELETE", path: "/me/passkeys/01890a5d-ac96-474b-bcce-b302099a8057", status: 404},
	{name: "createWebhook", who: ann, method: "POST", path: "/me/webhooks", body: `{"url":"https://example.com/","kinds":["event.canceled"]}`,
		status: 201,
		save:   map[string]string{"webhook": "id"}},
	{name: "listWebhooks", who: ann, method: "GET", path: "/me/webhooks", status: 200},
	{name: "getWebhook", who: ann, method: "GET", path: "/me/webhooks/{webhook}", status: 200},
	{name: "updateWebhook", who: ann, method: "PATCH", path: "/me/webhooks/{webhook}", body: `{"status":"paused"}`, status: 200},
	{name: "testWebhook of a paused one", who: ann, method: "POST", path: "/me/webhooks/{webhook}/test", status: 403},
	{name: "replayWebhook of a paused one", who: ann, method: "POST", path: "/me/webhooks/{webhook}/replay", body: `{"from":"2020-01-01T00:00:00Z","to":"2020-01-01T00:00:00Z"}`, status: 403},
	{name: "rotateWebhookSecret", who: ann, method: "POST", path: "/me/webhooks/{webhook}/rotate-secret", status: 200},
	{name: "listWebhookDeliveries", who: ann, method: "GET", path: "/me/webhooks/{webhook}/deliveries", status: 200},
	{name: "deleteWebhook", who: ann, method: "DELETE", path: "/me/webhooks/{webhook}", status: 204},
	{name: "createApiKey", who: ann, method: "POST", path: "/me/api-keys", body: `{"name":"Printer","scopes":["events:read"]}`, status: 201,
		save: map[string]string{"api_key": "id"}},
	{name: "listApiKeys", who: ann, method: "GET", path: "/me/api-keys", status: 200},
	{name: "deleteApiKey", who: ann, method: "DELETE", path: "/me/api-keys/{api_key}", status: 204},
	{name: "getPushKey", who: ann, method: "GET", path: "/push/key", status: 200},
	{name: "createPushSubscription", who: ann, method: "POST", path: "/me/push-subscriptions", status: 201, save: map[string]string{"push_subscription": "id"},
		body: `{"endpoint":"https://push.example.com/ann","keys":{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}`},
	{name: "listPushSubscriptions", who: ann, method: "GET", path: "/me/push-subscriptions", status: 200},
	{name: "deletePushSubscription", who: ann, method: "DELETE", path: "/me/push-subscriptions/{push_subscription}", status: 204},
	{name: "startPhoneCall", who: anonymous, method: "POST", path: "/auth/phone/call/start", body: `{"phone":"+79161234567"}`, status: 200,
		save: map[string]string{"challenge": "challenge_id"}},
	{name: "getPhoneCallStatus", who: anonymous, method: "POST", path: "/auth/phone/call/status", body: `{"challenge_id":"{challenge}"}`, status: 200},
	{name: "startIdpSignIn without a provider", who: anonymous, method: "GET", path: "/auth/idp/start", status: 503},
	{name: "finishIdpSignIn without a state", who: anonymous, method: "GET", path: "/auth/idp/callback", status: 303},
	{name: "signInWithIdpToken without a provider", who: anonymous, method: "POST", path: "/auth/idp/mobile", body: `{"oauth_token":"x"}`, status: 503},
	{name: "refreshSession", who: anonymous, method: "POST", path: "/auth/refresh", body: `{"refresh_token":"{refresh}"}`, status: 200},
	{name: "listSessions", who: ann, method: "GET", path: "/auth/sessions", status: 200},
	{name: "revokeSession", who: ann, method: "DELETE", path: "/auth/sessions/{session}", status: 204},
	{name: "revokeOtherSessions", who: ann, method: "POST", path: "/auth/sessions/revoke-others", status: 204},

	{name: "getMe", who: ann, method: "GET", path: "/me", status: 200},
	{name: "updateMyProfile", who: ann, method: "PATCH", path: "/me/profile", body: `{"display_name":"Ann of the hill","interests":["tea"]}`, status: 200},
	{name: "setAvatar", who: ann, method: "PUT", path: "/me/avatar", body: apptest.Pixel, status: 200},
	{name: "deleteAvatar", who: ann, method: "DELETE", path: "/me/avatar", status: 204},
	{name: "exportMe", who: ann, method: "GET", path: "/me/export", status: 200},
	{name: "listProfiles", who: anonymous, method: "GET", path: "/users/profiles", status: 200},
	{name: "listProfiles", who: ann, method: "GET", path: "/users/profiles", status: 200},
	{name: "listProfiles by name", who: ann, method: "GET", path: "/users/profiles?q=guest", status: 200},
	{name: "getProfile", who: anonymous, method: "GET", path: "/users/{organizer}/profile", status: 200},
	{name: "getProfile", who: ann, method: "GET", path: "/users/{organizer}/profile", status: 200},
	{name: "getProfileByUsername", who: anonymous, method: "GET", path: "/users/by-username/{organizer_name}", status: 200},
	{name: "getProfileByUsername", who: ann, method: "GET", path: "/users/by-username/{organizer_name}", status: 200},
	{name: "getFollow", who: ann, method: "GET", path: "/users/{organizer}/follow", status: 200},
	{name: "followUser", who: ann, method: "POST", path: "/users/{organizer}/follow", status: 200},
	{name: "unfollowUser", who: ann, method: "DELETE", path: "/users/{organizer}/follow", status: 200},
	{name: "getBlock", who: ann, method: "GET", path: "/users/{organizer}/block", status: 200},
	{name: "blockUser", who: ann, method: "POST", path: "/users/{moderator}/block", status: 200},
	{name: "unblockUser", who: ann, method: "DELETE", path: "/users/{moderator}/block", status: 204},

	{name: "listEvents", who: anonymous, method: "GET", path: "/events", status: 200},
	{name: "listEvents", who: ann, method: "GET", path: "/events", status: 200},
	{name: "listEvents of a place", who: anonymous, method: "GET", path: "/events?lat=52.5&lng=13.4&radius_km=50", status: 200},
	{name: "listEvents of a place", who: ann, method: "GET", path: "/events?lat=52.5&lng=13.4&radius_km=50", status: 200},
	{name: "listEvents with words", who: anonymous, method: "GET", path: "/events?q=tea+garden", status: 200},
	{name: "listEvents with words", who: ann, method: "GET", path: "/events?q=tea+garden", status: 200},
	{name: "listEvents of a guest", who: ann, method: "GET", path: "/events?participant_user_id={guest}", status: 200},
	{name: "mapEvents", who: anonymous, method: "GET", path: "/events/map?bbox=13,52,14,53", status: 200},
	{name: "mapEvents", who: ann, method: "GET", path: "/events/map?bbox=13,52,14,53", status: 200},
	{name: "mapEvents with zoom", who: anonymous, method: "GET", path: "/events/map?bbox=13,52,14,53&zoom=8", status: 200},
	{name: "mapEvents with zoom", who: ann, method: "GET", path: "/events/map?bbox=13,52,14,53&zoom=8", status: 200},
	{name: "getEvent", who: anonymous, method: "GET", path: "/events/{event}", status: 200},
	{name: "getEvent", who: ann, method: "GET", path: "/events/{event}", status: 200},
	{name: "getEventByCode", who: anonymous, method: "GET", path: "/events/by-code/{event_code}", status: 200},
	{name: "getEventByCode", who: ann, method: "GET", path: "/events/by-code/{event_code}", status: 200},
	{name: "createEvent", who: organizer, method: "POST", path: "/events",
		body: `{"title":"Tea at noon","starts_at":"2026-06-21T18:00:00Z","lat":52.5,"lng":13.4}`, status: 201,
		save: map[string]string{"draft": "event.id"}},
	{name: "updateEvent", who: organizer, method: "PATCH", path: "/events/{draft}", body: `{"title":"Tea at two"}`, status: 200},
	{name: "publishEvent", who: organizer, method: "POST", path: "/events/{draft}/publish", status: 200},
	{name: "setEventCover", who: organizer, method: "PUT", path: "/events/{draft}/cover", body: apptest.Pixel, status: 200},
	{name: "deleteEventCover", who: organizer, method: "DELETE", path: "/events/{draft}/cover", status: 204},
	{name: "updateEvent after publishing", who: organizer, method: "PATCH", path: "/events/{draft}", body: `{"title":"Tea at three"}`, status: 200},
	{name: "cloneEvent", who: organizer, method: "POST", path: "/events/{draft}/clone", status: 201},
	{name: "cancelEvent", who: organizer, method: "POST", path: "/events/{draft}/cancel", status: 200},
	{name: "downloadEventCalendar", who: anonymous, method: "GET", path: "/events/{event}/calendar.ics", status: 200},
	{name: "downloadEventCalendar", who: ann, method: "GET", path: "/events/{event}/calendar.ics", status: 200},

	{name: "joinEvent", who: ann, method: "POST", path: "/events/{event}/join", body: `{"participation_visibility":"public"}`, status: 200},
	{name: "leaveEvent", who: ann, method: "DELETE", path: "/events/{event}/join", status: 200},
	{name: "joinEvent incognito", who: ann, method: "POST", path: "/events/{event}/join", body: `{"participation_visibility":"incognito"}`, status: 200},
	{name: "listParticipants", who: organizer, method: "GET", path: "/events/{event}/participants", status: 200},
	{name: "listInvitations", who: organizer, method: "GET", path: "/events/{private}/invitations", status: 200},
	{name: "inviteToEvent", who: organizer, method: "POST", path: "/events/{private}/invitations", body: `{"email":"moderator@example.org"}`, status: 201},
	{name: "readGuestList", who: organizer, method: "POST", path: "/events/{event}/guest-lists", body: apptest.Guests, status: 200},
	{name: "importFile", who: organizer, method: "POST", path: "/me/imports", body: apptest.Calendar, status: 200, save: map[string]string{"import": "id"}},
	{name: "importAddress of a private address", who: organizer, method: "POST", path: "/me/imports/fetch", body: `{"url":"https://127.0.0.1/"}`, status: 400},
	{name: "getImport", who: organizer, method: "GET", path: "/me/imports/{import}", status: 200},
	{name: "applyImport", who: organizer, method: "POST", path: "/me/imports/{import}/apply", body: `{}`, status: 200},
	{name: "listEmailInvitations", who: organizer, method: "GET", path: "/events/{event}/email-invitations", status: 200},
	{name: "inviteByEmail", who: organizer, method: "POST", path: "/events/{event}/email-invitations", body: `{"emails":["new@example.org"]}`, status: 201},
	{name: "withdrawEmailInvitation", who: organizer, method: "DELETE", path: "/events/{event}/email-invitations/018f3b0a-5c1d-7000-8000-000000000171", status: 404},
	{name: "listInviteLinks", who: organizer, method: "GET", path: "/events/{private}/invite-links", status: 200},
	{name: "createInviteLink", who: organizer, method: "POST", path: "/events/{private}/invite-links", status: 201},
	{name: "endInviteLink", who: organizer, method: "DELETE", path: "/events/{private}/invite-links/018f3b0a-5c1d-7000-8000-000000000181", status: 404},
	{name: "getInviteLink", who: anonymous, method: "GET", path: "/invite-links/{token}", status: 200},
	{name: "answerInvitation", who: ann, method: "PATCH", path: "/events/{private}/rsvp", body: `{"status":"accepted"}`, status: 200},
	{name: "acceptInviteLink", who: ann, method: "POST", path: "/invite-links/{token}/accept", status: 200},

	{name: "enterWaitlist", who: ann, method: "POST", path: "/events/{full}/waitlist", body: `{"party_size":2}`, status: 201,
		save: map[string]string{"entry": "id"}},
	{name: "getWaitlistEntry", who: ann, method: "GET", path: "/events/{full}/waitlist", status: 200},
	{name: "listWaitlistEntries", who: organizer, method: "GET", path: "/events/{full}/waitlist/entries", status: 200},
	{name: "getEvent of a full event", who: ann, method: "GET", path: "/events/{full}", status: 200},
	{name: "offerSeats of a full event", who: organizer, method: "POST", path: "/events/{full}/waitlist/entries/{entry}/offer", status: 403},
	{name: "leaveWaitlist", who: ann, method: "DELETE", path: "/events/{full}/waitlist", status: 204},
	{name: "enterWaitlist again", who: ann, method: "POST", path: "/events/{full}/waitlist", status: 201},
	{name: "removeWaitlistEntry", who: organizer, method: "DELETE", path: "/events/{full}/waitlist/entries/{entry}", status: 204},

	{name: "joinEvent with approval", who: ann, method: "POST", path: "/events/{asking}/join", status: 200, save: map[string]string{"guest": "id"}},
	{name: "listParticipants who ask", who: organizer, method: "GET", path: "/events/{asking}/participants?status=requested", status: 200},
	{name: "downloadParticipants", who: organizer, method: "GET", path: "/events/{event}/participants.csv", status: 200},
	{name: "declineParticipant", who: organizer, method: "POST", path: "/events/{asking}/participants/{guest}/decline", status: 200},
	{name: "joinEvent with approval again", who: ann, method: "POST", path: "/events/{asking}/join", status: 200},
	{name: "approveParticipant", who: organizer, method: "POST", path: "/events/{asking}/participants/{guest}/approve", status: 200},
	{name: "removeParticipant", who: organizer, method: "DELETE", path: "/events/{asking}/participants/{guest}", status: 204},
	{name: "approveRequests", who: organizer, method: "POST", path: "/events/{asking}/participants/approve", status: 200},
	{name: "setQuestions", who: organizer, method: "PUT", path: "/events/{priced}/questions",
		body: `{"items":[{"kind":"text","label":"Name?"},{"kind":"checkbox","label":"By bike?"}]}`, status: 200},
	{name: "setQuestions of an event with guests", who: organizer, method: "PUT", path: "/events/{event}/questions",
		body: `{"items":[{"kind":"choice","label":"What do you eat?","options":["everything","vegetarian"]}]}`, status: 200,
		save: map[string]string{"question": "items.0.id"}},
	{name: "listQuestions", who: ann, method: "GET", path: "/events/{event}/questions", status: 200},
	{name: "joinEvent with answers", who: ann, method: "POST", path: "/events/{event}/join",
		body: `{"answers":[{"question_id":"{question}","value":"vegetarian"}]}`, status: 200},
	{name: "listAnswers", who: organizer, method: "GET", path: "/events/{event}/answers?question_id={question}&answer=vegetarian", status: 200},
	{name: "listAnswers of one's own", who: ann, method: "GET", path: "/events/{event}/answers?mine=true", status: 200},
	{name: "listParticipants with answers", who: organizer, method: "GET", path: "/events/{event}/participants", status: 200},
	{name: "downloadAnswers", who: organizer, method: "GET", path: "/events/{event}/answers.csv", status: 200},
	{name: "setQuestions to none", who: organizer, method: "PUT", path: "/events/{event}/questions", body: `{"items":[]}`, status: 200},
	{name: "inviteHost", who: organizer, method: "POST", path: "/events/{private}/hosts", body: `{"user_id":"{member}"}`, status: 200},
	{name: "updateHost", who: ann, method: "PATCH", path: "/events/{private}/hosts/{member}", body: `{"status":"active"}`, status: 200},
	{name: "listHosts", who: organizer, method: "GET", path: "/events/{private}/hosts", status: 200},
	{name: "transferEvent", who: organizer, method: "POST", path: "/events/{private}/transfer", body: `{"user_id":"{member}"}`, status: 200},
	{name: "transferEvent back", who: ann, method: "POST", path: "/events/{private}/transfer", body: `{"user_id":"{organizer}"}`, status: 200},
	{name: "removeHost", who: organizer, method: "DELETE", path: "/events/{private}/hosts/{member}", status: 204},
	{name: "createEventSeries", who: organizer, method: "POST", path: "/event-series",
		body:   `{"rrule":"FREQ=WEEKLY;BYDAY=TH","starts_at":"2026-06-18T18:00:00","timezone":"Europe/Berlin","horizon_days":28,"template":{"title":"Tea"}}`,
		status: 201, save: map[string]string{"series": "id"}},
	{name: "previewEventSeries", who: ann, method: "GET",
		path: "/event-series/preview?rrule=FREQ=DAILY&starts_at=2026-06-18T18:00:00&timezone=Europe/Berlin", status: 200},
	{name: "getEventSeries", who: anonymous, method: "GET", path: "/event-series/{series}", status: 200},
	{name: "getEventSeries", who: ann, method: "GET", path: "/event-series/{series}", status: 200},
	{name: "listSeriesEvents", who: anonymous, method: "GET", path: "/event-series/{series}/events", status: 200},
	{name: "listSeriesEvents", who: ann, method: "GET", path: "/event-series/{series}/events", status: 200},
	{name: "listSeriesDates", who: organizer, method: "GET", path: "/event-series/{series}/dates", status: 200},
	{name: "listMyEventSeries", who: organizer, method: "GET", path: "/me/event-series", status: 200},
	{name: "joinEventSeries", who: ann, method: "POST", path: "/event-series/{series}/join", status: 200},
	{name: "updateEventSeries", who: organizer, method: "PATCH", path: "/event-series/{series}",
		body: `{"template":{"location_text":"Garden"},"apply":"all_upcoming"}`, status: 200},
	{name: "leaveEventSeries", who: ann, method: "DELETE", path: "/event-series/{series}/join?dates=leave", status: 204},
	{name: "pauseEventSeries", who: organizer, method: "POST", path: "/event-series/{series}/pause", status: 200},
	{name: "resumeEventSeries", who: organizer, method: "POST", path: "/event-series/{series}/resume", status: 200},
	{name: "skipSeriesDate", who: organizer, method: "POST", path: "/event-series/{series}/skip",
		body: `{"occurrence_at":"2026-06-18T18:00:00"}`, status: 200},
	{name: "splitEventSeries", who: organizer, method: "POST", path: "/event-series/{series}/split",
		body: `{"from":"2026-06-25T18:00:00","rrule":"FREQ=DAILY;COUNT=2","starts_at":"2026-06-26T18:00:00"}`, status: 201},
	{name: "endEventSeries", who: organizer, method: "POST", path: "/event-series/{series}/end", status: 200},

	{name: "createGroup", who: organizer, method: "POST", path: "/groups", body: `{"name":"Tea","city":"Berlin","lat":52.5,"lng":13.4}`,
		status: 201, save: map[string]string{"group": "id"}},
	{name: "listGroups", who: anonymous, method: "GET", path: "/groups?q=tea&city=berlin&lat=52.5&lng=13.4&radius_km=5", status: 200},
	{name: "listGroups", who: ann, method: "GET", path: "/groups?slug=tea", status: 200},
	{name: "getGroup", who: anonymous, method: "GET", path: "/groups/{group}", status: 200},
	{name: "getGroup", who: ann, method: "GET", path: "/groups/{group}", status: 200},
	{name: "updateGroup", who: organizer, method: "PATCH", path: "/groups/{group}", body: `{"slug":"tea-friends","join_policy":"approval"}`, status: 200},
	{name: "setGroupImage", who: organizer, method: "PUT", path: "/groups/{group}/image", body: apptest.Pixel, status: 200},
	{name: "deleteGroupImage", who: organizer, method: "DELETE", path: "/groups/{group}/image", status: 204},
	{name: "joinGroup with approval", who: ann, method: "POST", path: "/groups/{group}/membership", status: 200},
	{name: "leaveGroup", who: ann, method: "DELETE", path: "/groups/{group}/membership", status: 204},
	{name: "inviteToGroup", who: organizer, method: "POST", path: "/groups/{group}/invitations", body: `{"user_id":"{member}"}`, status: 200},
	{name: "listMyGroups", who: ann, method: "GET", path: "/me/groups", status: 200},
	{name: "joinGroup", who: ann, method: "POST", path: "/groups/{group}/membership", status: 200},
	{name: "listGroupMembers", who: ann, method: "GET", path: "/groups/{group}/members", status: 200},
	{name: "createEvent in a group", who: organizer, method: "POST", path: "/events",
		body:   `{"title":"Tea","starts_at":"2026-06-21T18:00:00Z","visibility":"members","group_id":"{group}"}`,
		status: 201, save: map[string]string{"meeting": "event.id"}},
	{name: "publishEvent in a group", who: organizer, method: "POST", path: "/events/{meeting}/publish", status: 200},
	{name: "getEvent of a group", who: ann, method: "GET", path: "/events/{meeting}", status: 200},
	{name: "joinEvent for members", who: ann, method: "POST", path: "/events/{meeting}/join", status: 200},
	{name: "listGroupEvents", who: anonymous, method: "GET", path: "/groups/{group}/events", status: 200},
	{name: "listGroupEvents", who: ann, method: "GET", path: "/groups/{group}/events?period=coming", status: 200},
	{name: "announceToGroup", who: organizer, method: "POST", path: "/groups/{group}/announcements", body: `{"body":"Tea"}`, status: 201},
	{name: "updateGroupMember", who: organizer, method: "PATCH", path: "/groups/{group}/members/{member}", body: `{"role":"host"}`, status: 200},
	{name: "transferGroup", who: organizer, method: "POST", path: "/groups/{group}/transfer", body: `{"user_id":"{member}"}`, status: 200},
	{name: "removeGroupMember", who: ann, method: "DELETE", path: "/groups/{group}/members/{organizer}", status: 204},
	{name: "deleteGroup", who: ann, method: "DELETE", path: "/groups/{group}", status: 204},

	{name: "listPostThreads", who: anonymous, method: "GET", path: "/events/posts?event_id={event}&event_id={past}", status: 200},
	{name: "listPostThreads", who: ann, method: "GET", path: "/events/posts?event_id={event}&event_id={past}", status: 200},
	{name: "listEventPosts", who: anonymous, method: "GET", path: "/events/{event}/posts", status: 200},
	{name: "listEventPosts", who: ann, method: "GET", path: "/events/{event}/posts", status: 200},
	{name: "listPostComments", who: anonymous, method: "GET", path: "/events/{event}/posts/{post}/comments", status: 200},
	{name: "listPostComments", who: ann, method: "GET", path: "/events/{event}/posts/{post}/comments", status: 200},
	{name: "createEventPost", who: organizer, method: "POST", path: "/events/{event}/posts", body: `{"body":"News."}`, status: 201},
	{name: "createEventPost for everybody", who: organizer, method: "POST", path: "/events/{event}/posts",
		body: `{"body":"News.","kind":"announcement"}`, status: 201, save: map[string]string{"news": "id"}},
	{name: "createReport of a post", who: ann, method: "POST", path: "/reports", body: `{"target_type":"post","target_id":"{news}","reason":"spam"}`,
		status: 201},
	{name: "deleteEventPost", who: organizer, method: "DELETE", path: "/events/{event}/posts/{news}", status: 204},
	{name: "listGuestAudiences", who: organizer, method: "GET", path: "/events/{event}/guest-audiences", status: 200},
	{name: "sendGuestMessage", who: organizer, method: "POST", path: "/events/{event}/guest-messages",
		body: `{"audience":"going","body":"News."}`, status: 201, save: map[string]string{"message": "id"}},
	{name: "listGuestMessages", who: ann, method: "GET", path: "/events/{event}/guest-messages", status: 200},
	{name: "listGuestMessages", who: organizer, method: "GET", path: "/events/{event}/guest-messages", status: 200},
	{name: "deleteGuestMessage", who: organizer, method: "DELETE", path: "/events/{event}/guest-messages/{message}", status: 204},
	{name: "createPostComment", who: ann, method: "POST", path: "/events/{event}/posts/{post}/comments", body: `{"body":"Well."}`, status: 201, save: map[string]string{"comment": "id"}},
	{name: "updatePostComment", who: ann, method: "PATCH", path: "/events/{event}/posts/{post}/comments/{comment}", body: `{"body":"Well!"}`, status: 200},
	{name: "deletePostComment", who: ann, method: "DELETE", path: "/events/{event}/posts/{post}/comments/{comment}", status: 204},
	{name: "likePost", who: ann, method: "POST", path: "/events/{event}/posts/{post}/like", status: 200},
	{name: "unlikePost", who: ann, method: "DELETE", path: "/events/{event}/posts/{post}/like", status: 200},
	{name: "repostPost", who: ann, method: "POST", path: "/events/{event}/posts/{post}/repost", status: 200},
	{name: "unrepostPost", who: ann, method: "DELETE", path: "/events/{event}/posts/{post}/repost", status: 200},
	{name: "listAddresses", who: ann, method: "GET", path: "/places/addresses?q=berl", status: 200},
	{name: "listPlaces", who: anonymous, method: "GET", path: "/places?q=berl", status: 200},
	{name: "listPlaces", who: ann, method: "GET", path: "/places?q=berl", status: 200},
	{name: "listMyEvents", who: ann, method: "GET", path: "/me/events", status: 200},
	{name: "listMyEvents past", who: ann, method: "GET", path: "/me/events?role=past&limit=100", status: 200},
	{name: "listMyReposts", who: ann, method: "GET", path: "/me/reposts", status: 200},

	{name: "setEventDateMode", who: organizer, method: "PATCH", path: "/events/{paid}/date-mode", body: `{"mode":"vote"}`, status: 204},
	{name: "listDateOptions", who: ann, method: "GET", path: "/events/{voted}/date-options", status: 200},
	{name: "createDateOption", who: organizer, method: "POST", path: "/events/{voted}/date-options", body: `{"starts_at":"2027-01-01T18:00:00Z"}`, status: 201},
	{name: "voteForDateOption", who: ann, method: "POST", path: "/events/{voted}/date-options/{option}/votes", status: 200},
	{name: "withdrawDateVote", who: ann, method: "DELETE", path: "/events/{voted}/date-options/{option}/votes", status: 204},
	{name: "selectDateOption", who: organizer, method: "POST", path: "/events/{voted}/date-options/{option}/select", status: 200},
	{name: "listChatMessages", who: ann, method: "GET", path: "/events/{event}/messages", status: 200},
	{name: "sendChatMessage", who: ann, method: "POST", path: "/events/{event}/messages", body: `{"body":"Hi."}`, status: 201},
	{name: "createRealtimeTicket", who: ann, method: "POST", path: "/realtime/tickets", status: 200},
	{name: "openRealtimeStream of an unknown topic", who: ann, method: "GET", path: "/realtime/stream?topic=us", status: 400},
	{name: "openRealtimeSocket without a handshake", who: ann, method: "GET", path: "/realtime", status: 400},
	{name: "listMyChats", who: ann, method: "GET", path: "/me/chats", status: 200},
	{name: "markChatRead", who: ann, method: "POST", path: "/events/{event}/messages/read", body: `{"position":"1795290000123456"}`, status: 200},
	{name: "authorizeChatSocket", who: ann, method: "GET", path: "/events/{event}/ws", status: 200},
	{name: "getReminderSettings", who: ann, method: "GET", path: "/events/{event}/reminders", status: 200},
	{name: "setReminderSettings", who: organizer, method: "PATCH", path: "/events/{event}/reminders", body: `{"enabled":true}`, status: 200},

	{name: "listEventReviews", who: ann, method: "GET", path: "/events/{past}/reviews", status: 200},
	{name: "reviewEvent", who: ann, method: "POST", path: "/events/{past}/reviews", body: `{"rating":4,"body":"Good tea."}`, status: 201},
	{name: "createReport", who: ann, method: "POST", path: "/reports", body: `{"target_type":"event","target_id":"{event}","reason":"spam"}`,
		status: 201,
		save:   map[string]string{"report": "id"}},
	{name: "countOpenReports", who: moderator, method: "GET", path: "/admin/reports/open-count", status: 200},
	{name: "listReports", who: moderator, method: "GET", path: "/admin/reports", status: 200},
	{name: "updateReport", who: moderator, method: "PATCH", path: "/admin/reports/{report}", body: `{"status":"dismissed"}`, status: 200},

	{name: "getFeed", who: anonymous, method: "GET", path: "/feed", status: 200, varies: fillsUp},
	{name: "getFeed", who: ann, method: "GET", path: "/feed", status: 200, varies: fillsUp},
	{name: "getFeedPreferences", who: ann, method: "GET", path: "/feed/preferences", status: 200},
	{name: "setFeedPreferences", who: ann, method: "POST", path: "/feed/preferences", body: `{"city":"Berlin"}`, status: 200},

	{name: "listCalendarEntries", who: ann, method: "GET", path: "/calendar/entries", status: 200},
	{name: "createCalendarEntry", who: ann, method: "POST", path: "/calendar/entries",
		body: `{"title":"Tea","starts_at":"2026-12-01T18:00:00Z"}`, status: 201,
		save: map[string]string{"entry": "id"}},
	{name: "updateCalendarEntry", who: ann, method: "PATCH", path: "/calendar/entries/{entry}", body: `{"notes":"Milk."}`, status: 200},
	{name: "listCalendarInvites", who: ann, method: "GET", path: "/calendar/invites", status: 200},
	{name: "getCalendarInvite", who: ann, method: "GET", path: "/calendar/invites/{invite}", status: 200},
	{name: "answerCalendarInvite", who: ann, method: "PATCH", path: "/calendar/invites/{invite}", body: `{"status":"accepted"}`, status: 200},
	{name: "cancelCalendarEntry", who: ann, method: "DELETE", path: "/calendar/entries/{entry}", status: 200},
	{name: "openCalendarFeed", who: ann, method: "POST", path: "/calendar/feed", status: 201, save: map[string]string{"feed": "url"}},
	{name: "getCalendarFeed", who: ann, method: "GET", path: "/calendar/feed", status: 200},
	{name: "readCalendarFeed", who: anonymous, method: "GET", path: "{feed}", status: 200},
	{name: "closeCalendarFeed", who: ann, method: "DELETE", path: "/calendar/feed", status: 204},

	{name: "listNotifications", who: ann, method: "GET", path: "/notifications", status: 200, save: map[string]string{"notification": "items.0.id"}},
	{name: "countUnreadNotifications", who: ann, method: "GET", path: "/notifications/unread-count", status: 200},
	{name: "readNotification", who: ann, method: "POST", path: "/notifications/{notification}/read", status: 200},
	{name: "readAllNotifications", who: ann, method: "POST", path: "/notifications/read-all", status: 200},

	{name: "getNotificationPreferences", who: ann, method: "GET", path: "/me/notification-preferences", status: 200},
	{name: "updateNotificationPreferences", who: ann, method: "PATCH", path: "/me/notification-preferences",
		body: `{"language":"de","rules":[{"kind":"event_post","channel":"email","mode":"off"}]}`, status: 200},
	{name: "muteEvent", who: ann, method: "PUT", path: "/events/{event}/mute", status: 200},
	{name: "unmuteEvent", who: ann, method: "DELETE", path: "/events/{event}/mute", status: 200},

	{name: "getPaymentProfile", who: organizer, method: "GET", path: "/me/payment-profile", status: 200},
	{name: "updatePaymentProfile", who: organizer, method: "PATCH", path: "/me/payment-profile", body: `{"status":"verified"}`, status: 200},
	{name: "createPaymentIntent", who: ann, method: "POST", path: "/events/{priced}/payment-intents", status: 201, save: map[string]string{"intent": "id"}},
	{name: "getPaymentIntent", who: ann, method: "GET", path: "/payments/intents/{intent}", status: 200},
	{name: "receivePaymentWebhook without a signature", who: anonymous, method: "POST", path: "/payments/webhooks/development",
		body: `{"id":"1","type":"x","provider_payment_id":"y"}`, status: 401},

	{name: "receiveMailEvents without a provider", who: anonymous, method: "POST", path: "/mail/events/mailgun", body: `{}`, status: 404},

	{name: "proxyImage of a private address", who: anonymous, method: "GET", path: "/images/proxy?url=https://127.0.0.1/a.png", status: 400},

	{name: "logout", who: anonymous, method: "POST", path: "/auth/logout", body: `{"refresh_token":"{refresh}"}`, status: 204},
	{name: "deleteMe", who: ann, method: "DELETE", path: "/me", status: 204},
}

func statementSettings() []apptest.Option {
	return []apptest.Option{
		apptest.StartAt(time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)),
		apptest.Setting("ACCESS_TOKEN_TTL", "24h"),
		apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email(moderator)),
		apptest.Setting("PAYMENTS_ENABLED", "true"),
		apptest.Setting("PAYMENT_WEBHOOK_SECRETS", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
	}
}

// statementWorldMaker creates a statementsWorld.
type statementWorldMaker struct {
	*statementsWorld
	app    *apptest.App
	guests []*apptest.Client
}

// newStatementsWorld creates size things of each kind that the rows use.
func newStatementsWorld(a *apptest.App, size int) *statementsWorld {
	w := statementWorldMaker{app: a, statementsWorld: &statementsWorld{clients: map[string]*apptest.Client{anonymous: a.Anonymous()},
		names: map[string]string{}}}
	for _, who := range []string{ann, organizer, moderator, leaver} {
		w.clients[who] = a.As(who)
		w.names[who] = w.clients[who].UserID
	}
	for i := range size {
		w.guests = append(w.guests, a.As(fmt.Sprint("guest", i)))
		w.names["session"] = a.SignIn(apptest.Email(ann)).SessionID
	}
	w.names["guest"] = w.guests[0].UserID
	w.clients[organizer].Patch("/me/payment-profile", map[string]any{"status": "verified"}).Want(200)
	w.events()
	w.names["event_code"] = eventCodeOf(w.clients[organizer].Get("/events/" + w.names["event"]))
	w.names["organizer_name"] = w.clients[organizer].Get("/me").Text("profile.username")
	w.discussions()
	w.calendars()
	a.Clock.Advance(6 * time.Hour) // {past} is over
	for _, guest := range w.guests {
		guest.Post("/events/"+w.names["past"]+"/reviews", map[string]any{"rating": 5, "body": "Good."}).Want(201)
	}
	a.RunJobs()
	// A sweep beside the reviews may have skipped an event whose row was locked.
	a.Clock.Advance(time.Minute)
	a.RunJobs()
	return w.statementsWorld
}

// event creates a published event of the organizer.
func (w *statementWorldMaker) event(name, starts string, more map[string]any) {
	body := map[string]any{"title": "Tea in the garden", "starts_at": starts, "lat": 52.5, "lng": 13.4, "city": "Berlin"}
	maps.Copy(body, more)
	org := w.clients[organizer]
	w.names[name] = org.Post("/events", body).Want(201).Text("event.id")
	org.Post("/events/"+w.names[name]+"/publish", nil).Want(200)
}

// events creates as many events of each kind as there are guests. All guests join the
// first kind.
func (w *statementWorldMaker) events() {
	priced := map[string]any{"price": "paid", "price_amount": 100, "price_currency": "RUB"}
	for range w.guests {
		w.event("event", "2026-06-20T18:00:00Z", nil)
		w.event("private", "2026-06-20T18:00:00Z", map[string]any{"visibility": "private"})
		w.event("linked", "2026-06-20T18:00:00Z", map[string]any{"visibility": "private"})
		w.event("voted", "2026-06-20T18:00:00Z", map[string]any{"date_mode": "vote"})
		w.event("asking", "2026-06-20T18:00:00Z", map[string]any{"join_policy": "approval"})
		w.event("full", "2026-06-20T18:00:00Z", map[string]any{"capacity": 1, "waitlist": "offer", "max_party_size": 2})
		w.event("paid", "2026-06-20T18:00:00Z", priced)
		w.event("priced", "2026-06-20T18:00:00Z", priced)
		w.event("past", "2026-06-01T13:00:00Z", nil)
		w.clients[organizer].Post("/events/"+w.names["private"]+"/invitations", map[string]any{"email": apptest.Email(ann)}).Want(201)
		w.names["token"] = path.Base(w.clients[organizer].Post("/events/"+w.names["linked"]+"/invite-links", nil).Want(201).Text("url"))
		w.clients[ann].Post("/events/"+w.names["past"]+"/join", nil).Want(200)
	}
	w.clients[ann].Post("/events/"+w.names["voted"]+"/join", nil).Want(200)
	for i, guest := range w.guests {
		w.clients[ann].Post("/users/"+guest.UserID+"/follow", nil).Want(200)
		guest.Post("/users/"+w.names[organizer]+"/follow", nil).Want(200)
		if i == 0 {
			guest.Post("/events/"+w.names["full"]+"/join", nil).Want(200)
		} else {
			guest.Post("/events/"+w.names["full"]+"/waitlist", nil).Want(201)
		}
		for _, name := range []string{"event", "past"} {
			guest.Post("/events/"+w.names[name]+"/join", nil).Want(200)
		}
		w.clients[organizer].Post("/events/"+w.names["private"]+"/invitations",
			map[string]any{"email": apptest.Email(fmt.Sprint("guest", i))}).Want(201)
		guest.Post("/reports", map[string]any{"target_type": "event", "target_id": w.names["event"], "reason": "spam"}).Want(201)
	}
}

// mostOptions is below the limit of date options, so that a row can add one.
const mostOptions = 15

// discussions creates posts, date options, messages, comments, likes and reposts.
func (w *statementWorldMaker) discussions() {
	org, about, old := w.clients[organizer], "/events/"+w.names["event"], ""
	for i, guest := range w.guests {
		w.names["post"] = org.Post(about+"/posts", map[string]any{"body": "News."}).Want(201).Text("id")
		old = org.Post("/events/"+w.names["past"]+"/posts", map[string]any{"body": "News."}).Want(201).Text("id")
		w.clients[ann].Post(about+"/posts/"+w.names["post"]+"/repost", nil).Want(200)
		if i < mostOptions {
			starts := time.Date(2026, 7, 1+i, 18, 0, 0, 0, time.UTC)
			w.names["option"] = org.Post("/events/"+w.names["voted"]+"/date-options", map[string]any{"starts_at": starts}).Want(201).Text("id")
		}
		guest.Post(about+"/messages", map[string]any{"body": "Hi."}).Want(201)
	}
	w.clients[ann].Delete(about + "/posts/" + w.names["post"] + "/repost").Want(200)
	w.clients[ann].Post("/events/"+w.names["past"]+"/posts/"+old+"/repost", nil).Want(200)
	for _, guest := range w.guests {
		guest.Post(about+"/posts/"+w.names["post"]+"/comments", map[string]any{"body": "Well."}).Want(201)
		guest.Post(about+"/posts/"+w.names["post"]+"/like", nil).Want(200)
	}
}

// calendars creates entries of Ann and entries to which others invite her.
func (w *statementWorldMaker) calendars() {
	entry := map[string]any{"title": "Tea", "starts_at": "2026-12-01T18:00:00Z"}
	with := map[string]any{"title": "Tea", "starts_at": "2026-12-01T18:00:00Z", "invitee_user_ids": []string{w.names[ann]}}
	for _, guest := range w.guests {
		w.clients[ann].Post("/calendar/entries", entry).Want(201)
		guest.Post("/calendar/entries", with).Want(201)
	}
	w.names["invite"] = w.guests[0].Get("/calendar/invites?role=outgoing").Want(200).Text("items.0.invite.id")
}
