package browser

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"moothall/internal/test/testutil"
	"moothall/internal/web"
)

// pageRow is a page that some visitors can open; "" is an anonymous visitor.
type pageRow struct {
	pattern, path string
	as            []string
}

var (
	everybody = []string{"", "ann"}
	ann       = []string{"ann"}
	organizer = []string{"org"}
)

// pageRows are the pages of the web client in the hostile world. Every pattern has a row.
var pageRows = []pageRow{
	{"/", "/", everybody},
	{"/", "/?q={text}&city={text}&category={text}", ann},
	{"/", "/?lat=1", []string{""}},
	{"/calendar", "/calendar", ann},
	{"/calendar/invites/{invite_id}", "/calendar/invites/{invite}", ann},
	{"/chats", "/chats", ann},
	{"/e/{address}", "/events/{event}?joined=yes", ann}, // the addresses by id lead to these
	{"/e/{address}", "/events/{vote}", []string{"", "ann", "org"}},
	{"/e/{address}", "/events/{ended}", everybody},
	{"/e/{address}", "/events/{private}", ann},
	{"/events/{event_id}", "/events/{event}", []string{"", "ann", "org"}},
	{"/events/{event_id}", "/events/{foreign}", []string{"", "org"}},
	{"/events/{event_id}/around", "/events/{event}/around", everybody},
	{"/events/{event_id}/chat", "/events/{event}/chat", ann},
	{"/events/{event_id}/edit", "/events/{draft}/edit", organizer},
	{"/events/{event_id}/edit", "/events/{vote}/edit", organizer},
	{"/events/{event_id}/guests", "/events/{event}/guests", organizer},
	{"/events/{event_id}/guest-messages", "/events/{event}/guest-messages", organizer},
	{"/events/{event_id}/hosts", "/events/{event}/hosts", organizer},
	{"/events/{event_id}/guests", "/events/{private}/guests", organizer},
	{"/events/{event_id}/questions", "/events/{asking}/questions", organizer},
	{"/events/{event_id}", "/events/{asking}", []string{"ann", "mod"}},
	{"/events/{event_id}/guests", "/events/{asking}/guests", organizer},
	{"/events/{event_id}/repeat", "/events/{draft}/repeat", organizer},
	{"/event-series/{series_id}", "/event-series/{series}", []string{"", "ann", "org"}},
	{"/event-series/{series_id}/split", "/event-series/{series}/split", organizer},
	{"/events/{event_id}/poster", "/events/{event}/poster", []string{""}},
	{"/events/{event_id}/posts", "/events/{event}/posts", everybody},
	{"/events/{event_id}/posts/{post_id}/comments", "/events/{event}/posts/{post}/comments", everybody},
	{"/events/{event_id}/reviews", "/events/{ended}/reviews", ann},
	{"/events/{event_id}/share", "/events/{event}/share?published", []string{"", "org"}},
	{"/events/{event_id}/share", "/events/{private}/share", ann},
	{"/events/new", "/events/new", []string{"", "org"}},
	{"/feed", "/feed", ann},
	{"/g/{slug}", "/groups/{group}", []string{"", "ann", "org"}},
	{"/groups", "/groups", everybody},
	{"/groups", "/groups?q={text}&city={text}", everybody},
	{"/groups/{group_id}", "/groups/{group}", []string{"ann"}},
	{"/groups/{group_id}/edit", "/groups/{group}/edit", organizer},
	{"/groups/{group_id}/members", "/groups/{group}/members", []string{"org", "ann"}},
	{"/groups/{group_id}/share", "/groups/{group}/share", everybody},
	{"/groups/new", "/groups/new", ann},
	{"/i/{token}", "{link}", everybody},
	{"/import", "/import", ann},
	{"/import/{import_id}", "/import/{import}", organizer},
	{"/login", "/login?return_to={text}&error={text}", []string{""}},
	{"/me/reposts", "/me/reposts", ann},
	{"/moderation", "/moderation", []string{"mod"}},
	{"/my", "/my", []string{"ann", "org"}},
	{"/my", "/my?role=draft", organizer},
	{"/my", "/my?role=hosting", organizer},
	{"/my/groups", "/my/groups", ann},
	{"/notifications", "/notifications", []string{"org"}},
	{"/offline", "/offline", ann},
	{"/payments/intents/{payment_intent_id}", "/payments/intents/{payment}", ann},
	{"/pages/{page}", "/pages/imprint", everybody},
	{"/people", "/people", everybody},
	{"/people", "/people?q={text}&city={text}", everybody},
	{"/profile", "/profile", ann},
	{"/report", "/report?target_type=event&target_id={event}", ann},
	{"/settings", "/settings", ann},
	{"/settings/keys", "/settings/keys", ann},
	{"/settings/notifications", "/settings/notifications", ann},
	{"/settings/security", "/settings/security", ann},
	{"/settings/webhooks", "/settings/webhooks", ann},
	{"/settings/webhooks/{webhook_id}", "/settings/webhooks/{webhook}", ann},
	{"/p/{username}", "/users/{org}", everybody},
	{"/users/{user_id}", "/users/{ann}", ann},
	{"", "/embed/events", []string{""}},
	{"", "/embed/events?event_id={event}", []string{""}},
	{"", "/nowhere", everybody},
}

