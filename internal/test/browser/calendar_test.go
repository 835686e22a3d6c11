package browser

import (
	"net/http"
	"time"

	"moothall/internal/test/apptest"
)

func answerInvite(j *journey) {
	email := j.Email("guest")
	guest, org := j.App.SignIn(email).In(j.T), j.App.As("org").In(j.T)
	// The middle of a month is not among the days of the next one that its page shows.
	now := j.App.Clock.Now().UTC()
	starts := time.Date(now.Year(), now.Month()+1, 15, 12, 0, 0, 0, time.UTC)
	org.Post("/calendar/entries", apptest.Fields{
		"title": "Dinner " + j.name, "starts_at": starts.Format(time.RFC3339), "location_text": "Home",
		"invitee_user_ids": []string{guest.UserID},
	}).Want(http.StatusCreated)
	j.Open("/login?return_to=/calendar")
	j.signIn(email)
	j.See("1 invitation waits for your answer")
	j.Press("Dinner " + j.name)
	j.See("Will you come?")
	j.Press("Maybe")
	j.See("Your answer is saved")
	j.Press("I will come")
	j.await("the answer", `document.querySelector(".answers [aria-current]")?.value === "accepted"`)
	j.Accessible()
	j.Open("/calendar?month=" + starts.Format("2006-01"))
	j.SeeNot("waits for your answer")
	j.See("Dinner " + j.name)
	j.Press("Next month")
	j.SeeNot("Dinner " + j.name)
	j.Press("Previous month")
	j.See("Dinner " + j.name)
}

func useCalendarFeed(j *journey) {
	j.Open("/login?return_to=/calendar")
	j.signIn(j.Email("ann"))
	j.Press("Create an address")
	first := j.feedAddress("")
	j.AccessibleAgain()
	j.Press("New address")
	j.feedAddress(first)
	j.Press("Delete the address")
	j.See("Create an address")
}

// feedAddress waits until the page shows an address that differs from another one.
func (j *journey) feedAddress(not string) string {
	j.Helper()
	return read[string](j, "an address",
		`(address => address.endsWith(".ics") && address !== `+literal(not)+` ? address : null)(document.querySelector("#feed-address").value)`)
}
