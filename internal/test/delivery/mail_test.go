package delivery_test

import (
	"bytes"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/smtp"
	"moothall/internal/test/apptest"
)

// delivers are the options of a service that sends notifications by mail.
var delivers = []apptest.Option{apptest.StartAt(apptest.Today), apptest.Setting("NOTIFICATIONS", "mail"),
	apptest.Setting("ACCESS_TOKEN_TTL", "24h"), apptest.Setting("MODERATION_ADMIN_EMAILS", "mod@example.org")}

// mailsTo runs the jobs and returns the mails of notifications to a user, the newest first; not
// those that are only for calendar programs.
func mailsTo(t *testing.T, a *apptest.App, name string) (found []smtp.Stored) {
	t.Helper()
	a.RunJobs()
	outbox := smtp.Outbox{DB: a.DB}
	all, err := outbox.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		if m.To == apptest.Email(name) {
			if m, err = outbox.Read(t.Context(), m.ID); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(m.Source, "List-Id: <") && !strings.Contains(m.Source, "List-Id: <event-calendar.") { // not of a sign-in
				found = append(found, m)
			}
		}
	}
	return found
}

// subjects returns the subjects of mails, joined.
func subjects(mails []smtp.Stored) string {
	var all []string
	for _, m := range mails {
		all = append(all, m.Subject)
	}
	return strings.Join(all, "; ")
}

// headersOf parses the source of a mail.
func headersOf(t *testing.T, m smtp.Stored) netmail.Header {
	t.Helper()
	parsed, err := netmail.ReadMessage(bytes.NewReader([]byte(m.Source)))
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Header
}

// TestMailOfCanceledEvent sends one mail after the grace time.
func TestMailOfCanceledEvent(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Publish(apptest.Fields{"title": "Chess"})
		ann.Join(event)
		org.Post("/events/"+event+"/cancel", nil).Want(200)
		a.Clock.Advance(2*time.Minute - time.Microsecond)
		if got := mailsTo(t, a, "ann"); len(got) != 0 {
			t.Fatalf("mails before the end of the grace time: %s", subjects(got))
		}
		a.Clock.Advance(time.Microsecond)
		got := mailsTo(t, a, "ann")
		if subjects(got) != "Canceled: “Chess”" {
			t.Fatalf("mails: %s", subjects(got))
		}
		for _, want := range []string{org.Get("/events/" + event).Text("event.share_url"), "https://moothall.test/u/"} {
			if !strings.Contains(got[0].Text, want) || !strings.Contains(got[0].HTML, want) {
				t.Errorf("the mail has no %s: %s\n%s", want, got[0].Text, got[0].HTML)
			}
		}
		header := headersOf(t, got[0])
		for name, want := range map[string]string{
			"Auto-Submitted": "auto-generated", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click", "List-Id": "<event-canceled.moothall.test>",
			"Feedback-Id": "event_canceled:notification:moothall", "References": "<" + event + "@localhost>",
			"In-Reply-To": "<" + event + "@localhost>",
		} {
			if header.Get(name) != want {
				t.Errorf("%s: %q, want %q", name, header.Get(name), want)
			}
		}
		if h := header.Get("List-Unsubscribe"); !strings.HasPrefix(h, "<https://moothall.test/u/") || !strings.HasSuffix(h, ">") {
			t.Errorf("List-Unsubscribe: %q", h)
		}
		a.Clock.Advance(48 * time.Hour)
		if got := mailsTo(t, a, "ann"); len(got) != 1 {
			t.Errorf("later: %s", subjects(got))
		}
	}, delivers...)
}

var mailSuspendStmt = db.SQL("deliver_test.suspend", `UPDATE users SET suspended_at = 1 WHERE id = $1`)
var unverifyStmt = db.SQL("deliver_test.unverify", `UPDATE users SET email_verified = FALSE WHERE id = $1`)

