package delivery_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// provided is a service whose mails two providers send.
type provided struct {
	*bouncing
	sendGridKey *ecdsa.PrivateKey
}

const (
	mailgunKey   = "key-0123456789abcdef"
	mailgunPath  = "/mail/events/mailgun"
	sendGridPath = "/mail/events/sendgrid"
)

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func eachProvided(t *testing.T, engines []db.Engine, test func(t *testing.T, a *provided)) {
	t.Helper()
	key := newKey(t)
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	eachWithServer(t, engines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		test(t, &provided{&bouncing{App: a, t: t, server: m}, key})
	}, apptest.Setting("MAIL_EVENTS",
		"mailgun:"+mailgunKey+", sendgrid:"+base64.StdEncoding.EncodeToString(public)))
}

// mailAll mails each user, and returns the Message-IDs by the names of the users.
func (a *provided) mailAll(names ...string) map[string]string {
	a.t.Helper()
	before, org := len(a.server.Received()), a.As("org")
	event := org.Publish(nil)
	for _, name := range names {
		a.As(name).Join(event)
	}
	org.Post("/events/"+event+"/cancel", nil).Want(200)
	a.Clock.Advance(2 * time.Minute)
	a.RunJobs()
	ids := map[string]string{}
	for _, m := range a.server.Received()[before:] {
		if strings.Contains(m.Text, "List-Unsubscribe") {
			ids[m.To] = messageID(a.t, m.Text)
		}
	}
	for _, name := range names {
		ids[name] = ids[apptest.Email(name)]
		if ids[name] == "" {
			a.t.Fatalf("%s got no mail", name)
		}
	}
	return ids
}

// byMailgun returns a request of Mailgun with an event.
func byMailgun(key, event string, at time.Time) string {
	timestamp, token := strconv.FormatInt(at.Unix(), 10), rand.Text()
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(timestamp + token))
	return fmt.Sprintf(`{"signature":{"timestamp":%q,"token":%q,"signature":%q},"event-data":%s}`, timestamp, token,
		hex.EncodeToString(mac.Sum(nil)), event)
}

// bySendGrid returns a client whose requests have the signature of SendGrid for a body.
func (a *provided) bySendGrid(key *ecdsa.PrivateKey, body string, at time.Time) *apptest.Client {
	a.t.Helper()
	timestamp := strconv.FormatInt(at.Unix(), 10)
	digest := sha256.Sum256([]byte(timestamp + body))
	signature, err := ecdsa.SignASN1(rand.Reader, key, digest[:])
	if err != nil {
		a.t.Fatal(err)
	}
	return a.Anonymous().With("X-Twilio-Email-Event-Webhook-Timestamp", timestamp).
		With("X-Twilio-Email-Event-Webhook-Signature", base64.StdEncoding.EncodeToString(signature))
}

// report sends a signed event. In an event, ADDRESS and ID stand for those of the mail.
func (a *provided) report(path, event, address, id string) *apptest.Reply {
	a.t.Helper()
	event = strings.NewReplacer("ADDRESS", address, "ID", id).Replace(event)
	if path == mailgunPath {
		return a.Anonymous().Post(path, byMailgun(mailgunKey, event, a.Clock.Now()))
	}
	body := "[" + event + "]\r\n"
	return a.bySendGrid(a.sendGridKey, body, a.Clock.Now()).Post(path, body)
}

// The events of both providers, as they document them.
const (
	mailgunFailed = `{"event":"failed","severity":"permanent","reason":"bounce","recipient":"ADDRESS","message":{"headers":{"message-id":"ID"}},` +
		`"delivery-status":{"attempt-no":1,"code":550,"enhanced-code":"5.1.1","message":"No such user","description":null}}`
	mailgunComplained = `{"event":"complained","recipient":"ADDRESS","message":{"headers":{"message-id":"ID"}},"user-variables":{}}`
	sendGridBounce    = `{"event":"bounce","email":"ADDRESS","smtp-id":"ID","status":"5.1.1","reason":"550 5.1.1 no such user","type":"bounce","timestamp":1}`
	sendGridSpam      = `{"event":"spamreport","email":"ADDRESS","smtp-id":"ID","sg_event_id":"x"}`
)

// instead returns an event with a change.
func instead(event, was, is string) string { return strings.Replace(event, was, is, 1) }

