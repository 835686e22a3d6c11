package app

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/delivery/mail"
	"moothall/internal/domain"
	"moothall/internal/identity/signin/idp"
	"moothall/internal/meetup/payment"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/clock"
	"moothall/internal/platform/outbound"
	"moothall/internal/platform/push"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/platform/smtp"
	"moothall/internal/web/basemap"

	"filippo.io/age"
	"github.com/agnivade/levenshtein"
)

// The values of APP_ENV.
const (
	Development = "development"
	Staging     = "staging"
	Production  = "production"
)

// Settings are the parsed environment variables.
type Settings struct {
	Env                  string
	ListenAddr           string
	MetricsAddr          string // empty: no metrics listener
	MetricsPprof         bool   // the metrics listener also serves profiles
	TraceEndpoint        string // base URL of the collector; empty: no traces
	TracesFromProxies    bool   // requests continue the traces of trusted proxies
	TraceHeaders         map[string]string
	TraceRatio           float64
	DatabaseURL          string
	DatabaseMaxConns     int
	AcquireTimeout       time.Duration
	MigrationLockTimeout time.Duration
	SQLiteMmapMB         int    // MB
	SecretKey            []byte // key of HMACs; if empty, New generates one
	SecretKeyPrevious    []byte // before SecretKey; empty: none

	WebOrigin      string
	PublicBaseURL  string
	CORSOrigins    []string // besides WebOrigin
	TrustedProxies []netip.Prefix

	DevSignIn         bool
	DevExposeCode     bool
	WebhookLoopback   bool // webhooks may call this machine
	AccessTokenTTL    time.Duration
	RefreshTokenTTL   time.Duration
	SessionMaxAge     time.Duration
	RefreshRaceWindow time.Duration

	Phone    Phone         // sign-in by phone call
	Idps     []idp.Options // identity providers, the default one first
	SMTP     *smtp.Server  // nil: no mail is sent
	MailFrom string
	// Notifications by mail, and how long they wait, if there is a transport of mails.
	MailNotifications bool
	MailGrace         time.Duration
	MailPerMinute     int
	MailBounces       string                       // base of the return paths; empty: none
	MailProviders     map[string]mail.MailProvider // that report bounces by HTTP, by name
	DKIMKeyFile       string                       // empty: mails are not signed
	DKIMSelector      string

	RateLimits        bool
	Quotas            map[string]ratelimit.Quota // by rule
	PaymentsEnabled   bool
	PaymentCurrencies []string
	WebhookSecrets    []payment.Secret // of the payment provider; each one is valid
	AdminEmails       []user.Email
	AdminUserIDs      []domain.UserID
	TestProfiles      user.TestProfiles
	DefaultTimezone   string

	ImageCacheDir string // empty: a temporary directory
	ImageCacheMB  int

	Realtime         bool // there are WebSockets
	RealtimePresence bool
	RealtimeSockets  int
	RealtimePing     time.Duration

	VAPIDSubject      string     // contact for push services; empty: no push
	pushKeys          *push.Keys // not a setting; nil: derived from SecretKey
	PushNotifications bool

	Outbound outbound.Network // not a setting: tests replace the network

	Machine *clock.Machine // not a setting: tests replace the machine's clocks
	Media   blob.Location  // of uploaded pictures

	Backup           blob.Location // of the backups that the service makes; the zero Location: none
	BackupEvery      time.Duration
	BackupKeep       time.Duration
	BackupRecipients []age.Recipient

	Tiles basemap.Tiles // of maps

	CacheMB         int
	MaxInFlight     int
	RequestTimeout  time.Duration
	ReadTimeout     time.Duration
	ShutdownDelay   time.Duration
	ShutdownTimeout time.Duration
	LogLevel        slog.Level
	LogFormat       string
}

// machine returns the clocks of the machine.
func (s Settings) machine() clock.Machine {
	if s.Machine != nil {
		return *s.Machine
	}
	return clock.ThisMachine()
}

// Setting is one environment variable.
type Setting struct {
	Name    string
	Default string
	In      map[string]string // defaults that differ, by APP_ENV
	What    string            // for docs/settings.md, in Markdown
	Secret  bool              // the value is never logged

	read func(s *Settings, value string) error

	// readIdp replaces read where Name contains <NAME>: there is one such variable
	// for each identity provider.
	readIdp func(p *idp.Options, value string) error
}

