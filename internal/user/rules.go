package user

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/secure/precis"

	"moothall/internal/domain"
	"moothall/internal/platform/text"
)

const maxInterests = 20

// cleaned gives the change as it is stored, or a refusal that names every
// wrong field (contract §3 UpdateProfileRequest).
func (c Change) cleaned() (Change, error) {
	var wrong domain.Problems
	c.DisplayName = cleanField(&wrong, "/display_name", c.DisplayName, cleanDisplayName)
	c.Username = cleanField(&wrong, "/username", c.Username, cleanUsername)
	c.AvatarURL.Value = cleanField(&wrong, "/avatar_url", c.AvatarURL.Value, cleanAvatarURL)
	c.City.Value = cleanField(&wrong, "/city", c.City.Value, cleanCity)
	if c.Interests != nil {
		interests := cleanInterests(&wrong, *c.Interests)
		c.Interests = &interests
	}
	return c, wrong.Err()
}

func cleanField(wrong *domain.Problems, pointer string, value *string, clean func(string) (string, error)) *string {
	if value == nil {
		return nil
	}
	cleaned, err := clean(*value)
	if err != nil {
		wrong.Add(pointer, err.Error())
	}
	return &cleaned
}

const maxDisplayName = 80

// cleanDisplayName holds a name to the rules of a single line and to the
// Nickname profile of PRECIS (RFC 8266), which may shorten or lengthen it.
func cleanDisplayName(s string) (string, error) {
	s, err := text.Line(s, 1, maxDisplayName)
	if err != nil {
		return "", err
	}
	if s, err = precis.Nickname.String(s); err != nil {
		return "", errors.New("must not contain characters that names do not have (RFC 8266)")
	}
	return text.Line(s, 1, maxDisplayName)
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

func cleanAvatarURL(s string) (string, error) { return s, text.HTTPSURL(s) }

func cleanCity(s string) (string, error) { return text.Line(s, 1, 120) }

// cleanInterests drops repeats, letter case aside; the first spelling stays.
func cleanInterests(wrong *domain.Problems, list []string) []string {
	if len(list) > maxInterests {
		wrong.Add("/interests", fmt.Sprintf("must be at most %d", maxInterests))
		return nil
	}
	kept := []string{}
	for i, interest := range list {
		interest, err := text.Line(interest, 1, 40)
		if err != nil {
			wrong.Add(fmt.Sprintf("/interests/%d", i), err.Error())
			continue
		}
		same := func(other string) bool { return strings.EqualFold(other, interest) }
		if !slices.ContainsFunc(kept, same) {
			kept = append(kept, interest)
		}
	}
	return kept
}
