package app

import (
	"context"
	"maps"
	"strings"

	"moothall/api/gen"
	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/core/webhook"
	"moothall/internal/delivery/mail"
	"moothall/internal/delivery/realtime"
	"moothall/internal/delivery/webpush"
	"moothall/internal/domain"
	"moothall/internal/identity/apikey"
	"moothall/internal/identity/relation"
	"moothall/internal/identity/session"
	"moothall/internal/identity/signin"
	"moothall/internal/identity/signin/email"
	"moothall/internal/identity/signin/passkey"
	"moothall/internal/meetup/account"
	"moothall/internal/meetup/attendance"
	"moothall/internal/meetup/calendar"
	"moothall/internal/meetup/chat"
	"moothall/internal/meetup/datevote"
	"moothall/internal/meetup/discovery"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/feed"
	"moothall/internal/meetup/group"
	"moothall/internal/meetup/guestmessage"
	"moothall/internal/meetup/host"
	"moothall/internal/meetup/imageproxy"
	"moothall/internal/meetup/importer"
	"moothall/internal/meetup/media"
	"moothall/internal/meetup/moderation"
	"moothall/internal/meetup/payment"
	"moothall/internal/meetup/place"
	"moothall/internal/meetup/post"
	"moothall/internal/meetup/question"
	"moothall/internal/meetup/reminder"
	"moothall/internal/meetup/review"
	"moothall/internal/meetup/series"
	"moothall/internal/meetup/source"
	"moothall/internal/platform/db"
	"moothall/internal/platform/httpapi"
)

// uploadFactor is how much longer than READ_TIMEOUT a picture may take to arrive.
const uploadFactor = 4

// newServer returns the server of all operations.
func (a *App) newServer(r services) (*httpapi.Server, error) {
	https := strings.HasPrefix(a.settings.PublicBaseURL, "https:")
	sessionHandler := session.NewHandler(r.sessions, https)
	signIn := signin.NewHandler(r.signIn, sessionHandler, https)
	emailSignIn, err := email.NewHandler(r.mailSignIn, sessionHandler, https)
	if err != nil {
		return nil, err
	}
	paymentHandler := payment.NewHandler(r.payments)
	deliveryHandler := mail.NewHandler(r.deliver, r.mailEvents)
	mediaHandler := media.NewHandler(r.media)
	realtimeHandler := realtime.NewHandler(r.realtime)
	health := health{db: a.db, clock: a.clock, canSignIn: a.settings.canSignIn(), log: &healthLog{log: a.log}}
	a.registerStoreMetrics(health)
	operations := handler{
		health:        health,
		sessions:      sessions{sessionHandler},
		signIns:       signIns{signIn},
		emailSignIns:  emailSignIns{emailSignIn},
		passkeys:      passkeys{passkey.NewHandler(r.passkeys, sessionHandler)},
		apiKeys:       apiKeys{apikey.NewHandler(r.apiKeys)},
		users:         users{user.NewHandler(r.users)},
		relations:     relations{relation.NewHandler(r.relation)},
		accounts:      accounts{account.NewHandler(r.accounts, sessionHandler.ExpireCookie)},
		events:        events{event.NewHandler(r.events)},
		discoveries:   discoveries{discovery.NewHandler(r.discovery)},
		places:        places{place.NewHandler()},
		addresses:     addresses{place.NewAddressHandler(r.geocoder)},
		hosts:         hosts{host.NewHandler(r.hosts)},
		questions:     questions{question.NewHandler(r.questions)},
		attendances:   attendances{attendance.NewHandler(r.attendance)},
		posts:         posts{post.NewHandler(r.posts)},
		guestMessages: guestMessages{guestmessage.NewHandler(r.messages)},
		chats:         chats{chat.NewHandler(r.chats)},
		realtimes:     realtimes{realtimeHandler},
		dateVotes:     dateVotes{datevote.NewHandler(r.dateVotes)},
		reminders:     reminders{reminder.NewHandler(r.reminders)},
		calendars:     calendars{calendar.NewHandler(r.calendar)},
		feeds:         feeds{feed.NewHandler(r.feeds)},
		reviews:       reviews{review.NewHandler(r.reviews)},
		moderators:    moderators{moderation.NewHandler(r.moderation)},
		notifications: notifications{notify.NewHandler(r.notify)},
		deliveries:    deliveries{deliveryHandler},
		pushes:        pushes{webpush.NewHandler(r.webpush)},
		webhooks:      webhooks{webhook.NewHandler(r.webhooks)},
		payments:      payments{paymentHandler},
		images:        images{imageproxy.NewHandler(r.images)},
		pictures:      pictures{mediaHandler},
		eventSeries:   eventSeries{series.NewHandler(r.series)},
		importers:     importers{importer.NewHandler(r.imports)},
		groups:        groups{group.NewHandler(r.groups)},
		sources:       sources{source.NewHandler(r.sources)},
	}
	a.calls = &gen.Calls{Operations: operations, Invoke: func(ctx context.Context, c *gen.Call) (any, error) {
		return a.server.Call(ctx, c)
	}}
	site := a.newSite()
	return httpapi.New(operations, httpapi.Options{
		Log:            a.log,
		Metrics:        a.metrics,
		Tracer:         a.tracer,
		Authenticator:  authenticator{sessionHandler, r.apiKeys, realtimeHandler},
		AllowedOrigins: append([]string{a.settings.WebOrigin}, a.settings.CORSOrigins...),
		TrustedProxies: a.settings.TrustedProxies,
		ContinueTraces: a.settings.TracesFromProxies,
		Key:            a.settings.SecretKey,
		HTTPS:          https,
		MaxInFlight:    a.settings.MaxInFlight,
		Probe:          a.db.Await,
		RequestTimeout: a.settings.RequestTimeout,
		UploadTimeout:  uploadFactor * a.settings.ReadTimeout,
		TempDir:        a.temporary.Path(),

		Limits:          r.limits,
		WriteLimit:      WritesPerUser,
		OperationLimits: OperationLimits,

		Cache:            a.cache,
		CachedOperations: cachedOperations,
		PublicRoutes:     publicRoutes,

		Checks:             operations.checks(),
		DisabledOperations: disabledOperations(a.settings),
		SignatureChecks: map[string]func(httpapi.RawRequest) error{
			"receivePaymentWebhook": paymentHandler.VerifyWebhook, "receiveMailEvents": deliveryHandler.VerifyMailEvents,
		},
		ExtraRoutes:   a.extraRoutes(site, signIn, emailSignIn, mediaHandler, deliveryHandler, r.mailSamples(a.settings, a.db, a.clock)),
		WebClient:     site,
		BeforeInvalid: a.beforeInvalid,
	})
}

