package notify

import (
	"time"

	"moothall/internal/platform/text"
)

// maxQuoted is the length of a text of users in a subject, in code points.
const maxQuoted = 60

// mailSubject returns the title for the subject of a mail. Texts of users are cleaned of addresses, URLs and phone
// numbers; that of the event is in quotation marks, after fixed words. Only recipients who know the actor see
// their name. A reminder says how soon the event begins.
func (n *stored) mailSubject(l Language, stranger bool, now time.Time) string {
	data := n.templateData(l)
	data.Event, data.Group = l.quoted(data.Event), l.quoted(data.Group)
	if data.Actor != "" {
		if data.Actor = cleaned(data.Actor); data.Actor == "" || stranger {
			data.Actor = l.message("somebody", nil)
		}
	}
	switch {
	case n.kind == EventReminder && !data.Asks && n.event.startsAt != nil:
		data.Soon = l.soon(n.event, now)
		fallthrough
	case n.kind == EventCanceled, n.kind == EventUpdated: // their titles may begin with the event
		return l.message("subject."+string(n.kind), data)
	default:
		return n.title(l, data)
	}
}

// DigestSubject returns the subject of a digest: that of its first notification, and how many more there are.
func (l Language) DigestSubject(first string, more int) string {
	if more == 0 {
		return first
	}
	return l.plural("mail.digest", int64(more), templateData{Subject: first})
}

// quoted returns a cleaned text of users in quotation marks: an ellipsis if nothing is left. It is empty for no text.
func (l Language) quoted(title string) string {
	if title == "" {
		return ""
	}
	if title = cleaned(title); title == "" {
		title = "…"
	}
	return l.message("quoted", templateData{Event: title})
}

func cleaned(title string) string { return shorten(text.WithoutContacts(title), maxQuoted) }
