package webtest

import (
	"net/http"
	"strconv"
	"time"

	"moothall/internal/apptest"
)

// organize creates an event in steps, publishes it, changes its time and cancels it.
func organize(j *journey) {
	starts := j.App.Clock.Now().Add(70 * time.Hour).UTC()
	j.signInAs("organizer")
	j.Open("/events/new")
	j.Fill("Title", "Oud evening "+j.name)
	j.Fill("Starts", starts.Format("2006-01-02T15:04"))
	j.Fill("Time zone", "Europe/Berlin")
	j.Accessible()
	j.Press("Save and continue")
	j.See("On the map")
	j.Fill("Place", "Town hall")
	j.Fill("City", "Berlin")
	j.Accessible()
	j.Press("Save and continue")
	j.See("Who can come?")
	j.Fill("Seats", "8")
	j.Accessible()
	j.Press("Save and continue")
	j.See("The date is fixed")
	j.Choose("Remind all who go")
	j.Accessible()
	j.Press("Save and continue")
	j.See("Until now only you see this event")
	j.Accessible()
	j.Press("Publish")
	j.See("8 seats left")
	j.See("Town hall, Berlin")
	j.Press("Change the event")
	j.Fill("Starts", starts.Add(time.Hour).Format("2006-01-02T15:04"))
	j.Press("Save and continue")
	j.See("On the map")
	j.Press("Show the page of the event")
	j.See(starts.Add(time.Hour).Format("15:04"))
	j.Press("Change the event")
	j.Press("5 Publish")
	j.await("the details", `document.querySelector("details.cancel").open = true`)
	j.Press("Cancel the event for everybody")
	j.See("The organizer has canceled this event.")
}

// voteOnDate lets three people vote on the date of an event, and its organizer select one.
func voteOnDate(j *journey) {
	event := "/events/" + j.event("organizer", "Chess", apptest.Fields{"date_mode": "vote"})
	organizer := j.App.As("organizer").In(j.T)
	var days []string
	for i := range 3 {
		days = append(days, j.App.Clock.Now().Add(time.Duration(i+4)*24*time.Hour).UTC().Format(time.RFC3339))
		organizer.Post(event+"/date-options", apptest.Fields{"starts_at": days[i]}).Want(http.StatusCreated)
	}
	for i, name := range []string{"ben", "chloe"} {
		voter := j.App.As(name).In(j.T)
		voter.Post(event+"/join", apptest.Fields{}).Want(http.StatusOK)
		option := organizer.Get(event + "/date-options").Text("items." + strconv.Itoa(i) + ".id")
		voter.Post(event+"/date-options/"+option+"/votes", apptest.Fields{}).Want(http.StatusOK)
	}
	j.signInAs("farid")
	j.Open(event)
	j.See("Join the event to vote")
	j.Press("Join")
	j.See("Tick every date on which you can come")
	j.click(".votes input", 1)
	j.click(".votes input", 2)
	j.Press("Save my votes")
	j.See("2 votes")
	j.click(".votes input", 2)
	j.Press("Save my votes")
	j.See("0 votes")
	j.Accessible()
	j.signInAs("organizer")
	j.Open(event)
	j.See("Which date suits you?")
	j.Accessible()
	j.click(".votes button", 1)
	j.SeeNot("Which date suits you?")
	if e := organizer.Get(event); e.Text("event.starts_at") != days[1] {
		j.Errorf("%s", e.Body)
	}
}

// click clicks one of the elements that a selector matches.
func (j *journey) click(selector string, index int) {
	j.Helper()
	if _, err := eval[bool](j, "document.querySelectorAll("+literal(selector)+")["+strconv.Itoa(index)+"].click(), true"); err != nil {
		j.Fatal(err)
	}
}
