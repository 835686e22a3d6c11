package app

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // for machines without a zone database

	"filippo.io/age"
	"github.com/google/uuid"
	"golang.org/x/net/http/httpguts"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/payment"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/push"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/platform/seal"
)

// The parsers of settings. Their errors complete the sentence "NAME=value ...".

type reader = func(s *Settings, value string) error

func oneOf(field func(*Settings) *string, allowed ...string) reader {
	return func(s *Settings, value string) error {
		if !slices.Contains(allowed, value) {
			return errors.New("must be one of " + strings.Join(allowed, ", "))
		}
		*field(s) = value
		return nil
	}
}

func optional(read reader) reader {
	return func(s *Settings, value string) error {
		if value == "" {
			return nil
		}
		return read(s, value)
	}
}

func boolean(field func(*Settings) *bool) reader { return twoWords(field, "true", "false") }

func onOff(field func(*Settings) *bool) reader { return twoWords(field, "on", "off") }

func twoWords(field func(*Settings) *bool, yes, no string) reader {
	return func(s *Settings, value string) error {
		if value != yes && value != no {
			return fmt.Errorf("must be %s or %s", yes, no)
		}
		*field(s) = value == yes
		return nil
	}
}

func number(field func(*Settings) *int, least, most int) reader {
	return func(s *Settings, value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most {
			return fmt.Errorf("must be a whole number from %d to %d", least, most)
		}
		*field(s) = n
		return nil
	}
}

func duration(field func(*Settings) *time.Duration, least, most time.Duration) reader {
	return func(s *Settings, value string) error {
		d, err := time.ParseDuration(value)
		if err != nil || d < least || d > most {
			return fmt.Errorf("must be a duration like 90s, 15m or 720h, from %v to %v", least, most)
		}
		*field(s) = d
		return nil
	}
}

// quotas returns the settings of the rate limits.
func quotas() []Setting {
	var rows []Setting
	for _, r := range Rules {
		rows = append(rows, Setting{Name: r.Setting(), Default: r.Default.String(), What: r.What, read: quota(r)})
	}
	return rows
}

func quota(r ratelimit.Rule) reader {
	return func(s *Settings, value string) error {
		q, err := ratelimit.ParseQuota(value)
		if s.Quotas == nil {
			s.Quotas = map[string]ratelimit.Quota{}
		}
		s.Quotas[r.Name] = q
		return err
	}
}

