package delivery_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"mime"
	"mime/multipart"
	netmail "net/mail"
	"net/netip"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"moothall/api/gen"
	"moothall/internal/core/notify"
	"moothall/internal/delivery/mail"
	"moothall/internal/domain"
	"moothall/internal/platform/seal"
	"moothall/internal/platform/smtp"
	"moothall/internal/test/apptest"
)

// hostile are names, titles and places that try to break out of where a mail shows them.
var hostile = []string{
	"Chess\r\nBcc: thief@example.org",
	"Chess\nContent-Type: text/html\n\n<script>alert(1)</script>",
	"=?utf-8?Q?=0D=0ABcc:_thief@example.org?=",
	"=?utf-8?B?" + strings.Repeat("QUFB", 60) + "?=",
	`<script>alert(1)</script><img src=x onerror=alert(1)>`,
	`"><a href="javascript:alert(1)">x</a>`,
	"--boundary\r\nContent-Type: text/html",
	"\u202egnp.exe\u202c",
	"Ö" + strings.Repeat("\u0301", 400),
	strings.Repeat("long ", 60),
	strings.Repeat("ж", 200),
	"👩‍👩‍👧‍👧 family",
	"{{.Subject}} %s %n ${jndi:ldap://x}",
	".",
	"From the start",
	"\x00\x07\x1b[31mred",
	"Tea, \"quoted\" (comment) <ann@example.org>",
}

// understood is what the parser of another language reads.
type understood struct {
	Subject, Text, HTML, To, From, ID string
	Attachments                       int
	Headers                           []string
}

func parseMails(t *testing.T, sources []string) (all []understood) {
	t.Helper()
	input, err := json.Marshal(sources)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "node", "parse.mjs")
	command.Dir, command.Stdin = apptest.NodeProject(t, "testdata/mailparser"), bytes.NewReader(input)
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(output, &all); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return all
}

// shown is what a mail shows of a text: one line without control characters.
func shown(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)), " ")
}

// hostileMessages are mails of every kind. The text is the subject, unless the mail is a digest.
func hostileMessages() (all []mail.Message, texts []string) {
	event := domain.NewID[domain.EventKind](apptest.Today)
	href, body := "/events/"+event.String(), strings.Join(hostile, "\n")
	add := func(kind notify.Kind, text string, body string) {
		item := notify.Item{Kind: kind, Title: text, Subject: text, Body: &body, Href: &href, EventID: &event, Asks: true}
		m := mail.Message{ID: "1234", Address: "ann@example.org", Language: "de", Kind: kind, At: apptest.Today, Items: []notify.Item{item}}
		if kind == "digest" {
			m.Items, m.More = append(m.Items, item), 3
			text += ", und noch 4 Neuigkeiten"
		}
		all, texts = append(all, m), append(texts, text)
	}
	for _, text := range hostile {
		add(notify.EventUpdated, text, text+"\n"+text)
	}
	for i, kind := range append(gen.NotificationKind("").AllValues(), "digest", gen.NotificationKind(mail.AppointmentKind)) {
		add(notify.Kind(kind), hostile[i%len(hostile)], body)
	}
	return all, texts
}

