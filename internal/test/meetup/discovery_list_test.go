package meetup_test

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// discoveryWalk follows the cursor to the last page and returns the ids of all events.
func discoveryWalk(t *testing.T, c *apptest.Client, query string, betweenPages func()) []string {
	t.Helper()
	var found []string
	cursor := ""
	for {
		page := c.Get("/events?" + query + cursor)
		found = append(found, eventIDs(page)...)
		next, more := page.Get("next_cursor").(string)
		if !more {
			return found
		}
		if _, err := time.Parse(time.RFC3339Nano, next); err != nil {
			t.Fatalf("the cursor %q is no date-time", next)
		}
		cursor = "&cursor=" + url.QueryEscape(next)
		if betweenPages != nil {
			betweenPages()
		}
	}
}

// TestDiscoveryPagesContainEveryEventOnce walks through 500 events of one instant in
// pages of several sizes, while others are published in between.
func TestDiscoveryPagesContainEveryEventOnce(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, reader := a.As("org"), a.Anonymous()
		same := discoveryImportEvents(t, a, org.UserID, testutil.Rounds(120, 500), time.Date(2026, 6, 5, 16, 0, 0, 0, time.UTC))
		for _, size := range []int{1, 7, 20, 100} {
			pages := 0
			found := discoveryWalk(t, reader, fmt.Sprintf("limit=%d", size), func() {
				if pages++; pages%20 == 0 || size > 1 {
					org.Publish(nil) // of the same instant
				}
			})
			count := map[string]int{}
			for _, id := range found {
				count[id]++
			}
			for id, times := range count {
				if times > 1 {
					t.Errorf("pages of %d: %s is listed %d times", size, id, times)
				}
			}
			for _, id := range same {
				if count[id] == 0 {
					t.Errorf("pages of %d: %s is missing", size, id)
				}
			}
		}
		second := eventIDs(reader.Get("/events?limit=100&cursor=" + url.QueryEscape("2026-06-05T16:00:00Z")))
		if first := eventIDs(reader.Get("/events?limit=100")); !slices.Equal(first, second) {
			t.Error("a cursor that is a plain date-time does not begin with that second")
		}
		if after := eventIDs(reader.Get("/events?cursor=" + url.QueryEscape("2026-06-05T16:00:01Z"))); len(after) != 0 {
			t.Errorf("from the next second on there are %d", len(after))
		}
	}, apptest.StartAt(apptest.Today))
}

// discoveryImportEvents stores published events of one start and returns their ids.
func discoveryImportEvents(t *testing.T, a *apptest.App, organizer string, n int, start time.Time) []string {
	t.Helper()
	org, err := domain.ParseID[domain.UserKind](organizer)
	if err != nil {
		t.Fatal(err)
	}
	events := make([]event.Event, n)
	found := make([]string, n)
	for i := range events {
		events[i] = event.Event{
			ID: domain.NewID[domain.EventKind](apptest.Today), OrganizerID: org, Status: "published",
			StartsKey: start.UnixNano() + int64(i+1)*1000003,
			CreatedAt: apptest.Today, UpdatedAt: apptest.Today, PublishedAt: &apptest.Today,
			Fields: event.Fields{Title: fmt.Sprintf("Meeting %d", i), StartsAt: start, Timezone: "UTC", Visibility: "public", DateMode: "fixed",
				Price: "free"},
		}
		found[i] = events[i].ID.String()
	}
	insertEvents(t, a, events)
	return found
}

