package browser

import (
	"context"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// keyboardJourneys are journeys of visitors who have no mouse: every step is a key. The long ones need some hundred
// keys on pages that share their parts with the short ones; only LONG_TESTS runs them.
var keyboardJourneys = []struct {
	name string
	long bool
	run  func(j *journey)
}{
	{name: "sign in", run: signInByKeyboard},
	{name: "find, join and leave", run: joinByKeyboard},
	{name: "join incognito with an e-mail address", long: true, run: joinIncognitoByKeyboard},
	{name: "create and publish an event", run: createByKeyboard},
	{name: "change the place, the picture and the time, and cancel", long: true, run: changeByKeyboard},
	{name: "vote on a date and select it", long: true, run: voteByKeyboard},
	{name: "chat", run: chatByKeyboard},
	{name: "post, reply, like and repost", long: true, run: postByKeyboard},
	{name: "answer an invite and open the calendar feed", long: true, run: answerByKeyboard},
	{name: "read notifications", long: true, run: notificationsByKeyboard},
	{name: "edit the profile, follow and block", long: true, run: followByKeyboard},
	{name: "revoke the other browser", long: true, run: revokeByKeyboard},
	{name: "export and delete", long: true, run: deleteByKeyboard},
	{name: "report and moderate", long: true, run: moderateByKeyboard},
}

func TestKeyboard(t *testing.T) {
	t.Parallel()
	a := newService(t, db.SQLite, 1)
	for _, row := range keyboardJourneys {
		t.Run(row.name, func(t *testing.T) {
			if row.long {
				testutil.OnlyLong(t)
			}
			runJourney(t, a, row.name+" by keyboard", true, row.run)
		})
	}
}

func signInByKeyboard(j *journey) {
	j.Open("/people?city=Berlin")
	j.key(kb.Tab)
	j.await("the link at the beginning",
		`document.activeElement.className === "skip" && document.activeElement.getBoundingClientRect().top >= 0`)
	j.key(kb.Enter)
	j.key(kb.Tab)
	j.await("the focus in the content", `document.querySelector("main").contains(document.activeElement)`)
	j.backTo("Sign in")
	j.key(kb.Enter)
	j.write("E-mail address", j.Email("ann")+kb.Enter)
	j.See("We have sent a code to " + j.Email("ann"))
	j.write("Code", codeInMail.FindString(j.App.Mail(j.Email("ann")).Text)+kb.Enter)
	j.At("/people?city=Berlin")
	j.enter("Sign out")
	j.At("/")
	j.See("Sign in")
}

func joinByKeyboard(j *journey) {
	event := j.event("org", "Board games", nil)
	j.signInAs("ben")
	j.Open("/")
	j.write("What", "board "+j.name)
	j.write("City", "berlin"+kb.Enter)
	j.See("Board games " + j.name)
	j.enter("Board games " + j.name)
	j.At("/events/" + event)
	j.enter("Join")
	j.See("You are going. See you there!")
	j.enter("I cannot come")
	j.enter("Yes, leave")
	j.See("3 seats left")
}

func joinIncognitoByKeyboard(j *journey) {
	j.Open("/events/" + j.event("org", "Oud evening", nil))
	j.tabTo("Show me on the guest list")
	j.key(kb.ArrowDown)
	j.enter("Join")
	j.See("Join by e-mail")
	j.write("E-mail address", j.Email("chloe")+kb.Enter)
	j.See("We have sent a code to " + j.Email("chloe"))
	j.write("Code", codeInMail.FindString(j.App.Mail(j.Email("chloe")).Text)+kb.Enter)
	j.See("You are going incognito")
	j.signInAs("org")
	j.Open("/")
	j.enter("Oud evening " + j.name)
	j.enter("Guests")
	j.See("Incognito")
}

func createByKeyboard(j *journey) {
	j.signInAs("organizer")
	j.Open("/")
	j.enter("Create")
	j.At("/events/new")
	j.key("Go evening " + j.name) // the page begins in this field
	j.write("Starts", inParts(j.App.Clock.Now().Add(70*time.Hour)))
	j.write("Time zone", "Europe/Be")
	j.write("Place", "Town hall")
	j.write("City", "Berlin")
	j.enter("Seats, price, online, vote")
	j.write("Seats", "8")
	j.enter("Publish")
	j.See("It is out!")
	j.enter("Show the event")
	j.See("8 seats left")
	j.See("Town hall, Berlin")
}

// inParts are the keys that enter a time into a field whose parts are in the order of English.
func inParts(at time.Time) string {
	return at.UTC().Format("01022006") + kb.ArrowRight + at.UTC().Format("0304PM")
}

func changeByKeyboard(j *journey) {
	event := j.event("organizer", "Lantern walk", nil)
	organizer := j.App.As("organizer").In(j.T)
	starts := organizer.Get("/events/" + event).Text("event.starts_at")
	j.signInAs("organizer")
	j.Open("/events/" + event)
	j.enter("Edit the event")
	j.write("Starts", inParts(j.App.Clock.Now().Add(80*time.Hour)))
	j.enter("Save")
	j.See("Saved")
	if changed := organizer.Get("/events/" + event).Text("event.starts_at"); changed <= starts {
		j.Errorf("starts at %s, before at %s", changed, starts)
	}
	j.enter("On the map (optional)")
	j.enter("Choose on the map")
	j.await("the map", `document.querySelector(".picker").shadowRoot?.querySelector(".canvas[data-ready]") != null`)
	before := read[string](j, "the latitude", `document.getElementById("field-lat").value`)
	j.tabTo("Map")
	j.key(kb.ArrowUp)
	j.await("another point", `document.getElementById("field-lat").value > `+literal(before))
	j.chooseFile("Picture", j.picture())
	j.See("The picture is stored.")
	j.write("Description of the picture", "A lantern")
	j.enter("Save")
	j.await("the picture", `document.querySelector(".cover img[alt='A lantern']") !== null`)
	j.enter("Cancel this event")
	j.enter("Cancel the event for everybody")
	j.See("The organizer has canceled this event.")
}

// chooseFile opens the dialog of the browser for a file by a key. The dialog itself is not a part of the page.
func (j *journey) chooseFile(label, file string) {
	j.Helper()
	opened := make(chan struct{}, 1)
	j.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.SetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: true})
		return err
	}))
	if err := chromedp.Listen(j.ctx, func(event any) {
		if _, is := event.(*page.EventFileChooserOpened); is {
			opened <- struct{}{}
		}
	}); err != nil {
		j.Fatal(err)
	}
	j.tick(label)
	select {
	case <-opened:
	case <-time.After(patience):
		j.Fatalf("%s opens no dialog", label)
	}
	j.do(chromedp.SetUploadFiles("input:focus", []string{file}))
}

