package app

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"time"

	"moothall/internal/meet"
	"moothall/internal/profile"
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
	Env          string
	ListenAddr   string
	MetricsAddr  string // empty: no metrics listener
	DatabaseURL  string
	DatabaseConn int
	DatabaseWait time.Duration
	SecretKey    []byte // key of HMACs; empty in development: made at the start

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

	RateLimits        bool
	PaymentsEnabled   bool
	PaymentCurrencies []string
	AdminEmails       []profile.Email
	AdminUserIDs      []meet.UserID
	DefaultTimezone   string

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
}

// Table is every setting there is, in the order of the documentation. APP_ENV
// comes first: the defaults of others depend on it.
var Table = []Setting{
	{Name: "APP_ENV", Default: Development, What: "`development`, `staging` or `production`; production refuses unsafe settings",
		read: oneOf(func(s *Settings) *string { return &s.Env }, Development, Staging, Production)},
	{Name: "LISTEN_ADDR", Default: "127.0.0.1:8080", What: "address of the API, `host:port`",
		read: address(func(s *Settings) *string { return &s.ListenAddr })},
	{Name: "METRICS_ADDR", What: "address of the Prometheus metrics (`/metrics`), kept apart from the API; empty: none",
		read: optional(address(func(s *Settings) *string { return &s.MetricsAddr }))},
	{Name: "DATABASE_URL", Default: "sqlite:data/moothall.db", What: "`sqlite:path` or `postgres://user:password@host/database`", Secret: true,
		read: databaseURL},
	{Name: "DATABASE_MAX_CONNS", Default: "8", What: "PostgreSQL connections of one instance, 1 to 1000",
		read: number(func(s *Settings) *int { return &s.DatabaseConn }, 1, 1000)},
	{Name: "DATABASE_WAIT", Default: "2s", What: "how long a request waits for a connection or for its turn to write before it gets 503, 10ms to 1m",
		read: duration(func(s *Settings) *time.Duration { return &s.DatabaseWait }, 10*time.Millisecond, time.Minute)},
	{Name: "SECRET_KEY", What: "at least 32 characters, the same on every instance: the key of stored sign-in codes (`openssl rand -base64 32`). " +
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

	{Name: "RATE_LIMITS", Default: "on", What: "`on` or `off`; production refuses `off`",
		read: onOff(func(s *Settings) *bool { return &s.RateLimits })},
	{Name: "PAYMENTS_ENABLED", Default: "false", What: "without effect yet: payments are not built, paid events can be drafted but not published",
		read: boolean(func(s *Settings) *bool { return &s.PaymentsEnabled })},
	{Name: "PAYMENT_CURRENCIES", Default: "RUB", What: "ISO 4217 codes of prices, separated by commas",
		read: currencies},
	{Name: "MODERATION_ADMIN_EMAILS", What: "moderators by verified e-mail address, separated by commas",
		read: adminEmails},
	{Name: "MODERATION_ADMIN_USER_IDS", What: "moderators by user id, separated by commas",
		read: adminUserIDs},
	{Name: "DEFAULT_TIMEZONE", Default: "UTC", What: "IANA zone of events whose place gives none",
		read: timezone},

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
}

// LoadSettings reads every setting through lookup (os.LookupEnv). The error
// has one line for each wrong one, saying which, why and what would be right.
// A variable that is set to the empty text counts as not set.
func LoadSettings(lookup func(name string) (string, bool)) (Settings, error) {
	var s Settings
	var wrong []error
	for _, setting := range Table {
		value, _ := lookup(setting.Name)
		if value == "" {
			value = setting.defaultIn(s.Env)
		}
		if err := setting.read(&s, value); err != nil {
			wrong = append(wrong, setting.wrong(value, err))
		}
	}
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
	refuse(len(s.SecretKey) == 0, "SECRET_KEY must be set to at least 32 random characters (openssl rand -base64 32)")
	refuse(strings.HasPrefix(s.WebOrigin, "http:"), "WEB_ORIGIN=%q must begin with https://", s.WebOrigin)
	refuse(strings.HasPrefix(s.PublicBaseURL, "http:"), "PUBLIC_BASE_URL=%q must begin with https://", s.PublicBaseURL)
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
