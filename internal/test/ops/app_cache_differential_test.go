package ops_test

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"path"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/group"
	"moothall/internal/meetup/post"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// The differential test of caches calls every operation that changes something, in random
// order, and compares after each call
//
//   - what an instance with caches answers with what one without answers, for every
//     operation that reads, and
//   - the rows behind each entity with the versions that caches rely on: if the rows
//     differ, the transaction must have named the entity.

// cacheWorld is a running service and the ids that its operations use.
type cacheWorld struct {
	*apptest.App
	t        *testing.T
	cached   string // address of an instance
	uncached string // and of one without caches
	people   map[string]*apptest.Client
	names    map[string]string // of ids, as in the paths of reads
	entities map[db.Entity]string
	version  db.Version // at which entities were read
	serial   int
}

// viewers are those who read after each call. Bob may have blocked the organizer.
var viewers = []string{anonymous, ann, organizer, "bob"}

func newCacheWorld(t *testing.T, a *apptest.App) *cacheWorld {
	w := &cacheWorld{App: a, t: t, cached: a.URL(), uncached: a.StartUncached(), people: map[string]*apptest.Client{anonymous: a.Anonymous()},
		names: map[string]string{}}
	for _, who := range []string{ann, organizer, moderator, "bob"} {
		w.people[who] = a.As(who)
		w.names[who] = w.people[who].UserID
	}
	org := w.people[organizer]
	org.Patch("/me/payment-profile", map[string]any{"status": "verified"}).Want(200)
	w.names["past"] = w.publish(org, "2026-06-01T13:00:00Z", nil)
	for _, who := range []string{ann, "bob"} {
		w.people[who].Join(w.names["past"])
	}
	w.names["other"] = w.names["past"]
	w.names["event"] = w.publish(org, "2026-06-20T18:00:00Z", nil)
	w.names["code"] = eventCodeOf(org.Get("/events/" + w.names["event"]))
	w.names["organizer_name"] = org.Get("/me").Text("profile.username")
	w.names["voted"] = w.publish(org, "2026-06-20T18:00:00Z", map[string]any{"date_mode": "vote"})
	w.names["priced"] = w.publish(org, "2026-06-20T18:00:00Z", map[string]any{"price": "paid", "price_amount": 100, "price_currency": "RUB"})
	w.names["private"] = w.publish(org, "2026-06-20T18:00:00Z", map[string]any{"visibility": "private"})
	w.names["post"] = org.Post("/events/"+w.names["event"]+"/posts", map[string]any{"body": "News."}).Want(201).Text("id")
	w.names["token"] = path.Base(org.Post("/events/"+w.names["private"]+"/invite-links", nil).Want(201).Text("url"))
	org.Post("/events/"+w.names["private"]+"/invitations", map[string]any{"email": apptest.Email(ann)}).Want(201)
	w.people[ann].Post("/calendar/entries", map[string]any{"title": "Tea", "starts_at": "2026-12-01T18:00:00Z",
		"invitee_user_ids": []string{w.names["bob"]}}).Want(201)
	w.names["invite"] = w.people[ann].Get("/calendar/invites?role=outgoing").Want(200).Text("items.0.invite.id")
	a.Clock.Advance(6 * time.Hour) // past is over
	a.RunJobs()
	w.readEntities()
	return w
}

// eventCodeOf returns the code of an event.
func eventCodeOf(event *apptest.Reply) string {
	address := event.Text("event.share_url")
	return address[len(address)-8:]
}

// publish publishes an event of a person.
func (w *cacheWorld) publish(c *apptest.Client, starts string, more map[string]any) (id string) {
	body := map[string]any{"title": "Tea in the garden", "starts_at": starts, "lat": 52.5, "lng": 13.4, "city": "Berlin"}
	maps.Copy(body, more)
	id = c.Post("/events", body).Want(201).Text("event.id")
	c.Post("/events/"+id+"/publish", nil).Want(200)
	return id
}

// newcomer signs a new person up.
func (w *cacheWorld) newcomer() *apptest.Client {
	w.serial++
	c := w.SignIn(apptest.Email(fmt.Sprint("newcomer", w.serial)))
	w.check("sign-up")
	return c
}

