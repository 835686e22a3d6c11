package view

import (
	"net/url"
	"strconv"

	"github.com/a-h/templ"

	"moothall/api/gen"
)

// waits reports whether the viewer is on the waiting list; offered, whether seats are held for them.
func (d EventData) waits() bool { return !d.Details.ViewerWaitlist.Null }

func (d EventData) offered() bool {
	return d.waits() && d.Details.ViewerWaitlist.Value.Status == gen.WaitlistStatusOffered
}

// mayWait reports whether the page offers the waiting list: also to anonymous viewers, who sign in first.
func (d EventData) mayWait(p *Page) bool {
	e := d.Details.Event
	return d.Details.ViewerCanWait || !p.SignedIn() && !d.open() && e.Waitlist != gen.EventWaitlistOff &&
		e.Status == gen.EventStatusPublished && e.Visibility != gen.EventVisibilityPrivate && p.Now.Before(e.StartsAt)
}

// fits returns how many people could come at once instead of the larger party that waits; 0 if nobody could.
func (d EventData) fits() int {
	seats := d.Details.SeatsLeft.Value
	if d.Details.Event.Visibility == gen.EventVisibilityPrivate || seats >= int(d.Details.ViewerWaitlist.Value.PartySize) {
		return 0
	}
	return seats
}

// signInHere leads to the sign-in and back to this page.
func (p *Page) signInHere() templ.SafeURL {
	return templ.SafeURL("/login?" + url.Values{"return_to": {p.Path()}}.Encode())
}

// offerMinutes are the choices how long seats are offered, with the chosen one.
func offerMinutes(chosen string) []int {
	choices := []int{60, 180, 360, 720, 1440, 2880, 10080}
	n, err := strconv.Atoi(chosen)
	for _, c := range choices {
		if err != nil || n == c {
			return choices
		}
	}
	return append(choices, n)
}

// offerLength says how long seats are offered, like "12 hours".
func (p *Page) offerLength(minutes int) string {
	switch {
	case minutes%1440 == 0:
		return p.N("wait.days", minutes/1440)
	case minutes%60 == 0:
		return p.N("wait.hours", minutes/60)
	}
	return p.N("wait.minutes", minutes)
}
