package ops_test

import (
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"moothall/internal/ops/app"
	"moothall/internal/platform/admission"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/test/apptest"
)

const documentation = "../../../docs/settings.md"

// TestDocumentation compares the sections of docs/settings.md with the code. UPDATE=1
// rewrites them.
func TestDocumentation(t *testing.T) {
	content, err := os.ReadFile(documentation)
	if err != nil {
		t.Fatal(err)
	}
	introduction, _, _ := strings.Cut(string(content), "## ")
	want := introduction + app.Markdown()
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(documentation, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(content) != want {
		t.Errorf("%s differs from the code: run UPDATE=1 go test -run TestDocumentation ./internal/test/ops", documentation)
	}
}

func settings(pairs ...string) (app.Settings, error) {
	values := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	return app.LoadSettings(func(name string) (string, bool) {
		value, ok := values[name]
		return value, ok
	})
}

// safe are the settings that production needs.
var safe = []string{
	"APP_ENV", "production", "SECRET_KEY", apptest.SecretKey, "DATABASE_URL", "postgres://u:p@db1:5432,db2:5432/moothall",
	"WEB_ORIGIN", "https://moothall.test", "PUBLIC_BASE_URL", "https://moothall.test/api/",
}

func TestDefaults(t *testing.T) {
	for env, want := range map[string]struct{ signIn, expose bool }{
		app.Development: {true, true}, app.Staging: {true, false}, app.Production: {false, false},
	} {
		s, err := settings(append(safe, "APP_ENV", env)...)
		if err != nil || s.DevSignIn != want.signIn || s.DevExposeCode != want.expose {
			t.Errorf("%s: %+v, %v", env, s, err)
		}
	}
	s, err := settings()
	if err != nil || s.ListenAddr != "127.0.0.1:8080" || s.DatabaseURL != "sqlite:data/moothall.db" ||
		s.AccessTokenTTL != 15*time.Minute || s.RefreshTokenTTL != 30*24*time.Hour || !s.RateLimits || s.PaymentsEnabled {
		t.Errorf("%+v, %v", s, err)
	}
	s, err = settings(safe...)
	if err != nil || s.PublicBaseURL != "https://moothall.test/api" {
		t.Errorf("%q, %v", s.PublicBaseURL, err)
	}
}

// TestCacheSizeDependsOnMemory expects a tenth of the memory within limits, and CACHE_MB in place of it.
func TestCacheSizeDependsOnMemory(t *testing.T) {
	for memory, want := range map[uint64]uint64{
		0: 32, 128 << 20: 32, 320 << 20: 32, 512 << 20: 51, 4 << 30: 409, 10 << 30: 1024, 64 << 30: 1024, math.MaxUint64: 1024,
	} {
		if got := app.CacheMB(memory); got != want {
			t.Errorf("%d bytes of memory: %d MB, not %d", memory, got, want)
		}
	}
	s, err := settings()
	if err != nil || s.CacheMB < 32 || s.CacheMB > 1024 {
		t.Errorf("by default %d MB, %v", s.CacheMB, err)
	}
	for _, own := range []int{0, 16, 4096} {
		if s, err := settings("CACHE_MB", strconv.Itoa(own)); err != nil || s.CacheMB != own {
			t.Errorf("CACHE_MB=%d: %d MB, %v", own, s.CacheMB, err)
		}
	}
}

// TestRefusalsTakeLessThanASecond adds the two times for which a request may wait in vain.
func TestRefusalsTakeLessThanASecond(t *testing.T) {
	s, err := settings()
	if wait := max(admission.MaxWait+db.LeastWait, s.AcquireTimeout); err != nil || wait >= time.Second {
		t.Errorf("a request may wait for its turn and for a connection for %v, %v", wait, err)
	}
}

func TestInvalidSettingsAreRejected(t *testing.T) {
	for _, c := range []struct{ name, value string }{
		{"APP_ENV", "prod"},
		{"LISTEN_ADDR", "8080"},
		{"LISTEN_ADDR", "localhost:http"},
		{"LISTEN_ADDR", "localhost:99999"},
		{"LISTEN_ADDR", "localhost:+80"},
		{"METRICS_ADDR", "localhost"},
		{"DATABASE_URL", "mysql://localhost/x"},
		{"DATABASE_URL", "sqlite:"},
		{"DATABASE_URL", "postgres://localhost"},
		{"DATABASE_URL", "moothall.db"},
		{"DATABASE_MAX_CONNS", "1"},
		{"DATABASE_MAX_CONNS", "many"},
		{"DATABASE_ACQUIRE_TIMEOUT", "0s"},
		{"DATABASE_ACQUIRE_TIMEOUT", "2"},
		{"SECRET_KEY", "short"},
		{"WEB_ORIGIN", "moothall.test"},
		{"WEB_ORIGIN", "https://moothall.test/"},
		{"WEB_ORIGIN", "https://Moothall.test"},
		{"WEB_ORIGIN", "https://u:p@moothall.test"},
		{"WEB_ORIGIN", "ftp://moothall.test"},
		{"PUBLIC_BASE_URL", "https://"},
		{"PUBLIC_BASE_URL", "https://moothall.test/?x"},
		{"PUBLIC_BASE_URL", "https://moothall.test/#x"},
		{"PUBLIC_BASE_URL", ":"},
		{"API_CORS_ALLOWED_ORIGINS", "*"},
		{"API_CORS_ALLOWED_ORIGINS", "null"},
		{"API_CORS_ALLOWED_ORIGINS", "https://a.test, https://*.b.test/x"},
		{"TRUSTED_PROXIES", "10.0.0.0/33"},
		{"TRUSTED_PROXIES", "10.0.0.1/8"},
		{"TRUSTED_PROXIES", "0.0.0.0/0"},
		{"TRUSTED_PROXIES", "proxy.test"},
		{"AUTH_DEV_ENABLED", "yes"},
		{"AUTH_DEV_EXPOSE_CODE", "1"},
		{"ACCESS_TOKEN_TTL", "15"},
		{"ACCESS_TOKEN_TTL", "0s"},
		{"ACCESS_TOKEN_TTL", "-1m"},
		{"REFRESH_TOKEN_TTL", "30d"},
		{"SESSION_MAX_AGE", "forever"},
		{"REFRESH_RACE_WINDOW", "2m"},
		{"IDP_PROVIDERS", "Google"},
		{"IDP_PROVIDERS", "google,google"},
		{"IDP_PROVIDERS", "my-id,my_id"}, // both are IDP_MY_ID_...
		{"SMTP_URL", "mail.example.org:25"},
		{"SMTP_URL", "smtp://"},
		{"SMTP_URL", "smtp://mail.example.org/inbox"},
		{"MAIL_FROM", "Moothall"},
		{"MAIL_BOUNCES", "bounces"}, {"MAIL_BOUNCES", "Bounces <bounces@example.org>"}, {"MAIL_BOUNCES", "returned-mail@example.org"},
		{"MAIL_EVENTS", "mailgun:short"}, {"MAIL_EVENTS", "mailgun"}, {"MAIL_EVENTS", "postmark:0123456789abcdef"},
		{"MAIL_EVENTS", "mailgun:0123456789abcdef,mailgun:0123456789abcdef"},
		{"MAIL_EVENTS", "sendgrid:short"},
		{"MAIL_EVENTS", "sendgrid:MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="}, // Ed25519
		{"MAIL_EVENTS",
			// not on the curve
			"sendgrid:MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ=="},
		{"VAPID_SUBJECT", "ops@example.org"},
		{"VAPID_SUBJECT", "mailto:ops"},
		{"VAPID_SUBJECT", "http://example.org"},
		{"DKIM", ":dkim.pem"}, {"DKIM", "mail:"}, {"DKIM", "Mail:dkim.pem"}, {"DKIM", "/etc/a:b.pem"},
		{"NOTIFICATIONS", "on"}, {"NOTIFICATIONS", ","}, {"NOTIFICATIONS", "mail,sms"}, {"NOTIFICATIONS", "mail,none"},
		{"REALTIME", "true"},
		{"RATE_LIMITS", "true"},
		{"RATE_LIMITS", ","},
		{"RATE_LIMITS", "on, idp_per_address=30/1m"},
		{"RATE_LIMITS", "idp_per_address=30"},
		{"RATE_LIMITS", "idp_per_address=0/1m"},
		{"RATE_LIMITS", "idp_per_address=30/1 minute"},
		{"RATE_LIMITS", "idp_per_address=off"},
		{"RATE_LIMITS", "idp_per_address=30/1m; images_per_address=30/1m"},
		{"RATE_LIMITS", "idp_per_address=30/1m, idp_per_address=40/1m"},
		{"RATE_LIMITS", "=30/1m"},
		{"PAYMENTS_ENABLED", "on"},
		{"PAYMENT_WEBHOOK_SECRETS", "whsec_c2hvcnQ="},
		{"MEDIA", "s3://k:s@pictures"},
		{"MEDIA", "s3://k:s@pictures?endpoint=s3.example.org"},
		{"MEDIA", "s3://pictures?endpoint=https://s3.example.org"},
		{"PAYMENT_CURRENCIES", "RUB,eur"},
		{"MODERATION_ADMIN_EMAILS", "Ann <ann@example.org>"},
		{"MODERATION_ADMIN_USER_IDS", "ann"},
		{"MODERATION_ADMIN_USER_IDS", "01890a5dac96774bbcceb302099a8057"},
		{"DEFAULT_TIMEZONE", "Local"},
		{"DEFAULT_TIMEZONE", "Etc/GMT-3"},
		{"DEFAULT_TIMEZONE", "Mars/Olympus"},
		{"MAX_IN_FLIGHT", "0"},
		{"REQUEST_TIMEOUT", "1ms"},
		{"READ_TIMEOUT", "1h"},
		{"SHUTDOWN_DELAY", "10m"},
		{"SHUTDOWN_TIMEOUT", "0s"},
		{"LOG_LEVEL", "verbose"},
		{"LOG_FORMAT", "xml"},
	} {
		_, err := settings(c.name, c.value)
		if err == nil {
			t.Errorf("%s=%s was accepted", c.name, c.value)
			continue
		}
		line := err.Error()
		if strings.Contains(line, "\n") || !strings.HasPrefix(line, c.name) || !strings.Contains(line, "must") {
			t.Errorf("%s=%s: %q", c.name, c.value, line)
		}
	}
}

func TestEveryInvalidSettingIsNamed(t *testing.T) {
	_, err := settings("LISTEN_ADDR", "x", "RATE_LIMITS", "x", "LOG_LEVEL", "x")
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("%v", err)
	}
}