// mailed signs a new person up by the code of a mail and, if confirmed is set, by its link on
// another device.
func (w *cacheWorld) mailed(confirmed bool) {
	w.serial++
	email, c := apptest.Email(fmt.Sprint("mailed", w.serial)), w.as(anonymous)
	started := w.write(c, "POST", "/auth/email/start", map[string]any{"email": email})
	text := w.Mail(email).Text
	challenge := map[string]any{"email": email, "code": regexp.MustCompile(`\d{6}`).FindString(text), "challenge": started.Text("challenge")}
	if !confirmed {
		w.write(c, "POST", "/auth/email/verify", challenge)
		return
	}
	c.Form("/login/confirm", url.Values{"c": {regexp.MustCompile(`el_[\w-]+`).FindString(text)}, "number": {started.Text("number")}}).Want(200)
	w.write(c, "POST", "/auth/email/status", challenge)
}

// fresh returns a text that no earlier call used.
func (w *cacheWorld) fresh(text string) string {
	w.serial++
	return fmt.Sprint(text, " ", w.serial)
}

// write calls an operation and compares.
func (w *cacheWorld) write(c *apptest.Client, method, path string, body any) *apptest.Reply {
	w.t.Helper()
	for name, id := range w.names {
		path = strings.ReplaceAll(path, "{"+name+"}", id)
	}
	reply := c.Do(method, path, body)
	if reply.Status >= 400 {
		w.t.Errorf("%s %s: %d %s", method, path, reply.Status, reply.Body)
	}
	w.check(method + " " + path)
	return reply
}

func (w *cacheWorld) check(after string) {
	w.t.Helper()
	w.checkEntities(after)
	w.compare(after)
}

// as returns a person.
func (w *cacheWorld) as(who string) *apptest.Client { return w.people[who] }

// entityRows select the rows behind the entities of each kind: an id, and what caches may
// show of a row as text.
var entityRows = []struct {
	kind db.Kind
	rows *db.Stmt
}{
	{event.Content, db.SQL("cachetest.content", `SELECT id, `+columnsText(eventColumns()...)+` FROM events`)},
	{event.Attendance, db.SQL("cachetest.seats", `SELECT event_id, `+columnsText("SUM(n)")+` FROM event_slots GROUP BY event_id HAVING SUM(n) > 0`)},
	{event.Attendance, db.SQL("cachetest.participants", `SELECT event_id, `+columnsText("joined_at", "id", "status", "visibility")+` FROM participants`)},
	{event.Attendance, db.SQL("cachetest.waitlist", `SELECT event_id, `+columnsText("id", "status", "party", "visibility")+` FROM waitlist_entries`)},
	{event.Content, db.SQL("cachetest.hosts", `SELECT event_id, `+columnsText("user_id", "joined_at")+` FROM event_hosts WHERE status = 'active'`)},
	{event.Ratings, db.SQL("cachetest.ratings", `SELECT event_id, `+columnsText("n", "stars")+` FROM review_totals`)},
	{post.Posts, db.SQL("cachetest.posts", `SELECT event_id, `+columnsText("seq", "body", "like_count", "repost_count", "comment_count")+` FROM posts`)},
	{post.Posts, db.SQL("cachetest.comments", `SELECT p.event_id, `+columnsText("c.seq", "c.id", "c.body", "c.deleted_at")+`
		FROM comments c JOIN posts p ON p.id = c.post_id`)},
	{event.Group, db.SQL("cachetest.groups", `SELECT id, `+columnsText("name", "slug", "description", "city",
		"lat", "lng", "image_url", "visibility", "join_policy", "member_list", "suspended_at")+` FROM groups`)},
	{group.Members, db.SQL("cachetest.member_counts", `SELECT id, `+columnsText("member_count", "owner_id")+` FROM groups`)},
	{group.Members, db.SQL("cachetest.members", `SELECT group_id, `+columnsText("user_id", "role", "visibility", "since")+`
		FROM group_members WHERE status = 'active'`)},
	{user.Activity, db.SQL("cachetest.organized", `SELECT organizer_id, `+columnsText("id", "starts_key")+` FROM events WHERE listed`)},
	{user.Activity, db.SQL("cachetest.going", `SELECT user_id, `+columnsText("event_id", "joined_at")+`
		FROM participants WHERE status = 'going' AND visibility = 'public'`)},
	{user.Activity, db.SQL("cachetest.reposts", `SELECT user_id, `+columnsText("post_id", "created_at")+` FROM reposts`)},
	{user.Profile, db.SQL("cachetest.profiles", `SELECT u.id,
		`+columnsText("u.suspended_at", "u.deleted_at", "p.display_name", "p.name_chosen", "p.username", "p.avatar_url",
		"p.city", "p.interests", "p.words")+` FROM users u LEFT JOIN profiles p ON p.user_id = u.id`)},
}

