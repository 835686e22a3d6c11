package browser

import (
	"net/http"

	"moothall/internal/test/apptest"
)

// seeChangesLive keeps the page of an event open while others join and write.
func seeChangesLive(j *journey) {
	email := j.Email("org")
	org, ben := j.App.SignIn(email).In(j.T), j.App.As("ben").In(j.T)
	event := org.Publish(j.eventFields("Night of games", nil))
	j.Open("/login?return_to=/events/" + event)
	j.signIn(email)
	j.See("3 seats left")
	j.badge("")
	ben.Join(event)
	j.See("2 seats left")
	j.badge("1")
	ben.Post("/events/"+event+"/messages", apptest.Fields{"body": "Shall I bring tea?"}).Want(http.StatusCreated)
	j.await("an unread message", `document.querySelector("a[href$='/chat'] .badge")?.textContent === "1"`)
	j.Accessible()
	ben.Delete("/events/" + event + "/join").Want(http.StatusOK)
	j.See("3 seats left")
	if requests := read[int](j, "the requests",
		`performance.getEntriesByType("resource").filter(r => r.name.includes("/realtime/")).length`); requests != 0 {
		j.Errorf("%d requests for tickets or streams: the page opens its socket by the cookie", requests)
	}
}
