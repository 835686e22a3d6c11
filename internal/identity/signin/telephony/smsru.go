package telephony

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// smsRu is the "callcheck" service of sms.ru. It answers status requests and sends reports.
type smsRu struct {
	client *client
	apiID  string
}

// NewSMSRu returns the provider sms.ru at a base URL. The API id is the secret of the account.
func NewSMSRu(base, apiID string) Provider { return &smsRu{newClient("smsru", base), apiID} }

// Name implements Provider.
func (*smsRu) Name() string { return "smsru" }

// Ack implements Provider.
func (*smsRu) Ack() string { return "100" }

// smsRuWaits is how long sms.ru waits for a call.
const smsRuWaits = 5 * time.Minute

type smsRuResponse struct {
	Status      string `json:"status"`
	StatusCode  text   `json:"status_code"`
	CheckID     text   `json:"check_id"`
	CallPhone   text   `json:"call_phone"`
	CallPretty  text   `json:"call_phone_pretty"`
	CheckStatus text   `json:"check_status"`
}

func (p *smsRu) post(ctx context.Context, path string, form url.Values) (smsRuResponse, error) {
	form.Set("api_id", p.apiID)
	form.Set("json", "1")
	var r smsRuResponse
	if err := p.client.post(ctx, path, form, &r); err != nil {
		return r, err
	}
	if r.Status != "OK" || r.StatusCode != "100" { //nolint:usestdlibvars // the provider's code, not HTTP's
		return r, fmt.Errorf("telephony: sms.ru refused with code %.8q", string(r.StatusCode))
	}
	return r, nil
}

// SeveralNumbers implements Provider. sms.ru does not report which number was dialled, so
// one call could confirm two checks of a phone.
func (*smsRu) SeveralNumbers() bool { return false }

// Expect implements Provider.
func (p *smsRu) Expect(ctx context.Context, phone string, taken []string) (Expected, error) {
	if len(taken) > 0 {
		return Expected{}, ErrNoNumber
	}
	r, err := p.post(ctx, "/callcheck/add", url.Values{"phone": {strings.TrimPrefix(phone, "+")}})
	if err != nil {
		return Expected{}, err
	}
	dial, ok := parseNumber(string(r.CallPhone))
	if !ok || r.CheckID == "" || len(r.CheckID) > 64 {
		return Expected{}, fmt.Errorf("telephony: sms.ru returned no call to expect")
	}
	return Expected{Ref: string(r.CheckID), Number: dial, Pretty: safePretty(string(r.CallPretty), dial), Within: smsRuWaits}, nil
}

// smsRuStatus parses the check_status of responses and reports.
func smsRuStatus(code string) (Status, bool) {
	switch code {
	case "400":
		return Pending, true
	case "401":
		return Confirmed, true
	case "402":
		return Expired, true
	}
	return Pending, false
}

// Status implements Provider.
func (p *smsRu) Status(ctx context.Context, ref string) (Status, error) {
	r, err := p.post(ctx, "/callcheck/status", url.Values{"check_id": {ref}})
	if err != nil {
		return Pending, err
	}
	status, ok := smsRuStatus(string(r.CheckStatus))
	if !ok {
		return Pending, fmt.Errorf("telephony: sms.ru returned the status %.8q", string(r.CheckStatus))
	}
	return status, nil
}

// Reports implements Provider. Each entry of data has the lines kind, id, status
// and time. The hash covers all entries in their order. Entries of other kinds
// are ignored.
func (p *smsRu) Reports(form url.Values) ([]Report, error) {
	entries := smsRuEntries(form)
	sum := sha256.Sum256([]byte(p.apiID + strings.Join(entries, "")))
	hash := strings.ToLower(form.Get("hash"))
	if len(entries) == 0 || subtle.ConstantTimeCompare([]byte(hash), []byte(hex.EncodeToString(sum[:]))) != 1 {
		return nil, ErrForged
	}
	var reports []Report
	for _, entry := range entries {
		lines := strings.Split(strings.ReplaceAll(entry, "\r\n", "\n"), "\n")
		if len(lines) < 3 || lines[0] != "callcheck_status" {
			continue
		}
		if status, ok := smsRuStatus(lines[2]); ok {
			reports = append(reports, Report{Ref: lines[1], Status: status})
		}
	}
	return reports, nil
}

// smsRuEntries returns data[], or data[0], data[1], ... in the order of their numbers.
func smsRuEntries(form url.Values) []string {
	if entries := form["data[]"]; len(entries) > 0 {
		return entries
	}
	var numbers []int
	for name := range form {
		digits, isData := strings.CutPrefix(name, "data[")
		digits, isEntry := strings.CutSuffix(digits, "]")
		n, err := strconv.Atoi(digits)
		if isData && isEntry && err == nil && strconv.Itoa(n) == digits {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	var entries []string
	for _, n := range numbers {
		entries = append(entries, form.Get("data["+strconv.Itoa(n)+"]"))
	}
	return entries
}
