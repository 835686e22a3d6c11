package text_test

import (
	"testing"

	"moothall/internal/platform/text"
)

// TestContactsAreRemoved checks what remains of titles and names.
func TestContactsAreRemoved(t *testing.T) {
	for is, want := range map[string]string{
		"Board games in the park": "Board games in the park",
		"Встреча №5, кафе «Дом»":  "Встреча №5, кафе «Дом»",
		"10 km run, 2026":         "10 km run, 2026",
		"A/B testing at 19:30":    "A/B testing at 19:30",
		"Node.js meetup":          "Node js meetup",
		"":                        "",

		"Win https://evil.example/x?y now":  "Win now",
		"HTTPS://EVIL.EXAMPLE":              "",
		"see www.evil.example":              "see",
		"see evil.com today":                "see today",
		"evil.co.uk/path?x=1 free":          "free",
		"evil.example/path free":            "free",
		"evil。com free":                     "free",
		"ｅｖｉｌ．ｃｏｍ free":                     "free",
		"ev\u200bil.c\u200bom free":         "free",
		"пример.рф бесплатно":               "бесплатно",
		"mail bob@evil.example or ring":     "mail or ring",
		"ring +49 (170) 123-45 67 now":      "ring now",
		"ring 8 (912) 345-67-89":            "ring",
		"t.me/somebody":                     "",
		"javascript://x":                    "",
		"mailto:bob@evil.example":           "",
		"(https://evil.example) and others": "and others",
	} {
		if got := text.WithoutContacts(is); got != want {
			t.Errorf("%q: %q, want %q", is, got, want)
		}
	}
}
