package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/api"
	"moothall/internal/test/apptest"
)

// TestExamplesWorkInTheDemo sends the example of every operation to the demo, as Anna:
// its path, its required parameters and its body. That is what "Try it out" at /docs sends.
func TestExamplesWorkInTheDemo(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromData(api.Spec)
	if err != nil {
		t.Fatal(err)
	}
	demo := &exampleClient{t: t, base: "http://" + serveDemo(t, copyDemo(t))}
	demo.signIn()
	for _, e := range examples(t, document) {
		if e.id == "openRealtimeStream" {
			continue // its response does not end
		}
		status, body := demo.send(e.method, e.path, e.body)
		switch reason, expected := notInDemo[e.id]; {
		case !expected && status >= 400:
			t.Errorf("%s %s %s: %d %s", e.method, e.path, e.body, status, body)
		case expected && status < 400:
			t.Errorf("%s works, although it should not: %s", e.id, reason)
		}
	}
}

// notInDemo are the operations whose examples cannot work at once, and why.
var notInDemo = map[string]string{
	"listPlaces":              "it needs a name or a point",
	"withdrawEmailInvitation": "no demo event has an e-mail invitation",
	"getInviteLink":           "the token is in the response to createInviteLink",
	"acceptInviteLink":        "the token is in the response to createInviteLink",
	"verifyDevSignIn":         "the code is in the response to startDevSignIn",
	"verifyEmailSignIn":       "the code is in the mail",
	"getEmailSignInStatus":    "the challenge is in the response to startEmailSignIn",
	"verifyPasskeySignIn":     "no demo user has a passkey",
	"openRealtimeSocket":      "the request is no WebSocket handshake",
	"createPasskey":           "no authenticator has made the response",
	"updatePasskey":           "no demo user has a passkey",
	"deletePasskey":           "no demo user has a passkey",
	"importAddress":           "no server answers",
	"getImport":               "the id is in the response to importFile",
	"applyImport":             "the id is in the response to importFile",
	"getWebhook":              "no demo user has a webhook",
	"updateWebhook":           "no demo user has a webhook",
	"deleteWebhook":           "no demo user has a webhook",
	"rotateWebhookSecret":     "no demo user has a webhook",
	"testWebhook":             "no demo user has a webhook",
	"listWebhookDeliveries":   "no demo user has a webhook",
	"replayWebhook":           "no demo user has a webhook",
	"getPushKey":              "push needs VAPID_SUBJECT",
	"listPushSubscriptions":   "push needs VAPID_SUBJECT",
	"createPushSubscription":  "push needs VAPID_SUBJECT",
	"deletePushSubscription":  "push needs VAPID_SUBJECT",
	"receiveMailEvents":       "the demo has no mail provider",
	"getPhoneCallStatus":      "the challenge is in the response to startPhoneCall",
	"startIdpSignIn":          "the demo has no identity provider",
	"signInWithIdpToken":      "the demo has no identity provider",
	"refreshSession":          "the token is in the response to a sign-in",
	"getCalendarFeed":         "no feed was opened",
	"readCalendarFeed":        "the secret address is in the response to openCalendarFeed",
	"readNotification":        "notifications are made by other users' actions",
	"listReports":             "no demo user is a moderator",
	"countOpenReports":        "no demo user is a moderator",
	"enterWaitlist":           "the event is not full",
	"getWaitlistEntry":        "Anna waits for no event",
	"leaveWaitlist":           "Anna waits for no event",
	"approveParticipant":      "nobody asks to join the event",
	"declineParticipant":      "nobody asks to join the event",
	"removeParticipant":       "there is no such participant",
	"deleteGuestMessage":      "there is no such message",
	"offerSeats":              "the event has no waiting list",
	"removeWaitlistEntry":     "the event has no waiting list",
	"updateHost":              "Anna is the organizer",
	"transferEvent":           "Ben has not answered",
	"transferGroup":           "the example of removeGroupMember has removed Ben",
	"leaveGroup":              "Anna owns the group",
	"removeGroupSource":       "the id is in the response to addGroupSource",
	"skipSeriesDate":          "the dates of the demo's series depend on the day",
	"splitEventSeries":        "the dates of the demo's series depend on the day",
	"updateReport":            "no demo user is a moderator",
	"updatePaymentProfile":    "payments are disabled",
	"createPaymentIntent":     "payments are disabled",
	"getPaymentIntent":        "payments are disabled",
	"receivePaymentWebhook":   "payments are disabled",
	"proxyImage":              "the image is on another host",
}

