package webtest

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"moothall/internal/apptest"
	"moothall/internal/platform/db"
)

// maxShift is how much of a page may move while it loads (cumulative layout shift).
const maxShift = 0.02

// TestSpeedOfPages loads pages as a phone with a slow CPU on a slow network does, and as often a page of the
// same text without style and script: the floor. It prints the medians and their ratio, and fails for a page that
// moves while it loads. Only LONG_TESTS runs it.
func TestSpeedOfPages(t *testing.T) {
	rounds := apptest.Rounds(0, 7)
	if rounds == 0 {
		t.Skip("long: set LONG_TESTS")
	}
	a := apptest.New(t, db.SQLite, apptest.Setting("WEB_ORIGIN", origin), apptest.Setting("PUBLIC_BASE_URL", origin))
	a.FillDemo()
	runJourney(t, a, "speed", true, func(j *journey) {
		j.base = withFloor(t, a.URL())
		j.do(slow(), chromedp.EmulateViewport(390, 844))
		for _, page := range []string{"/", demoEvent} {
			var pages, floors []vitals
			for range rounds {
				pages, floors = append(pages, j.load(page)), append(floors, j.load("/floor?page="+url.QueryEscape(page)))
			}
			full, floor := median(pages), median(floors)
			t.Logf("%s: LCP %.0f ms, %.2f of the floor of %.0f ms; blocked %.0f ms; shift %.3f", page, full.LCP, full.LCP/floor.LCP, floor.LCP, full.Blocked, full.Shift)
			for _, load := range pages {
				if load.Shift > maxShift {
					t.Errorf("%s: shift %.3f", page, load.Shift)
				}
			}
		}
	})
}

// TestListsStayInPlace loads lists of long texts as a signed-in visitor with a slow CPU and network. It fails for a page
// that moves while it loads. Only LONG_TESTS runs it.
func TestListsStayInPlace(t *testing.T) {
	if apptest.Rounds(0, 1) == 0 {
		t.Skip("long: set LONG_TESTS")
	}
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
	Blocked float64 // beyond 50 ms of each task, while it loads
	Shift   float64 // see maxShift
}

// median returns the load in the middle, by LCP.
func median(loads []vitals) vitals {
	slices.SortFunc(loads, func(a, b vitals) int { return int(a.LCP - b.LCP) })
	return loads[len(loads)/2]
}

// load opens a page with an empty cache.
func (j *journey) load(path string) vitals {
	j.Helper()
	j.do(chromedp.Navigate("about:blank"))
	j.Open(path)
	text, err := eval[string](j, `new Promise(resolve => {
		const found = {LCP: 0, Blocked: 0, Shift: 0};
		const watch = (type, add) => new PerformanceObserver(list => list.getEntries().forEach(add)).observe({type, buffered: true});
		watch("largest-contentful-paint", e => { found.LCP = e.startTime; });
		watch("longtask", e => { found.Blocked += Math.max(0, e.duration - 50); });
		watch("layout-shift", e => { found.Shift += e.value; });
		setTimeout(() => resolve(JSON.stringify(found)), 1000); // until the map has begun
	})`)
	if err != nil {
		j.Fatal(err)
	}
	var v vitals
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		j.Fatal(err)
	}
	return v
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
			MatchedNetworkConditions: []*network.Conditions{{Latency: 562.5, DownloadThroughput: 1474.56 * 1024 / 8, UploadThroughput: 675 * 1024 / 8}},
		})
		return err
	})
}

// withFloor returns the address of a proxy to a service. At /floor?page=PATH it has the text of that page alone.
func withFloor(t *testing.T, service string) string {
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
	mux.HandleFunc("/floor", func(w http.ResponseWriter, r *http.Request) {
		text := textOf(t, service+r.URL.Query().Get("page"))
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, "<!DOCTYPE html><html lang=en><meta name=viewport content='width=device-width'><title>Floor</title><link rel=icon href='data:,'><h1>Floor</h1><p>%s", html.EscapeString(text))
	})
	proxy := httptest.NewServer(mux)
	t.Cleanup(proxy.Close)
	return proxy.URL
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
	for _, piece := range strings.Split(main, "<") {
		_, after, _ := strings.Cut(piece, ">")
		text.WriteString(html.UnescapeString(after) + " ")
	}
	return text.String()
}
