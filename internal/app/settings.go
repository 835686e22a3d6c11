package app

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/imageproxy"
	"moothall/internal/payment"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/signin"
	"moothall/internal/signin/idp"
	"moothall/internal/user"
)

// The values of APP_ENV.
const (
	Development = "development"
	Staging     = "staging"
	Production  = "production"
)

// Settings is everything that can be set, read once at the start. Rooms get
// plain values of it.
type Settings struct {
	Env              string
	ListenAddr       string
	MetricsAddr      string // empty: no metrics listener
	DatabaseURL      string
	DatabaseMaxConns int
	AcquireTimeout   time.Duration
	SQLiteMmapMB     int    // MB
	SecretKey        []byte // key of HMACs; empty in development: made at the start

	WebOrigin      string
	PublicBaseURL  string
	CORSOrigins    []string // besides WebOrigin
	TrustedProxies []netip.Prefix

	DevSignIn         bool
	DevExposeCode     bool
	AccessTokenTTL    time.Duration
	RefreshTokenTTL   time.Duration
	SessionMaxAge     time.Duration
	RefreshRaceWindow time.Duration

	Phone    Phone         // sign-in by phone call
	Idps     []idp.Options // identity providers, the default one first
	SMTP     *signin.SMTP  // nil: no mail is sent
	MailFrom string

	RateLimits        bool
	Quotas            map[string]ratelimit.Quota // by rule
	PaymentsEnabled   bool
	PaymentCurrencies []string
	WebhookSecrets    []payment.Secret // of the payment provider; any of them is good
	AdminEmails       []user.Email
	AdminUserIDs      []domain.UserID
	TestProfiles      user.TestProfiles
	DefaultTimezone   string

	ImageCacheDir string // empty: one that goes with the process
	ImageCacheMB  int
	ImageNetwork  imageproxy.Network // no setting: the tests stand in for the world

	ResponseCacheMB int
	MaxInFlight     int
	RequestTimeout  time.Duration
	ReadTimeout     time.Duration
	ShutdownDelay   time.Duration
	ShutdownTimeout time.Duration
	LogLevel        slog.Level
	LogFormat       string
}

// Setting is one environment variable.
type Setting struct {
	Name    string
	Default string
	In      map[string]string // defaults that differ, by APP_ENV
	What    string            // for the reader of docs/settings.md, in Markdown
	Secret  bool              // its value is never shown

	read func(s *Settings, value string) error

	// readIdp is instead of read where Name has a <NAME>: there is one such
	// variable for each identity provider.
	readIdp func(p *idp.Options, value string) error
}

