package app

import (
	"time"

	"moothall/internal/core/user"
	"moothall/internal/identity/signin/idp"
	"moothall/internal/meetup/place/geocode"
	"moothall/internal/platform/blob"
	"moothall/internal/web/basemap"
)

// sections are the sections of docs/settings.md. Rows of one may depend on values of earlier ones.
var sections = []struct {
	title string
	rows  func(*Settings) []setting
}{
	{"Service", (*Settings).serviceRows},
	{"Logs, metrics and traces", (*Settings).observeRows},
	{"Database", (*Settings).databaseRows},
	{"Limits and caches", (*Settings).limitRows},
	{"Sign-in and sessions", (*Settings).signInRows},
	{"Sign-in by phone call", (*Settings).phoneRows},
	{"Each identity provider", (*Settings).idpRows},
	{"E-mail", (*Settings).mailRows},
	{"Notifications, webhooks and WebSockets", (*Settings).deliveryRows},
	{"Events and moderation", (*Settings).eventRows},
	{"Pictures", (*Settings).mediaRows},
	{"Backups", (*Settings).backupRows},
}

func (s *Settings) serviceRows() []setting {
	return []setting{
		{Name: "APP_ENV", Default: Development, format: oneOf(&s.Env, Development, Staging, Production),
			What: "where the service runs; production rejects unsafe settings"},
		{Name: "LISTEN_ADDR", Default: "127.0.0.1:8080", format: parsed(&s.ListenAddr, parseHostPort),
			What: "address of the API, `host:port`"},
		{Name: "WEB_ORIGIN", Default: "http://localhost:8080", Address: true, format: parsed(&s.WebOrigin, parseOrigin),
			What: "origin of the web client, `https://host`"},
		{Name: "PUBLIC_BASE_URL", Default: "http://localhost:8080", Address: true, format: parsed(&s.PublicBaseURL, parseBaseURL),
			What: "address of the API for clients; may have a path; `https` makes the cookie `Secure`"},
		{Name: "API_CORS_ALLOWED_ORIGINS", format: listOf(&s.CORSOrigins, parseOrigin),
			What: "further origins whose pages may call the API, separated by commas; exact origins, no patterns"},
		{Name: "TRUSTED_PROXIES", format: listOf(&s.TrustedProxies, parseProxy),
			What: "addresses or CIDR ranges of proxies whose `X-Forwarded-For` is trusted, separated by commas"},
		{Name: "SECRET_KEY", Secret: true, format: parsed(&s.SecretKey, parseSecretKey),
			What: "key for sign-in codes, calendar addresses, links in e-mails, webhooks and push subscriptions; a new key invalidates all of " +
				"them, unless `SECRET_KEY_PREVIOUS` is set. At least 32 random characters (`openssl rand -base64 32`), the same on every instance. " +
				"Required in production; otherwise one is generated and stored next to the SQLite file"},
		{Name: "SECRET_KEY_PREVIOUS", Secret: true, format: text(&s.SecretKeyPrevious),
			What: "the key before `SECRET_KEY`, while it is [replaced](operations.md#secret-key): what was made with it stays valid"},
		{Name: "SHUTDOWN_DELAY", Default: "0s", In: map[string]string{Production: "5s"}, format: duration(&s.ShutdownDelay, 0, 5*time.Minute),
			What: "time from SIGTERM until the listener closes; meanwhile `/readyz` returns 503, and WebSockets are closed one after the other"},
		{Name: "SHUTDOWN_TIMEOUT", Default: "20s", format: duration(&s.ShutdownTimeout, time.Second, 10*time.Minute),
			What: "maximum time for running requests to finish after the listener has closed"},
	}
}

