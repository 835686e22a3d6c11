package ops_test

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"moothall/api/gen"
	"moothall/internal/test/apptest"
)

// player sends the requests of the recording.
type player struct {
	*apptest.App
	t             *testing.T
	address       string // to which requests are sent
	routes        *gen.Server
	key           string // an API key without the scope that an operation needs
	authenticator *recordedPasskey

	names            map[string]string // saved from responses
	refreshTokens    map[string]string // of people, by their access tokens
	masks            *masks
	tried, succeeded map[string]bool // operations
	out              strings.Builder
}

// recordedRequest is a request of the recording.
type recordedRequest struct {
	who, method, path, body string // with names in braces
	headers, saves          []string
}

// play sends the requests of a recording and returns the recording with the responses.
func (p *player) play(recording string) string {
	var next *recordedRequest
	flush := func() {
		if next != nil {
			p.exchange(*next)
			next = nil
		}
	}
	before := ""
	for line := range strings.SplitSeq(recording, "\n") {
		kind, text, _ := strings.Cut(line, " ")
		switch kind {
		case "": // a response
			continue
		case "+":
			next.headers = append(next.headers, text)
		case "=":
			next.saves = append(next.saves, text)
		case "!":
			flush()
			p.advance(text)
		case ">":
			flush()
			f := append(strings.SplitN(text, " ", 4), "")
			next = &recordedRequest{who: f[0], method: f[1], path: f[2], body: f[3]}
		default:
			flush()
		}
		if kind != "+" && kind != "=" && before != "" && before != "#" {
			p.out.WriteString("\n")
		}
		p.out.WriteString(line + "\n")
		before = kind
	}
	flush()
	return p.out.String() + p.masks.headerSets()
}

// advance moves the clock.
func (p *player) advance(text string) {
	p.t.Helper()
	d, err := time.ParseDuration(strings.TrimPrefix(text, "advance "))
	if err != nil {
		p.t.Fatal(err)
	}
	p.Clock.Advance(d)
	p.RunJobs()
}

// exchange sends a request. The first request of an operation is also sent in ways that the service may refuse.
func (p *player) exchange(r recordedRequest) {
	p.t.Helper()
	path, body := p.fill(r.path), p.fill(r.body)
	operation := p.operation(r.method, path)
	for _, v := range variants {
		if operation != "" && !p.tried[operation] && v.applies(r) {
			request := p.request(r, path, body)
			v.change(p, r, request)
			p.record("  "+v.name+": ", request, nil)
		}
	}
	p.tried[operation] = true
	if p.record("  ", p.request(r, path, body), r.saves) < 400 {
		p.succeeded[operation] = true
	}
}

// operation returns the operationId of a request, "" if it is outside of the contract.
func (p *player) operation(method, path string) string {
	path, _, _ = strings.Cut(path, "?")
	route, ok := p.routes.FindRoute(method, path)
	if !ok {
		return ""
	}
	return route.OperationID()
}

// request builds a request.
func (p *player) request(r recordedRequest, path, body string) *http.Request {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), r.method, p.address+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	if r.who != anonymous {
		request.Header.Set("Authorization", "Bearer "+p.person(r.who).AccessToken)
	}
	if body != "" {
		request.Header.Set("Content-Type", apptest.ContentType([]byte(body)))
	}
	for _, h := range r.headers {
		name, value, _ := strings.Cut(h, ": ")
		request.Header.Set(name, p.fill(value))
	}
	if request.Header.Get("Webhook-Id") != "" {
		p.sign(request, body)
	}
	return request
}

// person returns a client. The responses show its id by name.
func (p *player) person(who string) *apptest.Client {
	c := p.As(who)
	p.names[who] = c.UserID
	p.refreshTokens[c.AccessToken] = c.RefreshToken
	p.masks.name(c.UserID, who)
	return c
}

