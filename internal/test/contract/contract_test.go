package contract

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestContractCheckFindsDifferences compares the check with responses that break
// the contract in one way each.
func TestContractCheckFindsDifferences(t *testing.T) {
	const unread = "/notifications/unread-count"
	for _, c := range []struct {
		name, path, contentType, body string
		status                        int
		header                        http.Header
		fine                          bool
	}{
		{"as described", unread, "application/json", `{"unread_count":3}`, 200, nil, true},
		{"unknown path", "/nowhere", "application/json", `{"error":"not_found"}`, 404, nil, true},
		{"missing field", unread, "application/json", `{}`, 200, nil, false},
		{"wrong type", unread, "application/json", `{"unread_count":"3"}`, 200, nil, false},
		{"not JSON", unread, "application/json", `{"unread_count":3`, 200, nil, false},
		{"other media type", unread, "text/plain", `{"unread_count":3}`, 200, nil, false},
		{"unknown status", unread, "application/json", `{"unread_count":3}`, 207, nil, false},
		{"wrong header", unread, "application/json", `{"error":"service_unavailable"}`, 503, http.Header{"Retry-After": {"soon"}}, false},
		{"right header", unread, "application/json", `{"error":"service_unavailable"}`, 503, http.Header{"Retry-After": {"1"}}, true},
		{"wrong code", unread, "application/json", `{"error":7}`, 503, http.Header{"Retry-After": {"1"}}, false},
		{"wrong format", "/me/sessions", "application/json", `{"items":[{"id":"7"}]}`, 200, nil, false},
	} {
		r := Response{Status: c.status, Header: http.Header{"Content-Type": {c.contentType}}, Body: func() (value any, err error) {
			return jsonschema.UnmarshalJSON(strings.NewReader(c.body))
		}}
		maps.Copy(r.Header, c.header)
		if err := Check(httptest.NewRequest(http.MethodGet, c.path, http.NoBody), r); (err == nil) != c.fine {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestEverySchemaCompiles fails when the check could not read a part of the
// contract that no other test happens to use.
func TestEverySchemaCompiles(t *testing.T) {
	checks, err := load()
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range checks.document.Paths.Map() {
		for method, operation := range item.Operations() {
			for status, response := range operation.Responses.Map() {
				for media, content := range response.Value.Content {
					if content.Schema == nil {
						continue
					}
					if _, err := checks.compiled(content.Schema.Value); err != nil {
						t.Errorf("%s %s %s %s: %v", method, path, status, media, err)
					}
				}
			}
		}
	}
}