// Table lists all settings in the order of docs/settings.md. APP_ENV is first,
// because defaults depend on it.
var Table = slices.Concat([]Setting{
	{Name: "APP_ENV", Default: Development, What: "`development`, `staging` or `production`; production rejects unsafe settings",
		read: oneOf(func(s *Settings) *string { return &s.Env }, Development, Staging, Production)},
	{Name: "LISTEN_ADDR", Default: "127.0.0.1:8080", What: "address of the API, `host:port`",
		read: address(func(s *Settings) *string { return &s.ListenAddr })},
	{Name: "METRICS_ADDR", What: "address of the Prometheus metrics (`/metrics`), `host:port`; empty: no metrics",
		read: optional(address(func(s *Settings) *string { return &s.MetricsAddr }))},
	{Name: "METRICS_PPROF", Default: "false", What: "serve profiles of the process at `/debug/pprof/` on `METRICS_ADDR`. They show parts of its memory, and taking one slows it down: only for addresses that only operators reach",
		read: boolean(func(s *Settings) *bool { return &s.MetricsPprof })},
	{Name: "OTEL_EXPORTER_OTLP_ENDPOINT", What: "base address of an OpenTelemetry collector that gets traces by OTLP over HTTP (`/v1/traces`), like `http://127.0.0.1:4318`; empty: no traces",
		read: optional(traceEndpoint)},
	{Name: "OTEL_EXPORTER_OTLP_HEADERS", What: "headers for the collector, `name=value` separated by commas; values are URL-encoded", Secret: true,
		read: traceHeaders},
	{Name: "OTEL_TRACES_SAMPLER_ARG", Default: "0.01", What: "share of the requests and jobs whose trace is recorded, 0 to 1",
		read: traceRatio},
	{Name: "TRACES_FROM_PROXIES", Default: "false", What: "`true`: a `traceparent` header from `TRUSTED_PROXIES` is the parent of its request, and decides whether the request is recorded. Set it only if the proxies set or remove this header",
		read: boolean(func(s *Settings) *bool { return &s.TracesFromProxies })},
	{Name: "DATABASE_URL", Default: "sqlite:data/moothall.db", What: "`sqlite:path` or `postgres://user:password@host/database`; with several hosts (`host1,host2`), the one that accepts writes", Secret: true,
		read: databaseURL},
	{Name: "DATABASE_MAX_CONNS", Default: "8", What: "maximum number of PostgreSQL connections of one instance, 2 to 1000. Background jobs leave the last one to requests; from 4 on, one is for sign-ins alone",
		read: number(func(s *Settings) *int { return &s.DatabaseMaxConns }, 2, 1000)},
	{Name: "DATABASE_ACQUIRE_TIMEOUT", Default: "400ms", What: "maximum wait for a database connection or for the write lock, 10ms to 1m; after it the request gets 503",
		read: duration(func(s *Settings) *time.Duration { return &s.AcquireTimeout }, 10*time.Millisecond, time.Minute)},
	{Name: "MIGRATION_LOCK_TIMEOUT", Default: "5m", What: "maximum wait at the start for a lock that pending migrations need, 1s to 24h; after it the start fails. " +
		"Increase it if another instance may build the index of a large table for longer",
		read: duration(func(s *Settings) *time.Duration { return &s.MigrationLockTimeout }, time.Second, 24*time.Hour)},
	{Name: "SQLITE_MMAP_MB", Default: "0", What: "megabytes (2^20 bytes) of the SQLite file that each read connection maps into memory, 0 to 65536. There is one read connection per core, at least two. " +
		"Mapped memory counts as resident, but the system can reclaim it. Mapping all of a large file makes uncached lists a third cheaper",
		read: number(func(s *Settings) *int { return &s.SQLiteMmapMB }, 0, 65536)},
	{Name: "SECRET_KEY", What: "key for sign-in codes, calendar addresses, links in e-mails, webhooks and push subscriptions; a new key invalidates all of them, unless `SECRET_KEY_PREVIOUS` is set. At least 32 random characters (`openssl rand -base64 32`), the same on every instance. " +
		"Required in production; otherwise one is generated and stored next to the SQLite file", Secret: true,
		read: secretKey},
	{Name: "SECRET_KEY_PREVIOUS", What: "the key before `SECRET_KEY`, while it is [replaced](operations.md#secret-key): what was made with it stays valid", Secret: true,
		read: func(s *Settings, value string) error { s.SecretKeyPrevious = []byte(value); return nil }},

	{Name: "WEB_ORIGIN", Default: "http://localhost:8080", What: "origin of the web client, `https://host`",
		read: origin(func(s *Settings) *string { return &s.WebOrigin })},
	{Name: "PUBLIC_BASE_URL", Default: "http://localhost:8080", What: "address of the API for clients; may have a path; `https` makes the cookie `Secure`",
		read: baseURL},
	{Name: "API_CORS_ALLOWED_ORIGINS", What: "further origins whose pages may call the API, separated by commas; exact origins, no patterns",
		read: corsOrigins},
	{Name: "TRUSTED_PROXIES", What: "addresses or CIDR ranges of proxies whose `X-Forwarded-For` is trusted, separated by commas",
		read: trustedProxies},

	{Name: "AUTH_DEV_ENABLED", Default: "true", In: map[string]string{Production: "false"}, What: "sign-in by development code (`/auth/dev/...`); not allowed in production",
		read: boolean(func(s *Settings) *bool { return &s.DevSignIn })},
	{Name: "AUTH_DEV_EXPOSE_CODE", Default: "false", In: map[string]string{Development: "true"},
		What: "return the development code as `dev_code`, so that anyone can sign in as anyone; not allowed in production",
		read: boolean(func(s *Settings) *bool { return &s.DevExposeCode })},
	{Name: "ACCESS_TOKEN_TTL", Default: "15m", What: "lifetime of an access token, 1s to 24h",
		read: duration(func(s *Settings) *time.Duration { return &s.AccessTokenTTL }, time.Second, 24*time.Hour)},
	{Name: "REFRESH_TOKEN_TTL", Default: "720h", What: "lifetime of a refresh token, renewed by every refresh, 1s to 8760h",
		read: duration(func(s *Settings) *time.Duration { return &s.RefreshTokenTTL }, time.Second, 8760*time.Hour)},
	{Name: "SESSION_MAX_AGE", Default: "4320h", What: "maximum age of a session, 1s to 87600h; after it the user must sign in again",
		read: duration(func(s *Settings) *time.Duration { return &s.SessionMaxAge }, time.Second, 87600*time.Hour)},
	{Name: "REFRESH_RACE_WINDOW", Default: "3s", What: "time after a refresh, 0s to 1m, in which a second use of the old token is rejected but does not end the session",
		read: duration(func(s *Settings) *time.Duration { return &s.RefreshRaceWindow }, 0, time.Minute)},

	{Name: "PHONE_PROVIDER", Default: "none", In: map[string]string{Development: "development"},
		What: "provider that verifies phone calls: `none`, `smsru`, `smsc`, or `development`, where the page `/dev/calls` simulates calls; `development` is not allowed in production",
		read: oneOf(func(s *Settings) *string { return &s.Phone.Provider }, "none", "development", "smsru", "smsc")},
	{Name: "PHONE_PROVIDER_URL", What: "address of the provider, if not the default",
		read: optional(phoneURL)},
	{Name: "PHONE_DEFAULT_REGION", Default: "RU", What: "country of phone numbers without a country code (ISO 3166-1)",
		read: phoneRegion},
	{Name: "PHONE_ALLOWED_REGIONS", What: "countries whose phone numbers may sign in, separated by commas; empty: all",
		read: phoneRegions},
	{Name: "SMSRU_API_ID", What: "for `smsru`: the account's `api_id`; the callback address is `/auth/phone/callback/smsru`", Secret: true,
		read: secretText(func(s *Settings) *string { return &s.Phone.SMSRuAPIID }, 16)},
	{Name: "SMSC_LOGIN", What: "for `smsc`: the account's name", Secret: true,
		read: secretText(func(s *Settings) *string { return &s.Phone.SMSCLogin }, 1)},
	{Name: "SMSC_PASSWORD", What: "for `smsc`: the account's password", Secret: true,
		read: secretText(func(s *Settings) *string { return &s.Phone.SMSCPassword }, 1)},
	{Name: "SMSC_CALLBACK_KEY", What: "for `smsc`: the key in its callback address, at least 16 random characters: `/auth/phone/callback/smsc?key=...`", Secret: true,
		read: randomText(func(s *Settings) *string { return &s.Phone.SMSCKey }, 16)},

	{Name: "IDP_PROVIDERS", What: "names of identity providers, separated by commas, like `google,yandex`; the first one is the default. " +
		"Each one has variables `IDP_<NAME>_...`, in upper case with `_` for `-`. Its redirect address is `WEB_ORIGIN`" + idpCallback +
		", or `PUBLIC_BASE_URL`" + idpCallback + " if the two have different hosts",
		read: idpProviders},
	{Name: "IDP_<NAME>_KIND", Default: idp.OIDC, What: "`oidc` (OpenID Connect) or `opaque` (tokens are verified by the provider's info address, as with Yandex ID)",
		readIdp: plain(func(p *idp.Options) *string { return &p.Kind })},
	{Name: "IDP_<NAME>_ISSUER", What: "issuer, exactly as the provider writes it. It identifies accounts together with the provider's user id, so never change it",
		readIdp: idpURL(func(p *idp.Options) *string { return &p.Issuer })},
	{Name: "IDP_<NAME>_CLIENT_ID", What: "client id of the web client; empty: native clients only",
		readIdp: plain(func(p *idp.Options) *string { return &p.ClientID })},
	{Name: "IDP_<NAME>_CLIENT_SECRET", What: "client secret; empty: public client", Secret: true,
		readIdp: plain(func(p *idp.Options) *string { return &p.ClientSecret })},
	{Name: "IDP_<NAME>_NATIVE_CLIENT_IDS", What: "client ids whose tokens native clients may send, separated by commas",
		readIdp: func(p *idp.Options, value string) error { p.NativeClientIDs = list(value); return nil }},
	{Name: "IDP_<NAME>_TRUST_EMAIL", Default: "false", What: "kind `oidc`: use e-mail addresses that the provider calls verified. They sign in to the account of the address and can make " +
		"moderators. Set `true` only for a provider that you trust with every account",
		readIdp: func(p *idp.Options, value string) error {
			return boolean(func(*Settings) *bool { return &p.TrustEmail })(nil, value)
		}},
	{Name: "IDP_<NAME>_AUTH_URL", What: "kind `opaque`: authorization address",
		readIdp: idpURL(func(p *idp.Options) *string { return &p.AuthURL })},
	{Name: "IDP_<NAME>_TOKEN_URL", What: "kind `opaque`: token address",
		readIdp: idpURL(func(p *idp.Options) *string { return &p.TokenURL })},
	{Name: "IDP_<NAME>_INFO_URL", What: "kind `opaque`: info address, which returns the user and the client of a token (`id`, `client_id`)",
		readIdp: idpURL(func(p *idp.Options) *string { return &p.InfoURL })},

	{Name: "SMTP_URL", What: "mail server, `smtp://user:password@host:587` (STARTTLS) or `smtps://host`. TLS is required, except on localhost and in development. " +
		"Empty: no mail is sent, and sign-in by e-mail is disabled; in development the page `/dev/mail` shows the mails", Secret: true,
		read: smtpURL},
	{Name: "MAIL_FROM", What: "sender of e-mails, like `Moothall <no-reply@example.org>`; required with `SMTP_URL`",
		read: mailFrom},
	{Name: "WEBHOOKS_ALLOW_LOOPBACK", Default: "false", What: "let webhooks call http URLs of this machine, such as `http://127.0.0.1:8080/`; only in development",
		read: boolean(func(s *Settings) *bool { return &s.WebhookLoopback })},
	{Name: "MAIL_NOTIFICATIONS", Default: "true", What: "send notifications by e-mail to users with a verified address, as their preferences say",
		read: boolean(func(s *Settings) *bool { return &s.MailNotifications })},
	{Name: "MAIL_GRACE", Default: "2m", What: "time that a notification by e-mail waits, 0s to 1h; what is read in the app meanwhile is not sent",
		read: duration(func(s *Settings) *time.Duration { return &s.MailGrace }, 0, time.Hour)},
	{Name: "MAIL_PER_MINUTE", Default: "600", What: "maximum number of notifications by e-mail that one instance sends in a minute, 0 to 100000; 0: no limit. " +
		"Sign-in codes and cancellations do not count and do not wait",
		read: number(func(s *Settings) *int { return &s.MailPerMinute }, 0, 100_000)},
	{Name: "MAIL_BOUNCES", What: "address for notifications by e-mail that come back, like `bounces@example.org`. Each mail gets its own, `bounces+...@example.org`; " +
		"let the mail server pass what arrives there to `moothall mail receive`. Empty: they come back to `MAIL_FROM`",
		read: mailBounces},
	{Name: "MAILGUN_SIGNING_KEY", What: "webhook signing key of the Mailgun account that sends the e-mails; lets it report bounces and complaints to `/mail/events/mailgun`. Empty: 404", Secret: true,
		read: mailgunKey},
	{Name: "SENDGRID_VERIFICATION_KEY", What: "verification key of the signed event webhook of SendGrid (base64); lets it report bounces and complaints to `/mail/events/sendgrid`. Empty: 404",
		read: sendGridKey},
	{Name: "DKIM_KEY_FILE", What: "file with the private key (RSA or Ed25519, PEM) that signs e-mails for the domain of `MAIL_FROM`; empty: the mail server signs",
		read: func(s *Settings, value string) error { s.DKIMKeyFile = value; return nil }},
	{Name: "DKIM_SELECTOR", Default: "moothall", What: "name of the DNS record `<selector>._domainkey.<domain>` with the public key of `DKIM_KEY_FILE`",
		read: dkimSelector},
	{Name: "VAPID_SUBJECT", What: "enables notifications by web push, and gives push services a contact of the operator, like `mailto:ops@example.org` or `https://example.org/contact`. " +
		"Empty: no push. Its key is derived from `SECRET_KEY`",
		read: vapidSubject},
	{Name: "PUSH_NOTIFICATIONS", Default: "true", What: "send notifications by web push, as the preferences of users say; `false` keeps their subscriptions",
		read: boolean(func(s *Settings) *bool { return &s.PushNotifications })},

	{Name: "RATE_LIMITS", Default: "on", What: "`on` or `off`; `off` is not allowed in production. `RATE_LIMIT_...=5/10m` allows 5 at once, then one more every 10m/5",
		read: onOff(func(s *Settings) *bool { return &s.RateLimits })},
	{Name: "PAYMENTS_ENABLED", Default: "false", What: "payments through the development provider, which takes no money: see [payments.md](payments.md); not allowed in production. " +
		"When disabled, paid events cannot be published",
		read: boolean(func(s *Settings) *bool { return &s.PaymentsEnabled })},
	{Name: "PAYMENT_WEBHOOK_SECRETS", What: "keys that sign payment webhooks, `whsec_` and base64, separated by commas. Each one is valid, so that keys can be rotated. " +
		"Required for `PAYMENTS_ENABLED=true`", Secret: true,
		read: webhookSecrets},
	{Name: "PAYMENT_CURRENCIES", Default: "RUB", What: "ISO 4217 codes of prices, separated by commas",
		read: currencies},
	{Name: "MODERATION_ADMIN_EMAILS", What: "moderators by verified e-mail address, separated by commas",
		read: adminEmails},
	{Name: "MODERATION_ADMIN_USER_IDS", What: "moderators by user id, separated by commas",
		read: adminUserIDs},
	{Name: "TEST_PROFILE_PATTERNS", What: "e-mail addresses and usernames of test accounts, separated by commas, `*` for any text, like `*@test.example`. " +
		"The user search hides these accounts. A change of this setting affects only accounts that are created or renamed later",
		read: testProfiles},
	{Name: "DEFAULT_TIMEZONE", Default: "UTC", What: "IANA time zone of events without a place, and of calendar entries without a zone",
		read: defaultTimezone},
	{Name: "IMAGE_CACHE_DIR", What: "directory of the image cache; empty: a temporary directory, removed at shutdown or by the next start",
		read: func(s *Settings, value string) error { s.ImageCacheDir = value; return nil }},
	{Name: "IMAGE_CACHE_MB", Default: "256", What: "maximum size of the image cache in megabytes (2^20 bytes), 0 to 1000000",
		read: number(func(s *Settings) *int { return &s.ImageCacheMB }, 0, 1_000_000)},

	{Name: "MAP_TILES", What: "map under the events: the path or the https URL of a [PMTiles](https://docs.protomaps.com) archive with the layers of the Protomaps basemap; " +
		"by default the embedded map of the world, without streets",
		read: func(s *Settings, value string) (err error) {
			s.Tiles, err = basemap.ParseTiles(value)
			return err
		}},
	{Name: "MEDIA", What: "store of uploaded pictures: a directory, or a bucket like `s3://bucket/prefix?endpoint=https://host&region=eu-central-1`; " +
		"instances on one database must share it; by default the directory `media` next to the SQLite file, `data/media` with PostgreSQL", Secret: true,
		read: mediaLocation},
	{Name: "MEDIA_S3_ACCESS_KEY", What: "access key of the bucket", Secret: true,
		read: secretText(func(s *Settings) *string { return &s.Media.AccessKey }, 1)},
	{Name: "MEDIA_S3_SECRET_KEY", What: "secret key of the bucket", Secret: true,
		read: secretText(func(s *Settings) *string { return &s.Media.SecretKey }, 1)},

	{Name: "BACKUP", What: "where the service stores backups of itself: a directory, or a bucket as in `MEDIA`; empty: it makes none", Secret: true,
		read: backupLocation},
	{Name: "BACKUP_S3_ACCESS_KEY", What: "access key of the bucket", Secret: true,
		read: secretText(func(s *Settings) *string { return &s.Backup.AccessKey }, 1)},
	{Name: "BACKUP_S3_SECRET_KEY", What: "secret key of the bucket", Secret: true,
		read: secretText(func(s *Settings) *string { return &s.Backup.SecretKey }, 1)},
	{Name: "BACKUP_SCHEDULE", Default: "24h", What: "time between two backups, 1h to 24h, counted from midnight UTC",
		read: duration(func(s *Settings) *time.Duration { return &s.BackupEvery }, time.Hour, 24*time.Hour)},
	{Name: "BACKUP_KEEP", Default: "720h", What: "age, compared with the newest backup, at which a backup is deleted, 24h to 87600h",
		read: duration(func(s *Settings) *time.Duration { return &s.BackupKeep }, 24*time.Hour, 87600*time.Hour)},
	{Name: "BACKUP_RECIPIENTS", What: "public keys of [age](https://age-encryption.org) (`age1...`), separated by commas, that can decrypt the backups; empty: they are not encrypted",
		Secret: true, // somebody may set a private key by mistake
		read:   backupRecipients},

	{Name: "CACHE_MB", Default: "64", What: "approximate memory of event cards, profiles and public responses that are cached until they change, in megabytes (2^20 bytes), 0 to 100000; 0 disables it",
		read: number(func(s *Settings) *int { return &s.CacheMB }, 0, 100_000)},
	{Name: "MAX_IN_FLIGHT", Default: "1024", What: "maximum number of requests that run at once, 1 to 100000. Under overload fewer run; the others wait for at most 0.85 s, then get 503",
		read: number(func(s *Settings) *int { return &s.MaxInFlight }, 1, 100000)},
	{Name: "REQUEST_TIMEOUT", Default: "10s", What: "maximum time to process a request after its body is read, 100ms to 5m",
		read: duration(func(s *Settings) *time.Duration { return &s.RequestTimeout }, 100*time.Millisecond, 5*time.Minute)},
	{Name: "READ_TIMEOUT", Default: "15s", What: "maximum time for a client to send a request, 100ms to 5m; a picture may take four times as long",
		read: duration(func(s *Settings) *time.Duration { return &s.ReadTimeout }, 100*time.Millisecond, 5*time.Minute)},
	{Name: "REALTIME", Default: "on", What: "`on` or `off`: WebSockets for chats, changes of events and notifications",
		read: onOff(func(s *Settings) *bool { return &s.Realtime })},
	{Name: "REALTIME_MAX_SOCKETS", Default: "20000", What: "maximum number of open WebSockets of one instance, 0 to 1000000; each needs about 5 KB. More get 503",
		read: number(func(s *Settings) *int { return &s.RealtimeSockets }, 0, 1_000_000)},
	{Name: "REALTIME_PING_INTERVAL", Default: "30s", What: "longest time between two pings of a WebSocket, 1s to 30s. Set it below the time after which a proxy ends idle connections",
		read: duration(func(s *Settings) *time.Duration { return &s.RealtimePing }, time.Second, 30*time.Second)},
	{Name: "REALTIME_PRESENCE", Default: "on", What: "`on` or `off`: tell WebSockets who else watches an event",
		read: onOff(func(s *Settings) *bool { return &s.RealtimePresence })},
	{Name: "SHUTDOWN_DELAY", Default: "0s", In: map[string]string{Production: "5s"}, What: "time from SIGTERM until the listener closes, 0s to 5m; meanwhile `/readyz` returns 503, and WebSockets are closed one after the other",
		read: duration(func(s *Settings) *time.Duration { return &s.ShutdownDelay }, 0, 5*time.Minute)},
	{Name: "SHUTDOWN_TIMEOUT", Default: "20s", What: "maximum time for running requests to finish after the listener has closed, 1s to 10m",
		read: duration(func(s *Settings) *time.Duration { return &s.ShutdownTimeout }, time.Second, 10*time.Minute)},
	{Name: "LOG_LEVEL", Default: "info", What: "`debug`, `info`, `warn` or `error`",
		read: logLevel},
	{Name: "LOG_FORMAT", Default: "json", In: map[string]string{Development: "text"}, What: "`json` or `text`",
		read: oneOf(func(s *Settings) *string { return &s.LogFormat }, "json", "text")},
}, quotas())

