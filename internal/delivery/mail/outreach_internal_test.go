package mail

import (
	"testing"
	"time"
)

// TestOutreachBudget checks how much a sender may send after what they have sent.
func TestOutreachBudget(t *testing.T) {
	now := time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration, n, weight int) (all []release) {
		for range n {
			all = append(all, release{now.Add(-d), weight})
		}
		return all
	}
	old, minute := now.Add(-48*time.Hour), time.Minute
	for _, row := range []struct {
		what    string
		created time.Time
		spent   []release
		n       int
		next    time.Duration // after now
	}{
		{"nothing spent", old, nil, 60, 0},
		{"some in this hour", old, ago(10*minute, 20, 1), 40, 0},
		{"all of this hour", old, ago(10*minute, 60, 1), 0, 50 * minute},
		{"counted twice", old, ago(10*minute, 30, 2), 0, 50 * minute},
		{"more than the budget", old, ago(minute, 61, 1), 0, 59 * minute},
		{"an hour ago", old, ago(time.Hour, 60, 1), 60, 0},
		{"nearly all of the day", old, ago(5*time.Hour, 190, 1), 10, 0},
		{"all of the day", old, ago(5*time.Hour, 200, 1), 0, 19 * time.Hour},
		{"all of both", old, append(ago(5*time.Hour, 140, 1), ago(minute, 60, 1)...), 0, 19 * time.Hour},
		{"the first day", now, nil, 30, 0},
		{"all of the first day", now.Add(-2 * time.Hour), ago(2*time.Hour, 30, 1), 0, 22 * time.Hour},
		{"after the first day", now.Add(-24 * time.Hour), ago(23*time.Hour, 30, 1), 60, 0},
	} {
		n, next := outreachBudget(row.spent, row.created, now)
		if n != row.n || n == 0 && next.Sub(now) != row.next {
			t.Errorf("%s: %d, next after %v", row.what, n, next.Sub(now))
		}
	}
}

// TestAdmission checks what happens to a message that is due.
func TestAdmission(t *testing.T) {
	for _, row := range []struct {
		what    string
		r       received
		instant bool
		want    admission
	}{
		{"the first", received{}, true, admitted},
		{"the third", received{today: 2}, true, admitted},
		{"the fourth", received{today: 3}, true, digestOnly},
		{"the fourth, in a digest", received{today: 3}, false, admitted},
		{"the fourth by another channel", received{today: 3, sent: true}, true, admitted},
		{"the last of the hour", received{lastHour: 89}, true, admitted},
		{"beyond the hour", received{lastHour: 90}, true, later},
		{"beyond the hour, in a digest", received{lastHour: 90}, false, later},
		{"of a stopped sender", received{stopped: true}, true, later},
	} {
		if got := row.r.admit(row.instant); got != row.want {
			t.Errorf("%s: %d, want %d", row.what, got, row.want)
		}
	}
}

// TestSendersStop checks after which complaints and bounces a sender must stop.
func TestSendersStop(t *testing.T) {
	bounces := func(n int) []outcome {
		all := make([]outcome, 50)
		for i := range n {
			all[i] = mailBounced
		}
		return all
	}
	for _, row := range []struct {
		last       []outcome
		complaints int
		want       bool
	}{
		{nil, 0, false}, {bounces(4), 2, false}, {bounces(5), 0, true}, {bounces(5)[:5], 0, true}, {bounces(0), 3, true},
	} {
		if got := mustStop(row.last, row.complaints); got != row.want {
			t.Errorf("%d mails, %d complaints: %v", len(row.last), row.complaints, got)
		}
	}
}
