package delivery_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	gosmtp "github.com/emersion/go-smtp"

	"moothall/internal/platform/checklist"
	"moothall/internal/platform/smtp"
	"moothall/internal/test/apptest"
)

// certificate returns a certificate for a host, and what trusts it.
func certificate(t *testing.T, host string, ends time.Time) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{host}, NotBefore: ends.Add(-time.Hour * 24 * 30),
		NotAfter: ends, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// checked is a mail server, its DNS records, and how the service uses them.
type checked struct {
	server  *smtp.Server
	mails   *apptest.MailServer
	records []string
	message smtp.Message
	bounces string
}

// steps runs the check and returns its steps by name.
func (c checked) steps(t *testing.T) map[string]checklist.Step {
	t.Helper()
	all := map[string]checklist.Step{}
	check := smtp.Check{Server: c.server, Message: c.message, Bounces: c.bounces, Resolver: apptest.NewResolver(t, c.records...)}
	check.Run(t.Context(), func(s checklist.Step) { all[s.Name] = s })
	return all
}

// working returns a server with a login and TLS, in a domain with all records.
func working(t *testing.T) *checked {
	t.Helper()
	own, pool := certificate(t, "mail.example.org", time.Now().Add(24*time.Hour))
	m := apptest.NewMailServer(t, func(m *apptest.MailServer, s *gosmtp.Server) {
		m.User, m.Password = "moothall", "secret"
		s.TLSConfig = &tls.Config{Certificates: []tls.Certificate{own}}
	})
	s := serverOf(t, m)
	s.Host, s.User, s.Password, s.PlainAllowed = "mail.example.org", m.User, m.Password, false
	s.TLS = &tls.Config{RootCAs: pool, ServerName: s.Host}
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s.DKIM = signer(t, key)
	c := &checked{server: s, mails: m, message: message(), bounces: "bounces@example.org"}
	c.message.Bounces = c.bounces
	c.records = []string{
		"mail.example.org A 127.0.0.1", "example.org MX mail.example.org", "example.org TXT v=spf1 a:mail.example.org -all",
		"mail._domainkey.example.org TXT " + s.DKIM.Record(), "_dmarc.example.org TXT v=DMARC1; p=reject",
	}
	return c
}

// without removes the records that begin with a text, and adds others.
func (c *checked) without(start string, more ...string) {
	c.records = append(slices.DeleteFunc(c.records, func(r string) bool { return strings.HasPrefix(r, start) }), more...)
}

func TestCheckOfWorkingServer(t *testing.T) {
	c := working(t)
	for name, step := range c.steps(t) {
		if step.State != checklist.OK {
			t.Errorf("%s: %+v", name, step)
		}
	}
	if got := c.mails.Received(); len(got) != 1 || got[0].To != c.message.To || got[0].From != c.bounces {
		t.Errorf("mails %+v", got)
	}
}

