package session_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"moothall/internal/identity/session"
)

// FuzzToken checks that a text is a token of at most one kind and that a token has
// exactly one spelling.
func FuzzToken(f *testing.F) {
	const access, refresh session.TokenKind = "at_", "rt_"
	good := refresh.New()
	for _, s := range []string{good, access.New(), good + "=", good[:len(good)-1], good[:20] + "\n" + good[20:], strings.ToUpper(good), "rt_",
		"", " " + good} {
		f.Add(s)
	}
	kinds := []session.TokenKind{access, refresh}
	f.Fuzz(func(t *testing.T, text string) {
		accepted := 0
		for _, kind := range kinds {
			stored, ok := kind.Hash(text)
			if !ok {
				continue
			}
			accepted++
			random, err := base64.RawURLEncoding.DecodeString(text[len(kind):])
			if err != nil || kind.Of(random) != text || len(random) != session.TokenBytes || len(stored) != 32 {
				t.Errorf("%q was accepted", text)
			}
		}
		if accepted > 1 {
			t.Errorf("%q is of %d kinds", text, accepted)
		}
	})
}
