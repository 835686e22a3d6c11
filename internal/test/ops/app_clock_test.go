package ops_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// far is how far a clock jumps ahead in these tests, and further than anything lives.
const far = 400 * 24 * time.Hour

// limited is something that is valid for a limited time.
type limited struct {
	lifetime time.Duration                                        // 0: without limit
	make     func(w clockWorld, at int) (valid func(at int) bool) // at: the instance; valid is called once
	age      string                                               // makes it $1 microseconds older
}

// newcomers selects the sessions of people other than ann and org.
const newcomers = `user_id NOT IN (SELECT u.id FROM users u WHERE u.email_key IN ('ann@example.org', 'org@example.org'))`

// everyLimited lists all things that are valid for a limited time.
var everyLimited = map[string]limited{
	"access token": {15 * time.Minute, func(w clockWorld, at int) func(int) bool {
		c := w.newcomer(at)
		return func(at int) bool { return c.On(at).Get("/me").Status == http.StatusOK }
	}, `UPDATE sessions SET access_expires_at = access_expires_at - $1 WHERE ` + newcomers},
	"API key": {24 * time.Hour, func(w clockWorld, at int) func(int) bool {
		body := apptest.Fields{"name": "Printer", "scopes": []string{"profile:read"}, "expires_at": w.Clock.Now().Add(24 * time.Hour)}
		key := w.org.On(at).Post("/me/api-keys", body).Want(201).Text("key")
		return func(at int) bool { return w.WithBearer(key).On(at).Get("/me").Status == http.StatusOK }
	}, `UPDATE api_keys SET expires_at = expires_at - $1`},
	"invitation link": {24 * time.Hour, func(w clockWorld, at int) func(int) bool {
		event := w.org.Post("/events", apptest.Fields{"title": "Dinner", "starts_at": "2039-06-05T18:00:00Z", "visibility": "private"}).
			Want(201).Text("event.id")
		w.org.Post("/events/"+event+"/publish", nil).Want(200)
		body := apptest.Fields{"expires_at": w.Clock.Now().Add(24 * time.Hour)}
		link := w.org.On(at).Post("/events/"+event+"/invite-links", body).Want(201).Text("url")
		return func(at int) bool {
			return w.Anonymous().On(at).Get("/invite-links/"+path.Base(link)).Status == http.StatusOK
		}
	}, `UPDATE invite_links SET expires_at = expires_at - $1`},
	"refresh token": {30 * 24 * time.Hour, func(w clockWorld, at int) func(int) bool {
		c := w.newcomer(at)
		return func(at int) bool { return w.Anonymous().On(at).Refresh(c.RefreshToken).Status == http.StatusOK }
	}, `UPDATE sessions SET refresh_expires_at = refresh_expires_at - $1 WHERE ` + newcomers},
	"e-mail code": {10 * time.Minute, func(w clockWorld, at int) func(int) bool {
		email := apptest.Email(w.name())
		code := w.Anonymous().On(at).Post("/auth/dev/start", apptest.Fields{"email": email}).Want(200).Text("dev_code")
		return func(at int) bool {
			return w.Anonymous().On(at).Post("/auth/dev/verify", apptest.Fields{"email": email, "code": code}).Status == http.StatusOK
		}
	}, `UPDATE email_challenges SET expires_at = expires_at - $1`},
	"sign-in by e-mail": {10 * time.Minute, func(w clockWorld, at int) func(int) bool {
		started := w.Anonymous().On(at).Post("/auth/email/start", apptest.Fields{"email": apptest.Email(w.name())}).Want(200)
		return func(at int) bool {
			r := w.Anonymous().On(at).Post("/auth/email/status", apptest.Fields{"challenge": started.Text("challenge")})
			return r.Status == http.StatusOK && r.Text("status") == "pending"
		}
	}, `UPDATE email_sign_ins SET expires_at = expires_at - $1`},
	"phone challenge": {5 * time.Minute, func(w clockWorld, at int) func(int) bool {
		phone := fmt.Sprintf("+7999123%04d", w.number())
		id := w.Anonymous().On(at).Post("/auth/phone/call/start", apptest.Fields{"phone": phone}).Want(200).Text("challenge_id")
		return func(at int) bool {
			r := w.Anonymous().On(at).Post("/auth/phone/call/status", apptest.Fields{"challenge_id": id})
			return r.Status == http.StatusOK && r.Text("status") == "pending"
		}
	}, `UPDATE phone_challenges SET expires_at = expires_at - $1`},
	"OAuth state": {10 * time.Minute, func(w clockWorld, at int) func(int) bool {
		r := w.Anonymous().On(at).Get("/auth/idp/start").Want(http.StatusSeeOther)
		page, err := url.Parse(r.Header.Get("Location"))
		if err != nil {
			w.t.Fatal(err)
		}
		cookie, _, _ := strings.Cut(r.Header.Get("Set-Cookie"), ";")
		back := url.Values{"state": {page.Query().Get("state")}, "error": {"access_denied"}}
		return func(at int) bool {
			r := w.Anonymous().On(at).With("Cookie", cookie).Get("/auth/idp/callback?" + back.Encode()).Want(http.StatusSeeOther)
			return strings.HasSuffix(r.Header.Get("Location"), "error=oauth_denied")
		}
	}, `UPDATE oauth_states SET expires_at = expires_at - $1`},
	"calendar address": {0, func(w clockWorld, at int) func(int) bool {
		address := w.org.On(at).Post("/calendar/feed", nil).Want(201).Text("url")
		return func(at int) bool {
			return w.Anonymous().On(at).Get(strings.TrimPrefix(address, apptest.BaseURL)).Status == http.StatusOK
		}
	}, `UPDATE calendar_feeds SET created_at = created_at - $1`},
	"payment": {30 * time.Minute, func(w clockWorld, at int) func(int) bool {
		id := w.ann.On(at).Post("/events/"+w.concert()+"/payment-intents", nil).Want(201).Text("id")
		return func(at int) bool {
			return w.ann.On(at).Get("/payments/intents/"+id).Want(200).Text("status") == "pending"
		}
	}, `UPDATE payment_intents SET expires_at = expires_at - $1`},
	"payment key": {24 * time.Hour, func(w clockWorld, at int) func(int) bool {
		key, first, second := w.name(), w.concert(), w.concert()
		pay := func(at int, event string) int {
			return w.ann.On(at).With("Idempotency-Key", key).Post("/events/"+event+"/payment-intents", nil).Status
		}
		if status := pay(at, first); status != http.StatusCreated {
			w.t.Errorf("payment: %d", status)
		}
		return func(at int) bool { return pay(at, second) == http.StatusUnprocessableEntity }
	}, `UPDATE payment_keys SET created_at = created_at - $1`},
	"offer of seats": {time.Hour, func(w clockWorld, at int) func(int) bool {
		path := "/events/" + w.org.Post("/events", apptest.Fields{"title": "Chess", "capacity": 1, "waitlist": "offer",
			"waitlist_offer_minutes": 60,
			"starts_at":              w.Clock.Now().Add(20 * time.Hour), // so soon that offers do not last for the night
		}).Want(201).Text("event.id")
		w.org.Post(path+"/publish", nil).Want(200)
		w.org.Post(path+"/join", nil).Want(200)
		first, second := w.newcomer(at), w.newcomer(at)
		first.Post(path+"/waitlist", nil).Want(201)
		second.Post(path+"/waitlist", nil).Want(201) // gets the seat after the first one
		w.org.Delete(path + "/join").Want(200)
		testutil.Until(w.t, "the offer", func() bool { return first.Get(path+"/waitlist").Want(200).Text("status") == "offered" })
		return func(at int) bool { return first.On(at).Post(path+"/join", nil).Status == http.StatusOK }
	}, `UPDATE seat_holds SET until = until - $1`},
	"idempotency key": {24 * time.Hour, func(w clockWorld, at int) func(int) bool {
		client := w.org.With("Idempotency-Key", w.name())
		create := func(at int) string {
			return client.On(at).Post("/events", apptest.Fields{"title": "Chess", "starts_at": "2039-06-05T18:00:00Z"}).Want(201).Text("event.id")
		}
		first := create(at)
		return func(at int) bool { return create(at) == first }
	}, `UPDATE idempotency_keys SET created_at = created_at - $1`},
	"rate limit": {2 * time.Minute, func(w clockWorld, at int) func(int) bool {
		email := apptest.Email(w.name())
		start := func(at int) int {
			return w.Anonymous().On(at).Post("/auth/dev/start", apptest.Fields{"email": email}).Status
		}
		for start(at) == http.StatusOK {
		}
		return func(at int) bool { return start(at) == http.StatusTooManyRequests }
	}, `UPDATE rate_limits SET free_at = free_at - $1`},
}

