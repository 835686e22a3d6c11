package realtime

import (
	"testing"

	"moothall/internal/core/access"
	"moothall/internal/domain"
)

func TestLostRight(t *testing.T) {
	chat, event := ChatTopic(domain.EventID{}), EventTopic(domain.EventID{})
	going := access.EventFacts{Visibility: access.Public, Status: access.Published, Shown: true, Going: true}
	change := func(change func(*access.EventFacts)) access.EventFacts {
		f := going
		change(&f)
		return f
	}
	left := change(func(f *access.EventFacts) { f.Going = false })
	private := change(func(f *access.EventFacts) { f.Going, f.Visibility = false, access.Private })
	for _, row := range []struct {
		name  string
		topic Topic
		facts access.EventFacts
		known bool
		want  Reason // empty: not lost
	}{
		{"a member", chat, going, true, ""},
		{"a former member, of the chat", chat, left, true, Left},
		{"a former member, of a public event", event, left, true, ""},
		{"a former member of a private event", chat, private, true, Left},
		{"a stranger to an event that has become private", event, private, true, Hidden},
		{"blocked", chat, change(func(f *access.EventFacts) { f.Blocked = true }), true, Blocked},
		{"canceled before it was shown", event, access.EventFacts{Status: access.Canceled}, true, Canceled},
		{"gone", event, access.EventFacts{}, false, Hidden},
	} {
		if got, lost := lostRight(row.topic, row.facts, row.known); got != row.want || lost != (row.want != "") {
			t.Errorf("%s: %q, %v", row.name, got, lost)
		}
	}
}
