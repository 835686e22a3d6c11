package app

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"path/filepath"
	"time"

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
	"moothall/internal/meetup/place/geocode"
	"moothall/internal/meetup/post"
	"moothall/internal/meetup/postings"
	"moothall/internal/meetup/question"
	"moothall/internal/meetup/reminder"
	"moothall/internal/meetup/review"
	"moothall/internal/meetup/series"
	"moothall/internal/meetup/source"
	"moothall/internal/ops/backup"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/clock"
	"moothall/internal/platform/db"
	"moothall/internal/platform/files"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/job"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/platform/smtp"
)

// handler implements every operation of the contract by the handlers of the features.
type handler struct {
	health
	sessions
	signIns
	emailSignIns
	passkeys
	apiKeys
	users
	relations
	accounts
	events
	discoveries
	places
	addresses
	hosts
	questions
	attendances
	posts
	guestMessages
	chats
	realtimes
	dateVotes
	reminders
	calendars
	feeds
	reviews
	moderators
	notifications
	deliveries
	pushes
	webhooks
	payments
	images
	pictures
	eventSeries
	importers
	sources
	groups
}

// The handlers of the features under different names, so that one struct can embed them.
type (
	sessions      struct{ *session.Handler }
	signIns       struct{ *signin.Handler }
	emailSignIns  struct{ *email.Handler }
	passkeys      struct{ *passkey.Handler }
	apiKeys       struct{ *apikey.Handler }
	users         struct{ *user.Handler }
	relations     struct{ *relation.Handler }
	accounts      struct{ *account.Handler }
	events        struct{ *event.Handler }
	discoveries   struct{ *discovery.Handler }
	places        struct{ *place.Handler }
	addresses     struct{ *place.AddressHandler }
	hosts         struct{ *host.Handler }
	questions     struct{ *question.Handler }
	attendances   struct{ *attendance.Handler }
	posts         struct{ *post.Handler }
	guestMessages struct{ *guestmessage.Handler }
	chats         struct{ *chat.Handler }
	realtimes     struct{ *realtime.Handler }
	dateVotes     struct{ *datevote.Handler }
	reminders     struct{ *reminder.Handler }
	calendars     struct{ *calendar.Handler }
	feeds         struct{ *feed.Handler }
	reviews       struct{ *review.Handler }
	moderators    struct{ *moderation.Handler }
	notifications struct{ *notify.Handler }
	deliveries    struct{ *mail.Handler }
	pushes        struct{ *webpush.Handler }
	webhooks      struct{ *webhook.Handler }
	payments      struct{ *payment.Handler }
	images        struct{ *imageproxy.Handler }
	pictures      struct{ *media.Handler }
	eventSeries   struct{ *series.Handler }
	importers     struct{ *importer.Handler }
	groups        struct{ *group.Handler }
	sources       struct{ *source.Handler }
)

// services are the services of all features. newServices sets all except images and the
// store of media.
type services struct {
	users      *user.Service
	relation   *relation.Service
	sessions   *session.Service
	signIn     *signin.Service
	mailSignIn *email.Service
	passkeys   *passkey.Service
	apiKeys    *apikey.Service
	accounts   *account.Service
	backups    *backup.Schedule // nil: none
	events     *event.Service
	series     *series.Service
	groups     *group.Service
	discovery  *discovery.Service
	attendance *attendance.Service
	reviews    *review.Service
	moderation *moderation.Service
	posts      *post.Service
	messages   *guestmessage.Service
	chats      *chat.Service
	realtime   *realtime.Hub
	dateVotes  *datevote.Service
	reminders  *reminder.Service
	calendar   *calendar.Service
	feeds      *feed.Service
	notify     *notify.Service
	deliver    *mail.Service
	deliveries *mail.Worker
	mailEvents *mail.ProviderEvents
	webpush    *webpush.Service
	webhooks   *webhook.Service
	hookWorker *webhook.Worker
	hosts      *host.Service
	questions  *question.Service
	payments   *payment.Service
	images     *imageproxy.Service
	geocoder   *geocode.Client
	media      *media.Service
	imports    *importer.Service
	sources    *source.Service
	limits     *ratelimit.Limits
}

