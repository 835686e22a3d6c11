package meetup_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/outboundtest"
)

// importDay is when the calendars of internal/platform/ical/testdata have coming events.
var importDay = apptest.StartAt(time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC))

func sampleCalendar(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../platform/ical/testdata/samples/" + name + ".ics")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// vevents returns a calendar with events in the order of their UIDs, from 1. Each has the title of title.
func vevents(n int, title func(i int) string) string {
	var out strings.Builder
	out.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&out, "BEGIN:VEVENT\r\nUID:%d\r\nDTSTART:2027%02d%02dT%02d0000Z\r\n", i, 1+i/600, 1+i/24%25, i%24)
		fmt.Fprintf(&out, "SUMMARY:%s\r\nEND:VEVENT\r\n", title(i))
	}
	out.WriteString("END:VCALENDAR\r\n")
	return out.String()
}

func numbered(i int) string { return fmt.Sprintf("Event %d", i) }

func importFile(c *apptest.Client, text string) *apptest.Reply {
	return c.With("Content-Type", "text/calendar").Post("/me/imports?timezone=Europe/Berlin", text)
}

// states returns the title and state of each row.
func states(r *apptest.Reply) string {
	var all []string
	for _, item := range r.Get("items").([]any) {
		row := item.(map[string]any)
		state := fmt.Sprint(row["title"], ": ", row["state"])
		if row["why"] != nil {
			state += fmt.Sprintf(" (%v)", row["why"])
		}
		all = append(all, state)
	}
	return strings.Join(all, "; ")
}

func TestImportMakesDraftsOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		preview := func(text, want string) string {
			t.Helper()
			r := importFile(ann, text).Want(200)
			if got := states(r); got != want {
				t.Errorf("previews %s\nwant %s", got, want)
			}
			return r.Text("id")
		}
		apply := func(id string, body any, want int) *apptest.Reply {
			t.Helper()
			r := ann.Post("/me/imports/"+id+"/apply", body).Want(200)
			if got := len(r.Get("results").([]any)); got != want {
				t.Errorf("applied %d rows, want %d: %s", got, want, r.Body)
			}
			return r
		}
		google := sampleCalendar(t, "google")
		id := preview(google, "Board games: new; Called off: skipped (canceled); Board games, later: new; Board games: new; New year's hike: new")
		done := apply(id, apptest.Fields{}, 4)
		draft := ann.Get("/events/" + done.Text("results.0.event_id")).Want(200)
		for path, want := range map[string]any{
			"event.status": "draft", "event.title": "Board games", "event.starts_at": "2026-12-03T18:00:00Z",
			"event.ends_at": "2026-12-03T21:00:00Z", "event.timezone": "Europe/Berlin",
			"event.description":      "Bring one game.\n\nRules: here (https://example.org/rules)",
			"location.location_text": "Café Lima, Oranienstr. 12, 10999 Berlin",
		} {
			if got := draft.Get(path); got != want {
				t.Errorf("%s: %q, want %q", path, got, want)
			}
		}
		apply(id, apptest.Fields{}, 0)
		id = preview(google, "Board games: same; Called off: skipped (canceled); Board games, later: same; Board games: same; New year's hike: same")
		apply(id, apptest.Fields{}, 0)

		// Of three drafts, one is edited and one canceled before all of them change in the calendar.
		event := func(i int) string { return done.Text(fmt.Sprintf("results.%d.event_id", i)) }
		ann.Patch("/events/"+event(1), apptest.Fields{"title": "My title"}).Want(200)
		ann.Post("/events/"+event(2)+"/cancel", nil).Want(200)
		moved := strings.ReplaceAll(google, "Café Lima", "Café Mare")
		id = preview(moved, "Board games: changed; Called off: skipped (canceled); Board games, later: skipped (edited); "+
			"Board games: skipped (canceled); New year's hike: same")
		apply(id, apptest.Fields{}, 1)
		if got := ann.Get("/events/" + event(0)).Want(200).Text("location.location_text"); !strings.HasPrefix(got, "Café Mare") {
			t.Errorf("the draft is at %q", got)
		}
		if got := ann.Get("/events/" + event(1)).Want(200).Text("event.title"); got != "My title" {
			t.Errorf("the edited draft is %q", got)
		}
		ann.Post("/events/"+event(0)+"/publish", nil).Want(200)
		preview(google, "Board games: skipped (edited); Called off: skipped (canceled); Board games, later: same; "+
			"Board games: skipped (canceled); New year's hike: same")
		importFile(a.As("ben"), google).Want(200) // whose identities are separate
	}, importDay)
}

