package webtest

import (
	_ "embed" // axe-core
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"context"
)

//go:embed testdata/axe-core/axe.min.js
var axe string

// rules are the sets of rules of axe-core that all pages keep.
const rules = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`

// Accessible fails if axe-core finds a violation on the page, in light or dark colours, on a
// phone or a desktop.
func (j *journey) Accessible() {
	j.Helper()
	if !j.Scripts {
		return // the HTML is the same
	}
	j.settle()
	if _, err := eval[bool](j, axe+"; true"); err != nil {
		j.Fatal(err)
	}
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{320, 768, 1280} {
			j.do(chromedp.EmulateViewport(width, 900), colours(scheme))
			found, err := eval[[]string](j, `axe.run({runOnly: {type: "tag", values: `+rules+`}, resultTypes: ["violations"], preload: false})
				.then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ": " + v.help + ": " + n.html.slice(0, 200) + " " + (n.any[0]?.message ?? ""))))`)
			if err != nil {
				j.Fatal(err)
			}
			if len(found) > 0 {
				at, _ := eval[string](j, "location.pathname")
				j.Errorf("%s, %s, %d px:\n%s", at, scheme, width, strings.Join(found, "\n"))
			}
		}
	}
	j.do(chromedp.EmulateViewport(1280, 900), colours("light"))
}

// settle waits for the end of a transition between pages, which a new size of the window would
// abort with an error.
func (j *journey) settle() {
	j.Helper()
	j.await("the end of the transition", "!document.activeViewTransition")
}

// colours makes the browser prefer light or dark colours.
func colours(scheme string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	})
}
