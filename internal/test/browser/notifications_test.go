package browser

func readNotifications(j *journey) {
	email := j.Email("org")
	org := j.App.SignIn(email).In(j.T)
	event := org.Publish(j.eventFields("Chess evening", nil))
	for _, name := range []string{"ann", "ben", "chloe"} {
		j.App.As(name).In(j.T).Join(event)
	}
	j.App.RunJobs()
	j.Open("/login?return_to=/notifications")
	j.signIn(email)
	j.At("/notifications")
	j.See("Today")
	j.badge("3")
	j.Press("Mark as read")
	j.badge("2")
	j.act("an unread notification", `document.querySelector(".unread .title")`, j.click())
	j.At("/events/" + event)
	j.badge("1")
	j.Open("/notifications")
	j.Press("Mark all as read")
	j.SeeNot("Mark all as read")
	j.badge("")
}

// badge waits until the navigation counts a number of unread notifications.
func (j *journey) badge(count string) {
	j.Helper()
	j.await(count+" unread notifications", `(document.querySelector(".badge")?.textContent ?? "") === `+literal(count))
}
