package meetup_test

import (
	"net/url"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"moothall/internal/test/apptest"
)

// TestHostileTextsAreRefusedOrStored sends every text of the list in every text field. The
// service refuses it, or returns it unchanged except for the documented clean-up. A
// search for it does not fail.
func TestHostileTextsAreRefusedOrStored(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		accepted := 0
		for name, value := range apptest.Texts(t) {
			for field, format := range eventTexts(t) {
				if format != "" || untraced[field] != "" {
					continue
				}
				reply := org.Post("/events", chess(apptest.Fields{field: value}))
				switch reply.Status {
				case 400, 413:
				case 201:
					accepted++
					got := reply.Get("event." + field)
					if got == nil {
						got = reply.Get("location." + field)
					}
					if got != cleaned(value) {
						t.Errorf("%s as %s: %q came back as %q", name, field, value, got)
					}
				default:
					t.Errorf("%s as %s: status %d", name, field, reply.Status)
				}
			}
			if q := "/events?q=" + url.QueryEscape(value); len(value) < 2000 {
				if status := org.Get(q).Status; status != 200 && status != 400 {
					t.Errorf("%s as q: status %d", name, status)
				}
			}
		}
		if accepted == 0 {
			t.Error("every text was refused")
		}
	}, apptest.StartAt(apptest.Today))
}

// cleaned is the documented clean-up (contract §0).
func cleaned(s string) string {
	return strings.TrimSpace(norm.NFC.String(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)))
}
