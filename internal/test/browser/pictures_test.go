package browser

import (
	"context"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// pictures are pages of the demo.
var pictures = []struct {
	name, path string
	as         string // signed in as this demo user; "" is nobody
	prepare    func(j *journey)
	documented bool // `make pictures` draws it into docs/pictures
}{
	{name: "discover", path: "/", documented: true, prepare: func(j *journey) {
		if wide, err := eval[bool](j, "innerWidth >= 1024"); err == nil && wide {
			j.seeMap()
		}
	}},
	{name: "event", path: demoEvent, documented: true},
	{name: "join", path: demoEvent, documented: true, prepare: func(j *journey) {
		j.Choose("Go incognito")
		j.Press("Join")
		j.See("Join by e-mail")
	}},
	{name: "event-map", path: demoEvent, prepare: func(j *journey) {
		j.Press("Show the map")
		j.seeMap()
		j.scrollTo("#facts")
	}},
	{name: "event-around", path: demoEvent, prepare: func(j *journey) {
		j.scrollTo("#around")
		j.See("Similar events nearby")
		j.scrollTo("#around")
	}},
	{name: "going", path: demoEvent, as: "ben@example.org"},
	{name: "in", path: demoEvent + "?joined=yes", as: "ben@example.org", documented: true},
	{name: "my", path: "/my", as: "ben@example.org", documented: true},
	{name: "my-hosting", path: "/my?role=hosting", as: "anna@example.org"},
	{name: "name", path: "/my", as: "new@example.org"},
	{name: "chat", path: demoEvent + "/chat", as: "ben@example.org", documented: true, prepare: demoChat},
	{name: "chats", path: "/chats", as: "ben@example.org"},
	{name: "organize", path: "/events/new", as: "ben@example.org", documented: true},
	{name: "edit", path: demoEvent + "/edit", as: "anna@example.org"},
	{name: "share", path: demoEvent + "/share?published", as: "anna@example.org", documented: true},
	{name: "poster", path: demoEvent + "/poster"},
	{name: "guests", path: demoEvent + "/guests", as: "anna@example.org"},
	{name: "guest-messages", path: demoEvent + "/guest-messages", as: "anna@example.org"},
	{name: "guest-messages-preview", path: demoDinner + "/guest-messages", as: "anna@example.org", prepare: func(j *journey) {
		j.Choose("Invited, not answered")
		j.Fill("Message", "Do you come? The table has eight seats, and I cook on Saturday.")
		j.Press("Preview")
		j.See("Check your message")
	}},
	{name: "hosted", path: demoTea, as: "anna@example.org"},
	{name: "guests-answers", path: demoTea + "/guests", as: "dmitri@example.org"},
	{name: "questions", path: demoTea + "/questions", as: "dmitri@example.org"},
	{name: "hosts", path: demoTea + "/hosts", as: "dmitri@example.org"},
	{name: "guests-private", path: demoDinner + "/guests", as: "anna@example.org", prepare: func(j *journey) { j.scrollTo("#links") }},
	{name: "link", path: "/", prepare: openDemoLink},
	{name: "link-member", path: "/", as: "greta@example.org", prepare: openDemoLink},
	{name: "link-missing", path: "/i/nothing"},
	{name: "answer", path: "/", prepare: openDemoAnswer},
	{name: "vote", path: "/?q=long+ones", as: "ben@example.org", documented: true, prepare: func(j *journey) {
		j.Press("Games night: the long ones")
		j.scrollTo("#dates")
	}},
	{name: "full", path: "/?q=sketching", as: "new@example.org", prepare: func(j *journey) {
		j.Press("Sketching on the Museum Island")
		j.scrollTo("#join")
	}},
	{name: "waiting", path: "/?q=sketching", as: "ben@example.org", prepare: func(j *journey) {
		j.Press("Sketching on the Museum Island")
		j.scrollTo("#join")
	}},
	{name: "requests", path: "/?q=photo", as: "emi@example.org", prepare: func(j *journey) {
		j.Press("Photo walk in Mitte")
		j.Press("Guests")
		j.scrollTo("#requests")
	}},
	{name: "asked", path: "/?q=photo", as: "anna@example.org", prepare: func(j *journey) {
		j.Press("Photo walk in Mitte")
		j.scrollTo("#join")
	}},
	{name: "waiting-list", path: "/?q=sketching", as: "chloe@example.org", prepare: func(j *journey) {
		j.Press("Sketching on the Museum Island")
		j.Press("Guests")
		j.scrollTo("#waiting")
	}},
	{name: "groups", path: "/groups"},
	{name: "group", path: demoGroup},
	{name: "group-owner", path: demoGroup, as: "anna@example.org"},
	{name: "group-news", path: demoGroup, as: "ben@example.org", prepare: func(j *journey) {
		anna := j.App.SignIn("anna@example.org").In(j.T)
		if anna.Get(demoGroup+"/announcements").Want(http.StatusOK).Len("items") == 0 {
			anna.Post(demoGroup+"/announcements", apptest.Fields{"body": "We meet in the garden from now on.\n\nBring a chair."}).
				Want(http.StatusCreated)
			j.Open(demoGroup)
		}
		j.scrollTo("#news")
	}},
	{name: "group-members", path: demoGroup + "/members", as: "anna@example.org"},
	{name: "group-edit", path: demoGroup + "/edit", as: "anna@example.org"},
	{name: "group-new", path: "/groups/new", as: "ben@example.org"},
	{name: "group-share", path: demoGroup + "/share", as: "ben@example.org"},
	{name: "my-groups", path: "/my/groups", as: "ben@example.org"},
	{name: "series", path: demoSeries, as: "anna@example.org"},
	{name: "series-event", path: "/?q=reading+circle", as: "ben@example.org", prepare: func(j *journey) {
		j.Press("Reading circle")
		j.scrollTo("#series")
	}},
	{name: "series-split", path: demoSeries + "/split", as: "anna@example.org"},
	{name: "series-mine", path: "/my?role=hosting", as: "anna@example.org"},
	{name: "repeat", path: demoEvent + "/repeat?repeat=weekdays&day=TU&every=2&until=2027-03-01", as: "anna@example.org"},
	{name: "posts", path: demoEvent, as: "ben@example.org", prepare: func(j *journey) { j.scrollTo(".post") }},
	{name: "reviews", path: demoOver, as: "ben@example.org", prepare: func(j *journey) { j.scrollTo("#reviews") }},
	{name: "feed", path: "/feed", as: "ben@example.org"},
	{name: "reposts", path: "/me/reposts", as: "ben@example.org", prepare: func(j *journey) {
		ben := j.App.SignIn("ben@example.org").In(j.T)
		post := ben.Get(demoEvent + "/posts").Want(http.StatusOK).Text("items.0.post.id")
		ben.Post(demoEvent+"/posts/"+post+"/repost", nil).Want(http.StatusOK)
		j.Open("/me/reposts")
	}},
	{name: "login", path: "/login"},
	{name: "calendar", path: "/calendar", as: "ben@example.org", documented: true},
	{name: "invite", path: "/calendar/invites/018f3b0a-5c1d-7000-8000-000000000121", as: "ben@example.org"},
	{name: "notifications", path: "/notifications", as: "anna@example.org", prepare: func(j *journey) {
		for _, name := range []string{"dmitri", "emi", "farid"} {
			j.App.SignIn(name+"@example.org").In(j.T).Post(demoEvent+"/join", apptest.Fields{})
		}
		j.App.RunJobs()
		j.Open("/notifications")
	}},
	{name: "mails", path: "/dev/mail/gallery", documented: true, prepare: demoMails},
	{name: "moderation", path: "/moderation", as: demoModerator, documented: true, prepare: demoReports},
	{name: "people", path: "/people"},
	{name: "mirrored", path: "/", prepare: func(j *journey) { j.choosePseudoLanguage(); j.Open("/") }},
	{name: "mirrored-event", path: demoEvent, prepare: func(j *journey) { j.choosePseudoLanguage(); j.Open(demoEvent) }},
	{name: "user", path: demoUser, as: "ben@example.org"},
	{name: "profile", path: "/profile", as: "ben@example.org"},
	{name: "settings", path: "/settings", as: "ben@example.org"},
	{name: "settings-notifications", path: "/settings/notifications", as: "ben@example.org"},
	{name: "settings-security", path: "/settings/security", as: "ben@example.org"},
	{name: "settings-keys", path: "/settings/keys", as: "ben@example.org"},
	{name: "offline", path: "/offline", as: "ben@example.org"},
	{name: "settings-webhooks", path: "/settings/webhooks", as: "ben@example.org"},
}

// demoGroup is the group of the demo.
const demoGroup = "/groups/018f3b0a-5c1d-7000-8000-0000000000d1"

// demoSeries is the reading circle of the demo.
const demoSeries = "/event-series/018f3b0a-5c1d-7000-8000-0000000000c1"

// demoUser organizes the first event of the demo.
const demoUser = "/users/018e3b0a-5c1d-7000-8000-0000000000a1"

// demoOver is an event of the demo that is over and has reviews.
const demoOver = "/events/018f3b0a-5c1d-7000-8000-00000000011c"

// demoEvent is the first event of the demo.
const demoEvent = "/events/018f3b0a-5c1d-7000-8000-0000000000e1"

// demoTea is an event of the demo with hosts.
const demoTea = "/events/018f3b0a-5c1d-7000-8000-0000000000e4"

// demoDinner is a private event of the demo with an invitation link.
const demoDinner = "/events/018f3b0a-5c1d-7000-8000-0000000000e7"

// openDemoLink opens the invitation link of the demo.
func openDemoLink(j *journey) {
	links := j.App.SignIn("anna@example.org").In(j.T).Get(demoDinner + "/invite-links").Want(http.StatusOK)
	j.Open("/i/" + path.Base(links.Text("items.0.url")))
}

var answerPath = regexp.MustCompile(`/i/mail/[\w-]+`)

// openDemoAnswer opens the link in the mail of an e-mail invitation.
func openDemoAnswer(j *journey) {
	anna := j.App.SignIn("anna@example.org").In(j.T)
	anna.Post(demoDinner+"/email-invitations", apptest.Fields{"emails": []string{"new.guest@example.org"},
		"message": "It would not be the same without you!"}).Want(http.StatusCreated)
	j.App.Clock.Advance(2 * time.Minute)
	j.App.RunJobs()
	j.Open(answerPath.FindString(j.App.Mail("new.guest@example.org").Text))
}

// demoModerator decides on reports.
const demoModerator = "greta@example.org"

// demoReports reports an event, a user and a post, the first time that it is drawn.
func demoReports(j *journey) {
	if reported, err := eval[bool](j, `document.querySelector("article") !== null`); err != nil || reported {
		return
	}
	for name, report := range map[string]apptest.Fields{
		"ben":   {"target_type": "event", "target_id": path.Base(demoEvent), "reason": "spam", "comment": "Is this an advertisement for the café?"},
		"chloe": {"target_type": "user", "target_id": path.Base(demoUser), "reason": "harassment"},
		"emi":   {"target_type": "post", "target_id": j.App.Anonymous().Get(demoEvent + "/posts").Text("items.0.post.id"), "reason": "hate"},
	} {
		j.App.SignIn(apptest.Email(name)).In(j.T).Post("/reports", report).Want(http.StatusCreated)
	}
	j.Open("/moderation")
}

// demoChat writes some messages on the page of a chat, the first time that it is drawn.
func demoChat(j *journey) {
	j.live()
	if written, err := eval[bool](j, `document.querySelector(".line") !== null`); err != nil || written {
		return
	}
	for _, m := range [][2]string{
		{"chloe", "Who brings the dice tower?"}, {"ben", "I do, and a game for six: https://example.org/rules."}, {"ben", "The table by the window is ours until eleven."},
		{"chloe", "Great. I am five minutes late, please begin without me!"}, {"ben", "No problem 🎲"},
	} {
		as := j.App.SignIn(apptest.Email(m[0])).In(j.T)
		as.Post(demoEvent+"/join", apptest.Fields{})
		as.Post(demoEvent+"/messages", apptest.Fields{"body": m[1]}).Want(http.StatusCreated)
	}
	j.See("No problem")
}

// demoMails shows six mails of the gallery, as high as they are.
func demoMails(j *journey) {
	j.await("the mails", `(() => {
		const shown = ["Tomorrow", "invites you", "is coming", "A passkey", "sign-in code", "more"];
		for (const h of document.querySelectorAll("main h2")) {
			const of = shown.findIndex(text => h.innerText.includes(text));
			if (of < 0) { h.nextElementSibling.remove(); h.remove(); continue; }
			shown.splice(of, 1);
			for (const f of h.nextElementSibling.children) { f.loading = "eager"; f.style.height = "34rem"; }
		}
		return true;
	})()`)
	j.settle()
}

// TestPictures draws the documented pages of the demo into the folder PICTURES, for a phone
// and a desktop; with PICTURES_ALL all pages, also for a tablet and in dark colours. Without
// PICTURES it does nothing.
func TestPictures(t *testing.T) {
	folder := os.Getenv("PICTURES")
	if folder == "" {
		t.Skip("draws pictures instead of testing: make pictures sets PICTURES")
	}
	all := os.Getenv("PICTURES_ALL") != ""
	schemes, devices := []string{"light"}, map[string]int64{"phone": 390, "desktop": 1280}
	if all {
		schemes, devices["tablet"] = append(schemes, "dark"), 768
	}
	a := apptest.New(t, db.SQLite, apptest.Setting("WEB_ORIGIN", "http://localhost"), apptest.Setting("PUBLIC_BASE_URL", "http://localhost"),
		apptest.Setting("NOTIFICATIONS", "mail,push"),
		apptest.Setting("MODERATION_ADMIN_EMAILS", demoModerator), apptest.Demo())
	for _, p := range pictures {
		if !all && !p.documented {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			runJourney(t, a, p.name, true, func(j *journey) {
				if p.as != "" {
					j.Open("/login")
					j.signIn(p.as)
					j.See("My events")
				}
				for _, scheme := range schemes {
					for device, width := range devices {
						j.settle()
						j.do(chromedp.EmulateViewport(width, 844), colours(scheme))
						j.Open(p.path)
						j.await("the fonts", "document.fonts.ready.then(() => true)")
						j.Open(p.path) // only a font that is cached is sure to be used
						if p.prepare != nil {
							p.prepare(j)
						}
						j.draw(filepath.Join(folder, strings.Join([]string{p.name, device, scheme}, "-")+".webp"))
					}
				}
			})
		})
	}
}

// scrollTo moves an element to the top of the window.
func (j *journey) scrollTo(selector string) {
	j.Helper()
	j.await("the element "+selector, `(e => e !== null && (e.scrollIntoView(), true))(document.querySelector(`+literal(selector)+`))`)
}

// snapshot draws what the window shows into the folder PICTURES, if there is one.
func (j *journey) snapshot(name string) {
	j.Helper()
	if folder := os.Getenv("PICTURES"); folder != "" {
		j.settle()
		j.draw(filepath.Join(folder, name+".webp"))
	}
}

// draw stores a picture of what the window shows.
func (j *journey) draw(file string) {
	j.Helper()
	j.await("the fonts", "document.fonts.ready.then(() => true)")
	j.await("the pictures in sight",
		`[...document.images].every(i => i.complete || !i.checkVisibility() || i.getBoundingClientRect().top > innerHeight)`)
	quality := int64(85)
	j.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		picture, err := cdp.Call(ctx, t, page.CaptureScreenshot, page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatWebp,
			Quality: &quality})
		if err != nil {
			return err
		}
		return os.WriteFile(file, picture.Data, 0o644)
	}))
}
