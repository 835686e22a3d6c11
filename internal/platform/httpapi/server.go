// Package httpapi serves the operations of the contract over HTTP. It
// authenticates, checks requests against the contract, applies rate limits, caches
// responses to anonymous callers, writes errors, logs and counts.
package httpapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"time"

	gofaster "github.com/go-faster/errors"
	"github.com/prometheus/client_golang/prometheus"

	"moothall/api/gen"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
	"moothall/internal/platform/observe"
	"moothall/internal/platform/ratelimit"
)

// Options configure a Server.
type Options struct {
	Log            *slog.Logger
	Metrics        prometheus.Registerer
	Tracer         *observe.Tracer // nil: no traces
	ContinueTraces bool            // of trusted proxies, by the traceparent header
	Authenticator  Authenticator
	AllowedOrigins []string       // exact web origins whose pages may call the API
	TrustedProxies []netip.Prefix // proxies whose X-Forwarded-For is trusted
	Key            []byte         // hashes addresses in the security log
	HTTPS          bool           // clients reach the service by https only
	MaxInFlight    int            // concurrent operations at most; see package admission
	RequestTimeout time.Duration  // of one operation
	UploadTimeout  time.Duration  // to receive the body of an upload
	TempDir        string         // of uploads that are being received
	Stall          time.Duration  // after which a client that reads nothing is disconnected; 10 s if zero

	// Probe takes a connection to the database, like every operation. The number of
	// concurrent operations adapts to the time that it takes. nil: it is MaxInFlight.
	Probe func(context.Context)

	Limits          *ratelimit.Limits            // nil: no limits
	WriteLimit      ratelimit.Limit              // applies to every operation that needs a session, except GET
	OperationLimits map[string][]ratelimit.Limit // further limits, by operation id

	// CachedOperations lists the operations whose responses to anonymous callers are
	// cached, and the kinds of all entities that the responses show.
	Cache            *cache.Memory // nil: no cache
	CachedOperations map[string][]db.Kind

	// DisabledOperations are the ids of operations that answer 404.
	DisabledOperations []string

	// Checks are, by operation id, the checks of input; see Check.
	Checks map[string]Check

	// SignatureChecks are, by operation id, the checks of signed requests. They see
	// the raw body before it is parsed.
	SignatureChecks map[string]func(RawRequest) error

	// ExtraRoutes are the routes outside the contract.
	ExtraRoutes *http.ServeMux

	// PublicRoutes are the patterns of extra routes that show everybody the same, like pages to anonymous callers. Their
	// responses are cached.
	PublicRoutes []string

	WebClient WebClient // nil: no pages

	// BeforeInvalid is called before a malformed request gets 400. If it returns an
	// error, such as domain.NotFound for a hidden resource, the request gets that error.
	// It receives the path parameters by name. It may be nil.
	BeforeInvalid func(ctx context.Context, operationID string, path map[string]string) error
}

// Operations are the operations of the contract.
type Operations interface {
	gen.Handler
	gen.RawHandler // those that use WriteBody
}

// Server answers every request of the service.
type Server struct {
	operations    *gen.Server
	contract      map[string]*operation
	extraRoutes   *http.ServeMux
	web           WebClient // or nil
	pages         *pageCompressor
	shownByPages  []db.Kind
	public        map[string]*operation // by the pattern of the extra route
	log           *slog.Logger
	metrics       *metrics
	tracer        *observe.Tracer
	continues     bool // see Options.ContinueTraces
	auth          Authenticator
	origins       *origins
	proxies       []netip.Prefix
	key           []byte
	secureHeader  http.Header // of every response; an operation may replace values
	limits        *ratelimit.Limits
	responses     *cache.Responses[*response]
	lanes         lanes
	callers       *callers
	timeout       time.Duration
	uploads       *uploads
	stall         time.Duration
	outgoing      outgoing
	bodies        openBodies
	beforeInvalid func(ctx context.Context, operationID string, path map[string]string) error
}

// New returns a server of the operations. It fails when an origin is
// malformed, or an option names an unknown operation.
func New(operations Operations, o Options) (*Server, error) {
	gofaster.DisableTrace() // its stack trace costs more than most requests
	configured, err := configure(contract(), o)
	if err != nil {
		return nil, err
	}
	origins, err := newOrigins(o.AllowedOrigins)
	if err != nil {
		return nil, fmt.Errorf("httpapi.New: %w", err)
	}
	s := &Server{
		contract: configured, extraRoutes: o.ExtraRoutes, web: o.WebClient, shownByPages: kindsOf(o.CachedOperations),
		public: map[string]*operation{}, log: o.Log, metrics: newMetrics(o.Metrics), tracer: o.Tracer, continues: o.ContinueTraces,
		auth: o.Authenticator, origins: origins, proxies: o.TrustedProxies, key: o.Key, secureHeader: secureHeader(o.HTTPS),
		limits: o.Limits, responses: cache.NewResponses[*response](o.Cache, responsesShare), lanes: newLanes(o), callers: newCallers(),
		timeout:       o.RequestTimeout,
		stall:         cmp.Or(o.Stall, stall),
		uploads:       newUploads(o.UploadTimeout, o.TempDir),
		bodies:        newOpenBodies(),
		beforeInvalid: o.BeforeInvalid,
	}
	if s.web != nil {
		s.pages = newPageCompressor(s.web.Fragments())
	}
	for _, pattern := range o.PublicRoutes {
		s.public[pattern] = &operation{id: pattern, method: http.MethodGet, hasETag: true, handler: o.ExtraRoutes, shows: s.shownByPages}
	}
	s.operations, err = gen.NewServer(operations, operations, gen.WithErrorHandler(s.operationFailed))
	if err != nil {
		return nil, fmt.Errorf("httpapi.New: %w", err)
	}
	return s, nil
}

// ServeHTTP answers one request with a status of the contract and one log line, even
// after a panic.
func (s *Server) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	s.metrics.inFlight.Inc()
	defer s.metrics.inFlight.Dec()
	x := s.arrive(rw, r) // request.go
	defer s.record(x)    // observe.go
	if !s.writeCached(x) {
		s.run(x, s.route(x))
	}
}

func secureHeader(https bool) http.Header {
	h := http.Header{
		"X-Content-Type-Options":  {"nosniff"},
		"Referrer-Policy":         {"no-referrer"},
		"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'"},
		"Cache-Control":           {"private, no-store"},

		// Other sites share no window with pages, and embed nothing but what says so.
		"Cross-Origin-Opener-Policy":   {"same-origin"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
	}
	if https { // without subdomains: others may own them
		h["Strict-Transport-Security"] = []string{"max-age=31536000"}
	}
	return h
}

// operationFailed answers an error of the generated handler, unless the client is gone or the operation has taken over the
// connection.
func (s *Server) operationFailed(ctx context.Context, w http.ResponseWriter, r *http.Request, err error) {
	if st := stateOf(ctx); !st.writer.gone && !errors.Is(err, ErrHijacked) {
		s.refuse(w, r, st, err)
	}
}

// kindsOf returns the kinds of all entities that cached operations show.
func kindsOf(cached map[string][]db.Kind) []db.Kind {
	kinds := slices.Concat(slices.Collect(maps.Values(cached))...)
	slices.Sort(kinds)
	return slices.Compact(kinds)
}
