package ops_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"moothall/internal/core/user"
	"moothall/internal/ops/app"
)

func TestIdentityProviders(t *testing.T) {
	good := []string{
		"IDP_PROVIDERS", "google, ya-id",
		"IDP_GOOGLE_ISSUER", "https://accounts.google.test", "IDP_GOOGLE_CLIENT_ID", "web", "IDP_GOOGLE_NATIVE_CLIENT_IDS", "ios, android",
		"IDP_YA_ID_ISSUER", "https://ya.test", "IDP_YA_ID_CLIENT_ID", "web", "IDP_YA_ID_CLIENT_SECRET", "hunter2",
		"IDP_YA_ID_AUTH_URL", "https://ya.test/a", "IDP_YA_ID_TOKEN_URL", "https://ya.test/t", "IDP_YA_ID_INFO_URL", "http://127.0.0.1:1/i",
	}
	s, err := settings(good...)
	if err != nil || len(s.Idps) != 2 || s.Idps[0].InfoURL != "" || !slices.Equal(s.Idps[0].NativeClientIDs, []string{"ios", "android"}) ||
		s.Idps[1].Name != "ya-id" || s.Idps[1].ClientSecret != "hunter2" {
		t.Errorf("%+v, %v", s.Idps, err)
	}
	for _, c := range []struct{ name, value string }{
		{"IDP_GOOGLE_KIND", "oidc"}, // of an earlier version
		{"IDP_YA_ID_KIND", "opaque"},
		{"IDP_GOOGLE_AUTH_URL", "https://accounts.google.test/auth"},
		{"IDP_GOOGLE_TRUST_EMAIL", "yes"},
		{"IDP_GOOGLE_ISSUER", ""},
		{"IDP_GOOGLE_ISSUER", "http://accounts.google.test"},
		{"IDP_GOOGLE_INFO_URL", "https://accounts.google.test/info"},
		{"IDP_YA_ID_INFO_URL", ""},
		{"IDP_YA_ID_TOKEN_URL", ""},
		{"IDP_YA_ID_AUTH_URL", "javascript:alert(1)"},
	} {
		if _, err := settings(append(slices.Clone(good), c.name, c.value)...); err == nil || !strings.HasPrefix(err.Error(), "IDP_") ||
			!strings.Contains(err.Error(), "must") ||
			strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s=%s: %v", c.name, c.value, err)
		}
	}
	if _, err := settings("IDP_PROVIDERS", "google", "IDP_GOOGLE_ISSUER", "https://accounts.google.test"); err == nil {
		t.Error("a provider without a client was accepted")
	}
	if _, err := settings("VAPID_SUBJECT", "https://example.org", "DATABASE_URL", "postgres://u:p@h/d"); err == nil ||
		!strings.HasPrefix(err.Error(), "SECRET_KEY must") {
		t.Errorf("push without a lasting key: %v", err)
	}
	if _, err := settings("SMTP_URL", "smtps://u:p@mail.example.org"); err == nil || !strings.HasPrefix(err.Error(), "MAIL_FROM must") {
		t.Errorf("%v", err)
	}
	s, err = settings("APP_ENV", "staging", "SMTP_URL", "smtp://u:p%40ss@mail.example.org", "MAIL_FROM", "a@example.org")
	if err != nil || s.SMTP.PlainAllowed || s.SMTP.ImplicitTLS || s.SMTP.Port != 587 || s.SMTP.Password != "p@ss" {
		t.Errorf("%+v, %v", s.SMTP, err)
	}
}

func TestPhoneProviderByEnvironment(t *testing.T) {
	for env, want := range map[string]string{app.Development: "development", app.Staging: "none", app.Production: "none"} {
		if s, err := settings(append(safe, "APP_ENV", env)...); err != nil || s.Phone.Provider != want || s.Phone.Rules.DefaultRegion != "RU" {
			t.Errorf("%s: %+v, %v", env, s.Phone, err)
		}
	}
}