// TestMailIsReconsidered changes something after the notification, before its mail is due.
func TestMailIsReconsidered(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		for i, row := range []struct {
			name   string
			change func(event string, ann *apptest.Client)
			sent   bool
		}{
			{"nothing", func(string, *apptest.Client) {}, true},
			{"read", func(_ string, ann *apptest.Client) { ann.Post("/notifications/read-all", nil).Want(200) }, false},
			{"muted", func(event string, ann *apptest.Client) { ann.Do("PUT", "/events/"+event+"/mute", nil).Want(200) }, false},
			{"unmuted", func(event string, ann *apptest.Client) {
				ann.Do("PUT", "/events/"+event+"/mute", nil).Want(200)
				ann.Do("DELETE", "/events/"+event+"/mute", nil).Want(200)
			}, true},
			{"off", func(_ string, ann *apptest.Client) {
				ann.Patch(preferencesPath, rule("event_announcement", "email", "off")).Want(200)
			}, false},
			{"left", func(event string, ann *apptest.Client) { ann.Delete("/events/" + event + "/join").Want(200) }, false},
			{"blocked the organizer", func(_ string, ann *apptest.Client) { ann.Block(org) }, false},
			{"blocked by the organizer", func(_ string, ann *apptest.Client) { org.Block(ann) }, false},
			{"suspended", func(_ string, ann *apptest.Client) { a.Exec(mailSuspendStmt, ann.ID()) }, false},
			{"address not verified", func(_ string, ann *apptest.Client) { a.Exec(unverifyStmt, ann.ID()) }, false},
			{"account deleted", func(_ string, ann *apptest.Client) { ann.Delete("/me").Want(204) }, false},
			{"push off", func(_ string, ann *apptest.Client) {
				ann.Patch(preferencesPath, rule("event_announcement", "push", "off")).Want(200)
			}, true},
		} {
			name := "ann" + string(rune('a'+i))
			ann := a.As(name)
			event := org.Publish(nil)
			ann.Join(event)
			org.Post("/events/"+event+"/posts", apptest.Fields{"body": "Bring a board", "kind": "announcement"}).Want(201)
			a.RunJobs()
			row.change(event, ann)
			a.Clock.Advance(2 * time.Minute)
			if got := mailsTo(t, a, name); (len(got) == 1) != row.sent {
				t.Errorf("%s: %d mails: %s", row.name, len(got), subjects(got))
			}
		}
	}, delivers...)
}

// TestMailLanguages writes in the language of each recipient.
func TestMailLanguages(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(apptest.Fields{"title": "Chess"})
		for _, language := range []string{"en", "de", "ru"} {
			guest := a.As(language)
			guest.Patch(preferencesPath, apptest.Fields{"language": language}).Want(200)
			guest.Join(event)
		}
		org.Post("/events/"+event+"/cancel", nil).Want(200)
		a.Clock.Advance(2 * time.Minute)
		for language, want := range map[string]string{"en": "Canceled: “Chess”", "de": "Abgesagt: „Chess“", "ru": "Отменена встреча «Chess»"} {
			if got := mailsTo(t, a, language); subjects(got) != want {
				t.Errorf("%s: %s", language, subjects(got))
			}
		}
	}, delivers...)
}

// TestMailOfHiddenContent sends nothing about a comment that was deleted, from somebody who
// was suspended, or of a change of an event that was canceled.
func TestMailOfHiddenContent(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ben := a.As("org"), a.As("ben")
		org.Patch(preferencesPath, rule("post_commented", "email", "instant")).Want(200)
		event := org.Publish(apptest.Fields{"title": "Chess"})
		ben.Join(event)
		posts := "/events/" + event + "/posts"
		comments := posts + "/" + org.Post(posts, apptest.Fields{"body": "Hello"}).Want(201).Text("id") + "/comments"
		deleted := ben.Post(comments, apptest.Fields{"body": "Spam"}).Want(201).Text("id")
		ben.Delete(comments + "/" + deleted).Want(204)
		ben.Post(comments, apptest.Fields{"body": "Nice"}).Want(201)
		a.Clock.Advance(2 * time.Minute)
		if got := mailsTo(t, a, "org"); len(got) != 1 || !strings.Contains(got[0].Text, "Nice") {
			t.Errorf("mails about comments: %s", subjects(got))
		}
		ben.Post(comments, apptest.Fields{"body": "Spam"}).Want(201)
		org.Patch("/events/"+event, apptest.Fields{"location_text": "Elsewhere"}).Want(200)
		org.Post("/events/"+event+"/cancel", nil).Want(200)
		a.Exec(mailSuspendStmt, ben.ID())
		a.Clock.Advance(2 * time.Minute)
		if got := mailsTo(t, a, "org"); len(got) != 1 {
			t.Errorf("mails of a suspended user: %s", subjects(got))
		}
	}, delivers...)
}

// TestUpdateOfCanceledEventIsNotMailed sends only the cancellation.
func TestUpdateOfCanceledEventIsNotMailed(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(apptest.Fields{"title": "Chess"})
		a.As("ann").Join(event)
		org.Patch("/events/"+event, apptest.Fields{"location_text": "Elsewhere"}).Want(200)
		org.Post("/events/"+event+"/cancel", nil).Want(200)
		a.Clock.Advance(2 * time.Minute)
		if got := mailsTo(t, a, "ann"); subjects(got) != "Canceled: “Chess”" {
			t.Errorf("mails: %s", subjects(got))
		}
	}, delivers...)
}

