package browser

import (
	"fmt"

	"moothall/internal/test/testutil"
)

// openDeveloperPages opens the pages for developers. The reference, which takes as long as all others, belongs to LONG_TESTS.
func openDeveloperPages(j *journey) {
	if testutil.Long() {
		j.Open("/docs")
		j.await("the operations", `document.querySelectorAll("#reference .opblock-tag").length > 5`)
		j.fits()
	}
	for path, text := range map[string]string{"/docs/realtime": "Close codes", "/dev/mail": "the newest 200 mails",
		"/dev/calls": "Expected calls"} {
		j.Open(path)
		j.See(text)
		j.await("the look of all pages",
			`getComputedStyle(document.querySelector(".masthead")).backgroundColor !== "" && getComputedStyle(document.querySelector(".brand")).textDecorationLine === "none"`)
		j.Accessible()
	}
	openMails(j)
}

// openMails opens mails of the gallery, narrow and light or wide and dark; with LONG_TESTS each one in each language.
func openMails(j *journey) {
	languages, mails := []string{"en"}, []int{3, 4, 34}
	if testutil.Long() {
		languages, mails = []string{"en", "de", "ru"}, nil
		j.Open("/dev/mail/gallery")
		for i := range read[int](j, "the mails", `document.querySelectorAll("main h2").length`) {
			mails = append(mails, i)
		}
	}
	for _, language := range languages {
		for _, mail := range mails {
			for _, theme := range []string{"light", "dark"} {
				j.Open(fmt.Sprintf("/dev/mail/gallery?language=%s&mail=%d&theme=%s", language, mail, theme))
				j.See("Moothall")
				j.Accessible()
				j.fits()
			}
		}
	}
}
