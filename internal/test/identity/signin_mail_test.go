package identity_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/http"
	netmail "net/mail"
	"strconv"
	"strings"
	"testing"
	"time"

	gosmtp "github.com/emersion/go-smtp"

	"moothall/internal/domain"
	"moothall/internal/identity/signin"
	"moothall/internal/platform/db"
	"moothall/internal/platform/smtp"
	"moothall/internal/test/apptest"
)

// withMail makes the service send its mail to a server.
func withMail(url string, more ...apptest.Option) []apptest.Option {
	return append([]apptest.Option{apptest.Setting("SMTP_URL", url), apptest.Setting("MAIL_FROM", "Moothall <no-reply@moothall.test>")},
		more...)
}

// parse returns the subject, the text and the header of a mail.
func parse(t *testing.T, r apptest.ReceivedMail) (subject, text string, header netmail.Header) {
	t.Helper()
	m, err := netmail.ReadMessage(strings.NewReader(r.Text))
	if err != nil {
		t.Fatal(err)
	}
	subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil {
		t.Fatal(err)
	}
	body := m.Body
	if m.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
		body = quotedprintable.NewReader(body)
	}
	content, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return subject, string(content), m.Header
}

// decoded returns the parts of a mail as text.
func decoded(t *testing.T, parts string) string {
	t.Helper()
	text, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(parts)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCodeIsMailedInTheClientsLanguage(t *testing.T) {
	m := apptest.NewMailServer(t, nil)
	a := apptest.New(t, db.SQLite, withMail("smtp://"+m.Address)...)
	a.As("known")
	before := len(m.Received())
	for i, c := range []struct{ address, languages, to, words string }{
		{"known@example.org", "", "known@example.org", "is your sign-in code"},
		{"Unknown@Example.org", "de, en;q=0.5", "Unknown@example.org", "Dein Anmeldecode"},
		{"anna@example.org", "ru-RU, en;q=0.8", "anna@example.org", "Ваш код для входа"},
		{"anna@bücher.example", "x;q=9,,;", "anna@xn--bcher-kva.example", "Do not share it"},
	} {
		code := a.Anonymous().With("Accept-Language", c.languages).Post("/auth/dev/start", map[string]string{"email": c.address}).
			Want(http.StatusOK).Text("dev_code")
		mails := m.Received()
		if len(mails) != before+i+1 {
			t.Fatalf("%s: %d mails", c.address, len(mails)-before)
		}
		got := mails[len(mails)-1]
		subject, text, header := parse(t, got)
		if got.From != "no-reply@moothall.test" || got.To != c.to || !strings.Contains(subject, code) || !strings.Contains(text, code) ||
			!strings.Contains(subject+decoded(t, text), c.words) || !strings.Contains(text, "10") {
			t.Errorf("%s: from %s to %s: %s: %s", c.address, got.From, got.To, subject, text)
		}
		if header.Get("From") != `"Moothall" <no-reply@moothall.test>` || header.Get("Auto-Submitted") != "auto-generated" ||
			header.Get("Message-Id") == "" ||
			!strings.HasPrefix(header.Get("Content-Type"), "multipart/alternative") {
			t.Errorf("%v", header)
		}
	}
}

// TestFailingMailServer checks that the client gets 503 in time, and that the log does not
// contain the address.
func TestFailingMailServer(t *testing.T) {
	t.Parallel()
	refusing := apptest.NewMailServer(t, func(m *apptest.MailServer, _ *gosmtp.Server) {
		m.Refuse(&gosmtp.SMTPError{Code: 550, Message: "refused for canary"})
	})
	noTLS := apptest.NewMailServer(t, nil)
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	for name, url := range map[string]string{
		"refuses":     "smtp://" + refusing.Address,
		"silent":      "smtp://" + silent.Addr().String(),
		"silent TLS":  "smtps://" + silent.Addr().String(),
		"closed port": "smtp://127.0.0.1:1", // tests listen on ports above 1023 only
		"no TLS":      "smtps://" + noTLS.Address,
		"no login":    "smtp://somebody:wrong@" + noTLS.Address,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := apptest.New(t, db.SQLite, withMail(url)...)
			begin := time.Now()
			a.Anonymous().Allow5xx().Post("/auth/dev/start", map[string]string{"email": "canary@example.org"}).
				WantError(http.StatusServiceUnavailable, "service_unavailable")
			if took := time.Since(begin); took > longest {
				t.Errorf("response after %v", took)
			}
			if strings.Contains(a.Log(), "canary") || strings.Contains(a.Log(), "somebody") || !strings.Contains(a.Log(), "signin.mail_code") {
				t.Errorf("the log contains the address, or not the failure: %s", a.Log())
			}
		})
	}
}

// TestMailRequiresTLS checks that only a server with TLS and a trusted certificate gets
// the mail.
func TestMailRequiresTLS(t *testing.T) {
	certificate, roots := selfSigned(t)
	plain := apptest.NewMailServer(t, nil)
	secure := apptest.NewMailServer(t, func(m *apptest.MailServer, s *gosmtp.Server) {
		m.User, m.Password = "moothall", "p@ss word"
		s.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	})
	a := apptest.New(t, db.SQLite)
	for _, c := range []struct {
		name   string
		server *apptest.MailServer
		tls    *tls.Config
		sent   int
	}{
		{"no STARTTLS", plain, nil, 0},
		{"unknown certificate", secure, nil, 0},
		{"trusted certificate", secure, &tls.Config{RootCAs: roots, ServerName: "127.0.0.1", MinVersion: tls.VersionTLS12}, 1},
	} {
		host, port, _ := net.SplitHostPort(c.server.Address)
		number, err := strconv.Atoi(port)
		if err != nil {
			t.Fatal(err)
		}
		s := &signin.Service{DB: a.DB, Clock: a.Clock.Now, Key: []byte("key"), Mail: signin.MailOptions{
			Transport: &smtp.Server{Host: host, Port: number, TLS: c.tls, User: c.server.User, Password: c.server.Password},
			From:      "no-reply@moothall.test",
		}}
		_, err = s.StartEmail(t.Context(), "ann@example.org", "")
		if sent := len(c.server.Received()); sent != c.sent || (err == nil) != (c.sent == 1) || err != nil &&
			!errors.Is(err, domain.ServiceUnavailable) {
			t.Errorf("%s: %d mails, %v", c.name, sent, err)
		}
	}
}

// selfSigned returns a certificate of 127.0.0.1 and a pool that trusts it.
func selfSigned(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, roots
}
