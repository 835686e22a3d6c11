package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
)

// file writes a file and returns its path.
func (j *journey) file(name, text string) string {
	j.Helper()
	path := filepath.Join(j.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		j.Fatal(err)
	}
	return path
}

// fortyEvents is a calendar with forty events, one a day.
func (j *journey) fortyEvents() string {
	var out strings.Builder
	out.WriteString("BEGIN:VCALENDAR\r\nX-WR-CALNAME:Oud evenings\r\n")
	for i := range 40 {
		day := j.App.Clock.Now().AddDate(0, 0, i+1).UTC().Format("20060102")
		fmt.Fprintf(&out, "BEGIN:VEVENT\r\nUID:%d@%s\r\nDTSTART:%sT180000Z\r\nDTEND:%sT203000Z\r\n", i, j.name, day, day)
		fmt.Fprintf(&out, "SUMMARY:Evening %d\r\nLOCATION:Town hall\r\nEND:VEVENT\r\n", i+1)
	}
	out.WriteString("END:VCALENDAR\r\n")
	return out.String()
}

// importCalendar turns a calendar file with forty events into forty drafts, publishes one, and invites the guests of a list to it.
func importCalendar(j *journey) {
	calendar := j.file("events.ics", j.fortyEvents())
	began := time.Now()
	j.signInAs("mover")
	j.Open("/events/new")
	j.Press("Import them")
	j.AccessibleAgain()
	j.do(chromedp.SetUploadFiles("#field-file", []string{calendar}))
	j.snapshot("import-1-choose")
	j.Press("Show the events")
	j.See("Oud evenings")
	j.See("Evening 40")
	j.snapshot("import-2-preview")
	j.AccessibleAgain()
	j.Press("Make 40 drafts")
	j.See("40 drafts are ready.")
	j.snapshot("import-3-done")
	j.Accessible()
	j.Logf("forty drafts after %v", time.Since(began).Round(time.Millisecond))

	j.Open("/import")
	j.do(chromedp.SetUploadFiles("#field-file", []string{calendar}))
	j.Press("Show the events")
	j.See("40 of 40 imported")
	j.Press("Open the event: Evening 1")
	j.Press("Publish")
	j.See("It is out!")
	event := read[string](j, "the event", `location.pathname.split("/")[2]`)

	j.Open("/events/" + event + "/guests")
	j.openDetails("Invite the guests of a list")
	list := j.file("guests.csv", "name,email,approval_status\nAnna,anna@example.org,approved\nBo,bo@example.org,declined\n")
	j.do(chromedp.SetUploadFiles("#field-guest_list", []string{list}))
	j.Press("Show the guests")
	j.See("has declined")
	j.snapshot("import-4-guests")
	j.Accessible()
	j.Press("Invite the ticked guests")
	j.See("anna@example.org")
	j.Open("/import")
	j.do(chromedp.SetUploadFiles("#field-file", []string{list}))
	j.Press("Show the events")
	j.See("Choose a complete calendar file (.ics).")
	j.Accessible()
}