// TestFilters finds events by every filter and some of their combinations.
func TestFilters(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, bob := a.As("ann"), a.As("bob")
		names := map[string]string{}
		add := func(name string, c *apptest.Client, changes apptest.Fields) {
			changes["title"] = name
			names[c.Publish(changes)] = name
		}
		add("chess", ann, apptest.Fields{"city": "Saint Petersburg", "category": "Games", "starts_at": "2026-06-02T10:00:00Z", "lat": 59.93,
			"lng": 30.33})
		add("tango", ann, apptest.Fields{"city": "Saint Petersburg", "category": "Dance", "starts_at": "2026-06-03T10:00:00Z", "lat": 59.95,
			"lng": 30.31})
		add("go", bob, apptest.Fields{"city": "Екатеринбург", "category": "games", "starts_at": "2026-06-04T10:00:00Z", "lat": 56.84,
			"lng": 60.6})
		add("nowhere", bob, apptest.Fields{"category": "Ёлки", "starts_at": "2026-06-05T10:00:00Z"})
		add("running", bob, apptest.Fields{"starts_at": "2026-06-01T10:00:00Z", "ends_at": "2026-06-07T10:00:00Z"})
		ann.Draft(apptest.Fields{"title": "draft"})
		ann.Publish(apptest.Fields{"title": "private", "visibility": "private"})
		ann.Publish(apptest.Fields{"title": "over", "starts_at": "2026-05-05T10:00:00Z"})

		goes := a.As("cat")
		for id, name := range names {
			if name == "tango" || name == "go" {
				goes.Post("/events/"+id+"/join", nil).Want(200)
			}
		}
		all := []string{"running", "chess", "tango", "go", "nowhere"}
		for _, row := range []struct {
			query string
			want  []string
		}{
			{"", all},
			{"price=any", all},
			{"price=free", all},
			{"price=paid", nil},
			{"city=saint%20petersburg", []string{"chess", "tango"}},
			{"city=Saint", nil},
			{"city=екатеринбург", []string{"go"}},
			{"city=Atlantis", nil},
			{"category=GAMES", []string{"chess", "go"}},
			{"category=елки", []string{"nowhere"}},
			{"category=games&city=Saint%20Petersburg", []string{"chess"}},
			{"category=dance&city=Екатеринбург", nil},
			{"organizer_id=" + bob.UserID, []string{"running", "go", "nowhere"}},
			{"organizer_id=" + bob.UserID + "&category=games", []string{"go"}},
			{"organizer_id=00000000-0000-0000-0000-000000000000", nil},
			{"participant_user_id=" + goes.UserID, []string{"tango", "go"}},
			{"participant_user_id=" + goes.UserID + "&organizer_id=" + ann.UserID, []string{"tango"}},
			{"participant_user_id=" + goes.UserID + "&q=tan", []string{"tango"}},
			{"lat=59.94&lng=30.32&radius_km=10", []string{"chess", "tango"}},
			{"lat=59.94&lng=30.32&radius_km=0.1", nil},
			{"lat=59.94&lng=30.32&radius_km=10&category=dance", []string{"tango"}},
			{"lat=59.94&lng=30.32&radius_km=10&organizer_id=" + bob.UserID, nil},
			{"lat=59.94&lng=30.32&radius_km=10&organizer_id=" + ann.UserID, []string{"chess", "tango"}},
			{"lat=59.94&lng=30.32&radius_km=10&participant_user_id=" + goes.UserID, []string{"tango"}},
			{"starts_from=2026-06-03T10:00:00Z", []string{"tango", "go", "nowhere"}},
			{"starts_from=2026-06-03T10:00:01Z", []string{"go", "nowhere"}},
			{"starts_from=2026-06-03T10:00:00.000001Z", []string{"go", "nowhere"}},
			{"starts_to=2026-06-03T10:00:00Z", []string{"running", "chess", "tango"}},
			{"starts_to=2026-06-03T09:59:59Z", []string{"running", "chess"}},
			{"starts_from=2026-06-02T10:00:00Z&starts_to=2026-06-03T10:00:00Z", []string{"chess", "tango"}},
			{"starts_from=2026-06-02T13:00:00%2B03:00&starts_to=2026-06-02T10:00:00Z", []string{"chess"}},
			{"q=chess", []string{"chess"}},
			{"q=petersburg%20games", []string{"chess"}},
			{"q=", all},
			{"q=_", nil},
			{"q=%27", nil},
		} {
			t.Run(row.query, func(t *testing.T) {
				var found []string
				for _, id := range eventIDs(a.Anonymous().In(t).Get("/events?" + row.query)) {
					found = append(found, names[id])
				}
				if !slices.Equal(found, row.want) {
					t.Errorf("found %v, want %v", found, row.want)
				}
			})
		}
	}, apptest.StartAt(apptest.Today))
}

// TestBlocksDoNotShortenPages expects full pages where the events of a blocked
// organizer are hidden.
func TestBlocksDoNotShortenPages(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, other, viewer := a.As("org"), a.As("other"), a.As("viewer")
		discoveryImportEvents(t, a, org.UserID, 30, time.Date(2026, 6, 5, 16, 0, 0, 0, time.UTC))
		shown := discoveryImportEvents(t, a, other.UserID, 30, time.Date(2026, 6, 6, 16, 0, 0, 0, time.UTC))
		viewer.Block(org)
		if found := eventIDs(viewer.Get("/events?limit=20")); !slices.Equal(found, shown[:20]) {
			t.Errorf("the first page has %d events", len(found))
		}
		if found := discoveryWalk(t, viewer, "limit=7&q=meeting", nil); !slices.Equal(found, shown) {
			t.Errorf("by text the viewer finds %d events", len(found))
		}
		if found := eventIDs(org.Get("/events?organizer_id=" + viewer.UserID)); len(found) != 0 {
			t.Errorf("the blocked organizer finds %d events", len(found))
		}
		viewer.Get("/events/"+org.Draft(nil)).WantError(404, "not_found")
	}, apptest.StartAt(apptest.Today))
}

// eventIDs returns the ids of the events of a list, in order.
func eventIDs(r *apptest.Reply) []string {
	var found []string
	for i := range r.Want(200).Len("items") {
		found = append(found, r.Text(fmt.Sprintf("items.%d.event.id", i)))
	}
	return found
}
