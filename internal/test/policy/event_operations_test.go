package policy

import (
	"net/http"
	"slices"

	"moothall/internal/core/access"
	"moothall/internal/test/apptest"
)

// operation is a row of policy "Doing something". Unless it says otherwise it
// is for everybody signed in who sees the event, in any state.
type operation struct {
	name         string // operationId, and after a space what is special
	method, path string
	body         string
	success      int

	open       bool                 // without signing in, too
	missing    func(situation) bool // 404 although the event may be seen
	unseen     bool                 // it need not be seen
	who        func(situation) bool // others 403
	in         []access.Status      // in others 403
	only       access.Visibility    // with the other 403
	vote, paid bool                 // the event is in mode vote, costs something
	own        bool                 // the comment is the actor's own
}

// want is the answer of the policy: 401, then 404, then 403.
func (o operation) want(s situation) int {
	switch {
	case s.is(suspended), s.is(anonymous) && !o.open:
		return http.StatusUnauthorized
	case !o.unseen && !s.sees(), o.missing != nil && o.missing(s):
		return http.StatusNotFound
	case o.who != nil && !o.who(s),
		o.in != nil && !slices.Contains(o.in, s.state),
		o.only != "" && o.only != s.visibility:
		return http.StatusForbidden
	}
	return o.success
}

var (
	coming   = []access.Status{access.Draft, access.Published}
	notDraft = []access.Status{access.Published, access.Canceled, access.Completed}
)

func organizes(s situation) bool    { return s.is(organizer) }
func hosts(s situation) bool        { return s.is(organizer, host) }
func isNoHost(s situation) bool     { return !hosts(s) }
func nobody(situation) bool         { return false }
func isDraft(s situation) bool      { return s.state == access.Draft }
func notInvited(s situation) bool   { _, ok := s.invitation(); return !ok }
func endsLink(s situation) bool     { return s.state != access.Published || s.is(blocked, blocker) }
func notInTheList(s situation) bool { _, _, ok := s.participation(); return !ok && !s.asks() }
func doesNotWait(s situation) bool  { return !s.waits() }
func isNotRemoved(s situation) bool { return !s.is(removed) }
func mayCome(s situation) bool      { return isNoHost(s) && isNotRemoved(s) }

// notInTeam is everybody who neither hosts the event nor is asked to; the organizer's own role does not end.
func notInTeam(s situation) bool { return !s.is(host, asked) }

// chats is hosts, going, invited with accepted or tentative.
func chats(s situation) bool { return hosts(s) || s.is(accepted, tentative) || s.goes() }

// votes is hosts, going, invited and not declined.
func votes(s situation) bool {
	invitation, _ := s.invitation()
	return chats(s) || invitation == string(pending)
}