func TestImportAppliesChosenRows(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		made := importFile(ann, vevents(250, numbered)).Want(200)
		path := "/me/imports/" + made.Text("id")
		if made.Get("counts.new") != 250.0 {
			t.Errorf("counts %s", made.Body)
		}
		var all []string
		for cursor, more := "", true; more; {
			page := ann.Get(path + "?limit=100" + cursor).Want(200)
			for _, item := range page.Get("items").([]any) {
				all = append(all, item.(map[string]any)["uid"].(string))
			}
			next, _ := page.Get("next_cursor").(string)
			cursor, more = "&cursor="+next, next != ""
		}
		if len(all) != 250 || all[0] != "1" || all[249] != "250" {
			t.Errorf("pages have %d rows: %v", len(all), all)
		}
		ann.Post(path+"/apply", apptest.Fields{"uids": []string{"7", "none"}}).WantError(400, "invalid_request")
		one := ann.Post(path+"/apply", apptest.Fields{"uids": []string{"7"}}).Want(200)
		if one.Text("results.0.uid") != "7" || one.Get("remaining") != 0.0 {
			t.Errorf("applied %s", one.Body)
		}
		for _, want := range []float64{149, 49, 0, 0} {
			if got := ann.Post(path+"/apply", apptest.Fields{}).Want(200).Get("remaining"); got != want {
				t.Errorf("%v remain, want %v", got, want)
			}
		}
		for who, status := range map[*apptest.Client]int{a.As("ben"): 404, a.Anonymous(): 401} {
			who.Get(path).Want(status)
			who.Post(path+"/apply", apptest.Fields{}).Want(status)
		}
	}, importDay)
}

// TestConcurrentAppliesMakeEachDraftOnce applies one import by eight requests at once.
func TestConcurrentAppliesMakeEachDraftOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		path := "/me/imports/" + importFile(ann, vevents(40, numbered)).Want(200).Text("id")
		var mu sync.Mutex
		var group sync.WaitGroup
		made := 0
		for i := range 8 {
			group.Go(func() {
				results := ann.On(i).Post(path+"/apply", apptest.Fields{}).Want(200).Get("results").([]any)
				mu.Lock()
				defer mu.Unlock()
				made += len(results)
			})
		}
		group.Wait()
		drafts := a.Count(db.SQL("test.drafts", `SELECT COUNT(*) FROM events WHERE status = 'draft'`))
		if made != 40 || drafts != 40 || ann.Get(path).Want(200).Get("counts.same") != 40.0 {
			t.Errorf("%d drafts were reported, %d made", made, drafts)
		}
	}, importDay, apptest.Instances(2))
}

