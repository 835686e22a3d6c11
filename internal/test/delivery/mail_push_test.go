package delivery_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httputil"
	"net/url"
	osexec "os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/outboundtest"
	"moothall/internal/test/testutil"
)

// pushService is the push service of testdata/webpush, at every address of a network. It
// decrypts the messages.
type pushService struct {
	t       *testing.T
	network *outboundtest.Network
	at      *url.URL

	mu     sync.Mutex
	status int // in place of the service's own answer; 0: none
}

func newPushService(t *testing.T) *pushService {
	t.Helper()
	command := osexec.CommandContext(t.Context(), "node", "server.mjs")
	command.Dir = apptest.NodeProject(t, "testdata/webpush")
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Wait() }) // the end of the test's context kills it
	port, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatalf("the push service did not start: %v", err)
	}
	s := &pushService{t: t, at: &url.URL{Scheme: "http", Host: "127.0.0.1:" + strings.TrimSpace(port)}}
	proxy := httputil.NewSingleHostReverseProxy(s.at)
	s.network = outboundtest.New(t, func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		status := s.status
		s.mu.Unlock()
		if status != 0 {
			w.WriteHeader(status)
			return
		}
		proxy.ServeHTTP(w, r)
	})
	return s
}

// answer makes the service answer with a status; 0 ends this.
func (s *pushService) answer(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = status
}

// call calls the service itself.
func (s *pushService) call(path string, body, result any) {
	s.t.Helper()
	encoded, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := http.Post(s.at.String()+path, "application/json", bytes.NewReader(encoded))
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusCreated {
		s.t.Fatalf("%s: %d %s %v", path, r.StatusCode, text, err)
	}
	if err := json.Unmarshal(text, result); err != nil {
		s.t.Fatal(err)
	}
}

// browser is a browser with a subscription.
type browser struct {
	service *pushService
	id      string
	row     string // id of the subscription
}

// subscribe subscribes with a new browser.
func (s *pushService) subscribe(c *apptest.Client) *browser {
	s.t.Helper()
	var created struct {
		Keys map[string]string
		Hash string `json:"clientHash"`
	}
	s.call("/subscribe", map[string]string{"key": c.Get("/push/key").Want(200).Text("public_key")}, &created)
	b := &browser{service: s, id: created.Hash}
	b.row = c.Post("/me/push-subscriptions", apptest.Fields{"endpoint": "https://example.com/push/" + b.id,
		"keys": created.Keys}).Want(201).Text("id")
	return b
}

// banner is a notification of a browser.
type banner struct {
	Title  string
	Body   *string
	Href   *string
	Page   string
	Tag    string
	Unread int `json:"unread_count"`
}

// received returns the messages that the browser has decrypted, the oldest first.
func (b *browser) received() []banner {
	b.service.t.Helper()
	var got struct{ Messages []string }
	b.service.call("/messages/"+b.id, struct{}{}, &got)
	all := make([]banner, len(got.Messages))
	for i, text := range got.Messages {
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&all[i]); err != nil {
			b.service.t.Fatalf("%q: %v", text, err)
		}
	}
	return all
}

func titles(all []banner) string {
	var texts []string
	for _, one := range all {
		texts = append(texts, one.Title)
	}
	return strings.Join(texts, "; ")
}

// eachWithPush runs a test on both engines, with a push service each. The clock runs from
// now, because the push service compares the expiry of tokens with the machine's.
func eachWithPush(t *testing.T, engines []db.Engine, test func(t *testing.T, a *apptest.App, s *pushService), more ...apptest.Option) {
	t.Helper()
	for _, engine := range engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			s := newPushService(t)
			test(t, apptest.New(t, engine,
				append([]apptest.Option{apptest.Outbound(s.network.Outbound()), apptest.Setting("NOTIFICATIONS", "push"),
					apptest.StartAt(time.Now().UTC().Truncate(time.Second)), apptest.Setting("ACCESS_TOKEN_TTL", "24h")}, more...)...), s)
		})
	}
}

// upcoming are the fields of an event that begins in two days.
func upcoming(a *apptest.App, fields apptest.Fields) apptest.Fields {
	all := apptest.Fields{"title": "Chess", "starts_at": a.Clock.Now().Add(48 * time.Hour)}
	maps.Copy(all, fields)
	return all
}

