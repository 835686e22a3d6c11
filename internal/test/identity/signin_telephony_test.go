package identity_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// fakeProvider is a telephony provider on a real socket.
type fakeProvider struct {
	*httptest.Server
	t *testing.T

	mu       sync.Mutex
	handler  http.HandlerFunc // replaces the normal responses
	requests map[string]int   // by path
	status   string           // JSON of check_status
}

const smsRuKey = "5E0F2A77-AAAA-BBBB-CCCC-SECRETSECRET"

const smscKey = "a key for callbacks 0123456789"

func newFakeProvider(t *testing.T) *fakeProvider {
	f := &fakeProvider{t: t, requests: map[string]int{}, status: `"400"`}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *fakeProvider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.requests[r.URL.Path]++
	n, handler, status := f.requests[r.URL.Path], f.handler, f.status
	f.mu.Unlock()
	_ = r.ParseForm() // reads the whole body: only then does the server notice that the client disconnects
	if handler != nil {
		handler(w, r)
		return
	}
	form := func(want url.Values) {
		if r.Method != http.MethodPost || r.URL.RawQuery != "" || r.PostForm.Encode() != want.Encode() {
			f.t.Errorf("%s %s sends %v, want %v", r.Method, r.URL, r.PostForm, want)
		}
	}
	switch r.URL.Path {
	case "/callcheck/add":
		form(url.Values{"api_id": {smsRuKey}, "json": {"1"}, "phone": {"79991230602"}})
		_, _ = fmt.Fprintf(w, `{"status":"OK","status_code":100,"check_id":"201737-%d","call_phone":"78005008275",
			"call_phone_pretty":"+7 (800) 500-8275","call_phone_html":"<a href=\"callto:78005008275\">+7 (800) 500-8275</a>"}`, n)
	case "/callcheck/status":
		_, _ = fmt.Fprintf(w, `{"status":"OK","status_code":"100","check_status":%s,"check_status_text":"..."}`, status)
	case "/sys/wait_call.php":
		form(url.Values{"login": {"moothall"}, "psw": {"secret word"}, "fmt": {"3"}, "phone": {"79991230602"}})
		_, _ = fmt.Fprint(w, `{"phone":"74951234567","all_phones":["74951234567"]}`)
	default:
		http.NotFound(w, r)
	}
}

func (f *fakeProvider) respond(h http.HandlerFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.handler = h
}

func (f *fakeProvider) setStatus(status string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status = status
}

func (f *fakeProvider) count(path string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.requests[path]
}

// addresses are the values of PHONE_PROVIDER.
var addresses = map[string]string{
	"smsru": "smsru+http://:" + smsRuKey + "@HOST/",
	"smsc":  "smsc+http://moothall:secret%20word@HOST/?callback_key=" + smscKey,
}

// withProvider runs a test on each engine with its own provider.
func withProvider(t *testing.T, engines []db.Engine, name string, test func(t *testing.T, a *apptest.App, f *fakeProvider),
	options ...apptest.Option) {
	for _, engine := range engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			f := newFakeProvider(t)
			test(t, apptest.New(t, engine, append([]apptest.Option{
				apptest.Setting("PHONE_PROVIDER", strings.Replace(addresses[name], "HOST", strings.TrimPrefix(f.URL, "http://"), 1)),
			}, options...)...), f)
		})
	}
}