func TestImportRefusesBadFiles(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		for name, row := range map[string]struct {
			kind, query, text, code string
			status                  int
		}{
			"no calendar":     {"text/calendar", "", "<html>", "invalid_request", 400},
			"empty":           {"text/calendar", "", "", "invalid_request", 400},
			"cut off":         {"text/calendar", "", "BEGIN:VCALENDAR\r\n", "invalid_request", 400},
			"compressed":      {"application/octet-stream", "", "\x1f\x8b\x08\x00", "invalid_request", 400},
			"many events":     {"text/calendar", "", "BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:VEVENT\nEND:VEVENT\n", 20_000), "invalid_request", 400},
			"10^6 events":     {"text/calendar", "", "BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:VEVENT\nEND:VEVENT\n", 1_000_000), "payload_too_large", 413},
			"2 MiB":           {"text/calendar", "", strings.Repeat("x", 2<<20+1), "payload_too_large", 413},
			"another type":    {"text/plain", "", vevents(1, numbered), "unsupported_media_type", 415},
			"unknown zone":    {"text/calendar", "?timezone=Mars/Olympus", vevents(1, numbered), "invalid_request", 400},
			"zone of machine": {"text/calendar", "?timezone=Local", vevents(1, numbered), "invalid_request", 400},
		} {
			t.Run(name, func(t *testing.T) {
				ann.In(t).With("Content-Type", row.kind).Post("/me/imports"+row.query, row.text).WantError(row.status, row.code)
			})
		}
		tagged := strings.ReplaceAll(vevents(1, func(int) string { return "<script>alert(1)</script>" }), "END:VEVENT",
			"DESCRIPTION:<p onclick=x>Hi<script>alert(2)</script></p>\r\nLOCATION:<img src=x onerror=alert(3)>\r\nEND:VEVENT")
		id := importFile(ann, tagged).Want(200).Text("id")
		made := ann.Get("/events/" + ann.Post("/me/imports/"+id+"/apply", apptest.Fields{}).Want(200).Text("results.0.event_id")).Want(200)
		if made.Text("event.title") != "<script>alert(1)</script>" || made.Text("event.description") != "Hi" {
			t.Errorf("HTML in fields: %s", made.Body)
		}
		floating := strings.ReplaceAll(vevents(1, numbered), "00Z", "00")
		if got := states(ann.With("Content-Type", "text/calendar").Post("/me/imports", floating).Want(200)); got != "Event 1: skipped (zone)" {
			t.Errorf("without a zone: %s", got)
		}
		for range 6 {
			importFile(ann, vevents(1, numbered)).Want(200)
		}
		if n := a.Count(db.SQL("test.imports", `SELECT COUNT(*) FROM imports`)); n != 5 {
			t.Errorf("%d imports of one user", n)
		}
	}, importDay)
}

const eventPage = `<!doctype html><title>x</title><script type="application/ld+json">{"@graph":[{"@type":"WebPage"},{"@type":["MusicEvent"],
"name":"Jazz &amp; friends","startDate":"2026-12-03T19:00:00+01:00","endDate":"2026-12-03T22:00","description":"<p>Live</p>",
"location":[{"@type":"Place","name":"Bar","address":{"streetAddress":"Street 1","postalCode":"10999","addressLocality":"Berlin"},
"geo":{"latitude":52.5,"longitude":"13.4"}}]}]}</script>`

// pictured is a page with an event that has a picture.
func pictured(image string) string {
	return `<script type="application/ld+json">{"@type":"Event","name":"Drawn","startDate":"2026-12-03T19:00:00Z","image":` + image + `}</script>`
}

// wantPictures imports pages with pictures: only https addresses are shown, and drafts get them only if the user says so.
func wantPictures(t *testing.T, c *apptest.Client) {
	t.Helper()
	for _, row := range []struct {
		page string
		want any
	}{
		{"picture", "https://example.com/p/one.jpg"}, {"pictures", "https://cdn.example.com/2.jpg"},
		{"inner-picture", nil}, {"plain-picture", nil}, {"script-picture", nil}, {"long-picture", nil},
	} {
		r := c.Post("/me/imports/fetch", apptest.Fields{"url": "https://example.com/" + row.page}).Want(200)
		if got := r.Get("items.0.image_url"); got != row.want {
			t.Errorf("%s: the picture is %v, want %v", row.page, got, row.want)
		}
		for _, with := range []bool{false, true} {
			fresh := c.Post("/me/imports/fetch", apptest.Fields{"url": fmt.Sprintf("https://example.com/%s?%t", row.page, with)}).Want(200)
			done := c.Post("/me/imports/"+fresh.Text("id")+"/apply", apptest.Fields{"pictures": with}).Want(200)
			want := row.want
			if !with {
				want = nil
			}
			if got := c.Get("/events/" + done.Text("results.0.event_id")).Want(200).Get("event.image_url"); got != want {
				t.Errorf("%s, with pictures %t: the draft has %v", row.page, with, got)
			}
		}
	}
}

