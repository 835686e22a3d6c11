package emailsignin

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
)

// TestEveryLanguageHasEveryText compares the texts with the English ones.
func TestEveryLanguageHasEveryText(t *testing.T) {
	ids := func(tag string) []string {
		content, err := texts.ReadFile("texts/" + tag + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var all map[string]string
		if err := json.Unmarshal(content, &all); err != nil {
			t.Fatal(err)
		}
		return slices.Sorted(maps.Keys(all))
	}
	for _, l := range languages {
		if got := ids(l.String()); !slices.Equal(got, ids("en")) {
			t.Errorf("%s has %v", l, got)
		}
	}
}
