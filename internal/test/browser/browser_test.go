package browser

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
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"
	"github.com/google/uuid"

	"moothall/internal/test/apptest"
)

// browserProcess is one process of Chromium for all tests that use it. The first one starts it.
type browserProcess struct {
	programs  []string // one of which is installed
	optimizes bool     // compiles scripts to fast code, as the browsers of visitors do
	once      sync.Once
	ctx       context.Context //nolint:containedctx // that of the process, which chromedp needs
	stop      func()
	err       error
}

// Chromium and its headless shell are built from the same source. The shell has no windows, and needs half of the processor
// time for a page; it has no notifications.
var (
	chromium = &browserProcess{programs: []string{"chromium", "chromium-browser", "google-chrome"}}
	shell    = &browserProcess{programs: append([]string{"chromium-headless-shell", "chrome-headless-shell"}, chromium.programs...)}
	fast     = &browserProcess{programs: shell.programs, optimizes: true} // for measurements
)

func TestMain(m *testing.M) {
	code := m.Run()
	for _, b := range []*browserProcess{chromium, shell, fast} {
		if b.stop != nil {
			b.stop()
		}
	}
	os.Exit(code)
}

func (b *browserProcess) start() {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(b.program()), chromedp.WSURLReadTimeout(patience),
		chromedp.Flag("lang", "en"),
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true), // maps need WebGL
		// pages do not, and are cheaper without
		chromedp.Flag("disable-gpu-compositing", true),
		// nor the two pages of each address bar
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,WebUIOmniboxPopup,WebUIOmniboxAimPopup"))
	if !b.optimizes {
		options = append(options, chromedp.Flag("js-flags", "--no-opt,--no-maglev")) // a page of a test is closed before that pays off
	}
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses to run as root otherwise
	}
	process, stopProcess := chromedp.NewExecAllocator(context.Background(), options...)
	started, stopBrowser := chromedp.NewContext(process)
	b.stop = func() {
		stopBrowser()
		stopProcess()
	}
	b.ctx, b.err = started, chromedp.Do(started)
}

func (b *browserProcess) program() string {
	for _, name := range b.programs {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	return b.programs[0]
}

// journey is one visitor in a window with cookies of its own.
type journey struct {
	*testing.T
	App     *apptest.App
	Scripts bool

	name    string
	ctx     context.Context //nolint:containedctx // that of the window, which chromedp needs
	base    string
	checked int // pages, see looks
	pressed int // buttons and links
	acted   int // calls of act

	mu           sync.Mutex
	problems     []string
	registration serviceworker.RegistrationID // of the last service worker
}

// The size of the window: too narrow for the map of "/", which loads by itself on wider ones and costs more than all else.
const width, height = 1000, 900

// patience is how long a step may take: the machine may be busy.
const patience = 3 * time.Minute

// runJourney runs a journey. It fails if the browser reports an error, a violation of the
// Content-Security-Policy or of Trusted Types, a request to another host, or a 5xx.
func runJourney(t *testing.T, a *apptest.App, name string, scripts bool, run func(j *journey)) {
	t.Helper()
	shell.runJourney(t, a, balanced(t, a), name, scripts, run)
}

// runJourney runs a journey on a service at an address of its own.
func (b *browserProcess) runJourney(t *testing.T, a *apptest.App, base, name string, scripts bool, run func(j *journey)) {
	t.Helper()
	if b.once.Do(b.start); b.err != nil {
		t.Fatalf("chromium is missing: install it (Debian: apt-get install chromium), or run make test, which does: %v", b.err)
	}
	j := &journey{T: t, App: a, Scripts: scripts, name: name, base: base}
	var closeWindow func()
	j.ctx, closeWindow = chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext(), chromedp.WithListener(j.observe))
	defer closeWindow()
	if err := chromedp.Do(j.ctx); err != nil { // without a timeout, which would end the window
		t.Fatal(err)
	}
	j.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts})
		return err
	}), inEachDocument(watchLeaving), chromedp.EmulateViewport(width, height), colours("light"))
	run(j)
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, p := range j.problems {
		t.Errorf("%s: %s", name, p)
	}
}

