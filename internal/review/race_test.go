package review_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"moothall/internal/apptest"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/review"
)

// crowd is how many people act at once.
const crowd = 50

// together runs one function for every member of a crowd at the same moment.
func together(act func(i int)) {
	var ready, done sync.WaitGroup
	ready.Add(crowd)
	for i := range crowd {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			act(i)
		})
	}
	done.Wait()
}

// TestAveragesStayExact has a crowd write, change and write again, while
// moderation hides a few, on one instance and on three.
func TestAveragesStayExact(t *testing.T) {
	for _, where := range []struct {
		engine    db.Engine
		instances int
	}{{db.SQLite, 1}, {db.PostgreSQL, 3}} {
		t.Run(fmt.Sprint(where.engine, " ", where.instances), func(t *testing.T) {
			t.Parallel()
			a := apptest.New(t, where.engine, apptest.Instances(where.instances), apptest.StartAt(today))
			org := a.As("org")
			id := published(org, nil)
			guests := make([]*apptest.Client, crowd)
			for i := range guests {
				guests[i] = a.As(fmt.Sprintf("guest%d", i)).On(i % where.instances)
				join(guests[i], id, "public")
			}
			finish(a)
			together(func(i int) {
				for _, instance := range []int{0, where.instances - 1} { // the same person from two places
					write(guests[i].On(instance), id, 1+i%5).Want(201)
				}
			})
			if n := agree(t, a); n != crowd {
				t.Errorf("%d reviews of %d people", n, crowd)
			}
			together(func(i int) {
				written := write(guests[i], id, 1+(i+1)%5).Want(201).Text("id")
				if i%5 == 0 {
					hide(t, a, written)
				}
				write(guests[i], id, 5).Want(201)
			})
			if n := agree(t, a); n != crowd {
				t.Errorf("%d reviews of %d people", n, crowd)
			}
			for instance := range where.instances {
				page := org.On(instance).Get(reviews(id)).Want(200)
				if page.Number("review_count") != crowd-crowd/5 || page.Number("average_rating") != 5 {
					t.Errorf("instance %d: %s", instance, page.Body)
				}
			}
			if told := kinds(org); len(told) != 2*crowd { // joined and reviewed, each once
				t.Errorf("the organizer was told of %d things", len(told))
			}
		})
	}
}

// TestOnePersonInManyPlaces writes one review with one account in parallel.
func TestOnePersonInManyPlaces(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		id := published(a.As("org"), nil)
		ann := a.As("ann")
		join(ann, id, "public")
		finish(a)
		together(func(i int) { write(ann, id, 1+i%5).Want(201) })
		if n := agree(t, a); n != 1 {
			t.Errorf("she wrote %d reviews", n)
		}
	}, apptest.StartAt(today))
}

// hide does what a moderator's decision does.
func hide(t *testing.T, a *apptest.App, id string) {
	t.Helper()
	of, err := domain.ParseID[domain.ReviewKind](id)
	if err == nil {
		err = a.DB.InTx(t.Context(), func(tx db.Tx) error { return review.Hide(t.Context(), tx, of, today) })
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

// agree fails the test unless the totals are what they count, and gives the
// number of reviews.
func agree(t *testing.T, a *apptest.App) (written int) {
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

// lengthOf gives the length of what is a list in JSON.
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