// newServices returns the services. memory is the memory of their caches, or nil.
func newServices(d *db.DB, memory *cache.Memory, now domain.Clock, s Settings, log *slog.Logger) services {
	profiles, cards := user.NewProfiles(memory, d), event.NewListedCards(memory, d, s.pages())
	payments := &payment.Service{
		DB: d, Clock: now, Enabled: s.PaymentsEnabled, Provider: payment.NewDevelopment(s.WebhookSecrets...),
	}
	var limits *ratelimit.Limits
	if s.RateLimits {
		limits = ratelimit.New(ratelimit.Options{DB: d, Clock: now, Key: s.SecretKey, Quotas: s.Quotas, Log: log})
	}
	r := services{
		limits: limits,
		users: &user.Service{DB: d, Clock: now, Moderators: user.NewModerators(s.AdminUserIDs, s.AdminEmails), TestProfiles: s.TestProfiles,
			OnEmailProved: mail.EndSuppression, OnKnown: attendance.EndGuest},
		relation: &relation.Service{DB: d, Clock: now,
			OnBlock: []relation.BlockHook{host.OnBlock, attendance.OnBlock, question.OnBlock, payment.OnBlock, calendar.OnBlock,
				series.OnBlock, group.OnBlock}},
		events: &event.Service{
			DB: d, Clock: now, Details: event.NewPublicDetails(memory, d), Profiles: profiles, Pages: s.pages(), Seats: attendance.Seats{},
			MayCharge: payments.MayCharge, HasIntents: payments.HasIntents, OnScheduled: reminder.Schedule, OnCanceled: payment.RefundEvent,
			CopyQuestions: question.Copy,
			Rules:         event.Rules{Currencies: s.PaymentCurrencies, DefaultTimezone: s.DefaultTimezone},
		},
		groups:    &group.Service{DB: d, Clock: now, Pages: s.pages(), Limits: limits},
		hosts:     &host.Service{DB: d, Clock: now, MayCharge: payments.MayCharge, HasIntents: payments.HasIntents},
		questions: &question.Service{DB: d, Clock: now},
		discovery: &discovery.Service{DB: d, Clock: now, Cards: cards, Profiles: profiles},
		attendance: &attendance.Service{DB: d, Clock: now, Phones: s.Phone.Rules, Limits: limits, MustHavePaid: payments.MustHavePaid,
			Refund: payment.RefundGuest, Pages: s.pages()},
		posts:     &post.Service{DB: d, Clock: now},
		messages:  &guestmessage.Service{DB: d, Clock: now},
		chats:     &chat.Service{DB: d, Clock: now, Pages: s.pages()},
		dateVotes: &datevote.Service{DB: d, Clock: now, OnScheduled: reminder.Schedule},
		reminders: &reminder.Service{DB: d, Clock: now},
		feeds:     &feed.Service{DB: d, Clock: now, Cards: cards, Activities: feed.NewActivities(memory, d), Profiles: profiles},
		reviews:   &review.Service{DB: d, Clock: now},
		notify:    &notify.Service{DB: d, Clock: now},
		payments:  payments,
		media:     media.New(media.Service{DB: d, Clock: now, BaseURL: s.PublicBaseURL, Limits: limits}),
	}
	r.groups.OnBan = r.attendance.OnBan
	r.series = &series.Service{DB: d, Clock: now, Events: r.events, Attendance: r.attendance, Limits: limits}
	r.imports = importer.New(importer.Service{DB: d, Clock: now, Events: r.events, Limits: limits, Own: s.ownHosts()}, s.Outbound)
	r.sources = &source.Service{DB: d, Clock: now, Events: r.events, Imports: r.imports}
	r.groups.OnDelete = source.OnGroupDeleted
	r.geocoder = geocode.New(s.Geocoder, now, limits)
	r.attendance.Users, r.attendance.Addresses = r.users, &attendance.Addresses{DB: d, Keys: s.keyring()}
	r.webpush = &webpush.Service{DB: d, Clock: now, Client: s.pushClient(now)}
	tokens := mail.Tokens{Keys: s.keyring()}
	r.deliveries = mail.NewWorker(mail.Options{
		DB: d, Clock: now, Logger: log, Notifications: r.notify, DefaultTimezone: s.DefaultTimezone,
		Senders: s.senders(d, now, tokens, r.webpush.Client), Grace: s.MailGrace,
		Stops: stops, Attendance: r.attendance,
	})
	r.attendance.OnChange, r.attendance.OnEmailInvitations = r.deliveries.OnAttendance, r.deliveries.OnEmailInvitations
	r.relation.OnBlock = append(r.relation.OnBlock, r.deliveries.OnBlock)
	r.deliver = &mail.Service{DB: d, Clock: now, DefaultTimezone: s.DefaultTimezone, Tokens: tokens, Channels: r.deliveries.Channels(),
		Attendance: r.attendance, Stops: stops,
		Leave: func(ctx context.Context, v domain.Viewer, id domain.EventID) error {
			_, err := r.attendance.Leave(ctx, v, id)
			return err
		}}
	r.mailEvents = &mail.ProviderEvents{
		Bounces: &mail.Bounces{DB: d, Clock: now, Paths: s.returnPaths(), Stops: stops}, Users: r.users, Providers: s.MailProviders,
		Addresses: r.attendance.Addresses,
	}
	r.calendar = &calendar.Service{
		DB: d, Clock: now, Attendance: r.attendance, Timezone: s.DefaultTimezone,
		Feeds: calendar.FeedOptions{Keys: s.keyring(), BaseURL: s.PublicBaseURL, Pages: s.pages()},
	}
	r.sessions = &session.Service{
		DB: d, Clock: now, Users: r.users, Limits: limits, Key: s.SecretKey,
		AccessTTL: s.AccessTokenTTL, RefreshTTL: s.RefreshTokenTTL, MaxAge: s.SessionMaxAge, RaceWindow: s.RefreshRaceWindow,
	}
	r.signIn = &signin.Service{
		DB: d, Clock: now, Users: r.users, Sessions: r.sessions, Limits: limits,
		Key: s.SecretKey, ExposeCode: s.DevExposeCode, Phone: s.Phone.options(),
		Mail: s.mailOptions(d, now),
		Idp:  s.idpOptions(now),
	}
	r.mailSignIn = &email.Service{
		DB: d, Clock: now, Users: r.users, Sessions: r.sessions, Limits: limits, Key: s.SecretKey,
		Transport: r.signIn.Mail.Transport, From: r.signIn.Mail.From, Brand: s.brand(), PageURL: s.pageURL(linkPath), WebOrigin: s.WebOrigin,
	}
	r.passkeys = &passkey.Service{DB: d, Clock: now, Users: r.users, Sessions: r.sessions, RP: s.relyingParty(), Others: s.otherMethods()}
	r.webhooks = &webhook.Service{DB: d, Clock: now, Keys: s.keyring(), Own: s.ownHosts(), Loopback: s.webhookLoopback(), Limits: limits}
	r.hookWorker = webhook.NewWorker(webhook.Options{
		DB: d, Clock: now, Logger: log, Keys: s.keyring(), Network: s.Outbound, Loopback: s.webhookLoopback(), Limits: limits,
	})
	r.realtime = realtime.NewHub(realtime.Options{
		DB: d, Clock: now, Log: log, Sessions: r.sessions, Chats: r.chats, Notifications: r.notify, Key: s.SecretKey,
		BaseURL: s.PublicBaseURL, MaxSockets: s.RealtimeSockets, PingEvery: s.RealtimePing, Off: !s.Realtime.On, Presence: s.Realtime.Presence,
	})
	r.apiKeys = &apikey.Service{DB: d, Clock: now, Sessions: r.sessions, Key: s.SecretKey, Previous: s.SecretKeyPrevious}
	r.backups = newBackups(d, now, s, log)
	r.accounts = &account.Service{DB: d, Clock: now, Users: r.users, Sessions: r.sessions, Sections: r.accountSections()}
	r.moderation = &moderation.Service{DB: d, Clock: now, Users: r.users, Events: r.events, Groups: r.groups, Suspend: r.accounts.SuspendIn,
		ResumeOutreach: mail.Resume}
	return r
}

