package app_test

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"moothall/internal/apptest"
	"moothall/internal/dbtest"
	"moothall/internal/platform/db"
)

// TestUsersSeeTheirOwnWritesOnEveryInstance writes on one of two instances and reads on
// the other at once, while the notices between them are late. The writer sees each write.
// Somebody else may not, which shows that the notices are late enough.
func TestUsersSeeTheirOwnWritesOnEveryInstance(t *testing.T) {
	t.Parallel()
	const late = 150 * time.Millisecond
	a := apptest.New(t, db.PostgreSQL, apptest.Instances(2), apptest.StartAt(noon),
		apptest.Setting("DATABASE_URL", delayNotices(t, dbtest.URL(t, db.PostgreSQL), late)))
	org, ann, stranger := a.As("org"), a.As("ann"), a.As("stranger")
	party := evening(org, "Chess")
	title := func(r *apptest.Reply) any { return r.Want(200).Get("event.title") }
	stale := 0
	for round := range apptest.Rounds(50, 200) {
		here, there := round%2, 1-round%2
		before := title(stranger.On(there).Get("/events/" + party))
		name := fmt.Sprint("Chess ", round)

		org.On(here).Patch("/events/"+party, map[string]any{"title": name}).Want(200)
		if title(stranger.On(there).Get("/events/"+party)) == before {
			stale++
		}
		if got := title(org.On(there).Get("/events/" + party)); got != name {
			t.Errorf("round %d: after the update the title is %v", round, got)
		}

		org.On(here).Patch("/me/profile", map[string]any{"display_name": name}).Want(200)
		if got := org.On(there).Get("/events/" + party).Want(200).Text("organizer.display_name"); got != name {
			t.Errorf("round %d: after the change of the profile the organizer is %s", round, got)
		}
		if got := org.On(there).Get("/users/" + org.UserID + "/profile").Want(200).Text("display_name"); got != name {
			t.Errorf("round %d: after its change the profile is of %s", round, got)
		}

		want := float64(1 - round%2)
		if want == 1 {
			ann.On(here).Post("/events/"+party+"/join", nil).Want(200)
		} else {
			ann.On(here).Delete("/events/" + party + "/join").Want(200)
		}
		if got := ann.On(there).Get("/events/" + party).Want(200).Number("participant_count"); got != want {
			t.Errorf("round %d: after joining or leaving, %v participants, want %v", round, got, want)
		}

		id := org.On(here).Post("/events", map[string]any{"title": name, "starts_at": noon.Add(time.Hour - time.Duration(round)*time.Second)}).Want(201).Text("event.id")
		org.On(there).Get("/events/" + id).Want(200)
		org.On(here).Post("/events/"+id+"/publish", nil).Want(200)
		if got := org.On(there).Get("/events/" + id).Want(200).Text("event.status"); got != "published" {
			t.Errorf("round %d: after publishing, the event is %s", round, got)
		}
		if got := org.On(there).Get("/events?limit=1").Want(200).Text("items.0.event.id"); got != id {
			t.Errorf("round %d: after publishing, the list begins with %s, not %s", round, got, id)
		}
	}
	if stale == 0 {
		t.Error("the notices are not late: nobody saw an old title")
	}
}

// delayNotices returns the URL of a proxy before PostgreSQL. It delays what PostgreSQL
// sends on connections that listen to notices.
func delayNotices(t *testing.T, url string, late time.Duration) string {
	t.Helper()
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "late") // short, as the path of a socket must be
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", filepath.Join(dir, ".s.PGSQL.5432"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = listener.Close()
		_ = os.RemoveAll(dir)
	})
	go func() {
		for {
			front, err := listener.Accept()
			if err != nil {
				return // closed
			}
			back, err := net.Dial("unix", filepath.Join(config.Host, ".s.PGSQL.5432"))
			if err != nil {
				_ = front.Close()
				continue
			}
			var listens atomic.Bool
			go forward(back, front, func(sent []byte) time.Duration {
				if bytes.Contains(sent, []byte("LISTEN ")) {
					listens.Store(true)
				}
				return 0
			})
			go forward(front, back, func([]byte) time.Duration {
				if listens.Load() {
					return late
				}
				return 0
			})
		}
	}()
	return strings.Replace(url, config.Host, dir, 1)
}

// forward copies until one end closes, then closes both. delay returns how much later
// bytes arrive.
func forward(to, from net.Conn, delay func([]byte) time.Duration) {
	type packet struct {
		bytes []byte
		due   time.Time
	}
	packets := make(chan packet, 1000)
	go func() {
		for p := range packets {
			time.Sleep(time.Until(p.due))
			_, _ = to.Write(p.bytes)
		}
		_ = to.Close()
	}()
	defer close(packets)
	for {
		buffer := make([]byte, 32<<10)
		n, err := from.Read(buffer)
		if err != nil {
			_ = from.Close()
			return
		}
		packets <- packet{buffer[:n], time.Now().Add(delay(buffer[:n]))}
	}
}