// TestMailShowsUploadedPicture shows the cover of the event with its alternative text, unless it lies
// on another host, which would learn who reads the mail.
func TestMailShowsUploadedPicture(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		for _, row := range []struct {
			name, image, want string
		}{
			{"own", apptest.BaseURL + "/media/3f/3f9a-960.jpg", `<img src="` + apptest.BaseURL + `/media/3f/3f9a-960.jpg" alt="A board &amp; &#34;pieces&#34;"`},
			{"foreign", "https://example.org/media/3f/3f9a-960.jpg", ""},
			{"alike", "https://moothall.test.example.org/media/3f/3f9a-960.jpg", ""},
		} {
			event := org.Publish(apptest.Fields{"title": "Chess", "image_url": row.image, "image_alt": `A board & "pieces"`})
			a.As(row.name).Join(event)
			org.Post("/events/"+event+"/cancel", nil).Want(200)
			a.Clock.Advance(2 * time.Minute)
			got := mailsTo(t, a, row.name)
			if len(got) != 1 || strings.Contains(got[0].HTML, "/media/") != (row.want != "") || !strings.Contains(got[0].HTML, row.want) {
				t.Errorf("%s: %v", row.name, got)
			}
		}
	}, delivers...)
}

// TestMailOfNewAccess warns of a new API key, whatever the preferences say, and without the key.
func TestMailOfNewAccess(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		ann.Patch(preferencesPath, apptest.Fields{"quiet_hours": apptest.Fields{"from": "11:00", "to": "15:00"}}).Want(200)
		for _, kind := range []string{"api_key_added", "passkey_added", "new_device"} {
			for _, mode := range []string{"off", "digest"} {
				ann.Patch(preferencesPath, rule(kind, "email", mode)).WantError(400, "invalid_request")
			}
		}
		key := ann.Post("/me/api-keys", apptest.Fields{"name": "Script", "scopes": []string{"events:read"}}).Want(201)
		a.RunJobs()
		ann.Post("/notifications/read-all", nil).Want(200)
		a.Clock.Advance(2 * time.Minute)
		got := mailsTo(t, a, "ann")
		if subjects(got) != "An API key was added to your account" {
			t.Fatalf("mails: %s", subjects(got))
		}
		for _, secret := range []string{key.Text("key"), "Script", "/u/", "List-Unsubscribe"} {
			if secret == "" || strings.Contains(got[0].Source+got[0].Text+got[0].HTML, secret) {
				t.Errorf("the mail has %q: %s", secret, got[0].Source)
			}
		}
	}, delivers...)
}

// TestMailOfNewDevice warns of a sign-in on a new device, but not of the first one of an account.
func TestMailOfNewDevice(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		a.As("ann")
		a.Clock.Advance(time.Hour)
		a.RunJobs()
		if got := mailsTo(t, a, "ann"); len(got) != 0 {
			t.Fatalf("mails after the first sign-in: %s", subjects(got))
		}
		a.SignInWith(a.Anonymous().With("User-Agent", "Mozilla/5.0 (iPhone)"), apptest.Email("ann"))
		a.RunJobs()
		a.Clock.Advance(2 * time.Minute)
		if got := mailsTo(t, a, "ann"); subjects(got) != "New sign-in to your account (iPhone)" ||
			strings.Contains(got[0].Source, "List-Unsubscribe") {
			t.Fatalf("mails: %s", subjects(got))
		}
	}, delivers...)
}

// TestMailsNameNobodyIncognito mails about a guest who comes incognito, or does so before the mail is
// sent. Only the organizer reads their name.
func TestMailsNameNobodyIncognito(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, fan := a.As("org"), a.As("fan")
		org.Patch(preferencesPath, rule("event_joined", "email", "instant")).Want(200)
		fan.Patch(preferencesPath, rule("followed_user_going", "email", "instant")).Want(200)
		event := org.Publish(nil)
		path := "/events/" + event + "/join"
		for name, change := range map[string]func(c *apptest.Client){
			"Ivy Incognito": func(c *apptest.Client) {
				c.Post(path, apptest.Fields{"participation_visibility": "incognito"}).Want(200)
			},
			"Lia Later": func(c *apptest.Client) {
				c.Join(event)
				a.RunJobs()
				c.Post(path, apptest.Fields{"participation_visibility": "incognito"}).Want(200)
			},
			"Petra Publicly": func(c *apptest.Client) { c.Join(event) },
		} {
			guest := a.As(strings.ToLower(name[:3]))
			guest.Patch("/me/profile", apptest.Fields{"display_name": name}).Want(200)
			fan.Follow(guest)
			change(guest)
		}
		a.RunJobs()
		a.Clock.Advance(2 * time.Minute)
		if got := mailsTo(t, a, "org"); len(got) != 3 {
			t.Errorf("to the organizer: %s", subjects(got))
		}
		if got := mailsTo(t, a, "fan"); len(got) != 1 || !strings.HasPrefix(got[0].Subject, "Petra Publicly is going") {
			t.Errorf("to a follower: %s", subjects(got))
		}
		outbox := smtp.Outbox{DB: a.DB}
		all, err := outbox.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			m, err := outbox.Read(t.Context(), m.ID)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"Ivy", "Lia"} {
				if text := m.Subject + m.Text + m.HTML; m.To != apptest.Email("org") && m.To != apptest.Email(strings.ToLower(name)) &&
					strings.Contains(text, name) {
					t.Errorf("%s reads of %s: %s", m.To, name, text)
				}
			}
		}
	}, delivers...)
}