// webhookLoopback reports whether webhooks may call this machine: in development only.
func (s Settings) webhookLoopback() bool { return s.WebhookLoopback && s.Env == Development }

// ownHosts returns the host names of the service itself.
func (s Settings) ownHosts() (own []string) {
	for _, address := range []string{s.PublicBaseURL, s.WebOrigin} {
		if u, err := url.Parse(address); err == nil {
			own = append(own, u.Hostname())
		}
	}
	return own
}

// newImages opens the image proxy, which does not fetch from the service itself.
func newImages(now domain.Clock, s Settings, temporary *files.TempFolder) (*imageproxy.Service, error) {
	if s.ImageCacheDir == "" {
		s.ImageCacheDir = filepath.Join(temporary.Path(), "images")
	}
	return imageproxy.New(imageproxy.Options{
		Clock: now, Dir: s.ImageCacheDir, Bytes: int64(s.ImageCacheMB) << 20, Own: s.ownHosts(), Network: s.Outbound,
	})
}

// newJobs registers the background jobs.
// stops lets the moderators decide about senders of spam.
var stops = mail.Stops{OnStop: moderation.OnStop}

func (a *App) newJobs(r services) *job.Workers {
	jobs := job.New(job.Options{DB: a.db, Clock: a.clock, Trusted: a.trusted, Logger: a.log, Tracer: a.tracer})
	jobs.Purge(time.Hour, "session.purge", r.sessions.Purge)
	jobs.Purge(24*time.Hour, "user.purge", r.users.Purge)
	jobs.Purge(time.Hour, "signin.purge", r.signIn.Purge)
	jobs.Purge(time.Hour, "emailsignin.purge", r.mailSignIn.Purge)
	jobs.Purge(time.Hour, "passkey.purge", r.passkeys.Purge)
	jobs.Purge(time.Hour, "idempotency.purge", func(ctx context.Context) error { return idempotency.Purge(ctx, a.db, a.clock.Now()) })
	jobs.Purge(time.Hour, "ratelimit.purge", func(ctx context.Context) error {
		_, err := r.limits.Purge(ctx)
		return err
	})
	jobs.Purge(time.Hour, "payment.purge", r.payments.Purge)
	jobs.Purge(time.Hour, "webpush.purge", r.webpush.Purge)
	jobs.Purge(time.Hour, "realtime.purge", r.realtime.Purge)
	jobs.Purge(24*time.Hour, "deliver.purge", r.deliveries.Purge)
	jobs.Purge(24*time.Hour, "attendance.purge_emails", func(ctx context.Context) error {
		return r.attendance.PurgeInvitations(ctx, r.accounts.Delete)
	})
	jobs.Purge(time.Hour, "importer.purge", r.imports.Purge)
	jobs.Purge(24*time.Hour, "group.purge", r.groups.Purge)
	jobs.Purge(24*time.Hour, "question.purge", r.questions.Purge)
	jobs.Purge(24*time.Hour, "webhook.purge", r.webhooks.Purge)
	notify.Register(jobs, a.db, a.clock)
	r.reminders.RegisterJobs(jobs, len(r.deliveries.Senders) > 0)
	r.mailSignIn.RegisterJobs(jobs)
	r.accounts.RegisterJobs(jobs)
	r.events.RegisterJobs(jobs)
	r.attendance.RegisterJobs(jobs)
	r.series.RegisterJobs(jobs)
	r.sources.RegisterJobs(jobs)
	r.media.RegisterJobs(jobs)
	postings.RegisterJobs(jobs, a.db)
	jobs.Every(renewEvery, "secretkey.renew", func(ctx context.Context) error { return a.renewSecrets(ctx, r) })
	a.registerDamageCheck(jobs)
	if r.backups != nil {
		a.metrics.MustRegister(r.backups.RegisterJobs(jobs))
	}
	return jobs
}

