package meetup_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"moothall/internal/meetup/review"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// reviewPublished creates an event that is over in five minutes.
func reviewPublished(c *apptest.Client, changes apptest.Fields) string {
	body := apptest.Fields{"starts_at": "2026-06-01T09:05:00Z"}
	maps.Copy(body, changes)
	return c.Publish(body)
}

// finish advances the clock to after the end of the published events.
func finish(a *apptest.App) { a.Clock.Advance(6 * time.Minute) }

func reviews(event string) string { return "/events/" + event + "/reviews" }

func reviewWrite(c *apptest.Client, event string, rating int) *apptest.Reply {
	return c.Post(reviews(event), apptest.Fields{"rating": rating})
}

func TestReview(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben := a.As("org"), a.As("ann"), a.As("ben")
		id := reviewPublished(org, nil)
		join(ann, id, "public")
		join(ben, id, "public")
		finish(a)

		empty := ann.Get(reviews(id)).Want(200)
		if empty.Len("items") != 0 || empty.Get("average_rating") != nil || empty.Number("review_count") != 0 ||
			empty.Get("viewer_review") != nil {
			t.Errorf("without reviews: %s", empty.Body)
		}
		first := ann.Post(reviews(id), apptest.Fields{"rating": 4, "body": "  Good  company \r\n"}).Want(201)
		if first.Number("rating") != 4 || first.Text("body") != "Good  company" || first.Text("author.user_id") != ann.UserID ||
			first.Text("author_user_id") != ann.UserID || first.Get("viewer_is_author") != true || first.Text("event_id") != id {
			t.Errorf("written: %s", first.Body)
		}
		a.Clock.Advance(time.Minute)
		reviewWrite(ben, id, 5).Want(201)
		a.Clock.Advance(time.Minute)
		again := ann.Post(reviews(id), apptest.Fields{"rating": 2, "body": ""}).Want(201)
		if again.Text("id") != first.Text("id") || again.Text("created_at") != first.Text("created_at") || again.Get("body") != nil ||
			again.Text("updated_at") == first.Text("updated_at") {
			t.Errorf("replaced: %s", again.Body)
		}

		page := ann.Get(reviews(id)).Want(200)
		if page.Text("items.0.author.user_id") != ben.UserID || page.Get("items.0.viewer_is_author") != false ||
			page.Text("items.1.id") != first.Text("id") {
			t.Errorf("the newest does not come first: %s", page.Body)
		}
		if page.Number("average_rating") != 3.5 || page.Number("review_count") != 2 || page.Text("viewer_review.id") != first.Text("id") {
			t.Errorf("average of 5 and 2: %s", page.Body)
		}
		proof := a.Anonymous().Get("/events/" + id).Want(200)
		if proof.Number("social_proof.average_rating") != 3.5 || proof.Number("social_proof.review_count") != 2 {
			t.Errorf("the event's page: %s", proof.Body)
		}
		a.Anonymous().Get(reviews(id)).WantError(401, "unauthorized")
		if got := kinds(org); !slices.Equal(got, []string{"event_joined", "event_joined", "event_review", "event_review"}) {
			t.Errorf("the organizer is notified of %v", got)
		}
	}, apptest.StartAt(apptest.Today))
}

// kinds returns the kinds of a user's notifications, sorted.
func kinds(c *apptest.Client) (found []string) {
	list := c.Get("/notifications?limit=100").Want(200)
	for i := range list.Len("items") {
		found = append(found, list.Text(fmt.Sprintf("items.%d.kind", i)))
	}
	slices.Sort(found)
	return found
}

