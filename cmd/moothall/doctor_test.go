package main

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

// TestDoctorAndMigrateStatus examine an installation before and after its database exists.
func TestDoctorAndMigrateStatus(t *testing.T) {
	environment := map[string]string{"DATABASE_URL": "sqlite:" + t.TempDir() + "/moothall.db", "SECRET_KEY": apptest.SecretKey}
	call := func(code int, out, complaint string, args ...string) {
		t.Helper()
		var stderr bytes.Buffer
		got, stdout := invoke(t, t.Context(), environment, &stderr, args...)
		if found, _ := regexp.MatchString(out, stdout); got != code || !found || stderr.String() != complaint {
			t.Errorf("%v: code %d, %q, %q", args, got, stdout, stderr.String())
		}
		if strings.Contains(stdout, apptest.SecretKey) {
			t.Errorf("%v prints the secret", args)
		}
	}
	call(exitFailed, `(?m)^failed   database    .*no such file.*\n +-> Correct DATABASE_URL`,
		"moothall: doctor: 1 failed: see what to do above\n", "doctor")
	call(exitOK, "up to date", "", "migrate")
	call(exitOK, `^NUMBER  NAME +APPLIED AT\n10      0010_user.sql +20..-..-..T..:..:..Z\n`, "", "migrate", "status")
	call(exitOK, `^ok       settings    valid, APP_ENV=development\nok       secret key  SECRET_KEY is set\n`, "", "doctor")
	call(exitOK, `(?m)^ok       migrations  all \d+ are applied$`, "", "doctor")

	config := filepath.Join(t.TempDir(), "moothall.env")
	for mode, settings := range map[os.FileMode]string{
		0o600: `^ok       settings    valid`,
		0o644: `^failed   settings    every user of this machine can read the secrets in .*\n +-> chmod 600 `,
	} {
		if err := errors.Join(os.WriteFile(config, []byte("VAPID_SUBJECT=mailto:ops@b.example\nOTEL_EXPORTER_OTLP_HEADERS=a=0\n"), mode),
			os.Chmod(config, mode)); err != nil {
			t.Fatal(err)
		}
		got, out := invoke(t, t.Context(), environment, io.Discard, "doctor", "--config", config)
		if found, _ := regexp.MatchString(settings, out); got == exitOK == (mode == 0o644) || !found {
			t.Errorf("mode %o: code %d, %s", mode, got, out)
		}
	}
}

// TestHealthcheck asks at the address of a service, or at that of LISTEN_ADDR.
func TestHealthcheck(t *testing.T) {
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" {
			t.Errorf("%s", r.URL)
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte("{\"database\":\n\"unavailable\"}"))
	}))
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	for _, row := range []struct {
		status, code int
		listen       string
		args         []string
		err          string
	}{
		{http.StatusOK, exitOK, "127.0.0.1:" + port, nil, ""},
		{http.StatusOK, exitOK, "0.0.0.0:" + port, nil, ""},
		{http.StatusOK, exitOK, ":" + port, nil, ""},
		{http.StatusOK, exitOK, "127.0.0.1:1", []string{"--url", server.URL}, ""},
		{http.StatusOK, exitOK, "127.0.0.1:1", []string{"--url", server.URL + "/"}, ""},
		{http.StatusServiceUnavailable, exitFailed, ":" + port, nil, "moothall: http://127.0.0.1:" + port + `/healthz: 503 Service Unavailable: {"database": "unavailable"}` + "\n"},
		{http.StatusFound, exitFailed, ":" + port, nil, `moothall: http://127.0.0.1:` + port + `/healthz: 302 Found: {"database": "unavailable"}` + "\n"},
	} {
		status = row.status
		var stderr bytes.Buffer
		code, out := invoke(t, t.Context(), map[string]string{"LISTEN_ADDR": row.listen}, &stderr,
			append([]string{"healthcheck", "--timeout", "1m"}, row.args...)...)
		if code != row.code || out != "" || stderr.String() != row.err {
			t.Errorf("%+v: code %d, %q, %q", row, code, out, stderr.String())
		}
	}
}

// TestHealthcheckOfHangingServer asks a server that accepts connections and never answers.
func TestHealthcheckOfHangingServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	var stderr bytes.Buffer
	address := "http://" + listener.Addr().String()
	code, _ := invoke(t, t.Context(), map[string]string{}, &stderr, "healthcheck", "--url", address, "--timeout", "50ms")
	if want := "moothall: " + address + "/healthz: context deadline exceeded\n"; code != exitFailed || stderr.String() != want {
		t.Errorf("code %d, %q", code, stderr.String())
	}
}
