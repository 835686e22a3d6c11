package app

import (
	"time"

	"moothall/internal/core/webhook"
	"moothall/internal/identity/session"
	"moothall/internal/identity/signin"
	"moothall/internal/identity/signin/email"
	"moothall/internal/meetup/attendance"
	"moothall/internal/meetup/media"
	"moothall/internal/platform/ratelimit"
)

const day = 24 * time.Hour

// The limits that count the requests to operations (contract §11). While the store is
// down, limits of sign-in refuse requests, so that codes cannot be guessed without
// limit; the others (Open) let requests through.
var (
	devStartPerAddress       = ratelimit.Rule{Name: "dev_start_per_address", What: "development codes requested from one client address", Default: ratelimit.Quota{N: 20, Window: time.Hour}}
	devVerifyPerAddress      = ratelimit.Rule{Name: "dev_verify_per_address", What: "development codes tried from one client address", Default: ratelimit.Quota{N: 30, Window: 10 * time.Minute}}
	phoneStartPerAddress     = ratelimit.Rule{Name: "phone_start_per_address", What: "calls started from one client address", Default: ratelimit.Quota{N: 20, Window: time.Hour}}
	phoneStartPerNetwork     = ratelimit.Rule{Name: "phone_start_per_network", What: "calls started from one network (IPv4 /24, IPv6 /48)", Default: ratelimit.Quota{N: 100, Window: time.Hour}, Per: ratelimit.PerNetwork}
	phoneStartPerWideNetwork = ratelimit.Rule{Name: "phone_start_per_wide_network", What: "calls started from one IPv6 /32", Default: ratelimit.Quota{N: 400, Window: time.Hour}, Per: ratelimit.PerWideNetwork}
	emailStartPerAddress     = ratelimit.Rule{Name: "email_start_per_address", What: "sign-in mails requested from one client address", Default: ratelimit.Quota{N: 20, Window: time.Hour}}
	emailStartPerNetwork     = ratelimit.Rule{Name: "email_start_per_network", What: "sign-in mails requested from one network (IPv4 /24, IPv6 /48)", Default: ratelimit.Quota{N: 100, Window: time.Hour}, Per: ratelimit.PerNetwork}
	emailStartPerWideNetwork = ratelimit.Rule{Name: "email_start_per_wide_network", What: "sign-in mails requested from one IPv6 /32", Default: ratelimit.Quota{N: 400, Window: time.Hour}, Per: ratelimit.PerWideNetwork}
	emailVerifyPerAddress    = ratelimit.Rule{Name: "email_verify_per_address", What: "codes of sign-in mails tried from one client address", Default: ratelimit.Quota{N: 30, Window: 10 * time.Minute}}
	passkeyPerAddress        = ratelimit.Rule{Name: "passkey_per_address", What: "sign-ins with a passkey, started and finished, from one client address", Default: ratelimit.Quota{N: 60, Window: 10 * time.Minute}}
	idpPerAddress            = ratelimit.Rule{Name: "idp_per_address", What: "sign-ins by identity provider from one client address", Default: ratelimit.Quota{N: 30, Window: time.Minute}}
	imagesPerAddress         = ratelimit.Rule{Name: "images_per_address", What: "images requested from one client address, cached or not", Default: ratelimit.Quota{N: 240, Window: time.Minute}, Open: true}
	picturesPerUser          = ratelimit.Rule{Name: "pictures_per_user", What: "pictures uploaded by one user", Default: ratelimit.Quota{N: 30, Window: time.Hour}, Open: true}
	WritesPerUser            = ratelimit.Rule{Name: "writes_per_user", What: "changes of any kind by one user", Default: ratelimit.Quota{N: 120, Window: time.Minute}, Open: true}
	messagesPerUser          = ratelimit.Rule{Name: "messages_per_user", What: "chat messages of one user", Default: ratelimit.Quota{N: 30, Window: time.Minute}, Open: true}
	commentsPerUser          = ratelimit.Rule{Name: "comments_per_user", What: "comments of one user", Default: ratelimit.Quota{N: 20, Window: time.Minute}, Open: true}
	postsPerUserHour         = ratelimit.Rule{Name: "posts_per_user_hour", What: "posts and announcements of one organizer; each notifies every participant", Default: ratelimit.Quota{N: 30, Window: time.Hour}, Open: true}
	eventsPerUserDay         = ratelimit.Rule{Name: "events_per_user_day", What: "events created by one user", Default: ratelimit.Quota{N: 30, Window: day}, Open: true}
	reportsPerUserDay        = ratelimit.Rule{Name: "reports_per_user_day", What: "reports of one user", Default: ratelimit.Quota{N: 20, Window: day}, Open: true}
	followsPerUserDay        = ratelimit.Rule{Name: "follows_per_user_day", What: "follows of one user", Default: ratelimit.Quota{N: 200, Window: day}, Open: true}
	invitationsPerUser       = ratelimit.Rule{Name: "invitations_per_user", What: "invitations to events by one organizer", Default: ratelimit.Quota{N: 100, Window: time.Hour}, Open: true}
)

