package browser

import (
	"github.com/chromedp/chromedp"

	"moothall/internal/test/apptest"
)

// lookAround sees where an event is, follows its organizer, and finds a similar event.
func lookAround(j *journey) {
	place := apptest.Fields{"category": "chess", "lat": 52.52, "lng": 13.405}
	event := j.shared("events", j.event("org", "Chess in the park", place))
	similar := j.event("other", "Chess by the river", place)
	j.signInAs("ben")
	j.do(chromedp.EmulateViewport(390, 844))
	j.Open(event)
	if j.Scripts {
		j.await("no map", `!performance.getEntriesByType("resource").some(r => /map|basemap|around/.test(r.name))`)
		j.Press("Show the map")
		j.seeMap()
		j.await("a pin", `document.querySelector("event-map").shadowRoot.querySelector("canvas").clientHeight > 200`)
		j.scrollTo("#facts")
		j.snapshot("event-map")
		j.scrollTo("#around")
		j.See("Similar events nearby")
		j.scrollTo("#around")
		j.snapshot("event-around")
	} else {
		j.await("no button", `!document.querySelector("event-map button").checkVisibility()`)
		j.Press("More from the organizer, and similar events")
	}
	j.AccessibleAgain()
	j.Press("Follow")
	j.See("Unfollow")
	if j.Scripts {
		j.await("the page of the event", "location.pathname === "+literal(event))
	}
	j.Press("Chess by the river " + j.name)
	j.At("/events/" + similar)
}
