package ops_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/api"
	"moothall/api/gen"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// operation is one operation of the contract and a request built from its examples.
type operation struct {
	id, method, target string
	body               any
}

// contract reads the operations of the canonical contract.
func contract(t *testing.T) []operation {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(api.Spec)
	if err != nil {
		t.Fatal(err)
	}
	var all []operation
	for route, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			all = append(all, operation{
				id: op.OperationID, method: method,
				target: target(t, route, slices.Concat(item.Parameters, op.Parameters)),
				body:   body(t, op),
			})
		}
	}
	slices.SortFunc(all, func(a, b operation) int { return strings.Compare(a.id, b.id) })
	return all
}

// target fills a route with the examples of its parameters.
func target(t *testing.T, route string, parameters openapi3.Parameters) string {
	t.Helper()
	query := url.Values{}
	for _, ref := range parameters {
		p := ref.Value
		if p.Example == nil {
			t.Errorf("%s: the parameter %s has no example", route, p.Name)
		}
		value := fmt.Sprint(p.Example)
		switch {
		case p.In == openapi3.ParameterInPath:
			route = strings.ReplaceAll(route, "{"+p.Name+"}", url.PathEscape(value))
		case p.In == openapi3.ParameterInQuery && p.Required:
			if list, ok := p.Example.([]any); ok {
				value = fmt.Sprint(list[0])
			}
			query.Set(p.Name, value)
		}
	}
	if len(query) > 0 {
		route += "?" + query.Encode()
	}
	return route
}

// body returns the first example of the request body as JSON or a picture, nil without
// body.
func body(t *testing.T, op *openapi3.Operation) any {
	t.Helper()
	if op.RequestBody == nil {
		return nil
	}
	media := op.RequestBody.Value.Content.Get("application/json")
	if media == nil {
		return apptest.Pixel
	}
	schema := media.Schema.Value
	if len(schema.Examples) == 0 {
		t.Errorf("%s: no example of the body", op.OperationID)
		return nil
	}
	payload, err := json.Marshal(schema.Examples[0])
	if err != nil {
		t.Errorf("%s: %v", op.OperationID, err)
	}
	return payload
}

// TestEveryOperationIsImplemented calls every operation with the examples of the
// contract: each answers with a status that the contract lists.
func TestEveryOperationIsImplemented(t *testing.T) {
	a := apptest.New(t, db.SQLite)
	for _, op := range contract(t) {
		if op.id == "openRealtimeStream" {
			continue // its response does not end; the tests of realtime call it
		}
		caller := a.As(op.id).Allow5xx() // one each: some end the session
		switch reply := caller.Do(op.method, op.target, op.body); reply.Status {
		case http.StatusInternalServerError, http.StatusNotImplemented, http.StatusMethodNotAllowed:
			t.Errorf("%s: %d %s", op.id, reply.Status, reply.Body)
		}
	}
}

func TestEveryOperationIsRouted(t *testing.T) {
	server, err := gen.NewServer(gen.UnimplementedHandler{}, gen.UnimplementedHandler{})
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range contract(t) {
		path, _, _ := strings.Cut(op.target, "?")
		route, ok := server.FindRoute(op.method, path)
		if !ok || route.OperationID() != op.id {
			t.Errorf("%s %s is routed to %q, want %s", op.method, path, route.OperationID(), op.id)
		}
	}
}