var failedOfStmt = db.SQL("deliver_test.failed_of", `SELECT COUNT(*) FROM deliveries WHERE user_id = $1 AND channel = 'email'
	AND state = 'failed'`)

// TestMailEvents reports what became of a mail to a user of its own for each row.
func TestMailEvents(t *testing.T) {
	type outcome struct{ failed, suppressed, complained bool }
	nothing, bounced := outcome{}, outcome{failed: true, suppressed: true}
	eachProvided(t, dbtest.Engines, func(t *testing.T, a *provided) {
		rows := []struct {
			name, path, event string
			want              outcome
		}{
			{"hard bounce", mailgunPath, mailgunFailed, bounced},
			{"code only in the text", mailgunPath, instead(mailgunFailed, `"enhanced-code":"5.1.1","message":"`, `"message":"550 5.1.1 `), bounced},
			{"Message-ID without brackets", mailgunPath, instead(mailgunFailed, `"ID"`, `"BARE"`), bounced},
			{"on the list of bounces", mailgunPath, instead(mailgunFailed, `"bounce"`, `"suppress-bounce"`), bounced},
			{"full mailbox", mailgunPath, instead(mailgunFailed, "5.1.1", "5.2.2"), outcome{failed: true}},
			{"refused as spam", mailgunPath, instead(mailgunFailed, "5.1.1", "5.7.1"), outcome{failed: true}},
			{"is tried again", mailgunPath, instead(mailgunFailed, "permanent", "temporary"), nothing},
			{"on the list of unsubscribed", mailgunPath, instead(mailgunFailed, `"bounce"`, `"suppress-unsubscribe"`), nothing},
			{"complaint", mailgunPath, mailgunComplained, outcome{complained: true}},
			{"on the list of complaints", mailgunPath, instead(mailgunFailed, `"bounce"`, `"suppress-complaint"`), outcome{complained: true}},
			{"delivered", mailgunPath, instead(mailgunFailed, `"failed"`, `"delivered"`), nothing},
			{"another Message-ID", mailgunPath, instead(mailgunFailed, "ID", "<other@example.org>"), outcome{suppressed: true}},

			{"hard bounce", sendGridPath, sendGridBounce, bounced},
			{"code only in the reason", sendGridPath, instead(sendGridBounce, `"5.1.1"`, `"5.0.0"`), bounced},
			{"classified without a code", sendGridPath, instead(sendGridBounce, `"status":"5.1.1","reason":"550 5.1.1 no such user"`, `"bounce_classification":"Invalid Address"`), bounced},
			{"without a Message-ID", sendGridPath, instead(sendGridBounce, `"smtp-id":"ID",`, ""), outcome{suppressed: true}},
			{"on the list of bounces", sendGridPath, instead(instead(sendGridBounce, `"bounce"`, `"dropped"`), "550 5.1.1 no such user", "Bounced Address"), bounced},
			{"blocked", sendGridPath, instead(instead(sendGridBounce, `"5.1.1"`, `"5.7.1"`), "550 5.1.1", "550 5.7.1"), outcome{failed: true}},
			{"is tried again", sendGridPath, instead(sendGridBounce, `"bounce"`, `"deferred"`), nothing},
			{"on the list of unsubscribed", sendGridPath, instead(instead(sendGridBounce, `"bounce"`, `"dropped"`), "550 5.1.1 no such user", "Unsubscribed Address"), nothing},
			{"complaint", sendGridPath, sendGridSpam, outcome{complained: true}},
			{"on the list of complaints", sendGridPath, instead(instead(sendGridBounce, `"bounce"`, `"dropped"`), "550 5.1.1 no such user", "Spam Reporting Address"), outcome{complained: true}},
			{"delivered", sendGridPath, instead(sendGridBounce, `"bounce"`, `"delivered"`), nothing},
		}
		names := make([]string, len(rows))
		for i := range rows {
			names[i] = "user" + string(rune('a'+i))
		}
		ids := a.mailAll(names...)
		for i, row := range rows {
			name := names[i]
			event := strings.Replace(row.event, "BARE", strings.Trim(ids[name], "<>"), 1)
			for range 2 {
				if got := a.report(row.path, event, strings.ToUpper(apptest.Email(name)), ids[name]).Want(200); got.Get("events") != 1.0 {
					t.Errorf("%s %s: %s", row.path, row.name, got.Body)
				}
			}
			n := a.Count(failedOfStmt, a.As(name).ID())
			got := outcome{n == 1, a.suppressed(name), modeOf(a.As(name).Get(preferencesPath).Want(200), "event_announcement",
				"email") == "off instant"}
			if got != row.want || n > 1 {
				t.Errorf("%s %s: %+v, %d failed, want %+v", row.path, row.name, got, n, row.want)
			}
		}
	})
}