func TestRateLimitsChangeRules(t *testing.T) {
	for value, want := range map[string]struct {
		on     bool
		quotas map[string]ratelimit.Quota
	}{
		"":                         {true, nil},
		"on":                       {true, nil},
		"off":                      {false, nil},
		"writes_per_user=240/1m":   {true, map[string]ratelimit.Quota{"writes_per_user": {N: 240, Window: time.Minute}}},
		" idp_per_address=9/1s ,,": {true, map[string]ratelimit.Quota{"idp_per_address": {N: 9, Window: time.Second}}},
		"writes_per_user=240/1m, email_start_per_address=40/1h": {true, map[string]ratelimit.Quota{
			"writes_per_user": {N: 240, Window: time.Minute}, "email_start_per_address": {N: 40, Window: time.Hour}}},
	} {
		if s, err := settings("RATE_LIMITS", value); err != nil || s.RateLimits != want.on || !maps.Equal(s.Quotas, want.quotas) {
			t.Errorf("%q: %t %v, %v", value, s.RateLimits, s.Quotas, err)
		}
	}
	for value, want := range map[string]string{
		"writes_per_usr=1/1m":  "did you mean writes_per_user?",
		"WRITES_PER_USER=1/1m": "did you mean writes_per_user?",
		"writes=1/1m":          "must begin with a rule of docs/settings.md",
	} {
		if _, err := settings("RATE_LIMITS", value); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", value, err)
		}
	}
}