// TestEveryExpiryIsJudged compares everyLimited with the tables that have an expiry.
func TestEveryExpiryIsJudged(t *testing.T) {
	others := map[string]string{
		"deliveries":             "a mail that was delayed too long is not sent",
		"oauth_nonces":           "they are kept until the token that they belong to expires",
		"passkey_challenges":     "they need an authenticator: package passkey tests them",
		"realtime_tickets":       "they are kept until the ticket expires, which package realtime tests",
		"retired_refresh_tokens": "they are kept until the session expires",
	}
	d := dbtest.Open(t, db.SQLite)
	tables, err := db.All(t.Context(), d, func(row db.Row, name *string) error { return row.Scan(name) }, expiringStmt)
	if err != nil || len(tables) < len(others) {
		t.Fatal(tables, err)
	}
	for _, table := range tables {
		judged := others[table] != ""
		for _, l := range everyLimited {
			judged = judged || strings.Contains(l.age, "UPDATE "+table+" ")
		}
		if !judged {
			t.Errorf("%s has an expiry: add it to everyLimited", table)
		}
	}
}

var expiringStmt = db.SQL("app_test.expiring", `
	SELECT DISTINCT m.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c ON TRUE
	WHERE m.type = 'table' AND c.name LIKE '%expires_at'`)

