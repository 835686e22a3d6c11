package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/emersion/go-smtp"

	"moothall/internal/platform/outbound"
)

// publicAddress is the address by which the service knows the push service.
const publicAddress = "93.184.215.14"

// PushService is a push service on this machine.
type PushService struct {
	Address     string
	Certificate []byte // for publicAddress; DER
}

// network returns a network in which every public address is that of the push service; the
// usual one for the zero value.
func (p PushService) network() (n outbound.Network) {
	if p.Address == "" {
		return n
	}
	n.Roots = x509.NewCertPool()
	if certificate, err := x509.ParseCertificate(p.Certificate); err == nil {
		n.Roots.AddCert(certificate)
	}
	n.Connect = func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", p.Address)
	}
	return n
}

// receivers are a mail server and a push service that count what they accept.
type receivers struct {
	mail          *smtp.Server
	mailAddress   string
	push          PushService
	pushServer    *http.Server
	mails, pushes atomic.Int64
	latest        atomic.Pointer[[]byte] // mail
}

func startReceivers() (r *receivers, err error) {
	r = &receivers{}
	r.mail = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return mailSession{r}, nil }))
	r.mail.EnableSMTPUTF8 = true
	mails, err := listen(&r.mailAddress)
	if err != nil {
		return nil, err
	}
	pushes, err := listen(&r.push.Address)
	if err != nil {
		return nil, err
	}
	certificate, err := selfSigned()
	if err != nil {
		return nil, err
	}
	r.push.Certificate = certificate.Certificate[0]
	r.pushServer = &http.Server{
		Handler: http.HandlerFunc(r.accept), ReadHeaderTimeout: time.Minute,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12},
	}
	go func() { _ = r.mail.Serve(mails) }()                   // ends with close
	go func() { _ = r.pushServer.ServeTLS(pushes, "", "") }() // ends with close
	return r, nil
}

func (r *receivers) close() { _ = errors.Join(r.mail.Close(), r.pushServer.Close()) } // nothing is left to receive

func (r *receivers) accept(w http.ResponseWriter, request *http.Request) {
	_, _ = io.Copy(io.Discard, request.Body)
	r.pushes.Add(1)
	w.WriteHeader(http.StatusCreated)
}

// sample returns the latest mail.
func (r *receivers) sample() []byte { return *r.latest.Load() }

type mailSession struct{ *receivers }

func (mailSession) Mail(string, *smtp.MailOptions) error { return nil }
func (mailSession) Rcpt(string, *smtp.RcptOptions) error { return nil }
func (mailSession) Reset()                               {}
func (mailSession) Logout() error                        { return nil }

func (s mailSession) Data(body io.Reader) error {
	text, err := io.ReadAll(body)
	if err == nil {
		s.latest.Store(&text)
		s.mails.Add(1)
	}
	return err
}

// selfSigned returns a certificate for publicAddress.
func selfSigned() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC), IPAddresses: []net.IP{net.ParseIP(publicAddress)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