// TestReplacedSettingsSayWhatToWrite sets variables of earlier versions. hunter2 is a password.
func TestReplacedSettingsSayWhatToWrite(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"MEDIA_S3_ACCESS_KEY", "hunter2", "s3://KEY:SECRET@bucket?endpoint=... in MEDIA"},
		{"MEDIA_S3_SECRET_KEY", "hunter2", "s3://KEY:SECRET@bucket?endpoint=... in MEDIA"},
		{"BACKUP_S3_ACCESS_KEY", "hunter2", "s3://KEY:SECRET@bucket?endpoint=... in BACKUP"},
		{"BACKUP_S3_SECRET_KEY", "hunter2", "s3://KEY:SECRET@bucket?endpoint=... in BACKUP"},
		{"SQLITE_MMAP_MB", "512", "CACHE_MB, which keeps what is read often"},
		{"REALTIME_PRESENCE", "off", "REALTIME, which may be without_presence"},
		{"MAIL_NOTIFICATIONS", "false", "NOTIFICATIONS, which may be mail, push or none"},
		{"PUSH_NOTIFICATIONS", "true", "NOTIFICATIONS, which may be mail, push or none"},
		{"DKIM_KEY_FILE", "dkim.pem", "DKIM=SELECTOR:FILE"},
		{"DKIM_SELECTOR", "mail", "DKIM=SELECTOR:FILE"},
		{"MAILGUN_SIGNING_KEY", "hunter2", "MAIL_EVENTS=mailgun:KEY"},
		{"SENDGRID_VERIFICATION_KEY", "hunter2", "MAIL_EVENTS=sendgrid:KEY"},
		{"PHONE_PROVIDER_URL", "https://sms.ru", "its address in PHONE_PROVIDER, like smsru+https://:API_ID@sms.ru"},
		{"SMSRU_API_ID", "hunter2", "smsru+https://:API_ID@sms.ru in PHONE_PROVIDER"},
		{"SMSC_LOGIN", "me", "smsc+https://LOGIN:PASSWORD@smsc.ru?callback_key=KEY in PHONE_PROVIDER"},
		{"SMSC_PASSWORD", "hunter2", "smsc+https://LOGIN:PASSWORD@smsc.ru?callback_key=KEY in PHONE_PROVIDER"},
		{"SMSC_CALLBACK_KEY", "hunter2", "smsc+https://LOGIN:PASSWORD@smsc.ru?callback_key=KEY in PHONE_PROVIDER"},
	} {
		if _, err := settings(c.name, c.value); err == nil || err.Error() != c.name+" must be replaced by "+c.want {
			t.Errorf("%s: %v", c.name, err)
		}
		if err := app.CheckName(c.name); err != nil { // in a file, LoadSettings refuses it
			t.Error(err)
		}
		if _, err := settings(c.name, ""); err != nil {
			t.Errorf("%s without a value: %v", c.name, err)
		}
	}
	_, err := settings("RATE_LIMIT_WRITES_PER_USER", "240/1m", "RATE_LIMIT_EMAIL_START_PER_ADDRESS", "40/1h")
	if want := "RATE_LIMIT_EMAIL_START_PER_ADDRESS, RATE_LIMIT_WRITES_PER_USER must be replaced by " +
		"RATE_LIMITS=email_start_per_address=40/1h,writes_per_user=240/1m"; err == nil || err.Error() != want {
		t.Errorf("variables of earlier versions: %v", err)
	}
}

