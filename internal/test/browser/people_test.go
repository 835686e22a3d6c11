package browser

import (
	"moothall/internal/test/apptest"
)

// followAndBlock finds somebody, follows them and blocks them: then each is gone from the
// pages of the other.
func followAndBlock(j *journey) {
	event := j.event("ben", "Chess club", nil)
	ben := j.App.As("ben").In(j.T)
	ben.Patch("/me/profile", apptest.Fields{"display_name": "Ben " + j.name, "city": "Berlin",
		"interests": []string{"chess", "oud"}}).Want(200)
	j.Open("/login?return_to=/people")
	j.signIn(j.Email("ann"))
	j.See("People")
	j.Fill("Name", "ben "+j.name)
	j.Press("Find")
	j.See("Ben " + j.name)
	j.Press("Ben " + j.name)
	j.At("/users/" + ben.ID().String())
	j.See("Chess club " + j.name)
	j.Press("Follow")
	j.See("1 follower")
	j.openDetails("Block")
	j.Press("Block this person")
	j.See("You block this person.")
	j.SeeNot("Chess club " + j.name)
	j.Accessible()
	j.Open("/events/" + event)
	j.See("This page does not exist")
	j.Open("/people?q=ben")
	j.See("Nobody found")
}

// openDetails opens the part of the page with a summary.
func (j *journey) openDetails(summary string) {
	j.Helper()
	j.act("the part "+summary, `[...document.querySelectorAll("summary")].find(s => s.textContent.trim() === `+literal(summary)+`)`,
		`s => { s.parentElement.open = true; }`)
}
