package browser

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// inMap are the links of the map, in its shadow tree.
const inMap = `[...document.querySelector("event-map").shadowRoot?.querySelectorAll("li a") ?? []]`

// seeMap waits until the map is at rest, and has drawn everything.
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

// TestFindYogaAtTheWeekend looks for yoga this weekend near Potsdam: on a phone, then by keys alone.
func TestFindYogaAtTheWeekend(t *testing.T) {
	t.Parallel()
	a := apptest.New(t, db.SQLite, apptest.OwnOrigin(), apptest.StartAt(time.Date(2026, 6, 3, 12, 0, 0, 0, time.UTC))) // Wednesday
	for title, fields := range map[string]apptest.Fields{
		"Yoga at the lake": {"starts_at": "2026-06-06T08:00:00Z", "city": "Werder", "lat": 52.38, "lng": 12.93},
		"Yoga far away":    {"starts_at": "2026-06-06T08:00:00Z", "city": "Leipzig", "lat": 51.34, "lng": 12.37},
		"Yoga on Monday":   {"starts_at": "2026-06-08T08:00:00Z", "city": "Potsdam", "lat": 52.4, "lng": 13.06},
		"Chess at the sea": {"starts_at": "2026-06-06T08:00:00Z", "city": "Potsdam", "lat": 52.4, "lng": 13.06},
	} {
		fields["title"], fields["timezone"] = title, "Europe/Berlin"
		a.As("org").Publish(fields)
	}
	runJourney(t, a, "yoga", true, func(j *journey) {
		j.do(chromedp.EmulateViewport(390, 844))
		j.Open("/")
		j.Press("Weekend")
		j.SeeNot("Yoga on Monday")
		j.Fill("What", "yoga")
		j.Press("Find")
		j.SeeNot("Chess at the sea")
		j.openDetails("Filters")
		j.Fill("City", "potsd")
		j.await("suggestions", suggested)
		j.snapshot("yoga-suggestions")
		j.act("the suggestion", `document.querySelector("#cities li")`, j.click())
		j.seeYoga()
		j.await("closed filters", `!document.querySelector(".filter details").open`)
		j.await("the city", `document.querySelector(".filter summary").innerText.includes("Potsdam")`)
		j.snapshot("yoga-found")

		j.do(chromedp.EmulateViewport(1280, 900))
		j.Open("/?date=weekend&tz=Europe/Berlin")
		j.Fill("What", "yoga")
		j.Fill("City", "potsd")
		j.await("suggestions", suggested)
		j.Accessible()
		j.do(chromedp.EmulateViewport(1280, 900), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
		j.seeYoga()
		j.await("its pin", inMap+".length === 1")
		j.seeMap()
		j.snapshot("yoga-desktop")
	})
}

// suggested is true while Potsdam is the first suggestion.
const suggested = `document.querySelector("#cities:not([hidden]) li")?.textContent.startsWith("Potsdam")`

// seeYoga waits until only the yoga at the lake is listed, at an address without empty parameters.
func (j *journey) seeYoga() {
	j.Helper()
	j.See("Yoga at the lake")
	j.await("no other event", `document.querySelectorAll(".card").length === 1`)
	j.await("the filter in the address", `(query => query.get("city") === "Potsdam" && query.get("radius_km") === "25" && query.get("q") === "yoga" &&
		query.get("date") === "weekend" && [...query.values()].every(value => value))(new URLSearchParams(location.search))`)
}