func eventColumns() []string {
	columns, err := dbtest.Columns("events", "id")
	if err != nil {
		panic(err)
	}
	return columns
}

// columnsText returns an expression of the text of columns.
func columnsText(columns ...string) string {
	texts := make([]string, len(columns))
	for i, c := range columns {
		texts[i] = "COALESCE(CAST(" + c + " AS TEXT), 'null')"
	}
	return strings.Join(texts, " || ',' || ")
}

// readEntities reads the rows of all entities.
func (w *cacheWorld) readEntities() {
	w.version = w.DB.Version()
	rows := map[db.Entity][]string{}
	for _, k := range entityRows {
		for row, err := range w.DB.Query(w.t.Context(), k.rows) {
			var id domain.EventID
			var text string
			if err == nil {
				err = row.Scan(&id, &text)
			}
			if err != nil {
				w.t.Fatal(err)
			}
			e := k.kind.Of(id)
			rows[e] = append(rows[e], k.rows.Name()+": "+text)
		}
	}
	w.entities = map[db.Entity]string{}
	for e, texts := range rows {
		slices.Sort(texts)
		w.entities[e] = strings.Join(texts, "\n")
	}
}

// checkEntities fails the test if the rows of an entity differ and its version does not.
func (w *cacheWorld) checkEntities(after string) {
	w.t.Helper()
	before, since := w.entities, w.version
	w.readEntities()
	entities := maps.Clone(before)
	maps.Copy(entities, w.entities)
	for e := range entities {
		was, now := before[e], w.entities[e]
		isNewEvent := was == "" && strings.HasPrefix(now, "cachetest.content") // no cache has it
		if was != now && !isNewEvent && w.DB.Unchanged(since, db.DependOn(e)) {
			w.t.Errorf("%s: no transaction has named the change from\n%s\nto\n%s", after, was, now)
		}
	}
}

