package event_test

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"

	"moothall/internal/apptest"
	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/platform/db"
)

// walk follows the cursor to the last page.
func walk(t *testing.T, c *apptest.Client, query string, betweenPages func()) []string {
	t.Helper()
	var found []string
	cursor := ""
	for {
		page := c.Get("/events?" + query + cursor)
		found = append(found, ids(page)...)
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

// TestPagingLosesAndRepeatsNothing walks through 500 events of one instant in
// pages of several sizes, while others are published in between.
func TestPagingLosesAndRepeatsNothing(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, reader := a.As("org"), a.Anonymous()
		same := many(t, a, org.UserID, 500, time.Date(2026, 6, 5, 16, 0, 0, 0, time.UTC))
		for _, size := range []int{1, 7, 20, 100} {
			pages := 0
			found := walk(t, reader, fmt.Sprintf("limit=%d", size), func() {
				if pages++; pages%40 == 0 || size > 1 {
					published(org, nil) // of the same instant
				}
			})
			seen := map[string]int{}
			for _, id := range found {
				seen[id]++
			}
			for id, times := range seen {
				if times > 1 {
					t.Errorf("pages of %d: %s stands %d times", size, id, times)
				}
			}
			for _, id := range same {
				if seen[id] == 0 {
					t.Errorf("pages of %d: %s is missing", size, id)
				}
			}
		}
		second := ids(reader.Get("/events?limit=100&cursor=" + url.QueryEscape("2026-06-05T16:00:00Z")))
		if first := ids(reader.Get("/events?limit=100")); !slices.Equal(first, second) {
			t.Error("a plain date-time does not begin with that second")
		}
		if after := ids(reader.Get("/events?cursor=" + url.QueryEscape("2026-06-05T16:00:01Z"))); len(after) != 0 {
			t.Errorf("from the next second on there are %d", len(after))
		}
	}, apptest.StartAt(today))
}

// many stores published events of one start at once.
func many(t *testing.T, a *apptest.App, organizer string, n int, start time.Time) []string {
	t.Helper()
	org, err := domain.ParseID[domain.UserKind](organizer)
	if err != nil {
		t.Fatal(err)
	}
	events := make([]event.Event, n)
	found := make([]string, n)
	for i := range events {
		events[i] = event.Event{
			ID: domain.NewID[domain.EventKind](today), OrganizerID: org, Status: "published", StartsKey: start.UnixNano() + int64(i+1)*1000003,
			CreatedAt: today, UpdatedAt: today, PublishedAt: &today,
			Fields: event.Fields{Title: fmt.Sprintf("Meeting %d", i), StartsAt: start, Timezone: "UTC", Visibility: "public", DateMode: "fixed", Price: "free"},
		}
		found[i] = events[i].ID.String()
	}
	if err := (&event.Importer{DB: a.DB, Now: today}).Add(t.Context(), events); err != nil {
		t.Fatal(err)
	}
	return found
}

// TestFilters finds events by every filter and some of their combinations.
func TestFilters(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann, bob := a.As("ann"), a.As("bob")
		names := map[string]string{}
		add := func(name string, c *apptest.Client, changes fields) {
			changes["title"] = name
			names[published(c, changes)] = name
		}
		add("chess", ann, fields{"city": "Saint Petersburg", "category": "Games", "starts_at": "2026-06-02T10:00:00Z", "lat": 59.93, "lng": 30.33})
		add("tango", ann, fields{"city": "Saint Petersburg", "category": "Dance", "starts_at": "2026-06-03T10:00:00Z", "lat": 59.95, "lng": 30.31})
		add("go", bob, fields{"city": "Екатеринбург", "category": "games", "starts_at": "2026-06-04T10:00:00Z", "lat": 56.84, "lng": 60.6})
		add("nowhere", bob, fields{"category": "Ёлки", "starts_at": "2026-06-05T10:00:00Z"})
		add("running", bob, fields{"starts_at": "2026-06-01T10:00:00Z", "ends_at": "2026-06-07T10:00:00Z"})
		draft(ann, fields{"title": "draft"})
		published(ann, fields{"title": "private", "visibility": "private"})
		published(ann, fields{"title": "over", "starts_at": "2026-05-05T10:00:00Z"})

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
				for _, id := range ids(a.Anonymous().In(t).Get("/events?" + row.query)) {
					found = append(found, names[id])
				}
				if !slices.Equal(found, row.want) {
					t.Errorf("found %v, want %v", found, row.want)
				}
			})
		}
	}, apptest.StartAt(today))
}

// TestListsLeaveNoShortPages hides the events of a blocked organizer from the
// list itself, not from its pages afterwards.
func TestListsLeaveNoShortPages(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, other, viewer := a.As("org"), a.As("other"), a.As("viewer")
		many(t, a, org.UserID, 30, time.Date(2026, 6, 5, 16, 0, 0, 0, time.UTC))
		shown := many(t, a, other.UserID, 30, time.Date(2026, 6, 6, 16, 0, 0, 0, time.UTC))
		block(t, a, viewer, org)
		if found := ids(viewer.Get("/events?limit=20")); !slices.Equal(found, shown[:20]) {
			t.Errorf("the first page has %d events", len(found))
		}
		if found := walk(t, viewer, "limit=7&q=meeting", nil); !slices.Equal(found, shown) {
			t.Errorf("by text the viewer finds %d events", len(found))
		}
		if found := ids(org.Get("/events?organizer_id=" + viewer.UserID)); len(found) != 0 {
			t.Errorf("the blocked organizer finds %d events", len(found))
		}
		viewer.Get("/events/"+draft(org, nil)).WantError(404, "not_found")
	}, apptest.StartAt(today))
}

var blockStmt = db.SQL("event.test_block", `INSERT INTO blocks (blocker_id, blocked_id, id, created_at) VALUES ($1, $2, $3, $4)`)

func block(t *testing.T, a *apptest.App, blocker, blocked *apptest.Client) {
	t.Helper()
	id := domain.RandomID[domain.UserKind]()
	from, _ := domain.ParseID[domain.UserKind](blocker.UserID)
	to, _ := domain.ParseID[domain.UserKind](blocked.UserID)
	if _, err := a.DB.Exec(t.Context(), blockStmt, from, to, id, today); err != nil {
		t.Fatal(err)
	}
}
