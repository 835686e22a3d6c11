package smtp

import (
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"strings"

	"blitiri.com.ar/go/spf"
	"github.com/emersion/go-msgauth/dkim"
	"github.com/emersion/go-msgauth/dmarc"
	"golang.org/x/net/publicsuffix"

	"moothall/internal/platform/checklist"
)

// domainOf returns the part after the @.
func domainOf(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }

// dnsError describes an error of DNS with the name that was looked up.
func dnsError(err error) string {
	var failed *net.DNSError
	switch {
	case !errors.As(err, &failed):
		return err.Error()
	case failed.IsNotFound:
		return "DNS does not know " + failed.Name
	case failed.IsTimeout:
		return "DNS did not answer in time about " + failed.Name
	}
	return "DNS failed about " + failed.Name + ": " + failed.Err
}

const dnsAdvice = "Try again later, and check the name servers of the domain."

// CheckSPF checks whether the domain of the envelope allows the addresses of the server (RFC 7208).
// The record cannot allow addresses that are not public.
func (c Check) CheckSPF(ctx context.Context, server []net.IP) checklist.Step {
	sender, err := c.Message.sender()
	if err != nil {
		return checklist.Failed.Step("SPF", "the sender is no address", "Correct MAIL_FROM.")
	}
	if len(server) == 0 {
		return checklist.Skipped.Step("SPF", "the address of the server is unknown", "")
	}
	domain, public := domainOf(sender), false
	for _, ip := range server {
		result, err := spf.CheckHostWithSender(ip, domain, sender, spf.WithResolver(c.Resolver), spf.WithContext(ctx))
		local := ip.IsLoopback() || ip.IsPrivate()
		switch {
		case result == spf.None:
			return checklist.Failed.Step("SPF", domain+" has no SPF record",
				fmt.Sprintf("Add the record %s TXT \"v=spf1 a:%s -all\", with the servers that send for the domain.", domain, c.Server.Host))
		case result == spf.TempError:
			return checklist.Failed.Step("SPF", fmt.Sprintf("%s: %v", domain, err), dnsAdvice)
		case result == spf.PermError:
			return checklist.Failed.Step("SPF", fmt.Sprintf("the record of %s is wrong: %v", domain, err),
				"Correct it: one record that begins with v=spf1, and at most 10 lookups.")
		case !local && result != spf.Pass:
			return checklist.Failed.Step("SPF", fmt.Sprintf("the record of %s does not allow %s: %s", domain, ip, result),
				"Add a:"+c.Server.Host+" to the record. If the mail server sends from another address, add that one or what its provider says.")
		}
		public = public || !local
	}
	if !public {
		return checklist.OK.Step("SPF", domain+" has an SPF record",
			"Check that it allows the address from which the mail server sends to the internet: that is not visible from here.")
	}
	return checklist.OK.Step("SPF", domain+" allows "+c.Server.Host, "")
}

// checkDKIM verifies the signature of the mail with the key in DNS (RFC 6376).
func (c Check) checkDKIM(ctx context.Context) checklist.Step {
	signer := c.Server.DKIM
	if signer == nil {
		return checklist.Skipped.Step("DKIM", "DKIM is not set",
			"Let the mail server sign: the mail that arrives must have a header DKIM-Signature.")
	}
	name := signer.Selector + "._domainkey." + signer.Domain
	add := fmt.Sprintf("Set the record %s TXT %q.", name, signer.Record())
	source, err := c.signed()
	if err != nil {
		return checklist.Failed.Step("DKIM", err.Error(), "Correct MAIL_FROM and DKIM.")
	}
	found, err := dkim.VerifyWithOptions(source,
		&dkim.VerifyOptions{LookupTXT: func(name string) ([]string, error) { return c.Resolver.LookupTXT(ctx, name) }})
	if err == nil && len(found) == 1 {
		err = found[0].Err
	}
	switch {
	case dkim.IsTempFail(err):
		return checklist.Failed.Step("DKIM", err.Error(), dnsAdvice)
	case err != nil:
		return checklist.Failed.Step("DKIM", name+": "+err.Error(), add)
	}
	return checklist.OK.Step("DKIM", "the key of "+name+" verifies the mail", "")
}

// Record returns the DNS record of the public key.
func (s *Signer) Record() string {
	kind := "rsa"
	var public []byte
	if key, ok := s.key.Public().(ed25519.PublicKey); ok {
		kind, public = "ed25519", key
	} else {
		public, _ = x509.MarshalPKIXPublicKey(s.key.Public()) // never fails for an RSA key
	}
	return "v=DKIM1; k=" + kind + "; p=" + base64.StdEncoding.EncodeToString(public)
}

// checkDMARC looks for the policy of the domain of the sender, or of the domain that it belongs
// to (RFC 7489).
func (c Check) checkDMARC(ctx context.Context) checklist.Step {
	from, err := netmail.ParseAddress(c.Message.From)
	if err != nil {
		return checklist.Failed.Step("DMARC", "the sender is no address", "Correct MAIL_FROM.")
	}
	domain := domainOf(from.Address)
	lookup := &dmarc.LookupOptions{LookupTXT: func(name string) ([]string, error) { return c.Resolver.LookupTXT(ctx, name) }}
	record, err := dmarc.LookupWithOptions(domain, lookup)
	if parent, invalid := publicsuffix.EffectiveTLDPlusOne(domain); errors.Is(err, dmarc.ErrNoPolicy) && invalid == nil && parent != domain {
		domain = parent
		record, err = dmarc.LookupWithOptions(domain, lookup)
	}
	switch {
	case errors.Is(err, dmarc.ErrNoPolicy):
		return checklist.Failed.Step("DMARC", "_dmarc."+domain+" has no record",
			fmt.Sprintf("Add the record _dmarc.%s TXT \"v=DMARC1; p=none; rua=mailto:postmaster@%s\". Change p to quarantine when the reports show no failures.", domain, domain))
	case dmarc.IsTempFail(err):
		return checklist.Failed.Step("DMARC", dnsError(err), dnsAdvice)
	case err != nil:
		return checklist.Failed.Step("DMARC", "_dmarc."+domain+": "+err.Error(), "Correct the record: it begins with v=DMARC1; p=none.")
	case record.Policy == dmarc.PolicyNone:
		return checklist.OK.Step("DMARC", "_dmarc."+domain+" has p=none", "Change p to quarantine when the reports show no failures.")
	}
	return checklist.OK.Step("DMARC", "_dmarc."+domain+" has p="+string(record.Policy), "")
}

// checkBounces looks for the mail server that gets the mails that come back.
func (c Check) checkBounces(ctx context.Context) checklist.Step {
	if c.Bounces == "" {
		return checklist.Skipped.Step("bounces", "MAIL_BOUNCES is not set: nobody notices addresses that do not exist", "")
	}
	domain := domainOf(c.Bounces)
	servers, err := c.Resolver.LookupMX(ctx, domain)
	if err == nil && len(servers) > 0 {
		return checklist.OK.Step("bounces", domain+" gets mail at "+strings.TrimSuffix(servers[0].Host, "."), "")
	}
	if found, hostErr := c.Resolver.LookupHost(ctx, domain); hostErr == nil && len(found) > 0 {
		return checklist.OK.Step("bounces", domain+" gets mail at "+found[0], "")
	}
	return checklist.Failed.Step("bounces", dnsError(err),
		fmt.Sprintf("Add the record %s MX 10 with the mail server that runs \"moothall mail receive\".", domain))
}
