package text

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// HTTPSURL checks a URL given by a user (contract §0): absolute https with a
// host, no user-info, at most 2048 bytes, nothing invisible. The URL is stored
// as typed and not fetched.
func HTTPSURL(s string) error {
	if len(s) > 2048 {
		return errors.New("must be at most 2048 bytes")
	}
	if !utf8.ValidString(s) || strings.ContainsFunc(s, notInURL) {
		return errors.New("must not contain spaces, backslashes or invisible characters")
	}
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Scheme != "https" || u.Hostname() == "":
		return errors.New("must be an absolute https URL with a host")
	case u.User != nil:
		return errors.New("must not contain user information")
	case u.Port() != "" && !isPort(u.Port()):
		return errors.New("must have a valid port or none")
	}
	return nil
}

func notInURL(r rune) bool {
	return r == '\\' || r == utf8.RuneError || unicode.IsSpace(r) || !unicode.IsGraphic(r)
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0
}
