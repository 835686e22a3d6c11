package view

import (
	"slices"
	"strings"
	"time"

	"moothall/api/gen"
)

// settingsPages are the pages of the settings.
var settingsPages = []struct{ path, icon, text string }{
	{"/settings", "settings", "settings.general"},
	{"/settings/notifications", "bell", "nav.notifications"},
	{"/settings/security", "shield", "settings.security"},
	{developerPages[0].path, "code", "settings.developers"},
}

// developerPages are the settings for developers, of which the list of all settings has only the first.
var developerPages = []struct{ path, text string }{
	{"/settings/keys", "settings.api_keys"},
	{"/settings/webhooks", "webhooks.title"},
}

// isSettings reports whether the page is one of the settings, or below one of them.
func (p *Page) isSettings(path string) bool {
	return p.URL.Path == path || path != "/settings" && strings.HasPrefix(p.URL.Path, path+"/")
}

// isForDevelopers reports whether the page is one of developerPages, or below one of them.
func (p *Page) isForDevelopers() bool {
	for _, page := range developerPages {
		if p.isSettings(page.path) {
			return true
		}
	}
	return false
}

// DateIn is Date of a time in a zone.
func (p *Page) DateIn(t time.Time, zone string) string { return p.Date(In(t, zone)) }

// TimeIn returns a date and time of day in a zone.
func (p *Page) TimeIn(t time.Time, zone string) string {
	at := In(t, zone)
	return p.Date(at) + ", " + p.Hour(at)
}

// languageName returns the name of a language in that language; of an unknown one, its tag.
func (p *Page) languageName(tag gen.NotificationLanguage) string {
	for _, l := range p.Languages {
		if l.String() == string(tag) {
			return l.Message("layout.this_language", nil)
		}
	}
	return string(tag)
}

// SecurityData is how the viewer can sign in and where they are signed in.
type SecurityData struct {
	Sessions []gen.AuthSessionItem
	Passkeys []gen.Passkey
	Zone     string // of the viewer
}

// device names the browser and device of a session or a push subscription.
func (p *Page) device(name gen.NilString) string {
	if name.Null {
		return p.T("settings.unknown_device")
	}
	return name.Value
}

// NotificationSettingsData is what reaches the viewer outside the service.
type NotificationSettingsData struct {
	gen.NotificationPreferences
	Pushes  []gen.PushSubscription
	PushKey string // public key of the service for push messages
}

// pushesHere reports whether this browser receives push messages.
func (d NotificationSettingsData) pushesHere() bool {
	return slices.ContainsFunc(d.Pushes, func(s gen.PushSubscription) bool { return s.IsCurrent })
}

func (d NotificationSettingsData) has(c gen.NotificationChannel) bool {
	return slices.Contains(d.Channels, c)
}

// RuleName is the name of a rule in forms, like "email.event_joined".
func RuleName(r gen.NotificationRule) string { return string(r.Channel) + "." + string(r.Kind) }

// kindGroups are the kinds of notifications as the settings show them. Other kinds follow at the end.
var kindGroups = []struct {
	name  string
	kinds []gen.NotificationKind
}{
	{"going", []gen.NotificationKind{
		"event_reminder", "event_canceled", "event_updated", "event_date_selected", "event_date_option_added", "event_invitation",
		"event_calendar",
		"event_announcement", "guest_message", "event_post",
		"chat_unread", "event_completed", "request_approved", "request_declined", "event_removed",
	}},
	{"organizing", []gen.NotificationKind{"event_joined", "event_requested", "event_invitation_response", "event_review",
		"host_invitation", "host_joined", "host_removed", "event_transferred", "series_drafts"}},
	{"people", []gen.NotificationKind{
		"group_invitation", "group_requested", "group_approved", "group_removed", "group_transferred",
		"group_event", "group_announcement", "group_source_failed",
		"followed_user_event", "followed_user_going", "user_followed", "post_commented", "comment_replied", "post_liked", "post_reposted",
	}},
	{"calendar", []gen.NotificationKind{"calendar_invite", "calendar_invite_response"}},
	{"account", []gen.NotificationKind{
		"waitlist_offer", "waitlist_joined", "waitlist_expired", "payment_succeeded", "payment_canceled",
		"passkey_added", "api_key_added", "new_device", "webhook_added", "email_suppressed",
		"webhook_disabled", "report_updated", "moderation_warning",
	}},
}

