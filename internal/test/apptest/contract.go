package apptest

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"moothall/internal/test/contract"
)

// outside are routes that are not part of the contract.
var outside = []string{"/", "/docs", "/api/openapi.yaml", "/api/asyncapi.yaml", "/openapi.yaml", "/sitemap.xml", "/sitemap-groups.xml",
	"/livez", "/readyz",
	"/dev/calls", "/dev/mail", "/dev/violations", "/login/confirm", "/auth/phone/callback/smsru", "/auth/phone/callback/smsc"}

var refusalBody = regexp.MustCompile(`^\{"error":"[a-z_]+"\}$`)

// checkContract fails the test unless the contract allows the response to the
// request.
func (r *Reply) checkContract(request *http.Request) {
	r.t.Helper()
	if isOutside(request.URL.Path) || !strings.Contains(r.Header.Get("Content-Type"), "json") && r.Status >= 400 {
		// net/http answers some malformed requests itself, in plain text
		if r.Status >= 400 && r.Header.Get("X-Request-Id") != "" && !isOutside(request.URL.Path) {
			r.t.Errorf("%s: %d %s is not JSON", r.call, r.Status, r.Header.Get("Content-Type"))
		}
		return
	}
	plain := strings.HasPrefix(r.Header.Get("Content-Type"), "application/json")
	if r.Status >= 400 && plain && request.URL.Path != "/healthz" && request.Method != http.MethodHead &&
		!refusalBody.Match(r.Body) {
		r.t.Errorf("%s: %d %s is not an error body", r.call, r.Status, r.Body)
	}
	if r.Status == http.StatusMethodNotAllowed || request.Method == http.MethodOptions {
		return
	}
	if err := contract.Check(request, contract.Response{Status: r.Status, Header: r.Header, Body: r.decoded}); err != nil {
		r.t.Errorf("%s: %d %s breaks the contract: %v", r.call, r.Status, r.Body, err)
	}
}

func isOutside(path string) bool {
	return slices.Contains(outside, path) || strings.HasPrefix(path, "/docs/") || strings.HasPrefix(path, "/dev/mail/") ||
		strings.HasPrefix(path, "/media/") || strings.HasPrefix(path, "/u/") || strings.HasPrefix(path, "/i/") ||
		strings.HasSuffix(path, "/events.atom") || strings.HasSuffix(path, "/events.ics")
}
