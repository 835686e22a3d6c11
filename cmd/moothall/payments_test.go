package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// asProgram makes the test binary run as moothall, for scripts.
const asProgram = "MOOTHALL_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	var err error
	if demoDir, err = os.MkdirTemp("", "moothall-demo-"); err != nil {
		panic(err)
	}
	m.Run()
	_ = os.RemoveAll(demoDir)
}

const webhookSecret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="

// TestPaymentsDocumentWorks runs the commands of docs/payments.md.
func TestPaymentsDocumentWorks(t *testing.T) {
	settings := copyDemo(t)
	settings["PAYMENTS_ENABLED"], settings["PAYMENT_WEBHOOK_SECRETS"] = "true", webhookSecret
	address := serveDemo(t, settings)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	environment := []string{asProgram + "=1", "PUBLIC_BASE_URL=http://" + address}
	for name, value := range settings {
		environment = append(environment, name+"="+value)
	}
	steps := documentSteps(t, "docs/payments.md")
	for i := range steps {
		steps[i].commands = strings.ReplaceAll(steps[i].commands, "./moothall", program)
	}
	runSteps(t, steps, address, environment)
}

func TestPaymentsCommand(t *testing.T) {
	var got string
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body strings.Builder
		_, _ = io.Copy(&body, r.Body)
		got = body.String()
		if r.URL.Path != "/payments/webhooks/development" || r.Header.Get("Webhook-Signature") == "" ||
			!strings.Contains(got, `"id":"`+r.Header.Get("Webhook-Id")+`"`) {
			t.Errorf("%s %v %s", r.URL, r.Header, got)
		}
		if strings.Contains(got, "dev_unknown") {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = w.Write([]byte(`{"an":"answer"}`))
	}))
	defer service.Close()
	for _, c := range []struct {
		args   []string
		secret string
		code   int
		out    string // in stdout
		err    string // in stderr
	}{
		{[]string{"payments", "send", "--help"}, "", 0, "moothall payments send payment.succeeded ", ""},
		{[]string{"payments", "send", "payment.succeeded"}, "", 2, "", "needs TYPE ID"},
		{[]string{"payments", "send", "payment.succeeded", "dev_1"}, "", 2, "", "set PAYMENT_WEBHOOK_SECRETS"},
		{[]string{"payments", "send", "payment.succeeded", "dev_1"}, "whsec_short", 2, "", "has the entry number 1, which must be whsec_"},
		{[]string{"payments", "--api", service.URL, "send", "payment.succeeded", "dev_1"}, webhookSecret, 0, `{"an":"answer"}`, ""},
		{[]string{"payments", "--api", service.URL, "send", "payment.succeeded", "dev_unknown"}, webhookSecret, 1, "", `responded 404 {"an":"answer"}`},
		{[]string{"payments", "--api", "http://127.0.0.1:1", "send", "payment.succeeded", "dev_1"}, webhookSecret, 1, "", "connection refused"},
		{[]string{"payments", "--api", ":", "send", "payment.succeeded", "dev_1"}, webhookSecret, 2, "", "--api"},
	} {
		var stderr bytes.Buffer
		code, out := invoke(t, t.Context(), map[string]string{"PAYMENT_WEBHOOK_SECRETS": c.secret}, &stderr, c.args...)
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(stderr.String(), c.err) ||
			strings.Contains(stderr.String(), "whsec_short") {
			t.Errorf("%v: code %d, %q, %q", c.args, code, out, stderr.String())
		}
	}
	if !strings.Contains(got, `"provider_payment_id":"dev_unknown"`) {
		t.Errorf("the last delivery was %s", got)
	}
}