// Table is every setting there is, in the order of the documentation. APP_ENV
// comes first: the defaults of others depend on it.
var Table = slices.Concat([]Setting{
	{Name: "APP_ENV", Default: Development, What: "`development`, `staging` or `production`; production refuses unsafe settings",
		read: oneOf(func(s *Settings) *string { return &s.Env }, Development, Staging, Production)},
	{Name: "LISTEN_ADDR", Default: "127.0.0.1:8080", What: "address of the API, `host:port`",
		read: address(func(s *Settings) *string { return &s.ListenAddr })},
	{Name: "METRICS_ADDR", What: "address of the Prometheus metrics (`/metrics`), kept apart from the API; empty: none",
		read: optional(address(func(s *Settings) *string { return &s.MetricsAddr }))},
	{Name: "DATABASE_URL", Default: "sqlite:data/moothall.db", What: "`sqlite:path` or `postgres://user:password@host/database`", Secret: true,
		read: databaseURL},
	{Name: "DATABASE_MAX_CONNS", Default: "8", What: "PostgreSQL connections of one instance, 1 to 1000",
		read: number(func(s *Settings) *int { return &s.DatabaseMaxConns }, 1, 1000)},
	{Name: "DATABASE_ACQUIRE_TIMEOUT", Default: "2s", What: "how long a request waits for a connection or for its turn to write before it gets 503, 10ms to 1m",
		read: duration(func(s *Settings) *time.Duration { return &s.AcquireTimeout }, 10*time.Millisecond, time.Minute)},
	{Name: "SQLITE_MMAP_MB", Default: "0", What: "how many megabytes (2^20 bytes) of SQLite's file each of its read connections, one for each core and at least two, maps into memory, 0 to 65536. " +
		"What is mapped counts as resident though the system may take it back; all of a large file mapped makes pages that are not kept a third cheaper",
		read: number(func(s *Settings) *int { return &s.SQLiteMmapMB }, 0, 65536)},
	{Name: "SECRET_KEY", What: "at least 32 characters, the same on every instance: the key of stored sign-in codes and of the addresses of calendars, which end with it (`openssl rand -base64 32`). " +
		"Needed in production; elsewhere one is made and kept beside the SQLite file", Secret: true,
		read: secretKey},

	{Name: "WEB_ORIGIN", Default: "http://localhost:8080", What: "origin of the web client, `https://host`",
		read: origin(func(s *Settings) *string { return &s.WebOrigin })},
	{Name: "PUBLIC_BASE_URL", Default: "http://localhost:8080", What: "the API's address as clients see it, may have a path; `https` makes the cookie Secure",
		read: baseURL},
	{Name: "API_CORS_ALLOWED_ORIGINS", What: "further origins whose pages may call the API, separated by commas; exact, no patterns",
		read: corsOrigins},
	{Name: "TRUSTED_PROXIES", What: "addresses or CIDR ranges, separated by commas, whose `X-Forwarded-For` is believed",
		read: trustedProxies},

	{Name: "AUTH_DEV_ENABLED", Default: "true", In: map[string]string{Production: "false"}, What: "sign-in by e-mail code; refused in production",
		read: boolean(func(s *Settings) *bool { return &s.DevSignIn })},
	{Name: "AUTH_DEV_EXPOSE_CODE", Default: "false", In: map[string]string{Development: "true"},
		What: "the code stands in the answer as `dev_code`, so anybody can sign in as anybody; refused in production",
		read: boolean(func(s *Settings) *bool { return &s.DevExposeCode })},
	{Name: "ACCESS_TOKEN_TTL", Default: "15m", What: "life of an access token, 1s to 24h",
		read: duration(func(s *Settings) *time.Duration { return &s.AccessTokenTTL }, time.Second, 24*time.Hour)},
	{Name: "REFRESH_TOKEN_TTL", Default: "720h", What: "life of a refresh token, renewed by every refresh, 1s to 8760h",
		read: duration(func(s *Settings) *time.Duration { return &s.RefreshTokenTTL }, time.Second, 8760*time.Hour)},
	{Name: "SESSION_MAX_AGE", Default: "4320h", What: "time after which one has to sign in again, 1s to 87600h",
		read: duration(func(s *Settings) *time.Duration { return &s.SessionMaxAge }, time.Second, 87600*time.Hour)},
	{Name: "REFRESH_RACE_WINDOW", Default: "3s", What: "how long a refresh that lost a race is only refused, not taken for theft; 0s to 1m",
		read: duration(func(s *Settings) *time.Duration { return &s.RefreshRaceWindow }, 0, time.Minute)},

	{Name: "PHONE_PROVIDER", Default: "none", In: map[string]string{Development: "development"},
		What: "who finds out that a user calls: `none`, `smsru`, `smsc`, or `development`, where the page `/dev/calls` plays the call; production refuses that one",
		read: oneOf(func(s *Settings) *string { return &s.Phone.Provider }, "none", "development", "smsru", "smsc")},
	{Name: "PHONE_PROVIDER_URL", What: "the provider's address, when it is not its usual one",
		read: optional(phoneURL)},
	{Name: "PHONE_DEFAULT_REGION", Default: "RU", What: "country of phone numbers that are written without a country code (ISO 3166-1)",
		read: phoneRegion},
	{Name: "PHONE_ALLOWED_REGIONS", What: "countries whose phone numbers may sign in, separated by commas; empty: all",
		read: phoneRegions},
	{Name: "SMSRU_API_ID", What: "for `smsru`: the account's `api_id`; its callback address is `/auth/phone/callback/smsru`", Secret: true,
		read: secretText(func(s *Settings) *string { return &s.Phone.SMSRuAPIID }, 16)},
	{Name: "SMSC_LOGIN", What: "for `smsc`: the account's name", Secret: true,
		read: secretText(func(s *Settings) *string { return &s.Phone.SMSCLogin }, 1)},
	{Name: "SMSC_PASSWORD", What: "for `smsc`: its password", Secret: true,
		read: secretText(func(s *Settings) *string { return &s.Phone.SMSCPassword }, 1)},
	{Name: "SMSC_CALLBACK_KEY", What: "for `smsc`: at least 16 random characters that its callback address ends with: `/auth/phone/callback/smsc?key=...`", Secret: true,
		read: secretText(func(s *Settings) *string { return &s.Phone.SMSCKey }, 16)},

	{Name: "IDP_PROVIDERS", What: "names of identity providers, separated by commas, like `google,yandex`; the first one is the default. " +
		"For each of them, in upper case with `-` as `_`, there are the variables `IDP_<NAME>_...`. They redirect browsers back to `WEB_ORIGIN`" + idpCallback,
		read: idpProviders},
	{Name: "IDP_<NAME>_KIND", Default: idp.OIDC, What: "`oidc` (OpenID Connect) or `opaque` (tokens are judged by the provider's info address, as Yandex ID does)",
		readIdp: plain(func(p *idp.Options) *string { return &p.Kind })},
	{Name: "IDP_<NAME>_ISSUER", What: "issuer, exactly as the provider writes it; with the provider's id of a person it names an account, so it must never change",
		readIdp: idpURL(func(p *idp.Options) *string { return &p.Issuer })},
	{Name: "IDP_<NAME>_CLIENT_ID", What: "our client id in browsers; empty: native clients only",
		readIdp: plain(func(p *idp.Options) *string { return &p.ClientID })},
	{Name: "IDP_<NAME>_CLIENT_SECRET", What: "the secret of that client; empty: a public one", Secret: true,
		readIdp: plain(func(p *idp.Options) *string { return &p.ClientSecret })},
	{Name: "IDP_<NAME>_NATIVE_CLIENT_IDS", What: "client ids, separated by commas, whose tokens native clients may bring; every one counts, also the web's",
		readIdp: func(p *idp.Options, value string) error { p.NativeClientIDs = list(value); return nil }},
	{Name: "IDP_<NAME>_AUTH_URL", What: "kind `opaque`: where browsers sign in",
		readIdp: idpURL(func(p *idp.Options) *string { return &p.AuthURL })},
	{Name: "IDP_<NAME>_TOKEN_URL", What: "kind `opaque`: where codes are traded",
		readIdp: idpURL(func(p *idp.Options) *string { return &p.TokenURL })},
	{Name: "IDP_<NAME>_INFO_URL", What: "kind `opaque`: what tells whose a token is and which client it was issued to (`id`, `client_id`)",
		readIdp: idpURL(func(p *idp.Options) *string { return &p.InfoURL })},

	{Name: "SMTP_URL", What: "server that delivers sign-in codes, `smtp://user:password@host:587` (STARTTLS) or `smtps://host`; empty: codes are not sent. " +
		"TLS is a must, but on the machine itself and in development", Secret: true,
		read: smtpURL},
	{Name: "MAIL_FROM", What: "sender of mails, like `Moothall <no-reply@example.org>`; a must with `SMTP_URL`",
		read: mailFrom},

	{Name: "RATE_LIMITS", Default: "on", What: "`on` or `off`; production refuses `off`. `RATE_LIMIT_...=5/10m` lets through 5 at once, then one more every 10m/5",
		read: onOff(func(s *Settings) *bool { return &s.RateLimits })},
	{Name: "PAYMENTS_ENABLED", Default: "false", What: "payments through the development provider, which takes no money: see [payments.md](payments.md); production refuses it. " +
		"Else paid events can only be drafted",
		read: boolean(func(s *Settings) *bool { return &s.PaymentsEnabled })},
	{Name: "PAYMENT_WEBHOOK_SECRETS", What: "keys that sign payment webhooks, `whsec_` and base64, separated by commas: any of them is good, so that they can be " +
		"replaced one after the other. Needed for `PAYMENTS_ENABLED=true`", Secret: true,
		read: webhookSecrets},
	{Name: "PAYMENT_CURRENCIES", Default: "RUB", What: "ISO 4217 codes of prices, separated by commas",
		read: currencies},
	{Name: "MODERATION_ADMIN_EMAILS", What: "moderators by verified e-mail address, separated by commas",
		read: adminEmails},
	{Name: "MODERATION_ADMIN_USER_IDS", What: "moderators by user id, separated by commas",
		read: adminUserIDs},
	{Name: "TEST_PROFILE_PATTERNS", What: "e-mail addresses and usernames of automated accounts, separated by commas, `*` standing for anything, like `*@test.example`: " +
		"they are left out of the search of people from when they are made or take such a name",
		read: testProfiles},
	{Name: "DEFAULT_TIMEZONE", Default: "UTC", What: "IANA zone of events whose place gives none, and of calendar entries that name none",
		read: timezone},
	{Name: "IMAGE_CACHE_DIR", What: "directory in which the image proxy keeps what it fetched; empty: a temporary one that goes with the process",
		read: func(s *Settings, value string) error { s.ImageCacheDir = value; return nil }},
	{Name: "IMAGE_CACHE_MB", Default: "256", What: "megabytes (2^20 bytes) that it may keep there, 0 to 1000000",
		read: number(func(s *Settings) *int { return &s.ImageCacheMB }, 0, 1_000_000)},

	{Name: "RESPONSE_CACHE_MB", Default: "32", What: "megabytes (2^20 bytes) of memory for answers to callers who are not signed in, kept while nothing in them changes; 0 to 100000, 0: none",
		read: number(func(s *Settings) *int { return &s.ResponseCacheMB }, 0, 100_000)},
	{Name: "MAX_IN_FLIGHT", Default: "1024", What: "requests worked on at a time, 1 to 100000; more get 503 at once",
		read: number(func(s *Settings) *int { return &s.MaxInFlight }, 1, 100000)},
	{Name: "REQUEST_TIMEOUT", Default: "10s", What: "time for one request once its body is read, 100ms to 5m",
		read: duration(func(s *Settings) *time.Duration { return &s.RequestTimeout }, 100*time.Millisecond, 5*time.Minute)},
	{Name: "READ_TIMEOUT", Default: "15s", What: "time for a client to send its request, 100ms to 5m",
		read: duration(func(s *Settings) *time.Duration { return &s.ReadTimeout }, 100*time.Millisecond, 5*time.Minute)},
	{Name: "SHUTDOWN_DELAY", Default: "0s", In: map[string]string{Production: "5s"}, What: "time between SIGTERM (`/readyz` turns 503) and the closing of the listener, 0s to 5m",
		read: duration(func(s *Settings) *time.Duration { return &s.ShutdownDelay }, 0, 5*time.Minute)},
	{Name: "SHUTDOWN_TIMEOUT", Default: "20s", What: "time for requests in flight to end after that, 1s to 10m",
		read: duration(func(s *Settings) *time.Duration { return &s.ShutdownTimeout }, time.Second, 10*time.Minute)},
	{Name: "LOG_LEVEL", Default: "info", What: "`debug`, `info`, `warn` or `error`",
		read: logLevel},
	{Name: "LOG_FORMAT", Default: "json", In: map[string]string{Development: "text"}, What: "`json` or `text`",
		read: oneOf(func(s *Settings) *string { return &s.LogFormat }, "json", "text")},
}, quotas())

