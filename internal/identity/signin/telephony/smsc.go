package telephony

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// smsc is the "wait_call" service of SMSC. It returns numbers to call. Its reports
// contain the caller and the called number.
type smsc struct {
	client          *client
	login, password string
	key             string
}

// NewSMSC returns the provider SMSC at a base URL. Its reports are not signed, so
// the callback address configured at SMSC must end with ?key= and the key.
func NewSMSC(base, login, password, key string) Provider {
	return &smsc{newClient("smsc", base), login, password, key}
}

// Name implements Provider.
func (*smsc) Name() string { return "smsc" }

// Ack implements Provider.
func (*smsc) Ack() string { return "OK" }

// smscWaits is how long a call is expected. SMSC itself waits at least as long.
const smscWaits = 5 * time.Minute

// SeveralNumbers implements Provider.
func (*smsc) SeveralNumbers() bool { return true }

// Expect implements Provider. SMSC recommends a number and lists all of them; the phone
// may call any.
func (p *smsc) Expect(ctx context.Context, phone string, taken []string) (Expected, error) {
	var response struct {
		Phone     text            `json:"phone"`
		AllPhones json.RawMessage `json:"all_phones"`
		ErrorCode text            `json:"error_code"`
	}
	form := url.Values{"login": {p.login}, "psw": {p.password}, "phone": {strings.TrimPrefix(phone, "+")}, "fmt": {"3"}}
	if err := p.client.post(ctx, "/sys/wait_call.php", form, &response); err != nil {
		return Expected{}, err
	}
	if _, ok := parseNumber(string(response.Phone)); !ok || response.ErrorCode != "" {
		return Expected{}, errors.New("telephony: SMSC returned no number to call")
	}
	var others []text
	_ = json.Unmarshal(response.AllPhones, &others) // without a list there is one number
	for _, number := range append([]text{response.Phone}, others...) {
		if dial, ok := parseNumber(string(number)); ok && !slices.Contains(taken, dial) {
			return Expected{Ref: CallRef(phone, dial), Number: dial, Within: smscWaits}, nil
		}
	}
	return Expected{}, ErrNoNumber
}

// Status implements Provider: SMSC has no status requests.
func (*smsc) Status(context.Context, string) (Status, error) { return Pending, nil }

// Reports implements Provider. In the form, phone is the caller, to is the number
// called, and ts the time in Unix seconds.
func (p *smsc) Reports(form url.Values) ([]Report, error) {
	got, want := sha256.Sum256([]byte(form.Get("key"))), sha256.Sum256([]byte(p.key))
	if p.key == "" || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
		return nil, ErrForged
	}
	caller, okCaller := parseNumber(form.Get("phone"))
	dialled, okDialled := parseNumber(form.Get("to"))
	if !okCaller || !okDialled {
		return nil, nil
	}
	report := Report{Ref: CallRef(caller, dialled), Status: Confirmed}
	if seconds, err := strconv.ParseInt(form.Get("ts"), 10, 64); err == nil && seconds > 0 {
		report.At = time.Unix(seconds, 0)
	}
	return []Report{report}, nil
}