// LoadSettings reads every setting through lookup (os.LookupEnv). Its error has one
// line for each invalid setting: "NAME=value must ...". An empty variable counts as
// not set.
func LoadSettings(lookup func(name string) (string, bool)) (Settings, error) {
	var s Settings
	var wrong []error
	for _, setting := range Table {
		for _, one := range setting.each(&s) {
			value, _ := lookup(one.Name)
			if value == "" {
				value = one.defaultIn(s.Env)
			}
			if err := one.read(&s, value); err != nil {
				wrong = append(wrong, one.wrong(value, err))
			}
		}
	}
	wrong = append(wrong, s.Phone.incomplete()...)
	wrong = append(wrong, s.incomplete()...)
	wrong = append(wrong, s.signMails()...)
	if s.Env == Production {
		wrong = append(wrong, s.unsafe()...)
	}
	return s, errors.Join(wrong...)
}

// Value is the value of a setting that is in force.
type Value struct {
	Name, Value string
	Default     bool // lookup has none
	Secret      bool
}

// Values returns all settings that LoadSettings reads, in the order of docs/settings.md.
func Values(lookup func(name string) (string, bool)) (all []Value) {
	var s Settings
	for _, setting := range Table {
		for _, one := range setting.each(&s) {
			value, _ := lookup(one.Name)
			v := Value{Name: one.Name, Value: value, Secret: one.Secret}
			if value == "" {
				v.Value, v.Default = one.defaultIn(s.Env), true
			}
			_ = one.read(&s, v.Value) // LoadSettings returns the error
			all = append(all, v)
		}
	}
	return all
}