func TestImportFetchesAddresses(t *testing.T) {
	var packed bytes.Buffer
	pack := gzip.NewWriter(&packed)
	if _, err := pack.Write(make([]byte, 50<<20)); err != nil || pack.Close() != nil {
		t.Fatal(err)
	}
	bomb := packed.Bytes()
	pages := map[string]string{"/a.ics": vevents(2, numbered), "/event": eventPage, "/none": "<p>nothing",
		"/string":   `<script type="application/ld+json">[{"@type":"Event","name":"A","startDate":"2026-12-03","location":"Room 1"}]</script>`,
		"/raw-bomb": string(bomb),
		"/picture":  pictured(`"/p/one.jpg"`), "/pictures": pictured(`[{"@type":"ImageObject","contentUrl":"https://cdn.example.com/2.jpg"}]`),
		"/inner-picture": pictured(`"https://127.0.0.1/p.jpg"`), "/plain-picture": pictured(`"http://example.com/p.jpg"`),
		"/script-picture": pictured(`"javascript:alert(1)"`), "/long-picture": pictured(`"/` + strings.Repeat("x", 3000) + `"`),
		"/deep": `<script type="application/ld+json">` + strings.Repeat(`[`, 100_000) + `</script>`, "/large": strings.Repeat("x", 2<<20+1)}
	w := outboundtest.New(t, func(rw http.ResponseWriter, r *http.Request) {
		switch text, ok := pages[r.URL.Path]; {
		case ok:
			_, _ = rw.Write([]byte(text))
		case r.URL.Path == "/moved":
			http.Redirect(rw, r, "/a.ics", http.StatusFound)
		case r.URL.Path == "/loop":
			http.Redirect(rw, r, "/loop", http.StatusFound)
		case r.URL.Path == "/inside":
			http.Redirect(rw, r, "https://127.0.0.1/a.ics", http.StatusFound)
		case r.URL.Path == "/gzip":
			rw.Header().Set("Content-Encoding", "gzip")
			_, _ = rw.Write(bomb)
		default:
			http.Error(rw, "no", http.StatusInternalServerError)
		}
	})
	w.Names["inside.example.com"] = outboundtest.Always("10.0.0.1")
	a := newApp(t, w, importDay, apptest.Setting("RATE_LIMITS", "import_fetches_per_user=100/1h"))
	ann := a.As("ann")
	for address, want := range map[string]string{
		"https://example.com/a.ics":             "Event 1: new; Event 2: new",
		"webcal://example.com/a.ics":            "Event 1: new; Event 2: new",
		"https://example.com/moved":             "Event 1: new; Event 2: new",
		"https://example.com/event":             "Jazz & friends: new",
		"https://example.com/string":            "A: new",
		"https://example.com/none":              "400",
		"https://example.com/deep":              "400",
		"https://example.com/loop":              "400",
		"https://example.com/inside":            "400",
		"https://example.com/gzip":              "400",
		"https://example.com/raw-bomb":          "400",
		"https://example.com/inner-picture":     "Drawn: new",
		"https://example.com/plain-picture":     "Drawn: new",
		"https://example.com/script-picture":    "Drawn: new",
		"https://example.com/long-picture":      "Drawn: new",
		"https://example.com/missing":           "400",
		"https://example.com/large":             "413",
		"https://inside.example.com/a.ics":      "400",
		"https://nowhere.example.com/a.ics":     "400",
		"http://example.com/a.ics":              "400",
		"https://127.0.0.1/a.ics":               "400",
		"https://user:pass@example.com/a.ics":   "400",
		"https://example.com:8443/a.ics":        "400",
		"file:///etc/passwd":                    "400",
		"https://[::1]/a.ics":                   "400",
		"https://169.254.169.254/latest/a.ics":  "400",
		"https://metadata.google.internal/a.ic": "400",
	} {
		r := ann.Post("/me/imports/fetch", apptest.Fields{"url": address, "timezone": "Europe/Berlin"})
		got := fmt.Sprint(r.Status)
		if r.Status == 200 {
			got = states(r)
		}
		if got != want {
			t.Errorf("%s: %s, want %s: %s", address, got, want, r.Body)
		}
	}
	w.Connections() // all of them to public addresses
	wantPictures(t, ann)
	r := ann.Post("/me/imports/fetch", apptest.Fields{"url": "https://example.com/event", "timezone": "Europe/Berlin"}).Want(200)
	if r.Text("host") != "example.com" || r.Text("items.0.starts_at") != "2026-12-03T18:00:00Z" || r.Text("items.0.ends_at") !=
		"2026-12-03T21:00:00Z" || r.Text("items.0.place") != "Bar, Street 1, 10999 Berlin" {
		t.Errorf("the event of a page: %s", r.Body)
	}
}

