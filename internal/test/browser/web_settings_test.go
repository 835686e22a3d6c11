package browser

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// delivering are the settings of a service that sends mails and push messages.
var delivering = append([]apptest.Option{apptest.Setting("NOTIFICATIONS", "mail,push")},
	settings...)

func TestSettingsNeedASession(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	for _, path := range []string{"/settings", "/settings/notifications", "/settings/security", "/settings/keys", "/settings/webhooks"} {
		visitor(t, a).open(path).redirects(t, "/login?"+url.Values{"return_to": {path}}.Encode())
	}
}

func TestChooseLanguageAndZone(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, page := signedIn(t, a, "ann"), "/settings"
		ann.submit("chooseLocale", page, url.Values{"language": {"de"}, "timezone": {"Pacific/Auckland"}}).redirects(t, page)
		ann.open(page).want(t, http.StatusOK, `lang="de"`, `value="Pacific/Auckland"`, "not", "in einer anderen Sprache")
		preferences := a.SignIn(apptest.Email("ann")).Get("/me/notification-preferences").Want(http.StatusOK)
		if preferences.Text("language") != "de" || preferences.Text("timezone") != "Pacific/Auckland" {
			t.Errorf("%s", preferences.Body)
		}
		ann.submit("chooseLanguage", page, url.Values{"language": {"en"}}).redirects(t, page)
		ann.open(page).want(t, http.StatusOK, "in another language now: Deutsch")
		ann.submit("chooseLocale", page, url.Values{"language": {"en"}, "timezone": {"Atlantis"}}).
			want(t, http.StatusUnprocessableEntity, `value="Atlantis"`, "Enter a time zone like Europe/Berlin.")
		ann.open("/settings/security").want(t, http.StatusOK, "Last used: Tuesday, 2 June, 00:00", "not", "Monday, 1 June")
	}, settings...)
}

func TestChooseNotifications(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, page := signedIn(t, a, "ann"), "/settings/notifications"
		ann.open(page).want(t, http.StatusOK, `name="email.event_joined"`, `value="digest" selected`, "E-mails arrive",
			`name="push.event_joined" value="instant" checked`,
			"not", `name="email.passkey_added"`, `name="push.event_calendar"`)
		mode := func(kind, channel string) string {
			t.Helper()
			for _, r := range a.SignIn(apptest.Email("ann")).Get("/me/notification-preferences").Want(http.StatusOK).Get("rules").([]any) {
				if r := r.(map[string]any); r["kind"] == kind && r["channel"] == channel {
					return r["mode"].(string)
				}
			}
			return ""
		}
		fields := url.Values{"email.event_joined": {"off"}, "push.event_joined": {"off"}, "push.user_followed": {"off", "instant"}}
		ann.submit("chooseNotifications", page, fields).redirects(t, page)
		for rule, want := range map[[2]string]string{
			{"event_joined", "email"}: "off", {"event_joined", "push"}: "off", {"user_followed", "push"}: "instant",
			{"event_post", "email"}: "digest",
		} {
			if got := mode(rule[0], rule[1]); got != want {
				t.Errorf("%s: %s, want %s", rule, got, want)
			}
		}
		ann.open(page).want(t, http.StatusOK, "<details open>", "something of your own", "not", `value="important" checked`)
		for _, row := range []struct{ preset, joined, followed, followedPush, security, calendar string }{
			{"nothing", "off", "off", "off", "instant", "off"},
			{"everything", "digest", "digest", "instant", "instant", "instant"},
			{"important", "digest", "off", "off", "instant", "instant"},
		} {
			ann.submit("chooseNotifications", page, url.Values{"preset": {row.preset}}).redirects(t, page)
			ann.open(page).want(t, http.StatusOK, `value="`+row.preset+`" checked`, "<details>", "not", "something of your own")
			got := []string{mode("event_joined", "email"), mode("user_followed", "email"), mode("user_followed", "push"),
				mode("passkey_added", "email"), mode("event_calendar", "email")}
			if want := []string{row.joined, row.followed, row.followedPush, row.security, row.calendar}; !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", row.preset, got, want)
			}
		}
		ann.submit("chooseNotifications", page, url.Values{"email.event_canceled": {"digest"}}).want(t, http.StatusUnprocessableEntity)
	}, delivering...)
}

func TestChooseQuietHoursAndDigest(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, page := signedIn(t, a, "ann"), "/settings/notifications"
		ann.open(page).want(t, http.StatusOK, `value="22:00"`, `value="8" selected`, "not", `name="quiet" value="yes" checked`)
		fields := url.Values{"quiet": {"yes"}, "from": {"23:30"}, "to": {"07:15"}, "hour": {"19"}, "weekday": {"1", "5"}}
		ann.submit("chooseDeliveryTimes", page, fields).redirects(t, page)
		ann.open(page).want(t, http.StatusOK, `name="quiet" value="yes" checked`, `value="23:30"`, `value="07:15"`, `value="19" selected`,
			`name="weekday" value="5" checked`, "not", `name="weekday" value="2" checked`)
		fields.Del("quiet")
		ann.submit("chooseDeliveryTimes", page, fields).redirects(t, page)
		ann.open(page).want(t, http.StatusOK, "not", `name="quiet" value="yes" checked`)
		for name, wrong := range map[string]url.Values{
			"The quiet hours must end at another time": {"quiet": {"yes"}, "from": {"22:00"}, "to": {"22:00"}, "hour": {"8"}, "weekday": {"1"}},
			"Choose at least one day.":                 {"from": {"22:00"}, "to": {"08:00"}, "hour": {"8"}},
			"Enter the quiet hours like":               {"quiet": {"yes"}, "from": {"late"}, "to": {"08:00"}, "hour": {"8"}, "weekday": {"1"}},
		} {
			ann.submit("chooseDeliveryTimes", page, wrong).want(t, http.StatusUnprocessableEntity, name)
		}
		ann.submit("chooseDeliveryTimes", page, url.Values{"hour": {"noon"}, "weekday": {"1"}}).want(t, http.StatusUnprocessableEntity)
	}, delivering...)
}

