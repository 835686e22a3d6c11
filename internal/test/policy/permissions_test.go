package policy

import (
	"encoding/binary"
	"fmt"
	"iter"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/address"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/seal"
	"moothall/internal/test/apptest"
)

var today = apptest.Today

// TestEveryOperationHasPermissionRow compares the tables with the contract.
func TestEveryOperationHasPermissionRow(t *testing.T) {
	listed := map[string]bool{}
	for _, o := range operations {
		listed[operationID(o.name)] = true
	}
	for _, o := range accountOperations {
		listed[operationID(o.name)] = true
	}
	inContract := operationsOf(t, "../../../api/openapi.yaml")
	for id := range inContract {
		if !listed[id] {
			t.Errorf("%s has no row", id)
		}
	}
	for id := range listed {
		if !inContract[id] {
			t.Errorf("%s is not in the contract", id)
		}
	}
}

// operationID returns the name of a row without the words that follow it.
func operationID(name string) string {
	id, _, _ := strings.Cut(name, " ")
	return id
}

func operationsOf(t *testing.T, contract string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(contract)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, found := range regexp.MustCompile(`(?m)^ +operationId: (\w+)$`).FindAllSubmatch(text, -1) {
		ids[string(found[1])] = true
	}
	return ids
}

// TestEventPermissions calls every operation on an event as every actor, in every
// state and visibility of the event.
func TestEventPermissions(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		w := newWorld(t, a)
		cases := allCases()
		w.make(cases)
		work := make(chan permissionCase)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for c := range work {
					w.check(c)
				}
			})
		}
		for _, c := range cases {
			work <- c
		}
		close(work)
		all.Wait()
		t.Logf("%d cases", len(cases))
	}, settings()...)
}

// TestAccountPermissions calls every other operation as every actor.
func TestAccountPermissions(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		w := newWorld(t, a)
		names := w.things()
		for _, o := range accountOperations {
			for _, who := range actors {
				client := w.clients[who]
				if o.session == ended && who != anonymous && who != suspended {
					client = a.SignIn(apptest.Email(string(who)))
				}
				if o.member >= 500 {
					client = client.Allow5xx()
				}
				got := client.Do(o.method, names.Replace(o.path), body(names.Replace(o.body)))
				if want := o.want(who); got.Status != want {
					t.Errorf("%s as %s: %d, want %d: %s", o.name, who, got.Status, want, got.Body)
				}
			}
		}
	}, settings()...)
}

func settings() []apptest.Option {
	return []apptest.Option{
		apptest.StartAt(today),
		apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email(string(moderator))),
		apptest.Setting("PAYMENTS_ENABLED", "true"),
		apptest.Setting("PAYMENT_WEBHOOK_SECRETS", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
	}
}

// allCases gives every operation its scenes.
func allCases() []permissionCase {
	var cases []permissionCase
	for _, o := range operations {
		for _, state := range states {
			for _, visibility := range visibilities {
				for _, who := range actors {
					cases = append(cases, permissionCase{
						situation: situation{state: state, visibility: visibility, actor: who}, operation: o,
						event: domain.NewID[domain.EventKind](today), post: domain.NewID[domain.PostKind](today),
						comment: domain.NewID[domain.CommentKind](today), option: domain.NewID[domain.DateOptionKind](today),
						link: domain.NewID[domain.InviteLinkKind](today),
					})
				}
			}
		}
	}
	return cases
}

