package user

import (
	"errors"
	"path"
	"strings"

	"moothall/internal/domain"
)

// Moderators is the moderation allowlist (specification §5.7). The zero value is empty.
type Moderators struct {
	ids    map[domain.UserID]bool
	emails map[string]bool // by Email.Key
}

// NewModerators returns the moderators with these ids or e-mail addresses.
func NewModerators(ids []domain.UserID, emails []Email) Moderators {
	m := Moderators{ids: map[domain.UserID]bool{}, emails: map[string]bool{}}
	for _, id := range ids {
		m.ids[id] = true
	}
	for _, e := range emails {
		m.emails[e.Key] = true
	}
	return m
}

// Include reports whether a user is a moderator. An e-mail address counts only
// if it is verified: otherwise anyone could claim it.
func (m Moderators) Include(id domain.UserID, emailKey *string, verified bool) bool {
	return m.ids[id] || verified && emailKey != nil && m.emails[*emailKey]
}

// TestProfiles are patterns of the e-mail addresses and usernames of automated
// accounts, in lower case. * matches any text without a slash.
type TestProfiles []string

var errPattern = errors.New("must be a pattern like *@test.example")

// ParseTestPattern validates a pattern of TestProfiles.
func ParseTestPattern(pattern string) (string, error) {
	if _, err := path.Match(pattern, ""); err != nil {
		return "", errPattern
	}
	return strings.ToLower(pattern), nil
}

// match reports whether an Email.Key or a username matches a pattern. An account
// that has matched once stays a test profile.
func (t TestProfiles) match(name string) bool {
	for _, pattern := range t {
		if matches, err := path.Match(pattern, name); err == nil && matches {
			return true
		}
	}
	return false
}
