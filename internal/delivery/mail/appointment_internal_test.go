package mail

import (
	"testing"

	"moothall/internal/meetup/calendar"
)

// TestNextMessage decides what follows the latest message about an event. The sequence never
// falls.
func TestNextMessage(t *testing.T) {
	absent := calendar.Appointment{Sequence: 4}
	for _, row := range []struct {
		name     string
		latest   latestMessage
		a        calendar.Appointment
		sequence int64
		wanted   bool
	}{
		{"nothing told, nothing to tell", latestMessage{}, absent, 4, false},
		{"told and left", latestMessage{known: true, sequence: 1, version: "x", sent: true}, absent, 4, true},
		{"told often and left", latestMessage{known: true, sequence: 9, version: "x", sent: true}, absent, 10, true},
		{"perhaps told and left", latestMessage{known: true, sequence: 9, version: "x"}, absent, 10, true},
		{"left and told so", latestMessage{known: true, sequence: 9, sent: true}, absent, 9, false},
		{"left and perhaps told so", latestMessage{known: true, sequence: 9}, absent, 9, true},
	} {
		sequence, wanted := row.latest.next(row.a)
		if wanted != row.wanted || wanted && sequence != row.sequence {
			t.Errorf("%s: %d, %v", row.name, sequence, wanted)
		}
	}
}
