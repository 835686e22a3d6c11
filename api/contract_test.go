package api_test

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/api"
)

// load parses the contract as OpenAPI 3.1.
func load(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(api.Spec)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// operation is an operation of the contract with the security that applies to it.
type operation struct {
	*openapi3.Operation
	name     string // method and path
	security openapi3.SecurityRequirements
}

func operations(doc *openapi3.T) map[string]operation {
	all := map[string]operation{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			o := operation{Operation: op, name: method + " " + path, security: doc.Security}
			if op.Security != nil {
				o.security = *op.Security
			}
			all[o.name] = o
		}
	}
	return all
}

// auth returns the value of the specification's Auth column: none, opt or session.
func (o operation) auth() string {
	anonymous := slices.ContainsFunc(o.security, func(r openapi3.SecurityRequirement) bool { return len(r) == 0 })
	bearer := slices.ContainsFunc(o.security, func(r openapi3.SecurityRequirement) bool { return r["bearerAuth"] != nil })
	switch {
	case len(o.security) == 0:
		return "none"
	case !bearer:
		return "cookie"
	case anonymous:
		return "opt"
	default:
		return "session"
	}
}

func TestContractIsValid(t *testing.T) {
	doc := load(t)
	if err := doc.Validate(context.Background()); err != nil {
		t.Error(err)
	}
	if doc.OpenAPI != "3.1.0" || doc.Info.Version != "0.1.0" {
		t.Errorf("OpenAPI %s, contract %s", doc.OpenAPI, doc.Info.Version)
	}
}

// added lists the operations that the specification does not have.
var added = []string{
	"GET /groups",
	"POST /groups",
	"GET /me/groups",
	"GET /groups/{group_id}",
	"PATCH /groups/{group_id}",
	"DELETE /groups/{group_id}",
	"PUT /groups/{group_id}/image",
	"DELETE /groups/{group_id}/image",
	"POST /groups/{group_id}/membership",
	"DELETE /groups/{group_id}/membership",
	"GET /groups/{group_id}/members",
	"PATCH /groups/{group_id}/members/{user_id}",
	"DELETE /groups/{group_id}/members/{user_id}",
	"POST /groups/{group_id}/invitations",
	"POST /groups/{group_id}/transfer",
	"GET /groups/{group_id}/events",
	"GET /groups/{group_id}/announcements",
	"POST /groups/{group_id}/announcements",
	"GET /groups/{group_id}/sources",
	"PUT /groups/{group_id}/sources",
	"DELETE /groups/{group_id}/sources/{source_id}",
	"POST /event-series",
	"GET /event-series/preview",
	"GET /event-series/{series_id}",
	"PATCH /event-series/{series_id}",
	"GET /event-series/{series_id}/events",
	"GET /event-series/{series_id}/dates",
	"GET /me/event-series",
	"POST /event-series/{series_id}/skip",
	"POST /event-series/{series_id}/split",
	"POST /event-series/{series_id}/pause",
	"POST /event-series/{series_id}/resume",
	"POST /event-series/{series_id}/end",
	"POST /event-series/{series_id}/join",
	"DELETE /event-series/{series_id}/join",
	"DELETE /calendar/feed",
	"DELETE /events/{event_id}/mute",
	"DELETE /events/{event_id}/waitlist",
	"DELETE /events/{event_id}/waitlist/entries/{entry_id}",
	"GET /events/{event_id}/waitlist",
	"GET /events/{event_id}/waitlist/entries",
	"DELETE /events/{event_id}/participants/{participant_id}",
	"GET /events/{event_id}/participants.csv",
	"POST /events/{event_id}/participants/approve",
	"POST /events/{event_id}/participants/{participant_id}/approve",
	"POST /events/{event_id}/participants/{participant_id}/decline",
	"POST /events/{event_id}/waitlist",
	"POST /events/{event_id}/waitlist/entries/{entry_id}/offer",
	"DELETE /events/{event_id}/cover",
	"DELETE /me",
	"DELETE /me/api-keys/{api_key_id}",
	"DELETE /me/passkeys/{passkey_id}",
	"DELETE /me/webhooks/{webhook_id}",
	"DELETE /me/avatar",
	"DELETE /me/push-subscriptions/{subscription_id}",
	"GET /calendar/feed",
	"GET /calendar/feeds/{feed}",
	"GET /events/{event_id}/calendar.ics",
	"GET /events/{event_id}/invitations",
	"GET /events/{event_id}/participants",
	"GET /events/{event_id}/posts/{post_id}/comments",
	"GET /me/api-keys",
	"GET /me/export",
	"GET /me/notification-preferences",
	"GET /me/passkeys",
	"GET /me/push-subscriptions",
	"GET /push/key",
	"GET /me/webhooks",
	"GET /me/webhooks/{webhook_id}",
	"GET /me/webhooks/{webhook_id}/deliveries",
	"PATCH /me/notification-preferences",
	"PATCH /me/passkeys/{passkey_id}",
	"PATCH /me/webhooks/{webhook_id}",
	"POST /auth/email/start",
	"POST /auth/email/status",
	"POST /auth/email/verify",
	"POST /auth/passkey/options",
	"POST /auth/passkey/verify",
	"POST /calendar/feed",
	"POST /events/{event_id}/clone",
	"POST /mail/events/{provider}",
	"POST /me/api-keys",
	"POST /me/passkeys",
	"POST /me/passkeys/options",
	"POST /me/push-subscriptions",
	"POST /me/webhooks",
	"POST /me/webhooks/{webhook_id}/replay",
	"POST /me/webhooks/{webhook_id}/rotate-secret",
	"POST /me/webhooks/{webhook_id}/test",
	"PUT /events/{event_id}/mute",
	"PUT /events/{event_id}/cover",
	"PUT /me/avatar",
	"GET /me/chats",
	"GET /me/imports/{import_id}",
	"POST /events/{event_id}/guest-lists",
	"POST /me/imports",
	"POST /me/imports/fetch",
	"POST /me/imports/{import_id}/apply",
	"GET /me/events",
	"POST /events/{event_id}/messages/read",
	"GET /realtime",
	"GET /realtime/stream",
	"POST /realtime/tickets",
	"GET /events/by-code/{code}",
	"GET /events/{event_id}/email-invitations",
	"POST /events/{event_id}/email-invitations",
	"DELETE /events/{event_id}/email-invitations/{invitation_id}",
	"GET /events/{event_id}/invite-links",
	"POST /events/{event_id}/invite-links",
	"DELETE /events/{event_id}/invite-links/{link_id}",
	"GET /invite-links/{token}",
	"POST /invite-links/{token}/accept",
	"GET /users/by-username/{username}",
	"GET /admin/reports/open-count",
	"DELETE /events/{event_id}/posts/{post_id}",
	"GET /events/{event_id}/hosts",
	"POST /events/{event_id}/hosts",
	"PATCH /events/{event_id}/hosts/{user_id}",
	"DELETE /events/{event_id}/hosts/{user_id}",
	"POST /events/{event_id}/transfer",
	"GET /events/{event_id}/questions",
	"PUT /events/{event_id}/questions",
	"GET /events/{event_id}/answers",
	"GET /events/{event_id}/answers.csv",
	"GET /events/{event_id}/guest-audiences",
	"GET /events/{event_id}/guest-messages",
	"POST /events/{event_id}/guest-messages",
	"DELETE /events/{event_id}/guest-messages/{message_id}",
	"GET /places",
	"GET /places/addresses",
}

