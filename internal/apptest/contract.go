package apptest

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"moothall/api"
)

// outside are the routes that the contract does not describe.
var outside = []string{"/", "/docs", "/api/openapi.yaml", "/livez", "/readyz", "/dev/calls", "/auth/phone/callback/smsru", "/auth/phone/callback/smsc"}

// contractRouter finds operations in the canonical contract.
var contractRouter = sync.OnceValues(func() (routers.Router, error) {
	doc, err := openapi3.NewLoader().LoadFromData(api.Spec)
	if err != nil {
		return nil, err
	}
	doc.Servers = nil // tests run anywhere
	return legacy.NewRouter(doc)
})

var refusalBody = regexp.MustCompile(`^\{"error":"[a-z_]+"\}$`)

// checkContract fails the test when the answer is not one that the contract
// allows for the request.
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
	if err := r.against(request); err != nil {
		r.t.Errorf("%s: %d %s breaks the contract: %v", r.call, r.Status, r.Body, err)
	}
}

func isOutside(path string) bool {
	return slices.Contains(outside, path) || strings.HasPrefix(path, "/docs/")
}

// against holds the answer against its operation in the contract.
func (r *Reply) against(request *http.Request) error {
	router, err := contractRouter()
	if err != nil {
		return err
	}
	asked := request.Clone(context.Background())
	asked.Host, asked.URL.Host, asked.URL.Scheme = "", "", ""
	options := &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true}
	if asked.Method == http.MethodHead {
		asked.Method, options.ExcludeResponseBody = http.MethodGet, true
	}
	route, parameters, err := router.FindRoute(asked)
	if err != nil {
		if r.Status == http.StatusNotFound {
			return nil // an unknown path
		}
		return err
	}
	return openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: asked, Route: route, PathParams: parameters},
		Status:                 r.Status,
		Header:                 r.Header,
		Body:                   io.NopCloser(bytes.NewReader(r.Body)),
		Options:                options,
	})
}
