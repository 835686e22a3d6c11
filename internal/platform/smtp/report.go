package smtp

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"net/textproto"
	"regexp"
	"strings"
)

// Report is the report of a mail server or a mailbox provider about a mail.
type Report struct {
	// Failed says that the mail was not delivered and the server does not retry it.
	Failed bool
	// Status is the enhanced status code (RFC 3463) such as 5.1.1; empty if there is none.
	Status string
	// Complaint says that the recipient called the mail spam (RFC 5965).
	Complaint bool
	// Sender is the address of the envelope of the mail; empty if the report does not name it.
	Sender string
}

const (
	maxReport = 1 << 20  // bytes of a report that are read
	maxText   = 16 << 10 // bytes of a text that are searched
	maxNested = 5        // nested multiparts
	maxParts  = 50       // of one multipart
)

// ReadReport reads a delivery status notification (RFC 3464), a complaint (RFC 5965), or a bounce in
// plain text. For every other mail, such as an automatic reply, Failed and Complaint are false. It
// reads at most 1 MiB, and returns an error if the text is not a mail.
func ReadReport(source io.Reader) (Report, error) {
	reader := bufio.NewReader(io.LimitReader(source, maxReport))
	if start, _ := reader.Peek(5); string(start) == "From " { // of a mailbox file
		_, _ = reader.ReadString('\n') // an error is repeated by the next read
	}
	m, err := netmail.ReadMessage(reader)
	if err != nil {
		return Report{}, fmt.Errorf("mail.report: %w", err)
	}
	var p parts
	p.read(textproto.MIMEHeader(m.Header), m.Body, 0)
	r := Report{Sender: p.sender}
	switch {
	case p.complaint:
		r.Complaint = true
	case p.status != nil:
		r.Failed, r.Status = p.failed()
	case isFromServer(m.Header):
		r.Status = statusIn(p.text)
		r.Failed = strings.HasPrefix(r.Status, "5")
	}
	return r, nil
}

// parts are the parts of a report.
type parts struct {
	status    []textproto.MIMEHeader // of message/delivery-status: one for each recipient
	complaint bool
	sender    string
	text      string // the first one
}

// read reads a part and its nested parts. It takes only the return path of the original mail, whose
// other contents prove nothing.
func (p *parts) read(header textproto.MIMEHeader, body io.Reader, depth int) {
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		kind = "text/plain"
	}
	body = decoded(header, body)
	switch {
	case strings.HasPrefix(kind, "multipart/") && depth < maxNested:
		all := multipart.NewReader(body, params["boundary"])
		for range maxParts {
			part, err := all.NextRawPart()
			if err != nil {
				return
			}
			p.read(part.Header, part, depth+1)
		}
	case kind == "message/delivery-status", kind == "message/global-delivery-status":
		p.status = append(p.status, fieldGroups(body)...)
	case kind == "message/feedback-report":
		p.readComplaint(fieldGroups(body))
	case kind == "message/rfc822", kind == "message/global", kind == "text/rfc822-headers", kind == "message/global-headers":
		p.setSender(fieldGroups(io.LimitReader(body, maxText))[0].Get("Return-Path"))
	case kind == "text/plain" && p.text == "":
		text, _ := io.ReadAll(io.LimitReader(body, maxText)) // the beginning of a broken text counts, too
		p.text = string(text)
	}
}

func decoded(header textproto.MIMEHeader, body io.Reader) io.Reader {
	switch strings.ToLower(strings.TrimSpace(header.Get("Content-Transfer-Encoding"))) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		return quotedprintable.NewReader(body)
	}
	return body
}

// fieldGroups returns groups of fields that empty lines separate; at least one.
func fieldGroups(body io.Reader) []textproto.MIMEHeader {
	var all []textproto.MIMEHeader
	reader := textproto.NewReader(bufio.NewReader(body))
	for len(all) < maxParts {
		group, err := reader.ReadMIMEHeader()
		if len(group) > 0 || len(all) == 0 {
			all = append(all, group)
		}
		if err != nil {
			break
		}
	}
	return all
}

func (p *parts) readComplaint(groups []textproto.MIMEHeader) {
	kind := strings.ToLower(groups[0].Get("Feedback-Type"))
	p.complaint = kind == "abuse" || kind == "fraud" || kind == "opt-out"
	p.setSender(groups[0].Get("Original-Mail-From"))
}

func (p *parts) setSender(path string) {
	if p.sender == "" {
		p.sender = strings.Trim(strings.TrimSpace(path), "<>")
	}
}

// failed returns whether the delivery has failed, and the status of the failure. A mail has one
// recipient, so the first failure counts.
func (p *parts) failed() (bool, string) {
	for _, fields := range p.status {
		status := statusIn(fields.Get("Status"))
		action, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(fields.Get("Action"))), " ")
		if action != "failed" && (action != "" || !strings.HasPrefix(status, "5")) {
			continue
		}
		return true, StatusOf(status, fields.Get("Diagnostic-Code"))
	}
	return false, ""
}

// StatusOf returns the enhanced status code of a failure: the reported code, or the code in the answer
// of the receiving server if it is more exact. It is empty if there is none.
func StatusOf(reported, answer string) string {
	status := statusIn(reported)
	if detail := statusIn(answer); status == "" || strings.HasSuffix(status, ".0.0") && detail != "" {
		return detail
	}
	return status
}

var (
	// statusCode is an enhanced status code in a text; it is not a part of an IP address.
	statusCode = regexp.MustCompile(`(?:^|[\s(#=:;-])([45]\.\d{1,3}\.\d{1,3})(?:$|[\s),:;-])`)
	// unknownUser matches the texts of servers without such codes for a missing mailbox.
	unknownUser = regexp.MustCompile(`(?i)user unknown|unknown user|no such user|no mailbox here|mailbox not found|` +
		`mailbox does not exist|user does ?n[o']t exist|unrouteable address`)
	// originalMail matches the line after which a text contains the original mail.
	originalMail = regexp.MustCompile(`(?im)^(received:|return-path:|.*\bcopy of the message\b.*|-+ ?original message.*)`)
)

// statusIn returns the first enhanced status code in a text, or 5.1.1 if it says that there is
// no such user, or nothing.
func statusIn(text string) string {
	if end := originalMail.FindStringIndex(text); end != nil {
		text = text[:end[0]]
	}
	if found := statusCode.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	if unknownUser.MatchString(text) {
		return "5.1.1"
	}
	return ""
}

// isFromServer reports whether a mail server wrote a mail, not a person or an automatic reply.
func isFromServer(header netmail.Header) bool {
	if header.Get("X-Failed-Recipients") != "" {
		return true
	}
	from, err := netmail.ParseAddress(header.Get("From"))
	if err != nil {
		return false
	}
	name, _, _ := strings.Cut(strings.ToLower(from.Address), "@")
	return name == "mailer-daemon" || name == "postmaster"
}
