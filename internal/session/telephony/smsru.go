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

// SMSRuURL is where sms.ru answers.
const SMSRuURL = "https://sms.ru"

// smsRu is the "callcheck" of sms.ru: it is asked, and reports as well.
type smsRu struct {
	client *client
	apiID  string
}

// NewSMSRu is sms.ru at a base URL; the API id is the account's secret.
func NewSMSRu(base, apiID string) Provider { return &smsRu{newClient(base), apiID} }

// Name is described at Provider.
func (*smsRu) Name() string { return "smsru" }

// Receipt is described at Provider.
func (*smsRu) Receipt() string { return "100" }

// smsRuWaits is how long sms.ru waits for a call.
const smsRuWaits = 5 * time.Minute

type smsRuAnswer struct {
	Status      string `json:"status"`
	StatusCode  text   `json:"status_code"`
	CheckID     text   `json:"check_id"`
	CallPhone   text   `json:"call_phone"`
	CallPretty  text   `json:"call_phone_pretty"`
	CheckStatus text   `json:"check_status"`
}

func (p *smsRu) ask(ctx context.Context, path string, form url.Values) (smsRuAnswer, error) {
	form.Set("api_id", p.apiID)
	form.Set("json", "1")
	var a smsRuAnswer
	if err := p.client.post(ctx, path, form, &a); err != nil {
		return a, err
	}
	if a.Status != "OK" || a.StatusCode != "100" { //nolint:usestdlibvars // the provider's code, not HTTP's
		return a, fmt.Errorf("telephony: sms.ru refused with code %.8q", string(a.StatusCode))
	}
	return a, nil
}

// Expect is described at Provider.
func (p *smsRu) Expect(ctx context.Context, phone string) (Expected, error) {
	a, err := p.ask(ctx, "/callcheck/add", url.Values{"phone": {strings.TrimPrefix(phone, "+")}})
	if err != nil {
		return Expected{}, err
	}
	dial, ok := number(string(a.CallPhone))
	if !ok || a.CheckID == "" || len(a.CheckID) > 64 {
		return Expected{}, fmt.Errorf("telephony: sms.ru gave no call to wait for")
	}
	return Expected{Ref: string(a.CheckID), Number: dial, Pretty: pretty(string(a.CallPretty), dial), Within: smsRuWaits}, nil
}

// smsRuStatus reads the check_status of answers and reports.
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

// Status is described at Provider.
func (p *smsRu) Status(ctx context.Context, ref string) (Status, error) {
	a, err := p.ask(ctx, "/callcheck/status", url.Values{"check_id": {ref}})
	if err != nil {
		return Pending, err
	}
	status, ok := smsRuStatus(string(a.CheckStatus))
	if !ok {
		return Pending, fmt.Errorf("telephony: sms.ru gave the status %.8q", string(a.CheckStatus))
	}
	return status, nil
}

// Reports is described at Provider. Each entry of data is lines of kind, id,
// status and time; hash covers all of them in their order. News of other kinds
// are none of ours.
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

// smsRuEntries gives data[], or data[0], data[1], ... in the order of their numbers.
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