// accountSections lists the sections of every feature in the order of erasure. The
// account is last, because the others find their rows by it.
func (r services) accountSections() []account.Section {
	sections := []account.Section{
		{Name: "payments", Export: r.payments.Export, Erase: r.payments.Erase},
		{Name: "hosts", Export: host.Export, Erase: r.hosts.Erase}, // before events, some of which it hands over
		{Name: "groups", Export: group.Export, Erase: r.groups.Erase},
		{Name: "group_sources", Export: source.Export, Erase: source.Erase}, // after groups, which are locked first
		{Name: "series", Export: series.Export, Erase: series.Erase},
		{Name: "events", Export: r.events.Export, Erase: r.events.Erase},
		{Name: "imports", Export: importer.Export, Erase: importer.Erase},
		{Name: "attendance", Export: attendance.Export, Erase: attendance.Erase},
		{Name: "answers", Export: question.Export, Erase: question.Erase}, // after events, some of which it empties
		{Name: "chat", Export: chat.Export, Erase: chat.Erase},
		{Name: "dates", Export: datevote.Export, Erase: datevote.Erase},
		{Name: "reminders", Export: reminder.Export}, // they name no user
		{Name: "calendar", Export: calendar.Export, Erase: calendar.Erase},
		{Name: "feed", Export: feed.Export, Erase: feed.Erase},
		{Name: "posts", Export: post.Export, Erase: post.Erase},
		{Name: "guest_messages", Export: guestmessage.Export, Erase: guestmessage.Erase},
		{Name: "reviews", Export: review.Export, Erase: review.Erase},
		{Name: "reports", Export: moderation.Export, Erase: moderation.Erase},
		{Name: "notifications", Export: notify.Export, Erase: notify.Erase},
		{Name: "notification_preferences", Export: mail.Export, Erase: mail.Erase},
		{Name: "push_subscriptions", Export: webpush.Export, Erase: webpush.Erase},
		{Name: "idempotency_keys", Export: idempotency.Export, Erase: idempotency.Erase},
		{Name: "pictures", Export: media.Export, Erase: media.Erase},
		{Name: "relations", Export: relation.Export, Erase: relation.Erase},
		{Name: "passkeys", Export: passkey.Export, Erase: passkey.Erase},
		{Name: "webhooks", Export: webhook.Export, Erase: webhook.Erase},
		{Name: "api_keys", Export: apikey.Export, Erase: apikey.Erase},
		{Name: "email_sign_ins", Erase: email.Erase},
		{Name: "mail_outbox", Erase: smtp.Erase},
		{Name: "sign_in", Export: signin.Export, Erase: signin.Erase},
		{Name: "account", Export: r.users.Export, Erase: r.users.Erase},
	}
	if r.backups != nil {
		sections = append(sections, account.Section{Name: "backups", Erase: r.backups.QueueDeletions})
	}
	return sections
}

