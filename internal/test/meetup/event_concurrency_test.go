package meetup_test

import (
	"fmt"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

var deadlocksStmt = db.SQL("event.test_deadlocks", `SELECT CAST(deadlocks AS BIGINT) FROM pg_stat_database
	WHERE datname = current_database()`)

// TestConcurrentChangesDoNotDeadlock publishes, changes and cancels events with
// the same words in the same city at once.
func TestConcurrentChangesDoNotDeadlock(t *testing.T) {
	a := apptest.New(t, db.PostgreSQL, apptest.Instances(3), apptest.StartAt(apptest.Today), apptest.Setting("DATABASE_MAX_CONNS", "8"))
	const organizers = 12
	clients := make([]*apptest.Client, organizers)
	for i := range clients {
		clients[i] = a.As(fmt.Sprintf("org%d", i)).On(i % 3)
	}
	apptest.Concurrently(organizers, func(i int) {
		org := clients[i]
		id := org.Publish(apptest.Fields{"title": "Chess and tea in the park", "city": "Moscow", "category": "games"})
		for n := range 6 {
			title := fmt.Sprintf("Tea %d and chess %d in the park", i, n)
			org.Patch("/events/"+id, apptest.Fields{"title": title}).Want(200)
		}
		org.Post("/events/"+id+"/cancel", nil).Want(200)
	})
	var deadlocks int64
	if err := a.DB.One(t.Context(), deadlocksStmt).Scan(&deadlocks); err != nil {
		t.Fatal(err)
	}
	if deadlocks != 0 {
		t.Errorf("%d deadlocks", deadlocks)
	}
}