// example is a request made of the examples of an operation.
type example struct {
	id, method, path string
	body             []byte
}

// last are the operations that end what the other examples need.
var last = []string{
	"endEventSeries", "deleteGroupImage", "removeGroupMember", "transferGroup", "leaveGroup", "deleteGroup",
	"deleteEventPost", "selectDateOption", "blockUser", "unblockUser", "cancelEvent", "revokeOtherSessions", "logout",
	"deleteMe",
}

func examples(t *testing.T, document *openapi3.T) (all []example) {
	t.Helper()
	for path, item := range document.Paths.Map() {
		for method, op := range item.Operations() {
			all = append(all, exampleOf(t, path, method, item, op))
		}
	}
	slices.SortFunc(all, func(a, b example) int {
		if a, b := slices.Index(last, a.id), slices.Index(last, b.id); a != b {
			return a - b
		}
		if byMethod := slices.Index(methods, a.method) - slices.Index(methods, b.method); byMethod != 0 {
			return byMethod
		}
		return strings.Compare(a.path, b.path)
	})
	return all
}

// methods are in the order of their examples.
var methods = []string{"GET", "POST", "PATCH", "DELETE"}

func exampleOf(t *testing.T, path, method string, item *openapi3.PathItem, op *openapi3.Operation) example {
	t.Helper()
	query := url.Values{}
	for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
		p := ref.Value
		switch {
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", fmt.Sprint(p.Example))
		case p.In == "query" && p.Required:
			value := p.Example
			if list, ok := value.([]any); ok {
				value = list[0]
			}
			query.Set(p.Name, fmt.Sprint(value))
		}
	}
	e := example{id: op.OperationID, method: method, path: path}
	if len(query) > 0 {
		e.path += "?" + query.Encode()
	}
	if op.RequestBody == nil {
		return e
	}
	media := op.RequestBody.Value.Content.Get("application/json")
	if media == nil {
		e.body = []byte(apptest.Pixel)
		for mediaType, body := range map[string]string{"text/calendar": apptest.Calendar, "text/csv": apptest.Guests} {
			if op.RequestBody.Value.Content[mediaType] != nil {
				e.body = []byte(body)
			}
		}
		return e
	}
	schema := media.Schema.Value
	if len(schema.Examples) == 0 {
		t.Fatalf("the body of %s has no example", e.id)
	}
	body, err := json.Marshal(schema.Examples[0])
	if err != nil {
		t.Fatal(err)
	}
	e.body = body
	return e
}

// exampleClient calls the demo as one person.
type exampleClient struct {
	t           *testing.T
	base, token string
}

func (c *exampleClient) signIn() {
	c.t.Helper()
	status, started := c.send("POST", "/auth/dev/start", []byte(`{"email":"anna@example.org"}`))
	var challenge struct {
		Code string `json:"dev_code"`
	}
	if err := json.Unmarshal(started, &challenge); status != http.StatusOK || err != nil {
		c.t.Fatalf("%d %v: %s", status, err, started)
	}
	_, verified := c.send("POST", "/auth/dev/verify", []byte(`{"email":"anna@example.org","code":"`+challenge.Code+`"}`))
	var session struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.Unmarshal(verified, &session); err != nil || session.AccessToken == "" {
		c.t.Fatalf("%v: %s", err, verified)
	}
	c.token = session.AccessToken
}

func (c *exampleClient) send(method, path string, body []byte) (status int, answer []byte) {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.base+path, bytes.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Accept", "application/problem+json, application/json;q=0.5, */*;q=0.1")
	if body != nil {
		request.Header.Set("Content-Type", apptest.ContentType(body))
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err = io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return response.StatusCode, answer
}