// LoadSettings reads every setting through lookup (os.LookupEnv). The error
// has one line for each wrong one, saying which, why and what would be right.
// A variable that is set to the empty text counts as not set.
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
	if s.Env == Production {
		wrong = append(wrong, s.unsafe()...)
	}
	return s, errors.Join(wrong...)
}

func (s Setting) defaultIn(env string) string {
	if value, ok := s.In[env]; ok {
		return value
	}
	return s.Default
}

// each gives the setting itself, or, of one that there is for each identity
// provider, those.
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

// incomplete lists what several settings together lack.
func (s Settings) incomplete() []error {
	var wrong []error
	for _, p := range s.Idps {
		if err := p.Check(); err != nil {
			wrong = append(wrong, fmt.Errorf("IDP_%s_%w", idpVariable(p.Name), err))
		}
	}
	if s.SMTP != nil && s.MailFrom == "" {
		wrong = append(wrong, errors.New("MAIL_FROM must be set: SMTP_URL is"))
	}
	if s.PaymentsEnabled && len(s.WebhookSecrets) == 0 {
		wrong = append(wrong, errors.New("PAYMENT_WEBHOOK_SECRETS must be set: PAYMENTS_ENABLED is (echo whsec_$(openssl rand -base64 32))"))
	}
	return wrong
}

func (s Setting) wrong(value string, err error) error {
	if s.Secret {
		return fmt.Errorf("%s %w", s.Name, err)
	}
	return fmt.Errorf("%s=%q %w", s.Name, value, err)
}

// unsafe lists what must not run in production.
func (s Settings) unsafe() []error {
	var wrong []error
	refuse := func(is bool, format string, args ...any) {
		if is {
			wrong = append(wrong, fmt.Errorf(format+" in production", args...))
		}
	}
	refuse(s.DevSignIn, "AUTH_DEV_ENABLED must be false")
	refuse(s.DevExposeCode, "AUTH_DEV_EXPOSE_CODE must be false")
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

// Markdown is the table of docs/settings.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString("| Name | Default | What it is |\n| --- | --- | --- |\n")
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
