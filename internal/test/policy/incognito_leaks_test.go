package policy

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// leak is a row of testdata/incognito_leaks.txt: a channel that could reveal an
// incognito attendance, and the check that it does not.
type leak struct {
	channel string
	check   func(*fixture)
	reason  string // why there is no check
}

var leaks = []leak{
	{channel: "list participant_user_id", check: listOfParticipant},
	{channel: "participant_count", check: participantCount},
	{channel: "count-vs-list", reason: "participant_count counts everybody: a number names nobody (policy, contract §4.1)"},
	{channel: "viewer_going", check: viewerGoing},
	{channel: "social proof", check: socialProof},
	{channel: "feed reasons", check: feedReasons},
	{channel: "notifications", check: notifications},
	{channel: "notification text", check: notificationText},
	{channel: "calendar", check: calendars},
	{channel: "calendar invites participants[]", check: calendarInvites},
	{channel: "chat author", check: chatAuthor},
	{channel: "chat access", check: chatAccess},
	{channel: "date votes", check: dateVotes},
	{channel: "reviews", check: reviews},
	{channel: "review permission oracle", check: reviewPermission},
	{channel: "comments", check: commentsOfUma},
	{channel: "reposts / likes", check: likesAndReposts},
	{channel: "reports", check: reports},
	{channel: "profile", check: profile},
	{channel: "profiles order", check: profilesOrder},
	{channel: "follow suggestions", reason: "there are none: no operation ranks people by where they go"},
	{channel: "public -> incognito switch", check: publicToIncognito},
	{channel: "incognito -> public switch", check: incognitoToPublic},
	{channel: "leave", check: leave},
	{channel: "cancel", check: cancel},
	{channel: "block", check: block},
	{channel: "pagination", check: pagination},
	{channel: "cursor", check: cursors},
	{channel: "timing", check: statements},
	{channel: "etag", check: etags},
	{channel: "cache", check: caches},
	{channel: "map", check: eventMap},
	{channel: "export", check: exportOfFollower},
	{channel: "export-own", check: exportOfUma},
	{channel: "admin", check: moderatorView},
	{channel: "logs/metrics", check: logsAndMetrics},
	{channel: "error text", check: errorText},
	{channel: "organizer list", check: organizerView},
	{channel: "co-organizer removed", check: formerHost},
	{channel: "differential test", reason: "TestIncognitoLeavesNoTrace"},
}

// TestEveryLeakHasCheck compares the table with the list.
func TestEveryLeakHasCheck(t *testing.T) {
	list, err := os.ReadFile("testdata/incognito_leaks.txt")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for line := range strings.Lines(string(list)) {
		if channel, _, _ := strings.Cut(line, "\t"); !strings.HasPrefix(channel, "#") {
			want = append(want, channel)
		}
	}
	for _, l := range leaks {
		got = append(got, l.channel)
		if (l.check == nil) == (l.reason == "") {
			t.Errorf("%s: one of a check and a reason", l.channel)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the table has %q\nthe list %q", got, want)
	}
}

func TestIncognitoLeaks(t *testing.T) {
	for _, engine := range dbtest.RuleEngines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			url := dbtest.URL(t, engine)
			w := newFixture(t, apptest.New(t, engine, apptest.StartAt(today), apptest.Setting("DATABASE_URL", url),
				apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email("moderator"))))
			w.database = url
			for _, l := range leaks {
				if l.check != nil {
					t.Run(l.channel, func(t *testing.T) { l.check(w.in(t)) })
				}
			}
		})
	}
}

// in gives the fixture to a subtest.
func (w *fixture) in(t *testing.T) *fixture {
	copied := *w
	copied.t, copied.uma, copied.org, copied.observers = t, w.uma.In(t), w.org.In(t), maps.Clone(w.observers)
	for name, c := range w.observers {
		copied.observers[name] = c.In(t)
	}
	return &copied
}

func (w *fixture) as(name string) *apptest.Client { return w.app.As(name).In(w.t) }

// others are the observers and the organizer.
func (w *fixture) others() map[string]*apptest.Client {
	all := maps.Clone(w.observers)
	all["organizer"] = w.org
	return all
}

// members are the signed-in observers.
func (w *fixture) members() map[string]*apptest.Client {
	all := maps.Clone(w.observers)
	delete(all, "anonymous")
	return all
}

// unchanged fails the test when happens changes a response to an observer.
func (w *fixture) unchanged(happens func(), paths ...string) {
	w.t.Helper()
	w.app.RunJobs()
	before := w.observe(paths)
	happens()
	w.app.RunJobs()
	w.compare("afterwards", paths, before)
}

// hidden lets Uma join an event incognito and fails the test when a response changes.
func (w *fixture) hidden(event string, paths ...string) {
	w.t.Helper()
	w.unchanged(func() { w.goes(event, "incognito") }, paths...)
}

// unnamed fails the test when a response to a client names Uma.
func (w *fixture) unnamed(who string, c *apptest.Client, paths ...string) {
	w.t.Helper()
	for _, path := range paths {
		if got := c.Get(path); got.Status != 200 || strings.Contains(string(got.Body), w.uma.UserID) {
			w.t.Errorf("%s for %s: %d %s", path, who, got.Status, got.Body)
		}
	}
}

// ending publishes an event, calls come, and moves the clock to its end.
func (w *fixture) ending(come func(event string)) string {
	w.t.Helper()
	const left = 10 * time.Second
	event := w.published(fields{"starts_at": w.app.Clock.Now().Add(left - 3*time.Hour)})
	come(event)
	w.app.Clock.Advance(left)
	return event
}

// notice has the fields of a notification that could reveal Uma.
type notice struct{ id, kind, event, actor, title, body string }

func (w *fixture) notices(c *apptest.Client) (all []notice) {
	w.t.Helper()
	list := c.With("Accept-Language", "en").Get("/notifications?limit=100").Want(200)
	text := func(value any) string { s, _ := value.(string); return s }
	for _, item := range list.Get("items").([]any) {
		fields := item.(map[string]any)
		actor, _ := fields["actor"].(map[string]any)
		all = append(all, notice{id: text(fields["id"]), kind: text(fields["kind"]), event: text(fields["event_id"]),
			actor: text(actor["user_id"]), title: text(fields["title"]), body: text(fields["body"])})
	}
	return all
}

// told returns the notification about an event, which the client must have.
func (w *fixture) told(c *apptest.Client, kind, event string) notice {
	w.t.Helper()
	w.app.RunJobs()
	all := w.notices(c)
	i := slices.IndexFunc(all, func(n notice) bool { return n.kind == kind && n.event == event })
	if i < 0 {
		w.t.Fatalf("no %s of %s in %+v", kind, event, all)
	}
	return all[i]
}
