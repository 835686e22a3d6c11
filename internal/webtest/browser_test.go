package webtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"

	"moothall/internal/apptest"
)

// chromium is the one browser of all tests.
var chromium struct {
	context.Context
	stop func()
	err  error
}

func TestMain(m *testing.M) {
	var stopProcess, stopBrowser func()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(findChromium()), chromedp.WSURLReadTimeout(time.Minute), chromedp.Flag("lang", "en"),
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true)) // maps need WebGL
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses to run as root otherwise
	}
	chromium.Context, stopProcess = chromedp.NewExecAllocator(context.Background(), options...)
	chromium.Context, stopBrowser = chromedp.NewContext(chromium.Context)
	chromium.err = chromedp.Do(chromium.Context)
	code := m.Run()
	stopBrowser()
	stopProcess()
	os.Exit(code)
}

func findChromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	return "chromium"
}

// journey is one visitor in a window with cookies of its own.
type journey struct {
	*testing.T
	App     *apptest.App
	Scripts bool

	name string
	ctx  context.Context //nolint:containedctx // that of the window, which chromedp needs
	base string

	mu           sync.Mutex
	problems     []string
	registration serviceworker.RegistrationID // of the last service worker
}

// patience is how long a step may take: the machine may be busy.
const patience = time.Minute

// runJourney runs a journey. It fails if the browser reports an error, a violation of the
// Content-Security-Policy or of Trusted Types, a request to another host, or a 5xx.
func runJourney(t *testing.T, a *apptest.App, name string, scripts bool, run func(j *journey)) {
	t.Helper()
	runJourneyAt(t, a, balanced(t, a), name, scripts, run)
}

// runJourneyAt is runJourney on a service at an address of its own.
func runJourneyAt(t *testing.T, a *apptest.App, base, name string, scripts bool, run func(j *journey)) {
	t.Helper()
	if chromium.err != nil {
		t.Fatalf("chromium is missing: install it (Debian: apt-get install chromium), or run make test, which does: %v", chromium.err)
	}
	j := &journey{T: t, App: a, Scripts: scripts, name: name, base: base}
	var closeWindow func()
	j.ctx, closeWindow = chromedp.NewContext(chromium.Context, chromedp.WithNewBrowserContext(), chromedp.WithListener(j.observe))
	defer closeWindow()
	if err := chromedp.Do(j.ctx); err != nil { // without a timeout, which would end the window
		t.Fatal(err)
	}
	j.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts})
		return err
	}), chromedp.EmulateViewport(1280, 900))
	run(j)
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, p := range j.problems {
		t.Errorf("%s: %s", name, p)
	}
}

// balanced returns the address of a proxy that gives each request to the next instance.
func balanced(t *testing.T, a *apptest.App) string {
	t.Helper()
	if len(a.URLs()) == 1 {
		return a.URL()
	}
	var next atomic.Int64
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		to, err := url.Parse(a.URLs()[int(next.Add(1))%len(a.URLs())])
		if err != nil {
			panic(err) // apptest has made it
		}
		r.SetURL(to)
		r.Out.Host = r.In.Host
	}})
	t.Cleanup(proxy.Close)
	return proxy.URL
}

// observe collects what must not happen in any journey.
func (j *journey) observe(event any) {
	problem := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		problem = "exception: " + e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			problem += " " + thrown.Description
		}
		if strings.Contains(problem, resized) {
			problem = ""
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			problem = fmt.Sprintf("console: %s", e.Args[0].Value)
		}
	case *log.EventEntryAdded: // a status of 4xx is one, too: see the responses instead
		if e.Entry.Source != log.EntrySourceNetwork && (e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning) {
			problem = "log: " + e.Entry.Text
		}
	case *network.EventRequestWillBeSent:
		if u, err := url.Parse(e.Request.URL); err != nil || (u.Scheme == "http" || u.Scheme == "https") && !strings.HasPrefix(e.Request.URL, j.base+"/") {
			problem = "request to " + e.Request.URL
		}
	case *serviceworker.EventWorkerRegistrationUpdated:
		j.mu.Lock()
		defer j.mu.Unlock()
		for _, r := range e.Registrations {
			if !r.IsDeleted {
				j.registration = r.RegistrationID
			}
		}
		return
	case *network.EventResponseReceived:
		if e.Response.Status >= 500 {
			problem = fmt.Sprintf("%d from %s", e.Response.Status, e.Response.URL)
		}
	}
	if problem != "" {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.problems = append(j.problems, problem)
	}
}

