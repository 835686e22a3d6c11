package identity_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

func userID(t *testing.T, c *apptest.Client) domain.UserID {
	t.Helper()
	id, err := domain.ParseID[domain.UserKind](c.UserID)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// put stores notifications as features do.
func put(t *testing.T, a *apptest.App, all ...notify.Notification) {
	t.Helper()
	err := a.DB.InTx(t.Context(), func(tx db.Tx) error {
		for _, n := range all {
			if err := notify.Put(t.Context(), tx, a.Clock.Now(), n); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// reports makes notifications of one user about different subjects.
func reports(to domain.UserID, subjects ...string) []notify.Notification {
	all := make([]notify.Notification, len(subjects))
	for i, s := range subjects {
		all[i] = notify.Notification{To: to, Kind: notify.ReportUpdated, Subject: s}
	}
	return all
}

// ids returns the ids of a page, in order.
func ids(r *apptest.Reply) []string {
	var found []string
	for i := range r.Want(200).Len("items") {
		found = append(found, r.Text(fmt.Sprintf("items.%d.id", i)))
	}
	return found
}

// walk returns the ids of all pages of the list.
func walk(c *apptest.Client, query string, betweenPages func(page int)) []string {
	var found []string
	for page, cursor := 1, ""; ; page++ {
		r := c.Get("/notifications?" + query + cursor)
		found = append(found, ids(r)...)
		next, more := r.Get("next_cursor").(string)
		if !more {
			return found
		}
		cursor = "&cursor=" + next
		if betweenPages != nil {
			betweenPages(page)
		}
	}
}

func TestListAndRead(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann, bob := a.As("ann"), a.As("bob")
		wantUnread := func(want float64) {
			t.Helper()
			listed, counted := ann.Get("/notifications").Number("unread_count"),
				ann.Get("/notifications/unread-count").Want(200).Number("unread_count")
			if listed != want || counted != want {
				t.Errorf("%v and %v unread, want %v", listed, counted, want)
			}
		}
		if r := ann.Get("/notifications").Want(200); string(r.Body) != `{"items":[],"unread_count":0,"next_cursor":null}` {
			t.Errorf("empty list: %s", r.Body)
		}
		for _, subject := range []string{"1", "2", "3"} {
			put(t, a, reports(userID(t, ann), subject)...)
			a.Clock.Advance(time.Minute)
		}
		put(t, a, reports(userID(t, bob), "4")...)
		wantUnread(3)
		all := walk(ann, "", nil)
		if len(all) != 3 {
			t.Fatalf("%d", len(all))
		}

		read := ann.Post("/notifications/"+all[1]+"/read", nil).Want(200)
		if read.Text("id") != all[1] || read.Text("read_at") != "2026-06-01T12:03:00Z" || read.Text("created_at") != "2026-06-01T12:01:00Z" {
			t.Errorf("read: %s", read.Body)
		}
		a.Clock.Advance(time.Minute)
		if again := ann.Post("/notifications/"+all[1]+"/read", nil).Want(200); string(again.Body) != string(read.Body) {
			t.Errorf("read again: %s", again.Body)
		}
		wantUnread(2)
		if found := walk(ann, "unread_only=true", nil); !slices.Equal(found, []string{all[0], all[2]}) {
			t.Errorf("unread only: %v", found)
		}
		if found := walk(ann, "unread_only=false", nil); !slices.Equal(found, all) {
			t.Errorf("all: %v", found)
		}

		bob.Post("/notifications/"+all[0]+"/read", nil).WantError(404, "not_found")
		ann.Post("/notifications/"+domain.RandomID[domain.NotificationKind]().String()+"/read", nil).WantError(404, "not_found")
		ann.Post("/notifications/nonsense/read", nil).WantError(404, "not_found")
		wantUnread(2)

		for i, want := range []string{`{"updated_count":2,"unread_count":0}`, `{"updated_count":0,"unread_count":0}`} {
			if r := ann.Post("/notifications/read-all", nil).Want(200); string(r.Body) != want {
				t.Errorf("read all, %d: %s", i, r.Body)
			}
		}
		wantUnread(0)
		if n := bob.Get("/notifications/unread-count").Number("unread_count"); n != 1 {
			t.Errorf("bob has %v unread", n)
		}
		if again := ann.Post("/notifications/"+all[1]+"/read", nil).Want(200); string(again.Body) != string(read.Body) {
			t.Errorf("read again after read-all: %s", again.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

func TestReadingNeedsSession(t *testing.T) {
	a := apptest.New(t, db.SQLite)
	for _, call := range []string{
		"GET /notifications", "GET /notifications/unread-count", "POST /notifications/read-all",
		"POST /notifications/018f3b0a-5c1d-7000-8000-000000000131/read",
	} {
		method, path, _ := strings.Cut(call, " ")
		a.Anonymous().Do(method, path, nil).WantError(401, "unauthorized")
	}
}

func TestInvalidQueriesAreRefused(t *testing.T) {
	a := apptest.New(t, db.SQLite)
	ann := a.As("ann")
	people := domain.Cursor("people.1", time.Now(), domain.RandomID[domain.NotificationKind]())
	for _, query := range []string{
		"limit=0", "limit=101", "limit=x", "unread_only=yes", "cursor=", "cursor=%00", "cursor=nonsense",
		"cursor=" + strings.Repeat("A", 513), "cursor=" + people, "cursor=" + domain.Cursor("notifications.1", "x", "y"),
	} {
		ann.Get("/notifications?"+query).WantError(400, "invalid_request")
	}
}

// TestPagesAreStable reads pages of several sizes while notifications are added,
// renewed and read. Many have the same time.
func TestPagesAreStable(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		var subjects []string
		for i := range 150 {
			subjects = append(subjects, fmt.Sprint("old ", i))
		}
		for part := range slices.Chunk(subjects, 50) {
			put(t, a, reports(userID(t, ann), part...)...)
			a.Clock.Advance(time.Second)
		}
		all := walk(ann, "limit=100", nil)
		if len(all) != 150 {
			t.Fatalf("%d", len(all))
		}
		for _, size := range []int{1, 7, 20, 50, 100} {
			if found := walk(ann, fmt.Sprintf("limit=%d", size), nil); !slices.Equal(found, all) {
				t.Errorf("pages of %d differ: %d", size, len(found))
			}
		}

		renewed := map[string]bool{}
		found := walk(ann, "limit=20", func(page int) {
			a.Clock.Advance(time.Second)
			put(t, a, reports(userID(t, ann), fmt.Sprint("new ", page))...)
			if last := all[len(all)-page]; !renewed[last] { // on a later page
				renewed[last] = true
				renew(t, a, ann, last, subjects)
			}
			ann.Post("/notifications/"+all[60+page]+"/read", nil).Want(200)
		})
		want := slices.DeleteFunc(slices.Clone(all), func(id string) bool { return renewed[id] })
		if !slices.Equal(found, want) {
			t.Errorf("%d found, want %d", len(found), len(want))
		}
		if now := walk(ann, "limit=100", nil); len(now) != 150+len(renewed) {
			t.Errorf("%d notifications at the end", len(now))
		}
	}, apptest.StartAt(apptest.Today))
}

var subjectStmt = db.SQL("test.subject", `SELECT subject FROM notifications WHERE id = $1`)

func renew(t *testing.T, a *apptest.App, c *apptest.Client, id string, subjects []string) {
	t.Helper()
	key, _ := domain.ParseID[domain.NotificationKind](id)
	var subject string
	if err := a.DB.One(t.Context(), subjectStmt, key).Scan(&subject); err != nil || !slices.Contains(subjects, subject) {
		t.Fatal(subject, err)
	}
	put(t, a, reports(userID(t, c), subject)...)
}

// TestReadAllRacesPut checks that each notification is either counted as read by one
// instance or still unread.
func TestReadAllRacesPut(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		const callers, each = 25, 4
		var all sync.WaitGroup
		updated := make([]float64, callers)
		for i := range callers {
			all.Go(func() {
				for n := range each {
					put(t, a, reports(userID(t, ann), fmt.Sprint(i, " ", n))...)
				}
			})
			all.Go(func() {
				updated[i] = ann.On(i%3).Post("/notifications/read-all", nil).Want(200).Number("updated_count")
			})
		}
		all.Wait()
		sum := ann.Get("/notifications/unread-count").Number("unread_count")
		for _, n := range updated {
			sum += n
		}
		if sum != callers*each {
			t.Errorf("%v of %d", sum, callers*each)
		}
	}, apptest.Instances(3))
}

// TestListRunsConstantNumberOfStatements checks that the number of statements does
// not depend on the size of the page.
func TestListRunsConstantNumberOfStatements(t *testing.T) {
	each(t, 30, func(t *testing.T, h *fixture) {
		var mu sync.Mutex
		var ran []string
		counted, err := db.Open(t.Context(), h.url, db.Options{OnStatement: func(_ context.Context, s *db.Stmt, _ []any) {
			mu.Lock()
			defer mu.Unlock()
			ran = append(ran, s.Name())
		}})
		h.must(err)
		t.Cleanup(func() { _ = counted.Close() })
		service := &notify.Service{DB: counted, Clock: h.clock}
		h.invited(nil)
		for i, actor := range h.users[1:] {
			h.put(notify.Notification{To: h.users[0], Kind: notify.EventJoined, Actor: actor, Event: h.event})
			h.put(notify.Notification{To: h.users[0], Kind: notify.PostCommented, Actor: actor, Event: h.event,
				Subject: domain.RandomID[any]().String()})
			h.put(notify.Notification{To: h.users[0], Kind: notify.PostLiked, Actor: actor, Event: h.event,
				Subject: domain.RandomID[any]().String()})
			if i > 0 && i < len(h.users)-2 {
				continue
			}
			ran = nil
			page, err := service.List(t.Context(), domain.Viewer{UserID: h.users[0]}, notify.Query{Limit: 100}, notify.BestLanguage("ru"))
			h.must(err)
			want := []string{"notify.unread", "notify.list_all_100", "notify.quotes"}
			if len(page.Items) != 3*(i+1) || !slices.Equal(ran, want) {
				t.Errorf("%d items by %v", len(page.Items), ran)
			}
		}
	})
}

func TestExportAndErase(t *testing.T) {
	each(t, 3, func(t *testing.T, h *fixture) {
		h.put(h.joined(h.users[0], h.users[1]))
		h.advance(time.Minute)
		h.put(notify.Notification{To: h.users[0], Kind: notify.ReportUpdated, Subject: "42", Params: map[string]string{"status": "resolved"}})
		h.put(h.joined(h.users[2], h.users[1]))
		exported := func(user domain.UserID) string {
			value, err := notify.Export(t.Context(), h.db, user)
			h.must(err)
			text, err := json.Marshal(value)
			h.must(err)
			return string(text)
		}
		text := exported(h.users[0])
		for _, part := range []string{
			`"kind":"event_joined"`, `"event_id":"` + h.event.String() + `"`, `"actor_user_id":"` + h.users[1].String() + `"`,
			`"kind":"report_updated"`, `"subject":"42"`, `"params":{"status":"resolved"}`, `"read_at":null`, `"created_at":"2026-05-01T12:01:00Z"`,
		} {
			if !strings.Contains(text, part) {
				t.Errorf("no %s in %s", part, text)
			}
		}
		for range 2 {
			h.inTx(func(ctx context.Context, tx db.Tx) error { return notify.Erase(ctx, tx, h.users[0], h.clock()) })
		}
		if text := exported(h.users[0]); text != "[]" {
			t.Errorf("left: %s", text)
		}
		h.wantCounts(1, 1)
	})
}

func TestBlockDeletesUnreadOfPair(t *testing.T) {
	each(t, 3, func(t *testing.T, h *fixture) {
		ann, bob, cid := h.users[0], h.users[1], h.users[2]
		both := func() {
			h.put(h.joined(ann, bob))
			h.put(h.joined(bob, ann))
		}
		both()
		h.exec(readStmt, h.clock())
		h.event = domain.RandomID[domain.EventKind]()
		both()
		h.put(h.joined(ann, cid))
		h.put(h.joined(cid, bob))
		h.put(notify.Notification{To: ann, Kind: notify.PostLiked, Subject: "post", Actor: bob, Event: h.event})
		h.inTx(func(ctx context.Context, tx db.Tx) error { notify.OnBlock(ctx, tx, bob, ann); return nil })
		h.wantCounts(5, 3)
	})
}