func (s *Settings) observeRows() []setting {
	return []setting{
		{Name: "LOG_LEVEL", Default: "info", format: logLevel(&s.LogLevel),
			What: "level of the least important lines that are logged"},
		{Name: "LOG_FORMAT", Default: "json", In: map[string]string{Development: "text"}, format: oneOf(&s.LogFormat, "json", "text"),
			What: "format of the lines"},
		{Name: "METRICS_ADDR", format: parsed(&s.MetricsAddr, parseHostPort),
			What: "address of the Prometheus metrics (`/metrics`), `host:port`; empty: no metrics"},
		{Name: "METRICS_PPROF", Default: "false", format: boolean(&s.MetricsPprof),
			What: "serve profiles of the process at `/debug/pprof/` on `METRICS_ADDR`. They show parts of its memory, and taking one slows it " +
				"down: only for addresses that only operators reach"},
		{Name: "OTEL_EXPORTER_OTLP_ENDPOINT", Address: true, format: parsed(&s.TraceEndpoint, parseURL),
			What: "base address of an OpenTelemetry collector that gets traces by OTLP over HTTP (`/v1/traces`), like `http://127.0.0.1:4318`; " +
				"empty: no traces"},
		{Name: "OTEL_EXPORTER_OTLP_HEADERS", Secret: true, format: parsed(&s.TraceHeaders, parseHeaders),
			What: "headers for the collector, `name=value` separated by commas; values are URL-encoded"},
		{Name: "OTEL_TRACES_SAMPLER_ARG", Default: "0.01", format: share(&s.TraceRatio),
			What: "share of the requests and jobs whose trace is recorded"},
		{Name: "TRACES_FROM_PROXIES", Default: "false", format: boolean(&s.TracesFromProxies),
			What: "`true`: a `traceparent` header from `TRUSTED_PROXIES` is the parent of its request, and decides whether the request is " +
				"recorded. Set it only if the proxies set or remove this header"},
	}
}

func (s *Settings) databaseRows() []setting {
	return []setting{
		{Name: "DATABASE_URL", Default: "sqlite:data/moothall.db", Address: true, //nolint:gosec // an example
			format: parsed(&s.DatabaseURL, parseDatabaseURL),
			What:   "`sqlite:path` or `postgres://user:password@host/database`; with several hosts (`host1,host2`), the one that accepts writes"},
		{Name: "DATABASE_MAX_CONNS", Default: "8", format: number(&s.DatabaseMaxConns, 2, 1000),
			What: "maximum number of PostgreSQL connections of one instance. Background jobs leave the last one to requests; from 4 on, one is " +
				"for sign-ins alone"},
		{Name: "DATABASE_ACQUIRE_TIMEOUT", Default: "400ms", format: duration(&s.AcquireTimeout, 10*time.Millisecond, time.Minute),
			What: "maximum wait for a database connection or for the write lock; after it the request gets 503"},
		{Name: "MIGRATION_LOCK_TIMEOUT", Default: "5m", format: duration(&s.MigrationLockTimeout, time.Second, day),
			What: "maximum wait at the start for a lock that pending migrations need; after it the start fails. Increase it if another instance " +
				"may build the index of a large table for longer"},
	}
}

func (s *Settings) limitRows() []setting {
	return []setting{
		{Name: "RATE_LIMITS", Default: "on", format: format{s.parseRateLimits, "`on`, `off`, `rule=n/period, ...`"},
			What: "`off` is not allowed in production. `writes_per_user=240/1m, idp_per_address=60/1m` changes [rules](#rate-limits); " +
				"the others stay on"},
		{Name: "MAX_IN_FLIGHT", Default: "1024", format: number(&s.MaxInFlight, 1, 100_000),
			What: "maximum number of requests that run at once. Under overload fewer run; the others wait for at most 0.85 s, then get 503"},
		{Name: "REQUEST_TIMEOUT", Default: "10s", format: duration(&s.RequestTimeout, 100*time.Millisecond, 5*time.Minute),
			What: "maximum time to process a request after its body is read"},
		{Name: "READ_TIMEOUT", Default: "15s", format: duration(&s.ReadTimeout, 100*time.Millisecond, 5*time.Minute),
			What: "maximum time for a client to send a request; a picture may take four times as long"},
		{Name: "CACHE_MB", Default: defaultCacheMB(), Documented: "a tenth of the memory, 32 to 1024", format: number(&s.CacheMB, 0, 100_000),
			What: "approximate memory of event cards, profiles and public responses that are cached until they change, in megabytes (2^20 " +
				"bytes); 0 disables it. The default is a tenth of the memory limit of the process's cgroup, else of the machine's memory"},
	}
}