// TestHostileTexts reads mails of every kind with two parsers. Hostile texts add no header and no
// part, and stay text.
func TestHostileTexts(t *testing.T) {
	server := apptest.NewMailServer(t, nil)
	mailer := &mail.Mailer{Transport: smtp.NewPool(smtpServer(t, server), 1), From: "Moothall <no-reply@example.org>",
		WebOrigin: apptest.WebOrigin, Pages: apptest.WebOrigin,
		PageURL: apptest.WebOrigin + "/u/", Tokens: mail.Tokens{Keys: seal.Keys{Current: []byte("key")}}}
	messages, texts := hostileMessages()
	for _, m := range messages {
		if err := mailer.Send(t.Context(), m); err != nil {
			t.Fatalf("%s %q: %v", m.Kind, m.Items[0].Title, err)
		}
	}
	var sources []string
	for _, m := range server.Received() {
		sources = append(sources, m.Text)
	}
	plain := parseMails(t, sources)
	for i, text := range texts {
		is := plain[i]
		if shown(is.Subject) != shown(text) {
			t.Errorf("%s: subject %q, want %q", messages[i].Kind, is.Subject, shown(text))
		}
		if is.To != "ann@example.org" || is.From != `"Moothall" <no-reply@example.org>` && is.From != "Moothall <no-reply@example.org>" ||
			is.ID != "<1234@example.org>" || is.Attachments != 0 {
			t.Errorf("%q: %+v", text, is)
		}
		for _, name := range is.Headers {
			if !slices.Contains([]string{"from", "to", "subject", "date", "message-id", "mime-version", "content-type", "user-agent", "x-mailer",
				"auto-submitted",
				"list-unsubscribe", "list-unsubscribe-post", "list-id", "feedback-id", "references", "in-reply-to"}, name) {
				t.Errorf("%s %q adds the header %s", messages[i].Kind, text, name)
			}
		}
		for _, tag := range []string{"<script", "<img", "javascript:alert(1)\"", "<a href=\"javascript"} {
			if strings.Contains(is.HTML, tag) {
				t.Errorf("%s %q: the html has %s", messages[i].Kind, text, tag)
			}
		}
		wantParts(t, text, sources[i])
	}
}

// wantParts reads a mail with Go's parser: a text and its html.
func wantParts(t *testing.T, text, source string) {
	t.Helper()
	m, err := netmail.ReadMessage(strings.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("%q: %s, %v", text, kind, err)
	}
	var kinds []string
	parts := multipart.NewReader(m.Body, params["boundary"])
	for {
		part, err := parts.NextPart()
		if err != nil {
			break
		}
		kinds = append(kinds, part.Header.Get("Content-Type"))
	}
	if strings.Join(kinds, ", ") != "text/plain; charset=UTF-8, text/html; charset=UTF-8" {
		t.Errorf("%q: parts %v", text, kinds)
	}
	for line := range strings.Lines(source) {
		if len(line) > 1000 {
			t.Errorf("%q: a line of %d bytes", text, len(line))
		}
	}
}

func smtpServer(t *testing.T, m *apptest.MailServer) *smtp.Server {
	t.Helper()
	address, err := netip.ParseAddrPort(m.Address)
	if err != nil {
		t.Fatal(err)
	}
	return &smtp.Server{Host: address.Addr().String(), Port: int(address.Port()), PlainAllowed: true}
}

// transport accepts every mail.
type transport struct{ sent int }

// Send implements mail.Transport.
func (t *transport) Send(context.Context, smtp.Message) error { t.sent++; return nil }

// TestLowMailLimitPostponesMails sends a mail while the limit per minute allows none, and again a minute later.
func TestLowMailLimitPostponesMails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := &transport{}
		mailer := mail.Mailer{Transport: to, From: "no-reply@example.org", PageURL: "https://moothall.test/u/", Pace: time.Tick(time.Minute)}
		canceled := mail.Message{Kind: notify.EventCanceled, Address: "ann@example.org", Items: []notify.Item{{Title: "Tea is canceled"}}}
		if err := mailer.Send(t.Context(), canceled); err != nil || to.sent != 1 {
			t.Errorf("a cancellation: %v, %d mails", err, to.sent)
		}
		to.sent = 0
		message := mail.Message{Kind: notify.EventUpdated, Address: "ann@example.org", Items: []notify.Item{{Title: "Tea has a new time"}}}
		var postponed mail.PostponedError
		if err := mailer.Send(t.Context(), message); !errors.As(err, &postponed) || !postponed.NotTried || to.sent != 0 {
			t.Errorf("%v, %d mails", err, to.sent)
		}
		time.Sleep(time.Minute)
		if err := mailer.Send(t.Context(), message); err != nil || to.sent != 1 {
			t.Errorf("a minute later: %v, %d mails", err, to.sent)
		}
	})
}