// modesOf are the modes of a kind by e-mail, if they are not all three: some kinds must not wait
// for a digest, and warnings of access to the account cannot be switched off (see
// updateNotificationPreferences in the contract).
var modesOf = func() map[gen.NotificationKind][]gen.NotificationMode {
	modes := map[gen.NotificationKind][]gen.NotificationMode{"passkey_added": {"instant"}, "api_key_added": {"instant"},
		"new_device": {"instant"}, "email_suppressed": {}}
	for _, kind := range []gen.NotificationKind{
		"event_canceled", "event_updated", "event_date_selected", "event_reminder", "event_invitation", "event_calendar", "payment_succeeded",
		"payment_canceled", "waitlist_offer", "waitlist_joined", "waitlist_expired",
		"request_approved", "event_removed", "host_invitation", "event_transferred", "group_invitation", "group_approved",
		"group_transferred",
	} {
		modes[kind] = []gen.NotificationMode{"instant", "off"}
	}
	return modes
}()

// emailOnly is the kind that push does not have.
const emailOnly = gen.NotificationKind("event_calendar")

// ruleGroup is a part of the rules, and ruleRow those of one kind by channel.
type (
	ruleGroup struct {
		name string
		rows []ruleRow
	}
	ruleRow struct {
		kind  gen.NotificationKind
		rules map[gen.NotificationChannel]gen.NotificationRule
	}
)

func (d NotificationSettingsData) groups() []ruleGroup {
	rows := map[gen.NotificationKind]ruleRow{}
	var others []gen.NotificationKind
	for _, r := range d.Rules {
		if _, known := rows[r.Kind]; !known {
			rows[r.Kind] = ruleRow{r.Kind, map[gen.NotificationChannel]gen.NotificationRule{}}
			others = append(others, r.Kind)
		}
		rows[r.Kind].rules[r.Channel] = r
	}
	var groups []ruleGroup
	for _, g := range kindGroups {
		group := ruleGroup{name: g.name}
		for _, kind := range g.kinds {
			if row, has := rows[kind]; has {
				group.rows = append(group.rows, row)
			}
			others = slices.DeleteFunc(others, func(other gen.NotificationKind) bool { return other == kind })
		}
		groups = append(groups, group)
	}
	last := &groups[len(groups)-1]
	for _, kind := range others {
		last.rows = append(last.rows, rows[kind])
	}
	return groups
}

// The presets of the rules, as forms name them.
const (
	PresetEverything = "everything"
	PresetImportant  = "important" // the defaults
	PresetNothing    = "nothing"
)

var presets = []string{PresetEverything, PresetImportant, PresetNothing}

// PresetMode returns the mode of a rule in a preset.
func PresetMode(preset string, r gen.NotificationRule) gen.NotificationMode {
	possible := modesFor(r.Kind)
	if r.Channel == gen.NotificationChannelPush {
		possible = []gen.NotificationMode{gen.NotificationModeInstant, gen.NotificationModeOff}
	}
	can := func(m gen.NotificationMode) bool { return slices.Contains(possible, m) }
	switch {
	case preset == PresetNothing && can(gen.NotificationModeOff):
		return gen.NotificationModeOff
	case preset != PresetEverything, r.Default != gen.NotificationModeOff, r.Kind == emailOnly:
		return r.Default
	case can(gen.NotificationModeDigest):
		return gen.NotificationModeDigest
	case can(gen.NotificationModeInstant):
		return gen.NotificationModeInstant
	}
	return r.Default
}

// preset returns the preset that the rules follow, or "" if the viewer has chosen otherwise.
func (d NotificationSettingsData) preset() string {
	for _, preset := range presets {
		other := func(r gen.NotificationRule) bool { return r.Mode != PresetMode(preset, r) }
		if !slices.ContainsFunc(d.Rules, other) {
			return preset
		}
	}
	return ""
}

// kindName says what a kind of notification is about. An unknown kind has its name in the contract.
func (p *Page) kindName(kind gen.NotificationKind) string {
	if text := p.T("kind." + string(kind)); text != "" {
		return text
	}
	return strings.ReplaceAll(string(kind), "_", " ")
}

// modesFor are the modes that the viewer can choose for a kind by e-mail.
func modesFor(kind gen.NotificationKind) []gen.NotificationMode {
	if modes, restricted := modesOf[kind]; restricted {
		return modes
	}
	return []gen.NotificationMode{"instant", "digest", "off"}
}

// weekdays are those of a week that begins on Monday, as the contract counts them.
func (d NotificationSettingsData) weekdays() []int { return []int{1, 2, 3, 4, 5, 6, 7} }

// quiet returns the quiet hours, or those that the form suggests.
func (d NotificationSettingsData) quiet() gen.QuietHours {
	if d.QuietHours.Null {
		return gen.QuietHours{From: "22:00", To: "08:00"}
	}
	return d.QuietHours.Value
}

func (d NotificationSettingsData) digestOn(weekday int) bool {
	return slices.Contains(d.Digest.Weekdays, weekday)
}
