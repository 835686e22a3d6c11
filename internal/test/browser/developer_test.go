package browser

import "moothall/internal/test/testutil"

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
}
