package browser

import "moothall/internal/test/apptest"

// reportAndModerate reports an event, which a moderator then cancels.
func reportAndModerate(j *journey) {
	event := j.event("org", "Free money", nil)
	j.Open("/login?return_to=/events/" + event)
	j.signIn(j.Email("ann"))
	j.Press("Report this event")
	j.See("Only moderators see your report")
	j.Select("field-reason", "other")
	j.Press("Send the report")
	j.See("in at most 2000 characters")
	j.Fill("What should the moderators know?", "Asks for my bank account "+j.name)
	j.Press("Send the report")
	j.See("The moderators will look at it.")
	j.Press("Back")
	j.At("/events/" + event)
	j.Press("Sign out")
	j.See("Sign in")

	j.Open("/login?return_to=/profile")
	j.signIn(apptest.Email("mod"))
	j.Open("/moderation")
	j.Press("Events")
	j.See("Asks for my bank account " + j.name)
	j.act("the decision on the report", `[...document.querySelectorAll("article")].find(a => a.textContent.includes(`+literal(j.name)+
		`))?.querySelector("a.button")`, j.click())
	j.await("the form", `document.querySelector("#decision") !== null`)
	j.Accessible()
	j.Select("decision", "resolved cancel_event")
	j.Fill("Note", "Fraud")
	j.Press("Save the decision")
	j.await("the next report", `location.search === "?target_type=event" && !document.querySelector("#decision")`)
	j.Open("/events/" + event)
	j.See("Canceled")
}
