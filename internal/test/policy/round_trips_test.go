package policy

import (
	"bytes"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// trips is a proxy for PostgreSQL that counts the round trips of its clients.
type trips struct {
	atomic.Int64
	server string
}

func (c *trips) serve(front net.Conn) {
	defer func() { _ = front.Close() }() // closing one end closes both
	back, err := net.Dial("unix", c.server)
	if err != nil {
		return // the client sees the end
	}
	var waiting atomic.Bool
	go func() {
		defer func() { _ = front.Close() }()
		copyPieces(front, back, func([]byte) { waiting.Store(false) })
	}()
	defer func() { _ = back.Close() }()
	listens := false // the instance sends notices on this connection at any moment, and no request waits for them
	copyPieces(back, front, func(piece []byte) {
		listens = listens || bytes.Contains(piece, []byte("LISTEN "))
		if waiting.CompareAndSwap(false, true) && !listens {
			c.Add(1)
		}
	})
}

func copyPieces(to, from net.Conn, each func(piece []byte)) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		each(buffer[:n])
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// countTrips returns the address of a proxy for the database, and its counter.
func countTrips(t *testing.T, url string) (through string, c *trips) {
	t.Helper()
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	c = &trips{server: filepath.Join(config.Host, ".s.PGSQL.5432")}
	dir := t.TempDir()
	listener, err := net.Listen("unix", filepath.Join(dir, ".s.PGSQL.5432"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			front, err := listener.Accept()
			if err != nil {
				return // closed
			}
			go c.serve(front)
		}
	}()
	return strings.Replace(url, config.Host, dir, 1), c
}

// settle waits until no round trip was made for a moment, and returns their number.
func (c *trips) settle() int64 {
	for before := c.Load(); ; {
		time.Sleep(20 * time.Millisecond)
		now := c.Load()
		if now == before {
			return now
		}
		before = now
	}
}

// TestRoundTrips holds the writes that many do at once to two round trips to
// PostgreSQL, after the one that finds the session. What the service does in the
// background is counted too. So each write waits for the end of the work that the one before
// caused, and the fewest of several times count.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	url, counted := countTrips(t, dbtest.URL(t, db.PostgreSQL))
	a := apptest.New(t, db.PostgreSQL, apptest.Setting("DATABASE_URL", url), apptest.Setting("DATABASE_MAX_CONNS", "2"))
	org := a.As("org")
	event := org.Post("/events", fields{"title": "Chess", "starts_at": a.Clock.Now().AddDate(0, 0, 3)}).Want(201).Text("event.id")
	org.Post("/events/"+event+"/publish", nil).Want(200)
	post := org.Post("/events/"+event+"/posts", fields{"body": "Welcome"}).Want(201).Text("id")
	const times = 20
	var guests []*apptest.Client
	for i := range times {
		guests = append(guests, a.As(fmt.Sprint("guest", i)))
	}
	for _, c := range []struct {
		what string
		do   func(guest *apptest.Client)
		want int64
	}{
		{"join", func(g *apptest.Client) { g.Post("/events/"+event+"/join", nil).Want(200) }, 3},
		{"like", func(g *apptest.Client) { g.Post("/events/"+event+"/posts/"+post+"/like", nil).Want(200) }, 3},
		{"repost", func(g *apptest.Client) { g.Post("/events/"+event+"/posts/"+post+"/repost", nil).Want(200) }, 3},
		{"comment", func(g *apptest.Client) {
			g.Post("/events/"+event+"/posts/"+post+"/comments", fields{"body": "Hello"}).Want(201)
		}, 3},
		{"message", func(g *apptest.Client) {
			g.Post("/events/"+event+"/messages", fields{"body": "Hello"}).Want(201)
		}, 3},
		{"refresh", func(g *apptest.Client) {
			a.Anonymous().Post("/auth/refresh", fields{"refresh_token": g.RefreshToken}).Want(200)
		}, 1},
	} {
		fewest := int64(1 << 30)
		for _, g := range guests {
			before := counted.settle()
			c.do(g)
			fewest = min(fewest, counted.Load()-before)
		}
		if fewest != c.want {
			t.Errorf("%s takes %d round trips, want %d", c.what, fewest, c.want)
		}
	}
}
