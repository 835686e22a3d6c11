package smtp

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"strings"
	"time"

	"github.com/wneessen/go-mail/smtp"

	"moothall/internal/platform/checklist"
)

// Check tests step by step whether a mail reaches its recipient: the server, then the DNS records
// that receivers check.
type Check struct {
	Server   *Server
	Message  Message // is sent
	Bounces  string  // address that gets bounces; empty: none
	Resolver *net.Resolver
}

// stepTimeout limits the DNS lookups of one step.
const stepTimeout = 10 * time.Second

// Run reports each step as soon as it has ended.
func (c Check) Run(ctx context.Context, report func(checklist.Step)) {
	addresses, step := c.resolve(ctx)
	report(step)
	if step.State == checklist.OK {
		c.checkServer(ctx, report)
	} else {
		report(checklist.Skipped.Step("connection", "the address of the server is unknown", ""))
	}
	c.checkRecords(ctx, addresses, report)
}

// resolve looks up the addresses of the server.
func (c Check) resolve(ctx context.Context) ([]net.IP, checklist.Step) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	found, err := c.Resolver.LookupIPAddr(ctx, c.Server.Host)
	if err != nil {
		return nil, checklist.Failed.Step("address", dnsError(err),
			"Correct the host in SMTP_URL, or the resolver of this machine (/etc/resolv.conf).")
	}
	var addresses []net.IP
	var texts []string
	for _, a := range found {
		addresses, texts = append(addresses, a.IP), append(texts, a.IP.String())
	}
	return addresses, checklist.OK.Step("address", c.Server.Host+" is "+strings.Join(texts, ", "), "")
}

// checkServer connects, encrypts, signs in and sends. It stops at the first failure.
func (c Check) checkServer(ctx context.Context, report func(checklist.Step)) {
	if !c.checkEncryption(ctx, report) {
		return
	}
	client, err := c.Server.open(ctx, &net.Dialer{Resolver: c.Resolver})
	switch {
	case err != nil:
		report(checklist.Failed.Step("login", serverError(err),
			"Check user and password in SMTP_URL (special characters are written %40 for @, %3A for :), and whether the account may use SMTP."))
		return
	case c.Server.User == "":
		report(checklist.Skipped.Step("login", "SMTP_URL has no user", ""))
	default:
		report(checklist.OK.Step("login", "as "+c.Server.User, ""))
	}
	defer c.Server.quit(client)
	source, err := c.Server.source(c.Message)
	if err == nil {
		err = c.Server.transmit(client, c.Message, source)
	}
	if err != nil {
		report(checklist.Failed.Step("mail", err.Error(), adviceOf(err)))
		return
	}
	report(checklist.OK.Step("mail", "the server has accepted a mail to "+c.Message.To,
		"Look whether it arrives, also in the folder for spam."))
}

// checkEncryption connects and starts TLS.
func (c Check) checkEncryption(ctx context.Context, report func(checklist.Step)) bool {
	s := c.Server
	address := net.JoinHostPort(s.Host, fmt.Sprint(s.Port))
	ctx, cancel := context.WithTimeout(ctx, s.limits().Command)
	defer cancel()
	conn := &guardedConn{}
	if err := conn.dial(ctx, &net.Dialer{Resolver: c.Resolver}, "tcp", address); err != nil {
		report(checklist.Failed.Step("connection", err.Error(),
			"Check the port in SMTP_URL, and whether a firewall blocks it: many hosters block port 25, use 587 or 465."))
		return false
	}
	defer conn.close()
	client, err := s.greet(ctx, conn)
	if failed := new(encryptionError); errors.As(err, &failed) {
		report(checklist.OK.Step("connection", address, ""))
		report(checklist.Failed.Step("TLS", failed.Error(), failed.advice()))
		return false
	}
	if err != nil {
		report(checklist.Failed.Step("connection", "no greeting: "+serverError(err),
			"Check whether this port speaks SMTP: smtps:// in SMTP_URL is for TLS from the first byte (port 465), smtp:// for STARTTLS (587)."))
		return false
	}
	report(checklist.OK.Step("connection", address, ""))
	step := checklist.OK.Step("TLS", "", "")
	if state, encrypted := client.TLSConnectionState(); encrypted {
		leaf := state.PeerCertificates[0]
		step.Detail = fmt.Sprintf("%s, certificate of %s until %s", tls.VersionName(state.Version), strings.Join(leaf.DNSNames, ", "),
			leaf.NotAfter.Format(time.DateOnly))
	} else {
		step = checklist.Skipped.Step("TLS", "the server offers none, and mails are sent without it on localhost and in development", "")
	}
	report(step)
	return true
}