func (s *Settings) signInRows() []setting {
	return []setting{
		{Name: "AUTH_DEV_ENABLED", Default: "true", In: map[string]string{Production: "false"}, format: boolean(&s.DevSignIn),
			What: "sign-in by development code (`/auth/dev/...`); not allowed in production"},
		{Name: "AUTH_DEV_EXPOSE_CODE", Default: "false", In: map[string]string{Development: "true"}, format: boolean(&s.DevExposeCode),
			What: "return the development code as `dev_code`, so that anyone can sign in as anyone; not allowed in production"},
		{Name: "ACCESS_TOKEN_TTL", Default: "15m", format: duration(&s.AccessTokenTTL, time.Second, day),
			What: "lifetime of an access token"},
		{Name: "REFRESH_TOKEN_TTL", Default: "720h", format: duration(&s.RefreshTokenTTL, time.Second, 365*day),
			What: "lifetime of a refresh token, renewed by every refresh"},
		{Name: "SESSION_MAX_AGE", Default: "4320h", format: duration(&s.SessionMaxAge, time.Second, 3650*day),
			What: "maximum age of a session; after it the user must sign in again"},
		{Name: "REFRESH_RACE_WINDOW", Default: "3s", format: duration(&s.RefreshRaceWindow, 0, time.Minute),
			What: "time after a refresh in which a second use of the old token is rejected but does not end the session"},
		{Name: "IDP_PROVIDERS", format: parsed(&s.Idps, parseProviders),
			What: "names of identity providers, separated by commas, like `google,yandex`; the first one is the default. " +
				"[Each one](#each-identity-provider) has variables `IDP_<NAME>_...`, in upper case with `_` for `-`. Its redirect address is " +
				"`WEB_ORIGIN`" + idpCallback + ", or `PUBLIC_BASE_URL`" + idpCallback + " if the two have different hosts"},
	}
}

func (s *Settings) phoneRows() []setting {
	return []setting{
		{Name: "PHONE_PROVIDER", Default: "none", In: map[string]string{Development: "development"},
			Address: true, format: format{parse: s.Phone.parseProvider},
			What: "provider that verifies phone calls: `none`, `development` (the page `/dev/calls` simulates calls; not allowed in " +
				"production), `smsru+https://:API_ID@sms.ru` or `smsc+https://LOGIN:PASSWORD@smsc.ru?callback_key=KEY`. The API id has at least " +
				"16 characters. KEY is the random key of at least 16 characters in the callback address of `smsc`: see " +
				"[operations](operations.md#sign-in-by-phone-call)"},
		{Name: "PHONE_DEFAULT_REGION", Default: "RU", format: parsed(&s.Phone.Rules.DefaultRegion, parseRegion),
			What: "country of phone numbers without a country code (ISO 3166-1)"},
		{Name: "PHONE_ALLOWED_REGIONS", format: listOf(&s.Phone.Rules.Allowed, parseRegion),
			What: "countries whose phone numbers may sign in, separated by commas; empty: all"},
	}
}

// idpRows returns the settings of each identity provider in IDP_PROVIDERS.
func (s *Settings) idpRows() (all []setting) {
	for i := range s.Idps {
		all = append(all, rowsOf(&s.Idps[i])...)
	}
	return all
}

// rowsOf returns the settings of one identity provider.
func rowsOf(p *idp.Options) []setting {
	variable := idpPrefix(p.Name)
	return []setting{
		{Name: variable + "ISSUER", Address: true, format: parsed(&p.Issuer, parseIdpURL),
			What: "issuer, exactly as the provider writes it. It identifies accounts together with the provider's user id, so never change it"},
		{Name: variable + "CLIENT_ID", format: text(&p.ClientID), What: "client id of the web client; empty: native clients only"},
		{Name: variable + "CLIENT_SECRET", Secret: true, format: text(&p.ClientSecret), What: "client secret; empty: public client"},
		{Name: variable + "NATIVE_CLIENT_IDS", format: listOf(&p.NativeClientIDs, anyText),
			What: "client ids whose tokens native clients may send, separated by commas"},
		{Name: variable + "TRUST_EMAIL", Default: "false", format: boolean(&p.TrustEmail),
			What: "OpenID Connect: use e-mail addresses that the provider calls verified. They sign in to the account of the address and can make " +
				"moderators. Set `true` only for a provider that you trust with every account"},
		{Name: variable + "AUTH_URL", Address: true, format: parsed(&p.AuthURL, parseIdpURL), What: "with `INFO_URL`: authorization address"},
		{Name: variable + "TOKEN_URL", Address: true, format: parsed(&p.TokenURL, parseIdpURL), What: "with `INFO_URL`: token address"},
		{Name: variable + "INFO_URL", Address: true, format: parsed(&p.InfoURL, parseIdpURL),
			What: "info address of a provider whose tokens only it can verify, as with Yandex ID: returns the user and the client of a token (`id`, " +
				"`client_id`). Empty: the provider speaks OpenID Connect"},
	}
}

