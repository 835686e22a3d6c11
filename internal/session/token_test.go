package session

import (
	"strings"
	"testing"
)

// FuzzToken holds that a text is a token of one kind at most, and that no other
// spelling of a token is taken for it.
func FuzzToken(f *testing.F) {
	good := newToken(refreshToken)
	for _, s := range []string{good, newToken(accessToken), good + "=", good[:len(good)-1], good[:20] + "\n" + good[20:], strings.ToUpper(good), "rt_", "", " " + good} {
		f.Add(s)
	}
	kinds := []tokenKind{accessToken, refreshToken}
	f.Fuzz(func(t *testing.T, text string) {
		taken := 0
		for _, kind := range kinds {
			stored, ok := kind.hash(text)
			if !ok {
				continue
			}
			taken++
			random, err := tokenEncoding.DecodeString(text[len(kind):])
			if err != nil || string(kind)+tokenEncoding.EncodeToString(random) != text || len(random) != tokenBytes || len(stored) != 32 {
				t.Errorf("%q was taken for a token", text)
			}
		}
		if taken > 1 {
			t.Errorf("%q is of %d kinds", text, taken)
		}
	})
}
