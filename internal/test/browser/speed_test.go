package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// maxShift is how much of a page may move while it loads (cumulative layout shift).
const maxShift = 0.02

// maxOfSvelte is the largest permitted ratio of a page's LCP to that of a single-page app with the same content.
const maxOfSvelte = 0.7

// TestSpeedOfPages loads pages as a phone with a slow CPU on a slow network does, each as often as the same page of the
// app in bench/svelte-page, and as its bare text without style and script. It prints the medians and fails for a page
// that moves while it loads, or whose LCP ratio exceeds maxOfSvelte. SVELTE_PAGE is the directory of the built app;
// scripts/web_speed.sh builds it.
func TestSpeedOfPages(t *testing.T) {
	built := os.Getenv("SVELTE_PAGE")
	if built == "" {
		t.Skip("needs a built Svelte app: scripts/web_speed.sh, in make check, builds it and runs this")
	}
	a := apptest.New(t, db.SQLite, apptest.OwnOrigin(), apptest.Setting("RATE_LIMITS", "off"), apptest.Demo())
	fast.runJourney(t, a, a.URL(), "speed", true, func(j *journey) {
		j.base = withBaselines(t, a.URL(), built)
		j.do(slow(), chromedp.EmulateViewport(390, 844))
		for _, page := range []struct{ path, address, button string }{
			{"/", "/", ".filter button[type=submit]"},
			{demoEvent, j.shared("events", path.Base(demoEvent)), "#join button[type=submit]:not(dialog *)"},
		} {
			const rounds = 7
			var own, svelte, bare []vitals
			for range rounds {
				own = append(own, j.loadAndPress(page.address, page.button))
				svelte = append(svelte, j.loadAndPress("/svelte"+page.path, page.button))
				bare = append(bare, j.load("/bare?page="+url.QueryEscape(page.path)))
			}
			ratio := median(own, vitals.lcp) / median(svelte, vitals.lcp)
			t.Logf("%s: LCP %.2f of the Svelte app: %.0f of %.0f ms; bare text %.0f ms", page.path, ratio, median(own, vitals.lcp),
				median(svelte, vitals.lcp), median(bare, vitals.lcp))
			t.Logf("%s: INP %.0f ms, Svelte %.0f ms; longest task after the click %.0f ms, Svelte %.0f ms", page.path,
				median(own, vitals.inp), median(svelte, vitals.inp), median(own, vitals.result), median(svelte, vitals.result))
			t.Logf("%s: blocked %.0f ms, Svelte %.0f ms; shift at most %.3f, Svelte %.3f", page.path,
				median(own, vitals.blocked), median(svelte, vitals.blocked), largest(own, vitals.shift), largest(svelte, vitals.shift))
			if ratio > maxOfSvelte {
				t.Errorf("%s: LCP %.2f of the Svelte app, more than %.2f", page.path, ratio, maxOfSvelte)
			}
			if shift := largest(own, vitals.shift); shift > maxShift {
				t.Errorf("%s: shift %.3f", page.path, shift)
			}
		}
	})
}

// TestListsStayInPlace loads lists of long texts as a signed-in visitor with a slow CPU and network. It fails for a page
// that moves while it loads. Only LONG_TESTS runs it.
func TestListsStayInPlace(t *testing.T) {
	testutil.OnlyLong(t)
	w := newHostileWorld(t, 0)
	runJourney(t, w.App, "lists", true, func(j *journey) {
		j.signInAs("ann")
		for _, width := range []int64{390, 768, 1280} {
			j.do(slow(), chromedp.EmulateViewport(width, 900))
			for _, page := range []string{"/", "/people"} {
				shift := j.load(page).Shift
				t.Logf("%s, %d px: shift %.3f", page, width, shift)
				if shift > maxShift {
					t.Errorf("%s, %d px: shift %.3f", page, width, shift)
				}
			}
		}
	})
}

// vitals are the times of a page in milliseconds.
type vitals struct {
	LCP     float64 // until its largest part is drawn
	INP     float64 // from a click until the next frame is drawn; 0 without a click
	Result  float64 // longest task after a click: it draws what the service has answered
	Blocked float64 // beyond 50 ms of each task, while it loads
	Shift   float64 // see maxShift
}

func (v vitals) lcp() float64     { return v.LCP }
func (v vitals) inp() float64     { return v.INP }
func (v vitals) result() float64  { return v.Result }
func (v vitals) blocked() float64 { return v.Blocked }
func (v vitals) shift() float64   { return v.Shift }

// median returns the value in the middle.
func median(loads []vitals, value func(vitals) float64) float64 {
	values := valuesOf(loads, value)
	slices.Sort(values)
	return values[len(values)/2]
}

