package app

import (
	"errors"
	"strings"

	"moothall/internal/signin"
	"moothall/internal/signin/telephony"
	"moothall/internal/user"
)

// Phone is the settings of sign-in by phone call.
type Phone struct {
	Provider     string // none, development, smsru or smsc
	ProviderURL  string // empty: the provider's own
	Rules        user.PhoneRules
	SMSRuAPIID   string
	SMSCLogin    string
	SMSCPassword string
	SMSCKey      string
}

func phoneRegion(s *Settings, value string) (err error) {
	s.Phone.Rules.DefaultRegion, err = parseRegion(value)
	return err
}

func phoneRegions(s *Settings, value string) (err error) {
	s.Phone.Rules.Allowed, err = each(value, parseRegion)
	return err
}

func parseRegion(entry string) (string, error) {
	if !user.IsRegion(entry) {
		return "", errors.New("must be a country code like RU")
	}
	return entry, nil
}

func phoneURL(s *Settings, value string) error {
	if _, err := httpURL(value); err != nil {
		return err
	}
	s.Phone.ProviderURL = value
	return nil
}

func secretText(field func(*Settings) *string, least int) reader {
	return func(s *Settings, value string) error {
		if value != "" && len(value) < least {
			return errors.New("must be longer")
		}
		*field(s) = value
		return nil
	}
}

// incomplete lists the settings that the provider needs and does not have.
func (p Phone) incomplete() []error {
	var wrong []error
	need := func(name, value string) {
		if value == "" {
			wrong = append(wrong, errors.New(name+" must be set for PHONE_PROVIDER="+p.Provider))
		}
	}
	switch p.Provider {
	case "smsru":
		need("SMSRU_API_ID", p.SMSRuAPIID)
	case "smsc":
		need("SMSC_LOGIN", p.SMSCLogin)
		need("SMSC_PASSWORD", p.SMSCPassword)
		need("SMSC_CALLBACK_KEY", p.SMSCKey)
	}
	return wrong
}

func (p Phone) unsafe() error {
	if p.Provider == "development" {
		return errors.New("PHONE_PROVIDER must not be development in production")
	}
	if strings.HasPrefix(p.ProviderURL, "http:") {
		return errors.New("PHONE_PROVIDER_URL must begin with https:// in production")
	}
	return nil
}

// options gives what the room needs of the settings.
func (p Phone) options() signin.PhoneOptions {
	o := signin.PhoneOptions{Rules: p.Rules}
	base := func(own string) string {
		if p.ProviderURL != "" {
			return p.ProviderURL
		}
		return own
	}
	switch p.Provider {
	case "development":
		o.Provider = telephony.NewDevelopment()
	case "smsru":
		o.Provider = telephony.NewSMSRu(base(telephony.SMSRuURL), p.SMSRuAPIID)
	case "smsc":
		o.Provider = telephony.NewSMSC(base(telephony.SMSCURL), p.SMSCLogin, p.SMSCPassword, p.SMSCKey)
	}
	return o
}
