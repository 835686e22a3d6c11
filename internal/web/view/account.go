package view

import (
	"strings"

	"moothall/api/gen"
)

// publicProfile is the profile of the viewer, as others see it.
func (p *Page) publicProfile() gen.PublicProfile {
	me := p.Viewer.Profile
	return gen.PublicProfile{
		UserID: me.UserID, DisplayName: me.DisplayName, Username: me.Username, AvatarURL: me.AvatarURL, City: me.City, Interests: me.Interests,
		NameChosen: me.NameChosen,
	}
}

func (p *Page) interests() string { return strings.Join(p.Viewer.Profile.Interests, ", ") }
