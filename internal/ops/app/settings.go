package app

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"path/filepath"
	"strings"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/delivery/mail"
	"moothall/internal/domain"
	"moothall/internal/identity/signin/idp"
	"moothall/internal/meetup/payment"
	"moothall/internal/meetup/place/geocode"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/clock"
	"moothall/internal/platform/outbound"
	"moothall/internal/platform/push"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/platform/smtp"
	"moothall/internal/web/basemap"

	"filippo.io/age"
)

// The values of APP_ENV.
const (
	Development = "development"
	Staging     = "staging"
	Production  = "production"
)

// The channels of NOTIFICATIONS.
const (
	byMail = "mail"
	byPush = "push"
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

	Phone         Phone         // sign-in by phone call
	Idps          []idp.Options // identity providers, the default one first
	SMTP          *smtp.Server  // nil: no mail is sent
	MailFrom      string
	MailGrace     time.Duration // wait of a notification by e-mail
	MailPerMinute int
	MailBounces   string                       // base of the return paths; empty: none
	MailProviders map[string]mail.MailProvider // report bounces by HTTP, by name
	DKIMKeyFile   string                       // empty: mails are not signed
	DKIMSelector  string

	RateLimits        bool
	Quotas            map[string]ratelimit.Quota // by rule, where they differ from the default
	PaymentsEnabled   bool
	PaymentCurrencies []string
	WebhookSecrets    []payment.Secret // of the payment provider; each one is valid
	AdminEmails       []user.Email
	AdminUserIDs      []domain.UserID
	TestProfiles      user.TestProfiles
	DefaultTimezone   string

	ImageCacheDir string // empty: a temporary directory
	ImageCacheMB  int

	Realtime        Realtime
	RealtimeSockets int
	RealtimePing    time.Duration

	Notifications []string   // channels by which they leave the app: byMail, byPush
	VAPIDSubject  string     // contact for push services; empty: no push
	pushKeys      *push.Keys // not a setting; nil: derived from SecretKey

	Outbound outbound.Network // not a setting: tests replace the network

	Machine *clock.Machine // not a setting: tests replace the machine's clocks
	Media   blob.Location  // of uploaded pictures

	Backup           blob.Location // of the backups that the service makes; the zero Location: none
	BackupEvery      time.Duration
	BackupKeep       time.Duration
	BackupRecipients []age.Recipient

	Tiles    basemap.Tiles  // streets of maps
	PagesDir string         // empty: no pages
	Geocoder geocode.Server // finds streets and houses; zero: none

	CacheMB         int
	MaxInFlight     int
	RequestTimeout  time.Duration
	ReadTimeout     time.Duration
	ShutdownDelay   time.Duration
	ShutdownTimeout time.Duration
	LogLevel        slog.Level
	LogFormat       string
}

// Realtime says what there is of WebSockets.
type Realtime struct {
	On       bool
	Presence bool // they are told who else watches an event
}

// machine returns the clocks of the machine.
func (s Settings) machine() clock.Machine {
	if s.Machine != nil {
		return *s.Machine
	}
	return clock.ThisMachine()
}

// setting is one environment variable.
type setting struct {
	Name       string
	Default    string
	Documented string            // for docs/settings.md: the default, if it depends on the machine
	In         map[string]string // defaults that differ, by APP_ENV
	What       string            // for docs/settings.md, in Markdown
	Secret     bool              // the value is never shown
	Address    bool              // the value is shown without its password
	format
}

// LoadSettings reads every setting through lookup (os.LookupEnv). Its error has one
// line for each invalid setting: "NAME=value must ...". An empty variable counts as
// not set.
func LoadSettings(lookup func(name string) (string, bool)) (Settings, error) {
	s, _, wrong := load(lookup)
	wrong = append(wrong, s.replaced(lookup)...)
	wrong = append(wrong, s.incomplete()...)
	wrong = append(wrong, s.loadDKIMKey()...)
	if s.Env == Production {
		wrong = append(wrong, s.unsafe()...)
	}
	return s, errors.Join(wrong...)
}

// Value is the value of a setting that is in force.
type Value struct {
	Name, Value string // Value without secrets
	Default     bool   // lookup has none
	Secret      bool   // Value hides something
}

// Values returns all settings that LoadSettings reads, in the order of docs/settings.md.
func Values(lookup func(name string) (string, bool)) []Value {
	_, all, _ := load(lookup)
	return all
}

// load parses every setting. A setting without a value keeps the zero value.
func load(lookup func(name string) (string, bool)) (s Settings, all []Value, wrong []error) {
	for _, section := range sections {
		for _, row := range section.rows(&s) {
			value, _ := lookup(row.Name)
			v := Value{Name: row.Name, Default: value == ""}
			if v.Default {
				value = row.defaultIn(s.Env)
			}
			v.Value = row.show(value)
			v.Secret = v.Value != value
			all = append(all, v)
			if value == "" {
				continue
			}
			if err := row.parse(value); err != nil {
				wrong = append(wrong, row.wrong(value, err))
			}
		}
	}
	return s, all, wrong
}

func (s setting) defaultIn(env string) string {
	if value, ok := s.In[env]; ok {
		return value
	}
	return s.Default
}

func (s setting) wrong(value string, err error) error {
	if s.Address && isWronglyEscaped(value) {
		err = errEscape
	}
	shown := s.show(value)
	if shown == hidden {
		return fmt.Errorf("%s %w", s.Name, err)
	}
	return fmt.Errorf("%s=%q %w", s.Name, shown, err)
}

// canSignIn reports whether users have any way to sign in.
func (s Settings) canSignIn() bool { return len(s.signInMethods()) > 0 }

// defaultMedia is the folder of pictures next to the SQLite file.
func (s *Settings) defaultMedia() string {
	if file, ok := strings.CutPrefix(s.DatabaseURL, "sqlite:"); ok {
		return filepath.Join(filepath.Dir(file), "media")
	}
	return "data/media"
}

// defaultTiles is the file with the streets of the map, next to the SQLite file.
func (s *Settings) defaultTiles() string {
	return filepath.Join(filepath.Dir(s.defaultMedia()), "streets.pmtiles")
}

// incomplete lists settings that others require.
func (s Settings) incomplete() []error {
	var wrong []error
	for _, p := range s.Idps {
		if err := p.Check(); err != nil {
			wrong = append(wrong, fmt.Errorf("%s%w", idpPrefix(p.Name), err))
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
	if s.PaymentsEnabled && len(s.WebhookSecrets) == 0 {
		wrong = append(wrong, errors.New("PAYMENT_WEBHOOK_SECRETS must be set for PAYMENTS_ENABLED=true (echo whsec_$(openssl rand -base64 32))"))
	}
	return wrong
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
