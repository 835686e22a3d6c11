package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

func TestQuery(t *testing.T) {
	s := start(t, operations{})
	for _, c := range []struct {
		query  string
		status int
	}{
		{"", 200},
		{"limit=1", 200},
		{"limit=%2B5", 400},
		{"limit=+5", 400},
		{"limit=5.0", 400},
		{"limit=0x5", 400},
		{"limit=", 400},
		{"limit=99999999999999999999", 400},
		{"limit=1&limit=1", 400},
		{"unknown=1&unknown=2", 200},
		{"q=%ff", 400},
		{"q=a%00b", 400},
		{"unknown=%ff", 400},
		{"%ff=1", 400},
		{"q=%zz", 400},
		{"unknown=%zz", 400},
		{"q=a;b", 400},
		{"q=%E2%80%AE", 200},
		{"lat=1_0&lng=1&radius_km=1", 400},
		{"lat=NaN&lng=1&radius_km=1", 400},
		{"lat=0x1p4&lng=1&radius_km=1", 400},
		{"lat=1&lng=1&radius_km=Inf", 400},
		{"organizer_id=" + strings.ReplaceAll(visible.String(), "-", ""), 400},
		{"organizer_id=urn:uuid:" + visible.String(), 400},
		{"organizer_id=" + strings.ToUpper(visible.String()), 200},
		{"starts_from=2026-01-01", 400},
		{"starts_from=2026-01-01T00:00:00", 400},
		{"starts_from=2026-01-01T00:00:00%2B24:00", 400},
		{"starts_from=2026-01-01T00:00:00,5Z", 400},
		{"starts_from=1999-12-31T23:59:59Z", 400},
		{"starts_from=2026-01-01T00:00:00%2B03:00", 200},
		{strings.Repeat("a=1&", 99) + "a=1", 200},
		{strings.Repeat("a=1&", 100) + "a=1", 400},
	} {
		s.call("GET", "/events?"+c.query, "").want(t, c.query, c.status, "")
	}
	s.call("GET", "/events/posts?event_id="+visible.String()+"&event_id="+hidden.String(), "").
		want(t, "a list may be repeated", 500, refusal("internal_error"))
	s.call("GET", "/healthz?a=1", "").want(t, "health takes no parameter", 400, refusal("invalid_request"))
}

func TestBody(t *testing.T) {
	s := start(t, operations{})
	good := `{"title":"Go","starts_at":"2027-01-01T10:00:00Z"}`
	with := func(member string) string { return strings.TrimSuffix(good, "}") + "," + member + "}" }
	for _, c := range []struct {
		name, body string
		status     int
	}{
		{"good", good, 409},
		{"unknown member", with(`"x":{"y":[1,null,true]}`), 409},
		{"null", "null", 400},
		{"number", "0", 400},
		{"array", "[]", 400},
		{"open", "{", 400},
		{"empty object", "{}", 400},
		{"trailing garbage", good + " x", 400},
		{"two values", good + good, 400},
		{"BOM", "\ufeff" + good, 400},
		{"trailing comma", `{"title":"Go",}`, 400},
		{"single quotes", `{'title':'Go'}`, 400},
		{"duplicate member", with(`"title":"No"`), 400},
		{"duplicate by escape", with(`"t\u0069tle":"No"`), 400},
		{"duplicate by case", with(`"Title":"No"`), 400},
		{"duplicate in a nested object", with(`"x":{"a":1,"a":2}`), 400},
		{"same name on another level", with(`"x":{"title":1}`), 409},
		{"NUL", with(`"description":"a\u0000b"`), 400},
		{"NUL in an unknown member", with(`"x":["a\u0000b"]`), 400},
		{"NUL in a name", with(`"a\u0000b":1`), 400},
		{"invalid UTF-8", with("\"description\":\"a\xffb\""), 400},
		{"half a surrogate pair", with(`"description":"\ud800"`), 400},
		{"bad escape", with(`"description":"\x41"`), 400},
		{"32 levels", with(`"x":` + strings.Repeat("[", 31) + strings.Repeat("]", 31)), 409},
		{"too deep", with(`"x":` + strings.Repeat("[", 40) + strings.Repeat("]", 40)), 400},
		{"as deep as fits", strings.Repeat("[", 60_000), 400},
		{"too many members", `{"a` + strings.Join(numbers(1001), `":1,"a`) + `":1}`, 400},
		{"wrong type", `{"title":1,"starts_at":"2027-01-01T10:00:00Z"}`, 400},
		{"moment without an offset", `{"title":"Go","starts_at":"2027-01-01T10:00:00"}`, 400},
		{"comma fraction", `{"title":"Go","starts_at":"2027-01-01T10:00:00,5Z"}`, 400},
		{"offset of a day", `{"title":"Go","starts_at":"2027-01-01T10:00:00+24:00"}`, 400},
		{"year 0", `{"title":"Go","starts_at":"0000-01-01T00:00:00Z"}`, 400},
		{"at the limit", with(`"x":"` + strings.Repeat("a", 64<<10-len(good)-7) + `"`), 409},
		{"over the limit", with(`"x":"` + strings.Repeat("a", 64<<10-len(good)-6) + `"`), 413},
	} {
		begin := time.Now()
		s.call("POST", "/events", c.body, bearer).want(t, c.name, c.status, "")
		if took := time.Since(begin); took > 30*time.Second {
			t.Errorf("%s took %v", c.name, took)
		}
	}
	large := `{"x":"` + strings.Repeat("a", 64<<10) + `"}`
	for name, body := range map[string]string{"not JSON": "{", "over the limit": large} {
		for _, headers := range [][]string{nil, {"Authorization: Bearer at_bad"}, {"Content-Type: text/plain"}} {
			s.call("POST", "/events", body, headers...).want(t, "authentication comes first: "+name, 401, refusal("unauthorized"))
		}
	}
	s.call("POST", "/events?limit=1&x=%ff", large, bearer).want(t, "then the size", 413, refusal("payload_too_large"))
	s.call("POST", "/auth/logout", large).want(t, "where no session is needed", 413, refusal("payload_too_large"))
}

