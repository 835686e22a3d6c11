package event_test

import (
	"fmt"
	"sync"
	"testing"

	"moothall/internal/apptest"
	"moothall/internal/platform/db"
)

var deadlocksStmt = db.SQL("event.test_deadlocks", `SELECT CAST(deadlocks AS BIGINT) FROM pg_stat_database WHERE datname = current_database()`)

// TestOrganizersDoNotWaitForEachOther publishes, changes and cancels events
// with the same words in the same city at once: nobody runs into anybody.
func TestOrganizersDoNotWaitForEachOther(t *testing.T) {
	a := apptest.New(t, db.PostgreSQL, apptest.Instances(3), apptest.StartAt(today), apptest.Setting("DATABASE_MAX_CONNS", "8"))
	const organizers = 12
	clients := make([]*apptest.Client, organizers)
	for i := range clients {
		clients[i] = a.As(fmt.Sprintf("org%d", i)).On(i % 3)
	}
	var all sync.WaitGroup
	for i, org := range clients {
		all.Go(func() {
			id := published(org, fields{"title": "Chess and tea in the park", "city": "Moscow", "category": "games"})
			for n := range 6 {
				title := fmt.Sprintf("Tea %d and chess %d in the park", i, n)
				org.Patch("/events/"+id, fields{"title": title}).Want(200)
			}
			org.Post("/events/"+id+"/cancel", nil).Want(200)
		})
	}
	all.Wait()
	var deadlocks int64
	if err := a.DB.One(t.Context(), deadlocksStmt).Scan(&deadlocks); err != nil {
		t.Fatal(err)
	}
	if deadlocks != 0 {
		t.Errorf("%d deadlocks", deadlocks)
	}
}
