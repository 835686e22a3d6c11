package app

import (
	"cmp"
	"errors"
	"fmt"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"moothall/internal/delivery/mail"
	"moothall/internal/meetup/media"
	"moothall/internal/web/assets"

	"github.com/go-webauthn/webauthn/webauthn"

	"moothall/internal/core/address"
	"moothall/internal/domain"
	"moothall/internal/identity/signin"
	"moothall/internal/identity/signin/idp"
	"moothall/internal/identity/signin/passkey"
	"moothall/internal/platform/db"
	"moothall/internal/platform/mailtemplate"
	"moothall/internal/platform/push"
	"moothall/internal/platform/seal"
	"moothall/internal/platform/smtp"
)

// The parsers of the settings of sign-in and mail.

// idpCallback is the path to which providers redirect browsers.
const idpCallback = "/auth/idp/callback"

// idpOptions returns the options of sign-in by identity provider. The callback is at the web
// origin (specification §1). If the API has another host, the callback is there, because
// the refresh cookie belongs to the host of the API.
func (s Settings) idpOptions(clock domain.Clock) signin.IdpOptions {
	o := signin.IdpOptions{Providers: idp.New(s.Idps, clock), RedirectURI: s.pageURL(idpCallback)}
	if !s.oneHost() {
		o.WebOrigin = s.WebOrigin
	}
	return o
}

// pageURL returns the address of a path that browsers open: on the host whose cookies
// reach the API.
func (s Settings) pageURL(path string) string {
	if s.oneHost() {
		return s.WebOrigin + path
	}
	return s.PublicBaseURL + path
}

// pages returns the origin of the pages that people share.
func (s Settings) pages() address.Pages {
	u, err := url.Parse(s.PublicBaseURL)
	if err != nil {
		panic(err) // parseBaseURL has checked it
	}
	return address.Pages(u.Scheme + "://" + u.Host)
}

// oneHost reports whether the web client and the API have the same host.
func (s Settings) oneHost() bool { return hostOf(s.WebOrigin) == hostOf(s.PublicBaseURL) }

// linkPath is the path of the page that links in sign-in mails open.
const linkPath = "/login/confirm"

// mailOptions returns the transport of mails and their sender. Without a mail server,
// development has an outbox; otherwise there is no transport.
func (s Settings) mailOptions(d *db.DB, clock domain.Clock) signin.MailOptions {
	switch {
	case s.SMTP != nil:
		return signin.MailOptions{Transport: smtp.Measured(s.SMTP), From: s.MailFrom, Brand: s.brand()}
	case s.hasOutbox():
		return signin.MailOptions{Transport: &smtp.Outbox{DB: d, Clock: clock}, From: cmp.Or(s.MailFrom, "Moothall <no-reply@localhost>"),
			Brand: s.brand()}
	}
	return signin.MailOptions{}
}

// brand returns the head of all mails. Mail programs load no pictures from an unencrypted address.
func (s Settings) brand() mailtemplate.Brand {
	b := mailtemplate.Brand{Home: string(s.pages()) + "/"}
	if strings.HasPrefix(s.PublicBaseURL, "https:") {
		b.Logo = s.PublicBaseURL + assets.URL("icon-180.png")
	}
	return b
}

// hasOutbox reports whether /dev/mail shows the mails.
func (s Settings) hasOutbox() bool { return s.SMTP == nil && s.Env == Development }

// relyingParty returns the relying party of passkeys, or nil if the web client's host cannot
// have passkeys: an IP address.
func (s Settings) relyingParty() *webauthn.WebAuthn {
	rp, err := passkey.NewRelyingParty(s.WebOrigin)
	if err != nil {
		return nil
	}
	return rp
}

// otherMethods returns the ways to sign in besides passkeys.
func (s Settings) otherMethods() passkey.Others {
	o := passkey.Others{Email: s.DevSignIn || s.SMTP != nil || s.hasOutbox(), Phone: s.Phone.Provider != "none"}
	for _, p := range s.Idps {
		o.Issuers = append(o.Issuers, p.Issuer)
	}
	return o
}

