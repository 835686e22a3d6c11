package web

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// settings lets the visitor choose their language and time zone, and export or delete their data.
func (s *Site) settings(ctx context.Context, v *visit) (templ.Component, error) {
	preferences, err := s.api.GetNotificationPreferences(ctx)
	if err != nil {
		return nil, err
	}
	v.page.Title, v.page.Module = v.page.T("settings.title"), "install.js"
	return view.Settings(v.page, *preferences), nil
}

// chooseLocale changes the language of pages and messages, and the time zone.
func (s *Site) chooseLocale(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	request := gen.UpdateNotificationPreferencesRequest{Timezone: gen.NewOptNilString(form.Get("timezone"))}
	request.Language.SetTo(gen.NotificationLanguage(form.Get("language")))
	if _, err := s.api.UpdateNotificationPreferences(ctx, &request); err != nil {
		return outcome{}, err
	}
	v.setCookie(s.newCookie(languageCookie, form.Get("language"), chosenFor))
	return back(form), nil
}

// deleteMe deletes the account, if the visitor has confirmed that.
func (s *Site) deleteMe(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	if form.Get("confirm") != "yes" {
		return outcome{}, invalid("confirm")
	}
	err := s.api.DeleteMe(ctx)
	if err == nil {
		s.clearBrowser(v)
	}
	return outcome{to: "/"}, err
}

// notificationSettings lets the visitor choose what reaches them outside the service, and when.
func (s *Site) notificationSettings(ctx context.Context, v *visit) (templ.Component, error) {
	preferences, err := s.api.GetNotificationPreferences(ctx)
	if err != nil {
		return nil, err
	}
	d := view.NotificationSettingsData{NotificationPreferences: *preferences}
	if slices.Contains(d.Channels, gen.NotificationChannelPush) {
		if err := s.readPushes(ctx, &d); err != nil {
			return nil, err
		}
	}
	v.page.Title, v.page.Module = v.page.T("nav.notifications"), accountScript
	return view.NotificationSettings(v.page, d), nil
}

// chooseNotifications changes the rules that differ from the form, whose fields have names
// like "email.event_joined". If a field occurs twice, the last value counts. With "preset", all
// rules follow it.
func (s *Site) chooseNotifications(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	preferences, err := s.api.GetNotificationPreferences(ctx)
	if err != nil {
		return outcome{}, err
	}
	var request gen.UpdateNotificationPreferencesRequest
	for _, rule := range preferences.Rules {
		wanted := rule.Mode
		if chosen := form[view.RuleName(rule)]; len(chosen) > 0 {
			wanted = gen.NotificationMode(chosen[len(chosen)-1])
		}
		if preset := form.Get("preset"); preset != "" {
			wanted = view.PresetMode(preset, rule)
		}
		if wanted != rule.Mode {
			request.Rules = append(request.Rules, gen.NotificationRuleInput{Kind: rule.Kind, Channel: rule.Channel, Mode: wanted})
		}
	}
	if len(request.Rules) > 0 {
		_, err = s.api.UpdateNotificationPreferences(ctx, &request)
	}
	return back(form), err
}

// chooseDeliveryTimes changes the quiet hours, and when digests come.
func (s *Site) chooseDeliveryTimes(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	var request gen.UpdateNotificationPreferencesRequest
	request.QuietHours.SetToNull()
	if form.Has("quiet") {
		request.QuietHours.SetTo(gen.QuietHours{From: form.Get("from"), To: form.Get("to")})
	}
	digest := gen.DigestTime{Hour: number(form.Get("hour"))}
	for _, day := range form["weekday"] {
		digest.Weekdays = append(digest.Weekdays, number(day))
	}
	if len(digest.Weekdays) == 0 {
		return outcome{}, invalid("weekdays")
	}
	request.Digest.SetTo(digest)
	_, err := s.api.UpdateNotificationPreferences(ctx, &request)
	return back(form), err
}

// accountScript is the script of the pages with passkeys and push messages.
const accountScript = "account.js"

// security shows how the visitor can sign in, and where they are signed in.
func (s *Site) security(ctx context.Context, v *visit) (templ.Component, error) {
	d := view.SecurityData{}
	var err error
	if d.Zone, err = s.zone(ctx); err != nil {
		return nil, err
	}
	sessions, err := s.api.ListSessions(ctx)
	if err != nil {
		return nil, err
	}
	d.Sessions = sessions.Items
	if s.Methods.Passkey {
		passkeys, err := s.api.ListPasskeys(ctx)
		if err != nil {
			return nil, err
		}
		d.Passkeys = passkeys.Items
	}
	v.page.Title, v.page.Module = v.page.T("settings.security"), accountScript
	return view.Security(v.page, d), nil
}

func (s *Site) revokeSession(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return back(form), s.api.RevokeSession(ctx, gen.RevokeSessionParams{SessionID: formID(form, "session_id")})
}

func (s *Site) revokeOtherSessions(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return back(form), s.api.RevokeOtherSessions(ctx)
}

// currentSession returns the session of a visitor who is signed in, otherwise the zero id.
func (s *Site) currentSession(ctx context.Context, v *visit) (uuid.UUID, error) {
	if !v.page.SignedIn() {
		return uuid.UUID{}, nil
	}
	sessions, err := s.api.ListSessions(ctx)
	if err != nil {
		return uuid.UUID{}, err
	}
	at := slices.IndexFunc(sessions.Items, func(i gen.AuthSessionItem) bool { return i.IsCurrent })
	if at < 0 {
		return uuid.UUID{}, nil
	}
	return sessions.Items[at].SessionID, nil
}

// number returns a whole number in a form. A malformed one is -1, which every operation refuses.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