var suppressStmt = db.SQL("web_test.suppress", `INSERT INTO email_bounces (user_id, soft_bounces, first_at, last_at, suppressed_at)
	VALUES ($1, 0, $2, $2, $2)`)

// TestEndMailSuppression shows that mails came back. A code from a new mail ends that, and
// leaves one session.
func TestEndMailSuppression(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, page, email := signedIn(t, a, "ann"), "/settings/notifications", apptest.Email("ann")
		a.Exec(suppressStmt, a.As("ann").ID(), a.Clock.Now())
		ann.open(page).want(t, http.StatusOK, "E-mails to this address came back. Since Monday, 1 June we send none.", "not", "E-mails arrive")
		a.Clock.Advance(time.Minute) // the mail is newer than that of signedIn
		fields := url.Values{"email": {email}, "return_to": {page}}
		ann.submit("startEmailSignIn", page, fields).want(t, http.StatusOK, `name="code"`)
		fields.Set("code", webCodeInMail.FindString(a.Mail(email).Text))
		ann.submit("verifyEmailSignIn", page, fields).redirects(t, page)
		ann.open(page).want(t, http.StatusOK, "E-mails arrive", "not", "came back")
	}, delivering...)
}

func TestAPIKeys(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, page := signedIn(t, a, "ann"), "/settings/keys"
		fields := url.Values{"name": {"Printer <1>"}, "scope": {"events:read", "profile:write"}, "days": {"30"}, "key": {"once"}}
		made := ann.submit("createApiKey", page, fields)
		made.want(t, http.StatusOK, "Copy it now", `value="mk_`, "Printer &lt;1&gt;", "Events: read", "Profile: write",
			"Works until Wednesday, 1 July")
		secret := secretInPage.FindStringSubmatch(made.Body)[1]
		a.Anonymous().With("Authorization", "Bearer "+secret).Get("/events").Want(http.StatusOK)
		if again := ann.submit("createApiKey", page, fields); secretInPage.FindStringSubmatch(again.Body)[1] != secret {
			t.Error("the same form creates a second key")
		}
		testutil.Until(t, "the last use, which is written beside the request", func() bool {
			return strings.Contains(ann.open(page).Body, "Last used")
		})
		list := ann.open(page)
		list.want(t, http.StatusOK, "Printer &lt;1&gt;", secret[:6], "not", secret)
		id := valueOf(t, list, "api_key_id")
		ann.submit("createApiKey", page, url.Values{"name": {"x"}, "key": {"none"}}).want(t, http.StatusUnprocessableEntity, `value="x"`,
			"Choose at least one thing")
		signedIn(t, a, "ben").submit("deleteApiKey", page, url.Values{"api_key_id": {id}})
		ann.open(page).want(t, http.StatusOK, id)
		ann.submit("deleteApiKey", page, url.Values{"api_key_id": {id}}).redirects(t, page)
		ann.open(page).want(t, http.StatusOK, "not", "Printer")
		a.Anonymous().With("Authorization", "Bearer "+secret).Get("/me").Want(http.StatusUnauthorized)
	}, settings...)
}

// TestKeyEndsWithItsWebhooks shows what a key has created, and asks whether it ends, too.
func TestKeyEndsWithItsWebhooks(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, page, as := signedIn(t, a, "ann"), "/settings/keys", a.As("ann")
		for _, ends := range []bool{false, true} {
			key := as.Post("/me/api-keys", apptest.Fields{"name": "Till", "scopes": []string{"webhooks:write", "events:read"}}).Want(201)
			hook := a.WithBearer(key.Text("key")).Post("/me/webhooks", apptest.Fields{"url": "https://example.com/<1>",
				"kinds": []string{"event.created"}}).Want(201).Text("id")
			ann.open(page).want(t, http.StatusOK, `href="/settings/webhooks/`+hook, "https://example.com/%3C1%3E", "Delete its webhooks, too")
			form, want := url.Values{"api_key_id": {key.Text("id")}}, http.StatusOK
			if ends {
				form.Set("webhooks", "yes")
				want = http.StatusNotFound
			}
			ann.submit("deleteApiKey", page, form).redirects(t, page)
			ann.open("/settings/webhooks/"+hook).want(t, want)
		}
		ann.open(page).want(t, http.StatusOK, "not", "Delete its webhooks, too")
	}, settings...)
}

// TestUnknownChoicesAreRejected chooses a language and a theme that no page has.
func TestUnknownChoicesAreRejected(t *testing.T) {
	b := visitor(t, apptest.New(t, db.SQLite, settings...))
	for action, field := range map[string]string{"chooseLanguage": "language", "chooseTheme": "theme"} {
		for _, value := range []string{"", "xx", "dark; Domain=example.org", strings.Repeat("x", 5000)} {
			r := b.submit(action, "/", url.Values{field: {value}})
			if r.StatusCode != http.StatusUnprocessableEntity || r.Header.Get("Set-Cookie") != "" {
				t.Errorf("%s %.20q: %d, Set-Cookie %q", action, value, r.StatusCode, r.Header.Get("Set-Cookie"))
			}
		}
	}
}