// Misspelt returns a warning for each variable ("NAME=value") whose name is almost that
// of a setting.
func Misspelt(environ []string) (warnings []string) {
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		if len(name) <= maxTypos*3 || isSetting(name) {
			continue
		}
		for _, setting := range Table {
			longer := len(name) - len(setting.Name) // a distance is at least the difference of the lengths
			if -maxTypos <= longer && longer <= maxTypos && levenshtein.ComputeDistance(name, setting.Name) <= maxTypos {
				warnings = append(warnings, fmt.Sprintf("%s is not a setting; did you mean %s?", name, setting.Name))
			}
		}
	}
	return warnings
}

const maxTypos = 2

// CheckName returns an error if a name is not that of a setting. It names the one that may
// be meant.
func CheckName(name string) error {
	if isSetting(name) {
		return nil
	}
	if warnings := Misspelt([]string{name}); len(warnings) > 0 {
		return errors.New(warnings[0])
	}
	return fmt.Errorf("%s is not a setting; docs/settings.md lists them", name)
}

func isSetting(name string) bool {
	return slices.ContainsFunc(Table, func(s Setting) bool {
		before, after, each := strings.Cut(s.Name, "<NAME>")
		return s.Name == name || each && strings.HasPrefix(name, before) && strings.HasSuffix(name, after)
	})
}