// inEachDocument runs a script in every document that the window opens from now on, before the scripts of the page.
func inEachDocument(source string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: source})
		return err
	})
}

// balanced returns the address of a proxy that gives each request to the next instance. The origin of its pages becomes that of the
// service.
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
		if r.In.Header.Get("Origin") == "http://"+r.In.Host {
			r.Out.Header.Set("Origin", a.URL())
		}
	}})
	t.Cleanup(proxy.Close)
	return proxy.URL
}

// mapInSoftware is the warning of a browser without a graphics card that it copies the pixels of a map.
const mapInSoftware = "GPU stall due to ReadPixels"

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
			problem = fmt.Sprintf("console: %s %s", e.Args[0].Value, e.Args[0].Description)
		}
	case *log.EventEntryAdded: // a status of 4xx is one, too: see the responses instead
		if e.Entry.Source != log.EntrySourceNetwork && (e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning) &&
			!strings.Contains(e.Entry.Text, mapInSoftware) {
			problem = "log: " + e.Entry.Text
		}
	case *network.EventRequestWillBeSent:
		if u, err := url.Parse(e.Request.URL); err != nil || (u.Scheme == "http" || u.Scheme == "https") &&
			!strings.HasPrefix(e.Request.URL, j.base+"/") {
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

// Open opens a page. It first waits for what the page before has begun.
func (j *journey) Open(path string) {
	j.Helper()
	j.settle()
	j.do(chromedp.Navigate(j.base + path))
}

// settled returns an expression that is true while the page is at rest: it is loaded, its elements are defined, and it waits
// neither for a response, nor for another document, nor for the end of a transition.
func (j *journey) settled() string {
	expression := `document.readyState === "complete" && !document.leaving && !document.activeViewTransition`
	if j.Scripts {
		expression += ` && !document.querySelector(".htmx-request, .htmx-swapping, :not(:defined)")`
	}
	return expression
}

// watchLeaving runs in every document. It makes document.leaving true from the click on a link or the submission of a form
// until the browser shows the next document. It stays false if htmx or an element prevents that.
const watchLeaving = `(() => {
	const watch = (event) => {
		document.leaving = true;
		setTimeout(() => { if (event.defaultPrevented) document.leaving = false; });
	};
	addEventListener("submit", (event) => { if (event.target.method !== "dialog") watch(event); }, true);
	addEventListener("click", (event) => {
		const link = event.target.closest?.("a[href]:not([download], [target])");
		if (link && link.href.split("#")[0] !== location.href.split("#")[0]) watch(event);
	}, true);
})()`

// eval evaluates an expression in the page, also where the page may run no scripts.
func eval[T any](j *journey, expression string) (value T, err error) {
	ctx, cancel := context.WithTimeout(j.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// read returns the value of an expression in the settled page. It waits while the value is null or its evaluation fails.
func read[T any](j *journey, what, expression string) T {
	j.Helper()
	pause, rounds := 10*time.Millisecond, 1
	if j.Scripts {
		rounds = 20 // the page waits by itself: each evaluation from here takes time of the processor that the page needs
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(pause) {
		pause = min(pause*3/2, 100*time.Millisecond)
		values, err := eval[[]T](j, fmt.Sprintf(`(async () => {
			for (let round = 0; round < %d; round++) {
				if (round > 0) await new Promise(done => setTimeout(done, 10 + 10 * Math.min(round, 4)));
				if (!(%s)) continue;
				const value = await (%s);
				if (value != null) return [value];
			}
			return [];
		})()`, rounds, j.settled(), expression))
		if err == nil && len(values) > 0 {
			return values[0]
		}
		if time.Now().After(deadline) {
			text, _ := eval[string](j, `location.href + (`+j.settled()+` ? "" : ", which is not settled") + "\n" + document.body.innerText`)
			j.Fatalf("%s: waited for %s (%v) on\n%s", j.name, what, err, text)
		}
	}
}

// await waits until an expression is true in the settled page. The expression must change nothing: see act.
func (j *journey) await(what, expression string) {
	j.Helper()
	read[bool](j, what, "(async () => await ("+expression+") ? true : null)()")
}

// act waits for an element in the settled page and calls a function with it, once. The page cannot change in between. The name of
// the window, which outlives a document, says that the function has run: the next document may end the evaluation before it answers.
func (j *journey) act(what, element, function string) {
	j.Helper()
	j.acted++
	name := literal(fmt.Sprint("acted ", j.acted))
	read[bool](j, what, "window.name === "+name+" || (e => e ? (window.name = "+name+", ("+function+")(e), true) : null)("+element+")")
}

// settle waits until the page is at rest.
func (j *journey) settle() {
	j.Helper()
	j.await("a settled page", "true")
}

func literal(text string) string {
	quoted, _ := json.Marshal(text) // a string always marshals
	return string(quoted)
}

// See waits until the page shows a text.
func (j *journey) See(text string) {
	j.Helper()
	j.await("the text "+literal(text), "document.body.innerText.includes("+literal(text)+")")
}

// SeeNot waits until the page no longer shows a text.
func (j *journey) SeeNot(text string) {
	j.Helper()
	j.await("no text "+literal(text), "!document.body.innerText.includes("+literal(text)+")")
}

// At waits until the address has a path and query, or those that people share of a public event or a user with this id.
func (j *journey) At(path string) {
	j.Helper()
	kind, id, _ := strings.Cut(strings.Trim(path, "/"), "/")
	if uuid.Validate(id) == nil {
		path = j.shared(kind, id)
	}
	j.await("the address "+path, "location.pathname + location.search === "+literal(path))
}

// field is an expression for the visible field with a label.
func field(label string) string {
	return `[...document.querySelectorAll("label")].filter(l => l.textContent.trim().startsWith(` + literal(label) +
		`) && l.checkVisibility()).map(l => l.control).find(c => c)`
}

// Fill sets the field with a label.
func (j *journey) Fill(label, value string) {
	j.Helper()
	j.act("the field "+label, field(label),
		`field => { field.focus(); field.value = `+literal(value)+`; field.dispatchEvent(new Event("input", {bubbles: true})); }`)
}

// Choose ticks the option with a label.
func (j *journey) Choose(label string) {
	j.Helper()
	j.act("the choice "+label, field(label), j.click())
}

// Select selects a value of the list with an id.
func (j *journey) Select(id, value string) {
	j.Helper()
	j.act("the list "+id, `document.querySelector(`+literal("[id='"+id+"']:has(option[value='"+value+"'])")+`)`,
		`list => { list.value = `+literal(value)+`; }`)
}

// click is a function that clicks an element. Without scripts, each link and button leads to another document.
func (j *journey) click() string {
	return fmt.Sprintf(`e => { document.leaving ||= %t && e.matches("a, button"); e.click(); }`, !j.Scripts)
}

// button is an expression for the visible button or link with a text.
func button(text string) string {
	return `(text => [...document.querySelectorAll("button, a")].find(e => e.checkVisibility() && !e.disabled && (e.textContent.trim() === text || e.getAttribute("aria-label") === text)))(` + literal(text) + `)`
}

// Unfold opens the details whose summary has a text.
func (j *journey) Unfold(text string) {
	j.Helper()
	j.act("the summary "+text, `(text => [...document.querySelectorAll("summary")].find(e => e.checkVisibility() && e.textContent.trim() === text))(`+
		literal(text)+`)`, j.click())
}

// Press clicks the button or link with a text.
func (j *journey) Press(text string) {
	j.Helper()
	j.act("the button "+text, button(text), j.click())
	j.pressed++
}
