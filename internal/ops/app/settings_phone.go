package app

import (
	"errors"
	"net/url"
	"strings"

	"moothall/internal/core/user"
	"moothall/internal/identity/signin"
	"moothall/internal/identity/signin/telephony"
)

// Phone are the settings of sign-in by phone call.
type Phone struct {
	Provider    string // none, development, smsru or smsc
	URL         string // of smsru and smsc, without the rest
	Login       string // of the account at smsc
	Secret      string // the account's API id at smsru, or its password at smsc
	CallbackKey string // of smsc
	Rules       user.PhoneRules
}

var errPhoneProvider = errors.New("must be none, development, smsru+https://:API_ID@sms.ru or " +
	"smsc+https://LOGIN:PASSWORD@smsc.ru?callback_key=KEY, with percent-encoded secrets")

// parseProvider parses PHONE_PROVIDER. Its errors contain no secret.
func (p *Phone) parseProvider(value string) error {
	if value == "none" || value == "development" {
		p.Provider = value
		return nil
	}
	kind, address, _ := strings.Cut(value, "+")
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http" || u.Fragment != "" {
		return errPhoneProvider
	}
	query, err := url.ParseQuery(u.RawQuery)
	key := query.Get("callback_key")
	query.Del("callback_key")
	if err != nil || len(query) > 0 {
		return errPhoneProvider
	}
	secret, _ := u.User.Password()
	base := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	found := Phone{kind, base.String(), u.User.Username(), secret, key, p.Rules}
	if err := found.checkAccount(); err != nil {
		return err
	}
	*p = found
	return nil
}

// checkAccount returns an error unless a provider has all that it needs, and nothing else.
func (p *Phone) checkAccount() error {
	switch {
	case p.Provider == "smsru" && p.Login+p.CallbackKey == "":
		if len(p.Secret) < 16 {
			return errors.New("must have the API id of the account, at least 16 characters, like smsru+https://:API_ID@sms.ru")
		}
		return nil
	case p.Provider != "smsc":
		return errPhoneProvider
	case p.Login == "" || p.Secret == "":
		return errors.New("must have the name and the password of the account, like smsc+https://LOGIN:PASSWORD@smsc.ru")
	case len(p.CallbackKey) < 16:
		return errors.New("must have a callback_key of at least 16 characters")
	case !isRandom(p.CallbackKey, 40):
		return errTooPredictable
	}
	return nil
}

func parseRegion(entry string) (string, error) {
	if !user.IsRegion(entry) {
		return "", errors.New("must be a country code like RU")
	}
	return entry, nil
}

func (p *Phone) unsafe() error {
	if p.Provider == "development" {
		return errors.New("PHONE_PROVIDER must not be development in production")
	}
	if strings.HasPrefix(p.URL, "http:") {
		return errors.New("PHONE_PROVIDER must begin with " + p.Provider + "+https:// in production")
	}
	return nil
}

// options returns the options of package signin.
func (p *Phone) options() signin.PhoneOptions {
	o := signin.PhoneOptions{Rules: p.Rules}
	switch p.Provider {
	case "development":
		o.Provider = telephony.NewDevelopment()
	case "smsru":
		o.Provider = telephony.NewSMSRu(p.URL, p.Secret)
	case "smsc":
		o.Provider = telephony.NewSMSC(p.URL, p.Login, p.Secret, p.CallbackKey)
	}
	return o
}
