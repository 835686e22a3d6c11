package meetup_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	"moothall/internal/test/outboundtest"
)

// calendarServer serves one calendar on every host of a network. A test changes the calendar between two reads.
type calendarServer struct {
	*outboundtest.Network

	mu     sync.Mutex
	answer http.HandlerFunc // of the next reads
}

func newCalendarServer(t *testing.T) *calendarServer {
	s := &calendarServer{}
	s.Network = outboundtest.New(t, func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		answer := s.answer
		s.mu.Unlock()
		answer(w, r)
	})
	s.serve()
	return s
}

// answers lets the server answer the next reads by a handler.
func (s *calendarServer) answers(h http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = h
}

// serve lets the server have some events. It answers 304 to a reader that has them.
func (s *calendarServer) serve(events ...string) {
	text := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + strings.Join(events, "") + "END:VCALENDAR\r\n"
	etag := fmt.Sprintf("%q", fmt.Sprint(len(text), ":", strings.Count(text, "a"), ":", strings.Count(text, "CANCELLED")))
	s.answers(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", etag)
		if r.Header.Get("If-None-Match") == etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write([]byte(text))
	})
}

// vevent returns an event with a UID on a day of December 2026, and a page.
func vevent(uid string, day int, title string, more ...string) string {
	return fmt.Sprintf("BEGIN:VEVENT\r\nUID:%s\r\nDTSTART:202612%02dT180000Z\r\nSUMMARY:%s\r\nURL:https://example.org/e/%s\r\n%s"+
		"END:VEVENT\r\n", uid, day, title, uid, strings.Join(append(more, ""), "\r\n"))
}

// subscribe adds a calendar to a group, reads it, and returns its path.
func subscribe(a *apptest.App, host *apptest.Client, group string) string {
	id := host.Put(group+"/sources", apptest.Fields{"url": "https://example.com/chess.ics"}).Want(200).Text("id")
	a.RunJobs()
	return group + "/sources/" + id
}

// readAgain lets the time pass until all calendars are due, and reads them.
func readAgain(a *apptest.App) {
	a.Clock.Advance(72 * time.Minute)
	a.RunJobs()
}

// comingOf returns the titles of the coming events of a group that a viewer sees, with their states unless published.
func comingOf(c *apptest.Client, group string) string {
	var all []string
	for _, item := range listAt(c.Get(group+"/events?limit=100").Want(200), "items") {
		e := item.(map[string]any)["event"].(map[string]any)
		text := fmt.Sprint(e["starts_at"], e["title"])
		if e["status"] != "published" {
			text += fmt.Sprintf(" (%v)", e["status"])
		}
		all = append(all, text)
	}
	slices.Sort(all) // of those at one time, the order differs
	for i := range all {
		all[i] = all[i][len("2026-12-03T18:00:00Z"):]
	}
	return strings.Join(all, ", ")
}

func wantComing(t *testing.T, c *apptest.Client, group, want string) {
	t.Helper()
	if got := comingOf(c, group); got != want {
		t.Errorf("coming events %q, want %q", got, want)
	}
}

// wantSource checks state and error of the only calendar of a group.
func wantSource(t *testing.T, c *apptest.Client, group, status string, problem any) *apptest.Reply {
	t.Helper()
	r := c.Get(group + "/sources").Want(200)
	if r.Text("items.0.status") != status || r.Get("items.0.last_error") != problem {
		t.Errorf("the calendar is %s, want %s %v", r.Body, status, problem)
	}
	return r
}

func withSources(s *calendarServer, more ...apptest.Option) []apptest.Option {
	return append([]apptest.Option{importDay, apptest.Outbound(s.Outbound()), apptest.Setting("ACCESS_TOKEN_TTL", "24h")}, more...)
}
