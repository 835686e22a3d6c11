package webtest

import (
	"net/http"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"moothall/internal/apptest"
)

// useKeyboard reaches several goals by keys alone, one after the other.
func useKeyboard(j *journey) {
	email := j.Email("ann")
	org := j.App.As("org").In(j.T)
	event := "/events/" + j.event("org", "Chess", nil)
	vote := "/events/" + org.Publish(j.eventFields("Picnic", nil))
	org.Patch(vote+"/date-mode", apptest.Fields{"mode": "vote"}).Want(http.StatusNoContent)
	org.Post(vote+"/date-options", apptest.Fields{"starts_at": j.App.Clock.Now().Add(60 * time.Hour).UTC().Format(time.RFC3339)}).Want(http.StatusCreated)
	for _, goal := range []struct {
		name string
		run  func()
	}{
		{"skip the navigation", func() {
			j.Open("/people")
			j.key(kb.Tab)
			j.await("the link at the beginning", `document.activeElement.className === "skip" && document.activeElement.getBoundingClientRect().top >= 0`)
			j.key(kb.Enter)
			j.key(kb.Tab)
			j.await("the focus in the content", `document.querySelector("main").contains(document.activeElement)`)
		}},
		{"sign in", func() {
			j.Open("/login?return_to=" + event)
			j.tabTo("E-mail address")
			j.key(email + kb.Enter)
			j.See("We have sent a code to " + email)
			j.tabTo("Code")
			j.key(codeInMail.FindString(j.App.Mail(email).Text) + kb.Enter)
			j.At(event)
		}},
		{"join incognito", func() {
			j.tabTo("Show me on the guest list")
			j.key(kb.ArrowDown)
			j.tabTo("Join")
			j.key(kb.Enter)
			j.See("You are going incognito")
		}},
		{"leave", func() {
			j.tabTo("I cannot come")
			j.key(kb.Enter)
			j.See("3 seats left")
		}},
		{"vote", func() {
			j.Open(vote)
			j.tabTo("Join")
			j.key(kb.Enter)
			j.See("You are going.")
			j.tabTo(read[string](j, "the date", `document.querySelector("[name=option_id]").labels[0].textContent.trim()`))
			j.key(" ")
			j.tabTo("Save my votes")
			j.key(kb.Enter)
			j.See("1 vote")
		}},
		{"publish", func() {
			draft := "/events/" + j.App.SignIn(email).In(j.T).Draft(j.eventFields("Go evening", nil))
			j.Open(draft + "/edit?step=publish")
			j.tabTo("Publish")
			j.key(kb.Enter)
			j.At(draft)
			j.See("3 seats left")
		}},
	} {
		goal.run()
		j.Logf("by keyboard: %s", goal.name)
	}
}

// key presses keys.
func (j *journey) key(keys string) {
	j.Helper()
	j.settle()
	j.do(chromedp.KeyEvent(keys))
}

// maxTabs is more than any page has to step through.
const maxTabs = 80

// tabTo presses Tab until the focus is on what has a name.
func (j *journey) tabTo(name string) {
	j.Helper()
	for range maxTabs {
		j.key(kb.Tab)
		if read[bool](j, "the focus", `(e => (e.labels?.[0]?.textContent ?? e.ariaLabel ?? e.textContent).trim().startsWith(`+literal(name)+`))(document.activeElement)`) {
			return
		}
	}
	j.Fatalf("%s: Tab does not reach %s", j.name, name)
}