func voteByKeyboard(j *journey) {
	event := "/events/" + j.event("organizer", "Picnic", apptest.Fields{"date_mode": "vote"})
	organizer := j.App.As("organizer").In(j.T)
	date := j.App.Clock.Now().Add(96 * time.Hour).UTC().Format(time.RFC3339)
	organizer.Post(event+"/date-options", apptest.Fields{"starts_at": date}).Want(http.StatusCreated)
	j.signInAs("ben")
	j.Open(event)
	j.enter("Join")
	j.See("Tick every date on which you can come")
	j.tick(read[string](j, "the date", `document.querySelector("[name=option_id]").labels[0].textContent.trim()`))
	j.enter("Save my votes")
	j.See("1 vote")
	j.signInAs("organizer")
	j.Open(event)
	j.enter("Choose ")
	j.SeeNot("Which date suits you?")
	if got := organizer.Get(event).Text("event.starts_at"); got != date {
		j.Errorf("starts at %s, want %s", got, date)
	}
}

func chatByKeyboard(j *journey) {
	event := j.event("org", "Chess in the park", nil)
	j.App.As("ann").In(j.T).Join(event)
	j.signInAs("ann")
	j.Open("/events/" + event)
	j.enter("Open the chat")
	j.live()
	j.write("Write a message", "Who brings the board?")
	j.enter("Send")
	j.await("the message", `document.querySelectorAll(".line").length === 1`)
	j.backTo("Write a message")
	j.key("I have two." + kb.Enter)
	j.await("two messages", `document.querySelectorAll(".line").length === 2`)
	j.live()
}

func postByKeyboard(j *journey) {
	event := "/events/" + j.event("org", "Lantern walk", nil)
	j.signInAs("org")
	j.Open(event)
	j.write("What is new?", "Bring a lantern. "+j.name)
	j.enter("Post")
	j.See("Bring a lantern. " + j.name)
	j.enter("Comment")
	j.await("the cursor in the field", `document.activeElement?.id === "field-body"`)
	j.key("Paper or glass?")
	j.enter("Post")
	j.See("Paper or glass?")
	j.enter("Reply")
	j.await("the cursor in the field", `document.activeElement?.id === "field-body"`)
	j.key("Paper, and a spare candle")
	j.enter("Post")
	j.See("2 comments")
	j.enter("Like: 0 likes")
	j.seeButton("Like: 1 like")
	j.enter("Repost: 0 reposts")
	j.seeButton("Repost: 1 repost")
	j.Open("/me/reposts")
	j.See("Bring a lantern. " + j.name)
	j.enter("Remove")
	j.SeeNot("Bring a lantern. " + j.name)
}

