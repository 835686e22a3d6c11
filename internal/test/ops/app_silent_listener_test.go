package ops_test

import (
	"fmt"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

// TestSilentListenerIsReplaced drops all packets of the connections on which two instances
// listen for changes: neither end sees them close. No response is older than the bound, and
// soon the instances connect again and cache again.
func TestSilentListenerIsReplaced(t *testing.T) {
	t.Parallel()
	p := pgtest.NewProxy(t, dbtest.URL(t, db.PostgreSQL))
	counter := &counter{ran: map[string][]string{}}
	a := apptest.New(t, db.PostgreSQL, apptest.Instances(2), apptest.StartAt(noon), apptest.Setting("DATABASE_URL", p.URL),
		apptest.OnStatement(counter.record))
	org := a.As("org")
	path := "/events/" + evening(org, "Chess 0")
	var stored acknowledged
	var ages ages
	read := func() (isCached bool) {
		start, n := time.Now(), 0
		reply := a.Anonymous().On(1).Get(path).Want(200)
		if _, err := fmt.Sscanf(reply.Text("event.title"), "Chess %d", &n); err != nil {
			t.Fatal(err)
		}
		if least := stored.before(start.Add(-staleBound)); n < least {
			t.Errorf("title %d, although %d was stored a second before", n, least)
		}
		ages.add(stored.age(n, start))
		return counter.of(reply) == ""
	}
	var slowest time.Duration
	rounds := testutil.Rounds(2, 30)
	for range rounds {
		testutil.Until(t, "a cached page", read)
		for _, l := range p.Listeners() {
			l.Drop()
		}
		dropped := time.Now()
		var wrote time.Time
		distrusted := false
		testutil.Until(t, "a page that is cached again", func() bool {
			if time.Since(wrote) > 20*time.Millisecond {
				org.Patch(path, map[string]any{"title": fmt.Sprint("Chess ", len(stored.times)+1)}).Want(200)
				stored.add()
				wrote = time.Now()
			}
			fromDatabase := 0
			for range 3 { // the first read may only fill the cache
				if !read() {
					fromDatabase++
				}
			}
			distrusted = distrusted || fromDatabase == 3
			return distrusted && fromDatabase < 3
		})
		slowest = max(slowest, time.Since(dropped))
	}
	testutil.Fault(t, "the connection for notices goes silent", "%d times; cached again within %v; staleness of %v", rounds, slowest, &ages)
}
