package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"moothall/internal/core/webhook"
	"moothall/internal/identity/session"
	"moothall/internal/identity/signin"
	"moothall/internal/identity/signin/email"
	"moothall/internal/meetup/attendance"
	"moothall/internal/meetup/group"
	"moothall/internal/meetup/importer"
	"moothall/internal/meetup/media"
	"moothall/internal/meetup/place/geocode"
	"moothall/internal/meetup/series"
	"moothall/internal/meetup/source"
	"moothall/internal/platform/ratelimit"
)

const day = 24 * time.Hour

// The limits that count the requests to operations (contract §11). While the store is
// down, limits of sign-in refuse requests, so that codes cannot be guessed without
// limit; the others (Open) let requests through.
var (
	devStartPerAddress = ratelimit.Limit{Name: "dev_start_per_address", Default: ratelimit.Quota{N: 20, Window: time.Hour},
		What: "development codes requested from one client address"}
	devVerifyPerAddress = ratelimit.Limit{Name: "dev_verify_per_address", Default: ratelimit.Quota{N: 30, Window: 10 * time.Minute},
		What: "development codes tried from one client address"}
	phoneStartPerAddress = ratelimit.Limit{Name: "phone_start_per_address", Default: ratelimit.Quota{N: 20, Window: time.Hour},
		What: "calls started from one client address"}
	phoneStartPerNetwork = ratelimit.Limit{Name: "phone_start_per_network", Default: ratelimit.Quota{N: 100, Window: time.Hour},
		Per: ratelimit.PerNetwork, What: "calls started from one network (IPv4 /24, IPv6 /48)"}
	phoneStartPerWideNetwork = ratelimit.Limit{Name: "phone_start_per_wide_network", Default: ratelimit.Quota{N: 400, Window: time.Hour},
		Per: ratelimit.PerWideNetwork, What: "calls started from one IPv6 /32"}
	emailStartPerAddress = ratelimit.Limit{Name: "email_start_per_address", Default: ratelimit.Quota{N: 20, Window: time.Hour},
		What: "sign-in mails requested from one client address"}
	emailStartPerNetwork = ratelimit.Limit{Name: "email_start_per_network", Default: ratelimit.Quota{N: 100, Window: time.Hour},
		Per: ratelimit.PerNetwork, What: "sign-in mails requested from one network (IPv4 /24, IPv6 /48)"}
	emailStartPerWideNetwork = ratelimit.Limit{Name: "email_start_per_wide_network", Default: ratelimit.Quota{N: 400, Window: time.Hour},
		Per: ratelimit.PerWideNetwork, What: "sign-in mails requested from one IPv6 /32"}
	emailVerifyPerAddress = ratelimit.Limit{Name: "email_verify_per_address", Default: ratelimit.Quota{N: 30, Window: 10 * time.Minute},
		What: "codes of sign-in mails tried from one client address"}
	passkeyPerAddress = ratelimit.Limit{Name: "passkey_per_address", Default: ratelimit.Quota{N: 60, Window: 10 * time.Minute},
		What: "sign-ins with a passkey, started and finished, from one client address"}
	idpPerAddress = ratelimit.Limit{Name: "idp_per_address", Default: ratelimit.Quota{N: 30, Window: time.Minute},
		What: "sign-ins by identity provider from one client address"}
	imagesPerAddress = ratelimit.Limit{Name: "images_per_address", Default: ratelimit.Quota{N: 240, Window: time.Minute}, Open: true,
		What: "images requested from one client address, cached or not"}
	placesPerAddress = ratelimit.Limit{Name: "places_per_address", Default: ratelimit.Quota{N: 240, Window: time.Minute},
		What: "searches of places from one client address"}
	addressesPerUser = ratelimit.Limit{Name: "addresses_per_user", Default: ratelimit.Quota{N: 60, Window: time.Minute}, Open: true,
		What: "searches of addresses by one user"}
	picturesPerUser = ratelimit.Limit{Name: "pictures_per_user", Default: ratelimit.Quota{N: 30, Window: time.Hour}, Open: true,
		What: "pictures uploaded by one user"}
	importsPerUser = ratelimit.Limit{Name: "imports_per_user", Default: ratelimit.Quota{N: 30, Window: time.Hour}, Open: true,
		What: "calendar files read for one user"}
	importFetchesPerUser = ratelimit.Limit{Name: "import_fetches_per_user", Default: ratelimit.Quota{N: 20, Window: time.Hour}, Open: true,
		What: "calendars and pages fetched for one user"}
	publicationsPerUserDay = ratelimit.Limit{Name: "publications_per_user_day", Default: ratelimit.Quota{N: 100, Window: day}, Open: true,
		What: "events published by one user; each notifies every follower"}
	WritesPerUser = ratelimit.Limit{Name: "writes_per_user", Default: ratelimit.Quota{N: 120, Window: time.Minute}, Open: true,
		What: "changes of any kind by one user"}
	messagesPerUser = ratelimit.Limit{Name: "messages_per_user", Default: ratelimit.Quota{N: 30, Window: time.Minute}, Open: true,
		What: "chat messages of one user"}
	commentsPerUser = ratelimit.Limit{Name: "comments_per_user", Default: ratelimit.Quota{N: 20, Window: time.Minute}, Open: true,
		What: "comments of one user"}
	postsPerUserHour = ratelimit.Limit{Name: "posts_per_user_hour", Default: ratelimit.Quota{N: 30, Window: time.Hour}, Open: true,
		What: "posts, announcements and messages to guests of one host; each notifies many guests"}
	eventsPerUserDay = ratelimit.Limit{Name: "events_per_user_day", Default: ratelimit.Quota{N: 30, Window: day}, Open: true,
		What: "events created by one user"}
	seriesPerUserDay = ratelimit.Limit{Name: "series_per_user_day", Default: ratelimit.Quota{N: 5, Window: day}, Open: true,
		What: "series of events begun by one user"}
	reportsPerUserDay = ratelimit.Limit{Name: "reports_per_user_day", Default: ratelimit.Quota{N: 20, Window: day}, Open: true,
		What: "reports of one user"}
	followsPerUserDay = ratelimit.Limit{Name: "follows_per_user_day", Default: ratelimit.Quota{N: 200, Window: day}, Open: true,
		What: "follows of one user"}
	groupsPerUserDay = ratelimit.Limit{Name: "groups_per_user_day", Default: ratelimit.Quota{N: 10, Window: day}, Open: true,
		What: "groups created by one user"}
	groupJoinsPerUser = ratelimit.Limit{Name: "group_joins_per_user", Default: ratelimit.Quota{N: 60, Window: time.Hour}, Open: true,
		What: "groups joined by one user, or asked to join"}
	groupInvitationsPerUser = ratelimit.Limit{Name: "group_invitations_per_user", Default: ratelimit.Quota{N: 100, Window: time.Hour},
		Open: true, What: "invitations to groups by one user"}
	groupAnnouncementsPerUserDay = ratelimit.Limit{Name: "group_announcements_per_user_day", Default: ratelimit.Quota{N: 20, Window: day},
		Open: true, What: "announcements to groups by one user"}
	groupSourcesPerUserDay = ratelimit.Limit{Name: "group_sources_per_user_day", Default: ratelimit.Quota{N: 10, Window: day},
		Open: true, What: "calendars added to groups by one user"}
	hostInvitationsPerUserDay = ratelimit.Limit{Name: "host_invitations_per_user_day", Default: ratelimit.Quota{N: 30, Window: day},
		Open: true, What: "requests of one organizer to host an event"}
	invitationsPerUser = ratelimit.Limit{Name: "invitations_per_user", Default: ratelimit.Quota{N: 100, Window: time.Hour}, Open: true,
		What: "invitations to events, and links for them, by one organizer"}
)

