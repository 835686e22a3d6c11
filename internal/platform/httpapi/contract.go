package httpapi

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/api"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
)

type authKind int

const (
	authNone     authKind = iota // no authentication, or the operation does it itself
	authOptional                 // anonymous, or a valid credential
	authSession                  // a valid credential
	authRefresh                  // the operation reads the refresh token itself; an Authorization header is ignored
)

// operation is one operation of the contract. It holds the rules that the generated code
// does not check, and the options that apply to the operation.
type operation struct {
	id           string
	method       string
	route        string // path with the names of parameters
	auth         authKind
	scope        string // that an API key needs; empty: no key may call the operation
	takesTicket  bool   // of a WebSocket, instead of a session
	takesBody    bool
	uploads      []string              // the media types of its body, if that is not JSON
	anyQuery     bool                  // ignores unknown query parameters
	documents400 bool                  // otherwise a malformed path id is 404 (contract §0)
	redirects    bool                  // redirects browsers
	hasETag      bool                  // documents 304
	compressible bool                  // its responses may be compressed,
	hasSecret    bool                  // but only those to anonymous callers
	isPage       bool                  // a page of the web client, not an operation of the contract
	hasPage      bool                  // a page has the same address
	path         []*openapi3.Parameter // in the order of the path
	query        map[string]*openapi3.Parameter
	body         *openapi3.Schema
	maxBody      int64
	lane         laneKind

	shows          []db.Kind // of responses to anonymous callers; nil: they are not cached
	rule           Rule      // nil: the schemas express everything
	limits         []ratelimit.Rule
	checkSignature func(RawRequest) error
}

const (
	maxBody       = 64 << 10
	maxSignedBody = 256 << 10
	maxUpload     = 10 << 20
	maxParameters = 100
)

// contract indexes the operations of the contract by operationId.
var contract = sync.OnceValues(func() (map[string]*operation, error) {
	doc, err := api.Document()
	if err != nil {
		return nil, fmt.Errorf("httpapi: read the contract: %w", err)
	}
	ops := map[string]*operation{}
	for route, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			security := op.Security
			if security == nil {
				security = &doc.Security
			}
			o := readOperation(route, method, item, op)
			o.readSecurity(*security)
			o.scope = scopeOf(method, op, doc.Tags)
			o.readCompressible(op)
			ops[op.OperationID] = o
		}
	}
	return ops, nil
})

func readOperation(route, method string, item *openapi3.PathItem, op *openapi3.Operation) *operation {
	o := &operation{
		id:           op.OperationID,
		method:       method,
		route:        route,
		anyQuery:     route != "/healthz", // contract §1
		documents400: op.Responses.Value("400") != nil,
		redirects:    op.Responses.Value("303") != nil,
		hasETag:      op.Responses.Value("304") != nil,
		query:        map[string]*openapi3.Parameter{},
		maxBody:      maxBody,
		lane:         laneOf(route),
	}
	for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
		switch p := ref.Value; p.In {
		case openapi3.ParameterInPath:
			o.path = append(o.path, p)
		case openapi3.ParameterInQuery:
			o.query[p.Name] = p
		}
	}
	slices.SortFunc(o.path, func(a, b *openapi3.Parameter) int {
		return strings.Index(route, "{"+a.Name+"}") - strings.Index(route, "{"+b.Name+"}")
	})
	o.takesBody = op.RequestBody != nil && method != http.MethodGet
	if o.takesBody {
		if media := op.RequestBody.Value.Content.Get("application/json"); media != nil {
			o.body = media.Schema.Value
		} else {
			o.uploads, o.maxBody, o.lane = slices.Sorted(maps.Keys(op.RequestBody.Value.Content)), maxUpload, uploadLane
		}
	}
	return o
}

func (o *operation) readSecurity(requirements openapi3.SecurityRequirements) {
	var anonymous, bearer, cookie bool
	for _, requirement := range requirements {
		_, byBearer := requirement["bearerAuth"]
		_, byCookie := requirement["refreshCookie"]
		_, byTicket := requirement["realtimeTicket"]
		o.takesTicket = o.takesTicket || byTicket
		anonymous = anonymous || len(requirement) == 0
		bearer = bearer || byBearer
		cookie = cookie || byCookie
	}
	switch {
	case bearer && anonymous:
		o.auth = authOptional
	case bearer:
		o.auth = authSession
	case cookie:
		o.auth = authRefresh
	}
}

// scopeOf returns the scope that an API key needs for an operation: the scope of its tag to
// read or to write. It returns "" for a tag without a scope and for an operation that is
// closed to keys.
func scopeOf(method string, op *openapi3.Operation, tags openapi3.Tags) string {
	if len(op.Tags) == 0 || op.Extensions["x-api-keys"] == false {
		return ""
	}
	tag := tags.Get(op.Tags[0])
	if tag == nil {
		return ""
	}
	name, _ := tag.Extensions["x-api-key-scope"].(string)
	switch {
	case name == "":
		return ""
	case method == http.MethodGet:
		return name + ":read"
	}
	return name + ":write"
}

// configure returns the operations of a contract with the options applied. It returns
// an error when an option names an unknown operation, or caches an operation that needs
// a session or has limits.
func configure(contract map[string]*operation, o Options) (map[string]*operation, error) {
	ops := make(map[string]*operation, len(contract))
	for id, op := range contract {
		own := *op
		if o.WriteLimit.Name != "" && own.auth == authSession && own.method != http.MethodGet {
			own.limits = []ratelimit.Rule{o.WriteLimit}
		}
		ops[id] = &own
	}
	var wrong []error
	change := func(id string, change func(*operation)) {
		if op := ops[id]; op != nil {
			change(op)
		} else {
			wrong = append(wrong, fmt.Errorf("httpapi.New: unknown operation %q", id))
		}
	}
	if o.WebClient != nil {
		for _, op := range ops {
			op.hasPage = op.method == http.MethodGet && o.WebClient.Page(op.route) != ""
		}
	}
	for id, rules := range o.OperationLimits {
		change(id, func(op *operation) { op.limits = append(op.limits, rules...) })
	}
	for id, rule := range o.Rules {
		change(id, func(op *operation) { op.rule = rule })
	}
	for id, check := range o.SignatureChecks {
		change(id, func(op *operation) { op.checkSignature, op.maxBody = check, maxSignedBody })
	}
	for id, kinds := range o.CachedOperations {
		change(id, func(op *operation) {
			op.shows = kinds
			if op.auth == authSession || len(op.limits) > 0 {
				wrong = append(wrong, fmt.Errorf("httpapi.New: operation %q must take anonymous callers without a limit to be cached", id))
			}
		})
	}
	for _, id := range o.DisabledOperations {
		change(id, func(*operation) { delete(ops, id) })
	}
	return ops, errors.Join(wrong...)
}
