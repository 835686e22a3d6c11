package browser

import (
	"net/http"

	"github.com/chromedp/chromedp"

	"moothall/internal/test/apptest"
)

// readRightToLeft opens pages with texts in Arabic, in the pseudo-language. It finds pages that do not fit when they are read from right to
// left, and texts that are not translated.
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
	j.choosePseudoLanguage()
	for _, page := range []string{"/?q=الطاولة", "/events/" + event, "/events/" + event + "/chat", "/my", "/calendar", "/notifications",
		"/people", "/groups", "/groups/new", "/events/new", "/profile", "/settings"} {
		for _, width := range []int64{320, 1280} {
			j.settle()
			j.do(chromedp.EmulateViewport(width, 900))
			j.Open(page)
			j.await("a page from right to left", `document.querySelector(".brand").getBoundingClientRect().left > innerWidth / 2`)
			j.fits()
		}
		if texts := read[string](j, "the texts of the page", untranslated); texts != "" {
			j.Errorf("%s has texts outside of the messages:\n%s", page, texts)
		}
	}
}

// choosePseudoLanguage makes the next pages use the pseudo-language, which visitors are not offered.
func (j *journey) choosePseudoLanguage() {
	j.Helper()
	j.act("the language", "document", `page => { page.cookie = "language=qps-Arab; path=/"; }`)
}

// fits fails if the page is wider than the window.
func (j *journey) fits() {
	j.Helper()
	j.await("a page that fits", `document.documentElement.scrollWidth <= innerWidth`)
}

// untranslated returns the texts of a page in Latin letters that are neither messages of the pseudo-language nor written by users.
const untranslated = `(() => {
	const others = "script, style, template, [dir=auto], [dir=ltr], [lang]:not(html), .brand, .name, bdi, option, code, textarea";
	const dates = /\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b|\(UTC\)/g; // the format of dates
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
	for (let node; (node = walker.nextNode());) {
		const text = node.textContent.replace(dates, "").trim();
		if (/[a-z]{2}/i.test(text) && !/[⟦⟧]/.test(text) && !node.parentElement.closest(others)) found.push(text);
	}
	return found.join("\n");
})()`
