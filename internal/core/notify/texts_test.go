package notify_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"
)

// TestTextsAreComplete checks that every language has every message in each of its
// plural forms.
func TestTextsAreComplete(t *testing.T) {
	forms := map[string][]string{"en": {"one", "other"}, "ru": {"few", "many", "one", "other"}}
	read := map[string]map[string]any{}
	for language := range forms {
		text, err := os.ReadFile("texts/" + language + ".json")
		if err != nil {
			t.Fatal(err)
		}
		messages := map[string]any{}
		if err := json.Unmarshal(text, &messages); err != nil {
			t.Fatal(err)
		}
		read[language] = messages
	}
	for id, english := range read["en"] {
		_, plural := english.(map[string]any)
		for language, messages := range read {
			switch m := messages[id].(type) {
			case string:
				if plural || m == "" {
					t.Errorf("%s in %s is %q", id, language, m)
				}
			case map[string]any:
				if got := slices.Sorted(maps.Keys(m)); !plural || !slices.Equal(got, forms[language]) {
					t.Errorf("%s in %s has the forms %v", id, language, got)
				}
			default:
				t.Errorf("%s is missing in %s", id, language)
			}
		}
	}
	for language, messages := range read {
		if len(messages) != len(read["en"]) {
			t.Errorf("%s has %d messages, English %d", language, len(messages), len(read["en"]))
		}
	}
}