func numbers(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = strconv.Itoa(i)
	}
	return list
}

func TestContentType(t *testing.T) {
	s := start(t, operations{})
	body := `{"title":"Go","starts_at":"2027-01-01T10:00:00Z"}`
	for _, c := range []struct {
		name    string
		headers []string
		status  int
	}{
		{"JSON", []string{"Content-Type: application/json"}, 409},
		{"in capitals, with a charset", []string{"Content-Type: Application/JSON; Charset=UTF-8"}, 409},
		{"none", []string{"Content-Type: "}, 415},
		{"text", []string{"Content-Type: text/plain"}, 415},
		{"form", []string{"Content-Type: application/x-www-form-urlencoded"}, 415},
		{"multipart", []string{"Content-Type: multipart/form-data; boundary=x"}, 415},
		{"other charset", []string{"Content-Type: application/json; charset=utf-16"}, 415},
		{"other JSON", []string{"Content-Type: application/merge-patch+json"}, 415},
		{"nonsense", []string{"Content-Type: ;;"}, 415},
		{"two", []string{"Content-Type: application/json", "Content-Type: text/plain"}, 415},
		{"compressed", []string{"Content-Type: application/json", "Content-Encoding: gzip"}, 415},
	} {
		s.call("POST", "/events", body, append(c.headers, bearer)...).want(t, c.name, c.status, "")
	}
	// without a body the Content-Type header is ignored
	join := "/events/" + visible.String() + "/join"
	for _, contentType := range []string{"", "text/plain", "application/json"} {
		s.call("POST", join, "", bearer, "Content-Type: "+contentType).want(t, "join "+contentType, 409, "")
	}
	s.call("POST", "/events", "", bearer).want(t, "a required body", 400, refusal("invalid_request"))
	s.call("POST", "/events/"+visible.String()+"/publish", "any", bearer, "Content-Type: text/plain").
		want(t, "a body that the operation ignores", 500, "")
}

func TestHeaderTooLarge(t *testing.T) {
	s := start(t, operations{})
	s.call("GET", "/me", "", "Authorization: Bearer "+strings.Repeat("A", 64<<10)).want(t, "header", 431, "")
	s.call("GET", "/events", "").want(t, "afterwards", 200, "")
}

