package smtp

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"

	"github.com/emersion/go-msgauth/dkim"
)

// Signer signs mails with DKIM (RFC 6376).
type Signer struct {
	Domain   string // of the sender
	Selector string // of the DNS record SELECTOR._domainkey.DOMAIN
	key      crypto.Signer
}

var errKey = errors.New("must be an RSA key of at least 1024 bits or an Ed25519 key in PEM (PKCS #8 or PKCS #1)")

// NewSigner returns a signer with a private key in PEM.
func NewSigner(domain, selector string, key []byte) (*Signer, error) {
	block, _ := pem.Decode(key)
	if block == nil {
		return nil, errKey
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		parsed, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	}
	if err != nil {
		return nil, errKey
	}
	s := &Signer{Domain: domain, Selector: selector}
	switch key := parsed.(type) {
	case *rsa.PrivateKey:
		if key.N.BitLen() < 1024 {
			return nil, errKey
		}
		s.key = key
	case ed25519.PrivateKey:
		s.key = key
	default:
		return nil, errKey
	}
	return s, nil
}

// sign returns the mail with a signature. It covers the headers in more and all headers that senders
// of bulk mail must sign.
func (s *Signer) sign(source []byte, more map[string]string) ([]byte, error) {
	headers := []string{"From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type", "Auto-Submitted"}
	for name := range more {
		headers = append(headers, name)
	}
	var signed bytes.Buffer
	err := dkim.Sign(&signed, bytes.NewReader(source), &dkim.SignOptions{
		Domain: s.Domain, Selector: s.Selector, Signer: s.key, HeaderKeys: headers,
		HeaderCanonicalization: dkim.CanonicalizationRelaxed, BodyCanonicalization: dkim.CanonicalizationRelaxed,
	})
	return signed.Bytes(), err
}
