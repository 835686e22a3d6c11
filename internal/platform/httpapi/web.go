// Package httpapi is what surrounds every operation: who is asking, what is
// refused before an operation sees it, how a refusal is written, limits, log
// and metrics. Operations return values and errors; web writes.
package httpapi

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	gofaster "github.com/go-faster/errors"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/platform/respcache"
)

// Options are what web needs from its surroundings.
type Options struct {
	Log            *slog.Logger
	Metrics        prometheus.Registerer
	Authenticator  Authenticator
	AllowedOrigins []string          // exact web origins that browsers may call from
	TrustedProxies []netip.Prefix    // whose X-Forwarded-For is believed
	HTTPS          bool              // clients reach the service by https only
	Limits         *ratelimit.Limits // how often somebody may do something; nil: as often as they like
	MaxInFlight    int               // operations at a time; more get 503 at once
	RequestTimeout time.Duration     // deadline of one operation

	// Absent are the ids of operations that this deployment does not have: they
	// answer like a path that does not exist.
	Absent []string

	// Signed are, by operation id, the checks of operations whose callers sign
	// what they send: each sees the raw bytes before anything else judges them.
	Signed map[string]func(Delivery) error

	// Kept keeps answers to anonymous callers; nil keeps none.
	Kept *respcache.Cache

	// Pages are the routes outside the contract.
	Pages *http.ServeMux

	// BeforeInvalidBody is asked before a malformed request for an event is
	// answered 400. What it returns, domain.NotFound for an event that the viewer
	// cannot see, is answered instead. May be nil.
	BeforeInvalidBody func(ctx context.Context, operationID string, event domain.EventID) error
}

// Server answers every request of the service.
type Server struct {
	operations        *gen.Server
	contract          map[string]*operation
	signed            map[string]func(Delivery) error
	pages             *http.ServeMux
	log               *slog.Logger
	metrics           *metrics
	auth              Authenticator
	origins           *origins
	proxies           []netip.Prefix
	secure            http.Header // of every answer; an operation may replace them
	limits            *ratelimit.Limits
	kept              *respcache.Cache
	slots             chan struct{}
	timeout           time.Duration
	beforeInvalidBody func(ctx context.Context, operationID string, event domain.EventID) error
}

// New surrounds the operations of the contract. It fails when the contract or
// an allowed origin cannot be read.
func New(operations gen.Handler, o Options) (*Server, error) {
	gofaster.DisableTrace() // its stack trace costs more than most requests
	operationsByID, err := contract()
	if err != nil {
		return nil, err
	}
	operationsByID = maps.Clone(operationsByID)
	for _, id := range o.Absent {
		if operationsByID[id] == nil {
			return nil, fmt.Errorf("httpapi.New: there is no operation %q to leave out", id)
		}
		delete(operationsByID, id)
	}
	for id := range o.Signed {
		if operationsByID[id] == nil {
			return nil, fmt.Errorf("httpapi.New: there is no operation %q whose callers sign", id)
		}
	}
	origins, err := newOrigins(o.AllowedOrigins)
	if err != nil {
		return nil, fmt.Errorf("httpapi.New: %w", err)
	}
	s := &Server{
		contract: operationsByID, signed: o.Signed, pages: o.Pages, log: o.Log, metrics: newMetrics(o.Metrics),
		auth: o.Authenticator, origins: origins, proxies: o.TrustedProxies, secure: secureHeaders(o.HTTPS),
		limits: o.Limits, kept: o.Kept, slots: make(chan struct{}, o.MaxInFlight), timeout: o.RequestTimeout,
		beforeInvalidBody: o.BeforeInvalidBody,
	}
	s.operations, err = gen.NewServer(operations, admitted{}, gen.WithErrorHandler(s.operationFailed))
	if err != nil {
		return nil, fmt.Errorf("httpapi.New: %w", err)
	}
	return s, nil
}

// ServeHTTP answers one request: always with a status of the contract, always
// with one line in the log, whatever happens inside.
func (s *Server) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	s.metrics.inFlight.Inc()
	defer s.metrics.inFlight.Dec()
	w := &recorder{ResponseWriter: rw}
	ex := &exchange{
		start: time.Now(), id: requestID(r.Header.Get("X-Request-Id")), rawQuery: r.URL.RawQuery,
		header: w.Header(), sent: r.Header, cookies: r.Header["Cookie"], login: credentialOf(r),
	}
	maps.Copy(ex.header, s.secure)
	ex.header["X-Request-Id"] = []string{ex.id}
	s.origins.share(w, r)
	if s.giveKept(w, r, ex) {
		s.note(w, r, ex)
		return
	}
	ex.client = clientInfo(r, s.proxies)
	r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, ex))
	defer s.finish(w, r, ex)
	if err := s.serve(w, r, ex); err != nil {
		s.refuse(w, r, ex, err)
	}
}

