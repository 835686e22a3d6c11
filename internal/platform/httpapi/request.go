package httpapi

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"io"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/observe"
)

// requestState is the state of one request. It is a value of the
// request's context; operations read it through the functions below.
type requestState struct {
	id             string // X-Request-Id
	start          time.Time
	span           observe.Span
	op             *operation // nil outside the contract
	args           []string   // path parameters, in the order of the path
	route          string     // pattern of an extra route
	routeErr       error      // of a Route
	belowPrefix    bool       // the path began with apiPrefix
	wantsPage      bool       // see wantsPage
	variant        string     // of a page
	responseHeader http.Header
	requestHeader  http.Header
	writer         *recorder
	connection     http.ResponseWriter // of the client, also for a call of a page
	host, peer     string              // of the request: its Host, and the address of the connection
	isHead         bool                // the method is HEAD
	cookies        []string            // Cookie headers
	body           []byte
	bodyErr        error // why the body could not be read; reported after authentication
	upload         *io.SectionReader
	rawQuery       string
	viewer         domain.Viewer
	client         ClientInfo
	credential     credential
	foreign        bool          // see origins.isForeign
	committed      atomic.Bool   // a transaction; see Committed
	cause          error         // the error behind a 5xx, for the log
	shed           bool          // refused because of overload
	logReason      error         // see LogReason
	security       SecurityEvent // see LogSecurity
	subject        domain.Viewer // of the security event
	head           []byte        // the first bytes of rest
	rest           Body          // a large body that the operation left to the server; see WriteBody
	visitor        visitor       // of a page, as its calls have found out

	call      *gen.Call     // of a page; nil for a request
	page      *requestState // whose call it is
	malformed bool          // the input of the call cannot be that of a request
}

type stateKey struct{}

func stateOf(ctx context.Context) *requestState {
	if st, ok := ctx.Value(stateKey{}).(*requestState); ok {
		return st
	}
	return &requestState{responseHeader: http.Header{}} // outside of a request: a job or a test
}

// Committed notes that the request has committed a transaction: if the request fails later, it
// is not true that nothing was done.
func Committed(ctx context.Context) {
	if st, ok := ctx.Value(stateKey{}).(*requestState); ok {
		st.committed.Store(true)
	}
}

// Viewer returns the caller; the zero Viewer is anonymous.
func Viewer(ctx context.Context) domain.Viewer { return stateOf(ctx).viewer }

// Client returns information about the calling program.
func Client(ctx context.Context) ClientInfo { return stateOf(ctx).client }

// RefreshCookie returns the value of the refresh cookie. ok is false when there is none,
// when two cookies of that name differ, or when there is an Authorization header that the
// operation does not ignore.
func RefreshCookie(ctx context.Context) (token string, ok bool) {
	c := stateOf(ctx).credential
	return c.cookie, c.byCookie() && !c.cookieBad
}

// Query returns the unchecked query parameters of an operation that redirects. It
// returns none when the query is malformed.
func Query(ctx context.Context) url.Values {
	query, err := url.ParseQuery(stateOf(ctx).rawQuery)
	if err != nil {
		return url.Values{}
	}
	return query
}

// Cookie returns the value of a cookie. ok is false when there is none, or when two
// cookies of that name differ.
func Cookie(ctx context.Context, name string) (value string, ok bool) {
	sent := http.Request{Header: http.Header{"Cookie": stateOf(ctx).cookies}}
	for i, c := range sent.CookiesNamed(name) {
		if i > 0 && c.Value != value {
			return "", false
		}
		value, ok = c.Value, true
	}
	return value, ok
}

// OwnCookie is Cookie for a cookie that identifies the caller. It returns domain.Forbidden if a page of a foreign origin
// sends it with a change (CSRF).
func OwnCookie(ctx context.Context, name string) (string, error) {
	value, ok := Cookie(ctx, name)
	if ok && stateOf(ctx).foreign {
		return "", domain.Forbid(domain.ForeignOrigin)
	}
	return value, nil
}

// RawRequest is a request as it was received, for checking its signature.
type RawRequest struct {
	Path   []string // path parameters, in the order of the path
	Header http.Header
	Body   []byte
}

// Raw returns the request as it was received.
func Raw(ctx context.Context) RawRequest { return stateOf(ctx).raw() }

func (st *requestState) raw() RawRequest {
	return RawRequest{Path: st.args, Header: st.requestHeader, Body: st.body}
}

// LogReason adds a reason to the log line of a request that does not get an error
// response.
func LogReason(ctx context.Context, reason error) { stateOf(ctx).logReason = reason }

