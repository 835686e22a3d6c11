package browser

import (
	"net/url"

	"moothall/internal/test/apptest"
)

// sharing stands in for the dialog of a device, which headless browsers lack.
const sharing = `Object.defineProperty(navigator, "share", {value: async shared => { document.shared = shared; }})`

// shareEvent opens an event at its old address, and shares the one that the browser then shows.
func shareEvent(j *journey) {
	event := "/events/" + j.event("organizer", "Book swap", apptest.Fields{"location_text": "Library"})
	j.Open(event)
	j.See("Book swap")
	address := read[string](j, "the address", `location.href`)
	j.await("an address for people", `/^\/e\/book-swap-[a-z-]+-[1-9A-HJ-NP-Za-km-z]{8}$/.test(location.pathname)`)
	j.Press("Share")
	j.See("QR code")
	j.await("the address to copy", `document.getElementById("address").value === `+literal(address))
	j.await("the mail", `document.querySelector("a[href^='mailto:']").href.includes(`+literal("%2Fe%2Fbook-swap-")+`)`)
	j.await("the square picture", `document.querySelector(".story").decode().then(() => document.querySelector(".story").naturalWidth === 1080)`)
	j.Press("Poster to print")
	j.See("Scan to read more and to come")
	j.await("the code", `document.querySelector(".poster .qr path:last-child").getBBox().width > 20`)
	if !j.Scripts {
		return
	}
	j.do(inEachDocument(sharing))
	j.Open(event)
	j.Press("Share")
	j.await("the dialog of the device", `document.shared?.url === `+literal(address))
}

// shared returns the path of the page of a public event or a user.
func (j *journey) shared(kind, id string) string {
	j.Helper()
	anyone := j.App.Anonymous().In(j.T)
	if kind == "users" {
		return "/p/" + anyone.Get("/users/"+id+"/profile").Text("username")
	}
	address, err := url.Parse(anyone.Get("/events/" + id).Text("event.share_url"))
	if err != nil {
		j.Fatal(err)
	}
	return address.Path
}