// clockWorld is a service whose instances run on machines with their own clocks.
type clockWorld struct {
	*apptest.App
	t        *testing.T
	org, ann *apptest.Client
	numbers  *int
}

func (w clockWorld) number() int  { *w.numbers++; return *w.numbers }
func (w clockWorld) name() string { return fmt.Sprint("person", w.number()) }

func (w clockWorld) newcomer(at int) *apptest.Client {
	email := apptest.Email(w.name())
	code := w.Anonymous().On(at).Post("/auth/dev/start", apptest.Fields{"email": email}).Want(200).Text("dev_code")
	r := w.Anonymous().On(at).Post("/auth/dev/verify", apptest.Fields{"email": email, "code": code}).Want(200)
	c := w.WithBearer(r.Text("access_token"))
	c.RefreshToken = r.Text("refresh_token")
	return c
}

// concert returns a new event for sale.
func (w clockWorld) concert() string {
	id := w.org.Post("/events", apptest.Fields{"title": "A concert",
		"starts_at": time.Now().Add(30 * 24 * time.Hour).UTC().Format(time.RFC3339),
		"price":     "paid", "price_amount": 1500, "price_currency": "RUB"}).Want(201).Text("event.id")
	w.org.Post("/events/"+id+"/publish", nil).Want(200)
	return id
}

// newClockWorld runs an instance on each machine, with limits that this test does not reach.
func newClockWorld(t *testing.T, engine db.Engine, machines []*apptest.Machine) clockWorld {
	t.Helper()
	options := []apptest.Option{apptest.Instances(len(machines)), apptest.Machines(machines...)}
	for name, value := range map[string]string{
		"PHONE_PROVIDER": "development", "PAYMENTS_ENABLED": "true", "PAYMENT_WEBHOOK_SECRETS": webhookKey,
		"IDP_PROVIDERS": "yandex", "IDP_YANDEX_ISSUER": "https://yandex.test", "IDP_YANDEX_CLIENT_ID": "web",
		"IDP_YANDEX_AUTH_URL": "https://yandex.test/a", "IDP_YANDEX_TOKEN_URL": "https://yandex.test/t",
		"IDP_YANDEX_INFO_URL": "https://yandex.test/i",
		"RATE_LIMITS":         "dev_start_per_address=1000/1h, dev_verify_per_address=1000/1h, phone_start_per_address=1000/1h, events_per_user_day=1000/24h",
	} {
		options = append(options, apptest.Setting(name, value))
	}
	w := clockWorld{App: apptest.New(t, engine, options...), t: t, numbers: new(int)}
	w.org, w.ann = w.As("org"), w.As("ann")
	w.org.Patch("/me/payment-profile", apptest.Fields{"status": "verified"}).Want(200)
	return w
}

