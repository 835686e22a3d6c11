package delivery_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"
	gosmtp "github.com/emersion/go-smtp"

	"moothall/internal/platform/smtp"
	"moothall/internal/test/apptest"
)

// TestMailsAreSigned verifies the signatures of both kinds of keys with a record of DNS.
func TestMailsAreSigned(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	rsaPublic, err := x509.MarshalPKIXPublicKey(&rsaKey.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		key    any
		record string
	}{
		"rsa":     {rsaKey, "v=DKIM1; k=rsa; p=" + base64.StdEncoding.EncodeToString(rsaPublic)},
		"ed25519": {private, "v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(public)},
	} {
		t.Run(name, func(t *testing.T) {
			server := apptest.NewMailServer(t, func(*apptest.MailServer, *gosmtp.Server) {})
			s := serverOf(t, server)
			s.DKIM = signer(t, row.key)
			m := message()
			m.Subject, m.HTML = "Grüße "+strings.Repeat("lang ", 50), "<p>Hello</p>"
			m.Headers = map[string]string{"List-Unsubscribe": "<https://example.org/u/" + strings.Repeat("x", 150) + ">",
				"List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
			if err := smtp.NewPool(s, 1).Send(t.Context(), m); err != nil {
				t.Fatal(err)
			}
			source := server.Received()[0].Text
			verifications, err := dkim.VerifyWithOptions(strings.NewReader(source),
				&dkim.VerifyOptions{LookupTXT: func(domain string) ([]string, error) {
					if domain != "mail._domainkey.example.org" {
						t.Errorf("looked up %s", domain)
					}
					return []string{row.record}, nil
				}})
			if err != nil || len(verifications) != 1 || verifications[0].Err != nil {
				t.Fatalf("%v %+v\n%s", err, verifications[0], source)
			}
			signed := strings.ToLower(strings.Join(verifications[0].HeaderKeys, " "))
			for _, header := range []string{"from", "subject", "list-unsubscribe", "list-unsubscribe-post"} {
				if !strings.Contains(" "+signed+" ", " "+header+" ") {
					t.Errorf("%s is not signed: %s", header, signed)
				}
			}
			changed := strings.Replace(source, "One-Click", "Two-Click", 1)
			if v, err := dkim.VerifyWithOptions(strings.NewReader(changed),
				&dkim.VerifyOptions{LookupTXT: func(string) ([]string, error) { return []string{row.record}, nil }}); err != nil || v[0].Err == nil {
				t.Errorf("a changed header verifies: %v", err)
			}
		})
	}
}

func signer(t *testing.T, key any) *smtp.Signer {
	t.Helper()
	encoded, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	s, err := smtp.NewSigner("example.org", "mail", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestWeakKeysAreRefused checks what the file of DKIM may contain.
func TestWeakKeysAreRefused(t *testing.T) {
	for _, key := range []string{"", "no PEM", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"} {
		if _, err := smtp.NewSigner("example.org", "mail", []byte(key)); err == nil {
			t.Errorf("%q was accepted", key)
		}
	}
}