// TestRepeatedMailEvents counts an event about one mail once: after a later sign-in by e-mail, the
// event of before has no effect.
func TestRepeatedMailEvents(t *testing.T) {
	eachProvided(t, dbtest.RuleEngines, func(t *testing.T, a *provided) {
		ids := a.mailAll("ann", "ben")
		for name, path := range map[string]string{"ann": mailgunPath, "ben": sendGridPath} {
			event := map[string]string{mailgunPath: mailgunFailed, sendGridPath: sendGridBounce}[path]
			a.report(path, event, apptest.Email(name), ids[name]).Want(200)
			if !a.suppressed(name) {
				t.Errorf("%s: the event has no effect", path)
			}
			a.SignIn(apptest.Email(name))
			a.report(path, event, apptest.Email(name), ids[name]).Want(200)
			if a.suppressed(name) {
				t.Errorf("%s: the repeated event has an effect", path)
			}
		}
	})
}

// TestMailgunTokenWorksOnce sends an event again with the signature of another one, before and after an error.
func TestMailgunTokenWorksOnce(t *testing.T) {
	eachProvided(t, dbtest.RuleEngines, func(t *testing.T, a *provided) {
		ids := a.mailAll("ann", "ben")
		ofAnn := strings.NewReplacer("ADDRESS", apptest.Email("ann"), "ID", ids["ann"]).Replace(mailgunFailed)
		ofBen := strings.NewReplacer("ADDRESS", apptest.Email("ben"), "ID", ids["ben"]).Replace(mailgunFailed)
		signed := byMailgun(mailgunKey, ofAnn, a.Clock.Now())
		a.Anonymous().Post(mailgunPath, strings.Replace(signed, ofAnn, "{}", 1)).WantError(400, "invalid_request")
		for i, body := range []string{signed, signed, strings.Replace(signed, ofAnn, ofBen, 1)} {
			if got := a.Anonymous().Post(mailgunPath, body).Want(200); got.Get("events") != float64(max(0, 1-i)) {
				t.Errorf("request %d: %s", i, got.Body)
			}
		}
		if !a.suppressed("ann") || a.suppressed("ben") {
			t.Error("a used token has an effect, or an unused one has none")
		}
	})
}

// TestSoftMailEvents suppresses an address whose mails fail temporarily on three days, not one
// about which three events come on one day.
func TestSoftMailEvents(t *testing.T) {
	eachProvided(t, dbtest.RuleEngines, func(t *testing.T, a *provided) {
		full := instead(instead(sendGridBounce, `"smtp-id":"ID",`, ""), `"status":"5.1.1","reason":"550 5.1.1`,
			`"status":"5.2.2","reason":"552 5.2.2`)
		for range 3 {
			if a.suppressed("ann") {
				t.Error("suppressed on the first days")
			}
			for range 3 {
				a.report(sendGridPath, full, apptest.Email("ann"), "").Want(200)
			}
			a.Exec(dayPassesStmt)
		}
		if !a.suppressed("ann") {
			t.Error("not suppressed after three days")
		}
	})
}

