package browser

import (
	"fmt"
	"maps"
	"net/http"
	"time"

	"moothall/internal/test/apptest"
)

// event publishes an event of its own for a journey.
func (j *journey) event(organizer, title string, changes apptest.Fields) string {
	j.Helper()
	return j.App.As(organizer).In(j.T).Publish(j.eventFields(title, changes))
}

// eventFields are those of an event of its own for a journey.
func (j *journey) eventFields(title string, changes apptest.Fields) apptest.Fields {
	fields := apptest.Fields{
		"title": title + " " + j.name, "starts_at": j.App.Clock.Now().Add(50 * time.Hour).UTC().Format(time.RFC3339),
		"city": "Berlin", "location_text": "Café am Park", "category": "games", "capacity": 3,
		"description": "Rules: https://example.org/rules. Bring a friend!",
	}
	maps.Copy(fields, changes)
	return fields
}

func findJoinLeave(j *journey) {
	event := j.event("org", "Board games", nil)
	other := j.event("org", "Morning run", nil)
	if j.Scripts {
		j.do(preferences()) // pages change with a transition
	}
	j.Open("/login?return_to=/")
	j.signIn(j.Email("ben"))
	j.See("What is on")
	j.await("the motion", fmt.Sprintf(`matchMedia("(prefers-reduced-motion: no-preference)").matches === %t`, j.Scripts))
	j.Fill("What", "board "+j.name)
	j.Fill("City", "berlin")
	j.Press("Find")
	j.See("Board games " + j.name)
	j.SeeNot("Morning run " + j.name)
	j.Press("Board games " + j.name)
	j.At("/events/" + event)
	j.See("3 seats left")
	j.See("Only the organizer sees your name")
	j.Press("Join")
	j.See("You are in")
	j.See("You are going. See you there!")
	j.See("2 seats left")
	j.AccessibleAgain()
	j.Press("Go incognito")
	j.See("You are going incognito")
	j.SeeNot("You are in")
	j.Press("Show me on the guest list")
	j.See("You are going. See you there!")
	j.openDetails("I cannot come")
	j.See("Your place becomes free for others.")
	j.See("2 seats left")
	j.Press("Yes, leave")
	j.See("3 seats left")
	j.Open("/events/" + other)
	j.See("0 going")
}

func joinWithEmail(j *journey) {
	event := j.event("org", "Oud evening", nil)
	j.Open("/events/" + event)
	j.Choose("Go incognito")
	j.Press("Join")
	j.See("Join by e-mail")
	j.Accessible()
	j.Fill("Your name", "Chloé "+j.name)
	j.Fill("E-mail address", j.Email("chloo"))
	j.Press("Send me a code")
	j.See("We have sent a code to " + j.Email("chloo"))
	j.Press("Other address")
	j.Fill("E-mail address", j.Email("chloe"))
	j.Press("Send me a code")
	j.See("We have sent a code to " + j.Email("chloe"))
	j.Fill("Code", "000000")
	j.Press("Join now")
	j.See("wrong or has expired")
	j.Fill("Code", codeInMail.FindString(j.App.Mail(j.Email("chloe")).Text))
	j.Press("Join now")
	j.See("You are in")
	j.See("You are going incognito")
	j.See("Chloé " + j.name)
	j.See("Sign out")
	j.Accessible()
	j.Press("Moothall")
	j.At("/my")
	j.See("Oud evening " + j.name)
	j.AccessibleAgain()
	j.App.As("org").In(j.T).Post("/events/"+event+"/messages", apptest.Fields{"body": "Bring tea!"}).Want(http.StatusCreated)
	j.Press("Chats")
	j.At("/chats")
	j.See("Bring tea!")
	j.See("unread: 1")
	j.AccessibleAgain()
	j.Press("Oud evening " + j.name)
	j.At("/events/" + event + "/chat")
}

// joinQuickly gets from a link to "You are in" in three taps, although the service is busy when the code comes. A code is for one use, and
// nobody enters it twice.
func joinQuickly(j *journey) {
	j.Open(j.shared("events", j.event("org", "Moon walk", nil)))
	j.Press("Join")
	j.Fill("Your name", "Dana "+j.name)
	j.Fill("E-mail address", j.Email("dana"))
	j.Press("Send me a code")
	j.See("We have sent a code to " + j.Email("dana"))
	j.Fill("Code", codeInMail.FindString(j.App.Mail(j.Email("dana")).Text))
	j.busyOnce()
	j.Press("Join now")
	j.See("You are in")
	if j.pressed > 4 {
		j.Errorf("%d taps", j.pressed)
	}
}

// joinByLink joins a private event by the link of its host, from a browser without a session. Its address alone shows nothing.
func joinByLink(j *journey) {
	org := j.App.As("org").In(j.T)
	event := j.event("org", "Cellar concert", apptest.Fields{"visibility": "private", "location_text": "Behind the blue door"})
	_, link := newInviteLink(org, event)
	j.Open("/events/" + event)
	j.See("Nothing here, or only for invited people")
	j.Accessible()
	j.Open(link)
	j.See("Cellar concert " + j.name)
	j.SeeNot("blue door")
	j.AccessibleAgain()
	j.Press("Join")
	j.Fill("Your name", "Lena "+j.name)
	j.Fill("E-mail address", j.Email("lena"))
	j.Press("Send me a code")
	j.See("We have sent a code to " + j.Email("lena"))
	j.Fill("Code", codeInMail.FindString(j.App.Mail(j.Email("lena")).Text))
	j.Press("Join now")
	j.See("You are in")
	j.See("Behind the blue door")
	j.Open(link) // leads to the event from now on
	j.See("Behind the blue door")
}
