package view

import (
	"strings"

	"moothall/api/gen"
)

// SettingsData is what the settings show.
type SettingsData struct {
	Sessions []gen.AuthSessionItem
	Passkeys []gen.Passkey
	APIKeys  []gen.ApiKey
}

// publicProfile is the profile of the viewer, as others see it.
func (p *Page) publicProfile() gen.PublicProfile {
	me := p.Viewer.Profile
	return gen.PublicProfile{
		UserID: me.UserID, DisplayName: me.DisplayName, Username: me.Username, AvatarURL: me.AvatarURL, City: me.City, Interests: me.Interests,
	}
}

func (p *Page) interests() string { return strings.Join(p.Viewer.Profile.Interests, ", ") }

// device names the browser and device of a session.
func (p *Page) device(s gen.AuthSessionItem) string {
	if s.DeviceName.Null {
		return p.T("settings.unknown_device")
	}
	return s.DeviceName.Value
}
