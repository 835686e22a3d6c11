package ops_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"moothall/api/gen"
)

// neverCalled are the operations that no call of the recording reaches, and why.
var neverCalled = map[string]string{
	"openRealtimeStream":    "takes over the connection",
	"receivePaymentWebhook": "its signature is of bytes",
}

// TestCallsEqualRecording sends the requests of the recording to a front that calls the operations as pages do. All responses are
// those of the recording, which are responses to HTTP: refusals, values, and what they have changed.
func TestCallsEqualRecording(t *testing.T) {
	recorded, err := os.ReadFile(recordingFile)
	if err != nil {
		t.Fatal(err)
	}
	p := newPlayer(t)
	front, address := newCallsFront(t, p.App, p.refreshTokens)
	p.address = address
	want, got := withoutHeaders(string(recorded)), withoutHeaders(p.play(string(recorded)))
	if got != want {
		reportFirstDifference(t, want, got)
	}
	for _, op := range gen.Operations {
		if front.called[op.ID] == (neverCalled[op.ID] != "") {
			t.Errorf("%s: called: %t; reason why not: %q", op.ID, front.called[op.ID], neverCalled[op.ID])
		}
	}
}

var (
	headerSetOf = regexp.MustCompile(`(?m), headers \d+$`)
	headerLine  = regexp.MustCompile(`(?m)^    (` + strings.Join(ownHeaders, "|") + `): .*\n`)
)

// withoutHeaders removes the headers of the responses of a recording.
func withoutHeaders(recording string) string {
	recording, _, _ = strings.Cut(recording, "\n  headers 1\n")
	return headerLine.ReplaceAllString(headerSetOf.ReplaceAllString(recording, ""), "")
}
