package browser

import (
	"net/http"
	"path"
	"strings"
	"time"

	"moothall/internal/test/apptest"
)

// runGroup founds a group, whom members join by its link, and gives it a weekly series: one date moves, one is skipped. A member joins
// all dates, and an outsider subscribes to them.
func runGroup(j *journey) {
	name := "Board games " + j.name
	j.signInAs("organizer")
	j.Open("/events/new")
	j.Press("New group")
	j.Fill("Name", name)
	j.Fill("City", "Berlin")
	j.Fill("About the group", "Every week, in the back room.")
	j.AccessibleAgain()
	j.Press("Create the group")
	j.See("This group is yours.")
	j.AccessibleAgain()
	page := read[string](j, "the address", "location.pathname")
	j.Press("New event")
	j.Fill("Title", "Games night "+j.name)
	j.Fill("Starts", j.App.Clock.Now().Add(70*time.Hour).UTC().Format("2006-01-02T15:04"))
	j.Select("field-timezone", "UTC")
	j.Press("Save draft")
	j.See("Saved")
	j.Press("Repeat this event")
	j.Press("Show dates")
	j.Press("Create the series")
	j.See("Manage the series")
	series := read[string](j, "the series", "location.pathname")
	j.Press("Skip")
	j.See("Skipped")

	group := j.App.Anonymous().In(j.T).Get("/groups?slug=" + path.Base(page)).Want(http.StatusOK).Text("items.0.id")
	j.move(series)
	for _, member := range []string{"ann", "cleo"} { // by the link
		j.signInWith(j.Email(member))
		j.Open(page)
		j.Press("Join the group")
		j.See("You are a member.")
	}
	j.signInWith(j.Email("ben"))
	j.Open(page)
	j.See("3 members")
	j.Press("Join the group")
	j.See("You are a member.")
	j.See("4 members")
	j.AccessibleAgain()
	j.Press("Games night " + j.name)
	j.See(name)
	j.Press("Join all dates")
	j.See("You are going to all dates")
	j.Press("Sign out")
	j.Open(page)
	j.openDetails("Subscribe or embed")
	j.See("In my calendar (iCal)")
	j.feedHas(group)
}

// move moves the third date of a series by an hour, in its form.
func (j *journey) move(series string) {
	j.Helper()
	dates := j.App.SignIn(apptest.Email("organizer")).In(j.T).Get(series + "/events").Want(http.StatusOK)
	third := dates.Text("items.2.event.id")
	starts, err := time.Parse(time.RFC3339, dates.Text("items.2.event.starts_at"))
	if err != nil {
		j.Fatal(err)
	}
	j.Open("/events/" + third + "/edit")
	j.Fill("Starts", starts.Add(time.Hour).UTC().Format("2006-01-02T15:04"))
	j.Press("Save")
	j.See("Saved")
}

// feedHas fails unless the calendar of a group has a moved date and no canceled one.
func (j *journey) feedHas(group string) {
	j.Helper()
	list := j.App.Anonymous().In(j.T).Get("/events?group_id=" + group).Want(http.StatusOK)
	feed := string(j.App.Anonymous().In(j.T).Get("/groups/" + group + "/events.ics").Want(http.StatusOK).Body)
	if got := strings.Count(feed, "BEGIN:VEVENT"); got != list.Len("items") || got < 6 {
		j.Errorf("the feed has %d events, the list %d", got, list.Len("items"))
	}
}