func TestInvalidPhoneSettingsAreRejected(t *testing.T) {
	for _, c := range []struct{ name, value string }{
		{"PHONE_PROVIDER", "twilio"},
		{"PHONE_PROVIDER", "smsru"},
		{"PHONE_PROVIDER", "smsru+sms.ru"},
		{"PHONE_PROVIDER", "smsru+ftp://:hunter2hunter2hunter2@sms.ru"},
		{"PHONE_PROVIDER", "smsru+https://:hunter2@sms.ru"},
		{"PHONE_PROVIDER", "smsru+https://hunter2hunter2hunter2@sms.ru"},
		{"PHONE_PROVIDER", "smsru+https://me:hunter2hunter2hunter2@sms.ru"},
		{"PHONE_PROVIDER", "smsru+https://:hunter2hunter2hunter2@"},
		{"PHONE_PROVIDER", "smsru+https://:hunter2hunter2hunter2@sms.ru#x"},
		{"PHONE_PROVIDER", "smsru+https://:hunter2hunter2hunter2@sms.ru?callback_key=Zq7vLw2Xn4Rt8Kp3"},
		{"PHONE_PROVIDER", "smsru+https://:hunter2hunter2hunter2%@sms.ru"},
		{"PHONE_PROVIDER", "smsc+https://me@smsc.ru?callback_key=Zq7vLw2Xn4Rt8Kp3hunter2"},
		{"PHONE_PROVIDER", "smsc+https://:hunter2@smsc.ru?callback_key=Zq7vLw2Xn4Rt8Kp3"},
		{"PHONE_PROVIDER", "smsc+https://me:hunter2@smsc.ru"},
		{"PHONE_PROVIDER", "smsc+https://me:hunter2@smsc.ru?callback_key=hunter2"},
		{"PHONE_PROVIDER", "smsc+https://me:hunter2@smsc.ru?callback_key=Zq7vLw2Xn4Rt8Kp3%"},
		{"PHONE_PROVIDER", "smsc+https://me:hunter2@smsc.ru?callback_key=Zq7vLw2Xn4Rt8Kp3&key=hunter2"},
		{"PHONE_DEFAULT_REGION", "ru"},
		{"PHONE_DEFAULT_REGION", "001"},
		{"PHONE_ALLOWED_REGIONS", "RU,XX"},
	} {
		_, err := settings(c.name, c.value)
		if err == nil || !strings.HasPrefix(err.Error(), c.name) || !strings.Contains(err.Error(), "must") ||
			strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s=%s: %v", c.name, c.value, err)
		}
	}
}

func TestPhoneProvidersHaveAnAccount(t *testing.T) {
	for value, want := range map[string]app.Phone{
		"none": {Provider: "none"},
		"smsru+https://:an-id-of-tests-only@sms.ru": {Provider: "smsru", URL: "https://sms.ru", Secret: "an-id-of-tests-only"},
		"smsc+https://me%40b:a%2Fb+c@smsc.ru/x/?callback_key=Zq7vLw2Xn4Rt8Kp3": {
			Provider: "smsc", URL: "https://smsc.ru/x/", Login: "me@b", Secret: "a/b+c", CallbackKey: "Zq7vLw2Xn4Rt8Kp3"},
	} {
		s, err := settings(append(safe, "PHONE_PROVIDER", value)...)
		s.Phone.Rules = user.PhoneRules{}
		if err != nil || !reflect.DeepEqual(s.Phone, want) {
			t.Errorf("%s: %+v, %v", value, s.Phone, err)
		}
	}
	for _, unsafe := range []string{"development", "smsru+http://:an-id-of-tests-only@sms.ru"} {
		if _, err := settings(append(safe, "PHONE_PROVIDER", unsafe)...); err == nil || !strings.HasPrefix(err.Error(), "PHONE_PROVIDER must") ||
			!strings.HasSuffix(err.Error(), "in production") || strings.Contains(err.Error(), "an-id") {
			t.Errorf("%s: %v", unsafe, err)
		}
	}
}