func TestHostIsNotUsed(t *testing.T) {
	s := start(t, operations{})
	for host, status := range map[string]int{"evil.example": 200, "localhost": 200} {
		got := s.call("GET", "/events", "", "Host: "+host)
		got.want(t, "host "+host, status, "")
		if strings.Contains(got.body+got.Header.Get("Location"), host) {
			t.Errorf("the response uses the host %q", host)
		}
	}
}

func TestOrigins(t *testing.T) {
	s := start(t, operations{})
	for _, c := range []struct {
		origin  string
		allowed bool
	}{
		{webOrigin, true},
		{"https://other.test", true},
		{"null", false},
		{"https://evil.test", false},
		{"https://evil" + strings.TrimPrefix(webOrigin, "https://"), false},
		{webOrigin + ".evil.test", false},
		{strings.Replace(webOrigin, "https", "http", 1), false},
		{webOrigin + ":8443", false},
		{webOrigin + "/", false},
		{strings.ToUpper(webOrigin), false},
	} {
		simple := s.call("GET", "/events", "", "Origin: "+c.origin)
		preflight := s.call("OPTIONS", "/events", "", "Origin: "+c.origin,
			"Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type")
		simple.want(t, c.origin, 200, "")
		preflight.want(t, c.origin, 204, "")
		for name, got := range map[string]http.Header{"simple": simple.Header, "preflight": preflight.Header} {
			want, credentials := "", ""
			if c.allowed {
				want, credentials = c.origin, "true"
			}
			if got.Get("Access-Control-Allow-Origin") != want || got.Get("Access-Control-Allow-Credentials") != credentials {
				t.Errorf("%s from %s: %v", name, c.origin, got)
			}
			if !slices.Contains(got["Vary"], "Origin") {
				t.Errorf("%s from %s: Vary %v", name, c.origin, got["Vary"])
			}
		}
		if methods := preflight.Header.Get("Access-Control-Allow-Methods"); c.allowed != strings.Contains(methods, "PATCH") {
			t.Errorf("preflight from %s: methods %q", c.origin, methods)
		}
	}
	refused := s.call("GET", "/me", "", "Origin: "+webOrigin)
	if refused.Header.Get("Access-Control-Allow-Origin") != webOrigin {
		t.Error("the web client cannot read a refusal")
	}
}

func TestForeignPagesCannotUseTheCookie(t *testing.T) {
	s := start(t, operations{})
	cookie := "Cookie: service_refresh_token=" + goodCookie
	for _, c := range []struct {
		name    string
		headers []string
		status  int
	}{
		{"own page", []string{cookie, "Origin: " + webOrigin, "Sec-Fetch-Site: same-site"}, 204},
		{"no browser", []string{cookie}, 204},
		{"foreign page", []string{cookie, "Origin: https://evil.test", "Sec-Fetch-Site: cross-site"}, 403},
		{"sandboxed page", []string{cookie, "Origin: null", "Sec-Fetch-Site: cross-site"}, 403},
		{"old browser on a foreign page", []string{cookie, "Origin: https://evil.test"}, 403},
		{"foreign page with a token of its own", []string{bearer, cookie, "Origin: https://evil.test"}, 204},
	} {
		s.call("POST", "/auth/sessions/revoke-others", "", c.headers...).want(t, c.name, c.status, "")
	}
	s.call("GET", "/me", "", cookie, "Origin: https://evil.test", "Sec-Fetch-Site: cross-site").
		want(t, "reading changes nothing", 200, "")
	s.call("POST", "/auth/logout", "", cookie, "Origin: https://evil.test").
		want(t, "an operation that reads the cookie itself", 403, refusal("forbidden"))
	s.call("POST", "/auth/logout", "", bearer, cookie, "Origin: https://evil.test").
		want(t, "an operation that ignores the header", 403, refusal("forbidden"))
}

// TestRepeatedHeadersAreRejected sends headers twice of which the service reads one.
func TestRepeatedHeadersAreRejected(t *testing.T) {
	s := start(t, operations{})
	for _, name := range []string{"Idempotency-Key", "Last-Event-ID", "webhook-id", "webhook-timestamp", "webhook-signature"} {
		s.call("POST", "/auth/refresh", "{}", name+": a", name+": b").want(t, name, http.StatusBadRequest, refusal("invalid_request"))
	}
	s.call("POST", "/auth/logout", "", "Cookie: service_refresh_token=rt_x", "Origin: "+s.URL, "Origin: "+s.URL).
		want(t, "Origin", http.StatusForbidden, refusal("forbidden"))
}

