package apptest

import (
	_ "embed" // the list of texts
	"encoding/json"
	"strings"
	"testing"
)

//go:embed testdata/text_values.txt
var textValues string

// Texts returns unusual and hostile texts by name, for every text field.
func Texts(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for line := range strings.Lines(textValues) {
		name, literal, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		var value string
		if err := json.Unmarshal([]byte(literal), &value); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		texts[name] = strings.ReplaceAll(value, "{x*1048576}", strings.Repeat("x", 1<<20))
	}
	if len(texts) < 20 {
		t.Fatalf("only %d texts", len(texts))
	}
	return texts
}