func TestImportsHaveBudgets(t *testing.T) {
	w := outboundtest.New(t, func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write([]byte(vevents(1, numbered))) })
	a := newApp(t, w, importDay, apptest.Setting("RATE_LIMITS",
		"imports_per_user=2/1h,import_fetches_per_user=2/1h,import_fetches_per_host=3/1h,imported_drafts_per_user_day=3/24h,publications_per_user_day=1/24h"))
	ann, ben := a.As("ann"), a.As("ben")
	fetch := func(c *apptest.Client) *apptest.Reply {
		return c.Post("/me/imports/fetch", apptest.Fields{"url": "https://example.com/a.ics"})
	}
	path := "/me/imports/" + importFile(ann, vevents(5, numbered)).Want(200).Text("id")
	importFile(ann, vevents(5, numbered)).Want(200)
	importFile(ann, vevents(5, numbered)).WantError(429, "rate_limited")
	fetch(ann).Want(200)
	fetch(ann).Want(200)
	fetch(ann).WantError(429, "rate_limited")
	fetch(ben).Want(200)
	fetch(ben).WantError(429, "rate_limited") // of the host
	some := ann.Post(path+"/apply", apptest.Fields{}).Want(200)
	if len(some.Get("results").([]any)) != 3 || some.Get("remaining") != 2.0 {
		t.Errorf("beyond the budget: %s", some.Body)
	}
	ann.Post(path+"/apply", apptest.Fields{}).WantError(429, "rate_limited")
	ann.Post("/events/"+some.Text("results.0.event_id")+"/publish", nil).Want(200)
	ann.Post("/events/"+some.Text("results.1.event_id")+"/publish", nil).WantError(429, "rate_limited")
}

func TestImportsEnd(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		path := "/me/imports/" + importFile(ann, vevents(2, numbered)).Want(200).Text("id")
		ann.Post(path+"/apply", apptest.Fields{}).Want(200)
		export := ann.Get("/me/export").Want(200)
		if export.Text("imports.imports.0.rows.1.title") != "Event 2" || export.Text("imports.events.1.uid") != "2" {
			t.Errorf("the export has %v", export.Get("imports"))
		}
		a.Clock.Advance(7*24*time.Hour - time.Minute)
		ann = a.SignIn(apptest.Email("ann"))
		ann.Get(path).Want(200)
		a.Clock.Advance(2 * time.Minute)
		ann.Get(path).WantError(404, "not_found")
		a.RunJobs()
		if n := a.Count(db.SQL("test.import_rows", `SELECT COUNT(*) FROM import_rows`)); n != 0 {
			t.Errorf("%d rows are left", n)
		}
		if got := states(importFile(ann, vevents(2, numbered)).Want(200)); got != "Event 1: same; Event 2: same" {
			t.Errorf("after the end of the first import: %s", got)
		}
	}, importDay)
}