func TestSMSRuStatusRequests(t *testing.T) {
	t.Parallel()
	withProvider(t, dbtest.RuleEngines, "smsru", func(t *testing.T, a *apptest.App, f *fakeProvider) {
		start := func() string {
			t.Helper()
			r := startCall(a.Anonymous(), annsPhone).Want(http.StatusOK)
			if r.Text("call_phone") != "+78005008275" || r.Text("call_phone_pretty") != "+7 (800) 500-8275" {
				t.Errorf("%s", r.Body)
			}
			return r.Text("challenge_id")
		}
		want := func(id, status string) {
			t.Helper()
			a.Clock.Advance(2 * time.Second)
			if r := pollCall(a.Anonymous(), id).Want(http.StatusOK); r.Text("status") != status {
				t.Errorf("%s, want %s", r.Body, status)
			}
		}
		for _, confirmed := range []string{`"401"`, `401`} {
			f.setStatus(`400`)
			id := start()
			want(id, "pending")
			f.setStatus(confirmed)
			want(id, "verified")
		}
		f.setStatus(`"402"`)
		id := start()
		want(id, "expired")
		f.setStatus(`"401"`)
		want(id, "expired")

		f.setStatus(`"400"`)
		id = start()
		before := f.count("/callcheck/status")
		for range 20 { // at the same time
			if pollCall(a.Anonymous(), id).Text("status") != "pending" {
				t.Error("not pending")
			}
		}
		if n := f.count("/callcheck/status") - before; n != 1 {
			t.Errorf("%d requests to the provider", n)
		}
		f.respond(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
		a.Clock.Advance(2 * time.Second)
		pollCall(a.Anonymous().Allow5xx(), id).WantError(http.StatusServiceUnavailable, "service_unavailable")
		f.respond(nil)
		for _, invalid := range []string{`"999"`, `null`, `true`, `{}`, `"401 "`, `4010`} {
			f.setStatus(invalid)
			a.Clock.Advance(2 * time.Second)
			pollCall(a.Anonymous().Allow5xx(), id).WantError(http.StatusServiceUnavailable, "service_unavailable")
		}
		f.respond(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		a.Clock.Advance(2 * time.Second)
		began := time.Now()
		pollCall(a.Anonymous().Allow5xx(), id).WantError(http.StatusServiceUnavailable, "service_unavailable")
		if took := time.Since(began); took > longest {
			t.Errorf("after %v", took)
		}
		f.respond(nil)
		f.setStatus(`"401"`)
		want(id, "verified")
	}, apptest.StartAt(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)))
}

func smsRuReport(key string, indexed bool, entries ...string) url.Values {
	sum := sha256.Sum256([]byte(key + strings.Join(entries, "")))
	form := url.Values{"hash": {hex.EncodeToString(sum[:])}}
	for i, entry := range entries {
		if indexed {
			form.Set("data["+strconv.Itoa(i)+"]", entry)
		} else {
			form.Add("data[]", entry)
		}
	}
	return form
}

func TestSMSRuReportsAreVerified(t *testing.T) {
	const path = "/auth/phone/callback/smsru"
	confirmed := func(id string) string { return "callcheck_status\n" + id + "\n401\n1795168800" }
	withProvider(t, dbtest.RuleEngines, "smsru", func(t *testing.T, a *apptest.App, f *fakeProvider) {
		id := startCall(a.Anonymous(), annsPhone).Want(http.StatusOK).Text("challenge_id")
		tampered := smsRuReport(smsRuKey, false, confirmed("201737-2"))
		tampered["data[]"] = []string{confirmed("201737-1")}
		for _, forged := range []url.Values{
			{}, {"data[]": {confirmed("201737-1")}}, tampered,
			{"data[]": {confirmed("201737-1")}, "hash": {""}},
			smsRuReport("", false, confirmed("201737-1")), smsRuReport(smsRuKey+"x", false, confirmed("201737-1")), smsRuReport(smsRuKey, false),
		} {
			postForm(a.Anonymous(), path, forged).Want(http.StatusForbidden)
		}
		postForm(a.Anonymous(), path, url.Values{"data[]": {strings.Repeat("x", 70<<10)}}).Want(http.StatusBadRequest)
		a.Anonymous().Get(path).Want(http.StatusMethodNotAllowed)
		postForm(a.Anonymous(), "/auth/phone/callback/smsc", smsRuReport(smsRuKey, false, confirmed("201737-1"))).Want(http.StatusNotFound)
		others := smsRuReport(smsRuKey, true, "sms_status\n000-1\n103\n1", confirmed("201737-2"), "callcheck_status\n201737-1\n400\n1",
			"callcheck_status", "callcheck_status\n201737-1\n999\n1")
		if r := postForm(a.Anonymous(), path, others).Want(http.StatusOK); string(r.Body) != "100" {
			t.Errorf("%q", r.Body)
		}
		if got := pollCall(a.Anonymous(), id).Text("status"); got != "pending" {
			t.Fatalf("%s before any report", got)
		}
		for range 2 { // providers repeat reports
			if r := postForm(a.Anonymous(), path, smsRuReport(smsRuKey, true, "sms_status\n1\n103\n1", confirmed("201737-1"))); r.Status != 200 ||
				string(r.Body) != "100" {
				t.Errorf("%d %q", r.Status, r.Body)
			}
		}
		if got := pollCall(a.Anonymous(), id).Text("status"); got != "verified" {
			t.Errorf("%s", got)
		}
		if n := f.count("/callcheck/status"); n != 1 {
			t.Errorf("%d requests to the provider", n)
		}
		id = startCall(a.Anonymous(), annsPhone).Text("challenge_id")
		var parts bytes.Buffer
		multi := multipart.NewWriter(&parts)
		for name, values := range smsRuReport(smsRuKey, true, confirmed("201737-2")) {
			_ = multi.WriteField(name, values[0])
		}
		_ = multi.Close()
		a.Anonymous().With("Content-Type", multi.FormDataContentType()).Post(path, parts.Bytes()).Want(http.StatusOK)
		if got := pollCall(a.Anonymous(), id).Text("status"); got != "verified" {
			t.Errorf("%s", got)
		}
		id = startCall(a.Anonymous(), annsPhone).Text("challenge_id")
		postForm(a.Anonymous(), path, smsRuReport(smsRuKey, false, "callcheck_status\r\n201737-3\r\n402\r\n1795168800")).Want(http.StatusOK)
		if got := pollCall(a.Anonymous(), id).Text("status"); got != "expired" {
			t.Errorf("%s", got)
		}
	})
}

func TestSMSCReportsAreVerified(t *testing.T) {
	const path = "/auth/phone/callback/smsc?key="
	withProvider(t, dbtest.RuleEngines, "smsc", func(t *testing.T, a *apptest.App, _ *fakeProvider) {
		started := startCall(a.Anonymous(), annsPhone).Want(http.StatusOK)
		if started.Text("call_phone") != "+74951234567" || started.Text("call_phone_pretty") != "+7 495 123-45-67" {
			t.Errorf("%s", started.Body)
		}
		id := started.Text("challenge_id")
		report := func(phone, to string, at time.Time) url.Values {
			return url.Values{"phone": {phone}, "to": {to}, "ts": {strconv.FormatInt(at.Unix(), 10)}, "waitcall": {"1"}}
		}
		now := a.Clock.Now()
		good := report("79991230602", "74951234567", now)
		for _, key := range []string{"", "x", "a+key", url.QueryEscape(smscKey + "x")} {
			postForm(a.Anonymous(), path+key, good).Want(http.StatusForbidden)
		}
		for _, other := range []url.Values{
			report("79991230603", "74951234567", now), report("79991230602", "74951234568", now),
			report("79991230602", "74951234567", now.Add(-time.Second)), // a call from before the start
			report("79991230602", "", now), report("", "74951234567", now), {},
		} {
			if r := postForm(a.Anonymous(), path+url.QueryEscape(smscKey), other).Want(http.StatusOK); string(r.Body) != "OK" {
				t.Errorf("%q", r.Body)
			}
		}
		if got := pollCall(a.Anonymous(), id).Text("status"); got != "pending" {
			t.Fatalf("%s before the call", got)
		}
		postForm(a.Anonymous(), path+url.QueryEscape(smscKey), good).Want(http.StatusOK)
		if got := pollCall(a.Anonymous(), id).Text("status"); got != "verified" {
			t.Errorf("%s", got)
		}
		// The report is repeated after another client has started.
		other := device(a, "attacker")
		a.Clock.Advance(time.Second)
		id = startCall(other, annsPhone).Want(http.StatusOK).Text("challenge_id")
		postForm(a.Anonymous(), path+url.QueryEscape(smscKey), good).Want(http.StatusOK)
		if got := pollCall(other, id).Text("status"); got != "pending" {
			t.Errorf("after a repeated report: %s", got)
		}
	}, apptest.StartAt(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)))
}

