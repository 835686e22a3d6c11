package browser

import (
	"net/http"

	"moothall/internal/test/apptest"
)

// chatTogether lets two people chat, each in a window of their own, of whom one loses the connection.
func chatTogether(j *journey) {
	network := apptest.NewCable(j.T, j.base)
	j.base = network.URL
	event := j.event("org", "Chess in the park", apptest.Fields{"capacity": nil})
	chat := "/events/" + event + "/chat"
	for _, name := range []string{"ann", "ben"} {
		j.App.As(name).In(j.T).Join(event)
	}
	j.signInAs("ann")
	j.Open(chat)
	j.See("Nobody has written yet")
	j.live()
	runJourney(j.T, j.App, j.name+", the other window", true, func(other *journey) {
		other.signInAs("ben")
		other.Open(chat)
		other.live()
		other.act("the line that shows for a few seconds who is typing", `document.querySelector("[data-typing]")`,
			`line => new MutationObserver(() => { document.typing ||= line.checkVisibility() && line.innerText; }).observe(line, {attributes: true})`)
		j.Fill("Write a message", "Who brings the board?")
		other.await("somebody who is typing", `document.typing?.includes("Somebody is typing")`)
		j.Press("Send")
		other.See("Who brings the board?")
		other.Fill("Write a message", "I do: https://example.org/board.")
		other.Press("Send")
		j.See("I do")
		j.live()
		j.await("a link", `document.querySelector(".line a")?.href === "https://example.org/board"`)
	})
	j.AccessibleAgain()
	network.Cut()
	j.App.As("ben").In(j.T).Post("/events/"+event+"/messages", apptest.Fields{"body": "On my way."}).Want(http.StatusCreated)
	j.See("On my way.")
	j.live()
	if got := read[int](j, "the messages", `document.querySelectorAll(".line").length`); got != 3 {
		j.Errorf("%d messages, want 3", got)
	}
}

// live waits until the chat is connected and has sent what was written.
func (j *journey) live() {
	j.Helper()
	j.await("the connection", `(chat => chat.dataset.now === "live" && !chat.querySelector("[type=submit]").disabled)(document.querySelector("event-chat"))`)
}
