package httpapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/api"
	"moothall/internal/platform/ratelimit"
)

// What the contract says about a request that the generated code does not
// check by itself, read from the canonical file at start: so that no rule about
// a single operation stands here a second time.

type authKind int

const (
	authNone     authKind = iota // nobody is asked, or the operation asks for itself
	authOptional                 // anonymous, or somebody with a good credential
	authSession                  // somebody
)

// operation is one operation of the contract.
type operation struct {
	id        string
	route     string // path template
	auth      authKind
	takesBody bool
	anyQuery  bool                  // unknown query parameters are ignored
	lists400  bool                  // else a malformed path id is 404 (contract §0)
	redirects bool                  // a page for browsers on their way
	path      []*openapi3.Parameter // in the order of the path
	query     map[string]*openapi3.Parameter
	body      *openapi3.Schema
	maxBody   int64
	spared    bool // answers even under overload
	kept      bool // its anonymous answers
	unchanged bool // they have an ETag: 304 to who knows it
	limits    []ratelimit.Rule
}

const (
	maxBody        = 64 << 10
	maxWebhookBody = 256 << 10
	maxParameters  = 100
)

// contract is read once: it takes a tenth of a second.
var contract = sync.OnceValues(func() (map[string]*operation, error) { return readContract(api.Spec) })

// readContract indexes the operations of an OpenAPI document by operationId.
func readContract(document []byte) (map[string]*operation, error) {
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(document)
	if err != nil {
		return nil, fmt.Errorf("httpapi.readContract: %w", err)
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
			o.limits = limitsOf(o, method)
			ops[op.OperationID] = o
		}
	}
	for _, id := range keptOperations {
		o := ops[id]
		if o == nil || o.auth == authSession || len(o.limits) > 0 {
			return nil, fmt.Errorf("httpapi.readContract: there is no operation %s whose answers could be kept", id)
		}
		o.kept = true
	}
	for id := range limitOf {
		if ops[id] == nil {
			return nil, fmt.Errorf("httpapi.readContract: there is no operation %s to limit", id)
		}
	}
	return ops, nil
}

func readOperation(route, method string, item *openapi3.PathItem, op *openapi3.Operation) *operation {
	o := &operation{
		id:        op.OperationID,
		route:     route,
		anyQuery:  route != "/healthz", // its 400 is for an unknown parameter (contract §1)
		spared:    route == "/healthz",
		lists400:  op.Responses.Value("400") != nil,
		redirects: op.Responses.Value("303") != nil,
		unchanged: op.Responses.Value("304") != nil,
		query:     map[string]*openapi3.Parameter{},
		maxBody:   maxBody,
	}
	if strings.HasPrefix(route, "/payments/webhooks/") {
		o.maxBody = maxWebhookBody
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
		}
	}
	return o
}

func (o *operation) readSecurity(requirements openapi3.SecurityRequirements) {
	var anonymous, bearer bool
	for _, requirement := range requirements {
		_, byBearer := requirement["bearerAuth"]
		anonymous = anonymous || len(requirement) == 0
		bearer = bearer || byBearer
	}
	switch {
	case bearer && anonymous:
		o.auth = authOptional
	case bearer:
		o.auth = authSession
	}
}