func (s *Settings) mailRows() []setting {
	return []setting{
		{Name: "SMTP_URL", Address: true, format: parsed(&s.SMTP, s.parseSMTP),
			What: "mail server, `smtp://user:password@host:587` (STARTTLS) or `smtps://host`. TLS is required, except on localhost and in " +
				"development. Empty: no mail is sent, and sign-in by e-mail is disabled; in development the page `/dev/mail` shows the mails"},
		{Name: "MAIL_FROM", format: parsed(&s.MailFrom, parseSender),
			What: "sender of e-mails, like `Moothall <no-reply@example.org>`; required with `SMTP_URL`"},
		{Name: "MAIL_GRACE", Default: "2m", format: duration(&s.MailGrace, 0, time.Hour),
			What: "time that a notification by e-mail waits; what is read in the app meanwhile is not sent"},
		{Name: "MAIL_PER_MINUTE", Default: "600", format: number(&s.MailPerMinute, 0, 100_000),
			What: "maximum number of notifications by e-mail that one instance sends in a minute; 0: no limit. Sign-in codes and cancellations " +
				"do not count and do not wait"},
		{Name: "MAIL_BOUNCES", format: parsed(&s.MailBounces, parseBounces),
			What: "address for notifications by e-mail that come back, like `bounces@example.org`. Each mail gets its own, " +
				"`bounces+...@example.org`; let the mail server pass what arrives there to `moothall mail receive`. Empty: they come back to " +
				"`MAIL_FROM`"},
		{Name: "MAIL_EVENTS", Secret: true, format: parsed(&s.MailProviders, parseMailEvents),
			What: "providers that send the e-mails and report bounces and complaints to `/mail/events/PROVIDER`, separated by commas: " +
				"`mailgun:KEY` with the webhook signing key (at least 16 characters), `sendgrid:KEY` with the verification key of the signed event " +
				"webhook (base64). Others get 404"},
		{Name: "DKIM", format: format{parse: s.parseDKIM},
			What: "key that signs e-mails for the domain of `MAIL_FROM`, `SELECTOR:FILE`: the file has the private key (RSA or Ed25519, PEM), and " +
				"the DNS record `SELECTOR._domainkey.DOMAIN` the public one. Without `SELECTOR:`, the selector is `moothall`. Empty: the mail " +
				"server signs"},
	}
}

func (s *Settings) deliveryRows() []setting {
	return []setting{
		{Name: "NOTIFICATIONS", Default: "mail,push", format: format{s.parseNotifications, "`mail`, `push`, `mail,push`, `none`"},
			What: "how notifications leave the app, as the preferences of users say: by e-mail to verified addresses, if there is a mail " +
				"server, and by web push, if there is a `VAPID_SUBJECT`. Without `push`, subscriptions are kept"},
		{Name: "VAPID_SUBJECT", format: parsed(&s.VAPIDSubject, parseContact),
			What: "enables notifications by web push, and gives push services a contact of the operator, like `mailto:ops@example.org` or " +
				"`https://example.org/contact`. Empty: no push. Its key is derived from `SECRET_KEY`"},
		{Name: "WEBHOOKS_ALLOW_LOOPBACK", Default: "false", format: boolean(&s.WebhookLoopback),
			What: "let webhooks call http URLs of this machine, such as `http://127.0.0.1:8080/`; only in development"},
		{Name: "REALTIME", Default: "on",
			format: choice(&s.Realtime, []string{"on", "off", "without_presence"}, []Realtime{{On: true, Presence: true}, {}, {On: true}}),
			What:   "WebSockets for chats, changes of events and notifications; `without_presence` does not show who else watches an event"},
		{Name: "REALTIME_MAX_SOCKETS", Default: "20000", format: number(&s.RealtimeSockets, 0, 1_000_000),
			What: "maximum number of open WebSockets of one instance; each needs about 5 KB. More get 503"},
		{Name: "REALTIME_PING_INTERVAL", Default: "30s", format: duration(&s.RealtimePing, time.Second, 30*time.Second),
			What: "longest time between two pings of a WebSocket. Set it below the time after which a proxy ends idle connections"},
	}
}

