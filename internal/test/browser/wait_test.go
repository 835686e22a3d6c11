package browser

import (
	"net/http"
	"time"

	"moothall/internal/test/apptest"
)

// waitForSeat waits as the third of six for a seat of a full event, until a party of three leaves: the two of the second and the visitor
// get in. The party of four in front is too large, and those behind wait on.
func waitForSeat(j *journey) {
	event := j.event("org", "Chess", apptest.Fields{"capacity": 4, "max_party_size": 4, "waitlist": "automatic",
		"starts_at": j.App.Clock.Now().Add(100 * time.Hour).UTC().Format(time.RFC3339)})
	as := func(name string) *apptest.Client { return j.App.As(name).In(j.T) }
	path := "/events/" + event
	as("trio").Post(path+"/join", apptest.Fields{"party_size": 3}).Want(http.StatusOK)
	as("solo").Post(path+"/join", nil).Want(http.StatusOK)
	wait := func(name string, party int) {
		as(name).Post(path+"/waitlist", apptest.Fields{"party_size": party}).Want(http.StatusCreated)
	}
	again := func() { // only scripts show what others change
		if !j.Scripts {
			j.Open(path)
		}
	}
	wait("four", 4)
	wait("early", 1)
	wait("pair", 2)
	j.Open("/login?return_to=" + path)
	j.signIn(j.Email("ann"))
	j.Press("Join the waiting list")
	j.See("You are number 4 on the waiting list.")
	j.Accessible()
	wait("pair2", 2)
	wait("late", 1)
	wait("last", 1)
	as("early").Delete(path + "/waitlist").Want(http.StatusNoContent)
	again()
	j.See("You are number 3 on the waiting list.")
	as("trio").Delete(path + "/join").Want(http.StatusOK)
	j.App.RunJobs()
	again()
	j.See("You are going. See you there!")
	for name, want := range map[string]string{"four": "waiting", "pair": "joined", "pair2": "waiting", "late": "waiting", "last": "waiting"} {
		if entry := as(name).Get(path + "/waitlist").Want(http.StatusOK); entry.Text("status") != want {
			j.Errorf("%s: %s, want %s", name, entry.Body, want)
		}
	}
}
