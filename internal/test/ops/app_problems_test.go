package ops_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"moothall/api"
	"moothall/internal/test/apptest"
)

// TestProblemNamesEveryWrongField sends requests with several wrong fields. Some have a
// wrong form, others break a rule. A problem names them all, with texts of one style.
func TestProblemNamesEveryWrongField(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		replace := strings.NewReplacer(
			"{event}", org.Publish(nil), "{private}", org.Publish(apptest.Fields{"visibility": "private"}),
			"{series}", org.Post("/event-series", apptest.Fields{"rrule": "FREQ=WEEKLY;COUNT=2", "starts_at": "2026-06-18T18:00:00",
				"timezone": "Europe/Berlin", "template": apptest.Fields{"title": "Tea"}}).Want(201).Text("id"),
			"{group}", org.Post("/groups", apptest.Fields{"name": "Tea"}).Want(201).Text("id"),
			"{import}", org.Post("/me/imports", apptest.Calendar).Want(200).Text("id"),
			"{entry}", org.Post("/calendar/entries", apptest.Fields{"title": "Tea", "starts_at": "2026-06-07T16:00:00Z"}).Want(201).Text("id"),
			"{webhook}", org.Post("/me/webhooks", apptest.Fields{"url": "https://example.com/",
				"kinds": []string{"event.canceled"}}).Want(201).Text("id"),
			"{me}", org.UserID)
		for _, row := range problemRows {
			got := org.With("Accept", "application/problem+json").Do(row.method, replace.Replace(row.path), bodyOf(replace.Replace(row.body)))
			var named []string
			for i := range got.Want(400).Len("errors") {
				named = append(named, got.Text(fmt.Sprintf("errors.%d.pointer", i)))
			}
			slices.Sort(named)
			if want := strings.Fields(row.want); !slices.Equal(named, want) {
				t.Errorf("%s %s %s: names %v, want %v: %s", row.method, row.path, row.body, named, want, got.Body)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestEveryCursorHasProblemRow checks that the table has each list with a cursor.
func TestEveryCursorHasProblemRow(t *testing.T) {
	document, err := api.Document()
	if err != nil {
		t.Fatal(err)
	}
	inTable := map[string]bool{}
	for _, row := range problemRows {
		path, query, _ := strings.Cut(row.path, "?")
		if strings.Contains(query, "cursor=") {
			inTable[placeholder.ReplaceAllString(path, "{}")] = true
		}
	}
	for path, item := range document.Paths.Map() {
		if item.Get != nil && item.Get.Parameters.GetByInAndName("query", "cursor") != nil && !inTable[placeholder.ReplaceAllString(path, "{}")] {
			t.Errorf("no row sends a wrong cursor to %s", path)
		}
	}
}

var placeholder = regexp.MustCompile(`\{\w+\}`)

func bodyOf(text string) any {
	if text == "" {
		return nil
	}
	return text
}

var problemRows = []struct{ method, path, body, want string }{
	{"GET", "/me/imports/{import}?cursor=x", "", "?cursor"},
	{"GET", "/event-series/{series}/events?cursor=x", "", "?cursor"},
	{"GET", "/event-series/{series}/dates?cursor=x", "", "?cursor"},
	{"GET", "/me/event-series?limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/groups?cursor=x", "", "?cursor"},
	{"GET", "/groups?slug=tea&q=tea&lat=5", "", "?lat ?lng ?q ?radius_km"},
	{"GET", "/me/groups?cursor=x", "", "?cursor"},
	{"GET", "/groups/{group}/members?cursor=x", "", "?cursor"},
	{"GET", "/groups/{group}/events?cursor=x", "", "?cursor"},
	{"POST", "/groups/{group}/announcements", `{"body":"\u202e"}`, "/body"},
	{"POST", "/groups", `{"name":"a\tb","city":"\t","lat":5,"description":7}`, "/city /description /lng /name"},
	{"PATCH", "/groups/{group}", `{"name":"a\tb","lng":5}`, "/lat /name"},
	{"POST", "/me/imports/fetch", `{"url":"http://localhost/","timezone":"Local"}`, "/timezone /url"},
	{"POST", "/me/imports/{import}/apply", `{"uids":["none"]}`, "/uids/0"},
	{"POST", "/events", `{"title":5,"starts_at":"2026-06-05T16:00:00Z","timezone":"Local","image_url":"http://example.org","lat":1,"price":"paid","capacity":0}`,
		"/capacity /image_url /lng /price_amount /price_currency /timezone /title"},
	{"POST", "/events", `{"title":"a\tb","ends_at":"2026-06-05T16:00:00Z","conference_url":"ftp://x","category":"\u202e"}`,
		"/category /conference_url /starts_at /title"},
	{"POST", "/events", `{"title":"Go","starts_at":"2026-06-05T16:00:00Z","price":"cheap","price_amount":5,"lat":91,"lng":5,"city":"\t"}`, "/city /lat /price"},
	{"POST", "/events", `{"title":"Go","starts_at":"2026-06-05T16:00:00Z","ends_at":"2026-06-05T15:00:00Z","price_amount":5,"price_currency":"RUB","description":7}`,
		"/description /ends_at /price_amount /price_currency"},
	{"PATCH", "/events/{event}", `{"title":"","image_url":"x","lat":5,"ends_at":"2026-06-05T15:00:00Z","city":"\t"}`, "/city /image_url /title"},
	{"PATCH", "/events/{event}", `{"title":"","starts_at":"2026-06-05T16:00:00Z","ends_at":"2026-06-05T15:00:00Z"}`, "/ends_at /title"},
	{"PATCH", "/me/profile", `{"username":"a b c","display_name":4,"avatar_url":"http://x","city":"a\nb","interests":["a\tb"]}`,
		"/avatar_url /city /display_name /interests/0 /username"},
	{"POST", "/events/{private}/invitations", `{"email":"nobody","message":5}`, "/email /message"},
	{"POST", "/events/{private}/invitations", `{"email":5}`, "/email"},
	{"POST", "/events/{event}/email-invitations", `{"emails":[],"message":"Look at evil.example/x"}`, "/emails /message"},
	{"POST", "/events/{private}/invite-links", `{"max_uses":0,"expires_at":"2020-01-01T00:00:00Z"}`, "/expires_at /max_uses"},
	{"POST", "/events/{private}/invitations", `{"email":"a@example.org","invited_phone":"12345"}`, "/email /invited_phone"},
	{"POST", "/events/{event}/posts", `{"body":"\u202e","kind":"news"}`, "/body /kind"},
	{"POST", "/events/{event}/guest-messages", `{"body":"\u202e","audience":"everyone"}`, "/audience /body"},
	{"POST", "/events/{event}/messages", `{"body":"\u202e","client_message_id":"7"}`, "/body /client_message_id"},
	{"POST", "/events/{event}/messages/read", `{"position":"-1"}`, "/position"},
	{"POST", "/events/{event}/reviews", `{"rating":6,"body":"\u202e"}`, "/body /rating"},
	{"POST", "/events/{event}/date-options", `{"starts_at":"2026-06-05T16:00:00Z","ends_at":"2026-06-05T15:00:00Z","note":5}`, "/ends_at /note"},
	{"PATCH", "/events/{event}/reminders", `{"enabled":true,"offsets_minutes":[],"channels":["pigeon"]}`, "/channels/0 /offsets_minutes"},
	{"POST", "/calendar/entries",
		`{"title":"","starts_at":"2026-06-05T16:00:00Z","timezone":"Local","notes":"\u202e","invitee_user_ids":["{me}"]}`,
		"/invitee_user_ids /notes /timezone /title"},
	{"PATCH", "/calendar/entries/{entry}", `{"title":5,"location_text":"a\tb"}`, "/location_text /title"},
	{"POST", "/feed/preferences", `{"city":5,"lat":1,"lng":200,"muted_categories":["a\tb"]}`, "/city /lng /muted_categories/0"},
	{"POST", "/reports", `{"target_type":"planet","target_id":"{me}","reason":"other","status":"open"}`, "/comment /status /target_type"},
	{"POST", "/reports", `{"target_type":"user","target_id":"{me}","reason":"rude","comment":"\u202e"}`, "/comment /reason /target_id"},
	{"POST", "/auth/dev/verify", `{"email":"nobody","code":"abc"}`, "/code /email"},
	{"POST", "/auth/email/start", `{"email":"nobody","challenge":5}`, "/challenge /email"},
	{"POST", "/auth/email/verify", `{"email":"nobody","code":"abc"}`, "/code /email"},
	{"POST", "/auth/passkey/options", `{"email":"nobody"}`, "/email"},
	{"POST", "/me/webhooks", `{"url":"http://example.com/","kinds":["event.canceled","event.canceled"],"event_id":"7"}`, "/event_id /kinds /url"},
	{"PATCH", "/me/webhooks/{webhook}", `{"url":"http://example.com/","status":"disabled"}`, "/status /url"},
	{"POST", "/me/webhooks/{webhook}/replay", `{"message_id":"7"}`, "/from /message_id"},
	{"GET", "/me/webhooks/{webhook}/deliveries?cursor=x&limit=0&status=all", "", "?cursor ?limit ?status"},
	{"POST", "/me/api-keys", `{"name":"a\tb","scopes":["events:read","all"],"expires_at":"2000-01-02T00:00:00Z"}`, "/expires_at /name /scopes/1"},
	{"POST", "/me/passkeys", `{"name":"a\tb","credential":{"id":"!"}}`, "/credential/id /credential/rawId /credential/response /credential/type /name"},
	{"POST", "/auth/phone/call/start", `{"phone":"12345","challenge_id":"7"}`, "/challenge_id /phone"},
	{"GET", "/events?limit=0&cursor=x&lat=1&starts_from=2026-06-05T16:00:00Z&starts_to=2026-06-05T15:00:00Z", "", "?cursor ?limit ?lng ?radius_km ?starts_to"},
	{"GET", "/events?lat=91&lng=5&radius_km=3&price=dear", "", "?lat ?price"},
	{"GET", "/events/map?limit=x&bbox=1,2,3&lat=1&lng=2", "", "?bbox ?limit ?radius_km"},
	{"GET", "/calendar/entries?limit=0&cursor=x&from=2026-06-05T16:00:00Z&to=2026-06-05T15:00:00Z", "", "?cursor ?limit ?to"},
	{"GET", "/calendar/invites?limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/notifications?limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/users/profiles?limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/feed?limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/events/{event}/posts?limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/events/{event}/guest-messages?limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/events/{event}/reviews?limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/events/{event}/answers?limit=0&cursor=x&answer=a&status=all", "", "?cursor ?limit ?question_id ?status"},
	{"GET", "/events/{event}/participants?min_party_size=0&answer=a", "", "?min_party_size ?question_id"},
	{"GET", "/events/{event}/posts/{me}/comments?limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/me/reposts?limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/me/chats?limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/me/events?limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/events/{event}/messages?limit=0&before=x&cursor=y", "", "?before ?cursor ?limit"},
	{"GET", "/events/{event}/participants?limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/events/{event}/invitations?limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/events/{event}/email-invitations?limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/events/{private}/invite-links?limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/events/{event}/participants?status=requested&limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/events/{event}/waitlist/entries?limit=0&cursor=x", "", "?cursor ?limit"},
	{"POST", "/events/{event}/waitlist", `{"party_size":0,"participation_visibility":"secret"}`, "/participation_visibility /party_size"},
	{"GET", "/groups/{group}/announcements?limit=0&cursor=x", "", "?cursor ?limit"},
	{"GET", "/admin/reports?limit=0&cursor=x", "", "?cursor ?limit"},
}
