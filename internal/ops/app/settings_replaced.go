package app

import (
	"fmt"
	"strings"

	"moothall/internal/platform/ratelimit"
)

// replacedSettings are the settings of earlier versions, and what to write instead.
var replacedSettings = []struct{ name, instead string }{
	{"MEDIA_S3_ACCESS_KEY", insteadOfKeys + "MEDIA"}, {"MEDIA_S3_SECRET_KEY", insteadOfKeys + "MEDIA"},
	{"BACKUP_S3_ACCESS_KEY", insteadOfKeys + "BACKUP"}, {"BACKUP_S3_SECRET_KEY", insteadOfKeys + "BACKUP"},
	{"SQLITE_MMAP_MB", "CACHE_MB, which keeps what is read often"},
	{"REALTIME_PRESENCE", "REALTIME, which may be without_presence"},
	{"MAIL_NOTIFICATIONS", insteadOfSwitches}, {"PUSH_NOTIFICATIONS", insteadOfSwitches},
	{"DKIM_KEY_FILE", insteadOfDKIM}, {"DKIM_SELECTOR", insteadOfDKIM},
	{"MAILGUN_SIGNING_KEY", "MAIL_EVENTS=mailgun:KEY"}, {"SENDGRID_VERIFICATION_KEY", "MAIL_EVENTS=sendgrid:KEY"},
	{"PHONE_PROVIDER_URL", "its address in PHONE_PROVIDER, like smsru+https://:API_ID@sms.ru"},
	{"SMSRU_API_ID", "smsru+https://:API_ID@sms.ru in PHONE_PROVIDER"},
	{"SMSC_LOGIN", insteadOfSMSC}, {"SMSC_PASSWORD", insteadOfSMSC}, {"SMSC_CALLBACK_KEY", insteadOfSMSC},
}

const (
	insteadOfKeys     = "s3://KEY:SECRET@bucket?endpoint=... in "
	insteadOfDKIM     = "DKIM=SELECTOR:FILE"
	insteadOfSMSC     = "smsc+https://LOGIN:PASSWORD@smsc.ru?callback_key=KEY in PHONE_PROVIDER"
	insteadOfSwitches = "NOTIFICATIONS, which may be mail, push or none"
)

// replaced returns an error that says what to write instead for each variable of earlier versions that is set.
func (s Settings) replaced(lookup func(name string) (string, bool)) (wrong []error) {
	refuse := func(name, instead string) {
		if value, _ := lookup(name); value != "" {
			wrong = append(wrong, fmt.Errorf("%s must be replaced by %s", name, instead))
		}
	}
	for _, r := range replacedSettings {
		refuse(r.name, r.instead)
	}
	for _, p := range s.Idps {
		variable := idpPrefix(p.Name)
		refuse(variable+"KIND", variable+"INFO_URL if the tokens are opaque, and by nothing for OpenID Connect")
	}
	var names, entries []string
	for _, r := range RateLimits {
		if value, _ := lookup(replacedName(r)); value != "" {
			names, entries = append(names, replacedName(r)), append(entries, r.Name+"="+value)
		}
	}
	if len(names) > 0 {
		wrong = append(wrong, fmt.Errorf("%s must be replaced by RATE_LIMITS=%s", strings.Join(names, ", "), strings.Join(entries, ",")))
	}
	return wrong
}

// replacedName returns the name of a rate limit in earlier versions, such as RATE_LIMIT_WRITES_PER_USER.
func replacedName(r ratelimit.Limit) string { return "RATE_LIMIT_" + strings.ToUpper(r.Name) }

// replacedNames returns the names of the settings of earlier versions; those of identity providers contain anyProvider.
func replacedNames() []string {
	all := []string{idpPrefix(anyProvider) + "KIND"}
	for _, r := range replacedSettings {
		all = append(all, r.name)
	}
	for _, r := range RateLimits {
		all = append(all, replacedName(r))
	}
	return all
}