func address(field func(*Settings) *string) reader {
	return func(s *Settings, value string) error {
		_, port, err := net.SplitHostPort(value)
		n, notNumber := strconv.ParseUint(port, 10, 16)
		if err != nil || notNumber != nil || port != strconv.FormatUint(n, 10) {
			return errors.New("must be host:port like 127.0.0.1:8080")
		}
		*field(s) = value
		return nil
	}
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

func origin(field func(*Settings) *string) reader {
	return func(s *Settings, value string) (err error) {
		*field(s), err = parseOrigin(value)
		return err
	}
}

func baseURL(s *Settings, value string) error {
	if _, err := httpURL(value); err != nil {
		return err
	}
	s.PublicBaseURL = strings.TrimRight(value, "/")
	return nil
}

func databaseURL(s *Settings, value string) error {
	u, err := url.Parse(value)
	if err != nil {
		return errors.New("must be sqlite:path or postgres://host/database") // err may contain the password
	}
	switch {
	case u.Scheme == "sqlite" && strings.TrimPrefix(value, "sqlite:") != "":
	case (u.Scheme == "postgres" || u.Scheme == "postgresql") && len(u.Path) > 1:
	default:
		return errors.New("must be sqlite:path or postgres://host/database")
	}
	s.DatabaseURL = value
	return nil
}

func secretKey(s *Settings, value string) error {
	if value != "" && !longEnough(value) {
		return errors.New("must have at least 32 characters (openssl rand -base64 32)")
	}
	if value != "" && !isRandom(value, 80) {
		return errTooPredictable
	}
	s.SecretKey = []byte(value)
	return nil
}

// vapidSubject reads the contact that push services see (RFC 8292, section 2.1).
func vapidSubject(s *Settings, value string) error {
	if value == "" {
		return nil
	}
	u, err := url.Parse(value)
	valid := err == nil && (u.Scheme == "https" && u.Host != "" || u.Scheme == "mailto" && strings.Contains(u.Opaque, "@"))
	if !valid {
		return errors.New("must be an address like mailto:ops@example.org or https://example.org/contact")
	}
	s.VAPIDSubject = value
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

// longEnough reports whether a secret key has 32 characters without the space around it. A
// power cut can leave a file of zeros.
func longEnough(key string) bool { return len(strings.Trim(key, " \t\r\n\x00")) >= 32 }

// mediaLocation needs the DATABASE_URL, which comes earlier in the table.
func mediaLocation(s *Settings, value string) (err error) {
	if value == "" {
		value = "data/media"
		if file, ok := strings.CutPrefix(s.DatabaseURL, "sqlite:"); ok {
			value = filepath.Join(filepath.Dir(file), "media")
		}
	}
	s.Media, err = blob.ParseLocation(value)
	return err
}

func backupLocation(s *Settings, value string) (err error) {
	if value == "" {
		return nil
	}
	s.Backup, err = blob.ParseLocation(value)
	return err
}

func backupRecipients(s *Settings, value string) error {
	for _, text := range list(value) {
		recipient, err := age.ParseX25519Recipient(text)
		if err != nil {
			return errors.New("must be public keys of age (age1...)") // err contains the value
		}
		s.BackupRecipients = append(s.BackupRecipients, recipient)
	}
	return nil
}

// list splits at commas and trims the entries.
func list(value string) []string {
	var entries []string
	for entry := range strings.SplitSeq(value, ",") {
		if entry = strings.TrimSpace(entry); entry != "" {
			entries = append(entries, entry)
		}
	}
	return entries
}

// each parses every entry of a list. Its error names the first invalid entry.
func each[T any](value string, parse func(string) (T, error)) ([]T, error) {
	var all []T
	for _, entry := range list(value) {
		one, err := parse(entry)
		if err != nil {
			return nil, fmt.Errorf("has the entry %q, which %w", entry, err)
		}
		all = append(all, one)
	}
	return all, nil
}

func corsOrigins(s *Settings, value string) (err error) {
	s.CORSOrigins, err = each(value, parseOrigin)
	return err
}

func trustedProxies(s *Settings, value string) (err error) {
	s.TrustedProxies, err = each(value, func(entry string) (netip.Prefix, error) {
		if a, err := netip.ParseAddr(entry); err == nil {
			a = a.Unmap()
			return netip.PrefixFrom(a, a.BitLen()), nil
		}
		p, err := netip.ParsePrefix(entry)
		if err != nil || p != p.Masked() || p.Bits() == 0 {
			return p, errors.New("must be an address like 10.0.0.1 or a range like 10.0.0.0/8")
		}
		return p, nil
	})
	return err
}

func currencies(s *Settings, value string) (err error) {
	s.PaymentCurrencies, err = each(value, func(entry string) (string, error) {
		if len(entry) != 3 || strings.Trim(entry, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			return "", errors.New("must be a currency code like EUR")
		}
		return entry, nil
	})
	return err
}

// webhookSecrets names an invalid entry by its number, because the entry is secret.
func webhookSecrets(s *Settings, value string) error {
	s.WebhookSecrets = nil
	for i, entry := range list(value) {
		secret, err := payment.ParseSecret(entry)
		if err != nil {
			return fmt.Errorf("has the entry number %d, which %w", i+1, err)
		}
		if !isRandom(strings.TrimPrefix(entry, "whsec_"), 80) {
			return fmt.Errorf("has the entry number %d, which %w", i+1, errTooPredictable)
		}
		s.WebhookSecrets = append(s.WebhookSecrets, secret)
	}
	return nil
}

func adminEmails(s *Settings, value string) (err error) {
	s.AdminEmails, err = each(value, user.ParseEmail)
	return err
}

func testProfiles(s *Settings, value string) (err error) {
	s.TestProfiles, err = each(value, user.ParseTestPattern)
	return err
}

func adminUserIDs(s *Settings, value string) (err error) {
	s.AdminUserIDs, err = each(value, parseUserID)
	return err
}

func parseUserID(entry string) (domain.UserID, error) {
	id, err := uuid.Parse(entry)
	if err != nil || !domain.IsCanonicalUUID(entry) {
		return domain.UserID{}, errors.New("must be a user id (UUID)")
	}
	return domain.UserID(id), nil
}

func defaultTimezone(s *Settings, value string) error {
	if _, err := time.LoadLocation(value); err != nil || value == "Local" || strings.HasPrefix(value, "Etc/") {
		return errors.New("must be an IANA time zone like Europe/Berlin")
	}
	s.DefaultTimezone = value
	return nil
}

func traceEndpoint(s *Settings, value string) error {
	_, err := httpURL(value)
	s.TraceEndpoint = value
	return err
}

// traceHeaders parses headers as OpenTelemetry specifies them.
func traceHeaders(s *Settings, value string) error {
	s.TraceHeaders = map[string]string{}
	for _, entry := range list(value) {
		name, encoded, ok := strings.Cut(entry, "=")
		decoded, err := url.PathUnescape(encoded)
		if !ok || err != nil || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(decoded) {
			return errors.New("must be headers like api-key=secret,tenant=a")
		}
		s.TraceHeaders[name] = decoded
	}
	return nil
}

func traceRatio(s *Settings, value string) (err error) {
	s.TraceRatio, err = strconv.ParseFloat(value, 64)
	if err != nil || !(s.TraceRatio >= 0 && s.TraceRatio <= 1) {
		return errors.New("must be a number from 0 to 1")
	}
	return nil
}

func logLevel(s *Settings, value string) error {
	levels := map[string]slog.Level{
		"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError,
	}
	level, ok := levels[value]
	if !ok {
		return errors.New("must be one of debug, info, warn, error")
	}
	s.LogLevel = level
	return nil
}