// authenticator identifies viewers by sessions, API keys and tickets.
type authenticator struct {
	*session.Handler
	keys    *apikey.Service
	tickets *realtime.Handler
}

// ByTicket implements httpapi.Authenticator.
func (a authenticator) ByTicket(ctx context.Context, ticket, parameter string) (domain.Viewer, error) {
	return a.tickets.ByTicket(ctx, ticket, parameter)
}

// ByAccessToken implements httpapi.Authenticator.
func (a authenticator) ByAccessToken(ctx context.Context, token string) (domain.Viewer, error) {
	if apikey.Is(token) {
		return a.keys.Viewer(ctx, token)
	}
	return a.Handler.ByAccessToken(ctx, token)
}

// rules returns the rules of all operations.
func (h handler) checks() map[string]httpapi.Check {
	all := map[string]httpapi.Check{}
	for _, feature := range []interface {
		Checks() map[string]httpapi.Check
	}{
		h.signIns, h.emailSignIns, h.passkeys, h.apiKeys, h.users, h.events, h.discoveries, h.places, h.questions, h.attendances, h.posts,
		h.chats, h.dateVotes, h.reminders, h.calendars, h.feeds, h.reviews, h.moderators, h.notifications, h.deliveries, h.pushes, h.webhooks,
		h.eventSeries, h.importers, h.guestMessages, h.groups, h.sources,
	} {
		maps.Copy(all, feature.Checks())
	}
	return all
}

// cachedOperations lists the operations whose responses to anonymous callers are cached,
// and the kinds of all entities that they show. Their features call cache.Until.
var cachedOperations = map[string][]db.Kind{
	"listEvents":       {event.Content, event.Attendance, event.Group, user.Profile},
	"mapEvents":        {event.Content, event.Attendance, user.Profile},
	"getFeed":          {event.Content, event.Attendance, event.Group, user.Profile},
	"getEvent":         {event.Content, event.Attendance, event.Group, event.Ratings, user.Profile},
	"listEventPosts":   {event.Content, post.Posts, user.Profile},
	"listPostComments": {event.Content, post.Posts, user.Profile},
	"getProfile":       {user.Profile},
	"listProfiles":     {user.Profile},

	"getEventByCode":       {event.Content, event.Attendance, event.Group, event.Ratings, user.Profile},
	"getProfileByUsername": {user.Profile},

	"listGroups":       {event.Group, group.Members, user.Profile},
	"getGroup":         {event.Group, group.Members, user.Profile},
	"listGroupMembers": {event.Group, group.Members, user.Profile},
	"listGroupEvents":  {event.Content, event.Attendance, event.Group, group.Members, user.Profile},
}

// beforeInvalid returns domain.NotFound when the viewer must not learn that the event
// of a malformed request exists: 404 comes before 400 (policy "Doing something").
func (a *App) beforeInvalid(ctx context.Context, operation string, path map[string]string) error {
	event, err := domain.ParseID[domain.EventKind](path["event_id"])
	if err != nil {
		return nil //nolint:nilerr // not an event: the request is only malformed
	}
	return access.Precheck(ctx, a.db, httpapi.Viewer(ctx), operation, event, a.clock.Now())
}

// disabledOperations lists the operations that the settings disable.
func disabledOperations(s Settings) []string {
	var disabled []string
	if !s.DevSignIn {
		disabled = append(disabled, "startDevSignIn", "verifyDevSignIn")
	}
	if s.SMTP == nil && !s.hasOutbox() {
		disabled = append(disabled, "startEmailSignIn", "verifyEmailSignIn", "getEmailSignInStatus")
	}
	if s.VAPIDSubject == "" {
		disabled = append(disabled, "getPushKey", "listPushSubscriptions", "createPushSubscription", "deletePushSubscription")
	}
	if !s.Realtime.On {
		disabled = append(disabled, "openRealtimeSocket", "openRealtimeStream", "createRealtimeTicket")
	}
	if s.relyingParty() == nil {
		disabled = append(disabled, "startPasskeySignIn", "verifyPasskeySignIn", "listPasskeys", "createPasskey", "startPasskeyRegistration",
			"updatePasskey", "deletePasskey")
	}
	return disabled
}
