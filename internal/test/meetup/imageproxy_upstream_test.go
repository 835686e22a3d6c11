package meetup_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	"moothall/internal/test/outboundtest"
)

// pixel is a PNG of one pixel.
var pixel = func() []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		panic(err)
	}
	return b.Bytes()
}()

// safe are the headers of every image.
var safe = map[string]string{
	"X-Content-Type-Options":       "nosniff",
	"Content-Security-Policy":      "default-src 'none'; sandbox",
	"Cross-Origin-Resource-Policy": "cross-origin",
	"Cache-Control":                "public, max-age=60",
}

func checkImage(t *testing.T, name string, got *apptest.Reply) {
	t.Helper()
	for header, want := range safe {
		if got.Header.Get(header) != want {
			t.Errorf("%s: %s is %q", name, header, got.Header.Get(header))
		}
	}
	if !strings.HasPrefix(got.Header.Get("Content-Disposition"), "attachment; ") || got.Header.Get("ETag") == "" {
		t.Errorf("%s: %v", name, got.Header)
	}
	for _, header := range []string{"Set-Cookie", "Refresh", "Access-Control-Allow-Origin", "Clear-Site-Data", "Service-Worker-Allowed"} {
		if got.Header.Get(header) != "" {
			t.Errorf("%s: %s went through", name, header)
		}
	}
}

// TestMediaTypeIsDetected checks that the Content-Type of the host has no effect.
func TestMediaTypeIsDetected(t *testing.T) {
	t.Parallel()
	payloads := map[string][]string{}
	for _, row := range rows(t, "image_payloads.txt") {
		payloads[row[0]] = row
	}
	w := outboundtest.New(t, func(rw http.ResponseWriter, r *http.Request) {
		row := payloads[strings.TrimPrefix(r.URL.Path, "/")]
		body, err := base64.StdEncoding.DecodeString(row[2])
		if err != nil {
			t.Error(err)
		}
		rw.Header().Set("Content-Type", row[1])
		_, _ = rw.Write(body)
	})
	a := newApp(t, w).Anonymous().Allow5xx()
	for name, row := range payloads {
		got := a.Get(proxied("https://example.com/" + name))
		if !strings.Contains(row[3], strconv.Itoa(got.Status)) {
			t.Errorf("%s: %d, want %s", name, got.Status, row[3])
		}
		if got.Status == 200 {
			checkImage(t, name, got)
		}
	}
}

