package ops_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/api"
	"moothall/api/gen"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/outboundtest"
)

// recordingFile has requests, and below each the responses of the service. The test writes the indented lines. A request is
//
//	> PERSON METHOD PATH [BODY]
//	+ HEADER: VALUE
//	= NAME /REGEXP/
//
// The person "-" is anonymous. "=" saves a value: the group of the regular expression in the headers and the body of the response.
// {NAME} stands for a saved value, for one of computedNames, or for the id of a person. "! advance DURATION" moves the clock.
// The first request of each operation is also sent in the ways of variants. Add requests at the end: ids have numbers in order of
// appearance, and the clock moves by step with each request.
const recordingFile = "testdata/recording.txt"

// notRecorded are the operations without a successful request in the recording, and why.
var notRecorded = map[string]string{}

// TestResponsesEqualRecording sends the requests of the recording. The responses are the same except for random values.
// UPDATE=1 writes the recording.
func TestResponsesEqualRecording(t *testing.T) {
	recorded, err := os.ReadFile(recordingFile)
	if err != nil {
		t.Fatal(err)
	}
	p := newPlayer(t)
	got := p.play(string(recorded))
	checkRecordedOperations(t, p.succeeded)
	if t.Failed() || got == string(recorded) {
		return
	}
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(recordingFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	reportFirstDifference(t, string(recorded), got)
	t.Error("if this is intended, run UPDATE=1 go test -run TestResponsesEqualRecording ./internal/test/ops, and read the difference")
}

// reportFirstDifference shows the first line that differs, from shortly before the difference, with its request.
func reportFirstDifference(t *testing.T, recorded, got string) {
	t.Helper()
	want, have, request := strings.Split(recorded, "\n"), strings.Split(got, "\n"), ""
	have = append(have, make([]string, len(want))...) // it may be shorter
	for i := range want {
		if strings.HasPrefix(want[i], "> ") {
			request = want[i]
		}
		if want[i] == have[i] {
			continue
		}
		same := 0
		for same < min(len(want[i]), len(have[i])) && want[i][same] == have[i][same] {
			same++
		}
		from := max(0, same-100)
		t.Errorf("%s:%d: %s\nrecorded: ...%s\n     now: ...%s", recordingFile, i+1, request, want[i][from:], have[i][from:])
		return
	}
}

// checkRecordedOperations fails the test for every operation of the contract that did not succeed.
func checkRecordedOperations(t *testing.T, succeeded map[string]bool) {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData(api.Spec)
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range document.Paths.Map() {
		for _, o := range item.Operations() {
			if succeeded[o.OperationID] == (notRecorded[o.OperationID] != "") {
				t.Errorf("%s: successful in the recording: %t; reason why not: %q", o.OperationID, succeeded[o.OperationID], notRecorded[o.OperationID])
			}
		}
	}
}

// newPlayer starts a service on SQLite whose clock stands still, with everything switched on.
func newPlayer(t *testing.T) *player {
	t.Helper()
	server, err := gen.NewServer(gen.UnimplementedHandler{}, gen.UnimplementedHandler{})
	if err != nil {
		t.Fatal(err)
	}
	network := outboundtest.New(t, apptest.AnswersChallenges(serveInternet))
	options := append(newOpaqueIdp(t), apptest.Outbound(network.Outbound()), apptest.StartAt(apptest.Today),
		apptest.Setting("ACCESS_TOKEN_TTL", "24h"), apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email(moderator)),
		apptest.Setting("PAYMENTS_ENABLED", "true"), apptest.Setting("PAYMENT_WEBHOOK_SECRETS", recordingSecret),
		apptest.Setting("MAIL_EVENTS", "mailgun:"+recordingSecret))
	a := apptest.New(t, db.SQLite, options...)
	key := a.As("robot").Post("/me/api-keys", apptest.Fields{"name": "Robot", "scopes": []string{"images:write"}}).Want(201)
	return &player{App: a, t: t, address: a.URL(), routes: server, key: key.Text("key"), authenticator: newRecordedPasskey(t),
		names: map[string]string{}, refreshTokens: map[string]string{}, masks: newMasks(), tried: map[string]bool{}, succeeded: map[string]bool{}}
}

// step is the time between two requests, so that later things have later times.
const step = time.Second