const webhookKey = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="

// judged makes one of everything at one instance and makes it older by a function of its
// lifetime. Then it lets the clocks jump, and compares what another instance says.
func (w clockWorld) judged(made, judged int, age func(lifetime time.Duration) time.Duration, jump func(), want bool) {
	w.t.Helper()
	valid := map[string]func(int) bool{}
	for name, l := range everyLimited {
		inMemory := name == "rate limit" && w.Engine() == db.SQLite
		if inMemory && (made != judged || !want) || l.lifetime == 0 && !want {
			continue
		}
		valid[name] = l.make(w, made)
		if !inMemory {
			w.Exec(db.SQL("app_test.age_"+name, l.age), age(l.lifetime).Microseconds())
		}
	}
	jump()
	for name, isValid := range valid {
		if isValid(judged) != want {
			w.t.Errorf("%s made by %d, judged by %d: valid is not %v", name, made, judged, want)
		}
	}
}

func half(lifetime time.Duration) time.Duration    { return lifetime / 2 }
func expired(lifetime time.Duration) time.Duration { return lifetime + 2*time.Minute }

// TestClockJumpsChangeNoExpiry lets the machine's clock jump under a running service, and then
// starts another one.
func TestClockJumpsChangeNoExpiry(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			m := &apptest.Machine{}
			w := newClockWorld(t, engine, []*apptest.Machine{m})
			jump := func(ahead time.Duration) func() {
				return func() { m.SetAhead(ahead); w.CheckClocks() }
			}
			w.judged(0, 0, half, jump(far), true)
			jump(0)()
			w.judged(0, 0, half, jump(-time.Hour), true)
			jump(0)()
			w.judged(0, 0, expired, jump(-time.Hour), false)
			jump(0)()
			w.judged(0, 1, expired, func() { m.SetAhead(-time.Hour); w.Start() }, false)
			w.judged(0, 1, half, func() {}, true)
			testutil.Fault(t, "the clock of the machine jumps",
				"%d kinds of tokens, keys and limits are judged as before, 400 days ahead, an hour back, and after a restart an hour back",
				len(everyLimited))
		})
	}
}

// offsetOfTenMinutes allows for the time that a busy machine takes to read two clocks.
var offsetOfTenMinutes = regexp.MustCompile(`moothall_clock_offset_seconds (59\d|60\d)(\.\d+)?\n`)

// TestInstancesWithOtherClocksAgree runs two instances 20 minutes apart on one PostgreSQL.
func TestInstancesWithOtherClocksAgree(t *testing.T) {
	t.Parallel()
	early, late := &apptest.Machine{}, &apptest.Machine{}
	early.SetAhead(10 * time.Minute)
	late.SetAhead(-10 * time.Minute)
	w := newClockWorld(t, db.PostgreSQL, []*apptest.Machine{early, late})
	for _, of := range [][2]int{{0, 1}, {1, 0}} {
		w.judged(of[0], of[1], half, func() {}, true)
		w.judged(of[0], of[1], expired, func() {}, false)
	}
	w.CheckClocks()
	if !strings.Contains(w.Log(), "the machine's clock differs") || !offsetOfTenMinutes.MatchString(w.Metrics()) {
		t.Errorf("the offset is not reported:\n%s", w.Metrics())
	}
	testutil.Fault(t, "instances with different clocks", "20 minutes apart, %d kinds of tokens, keys and limits are judged the same",
		len(everyLimited))
}

// TestSessionsOfWrongTimeEnd signs in at an instance that has started with a clock far ahead. When
// the clock is right again, the session is refused: otherwise it would live for 400 days too long.
// On PostgreSQL the time was right.
func TestSessionsOfWrongTimeEnd(t *testing.T) {
	for engine, after := range map[db.Engine]int{db.SQLite: http.StatusUnauthorized, db.PostgreSQL: http.StatusOK} {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			wrong := &apptest.Machine{}
			w := newClockWorld(t, engine, []*apptest.Machine{{}})
			w.CheckClocks()
			wrong.SetAhead(far)
			w.StartOn(wrong)
			c := w.newcomer(1)
			c.On(1).Get("/me").Want(http.StatusOK)
			wrong.SetAhead(0)
			w.CheckClocks()
			for at := range 2 {
				c.On(at).Get("/me").Want(after)
			}
			w.Anonymous().Refresh(c.RefreshToken).Want(after)
		})
	}
}

