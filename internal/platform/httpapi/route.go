package httpapi

import (
	"net/http"
	"net/url"
	"strings"

	"moothall/internal/domain"
)

// route returns the stages of a request that is not in the cache, and notes what it is for.
func (s *Server) route(x *exchange) []stage {
	s.meet(x)
	switch {
	case isPreflight(x.r):
		return []stage{(*Server).answerPreflight}
	case x.r.Host == "" && x.r.ProtoAtLeast(1, 1):
		return []stage{(*Server).refuseHost}
	case !isRead(x.r): // writeCached has looked for those that read
		x.st.op, x.st.args = s.find(x.r.Method, x.r.URL)
	}
	if x.st.op == nil && s.extraRoutes != nil {
		_, x.st.route = s.extraRoutes.Handler(x.r)
	}
	public := s.public[x.st.route]
	switch {
	case x.st.op != nil && x.st.op.handler == nil:
		return operationStages
	case x.st.op != nil:
		return pageStages
	case public != nil:
		x.st.op, x.st.credential, x.st.variant = public, credential{}, s.web.Variant(x.r)
		return pageStages
	case x.st.route != "":
		return []stage{(*Server).serveExtra}
	}
	return []stage{(*Server).refuseMethod}
}

// withoutPrefix returns a request below apiPrefix as one for the operation.
func withoutPrefix(r *http.Request) *http.Request {
	path, below := strings.CutPrefix(r.URL.Path, apiPrefix+"/")
	if !below || strings.HasSuffix(path, ".yaml") { // the published contracts
		return r
	}
	inner, u := *r, *r.URL
	u.Path, u.RawPath = "/"+path, strings.TrimPrefix(u.RawPath, apiPrefix)
	inner.URL, inner.RequestURI = &u, strings.TrimPrefix(r.RequestURI, apiPrefix)
	return &inner
}

// find returns the operation of a URL and its path parameters, or nil.
func (s *Server) find(method string, u *url.URL) (*operation, []string) {
	route, ok := s.operations.FindPath(method, u)
	if !ok {
		return nil, nil
	}
	return s.contract[route.OperationID()], route.Args()
}

// findRead returns what answers a GET or HEAD request: an operation with its path
// parameters, or a page as an operation that is not part of the contract. It returns nil if
// nothing does.
func (s *Server) findRead(r *http.Request, st *requestState) (*operation, []string) {
	op, args := s.find(http.MethodGet, r.URL)
	st.wantsPage = !st.belowPrefix && wantsPage(r)
	if st.belowPrefix || op != nil && !st.wantsPage {
		return op, args
	}
	pattern := s.pageAt(r)
	switch {
	case pattern == "" && op != nil && op.hasPage:
		pattern = op.route // with a malformed id, as in a truncated link: the page says that there is nothing
	case pattern == "":
		return op, args
	}
	st.variant = s.web.Variant(r)
	return &operation{
		id: "page " + pattern, method: http.MethodGet, auth: authOptional, hasETag: true, isPage: true, handler: Route(s.web.ServePage),
		shows: s.shownByPages,
	}, nil
}

// serveExtra answers at an extra route.
func (s *Server) serveExtra(x *exchange) error {
	if isRead(x.r) {
		x.w.negotiate(x.r)
	}
	s.extraRoutes.ServeHTTP(x.w, x.r) // not the handler: the mux sets the path values
	return x.st.routeErr
}

// refuseMethod answers at an address that has no operation with the method.
func (s *Server) refuseMethod(x *exchange) error {
	allowed := s.allowedMethods(x.r)
	if allowed == "" {
		return domain.NotFound
	}
	x.w.Header().Set("Allow", allowed)
	if x.r.Method == http.MethodOptions {
		x.w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return domain.MethodNotAllowed
}

// allowedMethods lists the methods of a path, or "" when there is no such path.
func (s *Server) allowedMethods(r *http.Request) string {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		op, _ := s.find(method, r.URL)
		hasPage := method == http.MethodGet && s.pageAt(r) != ""
		if op == nil && !hasPage && !s.isExtra(method, r) {
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

// isExtra reports whether r would match an extra route with another method.
func (s *Server) isExtra(method string, r *http.Request) bool {
	if s.extraRoutes == nil {
		return false
	}
	_, pattern := s.extraRoutes.Handler(&http.Request{Method: method, URL: r.URL, Host: r.Host})
	return pattern != ""
}
