package mail

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"moothall/internal/core/notify"
	"moothall/internal/platform/push"
)

// TestPayloadFits shortens texts so that the message is not too long, and stays valid.
func TestPayloadFits(t *testing.T) {
	for _, unit := range []string{"a", "é", "👨‍👩‍👧‍👦", `"`, "\u0001", "<", "e\u0301\u0302\u0303"} {
		for _, length := range []int{0, 10, 1000, 3000, 20_000} {
			title, body := strings.Repeat(unit, length), strings.Repeat(unit, length)
			encoded := payload(notify.Item{Title: title, Body: &body}, "tag", 1)
			var got pushed
			if err := json.Unmarshal(encoded, &got); err != nil || len(encoded) > push.MaxPayload || !utf8.Valid(encoded) {
				t.Errorf("%q %d times: %d bytes, %v", unit, length, len(encoded), err)
			}
			if length <= 10 && (got.Title != title || *got.Body != body) {
				t.Errorf("%q %d times: shortened", unit, length)
			}
			if length == 1000 && unit == "a" && (got.Title != title || *got.Body != body) {
				t.Error("a text that fits is shortened")
			}
		}
	}
}
