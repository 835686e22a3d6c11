package contract

import (
	"testing"

	"moothall/api"
)

// TestFrameExamplesAreValid checks the examples of the realtime contract.
func TestFrameExamplesAreValid(t *testing.T) {
	realtime, err := api.ReadRealtime()
	if err != nil {
		t.Fatal(err)
	}
	for operation, least := range map[string]int{"receiveFrames": 4, "sendFrames": 12} {
		frames, err := realtime.Frames(operation)
		if err != nil || len(frames) < least {
			t.Fatalf("%s has %d frames, %v", operation, len(frames), err)
		}
		for _, f := range frames {
			if f.Op == "" || f.Summary == "" || len(f.Examples) == 0 {
				t.Errorf("%s: %s has no op, no summary or no example", operation, f.Name)
			}
			for _, example := range f.Examples {
				checkFrame(t, operation, []byte(example))
			}
		}
	}
}

// TestFrameCheckFindsWrongFrames checks that the check is none in vain.
func TestFrameCheckFindsWrongFrames(t *testing.T) {
	const topic = `"topic":"chat:018f3b0a-5c1d-7000-8000-0000000000e1"`
	for _, row := range []struct{ operation, frame string }{
		{"sendFrames", `{`},
		{"sendFrames", `[]`},
		{"sendFrames", `{"op":"subscribe",` + topic + `}`},
		{"receiveFrames", `{"op":"caught_up",` + topic + `,"position":"1"}`},
		{"sendFrames", `{"op":"caught_up",` + topic + `}`},
		{"sendFrames", `{"op":"caught_up",` + topic + `,"position":1}`},
		{"sendFrames", `{"op":"caught_up",` + topic + `,"position":"01"}`},
		{"sendFrames", `{"op":"caught_up",` + topic + `,"position":"1","more":true}`},
		{"sendFrames", `{"op":"caught_up","topic":"me","position":"1"}`},
		{"sendFrames", `{"op":"revoked",` + topic + `,"reason":"mood"}`},
		{"sendFrames", `{"op":"counts","notifications":101,"chats":{}}`},
		{"sendFrames", `{"op":"welcome","session_id":"018f3b0a-5c1d-7000-8000-000000000191","server_time":"2026-12-05","ping_seconds":30}`},
		{"sendFrames", `{"op":"message",` + topic + `,"position":"2","prev":"1","message":{"id":"1"}}`},
	} {
		if err := validateFrame(row.operation, []byte(row.frame)); err == nil {
			t.Errorf("%s accepts %s", row.operation, row.frame)
		}
	}
}
