package app

import (
	"errors"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moothall/internal/signin"
	"moothall/internal/signin/idp"
)

// idpCallback is where providers send browsers back to. The specification (§1)
// has it at the web origin too, and only there the cookies and the local path
// to return to are those of the web client.
const idpCallback = "/auth/idp/callback"

var idpName = regexp.MustCompile(`^[a-z0-9_-]{1,32}$`) // contract §2.3

func idpProviders(s *Settings, value string) error {
	names, err := each(value, func(name string) (string, error) {
		if !idpName.MatchString(name) {
			return "", errors.New("must be a name of a-z, 0-9, _ and -, at most 32 characters")
		}
		return name, nil
	})
	if err != nil {
		return err
	}
	var all []idp.Options
	for _, name := range names {
		same := func(other idp.Options) bool { return idpVariable(other.Name) == idpVariable(name) }
		if slices.ContainsFunc(all, same) {
			return errors.New("must have each name once")
		}
		all = append(all, idp.Options{Name: name})
	}
	s.Idps = all
	return nil
}

// idpVariable is the name of a provider within names of variables.
func idpVariable(name string) string { return strings.ToUpper(strings.ReplaceAll(name, "-", "_")) }

func plain(field func(*idp.Options) *string) func(*idp.Options, string) error {
	return func(p *idp.Options, value string) error {
		*field(p) = value
		return nil
	}
}

// idpURL reads an address that tokens and codes are sent to: it has to be
// https, but on the machine itself.
func idpURL(field func(*idp.Options) *string) func(*idp.Options, string) error {
	return func(p *idp.Options, value string) error {
		if value == "" {
			return nil
		}
		u, err := url.Parse(value)
		if err != nil || u.Hostname() == "" || u.User != nil || u.Fragment != "" ||
			u.Scheme != "https" && !(u.Scheme == "http" && isLoopback(u.Hostname())) {
			return errors.New("must be an address like https://id.example.org")
		}
		*field(p) = value
		return nil
	}
}

func isLoopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.Unmap().IsLoopback()
}

var errSMTP = errors.New("must be smtp://user:password@host:port or smtps://user:password@host:port") // its text may hold the password

func smtpURL(s *Settings, value string) error {
	if value == "" {
		return nil
	}
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return errSMTP
	}
	s.SMTP = &signin.SMTP{
		Host: u.Hostname(), Port: 587, ImplicitTLS: u.Scheme == "smtps",
		PlainAllowed: s.Env == Development || isLoopback(u.Hostname()),
	}
	if s.SMTP.ImplicitTLS {
		s.SMTP.Port = 465
	}
	if port := u.Port(); port != "" {
		if s.SMTP.Port, err = strconv.Atoi(port); err != nil {
			return errSMTP
		}
	}
	s.SMTP.User = u.User.Username()
	s.SMTP.Password, _ = u.User.Password()
	return nil
}

func mailFrom(s *Settings, value string) error {
	if value == "" {
		return nil
	}
	if _, err := mail.ParseAddress(value); err != nil {
		return errors.New("must be an address like Moothall <no-reply@example.org>")
	}
	s.MailFrom = value
	return nil
}
