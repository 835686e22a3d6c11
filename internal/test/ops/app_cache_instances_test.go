package ops_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

// staleBound is the age that an answer may have.
const staleBound = time.Second

// instances runs three instances on one PostgreSQL, between which notices are delayed,
// stopped and lost at random until stop, also on connections that neither end sees close.
func instances(t *testing.T) (a *apptest.App, stop func()) {
	t.Helper()
	p := pgtest.NewProxy(t, dbtest.URL(t, db.PostgreSQL))
	a = apptest.New(t, db.PostgreSQL, append(statementSettings(), apptest.Instances(3), apptest.Setting("DATABASE_URL", p.URL))...)
	done := make(chan struct{})
	var disturbing sync.WaitGroup
	disturbing.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(rand.N(400 * time.Millisecond)):
			}
			listeners := p.Listeners()
			if len(listeners) == 0 {
				continue
			}
			l := listeners[rand.IntN(len(listeners))]
			switch rand.IntN(6) {
			case 0:
				l.Cut()
			case 5:
				l.Drop()
			case 1, 2:
				l.Frozen.Store(true)
				time.AfterFunc(rand.N(1500*time.Millisecond), func() { l.Frozen.Store(false) })
			case 3:
				l.Delay.Store(int64(rand.N(500 * time.Millisecond)))
			default:
				l.Delay.Store(0)
			}
		}
	})
	return a, sync.OnceFunc(func() { close(done); disturbing.Wait() })
}

// acknowledged are the numbers that writes have stored, with the times of their answers.
type acknowledged struct {
	mu    sync.Mutex
	times []time.Time
}

func (a *acknowledged) add() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.times = append(a.times, time.Now())
}

// before returns how many writes were answered before a time.
func (a *acknowledged) before(t time.Time) (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for n < len(a.times) && a.times[n].Before(t) {
		n++
	}
	return n
}

// age returns how long a value has been stale: since when the next one was stored. n is the
// number of writes that the value shows.
func (a *acknowledged) age(n int, now time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if n < len(a.times) && a.times[n].Before(now) {
		return now.Sub(a.times[n])
	}
	return 0
}

// ages are the ages of the values that were read.
type ages struct {
	mu  sync.Mutex
	all []time.Duration
}

func (a *ages) add(age time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, age)
}

func (a *ages) String() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	slices.Sort(a.all)
	quantile := func(q float64) time.Duration { return a.all[int(q*float64(len(a.all)-1))].Round(time.Millisecond) }
	return fmt.Sprintf("%d reads: p50 %v, p99 %v, max %v", len(a.all), quantile(0.5), quantile(0.99), quantile(1))
}

// TestAnswersOfAllInstancesAreFresh renames an event again and again on any instance. No
// instance answers with a title that was replaced more than a second before the request,
// and none answers the organizer with a title that they have replaced.
func TestAnswersOfAllInstancesAreFresh(t *testing.T) {
	t.Parallel()
	a, stop := instances(t)
	defer stop()
	org, ann := a.As("org"), a.As("ann")
	id := evening(org, "Chess 0")
	var stored acknowledged
	end := time.Now().Add(time.Duration(testutil.Rounds(6, 120)) * time.Second)
	var working sync.WaitGroup
	number := func(c *apptest.Client, path string) (n int) {
		page := c.Get(path).Want(200)
		title := page.Text(map[bool]string{true: "event.title", false: "items.0.event.title"}[strings.HasPrefix(path, "/events/")])
		if _, err := fmt.Sscanf(title, "Chess %d", &n); err != nil {
			t.Errorf("%s: %q", path, title)
		}
		return n
	}
	paths := []string{"/events/" + id, "/events", "/events?q=chess"}
	working.Go(func() {
		for n := 1; time.Now().Before(end) && !t.Failed(); n++ {
			org.On(rand.IntN(3)).Patch("/events/"+id, map[string]any{"title": fmt.Sprint("Chess ", n)}).Want(200)
			stored.add()
			path := paths[rand.IntN(len(paths))]
			if got := number(org.On(rand.IntN(3)), path); got < n {
				t.Errorf("%s shows the organizer title %d after they wrote %d", path, got, n)
			}
			time.Sleep(rand.N(300 * time.Millisecond))
		}
	})
	var ages ages
	for instance := range 3 {
		working.Go(func() {
			for i := 0; time.Now().Before(end) && !t.Failed(); i++ {
				c, path := a.Anonymous().On(instance), paths[rand.IntN(len(paths))]
				if i%4 == 0 {
					c = ann.On(instance)
				}
				start := time.Now()
				got := number(c, path)
				if least := stored.before(start.Add(-staleBound)); got < least {
					t.Errorf("instance %d, %s: title %d, although %d was stored a second before", instance, path, got, least)
				}
				ages.add(stored.age(got, start))
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
	working.Wait()
	testutil.Fault(t, "notices between instances are late or lost", "%d writes; staleness of %v", len(stored.times), &ages)
}

// TestInstancesEqualTheDatabaseAfterASecond lets several people write on any instance. A
// second later, every instance answers every read as one without caches.
func TestInstancesEqualTheDatabaseAfterASecond(t *testing.T) {
	t.Parallel()
	a, stop := instances(t)
	defer stop()
	w := newCacheWorld(t, a)
	org, bob := w.as(organizer), w.as("bob")
	event := "/events/" + w.names["event"]
	writes := []func(i int){
		func(i int) {
			w.as(ann).On(i).Patch("/me/profile", map[string]any{"display_name": fmt.Sprint("Ann ", rand.Int())}).Want(200)
		},
		func(i int) {
			org.On(i).Patch("/me/profile", map[string]any{"display_name": fmt.Sprint("Olga ", rand.Int())}).Want(200)
		},
		func(i int) { org.On(i).Patch(event, map[string]any{"title": fmt.Sprint("Tea ", rand.Int())}).Want(200) },
		func(i int) {
			w.as(ann).On(i).Post(event+"/join", map[string]any{"participation_visibility": "public"}).Want(200)
		},
		func(i int) {
			w.as(ann).On(i).Post(event+"/join", map[string]any{"participation_visibility": "incognito"}).Want(200)
		},
		func(i int) { w.as(ann).On(i).Delete(event + "/join") },
		func(i int) { org.On(i).Post(event+"/posts", map[string]any{"body": "News."}).Want(201) },
		func(i int) { bob.On(i).Post("/users/"+org.UserID+"/block", nil) },
		func(i int) { bob.On(i).Delete("/users/" + org.UserID + "/block") },
		func(i int) { org.On(i).Post("/events/"+org.On(i).Publish(nil)+"/cancel", nil).Want(200) },
		func(i int) { org.On(i).Publish(map[string]any{"city": "Berlin"}) },
		func(i int) {
			suspend(w.as(moderator).On(i), w.SignIn(apptest.Email(fmt.Sprint("n", rand.Int()))).UserID)
		},
	}
	for range testutil.Rounds(4, 60) {
		for range 5 {
			writes[rand.IntN(len(writes))](rand.IntN(3))
		}
		a.RunJobs()
		time.Sleep(staleBound)
		for i := range 3 {
			w.cached = w.URLs()[i]
			w.compare(fmt.Sprint("writes elsewhere, on instance ", i))
		}
	}
}
