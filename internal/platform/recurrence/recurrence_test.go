package recurrence

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func local(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(Layout, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func zoneNamed(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func TestParseRefusesRules(t *testing.T) {
	for _, row := range []struct{ rule, part string }{
		{"", "must be parts"},
		{"FREQ", "must be parts"},
		{"FREQ=", "must be parts"},
		{"FREQ=WEEKLY;", "must be parts"},
		{"freq=WEEKLY", "only these parts"},
		{"RRULE:FREQ=WEEKLY", "only these parts"},
		{"FREQ=WEEKLY;BYHOUR=9", "only these parts"},
		{"FREQ=WEEKLY;WKST=SU", "only these parts"},
		{"FREQ=YEARLY;BYMONTH=2", "only these parts"},
		{"FREQ=WEEKLY;FREQ=DAILY", "FREQ once"},
		{"INTERVAL=2", "must have FREQ="},
		{"FREQ=HOURLY", "must have FREQ="},
		{"FREQ=WEEKLY;INTERVAL=0", "INTERVAL from 1 to 52"},
		{"FREQ=WEEKLY;INTERVAL=53", "INTERVAL from 1 to 52"},
		{"FREQ=WEEKLY;INTERVAL=+2", "INTERVAL from 1 to 52"},
		{"FREQ=WEEKLY;COUNT=367", "COUNT from 1 to 366"},
		{"FREQ=WEEKLY;COUNT=99999999999999999999", "COUNT from 1 to 366"},
		{"FREQ=WEEKLY;BYDAY=XX", "BYDAY with MO"},
		{"FREQ=WEEKLY;BYDAY=T", "BYDAY with MO"},
		{"FREQ=WEEKLY;BYDAY=TH,", "BYDAY with MO"},
		{"FREQ=WEEKLY;BYDAY=TH,TH", "BYDAY once"},
		{"FREQ=WEEKLY;BYDAY=1TH", "BYDAY without numbers"},
		{"FREQ=MONTHLY;BYDAY=6TH", "from 1 to 5"},
		{"FREQ=MONTHLY;BYDAY=0TH", "from 1 to 5"},
		{"FREQ=MONTHLY;BYDAY=-6TH", "from 1 to 5"},
		{"FREQ=YEARLY;BYDAY=54TH", "from 1 to 53"},
		{"FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY from 1 to 31"},
		{"FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY from 1 to 31"},
		{"FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY with FREQ=WEEKLY"},
		{"FREQ=MONTHLY;BYSETPOS=1", "BYDAY or BYMONTHDAY with BYSETPOS"},
		{"FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367", "BYSETPOS from 1 to 366"},
		{"FREQ=WEEKLY;UNTIL=20261231", "UNTIL in UTC"},
		{"FREQ=WEEKLY;UNTIL=20261231T190000", "UNTIL in UTC"},
		{"FREQ=WEEKLY;UNTIL=20261331T190000Z", "UNTIL in UTC"},
		{"FREQ=WEEKLY;COUNT=3;UNTIL=20261231T190000Z", "not both"},
		{"FREQ=WEEKLY;BYDAY=" + strings.Repeat("MO,", 100), "at most 300"},
	} {
		if _, err := Parse(row.rule); err == nil || !strings.Contains(err.Error(), row.part) {
			t.Errorf("%q: %v, want %q", row.rule, err, row.part)
		}
	}
}

func TestDatesOfRules(t *testing.T) {
	for _, row := range []struct {
		name, rule, start, zone string
		want                    string // moments in UTC
	}{
		{"the clock goes forward over it", "FREQ=DAILY;COUNT=3", "2027-03-27T02:30:00", "Europe/Berlin",
			"03-27T01:30 03-28T01:30 03-29T00:30"},
		{"the clock goes back over it", "FREQ=DAILY;COUNT=3", "2027-10-30T02:30:00", "Europe/Berlin",
			"10-30T00:30 10-31T00:30 11-01T01:30"},
		{"it stays at the local time", "FREQ=WEEKLY;COUNT=2", "2027-03-25T19:00:00", "Europe/Berlin", "03-25T18:00 04-01T17:00"},
		{"the missing time of Sydney", "FREQ=WEEKLY;COUNT=2", "2026-09-27T02:30:00", "Australia/Sydney", "09-26T16:30 10-03T16:30"},
		{"half an hour in Lord Howe", "FREQ=DAILY;COUNT=2", "2027-04-04T01:45:00", "Australia/Lord_Howe", "04-03T14:45 04-04T15:15"},
		{"every second week", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;COUNT=4", "2026-12-03T19:00:00", "UTC",
			"12-03T19:00 12-15T19:00 12-17T19:00 12-29T19:00"},
		{"the last Friday", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=3", "2027-01-29T18:00:00", "UTC", "01-29T18:00 02-26T18:00 03-26T18:00"},
		{"the last working day", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=2", "2027-01-29T18:00:00", "UTC",
			"01-29T18:00 02-26T18:00"},
		{"the 31st", "FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3", "2027-01-31T18:00:00", "UTC", "01-31T18:00 03-31T18:00 05-31T18:00"},
		{"until and including a moment", "FREQ=DAILY;UNTIL=20270329T003000Z", "2027-03-27T02:30:00", "Europe/Berlin",
			"03-27T01:30 03-28T01:30 03-29T00:30"},
		{"until before a moment", "FREQ=DAILY;UNTIL=20270329T002959Z", "2027-03-27T02:30:00", "Europe/Berlin", "03-27T01:30 03-28T01:30"},
	} {
		r, err := Parse(row.rule)
		if err != nil {
			t.Fatal(row.name, err)
		}
		s, err := New(r, local(t, row.start), zoneNamed(t, row.zone))
		if err != nil {
			t.Fatal(row.name, err)
		}
		var got []string
		for _, d := range s.From(time.Time{}, 10) {
			got = append(got, d.At.Format("01-02T15:04"))
			if !s.Has(d.Local) || s.Has(d.Local.Add(time.Second)) {
				t.Errorf("%s: Has does not agree about %v", row.name, d.Local)
			}
		}
		if joined := strings.Join(got, " "); joined != row.want {
			t.Errorf("%s: %s, want %s", row.name, joined, row.want)
		}
	}
}

func TestNewRefusesStarts(t *testing.T) {
	for _, row := range []struct{ rule, start, next string }{
		{"FREQ=WEEKLY;BYDAY=TH", "2026-12-02T19:00:00", "2026-12-03T19:00:00"},
		{"FREQ=MONTHLY;BYDAY=1MO", "2026-12-08T19:00:00", "2027-01-04T19:00:00"},
		{"FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "2026-12-03T19:00:00", "2026-12-14T19:00:00"},
	} {
		r, err := Parse(row.rule)
		if err != nil {
			t.Fatal(err)
		}
		var wrong StartError
		if _, err := New(r, local(t, row.start), time.UTC); !errors.As(err, &wrong) || wrong.Next.Format(Layout) != row.next {
			t.Errorf("%s from %s: %v, want %s", row.rule, row.start, err, row.next)
		}
		if _, err := New(r, wrong.Next, time.UTC); err != nil {
			t.Errorf("%s: the next date is refused: %v", row.rule, err)
		}
	}
	r, _ := Parse("FREQ=WEEKLY;UNTIL=20320101T000000Z")
	if _, err := New(r, local(t, "2026-12-03T19:00:00"), time.UTC); err == nil || !strings.Contains(err.Error(), "5 years") {
		t.Errorf("an end after five years: %v", err)
	}
}

// TestRulesWithoutDatesEnd would not return if a rule that never matches were searched without an end.
func TestRulesWithoutDatesEnd(t *testing.T) {
	for _, rule := range []string{
		"FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31", "FREQ=DAILY;BYDAY=MO;BYSETPOS=2", "FREQ=DAILY;BYMONTHDAY=1;BYSETPOS=-366",
		"FREQ=WEEKLY;BYDAY=MO;BYSETPOS=5",
	} {
		r, err := Parse(rule)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(r, local(t, "2027-02-01T19:00:00"), time.UTC); !errors.Is(err, ErrEnded) {
			t.Errorf("%s: %v", rule, err)
		}
	}
}

func TestGapsNameMissingDays(t *testing.T) {
	for _, row := range []struct{ rule, start, want string }{
		{"FREQ=MONTHLY;BYMONTHDAY=31;COUNT=4", "2027-01-31T18:00:00", "2027-02 2027-04 2027-06"},
		{"FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=30;COUNT=3", "2026-12-30T18:00:00", "2027-02"},
		{"FREQ=MONTHLY;BYDAY=5FR;COUNT=2", "2027-01-29T18:00:00", "2027-02 2027-03"},
		{"FREQ=YEARLY;COUNT=2", "2028-02-29T18:00:00", "2029 2030 2031"},
		{"FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=4", "2027-01-31T18:00:00", ""},
		{"FREQ=WEEKLY;COUNT=4", "2027-01-31T18:00:00", ""},
	} {
		r, _ := Parse(row.rule)
		s, err := New(r, local(t, row.start), time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(s.Gaps(s.From(time.Time{}, 10)), " "); got != row.want {
			t.Errorf("%s: %q, want %q", row.rule, got, row.want)
		}
	}
}

// FuzzRules checks that every rule is refused, or has ordered dates of which each is the first from itself on.
func FuzzRules(f *testing.F) {
	for _, rule := range []string{"FREQ=WEEKLY;BYDAY=TH", "FREQ=MONTHLY;BYDAY=-1FR,2TU;BYSETPOS=-1", "FREQ=YEARLY;INTERVAL=52;BYMONTHDAY=29",
		"FREQ=DAILY;UNTIL=20271231T225959Z", "FREQ=MONTHLY;BYMONTHDAY=31,-31;COUNT=366"} {
		f.Add(rule, int64(1_800_000_000))
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, rule string, seconds int64) {
		r, err := Parse(rule)
		if err != nil {
			return
		}
		start := time.Unix(1_700_000_000+seconds%1_000_000_000, 0).UTC()
		s, err := New(r, start, berlin)
		if wrong, found := errors.AsType[StartError](err); found {
			s, err = New(r, wrong.Next, berlin)
		}
		if err != nil {
			return
		}
		dates := s.From(start, 5)
		if !slices.IsSortedFunc(dates, func(a, b Date) int { return a.Local.Compare(b.Local) }) {
			t.Fatal(rule, dates)
		}
		for _, d := range dates {
			if !s.Has(d.Local) {
				t.Fatal(rule, d)
			}
		}
	})
}