// OperationLimits are the limits of operations besides WritesPerUser. Features apply
// limits that depend on the body, such as sign-in codes for one e-mail address.
var OperationLimits = map[string][]ratelimit.Limit{
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
	"listPlaces":          {placesPerAddress},
	"listAddresses":       {addressesPerUser},
	"getInviteLink":       {attendance.LinksPerAddress},
	"acceptInviteLink":    {attendance.LinksPerAddress},
	"createInviteLink":    {invitationsPerUser},
	"sendChatMessage":     {messagesPerUser},
	"createPostComment":   {commentsPerUser},
	"createEventPost":     {postsPerUserHour},
	"sendGuestMessage":    {postsPerUserHour},
	"createEvent":         {eventsPerUserDay},
	"cloneEvent":          {eventsPerUserDay},
	"createEventSeries":   {seriesPerUserDay},
	"splitEventSeries":    {seriesPerUserDay},
	"publishEvent":        {publicationsPerUserDay},
	"importFile":          {importsPerUser},
	"importAddress":       {importFetchesPerUser},
	"createReport":        {reportsPerUserDay},
	"followUser":          {followsPerUserDay},
	"inviteToEvent":       {invitationsPerUser},
	"createGroup":         {groupsPerUserDay},
	"joinGroup":           {groupJoinsPerUser},
	"inviteToGroup":       {groupInvitationsPerUser},
	"announceToGroup":     {groupAnnouncementsPerUserDay},
	"addGroupSource":      {groupSourcesPerUserDay},
	"inviteHost":          {hostInvitationsPerUserDay},
	"setEventCover":       {picturesPerUser},
	"setGroupImage":       {picturesPerUser},
	"setAvatar":           {picturesPerUser},
}