// notAlone are the pages that exist only as a step of a journey.
var notAlone = []string{"/login/call"}

func TestEveryPageHasARow(t *testing.T) {
	for _, pattern := range web.Patterns() {
		if !slices.Contains(notAlone, pattern) && !slices.ContainsFunc(pageRows, func(r pageRow) bool { return r.pattern == pattern }) {
			t.Errorf("%s has no row", pattern)
		}
	}
}

// visitedBy reports whether somebody opens the page of row i: one of those who can, and with LONG_TESTS each of them.
func (r pageRow) visitedBy(who string, i int) bool {
	if testutil.Long() {
		return slices.Contains(r.as, who)
	}
	return r.as[i%len(r.as)] == who
}

// TestPages opens every page as somebody who can, in a world of hostile texts: nothing runs, nothing is
// wider than the window, the keyboard reaches what can be used, and axe-core finds no barrier. LONG_TESTS opens them
// as everybody, puts every text into every field, and runs axe-core in all sizes and colours.
func TestPages(t *testing.T) {
	t.Parallel()
	for shift := range testutil.Rounds(1, len(hostile)) {
		w := newHostileWorld(t, shift)
		for _, who := range []string{"", "ann", "org", "mod"} {
			t.Run(fmt.Sprintf("%s, texts %d", who, shift), func(t *testing.T) {
				runJourney(t, w.App, "pages", true, func(j *journey) {
					j.do(inEachDocument(axe))
					if who != "" {
						j.signInAs(who)
					}
					for i, row := range pageRows {
						if row.visitedBy(who, i) {
							j.check(w.address(row.path))
						}
					}
				})
			})
		}
	}
}

// address returns the address of a page of the table.
func (w *hostileWorld) address(path string) string {
	return strings.ReplaceAll(w.names.Replace(path), "{text}", url.QueryEscape(w.text(0, 110)))
}

// check opens a page once and looks at it in several windows.
func (j *journey) check(address string) {
	j.Helper()
	j.do(chromedp.EmulateViewport(width, height)) // without the map: see findOnMap
	j.Open(address)
	j.inspect()
}

// inspect looks at the page, which knows axe-core, in several windows.
func (j *journey) inspect() {
	j.Helper()
	for _, l := range j.looks() {
		j.resize(l)
		in := fmt.Sprintf("%d px, %s, ", l.width, l.scheme)
		j.none(in+"broken", broken)
		j.none(in+"barriers", runAxe)
		j.none(in+"focus", hiddenFocuses)
	}
}

// broken finds what is wrong if a text has run code, and what is wider than the window.
const broken = `(() => {
	const found = document.title.startsWith("hacked") ? ["code has run"] : [];
	if (document.documentElement.scrollWidth <= innerWidth) return found;
	const wide = [...document.querySelectorAll("body *")].filter(e => e.checkVisibility() && (e.getBoundingClientRect().right > innerWidth + 1 || e.scrollWidth > e.clientWidth + 1));
	return [...found, "wider than the window: " + wide.slice(-3).map(e => e.outerHTML.slice(0, 160)).join("\n")];
})()`

// hiddenFocus is a function that says whether an element, which has the focus, is not seen: behind a bar, outside the
// window, or without an outline.
const hiddenFocus = `(e => {
	const boxes = [...e.getClientRects()].filter(b => b.width > 0 && b.height > 0);
	const seen = boxes.some(b => [.5, .1, .9].some(x => [.5, .1, .9].some(y => {
		const at = e.getRootNode().elementFromPoint(b.left + b.width * x, b.top + b.height * y);
		return at && (at === e || e.contains(at) || at.contains(e) || at.closest("label")?.control === e);
	})));
	if (!seen) return "is hidden: " + e.outerHTML.slice(0, 160);
	for (let p = e; p; p = p.parentElement) if (getComputedStyle(p).outlineStyle !== "none") return "";
	return "has no outline: " + e.outerHTML.slice(0, 160);
})`

// hiddenFocuses finds what can be used but takes no focus, or is not seen with it.
const hiddenFocuses = `[...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")]
	.filter(e => e.checkVisibility({visibilityProperty: true}) && !e.disabled && e.tabIndex >= 0)
	.map(e => {
		e.focus({focusVisible: true});
		const problem = document.activeElement === e ? ` + hiddenFocus + `(e) : "takes no focus: " + e.outerHTML.slice(0, 160);
		e.blur();
		return problem;
	}).filter(problem => problem)`