// record sends a request and writes the response. It returns the status.
func (p *player) record(prefix string, request *http.Request, saves []string) int {
	p.t.Helper()
	p.Clock.Advance(step)
	response, err := recordingTransport.RoundTrip(request) //nolint:bodyclose // read closes it
	if err != nil {
		p.t.Fatalf("%s %s: %v", request.Method, request.URL, err)
	}
	body := p.read(response)
	for _, save := range saves {
		p.save(save, headerText(response.Header)+body)
	}
	if request.Method != http.MethodGet && response.StatusCode < 400 {
		p.RunJobs()
	}
	p.out.WriteString(prefix + p.masks.response(response, body))
	return response.StatusCode
}

// recordingTransport asks for no compression, and follows no redirects.
var recordingTransport = &http.Transport{DisableCompression: true}

// read returns the body of a response, of an endless one the first event.
func (p *player) read(response *http.Response) string {
	p.t.Helper()
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode == http.StatusSwitchingProtocols {
		return ""
	}
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		body, err := io.ReadAll(response.Body)
		if err != nil {
			p.t.Fatal(err)
		}
		return string(body)
	}
	var event []byte
	for b := make([]byte, 1); !strings.HasSuffix(string(event), "\n\n"); event = append(event, b...) {
		if _, err := io.ReadFull(response.Body, b); err != nil {
			p.t.Fatal(err)
		}
	}
	return string(event)
}

// save saves a part of a response under a name, like "event /"id":"(.*?)"/".
func (p *player) save(instruction, response string) {
	p.t.Helper()
	name, pattern, _ := strings.Cut(instruction, " ")
	found := regexp.MustCompile(strings.Trim(pattern, "/")).FindStringSubmatch(response)
	if len(found) != 2 {
		p.t.Fatalf("nothing to save as %s in %s", name, response)
	}
	p.names[name] = found[1]
	p.masks.name(found[1], name)
}

var recordedName = regexp.MustCompile(`\{\w+\}`)

// fill replaces names in braces.
func (p *player) fill(text string) string {
	p.t.Helper()
	return recordedName.ReplaceAllStringFunc(text, func(name string) string {
		name = strings.Trim(name, "{}")
		if value, ok := p.names[name]; ok {
			return value
		}
		if compute, ok := computedNames[name]; ok {
			return compute(p)
		}
		return p.person(name).UserID
	})
}

// variant is a way in which the first request of an operation is sent, too.
type variant struct {
	name    string
	applies func(recordedRequest) bool
	change  func(p *player, r recordedRequest, request *http.Request)
}

func hasSession(r recordedRequest) bool         { return r.who != anonymous }
func hasBody(r recordedRequest) bool            { return r.body != "" }
func hasNames(r recordedRequest) bool           { return recordedName.MatchString(r.path) }
func hasSessionAndNames(r recordedRequest) bool { return hasSession(r) && hasNames(r) }

var variants = []variant{
	{"without a session", hasSession, func(_ *player, _ recordedRequest, request *http.Request) { request.Header.Del("Authorization") }},
	{"without the scope", hasSession, func(p *player, _ recordedRequest, request *http.Request) {
		request.Header.Set("Authorization", "Bearer "+p.key)
		askForProblem(request)
	}},
	{"with unknown ids", hasNames, func(_ *player, r recordedRequest, request *http.Request) {
		path, query, _ := strings.Cut(recordedName.ReplaceAllString(r.path, "0198f000-0000-7000-8000-000000000000"), "?")
		request.URL.Path, request.URL.RawQuery = path, query
		askForProblem(request)
	}},
	{"as a stranger", hasSessionAndNames, func(p *player, _ recordedRequest, request *http.Request) {
		request.Header.Set("Authorization", "Bearer "+p.person("stranger").AccessToken)
		askForProblem(request)
	}},
	{"with a broken body", hasBody, func(_ *player, _ recordedRequest, request *http.Request) {
		request.Body, request.ContentLength, request.GetBody = io.NopCloser(strings.NewReader("{")), 1, nil
		askForProblem(request)
	}},
	{"with a body of text", hasBody, func(_ *player, _ recordedRequest, request *http.Request) {
		request.Header.Set("Content-Type", "text/plain")
		askForProblem(request)
	}},
}

func askForProblem(request *http.Request) { request.Header.Set("Accept", "application/problem+json") }
