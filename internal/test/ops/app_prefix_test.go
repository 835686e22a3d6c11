package ops_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// behindPrefix serves the service below /api, like a front proxy that removes the prefix
// (specification §1). It returns the base address of the API.
func behindPrefix(t *testing.T, a *apptest.App) string {
	t.Helper()
	target, err := url.Parse(a.URL())
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/api/", http.StripPrefix("/api", &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL + "/api/"
}

// browse follows redirects and returns the final address and the body.
func browse(t *testing.T, address string) (*url.URL, []byte) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Errorf("%s: %s, %v", address, response.Status, err)
	}
	return response.Request.URL, body
}

var linkPattern = regexp.MustCompile(`(?:src|href)="([^"]+)"`)

// TestPagesBelowPrefix opens every page outside the web client and follows its links. The web
// client is at the root of its origin.
func TestPagesBelowPrefix(t *testing.T) {
	base := behindPrefix(t, apptest.New(t, db.SQLite, apptest.Setting("PHONE_PROVIDER", "development")))
	for page, links := range map[string]int{"docs": 10, "docs/": 10, "dev/calls": 3, "dev/mail": 4} {
		at, body := browse(t, base+page)
		found := linkPattern.FindAllSubmatch(body, -1)
		if len(found) != links {
			t.Errorf("%q links to %q, want %d links", page, found, links)
		}
		for _, link := range found {
			to, err := at.Parse(string(link[1]))
			if err != nil {
				t.Fatal(err)
			}
			browse(t, to.String())
		}
	}
}

// TestServerOfContract resolves the server in the contract as OpenAPI says: relative to the
// address of the document.
func TestServerOfContract(t *testing.T) {
	a := apptest.New(t, db.SQLite)
	below := behindPrefix(t, a)
	document, err := openapi3.NewLoader().LoadFromData(canonical(t))
	if err != nil {
		t.Fatal(err)
	}
	for address, base := range map[string]string{
		a.URL() + "/api/openapi.yaml": a.URL() + "/",
		below + "api/openapi.yaml":    below,
		below + "openapi.yaml":        below, // WEB_ORIGIN/api/openapi.yaml of the specification
	} {
		at, body := browse(t, address)
		if string(body) != string(canonical(t)) {
			t.Errorf("%s is not the contract", address)
		}
		server, err := at.Parse(document.Servers[0].URL)
		if err != nil || server.String() != base {
			t.Errorf("the server of %s is %s, want %s", address, server, base)
		}
	}
}
