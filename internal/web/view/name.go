package view

import (
	"regexp"

	"moothall/api/gen"
)

// Name returns how pages call a user: a guest if they have not chosen a name.
func (p *Page) Name(u gen.PublicProfile) string {
	if !u.NameChosen {
		return p.T("user.guest")
	}
	return u.DisplayName
}

var placeholder = regexp.MustCompile(`^User [0-9a-f]{4}$`)

// ownName returns the name that a form offers to a user: none in place of a placeholder.
func ownName(u gen.PublicProfile) string {
	if !u.NameChosen && placeholder.MatchString(u.DisplayName) {
		return ""
	}
	return u.DisplayName
}

// asksName reports whether the page asks the viewer for a name. The form of the profile does so itself.
func (p *Page) asksName() bool {
	return p.SignedIn() && !p.Viewer.Profile.NameChosen && p.URL.Path != "/profile"
}