// signInMethods lists the ways to sign in.
func (s Settings) signInMethods() []string {
	var methods []string
	add := func(has bool, method string) {
		if has {
			methods = append(methods, method)
		}
	}
	add(s.DevSignIn, "development code")
	add(s.SMTP != nil || s.hasOutbox(), "e-mail")
	add(s.Phone.Provider != "none", "phone call")
	add(len(s.Idps) > 0, "identity provider")
	add(len(methods) > 0 && s.relyingParty() != nil, "passkey") // alone it lets no new user in
	return methods
}

// hostOf returns the host of a checked address, without the port, which cookies ignore.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

var idpName = regexp.MustCompile(`^[a-z0-9_-]{1,32}$`) // contract §2.3

func parseProviders(value string) ([]idp.Options, error) {
	names, err := each(value, func(name string) (string, error) {
		if !idpName.MatchString(name) {
			return "", errors.New("must be a name of a-z, 0-9, _ and -, at most 32 characters")
		}
		return name, nil
	})
	if err != nil {
		return nil, err
	}
	var all []idp.Options
	for _, name := range names {
		same := func(other idp.Options) bool { return idpPrefix(other.Name) == idpPrefix(name) }
		if slices.ContainsFunc(all, same) {
			return nil, errors.New("must have each name once")
		}
		all = append(all, idp.Options{Name: name})
	}
	return all, nil
}

// idpPrefix is the beginning of the names of a provider's variables.
func idpPrefix(name string) string {
	return "IDP_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + "_"
}

// parseIdpURL parses an address to which tokens and codes are sent: https, or http on
// localhost.
func parseIdpURL(value string) (string, error) {
	u, err := url.Parse(value)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Fragment != "" ||
		u.Scheme != "https" && !(u.Scheme == "http" && isLoopback(u.Hostname())) {
		return "", errors.New("must be an address like https://id.example.org")
	}
	return value, nil
}

func isLoopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.Unmap().IsLoopback()
}

var errSMTP = errors.New("must be smtp://user:password@host:port or smtps://user:password@host:port") // err may contain the password

// parseSMTP allows connections without TLS in development and to this machine.
func (s *Settings) parseSMTP(value string) (*smtp.Server, error) {
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errSMTP
	}
	server := &smtp.Server{
		Host: u.Hostname(), Port: 587, ImplicitTLS: u.Scheme == "smtps", User: u.User.Username(),
		PlainAllowed: s.Env == Development || isLoopback(u.Hostname()),
	}
	server.Password, _ = u.User.Password()
	if server.ImplicitTLS {
		server.Port = 465
	}
	if port := u.Port(); port != "" {
		if server.Port, err = strconv.Atoi(port); err != nil {
			return nil, errSMTP
		}
	}
	return server, nil
}

func parseSender(value string) (string, error) {
	if _, err := netmail.ParseAddress(value); err != nil {
		return "", errors.New("must be an address like Moothall <no-reply@example.org>")
	}
	return value, nil
}

func parseBounces(value string) (string, error) {
	a, err := netmail.ParseAddress(value)
	if err != nil || a.Address != value || strings.IndexByte(value, '@') > mail.MaxReturnName {
		return "", fmt.Errorf("must be an address like bounces@example.org, with at most %d characters before the @", mail.MaxReturnName)
	}
	return value, nil
}

// parseMailEvents parses entries like mailgun:KEY. It names an invalid one by its number, because the entry is secret.
func parseMailEvents(value string) (map[string]mail.MailProvider, error) {
	all := map[string]mail.MailProvider{}
	for i, entry := range list(value) {
		name, key, _ := strings.Cut(entry, ":")
		provider, err := parseMailProvider(name, key)
		if _, twice := all[name]; twice {
			err = errors.New("must not repeat a provider")
		}
		if err != nil {
			return nil, fmt.Errorf("has the entry number %d, which %w", i+1, err)
		}
		all[name] = provider
	}
	return all, nil
}

