package web

import (
	"context"
	"net/http"
	"net/url"

	"moothall/api/gen"
)

// newActions lists the actions. Those that call one operation have its name.
func (s *Site) newActions() map[string]action {
	return map[string]action{
		"addGroupSource":          s.addGroupSource,
		"announceToGroup":         s.announceToGroup,
		"answerCalendarInvite":    s.answerCalendarInvite,
		"answerInvitation":        s.answerInvitation,
		"blockUser":               s.blockUser,
		"cancelCalendarEntry":     s.cancelCalendarEntry,
		"cancelEvent":             s.cancelEvent,
		"changeParticipation":     s.changeParticipation,
		"chooseDeliveryTimes":     s.chooseDeliveryTimes,
		"chooseLanguage":          s.chooseLanguage,
		"chooseLocale":            s.chooseLocale,
		"chooseName":              s.chooseName,
		"chooseNotifications":     s.chooseNotifications,
		"chooseTheme":             s.chooseTheme,
		"cloneEvent":              s.cloneEvent,
		"inviteHost":              s.inviteHost,
		"acceptHost":              s.acceptHost,
		"removeHost":              s.removeHost,
		"transferEvent":           s.transferEvent,
		"closeCalendarFeed":       s.closeCalendarFeed,
		"createApiKey":            s.createAPIKey,
		"createCalendarEntry":     s.createCalendarEntry,
		"createDateOption":        s.createDateOption,
		"createEvent":             s.createEvent,
		"createEventPost":         s.createPost,
		"createEventSeries":       s.createEventSeries,
		"createGroup":             s.createGroup,
		"createInviteLink":        s.createInviteLink,
		"createPasskey":           s.createPasskey,
		"createPostComment":       s.createComment,
		"createPushSubscription":  s.createPush,
		"createReport":            s.createReport,
		"createWebhook":           s.createWebhook,
		"deleteApiKey":            s.deleteAPIKey,
		"deleteAvatar":            s.deleteAvatar,
		"deleteEventCover":        s.deleteCover,
		"deleteGroup":             s.deleteGroup,
		"deleteGroupImage":        s.deleteGroupImage,
		"deleteMe":                s.deleteMe,
		"deletePasskey":           s.deletePasskey,
		"deletePostComment":       s.deleteComment,
		"deleteEventPost":         s.deletePost,
		"deleteGuestMessage":      s.deleteGuestMessage,
		"deletePushSubscription":  s.deletePush,
		"deleteWebhook":           s.deleteWebhook,
		"endEventSeries":          s.endEventSeries,
		"endInviteLink":           s.endInviteLink,
		"approveParticipant":      s.approveParticipant,
		"approveRequests":         s.approveRequests,
		"declineParticipant":      s.declineParticipant,
		"enterWaitlist":           s.enterWaitlist,
		"followUser":              s.followUser,
		"applyImport":             s.applyImport,
		"importAddress":           s.importAddress,
		"importFile":              s.importFile,
		"inviteListed":            s.inviteListed,
		"readGuestList":           s.readGuestList,
		"inviteByEmail":           s.inviteByEmail,
		"inviteToEvent":           s.inviteToEvent,
		"inviteToGroup":           s.inviteToGroup,
		"joinEvent":               s.joinEvent,
		"joinEventSeries":         s.joinEventSeries,
		"joinGroup":               s.joinGroup,
		"leaveEvent":              s.leaveEvent,
		"leaveEventSeries":        s.leaveEventSeries,
		"leaveGroup":              s.leaveGroup,
		"leaveWaitlist":           s.leaveWaitlist,
		"likePost":                s.likePost,
		"logout":                  s.logout,
		"offerSeats":              s.offerSeats,
		"openCalendarFeed":        s.openCalendarFeed,
		"pauseEventSeries":        s.pauseEventSeries,
		"readAllNotifications":    s.readAllNotifications,
		"readNotification":        s.readNotification,
		"removeGroupMember":       s.removeGroupMember,
		"removeGroupSource":       s.removeGroupSource,
		"removeParticipant":       s.removeParticipant,
		"removeWaitlistEntry":     s.removeWaitlistEntry,
		"replayWebhook":           s.replayWebhook,
		"repostPost":              s.repostPost,
		"resumeEventSeries":       s.resumeEventSeries,
		"reviewEvent":             s.reviewEvent,
		"revokeOtherSessions":     s.revokeOtherSessions,
		"revokeSession":           s.revokeSession,
		"rotateWebhookSecret":     s.rotateWebhookSecret,
		"selectDateOption":        s.selectDateOption,
		"sendChatMessage":         s.sendMessage,
		"sendGuestMessage":        s.sendGuestMessage,
		"setEventDateMode":        s.setDateMode,
		"setFeedPreferences":      s.setFeedPreferences,
		"setQuestions":            s.setQuestions,
		"setReminderSettings":     s.setReminders,
		"skipSeriesDate":          s.skipSeriesDate,
		"splitEventSeries":        s.splitEventSeries,
		"startEmailSignIn":        s.startEmailSignIn,
		"startPhoneCall":          s.startPhoneCall,
		"testWebhook":             s.testWebhook,
		"transferGroup":           s.transferGroup,
		"unblockUser":             s.unblockUser,
		"unfollowUser":            s.unfollowUser,
		"unlikePost":              s.unlikePost,
		"unrepostPost":            s.unrepostPost,
		"updateEventSeries":       s.updateEventSeries,
		"updateEvent":             s.updateEvent,
		"updateGroup":             s.updateGroup,
		"updateGroupMember":       s.updateGroupMember,
		"withdrawEmailInvitation": s.withdrawEmailInvitation,
		"updateMyProfile":         s.updateMyProfile,
		"updatePasskey":           s.updatePasskey,
		"updatePaymentProfile":    s.updatePaymentProfile,
		"updatePostComment":       s.updateComment,
		"updateReport":            s.updateReport,
		"updateWebhook":           s.updateWebhook,
		"verifyEmailSignIn":       s.verifyEmailSignIn,
		"verifyPasskeySignIn":     s.verifyPasskeySignIn,
		"voteForDateOption":       s.vote,
	}
}

// signsIn are the actions whose 401 says that the sign-in failed.
var signsIn = map[string]bool{"verifyEmailSignIn": true, "verifyPasskeySignIn": true}

// withoutSession are the actions that need no session.
var withoutSession = map[string]bool{
	"chooseLanguage": true, "chooseTheme": true, "joinEvent": true, "logout": true,
	"startEmailSignIn": true, "startPhoneCall": true, "verifyEmailSignIn": true, "verifyPasskeySignIn": true,
}

func (s *Site) chooseLanguage(_ context.Context, v *visit, form url.Values) (outcome, error) {
	language := form.Get("language")
	if languageIndex(language) < 0 {
		return outcome{}, invalid("language")
	}
	v.setCookie(s.newCookie(languageCookie, language, chosenFor))
	return back(form), nil
}

func (s *Site) chooseTheme(_ context.Context, v *visit, form url.Values) (outcome, error) {
	theme := form.Get("theme")
	if !isTheme(theme) {
		return outcome{}, invalid("theme")
	}
	v.setCookie(s.newCookie(themeCookie, theme, chosenFor))
	return back(form), nil
}

// logout ends the session.
func (s *Site) logout(ctx context.Context, v *visit, _ url.Values) (outcome, error) {
	err := s.api.Logout(ctx, gen.OptRefreshTokenRequest{})
	if isRefused(err, http.StatusUnauthorized) {
		err = nil // it has ended already
	}
	s.clearBrowser(v)
	return outcome{to: "/"}, err
}