func TestFailingTelephonyProvider(t *testing.T) {
	t.Parallel()
	respond := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	const good = `{"status":"OK","status_code":100,"check_id":"1","call_phone":"78005008275"}`
	failures := []struct {
		name    string
		handler http.HandlerFunc
	}{
		{"5xx", respond(503, good)},
		{"empty", respond(200, "")},
		{"garbage", respond(200, "<html>")},
		{"trailing garbage", respond(200, good+"x")},
		{"refused", respond(200, `{"status":"ERROR","status_code":207,"status_text":"+79991230602"}`)},
		{"wrong types", respond(200, `{"status":"OK","status_code":[100],"check_id":{},"call_phone":true}`)},
		{"no number", respond(200, `{"status":"OK","status_code":100,"check_id":"1"}`)},
		{"no id", respond(200, `{"status":"OK","status_code":100,"call_phone":"78005008275"}`)},
		{"long id", respond(200, `{"status":"OK","status_code":100,"check_id":"`+strings.Repeat("1", 65)+`","call_phone":"78005008275"}`)},
		{"script as number", respond(200, `{"status":"OK","status_code":100,"check_id":"1","call_phone":"7<script>"}`)},
		{"redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/callcheck/elsewhere", http.StatusTemporaryRedirect)
		}},
		{"1 GiB", func(w http.ResponseWriter, _ *http.Request) {
			chunk := []byte(strings.Repeat(" ", 1<<20))
			for range 1024 {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		}},
		{"disconnects", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
		{"hangs", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		{"trickles", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				_, _ = w.Write([]byte(" "))
				_ = http.NewResponseController(w).Flush()
				time.Sleep(50 * time.Millisecond)
			}
		}},
	}
	withProvider(t, dbtest.RuleEngines, "smsru", func(t *testing.T, a *apptest.App, f *fakeProvider) {
		for _, failure := range failures {
			f.respond(failure.handler)
			began := time.Now()
			startCall(a.Anonymous().Allow5xx(), annsPhone).WantError(http.StatusServiceUnavailable, "service_unavailable")
			if took := time.Since(began); took > longest {
				t.Errorf("%s: after %v", failure.name, took)
			}
			if n := a.Count(phoneChallengesStmt); n != 0 {
				t.Errorf("%s: %d challenges are stored", failure.name, n)
			}
		}
		if n := f.count("/callcheck/elsewhere"); n != 0 {
			t.Error("a redirect was followed")
		}
		f.respond(nil)
		startCall(a.Anonymous(), annsPhone).Want(http.StatusOK)
		for _, secret := range []string{"9991230602", smsRuKey} {
			if strings.Contains(a.Log(), secret) {
				t.Errorf("the log contains %s", secret)
			}
		}
	})
}

// TestProviderReusesCallID checks that a second challenge is refused if the provider
// returns the id of an open call: one call would verify both.
func TestProviderReusesCallID(t *testing.T) {
	withProvider(t, dbtest.RuleEngines, "smsru", func(t *testing.T, a *apptest.App, f *fakeProvider) {
		f.respond(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"status":"OK","status_code":100,"check_id":1,"call_phone":"78005008275","call_phone_pretty":"<b>call</b>"}`))
		})
		if got := startCall(a.Anonymous(), annsPhone).Want(http.StatusOK).Text("call_phone_pretty"); got != "+7 800 500-82-75" {
			t.Errorf("%s", got)
		}
		startCall(a.Anonymous().Allow5xx(), "+79991230603").WantError(http.StatusServiceUnavailable, "service_unavailable")
		if n := a.Count(phoneChallengesStmt); n != 1 {
			t.Errorf("%d challenges", n)
		}
		if strings.Contains(a.Log(), "9991230603") || strings.Contains(a.Log(), "201737") {
			t.Error("the log contains the phone or the call id")
		}
	})
}