func (s Setting) defaultIn(env string) string {
	if value, ok := s.In[env]; ok {
		return value
	}
	return s.Default
}

// canSignIn reports whether users have any way to sign in.
func (s Settings) canSignIn() bool { return len(s.signInMethods()) > 0 }

// each returns the setting itself, or its variables for each identity provider.
func (s Setting) each(settings *Settings) []Setting {
	if s.readIdp == nil {
		return []Setting{s}
	}
	var all []Setting
	for i := range settings.Idps {
		one := s
		one.Name = strings.ReplaceAll(s.Name, "<NAME>", idpVariable(settings.Idps[i].Name))
		one.read = func(settings *Settings, value string) error { return s.readIdp(&settings.Idps[i], value) }
		all = append(all, one)
	}
	return all
}

// incomplete lists settings that others require.
func (s Settings) incomplete() []error {
	var wrong []error
	for _, p := range s.Idps {
		if err := p.Check(); err != nil {
			wrong = append(wrong, fmt.Errorf("IDP_%s_%w", idpVariable(p.Name), err))
		}
	}
	if s.SMTP != nil && s.MailFrom == "" {
		wrong = append(wrong, errors.New("MAIL_FROM must be set for SMTP_URL"))
	}
	if s.VAPIDSubject != "" && len(s.SecretKey) == 0 && !strings.HasPrefix(s.DatabaseURL, "sqlite:") {
		wrong = append(wrong, errors.New("SECRET_KEY must be set for VAPID_SUBJECT, because push subscriptions are bound to it"))
	}
	if len(s.SecretKeyPrevious) > 0 && (len(s.SecretKey) == 0 || bytes.Equal(s.SecretKey, s.SecretKeyPrevious)) {
		wrong = append(wrong, errors.New("SECRET_KEY_PREVIOUS needs another key in SECRET_KEY"))
	}
	if s.Media.Bucket != "" && (s.Media.AccessKey == "" || s.Media.SecretKey == "") {
		wrong = append(wrong, errors.New("MEDIA_S3_ACCESS_KEY and MEDIA_S3_SECRET_KEY must be set for a bucket in MEDIA"))
	}
	if s.Backup.Bucket != "" && (s.Backup.AccessKey == "" || s.Backup.SecretKey == "") {
		wrong = append(wrong, errors.New("BACKUP_S3_ACCESS_KEY and BACKUP_S3_SECRET_KEY must be set for a bucket in BACKUP"))
	}
	if s.PaymentsEnabled && len(s.WebhookSecrets) == 0 {
		wrong = append(wrong, errors.New("PAYMENT_WEBHOOK_SECRETS must be set for PAYMENTS_ENABLED=true (echo whsec_$(openssl rand -base64 32))"))
	}
	return wrong
}

