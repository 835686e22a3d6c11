package user

import "moothall/internal/domain"

// Moderators is the moderation allowlist (specification §5.7), from settings.
// The zero value is empty.
type Moderators struct {
	ids    map[domain.UserID]bool
	emails map[string]bool // by Email.Key
}

// NewModerators lists moderators by their id or their e-mail address.
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

// Include reports whether a user is listed. An e-mail address counts only
// when it is verified: anybody could claim it otherwise.
func (m Moderators) Include(id domain.UserID, emailKey *string, verified bool) bool {
	return m.ids[id] || verified && emailKey != nil && m.emails[*emailKey]
}