var deliveredStmt = db.SQL("deliver_test.delivered", `SELECT COUNT(*) FROM deliveries WHERE channel = 'push' AND state = $1`)

// TestPush sends a notification to every browser of a user at once, in the user's language.
func TestPush(t *testing.T) {
	eachWithPush(t, dbtest.Engines, func(t *testing.T, a *apptest.App, s *pushService) {
		org, ann := a.As("org"), a.As("ann")
		laptop, phone := s.subscribe(ann), s.subscribe(a.SignIn("ann@example.org"))
		other := s.subscribe(a.As("ben"))
		ann.Patch(preferencesPath, apptest.Fields{"language": "de"}).Want(200)
		organizers := []*browser{s.subscribe(org), s.subscribe(a.SignIn("org@example.org"))}
		event := org.Publish(upcoming(a, nil))
		ann.Join(event)
		a.RunJobs()
		for _, b := range organizers { // each once, although users can join at will
			if got := b.received(); len(got) != 1 {
				t.Errorf("an organizer received %s", titles(got))
			}
		}
		org.Post("/events/"+event+"/cancel", nil).Want(200)
		a.RunJobs()
		for name, b := range map[string]*browser{"laptop": laptop, "phone": phone} {
			got := b.received()
			if len(got) != 1 || !strings.Contains(got[0].Title, "Chess") || !strings.Contains(got[0].Title, "Abgesagt") ||
				got[0].Href == nil || !strings.Contains(*got[0].Href, event) || !strings.HasPrefix(got[0].Page, "/e/chess-") ||
				got[0].Unread != 1 || len(got[0].Tag) != 32 {
				t.Errorf("%s: %+v", name, got)
			}
		}
		if got := other.received(); len(got) != 0 {
			t.Errorf("another user received %s", titles(got))
		}
		for _, r := range s.network.Requests() {
			if r.URL.Path == "/push/"+laptop.id && (r.Header.Get("Urgency") != "high" || r.Header.Get("Topic") != laptop.received()[0].Tag ||
				r.Header.Get("TTL") != "172800") {
				t.Errorf("%v", r.Header)
			}
		}
		a.Clock.Advance(time.Hour)
		a.RunJobs()
		if n := a.Count(deliveredStmt, "sent"); n != 4 {
			t.Errorf("%d deliveries", n)
		}
		if metrics := a.Metrics(); !strings.Contains(metrics, `moothall_deliveries_total{channel="push",kind="event_canceled",result="sent"} 2`) {
			t.Error("the metrics do not count the messages")
		}
	})
}

