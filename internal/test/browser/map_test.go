package browser

import (
	"github.com/chromedp/chromedp"

	"moothall/internal/test/apptest"
)

// inMap are the links of the map, in its shadow tree.
const inMap = `[...document.querySelector("event-map").shadowRoot?.querySelectorAll("li a") ?? []]`

// seeMap waits until the map has drawn everything.
func (j *journey) seeMap() {
	j.Helper()
	j.await("the map", `document.querySelector("event-map")?.shadowRoot?.querySelector(".canvas")?.dataset.ready !== undefined`)
}

func findOnMap(j *journey) {
	event := j.event("org", "Chess in the park", apptest.Fields{"lat": 52.52, "lng": 13.405, "category": "chess", "timezone": "Asia/Tokyo"})
	j.event("org", "Chess by the river", apptest.Fields{"lat": 52.51, "lng": 13.42, "category": "chess"})
	j.do(chromedp.EmulateViewport(1280, 900))
	j.Open("/?category=chess")
	j.seeMap()
	j.await("a link for each pin", inMap+".length === 2")
	j.await("the time at the place", `(shown => `+inMap+`.some(a => a.nextSibling.textContent.endsWith(shown)))(
		[...document.querySelectorAll(".card")].find(card => card.textContent.includes("Chess in the park")).querySelector(".hour").textContent)`)
	j.loadAxe()
	j.inspect()
	j.do(chromedp.EmulateViewport(1280, 900), colours("light"))
	j.Fill("What", "river "+j.name)
	j.Press("Find")
	j.SeeNot("Chess in the park")
	j.await("one link", inMap+".length === 1")
	j.Fill("What", "park "+j.name)
	j.act("the weekend", `document.querySelector(".intro a[href*='weekend']")`, j.click())
	filter := `(query => query.get("q").startsWith("park") && query.get("date") === "weekend" && query.get("category") === "chess")(new URLSearchParams(location.search))`
	j.await("the weekend with the words", filter)
	j.Press("Find")
	j.await("the words with the weekend", filter)

	j.do(chromedp.EmulateViewport(390, 844))
	j.Open("/?category=chess")
	j.Press("Show the map")
	j.seeMap()
	j.await("a link for each pin", inMap+".length === 2")
	j.act("a link", inMap+`.find(a => a.textContent.startsWith("Chess in the park"))`, j.click())
	j.At("/events/" + event)
}
