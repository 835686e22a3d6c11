package httpapi

import "testing"

func TestAcceptPrefersHTML(t *testing.T) {
	for _, row := range []struct {
		accept string
		want   bool
	}{
		{"", false},
		{"*/*", false},
		{"text/html", true},
		{"Text/HTML; charset=utf-8", true},
		{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true}, // browsers
		{"text/html, */*", false},
		{"text/html, application/json", false},
		{"application/json, text/html;q=0.9", false},
		{"application/json;q=0.8, text/html;q=0.9", true},
		{"application/json, text/plain, */*", false}, // axios
		{"text/html;q=0.2, */*;q=.2", false},
		{"text/*, application/json;q=0.5", true},
		{"text/html;q=0, text/*", false},
		{"application/json;q=0, */*;q=0.1", true},
		{"text/html;q=2", false},
		{"text/html;q=NaN", false},
		{"image/*", false},
	} {
		if got := prefersHTML([]string{row.accept}); got != row.want {
			t.Errorf("%q prefers HTML: %t", row.accept, got)
		}
	}
	if !prefersHTML([]string{"text/html", "application/json;q=0.1"}) {
		t.Error("two lines are not one list")
	}
}
