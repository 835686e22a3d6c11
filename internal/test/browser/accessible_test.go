package browser

import (
	"context"
	_ "embed" // axe-core
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"moothall/internal/platform/db"
	"moothall/internal/test/testutil"
)

//go:embed testdata/axe-core/axe.min.js
var axe string

// rules are the sets of rules of axe-core that all pages keep.
const rules = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`

// runAxe returns what axe-core finds on the page.
const runAxe = `axe.run({runOnly: {type: "tag", values: ` + rules + `}, resultTypes: ["violations"], preload: false})
	.then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ": " + v.help + ": " + n.html.slice(0, 200) + " " + (n.any[0]?.message ?? ""))))`

// AccessibleAgain is Accessible for a page that TestPages checks, too. Only LONG_TESTS checks it in the state that a journey
// gives it.
func (j *journey) AccessibleAgain() {
	j.Helper()
	if testutil.Long() {
		j.Accessible()
	}
}

// Accessible fails if axe-core finds a violation on the page, in the windows of looks. It is for what only a journey
// reaches: TestPages checks every page.
func (j *journey) Accessible() {
	j.Helper()
	if !j.Scripts || j.App.Engine() != db.SQLite {
		return // the HTML is the same
	}
	j.loadAxe()
	for _, l := range j.looks() {
		j.resize(l)
		j.none(fmt.Sprintf("%d px, %s, barriers", l.width, l.scheme), runAxe)
	}
	j.do(chromedp.EmulateViewport(width, height), colours("light"))
}

// loadAxe makes axe-core known to the page. Chromium compiles the same text only once for all pages of a window.
func (j *journey) loadAxe() {
	j.Helper()
	j.settle()
	if _, err := eval[chromedp.Void](j, axe); err != nil {
		j.Fatalf("%s: axe-core: %v", j.name, err)
	}
}

// look is a window in which a page is checked.
type look struct {
	width, height int64
	scale         float64
	scheme        string
}

// looks returns the windows in which the journey checks its next page: the narrow and light one, or the wide and dark
// one, in turn. The first one has 1280 x 1024 pixels at a zoom of 400 %. LONG_TESTS checks all sizes in all colours.
func (j *journey) looks() []look {
	if !testutil.Long() {
		j.checked++
		return []look{{320, 256, 4, "light"}, {1280, 900, 1, "dark"}}[j.checked%2:][:1]
	}
	var all []look
	for _, scheme := range []string{"light", "dark"} {
		all = append(all, look{320, 256, 4, scheme}, look{768, 900, 1, scheme}, look{1280, 900, 1, scheme})
	}
	return all
}

func (j *journey) resize(l look) {
	j.Helper()
	j.do(chromedp.EmulateViewport(l.width, l.height, chromedp.EmulateScale(l.scale)), colours(l.scheme))
}

// resized is the error of a transition between pages during which a check has resized the window.
const resized = "Transition was aborted because of invalid state. Viewport size changed"

// none fails if an expression returns findings.
func (j *journey) none(what, expression string) {
	j.Helper()
	if found := read[[]string](j, what, expression); len(found) > 0 {
		j.Errorf("%s, %s:\n%s", read[string](j, "the address", "location.pathname + location.search"), what, strings.Join(found, "\n"))
	}
}

// colours makes the browser prefer light or dark colours, and no motion: transitions between pages cost more than the pages.
func colours(scheme string) chromedp.Action[chromedp.Void] {
	return preferences(&emulation.MediaFeature{Name: "prefers-color-scheme", Value: scheme},
		&emulation.MediaFeature{Name: "prefers-reduced-motion", Value: "reduce"})
}

// preferences sets what the browser prefers: with none, pages change with a transition.
func preferences(features ...*emulation.MediaFeature) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
		return err
	})
}
