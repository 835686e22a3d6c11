package smtp_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"moothall/internal/platform/smtp"
)

// statusReport is a delivery status notification with a part of given fields.
func statusReport(status string) string {
	return "From: MAILER-DAEMON@mx.example.net (Mail Delivery System)\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n" +
		"--b\nContent-Type: text/plain\n\nCould not be delivered.\n--b\nContent-Type: message/delivery-status\n\n" + status + "\n\n" +
		"--b\nContent-Type: message/rfc822\n\nReturn-Path: <bounces+abc@example.org>\nSubject: Chess\n\nHello\n--b--\n"
}

const perMessage = "Reporting-MTA: dns; mx.example.net\nArrival-Date: Fri, 20 Nov 2026 10:00:00 +0000\n\n"

// textBounce is a mail whose text says that another one came back.
func textBounce(from, text string) string {
	return "From: " + from + "\nSubject: failure notice\nContent-Type: text/plain\n\n" + text
}

// reports are mails and what they report: "failed STATUS", "complaint", "nothing".
var reports = map[string]struct{ source, want string }{
	"no such user":     {statusReport(perMessage + "Final-Recipient: rfc822; ann@example.net\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 <ann@example.net>: User unknown"), "failed 5.1.1"},
	"comment":          {statusReport(perMessage + "Action: failed (permanent)\nStatus: 5.1.1 (bad destination mailbox address)"), "failed 5.1.1"},
	"full mailbox":     {statusReport(perMessage + "Action: failed\nStatus: 5.2.2"), "failed 5.2.2"},
	"given up":         {statusReport(perMessage + "Action: failed\nStatus: 4.4.1\nDiagnostic-Code: X-Postfix; connect to mx.example.net: Connection timed out"), "failed 4.4.1"},
	"delayed":          {statusReport(perMessage + "Action: delayed\nStatus: 4.4.1\nWill-Retry-Until: Sat, 28 Nov 2026 10:00:00 +0000"), "nothing"},
	"delivered":        {statusReport(perMessage + "Action: delivered\nStatus: 2.0.0"), "nothing"},
	"relayed":          {statusReport(perMessage + "Action: relayed\nStatus: 2.0.0"), "nothing"},
	"second recipient": {statusReport(perMessage + "Action: delivered\nStatus: 2.0.0\n\nAction: failed\nStatus: 5.1.2"), "failed 5.1.2"},
	"no action":        {statusReport(perMessage + "Final-Recipient: rfc822; ann@example.net\nStatus: 5.1.1"), "failed 5.1.1"},
	"no status":        {statusReport(perMessage + "Action: failed"), "failed "},
	"diagnostic code is more exact": {statusReport(perMessage +
		"Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550-5.1.1 The account that you tried to reach does not exist"),
		"failed 5.1.1"},
	"words in the diagnostic code":   {statusReport(perMessage + "Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 No such user here"), "failed 5.1.1"},
	"an IP address is no status":     {statusReport(perMessage + "Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 554 host 5.1.1.2 is blocked"), "failed 5.0.0"},
	"folded fields and CRLF":         {strings.ReplaceAll(statusReport(perMessage+"Action:\n failed\nStatus:\n 5.1.1"), "\n", "\r\n"), "failed 5.1.1"},
	"base64":                         {encodedReport(), "failed 5.1.1"},
	"in a wrapper":                   {wrapped(1, statusReport(perMessage+"Action: failed\nStatus: 5.1.1")), "failed 5.1.1"},
	"too deep":                       {wrapped(9, statusReport(perMessage+"Action: failed\nStatus: 5.1.1")), "nothing"},
	"mailbox file":                   {"From MAILER-DAEMON Fri Nov 20 10:00:00 2026\n" + statusReport(perMessage+"Action: failed\nStatus: 5.1.1"), "failed 5.1.1"},
	"cut off in the original mail":   {strings.Split(statusReport(perMessage+"Action: failed\nStatus: 5.1.1"), "Subject: Chess")[0], "failed 5.1.1"},
	"in the original mail":           {"From: ann@example.net\nContent-Type: multipart/mixed; boundary=c\n\n--c\nContent-Type: message/rfc822\n\n" + statusReport(perMessage+"Action: failed\nStatus: 5.1.1") + "\n--c--\n", "nothing"},
	"qmail":                          {textBounce("MAILER-DAEMON@mx.example.net", "Hi. This is the qmail-send program at mx.example.net.\nI'm afraid I wasn't able to deliver your message.\n\n<ann@example.net>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nSubject: 5.2.2\n"), "failed 5.1.1"},
	"Exim":                           {"X-Failed-Recipients: ann@example.net\n" + textBounce("Mail Delivery System <Mailer-Daemon@mx.example.net>", "A message that you sent could not be delivered:\n\n  ann@example.net\n    Unrouteable address\n\n------ This is a copy of the message, including all the headers. ------\n"), "failed 5.1.1"},
	"Exim that tries again":          {textBounce("Mailer-Daemon@mx.example.net", "has not yet been delivered: 4.4.1 connection timed out"), "nothing"},
	"words after the original mail":  {textBounce("postmaster@mx.example.net", "Something happened.\n\nReceived: from x\nSubject: user unknown 5.1.1\n"), "nothing"},
	"a person writes":                {textBounce("Ann <ann@example.net>", "I got 550 5.1.1 user unknown, what does it mean?"), "nothing"},
	"automatic reply":                {"Auto-Submitted: auto-replied\n" + textBounce("Ann <ann@example.net>", "I am on holiday until 5.1."), "nothing"},
	"complaint":                      {complaint("abuse"), "complaint"},
	"complaint that is an opt-out":   {complaint("opt-out"), "complaint"},
	"a report that it was no spam":   {complaint("not-spam"), "nothing"},
	"an empty mail":                  {"\n", "nothing"},
	"a mail with a broken multipart": {"From: MAILER-DAEMON@x.example\nContent-Type: multipart/report\n\n--b\n", "nothing"},
	"not a mail":                     {"\x00\x01\x02", "error"},
	"too long":                       {"Subject: " + strings.Repeat("x", 2<<20), "error"},
}

