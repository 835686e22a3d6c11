package httpapi

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/idempotency"
)

// exchange is a request on its way through the stages, and its response. Stages put what they have found into st, and a new
// context into r.
type exchange struct {
	w       *recorder
	r       *http.Request
	arrived *http.Request // r before the stages
	st      *requestState
	untimed context.Context //nolint:containedctx // of r without the time limit, which an upload begins again
	ends    []func()        // what stages have begun, in their order
	value   any             // of a call
}

// stage is one step of a request. An error ends the request and becomes its response.
type stage func(*Server, *exchange) error

// operationStages are the way of a request to its operation. Their order decides which error a request with several errors
// gets. Before the permit, a request may take as long as its sender likes; afterwards it has a time limit.
var operationStages = []stage{
	(*Server).chooseCredential, // auth.go
	(*Server).identifyFirst,    // auth.go: nobody sends a body before they are known
	(*Server).receiveBody,      // input.go: a small one, into memory
	(*Server).takePermit,       // lanes.go: or 503 under overload
	(*Server).limitTime,
	(*Server).identify,     // auth.go: by credential and origin
	(*Server).checkArrival, // input.go: of the small body
	(*Server).checkHeaders, // input.go
	(*Server).checkSignature,
	(*Server).checkQuery,    // input.go
	(*Server).checkBody,     // input.go
	(*Server).takeQuota,     // limits.go
	(*Server).receiveUpload, // upload.go: a large body, into a file
	(*Server).showOwnWrites,
	(*Server).noteKey,
	(*Server).prepareResponse,
	(*Server).operate,   // cache.go: the operation, or its cached response
	(*Server).writeRest, // stream.go: what is too large for the memory
}

// pageStages are the way of a request to a page. The page calls operations, which pass their own stages under its permit.
var pageStages = []stage{
	(*Server).takePermit,
	(*Server).sharePermit, // lanes.go
	(*Server).prepareResponse,
	(*Server).operate,
}

// callStages are the way of a call that a page makes. They are the stages of operationStages for what is left of a request: its
// body is a value.
var callStages = []stage{
	(*Server).takePermit, // lanes.go: or the call runs under that of the page
	(*Server).limitTime,
	(*Server).identify,   // auth.go: once per page
	(*Server).checkInput, // call_input.go
	(*Server).checkSignature,
	(*Server).takeQuota,     // limits.go
	(*Server).receiveUpload, // upload.go
	(*Server).showOwnWrites,
	(*Server).noteKey,
	(*Server).validate, // call_input.go
	(*Server).carryOut,
}

// run passes a request through stages. The response to an error is written while the time limit holds, because it may query
// the database.
func (s *Server) run(x *exchange, stages []stage) {
	defer x.end()
	switch err := s.pass(x, stages); {
	case err == nil, errors.Is(err, ErrHijacked):
		x.w.close()
	case x.w.status != 0: // a part of the response was sent: the client must see that the rest is missing
		x.st.setCause(x.arrived.Context(), err)
		panic(http.ErrAbortHandler)
	default:
		s.refuse(x.w, x.r, x.st, err)
		x.w.close()
	}
}

// pass returns the error of the first stage that has one, or that panics.
func (s *Server) pass(x *exchange, stages []stage) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = s.recovered(x, reason)
		}
	}()
	for _, stage := range stages {
		if err := stage(s, x); err != nil {
			return err
		}
	}
	return nil
}

// end ends what the stages have begun, the latest first, and then the permit.
func (x *exchange) end() {
	for _, end := range slices.Backward(x.ends) {
		end()
	}
	x.w.releasePermit()
}

// setContext replaces the context of the request.
func (x *exchange) setContext(ctx context.Context) { x.r = x.r.WithContext(ctx) }

// limit gives the request a time from now.
func (x *exchange) limit(d time.Duration) {
	ctx, cancel := context.WithTimeout(x.untimed, d)
	x.ends = append(x.ends, cancel)
	x.setContext(ctx)
}

// answerPreflight answers 204: ServeHTTP has written the headers of CORS.
func (s *Server) answerPreflight(x *exchange) error {
	x.w.WriteHeader(http.StatusNoContent)
	return nil
}

// refuseHost refuses a request without Host (RFC 9112, section 3.2).
func (s *Server) refuseHost(*exchange) error { return domain.InvalidRequest }

// limitTime begins the time of the operation.
func (s *Server) limitTime(x *exchange) error {
	x.untimed = x.r.Context()
	x.limit(s.timeout)
	return nil
}

// checkSignature checks the signature of a request of another service, before its body is parsed.
func (s *Server) checkSignature(x *exchange) error {
	if x.st.op.checkSignature == nil {
		return nil
	}
	return x.st.op.checkSignature(x.st.raw())
}

// showOwnWrites reads from the database instead of a cache if the viewer has written a moment ago.
func (s *Server) showOwnWrites(x *exchange) error {
	if x.st.viewer.WroteRecently {
		x.setContext(cache.Bypass(x.r.Context()))
	}
	return nil
}

// noteKey makes a request with an Idempotency-Key one that is done once.
func (s *Server) noteKey(x *exchange) error {
	if key := x.r.Header.Get("Idempotency-Key"); key != "" && x.st.viewer.SignedIn() {
		x.st.writeInput()
		x.setContext(idempotency.WithKey(x.r.Context(), x.st.viewer.UserID, key, x.st.op.id, x.st.args, x.st.body))
	}
	return nil
}

// prepareResponse writes the headers about caches and compression, which depend on the viewer.
func (s *Server) prepareResponse(x *exchange) error {
	if isRead(x.r) {
		x.r.Method = http.MethodGet // net/http omits the body of HEAD
	}
	x.st.setCacheControl(x.r.Method)
	x.st.negotiate(x.w, x.r)
	if x.st.op.redirects {
		x.r.URL.RawQuery = "" // the operation reads it by Query
	}
	return nil
}

// setCacheControl lets clients revalidate responses to anonymous callers. Responses
// that depend on the viewer are not stored by any cache.
func (st *requestState) setCacheControl(method string) {
	switch {
	case st.op.isPage:
		addVary(st.responseHeader, pageVary, "Accept-Language, Authorization, Cookie")
	case st.op.hasPage:
		addVary(st.responseHeader, pageVary, "Authorization, Cookie")
	case st.op.auth == authOptional:
		addVary(st.responseHeader, "Authorization", "Cookie")
	}
	personal := st.viewer.SignedIn() || st.op.isPage && st.credential.present()
	if method == http.MethodGet && st.op.lane != healthLane && !personal && st.op.auth <= authOptional {
		st.responseHeader.Set("Cache-Control", "no-cache")
	}
}