// TestForeignPagesCannotSignIn checks that a foreign page cannot sign its visitor in to
// another account: a request without a preflight is not JSON, and the server refuses
// the preflight.
func TestForeignPagesCannotSignIn(t *testing.T) {
	s := start(t, operations{})
	evil := "Origin: https://evil.test"
	for _, path := range []string{"/auth/dev/verify", "/auth/email/verify", "/auth/email/status", "/auth/passkey/verify",
		"/auth/phone/call/status", "/auth/idp/mobile", "/auth/refresh", "/auth/logout"} {
		for _, contentType := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
			s.call("POST", path, `{"email":"ann@example.org","code":"123456","refresh_token":"rt_x"}`, evil, "Content-Type: "+contentType).
				want(t, path+" as "+contentType, http.StatusUnsupportedMediaType, refusal("unsupported_media_type"))
		}
		asked := s.call("OPTIONS", path, "", evil, "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type")
		for name := range asked.Header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%s: %s %q", path, name, asked.Header.Get(name))
			}
		}
	}
}

func TestClientAddress(t *testing.T) {
	seen := make(chan httpapi.ClientInfo, 1)
	tell := operations{events: func(ctx context.Context, _ gen.ListEventsParams) (*gen.EventListResponse, error) {
		seen <- httpapi.Client(ctx)
		return &gen.EventListResponse{}, nil
	}}
	loopback := netip.MustParsePrefix("127.0.0.0/8")
	inner := netip.MustParsePrefix("10.0.0.0/8")
	for _, c := range []struct {
		name      string
		trusted   []netip.Prefix
		forwarded []string
		want      string
	}{
		{"no trusted proxy", nil, []string{"1.2.3.4"}, "127.0.0.1"},
		{"a trusted proxy", []netip.Prefix{loopback}, []string{"1.2.3.4"}, "1.2.3.4"},
		{"what the client wrote itself", []netip.Prefix{loopback}, []string{"9.9.9.9, 1.2.3.4"}, "1.2.3.4"},
		{"two proxies", []netip.Prefix{loopback, inner}, []string{"9.9.9.9, 1.2.3.4, 10.0.0.7"}, "1.2.3.4"},
		{"two header lines", []netip.Prefix{loopback, inner}, []string{"1.2.3.4", "10.0.0.7"}, "1.2.3.4"},
		{"nothing", []netip.Prefix{loopback}, nil, "127.0.0.1"},
		{"empty entries", []netip.Prefix{loopback}, []string{","}, "127.0.0.1"},
		{"with a port", []netip.Prefix{loopback}, []string{"1.2.3.4:1234"}, "1.2.3.4"},
		{"mapped", []netip.Prefix{loopback}, []string{"::ffff:1.2.3.4"}, "1.2.3.4"},
		{"IPv6 with a zone", []netip.Prefix{loopback}, []string{"fe80::1%eth0"}, "fe80::1"},
		{"IPv6 in brackets", []netip.Prefix{loopback}, []string{"[2001:db8::1]"}, "2001:db8::1"},
		{"no address", []netip.Prefix{loopback}, []string{"1.2.3.4' OR 1=1"}, "127.0.0.1"},
		{"all trusted", []netip.Prefix{loopback, inner}, []string{"10.0.0.9, 10.0.0.7"}, "10.0.0.9"},
	} {
		s := start(t, tell, func(o *httpapi.Options) { o.TrustedProxies = c.trusted })
		headers := []string{"Forwarded: for=6.6.6.6", "X-Real-IP: 6.6.6.6", "True-Client-IP: 6.6.6.6",
			"User-Agent: a\u200bb" + strings.Repeat("é", 200)}
		for _, line := range c.forwarded {
			headers = append(headers, "X-Forwarded-For: "+line)
		}
		s.call("GET", "/events", "", headers...).want(t, c.name, 200, "")
		got := <-seen
		if got.Address.String() != c.want {
			t.Errorf("%s: %v, want %s", c.name, got.Address, c.want)
		}
		if got.UserAgent != "ab"+strings.Repeat("é", 127) {
			t.Errorf("user agent %q", got.UserAgent)
		}
	}
}

