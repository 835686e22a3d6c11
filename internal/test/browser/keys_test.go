package browser

import (
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// key presses keys.
func (j *journey) key(keys string) {
	j.Helper()
	j.settle()
	j.do(chromedp.KeyEvent(keys))
}

// enter goes to a link or button and presses it.
func (j *journey) enter(name string) {
	j.Helper()
	j.tabTo(name)
	j.key(kb.Enter)
}

// tick goes to a field that the space bar changes.
func (j *journey) tick(name string) {
	j.Helper()
	j.tabTo(name)
	j.key(" ")
}

// write goes to a field and types. The browser has selected what is in it.
func (j *journey) write(name, text string) {
	j.Helper()
	j.tabTo(name)
	j.key(text)
}

// tabTo presses Tab until the focus is on what has a name.
func (j *journey) tabTo(name string) {
	j.Helper()
	j.tab(name)
}

// backTo presses Shift+Tab until the focus is on what has a name.
func (j *journey) backTo(name string) {
	j.Helper()
	j.tab(name, chromedp.KeyModifiers(chromedp.ModifierShift))
}

// maxTabs is more than any page has to step through.
const maxTabs = 120

// tab goes from one element to the next, each of which must be in sight.
func (j *journey) tab(name string, options ...chromedp.KeyOption) {
	j.Helper()
	j.settle()
	for range maxTabs {
		j.do(chromedp.KeyEvent(kb.Tab, options...))
		stop := read[struct {
			Is     bool   `json:"is"`
			Hidden string `json:"hidden"`
		}](j, "the focus", `(hidden => {
			let e = document.activeElement;
			while (e.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
			const is = (e.labels?.[0]?.textContent ?? e.ariaLabel ?? e.textContent).trim().startsWith(`+literal(name)+`);
			return {is, hidden: e === document.body ? "" : hidden(e)};
		})(`+hiddenFocus+`)`)
		if stop.Hidden != "" {
			j.Errorf("%s, on the way to %s: %s", j.name, name, stop.Hidden)
		}
		if stop.Is {
			return
		}
	}
	j.Fatalf("%s: the keyboard does not reach %s on\n%s", j.name, name,
		read[string](j, "the page", `location.href + "\n" + document.body.innerText`))
}