func (s *Settings) eventRows() []setting {
	return []setting{
		{Name: "PAYMENTS_ENABLED", Default: "false", format: boolean(&s.PaymentsEnabled),
			What: "payments through the development provider, which takes no money: see [payments.md](payments.md); not allowed in production. " +
				"When disabled, paid events cannot be published"},
		{Name: "PAYMENT_WEBHOOK_SECRETS", Secret: true, format: parsed(&s.WebhookSecrets, parseWebhookSecrets),
			What: "keys that sign payment webhooks, `whsec_` and base64, separated by commas. Each one is valid, so that keys can be rotated. " +
				"Required for `PAYMENTS_ENABLED=true`"},
		{Name: "PAYMENT_CURRENCIES", Default: "RUB", format: listOf(&s.PaymentCurrencies, parseCurrency),
			What: "ISO 4217 codes of prices, separated by commas"},
		{Name: "MODERATION_ADMIN_EMAILS", format: listOf(&s.AdminEmails, user.ParseEmail),
			What: "moderators by verified e-mail address, separated by commas"},
		{Name: "MODERATION_ADMIN_USER_IDS", format: listOf(&s.AdminUserIDs, parseUserID),
			What: "moderators by user id, separated by commas"},
		{Name: "TEST_PROFILE_PATTERNS", format: listOf(&s.TestProfiles, user.ParseTestPattern),
			What: "e-mail addresses and usernames of test accounts, separated by commas, `*` for any text, like `*@test.example`. The user " +
				"search hides these accounts. A change of this setting affects only accounts that are created or renamed later"},
		{Name: "DEFAULT_TIMEZONE", Default: "UTC", format: parsed(&s.DefaultTimezone, parseTimezone),
			What: "IANA time zone of events without a place, and of calendar entries without a zone"},
		{Name: "PAGES_DIR", format: text(&s.PagesDir),
			What: "folder with [pages of your own](install.md#pages-of-your-own) in Markdown, such as an imprint and a privacy statement; every " +
				"page links to them"},
		{Name: "GEOCODER_URL", Address: true, format: parsed(&s.Geocoder, geocode.ParseServer),
			What: "server that finds [streets and houses](map.md#addresses) for the place of an event: its kind, `photon` or `nominatim`, `+`, and " +
				"the URL of its search, like `photon+https://photon.example.org/api`. Its host may be private. Empty: only cities are found"},
		{Name: "MAP_TILES", Default: s.defaultTiles(), Address: true, format: parsed(&s.Tiles, basemap.ParseTiles),
			What: "[streets of the map](map.md): the path or the https URL of a [PMTiles](https://docs.protomaps.com) archive with the layers of " +
				"the Protomaps basemap. `moothall map fetch` makes the file; without it, maps show the embedded world, without streets. By " +
				"default next to the SQLite file"},
	}
}

func (s *Settings) mediaRows() []setting {
	return []setting{
		{Name: "MEDIA", Default: s.defaultMedia(), Address: true, format: parsed(&s.Media, blob.ParseLocation),
			What: "store of uploaded pictures: a directory, or a bucket like " +
				"`s3://KEY:SECRET@bucket/prefix?endpoint=https://host&region=eu-central-1`, with the access key and the secret key of the bucket, " +
				"percent-encoded (`/` is `%2F`); instances on one database must share it; by default next to the SQLite file"},
		{Name: "IMAGE_CACHE_DIR", format: text(&s.ImageCacheDir),
			What: "directory of the image cache; empty: a temporary directory, removed at shutdown or by the next start"},
		{Name: "IMAGE_CACHE_MB", Default: "256", format: number(&s.ImageCacheMB, 0, 1_000_000),
			What: "maximum size of the image cache in megabytes (2^20 bytes)"},
	}
}

func (s *Settings) backupRows() []setting {
	return []setting{
		{Name: "BACKUP", Address: true, format: parsed(&s.Backup, blob.ParseLocation),
			What: "where the service stores backups of itself: a directory, or a bucket as in `MEDIA`; empty: it makes none"},
		{Name: "BACKUP_SCHEDULE", Default: "24h", format: duration(&s.BackupEvery, time.Hour, day),
			What: "time between two backups, counted from midnight UTC"},
		{Name: "BACKUP_KEEP", Default: "720h", format: duration(&s.BackupKeep, day, 3650*day),
			What: "age, compared with the newest backup, at which a backup is deleted"},
		{Name: "BACKUP_RECIPIENTS", Secret: true, // somebody may set a private key by mistake
			format: parsed(&s.BackupRecipients, parseRecipients),
			What: "public keys of [age](https://age-encryption.org) (`age1...`), separated by commas, that can decrypt the backups; " +
				"empty: they are not encrypted"},
	}
}
