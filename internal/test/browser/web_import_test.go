package browser

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestImportShowsProgress makes 250 drafts: without scripts by one action, and with scripts in steps whose pages send the form again.
func TestImportShowsProgress(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	var calendar strings.Builder
	calendar.WriteString("BEGIN:VCALENDAR\r\n")
	for i := range 250 {
		fmt.Fprintf(&calendar, "BEGIN:VEVENT\r\nUID:%d\r\nDTSTART:202607%02dT180000Z\r\nSUMMARY:Tea\r\nEND:VEVENT\r\n", i, 1+i%30)
	}
	calendar.WriteString("END:VCALENDAR\r\n")
	read := func(name string) (*webBrowser, string) {
		id := a.As(name).With("Content-Type", "text/calendar").Post("/me/imports", calendar.String()).Want(http.StatusOK).Text("id")
		return signedIn(t, a, name), id
	}
	ann, id := read("ann")
	form := url.Values{"import_id": {id}, "all": {"yes"}}
	ann.submit("applyImport", "/import/"+id, form).redirects(t, "/import/"+id+"?done=250")

	ben, id := read("ben")
	page, done := "/import/"+id, ""
	for _, want := range []string{"?done=100&rest=yes&pictures=yes", "?done=200&rest=yes&pictures=yes"} {
		form := url.Values{"import_id": {id}, "all": {"yes"}, "pictures": {"yes"}, "done": {done}}
		ben.submit("applyImport", page, form, "HX-Request", "true").redirects(t, page+want)
		done = want[6:9]
		ben.open(page+want, "HX-Request", "true").want(t, http.StatusOK, `hx-trigger="load"`, `name="done" value="`+done+`"`,
			`name="pictures" value="yes"`, "Drafts so far: "+done, done+" of 250 imported")
		ben.open(page+want).want(t, http.StatusOK, "not", `hx-trigger="load"`) // a link goes on with nothing
	}
	form = url.Values{"import_id": {id}, "all": {"yes"}, "done": {done}}
	last := ben.submit("applyImport", page, form, "HX-Request", "true", "HX-Current-URL", origin+page+"?done=250")
	last.redirects(t, page+"?done=250")
	ben.open(page+"?done=250", "HX-Request", "true").want(t, http.StatusOK, "250 drafts are ready.", "not", `hx-trigger="load"`)
}
