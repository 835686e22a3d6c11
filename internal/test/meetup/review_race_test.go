package meetup_test

import (
	"encoding/json"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/meetup/review"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestAveragesStayExact lets all users write, change and rewrite reviews
// concurrently, while moderation hides some.
func TestAveragesStayExact(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		crowd := apptest.Crowd
		org, guests := a.As("org"), a.Crowd()
		id := reviewPublished(org, nil)
		for _, guest := range guests {
			guest.Join(id)
		}
		finish(a)
		apptest.Concurrently(crowd, func(i int) {
			for _, instance := range []int{0, 2} { // the same user on two instances
				reviewWrite(guests[i].On(instance), id, 1+i%5).Want(201)
			}
		})
		if n := reviewAgree(t, a); n != crowd {
			t.Errorf("%d reviews of %d users", n, crowd)
		}
		apptest.Concurrently(crowd, func(i int) {
			written := reviewWrite(guests[i], id, 1+(i+1)%5).Want(201).Text("id")
			if i%5 == 0 {
				hide(t, a, written)
			}
			reviewWrite(guests[i], id, 5).Want(201)
		})
		if n := reviewAgree(t, a); n != crowd {
			t.Errorf("%d reviews of %d users", n, crowd)
		}
		for instance := range 3 {
			page := org.On(instance).Get(reviews(id)).Want(200)
			if page.Number("review_count") != float64(crowd-crowd/5) || page.Number("average_rating") != 5 {
				t.Errorf("instance %d: %s", instance, page.Body)
			}
		}
		if all := kinds(org); len(all) != 2*crowd { // joined and reviewed, each once
			t.Errorf("the organizer has %d notifications", len(all))
		}
	}, apptest.StartAt(apptest.Today))
}

// TestConcurrentReviewsOfOneUserAreOne writes the same review concurrently.
func TestConcurrentReviewsOfOneUserAreOne(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		id := reviewPublished(a.As("org"), nil)
		ann := a.As("ann")
		join(ann, id, "public")
		finish(a)
		apptest.Concurrently(apptest.Crowd, func(i int) { reviewWrite(ann, id, 1+i%5).Want(201) })
		if n := reviewAgree(t, a); n != 1 {
			t.Errorf("she wrote %d reviews", n)
		}
	}, apptest.StartAt(apptest.Today))
}

// hide hides a review as moderation does.
func hide(t *testing.T, a *apptest.App, id string) {
	t.Helper()
	of, err := domain.ParseID[domain.ReviewKind](id)
	if err == nil {
		err = a.DB.InTx(t.Context(), func(tx db.Tx) error { return review.Hide(t.Context(), tx, of, apptest.Today) })
	}
	if err != nil {
		t.Error(err)
	}
}

var (
	countStmt = db.SQL("review.test_count", `SELECT COUNT(*) FROM reviews`)

	wrongStmt = db.SQL("review.test_wrong", `
		SELECT COUNT(*) FROM review_totals t WHERE
			t.n <> (SELECT COUNT(*) FROM reviews r WHERE r.event_id = t.event_id AND r.hidden_at IS NULL)
			OR t.stars <> (SELECT CAST(COALESCE(SUM(r.rating), 0) AS BIGINT) FROM reviews r WHERE r.event_id = t.event_id AND r.hidden_at IS NULL)`)
)

// reviewAgree fails the test unless the totals match the reviews, and returns the number
// of reviews.
func reviewAgree(t *testing.T, a *apptest.App) (written int) {
	t.Helper()
	var wrong int
	if err := a.DB.One(t.Context(), countStmt).Scan(&written); err != nil {
		t.Fatal(err)
	}
	if err := a.DB.One(t.Context(), wrongStmt).Scan(&wrong); err != nil {
		t.Fatal(err)
	}
	if wrong > 0 {
		t.Errorf("the totals of %d events are wrong", wrong)
	}
	return written
}

// lengthOf returns the length of a JSON list.
func lengthOf(t *testing.T, value any) int {
	t.Helper()
	encoded, err := json.Marshal(value)
	var list []any
	if err == nil {
		err = json.Unmarshal(encoded, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