// operations are those on one event.
var operations = []operation{
	{name: "getEvent", method: "GET", path: "/events/{event}", open: true, success: 200},
	{name: "getEventByCode", method: "GET", path: "/events/by-code/{code}", open: true, success: 200},
	{name: "downloadEventCalendar", method: "GET", path: "/events/{event}/calendar.ics", open: true, success: 200},
	{name: "updateEvent", method: "PATCH", path: "/events/{event}", body: `{"description":"New."}`, missing: isNoHost, in: coming, success: 200},
	{name: "publishEvent", method: "POST", path: "/events/{event}/publish", missing: isNoHost, in: coming, success: 200},
	{name: "setEventCover", method: "PUT", path: "/events/{event}/cover", body: apptest.Pixel, missing: isNoHost, in: coming, success: 200},
	{name: "deleteEventCover", method: "DELETE", path: "/events/{event}/cover", missing: isNoHost, in: coming, success: 204},
	{name: "cloneEvent", method: "POST", path: "/events/{event}/clone", missing: isNoHost, who: organizes, success: 201},
	{name: "cancelEvent", method: "POST", path: "/events/{event}/cancel", body: `{"message":"It rains."}`, missing: isNoHost, who: organizes,
		in: []access.Status{access.Draft, access.Published, access.Canceled}, success: 200},

	{name: "joinEvent", method: "POST", path: "/events/{event}/join", missing: isDraft, who: isNotRemoved, only: access.Public,
		in: []access.Status{access.Published}, success: 200},
	{name: "leaveEvent", method: "DELETE", path: "/events/{event}/join", unseen: true, missing: notInTheList, success: 200},
	{name: "listParticipants", method: "GET", path: "/events/{event}/participants", who: hosts, success: 200},
	{name: "listInvitations", method: "GET", path: "/events/{event}/invitations", who: hosts, success: 200},
	{name: "inviteToEvent", method: "POST", path: "/events/{event}/invitations", body: `{"email":"guest@example.org"}`,
		who: hosts, only: access.Private, in: coming, success: 201},
	{name: "listEmailInvitations", method: "GET", path: "/events/{event}/email-invitations", who: hosts, success: 200},
	{name: "readGuestList", method: "POST", path: "/events/{event}/guest-lists", body: apptest.Guests, who: hosts,
		in: []access.Status{access.Published}, success: 200},
	{name: "inviteByEmail", method: "POST", path: "/events/{event}/email-invitations", body: `{"emails":["new@example.org"]}`,
		who: hosts, in: []access.Status{access.Published}, success: 201},
	{name: "withdrawEmailInvitation", method: "DELETE", path: "/events/{event}/email-invitations/018f3b0a-5c1d-7000-8000-000000000171",
		who: hosts, success: 404}, // the organizer learns that there is no such invitation
	{name: "listInviteLinks", method: "GET", path: "/events/{event}/invite-links", who: hosts, success: 200},
	{name: "createInviteLink", method: "POST", path: "/events/{event}/invite-links", who: hosts, only: access.Private, in: coming, success: 201},
	{name: "endInviteLink", method: "DELETE", path: "/events/{event}/invite-links/{link}", who: hosts, success: 204},
	{name: "getInviteLink", method: "GET", path: "/invite-links/{token}", unseen: true, open: true, missing: endsLink, success: 200},
	{name: "acceptInviteLink", method: "POST", path: "/invite-links/{token}/accept", unseen: true, missing: endsLink, who: mayCome, success: 200},
	{name: "answerInvitation", method: "PATCH", path: "/events/{event}/rsvp", body: `{"status":"tentative"}`, missing: notInvited, in: coming, success: 200},

	{name: "enterWaitlist of an event without one", method: "POST", path: "/events/{event}/waitlist", missing: isDraft, who: situation.waits,
		success: 201}, // a repetition
	{name: "getWaitlistEntry", method: "GET", path: "/events/{event}/waitlist", missing: doesNotWait, success: 200},
	{name: "leaveWaitlist", method: "DELETE", path: "/events/{event}/waitlist", missing: doesNotWait, success: 204},
	{name: "listWaitlistEntries", method: "GET", path: "/events/{event}/waitlist/entries", who: hosts, success: 200},
	{name: "offerSeats", method: "POST", path: "/events/{event}/waitlist/entries/018f3b0a-5c1d-7000-8000-0000000000b1/offer",
		who: hosts, success: 404}, // the organizer learns that there is no such entry
	{name: "removeWaitlistEntry", method: "DELETE", path: "/events/{event}/waitlist/entries/018f3b0a-5c1d-7000-8000-0000000000b1",
		who: hosts, success: 404},

	{name: "listHosts", method: "GET", path: "/events/{event}/hosts", who: hosts, success: 200},
	{name: "inviteHost", method: "POST", path: "/events/{event}/hosts", body: `{"user_id":"{guest}"}`, who: organizes, in: coming, success: 200},
	{name: "updateHost of oneself", method: "PATCH", path: "/events/{event}/hosts/{self}", body: `{"status":"active"}`, missing: notInTeam,
		in: coming, success: 200},
	{name: "updateHost of another", method: "PATCH", path: "/events/{event}/hosts/{guest}", body: `{"status":"active"}`, who: nobody},
	{name: "removeHost of oneself", method: "DELETE", path: "/events/{event}/hosts/{self}", missing: notInTeam, success: 204},
	{name: "removeHost of nobody", method: "DELETE", path: "/events/{event}/hosts/{guest}", who: organizes, success: 404},
	{name: "transferEvent to nobody", method: "POST", path: "/events/{event}/transfer", body: `{"user_id":"{guest}"}`, who: organizes,
		in: coming, success: 404},

	{name: "listQuestions", method: "GET", path: "/events/{event}/questions", success: 200},
	{name: "setQuestions", method: "PUT", path: "/events/{event}/questions", body: `{"items":[{"kind":"text","label":"Name?"}]}`, who: hosts,
		in: coming, success: 200},
	{name: "listAnswers", method: "GET", path: "/events/{event}/answers", who: hosts, success: 200},
	{name: "listAnswers of one's own", method: "GET", path: "/events/{event}/answers?mine=true", success: 200},
	{name: "downloadAnswers", method: "GET", path: "/events/{event}/answers.csv", who: hosts, success: 200},

	{name: "downloadParticipants", method: "GET", path: "/events/{event}/participants.csv", who: hosts, success: 200},
	{name: "approveRequests", method: "POST", path: "/events/{event}/participants/approve", who: hosts, success: 200},
	{name: "approveParticipant", method: "POST", path: "/events/{event}/participants/018f3b0a-5c1d-7000-8000-0000000000d1/approve",
		who: hosts, success: 404}, // the organizer learns that there is no such participant
	{name: "declineParticipant", method: "POST", path: "/events/{event}/participants/018f3b0a-5c1d-7000-8000-0000000000d1/decline",
		who: hosts, success: 404},
	{name: "removeParticipant", method: "DELETE", path: "/events/{event}/participants/018f3b0a-5c1d-7000-8000-0000000000d1", who: hosts, success: 404},

	{name: "listPostThreads", method: "GET", path: "/events/posts?event_id={event}", open: true, success: 200},
	{name: "listEventPosts", method: "GET", path: "/events/{event}/posts", open: true, success: 200},
	{name: "listPostComments", method: "GET", path: "/events/{event}/posts/{post}/comments", open: true, success: 200},
	{name: "createEventPost", method: "POST", path: "/events/{event}/posts", body: `{"body":"News."}`, who: hosts, in: notDraft, success: 201},
	{name: "listGuestAudiences", method: "GET", path: "/events/{event}/guest-audiences", who: hosts, success: 200},
	{name: "listGuestMessages", method: "GET", path: "/events/{event}/guest-messages", success: 200},
	{name: "sendGuestMessage to those who go", method: "POST", path: "/events/{event}/guest-messages",
		body: `{"audience":"going","body":"News."}`, who: hosts, in: notDraft, success: 201},
	{name: "sendGuestMessage to those who wait", method: "POST", path: "/events/{event}/guest-messages",
		body: `{"audience":"waiting","body":"News."}`, who: hosts, in: []access.Status{access.Published}, success: 201},
	{name: "deleteGuestMessage of nobody", method: "DELETE",
		path: "/events/{event}/guest-messages/018f3b0a-5c1d-7000-8000-0000000000b7", success: 404},
	{name: "createPostComment", method: "POST", path: "/events/{event}/posts/{post}/comments", body: `{"body":"Well."}`, in: notDraft, success: 201},
	{name: "updatePostComment of another", method: "PATCH", path: "/events/{event}/posts/{post}/comments/{comment}", body: `{"body":"Well."}`, who: nobody},
	{name: "updatePostComment of one's own", method: "PATCH", path: "/events/{event}/posts/{post}/comments/{comment}", body: `{"body":"Well."}`, own: true, success: 200},
	{name: "deletePostComment of another", method: "DELETE", path: "/events/{event}/posts/{post}/comments/{comment}", who: nobody},
	{name: "deletePostComment of one's own", method: "DELETE", path: "/events/{event}/posts/{post}/comments/{comment}", own: true, success: 204},
	{name: "deleteEventPost", method: "DELETE", path: "/events/{event}/posts/{post}", who: organizes, success: 204},
	{name: "likePost", method: "POST", path: "/events/{event}/posts/{post}/like", in: notDraft, success: 200},
	{name: "unlikePost", method: "DELETE", path: "/events/{event}/posts/{post}/like", success: 200},
	{name: "repostPost", method: "POST", path: "/events/{event}/posts/{post}/repost", only: access.Public, in: notDraft, success: 200},
	{name: "unrepostPost", method: "DELETE", path: "/events/{event}/posts/{post}/repost", success: 200},

	{name: "setEventDateMode", method: "PATCH", path: "/events/{event}/date-mode", body: `{"mode":"vote"}`, who: hosts, in: coming, success: 204},
	{name: "listDateOptions", method: "GET", path: "/events/{event}/date-options", success: 200},
	{name: "createDateOption", method: "POST", path: "/events/{event}/date-options", body: `{"starts_at":"2027-01-01T18:00:00Z"}`,
		who: hosts, in: coming, success: 201},
	{name: "voteForDateOption", method: "POST", path: "/events/{event}/date-options/{option}/votes", vote: true, who: votes, in: coming, success: 200},
	{name: "voteForDateOption of a fixed event", method: "POST", path: "/events/{event}/date-options/{option}/votes", who: nobody},
	{name: "withdrawDateVote", method: "DELETE", path: "/events/{event}/date-options/{option}/votes", vote: true, who: votes, in: coming, success: 204},
	{name: "selectDateOption", method: "POST", path: "/events/{event}/date-options/{option}/select", vote: true, who: hosts, in: coming, success: 200},

	{name: "listChatMessages", method: "GET", path: "/events/{event}/messages", who: chats, success: 200},
	{name: "sendChatMessage", method: "POST", path: "/events/{event}/messages", body: `{"body":"Hi."}`, who: chats, in: notDraft, success: 201},
	{name: "markChatRead", method: "POST", path: "/events/{event}/messages/read", body: `{"position":"1"}`, who: chats, success: 200},
	{name: "authorizeChatSocket", method: "GET", path: "/events/{event}/ws", who: chats, success: 200},
	{name: "muteEvent", method: "PUT", path: "/events/{event}/mute", success: 200},
	{name: "unmuteEvent", method: "DELETE", path: "/events/{event}/mute", success: 200},
	{name: "getReminderSettings", method: "GET", path: "/events/{event}/reminders", who: chats, success: 200},
	{name: "setReminderSettings", method: "PATCH", path: "/events/{event}/reminders", body: `{"enabled":true}`, who: hosts, in: coming, success: 200},

	{name: "listEventReviews", method: "GET", path: "/events/{event}/reviews", success: 200},
	{name: "reviewEvent", method: "POST", path: "/events/{event}/reviews", body: `{"rating":4}`, who: situation.goes, in: []access.Status{access.Completed}, success: 201},
	{name: "createReport of an event", method: "POST", path: "/reports", body: `{"target_type":"event","target_id":"{event}","reason":"spam"}`, success: 201},
	{name: "createReport of a post", method: "POST", path: "/reports", body: `{"target_type":"post","target_id":"{post}","reason":"spam"}`, success: 201},
	{name: "createReport of a comment", method: "POST", path: "/reports", body: `{"target_type":"comment","target_id":"{comment}","reason":"spam"}`, success: 201},

	{name: "createPaymentIntent", method: "POST", path: "/events/{event}/payment-intents", paid: true, who: mayCome, in: []access.Status{access.Published}, success: 201},
	{name: "createPaymentIntent for a free event", method: "POST", path: "/events/{event}/payment-intents", who: nobody},
}
