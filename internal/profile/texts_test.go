package profile_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// readTexts reads testdata/text_values.txt: id, TAB, JSON string.
func readTexts(t *testing.T) map[string]string {
	t.Helper()
	list, err := os.ReadFile("testdata/text_values.txt")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for line := range strings.Lines(string(list)) {
		id, literal, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		var value string
		if err := json.Unmarshal([]byte(literal), &value); err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		if value == "{x*1048576}" {
			value = strings.Repeat("x", 1<<20)
		}
		texts[id] = value
	}
	if len(texts) < 20 {
		t.Fatalf("only %d texts", len(texts))
	}
	return texts
}

// normalized is what the contract says a text that is taken reads back as.
func normalized(field, s string) string {
	switch field {
	case "username":
		return strings.ToLower(s)
	case "avatar_url":
		return s
	case "display_name": // RFC 8266
		return strings.Join(strings.Fields(norm.NFKC.String(s)), " ")
	}
	return strings.TrimSpace(norm.NFC.String(s))
}