func answerByKeyboard(j *journey) {
	starts := j.App.Clock.Now().Add(50 * time.Hour).UTC()
	j.App.As("org").In(j.T).Post("/calendar/entries", apptest.Fields{
		"title": "Dinner " + j.name, "starts_at": starts.Format(time.RFC3339), "invitee_user_ids": []string{j.App.As("ben").UserID},
	}).Want(http.StatusCreated)
	j.signInAs("ben")
	j.Open("/")
	j.enter("Calendar")
	j.enter("Dinner " + j.name)
	j.See("Will you come?")
	j.enter("I will come")
	j.See("Your answer is saved")
	j.Open("/calendar?month=" + starts.Format("2006-01"))
	j.enter("Next month")
	j.SeeNot("Dinner " + j.name)
	j.enter("Previous month")
	j.See("Dinner " + j.name)
	j.enter("Create an address")
	j.feedAddress("")
	j.enter("Delete the address")
	j.See("Create an address")
}

func notificationsByKeyboard(j *journey) {
	email := j.Email("org")
	event := j.App.SignIn(email).In(j.T).Publish(j.eventFields("Chess evening", nil))
	for _, name := range []string{"ann", "ben", "chloe"} {
		j.App.As(name).In(j.T).Join(event)
	}
	j.App.RunJobs()
	j.signInWith(email)
	j.Open("/")
	j.badge("3")
	j.enter("Notifications")
	j.At("/notifications")
	j.enter("Mark as read")
	j.badge("2")
	j.enter(read[string](j, "an unread notification", `document.querySelector(".unread .title").textContent.trim()`))
	j.At("/events/" + event)
	j.badge("1")
	j.enter("Notifications")
	j.enter("Mark all as read")
	j.SeeNot("Mark all as read")
	j.badge("")
}

func followByKeyboard(j *journey) {
	j.event("ben", "Chess club", nil)
	j.App.As("ben").In(j.T).Patch("/me/profile", apptest.Fields{"display_name": "Ben " + j.name}).Want(http.StatusOK)
	j.signInWith(j.Email("dana"))
	j.Open("/profile")
	j.write("Your name", "Dana "+j.name)
	j.write("Interests", "chess, oud"+kb.Enter)
	j.await("the interests", `document.querySelector("#field-interests")?.defaultValue === "chess, oud"`)
	j.enter("As others see it")
	j.See("Dana " + j.name)
	j.enter("People")
	j.write("Name", "ben "+j.name+kb.Enter)
	j.enter("Ben " + j.name)
	j.See("Chess club " + j.name)
	j.enter("Follow")
	j.See("1 follower")
	j.enter("Block")
	j.enter("Block this person")
	j.See("You block this person.")
	j.SeeNot("Chess club " + j.name)
}

func revokeByKeyboard(j *journey) {
	email := j.Email("dana")
	other := j.App.SignIn(email)
	j.signInWith(email)
	j.Open("/profile")
	j.enter("Settings")
	j.enter("Security")
	j.See("This browser")
	j.enter("Sign out everywhere else")
	j.SeeNot("Sign out everywhere else")
	other.In(j.T).Get("/me").Want(http.StatusUnauthorized)
}

func deleteByKeyboard(j *journey) {
	files := j.TempDir()
	j.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
			Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: files, BrowserContextID: chromedp.FromContext(j.ctx).BrowserContextID,
		})
		return err
	}))
	j.signInWith(j.Email("erin"))
	j.Open("/settings")
	j.tabTo("Language")
	j.key("D") // Deutsch
	j.write("Time zone", "Europe/Vienna"+kb.Enter)
	j.See("Sprache und Zeitzone")
	j.enter("Alle meine Daten herunterladen")
	testutil.Until(j.T, "the download", func() bool {
		found, _ := filepath.Glob(filepath.Join(files, "*.json"))
		return len(found) == 1
	})
	j.enter("Mein Konto löschen")
	j.tick("Ja, alles löschen")
	j.enter("Endgültig löschen")
	j.At("/")
	j.See("Anmelden")
}

func moderateByKeyboard(j *journey) {
	event := "/events/" + j.event("org", "Free money", nil)
	j.signInAs("ann")
	j.Open(event)
	j.enter("Report this event")
	j.tabTo("What is wrong?")
	j.key("So") // Something else
	j.write("What should the moderators know?", "Asks for my bank account "+j.name)
	j.enter("Send the report")
	j.See("The moderators will look at it.")
	j.enter("Back")
	j.At(event)
	j.signInAs("mod")
	j.Open("/")
	j.enter("Moderation")
	j.enter("Events")
	j.See("Asks for my bank account " + j.name)
	j.enter("Decide")
	j.tabTo("Decision")
	j.key("Resolve, and c") // cancel the event
	j.write("Note", "Fraud")
	j.enter("Save the decision")
	j.await("the next report", `!document.querySelector("#decision")`)
	j.Open(event)
	j.See("Canceled")
}
