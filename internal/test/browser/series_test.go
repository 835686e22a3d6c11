package browser

import "moothall/internal/test/apptest"

// repeatEvent makes a series of a draft, changes its coming dates, and skips one.
func repeatEvent(j *journey) {
	draft := j.App.As("organizer").In(j.T).Draft(j.eventFields("Reading circle", apptest.Fields{"timezone": "Europe/Berlin"}))
	j.signInAs("organizer")
	j.Open("/events/" + draft + "/edit")
	j.Press("Repeat this event")
	j.See("How often?")
	j.Press("Show dates")
	j.See("Next dates")
	j.Accessible()
	j.Press("Create the series")
	j.See("Manage the series")
	j.AccessibleAgain()
	j.Press("Skip")
	j.See("Skipped")
	j.Unfold("Change title or place")
	j.Fill("Title", "Book club "+j.name)
	j.Press("Change the dates")
	j.See("Book club " + j.name)
	j.Press("Other days or another time")
	j.See("From which date on?")
	j.AccessibleAgain()
	j.Press("Show dates")
	j.Press("Change the series")
	j.See("Book club " + j.name)
	j.See("Next dates")
}