// largest returns the largest value.
func largest(loads []vitals, value func(vitals) float64) float64 {
	return slices.Max(valuesOf(loads, value))
}

func valuesOf(loads []vitals, value func(vitals) float64) []float64 {
	var values []float64
	for _, load := range loads {
		values = append(values, value(load))
	}
	return values
}

// load opens a page with an empty cache and waits until it draws no larger part and moves no more.
func (j *journey) load(path string) (v vitals) {
	j.Helper()
	j.do(chromedp.Navigate("about:blank"))
	j.Open(path)
	j.measure(&v, `new Promise(resolve => {
		const found = {LCP: 0, Blocked: 0, Shift: 0};
		let calm;
		const settle = () => { clearTimeout(calm); calm = setTimeout(() => resolve(JSON.stringify(found)), 2000); };
		const watch = (type, add) => new PerformanceObserver(list => { list.getEntries().forEach(add); settle(); }).observe({type, buffered: true});
		watch("largest-contentful-paint", e => { found.LCP = e.startTime; });
		watch("longtask", e => { found.Blocked += Math.max(0, e.duration - 50); });
		watch("layout-shift", e => { found.Shift += e.value; });
		settle();
	})`)
	return v
}

// loadAndPress loads a page and then clicks a button.
func (j *journey) loadAndPress(path, button string) vitals {
	j.Helper()
	v := j.load(path)
	j.do(chromedp.ScrollIntoView(button), chromedp.Sleep(time.Second), chromedp.Click(button)) // scrolling is over
	j.measure(&v, `new Promise(resolve => {
		const found = {INP: 0, Result: 0};
		const watch = (type, name, buffered) => new PerformanceObserver(list => list.getEntries().forEach(e => {
			if (e.interactionId !== 0) found[name] = Math.max(found[name], e.duration); // 0: no interaction, such as an element that moves below the pointer
		})).observe({type, buffered, durationThreshold: 16});
		watch("first-input", "INP", true); // of any duration
		watch("event", "INP", true);
		watch("longtask", "Result", false); // the response has not come yet
		setTimeout(() => resolve(JSON.stringify(found)), 2000);
	})`)
	return v
}

// measure adds the times that an expression resolves to.
func (j *journey) measure(v *vitals, expression string) {
	j.Helper()
	text, err := eval[string](j, expression)
	if err == nil {
		err = json.Unmarshal([]byte(text), v)
	}
	if err != nil {
		j.Fatal(err)
	}
}

// slow emulates a phone: a CPU four times slower, and the network that Lighthouse calls Slow 4G.
func slow() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true}); err != nil {
			return err
		}
		if _, err := cdp.Call(ctx, t, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{{Latency: 562.5, DownloadThroughput: 1474.56 * 1024 / 8,
				UploadThroughput: 675 * 1024 / 8}},
		})
		return err
	})
}

// withBaselines returns the address of a proxy to a service. At /svelte/ it has the pages of the built Svelte app, and at
// /bare?page=PATH the text of a page alone.
func withBaselines(t *testing.T, service, built string) string {
	t.Helper()
	to, err := url.Parse(service)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host
	}})
	mux.HandleFunc("/bare", func(w http.ResponseWriter, r *http.Request) {
		text := textOf(t, service+r.URL.Query().Get("page"))
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, "<!DOCTYPE html><html lang=en><meta name=viewport content='width=device-width'><title>Bare</title><link rel=icon href='data:,'><h1>Bare</h1><p>%s", html.EscapeString(text))
	})
	mux.Handle("/svelte/", http.StripPrefix("/svelte/", compressed(t, os.DirFS(built))))
	proxy := httptest.NewServer(mux)
	t.Cleanup(proxy.Close)
	return proxy.URL
}

// compressed serves the files of a built app, compressed ahead with brotli. Addresses without a file have the page of the app.
func compressed(t *testing.T, files fs.FS) http.Handler {
	t.Helper()
	bodies := map[string][]byte{}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		var body bytes.Buffer
		w := brotli.NewWriterLevel(&body, brotli.BestCompression)
		_, err = w.Write(content)
		err = errors.Join(err, w.Close())
		bodies[name] = body.Bytes()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path
		if bodies[name] == nil {
			name = "index.html"
		}
		w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
		w.Header().Set("Content-Encoding", "br")
		_, _ = w.Write(bodies[name]) // fails only when the browser is gone
	})
}

// textOf returns the text of a page.
func textOf(t *testing.T, address string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	_, main, _ := strings.Cut(string(body), "<main")
	var text strings.Builder
	for piece := range strings.SplitSeq(main, "<") {
		_, after, _ := strings.Cut(piece, ">")
		text.WriteString(html.UnescapeString(after) + " ")
	}
	return text.String()
}
