package meetup_test

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/feed"
	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/eventtest"
)

// feedImportEvents stores published events, one an hour from tomorrow on.
func feedImportEvents(t *testing.T, d *db.DB, organizer domain.UserID, prefix string, n int, published time.Time) {
	t.Helper()
	events := make([]event.Event, n)
	for i := range events {
		start := apptest.Today.AddDate(0, 0, 1).Add(time.Duration(i) * time.Hour)
		events[i] = event.Event{
			ID: domain.NewID[domain.EventKind](apptest.Today), OrganizerID: organizer, Status: "published",
			StartsKey: start.UnixNano() + int64(tieBreaker(prefix, i)),
			CreatedAt: published, UpdatedAt: published, PublishedAt: &published,
			Fields: event.Fields{
				Title: fmt.Sprintf("%s %03d", prefix, i), StartsAt: start, Timezone: "UTC", Visibility: "public", DateMode: "fixed", Price: "free",
				City: new("Berlin"), Category: new([]string{"games", "music", "sport"}[i%3]),
			},
		}
	}
	if err := eventtest.Insert(t.Context(), d, apptest.Today, events); err != nil {
		t.Fatal(err)
	}
}

// tieBreaker returns other sub-second digits for every prefix.
func tieBreaker(prefix string, i int) int {
	for _, r := range prefix {
		i = i*31 + int(r)
	}
	return 1 + i%999_999_999
}

