package httpapi_test

import (
	"testing"

	"moothall/internal/platform/httpapi"
)

func TestMatchesETag(t *testing.T) {
	for header, want := range map[string]bool{
		`"a"`: true, `W/"a"`: true, `"b", "a"`: true, `"b",W/"a" ,"c"`: true, `*`: true, ` * `: true,
		``: false, `"b"`: false, `a`: false, `"A"`: false, `w/"a"`: false, `"*"`: false, `"aa"`: false,
	} {
		if got := httpapi.MatchesETag(header, `"a"`); got != want {
			t.Errorf("If-None-Match: %s matches: %v", header, got)
		}
	}
}
