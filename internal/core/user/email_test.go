package user_test

import (
	"strings"
	"testing"

	"moothall/internal/core/user"
)

func TestParseEmail(t *testing.T) {
	for _, c := range []struct{ in, address, key string }{
		{"user@example.com", "user@example.com", "user@example.com"},
		{"User.Name+tag@Example.COM", "User.Name+tag@example.com", "user.name+tag@example.com"},
		{"u.s.e.r@gmail.com", "u.s.e.r@gmail.com", "u.s.e.r@gmail.com"},
		{"почта@пример.рф", "почта@пример.рф", "почта@xn--e1afmkfd.xn--p1ai"},
		{"ПОЧТА@ПРИМЕР.РФ", "ПОЧТА@пример.рф", "почта@xn--e1afmkfd.xn--p1ai"},
		{"anna@xn--e1afmkfd.xn--p1ai", "anna@xn--e1afmkfd.xn--p1ai", "anna@xn--e1afmkfd.xn--p1ai"},
		{"us\u0435r@example.com", "us\u0435r@example.com", "us\u0435r@example.com"}, // Cyrillic е is not e
		{"\u0131@example.com", "\u0131@example.com", "\u0131@example.com"},          // ı is not i
		{"\u0130@example.com", "\u0130@example.com", "\u0130@example.com"},          // İ is not i
		{strings.Repeat("a", 64) + "@example.com", strings.Repeat("a", 64) + "@example.com", strings.Repeat("a", 64) + "@example.com"},
	} {
		got, err := user.ParseEmail(c.in)
		if want := (user.Email{Address: c.address, Key: c.key}); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", c.in, got, err, want)
		}
	}
	for _, bad := range []string{
		"", "user", "user@", "@example.com", "user@localhost", "user@example..com", "user@.example.com", "user@example.com.",
		" user@example.com ", "Anna <user@example.com>", "<user@example.com>", "user@example.com,v@x.y", "user@example.com (x)",
		"user@[127.0.0.1]", "user@127.0.0.1", "user@[IPv6:::1]", `"a b"@example.com`, "a..b@example.com",
		strings.Repeat("a", 65) + "@example.com", "a@" + strings.Repeat("b.", 125) + "com",
		"a\u200bb@example.com", "a\u202eb@example.com", "a\x00@example.com", "a\n@example.com", "a@exa\u200bmple.com",
		"\u212a@example.com",  // the Kelvin sign looks like K
		"e\u0301@example.com", // not in NFC
		"a@-example-.com", "a@exa_mple.com", "a\xff@example.com",
	} {
		if got, err := user.ParseEmail(bad); err == nil {
			t.Errorf("%q was accepted as %+v", bad, got)
		}
	}
}