// do runs steps.
func (j *journey) do(steps ...chromedp.Action[chromedp.Void]) {
	j.Helper()
	ctx, cancel := context.WithTimeout(j.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		j.Fatalf("%s: %v", j.name, err)
	}
}

// Email returns an address that belongs to this journey alone.
func (j *journey) Email(name string) string {
	return strings.Join(strings.FieldsFunc(name+" "+j.name, func(r rune) bool { return !unicode.IsLetter(r) }), "-") + "@example.org"
}

// Open opens a page.
func (j *journey) Open(path string) {
	j.Helper()
	j.do(chromedp.Navigate(j.base + path))
}

// eval evaluates an expression in the page, also where the page may run no scripts.
func eval[T any](j *journey, expression string) (value T, err error) {
	ctx, cancel := context.WithTimeout(j.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// await waits until an expression is true. It fails while the page changes.
func (j *journey) await(what, expression string) {
	j.Helper()
	deadline := time.Now().Add(patience)
	for {
		is, err := eval[bool](j, expression)
		if err == nil && is {
			return
		}
		if time.Now().After(deadline) {
			text, _ := eval[string](j, "location.href + '\\n' + document.body.innerText")
			j.Fatalf("%s: waited for %s (%v) on\n%s", j.name, what, err, text)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func literal(text string) string {
	quoted, _ := json.Marshal(text) // a string always marshals
	return string(quoted)
}

// See waits until the page shows a text.
func (j *journey) See(text string) {
	j.Helper()
	j.await("the text "+literal(text), "document.readyState === 'complete' && document.body.innerText.includes("+literal(text)+")")
}

// SeeNot waits until the page no longer shows a text.
func (j *journey) SeeNot(text string) {
	j.Helper()
	j.await("no text "+literal(text), "document.readyState === 'complete' && !document.body.innerText.includes("+literal(text)+")")
}

// At waits until the address has a path and query.
func (j *journey) At(path string) {
	j.Helper()
	j.await("the address "+path, "location.pathname + location.search === "+literal(path))
}

// labelled finds the field with a label.
const labelled = `(label => [...document.querySelectorAll("label")].filter(l => l.textContent.trim().startsWith(label) && l.checkVisibility()).map(l => l.control).find(c => c))`

// Fill sets the field with a label.
func (j *journey) Fill(label, value string) {
	j.Helper()
	j.await("the field "+label, "Boolean("+labelled+"("+literal(label)+"))")
	_, err := eval[bool](j, `(field => { field.focus(); field.value = `+literal(value)+`; field.dispatchEvent(new Event("input", {bubbles: true})); return true; })(`+labelled+"("+literal(label)+"))")
	if err != nil {
		j.Fatal(err)
	}
}

// Choose ticks the option with a label.
func (j *journey) Choose(label string) {
	j.Helper()
	j.await("the choice "+label, "Boolean("+labelled+"("+literal(label)+"))")
	if _, err := eval[bool](j, labelled+"("+literal(label)+").click(), true"); err != nil {
		j.Fatal(err)
	}
}

// clickable finds the button or link with a text.
const clickable = `(text => [...document.querySelectorAll("button, a")].find(e => e.checkVisibility() && (e.textContent.trim() === text || e.getAttribute("aria-label") === text)))`

// Press clicks the button or link with a text.
func (j *journey) Press(text string) {
	j.Helper()
	j.await("the button "+text, "document.readyState === 'complete' && Boolean("+clickable+"("+literal(text)+"))")
	if _, err := eval[bool](j, clickable+"("+literal(text)+").click(), true"); err != nil {
		j.Fatal(err)
	}
}