func TestDKIMHasASelector(t *testing.T) {
	for value, want := range map[string][2]string{
		"":                        {},
		"dkim.pem":                {"moothall", "dkim.pem"},
		"mail.2026:/etc/dkim.pem": {"mail.2026", "/etc/dkim.pem"},
		"a:b:c":                   {"a", "b:c"},
	} {
		if s, err := settings("DKIM", value); err != nil || [2]string{s.DKIMSelector, s.DKIMKeyFile} != want {
			t.Errorf("%q: %q, %q, %v", value, s.DKIMSelector, s.DKIMKeyFile, err)
		}
	}
}

func TestPicturesAreNextToTheDatabase(t *testing.T) {
	for database, want := range map[string]string{"sqlite:/var/lib/moothall/m.db": "/var/lib/moothall/media",
		"postgres://localhost/m": "data/media"} {
		if s, err := settings("DATABASE_URL", database); err != nil || s.Media.Dir != want {
			t.Errorf("%s: pictures in %q, %v", database, s.Media.Dir, err)
		}
	}
}

func TestSecretsAreNotShown(t *testing.T) {
	for _, value := range []string{"postgres://u:hunter2@", "postgres://u:hunter2%zz@h/d", "hunter2:x"} {
		if _, err := settings("DATABASE_URL", value); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v", err)
		}
	}
	for _, value := range []string{"http://u:hunter2@host", "smtp://u:hunter2%zz@host", "smtp://u:hunter2@host:port"} {
		if _, err := settings("SMTP_URL", value); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v", err)
		}
	}
	for _, value := range []string{"hunter2", "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz, whsec_hunter2"} {
		if _, err := settings("PAYMENT_WEBHOOK_SECRETS", value); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v", err)
		}
	}
	for value, want := range map[string]string{
		"s3://key:hunter2@pictures?endpoint=s3.test":            `MEDIA="s3://key:xxxxx@pictures?endpoint=s3.test" must be a directory, or`,
		"s3://hunter2@pictures?endpoint=https://s3.test":        "MEDIA must have the keys of the bucket",
		"s3://key:hunter2/a@pictures?endpoint=https://s3.test":  "with percent-encoded keys",
		"s3://key:hunter2%a@pictures?endpoint=https://s3.test":  "MEDIA must have two hexadecimal digits after each %; write % itself as %25",
		"s3://key:hunter2@pictures?endpoint=https://s3.test%zz": `MEDIA="s3://key:xxxxx@pictures?xxxxx" must have two hexadecimal digits`,
	} {
		if _, err := settings("MEDIA", value); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("MEDIA=%s: %v, want %s", value, err, want)
		}
	}
	if _, err := settings("PAYMENTS_ENABLED", "true"); err == nil || !strings.Contains(err.Error(), "PAYMENT_WEBHOOK_SECRETS must be set") {
		t.Errorf("payments without a secret: %v", err)
	}
	for name, value := range map[string]string{"SECRET_KEY": "hunter2", "MAIL_EVENTS": "mailgun:hunter2",
		"BACKUP_RECIPIENTS": "AGE-SECRET-KEY-hunter2"} {
		if _, err := settings(name, value); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v", err)
		}
	}
}

