package httpapi

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"net/url"
	"time"

	"moothall/internal/domain"
)

// exchange is one request and its answer on the way through the service. It
// stands in the request's context, so that rooms reach what they need of it
// through the functions below.
type exchange struct {
	id       string // request id, answered as X-Request-Id
	start    time.Time
	op       *operation  // what of the contract was asked for; nil for pages and misses
	args     []string    // path parameters, in the order of the path
	page     string      // pattern of the page, when it is one
	header   http.Header // of the answer
	sent     http.Header // of the request
	cookies  []string    // its Cookie headers
	body     []byte
	unread   error // why the body could not be read, for once it is known who asks
	rawQuery string
	viewer   domain.Viewer
	client   ClientInfo
	login    credential
	cause    error // the error behind a 5xx, for the log
	note     error // what else the log should tell
}

type exchangeKey struct{}

func exchangeOf(ctx context.Context) *exchange {
	if ex, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return ex
	}
	return &exchange{header: http.Header{}} // a job, a test: nobody is asking
}

// Viewer is who is asking; the zero Viewer is anonymous.
func Viewer(ctx context.Context) domain.Viewer { return exchangeOf(ctx).viewer }

// Client is what is known of the calling program.
func Client(ctx context.Context) ClientInfo { return exchangeOf(ctx).client }

// RefreshCookie gives the value of the refresh cookie. It is not ok when there
// is none, when two cookies of that name disagree, and beside an Authorization
// header, good or bad: that alone counts.
func RefreshCookie(ctx context.Context) (token string, ok bool) {
	login := exchangeOf(ctx).login
	return login.cookie, login.byCookie() && !login.cookieBad
}

// Query gives the parameters of an operation that redirects, which nobody has
// judged yet; empty when they cannot be read.
func Query(ctx context.Context) url.Values {
	query, err := url.ParseQuery(exchangeOf(ctx).rawQuery)
	if err != nil {
		return url.Values{}
	}
	return query
}

// Cookie gives the value of a cookie. It is not ok when there is none, or when
// two of that name disagree.
func Cookie(ctx context.Context, name string) (value string, ok bool) {
	sent := http.Request{Header: http.Header{"Cookie": exchangeOf(ctx).cookies}}
	for i, c := range sent.CookiesNamed(name) {
		if i > 0 && c.Value != value {
			return "", false
		}
		value, ok = c.Value, true
	}
	return value, ok
}

// Delivery is a request as it was sent, for operations whose callers sign it.
type Delivery struct {
	Path   []string // path parameters, in the order of the path
	Header http.Header
	Body   []byte
}

// Sent gives the request as it was sent.
func Sent(ctx context.Context) Delivery { return exchangeOf(ctx).delivery() }

func (ex *exchange) delivery() Delivery {
	return Delivery{Path: ex.args, Header: ex.sent, Body: ex.body}
}

// Note keeps the reason of an answer that is no refusal for the log.
func Note(ctx context.Context, reason error) { exchangeOf(ctx).note = reason }

// BearerToken gives the token of the Authorization header, "" when there is none
// or it is malformed. For operations that ask for credentials themselves; the
// others have been told who is asking.
func BearerToken(ctx context.Context) string { return exchangeOf(ctx).login.bearer }

// SetCookie adds a Set-Cookie header to the answer, beside what the generated
// encoder writes.
func SetCookie(ctx context.Context, c *http.Cookie) {
	exchangeOf(ctx).header.Add("Set-Cookie", c.String())
}

// Header is the header of the answer, for what the contract's encoder does not
// write itself (Retry-After of a refusal, Cache-Control).
func Header(ctx context.Context) http.Header { return exchangeOf(ctx).header }

// Failed notes the error behind a 5xx that a page outside the contract answers
// itself, for the log.
func Failed(ctx context.Context, err error) { exchangeOf(ctx).cause = err }

// requestID takes the caller's id when it is a short plain token, so that a
// request can be followed across services; anything else could forge the log.
func requestID(incoming string) string {
	if plainToken(incoming, 64) {
		return incoming
	}
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails: it would end the process
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
