package session

import (
	"strings"
	"testing"
)

// FuzzToken checks that a text is a token of at most one kind and that a token has
// exactly one spelling.
func FuzzToken(f *testing.F) {
	good := refreshToken.New()
	for _, s := range []string{good, accessToken.New(), good + "=", good[:len(good)-1], good[:20] + "\n" + good[20:], strings.ToUpper(good), "rt_", "", " " + good} {
		f.Add(s)
	}
	kinds := []TokenKind{accessToken, refreshToken}
	f.Fuzz(func(t *testing.T, text string) {
		accepted := 0
		for _, kind := range kinds {
			stored, ok := kind.Hash(text)
			if !ok {
				continue
			}
			accepted++
			random, err := tokenEncoding.DecodeString(text[len(kind):])
			if err != nil || string(kind)+tokenEncoding.EncodeToString(random) != text || len(random) != TokenBytes || len(stored) != 32 {
				t.Errorf("%q was accepted", text)
			}
		}
		if accepted > 1 {
			t.Errorf("%q is of %d kinds", text, accepted)
		}
	})
}
