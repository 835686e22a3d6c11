package text_test

import (
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/text/language"

	"moothall/internal/platform/text"
)

func TestHoursFollowTheCountry(t *testing.T) {
	files := fstest.MapFS{"texts/en.json": {Data: []byte(`{}`)}, "texts/de.json": {Data: []byte(`{}`)}}
	languages := text.LoadLanguages(files, language.English, language.German)
	evening := time.Date(2026, 11, 27, 20, 5, 0, 0, time.UTC)
	for accepted, want := range map[string][2]string{
		"en-US,en;q=0.9": {"8:05\u00a0PM", "en-US"},
		"en-GB,en;q=0.9": {"20:05", "en-GB"},
		"en":             {"20:05", "en"},
		"de-US":          {"20:05", "de-US"},
		"fr-CA,en-CA":    {"8:05\u00a0PM", "en-CA"},
		"":               {"20:05", "en"},
		"en-Latn-001":    {"20:05", "en"},
	} {
		l := text.BestLanguage(languages, accepted)
		if got := [2]string{l.Clock(evening), l.Locale()}; got != want {
			t.Errorf("%q: %q, want %q", accepted, got, want)
		}
	}
}
