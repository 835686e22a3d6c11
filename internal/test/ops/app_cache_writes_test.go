package ops_test

import (
	"fmt"
	"path"
	"time"

	"moothall/internal/test/apptest"
)

func (w *cacheWorld) pushSubscription() (id string) {
	return w.write(w.as(ann), "POST", "/me/push-subscriptions", pushSubscription).Text("id")
}

var pushSubscription = apptest.Fields{"endpoint": "https://push.example.com/1", "keys": apptest.Fields{
	"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "auth": "BTBZMqHH6r4Tts7J_aSIgg"}}

// cacheWrites call every operation that may change something, so that it does.
var cacheWrites = map[string]func(w *cacheWorld){
	"startDevSignIn":           func(w *cacheWorld) { w.newcomer() },
	"verifyDevSignIn":          func(w *cacheWorld) { w.newcomer() },
	"startEmailSignIn":         func(w *cacheWorld) { w.mailed(false) },
	"verifyEmailSignIn":        func(w *cacheWorld) { w.mailed(false) },
	"getEmailSignInStatus":     func(w *cacheWorld) { w.mailed(true) },
	"startPasskeySignIn":       func(w *cacheWorld) { w.write(w.as(anonymous), "POST", "/auth/passkey/options", map[string]any{}) },
	"startPasskeyRegistration": func(w *cacheWorld) { w.write(w.as(ann), "POST", "/me/passkeys/options", nil) },
	"verifyPasskeySignIn":      nil, // no authenticator; no cache shows passkeys
	"createPasskey":            nil,
	"updatePasskey":            nil,
	"deletePasskey":            nil,
	"createWebhook":            func(w *cacheWorld) { w.webhook() },
	"updateWebhook":            func(w *cacheWorld) { w.write(w.as(ann), "PATCH", w.webhook(), map[string]any{"status": "paused"}) },
	"deleteWebhook":            func(w *cacheWorld) { w.write(w.as(ann), "DELETE", w.webhook(), nil) },
	"rotateWebhookSecret":      func(w *cacheWorld) { w.write(w.as(ann), "POST", w.webhook()+"/rotate-secret", nil) },
	"testWebhook":              nil, // sends something
	"replayWebhook": func(w *cacheWorld) {
		w.write(w.as(ann), "POST", w.webhook()+"/replay", map[string]any{"from": "2020-01-01T00:00:00Z", "to": "2020-01-01T00:00:00Z"})
	},
	"createApiKey":           func(w *cacheWorld) { w.apiKey() },
	"deleteApiKey":           func(w *cacheWorld) { w.write(w.as(ann), "DELETE", "/me/api-keys/"+w.apiKey(), nil) },
	"createPushSubscription": func(w *cacheWorld) { w.pushSubscription() },
	"deletePushSubscription": func(w *cacheWorld) { w.write(w.as(ann), "DELETE", "/me/push-subscriptions/"+w.pushSubscription(), nil) },
	"startPhoneCall": func(w *cacheWorld) {
		w.names["challenge"] = w.write(w.as(anonymous), "POST", "/auth/phone/call/start",
			map[string]any{"phone": "+79161234567"}).Text("challenge_id")
	},
	"getPhoneCallStatus": func(w *cacheWorld) {
		w.as(anonymous).Post("/auth/phone/call/status", map[string]any{"challenge_id": w.names["challenge"]})
		w.check("getPhoneCallStatus")
	},
	"signInWithIdpToken": nil, // no provider
	"refreshSession": func(w *cacheWorld) {
		w.write(w.as(anonymous), "POST", "/auth/refresh", map[string]any{"refresh_token": w.newcomer().RefreshToken})
	},
	"revokeSession": func(w *cacheWorld) {
		c := w.newcomer()
		w.write(c, "DELETE", "/auth/sessions/"+c.SessionID, nil)
	},
	"revokeOtherSessions": func(w *cacheWorld) { w.write(w.newcomer(), "POST", "/auth/sessions/revoke-others", nil) },
	"logout": func(w *cacheWorld) {
		w.write(w.as(anonymous), "POST", "/auth/logout", map[string]any{"refresh_token": w.newcomer().RefreshToken})
	},
	"deleteMe": deletions,
	"updateMyProfile": func(w *cacheWorld) {
		for _, who := range []string{ann, organizer} {
			w.write(w.as(who), "PATCH", "/me/profile", map[string]any{"display_name": w.fresh("Ann")})
		}
	},
	"followUser": func(w *cacheWorld) {
		w.write(w.as(ann), "POST", "/users/{organizer}/follow", nil)
		w.write(w.as("bob"), "POST", "/users/{member}/follow", nil)
	},
	"unfollowUser": func(w *cacheWorld) { w.write(w.as(ann), "DELETE", "/users/{organizer}/follow", nil) },
	"blockUser":    func(w *cacheWorld) { w.write(w.as("bob"), "POST", "/users/{organizer}/block", nil) },
	"unblockUser": func(w *cacheWorld) {
		w.write(w.as("bob"), "POST", "/users/{organizer}/block", nil)
		w.write(w.as("bob"), "DELETE", "/users/{organizer}/block", nil)
	},

	"createEvent": func(w *cacheWorld) {
		w.write(w.as(organizer), "POST", "/events", map[string]any{"title": w.fresh("Tea"), "starts_at": "2026-06-21T18:00:00Z"})
	},
	"updateEvent": func(w *cacheWorld) {
		w.write(w.as(organizer), "PATCH", "/events/{event}", map[string]any{"title": w.fresh("Tea"), "capacity": 50 + w.serial})
		w.write(w.as(organizer), "PATCH", "/events/{event}", map[string]any{"starts_at": time.Date(2026, 7, 1, 0, 0, w.serial, 0, time.UTC)})
		w.write(w.as(organizer), "PATCH", "/events/{event}", map[string]any{"city": "Bern", "lat": 46.9, "lng": 7.4})
		w.write(w.as(organizer), "PATCH", "/events/{event}", map[string]any{"city": "Berlin", "lat": 52.5, "lng": 13.4})
	},
	"createGroup": func(w *cacheWorld) { w.group() },
	"updateGroup": func(w *cacheWorld) {
		path := w.meetingGroup()
		w.write(w.as(organizer), "PATCH", path, map[string]any{"name": w.fresh("Tea")})
		w.write(w.as(organizer), "PATCH", path, map[string]any{"visibility": "private"})
		w.write(w.as(organizer), "PATCH", path, map[string]any{"visibility": "public"})
	},
	"deleteGroup":      func(w *cacheWorld) { w.write(w.as(organizer), "DELETE", w.meetingGroup(), nil) },
	"setGroupImage":    func(w *cacheWorld) { w.write(w.as(organizer), "PUT", w.group()+"/image", apptest.Pixel) },
	"deleteGroupImage": func(w *cacheWorld) { w.write(w.as(organizer), "DELETE", w.group()+"/image", nil) },
	"announceToGroup": func(w *cacheWorld) {
		w.write(w.as(organizer), "POST", w.group()+"/announcements", map[string]any{"body": "Tea"})
	},
	"addGroupSource":    func(w *cacheWorld) { w.source() },
	"removeGroupSource": func(w *cacheWorld) { w.write(w.as(organizer), "DELETE", w.source(), nil) },
	"joinGroup":         func(w *cacheWorld) { w.member() },
	"leaveGroup":        func(w *cacheWorld) { w.write(w.as(ann), "DELETE", w.member()+"/membership", nil) },
	"inviteToGroup": func(w *cacheWorld) {
		w.write(w.as(organizer), "POST", w.group()+"/invitations", map[string]any{"user_id": w.as(ann).UserID})
	},
	"updateGroupMember": func(w *cacheWorld) {
		w.write(w.as(organizer), "PATCH", w.member()+"/members/{member}", map[string]any{"status": "banned"})
	},
	"removeGroupMember": func(w *cacheWorld) { w.write(w.as(organizer), "DELETE", w.member()+"/members/{member}", nil) },
	"transferGroup": func(w *cacheWorld) {
		path := w.member()
		w.write(w.as(organizer), "PATCH", path+"/members/{member}", map[string]any{"role": "host"})
		w.write(w.as(organizer), "POST", path+"/transfer", map[string]any{"user_id": w.as(ann).UserID})
	},
	"createEventSeries": func(w *cacheWorld) { w.series() },
	"updateEventSeries": func(w *cacheWorld) {
		change := map[string]any{"template": map[string]any{"title": w.fresh("Tea")}, "apply": "all_upcoming"}
		w.write(w.as(organizer), "PATCH", w.series(), change)
	},
	"skipSeriesDate": func(w *cacheWorld) {
		w.write(w.as(organizer), "POST", w.series()+"/skip", map[string]any{"occurrence_at": "2026-06-25T18:00:00"})
	},
	"splitEventSeries": func(w *cacheWorld) {
		w.write(w.as(organizer), "POST", w.series()+"/split", map[string]any{"from": "2026-06-25T18:00:00", "rrule": "FREQ=DAILY;COUNT=2",
			"starts_at": "2026-06-26T18:00:00"})
	},
	"pauseEventSeries": func(w *cacheWorld) { w.write(w.as(organizer), "POST", w.series()+"/pause", nil) },
	"resumeEventSeries": func(w *cacheWorld) {
		path := w.series()
		w.write(w.as(organizer), "POST", path+"/pause", nil)
		w.write(w.as(organizer), "POST", path+"/resume", nil)
	},
	"endEventSeries":  func(w *cacheWorld) { w.write(w.as(organizer), "POST", w.series()+"/end", nil) },
	"joinEventSeries": func(w *cacheWorld) { w.write(w.as(ann), "POST", w.series()+"/join", nil) },
	"leaveEventSeries": func(w *cacheWorld) {
		path := w.series()
		w.write(w.as(ann), "POST", path+"/join", nil)
		w.write(w.as(ann), "DELETE", path+"/join?dates=leave", nil)
	},
	"cloneEvent":    func(w *cacheWorld) { w.write(w.as(organizer), "POST", "/events/{event}/clone", nil) },
	"setEventCover": func(w *cacheWorld) { w.write(w.as(organizer), "PUT", "/events/{event}/cover", apptest.Pixel) },
	"deleteEventCover": func(w *cacheWorld) {
		w.write(w.as(organizer), "PUT", "/events/{event}/cover", apptest.Pixel)
		w.write(w.as(organizer), "DELETE", "/events/{event}/cover", nil)
	},
	"setAvatar": func(w *cacheWorld) { w.write(w.as(organizer), "PUT", "/me/avatar", apptest.Pixel) },
	"deleteAvatar": func(w *cacheWorld) {
		w.write(w.as(organizer), "PUT", "/me/avatar", apptest.Pixel)
		w.write(w.as(organizer), "DELETE", "/me/avatar", nil)
	},
	"publishEvent": func(w *cacheWorld) {
		id := w.as(organizer).Draft(map[string]any{"title": w.fresh("Tea")})
		w.write(w.as(organizer), "POST", "/events/"+id+"/publish", nil)
	},
	"cancelEvent": func(w *cacheWorld) {
		id := w.publish(w.as(organizer), "2026-06-21T18:00:00Z", nil)
		w.check("publish")
		w.write(w.as(organizer), "POST", "/events/"+id+"/cancel", nil)
	},
	"joinEvent": func(w *cacheWorld) {
		c := w.newcomer()
		w.write(c, "POST", "/events/{event}/join", nil)
		w.write(c, "POST", "/events/{event}/join", map[string]any{"participation_visibility": "incognito"})
		w.write(c, "POST", "/events/{event}/join", map[string]any{"participation_visibility": "public"})
		w.write(w.as(ann), "POST", "/events/{event}/join", nil)
		full := w.publish(w.as(organizer), "2026-06-21T18:00:00Z", map[string]any{"capacity": 2})
		w.check("publish")
		w.write(c, "POST", "/events/"+full+"/join", nil)
		w.write(w.as(ann), "POST", "/events/"+full+"/join", nil)
	},
	"leaveEvent": func(w *cacheWorld) {
		w.write(w.as(ann), "POST", "/events/{event}/join", nil)
		w.write(w.as(ann), "DELETE", "/events/{event}/join", nil)
	},
	"approveParticipant": func(w *cacheWorld) { w.write(w.as(organizer), "POST", w.ask()+"/approve", nil) },
	"declineParticipant": func(w *cacheWorld) { w.write(w.as(organizer), "POST", w.ask()+"/decline", nil) },
	"approveRequests": func(w *cacheWorld) {
		w.write(w.as(organizer), "POST", path.Dir(w.ask())+"/approve", nil)
	},
	"removeParticipant": func(w *cacheWorld) {
		guest := w.newcomer().Post("/events/"+w.names["event"]+"/join", nil).Want(200).Text("id")
		w.write(w.as(organizer), "DELETE", "/events/{event}/participants/"+guest, nil)
	},
	"enterWaitlist": func(w *cacheWorld) { w.wait() },
	"leaveWaitlist": func(w *cacheWorld) {
		path, _ := w.wait()
		w.write(w.as(ann), "DELETE", path+"/waitlist", nil)
	},
	"offerSeats": func(w *cacheWorld) {
		path, entry := w.wait()
		w.as(organizer).Post(path+"/waitlist/entries/"+entry+"/offer", nil).Want(403) // a free seat would be dealt meanwhile
	},
	"removeWaitlistEntry": func(w *cacheWorld) {
		path, entry := w.wait()
		w.write(w.as(organizer), "DELETE", path+"/waitlist/entries/"+entry, nil)
	},
	"setQuestions": func(w *cacheWorld) {
		for _, items := range [][]any{{map[string]any{"kind": "text", "label": "Name?"}}, {}} {
			w.write(w.as(organizer), "PUT", "/events/{event}/questions", map[string]any{"items": items})
		}
	},
	"inviteHost": func(w *cacheWorld) { w.invitedHost() },
	"updateHost": func(w *cacheWorld) { w.newHost() },
	"removeHost": func(w *cacheWorld) {
		w.write(w.as(organizer), "DELETE", "/events/{event}/hosts/"+w.newHost().UserID, nil)
	},
	"transferEvent": func(w *cacheWorld) {
		c := w.newHost()
		w.write(w.as(organizer), "POST", "/events/{event}/transfer", map[string]any{"user_id": c.UserID})
		w.write(c, "POST", "/events/{event}/transfer", map[string]any{"user_id": w.as(organizer).UserID})
		w.write(c, "DELETE", "/events/{event}/hosts/"+c.UserID, nil)
	},
	"inviteToEvent": func(w *cacheWorld) {
		w.newcomer()
		w.write(w.as(organizer), "POST", "/events/{private}/invitations",
			map[string]any{"email": apptest.Email(fmt.Sprint("newcomer", w.serial))})
	},
	"createInviteLink": func(w *cacheWorld) { w.write(w.as(organizer), "POST", "/events/{private}/invite-links", nil) },
	"endInviteLink": func(w *cacheWorld) {
		id := w.as(organizer).Post("/events/"+w.names["private"]+"/invite-links", nil).Want(201).Text("id")
		w.write(w.as(organizer), "DELETE", "/events/{private}/invite-links/"+id, nil)
	},
	"acceptInviteLink": func(w *cacheWorld) { w.write(w.newcomer(), "POST", "/invite-links/{token}/accept", nil) },
	"readGuestList":    func(w *cacheWorld) { w.write(w.as(organizer), "POST", "/events/{event}/guest-lists", apptest.Guests) },
	"importFile":       func(w *cacheWorld) { w.write(w.as(organizer), "POST", "/me/imports", apptest.Calendar) },
	"importAddress": func(w *cacheWorld) {
		w.as(organizer).Post("/me/imports/fetch", map[string]any{"url": "https://127.0.0.1/"}).Want(400) // else like importFile
		w.check("importAddress")
	},
	"applyImport": func(w *cacheWorld) {
		id := w.as(organizer).Post("/me/imports", apptest.Calendar).Want(200).Text("id")
		w.write(w.as(organizer), "POST", "/me/imports/"+id+"/apply", map[string]any{})
	},
	"inviteByEmail": func(w *cacheWorld) {
		w.write(w.as(organizer), "POST", "/events/{event}/email-invitations",
			map[string]any{"emails": []string{fmt.Sprintf("new%d@example.org", w.serial)}})
	},
	"withdrawEmailInvitation": func(w *cacheWorld) {
		w.write(w.as(organizer), "POST", "/events/{event}/email-invitations", map[string]any{"emails": []string{"withdrawn@example.org"}})
		id := w.as(organizer).Get("/events/" + w.names["event"] + "/email-invitations").Want(200).Text("items.0.id")
		w.write(w.as(organizer), "DELETE", "/events/{event}/email-invitations/"+id, nil)
	},
	"answerInvitation": func(w *cacheWorld) {
		for _, status := range []string{"accepted", "declined", "tentative"} {
			w.write(w.as(ann), "PATCH", "/events/{private}/rsvp", map[string]any{"status": status})
		}
	},

	"sendGuestMessage":   func(w *cacheWorld) { w.newGuestMessage() },
	"deleteGuestMessage": func(w *cacheWorld) { w.write(w.as(organizer), "DELETE", w.newGuestMessage(), nil) },

	"createEventPost":   func(w *cacheWorld) { w.newPost() },
	"createPostComment": func(w *cacheWorld) { w.newComment() },
	"updatePostComment": func(w *cacheWorld) {
		w.write(w.as(ann), "PATCH", "/events/{event}/posts/{post}/comments/"+w.newComment(), map[string]any{"body": w.fresh("Well!")})
	},
	"deletePostComment": func(w *cacheWorld) {
		w.write(w.as(ann), "DELETE", "/events/{event}/posts/{post}/comments/"+w.newComment(), nil)
	},
	"deleteEventPost": func(w *cacheWorld) {
		w.newPost()
		w.write(w.as(organizer), "DELETE", "/events/{event}/posts/{post}", nil)
		w.newPost()
	},
	"likePost":     func(w *cacheWorld) { w.write(w.newcomer(), "POST", "/events/{event}/posts/{post}/like", nil) },
	"unlikePost":   func(w *cacheWorld) { w.thereAndBack("/events/{event}/posts/{post}/like") },
	"repostPost":   func(w *cacheWorld) { w.write(w.newcomer(), "POST", "/events/{event}/posts/{post}/repost", nil) },
	"unrepostPost": func(w *cacheWorld) { w.thereAndBack("/events/{event}/posts/{post}/repost") },

	"setEventDateMode": func(w *cacheWorld) {
		for _, mode := range []string{"vote", "fixed"} {
			w.write(w.as(organizer), "PATCH", "/events/{event}/date-mode", map[string]any{"mode": mode})
		}
	},
	"createDateOption": func(w *cacheWorld) { w.newOption() },
	"voteForDateOption": func(w *cacheWorld) {
		w.write(w.as(ann), "POST", "/events/{voted}/join", nil)
		w.write(w.as(ann), "POST", "/events/{voted}/date-options/"+w.newOption()+"/votes", nil)
	},
	"withdrawDateVote": func(w *cacheWorld) {
		w.write(w.as(ann), "POST", "/events/{voted}/join", nil)
		w.thereAndBack("/events/{voted}/date-options/" + w.newOption() + "/votes")
	},
	"selectDateOption": func(w *cacheWorld) {
		w.write(w.as(organizer), "POST", "/events/{voted}/date-options/"+w.newOption()+"/select", nil)
		w.names["voted"] = w.publish(w.as(organizer), "2026-06-20T18:00:00Z", map[string]any{"date_mode": "vote"})
		w.check("publish")
	},
	"createRealtimeTicket": func(w *cacheWorld) { w.write(w.as(organizer), "POST", "/realtime/tickets", nil) },
	"markChatRead": func(w *cacheWorld) {
		w.write(w.as(organizer), "POST", "/events/{event}/messages/read", map[string]any{"position": "1"})
	},
	"sendChatMessage": func(w *cacheWorld) {
		w.write(w.as(organizer), "POST", "/events/{event}/messages", map[string]any{"body": "Hi."})
	},
	"updateNotificationPreferences": func(w *cacheWorld) {
		w.write(w.as(ann), "PATCH", "/me/notification-preferences", map[string]any{"language": "de"})
	},
	"muteEvent":   func(w *cacheWorld) { w.write(w.as(ann), "PUT", "/events/{event}/mute", nil) },
	"unmuteEvent": func(w *cacheWorld) { w.write(w.as(ann), "DELETE", "/events/{event}/mute", nil) },
	"setReminderSettings": func(w *cacheWorld) {
		w.write(w.as(organizer), "PATCH", "/events/{event}/reminders", map[string]any{"enabled": true})
	},

	"reviewEvent": func(w *cacheWorld) {
		for _, rating := range []int{1, 5, 2} {
			w.write(w.as(ann), "POST", "/events/{past}/reviews", map[string]any{"rating": rating})
		}
	},
	"createReport": func(w *cacheWorld) { w.report("event", w.names["event"]) },
	"updateReport": func(w *cacheWorld) {
		id := w.publish(w.as(organizer), "2026-06-21T18:00:00Z", nil)
		w.check("publish")
		w.resolve("event", id, "cancel_event")
		reviewer := w.pastParticipant()
		review := w.write(reviewer, "POST", "/events/{past}/reviews", map[string]any{"rating": 1, "body": "Bad."}).Text("id")
		w.resolve("review", review, "hide_content")
		suspended := w.newcomer()
		w.names["other"] = w.publish(suspended, time.Now().UTC().AddDate(1, 0, 0).Format(time.RFC3339), nil) // commands use the machine's clock
		w.check("publish")
		w.resolve("user", suspended.UserID, "suspend_user")
		w.restore(suspended.ID())
	},

	"setFeedPreferences": func(w *cacheWorld) {
		w.write(w.as(ann), "POST", "/feed/preferences", map[string]any{"city": w.fresh("B")})
	},
	"createCalendarEntry": func(w *cacheWorld) { w.newEntry() },
	"updateCalendarEntry": func(w *cacheWorld) {
		w.write(w.as(ann), "PATCH", "/calendar/entries/"+w.newEntry(), map[string]any{"notes": "Milk."})
	},
	"cancelCalendarEntry": func(w *cacheWorld) { w.write(w.as(ann), "DELETE", "/calendar/entries/"+w.newEntry(), nil) },
	"openCalendarFeed":    func(w *cacheWorld) { w.thereAndBack("/calendar/feed") },
	"closeCalendarFeed":   func(w *cacheWorld) { w.thereAndBack("/calendar/feed") },
	"answerCalendarInvite": func(w *cacheWorld) {
		w.write(w.as("bob"), "PATCH", "/calendar/invites/{invite}", map[string]any{"status": "accepted"})
	},
	"readAllNotifications": func(w *cacheWorld) { w.write(w.as(organizer), "POST", "/notifications/read-all", nil) },
	"readNotification": func(w *cacheWorld) {
		w.write(w.as(ann), "POST", "/events/{event}/posts/{post}/comments", map[string]any{"body": "Well."})
		id := w.as(organizer).Get("/notifications").Want(200).Text("items.0.id")
		w.write(w.as(organizer), "POST", "/notifications/"+id+"/read", nil)
	},
	"updatePaymentProfile": func(w *cacheWorld) {
		w.write(w.as(organizer), "PATCH", "/me/payment-profile", map[string]any{"status": "verified"})
	},
	"createPaymentIntent":   func(w *cacheWorld) { w.write(w.newcomer(), "POST", "/events/{priced}/payment-intents", nil) },
	"receiveMailEvents":     nil, // it changes no response to anonymous callers
	"receivePaymentWebhook": nil, // its attendance is that of joinEvent; without a signature it changes nothing
}