func parseMailProvider(name, key string) (mail.MailProvider, error) {
	switch {
	case name == "sendgrid":
		return mail.ParseSendGrid(key)
	case name != "mailgun":
		return nil, errors.New("must be mailgun:KEY or sendgrid:KEY")
	case len(key) < 16:
		return nil, errors.New("must have a key of at least 16 characters")
	}
	return mail.Mailgun{SigningKey: key}, nil
}

// returnPaths returns the addresses to which notifications by e-mail come back.
func (s Settings) returnPaths() mail.ReturnPaths {
	return mail.ReturnPaths{Address: s.MailBounces, Keys: s.keyring()}
}

var selector = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$`)

// parseDKIM parses SELECTOR:FILE, or FILE.
func (s *Settings) parseDKIM(value string) error {
	name, file, ok := strings.Cut(value, ":")
	if !ok {
		name, file = "moothall", value
	}
	if !selector.MatchString(name) || file == "" {
		return errors.New("must be FILE or SELECTOR:FILE, with a DNS name as selector, like moothall or mail.2026")
	}
	s.DKIMSelector, s.DKIMKeyFile = name, file
	return nil
}

// loadDKIMKey reads the key that signs e-mails.
func (s *Settings) loadDKIMKey() []error {
	if s.DKIMKeyFile == "" || s.SMTP == nil || s.MailFrom == "" {
		return nil
	}
	key, err := os.ReadFile(s.DKIMKeyFile)
	if err == nil {
		from, _ := netmail.ParseAddress(s.MailFrom) // checked by parseSender
		s.SMTP.DKIM, err = smtp.NewSigner(from.Address[strings.LastIndexByte(from.Address, '@')+1:], s.DKIMSelector, key)
	}
	if err != nil {
		return []error{fmt.Errorf("DKIM=%q %w", s.DKIMSelector+":"+s.DKIMKeyFile, err)}
	}
	return nil
}

// keyring returns the key of the service and its predecessor.
func (s Settings) keyring() seal.Keys {
	return seal.Keys{Current: s.SecretKey, Previous: s.SecretKeyPrevious}
}

// pushClient returns the client of push services, or nil if there is no push.
func (s Settings) pushClient(now domain.Clock) *push.Client {
	if s.VAPIDSubject == "" || len(s.SecretKey) == 0 {
		return nil
	}
	if s.pushKeys == nil { // a command, which sends nothing
		s.pushKeys = push.DeriveKeys(s.SecretKey)
	}
	return push.New(push.Options{Clock: now, Keys: s.pushKeys, Subject: s.VAPIDSubject, Network: s.Outbound})
}

// senders returns the channels that deliver notifications outside the app.
func (s Settings) senders(d *db.DB, clock domain.Clock, tokens mail.Tokens, pushes *push.Client) (all []mail.Sender) {
	if mailer := s.mailer(d, clock, tokens); mailer != nil && slices.Contains(s.Notifications, byMail) {
		all = append(all, mailer)
	}
	if pushes != nil && slices.Contains(s.Notifications, byPush) {
		all = append(all, &mail.Pusher{DB: d, Client: pushes, Key: s.SecretKey})
	}
	return all
}

// mailer returns the sender of notifications by e-mail; nil without a transport.
func (s Settings) mailer(d *db.DB, clock domain.Clock, tokens mail.Tokens) *mail.Mailer {
	options := s.mailOptions(d, clock)
	if options.Transport == nil {
		return nil
	}
	if s.SMTP != nil {
		options.Transport = smtp.Measured(smtp.NewPool(s.SMTP, mail.MailConnections))
	}
	mailer := &mail.Mailer{
		Transport: options.Transport, From: options.From, WebOrigin: s.WebOrigin, Pages: s.pages(), PageURL: s.pageURL("/u/"), Tokens: tokens,
		Bounces: s.returnPaths(), Brand: options.Brand, AnswerURL: s.pageURL("/i/mail/"),
	}
	if strings.HasPrefix(s.PublicBaseURL, "https:") {
		mailer.MediaURL = s.PublicBaseURL + media.Path
	}
	if s.MailPerMinute > 0 {
		mailer.Pace = time.Tick(time.Minute / time.Duration(s.MailPerMinute))
	}
	return mailer
}
