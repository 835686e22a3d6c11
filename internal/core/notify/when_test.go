package notify_test

import (
	"testing"
	"time"

	"moothall/internal/core/notify"
)

// TestTimesAreThoseOfTheEventAndTheReader renders the time of an event in Berlin for readers elsewhere.
func TestTimesAreThoseOfTheEventAndTheReader(t *testing.T) {
	event := notify.Appointment{Event: [16]byte{1}, Status: "ACCEPTED", Title: "Tea", Timezone: "Europe/Berlin",
		StartsAt: time.Date(2026, 11, 27, 19, 0, 0, 0, time.UTC)}
	for _, row := range []struct{ language, zone, want string }{
		{"en", "", "27 November 2026, 20:00 (Europe/Berlin)"},
		{"en", "Europe/Paris", "27 November 2026, 20:00 (Europe/Berlin)"},
		{"en", "Europe/London", "27 November 2026, 20:00 (Europe/Berlin, 19:00 for you)"},
		{"en-US", "Europe/London", "27 November 2026, 8:00\u00a0PM (Europe/Berlin, 7:00\u00a0PM for you)"},
		{"en-US", "", "27 November 2026, 8:00\u00a0PM (Europe/Berlin)"},
		{"de-DE", "Europe/London", "27. November 2026, 20:00 (Europe/Berlin, bei dir 19:00)"},
		{"ru", "Europe/Moscow", "27 ноября 2026, 20:00 (Europe/Berlin, у вас 22:00)"},
	} {
		item := event.Item(notify.LanguageOf(row.language).In(row.zone))
		if item.Body == nil || *item.Body != row.want {
			t.Errorf("%s, %s: %q, want %q", row.language, row.zone, *item.Body, row.want)
		}
	}
}