// BearerToken returns the token of the Authorization header, or "" when there is
// none or it is malformed. It is for operations that authenticate by themselves.
func BearerToken(ctx context.Context) string { return stateOf(ctx).credential.bearer }

// SetCookie adds a Set-Cookie header to the response.
func SetCookie(ctx context.Context, c *http.Cookie) {
	stateOf(ctx).responseHeader.Add("Set-Cookie", c.String())
}

// ResponseHeader returns the header of the response, for headers that the generated
// encoder does not write.
func ResponseHeader(ctx context.Context) http.Header { return stateOf(ctx).responseHeader }

// Route is an extra route that may return an error before it writes a response. The error is
// answered like one of an operation.
type Route func(w http.ResponseWriter, r *http.Request) error

// ServeHTTP implements http.Handler.
func (f Route) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	stateOf(r.Context()).routeErr = f(w, r)
}

// arrive notes what a request says of itself, and writes the headers that all responses have.
func (s *Server) arrive(rw http.ResponseWriter, r *http.Request) *exchange {
	w := &recorder{ResponseWriter: rw, outgoing: &s.outgoing, stall: s.stall}
	plainETags(r.Header)
	st := &requestState{
		start: time.Now(), id: requestID(r.Header.Get("X-Request-Id")), rawQuery: r.URL.RawQuery,
		responseHeader: w.Header(), requestHeader: r.Header, writer: w, connection: rw, host: r.Host, peer: r.RemoteAddr,
		isHead: r.Method == http.MethodHead, cookies: r.Header["Cookie"], credential: credentialOf(r),
	}
	r = s.beginTrace(r, st)
	maps.Copy(st.responseHeader, s.secureHeader)
	st.responseHeader["X-Request-Id"] = []string{st.id}
	s.origins.writeCORS(w, r)
	if len(r.TransferEncoding) > 0 { // net/http hides whether there was a Content-Length too (RFC 9112, section 6.1)
		w.Header().Set("Connection", "close")
	}
	inner := withoutPrefix(r)
	st.belowPrefix = inner != r
	return &exchange{w: w, r: inner, arrived: inner, st: st}
}

// meet notes who sends a request that is not in the cache, and makes its state known to the operation.
func (s *Server) meet(x *exchange) {
	s.countBody(x)
	x.st.client = clientInfo(x.r, s.proxies)
	x.setContext(context.WithValue(x.r.Context(), stateKey{}, x.st))
	if x.w.body != nil {
		x.r.Body = x.w.body // of a copy of the request: net/http must know its own body
	}
}

// requestID accepts the caller's id when it is a short plain token, so that a
// request can be traced across services. Other values could forge log lines.
func requestID(incoming string) string {
	if plainToken(incoming, 64) {
		return incoming
	}
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails
	return hex.EncodeToString(random[:])
}

// plainToken reports whether s has 1 to limit characters of A-Z a-z 0-9 . _ -
func plainToken(s string, limit int) bool {
	if s == "" || len(s) > limit {
		return false
	}
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !letter && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// ClientInfo describes the calling program. No field is logged.
type ClientInfo struct {
	UserAgent string     // cleaned, at most 256 bytes; may be empty
	Address   netip.Addr // of the client, as reported by trusted proxies
	Languages string     // Accept-Language
}

const maxUserAgent = 256

func clientInfo(r *http.Request, trusted []netip.Prefix) ClientInfo {
	return ClientInfo{
		UserAgent: cleanUserAgent(r.UserAgent()),
		Languages: r.Header.Get("Accept-Language"),
		Address:   clientAddress(r.RemoteAddr, r.Header["X-Forwarded-For"], trusted),
	}
}

// clientAddress starts at the peer of the connection and follows X-Forwarded-For
// from right to left, while each hop is a trusted proxy. It stops at an entry that is
// not an address.
func clientAddress(peer string, forwarded []string, trusted []netip.Prefix) netip.Addr {
	address, ok := parseAddress(peer)
	if !ok {
		return netip.Addr{}
	}
	hops := strings.Split(strings.Join(forwarded, ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !isTrusted(address, trusted) {
			return address
		}
		next, ok := parseAddress(strings.TrimSpace(hop))
		if !ok {
			return address
		}
		address = next
	}
	return address
}

func isTrusted(a netip.Addr, trusted []netip.Prefix) bool {
	return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(a) })
}

// parseAddress parses an address with or without a port. It unmaps IPv4-mapped IPv6
// addresses and removes the zone.
func parseAddress(s string) (netip.Addr, bool) {
	if withPort, err := netip.ParseAddrPort(s); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return a.Unmap().WithZone(""), err == nil
}

func cleanUserAgent(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
	if len(s) <= maxUserAgent {
		return s
	}
	cut := maxUserAgent
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut]
}
