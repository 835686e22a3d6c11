package browser

import (
	"net/http"

	"github.com/chromedp/chromedp"

	"moothall/internal/test/apptest"
)

// readRightToLeft opens pages with texts in Arabic, then mirrors them as for a language of that direction.
func readRightToLeft(j *journey) {
	email := j.Email("reader")
	reader := j.App.SignIn(email).In(j.T)
	title := "أمسية ألعاب الطاولة " + j.name
	event := j.App.As("org").In(j.T).Publish(j.eventFields("", apptest.Fields{"title": title, "city": "بيروت",
		"location_text": "مقهى الحديقة"}))
	reader.Join(event)
	reader.Post("/events/"+event+"/messages", apptest.Fields{"body": "من يحضر اللعبة؟"}).Want(http.StatusCreated)
	j.Open("/login?return_to=/events/" + event)
	j.signIn(email)
	j.See(title)
	j.await("the direction of the title", `getComputedStyle(document.querySelector("h1")).direction === "rtl"`)
	for _, page := range []string{"/?q=الطاولة", "/events/" + event, "/events/" + event + "/chat", "/calendar", "/settings"} {
		for _, width := range []int64{320, 1280} {
			j.settle()
			j.do(chromedp.EmulateViewport(width, 900))
			j.Open(page)
			j.fits()
			j.mirror()
			j.fits()
		}
	}
}

// mirror lays the page out from right to left.
func (j *journey) mirror() {
	j.Helper()
	j.act("the page", "document.documentElement", `page => { page.dir = "rtl"; }`)
	j.await("the mirrored page", `document.querySelector(".brand").getBoundingClientRect().left > innerWidth / 2`)
}

// fits fails if the page is wider than the window.
func (j *journey) fits() {
	j.Helper()
	j.await("a page that fits", `document.documentElement.scrollWidth <= innerWidth`)
}
