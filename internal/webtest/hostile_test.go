package webtest

import (
	"strings"

	"moothall/internal/apptest"
)

// hostile are texts by which users could run code in the pages of others, or break them.
var hostile = []string{
	`<script>document.title = "hacked"</script>`,
	`"><img src=x onerror="document.title = 'hacked'">`,
	`' autofocus onfocus=document.title='hacked' x='`,
	`</style><svg/onload=document.title="hacked">`,
	`javascript:document.title="hacked"//https://a.example/"onmouseover="x`,
	`{{constructor.constructor("document.title='hacked'")()}} ${1}`,
	strings.Repeat("W", 110),
}

// readHostileTexts shows events and posts with hostile texts. The harness fails the journey if
// a page has code or loads something.
func readHostileTexts(j *journey) {
	org := j.App.As("org").In(j.T)
	for _, text := range hostile {
		event := j.event("org", "", apptest.Fields{
			"title": text, "description": text + "\n" + strings.Repeat(text, 3), "location_text": text,
		})
		org.Post("/events/"+event+"/posts", apptest.Fields{"body": text}).Want(201)
		j.Open("/events/" + event)
		j.intact()
	}
	j.Open("/")
	j.intact()
	for _, text := range hostile {
		j.Fill("What", text)
		j.Press("Find")
		j.await("the words", `document.querySelector("#q").value === `+literal(text)+` && location.search !== ""`)
		j.intact()
	}
}

// intact fails if a text has run code, or is wider than the window.
func (j *journey) intact() {
	j.Helper()
	j.await("an intact page", `document.readyState === "complete" && document.title !== "hacked" && document.documentElement.scrollWidth <= innerWidth`)
}