// cacheReads are the paths of every operation that reads; none where the reason says so.
var cacheReads = map[string]struct {
	paths  []string
	reason string
}{
	"getHealth":                  {reason: "shows no data"},
	"startIdpSignIn":             {reason: "shows no data"},
	"finishIdpSignIn":            {reason: "shows no data"},
	"authorizeChatSocket":        {reason: "shows no data"},
	"openRealtimeStream":         {reason: "as openRealtimeSocket"},
	"openRealtimeSocket":         {reason: "sends what other operations show, read from the database"},
	"proxyImage":                 {reason: "shows no data"},
	"readCalendarFeed":           {reason: "shows the events of getCalendarFeed's owner, from the database"},
	"exportMe":                   {reason: "reads one snapshot of the database"},
	"listSessions":               {reason: "shows the time of the reads themselves"},
	"listPasskeys":               {paths: []string{"/me/passkeys"}},
	"getImport":                  {reason: "is read from the database"},
	"listWebhooks":               {paths: []string{"/me/webhooks"}},
	"getWebhook":                 {reason: "as listWebhooks"},
	"listWebhookDeliveries":      {reason: "as listWebhooks"},
	"listApiKeys":                {paths: []string{"/me/api-keys"}},
	"getPushKey":                 {reason: "shows no data"},
	"listPushSubscriptions":      {paths: []string{"/me/push-subscriptions"}},
	"getMe":                      {paths: []string{"/me"}},
	"listProfiles":               {paths: []string{"/users/profiles", "/users/profiles?q=ann", "/users/profiles?q=newcomer"}},
	"getProfile":                 {paths: []string{"/users/{organizer}/profile", "/users/{member}/profile"}},
	"getProfileByUsername":       {paths: []string{"/users/by-username/{organizer_name}"}},
	"getFollow":                  {paths: []string{"/users/{organizer}/follow"}},
	"getBlock":                   {paths: []string{"/users/{organizer}/block"}},
	"listEvents":                 {paths: []string{"/events", "/events?limit=2", "/events?q=tea", "/events?city=berlin", "/events?lat=52.5&lng=13.4&radius_km=5", "/events?participant_user_id={member}"}},
	"mapEvents":                  {paths: []string{"/events/map?bbox=13,52,14,53", "/events/map?bbox=13,52,14,53&zoom=8"}},
	"getEvent":                   {paths: []string{"/events/{event}", "/events/{past}", "/events/{voted}", "/events/{private}", "/events/{priced}", "/events/{other}"}},
	"getEventByCode":             {paths: []string{"/events/by-code/{code}"}},
	"downloadEventCalendar":      {paths: []string{"/events/{event}/calendar.ics"}},
	"listParticipants":           {paths: []string{"/events/{event}/participants", "/events/{event}/participants?status=removed"}},
	"getWaitlistEntry":           {paths: []string{"/events/{event}/waitlist"}},
	"listHosts":                  {paths: []string{"/events/{event}/hosts"}},
	"listWaitlistEntries":        {paths: []string{"/events/{event}/waitlist/entries"}},
	"listQuestions":              {paths: []string{"/events/{event}/questions"}},
	"listAnswers":                {paths: []string{"/events/{event}/answers", "/events/{event}/answers?mine=true"}},
	"downloadAnswers":            {paths: []string{"/events/{event}/answers.csv"}},
	"downloadParticipants":       {paths: []string{"/events/{event}/participants.csv"}},
	"listGroups":                 {paths: []string{"/groups", "/groups?city=berlin", "/groups?slug={slug}"}},
	"listMyGroups":               {reason: "no cache has it"},
	"listGroupEvents":            {paths: []string{"/groups/{group}/events", "/groups/{group}/events?period=past"}},
	"getGroup":                   {paths: []string{"/groups/{group}"}},
	"listGroupMembers":           {paths: []string{"/groups/{group}/members"}},
	"listGroupAnnouncements":     {reason: "no cache has it"},
	"listGroupSources":           {reason: "no cache has it"},
	"previewEventSeries":         {reason: "shows no data"},
	"getEventSeries":             {reason: "no cache has it"},
	"listSeriesEvents":           {reason: "no cache has it"},
	"listSeriesDates":            {reason: "no cache has it"},
	"listMyEventSeries":          {reason: "no cache has it"},
	"listInvitations":            {paths: []string{"/events/{private}/invitations"}},
	"listInviteLinks":            {paths: []string{"/events/{private}/invite-links"}},
	"getInviteLink":              {paths: []string{"/invite-links/{token}"}},
	"listEmailInvitations":       {paths: []string{"/events/{event}/email-invitations"}},
	"listPostThreads":            {paths: []string{"/events/posts?event_id={event}&event_id={past}"}},
	"listGuestAudiences":         {reason: "no cache has it"},
	"listGuestMessages":          {reason: "no cache has it"},
	"listEventPosts":             {paths: []string{"/events/{event}/posts"}},
	"listPostComments":           {paths: []string{"/events/{event}/posts/{post}/comments"}},
	"listAddresses":              {paths: []string{"/places/addresses?q=berl"}},
	"listPlaces":                 {paths: []string{"/places?q=berl", "/places?lat=52.5&lng=13.4"}},
	"listMyEvents":               {paths: []string{"/me/events", "/me/events?role=hosting", "/me/events?role=past"}},
	"listMyReposts":              {paths: []string{"/me/reposts"}},
	"listEventReviews":           {paths: []string{"/events/{past}/reviews"}},
	"countOpenReports":           {paths: []string{"/admin/reports/open-count"}},
	"listReports":                {paths: []string{"/admin/reports"}},
	"listDateOptions":            {paths: []string{"/events/{voted}/date-options"}},
	"listMyChats":                {paths: []string{"/me/chats"}},
	"listChatMessages":           {paths: []string{"/events/{event}/messages"}},
	"getReminderSettings":        {paths: []string{"/events/{event}/reminders"}},
	"getFeed":                    {paths: []string{"/feed", "/feed?limit=2"}},
	"getFeedPreferences":         {paths: []string{"/feed/preferences"}},
	"listCalendarEntries":        {paths: []string{"/calendar/entries"}},
	"getCalendarFeed":            {paths: []string{"/calendar/feed"}},
	"listCalendarInvites":        {paths: []string{"/calendar/invites"}},
	"getCalendarInvite":          {paths: []string{"/calendar/invites/{invite}"}},
	"listNotifications":          {paths: []string{"/notifications"}},
	"getNotificationPreferences": {paths: []string{"/me/notification-preferences"}},
	"countUnreadNotifications":   {paths: []string{"/notifications/unread-count"}},
	"getPaymentProfile":          {paths: []string{"/me/payment-profile"}},
	"getPaymentIntent":           {reason: "shows no event and no profile"},
}