// secureHeaders are those of every answer; an operation may replace them.
func secureHeaders(https bool) http.Header {
	h := http.Header{
		"X-Content-Type-Options":  {"nosniff"},
		"Referrer-Policy":         {"no-referrer"},
		"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'"},
		"Cache-Control":           {"private, no-store"},
	}
	if https { // not for subdomains: they may be others'
		h["Strict-Transport-Security"] = []string{"max-age=31536000"}
	}
	return h
}

// serve is the way of a request, in order.
func (s *Server) serve(w *recorder, r *http.Request, ex *exchange) error {
	if isPreflight(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if r.Host == "" && r.ProtoAtLeast(1, 1) {
		return domain.InvalidRequest
	}
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet // net/http leaves out the body
	}
	if ex.op, ex.args = s.find(method, r.URL); ex.op == nil {
		return s.servePage(w, r, ex, method)
	}
	ex.readBody(w, r)
	if !ex.op.spared {
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		default:
			return domain.ServiceUnavailable
		}
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.timeout)
	defer cancel()
	r = r.WithContext(ctx)
	if err := s.admit(r, ex); err != nil {
		s.refuse(w, r, ex, err) // here, because it may ask the store: before the deadline
		return nil
	}
	ex.letCache(method)
	r.Method = method
	if ex.op.redirects {
		r.URL.RawQuery = "" // the operation reads it itself
	}
	s.operate(w, r, ex)
	return nil
}

// find gives the operation that is asked for, and its path parameters; nil when
// there is none.
func (s *Server) find(method string, u *url.URL) (*operation, []string) {
	route, ok := s.operations.FindPath(method, u)
	if !ok {
		return nil, nil
	}
	return s.contract[route.OperationID()], route.Args()
}

// admit is everything that can refuse a request before its operation runs.
func (s *Server) admit(r *http.Request, ex *exchange) error {
	if err := s.origins.check(ex, r); err != nil {
		return err
	}
	if err := s.authenticate(r.Context(), ex); err != nil {
		return err
	}
	if ex.unread != nil {
		return ex.unread
	}
	if verify := s.signed[ex.op.id]; verify != nil {
		if err := verify(ex.delivery()); err != nil {
			return err
		}
	}
	if err := ex.checkQuery(); err != nil {
		return err
	}
	if err := ex.checkBody(r.Header); err != nil {
		return err
	}
	return s.spend(r.Context(), ex)
}

// letCache allows an anonymous read to be kept and asked for again; whatever
// depends on who asks stays out of every cache.
func (ex *exchange) letCache(method string) {
	if ex.op.auth == authOptional {
		addVary(ex.header, "Authorization", "Cookie")
	}
	if method == http.MethodGet && !ex.op.spared && !ex.viewer.SignedIn() && ex.op.auth <= authOptional {
		ex.header.Set("Cache-Control", "no-cache")
	}
}

// operationFailed answers what a generated handler could not.
func (s *Server) operationFailed(ctx context.Context, w http.ResponseWriter, r *http.Request, err error) {
	s.refuse(w, r, exchangeOf(ctx), err)
}

// servePage answers what is not an operation of the contract.
func (s *Server) servePage(w *recorder, r *http.Request, ex *exchange, method string) error {
	if s.pages != nil {
		if answers, pattern := s.pages.Handler(r); pattern != "" {
			ex.page = pattern
			answers.ServeHTTP(w, r)
			return nil
		}
	}
	allowed := s.allowedMethods(r)
	switch {
	case allowed == "":
		return domain.NotFound
	case method == http.MethodOptions:
		w.Header().Set("Allow", allowed)
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	w.Header().Set("Allow", allowed)
	return domain.MethodNotAllowed
}

// allowedMethods lists what a path takes, "" when there is no such path.
func (s *Server) allowedMethods(r *http.Request) string {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete} {
		if op, _ := s.find(method, r.URL); op == nil && !s.isPage(method, r) {
			continue
		}
		allowed = append(allowed, method)
		if method == http.MethodGet {
			allowed = append(allowed, http.MethodHead)
		}
	}
	if len(allowed) == 0 {
		return ""
	}
	return strings.Join(append(allowed, http.MethodOptions), ", ")
}

// isPage reports whether r would reach a page with another method.
func (s *Server) isPage(method string, r *http.Request) bool {
	if s.pages == nil {
		return false
	}
	_, pattern := s.pages.Handler(&http.Request{Method: method, URL: r.URL, Host: r.Host})
	return pattern != ""
}

// answerPanic keeps the process alive; the stack goes to the log only.
func (s *Server) answerPanic(w *recorder, r *http.Request, ex *exchange, reason any) {
	s.log.ErrorContext(r.Context(), "panic", slog.String("request_id", ex.id),
		slog.Any("reason", reason), slog.String("stack", string(debug.Stack())))
	if w.status == 0 {
		s.refuse(w, r, ex, fmt.Errorf("panic: %v", reason))
	}
}