// RateLimits are all rate limits, in the order of docs/settings.md.
var RateLimits = []ratelimit.Limit{
	signin.DevStartPerEmail, devStartPerAddress, devVerifyPerAddress,
	email.StartPerEmail, email.StartPerEmailDay, emailStartPerAddress, emailStartPerNetwork, emailStartPerWideNetwork, email.StartsPerDay,
	emailVerifyPerAddress, email.StatusPerSignIn, email.ConfirmsPerAddress,
	signin.PhoneStartPerPhone, signin.PhoneStartPerPhoneDay, phoneStartPerAddress, phoneStartPerNetwork, phoneStartPerWideNetwork,
	signin.PhoneStartsPerDay, signin.PhoneStatusPerChallenge,
	passkeyPerAddress, idpPerAddress, imagesPerAddress, placesPerAddress, attendance.LinksPerAddress,
	addressesPerUser, geocode.NominatimPerSecond,
	session.RefreshPerSession,
	WritesPerUser, messagesPerUser, commentsPerUser, postsPerUserHour, eventsPerUserDay, seriesPerUserDay, series.DatesPerUserDay,
	publicationsPerUserDay, reportsPerUserDay, followsPerUserDay,
	importsPerUser, importFetchesPerUser, importer.FetchesPerHost, importer.DraftsPerUserDay,
	groupsPerUserDay, groupJoinsPerUser, groupInvitationsPerUser, group.InvitationsPerInviteeDay, group.RequestsPerGroupDay,
	groupAnnouncementsPerUserDay, group.AnnouncementsPerGroupDay, groupSourcesPerUserDay, source.ReadsPerHost,
	invitationsPerUser, hostInvitationsPerUserDay,
	picturesPerUser, media.MegapixelsPerUser, attendance.InvitationMissesPerOrganizer,
	webhook.MessagesPerUserDay, webhook.MessagesPerUser, webhook.MessagesPerHost, webhook.ReplaysPerUserDay, webhook.ChallengesPerUserDay,
}

var errLimit = errors.New("must be rule=n/period like writes_per_user=240/1m; alone, it may be on or off")

// parseRateLimits parses RATE_LIMITS: on, off, or the limits that differ from the default.
func (s *Settings) parseRateLimits(value string) error {
	s.RateLimits, s.Quotas = value != "off", map[string]ratelimit.Quota{}
	if value == "on" || value == "off" {
		return nil
	}
	changed, err := each(value, s.parseLimit)
	if err == nil && len(changed) == 0 {
		err = errLimit
	}
	return err
}

// parseLimit adds an entry of RATE_LIMITS to the quotas and returns its rule.
func (s *Settings) parseLimit(entry string) (rule string, err error) {
	rule, quota, ok := strings.Cut(entry, "=")
	if !ok {
		return "", errLimit
	}
	var names []string
	for _, r := range RateLimits {
		names = append(names, r.Name)
	}
	if !slices.Contains(names, rule) {
		if meant := nearest(strings.ToLower(rule), names); meant != "" {
			return "", fmt.Errorf("must begin with a rule; did you mean %s?", meant)
		}
		return "", errors.New("must begin with a rule of docs/settings.md")
	}
	if _, twice := s.Quotas[rule]; twice {
		return "", errors.New("must not repeat a rule")
	}
	s.Quotas[rule], err = ratelimit.ParseQuota(quota)
	return rule, err
}
