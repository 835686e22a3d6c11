package user

import (
	"errors"
	"path"
	"strings"
)

// TestProfiles are patterns of the e-mail addresses and usernames of automated
// accounts, in lower case, * standing for anything but a slash.
type TestProfiles []string

var errPattern = errors.New("must be a pattern like *@test.example")

// ParseTestPattern checks a pattern for TestProfiles.
func ParseTestPattern(pattern string) (string, error) {
	if _, err := path.Match(pattern, ""); err != nil {
		return "", errPattern
	}
	return strings.ToLower(pattern), nil
}

// match reports whether an Email.Key or a username is one of them. Who becomes
// a test profile remains one.
func (t TestProfiles) match(name string) bool {
	for _, pattern := range t {
		if matches, err := path.Match(pattern, name); err == nil && matches {
			return true
		}
	}
	return false
}