// TestPushIsNotSent looks again at the moment of sending.
func TestPushIsNotSent(t *testing.T) {
	for name, before := range map[string]func(a *apptest.App, org, ann, phone *apptest.Client, b *browser, event string){
		"nothing": func(*apptest.App, *apptest.Client, *apptest.Client, *apptest.Client, *browser, string) {},
		"read in the app": func(_ *apptest.App, _, ann, _ *apptest.Client, _ *browser, _ string) {
			ann.Post("/notifications/read-all", nil).Want(200)
		},
		"switched off": func(_ *apptest.App, _, ann, _ *apptest.Client, _ *browser, _ string) {
			ann.Patch(preferencesPath, rule("event_canceled", "push", "off")).Want(200)
		},
		"event muted": func(_ *apptest.App, _, ann, _ *apptest.Client, _ *browser, event string) {
			ann.Do("PUT", "/events/"+event+"/mute", nil).Want(200)
		},
		"blocked": func(_ *apptest.App, org, ann, _ *apptest.Client, _ *browser, _ string) {
			ann.Post("/users/"+org.UserID+"/block", nil).Want(200)
		},
		"suspended": func(a *apptest.App, _, ann, _ *apptest.Client, _ *browser, _ string) {
			a.Exec(mailSuspendStmt, ann.ID())
		},
		"logged out": func(_ *apptest.App, _, _, phone *apptest.Client, _ *browser, _ string) {
			phone.Post("/auth/logout", map[string]string{"refresh_token": phone.RefreshToken}).Want(204)
		},
		"revoked": func(_ *apptest.App, _, ann, _ *apptest.Client, _ *browser, _ string) {
			ann.Post("/auth/sessions/revoke-others", nil).Want(204)
		},
		"unsubscribed": func(_ *apptest.App, _, ann, _ *apptest.Client, b *browser, _ string) {
			ann.Delete("/me/push-subscriptions/" + b.row).Want(204)
		},
		"account deleted": func(_ *apptest.App, _, ann, _ *apptest.Client, _ *browser, _ string) { ann.Delete("/me").Want(204) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &pushService{t: t}
			s.network = outboundtest.New(t, func(w http.ResponseWriter, _ *http.Request) {
				s.mu.Lock()
				defer s.mu.Unlock()
				w.WriteHeader(s.status)
			})
			s.answer(http.StatusServiceUnavailable)
			a := apptest.New(t, db.SQLite, apptest.Outbound(s.network.Outbound()), apptest.Setting("NOTIFICATIONS", "push"),
				apptest.StartAt(apptest.Today), apptest.Setting("ACCESS_TOKEN_TTL", "24h"))
			org, ann, phone := a.As("org"), a.As("ann"), a.SignIn("ann@example.org")
			b := &browser{row: phone.Post("/me/push-subscriptions", pushKeys("https://example.com/1")).Want(201).Text("id")}
			event := org.Publish(upcoming(a, nil))
			ann.Join(event)
			org.Post("/events/"+event+"/cancel", nil).Want(200)
			a.RunJobs() // fails
			if n := len(s.network.Requests()); n != 1 {
				t.Fatalf("%d requests before", n)
			}
			before(a, org, ann, phone, b, event)
			s.answer(http.StatusCreated)
			a.Clock.Advance(time.Minute)
			a.RunJobs()
			if sent := len(s.network.Requests()) > 1; sent != (name == "nothing") {
				t.Errorf("sent: %t", sent)
			}
		})
	}
}

// TestPushReminders pushes the reminders of events whose organizers chose push. A message
// ends when the event begins.
func TestPushReminders(t *testing.T) {
	t.Parallel()
	network := outboundtest.New(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusCreated) })
	a := apptest.New(t, db.SQLite, apptest.Outbound(network.Outbound()), apptest.Setting("NOTIFICATIONS", "push"),
		apptest.StartAt(apptest.Today), apptest.Setting("ACCESS_TOKEN_TTL", "24h"))
	org, ann := a.As("org"), a.As("ann")
	ann.Post("/me/push-subscriptions", pushKeys("https://example.com/1")).Want(201)
	for _, channels := range [][]string{{"in_app", "email"}, {"push"}, {"in_app", "push"}, {"in_app"}} {
		event := org.Publish(apptest.Fields{"starts_at": apptest.Today.Add(3 * time.Hour)})
		ann.Join(event)
		org.Patch("/events/"+event+"/reminders", apptest.Fields{"enabled": true, "offsets_minutes": []int{60}, "channels": channels}).Want(200)
	}
	a.RunJobs()
	a.Clock.Advance(2*time.Hour + time.Second)
	a.RunJobs()
	a.Clock.Advance(2 * time.Minute) // of the job
	a.RunJobs()
	requests := network.Requests()
	if len(requests) != 2 {
		t.Fatalf("%d reminders were pushed", len(requests))
	}
	if ttl, err := strconv.Atoi(requests[0].Header.Get("TTL")); err != nil || ttl < 50*60 || ttl >= 60*60 {
		t.Errorf("TTL %d", ttl)
	}
}

