package browser

import (
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

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

// findNearCity is the search for yoga at the weekend near Potsdam, by keys alone.
func findNearCity(j *journey) {
	j.event("org", "Yoga at the lake", apptest.Fields{"city": "Werder", "lat": 52.38, "lng": 12.93})
	j.event("org", "Yoga far away", apptest.Fields{"city": "Leipzig", "lat": 51.34, "lng": 12.37})
	j.do(chromedp.EmulateViewport(1280, 900))
	j.Open("/")
	j.Fill("What", "yoga "+j.name)
	j.Fill("City", "potsd")
	j.await("suggestions", `document.querySelector("#cities li")?.textContent.startsWith("Potsdam")`)
	j.Accessible()
	j.do(chromedp.EmulateViewport(1280, 900), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	j.See("Yoga at the lake")
	j.SeeNot("Yoga far away")
	j.await("an address without empty parameters", `(query => query.get("city") === "Potsdam" && query.get("radius_km") === "25" &&
		[...query.values()].every(value => value))(new URLSearchParams(location.search))`)
}