var (
	allDueStmt = db.SQL("app_test.all_due", `UPDATE jobs SET run_at = 0 WHERE lease IS NULL`)
	latestStmt = db.SQL("app_test.latest_job", `SELECT MAX(run_at) FROM jobs`)
	oldStmt    = db.SQL("app_test.old_key", `UPDATE idempotency_keys SET created_at = created_at - $1`)
	keysStmt   = db.SQL("app_test.keys", `SELECT COUNT(*) FROM idempotency_keys`)

	ageNotificationsStmt = db.SQL("app_test.age_notifications", `UPDATE notifications SET created_at = created_at - $1`)

	// keptStmt counts what a purge or a sweep ends.
	keptStmt = db.SQL("app_test.kept", `SELECT (SELECT COUNT(*) FROM sessions) + (SELECT COUNT(*) FROM retired_refresh_tokens)
		+ (SELECT COUNT(*) FROM email_challenges) + (SELECT COUNT(*) FROM phone_challenges) + (SELECT COUNT(*) FROM oauth_states)
		+ (SELECT COUNT(*) FROM payment_keys) + (SELECT COUNT(*) FROM notifications) + (SELECT COUNT(*) FROM events WHERE listed AND NOT swept)`)
)

// TestJumpedClockDeletesNothing runs all periodic jobs while the machine's clock is far ahead, in a
// running service and in one that starts then. Afterwards it runs them again.
func TestJumpedClockDeletesNothing(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			m, other := &apptest.Machine{}, &apptest.Machine{}
			w := newClockWorld(t, engine, []*apptest.Machine{m})
			for _, name := range slices.Sorted(maps.Keys(everyLimited)) {
				everyLimited[name].make(w, 0)
			}
			w.newcomer(0).Refresh(w.newcomer(0).RefreshToken).Want(200)
			w.ann.Post("/users/"+w.org.UserID+"/follow", nil).Want(200)
			w.Exec(ageNotificationsStmt, (179 * 24 * time.Hour).Microseconds())
			w.CheckClocks()
			kept := w.Count(keptStmt)

			wantKept := func() {
				t.Helper()
				if now := w.Count(keptStmt); now != kept {
					t.Errorf("%d of %d rows are left", now, kept)
				}
			}
			wantJobsSoon := func() {
				t.Helper()
				var latest time.Time
				if err := w.DB.One(t.Context(), latestStmt).Scan(&latest); err != nil || latest.After(time.Now().Add(25*time.Hour)) {
					t.Errorf("a job is due at %v, %v", latest, err)
				}
			}
			runAll := func() {
				t.Helper()
				w.Exec(allDueStmt)
				w.RunJobs()
				wantKept()
				wantJobsSoon()
			}
			m.SetAhead(far)
			w.CheckClocks()
			runAll()
			if trusted := strings.Contains(w.Metrics(), "\nmoothall_clock_trusted 1\n"); trusted != (engine == db.PostgreSQL) {
				t.Errorf("trusted: %v", trusted)
			}
			m.SetAhead(0)
			w.CheckClocks()

			other.SetAhead(far)
			w.StartOn(other)
			w.Exec(allDueStmt)
			w.RunJobsOf(1)
			wantKept()
			other.SetAhead(0)
			w.CheckClocks()
			w.RunJobs() // brings the jobs back
			wantJobsSoon()
			runAll()

			w.Exec(oldStmt, (25 * time.Hour).Microseconds())
			runAll()
			if n := w.Count(keysStmt); n != 0 {
				t.Errorf("%d expired keys are left: the purges have not resumed", n)
			}
			testutil.Fault(t, "the clock of the machine is far ahead",
				"400 days ahead, running and started so: %d rows kept, all jobs due within a day afterwards", kept)
		})
	}
}