// TestCheckFindsFaults causes one fault each, and reads the step that names it.
func TestCheckFindsFaults(t *testing.T) {
	for _, row := range []struct {
		name   string
		fault  func(t *testing.T, c *checked)
		step   string
		state  checklist.State
		detail string // contained
		advice string // contained
	}{
		{"unknown host", func(_ *testing.T, c *checked) { c.without("mail.example.org") }, "address", checklist.Failed, "DNS does not know mail.example.org", "SMTP_URL"},
		{"DNS fails", func(_ *testing.T, c *checked) { c.without("mail.example.org", "mail.example.org FAIL") }, "address", checklist.Failed, "mail.example.org", "resolv.conf"},
		{"nothing listens", func(_ *testing.T, c *checked) { c.server.Port = closedPort }, "connection", checklist.Failed, "refused", "firewall"},
		{"not SMTP", func(t *testing.T, c *checked) { c.server.Port = scripted(t, "HTTP/1.1 400 Bad Request\r\n\r\n") }, "connection", checklist.Failed, "no greeting", "smtps://"},
		{"no answer", func(t *testing.T, c *checked) {
			c.server.Port = scripted(t, "")
			c.server.Timeouts = smtp.Timeouts{Command: 100 * time.Millisecond, Accept: 100 * time.Millisecond}
		}, "connection", checklist.Failed, "did not answer in time", "smtps://"},
		{"refused client", func(t *testing.T, c *checked) { c.server.Port = scripted(t, "554 5.7.1 go away\r\n") }, "connection", checklist.Failed, "554 5.7.1 go away", ""},
		{"no STARTTLS", func(t *testing.T, c *checked) { c.server.Port = serverOf(t, apptest.NewMailServer(t, nil)).Port }, "TLS", checklist.Failed, "does not offer STARTTLS", "smtps://"},
		{"no STARTTLS on localhost", func(t *testing.T, c *checked) {
			c.server.Port, c.server.PlainAllowed, c.server.User = serverOf(t, apptest.NewMailServer(t, nil)).Port, true, ""
		}, "TLS", checklist.Skipped, "none", ""},
		{"TLS from the first byte", func(_ *testing.T, c *checked) { c.server.ImplicitTLS = true }, "TLS", checklist.Failed, "", "smtps://"},
		{"certificate of another host", func(_ *testing.T, c *checked) { c.server.TLS.ServerName = "other.example.org" }, "TLS", checklist.Failed, "mail.example.org", "names in the certificate"},
		{"unknown authority", func(_ *testing.T, c *checked) { c.server.TLS.RootCAs = x509.NewCertPool() }, "TLS", checklist.Failed, "unknown authority", "public authority"},
		{"expired certificate", func(_ *testing.T, c *checked) {
			c.server.TLS.Time = func() time.Time { return time.Now().Add(48 * time.Hour) }
		}, "TLS", checklist.Failed, "expired", "Renew"},
		{"wrong password", func(_ *testing.T, c *checked) { c.server.Password = "wrong" }, "login", checklist.Failed, "wrong password", "user and password"},
		{"no user", func(_ *testing.T, c *checked) { c.server.User = "" }, "login", checklist.Skipped, "no user", ""},
		{"a server that wants a user", func(_ *testing.T, c *checked) { c.server.User = "" }, "mail", checklist.Failed, "502 5.7.0", "sign in"},
		{"unknown recipient", func(_ *testing.T, c *checked) {
			c.mails.Refuse(&gosmtp.SMTPError{Code: 550, EnhancedCode: gosmtp.EnhancedCode{5, 1, 1}, Message: "unknown"})
		}, "mail", checklist.Failed, "code 550 5.1.1", "address of the recipient"},
		{"greylisting", func(_ *testing.T, c *checked) {
			c.mails.Refuse(&gosmtp.SMTPError{Code: 451, EnhancedCode: gosmtp.EnhancedCode{4, 7, 1}, Message: "later"})
		}, "mail", checklist.Failed, "code 451 4.7.1", "try again later"},

		{"no SPF", func(_ *testing.T, c *checked) { c.without("example.org TXT") }, "SPF", checklist.Failed, "no SPF record", `example.org TXT "v=spf1 a:mail.example.org -all"`},
		{"two SPF records", func(_ *testing.T, c *checked) { c.without("none", "example.org TXT v=spf1 mx -all") }, "SPF", checklist.Failed, "wrong", "one record"},
		{"SPF with an error", func(_ *testing.T, c *checked) {
			c.without("example.org TXT", "example.org TXT v=spf1 ipv4:192.0.2.1 -all")
		}, "SPF", checklist.Failed, "wrong", "Correct it"},
		{"no DKIM record", func(_ *testing.T, c *checked) { c.without("mail._domainkey") }, "DKIM", checklist.Failed, "mail._domainkey.example.org", `TXT "v=DKIM1; k=ed25519; p=`},
		{"DKIM record of another key", func(t *testing.T, c *checked) {
			_, key, err := ed25519.GenerateKey(rand.Reader)
			if err != nil {
				t.Fatal(err)
			}
			c.without("mail._domainkey", "mail._domainkey.example.org TXT "+signer(t, key).Record())
		}, "DKIM", checklist.Failed, "mail._domainkey.example.org", "Set the record"},
		{"revoked DKIM key", func(_ *testing.T, c *checked) {
			c.without("mail._domainkey", "mail._domainkey.example.org TXT v=DKIM1; p=")
		}, "DKIM", checklist.Failed, "revoked", "Set the record"},
		{"DNS fails about DKIM", func(_ *testing.T, c *checked) { c.without("mail._domainkey", "mail._domainkey.example.org FAIL") }, "DKIM", checklist.Failed, "unavailable", "Try again later"},
		{"no DKIM key", func(_ *testing.T, c *checked) { c.server.DKIM = nil }, "DKIM", checklist.Skipped, "DKIM is not set", "DKIM-Signature"},
		{"no DMARC record", func(_ *testing.T, c *checked) { c.without("_dmarc") }, "DMARC", checklist.Failed, "no record", `_dmarc.example.org TXT "v=DMARC1; p=none`},
		{"DMARC without effect", func(_ *testing.T, c *checked) { c.without("_dmarc", "_dmarc.example.org TXT v=DMARC1; p=none") }, "DMARC", checklist.OK, "p=none", "quarantine"},
		{"DMARC with an error", func(_ *testing.T, c *checked) { c.without("_dmarc", "_dmarc.example.org TXT v=DMARC1; p=maybe") }, "DMARC", checklist.Failed, "policy", "Correct"},
		{"DNS fails about DMARC", func(_ *testing.T, c *checked) { c.without("_dmarc", "_dmarc.example.org FAIL") }, "DMARC", checklist.Failed, "unavailable", "Try again later"},
		{"DMARC of the parent domain", func(_ *testing.T, c *checked) { c.message.From = "no-reply@news.example.org" }, "DMARC", checklist.OK, "_dmarc.example.org", ""},
		{"nobody gets bounces", func(_ *testing.T, c *checked) { c.bounces = "bounces@none.example.org" }, "bounces", checklist.Failed, "none.example.org", "MX"},
		{"bounces without MX", func(_ *testing.T, c *checked) { c.bounces = "bounces@mail.example.org" }, "bounces", checklist.OK, "127.0.0.1", ""},
		{"no address for bounces", func(_ *testing.T, c *checked) { c.bounces = "" }, "bounces", checklist.Skipped, "MAIL_BOUNCES", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := working(t)
			row.fault(t, c)
			got := c.steps(t)
			step, found := got[row.step]
			if !found || step.State != row.state || !strings.Contains(step.Detail, row.detail) || !strings.Contains(step.Advice, row.advice) {
				t.Errorf("%+v", got)
			}
			if step.State == checklist.Failed && step.Advice == "" {
				t.Error("the step does not say what to do")
			}
		})
	}
}

