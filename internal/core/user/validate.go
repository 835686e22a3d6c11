package user

import (
	"errors"
	"regexp"
	"strings"

	"golang.org/x/text/secure/precis"

	"moothall/internal/domain"
	"moothall/internal/platform/text"
)

// validated returns the change as it is stored, or an error that names every
// invalid field (contract §3 UpdateProfileRequest).
func (c Change) validated() (Change, error) {
	var wrong domain.Problems
	text.Clean(&wrong, "/display_name", &c.DisplayName, cleanDisplayName)
	text.Clean(&wrong, "/username", &c.Username, cleanUsername)
	text.Clean(&wrong, "/avatar_url", &c.AvatarURL.Value, text.HTTPSURL)
	text.Clean(&wrong, "/city", &c.City.Value, text.Line(1, 120))
	text.CleanList(&wrong, "/interests", &c.Interests, 20, text.Line(1, 40))
	return c, wrong.Err()
}

var nameLine = text.Line(1, 80)

// cleanDisplayName applies the Nickname profile of PRECIS (RFC 8266). It checks the
// length again, because the profile may make the name shorter or longer.
func cleanDisplayName(s string) (string, error) {
	s, err := nameLine(s)
	if err != nil {
		return "", err
	}
	if s, err = precis.Nickname.String(s); err != nil {
		return "", errors.New("must not contain characters that are not allowed in names (RFC 8266)")
	}
	return nameLine(s)
}

// usernameForm is ASCII only: PRECIS allows Cyrillic letters, so it would not
// stop look-alikes.
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

// lowerASCII changes only ASCII letters. unicode.ToLower would turn the Kelvin
// sign into an ASCII k.
func lowerASCII(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

// withoutSeparators reduces "ad.min" to the reserved "admin".
var withoutSeparators = strings.NewReplacer(".", "", "_", "")

// reserved are usernames that could be mistaken for the service, its staff or one
// of its pages. They are compared without dots and underscores.
var reserved = setOf(`
	admin administrator root superuser sysadmin system owner staff team crew official
	moderator moderators moderation mod mods support help helpdesk helpcenter security abuse trust safety
	moothall service idp bot robot daemon info contact press legal billing sales
	api auth oauth login logout signin signout signup register password token session sessions
	me my self you user users profile profiles account accounts settings preferences
	event events feed calendar notifications notification messages chat post posts comment comments
	review reviews report reports payment payments webhook webhooks invitation invitations invite invites
	map search explore discover home index about terms privacy cookies imprint docs doc status
	image images static assets media files upload uploads download downloads public private
	healthz readyz livez metrics openapi www web mail email smtp ftp host localhost
	postmaster hostmaster webmaster mailerdaemon noreply nobody
	anonymous everyone everybody all here channel deleted unknown guest test
	null nil none undefined true false nan
`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}