// TestMailEventSignatures sends requests that fail each check, in the order of the checks.
func TestMailEventSignatures(t *testing.T) {
	eachProvided(t, dbtest.RuleEngines, func(t *testing.T, a *provided) {
		a.As("ann")
		now, nobody, stranger := a.Clock.Now(), a.Anonymous(), newKey(t)
		address := strings.NewReplacer("ADDRESS", apptest.Email("ann"))
		event, batch := address.Replace(mailgunFailed), "["+address.Replace(sendGridBounce)+"]"
		unknown, others := instead(mailgunFailed, "ADDRESS", "nobody@example.com"), strings.Repeat(`{"event":"bounce","email":"no address"},`,
			5)+`{"event":"open"}`
		sign := func(body string) *apptest.Client { return a.bySendGrid(a.sendGridKey, body, now) }
		space := strings.Repeat(" ", 256<<10)
		for _, c := range []struct {
			what       string
			client     *apptest.Client
			path, body string
			status     int
			code       string
		}{
			{"forged", nobody, mailgunPath, byMailgun("key-of-a-stranger", event, now), 401, "unauthorized"},
			{"too old", nobody, mailgunPath, byMailgun(mailgunKey, event, now.Add(-5*time.Minute-time.Second)), 401, "unauthorized"},
			{"from the future", nobody, mailgunPath, byMailgun(mailgunKey, event, now.Add(5*time.Minute+time.Second)), 401, "unauthorized"},
			{"another timestamp", nobody, mailgunPath, strings.Replace(byMailgun(mailgunKey, event, now), `"timestamp":"1`, `"timestamp":"01`, 1), 401, "unauthorized"},
			{"unsigned", nobody, mailgunPath, `{"event-data":` + event + `}`, 401, "unauthorized"},
			{"malformed", nobody, mailgunPath, `{`, 401, "unauthorized"},
			{"of the other provider", sign(batch), mailgunPath, batch, 401, "unauthorized"},
			{"without an event", nobody, mailgunPath, byMailgun(mailgunKey, `{}`, now), 400, "invalid_request"},
			{"an event of another type", nobody, mailgunPath, byMailgun(mailgunKey, `"failed"`, now), 400, "invalid_request"},
			{"too large", nobody, mailgunPath, byMailgun(mailgunKey, event, now) + space, 413, "payload_too_large"},
			{"another content type", nobody.With("Content-Type", "text/plain"), mailgunPath, byMailgun(mailgunKey, unknown, now), 415, "unsupported_media_type"},
			{"an unknown address", nobody, mailgunPath, byMailgun(mailgunKey, unknown, now), 200, ""},

			{"forged", a.bySendGrid(stranger, batch, now), sendGridPath, batch, 401, "unauthorized"},
			{"too old", a.bySendGrid(a.sendGridKey, batch, now.Add(-5*time.Minute-time.Second)), sendGridPath, batch, 401, "unauthorized"},
			{"from the future", a.bySendGrid(a.sendGridKey, batch, now.Add(5*time.Minute+time.Second)), sendGridPath, batch, 401, "unauthorized"},
			{"one byte more", sign(batch), sendGridPath, batch + " ", 401, "unauthorized"},
			{"unsigned", nobody, sendGridPath, batch, 401, "unauthorized"},
			{"not base64", sign(batch).With("X-Twilio-Email-Event-Webhook-Signature", "?"), sendGridPath, batch, 401, "unauthorized"},
			{"unsigned and malformed", nobody, sendGridPath, `[`, 401, "unauthorized"},
			{"malformed", sign(`[`), sendGridPath, `[`, 400, "invalid_request"},
			{"no array", sign(`{}`), sendGridPath, `{}`, 400, "invalid_request"},
			{"an address of another type", sign(`[{"event":"bounce","email":1}]`), sendGridPath, `[{"event":"bounce","email":1}]`, 400, "invalid_request"},
			{"too large", sign(batch + space), sendGridPath, batch + space, 413, "payload_too_large"},
			{"unknown addresses", sign("[" + others + "]"), sendGridPath, "[" + others + "]", 200, ""},
			{"no events", sign("[]"), sendGridPath, "[]", 200, ""},

			{"another provider", sign(batch), "/mail/events/postmark", batch, 404, "not_found"},
			{"an invalid provider name", sign(batch), "/mail/events/Send-Grid", batch, 404, "not_found"},
		} {
			reply := c.client.Post(c.path, c.body)
			if c.code == "" {
				reply.Want(c.status)
			} else {
				reply.WantError(c.status, c.code)
			}
			if a.suppressed("ann") {
				t.Fatalf("%s %s has an effect", c.path, c.what)
			}
		}
	})
}

// TestMailEventsWithoutKey refuses events of providers that the settings do not name.
func TestMailEventsWithoutKey(t *testing.T) {
	apptest.Rules(t, func(_ *testing.T, a *apptest.App) {
		for _, path := range []string{mailgunPath, sendGridPath} {
			a.Anonymous().Post(path, byMailgun(mailgunKey, mailgunFailed, a.Clock.Now())).WantError(404, "not_found")
		}
	})
}
