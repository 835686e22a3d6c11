package app_test

import (
	"slices"
	"strings"
	"testing"

	"moothall/internal/app"
)

func TestPhoneProviderByEnvironment(t *testing.T) {
	for env, want := range map[string]string{app.Development: "development", app.Staging: "none", app.Production: "none"} {
		if s, err := settings(append(safe, "APP_ENV", env)...); err != nil || s.Phone.Provider != want || s.Phone.Rules.DefaultRegion != "RU" {
			t.Errorf("%s: %+v, %v", env, s.Phone, err)
		}
	}
}

func TestWrongPhoneSettings(t *testing.T) {
	for _, c := range []struct{ name, value string }{
		{"PHONE_PROVIDER", "twilio"},
		{"PHONE_PROVIDER_URL", "sms.ru"},
		{"PHONE_PROVIDER_URL", "https://user:password@sms.ru"},
		{"PHONE_DEFAULT_REGION", "ru"},
		{"PHONE_DEFAULT_REGION", "001"},
		{"PHONE_ALLOWED_REGIONS", "RU,XX"},
		{"SMSRU_API_ID", "hunter2"},
		{"SMSC_CALLBACK_KEY", "hunter2"},
	} {
		_, err := settings(c.name, c.value)
		if err == nil || !strings.HasPrefix(err.Error(), c.name) || !strings.Contains(err.Error(), "must") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s=%s: %v", c.name, c.value, err)
		}
	}
}

func TestPhoneProviderNeedsItsSecrets(t *testing.T) {
	for provider, needs := range map[string][]string{"smsru": {"SMSRU_API_ID"}, "smsc": {"SMSC_LOGIN", "SMSC_PASSWORD", "SMSC_CALLBACK_KEY"}} {
		_, err := settings("PHONE_PROVIDER", provider)
		for _, name := range needs {
			if err == nil || !strings.Contains(err.Error(), name+" must be set") {
				t.Errorf("%s without %s: %v", provider, name, err)
			}
		}
	}
	production := slices.Concat(safe, []string{"PHONE_PROVIDER", "smsru", "SMSRU_API_ID", strings.Repeat("k", 36)})
	if _, err := settings(production...); err != nil {
		t.Error(err)
	}
	for _, unsafe := range [][2]string{{"PHONE_PROVIDER", "development"}, {"PHONE_PROVIDER_URL", "http://sms.ru"}} {
		if _, err := settings(append(production, unsafe[:]...)...); err == nil || !strings.Contains(err.Error(), unsafe[0]) || !strings.Contains(err.Error(), "in production") {
			t.Errorf("%v: %v", unsafe, err)
		}
	}
}