func TestProblemDetails(t *testing.T) {
	s := start(t, operations{})
	asked := "Accept: application/problem+json"
	type problem struct {
		Type, Title, Detail, Instance, Error string
		Status                               int
		Errors                               []struct{ Pointer, Detail string }
	}
	read := func(a answer) (p problem) {
		t.Helper()
		if a.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("Content-Type %q: %s", a.Header.Get("Content-Type"), a.body)
		}
		if err := json.Unmarshal([]byte(a.body), &p); err != nil {
			t.Errorf("%v: %s", err, a.body)
		}
		if p.Status != a.StatusCode || p.Type == "" || p.Title == "" || p.Detail == "" ||
			!strings.HasSuffix(p.Instance, a.Header.Get("X-Request-Id")) {
			t.Errorf("%+v", p)
		}
		return p
	}
	for _, c := range []struct {
		name, method, path, body string
		want                     []string // pointers
	}{
		{"two wrong fields and a missing one", "POST", "/events",
			`{"title":"","ends_at":"tomorrow","visibility":"secret","capacity":0,"lat":91}`,
			[]string{"/starts_at", "/title", "/ends_at", "/visibility", "/capacity", "/lat"}},
		{"wrong types", "POST", "/events", `{"title":1,"starts_at":true}`, []string{"/title", "/starts_at"}},
		{"year", "POST", "/events", `{"title":"Go","starts_at":"1999-01-01T00:00:00Z"}`, []string{"/starts_at"}},
		{"no body", "POST", "/events", "", []string{""}},
		{"no object", "POST", "/events", "[]", []string{""}},
		{"not JSON", "POST", "/events", `{"title":"Go"`, []string{""}},
		{"twice", "POST", "/events", `{"title":"Go","starts_at":"2027-01-01T10:00:00Z","title":"Go"}`, []string{"/title"}},
		{"NUL", "POST", "/events", `{"title":"Go\u0000","starts_at":"2027-01-01T10:00:00Z"}`, []string{"/title"}},
		{"query", "GET", "/events?limit=0&lat=100&price=dear&starts_from=now", "",
			[]string{"?limit", "?lat", "?price", "?starts_from"}},
		{"repeated", "GET", "/events?limit=1&limit=2", "", []string{"?limit"}},
		{"broken query", "GET", "/events?q=%zz", "", []string{"?"}},
	} {
		got := s.call(c.method, c.path, c.body, bearer, asked)
		got.want(t, c.name, 400, "")
		p := read(got)
		var pointers []string
		for _, e := range p.Errors {
			pointers = append(pointers, e.Pointer)
			for _, leak := range []string{"gen.", "jx", "ogen", "decode", "strconv", "goroutine"} {
				if strings.Contains(e.Detail, leak) {
					t.Errorf("%s: %s shows %s: %s", c.name, e.Pointer, leak, e.Detail)
				}
			}
			if e.Detail == "" {
				t.Errorf("%s: no detail for %q", c.name, e.Pointer)
			}
		}
		slices.Sort(pointers)
		slices.Sort(c.want)
		if !slices.Equal(pointers, c.want) {
			t.Errorf("%s: %q, want %q: %s", c.name, pointers, c.want, got.body)
		}
	}
	if p := read(s.call("GET", "/nothing", "", asked)); p.Error != "not_found" || len(p.Errors) != 0 {
		t.Errorf("%+v", p)
	}
	for accept, problem := range map[string]bool{
		"*/*": false, "application/json": false, "application/*": false, "": false,
		"application/problem+json;q=0":                         false,
		"application/json, application/problem+json;q=0.5":     false,
		"application/json, application/problem+json":           true,
		"text/html, application/problem+json; q=0.1, */*":      true,
		"application/json;q=0.5, application/problem+json;q=1": true,
	} {
		got := s.call("GET", "/nothing", "", "Accept: "+accept).Header
		if (got.Get("Content-Type") == "application/problem+json") != problem || !strings.Contains(strings.Join(got["Vary"], ","), "Accept") {
			t.Errorf("Accept %q: %v", accept, got)
		}
	}
}