// TestWhoMayWrite is the row "write review" of policy.md.
func TestWhoMayWrite(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, blocked := a.As("org"), a.As("blocked")
		over, private := reviewPublished(org, nil), reviewPublished(org, apptest.Fields{"visibility": "private"})
		open := reviewPublished(org, apptest.Fields{"starts_at": "2026-06-02T09:00:00Z"})
		canceled := reviewPublished(org, nil)
		for _, event := range []string{over, open, canceled} {
			join(a.As("ann"), event, "public")
		}
		join(org, over, "public")
		join(a.As("secret"), over, "incognito")
		join(a.As("left"), over, "public")
		a.As("left").Delete("/events/" + over + "/join").Want(200)
		org.Post("/events/"+canceled+"/cancel", nil).Want(200)
		org.Post("/users/"+blocked.UserID+"/block", nil).Want(200)
		join(a.As("later"), over, "public")
		finish(a)
		a.As("later").Delete("/events/" + over + "/join").Want(200)
		for _, row := range []struct {
			who, what, event, body string
			status                 int
		}{
			{"ann", "of an event she went to", over, `{"rating":5}`, 201},
			{"secret", "of an event they went to incognito", over, `{"rating":1,"body":null}`, 201},
			{"ann", "of an event to come", open, `{"rating":5}`, 403},
			{"ann", "of a canceled event", canceled, `{"rating":5}`, 403},
			{"org", "of their own event", over, `{"rating":5}`, 403},
			{"left", "of an event they left", over, `{"rating":5}`, 403},
			{"later", "of an event they left when it was over", over, `{"rating":3}`, 201},
			{"stranger", "of an event they did not go to", over, `{"rating":5}`, 403},
			{"stranger", "of a hidden event", private, `{"rating":5}`, 404},
			{"stranger", "of a hidden event, malformed", private, `{"rating":9}`, 404},
			{"blocked", "of an event of a user who blocks them", over, `{"rating":5}`, 404},
			{"stranger", "malformed: 400 comes before 403", over, `{"rating":0}`, 400},
			{"ann", "without rating", over, `{"body":"Good"}`, 400},
			{"ann", "of half a star", over, `{"rating":4.5}`, 400},
			{"ann", "of six stars", over, `{"rating":6}`, 400},
			{"ann", "with a control character", over, `{"rating":5,"body":"a\u0007"}`, 400},
			{"ann", "that is too long", over, `{"rating":5,"body":"` + fmt.Sprintf("%02001d", 7) + `"}`, 400},
			{"anonymous", "of an event", over, `{"rating":5}`, 401},
		} {
			t.Run(row.who+" "+row.what, func(t *testing.T) {
				client := a.Anonymous()
				if row.who != "anonymous" {
					client = a.As(row.who)
				}
				client.In(t).Post(reviews(row.event), row.body).Want(row.status)
			})
		}
		blocked.Get(reviews(over)).WantError(404, "not_found")
		if list := a.As("stranger").Get(reviews(over)).Want(200); list.Len("items") != 3 || list.Number("average_rating") != 3 {
			t.Errorf("in the end there are %s", list.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestIncognitoAuthorIsHidden checks that only the author and the organizer see who
// wrote a review while the author participates incognito.
func TestIncognitoAuthorIsHidden(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, guest := a.As("org"), a.As("guest")
		id := reviewPublished(org, nil)
		join(guest, id, "incognito")
		join(a.As("other"), id, "public")
		a.As("stranger") // signs in before the clock is set back
		finish(a)
		reviewWrite(guest, id, 5).Want(201)
		expect := func(when string, known map[string]bool) {
			t.Helper()
			for _, who := range []string{"guest", "org", "other", "stranger"} {
				page := a.As(who).Get(reviews(id)).Want(200)
				named := page.Get("items.0.author.user_id") == guest.UserID && page.Get("items.0.author_user_id") == guest.UserID
				hidden := page.Get("items.0.author") == nil && page.Get("items.0.author_user_id") == nil
				if named != known[who] || hidden == known[who] || page.Get("items.0.viewer_is_author") != (who == "guest") {
					t.Errorf("%s: %s sees %s", when, who, page.Body)
				}
			}
		}
		expect("incognito", map[string]bool{"guest": true, "org": true})
		a.Clock.Set(apptest.Today) // the event has not ended yet
		join(guest, id, "public")
		expect("public", map[string]bool{"guest": true, "org": true, "other": true, "stranger": true})
		join(guest, id, "incognito")
		expect("incognito again", map[string]bool{"guest": true, "org": true})
	}, apptest.StartAt(apptest.Today))
}

// TestBlocksHideReviews checks that two users do not see each other's reviews after
// a block. Pages stay full, and the average is the same for all users.
func TestBlocksHideReviews(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben := a.As("org"), a.As("ann"), a.As("ben")
		id := reviewPublished(org, nil)
		for _, who := range []string{"ann", "ben", "cem"} {
			join(a.As(who), id, "public")
		}
		ann.Post("/users/"+ben.UserID+"/block", nil).Want(200)
		finish(a)
		names := map[string]string{}
		for i, who := range []string{"cem", "ben", "ann"} {
			names[a.As(who).UserID] = who
			a.Clock.Advance(time.Second)
			reviewWrite(a.As(who), id, i+3).Want(201)
		}
		for who, want := range map[string][]string{"ann": {"ann", "cem"}, "ben": {"ben", "cem"}, "cem": {"ann", "ben", "cem"},
			"org": {"ann", "ben", "cem"}} {
			found := []string{}
			for _, author := range reviewWalk(t, a.As(who), id, 1) {
				found = append(found, names[author])
			}
			if !slices.Equal(found, want) {
				t.Errorf("%s sees the reviews of %v, want %v", who, found, want)
			}
			if page := a.As(who).Get(reviews(id)); page.Number("review_count") != 3 || page.Number("average_rating") != 4 {
				t.Errorf("%s sees the totals %s", who, page.Body)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestBlockDoesNotRevealAuthor blocks the author of a review that shows no author. The
// review stays, because its disappearance would reveal the author.
func TestBlockDoesNotRevealAuthor(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben := a.As("org"), a.As("ann"), a.As("ben")
		id := reviewPublished(org, nil)
		join(ann, id, "incognito")
		finish(a)
		reviewWrite(ann, id, 5).Want(201)
		before := ben.Get(reviews(id)).Want(200)
		for _, pair := range [][2]*apptest.Client{{ann, ben}, {ben, ann}} {
			pair[0].Post("/users/"+pair[1].UserID+"/block", nil).Want(200)
			if after := ben.Get(reviews(id)).Want(200); string(after.Body) != string(before.Body) || after.Len("items") != 1 {
				t.Errorf("ben saw %s, now %s", before.Body, after.Body)
			}
			pair[0].Delete("/users/" + pair[1].UserID + "/block").Want(204)
		}
	}, apptest.StartAt(apptest.Today))
}

// reviewWalk returns the authors of all reviews, page by page.
func reviewWalk(t *testing.T, c *apptest.Client, event string, limit int) (authors []string) {
	t.Helper()
	cursor := ""
	for {
		page := c.Get(fmt.Sprintf("%s?limit=%d%s", reviews(event), limit, cursor)).Want(200)
		for i := range page.Len("items") {
			authors = append(authors, page.Text(fmt.Sprintf("items.%d.author_user_id", i)))
		}
		next, more := page.Get("next_cursor").(string)
		if !more {
			return authors
		}
		if page.Len("items") != limit {
			t.Errorf("a short page: %s", page.Body)
		}
		cursor = "&cursor=" + next
	}
}

func TestPages(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		id := reviewPublished(a.As("org"), nil)
		var want []string
		for i := range 7 {
			guest := a.As(fmt.Sprint("guest", i))
			join(guest, id, "public")
			want = append(want, guest.UserID)
		}
		finish(a)
		for i := range want { // several at the same moment
			a.Clock.Advance(time.Duration(i%2) * time.Second)
			reviewWrite(a.As(fmt.Sprint("guest", i)), id, 5).Want(201)
		}
		reader := a.As("reader")
		all := reviewWalk(t, reader, id, 100)
		for _, limit := range []int{1, 2, 3, 7} {
			if found := reviewWalk(t, reader, id, limit); !slices.Equal(found, all) {
				t.Errorf("pages of %d: %v, want %v", limit, found, all)
			}
		}
		slices.Sort(want)
		if slices.Sort(all); !slices.Equal(all, want) {
			t.Errorf("found %v, want %v", all, want)
		}
		for _, query := range []string{"cursor=x", "limit=0", "limit=101", "limit=1.5"} {
			reader.Get(reviews(id)+"?"+query).WantError(400, "invalid_request")
		}
	}, apptest.StartAt(apptest.Today))
}

// TestReviewExportAndErase exports and erases the reviews of a user, hidden ones too. The
// average is then that of the other users.
func TestReviewExportAndErase(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		one, two := reviewPublished(org, nil), reviewPublished(org, nil)
		for _, id := range []string{one, two} {
			join(ann, id, "incognito")
			join(a.As("ben"), id, "public")
		}
		finish(a)
		reviewWrite(a.As("ben"), one, 3).Want(201)
		reviewWrite(ann, one, 5).Want(201)
		hide(t, a, reviewWrite(ann, two, 4).Want(201).Text("id"))

		exported, err := review.Export(t.Context(), a.DB, userID(t, ann))
		if err != nil {
			t.Fatal(err)
		}
		if n := lengthOf(t, exported); n != 2 {
			t.Errorf("%d reviews are exported", n)
		}
		err = a.DB.InTx(t.Context(), func(tx db.Tx) error { return review.Erase(t.Context(), tx, userID(t, ann), apptest.Today) })
		if err != nil {
			t.Fatal(err)
		}
		page := org.Get(reviews(one)).Want(200)
		if page.Len("items") != 1 || page.Number("average_rating") != 3 || page.Number("review_count") != 1 {
			t.Errorf("without her: %s", page.Body)
		}
		reviewAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}
