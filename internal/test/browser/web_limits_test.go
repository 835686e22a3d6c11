package browser

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"moothall/api/gen"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestFieldsHaveTheLimitsOfTheContract compares the text fields of forms with the operations to which they are sent.
func TestFieldsHaveTheLimitsOfTheContract(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	org := a.As("org")
	event := "/events/" + org.Publish(apptest.Fields{"visibility": "private", "date_mode": "vote"})
	compared := map[string]bool{}
	compare := func(b *webBrowser, paths ...string) {
		for _, path := range paths {
			response := b.open(path)
			response.want(t, http.StatusOK)
			page, err := html.Parse(strings.NewReader(response.Body))
			if err != nil {
				t.Fatal(err)
			}
			for form := range page.Descendants() {
				if form.Data == "form" {
					compareFields(t, path, form, compared)
				}
			}
		}
	}
	compare(visitor(t, a), "/login")
	compare(signedIn(t, a, "org"), "/calendar", "/events/new", event, event+"/chat", event+"/guests", event+"/edit", "/feed", "/profile",
		"/settings", "/settings/keys", "/settings/security",
		"/settings/webhooks", "/report?target_type=user&target_id="+a.As("ann").UserID)
	if len(compared) < 20 {
		t.Errorf("compared only %v", compared)
	}
}

// compareFields compares the fields of a form, and adds those that the contract limits to compared.
func compareFields(t *testing.T, path string, form *html.Node, compared map[string]bool) {
	t.Helper()
	operation := strings.TrimPrefix(attribute(form, "action"), "/do/")
	for field := range form.Descendants() {
		name := attribute(field, "name")
		limit := gen.MaxLength(operation, name)
		if limit == 0 || !isText(field) {
			continue
		}
		compared[operation+" "+name] = true
		if got := attribute(field, "maxlength"); got != strconv.Itoa(limit) {
			t.Errorf("%s, %s %s: maxlength %q, want %d", path, operation, name, got, limit)
		}
	}
}

func attribute(n *html.Node, name string) string {
	at := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
	if at < 0 {
		return ""
	}
	return n.Attr[at].Val
}

func isText(n *html.Node) bool {
	return n.Data == "textarea" || n.Data == "input" && slices.Contains([]string{"", "text", "search", "url", "email"}, attribute(n, "type"))
}
