package app

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // for machines without a zone database

	"filippo.io/age"
	"github.com/google/uuid"
	"golang.org/x/net/http/httpguts"

	"moothall/internal/domain"
	"moothall/internal/meetup/payment"
)

// The parsers of settings. Their errors complete the sentence "NAME=value ...".

func parseHostPort(value string) (string, error) {
	_, port, err := net.SplitHostPort(value)
	n, notNumber := strconv.ParseUint(port, 10, 16)
	if err != nil || notNumber != nil || port != strconv.FormatUint(n, 10) {
		return "", errors.New("must be host:port like 127.0.0.1:8080")
	}
	return value, nil
}

var errEscape = errors.New("must have two hexadecimal digits after each %; write % itself as %25")

// isWronglyEscaped reports whether a URL has a percent sign that escapes nothing.
func isWronglyEscaped(value string) bool {
	if !strings.Contains(value, "://") {
		return false // a path
	}
	u, err := url.Parse(value)
	if err == nil {
		_, err = url.ParseQuery(u.RawQuery)
	}
	var escape url.EscapeError
	return errors.As(err, &escape)
}

// httpURL parses an absolute http or https URL without user, query and fragment.
func httpURL(value string) (*url.URL, error) {
	u, err := url.Parse(value)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return nil, errors.New("must be an address like https://example.org")
	case u.User != nil, u.RawQuery != "", u.Fragment != "", strings.HasSuffix(value, "?"), strings.HasSuffix(value, "#"):
		return nil, errors.New("must have no user, query or fragment")
	}
	return u, nil
}

func parseURL(value string) (string, error) {
	_, err := httpURL(value)
	return value, err
}

func parseBaseURL(value string) (string, error) {
	_, err := httpURL(value)
	return strings.TrimRight(value, "/"), err
}

func parseOrigin(value string) (string, error) {
	u, err := httpURL(value)
	if err != nil {
		return "", err
	}
	if u.Path != "" || value != strings.ToLower(value) {
		return "", errors.New("must be an origin in lower case without a path, like https://example.org")
	}
	return value, nil
}

func parseProxy(entry string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(entry); err == nil {
		a = a.Unmap()
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	p, err := netip.ParsePrefix(entry)
	if err != nil || p != p.Masked() || p.Bits() == 0 {
		return p, errors.New("must be an address like 10.0.0.1 or a range like 10.0.0.0/8")
	}
	return p, nil
}

func parseDatabaseURL(value string) (string, error) {
	u, err := url.Parse(value) // err may contain the password
	if err == nil {
		switch u.Scheme {
		case "sqlite":
			if value != "sqlite:" {
				return value, nil
			}
		case "postgres", "postgresql":
			if len(u.Path) > 1 {
				return value, nil
			}
		}
	}
	return "", errors.New("must be sqlite:path or postgres://host/database")
}

func parseSecretKey(value string) ([]byte, error) {
	switch {
	case !longEnough(value):
		return nil, errors.New("must have at least 32 characters (openssl rand -base64 32)")
	case !isRandom(value, 80):
		return nil, errTooPredictable
	}
	return []byte(value), nil
}

// longEnough reports whether a secret key has 32 characters without the space around it. A
// power cut can leave a file of zeros.
func longEnough(key string) bool { return len(strings.Trim(key, " \t\r\n\x00")) >= 32 }

// parseContact parses the contact that push services see (RFC 8292, section 2.1).
func parseContact(value string) (string, error) {
	u, err := url.Parse(value)
	valid := err == nil && (u.Scheme == "https" && u.Host != "" || u.Scheme == "mailto" && strings.Contains(u.Opaque, "@"))
	if !valid {
		return "", errors.New("must be an address like mailto:ops@example.org or https://example.org/contact")
	}
	return value, nil
}

func (s *Settings) parseNotifications(value string) error {
	s.Notifications = nil
	if value == "none" {
		return nil
	}
	s.Notifications = list(value)
	known := func(channel string) bool { return channel == byMail || channel == byPush }
	if len(s.Notifications) == 0 || slices.ContainsFunc(s.Notifications, func(c string) bool { return !known(c) }) {
		return errors.New("must be mail, push, both separated by a comma, or none")
	}
	return nil
}

func parseRecipients(value string) (all []age.Recipient, err error) {
	for _, text := range list(value) {
		recipient, err := age.ParseX25519Recipient(text)
		if err != nil {
			return nil, errors.New("must be public keys of age (age1...)") // err contains the value
		}
		all = append(all, recipient)
	}
	return all, nil
}

func parseCurrency(entry string) (string, error) {
	if len(entry) != 3 || strings.Trim(entry, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return "", errors.New("must be a currency code like EUR")
	}
	return entry, nil
}

// parseWebhookSecrets names an invalid entry by its number, because the entry is secret.
func parseWebhookSecrets(value string) (all []payment.Secret, err error) {
	for i, entry := range list(value) {
		secret, err := payment.ParseSecret(entry)
		if err == nil && !isRandom(strings.TrimPrefix(entry, "whsec_"), 80) {
			err = errTooPredictable
		}
		if err != nil {
			return nil, fmt.Errorf("has the entry number %d, which %w", i+1, err)
		}
		all = append(all, secret)
	}
	return all, nil
}

func parseUserID(entry string) (domain.UserID, error) {
	id, err := uuid.Parse(entry)
	if err != nil || !domain.IsCanonicalUUID(entry) {
		return domain.UserID{}, errors.New("must be a user id (UUID)")
	}
	return domain.UserID(id), nil
}

func parseTimezone(value string) (string, error) {
	if _, err := time.LoadLocation(value); err != nil || value == "Local" || strings.HasPrefix(value, "Etc/") {
		return "", errors.New("must be an IANA time zone like Europe/Berlin")
	}
	return value, nil
}

// parseHeaders parses headers as OpenTelemetry specifies them.
func parseHeaders(value string) (map[string]string, error) {
	headers := map[string]string{}
	for _, entry := range list(value) {
		name, encoded, ok := strings.Cut(entry, "=")
		decoded, err := url.PathUnescape(encoded)
		if !ok || err != nil || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(decoded) {
			return nil, errors.New("must be headers like api-key=secret,tenant=a")
		}
		headers[name] = decoded
	}
	return headers, nil
}