func encodedReport() string {
	return "From: MAILER-DAEMON@mx.example.net\nContent-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\nContent-Transfer-Encoding: base64\n\n" +
		base64.StdEncoding.EncodeToString([]byte(perMessage+"Action: failed\nStatus: 5.1.1\n")) + "\n--b--\n"
}

// wrapped puts a mail with a multipart into others.
func wrapped(times int, source string) string {
	header, body, _ := strings.Cut(source, "\n\n")
	_, kind, _ := strings.Cut(header, "Content-Type:")
	body = "Content-Type:" + kind + "\n\n" + body
	for i := range times {
		boundary := "w" + string(rune('a'+i))
		body = "Content-Type: multipart/mixed; boundary=" + boundary + "\n\n--" + boundary + "\n" + body + "\n--" + boundary + "--\n"
	}
	return "From: MAILER-DAEMON@mx.example.net\n" + body
}

func complaint(kind string) string {
	return "From: <feedback@example.net>\nContent-Type: multipart/report; report-type=feedback-report; boundary=b\n\n" +
		"--b\nContent-Type: text/plain\n\nThis is an abuse report.\n--b\nContent-Type: message/feedback-report\n\n" +
		"Feedback-Type: " + kind + "\nUser-Agent: SomeGenerator/1.0\nVersion: 1\nOriginal-Mail-From: <bounces+abc@example.org>\n\n" +
		"--b\nContent-Type: message/rfc822\n\nReturn-Path: <other@example.org>\nSubject: Chess\n\nHello\n--b--\n"
}

func read(source string) string {
	r, err := smtp.ReadReport(strings.NewReader(source))
	switch {
	case err != nil:
		return "error"
	case r.Complaint:
		return "complaint"
	case r.Failed:
		return "failed " + r.Status
	}
	return "nothing"
}

func TestReadReport(t *testing.T) {
	for name, row := range reports {
		if got := read(row.source); got != row.want {
			t.Errorf("%s: %s, want %s", name, got, row.want)
		}
	}
	for name, source := range map[string]string{"failure": statusReport(perMessage + "Action: failed\nStatus: 5.1.1"),
		"complaint": complaint("abuse")} {
		if r, err := smtp.ReadReport(strings.NewReader(source)); err != nil || r.Sender != "bounces+abc@example.org" {
			t.Errorf("%s: sender %q, %v", name, r.Sender, err)
		}
	}
}

// FuzzReadReport looks for mails that crash the parser or keep it busy.
func FuzzReadReport(f *testing.F) {
	for _, row := range reports {
		if len(row.source) < 10_000 {
			f.Add(row.source)
		}
	}
	f.Fuzz(func(t *testing.T, source string) {
		r, err := smtp.ReadReport(strings.NewReader(source))
		if err == nil && r.Complaint && r.Failed {
			t.Errorf("%+v", r)
		}
	})
}