// TestContractHasSpecifiedOperations compares every operation of the service
// specification with the contract: authentication and statuses.
func TestContractHasSpecifiedOperations(t *testing.T) {
	// Profiles need no credential, but use one to apply blocks.
	authOf := map[string]string{
		"GET /users/profiles":          "opt",
		"GET /users/{user_id}/profile": "opt",
	}
	all := operations(load(t))
	specified := readSpecification(t)
	if len(specified) != 81 || len(all) != 81+len(added) {
		t.Errorf("the specification has %d operations, the contract %d, want 81 and %d", len(specified), len(all), len(added))
	}
	for _, name := range added {
		if _, ok := all[name]; !ok {
			t.Errorf("%s is missing", name)
		}
	}
	for _, fields := range specified {
		name, auth, statuses := fields[0]+" "+fields[1], fields[2], fields[3:]
		op, ok := all[name]
		if !ok {
			t.Errorf("%s is missing", name)
			continue
		}
		if want, ok := authOf[name]; ok {
			auth = want
		}
		if op.auth() != auth {
			t.Errorf("%s: authentication %s, want %s", name, op.auth(), auth)
		}
		for _, status := range statuses {
			if op.Responses.Value(status) == nil {
				t.Errorf("%s: status %s is missing", name, status)
			}
		}
	}
}

func readSpecification(t *testing.T) [][]string {
	t.Helper()
	file, err := os.Open("testdata/specification.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var rows [][]string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if line := lines.Text(); !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Fields(line))
		}
	}
	return rows
}

// TestOperationsAreDescribed checks that each operation has the texts and examples
// that a client developer needs.
func TestOperationsAreDescribed(t *testing.T) {
	doc := load(t)
	ids := map[string]string{}
	for name, op := range operations(doc) {
		if op.Summary == "" || op.Description == "" || op.OperationID == "" {
			t.Errorf("%s needs a summary, a description and an operationId", name)
		}
		if other := ids[op.OperationID]; other != "" {
			t.Errorf("%s and %s share the operationId %s", name, other, op.OperationID)
		}
		ids[op.OperationID] = name
		if len(op.Tags) != 1 || doc.Tags.Get(op.Tags[0]) == nil || doc.Tags.Get(op.Tags[0]).Description == "" {
			t.Errorf("%s needs one described tag, has %q", name, op.Tags)
		}
		if op.RequestBody != nil && !exemplified(op.RequestBody.Value.Content) {
			t.Errorf("%s: the request has no example", name)
		}
		for status, response := range op.Responses.Map() {
			if !exemplified(response.Value.Content) {
				t.Errorf("%s: the response %s has no example", name, status)
			}
		}
	}
}

// exemplified reports whether every JSON body has an example, its own or its schema's.
func exemplified(content openapi3.Content) bool {
	for mediaType, media := range content {
		if !strings.HasSuffix(mediaType, "json") {
			continue
		}
		if media.Example == nil && len(media.Examples) == 0 && len(media.Schema.Value.Examples) == 0 {
			return false
		}
	}
	return true
}

// TestOperationsListRequiredStatuses checks the statuses that follow from an
// operation's authentication, body and method.
func TestOperationsListRequiredStatuses(t *testing.T) {
	for name, op := range operations(load(t)) {
		method, _, _ := strings.Cut(name, " ")
		want := []string{"500"}
		if op.auth() != "none" {
			want = append(want, "401", "403", "503")
		}
		if op.RequestBody != nil {
			want = append(want, "400", "413", "415")
		}
		if op.auth() == "session" && method != http.MethodGet {
			want = append(want, "409", "429")
		}
		for _, status := range want {
			if op.Responses.Value(status) == nil {
				t.Errorf("%s: status %s is missing", name, status)
			}
		}
	}
}