// TestCheckOfPublicServer compares a public address with the SPF record. The server also has a
// private address, which no record can allow.
func TestCheckOfPublicServer(t *testing.T) {
	for record, want := range map[string]checklist.State{
		"v=spf1 ip4:192.0.2.0/24 -all": checklist.OK, "v=spf1 a:mail.example.org ~all": checklist.OK,
		"v=spf1 ip4:198.51.100.1 -all": checklist.Failed,
		"v=spf1 ip4:198.51.100.1 ~all": checklist.Failed, "v=spf1 ?all": checklist.Failed,
	} {
		c := working(t)
		c.without("example.org TXT", "example.org TXT "+record)
		c.without("mail.example.org A", "mail.example.org A 192.0.2.1")
		check := smtp.Check{Server: c.server, Message: c.message, Resolver: apptest.NewResolver(t, c.records...)}
		if got := check.CheckSPF(t.Context(), []net.IP{net.IPv4(10, 0, 0, 1), net.IPv4(192, 0, 2, 1)}); got.State != want {
			t.Errorf("%s: %+v", record, got)
		}
	}
}

// closedPort is a port on which nothing listens: tests use ports above 1023 only.
const closedPort = 1

// scripted returns the port of a server that says one text, and then nothing.
func scripted(t *testing.T, text string) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			context.AfterFunc(t.Context(), func() { _ = conn.Close() })
			_, _ = conn.Write([]byte(text))
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port
}
