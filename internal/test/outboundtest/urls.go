package outboundtest

import (
	_ "embed" // urls.txt
	"encoding/json"
	"strings"
	"testing"
)

//go:embed urls.txt
var urls string

// URL is one row of the list of hostile and harmless URLs.
type URL struct {
	Expect string // "400": refused by parsing; "REFUSE": not connected; "ALLOW"
	URL    string
	Why    string
}

// URLs returns the list. self is the host of the service.
func URLs(t *testing.T, self string) []URL {
	t.Helper()
	var all []URL
	for line := range strings.Lines(urls) {
		columns := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(columns) < 3 {
			continue
		}
		u := URL{Expect: columns[0], Why: columns[2]}
		if err := json.Unmarshal([]byte(columns[1]), &u.URL); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		u.URL = strings.ReplaceAll(u.URL, "{SELF}", self)
		all = append(all, u)
	}
	return all
}
