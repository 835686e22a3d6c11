package user

import (
	"errors"
	"regexp"
	"strings"

	"golang.org/x/text/secure/precis"

	"moothall/internal/domain"
	"moothall/internal/platform/text"
)

// cleaned gives the change as it is stored, or a refusal that names every
// wrong field (contract §3 UpdateProfileRequest).
func (c Change) cleaned() (Change, error) {
	var wrong domain.Problems
	text.Clean(&wrong, "/display_name", &c.DisplayName, cleanDisplayName)
	text.Clean(&wrong, "/username", &c.Username, cleanUsername)
	text.Clean(&wrong, "/avatar_url", &c.AvatarURL.Value, text.HTTPSURL)
	text.Clean(&wrong, "/city", &c.City.Value, text.Line(1, 120))
	text.CleanList(&wrong, "/interests", &c.Interests, 20, text.Line(1, 40))
	return c, wrong.Err()
}

var nameLine = text.Line(1, 80)

// cleanDisplayName holds a name to the rules of a single line and to the
// Nickname profile of PRECIS (RFC 8266), which may shorten or lengthen it.
func cleanDisplayName(s string) (string, error) {
	s, err := nameLine(s)
	if err != nil {
		return "", err
	}
	if s, err = precis.Nickname.String(s); err != nil {
		return "", errors.New("must not contain characters that names do not have (RFC 8266)")
	}
	return nameLine(s)
}

// ASCII only: PRECIS lets Cyrillic letters through, so it would not stop
// look-alikes.
var usernameForm = regexp.MustCompile(`^[a-z0-9]+(?:[._][a-z0-9]+)*$`)

func cleanUsername(s string) (string, error) {
	s = strings.Map(lowerASCII, s)
	switch {
	case len(s) < 3 || len(s) > 30:
		return "", errors.New("must be 3 to 30 characters")
	case !usernameForm.MatchString(s):
		return "", errors.New("must be ASCII letters and digits with single dots or underscores between them")
	case reserved[withoutSeparators.Replace(s)]:
		return "", errors.New("must not be a reserved name")
	}
	return s, nil
}

// lowerASCII leaves every other letter alone, so that none outside ASCII turns
// into one inside it (the Kelvin sign would).
func lowerASCII(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}