// NewAccounts returns the service of accounts, for commands.
func NewAccounts(ctx context.Context, d *db.DB, s Settings) (*account.Service, error) {
	now, err := CommandClock(ctx, d)
	if err != nil {
		return nil, err
	}
	return newServices(d, nil, now, s, slog.New(slog.DiscardHandler)).accounts, nil
}

// Import is what the command that imports a calendar uses. It has no rate limits.
type Import struct {
	Users   *user.Service
	Events  *event.Service
	Imports *importer.Service
}

// NewImport returns the services that import a calendar, for a command.
func NewImport(ctx context.Context, d *db.DB, s Settings) (Import, error) {
	now, err := CommandClock(ctx, d)
	if err != nil {
		return Import{}, err
	}
	s.RateLimits = false
	r := newServices(d, nil, now, s, slog.New(slog.DiscardHandler))
	return Import{r.users, r.events, r.imports}, nil
}

// NewBounces returns the service that handles mails that came back, for commands.
func NewBounces(ctx context.Context, d *db.DB, s Settings) (*mail.Bounces, error) {
	if len(s.SecretKey) == 0 && d.Engine() == db.PostgreSQL {
		return nil, errors.New("SECRET_KEY must be that of the service")
	}
	if err := s.ensureSecret(slog.New(slog.DiscardHandler)); err != nil {
		return nil, err
	}
	now, err := CommandClock(ctx, d)
	if err != nil {
		return nil, err
	}
	return &mail.Bounces{DB: d, Clock: now, Paths: s.returnPaths(), Stops: stops}, nil
}

// CommandClock returns the service's clock for commands, which end soon.
func CommandClock(ctx context.Context, d *db.DB) (domain.Clock, error) {
	c, err := clock.Open(ctx, d, clock.ThisMachine(), slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	return c.Now, nil
}