// compare compares all reads as all viewers, in the short form one read of 16 at random as
// two viewers. Names that are missing are found in any case: see checkEntities.
func (w *cacheWorld) compare(after string) {
	w.t.Helper()
	reading, parts := viewers, 1
	if testutil.Rounds(0, 1) == 0 {
		reading, parts = []string{anonymous, viewers[1+rand.IntN(len(viewers)-1)]}, 16
	}
	for _, read := range cacheReads {
		for _, path := range read.paths {
			if rand.IntN(parts) > 0 {
				continue
			}
			for name, id := range w.names {
				path = strings.ReplaceAll(path, "{"+name+"}", id)
			}
			for _, who := range reading {
				w.compareOne(after, who, path)
			}
		}
	}
}

// compareOne compares an answer from the cache with one without. A job may change the
// data between them: then they are compared again.
func (w *cacheWorld) compareOne(after, who, path string) {
	w.t.Helper()
	token := w.people[who].AccessToken
	answer := fetch(w.t, w.cached+path, token)
	computed := fetch(w.t, w.uncached+path, token)
	for answer != computed {
		again := fetch(w.t, w.cached+path, token)
		now := fetch(w.t, w.uncached+path, token)
		if computed == now && again != now {
			w.t.Errorf("after %s, %s as %s is\n%s\nand should be\n%s", after, path, who, again, now)
			return
		}
		answer, computed = again, now
	}
}

// fetch returns the status and body of a page.
func fetch(t *testing.T, url, token string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 500 {
		t.Fatalf("%s: %d %v %s", url, response.StatusCode, err, body)
	}
	return fmt.Sprint(response.StatusCode, " ", string(body))
}

// TestCachesEqualTheDatabase is the differential test, see above. On the instance that
// writes, no answer may differ, not even at once.
func TestCachesEqualTheDatabase(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			for range testutil.Rounds(1, 10) {
				w := newCacheWorld(t, apptest.New(t, engine, statementSettings()...))
				testutil.Until(t, "trust", func() bool { return w.DB.Unchanged(w.DB.Version(), nil) })
				w.compare("the start")
				names := slices.Sorted(maps.Keys(cacheWrites))
				rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
				for i, name := range names {
					if write := cacheWrites[name]; write != nil && w.Gets(i) {
						write(w)
					}
					if t.Failed() {
						t.Fatalf("in %s, after %v", name, names[:slices.Index(names, name)])
					}
				}
				w.Clock.Set(time.Date(2026, 6, 20, 22, 0, 0, 0, time.UTC)) // events end
				w.compare("the end of events")
				w.RunJobs()
				w.check("the sweep")
			}
		})
	}
}

var operationLine = regexp.MustCompile(`(?m)^    (get|post|patch|put|delete):\n      operationId: (\w+)$`)

// TestCacheTestKnowsEveryOperation compares the tables with the contract.
func TestCacheTestKnowsEveryOperation(t *testing.T) {
	contract, err := os.ReadFile("../../../api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	inContract := map[string]bool{}
	for _, line := range operationLine.FindAllStringSubmatch(string(contract), -1) {
		method, id := line[1], line[2]
		inContract[id] = true
		_, reads := cacheReads[id]
		_, writes := cacheWrites[id]
		if reads != (method == "get") || writes == reads {
			t.Errorf("%s %s: in the table of reads: %t, of writes: %t", method, id, reads, writes)
		}
	}
	if n := strings.Count(string(contract), "operationId:"); n != len(inContract) {
		t.Errorf("found %d of %d operations", len(inContract), n)
	}
	for _, id := range slices.Concat(slices.Collect(maps.Keys(cacheReads)), slices.Collect(maps.Keys(cacheWrites))) {
		if !inContract[id] {
			t.Errorf("%s is not in the contract", id)
		}
	}
}
