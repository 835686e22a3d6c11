package payment

import (
	"errors"
	"testing"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
)

var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// TestIntentTransitions applies every reported status to every status of an intent.
func TestIntentTransitions(t *testing.T) {
	made := noon.Add(-10 * time.Minute)
	for _, c := range []struct {
		from  Status
		late  bool // after expires_at
		to    Status
		after Status
		moved bool
		due   bool // a refund is due
	}{
		{Pending, false, Succeeded, Succeeded, true, false},
		{Pending, false, Canceled, Canceled, true, false},
		{Pending, false, Expired, Expired, true, false},
		{Pending, true, Succeeded, Expired, false, true},
		{Pending, true, Canceled, Expired, false, false},
		{Pending, true, Expired, Expired, false, false},
		{Succeeded, false, Succeeded, Succeeded, false, false},
		{Succeeded, false, Canceled, Succeeded, false, false},
		{Succeeded, true, Expired, Succeeded, false, false},
		{Canceled, false, Succeeded, Canceled, false, true},
		{Canceled, false, Canceled, Canceled, false, false},
		{Canceled, true, Expired, Canceled, false, false},
		{Expired, false, Succeeded, Expired, false, true},
		{Expired, false, Canceled, Expired, false, false},
		{Expired, true, Expired, Expired, false, false},
		{RefundDue, false, Succeeded, RefundDue, false, true},
		{RefundDue, false, Canceled, RefundDue, false, false},
		{RefundDue, true, Expired, RefundDue, false, false},
	} {
		was := Intent{Status: c.from, CreatedAt: made, UpdatedAt: made, ExpiresAt: made.Add(intentLifetime)}
		if c.late {
			was.ExpiresAt = noon
		}
		i, moved := was.withStatus(c.to, noon)
		if i.Status != c.after || moved != c.moved || (i.RefundDueAt != nil) != c.due {
			t.Errorf("%+v: %s, moved %t, refund due %v", c, i.Status, moved, i.RefundDueAt)
		}
		if (i.PaidAt != nil) != (moved && c.to == Succeeded) || (i.CanceledAt != nil) != (moved && c.to == Canceled) {
			t.Errorf("%+v: paid %v, canceled %v", c, i.PaidAt, i.CanceledAt)
		}
		if again, _ := i.withStatus(c.to, noon.Add(time.Hour)); again != i {
			t.Errorf("%+v: a repeated notice changes it to %+v", c, again)
		}
	}
}

func TestMayPay(t *testing.T) {
	good := checkout{enabled: true, verified: true, EventFacts: access.EventFacts{Paid: true, Status: access.Published}}
	for _, row := range []struct {
		name   string
		change func(*checkout)
		want   domain.Reason // empty: may pay
	}{
		{"payments are disabled", func(c *checkout) { c.enabled = false }, domain.PaymentsDisabled},
		{"the organizer is unverified", func(c *checkout) { c.verified = false }, domain.OrganizerUnverified},
		{"the event is free", func(c *checkout) { c.Paid = false }, domain.EventFree},
		{"the payer organizes it", func(c *checkout) { c.Role = access.Owner }, domain.OwnEvent},
		{"a draft", func(c *checkout) { c.Status = access.Draft }, domain.EventDraft},
		{"a canceled event", func(c *checkout) { c.Status = access.Canceled }, domain.EventCanceled},
		{"a completed event", func(c *checkout) { c.Status = access.Completed }, domain.EventEnded},
		{"a removed payer", func(c *checkout) { c.removed = true }, domain.Removed},
		{"a payer whom the organizer has not approved", func(c *checkout) { c.unapproved = true }, domain.ApprovalRequired},
		{"a full event", func(c *checkout) { c.full = true }, domain.EventFull},
		{"the payer has paid", func(c *checkout) { c.paid = true }, domain.AlreadyPaid},
		{"the payer has paid and the event is full", func(c *checkout) { c.paid, c.full = true, true }, domain.AlreadyPaid},
		{"nothing forbids it", func(*checkout) {}, ""},
		{"the payer is going without payment", func(c *checkout) { c.Going = true }, ""},
	} {
		c := good
		row.change(&c)
		err := c.mayPay()
		if row.want == "" && err != nil || row.want != "" && !errors.Is(err, domain.Forbid(row.want)) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
	}
}

func TestProfileTransitions(t *testing.T) {
	fraud := "fraud"
	p := Profile{Status: Unverified, UpdatedAt: noon}
	later := noon.Add(time.Minute)
	if same := p.withStatus(Unverified, nil, later); same != p {
		t.Errorf("the same status changed the profile: %+v", same)
	}
	p = p.withStatus(Verified, &fraud, later)
	if p.Status != Verified || p.VerifiedAt == nil || p.BlockedReason != nil || !p.UpdatedAt.Equal(later) {
		t.Errorf("verified: %+v", p)
	}
	p = p.withStatus(Blocked, &fraud, later)
	if p.Status != Blocked || p.VerifiedAt != nil || *p.BlockedReason != fraud {
		t.Errorf("blocked: %+v", p)
	}
	if p = p.withStatus(Blocked, nil, later); p.BlockedReason != nil {
		t.Errorf("blocked without a reason: %+v", p)
	}
}

func TestParseSecret(t *testing.T) {
	for text, good := range map[string]bool{
		"whsec_" + "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz":     true,
		"MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz":                false,
		"whsec_":                                          false,
		"whsec_MDEyMzQ1Njc4OQ==":                          false,
		"whsec_not base64 at all, and rather long for it": false,
	} {
		if _, err := ParseSecret(text); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
}