// TestShownValues checks what moothall config prints. hunter2 is a password.
func TestShownValues(t *testing.T) {
	const hidden = "(secret)"
	for _, c := range []struct{ name, value, want string }{
		{"SECRET_KEY", "", ""},
		{"SECRET_KEY", "hunter2", hidden},
		{"MAIL_EVENTS", "mailgun:hunter2hunter2hunter2", hidden},
		{"LOG_LEVEL", "warn", "warn"},
		{"DATABASE_URL", "", "sqlite:data/moothall.db"},
		{"DATABASE_URL", "sqlite:/var/lib/moothall@1/a b=c.db", "sqlite:/var/lib/moothall@1/a b=c.db"},
		{"DATABASE_URL", "sqlite:data/m.db?_key=hunter2", "sqlite:data/m.db?xxxxx"},
		{"DATABASE_URL", "postgres://db/moothall?sslmode=require&application_name=m", "postgres://db/moothall?sslmode=require&application_name=m"},
		{"DATABASE_URL", "postgres://moothall:hunter2@db/moothall", "postgres://moothall:xxxxx@db/moothall"},
		{"DATABASE_URL", "postgres://u:hunter2@db1:5432,db2:5432/d?sslmode=require", "postgres://u:xxxxx@db1:5432,db2:5432/d?sslmode=require"},
		{"DATABASE_URL", "postgres://a%40b:%68unter2hunter2@db1,db2/d", "postgres://a%40b:xxxxx@db1,db2/d"},
		{"DATABASE_URL", "postgres://u:p@hunter2@db/d", "postgres://u:xxxxx@db/d"},
		{"DATABASE_URL", "postgres://u:hunter2@", "postgres://u:xxxxx@"},
		{"DATABASE_URL", "postgres://u@db/d?password=hunter2&sslmode=require", "postgres://u@db/d?xxxxx"},
		{"DATABASE_URL", "postgres://u@db/d?sslmode=require;password=hunter2", "postgres://u@db/d?xxxxx"},
		{"DATABASE_URL", "postgres://u@db/d?hunter2", "postgres://u@db/d?xxxxx"},
		{"DATABASE_URL", "mysql://u:hunter2@db/d", "mysql://u:xxxxx@db/d"},
		{"DATABASE_URL", "postgres://u:12/hunter2@db/d", hidden},
		{"DATABASE_URL", "postgres://u:12?hunter2@db/d", hidden},
		{"DATABASE_URL", "postgres://u:12#hunter2@db/d", hidden},
		{"DATABASE_URL", "postgres://u:hunter2%zz@db/d", hidden},
		{"DATABASE_URL", "host=db user=u password=hunter2", hidden},
		{"DATABASE_URL", "u:hunter2@tcp(db)/d", hidden},
		{"DATABASE_URL", "postgres:u:hunter2@db/d", hidden},
		{"DATABASE_URL", "u/hunter2@db", hidden},
		{"SMTP_URL", "smtp://u%40b:hunter2@mail.example.org:587", "smtp://u%40b:xxxxx@mail.example.org:587"},
		{"SMTP_URL", "smtp://u:hunter2@host:port", hidden},
		{"WEB_ORIGIN", "https://u:hunter2@moothall.test", "https://u:xxxxx@moothall.test"},
		{"MAP_TILES", "https://tiles.test/world.pmtiles?signature=hunter2", "https://tiles.test/world.pmtiles?xxxxx"},
		{"GEOCODER_URL", "photon+https://geo.test/api?key=hunter2", "photon+https://geo.test/api?xxxxx"},
		{"PHONE_PROVIDER", "", "development"},
		{"PHONE_PROVIDER", "smsru+https://:hunter2@sms.ru", "smsru+https://:xxxxx@sms.ru"},
		{"PHONE_PROVIDER", "smsru+https://hunter2@sms.ru", hidden},
		{"PHONE_PROVIDER", "smsc+https://me:hunter2@smsc.ru?callback_key=hunter2", "smsc+https://me:xxxxx@smsc.ru?xxxxx"},
		{"MEDIA", "", "data/media"},
		{"MEDIA", "/data/a b", "/data/a b"},
		{"MEDIA", "s3://k:hunter2@pictures/a?endpoint=https://s3.test&region=x", "s3://k:xxxxx@pictures/a?endpoint=https://s3.test&region=x"},
		{"MEDIA", "s3://hunter2@pictures?endpoint=https://s3.test", hidden},
		{"MEDIA", "s3://pictures?endpoint=https://key:hunter2@s3.test", hidden},
		{"BACKUP", "s3://backups?endpoint=https%3A%2F%2Fkey:hunter2%40s3.test", "s3://backups?xxxxx"},
	} {
		values := app.Values(func(name string) (string, bool) { return c.value, name == c.name && c.value != "" })
		i := slices.IndexFunc(values, func(v app.Value) bool { return v.Name == c.name })
		if values[i].Value != c.want || values[i].Secret != strings.Contains(c.value, "hunter2") {
			t.Errorf("%s=%s: %+v", c.name, c.value, values[i])
		}
		if _, err := settings(c.name, c.value); err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s=%s: %v", c.name, c.value, err)
		}
	}
}

func TestProductionRejectsUnsafeSettings(t *testing.T) {
	for _, c := range []struct{ name, value string }{
		{"AUTH_DEV_ENABLED", "true"},
		{"AUTH_DEV_EXPOSE_CODE", "true"},
		{"RATE_LIMITS", "off"},
		{"PAYMENTS_ENABLED", "true"},
		{"SECRET_KEY", ""},
		{"WEB_ORIGIN", "http://moothall.test"},
		{"PUBLIC_BASE_URL", "http://moothall.test"},
		{"API_CORS_ALLOWED_ORIGINS", "http://moothall.test"},
	} {
		_, err := settings(append(safe, c.name, c.value)...)
		if err == nil || !strings.Contains(err.Error(), c.name) || !strings.Contains(err.Error(), "in production") {
			t.Errorf("%s=%s: %v", c.name, c.value, err)
		}
	}
	if _, err := settings("APP_ENV", "production"); err == nil || strings.Count(err.Error(), "\n") < 2 {
		t.Errorf("production without any setting: %v", err)
	}
}