func (s Setting) wrong(value string, err error) error {
	if s.Secret {
		return fmt.Errorf("%s %w", s.Name, err)
	}
	return fmt.Errorf("%s=%q %w", s.Name, value, err)
}

// unsafe lists settings that production does not allow.
func (s Settings) unsafe() []error {
	var wrong []error
	refuse := func(is bool, format string, args ...any) {
		if is {
			wrong = append(wrong, fmt.Errorf(format+" in production", args...))
		}
	}
	refuse(s.DevSignIn, "AUTH_DEV_ENABLED must be false")
	refuse(s.DevExposeCode, "AUTH_DEV_EXPOSE_CODE must be false")
	refuse(s.WebhookLoopback, "WEBHOOKS_ALLOW_LOOPBACK must be false")
	refuse(!s.RateLimits, "RATE_LIMITS must be on")
	refuse(s.PaymentsEnabled, "PAYMENTS_ENABLED must be false")
	refuse(len(s.SecretKey) == 0, "SECRET_KEY must be set to at least 32 random characters (openssl rand -base64 32)")
	refuse(strings.HasPrefix(s.WebOrigin, "http:"), "WEB_ORIGIN=%q must begin with https://", s.WebOrigin)
	refuse(strings.HasPrefix(s.PublicBaseURL, "http:"), "PUBLIC_BASE_URL=%q must begin with https://", s.PublicBaseURL)
	if err := s.Phone.unsafe(); err != nil {
		wrong = append(wrong, err)
	}
	for _, o := range s.CORSOrigins {
		refuse(strings.HasPrefix(o, "http:"), "API_CORS_ALLOWED_ORIGINS: %q must begin with https://", o)
	}
	return wrong
}

// Markdown returns the table of docs/settings.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString("| Name | Default | Meaning |\n| --- | --- | --- |\n")
	for _, s := range Table {
		def := "none"
		if s.Default != "" {
			def = "`" + s.Default + "`"
		}
		for _, env := range []string{Development, Staging, Production} {
			if value, ok := s.In[env]; ok {
				def += ", in " + env + " `" + value + "`"
			}
		}
		what := s.What
		if s.Secret {
			what += " (secret: never logged)"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.Name, def, what)
	}
	return b.String()
}