// body returns the body of a row's text, nil if there is none.
func body(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// world is the people of the matrix and the service they use.
type world struct {
	t       *testing.T
	app     *apptest.App
	clients map[actor]*apptest.Client
	ids     map[actor]domain.UserID
	author  domain.UserID // of comments that are nobody's own
	guest   string        // the user_id of the user who is invited
	reasons []string      // of a 403, in the contract
	uploads sync.Mutex    // a user may have only two at the same time
}

func newWorld(t *testing.T, a *apptest.App) *world {
	t.Helper()
	w := &world{t: t, app: a, clients: map[actor]*apptest.Client{anonymous: a.Anonymous()}, ids: map[actor]domain.UserID{},
		reasons: documentedReasons()}
	for _, who := range actors {
		if who != anonymous {
			w.clients[who] = a.As(string(who))
			w.ids[who] = id[domain.UserKind](t, w.clients[who].UserID)
		}
	}
	w.author = id[domain.UserKind](t, a.As("author").UserID)
	w.guest = a.As("guest").UserID // to be invited
	organizer, others := w.ids[organizer].String(), w.clients
	others[follower].Post("/users/"+organizer+"/follow", nil).Want(200)
	others["organizer"].Post("/notifications/read-all", nil).Want(200)
	others["organizer"].Post("/users/"+w.ids[blocked].String()+"/block", nil).Want(200)
	others[blocker].Post("/users/"+organizer+"/block", nil).Want(200)
	others["organizer"].Patch("/me/payment-profile", map[string]any{"status": "verified"}).Want(200)
	report := others[stranger].Post("/reports", map[string]any{"target_type": "user", "target_id": w.ids[suspended],
		"reason": "spam"}).Want(201)
	others[moderator].Patch("/admin/reports/"+report.Text("id"), map[string]any{"status": "resolved", "action": "suspend_user"}).Want(200)
	return w
}

// check calls the operation of a permissionCase and compares its answer with the policy.
func (w *world) check(c permissionCase) {
	names := strings.NewReplacer("{event}", c.event.String(), "{code}", codeOf(c.event), "{post}", c.post.String(), "{comment}",
		c.comment.String(), "{option}", c.option.String(), "{link}", c.link.String(), "{token}", tokenOf(c.link),
		"{guest}", w.guest, "{self}", w.ids[c.actor].String())
	client, want := w.clients[c.actor], c.want(c.situation)
	if want == 403 {
		client = client.With("Accept", problemType)
	}
	if c.body == apptest.Pixel {
		w.uploads.Lock()
		defer w.uploads.Unlock()
	}
	got := client.Do(c.method, names.Replace(c.path), body(names.Replace(c.body)))
	if got.Status != want {
		w.t.Errorf("%s of a %s %s event as %s: %d, want %d: %s", c.name, c.state, c.visibility, c.actor, got.Status, want, got.Body)
	}
	if got.Status == 404 {
		got.WantError(404, "not_found")
	}
	if got.Status == 403 && !slices.Contains(w.reasons, fmt.Sprint(got.Get("reason"))) {
		w.t.Errorf("%s of a %s %s event as %s has no reason of the contract: %s", c.name, c.state, c.visibility, c.actor, got.Body)
	}
}

// codeOf returns the code of an event: random digits, as of any event.
func codeOf(event domain.EventID) string { return address.Code(binary.BigEndian.Uint64(event[8:])) }

// tokenOf returns the token of an invitation link.
func tokenOf(link domain.InviteLinkID) string {
	return seal.Keys{Current: []byte(apptest.SecretKey)}.Token("invite link", link[:])
}

func id[K any](t *testing.T, text string) domain.ID[K] {
	t.Helper()
	parsed, err := domain.ParseID[K](text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// things replaces placeholders with ids of things that the organizer owns.
func (w *world) things() *strings.Replacer {
	w.t.Helper()
	organizer := w.clients[organizer]
	entry := organizer.Post("/calendar/entries", map[string]any{"title": "Tea", "starts_at": "2026-12-01T18:00:00Z",
		"invitee_user_ids": []domain.UserID{w.author}}).Want(201).Text("id")
	invite := organizer.Get("/calendar/invites?role=outgoing").Want(200).Text("items.0.invite.id")
	w.app.As("author").Post("/users/"+organizer.UserID+"/follow", nil).Want(200)
	notification := organizer.Get("/notifications?unread_only=true").Want(200).Text("items.0.id")
	feed := path.Base(w.app.As("author").Post("/calendar/feed", nil).Want(201).Text("url"))
	passkey := domain.NewID[domain.PasskeyKind](w.app.Clock.Now())
	w.app.Exec(insertPasskeyStmt, passkey, w.ids["organizer"], w.app.Clock.Now(), []byte("key"))
	subscription := organizer.Post("/me/push-subscriptions", strings.Replace(pushSubscription, "/1", "/organizer", 1)).Want(201).Text("id")
	hook := apptest.Fields{"url": "https://example.com/", "kinds": []string{"event.canceled"}}
	webhook, paused := organizer.Post("/me/webhooks", hook).Want(201).Text("id"), organizer.Post("/me/webhooks", hook).Want(201).Text("id")
	organizer.Patch("/me/webhooks/"+paused, apptest.Fields{"status": "paused"}).Want(200)
	calendar := organizer.Post("/me/imports", apptest.Calendar).Want(200).Text("id")
	series := organizer.Post("/event-series", apptest.Fields{"rrule": "FREQ=WEEKLY;COUNT=2",
		"starts_at": w.app.Clock.Now().AddDate(0, 0, 3).Format("2006-01-02T15:04:05"),
		"timezone":  "Europe/Berlin", "template": apptest.Fields{"title": "Tea"}}).Want(201).Text("id")
	group := organizer.Post("/groups", apptest.Fields{"name": "Tea"}).Want(201).Text("id")
	return strings.NewReplacer("{group}", group, "{author}", w.author.String(), "{import}", calendar,
		"{series}", series, "{webhook}", webhook, "{paused_webhook}", paused,
		"{passkey}", passkey.String(), "{push_subscription}", subscription, "{organizer}", w.ids["organizer"].String(),
		"{entry}", entry, "{invite}", invite, "{notification}", notification, "{feed}", feed,
		"{organizer_name}", organizer.Get("/me").Text("profile.username"))
}

// pushSubscription is the body of a push subscription.
const pushSubscription = `{"endpoint":"https://push.example.com/1","keys":{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}`

var insertPasskeyStmt = db.SQL("policytest.insert_passkey", `
	INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, backup_eligible, backed_up, name, created_at)
	VALUES ($1, $2, $4, $4, 0, FALSE, FALSE, 'Phone', $3)`)

// make stores the event of every permissionCase with what the situation says.
func (w *world) make(cases []permissionCase) {
	w.t.Helper()
	w.fill("events", []string{"id", "code", "organizer_id", "status", "visibility", "listed", "swept", "title", "starts_at", "over_at",
		"starts_key", "timezone", "date_mode", "price", "price_amount", "price_currency",
		"sequence", "created_at", "updated_at", "published_at", "canceled_at", "has_team", "waitlisted"},
		events(w, cases))
	w.fill("event_hosts", []string{"event_id", "user_id", "role", "status", "created_at"}, team(w, cases))
	w.fill("participants", []string{"event_id", "user_id", "id", "status", "visibility", "slot", "joined_at", "created_at", "updated_at"},
		participants(w, cases))
	w.fill("waitlist_entries", []string{"event_id", "user_id", "id", "status", "party", "visibility", "missed", "place", "created_at",
		"updated_at"}, entries(w, cases))
	w.fill("join_requests", []string{"event_id", "user_id", "id", "status", "party", "visibility", "declines", "created_at", "updated_at"},
		requests(w, cases))
	w.fill("event_slots", []string{"event_id", "slot", "n"}, seats(cases))
	w.fill("invitations", []string{"event_id", "user_id", "id", "invited_by", "status", "created_at", "updated_at"}, invitations(w, cases))
	w.fill("invite_links", []string{"id", "event_id", "created_by", "uses", "created_at"}, links(w, cases))
	w.fill("posts", []string{"id", "event_id", "seq", "author_id", "kind", "body", "like_count", "repost_count", "comment_count",
		"last_comment", "commented_at",
		"created_at", "updated_at"}, posts(w, cases))
	w.fill("comments", []string{"post_id", "seq", "id", "author_id", "depth", "body", "created_at", "updated_at"}, comments(w, cases))
	w.fill("date_options", []string{"id", "event_id", "starts_at", "created_at"}, options(cases))
}

func (w *world) fill(table string, columns []string, rows iter.Seq[[]any]) {
	w.t.Helper()
	if _, err := w.app.DB.Bulk(w.t.Context(), table, columns, rows); err != nil {
		w.t.Fatalf("%s: %v", table, err)
	}
}

// rows gives what each permissionCase has in one table, if anything.
func rows(cases []permissionCase, row func(i int, c permissionCase) []any) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for i, c := range cases {
			if r := row(i, c); r != nil && !yield(r) {
				return
			}
		}
	}
}

func events(w *world, cases []permissionCase) iter.Seq[[]any] {
	return rows(cases, func(i int, c permissionCase) []any {
		starts, status := today.Add(48*time.Hour), c.state
		var publishedAt, canceledAt *time.Time
		switch c.state {
		case access.Completed:
			starts, status, publishedAt = today.Add(-48*time.Hour), access.Published, &today
		case access.Canceled:
			publishedAt, canceledAt = &today, &today
		case access.Published:
			publishedAt = &today
		case access.Draft:
		}
		mode, price, amount, currency := "fixed", "free", (*int64)(nil), (*string)(nil)
		if c.vote {
			mode = "vote"
		}
		if c.paid {
			price, amount, currency = "paid", new(int64(100)), new("RUB")
		}
		return []any{c.event, codeOf(c.event), w.ids[organizer], status, c.visibility, false, false, "Tea", starts, starts.Add(3 * time.Hour),
			starts.UnixNano() + int64(i), "UTC",
			mode, price, amount, currency, 0, today, today, publishedAt, canceledAt, c.hostStatus() != "", c.waits() || c.asks()}
	})
}

func team(w *world, cases []permissionCase) iter.Seq[[]any] {
	return rows(cases, func(_ int, c permissionCase) []any {
		if c.hostStatus() == "" {
			return nil
		}
		return []any{c.event, w.ids[c.actor], "host", c.hostStatus(), today}
	})
}

func participants(w *world, cases []permissionCase) iter.Seq[[]any] {
	return rows(cases, func(_ int, c permissionCase) []any {
		status, visibility, ok := c.participation()
		if !ok {
			return nil
		}
		return []any{c.event, w.ids[c.actor], domain.NewID[domain.ParticipantKind](today), status, visibility, 0, today, today, today}
	})
}

func entries(w *world, cases []permissionCase) iter.Seq[[]any] {
	return rows(cases, func(_ int, c permissionCase) []any {
		if !c.waits() {
			return nil
		}
		return []any{c.event, w.ids[c.actor], domain.NewID[domain.WaitlistEntryKind](today), "waiting", 1, "public", 0, 1, today, today}
	})
}

func requests(w *world, cases []permissionCase) iter.Seq[[]any] {
	return rows(cases, func(_ int, c permissionCase) []any {
		if !c.asks() {
			return nil
		}
		return []any{c.event, w.ids[c.actor], domain.NewID[domain.ParticipantKind](today), "pending", 1, "public", 0, today, today}
	})
}

func seats(cases []permissionCase) iter.Seq[[]any] {
	return rows(cases, func(_ int, c permissionCase) []any {
		if !c.goes() {
			return nil
		}
		return []any{c.event, 0, 1}
	})
}

func invitations(w *world, cases []permissionCase) iter.Seq[[]any] {
	return rows(cases, func(_ int, c permissionCase) []any {
		status, ok := c.invitation()
		if !ok {
			return nil
		}
		return []any{c.event, w.ids[c.actor], domain.NewID[domain.InvitationKind](today), w.ids[organizer], status, today, today}
	})
}

// links gives a link to the cases that need one.
func links(w *world, cases []permissionCase) iter.Seq[[]any] {
	return rows(cases, func(_ int, c permissionCase) []any {
		if !strings.Contains(c.path, "{token}") && !strings.Contains(c.path, "{link}") {
			return nil
		}
		return []any{c.link, c.event, w.ids[organizer], 0, today}
	})
}

func posts(w *world, cases []permissionCase) iter.Seq[[]any] {
	return rows(cases, func(_ int, c permissionCase) []any {
		return []any{c.post, c.event, 1, w.ids[organizer], "post", "News.", 0, 0, 1, 1, today, today, today}
	})
}

func comments(w *world, cases []permissionCase) iter.Seq[[]any] {
	return rows(cases, func(_ int, c permissionCase) []any {
		author := w.author
		if c.own && c.actor != anonymous {
			author = w.ids[c.actor]
		}
		return []any{c.post, 1, c.comment, author, 1, "Well.", today, today}
	})
}

func options(cases []permissionCase) iter.Seq[[]any] {
	return rows(cases, func(_ int, c permissionCase) []any {
		return []any{c.option, c.event, today.Add(72 * time.Hour), today}
	})
}
