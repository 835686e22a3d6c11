package browser

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net/http"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// inStep is true if the map has a link for each card of the list, and no other.
const inStep = `(() => {
	const paths = links => [...links].map(a => a.pathname).sort().join();
	return paths(document.querySelectorAll(".card h3 a")) === paths(` + inMap + `);
})()`

// findBesideMap sees what the list and the map beside it say of each other, then the list on a phone.
func findBesideMap(j *journey) {
	here := "lat=52.52&lng=13.405&radius_km=10&category=skittles"
	first := j.event("org", "Skittles in the park", apptest.Fields{"lat": 52.52, "lng": 13.405, "category": "skittles"})
	j.event("org", "Skittles by the river", apptest.Fields{"lat": 52.54, "lng": 13.44, "category": "skittles"})
	j.event("org", "Skittles in the suburb", apptest.Fields{"lat": 52.52, "lng": 13.6, "category": "skittles"})
	var cover bytes.Buffer
	if err := png.Encode(&cover, image.NewGray(image.Rect(0, 0, 90, 60))); err != nil {
		j.Fatal(err)
	}
	j.App.As("org").In(j.T).Put("/events/"+first+"/cover", cover.Bytes()).Want(http.StatusOK)
	j.do(chromedp.EmulateViewport(1280, 900))
	j.Open("/?" + here)
	j.seeMap()
	j.await("two cards, and a link for each", `document.querySelectorAll(".card").length === 2 && `+inStep)
	if asked := read[[]string](j, "the requests", requests); len(asked) != 1 || asked[0] != "/api/events/map" {
		j.Errorf("untouched, the page asks for %v", asked)
	}

	plain := pinsOf(j)
	j.hover(`[...document.querySelectorAll(".card")].find(c => c.innerText.includes("river"))`)
	testutil.Until(j.T, "a ring around the pin", func() bool { return pinsOf(j) > plain+150 })
	j.hover(canvas)
	j.await("the card of the pin", `document.querySelector(".card.marked")?.innerText.includes("Skittles in the park")`)
	x, y := j.middle(canvas)
	j.do(chromedp.MouseClickXY(x, y))
	j.await("the popup", `(popup => popup?.innerText.includes("Skittles in the park") && popup.innerText.includes("Berlin") &&
		popup.innerText.includes("Free") && popup.querySelector("img").naturalWidth > 0)(document.querySelector("event-map").shadowRoot.querySelector(".event"))`)
	j.snapshot("beside-map")

	for range 3 {
		j.act("the map", canvas, `map => map.focus()`)
		j.key(kb.ArrowRight)
	}
	j.await("the button", `document.querySelector("event-map").shadowRoot.querySelector(".search:not([hidden])") !== null`)
	j.await("no pin outside of the circle", inMap+".length === 0")
	before := len(read[[]string](j, "the requests", requests))
	j.act("the button", `document.querySelector("event-map").shadowRoot.querySelector(".search")`, j.click())
	j.See("Skittles in the suburb")
	j.await("its pin", inMap+`.map(a => a.textContent).join().startsWith("Skittles in the suburb")`)
	if asked := read[[]string](j, "the requests", requests); len(asked) != before+1 {
		j.Errorf("for the area, the page asks for %v", asked[before:])
	}

	j.do(chromedp.EmulateViewport(390, 844))
	j.Open("/?q=skittles")
	j.await("a picture in sight", `(r => r.width > 60 && r.right <= innerWidth)(document.querySelector(".card .cover img").getBoundingClientRect())`)
	j.openDetails("Filters")
	j.Select("price", "free")
	j.snapshot("filters")
	j.Press("Find")
	j.await("closed filters, one of which is used", `(f => !f.open && f.querySelector(".badge")?.textContent === "1")(document.querySelector(".filter details"))`)
	j.See("Skittles in the park")
	j.snapshot("filtered")
}

// canvas is the map, in its shadow tree.
const canvas = `document.querySelector("event-map").shadowRoot.querySelector("canvas")`

// requests are the paths of the API that the page has asked for.
const requests = `performance.getEntriesByType("resource").map(r => new URL(r.name).pathname).filter(p => p.startsWith("/api/"))`

// middle returns the middle of an element in the window.
func (j *journey) middle(element string) (x, y float64) {
	j.Helper()
	at := read[[]float64](j, element, `(r => [r.x + r.width / 2, r.y + r.height / 2])((`+element+`).getBoundingClientRect())`)
	return at[0], at[1]
}

// hover moves the pointer over an element.
func (j *journey) hover(element string) {
	j.Helper()
	x, y := j.middle(element)
	j.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
}

// pinsOf returns how many pixels of the map have the colour of pins.
func pinsOf(j *journey) (n int) {
	box := read[[]int](j, "the box of the map", `(r => [r.x, r.y, r.right, Math.min(r.bottom, innerHeight)].map(Math.round))(`+canvas+`.getBoundingClientRect())`)
	picture := j.screenshot()
	for y := box[1]; y < box[3]; y++ {
		for x := box[0]; x < box[2]; x++ {
			if at(picture, x, y) == (color.RGBA{0xb3, 0x40, 0x2a, 0xff}) {
				n++
			}
		}
	}
	return n
}