func pushKeys(endpoint string) apptest.Fields {
	return apptest.Fields{"endpoint": endpoint, "keys": apptest.Fields{
		"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "auth": "BTBZMqHH6r4Tts7J_aSIgg"}}
}

// TestPushServiceAnswers retries, gives up, or removes a subscription.
func TestPushServiceAnswers(t *testing.T) {
	eachWithPush(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, s *pushService) {
		ann := a.As("ann")
		b := s.subscribe(ann)
		s.answer(http.StatusServiceUnavailable)
		canceledSoon(a)
		a.RunJobs()
		s.answer(0)
		a.Clock.Advance(time.Minute - time.Second)
		a.RunJobs()
		if n := len(b.received()); n != 0 {
			t.Errorf("%d messages before the pause ends", n)
		}
		a.Clock.Advance(time.Second)
		a.RunJobs()
		if got := b.received(); len(got) != 1 {
			t.Errorf("received %s", titles(got))
		}
		s.answer(http.StatusRequestEntityTooLarge)
		canceledSoon(a)
		a.RunJobs()
		if n := a.Count(deliveredStmt, "failed"); n != 1 {
			t.Errorf("%d failed after a permanent refusal", n)
		}
		s.answer(0)
		s.call("/expire/"+b.id, struct{}{}, &struct{}{})
		canceledSoon(a)
		a.RunJobs()
		if ann.Get("/me/push-subscriptions").Want(200).Len("items") != 0 {
			t.Error("the subscription is left after 410")
		}
		if n := a.Count(deliveredStmt, "skipped"); n != 1 {
			t.Errorf("%d skipped", n)
		}
		if log := a.Log(); strings.Contains(log, b.id) {
			t.Error("the log contains the endpoint")
		}
	})
}

// canceledSoon lets ann join an event that is canceled.
func canceledSoon(a *apptest.App) {
	org := a.As("org")
	event := org.Publish(upcoming(a, nil))
	a.As("ann").Join(event)
	org.Post("/events/"+event+"/cancel", nil).Want(200)
}

// TestHostilePushTexts sends texts that are long, or that mean something in JSON and HTML.
func TestHostilePushTexts(t *testing.T) {
	eachWithPush(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, s *pushService) {
		org, ann := a.As("org"), a.As("ann")
		b := s.subscribe(ann)
		for i, text := range []string{
			`"},"href":"https://evil.example/`, "<script>alert(1)</script>", strings.Repeat("e\u0301\u0302", 30), strings.Repeat("👨‍👩‍👧‍👦", 10),
			"<<<<<<<<<<<<<<<<<<<<<<<<<<<<&&&&&&&&&&&&&&&&&&&&&&&&&&&&", `\\\\\\\\\\\\\\\\\\\\""""""""""""""""`,
		} {
			event := org.Publish(upcoming(a, apptest.Fields{"title": text}))
			ann.Join(event)
			org.Post("/events/"+event+"/cancel", nil).Want(200)
			a.RunJobs()
			got := b.received()
			last := got[len(got)-1]
			if last.Href == nil || strings.Contains(*last.Href, "evil") || !strings.Contains(*last.Href, event) {
				t.Errorf("%d: %+v", i, last)
			}
		}
	})
}

// TestSlowPushService checks that a service that never answers does not hold up another.
func TestSlowPushService(t *testing.T) {
	release, quick := make(chan struct{}), make(chan struct{}, 1)
	network := outboundtest.New(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "example.com" {
			<-release
		} else {
			quick <- struct{}{}
		}
		w.WriteHeader(http.StatusCreated)
	})
	a := apptest.New(t, db.SQLite, apptest.Outbound(network.Outbound()), apptest.Setting("NOTIFICATIONS", "push"))
	t.Cleanup(func() { close(release) })
	org, evil := a.As("org"), a.As("evil")
	for i := range 10 {
		name := fmt.Sprintf("slow%d.example.com", i)
		network.Names[name] = outboundtest.Always(outboundtest.Public)
		evil.Post("/me/push-subscriptions", pushKeys("https://"+name+"/")).Want(201)
	}
	event := org.Publish(upcoming(a, nil))
	evil.Join(event)
	a.As("ann").Join(event)
	org.Post("/events/"+event+"/cancel", nil).Want(200)
	a.As("ann").Post("/me/push-subscriptions", pushKeys("https://example.com/ann")).Want(201)
	other := org.Publish(upcoming(a, nil))
	a.As("ann").Join(other)
	org.Post("/events/"+other+"/cancel", nil).Want(200)
	began := time.Now()
	select {
	case <-quick:
		testutil.Fault(t, "push services that never answer", "a message to another service arrives after %v",
			time.Since(began).Round(time.Millisecond))
	case <-time.After(time.Minute):
		t.Error("the message to the quick service waits")
	}
}