// TestFeedPagesContainEveryEventOnce walks through the feed in pages of several sizes.
func TestFeedPagesContainEveryEventOnce(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, friend, me := a.As("org"), a.As("friend"), a.As("me")
		me.Follow(friend)
		me.Patch("/me/profile", apptest.Fields{"interests": []string{"music"}}).Want(200)
		feedImportEvents(t, a.DB, userID(t, org), "far", 130, apptest.Today)
		feedImportEvents(t, a.DB, userID(t, friend), "friend", 20, apptest.Today)
		for i := range 3 {
			feedPublished(org, fmt.Sprint("begun ", i), 0, apptest.Fields{"starts_at": fmt.Sprintf("2026-06-01T11:%d0:00Z", i)})
		}
		for name, reader := range map[string]*apptest.Client{"anonymous": a.Anonymous(), "me": me} {
			var before []string
			for _, limit := range []int{7, 20, 60, 100} {
				found := feedWalk(t, reader, limit, nil)
				if before != nil && !slices.Equal(found, before) {
					t.Errorf("%s: pages of %d give another order", name, limit)
				}
				before = found
			}
			if n := len(before); n != 153 {
				t.Errorf("%s finds %d events", name, n)
			}
			if last := before[150:]; !slices.Equal(last, []string{"begun 0", "begun 1", "begun 2"}) {
				t.Errorf("%s: the last are %q", name, last)
			}
			slices.Sort(before)
			if once := slices.Compact(before); len(once) != 153 {
				t.Errorf("%s: %d events are there more than once", name, 153-len(once))
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestPagesStayStableWhileDataChanges changes, between two pages, everything that moves
// events in a feed. Each event that existed before and after is shown once. New
// events are not shown.
func TestPagesStayStableWhileDataChanges(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, friend, other, me := a.As("org"), a.As("friend"), a.As("other"), a.As("me")
		me.Follow(friend)
		me.Follow(other)
		feedImportEvents(t, a.DB, userID(t, org), "far", 90, apptest.Today)
		var joined []string
		for i := range 8 {
			joined = append(joined, feedPublished(org, fmt.Sprint("joined ", i), 30+i, nil))
			join(friend, joined[i], "public")
		}
		gone, moved := feedPublished(org, "gone", 2, nil), feedPublished(org, "moved", 1, nil)
		shown := feedWalk(t, me, 10, nil)
		a.Clock.Advance(time.Minute)
		found := feedWalk(t, me, 5, func(page int) {
			a.Clock.Advance(time.Second)
			switch page {
			case 1: // some joined events were shown, others not
				join(friend, joined[0], "incognito")
				friend.Delete("/events/" + joined[7] + "/join").Want(200)
				join(other, joined[6], "public")
				me.Delete("/users/" + other.UserID + "/follow").Want(200)
			case 2:
				feedPublished(friend, "new by a friend", 1, nil)
				join(friend, feedPublished(org, "new", 1, nil), "public")
				me.Patch("/me/profile", apptest.Fields{"city": "Berlin", "interests": []string{"games"}}).Want(200)
			case 3: // it was the first to be shown without a reason
				org.Patch("/events/"+moved, apptest.Fields{"starts_at": "2026-06-20T12:00:00Z"}).Want(200)
			case 4:
				org.Post("/events/"+gone+"/cancel", nil).Want(200)
			case 14:
				me.Post("/feed/preferences", apptest.Fields{"categories": []string{"sport"}}).Want(200)
				me.Delete("/users/" + friend.UserID + "/follow").Want(200)
			}
		})
		shown = slices.DeleteFunc(shown, func(title string) bool { return title == "gone" })
		found = slices.DeleteFunc(found, func(title string) bool { return title == "gone" }) // shown or not
		slices.Sort(shown)
		slices.Sort(found)
		if !slices.Equal(found, shown) {
			t.Errorf("the feed with changes shows %q,\nwithout changes %q", found, shown)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestFeedRefusesInvalidCursors sends cursors that no page of the feed returned.
func TestFeedRefusesInvalidCursors(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		me := a.As("me")
		marks := func(s string) string { return domain.Cursor("feed.2", 1, s, 0, false) }
		for _, cursor := range []string{
			"x", "%00", "bm90IGpzb24", domain.Cursor("people.1", 1, "", 0, false), domain.Cursor("feed.2", 1), marks("A"), marks("AAAA"),
			marks("AA=="),
			domain.Cursor("feed.2", -1, "", 0, false), domain.Cursor("feed.2", 1, "", -1, false), domain.Cursor("feed.2", 1, "", 1.5, false),
		} {
			me.Get("/feed?cursor="+cursor).WantError(400, "invalid_request")
		}
		for _, cursor := range []string{
			domain.Cursor("feed.2", apptest.Today.UnixMicro()*2, "", 0, false), domain.Cursor("feed.2", math.MaxInt64, "", 1, true),
			domain.Cursor("feed.2", 0, "", 0, true), domain.Cursor("feed.2", 0, "", math.MaxInt64, false),
		} { // forged, but of a feed
			me.Get("/feed?cursor=" + cursor).Want(200)
		}
		for _, limit := range []string{"0", "101", "x"} {
			me.Get("/feed?limit="+limit).WantError(400, "invalid_request")
		}
	}, apptest.StartAt(apptest.Today))
}

var participantCount = regexp.MustCompile(`"participant_count":\d+`)

// TestIncognitoJoinDoesNotChangeFeeds compares the feeds of other readers, byte
// for byte, with those before the incognito join.
func TestIncognitoJoinDoesNotChangeFeeds(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, friend, follower := a.As("org"), a.As("friend"), a.As("follower")
		follower.Follow(friend)
		var events []string
		for i := range 12 {
			events = append(events, feedPublished(org, fmt.Sprint("event ", i), 30-i, nil))
		}
		for _, event := range events[:2] {
			join(friend, event, "public")
			join(a.As("guest"), event, "public")
		}
		// More people than one batch: the friend, whose id is the smallest, is in the
		// batch of this hour.
		for i := range 45 {
			person := a.As(fmt.Sprint("person", i))
			follower.Follow(person)
			a.Clock.Advance(time.Second)
			join(person, events[2+i%4], "public")
		}
		readers := []*apptest.Client{a.Anonymous(), a.As("stranger"), a.As("guest"), follower}
		read := func() (all []string) {
			for _, reader := range readers {
				first := reader.Get("/feed?limit=5").Want(200)
				all = append(all, string(first.Body), string(reader.Get("/feed?limit=100&cursor="+first.Text("next_cursor")).Want(200).Body))
			}
			for i := range all {
				all[i] = participantCount.ReplaceAllString(all[i], "")
			}
			return all
		}
		check := func(what string, before []string) {
			t.Helper()
			for i, page := range read() {
				if page != before[i] {
					t.Errorf("%s changes page %d of reader %d from %s\nto %s", what, i%2+1, i/2, before[i], page)
				}
			}
		}
		a.Clock.Advance(time.Second)
		before := read()
		for _, event := range events[6:] {
			join(friend, event, "incognito")
		}
		check("an incognito join", before)
		join(friend, events[6], "public")
		if now := read(); now[6] == before[6] {
			t.Error("a public join changes nothing either, so the test proves nothing")
		}
		join(friend, events[6], "incognito")
		check("going incognito", before)
		friend.Delete("/events/" + events[6] + "/join").Want(200)
		check("leaving incognito", before)
	}, apptest.StartAt(apptest.Today))
}

// TestBlocksHideEventsAndReasons expects no events and no activity of blocked
// people, and full pages.
func TestBlocksHideEventsAndReasons(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, friend, me := a.As("org"), a.As("friend"), a.As("me")
		me.Follow(friend)
		feedImportEvents(t, a.DB, userID(t, friend), "friend", 30, apptest.Today)
		feedImportEvents(t, a.DB, userID(t, org), "far", 70, apptest.Today)
		join(friend, feedPublished(org, "joined", 20, nil), "public")
		if all := feedWalk(t, me, 20, nil); len(all) != 101 || all[0] != "friend 000" {
			t.Errorf("before there are %d events, the first %q", len(all), all[0])
		}
		for _, block := range [][2]*apptest.Client{{me, friend}, {friend, me}} {
			block[0].Block(block[1])
			all := feedWalk(t, me, 20, nil)
			if len(all) != 71 || slices.ContainsFunc(all, func(title string) bool { return title[:3] == "fri" }) {
				t.Errorf("blocked, there are %d events", len(all))
			}
			for title, why := range reasons(me.Get("/feed?limit=100")) {
				if why != "" {
					t.Errorf("%q has the reason %s", title, why)
				}
			}
			block[0].Delete("/users/" + block[1].UserID + "/block").Want(204)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestFollowedPeopleRotate follows more people than one batch. Within an hour the feed
// uses the same people, within a few hours each of them.
func TestFollowedPeopleRotate(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const people = 60
		reader := domain.Viewer{UserID: person(t, d)}
		for i := range people {
			followed := person(t, d)
			feedImportEvents(t, d, followed, fmt.Sprint("p", i), 1, apptest.Today)
			if _, err := d.Exec(t.Context(), feedFollowStmt, reader.UserID, followed, apptest.Today); err != nil {
				t.Fatal(err)
			}
		}
		now := apptest.Today
		s := &feed.Service{DB: d, Clock: func() time.Time { return now }, Cards: event.NewListedCards(nil, d, ""),
			Activities: feed.NewActivities(nil, d)}
		first := func() (shown []domain.EventID) {
			page, err := s.Feed(t.Context(), reader, 24, "")
			if err != nil {
				t.Fatal(err)
			}
			for _, card := range page.Cards {
				shown = append(shown, card.ID)
			}
			return shown
		}
		shown := map[domain.EventID]bool{}
		for range 3 {
			page := first()
			if again := first(); !slices.Equal(again, page) {
				t.Errorf("in one hour there are %v, then %v", page, again)
			}
			for _, id := range page {
				shown[id] = true
			}
			now = now.Add(time.Hour)
		}
		if len(shown) != people {
			t.Errorf("in three hours the feed used %d of %d people", len(shown), people)
		}
	})
}

// TestFeedRunsFewStatements expects the same few statements for a reader who
// follows many people as for one who follows one person.
func TestFeedRunsFewStatements(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			var statements int
			note := func(context.Context, *db.Stmt, []any) { statements++ }
			d, err := db.Open(t.Context(), dbtest.URL(t, engine), db.Options{OnStatement: note, Wait: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = d.Close() })
			if err := migrate.Run(t.Context(), d); err != nil {
				t.Fatal(err)
			}
			readers := []domain.Viewer{{UserID: person(t, d)}, {UserID: person(t, d)}}
			for i := range 500 {
				followed := person(t, d)
				feedImportEvents(t, d, followed, fmt.Sprint("p", i), 3, apptest.Today)
				for _, reader := range readers[:1+min(1, i/499)] {
					if _, err := d.Exec(t.Context(), feedFollowStmt, reader.UserID, followed, apptest.Today); err != nil {
						t.Fatal(err)
					}
				}
			}
			s := &feed.Service{DB: d, Clock: func() time.Time { return apptest.Today }, Cards: event.NewListedCards(nil, d, ""),
				Activities: feed.NewActivities(nil, d)}
			for i, reader := range readers {
				cursor := ""
				for page := range 5 {
					statements = 0
					p, err := s.Feed(t.Context(), reader, 20, cursor)
					if err != nil {
						t.Fatal(err)
					}
					if statements > 9 || page < 2 && statements > 8 {
						t.Errorf("reader %d, page %d: %d statements", i, page, statements)
					}
					cursor = *p.Next
				}
			}
		})
	}
}

var (
	personStmt = db.SQL("feed.test_person", `INSERT INTO users (id, email_verified, test_profile, created_at)
		VALUES ($1, FALSE, FALSE, $2)`)
	feedFollowStmt = db.SQL("feed.test_follow", `INSERT INTO follows (follower_id, followed_id, created_at) VALUES ($1, $2, $3)`)
)

func person(t *testing.T, d *db.DB) domain.UserID {
	t.Helper()
	id := domain.NewID[domain.UserKind](apptest.Today)
	if _, err := d.Exec(t.Context(), personStmt, id, apptest.Today); err != nil {
		t.Fatal(err)
	}
	return id
}