// imageproxyHostile are the handlers of hostile hosts, by scenario.
var imageproxyHostile = map[string]http.HandlerFunc{
	"302-to-http":         redirect("http://example.com/a.png"),
	"302-to-metadata":     redirect("http://169.254.169.254/"),
	"302-scheme-relative": redirect("//127.0.0.1/"),
	"302-other-port":      redirect("https://example.com:8443/"),
	"302-loop":            redirect("https://example.com/302-loop"),
	"302-ok-once":         redirect("https://example.com/image"),
	"refresh-header":      withHeader("Refresh", "0;url=https://127.0.0.1/"),
	"cookie-and-auth":     withHeader("Set-Cookie", "a=b"),
	"slow-header": raw(func(write func(string)) {
		write("HTTP/1.1 200 OK\r\n")
		for range 60 {
			write("X")
			time.Sleep(time.Second)
		}
	}),
	"slow-after-first-mib": func(rw http.ResponseWriter, r *http.Request) {
		_, _ = rw.Write(append(slices.Clone(pixel), make([]byte, 1<<20)...))
		rw.(http.Flusher).Flush()
		<-r.Context().Done()
	},
	"negative-content-length": raw(func(write func(string)) { write("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n" + string(pixel)) }),
	"cl-and-te": raw(func(write func(string)) {
		write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n" + strconv.FormatInt(int64(len(pixel)), 16) + "\r\n" +
			string(pixel) + "\r\n0\r\n\r\n")
	}),
	"exactly-limit": func(rw http.ResponseWriter, _ *http.Request) {
		_, _ = rw.Write(append(slices.Clone(pixel), make([]byte, 10<<20-len(pixel))...))
	},
	"short-body": raw(func(write func(string)) {
		write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + string(pixel[:10]))
	}),
	"gzip-declared-plain": withHeader("Content-Encoding", "gzip"),
	"header-flood": raw(func(write func(string)) {
		write("HTTP/1.1 200 OK\r\n" + strings.Repeat("X-Flood: "+strings.Repeat("x", 1000)+"\r\n", 10_000) + "\r\n")
	}),
	"204":            func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusNoContent) },
	"206-unasked":    status(http.StatusPartialContent),
	"404-with-image": status(http.StatusNotFound),
	"html-as-png": func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "image/png")
		_, _ = rw.Write([]byte("<!doctype html><script>alert(1)</script>"))
	},
	"svg": func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "image/svg+xml")
		_, _ = rw.Write([]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`))
	},
	"two-content-types": func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header()["Content-Type"] = []string{"text/html", "image/png"}
		_, _ = rw.Write(pixel)
	},
	"ct-case": withHeader("Content-Type", "IMAGE/PNG"),
	"upstream-csp-hsts-cors": func(rw http.ResponseWriter, _ *http.Request) {
		for _, name := range []string{"Access-Control-Allow-Origin", "Clear-Site-Data", "Service-Worker-Allowed"} {
			rw.Header().Set(name, "*")
		}
		rw.Header().Set("Content-Security-Policy", "default-src *")
		_, _ = rw.Write(pixel)
	},
	"too-large":           func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write(make([]byte, 10<<20+1)) },
	"too-large-announced": withHeader("Content-Length", "99999999999"),
	"image":               withHeader("Content-Type", "image/png"),
}

func redirect(to string) http.HandlerFunc {
	return func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Location", to)
		rw.WriteHeader(http.StatusFound)
	}
}

func withHeader(name, value string) http.HandlerFunc {
	return func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set(name, value)
		_, _ = rw.Write(pixel)
	}
}

func status(code int) http.HandlerFunc {
	return func(rw http.ResponseWriter, _ *http.Request) {
		rw.WriteHeader(code)
		_, _ = rw.Write(pixel)
	}
}

// raw writes invalid HTTP to the connection.
func raw(speak func(write func(string))) http.HandlerFunc {
	return func(rw http.ResponseWriter, _ *http.Request) {
		connection, _, err := rw.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer func() { _ = connection.Close() }()
		var failed error
		speak(func(text string) {
			if failed == nil {
				_, failed = connection.Write([]byte(text))
			}
		})
	}
}

// elsewhere are the scenarios that another test covers, or that a host cannot simulate.
var elsewhere = map[string]string{
	"tls-bad-cert":          "TestInvalidCertificatesAreRefused",
	"cache-control-private": "TestCacheObeysCacheControl",
	"cache-key-case":        "TestCacheObeysCacheControl",
	"cache-error":           "TestCacheObeysCacheControl",
	"if-none-match":         "TestIfNoneMatch",
	"client-abort":          "TestFetchIsCanceledWithoutWaiters",
	"many-hosts":            "TestSlowHostsDoNotBlockService",
}

func TestHostileUpstreams(t *testing.T) {
	t.Parallel()
	w := outboundtest.New(t, func(rw http.ResponseWriter, r *http.Request) {
		imageproxyHostile[strings.TrimPrefix(r.URL.Path, "/")](rw, r)
	})
	a := newApp(t, w).Anonymous().Allow5xx().With("Cookie", "secret=1").With("X-Forwarded-For", "10.1.1.1").With("User-Agent", "Client/1")
	want := map[string]string{"too-large": "413", "too-large-announced": "413", "image": "200"}
	for _, row := range rows(t, "ssrf_upstream_scenarios.txt") {
		if elsewhere[row[0]] == "" {
			want[row[0]] = row[2]
		}
	}
	for _, passed := range []string{"302-ok-once", "cookie-and-auth", "two-content-types", "upstream-csp-hsts-cors", "cl-and-te"} {
		want[passed] = "200" // our choice where there is one
	}
	for _, refused := range []string{"302-to-http", "302-to-metadata", "302-scheme-relative", "302-other-port"} {
		want[refused] = "502"
	}
	var all sync.WaitGroup
	permits := make(chan struct{}, 8) // fewer than the proxy has: nothing waits for a permit there
	for name, expected := range want {
		if imageproxyHostile[name] == nil {
			t.Errorf("no handler for the scenario %s", name)
			continue
		}
		all.Go(func() {
			permits <- struct{}{}
			defer func() { <-permits }()
			began := time.Now()
			got := a.Get(proxied("https://example.com/" + name))
			if !strings.Contains(expected, strconv.Itoa(got.Status)) {
				t.Errorf("%s: %d, want %s", name, got.Status, expected)
			}
			if got.Status == 200 {
				checkImage(t, name, got)
			}
			if took := time.Since(began); took > time.Minute {
				t.Errorf("%s took %v", name, took)
			}
		})
	}
	all.Wait()
	w.Connections()
	for _, r := range w.Requests() {
		for _, header := range []string{"Cookie", "Authorization", "X-Forwarded-For", "Referer"} {
			if r.Header.Get(header) != "" {
				t.Errorf("%s: the upstream was told %s", r.URL.Path, header)
			}
		}
		if strings.Contains(r.UserAgent(), "Client") {
			t.Errorf("the upstream was told the client's program")
		}
	}
}

func TestInvalidCertificatesAreRefused(t *testing.T) {
	t.Parallel()
	w := outboundtest.New(t, imageproxyHostile["image"])
	w.Names["example.org"] = outboundtest.Always(outboundtest.Public)
	newApp(t, w).Anonymous().Allow5xx().Get(proxied("https://example.org/")).WantError(502, "image_unavailable")
	if len(w.Requests()) != 0 {
		t.Error("asked a host of another name")
	}
}