// OperationLimits are the limits of operations besides WritesPerUser. Features apply
// limits that depend on the body, such as sign-in codes for one e-mail address.
var OperationLimits = map[string][]ratelimit.Rule{
	"startDevSignIn":      {devStartPerAddress},
	"verifyDevSignIn":     {devVerifyPerAddress},
	"startEmailSignIn":    {emailStartPerAddress, emailStartPerNetwork, emailStartPerWideNetwork},
	"verifyEmailSignIn":   {emailVerifyPerAddress},
	"startPasskeySignIn":  {passkeyPerAddress},
	"verifyPasskeySignIn": {passkeyPerAddress},
	"startPhoneCall":      {phoneStartPerAddress, phoneStartPerNetwork, phoneStartPerWideNetwork},
	"startIdpSignIn":      {idpPerAddress},
	"signInWithIdpToken":  {idpPerAddress},
	"proxyImage":          {imagesPerAddress},
	"sendChatMessage":     {messagesPerUser},
	"createPostComment":   {commentsPerUser},
	"createEventPost":     {postsPerUserHour},
	"createEvent":         {eventsPerUserDay},
	"createReport":        {reportsPerUserDay},
	"followUser":          {followsPerUserDay},
	"inviteToEvent":       {invitationsPerUser},
	"setEventCover":       {picturesPerUser},
	"setAvatar":           {picturesPerUser},
}

// Rules are all limits, in the order of docs/settings.md.
var Rules = []ratelimit.Rule{
	signin.DevStartPerEmail, devStartPerAddress, devVerifyPerAddress,
	email.StartPerEmail, email.StartPerEmailDay, emailStartPerAddress, emailStartPerNetwork, emailStartPerWideNetwork, email.StartsPerDay,
	emailVerifyPerAddress, email.StatusPerSignIn, email.ConfirmsPerAddress,
	signin.PhoneStartPerPhone, signin.PhoneStartPerPhoneDay, phoneStartPerAddress, phoneStartPerNetwork, phoneStartPerWideNetwork, signin.PhoneStartsPerDay, signin.PhoneStatusPerChallenge,
	passkeyPerAddress, idpPerAddress, imagesPerAddress, session.RefreshPerSession,
	WritesPerUser, messagesPerUser, commentsPerUser, postsPerUserHour, eventsPerUserDay, reportsPerUserDay, followsPerUserDay,
	invitationsPerUser, picturesPerUser, media.MegapixelsPerUser, attendance.InvitationMissesPerOrganizer,
	webhook.MessagesPerUserDay, webhook.MessagesPerUser, webhook.MessagesPerHost, webhook.ReplaysPerUserDay, webhook.ChallengesPerUserDay,
}
