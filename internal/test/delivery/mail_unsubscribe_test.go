package delivery_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/smtp"
	"moothall/internal/test/apptest"
)

var unsubscribeURL = regexp.MustCompile(`https://moothall\.test(/u/[\w-]+)`)

// unsubscribePaths returns the paths of the links that end a kind and mute the event.
func unsubscribePaths(t *testing.T, m smtp.Stored) []string {
	t.Helper()
	var paths []string
	for _, found := range unsubscribeURL.FindAllStringSubmatch(m.Text, -1) {
		paths = append(paths, found[1])
	}
	return paths
}

// TestUnsubscribe ends a kind by one request without a session. A GET changes nothing.
func TestUnsubscribe(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		canceledFor(a, "ann")
		a.Clock.Advance(2 * time.Minute)
		got := mailsTo(t, a, "ann")
		paths := unsubscribePaths(t, got[0])
		if len(paths) != 2 || headersOf(t, got[0]).Get("List-Unsubscribe") != "<https://moothall.test"+paths[0]+">" {
			t.Fatalf("links: %v", paths)
		}
		ann, anybody := a.As("ann"), a.Anonymous()
		mode := func() string { return modeOf(ann.Get(preferencesPath).Want(200), "event_canceled", "email") }
		page := anybody.Get(paths[0]).Want(200)
		if !strings.Contains(string(page.Body), `<form method="post">`) || mode() != "instant instant" ||
			page.Header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("after a GET: %s %s", mode(), page.Body)
		}
		oneClick := anybody.With("Content-Type", "application/x-www-form-urlencoded")
		if reply := oneClick.Post(paths[0], "List-Unsubscribe=One-Click").Want(200); reply.Header.Get("Set-Cookie") != "" ||
			reply.Header.Get("Location") != "" {
			t.Errorf("the reply has a cookie or a redirect: %v", reply.Header)
		}
		if mode() != "off instant" {
			t.Errorf("after one click: %s", mode())
		}
		oneClick.Post(paths[0], "List-Unsubscribe=One-Click").Want(200)
		canceledFor(a, "ann")
		a.Clock.Advance(2 * time.Minute)
		if got := mailsTo(t, a, "ann"); len(got) != 1 {
			t.Errorf("a mail of a kind that was ended: %s", subjects(got))
		}

		if n := a.Count(mutedRowsStmt); n != 0 {
			t.Fatal("an event is muted")
		}
		anybody.Get(paths[1]).Want(200)
		if n := a.Count(mutedRowsStmt); n != 0 {
			t.Error("a GET muted the event")
		}
		anybody.With("Accept-Language", "de").Post(paths[1], nil).Want(200)
		if n := a.Count(mutedRowsStmt); n != 1 {
			t.Error("the event is not muted")
		}

		for _, forged := range []string{"/u/x", "/u/" + strings.Repeat("A", 200), paths[0] + "A", paths[0][:len(paths[0])-2],
			strings.Replace(paths[0], paths[0][3:6], "AAA", 1)} {
			anybody.Get(forged).Want(404)
			anybody.Post(forged, nil).Want(404)
		}
		ann.Delete("/me").Want(204)
		oneClick.Post(paths[0], "List-Unsubscribe=One-Click").Want(200)
		anybody.Post(paths[1], nil).Want(200)
		if n := a.Count(storedStmt) + a.Count(mutedRowsStmt); n != 0 {
			t.Errorf("%d rows of a deleted account", n)
		}
	}, delivers...)
}

// TestScannersOpenLinksInVain opens every kind of link as programs do that check mails. Only a POST
// works, from any device, without a session.
func TestScannersOpenLinksInVain(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Publish(apptest.Fields{"title": "Chess", "starts_at": apptest.Today.Add(60 * time.Hour)})
		path := "/events/" + event
		org.Patch(preferencesPath, apptest.Fields{"digest": apptest.Fields{"hour": 13, "weekdays": []int{1}}}).Want(200)
		org.Patch(path+"/reminders", apptest.Fields{"enabled": true, "ask_again": true, "channels": []string{"email"}}).Want(200)
		ann.Join(event)
		newest := func(name string, after time.Duration) smtp.Stored {
			a.RunJobs()
			a.Clock.Advance(after)
			a.RunJobs()
			a.Clock.Advance(2 * time.Minute)
			return a.Mail(apptest.Email(name))
		}
		going := unsubscribePaths(t, newest("ann", 2*time.Minute))
		digest := unsubscribePaths(t, newest("org", time.Hour))
		asked := unsubscribePaths(t, newest("ann", 12*time.Hour))
		if len(going) != 2 || len(asked) != 3 || len(digest) != 1 {
			t.Fatalf("links %v, %v, %v", going, asked, digest)
		}
		state := func() string {
			count := org.Get(path).Want(200).Number("participant_count")
			return fmt.Sprint(count, a.Count(mutedRowsStmt), string(org.Get(preferencesPath).Want(200).Body),
				string(ann.Get(preferencesPath).Want(200).Body))
		}
		for kind, link := range map[string]string{
			"calendar": going[0], "event": going[1], "participation": asked[0], "reminders": asked[1], "digest": digest[0],
		} {
			before := state()
			for range 3 {
				a.Anonymous().Get(link).Want(200)
				a.Anonymous().Do("HEAD", link, nil).Want(200)
			}
			if state() != before {
				t.Errorf("%s: a scanner has used the link", kind)
			}
			a.Anonymous().Post(link, nil).Want(200)
			if state() == before {
				t.Errorf("%s: a POST from another device did nothing", kind)
			}
		}
	}, delivers...)
}
