package address_test

import (
	"regexp"
	"strings"
	"testing"

	"moothall/internal/core/address"
	"moothall/internal/domain"
)

func TestPathOfEvent(t *testing.T) {
	id, err := domain.ParseID[domain.EventKind]("018f3b0a-5c1d-7000-8000-000000000001")
	if err != nil {
		t.Fatal(err)
	}
	code := "7Hq2MxPa"
	for _, c := range []struct {
		name  string
		event address.Event
		want  string
	}{
		{"words", address.Event{Title: "Board games, at the Café!"}, "/e/board-games-at-the-cafe-7Hq2MxPa"},
		{"accents, ligatures and width", address.Event{Title: "ŒUVRES à Łódź: ﬁne Ｊａｚｚ, Straße №２"}, "/e/oeuvres-a-lodz-fine-jazz-strasse-no2-7Hq2MxPa"},
		{"Arabic", address.Event{Title: "أمسية شعر"}, "/e/7Hq2MxPa"},
		{"Cyrillic with digits", address.Event{Title: "Йога 2026 утром"}, "/e/2026-7Hq2MxPa"},
		{"an emoji alone", address.Event{Title: "🎲"}, "/e/7Hq2MxPa"},
		{"an emoji in a text", address.Event{Title: "🎲 Chess 🎲 club"}, "/e/chess-club-7Hq2MxPa"},
		{"as long as it may be", address.Event{Title: strings.Repeat("abcd ", 8) + "e"}, "/e/" + strings.Repeat("abcd-", 8) + "7Hq2MxPa"},
		{"cut at a word", address.Event{Title: strings.Repeat("abcd ", 8) + strings.Repeat("f", 260)}, "/e/" + strings.Repeat("abcd-", 8) + "7Hq2MxPa"},
		{"one long word", address.Event{Title: strings.Repeat("a", 300)}, "/e/7Hq2MxPa"},
		{"one word as long as it may be", address.Event{Title: strings.Repeat("a", 40)}, "/e/" + strings.Repeat("a", 40) + "-7Hq2MxPa"},
		{"separators", address.Event{Title: "../a/b?c#d%2f"}, "/e/a-b-c-d-2f-7Hq2MxPa"},
		{"private", address.Event{Title: "Surprise for Ann", Private: true}, "/e/7Hq2MxPa"},
	} {
		c.event.ID, c.event.Code = id, &code
		if got := c.event.Path(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if got := address.Pages("https://meet.example.org").Event(address.Event{ID: id}); got != "https://meet.example.org/events/"+id.String() {
		t.Errorf("without a code: %s", got)
	}
}

func TestCodesAreNumbers(t *testing.T) {
	for number, want := range map[uint64]string{0: "11111111", 57: "1111111z", 58: "11111121", 128063081718016 + 1: "11111112"} {
		if got := address.Code(number); got != want {
			t.Errorf("%d: %s, want %s", number, got, want)
		}
	}
}

func TestCodesAreRandom(t *testing.T) {
	form := regexp.MustCompile(`^[1-9A-HJ-NP-Za-km-z]{8}$`)
	seen := map[string]bool{}
	used := map[rune]bool{}
	for range 1000 {
		code := address.NewCode()
		if !form.MatchString(code) || seen[code] {
			t.Errorf("%s: malformed, or for the second time", code)
		}
		seen[code] = true
		for _, digit := range code {
			used[digit] = true
		}
	}
	if len(used) != 58 {
		t.Errorf("codes use %d of 58 digits", len(used))
	}
}
