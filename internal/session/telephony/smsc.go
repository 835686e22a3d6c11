package telephony

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// SMSCURL is where SMSC answers.
const SMSCURL = "https://smsc.ru"

// smsc is the "wait_call" of SMSC: it names a number, and then only reports
// who has called which number.
type smsc struct {
	client          *client
	login, password string
	key             string
}

// NewSMSC is SMSC at a base URL. Its reports are not signed: the key stands in
// the address that SMSC is told to call, as ?key=.
func NewSMSC(base, login, password, key string) Provider {
	return &smsc{newClient(base), login, password, key}
}

// Name is described at Provider.
func (*smsc) Name() string { return "smsc" }

// Receipt is described at Provider.
func (*smsc) Receipt() string { return "OK" }

// smscWaits is how long a number is waited on. SMSC sets no shorter limit.
const smscWaits = 5 * time.Minute

// Expect is described at Provider.
func (p *smsc) Expect(ctx context.Context, phone string) (Expected, error) {
	var a struct {
		Phone     text `json:"phone"`
		ErrorCode text `json:"error_code"`
	}
	form := url.Values{"login": {p.login}, "psw": {p.password}, "phone": {strings.TrimPrefix(phone, "+")}, "fmt": {"3"}}
	if err := p.client.post(ctx, "/sys/wait_call.php", form, &a); err != nil {
		return Expected{}, err
	}
	dial, ok := number(string(a.Phone))
	if !ok || a.ErrorCode != "" {
		return Expected{}, errors.New("telephony: SMSC gave no number to call")
	}
	return Expected{Ref: CallRef(phone, dial), Number: dial, Within: smscWaits}, nil
}

// Status is described at Provider: SMSC cannot be asked.
func (*smsc) Status(context.Context, string) (Status, error) { return Pending, nil }

// Reports is described at Provider. phone is who called, to the number that was
// called, ts the moment in Unix seconds.
func (p *smsc) Reports(form url.Values) ([]Report, error) {
	given, want := sha256.Sum256([]byte(form.Get("key"))), sha256.Sum256([]byte(p.key))
	if p.key == "" || subtle.ConstantTimeCompare(given[:], want[:]) != 1 {
		return nil, ErrForged
	}
	caller, okCaller := number(form.Get("phone"))
	dialled, okDialled := number(form.Get("to"))
	if !okCaller || !okDialled {
		return nil, nil
	}
	report := Report{Ref: CallRef(caller, dialled), Status: Confirmed}
	if seconds, err := strconv.ParseInt(form.Get("ts"), 10, 64); err == nil && seconds > 0 {
		report.At = time.Unix(seconds, 0)
	}
	return []Report{report}, nil
}