// encryptionError is a failure to start TLS.
type encryptionError struct{ error }

func (e encryptionError) Unwrap() error { return e.error }

func (e encryptionError) advice() string {
	var host x509.HostnameError
	var authority x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(e.error, &host):
		return "Write one of the names in the certificate as the host of SMTP_URL."
	case errors.As(e.error, &authority):
		return "Give the server a certificate of a public authority with its intermediate certificates, or install its authority on this machine."
	case errors.As(e.error, &invalid):
		return "Renew the certificate of the server, and check the clocks of both machines."
	}
	return "Let the server offer STARTTLS with TLS 1.2 or newer, or use smtps:// in SMTP_URL if it expects TLS from the first byte."
}

var errNoTLS = errors.New("the server does not offer STARTTLS")

// greet reads the greeting and starts TLS. Its errors are those of the connection, or an
// encryptionError.
func (s *Server) greet(ctx context.Context, conn net.Conn) (*smtp.Client, error) {
	if s.ImplicitTLS {
		encrypted := tls.Client(conn, s.tlsConfig())
		if err := encrypted.HandshakeContext(ctx); err != nil {
			return nil, &encryptionError{err}
		}
		conn = encrypted
	}
	client, err := smtp.NewClient(conn, s.Host)
	if err == nil {
		err = client.Hello("localhost")
	}
	if err != nil || s.ImplicitTLS {
		return client, err
	}
	offered, _ := client.Extension("STARTTLS")
	switch {
	case offered:
		err = client.StartTLS(s.tlsConfig())
	case !s.PlainAllowed:
		err = errNoTLS
	}
	if err != nil {
		return nil, &encryptionError{err}
	}
	return client, nil
}

// serverError returns the response of the server, or the error of the network.
func serverError(err error) string {
	var response *textproto.Error
	var network net.Error
	switch {
	case errors.As(err, &response):
		return fmt.Sprintf("%d %s", response.Code, response.Msg)
	case errors.As(err, &network) && network.Timeout():
		return "the server did not answer in time"
	}
	return err.Error()
}

// adviceOf returns the advice about a mail that was not accepted.
func adviceOf(err error) string {
	var refused *RefusalError
	if !errors.As(err, &refused) {
		return "The server ended the connection: its log says why."
	}
	switch {
	case !refused.Permanent():
		return "The server asks to try again later (greylisting): do so in a few minutes. If it still refuses, its log says why."
	case strings.HasPrefix(refused.Status, "5.1."):
		return "Check the address of the recipient, and that MAIL_FROM exists at the server."
	case strings.HasPrefix(refused.Status, "5.7."):
		return "The server does not let this machine or user send: sign in by SMTP_URL, use an address of that account as MAIL_FROM, and correct the DNS records below."
	}
	return "The log of the server says why it refused the mail."
}

// checkRecords checks the DNS records of the sender.
func (c Check) checkRecords(ctx context.Context, server []net.IP, report func(checklist.Step)) {
	for _, check := range []func(context.Context) checklist.Step{
		func(ctx context.Context) checklist.Step { return c.CheckSPF(ctx, server) }, c.checkDKIM, c.checkDMARC, c.checkBounces,
	} {
		limited, cancel := context.WithTimeout(ctx, stepTimeout)
		report(check(limited))
		cancel()
	}
}

// signed returns the encoded mail, with its signature.
func (c Check) signed() (*bytes.Reader, error) {
	source, err := c.Server.source(c.Message)
	return bytes.NewReader(source), err
}
