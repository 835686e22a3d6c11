package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/api"
	"moothall/api/gen"
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
	success      int    // the status of the response to a call that succeeds; 0 if the operation only takes over connections
	route        string // path with the names of parameters
	auth         authKind
	scope        string // that an API key needs; empty: no key may call the operation
	takesTicket  bool   // of a WebSocket, instead of a session
	takesBody    bool
	uploads      []string     // the media types of its body, if that is not JSON
	anyQuery     bool         // ignores unknown query parameters
	documents400 bool         // otherwise a malformed path id is 404 (contract §0)
	redirects    bool         // redirects browsers
	hasETag      bool         // documents 304
	compressible bool         // its responses may be compressed,
	hasSecret    bool         // but only those to anonymous callers
	isPage       bool         // a page of the web client, not an operation of the contract
	handler      http.Handler // of a page or a public route; nil: the operation of the contract
	hasPage      bool         // a page has the same address
	path         []string     // names of parameters, in the order of the path
	query        map[string]gen.Parameter
	maxBody      int64
	lane         laneKind

	shows          []db.Kind // of responses to anonymous callers; nil: they are not cached
	check          Check     // nil: the schemas express everything
	limits         []ratelimit.Limit
	checkSignature func(RawRequest) error
}

const (
	maxBody       = 64 << 10
	maxSignedBody = 256 << 10
	maxUpload     = 10 << 20
	maxParameters = 100
)

// contract returns the operations of the contract by operationId.
func contract() map[string]*operation {
	ops := make(map[string]*operation, len(gen.Operations))
	for i := range gen.Operations {
		op := readOperation(&gen.Operations[i])
		ops[op.id] = op
	}
	return ops
}

func readOperation(op *gen.Operation) *operation {
	o := &operation{
		id:           op.ID,
		method:       op.Method,
		route:        op.Route,
		anyQuery:     op.Route != "/healthz", // contract §1
		documents400: slices.Contains(op.Statuses, "400"),
		redirects:    slices.Contains(op.Statuses, "303"),
		hasETag:      slices.Contains(op.Statuses, "304"),
		query:        map[string]gen.Parameter{},
		maxBody:      maxBody,
		lane:         laneNames[op.Lane],
	}
	if first := slices.IndexFunc(op.Statuses, isSuccess); first >= 0 {
		o.success, _ = strconv.Atoi(op.Statuses[first])
	}
	for _, p := range op.Parameters {
		if p.In == "path" {
			o.path = append(o.path, p.Name)
		} else {
			o.query[p.Name] = p
		}
	}
	o.takesBody = len(op.Bodies) > 0 && op.Method != http.MethodGet
	if o.takesBody && !slices.Contains(op.Bodies, "application/json") {
		o.uploads, o.maxBody, o.lane = op.Bodies, maxUpload, uploadLane
	}
	o.readSecurity(op.Security)
	o.scope = scopeOf(op)
	o.readCompressible(op)
	return o
}

// isSuccess reports whether a status is that of a request that succeeds: 101 is none of a value.
func isSuccess(status string) bool { return status >= "200" && status < "400" }

func (o *operation) readSecurity(alternatives [][]string) {
	var anonymous, bearer, cookie bool
	for _, schemes := range alternatives {
		o.takesTicket = o.takesTicket || slices.Contains(schemes, "realtimeTicket")
		anonymous = anonymous || len(schemes) == 0
		bearer = bearer || slices.Contains(schemes, "bearerAuth")
		cookie = cookie || slices.Contains(schemes, "refreshCookie")
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

// scopeOf returns the scope that an API key needs for an operation; "" if no key may call it.
func scopeOf(op *gen.Operation) string {
	switch {
	case op.Scope == "":
		return ""
	case op.Method == http.MethodGet:
		return op.Scope + ":read"
	}
	return op.Scope + ":write"
}

// schemas are the schemas of an operation's parameters and JSON body.
type schemas struct {
	query map[string]*openapi3.Schema
	body  *openapi3.Schema // nil: none
}

// schemasByID returns the schemas of all operations. Only the details of a malformed request need them, so the first
// one reads the contract. A malformed contract is a bug of the program.
var schemasByID = sync.OnceValue(func() map[string]schemas {
	doc, err := api.Document()
	if err != nil {
		panic(err)
	}
	all := map[string]schemas{}
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			s := schemas{query: map[string]*openapi3.Schema{}}
			for _, p := range slices.Concat(item.Parameters, op.Parameters) {
				if p.Value.In == openapi3.ParameterInQuery {
					s.query[p.Value.Name] = p.Value.Schema.Value
				}
			}
			if op.RequestBody != nil {
				if media := op.RequestBody.Value.Content.Get("application/json"); media != nil {
					s.body = media.Schema.Value
				}
			}
			all[op.OperationID] = s
		}
	}
	return all
})

// configure returns the operations of a contract with the options applied. It returns
// an error when an option names an unknown operation, or caches an operation that needs
// a session or has limits.
func configure(contract map[string]*operation, o Options) (map[string]*operation, error) {
	ops := make(map[string]*operation, len(contract))
	for id, op := range contract {
		own := *op
		if o.WriteLimit.Name != "" && own.auth == authSession && own.method != http.MethodGet {
			own.limits = []ratelimit.Limit{o.WriteLimit}
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
	for id, check := range o.Checks {
		change(id, func(op *operation) { op.check = check })
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
