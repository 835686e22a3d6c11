package app

import (
	"net/url"
	"slices"
	"strings"
)

// hidden is shown for a value that is secret.
const hidden = "(secret)"

// show returns a value without its secrets, for logs, errors and `moothall config`.
func (s setting) show(value string) string {
	switch {
	case value != "" && s.Secret:
		return hidden
	case s.Address:
		return redact(value)
	}
	return value
}

// harmless are the parameters of addresses that contain no secret.
var harmless = []string{
	"application_name", "connect_timeout", "sslmode", "sslrootcert", "target_session_attrs", // PostgreSQL
	"endpoint", "region", // S3
}

// redact returns an address or path with xxxxx for the password, and for the query unless its parameters are harmless. It
// returns hidden if a password may be elsewhere: one with a slash, a question mark or a number sign ends in other parts.
func redact(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Fragment != "" || u.Opaque != "" && u.Scheme != "sqlite" {
		return hidden
	}
	if u.Scheme != "sqlite" && (strings.ContainsAny(u.Host+u.Path, "@=") || strings.Contains(u.RawQuery, "@")) {
		return hidden
	}
	_, hasPassword := u.User.Password()
	if u.User != nil && !hasPassword && !strings.HasPrefix(u.Scheme, "postgres") { // what needs a password may have it in the wrong place
		return hidden
	}
	if !isHarmless(u.RawQuery) {
		u.RawQuery = "xxxxx"
	} else if !hasPassword {
		return address // String would encode a path
	}
	return u.Redacted()
}

func isHarmless(query string) bool {
	parameters, err := url.ParseQuery(query)
	for name, values := range parameters {
		if !slices.Contains(harmless, name) || strings.Contains(strings.Join(values, ""), "@") {
			return false
		}
	}
	return err == nil
}
